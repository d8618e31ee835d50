//go:build !small

package lab

import (
	"fmt"
	"slices"

	"batchlab/core/forecast"
	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
)

const (
	mapDraws  = 20 // of each cell, and of what holds a job back
	mapRecord = 48 // earlier jobs by which cells are recalibrated
	mapSide   = 8  // cells along a side
	holdTimes = 61 // instants at which free processors are counted
)

// WhenMap says when jobs of other sizes and limits would start that are submitted instead
// of the one that is asked about, from the same draws of all others.
func (p *Prepared) WhenMap(id RunID, ask Ask, progress func(done, total int) bool) (*report.WhenMap, error) {
	ask.Draws, ask.Record = mapDraws, min(ask.Record, mapRecord)
	a, err := p.asking(id)
	if err != nil {
		return nil, err
	}
	job, waited, err := a.about(&ask)
	if err != nil {
		return nil, err
	}
	asked := a.asked(&ask, job)
	q, record, err := a.record(&ask, waited, nil)
	if err != nil {
		return nil, err
	}
	known := q.by(record.list, ask.At)
	s := q.at(ask.At, job, &asked, ask.Present)
	_, base, err := s.unsorted(mapDraws)
	if err != nil {
		return nil, err
	}
	out := &report.WhenMap{Procs: sizesAround(asked.Procs, int32(q.procs)), Limits: limitsAround(asked.Limit)}
	out.Jobs, out.Longest = q.longest(&asked)
	total := len(out.Procs) * len(out.Limits)
	for _, procs := range out.Procs {
		for _, limit := range out.Limits {
			cell := report.WhenCell{Procs: procs, Limit: limit}
			if int(procs) > q.procs {
				cell.Never = fmt.Sprintf("there are %d processors", q.procs)
			} else {
				one := asked
				one.Procs, one.Limit, one.Submit = procs, limit, ask.At
				present := ask.Present
				s := q.at(ask.At, job, &one, present)
				m, draws, err := s.unsorted(mapDraws)
				if err != nil {
					return nil, err
				}
				if slices.Max(draws) > 0 {
					for i, y := range forecast.Recalibrated(m, known).At([]float64{0.1, 0.5, 0.9}) {
						cell.Waits[i] = forecast.Wait(y)
					}
				}
				cell.Sooner = sooner(base, draws)
			}
			out.Cells = append(out.Cells, cell)
			if progress != nil && !progress(len(out.Cells), total) {
				return nil, ErrCancelled
			}
		}
	}
	return out, nil
}

// unsorted is ask with the draws in their own order.
func (s *scene) unsorted(n int) (*forecast.Mixture, []model.Time, error) {
	var draws []model.Time
	var scaled []float64
	for k := range n {
		wait, err := s.play(k)
		if err != nil {
			return nil, nil, err
		}
		draws, scaled = append(draws, wait), append(scaled, forecast.Scaled(wait))
	}
	return forecast.Mix(scaled, s.q.history.Recent(s.jobs[len(s.jobs)-1].Procs, s.waited)), draws, nil
}

// sooner is a tenth, the middle and nine tenths of how much less b waits than a, draw by draw.
func sooner(a, b []model.Time) (out [3]model.Time) {
	d := make([]model.Time, len(a))
	for k := range a {
		d[k] = a[k] - b[k]
	}
	slices.Sort(d)
	n := len(d)
	return [3]model.Time{d[n/10], d[n/2], d[n-1-n/10]}
}

// sizesAround are powers of two with the size that is asked for among them, at most one
// beyond the machine.
func sizesAround(asked, most int32) []int32 {
	list := []int32{asked}
	for p := int32(1); ; p *= 2 {
		list = append(list, p)
		if p >= most || p > 1<<29 {
			break
		}
	}
	return around(list, asked)
}

// limitsAround are usual limits with the one that is asked for among them.
func limitsAround(asked model.Time) []model.Time {
	list := []model.Time{asked}
	for _, minutes := range []model.Time{5, 15, 30, 60, 120, 240, 480, 720, 1440, 2880, 4320, 10080} {
		list = append(list, 60*minutes)
	}
	return around(list, asked)
}

// around sorts a list and takes those nearest to one of it.
func around[T ~int32 | ~int64](list []T, one T) []T {
	slices.Sort(list)
	list = slices.Compact(list)
	from := max(0, min(slices.Index(list, one)-mapSide/2, len(list)-mapSide))
	return list[from:min(len(list), from+mapSide)]
}

// longest looks at the last 20 jobs of a job's user that had as many processors, or more,
// and have ended.
func (q *queue) longest(asked *model.Job) (jobs int, longest model.Time) {
	if asked.User < 0 {
		return 0, 0
	}
	for i := q.ended - 1; i >= 0 && jobs < 20; i-- {
		if j := q.ends[i]; q.jobs[j].User == asked.User && q.jobs[j].Procs >= asked.Procs {
			jobs++
			longest = max(longest, q.end[j]-q.start[j])
		}
	}
	return jobs, longest
}

// WhenHold says what holds the job back that is asked about.
func (p *Prepared) WhenHold(id RunID, ask Ask, progress func(done, total int) bool) (*report.WhenHold, error) {
	a, err := p.asking(id)
	if err != nil {
		return nil, err
	}
	job, waited, err := a.about(&ask)
	if err != nil {
		return nil, err
	}
	q, asked := newQueue(a, mapDraws), a.asked(&ask, job)
	if err := q.promise(&ask, nil, 0); err != nil {
		return nil, err
	}
	s := q.at(ask.At, job, &asked, ask.Present)
	s.waited = waited
	h := &holding{s: s, need: asked.Procs}
	for k := range mapDraws {
		if err := h.look(k); err != nil {
			return nil, err
		}
		if progress != nil && !progress(k+1, mapDraws) {
			return nil, ErrCancelled
		}
	}
	return h.said(), nil
}

// holding collects what stands in a job's way in each draw.
type holding struct {
	s     *scene
	need  int32
	waits []model.Time
	steps [][]freeFrom // of each draw: free processors from a time on
	work  [3]float64
	all   float64
}

// freeFrom is how many processors are free from a time after the instant on.
type freeFrom struct {
	at   model.Time
	free int32
}

// look plays a draw out.
func (h *holding) look(k int) error {
	s := h.s
	wait, schedule, err := s.playOut(k)
	if err != nil {
		return err
	}
	var changes []freeFrom
	for i := range schedule.Executions {
		e := &schedule.Executions[i]
		j := &schedule.Workload.Jobs[e.Job]
		if e.Reason.Unserved() || e.End <= s.at || j.Number == s.luck.Asked {
			continue
		}
		from, to := max(e.Start, s.at)-s.at, e.End-s.at
		changes = append(changes, freeFrom{from, -j.Procs}, freeFrom{to, j.Procs})
		kind := 1
		switch {
		case j.Number >= s.next:
			kind = 2
		case j.Submit == s.begin:
			kind = 0
		}
		h.work[kind] += float64(int64(max(0, min(to, wait)-min(from, wait))) * int64(j.Procs))
	}
	h.all += float64(int64(wait) * int64(s.q.procs))
	order.Stable(changes, func(a, b freeFrom) int { return int(min(1, max(-1, a.at-b.at))) })
	free := int32(s.q.procs)
	var list []freeFrom
	for _, c := range changes {
		free += c.free
		if n := len(list); n > 0 && list[n-1].at == c.at {
			list[n-1].free = free
		} else {
			list = append(list, freeFrom{c.at, free})
		}
	}
	h.waits, h.steps = append(h.waits, wait), append(h.steps, list)
	return nil
}

// said sums up, over a time in which nine draws in ten have started.
func (h *holding) said() *report.WhenHold {
	out := &report.WhenHold{Need: h.need}
	sorted := slices.Clone(h.waits)
	slices.Sort(sorted)
	span := max(600, sorted[len(sorted)-1-len(sorted)/10]*5/4)
	for i := range holdTimes {
		at := span * model.Time(i) / (holdTimes - 1)
		var free []int32
		for _, list := range h.steps {
			n, _ := slices.BinarySearchFunc(list, at+1, func(s freeFrom, t model.Time) int { return int(min(1, max(-1, s.at-t))) })
			if n > 0 {
				free = append(free, list[n-1].free)
			} else {
				free = append(free, int32(h.s.q.procs))
			}
		}
		slices.Sort(free)
		n := len(free)
		out.Times, out.Free = append(out.Times, at), append(out.Free, [3]int32{free[n/10], free[n/2], free[n-1-n/10]})
	}
	out.Shares[3] = 1
	if h.all > 0 {
		for kind, w := range h.work {
			out.Shares[kind] = w / h.all
			out.Shares[3] -= w / h.all
		}
	}
	return out
}
