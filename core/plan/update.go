package plan

import (
	"slices"

	"batchlab/core/model"
)

// rebuild writes the profiles of a lane again: the calendar as far as it is
// known, what runs, and what is planned. Licences belong to no lane: they are
// rewritten for all.
func (p *Plan) rebuild(l *lane) {
	if p.needs == nil {
		p.space.Clear(l.Cluster)
		p.block(l)
		p.fill(l)
		return
	}
	p.space.Reset(p.now)
	for c := range p.lanes {
		p.block(&p.lanes[c])
	}
	for c := range p.lanes {
		p.fill(&p.lanes[c])
	}
}

// block takes what the calendar and reservations take of a lane.
func (p *Plan) block(l *lane) {
	l.stale = false
	p.each(p.now, func(c *model.CalendarEntry) { p.space.AwayOf(l.Cluster, c, p.now) })
	bookings := p.bookings.All()
	for i := range bookings {
		if b := &bookings[i]; b.Claim.Cluster == l.Cluster {
			p.space.Book(b.Need, b.Claim, b.From, b.To)
		}
	}
}

// each visits what is known of the calendar that has not ended.
func (p *Plan) each(now model.Time, visit func(*model.CalendarEntry)) {
	for i := range p.site.Platform.Calendar {
		if c := &p.site.Platform.Calendar[i]; c.To > now && (c.Kind != model.KindFailure || c.From <= now) {
			visit(c)
		}
	}
}

// away returns the processors that a calendar entry takes of a counted lane.
func (p *Plan) away(l *lane, c *model.CalendarEntry) int32 {
	switch {
	case len(c.Nodes) > 0 && slices.Contains(c.Nodes, l.Rank[0]):
		return l.Size
	case len(c.Nodes) > 0 || c.Cluster != l.Cluster:
		return 0
	}
	return c.Procs
}

// concerns says whether a calendar entry takes anything of a lane.
func (p *Plan) concerns(l *lane, e *model.CalendarEntry) bool {
	if l.Counted {
		return p.away(l, e) > 0
	}
	return slices.ContainsFunc(l.Rank, func(n int32) bool { return slices.Contains(e.Nodes, n) })
}

func (p *Plan) fill(l *lane) {
	for _, i := range l.running {
		p.book(i, p.now, -1)
	}
	for _, i := range l.jobs {
		if !p.beat(i) {
			return
		}
		p.book(i, p.slots[i].start, -1)
	}
}

// advance moves the plan to a time.
func (p *Plan) advance(now model.Time) {
	p.now = now
	p.space.Advance(now)
	for c := range p.lanes {
		l := &p.lanes[c]
		l.freed, l.early = max(now, l.early), 0
	}
}

// finish removes a job that no longer runs (algorithm 1, line 1).
func (p *Plan) finish(j model.JobID) {
	i := p.of[j]
	s := &p.slots[i]
	l := &p.lanes[s.lane]
	if end := s.start + s.length; end > p.now {
		if !l.stale {
			p.book(i, p.now, 1)
		}
		l.freed = max(l.freed, end)
	}
	l.running = remove(l.running, i)
	p.drop(i)
}

// remove takes an element out of an unordered list.
func remove(list []int32, i int32) []int32 {
	at := slices.Index(list, i)
	list[at] = list[len(list)-1]
	return list[:len(list)-1]
}

// compress moves jobs to earlier starts (algorithm 2). Where the order is kept,
// each job of a lane, in the order of its list, moves into the earliest slot
// that is free beside all others and not before the start of the job before it.
// No start ever moves later: a job holds what it has until it finds better.
func (p *Plan) compress() {
	freed := p.freed()
	if freed == p.now {
		return
	}
	p.tried = p.tried[:0]
	for c := range p.lanes {
		l := &p.lanes[c]
		if p.needs != nil { // a licence that came back may serve every lane
			l.freed = max(l.freed, freed)
		}
		if (l.freed > p.now || !l.Counted) && len(l.jobs) > 0 {
			if p.refresh(l); l.Counted && p.limits.None() && p.needs == nil && len(l.jobs) > p.single {
				p.compressCounts(l)
			} else {
				p.compressLane(l)
			}
		}
		if p.needs == nil || c == len(p.lanes)-1 {
			p.leave()
		}
	}
}

// freed returns before when something that has become free begins, on any lane;
// now if nothing has.
func (p *Plan) freed() model.Time {
	freed := p.now
	for c := range p.lanes {
		freed = max(freed, p.lanes[c].freed)
	}
	return freed
}

func (p *Plan) compressLane(l *lane) {
	before := p.now
	for _, i := range l.jobs {
		s := &p.slots[i]
		if l.Counted && before >= l.freed && p.needs == nil {
			return
		}
		was := s.start
		if was > before {
			if !p.beat(i) {
				return
			}
			p.earlier(i, before)
		}
		if before = s.start; !l.Counted || p.needs != nil {
			p.tried = append(p.tried, trial{i, was})
		}
	}
}

// trial is that a slot was to move to an earlier start.
type trial struct {
	slot int32
	was  model.Time // its start before
}

// leave notes for all who were tried what those tried after them have left. On
// interchangeable processors that is of no use to them: to start earlier they need
// what is free before their own start, and whoever is behind leaves nothing there. On
// named nodes a job may move to other nodes, on which one behind it has left room; and
// where lists share licences, who is tried after it may start before it.
func (p *Plan) leave() {
	left := model.Never
	for k := len(p.tried) - 1; k >= 0; k-- {
		s, was := &p.slots[p.tried[k].slot], p.tried[k].was
		if s.left = left; s.start < was {
			left = min(left, was)
		}
	}
	p.tried = p.tried[:0]
}

// earlier moves a slot to the earliest start from a time on that is free beside
// all others, on its own lane, and reports whether there is one before its own.
//
// A start that was not there when it was tried last lies before the end of what has
// become free since then, or else takes something of what those behind it have left.
func (p *Plan) earlier(i int32, from model.Time) bool {
	s := &p.slots[i]
	l := &p.lanes[s.lane]
	old, at, found := s.start, model.Time(0), false
	from = max(from, s.after)
	if l.Counted {
		until := l.freed
		if s.left < model.Never {
			until = old
		}
		at, found = l.Counts.FitBetween(s.procs, s.length, from, old, until)
	} else {
		total := l.Nodes.Total()
		at = total.FitBetween(s.procs, s.length, from, old)
		if at >= l.freed && at < old {
			at = old
			if s.left < model.Never {
				at = total.FitBetween(s.procs, s.length, max(from, s.left-s.length+1), old)
			}
		}
		found = at < old
	}
	if !found {
		return false
	}
	if l.Counted && !p.limited(i, l) {
		end := at + s.length
		l.Counts.Add(at, min(old, end), -s.procs)
		l.Counts.Add(max(old, end), old+s.length, s.procs)
		s.start = at
		l.freed = max(l.freed, old+s.length)
		return true
	}
	p.book(i, old, 1)
	at, parts, ok := p.fit(i, s.lane, s.length, at, old, p.scratch)
	if p.scratch = parts[:0]; ok {
		s.start = at
		p.vacate(i, old+s.length)
		if !l.Counted {
			p.parts[i] = append(p.parts[i][:0], parts...)
		}
	}
	p.book(i, s.start, -1)
	return ok
}

// vacate notes that a slot leaves what it held until an end: on its lane, and, with
// licences, on all.
func (p *Plan) vacate(i int32, end model.Time) {
	if p.needs != nil && len(p.needs[i]) > 0 {
		for c := range p.lanes {
			p.lanes[c].freed = max(p.lanes[c].freed, end)
		}
		return
	}
	l := &p.lanes[p.slots[i].lane]
	l.freed = max(l.freed, end)
}

// replan is the compression of conservative backfilling (rule 9): all waiting
// jobs, in order of planned start, then submission (newest: the newest first),
// each at its earliest fit on any cluster; none moves later.
func (p *Plan) replan(newest bool) {
	if !p.loosened() {
		return
	}
	if len(p.lanes) > 1 || p.loose || newest {
		sortBy(p.all, func(a, b int32) bool {
			x, y := &p.slots[a], &p.slots[b]
			return x.start < y.start || x.start == y.start && x.job < y.job != newest
		})
	}
	moved := p.loose // then the lists are to be sorted, too
	p.loose = false
	p.kinds.Begin()
	p.tried = p.tried[:0]
	for _, i := range p.all {
		s := &p.slots[i]
		if s.start <= p.now {
			continue
		}
		if !p.beat(i) {
			return
		}
		l, was := &p.lanes[s.lane], s.start
		if !l.Counted || s.after > 0 || p.limited(i, l) {
			moved = p.improve(i, p.now) || moved
		} else {
			since := p.kinds.Since(&s.kind, s.lane, s.procs, s.length, p.now)
			lane, from := s.lane, *since
			if len(p.lanes) == 1 {
				if from >= s.start {
					continue
				}
				moved = from < l.freed && p.earlier(i, from) || moved // of most kinds nothing is to be found any more
				*since = s.start
			} else if moved = p.improve(i, from) || moved; s.lane == lane {
				*since = s.start
			}
		}
		if !l.Counted || !p.lanes[s.lane].Counted {
			p.tried = append(p.tried, trial{i, was})
		}
	}
	p.leave()
	if moved {
		p.relist()
	}
}

// loosened says whether something has become free, and if so puts all that waits
// into p.all.
func (p *Plan) loosened() bool {
	freed := p.freed()
	if freed == p.now {
		return false
	}
	p.all = p.all[:0]
	for c := range p.lanes {
		l := &p.lanes[c]
		if len(p.lanes) > 1 || p.needs != nil {
			l.freed = freed
		}
		p.refresh(l)
		p.all = append(p.all, l.jobs...)
	}
	return true
}

// improve moves a slot to its earliest fit on any cluster beside all others, if
// that is before its start, and reports whether it was. On its own cluster there is
// none before from.
func (p *Plan) improve(i int32, from model.Time) bool {
	s := &p.slots[i]
	l := &p.lanes[s.lane]
	moved := from < s.start && (from < l.freed || !l.Counted && s.left < model.Never) && p.earlier(i, from)
	// Licences belong to no cluster: what the slot itself holds of them is not to
	// stand in its way on another one.
	licensed := p.needs != nil && len(p.needs[i]) > 0
	for c := range p.lanes {
		if int32(c) == s.lane || !p.can[int(i)*len(p.lanes)+c] {
			continue
		}
		if licensed {
			p.book(i, s.start, 1)
		}
		takes := p.space.Longest(int32(c), s.asked)
		at, parts, ok := p.fit(i, int32(c), takes, p.now, s.start, p.scratch)
		p.scratch = parts[:0]
		switch {
		case !ok && licensed:
			p.book(i, s.start, -1)
			continue
		case !ok:
			continue
		case !licensed:
			p.book(i, s.start, 1)
		}
		for k := range p.lanes {
			p.lanes[k].freed = max(p.lanes[k].freed, s.start+s.length)
		}
		s.lane, s.start, s.length = int32(c), at, takes
		p.parts[i] = append(p.parts[i][:0], parts...)
		p.book(i, s.start, -1)
		moved = true
	}
	return moved
}

// relist writes the job lists again for the slots of p.all.
func (p *Plan) relist() {
	for c := range p.lanes {
		p.lanes[c].jobs = p.lanes[c].jobs[:0]
	}
	if len(p.lanes) > 1 {
		p.byStart(p.all)
	} else {
		p.nearly(p.all)
	}
	for _, i := range p.all {
		l := &p.lanes[p.slots[i].lane]
		l.jobs = append(l.jobs, i)
	}
}

// nearly is byStart of a list of which most stands in order: jobs have moved to
// the left.
func (p *Plan) nearly(list []int32) {
	last := &slot{start: -model.Never}
	for n, i := range list {
		s := &p.slots[i]
		if !s.stands(last) {
			last = s
			continue
		}
		k := n
		for ; k > 0 && s.stands(&p.slots[list[k-1]]); k-- {
			list[k] = list[k-1]
		}
		list[k] = i
	}
}

// stands says whether a slot stands in front of another by start, then job.
func (s *slot) stands(o *slot) bool { return s.start < o.start || s.start == o.start && s.job < o.job }

// disrupt adjusts the plan to failures that have begun: jobs whose nodes are
// gone when they were to run, or taken by reservations that have come at the same
// time, get a new place, in the order of their starts; all others stay, in the order
// of their lists.
func (p *Plan) disrupt() {
	lists := make([][]int32, len(p.lanes))
	for c := range lists {
		lists[c] = slices.Clone(p.lanes[c].jobs)
	}
	p.lift()
	var moved []int32
	for _, i := range p.all {
		s := &p.slots[i]
		if !p.beat(i) {
			return
		}
		if p.holds(i) {
			p.book(i, s.start, -1)
		} else {
			moved = append(moved, i)
			l := &p.lanes[s.lane]
			l.freed = max(l.freed, s.start+s.length)
			s.lane = -1
		}
	}
	for c := range lists {
		p.lanes[c].jobs = slices.DeleteFunc(lists[c], func(i int32) bool { return p.slots[i].lane < 0 })
	}
	for _, i := range moved {
		if !p.beat(i) {
			return
		}
		p.backfill(i)
	}
}

// lift takes all that waits out of the plan, into p.all in the order of planned
// starts, and writes the profiles of what is left again.
func (p *Plan) lift() {
	p.all = p.all[:0]
	for c := range p.lanes {
		l := &p.lanes[c]
		p.all = append(p.all, l.jobs...)
		l.jobs, l.stale = l.jobs[:0], true
	}
	p.byStart(p.all)
	for c := range p.lanes {
		p.refresh(&p.lanes[c])
	}
}

// holds says whether a slot, which the profiles do not hold, could stay where
// it is planned.
func (p *Plan) holds(i int32) bool {
	s := &p.slots[i]
	l := &p.lanes[s.lane]
	end := s.start + s.length
	if p.limited(i, l) && p.space.Allowed(&p.asks[s.job], s.lane, s.length, s.start) != s.start {
		return false
	}
	if l.Counted {
		return l.Counts.Least(s.start, end) >= s.procs
	}
	return l.Nodes.Held(p.wants[int(i)*len(p.lanes)+int(s.lane)], p.parts[i], s.start, end)
}

// claim returns where a slot runs.
func (p *Plan) claim(i int32) model.Claim {
	s := &p.slots[i]
	l := &p.lanes[s.lane]
	if l.Counted {
		return l.Claim([]model.Part{{Procs: s.procs}})
	}
	return l.Claim(p.parts[i])
}

// mem returns the memory that a slot holds on all its nodes.
func (p *Plan) mem(i int32) int64 {
	s := &p.slots[i]
	if p.lanes[s.lane].Counted {
		return 0
	}
	return p.wants[int(i)*len(p.lanes)+int(s.lane)].Each.Mem * int64(len(p.parts[i]))
}

// take moves the first job of a lane among those that run.
func (p *Plan) take(l *lane) int32 {
	i := l.jobs[0]
	l.jobs = l.jobs[:copy(l.jobs, l.jobs[1:])]
	l.running = append(l.running, i)
	p.slots[i].runs = true
	return i
}
