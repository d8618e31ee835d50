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
func StudyMaps(points []StudyPoint, w float64) draw.Drawing {
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
		return draw.Drawing{W: w, H: 60, Empty: "These rows make no map."}
	}
	n := int(math.Round(1 / least))
	const gap, head = 12.0, 40.0
	size := (w - 3*gap) / 4
	out := draw.Drawing{W: w, H: 24 + (head+size+gap)*math.Ceil(float64(len(names))/2), Top: head}
	var p draw.Pen
	var said []string
	p.Text(0, 12, "lighter is better · ↖ requested time p̃, ↗ wait · ○ optimum", "", "")
	for i, name := range names {
		x0, y0 := float64(i%2)*(2*size+2*gap), 20+float64(i/2)*(head+size+gap)
		cells, low, high, best := weeks[name], math.Inf(1), 0.0, 0
		for k, c := range cells {
			if low, high = min(low, c.v), max(high, c.v); c.v < cells[best].v {
				best = k
			}
		}
		p.Text(x0, y0+14, name+", best "+draw.Score(cells[best].v), "", "k b")
		said = append(said, name+" best "+draw.Score(cells[best].v)+" with "+draw.WeightWords(cells[best].w[:]))
		for half, under := range []string{"q ≤ 0", "q ≥ 0"} {
			b := draw.Box{X: x0 + float64(half)*(size+gap/2), Y: y0 + head, W: size, H: size}
			p.Text(b.X+size/2, b.Y-8, under, "middle", "")
			step := (size/2 - 2) / float64(n+1)
			stand := func(c cell) (x, y float64) {
				return b.X + size/2 + (c.w[2]-c.w[1])*float64(n)*step, b.Y + size/2 - (c.w[2]+c.w[1])*float64(n)*step
			}
			var shadesOf [draw.Shades]draw.Path
			for _, c := range cells {
				if half == 0 && c.w[0] <= 0 || half == 1 && c.w[0] >= 0 {
					x, y := stand(c)
					path := &shadesOf[draw.Shade(c.v, low, high)]
					path.Cmd('M', x, y-step)
					path.Cmd('l', step, step)
					path.Cmd('l', -step, step)
					path.Cmd('l', -step, -step)
					path.B = append(path.B, 'z')
				}
			}
			for k := range shadesOf {
				if d := string(shadesOf[k].B); d != "" {
					p.Path(d, "", "", "", draw.Viridis((float64(k)+.5)/draw.Shades).Hex(), `shape-rendering="crispEdges"`)
				}
			}
			if c := cells[best]; half == 0 && c.w[0] <= 0 || half == 1 && c.w[0] > 0 {
				x, y := stand(c)
				p.Put(`<circle cx="{}" cy="{}" r="5" fill="#fff" stroke="#111" stroke-width="2"/>`, x, y)
			}
		}
	}
	out.SVG, out.Aria = p.Markup(), "Maps of the weights of q, p̃ and wait: "+strings.Join(said, "; ")+"."
	return out
}
