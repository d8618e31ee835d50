package metric

import (
	"cmp"
	"math"

	"batchlab/core/catalog"
	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
)

// What is said of a part of the jobs, of which many are looked at.
const (
	ClassJobs  = 30   // fewest jobs in every run: below that a mean says little
	classPairs = 5    // fewest pairs, where there is more than one
	classWider = 2    // of independent pairs a part is told by twice the interval
	classLeast = 0.01 // least difference relative to what it is against

	mostShifts = 6 // jobs that pay most and are named
)

// Told reports whether a part of the jobs gains or pays beyond doubt, or probably. Of one
// workload without an interval it is what happened in it, which is said beside it.
func (d *Difference) Told() bool {
	switch {
	case math.Abs(d.Relative) < classLeast || d.N == 0 || d.Same:
		return false
	case d.N == 1:
		return !d.Has() || d.Certainty >= Probably
	case d.N < classPairs || !d.Has():
		return false
	case d.How == report.ByPairs:
		low, high := d.wider(classWider)
		return low > 0 || high < 0
	}
	return d.Certainty == Surely
}

// wider is the interval so many times as wide, on the logarithm where it lies there.
func (d *Difference) wider(times int) (low, high float64) {
	if low, high = d.Low, d.High; !d.Quotient {
		return d.Mean - float64(times)*(d.Mean-low), d.Mean + float64(times)*(high-d.Mean)
	}
	low, high = 1+d.Relative, 1+d.Relative
	for range times {
		low, high = low*(1+d.Low)/(1+d.Relative), high*(1+d.High)/(1+d.Relative)
	}
	return low - 1, high - 1
}

// Paid is one run before or after a change: what it is, and its parts.
type Paid struct {
	Run    *report.Run // Repetition, Draws, Copy, Processors and Metrics are looked at
	Parts  *report.Parts
	Starts []report.Started // of repetition 0, every job once; nil: single jobs are not compared
}

// Pays sets the runs of one scheduler after a change beside those before it, repetition
// by repetition: these share their draws, whatever the change does to jobs or machines.
// Copies of a run count once. The zero Pays without a pair.
func Pays(before, after []Paid) (out report.Pays) {
	pairs := paired(before, after)
	if len(pairs) == 0 {
		return out
	}
	out.Nothing, out.Alike = true, true
	for _, p := range pairs {
		out.Nothing = out.Nothing && p[0].Parts.Schedule == p[1].Parts.Schedule && p[0].Parts.Jobs == p[1].Parts.Jobs
		out.Alike = out.Alike && p[0].Parts.Jobs == p[1].Parts.Jobs
	}
	row := catalog.FindMetric(meanWait)
	first := pairs[0][0].Parts
	for i := range first.List {
		if r, ok := paysRow(row, &first.List[i], pairs); ok {
			out.Rows = append(out.Rows, r)
		}
	}
	if len(out.Rows) > 0 && out.Rows[0].By == "" {
		total := first.List[0].Work
		for i := range out.Rows {
			out.Rows[i].Work /= float64(max(1, total))
		}
		if first.Known > 0 && pairs[0][0].Run.Repetition == 0 {
			off := math.Abs(float64(first.KnownWait)-float64(first.LoggedWait)) / float64(first.Known)
			out.Error, out.Within = &off, !out.Nothing && math.Abs(out.Rows[0].Difference) <= off
		}
	}
	if b, a := pairs[0][0], pairs[0][1]; out.Alike && b.Starts != nil && a.Starts != nil {
		out.Shifts = shifts(b.Starts, a.Starts)
	}
	out.Cost = cost(pairs[0][0], pairs[0][1])
	return out
}

// paired are the runs of the same repetition; copies of both count once.
func paired(before, after []Paid) (pairs [][2]*Paid) {
	for i := range after {
		a := &after[i]
		for k := range before {
			if b := &before[k]; b.Run.Repetition == a.Run.Repetition && !(a.Run.Copy && b.Run.Copy && len(pairs) > 0) {
				pairs = append(pairs, [2]*Paid{b, a})
			}
		}
	}
	return pairs
}

// cost is the capacity that a change adds or takes, nil for none.
func cost(before, after *Paid) *report.Cost {
	c := &report.Cost{Processors: int64(after.Run.Processors - before.Run.Processors), Taken: after.Parts.Taken - before.Parts.Taken}
	if span, ok := before.Run.Measure("makespan"); ok {
		c.Hours = span / 3600
	}
	c.ProcHours = float64(c.Processors) * c.Hours
	if n, m := before.Parts.Nodes, after.Parts.Nodes; n > 0 && m > 0 {
		more := m - n
		hours := float64(more) * c.Hours
		c.Nodes, c.NodeHours = &more, &hours
	}
	if c.Processors == 0 && c.Taken == 0 && (c.Nodes == nil || *c.Nodes == 0) {
		return nil
	}
	return c
}

// paysRow compares one part pair by pair; false where it is too small in some run, or
// has nobody to be compared with.
func paysRow(row *catalog.Metric, part *report.Part, pairs [][2]*Paid) (r report.PaysRow, ok bool) {
	var a, b []float64
	var s Sample
	for i, p := range pairs {
		x, y := partOf(p[0].Parts, part), partOf(p[1].Parts, part)
		if x == nil || y == nil || part.By != "" && (x.Jobs < ClassJobs || y.Jobs < ClassJobs) {
			return r, false
		}
		s.note(report.SweptOf(p[1].Run), i)
		b, a = append(b, float64(x.Wait)/float64(x.Jobs)), append(a, float64(y.Wait)/float64(y.Jobs))
		if i == 0 && p[0].Run.Repetition == 0 && p[0].Parts.Jobs == p[1].Parts.Jobs {
			s.Own = OneLog(asRun(y, p[1].Parts.Days), asRun(x, p[0].Parts.Days), meanWait)
		}
	}
	d := s.Compare(a, b, row)
	low, high := d.Ends()
	mean, _ := spread(a)
	if s.Pieces > 0 && s.Log {
		mean = a[0]
	}
	if d.Band { // over phases: medians, with the least and the greatest
		_, mean, _ = band(a)
	}
	r = report.PaysRow{
		By: part.By, From: part.From, To: part.To, Jobs: part.Jobs, Work: float64(part.Work),
		Before: d.Base, After: mean, Difference: d.Mean, Low: number(low), High: number(high), Relative: number(d.Relative),
		Pairs: d.N, Interval: d.How, Without: d.Why, Verdict: d.Verdict(row), Told: d.Told(),
	}
	if part.By == "" {
		r.Told = !d.Same && (d.Certainty >= Probably || d.N == 1 && !d.Has())
	}
	return r, true
}

// partOf is the same part of another run, nil where it has none.
func partOf(in *report.Parts, part *report.Part) *report.Part {
	for i := range in.List {
		if p := &in.List[i]; p.By == part.By && p.From == part.From && p.To == part.To {
			return p
		}
	}
	return nil
}

// asRun is a part as OneLog looks at runs.
func asRun(p *report.Part, days int) *report.Run {
	run := &report.Run{Waves: &report.Waves{Days: days, Wait: p.Waves}}
	for _, u := range p.Users {
		run.Users = append(run.Users, report.UserRow{User: int32(u[0]), Jobs: int(u[1]), Area: u[2], MeanWait: float64(u[3]) / float64(u[1])})
	}
	return run
}

// shifts compares the starts of all jobs that stand in both lists.
func shifts(before, after []report.Started) *report.Shifts {
	out := &report.Shifts{}
	at := make(map[int64]model.Time, len(before))
	for i := range before {
		at[before[i].Number] = before[i].Start
	}
	var paid []report.Shift
	for i := range after {
		a := &after[i]
		b, there := at[a.Number]
		switch by := int64(a.Start - b); {
		case !there || b < 0 || a.Start < 0:
		case by > 0:
			out.Later++
			out.Delay += by
			paid = append(paid, report.Shift{Number: a.Number, Submit: a.Submit, Before: b, After: a.Start})
		case by < 0:
			out.Earlier++
			out.Gain -= by
		default:
			out.As++
		}
	}
	order.Stable(paid, func(a, b report.Shift) int {
		return cmp.Or(cmp.Compare(b.After-b.Before, a.After-a.Before), cmp.Compare(a.Number, b.Number))
	})
	out.Most = paid[:min(len(paid), mostShifts)]
	return out
}

// Between is how a measure after a change compares with that before it, pair by pair as
// Pays has them.
func Between(before, after []Paid, row *catalog.Metric) Difference {
	var a, b []float64
	var s Sample
	for _, p := range paired(before, after) {
		x, hasX := p[0].Run.Measure(row.Key)
		y, hasY := p[1].Run.Measure(row.Key)
		if hasX && hasY {
			s.note(report.SweptOf(p[1].Run), len(a))
			b, a = append(b, x), append(a, y)
		}
	}
	return s.Compare(a, b, row)
}
