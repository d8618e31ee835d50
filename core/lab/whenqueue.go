//go:build !small

package lab

import (
	"cmp"
	"slices"

	"batchlab/core/forecast"
	"batchlab/core/model"
)

// queue is a run that is asked about, at instants one after the other.
type queue struct {
	*asking
	procs int
	draws int

	history      forecast.Past
	ends, starts []int32 // jobs in the order of their ends and starts
	ended, begun int     // how many of them are in history
	submitted    int     // jobs submitted by the last question
	active       []int32 // jobs submitted and not ended at the last question
}

func newQueue(a *asking, draws int) *queue {
	q := &queue{asking: a, procs: a.of.machines().Procs(), draws: draws}
	for j := range a.jobs {
		q.ends, q.starts = append(q.ends, int32(j)), append(q.starts, int32(j))
	}
	slices.SortStableFunc(q.ends, func(x, y int32) int { return cmp.Compare(q.end[x], q.end[y]) })
	slices.SortStableFunc(q.starts, func(x, y int32) int { return cmp.Compare(q.start[x], q.start[y]) })
	return q
}

// advance brings the queue to an instant, no earlier than the last one.
func (q *queue) advance(at model.Time) {
	for ; q.ended < len(q.ends) && q.end[q.ends[q.ended]] <= at; q.ended++ {
		j := q.ends[q.ended]
		one := &q.jobs[j]
		q.history.End(forecast.Done{Run: max(1, q.end[j]-q.start[j]), Limit: one.Limit, Procs: one.Procs, User: one.User, Executable: one.Executable})
	}
	for ; q.begun < len(q.starts) && q.start[q.starts[q.begun]] < at; q.begun++ {
		if j := q.starts[q.begun]; q.start[j] > q.jobs[j].Submit {
			q.history.Start(q.jobs[j].Procs, q.start[j]-q.jobs[j].Submit)
		}
	}
	for ; q.submitted < len(q.jobs) && q.jobs[q.submitted].Submit <= at; q.submitted++ {
		q.active = append(q.active, int32(q.submitted))
	}
	q.active = slices.DeleteFunc(q.active, func(j int32) bool { return q.end[j] <= at })
}

// sampling is the purpose of the random numbers that choose one job of a user and hour.
const sampling = 1 << 21

// past chooses earlier jobs to ask about, in order of submission: n of those that had
// waited longer than a time, a sixth of them from a tenth of the time before at on, for
// the record only, the others from a quarter on. A burst of a user is one event, so one job
// of a user and hour is taken, at random, if not every one is wanted.
func (q *queue) past(at model.Time, n int, waited model.Time, every bool) (list []int32, early int) {
	type turn struct {
		user int32
		hour model.Time
	}
	type place struct{ at, of int }
	seen := map[turn]place{}
	if len(q.jobs) == 0 || n == 0 {
		return nil, 0
	}
	first := q.jobs[0].Submit
	for j := range q.jobs {
		one := &q.jobs[j]
		if one.Submit < first+(at-first)/10 || one.Submit+waited >= at || q.start[j] <= one.Submit+waited {
			continue
		}
		t := turn{one.User, one.Submit / 3600}
		had := seen[t]
		had.of++
		switch luck := (forecast.DrawStream{Asked: one.Number}); {
		case every || had.of == 1:
			had.at = len(list)
			list = append(list, int32(j))
		case luck.Uniform(sampling, 0, 0)*float64(had.of) < 1:
			list[had.at] = int32(j)
		}
		seen[t] = had
	}
	slices.Sort(list)
	cut, _ := slices.BinarySearchFunc(list, first+(at-first)/4, func(j int32, t model.Time) int { return cmp.Compare(q.jobs[j].Submit, t) })
	before := evenly(list[:cut], n/6)
	return append(before, evenly(list[cut:], n-n/6)...), len(before)
}

// evenly chooses n of a list, all of a shorter one. Twice as many hold those that so many do.
func evenly(list []int32, n int) []int32 {
	n = min(n, len(list))
	out := make([]int32, n)
	for i := range out {
		out[i] = list[i*len(list)/n]
	}
	return out
}

// sampledAt chooses the earlier jobs for a question about one that has waited, and how long
// each of them has waited when it is asked about: as long, or, where fewer than a hundred
// did, half as long, and so on.
func (q *queue) sampledAt(ask *Ask, waited model.Time) (list []int32, early int, after model.Time) {
	for {
		list, early = q.past(ask.At, ask.Record, waited, ask.Every)
		if waited == 0 || len(list) >= min(ask.Record, 100) {
			return list, early, waited
		}
		waited /= 2
	}
}

// record asks about earlier jobs and judges the answers. Where time is short it does so
// with few of them first and with twice as many as long as there is some: what is told by
// then is what as small a record gives.
func (a *asking) record(ask *Ask, waited model.Time, progress func(done, total int) bool) (q *queue, k *keeper, err error) {
	over, n := clock(ask), ask.Record
	if over != nil {
		n = min(n, fewestAsked)
	}
	for {
		one := *ask
		one.Record = n
		next := newQueue(a, ask.Draws)
		got, whole, err := next.record(&one, waited, over, progress)
		if err != nil {
			return nil, nil, err
		}
		if whole || q == nil {
			q, k = next, got
		}
		if !whole || n == ask.Record {
			return q, k, nil
		}
		n = min(2*n, ask.Record)
	}
}

// fewestAsked is how many earlier jobs are asked about first where time is short.
const fewestAsked = 24

// record asks about earlier jobs; whole says that the time was enough, else there is no
// record.
func (q *queue) record(ask *Ask, waited model.Time, over func() bool, progress func(done, total int) bool) (k *keeper, whole bool, err error) {
	list, early, after := q.sampledAt(ask, waited)
	if err := q.promise(ask, list, after); err != nil {
		return nil, false, err
	}
	fresh := func() *keeper {
		k := &keeper{q: q, wanted: ask.Record, early: max(early, fewestJudged), first: q.jobs[0].Submit}
		if ask.Rivals {
			k.rivals = newRivals(q.asking)
		}
		return k
	}
	k = fresh()
	for n, j := range list {
		job := q.jobs[j]
		key := earlier{j, after, q.draws}
		one, known := q.answers[key]
		if !known || ask.Rivals {
			s := q.at(job.Submit+after, j, &job, nil)
			s.waited = after
			var err error
			if one, err = s.answer(j); err != nil {
				return nil, false, err
			}
			if ask.Rivals {
				if err = k.rivals.judge(k, s, j); err != nil {
					return nil, false, err
				}
			}
			if len(q.answers) < mostAnswers {
				q.answers[key] = one
			}
		}
		k.judge(one)
		if progress != nil && !progress(n+1, len(list)+1) {
			return nil, false, ErrCancelled
		}
		if over != nil && over() {
			none := fresh()
			none.wanted = 0
			return none, false, nil
		}
	}
	return k, true, nil
}

// answer asks about an earlier job.
func (s *scene) answer(job int32) (answered, error) {
	m, draws, err := s.ask(s.q.draws, nil)
	if err != nil {
		return answered{}, err
	}
	n := len(draws)
	return answered{mixture: m, at: s.at, job: job, low: draws[n/10], high: draws[n-1-n/10]}, nil
}

// clock says whether the time of a question is over; nil: it has none.
func clock(ask *Ask) func() bool {
	if ask.Now == nil || ask.Within <= 0 {
		return nil
	}
	until := ask.Now() + ask.Within
	return func() bool { return ask.Now() > until }
}
