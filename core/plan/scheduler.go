package plan

import (
	"math/rand/v2"
	"slices"

	"batchlab/core/ledger"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// Options say how a Scheduler plans. The zero value is a plan that is kept
// compressed and never optimised.
type Options struct {
	// Replan compresses as conservative backfilling does (rule 9) instead of
	// keeping the order of the plan.
	Replan bool
	// Order, with Replan, is the order in which waiting jobs are placed again and
	// arrivals placed. nil: by planned start, arrivals by submission; then Newest
	// says that ties go to the job submitted last.
	Order  Order
	Newest bool

	// Depth is how many waiting jobs, in order of submission, are planned; the others
	// wait until one of these has started. 0: all.
	Depth int

	// Foretold lets jobs stand in the plan for as long as View.Book foretells, and
	// plans be judged by it, instead of by their requests.
	Foretold bool

	Optimiser  search.Optimiser // nil: none
	Iterations int              // of the optimiser, a call
	Interval   model.Time       // least seconds of simulated time between two calls
	Weights    search.Weights   // of mean wait, mean bounded slowdown and fairness
	Tau        model.Time       // of the bounded slowdown, seconds; at least 1
	Objective  Objective

	// Guarded bounds how far the optimiser may move a job's planned start behind the
	// first one that was planned for it, to Guard seconds. Failures and reservations
	// may still move it.
	Guarded bool
	Guard   model.Time

	// Cycle is after how many seconds of simulated time since the last call the
	// optimiser is called even if nothing else happens, while jobs wait. It makes
	// instants of its own (rule 4: a declared period). 0: never.
	Cycle model.Time

	// Budget stops a call of the optimiser after so many seconds of the clock that
	// Scheduler.Clock gives it, if that comes first. Such a run is not reproducible.
	// 0: no such limit.
	Budget float64
}

// Scheduler is the planning scheduler of Klusáček and Chlumský (2016,
// algorithms 1 and 2): at each instant it removes what has finished, compresses
// the plan, places each arrival into the earliest suitable gap over all
// clusters, optimises the plan if the last time lies long enough back, and
// starts what is planned for now. With Options.Replan and no optimiser it is
// conservative backfilling (rule 9) on any platform.
type Scheduler struct {
	o          Options
	plan       *Plan
	seed       uint64
	repetition int
	rng        *rand.Rand
	clock      func() float64

	used  ledger.Ledger
	rates []float64     // by slot, of what runs
	since []model.Time  // by JobID: when it began to wait last; Never: not yet
	later []model.JobID // beyond Options.Depth, in order of submission
	dues  dues
	past  past
	last  model.Time // of the last call of the optimiser
	tuner tuner
	count Counts
	watch Watch
	moves moves
	anew  func(*Plan, *sim.View) // instead of Plan.rebook: for tests
}

// Counts say how much an optimiser did in a run.
type Counts struct {
	Calls      int
	Iterations int64
	Accepted   int64 // improvements
	// Placed is how many times a waiting job got a start in a plan that was tried,
	// a measure of the work that is the same on every computer. An insertion by
	// Destroy counts as often as the plan has jobs, whose gaps it looks through.
	Placed int64
}

// New returns a planning scheduler.
func New(o Options) *Scheduler {
	o.Tau = max(1, o.Tau)
	return &Scheduler{o: o}
}

// NewConservative returns conservative backfilling for any platform (rule 9):
// several clusters, nodes, licences, a calendar, limits.
func NewConservative() *Scheduler { return New(Options{Replan: true}) }

var _ sim.Planner = (*Scheduler)(nil)

// Seed sets the stream of random numbers of the next simulation.
func (s *Scheduler) Seed(seed uint64, repetition int) { s.seed, s.repetition = seed, repetition }

// Clock gives the scheduler a clock in seconds, for Options.Budget; nil: none.
func (s *Scheduler) Clock(clock func() float64) { s.clock = clock }

// Optimises says whether the plan is optimised.
func (s *Scheduler) Optimises() bool { return s.o.Optimiser != nil }

// Clocked says whether a clock may end calls of the optimiser.
func (s *Scheduler) Clocked() bool { return s.clock != nil && s.o.Budget > 0 }

// Counts returns what the optimiser has done since Reset.
func (s *Scheduler) Counts() Counts { return s.count }

// Plan returns the plan as it is after a pass.
func (s *Scheduler) Plan() *Plan { return s.plan }

// Reset prepares for a new simulation.
func (s *Scheduler) Reset(v *sim.View) {
	s.plan = newPlan(v, s.o.Tau)
	s.plan.foretold, s.plan.roots = s.o.Foretold, s.o.Objective.Roots
	first := model.Time(0)
	if len(v.Jobs) > 0 {
		first = v.Jobs[0].Submit
	}
	p := s.plan
	p.now = min(first, firstTurn(v.Site.Platform))
	p.space.Reset(p.now)
	for c := range p.lanes {
		p.block(&p.lanes[c])
	}
	s.used.Reset(p.now, 0)
	s.past.reset()
	s.since, s.later = s.since[:0], s.later[:0]
	s.dues.reset(v)
	s.last = p.now - s.o.Interval
	s.count = Counts{}
	s.rng = model.Stream(s.seed, "plan", s.repetition)
	if s.o.Order != nil {
		s.o.Order.Reset(v)
	}
}

// firstTurn returns when the calendar begins.
func firstTurn(p *model.Platform) model.Time {
	first := model.Never
	for i := range p.Calendar {
		first = min(first, p.Calendar[i].From)
	}
	return first
}

// Wake returns the next planned start, or the next cycle if that comes first.
func (s *Scheduler) Wake() model.Time {
	wake := s.plan.Wake() // where some are not planned, as many as there may be are
	if s.o.Cycle > 0 && s.Optimises() && wake < model.Never {
		wake = min(wake, s.last+s.o.Cycle)
	}
	return wake
}

// Decide is one scheduling cycle (algorithm 1).
func (s *Scheduler) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p := s.plan
	if s.watch.Before != nil {
		s.watch.Before(v, s)
	}
	p.jobs, p.asks, p.pulse = v.Jobs, v.Needs, v.Pulse
	p.advance(v.Now)
	for _, j := range v.Ended {
		s.past.end(p, p.of[j])
		s.ended(j)
	}
	for _, j := range v.Back {
		if int(j) < len(p.of) && p.of[j] >= 0 { // else it goes on after its reservation
			s.ended(j)
		}
	}
	out = s.lapse(v, out)
	if s.anew != nil {
		s.anew(p, v)
	} else {
		p.rebook(v)
	}
	if failing(v) {
		p.disrupt()
	}
	if s.o.Foretold {
		s.retell(v)
	}
	if s.o.Order != nil {
		s.o.Order.Admit(v)
	}
	s.compress(v)
	for _, list := range [...][]model.JobID{v.Back, v.New} {
		for _, j := range s.arrivals(v, list) {
			if v.Kills(j) && v.Due[j] <= v.Now { // it would be stopped by now
				out = append(out, sim.Decision{Verb: sim.Reject, Job: j})
				continue
			}
			s.come(v, j)
		}
	}
	s.fill(v)
	if !v.Pulse.Beat(0) { // what was left out on the way no longer matters
		return out
	}
	if s.o.Optimiser != nil && s.due(v.Now) && p.Len() > 0 {
		s.optimise(v)
		s.last = v.Now
	}
	if s.watch.Pass != nil {
		s.watch.Pass(v, s)
	}
	for {
		barred := false
		for c := range p.lanes {
			l := &p.lanes[c]
			if s.o.Foretold && s.o.Replan {
				l.turn(p)
			}
			for len(l.jobs) > 0 && p.slots[l.jobs[0]].start == v.Now {
				if s.o.Foretold && s.bars(v, l) {
					barred = true
					continue
				}
				out = s.start(v, out, l)
			}
		}
		if barred { // who was put off leaves room
			s.compress(v)
		}
		if !s.fill(v) && !barred || !v.Pulse.Beat(0) {
			return out
		}
	}
}

// compress moves waiting jobs into what has become free.
func (s *Scheduler) compress(v *sim.View) {
	switch {
	case s.o.Order != nil:
		s.plan.replanIn(v, s.o.Order)
	case s.o.Replan:
		s.plan.replan(s.o.Newest)
	default:
		s.plan.compress()
	}
}

// come takes note of a job that waits from now on, and plans it unless there are
// jobs enough.
func (s *Scheduler) come(v *sim.View, j model.JobID) {
	for int(j) >= len(s.since) {
		s.since = append(s.since, model.Never)
	}
	first := s.since[j] == model.Never // after its reservation perhaps
	if s.since[j] = v.Now; v.Attempt[j] == 0 {
		s.since[j] = v.Jobs[j].Submit
	}
	if first {
		s.past.arrive(s.plan.user(v.Jobs[j].User), s.plan.weight(v.Needs[j].Procs))
	}
	s.dues.wait(v, j)
	if s.o.Depth == 0 {
		s.place(v, j)
		return
	}
	at, _ := slices.BinarySearch(s.later, j)
	s.later = slices.Insert(s.later, at, j)
}

// fill plans as many of the jobs that are not planned as there is room for, and
// reports whether there were any.
func (s *Scheduler) fill(v *sim.View) bool {
	n := min(len(s.later), s.o.Depth-s.plan.Len())
	if n <= 0 {
		return false
	}
	for _, j := range s.later[:n] {
		s.place(v, j)
	}
	s.later = slices.Delete(s.later, 0, n)
	return true
}

// place plans a job for the first time.
func (s *Scheduler) place(v *sim.View, j model.JobID) {
	if !v.Pulse.Beat(0) {
		return
	}
	i := s.plan.add(v, j)
	s.plan.slots[i].since = s.since[j]
	s.plan.beat(i)
	s.plan.backfill(i)
	s.plan.slots[i].first = s.plan.slots[i].start
}

// due says whether the optimiser may be called.
func (s *Scheduler) due(now model.Time) bool {
	since := now - s.last
	return since >= s.o.Interval || s.o.Cycle > 0 && since >= s.o.Cycle
}

// failing says whether a failure begins now.
func failing(v *sim.View) bool {
	for i := range v.Site.Platform.Calendar {
		if c := &v.Site.Platform.Calendar[i]; c.Kind == model.KindFailure && c.From == v.Now {
			return true
		}
	}
	return false
}

// ended books that a job runs no longer.
func (s *Scheduler) ended(j model.JobID) {
	p := s.plan
	i := p.of[j]
	s.used.End(p.slots[i].user, p.now, s.rates[i])
	p.finish(j)
}

// start starts the first job of a lane.
func (s *Scheduler) start(v *sim.View, out []sim.Decision, l *lane) []sim.Decision {
	p := s.plan
	i := p.take(l)
	job := &p.slots[i]
	claim := p.claim(i)
	takes := v.Ends(job.job, claim) - v.Now
	if s.o.Foretold {
		takes = min(takes, v.Site.Scaled(job.asked, claim))
		v.Commit(job.job, claim)
	}
	if takes < job.length { // not on the slowest nodes, or stopped at its due time
		p.refresh(l)
		p.book(i, v.Now, 1)
		l.early = max(l.early, job.start+job.length)
		job.length = takes
		p.book(i, v.Now, -1)
	}
	for len(s.rates) <= int(i) {
		s.rates = append(s.rates, 0)
	}
	s.rates[i] = ledger.Rate(job.procs, p.mem(i), int(l.Size), l.mem)
	s.used.Start(job.user, v.Now, s.rates[i])
	s.past.start(job)
	if v.Record != nil {
		v.Record.Decide(job.job, report.StartedAsPlanned)
	}
	return append(out, sim.Decision{Job: job.job, Claim: claim})
}
