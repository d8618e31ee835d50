package vary

import (
	"math"

	"batchlab/core/catalog"
	"batchlab/ui/draw"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// unitAfter is the unit that the words of an axis do not say.
func unitAfter(row *catalog.Metric) string {
	switch row.Unit {
	case "", "s", "%", "jobs":
		return ""
	}
	if row.Points() {
		return ""
	}
	return ", " + row.Unit
}

// ticks are round values of a measure between two others.
func ticks(row *catalog.Metric, low, high float64, n int, signed bool) (list []draw.Tick) {
	step := (high - low) / float64(n)
	if !(step > 0) {
		return nil
	}
	if row.Unit == "s" && step >= 1 {
		step = draw.RoundDuration(step)
	} else {
		step = draw.RoundUp(step)
	}
	number := func(v float64) string { return words.Number(v, max(0, int(-math.Floor(math.Log10(step)+1e-9)))) }
	if row.Unit == "s" || row.Points() {
		number = func(v float64) string { return result.ValueText(row, v) }
	}
	for i := math.Ceil(low/step - 1e-9); i*step <= high+step*1e-9; i++ {
		v := i * step
		text := number(v)
		if v == 0 {
			text = "0"
		} else if signed {
			text = words.Signed(v, number)
		}
		list = append(list, draw.Tick{At: v, Label: text})
	}
	return list
}

// axis writes the values of the axis below the panels.
func (p *Plot) axis(foot float64) {
	a := &p.d.Axes[p.d.Over]
	last := math.Inf(-1)
	for _, k := range a.Order {
		text := a.Text(k)
		x := p.x(k)
		wide := draw.TextWidth(text) + 10
		if a.At == nil {
			text = draw.Clip(text, max(30, (p.right-p.left)/float64(a.N)-4))
			wide = min(wide, max(34, (p.right-p.left)/float64(a.N)))
		}
		if x-wide/2 < last {
			continue
		}
		p.Text(x, foot+12, text, 'c', draw.ToneAxis)
		last = x + wide/2
	}
	name := axisWord(a)
	if a.Unit != "" {
		name += ", " + a.Unit
	}
	if a.Log {
		name += " · equal quotients"
	}
	note := ""
	if n := p.d.Phases(); n > 0 {
		note = " · " + draw.BandOver(n)
	} else if p.d.Repeats > 2 {
		note = " · bands and bars: 95" + words.NB + "% interval, each value by itself"
	}
	p.Text(p.left, foot+29, name+note, 'l', draw.ToneAxis)
}
