package vary

import (
	"math"

	"batchlab/core/catalog"
	"batchlab/core/metric"
	"batchlab/ui/draw"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// relative reports whether the paired differences of a measure are drawn relative,
// in per cent: where these, whose intervals are narrower, tell the two apart. What is
// filled has then an interval that leaves zero out, to the eye as well.
func (m *Measure) relative() bool {
	if m.Gaps == nil {
		return false
	}
	any := false
	for i := range m.Gaps.Diffs {
		if diff := &m.Gaps.Diffs[i]; diff.N > 0 {
			if any = any || diff.N > 2; math.IsNaN(diff.Relative) || m.Row.Points() || !diff.Same && diff.Has() && !diff.Quotient {
				return false
			}
		}
	}
	return any
}

// drawn is a difference as it is drawn, with the ends of its interval, v itself where
// there is none.
func drawn(diff *result.Diff, relative bool) (v, low, high float64) {
	if v = diff.Mean; relative {
		v, low, high = 100*diff.Relative, 100*diff.Low, 100*diff.High
	} else {
		low, high = diff.Ends()
	}
	if !diff.Has() {
		low, high = v, v
	}
	return v, low, high
}

// pairs draws the paired differences: filled in the colour of who is better
// where it is clear, hollow where not.
func (p *Plot) pairs(pen *draw.Pen, m *Measure, top, foot float64, names bool) {
	d := p.d
	a := &d.Axes[d.Over]
	p.cursor(pen, top, foot)
	relative, row := m.relative(), m.Row
	if relative {
		row = &catalog.Metric{} // numbers without a unit
	}
	most, mostDrawn := 0.0, math.Inf(1)
	if relative {
		mostDrawn = 400 // the upper ends of quotients may be far away
	}
	for k := range a.N {
		if diff := m.Diff(d.With(d.Over, k)); diff.N > 0 {
			v, low, high := drawn(&diff, relative)
			most = max(most, math.Abs(v), -low, min(high, mostDrawn))
		}
	}
	if most == 0 {
		most = 1
	}
	s := scale{-1.06 * most, 1.06 * most, top, foot}
	for _, t := range ticks(row, s.low, s.high, 4, true) {
		y := draw.Crisp(s.y(t.At))
		if t.At == 0 {
			pen.Line(p.left, y, p.right, y, "line-3")
		} else {
			pen.Line(p.left, y, p.right, y, "grid")
		}
		pen.Text(p.left-8, y+4, t.Label, "end", "")
	}
	if names {
		up, down := d.A, d.B
		if m.Row.Better < 0 {
			up, down = d.B, d.A
		}
		if m.Row.Better != 0 {
			pen.Text(p.right+10+p.boxes, s.y(most*.55), words.Letter(up)+" is better", "", "k2")
			pen.Text(p.right+10+p.boxes, s.y(-most*.55)+4, words.Letter(down)+" is better", "", "k2")
		}
		if d.Repeats > 1 {
			pen.Text(p.right+10+p.boxes, s.y(0)-3, "hollow:", "", "")
			pen.Text(p.right+10+p.boxes, s.y(0)+11, d.hollow(), "", "")
		} else {
			pen.Text(p.right+10+p.boxes, s.y(0)+4, "one workload", "", "")
		}
	}
	if a.Draws {
		var list []float64
		for k := range a.N {
			if diff := m.Diff(d.With(d.Over, k)); diff.N > 0 {
				v, _, _ := drawn(&diff, relative)
				list = append(list, v)
			}
		}
		p.box(pen, list, 0, s, "var(--ink-2)")
	}
	if p.crowded() {
		p.manyPairs(pen, m, s, relative)
		return
	}
	for k := range a.N {
		diff := m.Diff(d.With(d.Over, k))
		if diff.N == 0 {
			continue
		}
		v, low, high := drawn(&diff, relative)
		x, y := p.x(k), s.y(v)
		if high > low && !diff.Same {
			width, more := "1.4", draw.Markup("")
			if diff.Band {
				width, more = "7", `stroke-linecap="round" stroke-opacity=".35"`
			}
			pen.Path("M"+draw.Num(x)+" "+draw.Num(s.y(low))+"V"+draw.Num(s.y(min(high, s.high))), "var(--ink-2)", width, "", "none", more)
		}
		fill, stroke := "var(--panel)", "var(--ink-2)"
		if better, ok := d.better(m, &diff); ok {
			fill, stroke = draw.SeriesVar(better), "var(--panel)"
		}
		dot(pen, x, y, 4, fill, stroke)
	}
}

// better is who is better at a point, where that is told apart.
func (d *Shown) better(m *Measure, diff *result.Diff) (scheduler int, ok bool) {
	switch {
	case diff.Certainty != metric.Surely || diff.Same:
		return 0, false
	case diff.Better > 0:
		return d.A, true
	case diff.Better < 0:
		return d.B, true
	case diff.Less() == (m.Row.Better <= 0):
		return d.A, true
	}
	return d.B, true
}

// manyPairs draws the differences of values that stand too close for dots.
func (p *Plot) manyPairs(pen *draw.Pen, m *Measure, s scale, relative bool) {
	d := p.d
	a := &d.Axes[d.Over]
	at := func(i int) (x, v, low, high float64) {
		k := a.Order[i]
		diff := m.Diff(d.With(d.Over, k))
		if diff.N == 0 {
			return p.x(k), math.NaN(), 0, 0
		}
		v, low, high = drawn(&diff, relative)
		return p.x(k), v, low, min(high, s.high)
	}
	if a.At == nil {
		p.cloud(pen, at, s, "var(--ink-2)")
		return
	}
	for _, part := range p.columns(a.N, at) {
		var band, line draw.Path
		for k, c := range part {
			band.Cmd(move(k), c.x, s.y(c.high))
			line.Cmd(move(k), c.x, s.y(c.first))
			line.Cmd('V', s.y(c.least))
			line.Cmd('V', s.y(c.most))
			line.Cmd('V', s.y(c.last))
		}
		for k := len(part) - 1; k >= 0; k-- {
			band.Cmd('L', part[k].x, s.y(part[k].low))
		}
		pen.Path(string(band.B)+"z", "", "", "", "var(--ink-3)", `fill-opacity=".2"`)
		pen.Path(string(line.B), "var(--ink-2)", "1.2", "", "none", "")
	}
}

// gap writes a difference, and whether it is clear.
func (d *Shown) gap(m *Measure, diff *result.Diff) string {
	switch untold := result.Untold(diff); {
	case diff.N == 0:
		return words.None
	case diff.Same:
		return untold
	case untold != "":
		return untold + ": " + result.GapText(m.Row, *diff)
	}
	return result.GapText(m.Row, *diff)
}
