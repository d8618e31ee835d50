//go:build !small

package policy

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/sim"
	"batchlab/core/slurm"
)

// Of a second in which passes and cycles come when a log says so the order counts: what
// ends, comes and runs within it follows each other as the log's fractions of a second
// have it. The engine's times stay whole seconds, as Slurm's own are.

// SlurmGiven is what a log of slurmctld tells of a run. Its milliseconds are counted from any
// time, Shift seconds before the workload's.
type SlurmGiven struct {
	Ticks []Tick // passes and cycles, in order
	// Submits, Took and Epilogs are by numbers of jobs: the millisecond at which each came,
	// how many milliseconds it took from the pass that started it to its
	// end, and the milliseconds at which its nodes were free.
	Submits map[int64]int64
	Took    map[int64]int64
	Epilogs map[int64][]int64
	// Ends are the milliseconds at which jobs ended of which no number is known, in order.
	Ends []int64
	// Asked is what jobs have asked for, by number, where the workload says less.
	Asked map[int64]SlurmAsked
	// Priced is when priorities were computed first, in milliseconds.
	Priced int64
	// Epoch is when the workload's time 0 is, in Unix seconds; 0: not known. Slurm's plans
	// begin at multiples of bf_resolution of those.
	Epoch int64
	Shift model.Time
}

// SlurmAsked is what a job has asked for.
type SlurmAsked struct {
	ID    int64      // by which it stands in the queue: of tasks that of their array
	Task  int        // −1: none
	Limit model.Time // 0: as the workload has it
	Ask   *slurm.Ask // nil: as the workload has it
}

// give gives a job what it has asked for.
func (a *SlurmAsked) give(job *slurm.Job, done model.Time) {
	job.ID, job.Task = a.ID, a.Task
	if a.Limit > 0 {
		job.Limit = int64(a.Limit - done)
	}
	of := a.Ask
	if of == nil {
		return
	}
	if of.Nodes > 0 || of.Tasks > 0 {
		job.MinNodes, job.MaxNodes, job.Tasks, job.PerTask = max(of.Nodes, 1), of.Nodes, max(of.Tasks, of.Nodes, 1), max(of.PerTask, 1)
	}
	if job.MemNode = of.MemNode; of.MemNode > 0 {
		job.MemNode <<= 20
	}
	job.MemCPU, job.GPUs, job.Nice, job.Whole, job.MinLimit = of.MemCPU<<20, of.GPUs, of.Nice, of.Whole, of.MinLimit
}

// Nodes are free so many milliseconds after a job's end where no log says when: a job that
// ended by itself, and one that was stopped. They are the middle of what logs have.
const (
	slurmEpilog = 17
	slurmKilled = 150
	// slurmLate is how long after an end its epilog is looked for, in milliseconds.
	slurmLate = 2000
)

// slurmMoment is what happens at a millisecond.
type slurmMoment struct {
	at   int64
	kind uint8
	job  *slurm.Job
	new  model.JobID
	tick TickKind
}

// Kinds of moments, those of one millisecond in this order.
const (
	momentEnd uint8 = iota
	momentEpilog
	momentNew
	momentTick
	momentPrices
)

// slurmGiven is the state of a controller whose loops run when a log says so.
type slurmGiven struct {
	shift int64         // milliseconds from the log's time to the workload's
	began []int64       // by JobID: when it was started, in milliseconds
	ends  []int64       // of SlurmGiven, to come
	rank  map[int64]int // by SlurmAsked.ID: which of all to come it was
	late  []slurmMoment
	price int64 // next, in milliseconds
}

// tell begins with what a log tells.
func (s *Slurm) tell(v *sim.View) {
	given := s.Given
	if given == nil {
		return
	}
	s.told = slurmGiven{shift: int64(given.Shift) * 1000, began: make([]int64, len(v.Jobs)), ends: given.Ends}
	s.told.price = given.Priced + s.told.shift
	s.told.ranks(given)
	for _, t := range given.Ticks {
		t.At += given.Shift
		s.clock.given = append(s.clock.given, t)
	}
}

// ranks puts all jobs in the order in which they came: those that wait for others were in
// the queue before they are in the engine's, and the tasks of an array are one.
func (g *slurmGiven) ranks(given *SlurmGiven) {
	g.rank = map[int64]int{}
	at := map[int64]int64{}
	for number, a := range given.Asked {
		if came, ok := given.Submits[number]; ok {
			at[a.ID] = came
		}
	}
	var list []int64
	for id := range at {
		list = append(list, id)
	}
	slices.SortFunc(list, func(a, b int64) int { return cmp.Or(cmp.Compare(at[a], at[b]), cmp.Compare(a, b)) })
	for i, id := range list {
		g.rank[id] = i
	}
}

// decideGiven is decide while there are instants to come.
func (s *Slurm) decideGiven(v *sim.View, out []sim.Decision) []sim.Decision {
	g := &s.told
	s.view, s.out, s.copied = v, out, -model.Never
	s.clock.begin(v.Now)
	s.ground.calendar(v, s.c)
	if v.Due != nil {
		s.reject(v)
	}
	first := int64(v.Now) * 1000
	list := g.late
	g.late = nil
	for _, j := range v.Ended {
		if job := s.jobs[j]; job != nil && job.State == slurm.Running {
			s.c.Spare(job, int64(v.Now))
			list = append(list, slurmMoment{at: s.ended(v, j), kind: momentEnd, job: job})
		}
	}
	last := first
	for i := range list {
		if m := &list[i]; m.kind == momentEnd {
			last = max(last, s.epilog(v, m.job, m.at, slurmEpilog))
		}
	}
	for _, j := range v.Back {
		if job := s.jobs[j]; job != nil && job.State == slurm.Running {
			s.leave(j, slurm.Preempted, int64(v.Now))
		}
		s.submit(v, j)
	}
	for _, j := range s.told.inOrder(v, s.Given) {
		m := slurmMoment{at: first, kind: momentNew, new: j}
		if at, ok := s.Given.Submits[v.Jobs[j].Number]; ok && at+g.shift < first+1000 && at+g.shift >= first-1000 {
			m.at = max(at+g.shift, first)
		} else if len(v.Ended) > 0 { // it has waited for one of them
			m.at = last
		}
		list = append(list, m)
	}
	k := &s.clock
	for ; len(k.given) > 0 && k.given[0].At <= v.Now; k.given = k.given[1:] {
		if t := &k.given[0]; t.At == v.Now { // no job waited at those before
			list = append(list, slurmMoment{at: first + int64(t.Milli), kind: momentTick, tick: t.What})
		}
	}
	for ; s.Params.Multifactor && g.price < first+1000; g.price += max(s.Params.CalcPeriod, 1) * 1000 {
		list = append(list, slurmMoment{at: g.price, kind: momentPrices})
	}
	for len(list) > 0 {
		next := 0
		for i := range list {
			if cmp.Or(cmp.Compare(list[i].at, list[next].at), cmp.Compare(list[i].kind, list[next].kind)) < 0 {
				next = i
			}
		}
		m := list[next]
		if list = slices.Delete(list, next, next+1); m.at >= first+1000 {
			g.late = append(g.late, m)
			continue
		}
		list = s.happens(v, &m, list)
	}
	if len(k.given) == 0 { // from now on by their own clocks
		k.given, k.priced = nil, model.Time((g.price-s.Params.CalcPeriod*1000)/1000)
		k.ask(v.Now)
	}
	return s.out
}

// inOrder are the jobs that come now, the tasks of an array as they stand in it.
func (g *slurmGiven) inOrder(v *sim.View, given *SlurmGiven) []model.JobID {
	list := slices.Clone(v.New)
	slices.SortStableFunc(list, func(a, b model.JobID) int {
		x, y := given.Asked[v.Jobs[a].Number], given.Asked[v.Jobs[b].Number]
		return cmp.Or(cmp.Compare(x.ID, y.ID), cmp.Compare(x.Task, y.Task))
	})
	return list
}

// throttled says whether as many tasks of a job's array run as may.
func (s *Slurm) throttled(job *slurm.Job) bool {
	if s.Given == nil || job.Task < 0 {
		return false
	}
	a := s.Given.Asked[s.view.Jobs[job.Tag].Number]
	if a.Ask == nil || a.Ask.Throttle == 0 {
		return false
	}
	runs := int32(0)
	for _, o := range s.c.Active {
		if o.Task >= 0 && o.ID == job.ID {
			runs++
		}
	}
	return runs >= a.Ask.Throttle
}

// happens does what comes at a moment, and adds what follows from it.
func (s *Slurm) happens(v *sim.View, m *slurmMoment, list []slurmMoment) []slurmMoment {
	now := floorDiv(m.at, 1000)
	switch m.kind {
	case momentEnd:
		s.c.End(m.job, slurm.Completed, 0, now)
		s.goOn(v)
		return append(list, slurmMoment{at: s.epilog(v, m.job, m.at, slurmEpilog), kind: momentEpilog, job: m.job})
	case momentEpilog:
		s.c.Epilog(m.job)
		if j := model.JobID(m.job.Tag); s.jobs[j] == m.job {
			s.c.Forget(m.job)
			s.jobs[j] = nil
		}
	case momentNew:
		s.submit(v, m.new)
	case momentPrices:
		last := max(0, now-max(s.Params.CalcPeriod, 1))
		s.c.Recalculate(now, last)
	case momentTick:
		if m.tick == TickBackfill {
			s.cycle(v.Now)
			if v.Facts != nil {
				s.sayCycle(v, v.Now, s.started)
			}
		} else {
			s.c.Main(int64(v.Now), m.tick == TickFull)
			if v.Facts != nil {
				s.sayMain(v, m.tick == TickFull, false)
			}
		}
		for _, j := range s.started {
			s.told.began[j] = m.at
		}
		gone := slices.Clone(s.c.Preempted)
		s.start(v)
		s.room.gone = s.room.gone[:0]
		for _, job := range gone {
			list = append(list, slurmMoment{at: s.epilog(v, job, m.at, slurmKilled), kind: momentEpilog, job: job})
		}
	}
	return list
}

// floorDiv is a quotient rounded down.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && a < 0 {
		q--
	}
	return q
}

// ended is when a job has ended that ends in this second: as long after its start as it
// took, as far as that lies in it.
func (s *Slurm) ended(v *sim.View, j model.JobID) int64 {
	first := int64(v.Now) * 1000
	if took, ok := s.Given.Took[v.Jobs[j].Number]; ok && s.told.began[j] > 0 {
		return min(max(s.told.began[j]+took, first), first+999)
	}
	g := &s.told
	for len(g.ends) > 0 && g.ends[0]+g.shift < first {
		g.ends = g.ends[1:]
	}
	if len(g.ends) > 0 && g.ends[0]+g.shift < first+1000 {
		g.ends = g.ends[1:]
		return s.Given.Ends[len(s.Given.Ends)-len(g.ends)-1] + g.shift
	}
	return first
}

// epilog is when the nodes of a job are free that has ended.
func (s *Slurm) epilog(v *sim.View, job *slurm.Job, at, after int64) int64 {
	for _, t := range s.Given.Epilogs[v.Jobs[job.Tag].Number] {
		if t += s.told.shift; t >= at && t < at+slurmLate {
			return t
		}
	}
	if len(s.Given.Took)+len(s.Given.Ends) == 0 { // no fraction of an end is known
		return at
	}
	return at + after
}
