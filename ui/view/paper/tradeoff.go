package paper

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// trade is the course of one strategy through the criteria, point by point.
type trade struct {
	name string
	at   []tradePoint
}

type tradePoint struct {
	label   string
	u, f, d float64
	front   bool
}

// trades reads the criteria out of a study's rows: columns "S, mean U",
// "S, mean F", "S, mean D", and where it stands "S, not dominated". Without a
// tardiness there are no reservations: it is 0.
func trades(points []StudyPoint, keep func(label string) bool) []trade {
	var list []trade
	for _, p := range points {
		name, criterion, ok := strings.Cut(p.Column, ", ")
		if !ok || !keep(p.Label) || math.IsNaN(p.Value) || strings.Contains(p.Column, " − ") {
			continue
		}
		s := slices.IndexFunc(list, func(t trade) bool { return t.name == name })
		if s < 0 {
			s = len(list)
			list = append(list, trade{name: name})
		}
		t := &list[s]
		k := slices.IndexFunc(t.at, func(q tradePoint) bool { return q.label == p.Label })
		if k < 0 {
			k = len(t.at)
			t.at = append(t.at, tradePoint{label: p.Label, u: math.NaN(), f: math.NaN(), front: true})
		}
		switch q := &t.at[k]; criterion {
		case "mean U":
			q.u = p.Value
		case "mean F":
			q.f = p.Value
		case "mean D":
			q.d = p.Value
		case "not dominated":
			q.front = p.Value > 0
		}
	}
	for s := range list {
		list[s].at = slices.DeleteFunc(list[s].at, func(q tradePoint) bool { return math.IsNaN(q.u) || math.IsNaN(q.f) })
	}
	return slices.DeleteFunc(list, func(t trade) bool { return len(t.at) < 2 })
}

// TradeOff draws the criteria of a grid against each other over the share of
// reservations (Kurowski et al. 2011, section 5.5): utilization over flow time
// on the left, tardiness over flow time on the right, one line a strategy; above
// for reservations of the requested time, below for those of the run time, where
// rows have both. Full points are not dominated at their share.
func TradeOff(points []StudyPoint, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	known := func(label string) bool { return strings.Contains(label, "run time") }
	requested := trades(points, func(l string) bool { return !known(l) })
	kinds := [][]trade{requested}
	names := []string{"reserved for the requested time"}
	if run := trades(points, func(l string) bool { return known(l) || strings.HasPrefix(l, "0 %") }); slices.ContainsFunc(run, func(t trade) bool {
		return slices.ContainsFunc(t.at, func(q tradePoint) bool { return known(q.label) })
	}) {
		kinds, names = append(kinds, run), append(names, "reserved for the run time")
	}
	if len(requested) == 0 {
		f.Empty = "These rows make no trade-off."
		return f
	}
	for s, t := range requested {
		f.Keys = append(f.Keys, draw.Key{Series: s, Name: t.name})
	}
	says := map[int][]string{} // of the points of a layer
	f.Say = func(_ float64, layer, item int) draw.Markup {
		if layer < 0 {
			return ""
		}
		return draw.HTML(`{}`, says[layer][item])
	}
	high := (h - 4) / float64(len(kinds))
	for k, list := range kinds {
		for side, of := range []func(q *tradePoint) float64{func(q *tradePoint) float64 { return q.u }, func(q *tradePoint) float64 { return q.d }} {
			title := [...]string{"mean U over mean F", "mean D over mean F"}[side] + ", " + names[k]
			drawTrades(&f, draw.Box{X: float64(side)*w/2 + 52, Y: float64(k)*high + 28, W: w/2 - 64, H: high - 58}, list, of, title, side == 0, says)
		}
	}
	f.Aria = tradeSentence(requested)
	return f
}

func drawTrades(f *draw.Figure, b draw.Box, list []trade, of func(*tradePoint) float64, title string, share bool, says map[int][]string) {
	minY := math.Inf(1)
	flow, other := make([]float64, len(list)), make([]float64, len(list)) // greatest by strategy
	for i := range list {
		for k := range list[i].at {
			q := &list[i].at[k]
			flow[i], other[i], minY = max(flow[i], q.f), max(other[i], of(q)), min(minY, of(q))
		}
	}
	// One strategy that goes far beyond the others leaves the picture.
	maxX, maxY, beyond := reach(flow), reach(other), ""
	for i := range list {
		if flow[i] > maxX || other[i] > maxY {
			beyond = " (" + list[i].name + " goes beyond)"
		}
	}
	if !share || minY < .2 {
		minY = 0
	} else {
		minY = math.Floor(minY*10) / 10
	}
	hours := func(limit float64) (ticks []draw.Tick) {
		for _, t := range draw.LinearTicks(limit/3600, 4) {
			ticks = append(ticks, draw.Tick{At: t.At * 3600, Label: t.Label + words.NB + "h"})
		}
		return ticks
	}
	maxX, maxY = maxX*1.05, max(minY+1e-9, maxY*1.05)
	p := draw.Panel{Box: b, X: draw.Axis{Max: maxX, Ticks: hours(maxX)}, Y: draw.Axis{Min: minY, Max: maxY}, Hold: true}
	if share {
		for v := minY; v <= maxY+1e-9; v += .1 {
			p.Y.Ticks = append(p.Y.Ticks, draw.Tick{At: v, Label: words.Number(v, 1)})
		}
	} else {
		p.Y.Ticks = hours(maxY)
	}
	panel := len(f.Panels)
	f.Panels = append(f.Panels, p)
	f.Text(b.X, b.Y-12, title+beyond, 'l', draw.ToneLabel)
	for s := range list {
		line := draw.Layer{Shape: draw.Line, Panel: panel, Series: s, Width: 1.4}
		dots := [2]draw.Layer{{Shape: draw.Dots, Panel: panel, Series: s, Size: 6}, {Shape: draw.Dots, Panel: panel, Series: s, Size: 6, Hollow: true}}
		first := len(f.Layers) + 1
		for k := range list[s].at {
			q := &list[s].at[k]
			line.X, line.Y = append(line.X, q.f), append(line.Y, of(q))
			if q.f > maxX || of(q) > maxY || of(q) < minY {
				continue
			}
			kind := 0
			if !q.front {
				kind = 1
			}
			dots[kind].X, dots[kind].Y = append(dots[kind].X, q.f), append(dots[kind].Y, of(q))
			says[first+kind] = append(says[first+kind], list[s].name+", "+q.label+": U "+words.Number(q.u, 3)+", F "+words.Dur(q.f)+", D "+words.Dur(q.d))
			if s == 0 && (k == 0 || k == len(list[s].at)-1 || k == len(list[s].at)/2) {
				percent, _, _ := strings.Cut(q.label, " reservations")
				f.Text(p.PX(q.f)+5, p.PY(of(q))-9, percent, 'l', draw.ToneLabel)
			}
		}
		f.Layers = append(f.Layers, line, dots[0], dots[1])
	}
}

// reach is the greatest value, or where the greatest of one strategy is more
// than twice that of all others, a little more than theirs.
func reach(most []float64) float64 {
	sorted := slices.Sorted(slices.Values(most))
	n := len(sorted)
	if n > 2 && sorted[n-1] > 2*sorted[n-2] {
		return sorted[n-2] * 1.2
	}
	return sorted[n-1]
}

// tradeSentence says which strategies are never dominated, and where the best
// flow time lies.
func tradeSentence(list []trade) string {
	said := make([]string, 0, len(list))
	for _, t := range list {
		n := 0
		for _, q := range t.at {
			if q.front {
				n++
			}
		}
		said = append(said, t.name+" at "+strconv.Itoa(n)+" of "+strconv.Itoa(len(t.at))+" shares")
	}
	return "Utilization and tardiness over flow time, one line a strategy over the share of reservations. Not dominated: " + strings.Join(said, ", ") + "."
}
