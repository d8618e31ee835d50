package workload

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"batchlab/core/model"
	"batchlab/core/report"
)

// Shape filters the jobs of a cleaned workload, cuts it to a window, draws
// others from what is left, and scales load and times, in this order. It returns what filter and window
// left out, and ErrNoJobs when nothing remains. w is not changed; the result
// may share memory with it, so that cutting a log into a hundred weeks costs
// nothing.
func Shape(w *model.Workload, o Options) (*model.Workload, []report.Count, error) {
	if err := o.check(); err != nil {
		return nil, nil, err
	}
	shaped := *w
	var counts []report.Count
	if o.filters() {
		left := filter(&shaped, &o)
		counts = appendCount(counts, "filtered", "Left out by the filter", left)
	}
	before := len(shaped.Jobs)
	window(&shaped, &o)
	counts = appendCount(counts, "outside-window", "Submitted outside the window: left out", before-len(shaped.Jobs))
	if len(shaped.Jobs) == 0 {
		return nil, counts, fmt.Errorf("workload: filter and window keep none of %d jobs: %w", len(w.Jobs), ErrNoJobs)
	}
	if o.Resample != nil {
		drawn, err := o.Resample.Draw(&shaped)
		if err != nil {
			return nil, counts, err
		}
		shaped = *drawn
	}
	if o.Load != 1 {
		scaleLoad(&shaped, o.Load)
	}
	if o.Known != 0 {
		knowTimes(&shaped, o.Known)
	}
	if o.Time != 1 {
		scaleTime(&shaped, o.Time)
	}
	return &shaped, counts, nil
}

func appendCount(counts []report.Count, key, text string, jobs int) []report.Count {
	if jobs == 0 {
		return counts
	}
	return append(counts, report.Count{Reason: key, Text: text, Jobs: jobs, Drops: true, Lines: []int{}})
}

// filters tells whether there is a filter at all.
func (o *Options) filters() bool {
	return len(o.Users)+len(o.ExcludeUsers) > 0 || o.MinProcs > 0 || o.MaxProcs > 0 || o.MinRun > 0 || o.MaxRun > 0
}

// filter keeps jobs by user, processors and run time, and returns how many it
// left out.
func filter(w *model.Workload, o *Options) int {
	users, excluded := slices.Sorted(slices.Values(o.Users)), slices.Sorted(slices.Values(o.ExcludeUsers))
	bound := func(max int64) int64 {
		if max <= 0 {
			return math.MaxInt64
		}
		return max
	}
	maxProcs, maxRun := bound(o.MaxProcs), bound(o.MaxRun)
	jobs := make([]model.Job, 0, len(w.Jobs))
	truth := make([]model.Truth, 0, len(w.Jobs))
	for i := range w.Jobs {
		j, run := &w.Jobs[i], int64(w.Executed(model.JobID(i)))
		if int64(j.Procs) < o.MinProcs || int64(j.Procs) > maxProcs || run < o.MinRun || run > maxRun {
			continue
		}
		if len(users) > 0 {
			if _, found := slices.BinarySearch(users, int64(j.User)); !found {
				continue
			}
		}
		if len(excluded) > 0 {
			if _, found := slices.BinarySearch(excluded, int64(j.User)); found {
				continue
			}
		}
		jobs = append(jobs, *j)
		truth = append(truth, w.Truth[i])
	}
	left := len(w.Jobs) - len(jobs)
	w.Jobs, w.Truth = jobs, truth
	return left
}

// window keeps the jobs submitted in [From, To), at their absolute times.
func window(w *model.Workload, o *Options) {
	from, to := 0, len(w.Jobs)
	first := func(at int64) int {
		return sort.Search(len(w.Jobs), func(i int) bool { return int64(w.Jobs[i].Submit) >= at })
	}
	if o.From != nil {
		from = first(*o.From)
	}
	if o.To != nil {
		to = max(from, first(*o.To))
	}
	w.Jobs, w.Truth = w.Jobs[from:to:to], w.Truth[from:to:to]
}

// scaleLoad makes the time between submissions shorter by the factor load.
// Jobs that fall on one second then stand in order of their numbers.
func scaleLoad(w *model.Workload, load float64) {
	w.Jobs = slices.Clone(w.Jobs)
	first := w.Jobs[0].Submit
	for i := range w.Jobs {
		w.Jobs[i].Submit = first + model.Time(math.Floor(float64(w.Jobs[i].Submit-first)/load))
	}
	order(w)
}

// knowTimes lets users know better how long their jobs run: of what they request beyond
// it the share 1 − known is left, rounded down. Who requests less than the run time
// goes on to.
func knowTimes(w *model.Workload, known float64) {
	w.Jobs = slices.Clone(w.Jobs)
	for i := range w.Jobs {
		j, run := &w.Jobs[i], w.Truth[i].Run
		if over := j.Limit - run; over > 0 {
			j.Limit = run + model.Time(math.Floor(float64(over)*(1-known)))
		}
	}
}

// scaled multiplies a time, rounding down to whole seconds and at least one.
func scaled(t model.Time, factor float64) model.Time {
	return max(1, model.Time(math.Floor(float64(float64(t)*factor))))
}

// scaleTime multiplies run and requested times, rounding down to whole seconds
// of which at least one remains.
func scaleTime(w *model.Workload, factor float64) {
	w.Jobs, w.Truth = slices.Clone(w.Jobs), slices.Clone(w.Truth)
	for i := range w.Jobs {
		w.Jobs[i].Limit = scaled(w.Jobs[i].Limit, factor)
		w.Truth[i].Run = scaled(w.Truth[i].Run, factor)
	}
}
