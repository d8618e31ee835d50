package sim

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/predict"
	"batchlab/core/report"
	"batchlab/core/tell"
)

// UserTeller is a Source that says at an instant, after its submissions, what its
// users do. Jobs are indices in the pool; ended says which have ended.
type UserTeller interface {
	TellUsers(now model.Time, ended func(job int32) bool, visit func(user int32, since model.Time, waits, open []int32, until model.Time))
}

// Telling lets some instants of a run be told, as Options.Tell. A run that is told
// decides what it would decide untold. It may be used again.
type Telling struct {
	From, To int                       // the instants [From, To), counted from 0
	Each     func(*tell.Step) bool     // false stops the simulation with ErrCancelled
	Times    *[]model.Time             // when not nil, gets the times of all instants that the run comes to
	Mark     func(next int, p *Paused) // when not nil, called before every instant, with its index
	Truth    bool                      // tell what only the simulator knows, too: how long users think

	index   int
	facts   tell.Facts
	book    *predict.Book
	record  Record
	planned map[model.JobID]tell.Plan // as told so far
	early   bool                      // something has ended before its request
}

// Told is a Telling, or nil. A program that lets no run be told does without all
// that tells: the page's first one.
type Told interface {
	begin(n, first int)
	mark(p *Paused)
	open(now model.Time) bool
	kept() (*tell.Facts, *Record)
	counted(v *CountedView, s CountedScheduler, starts []model.JobID, from *supply) *tell.Step
	site(r *siteRun, s Scheduler, decided []Decision, users Source) *tell.Step
	close(s *tell.Step) bool
}

var _ Told = (*Telling)(nil)

// kept is what schedulers write into while an instant is told.
func (t *Telling) kept() (*tell.Facts, *Record) { return &t.facts, &t.record }

// begin prepares for a run of n jobs, from an instant on.
func (t *Telling) begin(n, first int) {
	t.index, t.planned = first-1, map[model.JobID]tell.Plan{}
	if len(t.record.Why) != n {
		t.record.reset(n)
	}
	if t.Times != nil {
		*t.Times = (*t.Times)[:0]
	}
}

// mark says that a run is between two instants.
func (t *Telling) mark(p *Paused) {
	if t.Mark != nil {
		t.Mark(t.index+1, p)
	}
}

// open says whether an instant is told, or the one behind it, which wants to know
// what was planned before.
func (t *Telling) open(now model.Time) bool {
	if t.Times != nil {
		*t.Times = append(*t.Times, now)
	}
	t.index++
	if t.index < t.From-1 || t.index >= t.To {
		return false
	}
	t.facts.Reset()
	return true
}

// close hands an instant on, and says whether the run goes on.
func (t *Telling) close(s *tell.Step) bool {
	if t.index < t.From {
		return true
	}
	return t.Each(s) && (t.index+1 < t.To || t.Times != nil)
}

// ground is what the telling asks an engine, at a point of a pass.
type ground interface {
	job(j model.JobID) *model.Job
	free() int32                                       // processors, at the turn of the next decision
	ends(j model.JobID, i int) model.Time              // if it starts now, by decision i; −1: wherever it could
	refused(j model.JobID, d *tell.Decision) tell.Kind // why it cannot start now; "": it could
	begin(i int)                                       // carries decision i out
	reserves(j model.JobID) bool                       // it is an advance reservation
	holds(j model.JobID, d *tell.Decision) bool        // what keeps another job from starting, if it runs
	running(visit func(j model.JobID, where *model.Claim, until model.Time))
	asks(j model.JobID) *tell.Asks
	bound(b *tell.Bound, j model.JobID, where *model.Claim) bool     // a limit counts a job that runs
	over(at model.Time, where *model.Claim, later bool) []tell.Taken // what is over just then
	parts(where *model.Claim) []model.Part                           // of named machines; else nil
	title(j model.JobID) string                                      // of a reservation of the platform; "": none
}

// act is a decision as the telling goes through it.
type act struct {
	verb Verb
	job  model.JobID
	code report.Code
	gone bool // it is given up since it is withdrawn
}

// decisions puts what was decided, and what the scheduler says of it, in order.
func (t *Telling) decisions(g ground, s *tell.Step, acts []act, waiting func() []model.JobID) {
	f := &t.facts
	s.Head, s.Shadow, s.Spare, s.Place, s.Ready = f.Head, f.Shadow, f.Spare, -1, f.Ready
	if f.Where != nil {
		s.Place = f.Where.Cluster
	}
	if f.Threshold >= 0 {
		s.Ready += ", those that have waited more than " + tell.Span(f.Threshold) + " before all others"
	}
	states := map[model.JobID]*tell.Decision{}
	var list []tell.Decision
	say := func(d tell.Decision) {
		if d.Job >= 0 {
			d.Number, d.Title = g.job(d.Job).Number, g.title(d.Job)
		}
		list = append(list, d)
	}
	about := func(k tell.Kind, j model.JobID, i int) tell.Decision {
		job := g.job(j)
		d := tell.Decide(k, j)
		d.Needs, d.Free, d.Limit, d.Ends, d.Fresh, d.Asks = job.Procs, g.free(), job.Limit, g.ends(j, i), job.Submit == s.Now, g.asks(j)
		if f.Users != nil && job.User >= 0 {
			d.Used = &tell.Used{User: job.User, Seconds: f.Users(j)}
		}
		return d
	}
	kinds := map[Verb]tell.Kind{Reject: tell.Reject, Stop: tell.Stop, Suspend: tell.Suspend, End: tell.End}
	early := make([]bool, len(acts)) // it is told before the plan from which the job has gone
	for _, d := range f.Said {
		if d.Kind == tell.Draft {
			for i := range acts {
				a := &acts[i]
				if early[i] = a.verb == Reject && !slices.ContainsFunc(f.Draft, func(p tell.Plan) bool { return p.Job == a.job }); early[i] {
					say(about(map[bool]tell.Kind{true: tell.Leaves, false: tell.Reject}[a.gone], a.job, i))
				}
			}
			t.drafted(g, s, &d, say, about)
		}
		if d.Kind == tell.Books {
			s.Starts++
		}
		if d.Job >= 0 {
			d.Free, d.Needs, d.Limit = g.free(), g.job(d.Job).Procs, g.job(d.Job).Limit
		}
		say(d)
	}
	of := map[model.JobID]int{}
	for i := range acts {
		if a := &acts[i]; a.verb == Start {
			of[a.job] = i
			s.Starts++
		} else if !early[i] {
			kind := kinds[a.verb]
			if a.gone {
				kind = tell.Leaves
			}
			say(about(kind, a.job, i))
			g.begin(i)
		}
	}
	var queue []model.JobID
	started := func(i int, spare int32) {
		a := &acts[i]
		kind := tell.Starts
		switch behind := a.code == report.BackfilledBeforeShadow || a.code == report.BackfilledExtra; {
		case behind && f.Head < 0:
			kind = tell.Passes
		case a.code == report.BackfilledBeforeShadow:
			kind = tell.Before
		case a.code == report.BackfilledExtra:
			kind = tell.Beside
		case a.code == report.StartedAsPlanned:
			kind = tell.Planned
		}
		d := about(kind, a.job, i)
		if kind == tell.Starts {
			t.stands(g, s.Now, &d)
		}
		if kind == tell.Before || kind == tell.Beside {
			d.At, d.Spare, d.Head = f.Shadow, spare, g.job(f.Head).Number
		}
		switch was, ok := t.planned[a.job]; {
		case kind == tell.Planned && g.reserves(a.job):
			d.Kind = tell.Books
		case len(f.Plans) == 0 && !f.Ahead && kind == tell.Planned: // by a plan that it does not tell
			d.At, d.Was = s.Now, s.Now
		case kind == tell.Planned:
			d.At = s.Now
			if ok {
				d.Was = was.At
			}
		}
		say(d)
		g.begin(i)
	}
	switch {
	case len(f.Told) > 0:
		queue = t.own(g, acts, of, say, about)
	case f.Head >= 0:
		queue = t.headed(g, s, acts, of, started, say, about)
	case len(f.Plans) > 0 || f.Ahead:
		queue = t.plans(g, s, acts, started, say, about)
		for _, one := range f.Sent { // to those who do not plan
			d := about(tell.Queued, one.Job, -1)
			d.Provider, d.Number = &tell.Provider{Name: one.Name}, g.job(one.Job).Number
			states[one.Job] = &d
			queue = append(queue, one.Job)
		}
	default:
		order := f.Order
		told := len(order) > 0
		if !told {
			for i := range acts {
				if acts[i].verb == Start {
					order = append(order, acts[i].job)
				}
			}
			rest := waiting()
			order = append(order, slices.DeleteFunc(rest, func(j model.JobID) bool { _, ok := of[j]; return ok })...)
		}
		stopped, refused := false, 0
		at := map[model.JobID]string{}
		for _, s := range f.Sent {
			at[s.Job] = s.Name
		}
		for _, j := range order {
			queue = append(queue, j)
			if i, ok := of[j]; ok {
				started(i, -1)
				continue
			}
			if refused++; refused > tell.MostListed {
				if !stopped && told {
					s.Untold++
				}
				continue
			}
			d := about("", j, -1)
			if d.Kind = g.refused(j, &d); d.Kind == "" || stopped {
				d.Kind = tell.Turn
			}
			if f.Stops && !stopped {
				stopped = true
				d.Why, d.Kind = d.Kind, tell.Stops
				t.holders(g, &d)
				t.stands(g, s.Now, &d)
			} else if name, sent := at[j]; sent || f.Stops || !told {
				if sent {
					d.Kind, d.Provider = tell.Queued, &tell.Provider{Name: name}
				} // nobody has looked at it
				d.Number = g.job(j).Number
				states[j] = &d
				continue
			}
			t.holders(g, &d)
			say(d)
		}
	}
	if len(f.Order) > 0 && f.Head >= 0 {
		queue = f.Order
	}
	for i := range acts { // as begin wants it, the next time
		t.record.Why[acts[i].job].Decision = 0
	}
	t.list(g, s, list, states, queue)
}

// headed tells of a pass in which one job has a promise.
func (t *Telling) headed(g ground, s *tell.Step, acts []act, of map[model.JobID]int, started func(int, int32), say func(tell.Decision), about func(tell.Kind, model.JobID, int) tell.Decision) (queue []model.JobID) {
	f := &t.facts
	tried := map[model.JobID]bool{}
	for _, j := range f.Tried {
		tried[j] = true
	}
	for i := range acts {
		if acts[i].verb == Start && !tried[acts[i].job] && acts[i].code != report.BackfilledBeforeShadow && acts[i].code != report.BackfilledExtra {
			queue = append(queue, acts[i].job)
			started(i, -1)
		}
	}
	head := about(tell.Head, f.Head, -1)
	head.Why = g.refused(f.Head, &head)
	head.Kind, head.At, head.Spare = tell.Head, f.Shadow, f.Spare
	t.holders(g, &head)
	t.stands(g, s.Now, &head)
	t.frees(g, &head)
	if f.Where != nil {
		head.Place, head.Parts = f.Where.Cluster, g.parts(f.Where)
	}
	head.Until = g.over(head.At, f.Where, len(head.Frees) > 0)
	say(head)
	queue = append(queue, f.Head)
	spare, refused := f.Spare, 0
	number := g.job(f.Head).Number
	for _, j := range f.Tried {
		queue = append(queue, j)
		if i, ok := of[j]; ok {
			started(i, spare)
			if acts[i].code == report.BackfilledExtra && spare >= 0 {
				spare -= g.job(j).Procs
			}
			continue
		}
		if refused++; refused > tell.MostListed {
			s.Untold++
			continue
		}
		d := about("", j, -1)
		if d.Kind = g.refused(j, &d); d.Kind == "" {
			d.Kind, d.At, d.Spare, d.Head = tell.Delays, f.Shadow, spare, number
			if spare >= 0 {
				d.Late = t.late(g, &d, g.job(f.Head).Procs)
			}
		}
		t.holders(g, &d)
		say(d)
	}
	return queue
}

// own tells what a scheduler tells itself, with the numbers of each decision at its turn.
func (t *Telling) own(g ground, acts []act, of map[model.JobID]int, say func(tell.Decision), about func(tell.Kind, model.JobID, int) tell.Decision) (queue []model.JobID) {
	f := &t.facts
	for _, own := range f.Told {
		if own.Job < 0 {
			say(own)
			continue
		}
		i, starts := of[own.Job]
		if starts = starts && own.Kind.Begins(); !starts {
			i = -1
		}
		d := about(own.Kind, own.Job, i)
		d.Own, d.Promise = own.Own, own.Promise
		if was, ok := t.planned[own.Job]; ok {
			d.Was = was.At
		}
		if !starts {
			t.stays(g, &d, own.Text)
		}
		switch d.Kind {
		case tell.New, tell.Earlier, tell.Later:
			t.planned[d.Job] = tell.Plan{Job: d.Job, At: d.At}
		}
		say(d)
		if starts {
			g.begin(i)
		}
	}
	clear(t.planned)
	for _, p := range f.Plans {
		t.planned[p.Job] = p
	}
	return f.Order
}

// stays completes a decision of a scheduler that tells itself, about a job that waits.
func (t *Telling) stays(g ground, d *tell.Decision, fits string) {
	switch why := g.refused(d.Job, d); {
	case d.Kind == tell.New && why == "":
		d.Said = fits + d.Said
	case d.Kind == tell.New: // it waits for processors, whatever is planned
		d.Frees, d.More = nil, 0
	case d.Kind == tell.Stops:
		if d.Why = why; why == "" {
			d.Said = fits + d.Said
		}
	case (d.Kind == tell.Limit || d.Kind == tell.Licence || d.Kind == tell.Kept) && (d.Kind != why || d.Kind == tell.Kept && len(d.Taken) == 0):
		d.Kind, d.Tag = tell.Turn, "Waits: passed over"
	}
	if d.Kind != tell.Limit && d.Why != tell.Limit {
		d.Bound = nil
	}
	if d.Kind != tell.Licence && d.Why != tell.Licence {
		d.Licence = nil
	}
	if d.Kind == tell.New {
		switch {
		case d.Was == model.Never:
		case d.At < d.Was:
			d.Kind = tell.Earlier
		case d.At > d.Was:
			d.Kind = tell.Later
		default:
			d.Kind = tell.Stays
		}
	}
	t.holders(g, d)
	if d.Reason == "" {
		d.Reason = t.facts.Word(d.Job, d)
	}
	d.Said += " Slurm says " + d.Reason + "."
}

// late returns by how much a job that starts now would delay the head, by the
// requests of all that runs then. What is free is one number.
func (t *Telling) late(g ground, d *tell.Decision, needs int32) model.Time {
	type end struct {
		at    model.Time
		procs int32
	}
	list, free := []end{{d.Ends, d.Needs}}, d.Free-d.Needs
	g.running(func(j model.JobID, _ *model.Claim, until model.Time) { list = append(list, end{until, g.job(j).Procs}) })
	order.Stable(list, func(a, b end) int { return cmp.Compare(a.at, b.at) })
	at := d.At
	for _, e := range list {
		if free >= needs && e.at > at {
			break
		}
		free += e.procs
		at = max(at, e.at)
	}
	return at - d.At
}

// frees names the jobs that must have ended before the head starts: where a licence
// is what is missing, those that hold copies of it.
func (t *Telling) frees(g ground, d *tell.Decision) {
	type one struct {
		until  model.Time
		number int64
	}
	var list []one
	g.running(func(j model.JobID, where *model.Claim, until model.Time) {
		if until <= d.At && meets(where, t.facts.Where) && g.holds(j, d) {
			list = append(list, one{until, g.job(j).Number})
		}
	})
	order.Stable(list, func(a, b one) int { return cmp.Or(cmp.Compare(a.until, b.until), cmp.Compare(a.number, b.number)) })
	if n := len(list); n > 0 && list[n-1].until < d.At {
		return // something else ends then: an outage, or what is booked
	}
	for i, r := range list {
		if i == 4 {
			d.More = len(list) - i
			break
		}
		d.Frees = append(d.Frees, r.number)
	}
}

// list writes the queue, and as many decisions as a step holds: all about jobs
// that start, and the first about others.
func (t *Telling) list(g ground, s *tell.Step, list []tell.Decision, states map[model.JobID]*tell.Decision, queue []model.JobID) {
	s.Decisions = make([]tell.Decision, 0, min(len(list), 2*tell.MostListed))
	waits := 0
	for i := range list {
		d := &list[i]
		if !d.Kind.Begins() && d.Kind != tell.Head && d.Kind != tell.Stops && d.Job >= 0 {
			if waits++; waits > tell.MostListed {
				s.Untold++
				continue
			}
		}
		s.Decisions = append(s.Decisions, *d)
	}
	for i := range list {
		if d := &list[i]; d.Job >= 0 && d.Kind != tell.Note {
			states[d.Job] = d
		}
	}
	plans := map[model.JobID]tell.Plan{}
	for _, p := range t.facts.Plans {
		plans[p.Job] = p
	}
	values := map[model.JobID]int{}
	for i := range t.facts.Values {
		values[t.facts.Values[i].Job] = i
	}
	s.Queue = make([]tell.Waiting, 0, min(len(queue), tell.MostListed))
	for _, j := range queue {
		if len(s.Queue) == tell.MostListed {
			break
		}
		w := waitingJob(g.job(j), j)
		d := states[j]
		if p, ok := plans[j]; ok {
			w.At = p.At
			if p.At < model.Never {
				w.Place, w.Parts = p.Where.Cluster, g.parts(&p.Where)
			}
			if d == nil {
				d = &tell.Decision{Kind: tell.Stays, Job: j, Number: w.Number, Needs: w.Procs, Promise: tell.Promise{At: p.At, Was: p.At}}
			}
		}
		if d != nil {
			w.Kind = d.Kind
			if w.Was = d.Was; d.Kind == tell.Head {
				w.At, w.Place, w.Parts = d.At, d.Place, d.Parts
			}
			w.Free, w.Late, w.Over, w.Cause = d.Free, d.Late, d.Over, d.Cause
			if d.Provider != nil {
				w.Sent = d.Provider.Name
			}
		}
		if t.facts.Word != nil && !w.Kind.Begins() {
			if d == nil {
				d = &tell.Decision{}
			}
			w.Reason = t.facts.Word(j, d)
		}
		if i, ok := values[j]; ok {
			v := t.facts.Values[i]
			w.Value = &v
		}
		if t.book != nil {
			w.From = t.book.Basis(j)
		}
		s.Queue = append(s.Queue, w)
	}
}

func waitingJob(job *model.Job, j model.JobID) tell.Waiting {
	return tell.Waiting{Job: j, Number: job.Number, Procs: job.Procs, Limit: job.Limit, Submit: job.Submit, At: model.Never, Was: model.Never, Place: -1}
}

// shorten keeps the first running jobs, by requested ends.
func shorten(list []tell.Running) []tell.Running {
	order.Stable(list, func(a, b tell.Running) int { return cmp.Or(cmp.Compare(a.Until, b.Until), cmp.Compare(a.Job, b.Job)) })
	return list[:min(len(list), tell.MostListed)]
}

// original names the jobs of a step as the workload's columns do, where users
// react: by index in the pool.
func original(s *tell.Step, origin []int32) *tell.Step {
	if origin == nil {
		return s
	}
	to := func(j *model.JobID) {
		if *j >= 0 {
			*j = origin[*j]
		}
	}
	for i := range s.Ended {
		to(&s.Ended[i].Job)
	}
	for i := range s.Came {
		to(&s.Came[i].Job)
	}
	for i := range s.Runs {
		to(&s.Runs[i].Job)
	}
	for i := range s.Queue {
		to(&s.Queue[i].Job)
		if v := s.Queue[i].Value; v != nil {
			to(&v.Job)
		}
	}
	for i := range s.Decisions {
		to(&s.Decisions[i].Job)
		if plan := s.Decisions[i].Plan; plan != nil {
			for k := range plan.Starts {
				to(&plan.Starts[k].Job)
			}
		}
	}
	to(&s.Head)
	return s
}
