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
func (p *Plot) pairs(m *Measure, top, height float64, say Saying, names bool) {
	d := p.d
	a := &d.Axes[d.Over]
	relative, row := m.relative(), m.Row
	if relative {
		row = &catalog.Metric{} // numbers without a unit
	}
	most, mostDrawn := 0.0, math.Inf(1)
	if relative {
		mostDrawn = 400 // the upper ends of quotients may be far away
	}
	var values []float64
	for k := range a.N {
		if diff := m.Diff(d.With(d.Over, k)); diff.N > 0 {
			v, low, high := drawn(&diff, relative)
			most = max(most, math.Abs(v), -low, min(high, mostDrawn))
			values = append(values, v)
		}
	}
	if most == 0 {
		most = 1
	}
	y := draw.Axis{Min: -1.06 * most, Max: 1.06 * most}
	y.Ticks = ticks(row, y.Min, y.Max, 4, true)
	p.frame(top, height, y, say)
	p.add(draw.Layer{Shape: draw.Line, Fill: "var(--line-3)", Width: 1, X: []float64{p.left, p.right}, Y: []float64{0, 0}})
	if panel := &p.Panels[len(p.Panels)-1]; names {
		beside := func(v, shift float64, text string, tone draw.Tone) {
			p.Text(p.right+10+p.boxes, panel.PY(v)+shift, text, 'l', tone)
		}
		up, down := d.A, d.B
		if m.Row.Better < 0 {
			up, down = d.B, d.A
		}
		if m.Row.Better != 0 {
			beside(most*.55, -4, words.Letter(up)+" is better", draw.ToneLabel)
			beside(-most*.55, 0, words.Letter(down)+" is better", draw.ToneLabel)
		}
		if d.Repeats > 1 {
			beside(0, -7, "hollow:", draw.ToneAxis)
			beside(0, 7, d.hollow(), draw.ToneAxis)
		} else {
			beside(0, 0, "one workload", draw.ToneAxis)
		}
	}
	if p.crowded() {
		p.manyPairs(m, y.Max, relative)
	} else {
		p.fewPairs(m, y.Max, relative)
	}
	if a.Draws {
		p.box(values, 0, -1)
	}
}

// fewPairs draws the difference of each value by itself.
func (p *Plot) fewPairs(m *Measure, most float64, relative bool) {
	d := p.d
	bars := [2]draw.Layer{{Shape: draw.Whiskers, Fill: "var(--ink-2)"}, {Shape: draw.Ranges, Fill: "var(--ink-2)"}}
	dots := [3]draw.Layer{{Hollow: true, Fill: "var(--ink-2)"}, {Series: d.A}, {Series: d.B}} // not told, who is better
	for k := range d.Axes[d.Over].N {
		diff := m.Diff(d.With(d.Over, k))
		if diff.N == 0 {
			continue
		}
		v, low, high := drawn(&diff, relative)
		if x := p.x(k); high > low && !diff.Same {
			l := &bars[0]
			if diff.Band {
				l = &bars[1]
			}
			l.X, l.Y, l.Low, l.High = append(l.X, x), append(l.Y, v), append(l.Low, low), append(l.High, min(high, most))
		}
		kind := 0
		if better, ok := d.better(m, &diff); ok && better == d.A {
			kind = 1
		} else if ok {
			kind = 2
		}
		dots[kind].X, dots[kind].Y = append(dots[kind].X, p.x(k)), append(dots[kind].Y, v)
	}
	p.add(bars[0])
	p.add(bars[1])
	for _, l := range dots {
		l.Shape, l.Size = draw.Dots, 8
		p.add(l)
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
func (p *Plot) manyPairs(m *Measure, most float64, relative bool) {
	d := p.d
	a := &d.Axes[d.Over]
	at := func(i int) (x, v, low, high float64) {
		k := a.Order[i]
		diff := m.Diff(d.With(d.Over, k))
		if diff.N == 0 {
			return p.x(k), math.NaN(), 0, 0
		}
		v, low, high = drawn(&diff, relative)
		return p.x(k), v, low, min(high, most)
	}
	if a.At == nil {
		p.cloud(at, draw.Layer{Fill: "var(--ink-2)"})
		return
	}
	parts := p.columns(a.N, at)
	p.area(parts, draw.Layer{Fill: "var(--ink-3)", Opacity: .2}, -most)
	p.line(parts, draw.Layer{Fill: "var(--ink-2)", Width: 1.2}, false)
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
