package draw

import (
	"math"

	"batchlab/core/model"
)

// Usage is the frame of a chart over time: busy processors above, of at most procs, and
// waiting jobs below, of at most most. What it plots are layers of panels 0 and 1.
func Usage(d *Data, from, to model.Time, procs, most, w, h float64) Figure {
	f := Figure{W: w, H: h}
	const left, right, top, gap, foot = 60.0, 16.0, 14.0, 22.0, 26.0
	high, wide := (h-top-gap-foot)/2, max(10, w-left-right)
	whole := func(limit float64, n int) []Tick { return LinearTicks(limit, min(n, int(limit))) } // there are no halves of jobs
	waits := whole(most, 4)
	if len(waits) > 1 {
		step := waits[1].At
		most = math.Ceil(most/step) * step
		waits = whole(most, 5)
	}
	x := Axis{Min: float64(from), Max: float64(to), Ticks: TimeTicks(d.Clock, from, to, int(max(2, wide/80))), Unit: "at_s"}
	for g, y := range [2]Axis{{Max: procs, Ticks: whole(procs, 4), Unit: "busy_processors"}, {Max: most, Ticks: waits, Unit: "waiting_jobs"}} {
		p := Panel{Box: Box{X: left, Y: top + float64(g)*(high+gap), W: wide, H: high}, X: x, Y: y}
		p.X.Hidden = g == 0
		p.Thin(35, w)
		f.Panels = append(f.Panels, p)
		mid := .375 // where the panel is named: between the second tick and the third
		if t := y.Ticks; len(t) > 1 {
			if mid = t[1].At * 1.5 / y.Max; mid > 1 {
				mid /= 3
			}
		}
		f.Text(left-8, p.Box.Y+high*(1-mid)-2, [2]string{"busy", "waiting"}[g], 'r', ToneLabel)
		f.Spans(g, Weekends(d.Clock, from, to))
	}
	return f
}

// Means is a line of n steps through the means of equal parts of [from, to].
func (s *Steps) Means(from, to model.Time, n int) (x, y []float64) {
	y = s.Columns(from, to, n)
	for i := range n + 1 {
		x = append(x, float64(from)+float64(to-from)*float64(i)/float64(n))
	}
	return x, append(y, y[n-1])
}
