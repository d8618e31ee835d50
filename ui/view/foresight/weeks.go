package foresight

import (
	"math"
	"slices"
	"strings"

	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// weekly is how a scheduler does beside another, by the week of submission.
type weekly struct {
	mine, other int // schedulers
	week        []float64
	a, b        []float64 // mean bounded slowdowns under them
	won, lost   int
}

// weeks compares the scheduler that is shown with the baseline, else with the other
// one that is looked at, else with the first other one.
func weeks(d *draw.Data) (w weekly) {
	w.mine, w.other = Which(d), d.Other()
	if w.mine != d.A {
		w.other = d.A
	}
	for i := range d.Shown {
		if d.RunOf(w.other) == nil && i != w.mine && d.Shown[i] != nil {
			w.other = i
		}
	}
	x, y := d.RunOf(w.mine), d.RunOf(w.other)
	if x == nil || y == nil || d.Jobs == nil || len(x.Columns.Start) != len(d.Jobs.Number) || len(y.Columns.Start) != len(d.Jobs.Number) {
		return w
	}
	var sums [2]float64
	n, now := 0.0, int64(0)
	end := func() {
		if n > 0 {
			w.week, w.a, w.b = append(w.week, float64(now+1)), append(w.a, sums[0]/n), append(w.b, sums[1]/n)
		}
		sums, n = [2]float64{}, 0
	}
	both := [...]*report.Columns{&x.Columns, &y.Columns}
	for j, submit := range d.Jobs.Submit {
		if week := int64(submit-d.Jobs.Submit[0]) / (7 * 86400); week != now {
			end()
			now = week
		}
		if both[0].Start[j] < 0 || both[1].Start[j] < 0 {
			continue
		}
		for k, c := range both {
			sums[k] += max(1, float64(c.End[j]-c.Submitted(d.Jobs)[j])/float64(max(c.End[j]-c.Start[j], model.Time(d.Tau))))
		}
		n++
	}
	end()
	for i := range w.a {
		if w.a[i] < w.b[i] {
			w.won++
		} else if w.a[i] > w.b[i] {
			w.lost++
		}
	}
	return w
}

// interval is the quotient of the sums of all weeks with its 95 % interval, on the
// logarithm: what the weeks' own values differ by beside it, by Student's t.
func (w *weekly) interval() (ratio, low, high float64) {
	a, _, n := metric.MeanCI(w.a)
	b, _, _ := metric.MeanCI(w.b)
	rest := make([]float64, n)
	for i := range rest {
		rest[i] = w.a[i]/a - w.b[i]/b
	}
	_, half, _ := metric.MeanCI(rest)
	low, high = metric.Around(a/b, half)
	return a / b, low, high
}

// Verdict says in a sentence whether the scheduler does better than the other over
// the weeks.
func Verdict(d *draw.Data) string {
	w := weeks(d)
	if len(w.week) < 2 {
		return ""
	}
	ratio, low, high := w.interval()
	by := " has as much slowdown as "
	switch more := " more"; {
	case slices.Equal(w.a, w.b):
	case low > 1 || high < 1:
		if ratio < 1 {
			more = " less"
		}
		by = " has " + words.Percent(math.Abs(ratio-1)) + more + " slowdown than "
	default:
		by = " shows no clear difference from "
	}
	text := d.Title(w.mine) + by + d.Title(w.other) + " over " + words.Count(len(w.week), "week", "weeks") + " of submissions: "
	if !slices.Equal(w.a, w.b) && low == low {
		text += "ratio " + words.Number(ratio, 3) + ", 95" + words.NB + "% from " + words.Number(low, 2) + " to " + words.Number(high, 2) + "; "
	}
	return text + "better in " + words.Whole(w.won) + ", worse in " + words.Whole(w.lost) + "."
}

// Tail says how long the longest waits are under each scheduler that is shown: a
// mean of slowdowns hides them. It is empty without a second one.
func Tail(d *draw.Data) string {
	var list []string
	for i, r := range d.Shown {
		if r == nil {
			continue
		}
		most, known := r.Measure("max-wait")
		within, _ := r.Measure("p99-wait") // there are waits: all three exist
		days, _ := r.Measure("waits-over-day")
		if known {
			list = append(list, d.Title(i)+" "+words.Dur(most)+" (99"+words.NB+"% of the jobs within "+words.Dur(within)+", "+words.Count(int(days), "job", "jobs")+" over a day)")
		}
	}
	if len(list) < 2 {
		return ""
	}
	return "Longest wait: " + strings.Join(list, "; ") + "."
}

// Weeks plots the slowdown of each week beside that under the other scheduler.
func Weeks(d *draw.Data, width, height float64) draw.Figure {
	w := weeks(d)
	if len(w.week) < 2 {
		return draw.Figure{W: width, H: height, Empty: "Weeks appear here with a second scheduler, and a log of two weeks or more."}
	}
	ratio, low, high := w.interval()
	sets := []draw.Set{{Name: "better", Series: w.mine}, {Name: "worse", Series: w.other}}
	most := slices.Max(w.b)
	for i, a := range w.a {
		set := &sets[1]
		if a <= w.b[i] {
			set = &sets[0]
		}
		set.X, set.Y, set.Sizes = append(set.X, w.week[i]), append(set.Y, a/w.b[i]), append(set.Sizes, 4+12*math.Sqrt(w.b[i]/most))
	}
	r := &draw.Result{Shape: draw.AsScatter, X: draw.Quantity{Name: "week of submission"}, Y: draw.Quantity{Name: "slowdown ÷ that under " + d.Title(w.other), Log: true},
		Note: "larger dot: more slowdown under " + words.Letter(w.other), Sets: sets}
	f := r.Figure(width, height)
	x := []float64{w.week[0], w.week[len(w.week)-1]}
	f.Layers = append(f.Layers,
		draw.Layer{Shape: draw.Band, Series: w.mine, X: x, Low: []float64{low, low}, High: []float64{high, high}},
		draw.Layer{Shape: draw.Line, Series: w.mine, X: x, Y: []float64{ratio, ratio}},
		draw.Layer{Shape: draw.Line, Series: -1, X: x, Y: []float64{1, 1}, Width: 1})
	f.Aria = Verdict(d)
	return f
}
