package draw_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"batchlab/ui/draw"
	"batchlab/ui/draw/drawtest"
)

// Names at the ends of lines never overlap and stay in the order of the lines.
func TestEndLabels(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 100 {
		f := draw.Figure{W: 400, H: 300, Panels: []draw.Panel{{Box: draw.Box{X: 40, Y: 10, W: 250, H: 250}, X: draw.Axis{Max: 1}, Y: draw.Axis{Max: 1}}}}
		last := map[string]float64{}
		for i := range 1 + r.IntN(8) {
			v := r.Float64() * r.Float64()
			name := fmt.Sprint(i)
			last[name] = v
			f.Layers = append(f.Layers, draw.Layer{Shape: draw.Line, Series: i, Name: name, X: []float64{0, 1, 1}, Y: []float64{0, v, math.NaN()}})
		}
		f.EndLabels(0, func(l *draw.Layer) string { return l.Name })
		if len(f.Texts) != len(f.Layers) {
			t.Fatal("a line without a name")
		}
		for i, x := range f.Texts {
			if x.Y < 10 || x.Y > 260 || i > 0 && (x.Y-f.Texts[i-1].Y < 14-1e-9 || last[x.Text] > last[f.Texts[i-1].Text]) {
				t.Fatalf("%+v of %v", f.Texts, last)
			}
		}
	}
}

// Words of any kind survive the way to the chart library.
func TestEncodeWords(t *testing.T) {
	odd := "\"a\\b\"\n\t<é>\x00 " + string([]byte{0xff}) + "😀"
	f := draw.Figure{Texts: []draw.Text{{Text: odd}}}
	text, _ := f.Encode()
	var g drawtest.Decoded
	if err := json.Unmarshal([]byte(text), &g); err != nil {
		t.Fatal(err)
	}
	if want := strings.ToValidUTF8(odd, "\ufffd"); g.Texts[0].Text != want {
		t.Errorf("%q, want %q", g.Texts[0].Text, want)
	}
}
