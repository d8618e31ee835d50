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
	w := waiting{j, b.procs, s.limit(p, j)}
	p.queue.add(w)
	p.fresh = append(p.fresh, w)
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
	end := s.v.Now + w.limit
	if p.free.named {
		return p.free.fits(s.v.Now, end, w.procs)
	}
	return p.reach.Until(&p.free.counts, w.procs, end) == end
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

// local lets a provider's local scheduler start batch jobs. Where nothing has
// become free since its last pass, jobs that did not fit then do not fit now,
// and only those that have come since are looked at.
func (s *Scheduler) local(p *provider) {
	p.reach.Reset()
	p.head = -1
	if p.queue.count > 0 {
		switch {
		case s.plain != nil:
			s.plain(p)
		case s.Local == EASY:
			s.easy(p)
		case s.Local == Conservative:
			s.conservative(p)
		case s.Local == PPPD:
			s.dispose(p)
		case s.Local == FairShare && (s.Stop || s.v.Record != nil):
			s.share(p)
		case s.Local == FCFS || s.Stop && s.Local != FCFSBF:
			s.strict(p)
		case p.grown:
			s.pass(p)
		default:
			s.arrivals(p)
		}
	}
	if p.head < 0 && p.queue.count > 0 {
		p.head = p.queue.first().job
	}
	p.fresh, p.grown, p.taken = p.fresh[:0], false, false
	for _, j := range p.stopped { // they wait for the next instant
		s.enqueue(p, j)
	}
	if len(p.stopped) > 0 {
		p.stopped, p.dirty = p.stopped[:0], false
	}
}

// takes starts a job of the queue, which stays there.
func (s *Scheduler) takes(p *provider, j model.JobID) {
	why := report.StartedInOrder
	if p.queue.first().job != j { // those that stand before it do not fit
		why = report.BackfilledExtra
	}
	s.run(p, j, why)
}

// strict starts jobs in order and stops at the first that does not fit.
func (s *Scheduler) strict(p *provider) {
	for p.queue.count > 0 {
		w := p.queue.first()
		if !s.fits(p, &w) {
			return
		}
		s.takes(p, w.job)
		p.queue.removeAt(0, 0)
	}
}

// pass walks over the queue in order and starts what fits.
func (s *Scheduler) pass(p *provider) {
	if s.Local == FairShare {
		s.byUse(p, s.candidates(p))
		return
	}
	s.walk(p, dealStart)
}

// deal is what walk does with a job that fits.
type deal uint8

const (
	dealStart  deal = iota // start it
	dealPick               // only pick it
	dealBehind             // start it, the head's promise being booked
)

// walk offers jobs that fit, in order; those that are started leave the queue.
func (s *Scheduler) walk(p *provider, kind deal) { s.walkFrom(p, 0, kind) }

// walkFrom is walk from a block on.
func (s *Scheduler) walkFrom(p *provider, pos int, kind deal) {
	q := &p.queue
	p.measure(s.v.Now)
	for pos < len(q.bounds) && len(p.rooms) > 0 {
		if !p.may(pos) {
			pos++
			continue
		}
		found, gone := false, false
		for i := 0; i < q.at(pos).n; {
			w := q.at(pos).jobs[i]
			if !s.fits(p, &w) {
				i++
				continue
			}
			if found = true; kind == dealPick {
				p.picked = append(p.picked, w)
				i++
				continue
			}
			if kind == dealBehind {
				s.behind(p, &w)
			} else {
				s.takes(p, w.job)
			}
			p.measure(s.v.Now)
			if gone = !q.removeAt(pos, i); gone || len(p.rooms) == 0 {
				break
			}
		}
		if gone {
			continue
		}
		if !found && q.bounds[pos].loose {
			q.tighten(pos)
		}
		pos++
	}
}

// arrivals starts what fits of the jobs that have come since the last pass.
func (s *Scheduler) arrivals(p *provider) {
	if s.Local == FairShare {
		s.byUse(p, p.fresh)
		return
	}
	s.inOrder(p.fresh)
	for i := range p.fresh {
		if w := &p.fresh[i]; s.fits(p, w) {
			s.takes(p, w.job)
			p.queue.remove(w.job)
		}
	}
}

func (s *Scheduler) inOrder(list []waiting) {
	if len(list) > 1 {
		slices.SortFunc(list, func(a, b waiting) int { return s.compare(a.job, b.job) })
	}
}

// candidates returns the jobs of the queue that fit by themselves.
func (s *Scheduler) candidates(p *provider) []waiting {
	p.picked = p.picked[:0]
	s.walk(p, dealPick)
	return p.picked
}

// byUse starts what fits of some jobs, in the order of what each job's user has
// consumed so far, least first (FSS: "resource usage is equally distributed
// among system users"). All others do not fit.
func (s *Scheduler) byUse(p *provider, list []waiting) {
	s.sortByUse(list)
	for i := range list {
		if w := &list[i]; s.fits(p, w) {
			s.run(p, w.job, report.StartedInOrder) // nobody asks: see share
			p.queue.remove(w.job)
		}
	}
}

func (s *Scheduler) sortByUse(list []waiting) {
	if len(list) < 2 {
		return
	}
	slices.SortFunc(list, func(a, b waiting) int {
		x := s.users.Used(s.v.Jobs[a.job].User+1, s.v.Now)
		y := s.users.Used(s.v.Jobs[b.job].User+1, s.v.Now)
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a.job, b.job))
	})
}

// share is fair share in the plain way, over all jobs in order: where it may
// stop at one that does not fit, and where decisions are recorded.
func (s *Scheduler) share(p *provider) {
	p.picked = p.picked[:0]
	p.queue.each(func(w *waiting) { p.picked = append(p.picked, *w) })
	s.sortByUse(p.picked)
	why := report.StartedInOrder
	for i := range p.picked {
		w := &p.picked[i]
		if s.fits(p, w) {
			s.run(p, w.job, why)
			p.queue.remove(w.job)
			continue
		}
		if p.head < 0 {
			p.head, why = w.job, report.BackfilledExtra
		}
		if s.Stop {
			return
		}
	}
}

// dispose is PPP with the dispose procedure (PPPD): jobs in order of priority,
// which make room for themselves where they can. Whether one can is known
// without trying: it fits where all jobs of lower priority are taken away.
func (s *Scheduler) dispose(p *provider) {
	q := &p.queue
	for s.Stop && q.count > 0 {
		w := q.first()
		if !s.fits(p, &w) && !s.preempt(p, &w) {
			return
		}
		s.takes(p, w.job)
		q.removeAt(0, 0)
	}
	p.bare = -1
	pos := 0
	for pos < len(q.bounds) {
		if !s.above(p, q.at(pos).jobs[0].job) {
			s.walkFrom(p, pos, dealStart) // nor has any other from here on
			return
		}
		p.rooms = p.queue.measure(p.rooms, &p.bareReach, &p.bareFree, s.v.Now)
		if !p.may(pos) {
			pos++
			continue
		}
		found, gone := false, false
		for i := 0; !gone && i < q.at(pos).n; {
			w := q.at(pos).jobs[i]
			if !s.fits(p, &w) && !(s.above(p, w.job) && p.bareReach.Until(&p.bareFree, w.procs, s.v.Now+w.limit) == s.v.Now+w.limit && s.preempt(p, &w)) {
				i++
				continue
			}
			s.takes(p, w.job)
			found, p.bare = true, -1
			gone = !q.removeAt(pos, i)
		}
		if gone {
			continue
		}
		if !found && q.bounds[pos].loose {
			q.tighten(pos)
		}
		pos++
	}
}

// above says whether a job has a higher priority than one that it may stop, and
// then makes p.bareFree what would be free without all of these.
func (s *Scheduler) above(p *provider, j model.JobID) bool {
	if p.bare >= 0 && s.comparePriority(j, p.bare) == 0 {
		return true
	}
	p.bare = -1
	for _, k := range p.running {
		if s.comparePriority(j, k) >= 0 || s.jobs[k].start >= s.v.Now {
			continue
		}
		if p.bare < 0 {
			p.bare = j
			p.bareFree.CopyFrom(&p.free.counts)
			p.bareReach.Reset()
		}
		p.bareFree.Add(s.v.Now, s.jobs[k].to, s.jobs[k].procs)
	}
	return p.bare >= 0
}

// preempt makes room for a job by stopping running jobs of lower priority, the
// lowest first, of equal ones the last started; only if that is enough.
func (s *Scheduler) preempt(p *provider, w *waiting) bool {
	j := w.job
	victims := s.victims[:0]
	for _, k := range p.running {
		if s.comparePriority(j, k) < 0 && s.jobs[k].start < s.v.Now {
			victims = append(victims, k)
		}
	}
	if s.victims = victims; len(victims) == 0 {
		return false
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
	p.reach.Reset()
	if !enough || n == 0 {
		return false
	}
	for _, k := range victims[:n] {
		s.interrupt(p, k, !s.Requeue)
		p.stopped = append(p.stopped, k)
	}
	return true
}

// Explain says why each waiting job waits: reservations for their time,
// batch jobs for processors, an earlier job, or a reservation ahead.
func (s *Scheduler) Explain(v *sim.View, note func(model.JobID, report.Code, model.JobID)) {
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
		p.queue.each(func(w *waiting) {
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
		})
	}
}
