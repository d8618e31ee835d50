//go:build !small

package policy

import (
	"fmt"
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/resource"
	"batchlab/core/sim"
	"batchlab/core/slurm"
)

// Slurm is what a Slurm controller decides (package slurm), as a scheduler like any
// other: its loops wake by their own clocks, in whole seconds.
//
// A cluster of nodes is Slurm's nodes. Of a cluster of interchangeable processors each
// is a node with one CPU. Each partition of the platform, and the rest of the machine,
// is one of Slurm's for each cluster, and a job names all that can serve it, so that it
// lies within one cluster. What the calendar and advance reservations take are Slurm's
// reservations of whole nodes; licences and limits are asked of the site as a job is
// looked at: one that lacks them is passed over and blocks nobody. Requested times are
// enforced to the second.
//
// Passes and cycles in which nothing could start are passed over, which changes
// nothing: see Wake. The zero value is not ready: Params have to be set.
type Slurm struct {
	Params slurm.Params
	// Phase says how many seconds before the first instant the loops ran last; -1: it is
	// drawn for each repetition. Nobody chooses it in a real one.
	Phase model.Time
	// Gap is the least time between two passes of the main loop (sched_min_interval).
	Gap model.Time
	// Every lets every pass and cycle come, also those in which nothing can start.
	Every bool
	// Watched lets passes and cycles come that are passed over else, as far as it takes to
	// say at every instant what is planned and why each job waits. It changes no start.
	Watched bool
	// Given says at which instants passes and cycles come; nil: by their own clocks.
	Given *SlurmGiven

	seed       uint64
	repetition int

	c       *slurm.Controller
	ground  slurmGround
	jobs    []*slurm.Job // by JobID: that wait or run; nil: none
	free    *resource.Pool
	copied  model.Time // when free was made what it is
	view    *sim.View
	clock   slurmClock
	out     []sim.Decision
	started []model.JobID
	room    slurmRoom
	told    slurmGiven
	plans   []slurmPlan // of the last cycle, where Watched
	before  []slurmPlan // of the one before
	dry     bool        // a cycle is made up for: nobody can start
	due     bool        // a waiting job is turned down after its due time
}

// Tick is a pass or a cycle that comes at a given time.
type Tick struct {
	At    model.Time
	Milli int32 // of the second
	What  TickKind
}

// TickKind is what comes.
type TickKind uint8

// What may come at a given time.
const (
	TickMain TickKind = iota // a pass of the main loop, of default_queue_depth
	TickFull                 // a pass over the whole queue
	TickBackfill
)

var _ sim.Planner = (*Slurm)(nil)

// Seed gives the experiment's seed and the repetition of the next simulation.
func (s *Slurm) Seed(seed uint64, repetition int) { s.seed, s.repetition = seed, repetition }

// Reset prepares for a new simulation.
func (s *Slurm) Reset(v *sim.View) {
	s.c, s.clock, s.plans, s.before, s.view, s.room, s.due = nil, slurmClock{}, nil, nil, v, slurmRoom{}, false
	if s.large(v) || s.unsuspended(v) {
		return
	}
	cluster := &slurm.Cluster{Params: s.Params}
	cluster.Params.EnforceLimits = false // the site counts them
	cluster.Params.PreemptExempt = max(s.Params.PreemptExempt, 1)
	if s.Given != nil {
		cluster.Params.Epoch = s.Given.Epoch
	}
	s.ground.reset(v, cluster)
	s.c = slurm.New(cluster)
	s.c.Steady = s.ground.still && !s.Every
	s.Bind()
	s.jobs = make([]*slurm.Job, len(v.Jobs))
	s.free, s.copied = v.Site.NewPool(), -model.Never
	phase := s.Phase
	if phase < 0 {
		phase = model.Time(model.Stream(s.seed, "slurm/phase", s.repetition).Int64N(slurmPhases))
	}
	s.clock = slurmClock{par: s.c.Params, gap: s.Gap, phase: phase}
	s.tell(v)
}

// MaxSlurmNodes is the most nodes that Slurm is asked to rule here, each processor that is
// only counted being one: its map has a bit for each of them in every slot.
const MaxSlurmNodes = 1 << 20

// large says whether the scheduler's machine has too many nodes, and ends the simulation.
func (s *Slurm) large(v *sim.View) bool {
	nodes := int64(0)
	for i := range v.Site.Nodes {
		n := &v.Site.Nodes[i]
		switch {
		case v.Only > 0 && v.Only-1 != n.Cluster:
		case v.Site.Platform.Clusters[n.Cluster].Packing == model.PackProcessors:
			nodes += int64(n.Procs)
		default:
			nodes++
		}
	}
	if nodes > MaxSlurmNodes {
		v.Fault = fmt.Errorf("slurm: its map holds %d nodes at most, of which each processor that is only counted is one: there are %d", MaxSlurmNodes, nodes)
	}
	return nodes > MaxSlurmNodes
}

// Bind binds the controller's questions to this scheduler (snapshot.Binder).
func (s *Slurm) Bind() {
	if s.c != nil {
		s.c.Allow, s.c.Grant = s.allow, s.grant
		if s.Watched {
			s.c.Tell = s.hear
		}
	}
}

// slurmPriceSteps is about what new priorities cost beside those of jobs and accounts, for
// sim.Pulse.
const slurmPriceSteps = 4

// slurmPhases is how many seconds a phase is drawn from: after as many all loops of the
// default settings stand as they stood.
const slurmPhases = 300

// Decide takes over what has happened and runs the loops whose time has come.
func (s *Slurm) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if s.clock.given != nil {
		out = s.decideGiven(v, out)
	} else {
		out = s.decide(v, out)
	}
	if s.Watched && !s.ground.plain {
		s.pool() // for a cycle that is made up for
	}
	return out
}

func (s *Slurm) decide(v *sim.View, out []sim.Decision) []sim.Decision {
	now, every := int64(v.Now), s.every()
	s.view, s.out, s.copied = v, out, -model.Never
	k := &s.clock
	k.begin(v.Now)
	for _, m := range s.told.late { // of the last instants of a log
		s.happens(v, &m, nil)
	}
	s.told.late = nil
	for {
		if !s.Params.Multifactor || len(s.c.Active)+len(s.c.Waiting) == 0 && s.c.Settled() {
			k.jump(v.Now)
		}
		at, last, ok := k.recalculate(v.Now)
		if !ok || !v.Pulse.Beat(slurmPriceSteps+len(s.c.Assocs)+len(s.c.Waiting)) {
			break
		}
		s.passedOver(v, at)
		s.c.Recalculate(int64(at), int64(last))
		if s.Params.Multifactor && len(s.c.Waiting) > 0 {
			k.dirty, k.valid = true, 0
		}
	}
	s.passedOver(v, model.Never)
	k.skip(v.Now)
	at := false // a job's end runs the main loop at once
	for _, j := range v.Ended {
		if s.leave(j, slurm.Completed, now) {
			at = k.epilog() || at
		}
	}
	for _, j := range v.Back {
		if s.leave(j, slurm.Preempted, now) {
			at = k.epilog() || at
		}
	}
	if s.released(v.Now) {
		at = k.epilog() || at
	}
	if s.ground.calendar(v, s.c) {
		k.ask(v.Now)
	}
	k.dirty = k.dirty || len(s.c.Reserved) > 0
	s.goOn(v)
	for _, j := range v.Back {
		s.submit(v, j)
	}
	for _, j := range v.New {
		s.submit(v, j)
	}
	if v.Due != nil {
		s.reject(v)
	}
	if len(s.c.Waiting) == 0 {
		k.over(v.Now)
		return s.out
	}
	open := every || s.Watched || s.open()
	if full, due := k.main(v.Now, at); due && (open && k.dirty || every) {
		s.c.Main(now, full)
		k.dirty = s.c.Cut || s.awaits(v.Now)
		if v.Facts != nil {
			s.sayMain(v, full, at)
		}
		if len(s.started) > 0 {
			k.valid = 0
		}
		s.start(v)
	}
	if k.cycle(v.Now) && !s.Params.Builtin && (every || (s.Watched || s.open()) && v.Now >= k.valid) {
		k.valid, k.ran = 0, v.Now
		if s.cycle(v.Now) > 0 {
			k.dirty = true
		} else if s.ground.still && !s.Every {
			k.valid = model.Time(s.c.Valid)
		}
		k.cycled = true
		if v.Facts != nil {
			s.sayCycle(v, v.Now, s.started)
		}
		s.start(v)
	}
	return s.out
}

// open says whether any job could start, as far as a number says: else no loop does
// anything before something happens.
func (s *Slurm) open() bool { return s.c.Opens() }

// Wake returns when a pass or a cycle comes in which a job may start. A pass of the main
// loop finds what the last one found unless something has happened since: it knows no
// time but that of reservations (awaits). A cycle goes by the time, and is
// passed over only where no job would fit even if nobody had a plan.
func (s *Slurm) Wake() model.Time {
	k, every := &s.clock, s.every()
	open := every || s.open()
	if len(s.room.gone) > 0 {
		return k.now + 1
	}
	switch {
	case !k.begun || len(s.c.Waiting) == 0:
		return model.Never
	case k.given != nil:
		return k.nextGiven()
	case every:
		if len(s.c.Active) == 0 && len(s.c.Reserved) == 0 && !k.dirty && k.cycled {
			return model.Never
		}
		return min(k.nextMain(true), k.nextCycle(s.Params.Builtin))
	case len(s.c.Waiting) == 0 || !open && !s.Watched:
		return model.Never
	}
	wake := model.Never
	if k.dirty || s.Params.Multifactor && open {
		wake = k.nextMain(k.dirty)
	}
	if !open && k.cycled { // what comes until something happens changes nothing but plans: see passedOver
		return wake
	}
	if len(s.c.Active) > 0 || len(s.c.Reserved) > 0 || k.dirty || !k.cycled {
		wake = min(wake, k.nextCycle(s.Params.Builtin))
	} else if !k.dirty {
		return model.Never // it is the same at every cycle: the engine says that nothing starts
	}
	return wake
}

// Cycles says when cycles of the backfill loop came in the last simulation: at one time,
// and every so many seconds before and after it; nil where there are none, or where a log
// says when they came.
func (s *Slurm) Cycles() []model.Time {
	if s.Given != nil || s.Params.Builtin || s.Params.BFInterval <= 0 {
		return nil
	}
	return []model.Time{s.clock.lastCycle(s.clock.first), model.Time(s.Params.BFInterval)}
}

// every says whether every pass and cycle is to come: also while a job waits whose
// promises are kept.
func (s *Slurm) every() bool {
	if s.Every || s.c == nil || s.view == nil || s.view.Record == nil || s.view.Record.Follow == nil {
		return s.Every
	}
	return slices.ContainsFunc(s.c.Waiting, func(j *slurm.Job) bool { return s.view.Jobs[j.Tag].Number == *s.view.Record.Follow })
}

// submit puts a job into the queue.
func (s *Slurm) submit(v *sim.View, j model.JobID) {
	job := s.ground.job(v, s.c, j)
	if s.Given != nil {
		if a, ok := s.Given.Asked[v.Jobs[j].Number]; ok {
			a.give(job, v.Done[j])
		}
	}
	s.jobs[j] = job
	s.c.Submit(job, int64(v.Now))
	if rank, ok := s.told.rank[job.ID]; ok && !s.Params.Multifactor {
		for i := range job.Priority {
			job.Priority[i] = float64(1<<32 - 1 - 1<<16 - rank)
		}
	}
	s.clock.ask(v.Now)
}

// leave takes a job that has run out of the controller's hands, and says whether it was
// there.
func (s *Slurm) leave(j model.JobID, state slurm.State, now int64) bool {
	job := s.jobs[j]
	if job == nil || job.State != slurm.Running {
		return false
	}
	exit := 0
	if state != slurm.Completed {
		exit = 1
	}
	s.c.End(job, state, exit, now)
	s.c.Epilog(job)
	s.c.Forget(job)
	s.jobs[j] = nil
	return true
}

// reject gives up jobs whose due time has come.
func (s *Slurm) reject(v *sim.View) {
	s.due = false
	for _, job := range slices.Clone(s.c.Waiting) {
		if j := model.JobID(job.Tag); v.Kills(j) && v.Due[j] <= v.Now {
			s.c.Cancel(job, int64(v.Now))
			s.c.Forget(job)
			s.jobs[j] = nil
			s.out = append(s.out, sim.Decision{Verb: sim.Reject, Job: j})
			s.clock.ask(v.Now) // it may have been in the way
		} else if v.Kills(j) {
			s.due = true
		}
	}
	s.rejectStill(v)
}

// pool is what is free beside what this instant has started.
func (s *Slurm) pool() *resource.Pool {
	if s.copied != s.view.Now {
		s.free.CopyFrom(s.view.Free)
		s.copied = s.view.Now
	}
	return s.free
}

// allow asks the site for licences and limits.
func (s *Slurm) allow(job *slurm.Job, part int) slurm.Reason {
	if s.throttled(job) {
		return slurm.ReasonArrayLimit
	}
	if s.ground.plain {
		return slurm.NoReason
	}
	if s.dry && (job.Reason == slurm.ReasonLimit || job.Reason == slurm.ReasonLicences) {
		return job.Reason
	}
	need, pool := &s.view.Needs[job.Tag], s.pool()
	switch i := pool.Short(need); {
	case i >= 0 && s.view.Site.Platform.Licences[need.Licences[i].Licence].Quotes():
		return slurm.ReasonLimit
	case i >= 0:
		return slurm.ReasonLicences
	case !pool.Within(need, s.ground.parts[part].cluster, need.Procs):
		return slurm.ReasonLimit
	}
	return slurm.NoReason
}

// grant asks the site whether a job can have what was chosen for it, until it must have
// ended, and takes it.
func (s *Slurm) grant(job *slurm.Job, part int, nodes, cpus []int32) bool {
	if s.dry {
		return false
	}
	v, j := s.view, model.JobID(job.Tag)
	need := &v.Needs[j]
	claim, ok := s.ground.claim(need, part, nodes, cpus)
	if !ok {
		return false
	}
	back := s.yield(v)
	if !s.ground.plain || v.Space != nil {
		end := v.Ends(j, claim)
		if end <= v.Now || !s.pool().Holds(need, claim) || v.Space != nil && !v.Space.Holds(need, claim, v.Now, end) {
			back()
			return false
		}
		if v.Space != nil {
			v.Space.Book(need, claim, v.Now, end)
		}
		s.free.Take(need, claim)
	}
	s.suspend(v)
	s.out = append(s.out, sim.Decision{Job: j, Claim: claim})
	s.started = append(s.started, j)
	return true
}

// start notes what a loop has started.
func (s *Slurm) start(v *sim.View) {
	for _, j := range s.started {
		job := s.jobs[j]
		at := slices.IndexFunc(s.out, func(d sim.Decision) bool { return d.Verb == sim.Start && d.Job == j })
		if s.Given == nil || s.Given.Asked[v.Jobs[j].Number].Limit == 0 {
			s.c.SetEnds(job, int64(v.Ends(j, s.out[at].Claim)))
		}
		if v.Record != nil {
			why := report.StartedInOrder
			if s.c.Passed(job) {
				why = report.BackfilledBeforeShadow
			}
			v.Record.Decide(j, why)
		}
	}
	s.started = s.started[:0]
	s.stop(v)
}
