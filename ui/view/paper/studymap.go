package paper

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"batchlab/ui/draw"
)

// weightsIn reads the weights of a row called "q 0.5, p -0.5, wait 0".
func weightsIn(label string) (w [3]float64, ok bool) {
	parts := strings.Split(label, ", ")
	for i, name := range []string{"q ", "p ", "wait "} {
		if len(parts) != 3 || !strings.HasPrefix(parts[i], name) {
			return w, false
		}
		v, err := strconv.ParseFloat(parts[i][len(name):], 64)
		if err != nil {
			return w, false
		}
		w[i] = v
	}
	return w, true
}

// StudyMaps draws the rows of a figure that are called by weights as maps (Legrand,
// Trystram and Zrigui 2018, figure 4): for each column, a week, the half with
// q ≤ 0 beside that with q ≥ 0, lighter the better, the optimum marked. As in the
// paper p̃ grows to the upper left and wait to the upper right, so that |p̃| + |wait|
// ≤ 1 is an upright square, tiled by squares on their corners.
func StudyMaps(points []StudyPoint, w float64) draw.Figure {
	type cell struct {
		w [3]float64
		v float64
	}
	weeks, names, least := map[string][]cell{}, []string(nil), 1.0
	for _, p := range points {
		at, ok := weightsIn(p.Label)
		if !ok || !(p.Value > 0) {
			continue
		}
		if !slices.Contains(names, p.Column) {
			names = append(names, p.Column)
		}
		weeks[p.Column] = append(weeks[p.Column], cell{at, p.Value})
		for _, x := range at {
			if x != 0 {
				least = min(least, math.Abs(x))
			}
		}
	}
	if len(names) == 0 {
		return draw.Figure{W: w, H: 60, Empty: "These rows make no map."}
	}
	n := int(math.Round(1 / least))
	const gap, head = 12.0, 40.0
	size := (w - 3*gap) / 4
	f := draw.Figure{W: w, H: 24 + (head+size+gap)*math.Ceil(float64(len(names))/2)}
	var said []string
	f.Text(0, 8, "lighter is better · ↖ requested time p̃, ↗ wait · ○ optimum", 'l', draw.ToneAxis)
	for i, name := range names {
		x0, y0 := float64(i%2)*(2*size+2*gap), 20+float64(i/2)*(head+size+gap)
		cells, low, high, best := weeks[name], math.Inf(1), 0.0, 0
		for k, c := range cells {
			if low, high = min(low, c.v), max(high, c.v); c.v < cells[best].v {
				best = k
			}
		}
		f.Text(x0, y0+10, name+", best "+draw.Score(cells[best].v), 'l', draw.ToneBold)
		said = append(said, name+" best "+draw.Score(cells[best].v)+" with "+draw.WeightWords(cells[best].w[:]))
		for half, under := range []string{"q ≤ 0", "q ≥ 0"} {
			b := draw.Box{X: x0 + float64(half)*(size+gap/2), Y: y0 + head, W: size, H: size}
			f.Text(b.X+size/2, b.Y-12, under, 'c', draw.ToneAxis)
			one := float64(n + 1)
			axis := draw.Axis{Min: -one, Max: one, Hidden: true, Plain: true}
			tiles := draw.Layer{Shape: draw.Tiles, Panel: len(f.Panels), Series: -1, Name: name, Size: size / one, Diamond: true, Merged: true}
			mark := draw.Layer{Shape: draw.Dots, Panel: len(f.Panels), Size: 10, Hollow: true, Fill: "#111"}
			f.Panels = append(f.Panels, draw.Panel{Box: b, X: axis, Y: axis, Hold: true})
			for k, c := range cells {
				x, y := (c.w[2]-c.w[1])*float64(n), (c.w[2]+c.w[1])*float64(n)
				if half == 0 && c.w[0] <= 0 || half == 1 && c.w[0] >= 0 {
					tiles.X, tiles.Y = append(tiles.X, x), append(tiles.Y, y)
					tiles.Colors = append(tiles.Colors, draw.Viridis((float64(draw.Shade(c.v, low, high))+.5)/draw.Shades))
					if k == best && (half == 0 || c.w[0] > 0) {
						mark.X, mark.Y = []float64{x}, []float64{y}
					}
				}
			}
			f.Layers = append(f.Layers, tiles, mark)
		}
	}
	f.Aria = "Maps of the weights of q, p̃ and wait: " + strings.Join(said, "; ") + "."
	return f
}
