package plan

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// tuner lets optimisers change a plan: it is the search.Problem of a Scheduler.
//
// A solution is the order of the job list of every cluster. What an order means
// is algorithm 2: each job in its turn starts as early as the jobs before it and
// the limits allow, and not before the job before it. So nothing that comes
// later is in a job's way: instead of a profile it takes one state that only
// ever gains, what is free at the last start and the ends to come. A candidate is
// repaired from the point of change on, and only until it meets the old plan
// again. Floating licences tie the lists together: where waiting jobs need some,
// the lists go on side by side through time, and at each instant every list, in
// the order of the clusters, starts what it can.
type tuner struct {
	s   *Scheduler
	p   *Plan
	now model.Time

	all     []int32 // slots that may move
	shares  []share // of users with waiting jobs
	index   []int32 // of shares by user, −1 none
	wait    int64   // sums over all jobs, of the current solution
	slow    int64
	weighs  int64     // weights of the jobs that may move
	late    int64     // of the seconds by which jobs start too late, with Options.Guard
	bound   int64     // what it was when the call began
	planned []float64 // by user, with Objective.Planned: processor-seconds still to come
	sum     float64   // of NUWT and its squares, of users without waiting jobs
	squares float64

	lanes   []tuned
	at      []int64 // by slot, of plain lanes: the start, seconds from now
	general bool    // never take the short way of counts: for tests

	// The candidate.
	edits   []edit
	order   [][]int32 // copies of job lists, where edits are many
	copied  bool
	changes []change     // of lanes that are not plain; the others' stand in tuned.starts
	parts   []model.Part // of changes
	dWait   int64
	dSlow   int64
	dLate   int64

	aside    [][]model.Part // nodes by edit
	hopeless hopeless
	saved    saved
	count    int64  // of Counts.Placed
	notes    bool   // what is kept is told
	trail    []edit // kept since it was told last; toAt is −1 where a job was put where it stands best
	moves    *moves // for Watch.Moves
	pend     []uint64
	moved    []seat // scratch: what stands elsewhere

	// Of repairs that do not only count processors.
	spans   []span
	at0     model.Time   // of the state
	rises   []model.Time // when the calendar or a reservation gives something back, and until when jobs are put off
	barred  bool         // some are
	scratch resource.Counts
	room    resource.Amount
	joint   bool     // waiting jobs need floating licences
	idle    []int32  // copies that nothing that runs holds
	copies  []int32  // that are free in the state
	supply  []supply // copies that reservations leave
}

// tuned is what the tuner knows of a lane beside its lists.
type tuned struct {
	plain   bool     // counts without limits, calendar or licences
	base    []uint64 // plain: ends of what runs, ascending, with processors: (end − now) << shift | processors
	shift   uint
	seats   []seat  // plain: the job list of the current solution
	starts  []int64 // plain: starts of the candidate from a place of its list on, seconds from now
	from    int     // that place
	ahead   bool    // the seats know later starts than the slots: see sync
	idle    int32   // processors that nothing that runs holds
	ends    []ending
	longest model.Time        // of the jobs that may move
	left    []resource.Amount // what nothing that runs holds, by node
	users   []int32           // processors that run, by user
	classes []int32
	list    list

	taken       bool // by the calendar or reservations
	supply      supply
	userSupply  []supply
	classSupply []supply
	gone        [][]gone // by node
}

// ending is the end of a job that runs or is placed.
type ending struct {
	at   model.Time
	slot int32
}

// edit moves a slot between job lists.
type edit struct {
	slot         int32
	from, fromAt int32
	to, toAt     int32
	before       model.Time // what it took on the old lane
	start        model.Time // and when it started there; only with copies
}

// change is a start of the candidate that differs.
type change struct {
	slot  int32
	first int32 // of parts
	count int32
	start model.Time
	slow  int64
}

var _ search.Problem = (*tuner)(nil)

// begin prepares for a call.
func (t *tuner) begin(s *Scheduler, now model.Time) {
	p := s.plan
	t.s, t.p, t.now = s, p, now
	t.all, t.shares = t.all[:0], t.shares[:0]
	t.changes, t.edits = t.changes[:0], t.edits[:0]
	if t.wait, t.slow, t.late = s.past.wait, s.past.slow, 0; s.o.Objective.Waiting {
		t.wait, t.slow = 0, 0
	}
	for len(t.index) < len(p.users) {
		t.index = append(t.index, -1)
	}
	for c := range p.lanes {
		t.all = append(t.all, p.lanes[c].jobs...)
	}
	for _, i := range t.all {
		t.index[p.slots[i].user] = 0
	}
	if s.o.Objective.Planned {
		t.ahead()
	}
	t.sum, t.squares, t.weighs = 0, 0, 0
	for u := range s.past.user { // always in the same order: sums of fractions depend on it
		wait, used := s.past.user[u], s.used.Used(int32(u), now)
		if s.o.Objective.Planned {
			used += t.planned[u]
		}
		used = max(1, used)
		if t.index[u] == 0 {
			t.index[u] = int32(len(t.shares))
			t.shares = append(t.shares, share{wait: wait, used: used})
			continue
		}
		x := float64(wait) / used
		t.sum += x
		t.squares += float64(x * x)
	}
	for _, i := range t.all {
		slot := &p.slots[i]
		slot.active = t.index[slot.user]
		slot.slow = slot.slowdown(slot.start)
		wait := int64(slot.start - slot.since)
		t.wait += slot.weight * wait
		t.weighs += slot.weight
		t.slow += slot.slow
		t.shares[slot.active].wait += wait
		if s.o.Guarded {
			t.late += t.beyond(slot, slot.start)
		}
	}
	t.bound = t.late
	for _, i := range t.all {
		t.index[p.slots[i].user] = -1 // ready for the next call
	}
	if len(t.lanes) != len(p.lanes) {
		t.lanes = make([]tuned, len(p.lanes))
		t.order = make([][]int32, len(p.lanes))
		t.saved.jobs = make([][]int32, len(p.lanes))
	}
	t.rises, t.barred = t.rises[:0], false
	for _, i := range t.all {
		if after := p.slots[i].after; after > now {
			t.rises, t.barred = append(t.rises, after), true
		}
	}
	t.licences()
	for c := range p.lanes {
		t.lane(c)
		t.lanes[c].starts, t.lanes[c].from = t.lanes[c].starts[:0], 0
	}
	slices.Sort(t.rises)
	t.hopeless.begin(p)
}

// ahead sums up what users will still consume: what runs until the end that was
// asked for, and all that waits as it asks. It does not depend on where the plan
// puts a job.
func (t *tuner) ahead() {
	p := t.p
	t.planned = t.planned[:0]
	for range t.s.past.user {
		t.planned = append(t.planned, 0)
	}
	for c := range p.lanes {
		for _, i := range p.lanes[c].running {
			s := &p.slots[i]
			t.planned[s.user] += float64(t.s.rates[i] * float64(max(0, s.start+s.length-t.now)))
		}
	}
	for _, i := range t.all {
		s := &p.slots[i]
		t.planned[s.user] += float64(s.procs) * float64(s.asked)
	}
}

// lane prepares what the repair of a lane starts from.
func (t *tuner) lane(c int) {
	p, l, d := t.p, &t.p.lanes[c], &t.lanes[c]
	d.taken = slices.ContainsFunc(p.bookings.All(), func(b sim.Booking) bool { return b.To > t.now && b.Claim.Cluster == l.Cluster })
	p.each(t.now, func(e *model.CalendarEntry) { d.taken = d.taken || p.concerns(l, e) })
	d.longest = 0
	far := t.now // each job begins when another ends: no end lies beyond the sum of all
	for _, i := range l.running {
		far = max(far, p.slots[i].start+p.slots[i].length)
	}
	widest := model.Time(0)
	for _, i := range t.all {
		s := &p.slots[i]
		takes := p.space.Longest(l.Cluster, s.asked)
		d.longest = max(d.longest, takes)
		far += takes
		widest = max(widest, t.now-s.since+takes)
	}
	d.shift = uint(bits.Len32(uint32(l.Size)))
	d.plain = l.Counted && !d.taken && !t.joint && !t.barred && p.limits.None() && far-t.now < 1<<(62-d.shift) && widest < 1<<32 && !t.general
	d.idle = l.Size
	if !d.plain {
		t.hold(l, d)
		t.taken(c)
	}
	d.base, d.ends, d.seats, d.ahead = d.base[:0], d.ends[:0], d.seats[:0], false
	for _, i := range l.running {
		s := &p.slots[i]
		d.idle -= s.procs
		if d.plain {
			d.base = append(d.base, uint64(s.start+s.length-t.now)<<d.shift|uint64(s.procs))
		} else {
			d.ends = append(d.ends, ending{s.start + s.length, i})
		}
	}
	if d.plain {
		t.fill(c)
	}
	slices.Sort(d.base)
	d.base = append(d.base, ^uint64(0)) // never reached: pend holds what is still missing
	slices.SortFunc(d.ends, compareEnds)
}

// hold writes what is left beside what runs.
func (t *tuner) hold(l *lane, d *tuned) {
	p := t.p
	d.left = d.left[:0]
	if !l.Counted {
		d.left = append(d.left, l.Have...)
	}
	d.users, d.classes = d.users[:0], d.classes[:0]
	if p.limits.UserProcs > 0 {
		for range p.users {
			d.users = append(d.users, 0)
		}
	}
	for range l.Caps {
		d.classes = append(d.classes, 0)
	}
	for _, i := range l.running {
		s := &p.slots[i]
		if p.limits.UserProcs > 0 {
			d.users[s.user] += s.procs
		}
		for c, bits := 0, s.classes; bits != 0; c, bits = c+1, bits>>1 {
			if bits&1 != 0 {
				d.classes[c] += s.procs
			}
		}
		if !l.Counted {
			a := p.wants[int(i)*len(p.lanes)+int(l.Cluster)].Each
			for _, part := range p.parts[i] {
				a.Procs = part.Procs
				d.left[part.Node].Add(&a, -1)
			}
		}
	}
}

func compareEnds(a, b ending) int {
	switch {
	case a.at != b.at && a.at < b.at:
		return -1
	case a.at != b.at:
		return 1
	}
	return int(a.slot - b.slot)
}

// Draw takes a random waiting job to a random place of the list of a random
// cluster that may serve it.
func (t *tuner) Draw(rng *rand.Rand) (search.Move, bool) {
	p := t.p
	if len(t.all) == 0 || len(t.all) == 1 && len(p.lanes) == 1 {
		return search.Move{}, false
	}
	i := t.all[rng.IntN(len(t.all))]
	where := p.slots[i].lane
	if lanes := len(p.lanes); lanes > 1 {
		can := p.can[int(i)*lanes : int(i+1)*lanes]
		n := 0
		for _, ok := range can {
			if ok {
				n++
			}
		}
		n = rng.IntN(n)
		for c, ok := range can {
			if ok {
				if n--; n < 0 {
					where = int32(c)
					break
				}
			}
		}
	}
	places := len(p.lanes[where].jobs)
	if where != p.slots[i].lane {
		places++
	}
	return search.Move{What: i, Where: where, At: int32(rng.IntN(places))}, true
}

// position returns where a slot stands in the list of its lane.
func (t *tuner) position(i int32) int {
	if t.hopeless.words {
		return int(t.hopeless.place[i])
	}
	s := &t.p.slots[i]
	jobs := t.p.lanes[s.lane].jobs
	lo, hi := 0, len(jobs) // starts ascend: among equal ones, search
	if d := &t.lanes[s.lane]; d.plain && !t.copied {
		lo, hi = d.before(t.at[i]), 0
	}
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if t.p.slots[jobs[mid]].start < s.start {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for jobs[lo] != i {
		lo++
	}
	return lo
}

// Try makes the neighbour that a move leads to the candidate.
func (t *tuner) Try(m search.Move) search.Score {
	p := t.p
	s := &p.slots[m.What]
	if s.lane != m.Where {
		t.sync()
	}
	e := edit{slot: m.What, from: s.lane, fromAt: int32(t.position(m.What)), to: m.Where, toAt: m.At, before: s.length}
	t.clear()
	t.hopeless.from, t.hopeless.to = e.fromAt, e.toAt
	if e.from == e.to {
		if e.fromAt == e.toAt {
			return t.candidate()
		}
		shift(p.lanes[e.from].jobs, int(e.fromAt), int(e.toAt))
		t.edits = append(t.edits, e)
		lo, hi := min(e.fromAt, e.toAt), max(e.fromAt, e.toAt)
		if one := (span{int(e.from), int(lo), int(hi)}); t.joint {
			t.repairJoint([]span{one}, t.now)
		} else {
			t.repair(one, t.now, t.shifted(int(e.from), int(e.fromAt), int(e.toAt)))
		}
		return t.candidate()
	}
	from, to := &p.lanes[e.from], &p.lanes[e.to]
	from.jobs = slices.Delete(from.jobs, int(e.fromAt), int(e.fromAt)+1)
	to.jobs = slices.Insert(to.jobs, int(e.toAt), e.slot)
	t.edits = append(t.edits, e)
	left, gone := span{int(e.from), int(e.fromAt), int(e.fromAt) - 1}, s.start+s.length
	came := span{int(e.to), int(e.toAt), int(e.toAt)}
	if !t.joint {
		t.repair(left, gone, t.without(int(e.from), int(e.fromAt)))
	}
	if s.lane, s.length, s.fresh = e.to, p.space.Longest(to.Cluster, s.asked), true; t.joint {
		t.repairJoint([]span{left, came}, gone)
	} else {
		t.repair(came, t.now, t.with(int(e.to), int(e.toAt), e.slot))
	}
	return t.candidate()
}

// shift moves an element within a list.
func shift[T any](list []T, from, to int) {
	x := list[from]
	if from < to {
		copy(list[from:to], list[from+1:to+1])
	} else {
		copy(list[to+1:from+1], list[to:from])
	}
	list[to] = x
}

// clear forgets the candidate's differences.
func (t *tuner) clear() {
	for i := range t.edits {
		t.p.slots[t.edits[i].slot].fresh = false
	}
	t.changes, t.edits, t.parts = t.changes[:0], t.edits[:0], t.parts[:0]
	t.dWait, t.dSlow, t.dLate, t.copied = 0, 0, 0, false
	for c := range t.lanes {
		t.lanes[c].starts, t.lanes[c].from = t.lanes[c].starts[:0], 0
	}
	for i := range t.shares {
		t.shares[i].delta = 0
	}
}

// Keep makes the candidate the current solution.
func (t *tuner) Keep() {
	p := t.p
	for i := range t.changes {
		c := &t.changes[i]
		s := &p.slots[c.slot]
		s.start, s.slow = c.start, c.slow
		if l := &p.lanes[s.lane]; !l.Counted {
			p.parts[c.slot] = append(p.parts[c.slot][:0], t.parts[c.first:c.first+c.count]...)
		}
		p.lanes[s.lane].stale = true
	}
	for c := range t.lanes {
		t.keep(c)
	}
	for i := range t.edits {
		p.lanes[t.edits[i].from].stale = true
		p.lanes[t.edits[i].to].stale = true
	}
	if t.notes {
		for _, e := range t.edits {
			if t.copied {
				e.toAt = -1
			}
			t.trail = append(t.trail, e)
		}
	}
	t.wait += t.dWait
	t.slow += t.dSlow
	t.late += t.dLate
	for i := range t.shares {
		t.shares[i].wait += t.shares[i].delta
		t.shares[i].delta = 0
	}
	if t.moves != nil {
		t.moves.keep(t)
	}
	t.clear()
	t.hopeless.begin(p)
}

// Drop forgets the candidate.
func (t *tuner) Drop() {
	p := t.p
	t.hopeless.note()
	for k := len(t.edits) - 1; k >= 0; k-- {
		e := &t.edits[k]
		s := &p.slots[e.slot]
		s.lane, s.length = e.from, e.before
		if t.copied {
			continue
		}
		from, to := &p.lanes[e.from], &p.lanes[e.to]
		if e.from == e.to {
			shift(from.jobs, int(e.toAt), int(e.fromAt))
			continue
		}
		to.jobs = slices.Delete(to.jobs, int(e.toAt), int(e.toAt)+1)
		from.jobs = slices.Insert(from.jobs, int(e.fromAt), e.slot)
	}
	if t.copied {
		for c := range p.lanes {
			p.lanes[c].jobs = append(p.lanes[c].jobs[:0], t.order[c]...)
		}
	}
	t.clear()
}
