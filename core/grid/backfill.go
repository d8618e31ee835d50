package grid

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/profile"
	"batchlab/core/report"
)

// easy is EASY backfilling (rule 8) around reservations: jobs start in order of
// submission; the first that does not fit is promised the earliest start that
// running jobs' requests and reservations leave, and later jobs start now where
// they leave it alone. The promise is made anew at each pass, and a reservation
// that is accepted in between may move it.
func (s *Scheduler) easy(p *provider) {
	n := 0
	for ; n < len(p.queue) && s.fits(p, p.queue[n]); n++ {
		s.run(p, p.queue[n], report.StartedInOrder)
	}
	p.queue = slices.Delete(p.queue, 0, n)
	if len(p.queue) == 0 {
		return
	}
	p.head = p.queue[0]
	if len(p.queue) == 1 || p.free.now() <= 0 {
		return
	}
	b := &s.jobs[p.head]
	length := s.limit(p, p.head)
	shadow, ok := p.free.search(s.v.Now, forever*2, b.procs, length)
	if !ok {
		return
	}
	which := p.free.book(shadow, shadow+length, b.procs)
	kept := p.queue[:1]
	for i, j := range p.queue[1:] {
		if !s.fits(p, j) {
			kept = append(kept, j)
			continue
		}
		why := report.BackfilledExtra
		if s.v.Now+s.limit(p, j) <= shadow {
			why = report.BackfilledBeforeShadow
		}
		s.run(p, j, why)
		if p.free.now() <= 0 {
			kept = append(kept, p.queue[i+2:]...)
			break
		}
	}
	p.queue = kept
	p.free.give(shadow, shadow+length, b.procs, which)
}

// plan holds the planned starts of conservative backfilling.
type plan struct {
	counts profile.Counts
	jobs   []planned     // by planned start, then submission
	fresh  []model.JobID // not placed yet
	stale  bool          // something ended early, or a reservation came: all are placed again
}

type planned struct {
	start model.Time
	job   model.JobID
}

func (p *plan) reset() { p.jobs, p.fresh, p.stale = p.jobs[:0], p.fresh[:0], true }

func (p *plan) add(j model.JobID) { p.fresh = append(p.fresh, j) }

// next returns the first planned start.
func (p *plan) next() model.Time {
	if len(p.jobs) == 0 {
		return model.Never
	}
	return p.jobs[0].start
}

// conservative is conservative backfilling (rule 9) around reservations: when
// something has changed, waiting jobs are placed again in order of their planned
// starts, each at its earliest fit, then arrivals; then those planned for now
// start. Without reservations no plan moves later; one that is accepted takes
// precedence over plans.
func (s *Scheduler) conservative(p *provider) {
	t, now := &p.plan, s.v.Now
	if t.stale {
		t.counts.CopyFrom(&p.free.counts)
		for i := range t.jobs {
			t.jobs[i].start = s.plan(p, t.jobs[i].job)
		}
		slices.SortFunc(t.jobs, comparePlanned)
		t.stale = false
	} else {
		t.counts.Advance(now)
	}
	slices.Sort(t.fresh)
	for _, j := range t.fresh {
		one := planned{s.plan(p, j), j}
		at, _ := slices.BinarySearchFunc(t.jobs, one, comparePlanned)
		t.jobs = slices.Insert(t.jobs, at, one)
	}
	t.fresh = t.fresh[:0]
	n := 0
	for ; n < len(t.jobs) && t.jobs[n].start <= now; n++ {
		j := t.jobs[n].job
		s.run(p, j, report.StartedAsPlanned)
		at := slices.Index(p.queue, j)
		p.queue = slices.Delete(p.queue, at, at+1)
	}
	t.jobs = slices.Delete(t.jobs, 0, n)
	if len(t.jobs) > 0 {
		p.head = t.jobs[0].job
	}
}

// plan places a job at its earliest fit.
func (s *Scheduler) plan(p *provider, j model.JobID) model.Time {
	length, procs := s.limit(p, j), s.jobs[j].procs
	start := p.plan.counts.EarliestFit(procs, length)
	p.plan.counts.Add(start, start+length, -procs)
	return start
}

func comparePlanned(a, b planned) int {
	return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.job, b.job))
}
