package grid

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/sim"
)

// compare is the local order: negative when job a stands before b. Ties go to
// the job submitted earlier (rule 6).
func (s *Scheduler) compare(a, b model.JobID) int {
	x, y := &s.v.Jobs[a], &s.v.Jobs[b]
	switch s.Local {
	case LSF:
		return cmp.Or(cmp.Compare(y.Procs, x.Procs), cmp.Compare(a, b))
	case SJF:
		return cmp.Or(cmp.Compare(x.Limit, y.Limit), cmp.Compare(a, b))
	case PPP, PPPD:
		return cmp.Or(s.comparePriority(a, b), cmp.Compare(a, b))
	}
	return cmp.Compare(a, b)
}

// comparePriority compares priorities, negative when that of a is higher: by the
// log's queue field, the smaller number first, or the larger; jobs without one
// last.
func (s *Scheduler) comparePriority(a, b model.JobID) int {
	x, y := s.v.Jobs[a].Queue, s.v.Jobs[b].Queue
	switch {
	case x < 0 || y < 0:
		return cmp.Compare(y, x) // of −1 and another, the other first
	case s.LowFirst:
		return cmp.Compare(y, x)
	}
	return cmp.Compare(x, y)
}

// enqueue puts a batch job into its provider's queue.
func (s *Scheduler) enqueue(p *provider, j model.JobID) {
	b := &s.jobs[j]
	if s.reservation(j) == nil { // a reservation that goes on as a batch job keeps what it had
		b.procs = s.v.Jobs[j].Procs
	}
	b.state, b.which = queued, nil
	at, _ := slices.BinarySearchFunc(p.queue, j, func(w waiting, j model.JobID) int { return s.compare(w.job, j) })
	p.queue = slices.Insert(p.queue, at, waiting{j, b.procs, s.limit(p, j)})
	p.dirty = true
	p.plan.add(j)
}

// limit returns how long a batch job may hold processors, by what is left of its
// request.
func (s *Scheduler) limit(p *provider, j model.JobID) model.Time {
	if s.unlimited(j) {
		return forever
	}
	return model.Scaled(s.jobs[j].left, p.speed)
}

// unlimited says whether a job counts as one without a limit.
func (s *Scheduler) unlimited(j model.JobID) bool {
	if !s.NoLimit {
		return false
	}
	d := s.v.Demand(j)
	return d != nil && d.NoLimit
}

// fits says whether a batch job can start now: its processors are free until its
// limit, so that it ends before any reservation that needs them ("first fit by
// processing time limits"). What is asked of one pass shares p.reach.
func (s *Scheduler) fits(p *provider, w *waiting) bool {
	if w.procs > p.free.now() {
		return false
	}
	if p.free.named {
		return p.free.fits(s.v.Now, s.v.Now+w.limit, w.procs)
	}
	return s.v.Now+w.limit <= p.reach.Until(&p.free.counts, w.procs)
}

// run starts a batch job.
func (s *Scheduler) run(p *provider, j model.JobID, why report.Code) {
	b := &s.jobs[j]
	b.state, b.start, b.from, b.to = running, s.v.Now, s.v.Now, s.v.Now+s.limit(p, j)
	b.which = p.free.book(b.from, b.to, b.procs)
	p.reach.Reset()
	p.running = append(p.running, j)
	s.start(p, j, b.procs, why)
}

// local lets a provider's local scheduler start batch jobs.
func (s *Scheduler) local(p *provider) {
	p.head = -1
	p.reach.Reset()
	if len(p.queue) == 0 {
		return
	}
	switch s.Local {
	case EASY:
		s.easy(p)
		return
	case Conservative:
		s.conservative(p)
		return
	case FairShare:
		s.sortByUse(p)
	}
	stop := s.Local == FCFS || s.Stop && s.Local != FCFSBF
	kept := p.queue[:0]
	for i := range p.queue {
		w := p.queue[i]
		j := w.job
		if s.fits(p, &w) || s.Local == PPPD && s.preempt(p, &w) {
			why := report.StartedInOrder
			if p.head >= 0 {
				why = report.BackfilledExtra
			}
			s.run(p, j, why)
			continue
		}
		if p.head < 0 {
			p.head = j
		}
		kept = append(kept, w)
		if stop || p.free.now() <= 0 && s.Local != PPPD {
			kept = append(kept, p.queue[i+1:]...)
			break
		}
	}
	p.queue = kept
	for _, j := range p.stopped { // they wait for the next instant
		s.enqueue(p, j)
	}
	if len(p.stopped) > 0 {
		p.stopped, p.dirty = p.stopped[:0], false
	}
}

// sortByUse orders the queue by what each job's user has consumed so far, least
// first (FSS: "resource usage is equally distributed among system users").
func (s *Scheduler) sortByUse(p *provider) {
	slices.SortFunc(p.queue, func(a, b waiting) int {
		x := s.users.Used(s.v.Jobs[a.job].User+1, s.v.Now)
		y := s.users.Used(s.v.Jobs[b.job].User+1, s.v.Now)
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a.job, b.job))
	})
}

// preempt makes room for a job by stopping running jobs of lower priority, the
// lowest first, of equal ones the last started; only if that is enough.
func (s *Scheduler) preempt(p *provider, w *waiting) bool {
	j := w.job
	var victims []model.JobID
	for _, k := range p.running {
		if s.comparePriority(j, k) < 0 && s.jobs[k].start < s.v.Now {
			victims = append(victims, k)
		}
	}
	slices.SortFunc(victims, func(a, b model.JobID) int {
		return cmp.Or(-s.comparePriority(a, b), -cmp.Compare(s.jobs[a].start, s.jobs[b].start), -cmp.Compare(a, b))
	})
	n := 0
	fits := func() bool { return p.free.fits(s.v.Now, s.v.Now+w.limit, w.procs) }
	for ; n < len(victims) && !fits(); n++ {
		b := &s.jobs[victims[n]]
		p.free.counts.Add(s.v.Now, b.to, b.procs)
	}
	enough := fits()
	for _, k := range victims[:n] {
		b := &s.jobs[k]
		p.free.counts.Add(s.v.Now, b.to, -b.procs)
	}
	if !enough || n == 0 {
		return false
	}
	for _, k := range victims[:n] {
		s.interrupt(p, k, !s.Requeue)
		p.stopped = append(p.stopped, k)
	}
	return true
}

// ExplainSite says why each waiting job waits: reservations for their time,
// batch jobs for processors, an earlier job, or a reservation ahead.
func (s *Scheduler) ExplainSite(v *sim.SiteView, note func(model.JobID, report.Code, model.JobID)) {
	for _, j := range s.queue {
		note(j, report.WaitOrder, -1)
	}
	for i := range s.agenda {
		if e := &s.agenda[i]; e.kind == eventBegin && s.jobs[e.job].state == accepted && s.jobs[e.job].start == e.at {
			note(e.job, report.WaitPlan, -1)
		}
	}
	for i := range s.providers {
		p := &s.providers[i]
		p.reach.Reset()
		for i := range p.queue {
			w := &p.queue[i]
			j, head := w.job, p.head
			if head == j {
				head = -1
			}
			switch {
			case w.procs > p.free.now():
				note(j, report.WaitProcessors, head)
			case !s.fits(p, w):
				note(j, report.WaitReservation, head)
			case s.Local == EASY || s.Local == Conservative:
				note(j, report.WaitShadow, head)
			default:
				note(j, report.WaitOrder, head)
			}
		}
	}
}
