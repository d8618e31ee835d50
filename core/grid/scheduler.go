package grid

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"batchlab/core/ledger"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// Scheduler is the grid scheduler with the local schedulers of its providers,
// the platform's clusters of interchangeable processors. The zero value is
// ready; with random allocations Seed has to be called before each simulation.
//
// At each instant: what has ended gives its processors back; reservations end;
// the grid's queue is served, if it is time; reservations begin; then each
// provider's local scheduler starts batch jobs.
type Scheduler struct {
	Options

	random    *rand.Rand
	providers []provider
	reserved  int           // providers, from the first, that take reservations only
	queue     []model.JobID // the grid's, in order of submission
	again     []model.JobID // reservations whose processors failed at this instant
	jobs      []job
	agenda    agenda
	failures  []model.CalendarEntry // to come, by their begin
	users     ledger.Ledger
	parts     []model.Part
	named     []named    // starts, with static binding
	base      model.Time // the first submission, 0 where users react: periods count from it

	asking  model.JobID
	query   *query    // nil: nobody asks
	v       *sim.View // during Decide
	out     []sim.Decision
	order   func(a, b model.JobID) int // compare, bound once
	victims []model.JobID              // scratch
	plain   func(*provider)            // tests: the local policies in the plain way
}

var (
	_ sim.Planner   = (*Scheduler)(nil)
	_ sim.Explainer = (*Scheduler)(nil)
)

// forever is an end that no simulation reaches.
const forever model.Time = 1 << 50

// state is where a job is.
type state uint8

const (
	atGrid   state = iota // in the grid's queue, or not submitted yet
	queued                // a batch job in its provider's queue
	running               // a batch job
	accepted              // a reservation that has not begun
	begun                 // a reservation
	over
)

// job is what the scheduler knows of one job.
type job struct {
	state    state
	provider int32
	procs    int32      // that it holds or will hold
	left     model.Time // of its request, at speed 1
	start    model.Time // of a reservation; planned, under Conservative; else of the attempt
	from, to model.Time // booked
	which    []uint64   // with static binding
	kill     model.Time // when a reservation's job is stopped; Never: by its request
	booked   Booked     // of a reservation that was accepted; no processors: none was
}

// waiting is a batch job in a queue, with what deciding about it takes.
type waiting struct {
	job   model.JobID
	procs int32
	limit model.Time // how long it may hold them here
}

// provider is a cluster with its local scheduler.
type provider struct {
	cluster, node int32
	speed         float64
	size          int32
	free          availability   // of running jobs, by their requests, and of reservations
	reach         resource.Reach // of free, for a pass
	rooms         []room         // for a pass
	reserved      availability   // Options.Suspend: of reservations alone
	queue         queue          // in the local order
	picked        []waiting      // scratch
	running       []model.JobID  // batch jobs, in order of their starts
	ahead         int            // reservations that are accepted and have not begun
	underway      int            // reservations whose jobs run
	dirty         bool           // something has changed since the last local pass
	grown         bool           // something has become free since
	taken         bool           // something was booked since, other than by a batch job
	fresh         []waiting      // jobs that have come since
	bare          model.JobID    // PPPD: the job for which bareFree was made, −1 none
	bareFree      resource.Counts
	bareReach     resource.Reach
	shadow        model.Time // EASY: the head's promised start, 0 unknown
	plan          plan
	stopped       []model.JobID // by this pass
	head          model.JobID   // the first that did not fit at the last pass, −1 none
}

// Seed gives the experiment's seed and the repetition of the next simulation,
// which random allocations draw from.
func (s *Scheduler) Seed(seed uint64, repetition int) {
	s.random = model.Stream(seed, "grid/allocation", repetition)
}

// Bind lets the order of a copy mean the copy (snapshot.Binder).
func (s *Scheduler) Bind() {
	s.order = s.compare
	for i := range s.providers {
		s.providers[i].queue.compare = s.order
	}
}

// Reset prepares for a new simulation.
func (s *Scheduler) Reset(v *sim.View) {
	if s.random == nil {
		s.Seed(1, 0)
	}
	s.v = nil
	if s.order == nil {
		s.order = s.compare
	}
	s.queue, s.again, s.agenda, s.failures, s.parts = s.queue[:0], s.again[:0], s.agenda[:0], s.failures[:0], s.parts[:0]
	s.named = s.named[:0]
	s.base = 0
	from := -forever
	if v.Pool == nil && len(v.Jobs) > 0 { // else users react: the first instant is not known
		s.base = v.Jobs[0].Submit
		from = s.base
	}
	s.jobs = resize(s.jobs, len(v.Jobs))
	clear(s.jobs)
	s.users.Reset(s.base, 0)
	clusters := v.Site.Platform.Clusters
	s.providers = resize(s.providers, len(clusters))
	for c := range clusters {
		p := &s.providers[c]
		p.cluster, p.size, p.speed = int32(c), int32(clusters[c].Procs()), 1
		for i := range v.Site.Nodes {
			if n := &v.Site.Nodes[i]; n.Cluster == p.cluster {
				p.node = n.Index
				if v.Site.Platform.PowerScales {
					p.speed = n.Speed
				}
			}
		}
		p.dirty, p.grown, p.taken, p.head, p.shadow = false, false, false, -1, 0
		p.running, p.stopped, p.fresh = p.running[:0], p.stopped[:0], p.fresh[:0]
		p.ahead, p.underway = 0, 0
		p.queue.reset()
		p.queue.compare = s.order
		p.free.reset(from, p.size, s.Static)
		p.reserved.reset(from, p.size, s.Static)
		p.plan.reset()
	}
	s.calendar(v)
	if s.query != nil {
		s.query.served = s.servedAt(s.query.ask.At)
	}
	s.reserved = s.Reserve(len(clusters))
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// calendar books what is known ahead to take processors away, and keeps the
// failures for later.
func (s *Scheduler) calendar(v *sim.View) {
	for i := range v.Site.Platform.Calendar {
		c := v.Site.Platform.Calendar[i]
		if c.Kind == model.KindFailure {
			s.failures = append(s.failures, c)
			continue
		}
		s.away(&c, c.From)
	}
	slices.SortStableFunc(s.failures, func(a, b model.CalendarEntry) int { return cmp.Compare(a.From, b.From) })
}

// away books a calendar entry from a time on. With named processors it takes
// those with the highest numbers.
func (s *Scheduler) away(c *model.CalendarEntry, from model.Time) {
	for i := range s.providers {
		p := &s.providers[i]
		procs := c.Procs
		if len(c.Nodes) > 0 {
			procs = p.size
		}
		if p.cluster != c.Cluster && !slices.Contains(c.Nodes, p.node) || len(c.Nodes) > 0 && !slices.Contains(c.Nodes, p.node) {
			continue
		}
		from := max(from, p.free.begin())
		if from >= c.To {
			continue
		}
		for _, a := range [...]*availability{&p.free, &p.reserved} {
			a.counts.Add(from, c.To, -procs)
			if a.named {
				a.sets.Take(from, c.To, highest(p.size, procs))
			}
		}
		p.dirty, p.grown, p.taken, p.plan.stale = true, true, true, true
		s.agenda.Push(event{at: c.To, kind: eventOver, job: -1, provider: int32(i)})
	}
}

// highest returns the set of the procs highest numbers of size processors.
func highest(size, procs int32) []uint64 {
	set := make([]uint64, (size+63)/64)
	for p := size - procs; p < size; p++ {
		set[p/64] |= 1 << (p % 64)
	}
	return set
}

// Wake returns the next time at which the scheduler has something to do of
// itself: a reservation begins or ends, or a period is over.
func (s *Scheduler) Wake() model.Time {
	wake := model.Never
	if len(s.agenda) > 0 {
		wake = s.agenda[0].at
	}
	if s.v == nil {
		return wake
	}
	if len(s.queue) > 0 {
		wake = min(wake, s.next(s.Delta))
	}
	for i := range s.providers {
		p := &s.providers[i]
		if p.dirty && p.queue.count > 0 {
			wake = min(wake, s.next(s.period()))
		}
		if s.Local == Conservative {
			wake = min(wake, p.plan.next())
		}
	}
	return wake
}

// period returns the invocation period of the local policy.
func (s *Scheduler) period() model.Time {
	if s.Local == LSF || s.Local == SJF {
		return s.Period
	}
	return 0
}

// due says whether now is an invocation of something with a period.
func (s *Scheduler) due(period model.Time) bool {
	return period == 0 || (s.v.Now-s.base)%period == 0
}

// next returns the first multiple of a period after now.
func (s *Scheduler) next(period model.Time) model.Time {
	if period == 0 {
		return model.Never // every instant is one: nothing is left to wait for
	}
	return s.v.Now + period - (s.v.Now-s.base)%period
}

// Decide serves both levels.
func (s *Scheduler) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	s.v, s.out = v, out
	s.before()
	for i := range s.providers {
		s.providers[i].free.advance(v.Now)
		if s.Suspend {
			s.providers[i].reserved.advance(v.Now)
		}
		if p := &s.providers[i].plan; !p.stale {
			p.counts.Advance(v.Now)
		}
	}
	for _, j := range v.Ended {
		s.ended(j)
	}
	for _, j := range v.Back {
		s.lost(j)
	}
	for len(s.failures) > 0 && s.failures[0].From <= v.Now {
		s.away(&s.failures[0], v.Now)
		s.failures = s.failures[1:]
	}
	for _, j := range s.again { // a failure waits for no period
		s.request(j)
	}
	s.again = s.again[:0]
	s.finish()
	for j := v.Arrived; j < v.Next; j++ {
		s.jobs[j] = job{left: v.Jobs[j].Limit, kill: model.Never}
		s.queue = append(s.queue, j)
	}
	if len(s.queue) > 0 && s.due(s.Delta) {
		s.dispatch()
	}
	s.after()
	s.begin()
	if s.due(s.period()) {
		for i := range s.providers {
			if p := &s.providers[i]; p.dirty || s.Local == Conservative && p.plan.next() <= v.Now {
				p.dirty = false
				s.local(p)
			}
		}
	}
	out = s.out
	s.out = nil
	return out
}

// reservation returns a job's reservation, nil for a batch job.
func (s *Scheduler) reservation(j model.JobID) *model.Reservation {
	if d := s.v.Demand(j); d != nil {
		return d.Reservation
	}
	return nil
}

// start starts a job on its provider, which has booked it.
func (s *Scheduler) start(p *provider, j model.JobID, procs int32, why report.Code) {
	s.parts = append(s.parts, model.Part{Node: p.node, Procs: procs})
	n := len(s.parts)
	s.out = append(s.out, sim.Decision{Job: j, Claim: model.Claim{Cluster: p.cluster, Parts: s.parts[n-1 : n : n]}})
	if p.free.named {
		s.named = append(s.named, named{j, s.v.Now, s.jobs[j].which})
	}
	s.users.Start(s.v.Jobs[j].User+1, s.v.Now, float64(procs))
	if s.v.Record != nil {
		s.v.Record.Decide(j, why)
	}
}

// release gives back what a running job holds; its booking too, if it lies in
// the future.
func (s *Scheduler) release(j model.JobID) *provider {
	b := &s.jobs[j]
	p := &s.providers[b.provider]
	s.users.End(s.v.Jobs[j].User+1, s.v.Now, float64(b.procs))
	p.dirty, p.grown = true, true
	if b.state == running {
		at := slices.Index(p.running, j)
		p.running = slices.Delete(p.running, at, at+1)
	} else {
		p.underway--
	}
	if b.to > s.v.Now && !(b.state == begun && s.Hold) {
		s.unbook(p, j, s.v.Now)
	}
	return p
}

// unbook frees a job's booking from a time on.
func (s *Scheduler) unbook(p *provider, j model.JobID, from model.Time) {
	b := &s.jobs[j]
	p.grown = true
	from = max(from, b.from)
	if b.state != accepted || !s.Suspend {
		p.free.give(from, b.to, b.procs, b.which)
	}
	if b.state != running && s.Suspend {
		p.reserved.give(from, b.to, b.procs, b.which)
		p.plan.stale = true
	} else if s.Local == Conservative {
		p.plan.give(from, b.to, b.procs)
	}
}

// ended books the completion of a job.
func (s *Scheduler) ended(j model.JobID) {
	s.release(j)
	s.jobs[j].state = over
}

// lost takes back a job whose processors a failure took: a batch job waits
// again, a reservation is asked for again.
func (s *Scheduler) lost(j model.JobID) {
	p := s.release(j)
	b := &s.jobs[j]
	if b.state == begun && s.Hold && b.to > s.v.Now { // it is moved
		s.unbook(p, j, s.v.Now)
	}
	b.left = s.v.Jobs[j].Limit - s.v.Done[j]
	if b.state == running {
		s.enqueue(p, j)
		return
	}
	b.state = atGrid
	s.again = append(s.again, j)
}

// interrupt stops a running job, which waits again with what is left (suspend)
// or from its beginning.
func (s *Scheduler) interrupt(p *provider, j model.JobID, suspend bool) {
	s.release(j)
	b := &s.jobs[j]
	verb := sim.Stop
	b.left = s.v.Jobs[j].Limit
	if suspend {
		verb = sim.Suspend
		b.left -= s.v.Done[j] + s.v.Now - s.v.Start[j]
	}
	s.out = append(s.out, sim.Decision{Verb: verb, Job: j})
}
