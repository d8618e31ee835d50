package paper

import (
	"errors"
	"slices"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
	"batchlab/core/workload"
)

// contended returns the beginnings of intervals that do not overlap, those in
// which most jobs wait when the interval alone is replayed from an empty machine
// under EASY, which is none of the schedulers compared. The log's own waits, by
// which busiest chooses, come from a machine that was full when the interval
// began, and under other rules: of four such intervals of Zewura two have no
// waits at all in a replay.
func (r *planRun) contended(w *model.Workload, platform *model.Platform, length model.Time, count int, o workload.Options) ([]model.Time, error) {
	const day = 86400
	first, last := w.Span()
	n := max(1, int((last-first-length)/day)+1)
	waited := make([]int64, n) // seconds, while the interval lasts
	err := r.in.each(n, func(_, d int) error {
		from := int64(first) + int64(d)*day
		to := from + int64(length)
		o := o
		o.From, o.To = &from, &to
		cut, _, err := workload.Shape(w, o)
		if errors.Is(err, workload.ErrNoJobs) {
			return nil
		}
		if err != nil {
			return err
		}
		var m sim.Simulator
		s, err := m.Run(cut, platform, policy.NewEASY(&policy.CountedEASY{}), sim.Options{})
		if err != nil {
			return err
		}
		begin, _ := cut.Span()
		end := begin + model.Time(float64(length)/max(1, o.Load))
		for i := range s.Executions {
			e := &s.Executions[i]
			submit := cut.Jobs[e.Job].Submit
			waited[d] += int64(max(0, min(e.Start, end)-submit))
		}
		return nil
	}, func(d int) any { return &waited[d] })
	if err != nil {
		return nil, err
	}
	days := make([]int, n)
	for d := range days {
		days[d] = d
	}
	return apartDays(days, func(d int) int64 { return waited[d] }, int(length/day), count, first), nil
}

// apartDays returns the beginnings of so many intervals of n days that do not
// overlap, those of the greatest sums first, the earlier of equals.
func apartDays(days []int, sum func(day int) int64, n, count int, first model.Time) []model.Time {
	slices.SortStableFunc(days, func(a, b int) int {
		switch x, y := sum(a), sum(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return a - b
	})
	var out []model.Time
	var taken []int
	for _, d := range days {
		if len(out) == count {
			break
		}
		if !slices.ContainsFunc(taken, func(t int) bool { return d < t+n && t < d+n }) {
			taken = append(taken, d)
			out = append(out, first+model.Time(d)*86400)
		}
	}
	return out
}
