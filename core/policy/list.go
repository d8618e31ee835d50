package policy

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"batchlab/core/ledger"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// ListOrder is the order in which a List takes its jobs.
type ListOrder uint8

// Orders of lists (Kurowski et al. 2011, section 4.4.3: local policies).
const (
	BySubmission ListOrder = iota // FCFS-BF
	BySize                        // LSF: largest size first
	ByRequest                     // SJF: shortest request first
	ByPriority                    // PPP: by the log's queue number; PPPD with List.Dispose
	ByUse                         // FSS: jobs of users that have used least first
	ByTurn                        // one job of each queue, then the next of each (Skrinarova et al. 2013)
)

// List starts jobs in an order and promises nothing to those that do not fit: it
// passes over them, or stops there. It keeps clear of the calendar and of
// reservations ("first fit by processing time limits"). The zero value is FCFS-BF:
// in order of submission, passing over what does not fit.
type List struct {
	Order   ListOrder
	Stop    bool       // at the first job that does not fit
	Period  model.Time // jobs start at multiples of it only, from the first submission; 0: whenever something happens
	Large   bool       // ByPriority: larger queue numbers have priority
	Dispose bool       // ByPriority: running jobs of lower priority make room
	Requeue bool       // Dispose: they run again from their beginning; else they are suspended

	queue   []model.JobID   // in order; ByUse: in order of submission; ByTurn: one of the log's queues after the other
	begun   []bool          // by JobID: it has started in this pass
	order   []model.JobID   // of one pass
	uses    []use           // of one pass, ByUse
	lanes   [][]model.JobID // of one pass, ByTurn: each queue's jobs that have not been put into order
	served  uint32          // ByTurn: the queue of the job that started last, −1 as the largest number
	running []model.JobID   // in order of their starts
	used    ledger.Ledger
	rates   map[model.JobID]float64 // of reservations' jobs
	base    model.Time
	now     model.Time
	asked   model.Time  // of the last pass
	rises   int         // of View.Space after it; −1: there was none
	dirty   bool        // something has happened since
	due     model.Time  // the first due time at which a waiting job is given up
	booked  bool        // something was reserved at the last instant
	head    model.JobID // the first that did not fit, −1 none
	free    *resource.Pool
	reach   resource.Reach // of what is free on View.Space, where a number says so:
	plain   bool           // it does,
	cluster int32          // there
	procs   []int32        // by JobID, of those that have waited
	room    int32          // free now, of a pass on such a cluster
	refused [33]model.Time // [c]: the shortest of up to 2^c processors that was refused in it
	out     []sim.Decision
}

// listSteps is about what it costs to look at a job, for sim.Pulse.
const listSteps = 16

// use is a waiting job with what its user has consumed.
type use struct {
	used float64
	job  model.JobID
}

func (a use) compare(b use) int {
	return cmp.Or(cmp.Compare(a.used, b.used), cmp.Compare(a.job, b.job))
}

var (
	_ sim.Planner   = (*List)(nil)
	_ sim.SpaceUser = (*List)(nil)
)

// NeedsSpace says that the list asks View.Space.
func (l *List) NeedsSpace() {}

// Reset prepares for a new simulation.
func (l *List) Reset(v *sim.View) {
	l.queue, l.running, l.base, l.dirty, l.head = l.queue[:0], l.running[:0], 0, false, -1
	l.booked, l.asked, l.rises, l.served = false, -model.Never, -1, math.MaxUint32
	if v.Pool == nil && len(v.Jobs) > 0 { // else users react: the first instant is not known
		l.base = v.Jobs[0].Submit
	}
	l.begun, l.procs = make([]bool, len(v.Jobs)), make([]int32, len(v.Jobs))
	l.used.Reset(l.base, 0)
	l.rates = map[model.JobID]float64{}
	l.free = v.Site.NewPool()
}

// Wake returns the next multiple of the period, if jobs wait for it: once something has
// happened, or a job's due time has come, which may stand in the way of others.
func (l *List) Wake() model.Time {
	switch {
	case l.Period == 0 || len(l.queue) == 0:
		return model.Never
	case l.dirty:
		return l.now + l.Period - (l.now-l.base)%l.Period
	case l.due == model.Never:
		return model.Never
	}
	due := max(l.due, l.now+1)
	return due + (l.Period-(due-l.base)%l.Period)%l.Period
}

// compare is negative where job a stands before b. Ties go to the job submitted
// earlier (rule 6).
func (l *List) compare(v *sim.View, a, b model.JobID) int {
	switch l.Order {
	case BySize:
		return cmp.Or(cmp.Compare(v.Needs[b].Procs, v.Needs[a].Procs), cmp.Compare(a, b))
	case ByRequest:
		return cmp.Or(cmp.Compare(v.Jobs[a].Limit, v.Jobs[b].Limit), cmp.Compare(a, b))
	case ByPriority, ByTurn:
		return cmp.Or(l.priority(v, a, b), cmp.Compare(a, b))
	}
	return cmp.Compare(a, b)
}

// priority compares priorities, negative when that of a is higher: by the log's
// queue field; jobs without one last.
func (l *List) priority(v *sim.View, a, b model.JobID) int {
	x, y := v.Jobs[a].Queue, v.Jobs[b].Queue
	if x < 0 || y < 0 || l.Large {
		return cmp.Compare(y, x) // of −1 and another, the other first
	}
	return cmp.Compare(x, y)
}

// add puts a waiting job into the queue.
func (l *List) add(v *sim.View, j model.JobID) {
	at, _ := slices.BinarySearchFunc(l.queue, j, func(a, b model.JobID) int { return l.compare(v, a, b) })
	l.queue = slices.Insert(l.queue, at, j)
	l.procs[j], l.dirty = v.Needs[j].Procs, true
}

// Decide takes over what has happened and, if it is time, starts what fits.
func (l *List) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	l.now, l.out = v.Now, out
	for _, list := range [...][]model.JobID{v.Ended, v.Back} {
		for _, j := range list {
			l.gone(v, j)
		}
	}
	for _, j := range v.Over { // users consume by reservations, too
		l.used.End(v.Jobs[j].User+1, v.Now, l.rates[j])
	}
	for _, j := range v.Begun {
		procs := int32(0)
		for _, part := range v.Held[j].Parts {
			procs += part.Procs
		}
		l.rates[j] = float64(procs)
		l.used.Start(v.Jobs[j].User+1, v.Now, l.rates[j])
	}
	for _, list := range [...][]model.JobID{v.Back, v.New} {
		for _, j := range list {
			l.add(v, j)
		}
	}
	l.dirty = l.dirty || len(v.Gone) > 0 || len(v.Site.Platform.Calendar) > 0 || l.booked || v.Bookings.Len() > 0
	l.booked = v.Bookings.Len() > 0
	l.expire(v)
	if l.Period == 0 || (v.Now-l.base)%l.Period == 0 {
		l.dirty = false
		l.pass(v)
	}
	out, l.out = l.out, nil
	return out
}

// gone books that a job of the list runs no longer.
func (l *List) gone(v *sim.View, j model.JobID) {
	if at := slices.Index(l.running, j); at >= 0 { // else it was a reservation until now
		l.running = slices.Delete(l.running, at, at+1)
		l.used.End(v.Jobs[j].User+1, v.Now, float64(v.Needs[j].Procs))
	}
	l.dirty = true
}

// expire gives up jobs that would be stopped at their due time, which has come.
func (l *List) expire(v *sim.View) {
	if l.due = model.Never; v.Due == nil {
		return
	}
	l.queue = slices.DeleteFunc(l.queue, func(j model.JobID) bool {
		late := v.Kills(j) && v.Due[j] <= v.Now
		if late {
			l.out = append(l.out, sim.Decision{Verb: sim.Reject, Job: j})
		} else if v.Kills(j) {
			l.due = min(l.due, v.Due[j])
		}
		return late
	})
}

// pass walks over the queue in order and starts what fits. Where nothing has become
// free since the last pass, now or later, whoever did not fit does not fit now, and only
// those are looked at that have just come.
func (l *List) pass(v *sim.View) {
	l.head, l.asked, l.order = -1, v.Now, l.order[:0]
	look, calm := l.queue, false
	if l.rises == v.Rises() && len(v.Back) == 0 && l.Period == 0 && !l.Stop && !l.Dispose && l.Order != ByTurn && v.Due == nil && v.Facts == nil && v.Record == nil {
		look, calm = v.New, true
	}
	if len(look) == 0 {
		l.rises = v.Rises()
		return
	}
	l.free.CopyFrom(v.Free)
	if l.cluster, l.plain = v.Plain(); l.plain {
		l.room = v.Space.FreeNow(l.cluster)
		for c := range l.refused {
			l.refused[c] = model.Never
		}
	}
	l.reach.Reset()
	first := use{job: -1}
	switch l.Order {
	case ByUse:
		first = l.byUse(v, look)
	case ByTurn:
		l.byTurn(v)
	default:
		if l.order = append(l.order, look...); calm {
			slices.SortFunc(l.order, func(a, b model.JobID) int { return l.compare(v, a, b) })
		}
	}
	var stopped []model.JobID
	why := report.StartedInOrder
	starts := len(l.out)
	v.Pulse.Beat(len(l.order))
	for k, j := range l.order {
		if first.job >= 0 && l.head < 0 && first.compare(l.uses[k]) < 0 {
			l.head, why = first.job, report.BackfilledExtra
		}
		var claim model.Claim
		ok := l.Dispose || l.may(v, j)
		if ok {
			if !v.Pulse.Beat(listSteps) {
				break
			}
			if claim, ok = l.place(v, j); !ok && l.Dispose {
				claim, stopped, ok = l.preempt(v, j, stopped)
			}
		}
		if !ok {
			if l.head < 0 {
				l.head, why = j, report.BackfilledExtra
			}
			if l.Stop {
				break
			}
			continue
		}
		l.start(v, j, claim, why)
	}
	if l.head < 0 {
		l.head = first.job
	}
	if len(l.out) > starts {
		l.queue = slices.DeleteFunc(l.queue, func(j model.JobID) bool { return l.begun[j] })
		for _, d := range l.out[starts:] {
			l.begun[d.Job] = false
		}
	}
	l.rises = v.Rises()
	for _, j := range stopped { // they wait for the next instant
		l.add(v, j)
	}
	if len(stopped) > 0 {
		l.dirty = false
	}
}

// byUse puts the jobs of a list that fit by themselves into the order in which users have used
// least, and returns the first of the others, which cannot start in this pass; its job
// is −1 if there are none. Where the list stops at who does not fit, or is told of, all
// jobs are put into order.
func (l *List) byUse(v *sim.View, list []model.JobID) use {
	l.uses, l.order = l.uses[:0], l.order[:0]
	first, all := use{job: -1}, l.Stop || v.Facts != nil
	for _, j := range list {
		if !v.Pulse.Beat(1) {
			break
		}
		one := use{l.used.Used(v.Jobs[j].User+1, v.Now), j}
		if all || l.plain && l.procs[j] <= l.room || !l.plain && l.free.Fits(&v.Needs[j]) {
			l.uses = append(l.uses, one)
		} else if first.job < 0 || one.compare(first) < 0 {
			first = one
		}
	}
	slices.SortFunc(l.uses, use.compare)
	for _, u := range l.uses {
		l.order = append(l.order, u.job)
	}
	return first
}

// byTurn puts the first job of each queue into the order of a pass, then the second of
// each, and so on. The queue after the one that was served last begins, so that each has
// its turn where every pass has room for one job only.
func (l *List) byTurn(v *sim.View) {
	l.lanes = l.lanes[:0]
	begins := 0
	for from := 0; from < len(l.queue); {
		number, to := v.Jobs[l.queue[from]].Queue, from+1
		for to < len(l.queue) && v.Jobs[l.queue[to]].Queue == number {
			to++
		}
		if uint32(number) <= l.served { // jobs without a queue, −1, come last here, too
			begins++
		}
		l.lanes = append(l.lanes, l.queue[from:to])
		from = to
	}
	lanes := l.lanes
	slices.Reverse(lanes[:begins])
	slices.Reverse(lanes[begins:])
	slices.Reverse(lanes) // now the lane that begins is the first
	for len(lanes) > 0 {
		left := lanes[:0]
		for _, lane := range lanes {
			if l.order = append(l.order, lane[0]); len(lane) > 1 {
				left = append(left, lane[1:])
			}
		}
		lanes = left
	}
}

// may says whether a job may find room in a pass in which what is free only shrinks;
// false is certain: one that is no wider and no longer was refused.
func (l *List) may(v *sim.View, j model.JobID) bool {
	return !l.plain || l.procs[j] <= l.room && v.Longest(j) < l.refused[bits.Len32(uint32(l.procs[j]))-1]
}

// place finds where a job can start now, free until it must have ended.
func (l *List) place(v *sim.View, j model.JobID) (model.Claim, bool) {
	need, until := &v.Needs[j], v.Now+v.Longest(j)
	if l.plain && v.Space.Until(&l.reach, l.cluster, need.Procs, until) < until {
		for c := bits.Len32(uint32(need.Procs - 1)); c < len(l.refused) && l.refused[c] > until-v.Now; c++ {
			l.refused[c] = until - v.Now
		}
		return model.Claim{}, false
	}
	if !l.free.Fits(need) {
		return model.Claim{}, false
	}
	return v.Space.Place(need, v.Now, until)
}

// start decides that a job starts.
func (l *List) start(v *sim.View, j model.JobID, claim model.Claim, why report.Code) {
	need := &v.Needs[j]
	end := ends(v, j, claim)
	l.free.Take(need, claim)
	v.Space.Book(need, claim, v.Now, end)
	l.reach.Reset()
	l.begun[j], l.room, l.served = true, l.room-l.procs[j], uint32(v.Jobs[j].Queue)
	l.running = append(l.running, j)
	l.used.Start(v.Jobs[j].User+1, v.Now, float64(need.Procs))
	if v.Record != nil {
		v.Record.Decide(j, why)
	}
	l.out = append(l.out, sim.Decision{Job: j, Claim: claim})
}

// preempt makes room for a job by stopping running jobs of lower priority, the
// lowest first, of equal ones the last started; only if that is enough.
func (l *List) preempt(v *sim.View, j model.JobID, stopped []model.JobID) (model.Claim, []model.JobID, bool) {
	var victims []model.JobID
	for _, k := range l.running {
		if l.priority(v, j, k) < 0 && v.Start[k] < v.Now {
			victims = append(victims, k)
		}
	}
	slices.SortFunc(victims, func(a, b model.JobID) int {
		return cmp.Or(-l.priority(v, a, b), -cmp.Compare(v.Start[a], v.Start[b]), -cmp.Compare(a, b))
	})
	n, mark := 0, v.Space.Mark()
	claim, ok := model.Claim{}, false
	for ; n < len(victims) && !ok; n++ {
		if !v.Pulse.Beat(listSteps) {
			break
		}
		k := victims[n]
		l.free.Give(&v.Needs[k], v.Held[k])
		v.Space.Unbook(&v.Needs[k], v.Held[k], v.Now, v.Until(k), nil)
		l.reach.Reset()
		claim, ok = l.place(v, j)
	}
	if !ok {
		v.Space.Back(mark)
		l.reach.Reset()
		for _, k := range victims[:n] {
			l.free.Take(&v.Needs[k], v.Held[k])
		}
		return claim, stopped, false
	}
	verb := sim.Suspend
	if l.Requeue {
		verb = sim.Stop
	}
	for _, k := range victims[:n] {
		l.gone(v, k)
		l.out = append(l.out, sim.Decision{Verb: verb, Job: k})
	}
	return claim, append(stopped, victims[:n]...), true
}
