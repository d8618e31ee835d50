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

// box draws the distribution of values in place i right of the plot: a box around the
// middle half, a line at the median, and what lies between the least and the greatest.
func (p *Plot) box(pen *draw.Pen, values []float64, i int, s scale, colour string) {
	if len(values) < 2 {
		return
	}
	low, middle, high := quarters(values)
	y := func(v float64) string { return draw.Num(s.y(max(s.low, min(s.high, v)))) }
	x := p.right + 8 + boxOf*float64(i)
	wide := boxOf - 4
	pen.Path("M"+draw.Num(x+wide/2)+" "+y(slices.Min(values))+"V"+y(slices.Max(values)), colour, "1.4", "", "none", "")
	top, foot := s.y(min(s.high, high)), s.y(max(s.low, low))
	pen.Rect(x, top, wide, max(1, foot-top), "var(--panel)", draw.HTML(`stroke="{}" stroke-width="1.4"`, colour))
	pen.Path("M"+draw.Num(x)+" "+y(middle)+"h"+draw.Num(wide), colour, "2.4", "", "none", "")
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
func (p *Plot) cloud(pen *draw.Pen, at func(i int) (x, v, low, high float64), s scale, colour string) {
	var path draw.Path
	for _, part := range p.columns(p.d.Axes[p.d.Over].N, at) {
		for _, c := range part {
			path.Cmd('M', c.x, s.y(c.least))
			path.Cmd('V', s.y(math.Max(c.most, c.least)))
		}
	}
	pen.Path(string(path.B), colour, "2", "", "none", `stroke-linecap="round" stroke-opacity=".55"`)
}
