package draw_test

import (
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

// Intent: words of any kind stand in the picture and leave it well-formed.
func TestWordsInPictures(t *testing.T) {
	odd := "\"a\\b\"\n\t<é>\x00 " + string([]byte{0xff}) + "😀"
	f := draw.Figure{Texts: []draw.Text{{Text: odd, Series: -1}}}
	svg := f.SVG()
	drawtest.CheckSVG(t, "odd words", string(svg))
	if want := "&quot;a\\b&quot;\n\t&lt;é&gt;\ufffd \ufffd😀"; !strings.Contains(string(svg), want) {
		t.Errorf("%q has no %q", svg, want)
	}
}

// Intent: each kind of mark stands where the panel puts its numbers, upright and
// lying, and what is missing is left out.
func TestMarks(t *testing.T) {
	nan := math.NaN()
	panel := draw.Panel{Box: draw.Box{X: 100, Y: 10, W: 200, H: 100}, X: draw.Axis{Max: 10}, Y: draw.Axis{Max: 4}}
	names := panel
	names.X = draw.Axis{Names: []string{"a", "b"}}
	lying := panel
	lying.Y = draw.Axis{Names: []string{"a", "b"}, Inverse: true}
	for _, c := range []struct {
		name  string
		panel draw.Panel
		layer draw.Layer
		has   []string
		lacks string
	}{
		{"line", panel, draw.Layer{Shape: draw.Line, X: []float64{0, 5, 6, 7, 10}, Y: []float64{0, 4, nan, 2, 2}}, []string{"M100 110L200 10M240 60L300 60"}, "data-mark"},
		{"steps", panel, draw.Layer{Shape: draw.Line, Steps: true, X: []float64{0, 5}, Y: []float64{0, 4}}, []string{"M100 110H200V10"}, "data-mark"},
		{"area", panel, draw.Layer{Shape: draw.Line, Area: true, X: []float64{0, 5}, Y: []float64{1, 4}}, []string{"M100 85L200 10L200 110L100 110z"}, "data-mark"},
		{"dots", panel, draw.Layer{Shape: draw.Dots, Size: 6, X: []float64{5, 11}, Y: []float64{4, 1}}, []string{`cx="200" cy="10" r="3"`, `data-mark="0 0"`}, `data-mark="0 1"`},
		{"bars", names, draw.Layer{Shape: draw.Columns, Width: 20, Y: []float64{nan, 2}}, []string{`<rect x="240" y="60" width="20" height="50"`, `data-mark="0 1"`}, `data-mark="0 0"`},
		{"lying bars", lying, draw.Layer{Shape: draw.Columns, Width: 20, Flat: true, Y: []float64{5, nan}}, []string{`<rect x="100" y="25" width="100" height="20"`}, `data-mark="0 1"`},
		{"box", names, draw.Layer{Shape: draw.Boxes, Width: 20, X: []float64{0}, Fives: [][5]float64{{0, 1, 2, 3, 4}}}, []string{`<rect x="140" y="35" width="20" height="50"`, "M150 110V85M150 35V10", "M140 60H160"}, "NaN"},
		{"lying box", lying, draw.Layer{Shape: draw.Boxes, Width: 20, Flat: true, X: []float64{1}, Fives: [][5]float64{{0, 1, 2, 3, 4}}}, []string{`<rect x="120" y="75" width="40" height="20"`, "M100 85H120M160 85H180", "M140 75V95"}, "NaN"},
		{"band", panel, draw.Layer{Shape: draw.Band, X: []float64{0, 5, 6, 8}, Low: []float64{0, 1, nan, 1}, High: []float64{2, 3, nan, 2}}, []string{"M100 110L200 85L200 35L100 60M260 85L260 60"}, "data-mark"},
		{"whiskers", panel, draw.Layer{Shape: draw.Whiskers, X: []float64{5, 6}, Low: []float64{1, nan}, High: []float64{3, nan}}, []string{"M200 85V35M196 85H204M196 35H204"}, "NaN"},
		{"cut bar", lying, draw.Layer{Shape: draw.Columns, Width: 20, Flat: true, Series: 0, Y: []float64{11, nan}}, []string{`<path d="M100 25H274l4 6.67`, "L300 35L291 45", `data-mark="0 0"`}, "<rect"},
		{"hollow dots", panel, draw.Layer{Shape: draw.Dots, Hollow: true, Size: 6, X: []float64{5}, Y: []float64{4}}, []string{`cx="200" cy="10" r="3" fill="var(--panel)"`, `data-mark="0 0"`}, "NaN"},
		{"range", lying, draw.Layer{Shape: draw.Ranges, Flat: true, X: []float64{1}, Y: []float64{4}, Low: []float64{2}, High: []float64{5}}, []string{`"M140 85H200"`, `cx="180" cy="85"`}, "data-mark"},
		{"hexagons", panel, draw.Layer{Shape: draw.Tiles, Size: 20, X: []float64{5}, Y: []float64{2}, Colors: []draw.Color{0xff}}, []string{`"M200 48.45L210 54.23L210 65.77L200 71.55L190 65.77L190 54.23z"`, `data-mark="0 0"`}, "NaN"},
		{"one path a colour", panel, draw.Layer{Shape: draw.Tiles, Size: 20, Diamond: true, Merged: true, X: []float64{5, 0, 10}, Y: []float64{2, 2, 2}, Colors: []draw.Color{1, 2, 1}}, []string{`<path d="M200 50L210 60L210 60L200 70L190 60L190 60zM300 50`, `<path d="M100 50`}, "data-mark"},
		{"levels", panel, draw.Layer{Shape: draw.Levels, Width: 10, Ink: true, X: []float64{5, 6}, Y: []float64{2, nan}}, []string{`"M195 60H205"`}, "NaN"},
		{"spans", panel, draw.Layer{Shape: draw.Spans, Low: []float64{-5}, High: []float64{5}}, []string{`<rect x="100" y="10" width="100" height="100"`}, "data-mark"},
		{"cells", draw.Panel{Box: panel.Box, X: names.X, Y: lying.Y}, draw.Layer{Shape: draw.Cells, X: []float64{0, 1}, Y: []float64{0, 1}, Colors: []draw.Color{0, 0xffffff}, Words: []string{"1", ""}}, []string{`<rect x="101" y="11" width="98" height="48" fill="#000000"`, `<rect x="201" y="61"`, `class="on1">1<`}, "NaN"},
	} {
		f := draw.Figure{W: 400, H: 200, Panels: []draw.Panel{c.panel}, Layers: []draw.Layer{c.layer}}
		svg := f.SVG()
		drawtest.CheckSVG(t, c.name, string(svg))
		for _, want := range c.has {
			if !strings.Contains(string(svg), want) {
				t.Errorf("%s: no %s in %s", c.name, want, svg)
			}
		}
		if strings.Contains(string(svg), c.lacks) {
			t.Errorf("%s: %s in %s", c.name, c.lacks, svg)
		}
	}
}
