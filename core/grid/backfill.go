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
	n := p.queue.count
	s.strict(p)
	if p.queue.count < n || p.grown || p.taken {
		p.shadow = 0
	}
	if p.queue.count <= 1 || p.free.now() <= 0 {
		return
	}
	head, known := p.queue.first(), p.shadow > s.v.Now
	if !known {
		var ok bool
		if p.shadow, ok = p.free.search(s.v.Now, forever*4, head.procs, head.limit); !ok {
			return
		}
	}
	shadow := p.shadow
	which := p.free.book(shadow, shadow+head.limit, head.procs)
	p.reach.Reset()
	if !known {
		s.walk(p, dealBehind)
	} else { // with the promise unchanged, the others still do not fit
		s.inOrder(p.fresh)
		for i := range p.fresh {
			if w := &p.fresh[i]; w.job != head.job && s.fits(p, w) {
				s.behind(p, w)
				p.queue.remove(w.job)
			}
		}
	}
	p.free.give(shadow, shadow+head.limit, head.procs, which)
}

// behind starts a job that leaves the head's promise alone.
func (s *Scheduler) behind(p *provider, w *waiting) {
	why := report.BackfilledExtra
	if s.v.Now+w.limit <= p.shadow {
		why = report.BackfilledBeforeShadow
	}
	s.run(p, w.job, why)
}

// plan holds the planned starts of conservative backfilling: what is free beside
// running jobs, reservations and the planned jobs, which stand in it.
type plan struct {
	counts profile.Counts
	jobs   []planned     // by planned start, then submission
	fresh  []model.JobID // not placed yet
	freed  model.Time    // end of what has become free early since the last pass
	stale  bool          // all jobs have to be placed again
}

type planned struct {
	start model.Time
	job   model.JobID
}

func (p *plan) reset() {
	p.jobs, p.fresh, p.freed, p.stale = p.jobs[:0], p.fresh[:0], 0, true
}

func (p *plan) add(j model.JobID) { p.fresh = append(p.fresh, j) }

// give frees processors that were booked.
func (p *plan) give(from, to model.Time, procs int32) {
	if !p.stale {
		p.counts.Add(from, to, procs)
		p.freed = max(p.freed, to)
	}
}

// take books processors for a reservation; where planned jobs hold them, all
// are placed again.
func (p *plan) take(from, to model.Time, procs int32) {
	if p.stale = p.stale || !p.counts.Free(from, to, procs); !p.stale {
		p.counts.Add(from, to, -procs)
	}
}

// next returns the first planned start.
func (p *plan) next() model.Time {
	if len(p.jobs) == 0 {
		return model.Never
	}
	return p.jobs[0].start
}

// conservative is conservative backfilling (rule 9) around reservations: when
// something has ended early, waiting jobs are placed again in order of their
// planned starts, each at its earliest fit, then arrivals; then those planned for
// now start. Without reservations no plan moves later; one that is accepted takes
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
	} else if t.freed > now {
		s.compress(p)
	}
	t.freed = 0
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
		p.queue.remove(j)
	}
	t.jobs = slices.Delete(t.jobs, 0, n)
	if len(t.jobs) > 0 {
		p.head = t.jobs[0].job
	}
}

// compress moves planned jobs to earlier starts, in order of their planned
// starts, with each job itself left in: what it would use from its planned start
// on it already holds, so that the outcome is that of placing all again.
func (s *Scheduler) compress(p *provider) {
	t, moved := &p.plan, false
	for i := range t.jobs {
		one := &t.jobs[i]
		length, procs := s.limit(p, one.job), s.jobs[one.job].procs
		at, ok := t.counts.EarlierFit(procs, length, one.start, t.freed)
		if !ok {
			continue
		}
		t.counts.Add(at, min(one.start, at+length), -procs)
		t.counts.Add(max(one.start, at+length), one.start+length, procs)
		t.freed = max(t.freed, one.start+length)
		one.start, moved = at, true
	}
	if moved {
		slices.SortFunc(t.jobs, comparePlanned)
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
