package grid

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/resource"
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
	counts resource.Counts
	jobs   []planned     // by planned start, then submission
	fresh  []model.JobID // not placed yet
	freed  model.Time    // end of what has become free early since the last pass
	stale  bool          // all jobs have to be placed again
	booked bool          // for no other reason than reservations that were accepted

	// What was found of requests, by a hash of them; entries of another age
	// count for nothing.
	known [256]found
	age   int32
}

// found says that a request found no start before at.
type found struct {
	age, procs int32
	length, at model.Time
}

// of returns the entry for a request, whose age says whether it is one.
func (p *plan) of(procs int32, length model.Time) *found {
	return &p.known[(uint64(procs)*0x9e3779b97f4a7c15^uint64(length)*0xbf58476d1ce4e5b9)>>56]
}

// since returns the time before which a request has no start, as far as is
// known; begin where nothing is.
func (p *plan) since(f *found, procs int32, length, begin model.Time) model.Time {
	if f.age == p.age && f.procs == procs && f.length == length {
		return f.at
	}
	return begin
}

type planned struct {
	start  model.Time
	job    model.JobID
	procs  int32
	length model.Time
}

func (p *plan) reset() {
	p.jobs, p.fresh, p.freed, p.stale, p.booked = p.jobs[:0], p.fresh[:0], 0, true, false
	p.age++
}

func (p *plan) add(j model.JobID) { p.fresh = append(p.fresh, j) }

// give frees processors that were booked.
func (p *plan) give(from, to model.Time, procs int32) {
	if p.booked = false; !p.stale {
		p.counts.Add(from, to, procs)
		p.freed = max(p.freed, to)
	}
}

// take books processors for a reservation; where planned jobs hold them, all
// are placed again.
func (p *plan) take(from, to model.Time, procs int32) {
	switch {
	case p.stale:
	case p.counts.Free(from, to, procs):
		p.counts.Add(from, to, -procs)
	default:
		p.stale, p.booked = true, p.freed == 0
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
		s.replan(p)
	} else if t.freed > now {
		s.compress(p)
	}
	t.freed, t.booked = 0, false
	t.age++
	slices.Sort(t.fresh)
	for _, j := range t.fresh {
		if !s.beat(t) {
			return
		}
		one := planned{job: j, procs: s.jobs[j].procs, length: s.limit(p, j)}
		one.start = p.plan.place(&one, s.v.Now)
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

// beat tells the pulse that a job is placed, and says whether to go on.
func (s *Scheduler) beat(t *plan) bool { return s.v.Pulse.Beat(4 + len(t.jobs)/8) }

// replan places all planned jobs again, in order of their planned starts. After
// a reservation that was accepted, and nothing else, those before the first that
// it has displaced stay: they have no earlier start, since less is free.
func (s *Scheduler) replan(p *provider) {
	t, n := &p.plan, 0
	t.counts.CopyFrom(&p.free.counts)
	for ; t.booked && n < len(t.jobs); n++ {
		one := &t.jobs[n]
		if !t.counts.Free(one.start, one.start+one.length, one.procs) {
			break
		}
		t.counts.Add(one.start, one.start+one.length, -one.procs)
	}
	t.age++
	for i := range t.jobs[n:] {
		if !s.beat(t) {
			return
		}
		one := &t.jobs[n+i]
		one.start = t.place(one, s.v.Now)
	}
	slices.SortFunc(t.jobs, comparePlanned)
	t.stale, t.booked = false, false
}

// compress moves planned jobs to earlier starts, in order of their planned
// starts, with each job itself left in: what it would use from its planned start
// on it already holds, so that the outcome is that of placing all again.
func (s *Scheduler) compress(p *provider) {
	t, moved := &p.plan, false
	t.age++
	most := t.counts.MostBefore(t.freed)
	for i := range t.jobs {
		one := &t.jobs[i]
		if one.procs > most {
			continue
		}
		// Where a request has found nothing, the same one with a later start
		// finds nothing before the other's start.
		f := t.of(one.procs, one.length)
		if t.since(f, one.procs, one.length, 0) >= t.freed {
			continue
		}
		if !s.beat(t) {
			return
		}
		at, ok := t.counts.EarlierFit(one.procs, one.length, one.start, t.freed)
		if !ok {
			*f = found{t.age, one.procs, one.length, one.start}
			continue
		}
		t.counts.Add(at, min(one.start, at+one.length), -one.procs)
		t.counts.Add(max(one.start, at+one.length), one.start+one.length, one.procs)
		t.freed = max(t.freed, one.start+one.length)
		one.start, moved = at, true
		t.age++
		most = t.counts.MostBefore(t.freed)
	}
	if moved { // they have gone to the left, and most have stayed
		for i := 1; i < len(t.jobs); i++ {
			one := t.jobs[i]
			k := i
			for ; k > 0 && comparePlanned(t.jobs[k-1], one) > 0; k-- {
				t.jobs[k] = t.jobs[k-1]
			}
			t.jobs[k] = one
		}
	}
}

// place places a job at its earliest fit.
func (p *plan) place(one *planned, now model.Time) model.Time {
	f := p.of(one.procs, one.length) // since less and less is free, the same request starts no earlier
	start := p.counts.FitFrom(one.procs, one.length, p.since(f, one.procs, one.length, now))
	p.counts.Add(start, start+one.length, -one.procs)
	*f = found{p.age, one.procs, one.length, start}
	return start
}

func comparePlanned(a, b planned) int {
	return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.job, b.job))
}
