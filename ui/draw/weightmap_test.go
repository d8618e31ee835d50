package draw

import (
	"encoding/csv"
	"math"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/ui/sample"
)

// testSpace is a week whose value grows with the distance from given weights.
func testSpace(number, n int, best []float64) Space {
	s := Space{Number: number, Jobs: 10, N: n, Best: best, Value: 1, Ref: 2}
	side := 2*n + 1
	for half := range s.Half {
		s.Half[half] = make([]float64, side*side)
		for i := range s.Half[half] {
			row, col := i/side, i%side
			s.Half[half][i] = math.NaN()
			if Abs(row-n)+Abs(col-n) <= n {
				q, p, wait := s.Weights(half, row, col)
				s.Half[half][i] = 1 + math.Abs(q-best[0]) + math.Abs(p-best[1]) + math.Abs(wait-best[2])
			}
		}
	}
	return s
}

// Intent: weights at every place sum to 1 in absolute value, corners are the
// pure orders, and the sign of q is that of the half.
func TestMapWeights(t *testing.T) {
	s := testSpace(1, 6, []float64{-0.5, -0.5, 0})
	for half := range 2 {
		for row := range 13 {
			for col := range 13 {
				if math.IsNaN(s.At(half, row, col)) {
					continue
				}
				q, p, wait := s.Weights(half, row, col)
				if math.Abs(math.Abs(q)+math.Abs(p)+math.Abs(wait)-1) > 1e-12 || half == 0 && q > 0 || half == 1 && q < 0 {
					t.Fatalf("half %d, row %d, column %d: %v %v %v", half, row, col, q, p, wait)
				}
			}
		}
	}
	for name, c := range map[string]struct {
		half, row, col int
		want           [3]float64
	}{"FCFS": {0, 6, 12, [3]float64{0, 0, 1}}, "LCFS": {1, 6, 0, [3]float64{0, 0, -1}}, "LPF": {0, 12, 6, [3]float64{0, 1, 0}},
		"SPF": {1, 0, 6, [3]float64{0, -1, 0}}, "SQF": {0, 6, 6, [3]float64{-1, 0, 0}}, "LQF": {1, 6, 6, [3]float64{1, 0, 0}}} {
		q, p, wait := s.Weights(c.half, c.row, c.col)
		if [3]float64{q, p, wait} != c.want {
			t.Errorf("%s: %v %v %v", name, q, p, wait)
		}
	}
}

// Intent: the place that is pointed at is the place that is drawn there: in the
// raster, in the file's cells, and for the marker of the best, at any width and
// scale; the best is the lightest colour.
func TestMapPlaces(t *testing.T) {
	weeks := []Space{testSpace(3, 5, []float64{-0.4, -0.4, 0.2}), testSpace(4, 5, []float64{0.2, 0.4, -0.4}), {Number: 5, N: 5, Ref: math.NaN()}}
	for _, w := range []float64{340, 700, 1100} {
		m := NewMaps(weeks, false, w)
		if len(m.Tiles) != 3 || m.Tiles[2].Half[1].Bottom() > m.H {
			t.Fatalf("width %v: %d tiles, height %v", w, len(m.Tiles), m.H)
		}
		for i := range 2 {
			x, y := Stand(m.Tiles[i].Half[halfOf(weeks[i].Best)], 5, weeks[i].Best[1], weeks[i].Best[2])
			if x > w {
				t.Errorf("width %v: the map leaves it", w)
			}
			week, half, row, col, ok := m.Hit(x+.4, y-.4)
			q, p, wait := weeks[i].Weights(half, row, col)
			if !ok || week != i || math.Abs(q-weeks[i].Best[0])+math.Abs(p-weeks[i].Best[1])+math.Abs(wait-weeks[i].Best[2]) > 1e-9 {
				t.Errorf("width %v, week %d: at the best stands %v %v %v", w, week, q, p, wait)
			}
			for _, scale := range []float64{1, 1.5, 2} {
				var r Bitmap
				m.Draw(&r, i, half, scale, 0x123456)
				b := m.Tiles[i].Half[half]
				for dy := 0; dy < r.H; dy += 3 {
					for dx := 0; dx < r.W; dx += 3 {
						px, py := b.X+(float64(dx)+.5)/scale, b.Y+(float64(dy)+.5)/scale
						_, h2, row, col, ok := m.Hit(px, py)
						want := Color(0x123456).Pixel()
						if ok {
							low, high := m.Weeks[i].bounds()
							want = Viridis((float64(Shade(weeks[i].At(h2, row, col), low, high)) + .5) / Shades).Pixel()
						}
						if got := r.Pix[dy*r.W+dx]; got != want {
							t.Fatalf("width %v, scale %v, pixel %d, %d: %x, want %x", w, scale, dx, dy, got, want)
						}
					}
				}
			}
		}
		if _, _, _, _, ok := m.Hit(2, 2); ok {
			t.Error("something is hit beside the maps")
		}
	}
	if Shade(1, 1, 8) != Shades-1 || Shade(8, 1, 8) != 0 || Shade(3, 3, 3) != Shades-1 {
		t.Error("the best is not the lightest")
	}
}

// Intent: one scale for all weeks makes equal values equal colours; the file is
// well-formed, says what made it, and its table has every value once.
func TestMapFiles(t *testing.T) {
	a, b := testSpace(1, 4, []float64{-1, 0, 0}), testSpace(2, 4, []float64{0.5, 0.25, -0.25})
	b.Half[0][4*9+4] = 30
	m := NewMaps([]Space{a, b}, true, 900)
	if m.limits[0] != m.limits[1] || m.limits[0][1] != 30 {
		t.Errorf("limits %v", m.limits)
	}
	d := Figure{W: 900, H: m.H, Art: m.Scene(Colours(true), 1, true).SVG("m") + m.Spot(Colours(true), MapSpot{1, 1, 4, 4}).SVG("s"), Aria: m.Aria()}
	file, _ := Colours(true).FigureFile(&d, "Maps")
	sample.WellFormed(t, "maps", file)
	if made := "<metadata>" + experiment.ThisBuild().String() + "</metadata>"; !strings.Contains(file, made) {
		t.Errorf("the file does not say what made it: %s", made)
	}
	if !strings.Contains(d.Aria, "week 2 best 1.00 with q 0.50, p̃ 0.25, wait −0.25") {
		t.Error(d.Aria)
	}
	g := m.Grid()
	rows, err := csv.NewReader(strings.NewReader(g.CSV())).ReadAll()
	// 4·n² + 2 vectors each.
	if want := 1 + 2*(4*16+2); err != nil || len(rows) != want {
		t.Errorf("%d lines, want %d, %v", len(rows), want, err)
	}
	if empty := NewMaps(nil, false, 500); empty.Empty == "" || empty.Aria() == "" {
		t.Error("no weeks, no words")
	}
}
