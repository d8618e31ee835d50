package gantt

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/ui/draw"
)

// numbers takes an SVG path of lines apart: each command with its numbers.
func numbers(t *testing.T, d string, f func(cmd byte, v []float64)) {
	t.Helper()
	for i := 0; i < len(d); {
		j := i + 1
		for j < len(d) && !strings.ContainsRune("MHVhvzZ", rune(d[j])) {
			j++
		}
		var v []float64
		for _, s := range strings.Fields(d[i+1 : j]) {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatalf("%q: %v", d[i:j], err)
			}
			v = append(v, x)
		}
		f(d[i], v)
		i = j
	}
}

// covered is what part of each pixel of m, which stands at area, the boxes
// cover together: asked at 16 × 20 points of each.
func covered(m *draw.Bitmap, area draw.Box, boxes []draw.Box) []float64 {
	const down, along = 16, 20
	at := make([][]draw.Box, m.W)
	for _, b := range boxes {
		for x := max(0, int(b.X-area.X)-1); x < min(m.W, int(b.Right()-area.X)+2); x++ {
			at[x] = append(at[x], b)
		}
	}
	out := make([]float64, len(m.Pix))
	for k := range out {
		x, y := area.X+float64(k%m.W), area.Y+float64(k/m.W)
		for j := range down {
			for i := range along {
				for _, b := range at[k%m.W] {
					if b.Inside(x+(float64(i)+.5)/along, y+(float64(j)+.5)/down) {
						out[k] += 1. / (down * along)
						break
					}
				}
			}
		}
	}
	return out
}

func someSteps(r *rand.Rand, limit int, end model.Time) *draw.Steps {
	var at []model.Time
	var value []int32
	for t := model.Time(0); t < end; t += 1 + model.Time(r.IntN(1+r.IntN(400))) {
		at, value = append(at, t), append(value, int32(r.IntN(limit)))
	}
	return draw.NewSteps(at, value)
}

// alpha and colour of a pixel.
func parts(p uint32) (alpha float64, col draw.Color) {
	return float64(p>>24) / 255, draw.Color(p&255<<16 | p&0xff00 | p>>16&255)
}

// near says whether a pixel looks like col laid with an opacity over a ground,
// or over nothing.
func near(p uint32, ground draw.Color, grid bool, col draw.Color, alpha float64) bool {
	const off = 9
	a, c := parts(p)
	if !grid {
		return math.Abs(a-alpha)*255 <= off && (c == col || a == 0)
	}
	want := draw.Mix(ground, col, alpha)
	for s := uint(0); s < 24; s += 8 {
		if d := int(c>>s&255) - int(want>>s&255); d > off || d < -off {
			return false
		}
	}
	return a == 1
}

// The strips on the screen agree with the paths that stand in files, drawn by a
// plain twin that asks at many points of each pixel whether line or area cover
// them.
func TestStripsAgreeWithPaths(t *testing.T) {
	inked, grids := 0, 0
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 41))
		g := testGantt(40)
		g.Layout = NewLayout(340, 560, 2)
		g.From = model.Time(r.IntN(2000))
		g.To = g.From + 500 + model.Time(r.IntN(9000))
		for i := range g.Panes {
			g.Panes[i].Used, g.Panes[i].Waiting = someSteps(r, 25, g.To+100), someSteps(r, 90, g.To-200)
		}
		for i := range g.Panes {
			var m draw.Bitmap
			area := g.Strips(i, 1, &m)
			p, col := &g.Panes[i], g.Theme.SeriesColor(g.Panes[i].Scheduler)
			for _, strip := range []struct {
				v     *draw.Steps
				limit float64
				box   draw.Box
			}{{p.Used, 24, g.Layout.Panes[i].Busy}, {p.Waiting, g.waits(), g.Layout.Panes[i].Waiting}} {
				b := strip.box
				line, _ := draw.StripPaths(strip.v.Columns(g.From, g.To, int(b.W)), strip.limit, b.X, b.Y, b.W, b.H)
				var stroke, under []draw.Box
				const half = stripLine / 2
				var x, y float64
				numbers(t, line, func(cmd byte, v []float64) {
					switch cmd {
					case 'M':
						x, y = v[0], v[1]
					case 'H': // without its caps, but those of corners come from upright pieces
						stroke = append(stroke, draw.Box{X: x, Y: y - half, W: v[0] - x, H: 2 * half})
						under = append(under, draw.Box{X: x, Y: y, W: v[0] - x, H: b.Bottom() - y})
						x = v[0]
					case 'V':
						stroke = append(stroke, draw.Box{X: x - half, Y: min(y, v[0]) - half, W: 2 * half, H: math.Abs(y-v[0]) + 2*half})
						y = v[0]
					}
				})
				lines, areas := covered(&m, area, stroke), covered(&m, area, under)
				for k, pix := range m.Pix {
					row := area.Y + float64(k/m.W)
					if row < b.Y-1 || row >= b.Bottom()+1 {
						continue
					}
					grid := false
					if row >= b.Y && row < b.Bottom() {
						for _, tick := range g.ticks() {
							grid = grid || int(g.X(model.Time(tick.At))-b.X) == k%m.W
						}
					}
					alpha := 1 - (1-stripFill*areas[k])*(1-lines[k])
					if !near(pix, g.Theme.Grid, grid, col, alpha) {
						t.Fatalf("seed %d, pane %d, pixel %d,%d: %08x, but the path covers %.2f and its area %.2f (grid %v)", seed, i, k%m.W, k/m.W, pix, lines[k], areas[k], grid)
					}
					if lines[k] > .1 {
						inked++
					}
					if grid {
						grids++
					}
				}
			}
		}
		var m draw.Bitmap
		b := g.Difference(1, 1, &m)
		n := int(b.W / 2)
		up, down := draw.DifferencePaths(g.Panes[0].Used.Columns(g.From, g.To, n), g.Panes[1].Used.Columns(g.From, g.To, n), 24, b.X, b.Y, b.W, b.H)
		for side, d := range []string{up, down} {
			var bars []draw.Box
			var x, y, high, wide float64
			numbers(t, d, func(cmd byte, v []float64) {
				switch cmd {
				case 'M':
					x, y, high = v[0], v[1], 0
				case 'v':
					if high == 0 {
						high = v[0]
					}
				case 'h':
					wide = v[0]
				case 'z':
					bars = append(bars, draw.Box{X: x, Y: min(y, y+high), W: wide, H: math.Abs(high)})
				}
			})
			for k, part := range covered(&m, b, bars) {
				_, c := parts(m.Pix[k])
				if want := g.Theme.SeriesColor(g.Panes[side].Scheduler); part > .999 && c != want {
					t.Fatalf("seed %d, difference, pixel %d,%d: %s, want %s", seed, k%m.W, k/m.W, c.Hex(), want.Hex())
				}
			}
		}
	}
	if inked < 5000 || grids < 100 {
		t.Fatalf("only %d pixels of lines and %d of the grid: the test tests nothing", inked, grids)
	}
}

func BenchmarkStrips(b *testing.B) {
	g := testGantt(100)
	r := rand.New(rand.NewPCG(1, 1))
	g.Layout = NewLayout(1160, 700, 2)
	g.From, g.To = 0, 40_000_000
	g.Panes[0].Used, g.Panes[0].Waiting = someSteps(r, 25, g.To), someSteps(r, 90, g.To)
	var m draw.Bitmap
	for b.Loop() {
		g.Strips(0, 1, &m)
	}
}
