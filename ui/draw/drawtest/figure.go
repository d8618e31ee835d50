package drawtest

import (
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"batchlab/ui/draw"
)

// CheckFigure checks what must hold for each figure: a sentence, words inside it,
// numbers inside the axes, and a picture that has a mark for each item that can
// be pointed at.
func CheckFigure(t *testing.T, name string, f *draw.Figure) {
	t.Helper()
	if f.Empty != "" || len(f.Aria) < 20 || strings.Contains(f.Aria, "\n") {
		t.Errorf("%s: empty %q, aria %q", name, f.Empty, f.Aria)
	}
	if len(f.Panels) == 0 || len(f.Layers) == 0 {
		t.Fatalf("%s: %d panels, %d layers", name, len(f.Panels), len(f.Layers))
	}
	marks := CheckSVG(t, name, string(f.SVG()))
	for k := range f.Layers {
		l := &f.Layers[k]
		p := &f.Panels[l.Panel]
		want, inside := 0, func(a *draw.Axis, v float64) bool { return a.Names != nil || v >= a.Min-1e-9 && v <= a.Max+1e-9 }
		switch l.Shape {
		case draw.Line, draw.Dots:
			for i, x := range l.X {
				if y := l.Y[i]; !inside(&p.X, x) || !math.IsNaN(y) && !inside(&p.Y, y) {
					t.Fatalf("%s: %g, %g outside %+v", name, x, y, p)
				} else if !math.IsNaN(y) && (l.Shape == draw.Dots || l.Size > 0) {
					want++
				}
			}
		case draw.Columns:
			for _, y := range l.Y {
				if !math.IsNaN(y) {
					want++
				}
			}
		case draw.Boxes:
			want = len(l.Fives)
		case draw.Cells, draw.Tiles:
			if !l.Merged {
				want = len(l.X)
			}
		}
		if marks[k] != want {
			t.Errorf("%s: %d marks of layer %d, %s, not %d", name, marks[k], k, l.Shape, want)
		}
	}
	for _, q := range f.Texts {
		if q.X < 0 || q.X > f.W || q.Y < 0 || q.Y > f.H || q.Text == "" {
			t.Errorf("%s: words %+v", name, q)
		}
	}
	for _, p := range f.Panels {
		if p.X.Names == nil && p.X.Max <= p.X.Min || p.Y.Names == nil && p.Y.Max <= p.Y.Min || p.X.Log && p.X.Min <= 0 || p.Y.Log && p.Y.Min <= 0 {
			t.Errorf("%s: axes %+v", name, p)
		}
	}
	grid := f.Numbers()
	lines, err := csv.NewReader(strings.NewReader(grid.CSV())).ReadAll()
	if err != nil || len(lines) < 2 {
		t.Errorf("%s: CSV of %d lines: %v", name, len(lines), err)
	}
	if !strings.Contains(string(grid.HTML()), "<tbody><tr>") {
		t.Errorf("%s: no table", name)
	}
}

// CheckSVG reads a picture as XML: no number in it is none, no size is negative.
// It returns how many marks each layer has.
func CheckSVG(t *testing.T, name, svg string) map[int]int {
	t.Helper()
	marks := map[int]int{}
	d := xml.NewDecoder(strings.NewReader(`<svg>` + svg + `</svg>`))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return marks
		} else if err != nil {
			t.Fatalf("%s: %v in %.300s", name, err, svg)
		}
		el, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range el.Attr {
			switch a.Name.Local {
			case "data-mark":
				layer := 0
				for _, r := range strings.SplitN(a.Value, " ", 2)[0] {
					layer = 10*layer + int(r-'0')
				}
				marks[layer]++
			case "d", "x", "y", "cx", "cy", "r", "width", "height":
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Fatalf("%s: %s of %s is %.200s", name, a.Name.Local, el.Name.Local, a.Value)
				}
				if a.Name.Local != "d" && a.Name.Local[0] != 'x' && a.Name.Local != "y" && a.Name.Local[0] != 'c' && strings.HasPrefix(a.Value, "-") {
					t.Fatalf("%s: %s of %s is %s", name, a.Name.Local, el.Name.Local, a.Value)
				}
			}
		}
	}
}
