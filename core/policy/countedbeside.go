package policy

import (
	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// What follows is CountedEASY beside reservations and a calendar. What is free then no
// longer only grows until the head's promise, so that a job is asked for every second that
// it may run: until its end as many processors must be free as it asks for, and with the
// head's as long as that is promised them.

// easyBeside is what CountedEASY remembers beside reservations.
type easyBeside struct {
	calm    bool // nobody who waited could start at the last pass, whoever is the head where that is −1
	rises   int  // of the view then
	longest model.Time
	now     resource.Reach // what is free from now on,
	then    resource.Reach // from the head's promise on; before that nothing of it counts
	begins  model.Time     // the head's promise; Never: nobody is promised anything
	ends    model.Time
	procs   int32
	low     int                 // the class of the narrowest job, or one below,
	wide    int                 // and of the widest that may start
	slack   [classes]model.Time // [c], low … wide: how long a job of the class may run at most
}

func (b *easyBeside) reset(v *sim.CountedView) {
	b.calm, b.longest = false, 0
	if v.Ahead != nil {
		for i := range v.Jobs {
			b.longest = max(b.longest, v.Jobs[i].Limit)
		}
	}
}

// passBeside walks the primary order, then the backfill order. Where nothing has become
// free since the last pass, now or later, and the head has kept its promise, whoever was
// refused would be again: only who has just come is tried. Where no job could start at
// all, the head need not even be known.
func (e *CountedEASY) passBeside(v *sim.CountedView, starts []model.JobID) []model.JobID {
	b, q := &e.beside, &e.waiting
	e.value(v)
	came, last := 0, model.JobID(-1)
	for j := v.Arrived; j < v.Next; j++ {
		if v.Reserved[j] {
			e.gone[j] = true
			continue
		}
		e.arrive(v, j)
		came, last = came+1, j
	}
	calm := b.calm && b.rises == v.Rises
	b.rises, b.calm = v.Rises, true
	if calm && e.head >= 0 {
		if q.count == 0 || e.top(v) != e.head {
			calm = false
		} else if len(v.Booked) > 0 {
			shadow := e.shadow
			e.promiseBeside(v)
			calm = shadow == e.shadow
		}
	}
	free := v.Free
	if calm && came == 0 {
		return starts
	}
	if calm && came == 1 {
		job := &v.Jobs[last]
		if job.Procs > free || !v.Clear(last) {
			return starts
		}
		first := false
		if e.head < 0 {
			if e.head = e.top(v); e.head == last {
				e.head, first = -1, true
			} else {
				e.promiseBeside(v)
			}
		}
		if first || e.spares(v, job) {
			q.remove(e.rank[last])
			starts = e.startBeside(v, starts, last)
		}
		return starts
	}
	e.head = -1
	for {
		if q.count == 0 || free <= 0 || q.whole.minProcs > free {
			e.head = -1
			return starts
		}
		e.head = e.top(v)
		procs := v.Jobs[e.head].Procs
		if procs > free || !v.Clear(e.head) {
			break
		}
		free -= procs
		q.remove(e.rank[e.head])
		starts = e.startBeside(v, starts, e.head)
	}
	b.begins = model.Never
	if e.look(v, free); !e.any(v, free) {
		e.head = -1
		return starts
	}
	e.promiseBeside(v)
	if e.look(v, free); e.shifts {
		return e.scoreBeside(v, free, starts)
	}
	return e.behindBeside(v, free, starts)
}

// promiseBeside finds the earliest start that the head can be promised.
func (e *CountedEASY) promiseBeside(v *sim.CountedView) {
	job, b := &v.Jobs[e.head], &e.beside
	e.shadow = v.Earliest(job.Procs, job.Limit, v.Now)
	b.begins, b.ends, b.procs = e.shadow, e.shadow+job.Limit, job.Procs
}

// spares says whether a job that starts now leaves the head's promise alone.
func (e *CountedEASY) spares(v *sim.CountedView, job *model.Job) bool {
	b := &e.beside
	end := min(v.Now+job.Limit, b.ends)
	return end <= b.begins || v.Ahead.Free(b.begins, end, job.Procs+b.procs)
}

// look finds how long a job of each class may run that starts now.
func (e *CountedEASY) look(v *sim.CountedView, free int32) {
	b := &e.beside
	b.now.Reset()
	b.then.From(b.begins)
	b.low, b.wide = class(e.waiting.whole.minProcs), class(free)
	for c := b.low; c <= b.wide; c++ {
		b.slack[c] = b.until(v, 1<<c, v.Now+b.longest) - v.Now
	}
}

// until returns until when processors can be had, up to a time.
func (b *easyBeside) until(v *sim.CountedView, procs int32, end model.Time) model.Time {
	end = b.now.Within(v.Ahead, procs, end)
	if end <= b.begins {
		return end
	}
	till := min(end, b.ends)
	if at := b.then.Within(v.Ahead, procs+b.procs, till); at < till {
		return max(at, b.begins) // the first step may have begun before
	}
	return end
}

// block says whether a job of a block may start now; false is certain.
func (b *easyBeside) block(of *bounds, free int32) bool {
	if of.minProcs > free || of.minLimit[b.wide] > b.slack[b.low] {
		return false
	}
	for c := b.low; c <= b.wide; c++ {
		if of.minLimit[c] <= b.slack[c] {
			return true
		}
	}
	return false
}

// fits says whether a job may start now.
func (b *easyBeside) fits(v *sim.CountedView, job *model.Job, free int32) bool {
	if job.Procs > free || job.Limit > b.slack[class(job.Procs)] {
		return false
	}
	end := v.Now + job.Limit
	return b.until(v, job.Procs, end) == end
}

// any says whether somebody behind the head may start now.
func (e *CountedEASY) any(v *sim.CountedView, free int32) bool {
	q := &e.waiting
	if !e.beside.block(&q.whole, free) {
		return false
	}
	looked := false
	for pos := range q.bounds {
		if !e.beside.block(&q.bounds[pos], free) {
			continue
		}
		b := q.block(pos)
		looked = true
		for _, w := range b.jobs[b.lo:b.hi] {
			if j := w.job(); j != e.head && e.beside.fits(v, &v.Jobs[j], free) {
				return true
			}
		}
		if b.loose && len(q.bounds) > 2 {
			q.tighten(pos)
		}
	}
	if !looked {
		q.join()
	}
	return false
}

// behindBeside starts, in backfill order, who fits beside the head's promise.
func (e *CountedEASY) behindBeside(v *sim.CountedView, free int32, starts []model.JobID) []model.JobID {
	q := &e.waiting
	for pos := 0; pos < len(q.bounds) && free > 0; pos++ {
		if !e.beside.block(&q.bounds[pos], free) {
			continue
		}
		b := q.block(pos)
		for i := b.lo; i < b.hi && free > 0; {
			j := b.jobs[i].job()
			if j == e.head || !e.beside.fits(v, &v.Jobs[j], free) {
				i++
				continue
			}
			front, emptied := i == b.lo, b.hi-b.lo == 1
			q.removeAt(pos, i)
			free -= v.Jobs[j].Procs
			starts = e.startBeside(v, starts, j)
			e.look(v, free)
			if emptied {
				pos--
				break
			}
			if front {
				i = b.lo
			}
		}
	}
	return starts
}

// scoreBeside does so by what changes with time.
func (e *CountedEASY) scoreBeside(v *sim.CountedView, free int32, starts []model.JobID) []model.JobID {
	e.fitting = e.fitting[:0]
	for pos := range e.waiting.bounds {
		if !e.beside.block(&e.waiting.bounds[pos], free) {
			continue
		}
		b := e.waiting.block(pos)
		for _, w := range b.jobs[b.lo:b.hi] {
			if j := w.job(); j != e.head && e.beside.fits(v, &v.Jobs[j], free) {
				e.fitting = append(e.fitting, w)
				e.scores[j] = e.backfillScore(v, j)
			}
		}
	}
	e.sortFitting()
	for _, w := range e.fitting {
		if j := w.job(); e.beside.fits(v, &v.Jobs[j], free) {
			e.waiting.remove(w.rank())
			free -= v.Jobs[j].Procs
			starts = e.startBeside(v, starts, j)
			e.look(v, free)
		}
	}
	return starts
}

// startBeside starts a job that is no longer in the queue.
func (e *CountedEASY) startBeside(v *sim.CountedView, starts []model.JobID, j model.JobID) []model.JobID {
	e.gone[j] = true
	v.Hold(j)
	return append(starts, j)
}
