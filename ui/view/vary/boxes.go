package vary

import (
	"math"
	"slices"

	"batchlab/ui/draw"
)

// boxOf is the room that the box of each scheduler takes right of the plot.
const boxOf = 15.0

// quarters are the quartiles of values, between two of them by their distance.
func quarters(values []float64) (low, middle, high float64) {
	list := slices.Sorted(slices.Values(values))
	at := func(share float64) float64 {
		place := share * float64(len(list)-1)
		i := int(place)
		if i+1 >= len(list) {
			return list[i]
		}
		return list[i] + (place-float64(i))*(list[i+1]-list[i])
	}
	return at(.25), at(.5), at(.75)
}

// boxRoom is the room for boxes right of the plot: over draws, whose values only
// differ by chance, it is their distribution that says something.
func (d *Shown) boxRoom() float64 {
	if !d.Axes[d.Over].Draws {
		return 0
	}
	return boxOf*float64(len(d.Names)) + 6
}

// box draws the distribution of values in place i right of the plot.
func (p *Plot) box(values []float64, i, series int) {
	if len(values) < 2 {
		return
	}
	panel := p.Panels[len(p.Panels)-1]
	if panel.Box.X == p.left { // the room for boxes beside the plot
		panel.Box.X, panel.Box.W = p.right+8, p.boxes-8
		panel.X = draw.Axis{Min: 0, Max: panel.Box.W, Hidden: true, Plain: true}
		panel.Y.Hidden, panel.Y.Plain, panel.Hold = true, true, true
		p.Panels = append(p.Panels, panel)
	}
	low, middle, high := quarters(values)
	p.add(draw.Layer{Shape: draw.Boxes, Series: series, X: []float64{boxOf*float64(i) + (boxOf-4)/2}, Width: boxOf - 4, Fives: [][5]float64{{slices.Min(values), low, middle, high, slices.Max(values)}}})
}

// means are a scheduler's over the axis, those that are there.
func (p *Plot) means(m *Measure, scheduler int) (list []float64) {
	at := p.of(m, scheduler)
	for i := range p.d.Axes[p.d.Over].N {
		if _, v, _, _ := at(i); v == v {
			list = append(list, v)
		}
	}
	return list
}

// crowded reports whether the values stand too close for dots of their own.
func (p *Plot) crowded() bool {
	return p.d.Axes[p.d.Over].N > 1 && (p.right-p.left)/float64(p.d.Axes[p.d.Over].N) < 5
}

// cloud draws values that stand too close for dots of their own, and which no line
// joins: in each column of pixels a mark from the least to the greatest.
func (p *Plot) cloud(at func(i int) (x, v, low, high float64), l draw.Layer) {
	panel := &p.Panels[len(p.Panels)-1]
	l.Shape, l.Steps, l.Opacity = draw.Line, true, .55
	pixel := (panel.Y.Max - panel.Y.Min) / panel.Box.H
	for _, part := range p.columns(p.d.Axes[p.d.Over].N, at) {
		for _, c := range part {
			l.X, l.Y = append(l.X, c.x, c.x, math.NaN()), append(l.Y, c.least-pixel, c.most+pixel, math.NaN())
		}
	}
	p.add(l)
}
