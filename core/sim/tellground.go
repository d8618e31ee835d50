package sim

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/resource"
	"batchlab/core/tell"
)

// countedGround is what is free on a machine of counted processors while a pass is
// told.
type countedGround struct {
	v      *CountedView
	starts []model.JobID
	left   int32
	begun  []model.JobID
}

func (g *countedGround) job(j model.JobID) *model.Job { return &g.v.Jobs[j] }
func (g *countedGround) free() int32                  { return g.left }

func (g *countedGround) ends(j model.JobID, _ int) model.Time { return g.v.Now + g.v.Jobs[j].Limit }

func (g *countedGround) reserves(model.JobID) bool { return false }

func (g *countedGround) holds(model.JobID, *tell.Decision) bool { return true }

func (g *countedGround) asks(model.JobID) *tell.Asks { return nil }

func (g *countedGround) bound(*tell.Bound, model.JobID, *model.Claim) bool { return false }

func (g *countedGround) over(model.Time, *model.Claim, bool) []tell.Taken { return nil }

func (g *countedGround) title(model.JobID) string { return "" }

func (g *countedGround) parts(*model.Claim) []model.Part { return nil }

func (g *countedGround) begin(i int) {
	g.left -= g.v.Jobs[g.starts[i]].Procs
	g.begun = append(g.begun, g.starts[i])
}

func (g *countedGround) refused(j model.JobID, _ *tell.Decision) tell.Kind {
	if g.v.Jobs[j].Procs > g.left {
		return tell.TooWide
	}
	return ""
}

func (g *countedGround) running(visit func(j model.JobID, where *model.Claim, until model.Time)) {
	for _, j := range g.v.running() {
		visit(j, nil, g.v.Start[j]+g.v.Jobs[j].Limit)
	}
	for _, j := range g.begun {
		visit(j, nil, g.v.Now+g.v.Jobs[j].Limit)
	}
}

// running returns the jobs that run, in no order.
func (v *CountedView) running() []model.JobID {
	list := make([]model.JobID, 0, len(v.heap))
	for _, entry := range v.heap {
		list = append(list, model.JobID(entry&v.mask))
	}
	return list
}

// counted tells of an instant on a machine of counted processors.
func (t *Telling) counted(v *CountedView, s CountedScheduler, starts []model.JobID, from *supply) *tell.Step {
	t.book = v.Book
	if c, ok := s.(Teller[*CountedView, []model.JobID]); ok {
		c.Tell(v, starts, &t.facts)
	}
	step := &tell.Step{Index: t.index, Now: v.Now, Procs: v.Procs, Free: v.Free, Arrived: int(v.Next - v.Arrived)}
	t.early = false
	for _, j := range v.Ended {
		until := v.Start[j] + v.Jobs[j].Limit
		t.early = t.early || until > v.Now
		step.Ended = append(step.Ended, runningJob(&v.Jobs[j], j, v.Start[j], until))
	}
	for j := v.Arrived; j < min(v.Next, v.Arrived+tell.MostListed); j++ {
		step.Came = append(step.Came, waitingJob(&v.Jobs[j], j))
	}
	for _, j := range v.running() {
		step.Runs = append(step.Runs, runningJob(&v.Jobs[j], j, v.Start[j], v.Start[j]+v.Jobs[j].Limit))
	}
	step.Busy = len(step.Runs)
	step.Runs = shorten(step.Runs)
	acts := make([]act, len(starts))
	for i, j := range starts {
		acts[i] = act{verb: Start, job: j, code: t.record.Why[j].Decision}
	}
	step.Waits = v.waiting
	t.decisions(&countedGround{v: v, starts: starts, left: v.Free}, step, acts, func() (list []model.JobID) {
		for j := model.JobID(0); j < v.Next; j++ {
			if v.Start[j] == model.Never {
				list = append(list, j)
			}
		}
		return list
	})
	runs := map[model.JobID]bool{}
	for _, j := range v.running() {
		runs[j] = true
	}
	var users Source
	if from != nil {
		users = from.source
	}
	t.users(step, users, v.Pool, v.Origin[:min(len(v.Origin), int(v.Next))], func(j model.JobID) bool { return v.Start[j] != model.Never && !runs[j] })
	t.held(step, from, func(j model.JobID) model.Time { return v.Start[j] + v.Jobs[j].Limit })
	return original(step, v.Origin)
}

func runningJob(job *model.Job, j model.JobID, start, until model.Time) tell.Running {
	return tell.Running{Job: j, Number: job.Number, Procs: job.Procs, Start: start, Until: until}
}

// users tells what users who react do.
func (t *Telling) users(step *tell.Step, source Source, pool []model.Job, origin []int32, ended func(j model.JobID) bool) {
	u, ok := source.(UserTeller)
	if !ok {
		return
	}
	over := make([]bool, len(pool))
	for j, k := range origin {
		over[k] = ended(model.JobID(j))
	}
	u.TellUsers(step.Now, func(job int32) bool { return over[job] }, func(user int32, since model.Time, waits, open []int32, until model.Time) {
		if len(step.Users) == tell.MostListed {
			return
		}
		one := tell.User{User: user, Thinks: since, Until: model.Never}
		if t.Truth {
			one.Until = until
		}
		for _, j := range waits {
			one.Waits = append(one.Waits, pool[j].Number)
		}
		for _, j := range open {
			one.Open = append(one.Open, pool[j].Number)
		}
		step.Users = append(step.Users, one)
	})
}

// siteGround is what is free on a platform of machines while a pass is told.
type siteGround struct {
	v       *View
	decided []Decision
	left    *resource.Pool
	begun   []int
	stopped map[model.JobID]bool
	bare    *resource.Space // see beside
}

func (g *siteGround) job(j model.JobID) *model.Job { return &g.v.Jobs[j] }
func (g *siteGround) free() int32                  { return g.left.Procs() }

func (g *siteGround) ends(j model.JobID, i int) model.Time {
	if i >= 0 && g.decided[i].Verb != Start {
		return model.Never
	}
	var claim model.Claim
	if i >= 0 {
		claim = g.decided[i].Claim
	}
	return g.v.Ends(j, claim)
}

func (g *siteGround) reserves(j model.JobID) bool {
	d := g.v.Demand(j)
	return d != nil && d.Reservation != nil
}

func (g *siteGround) title(j model.JobID) string { return g.v.title(j) }

func (v *View) title(j model.JobID) string {
	if d := v.Demand(j); d != nil && d.Reservation != nil {
		return d.Reservation.Name
	}
	return ""
}

func (g *siteGround) begin(i int) {
	d := &g.decided[i]
	g.bare = nil
	switch d.Verb {
	case Start:
		g.left.Take(&g.v.Needs[d.Job], d.Claim)
		g.begun = append(g.begun, i)
	case Stop, Suspend, End:
		g.left.Give(&g.v.Needs[d.Job], g.v.Held[d.Job])
		g.stopped[d.Job] = true
	}
}

func (g *siteGround) running(visit func(j model.JobID, where *model.Claim, until model.Time)) {
	v := g.v
	for _, j := range v.Running() {
		if !g.stopped[j] {
			visit(j, &v.Held[j], v.Until(j))
		}
	}
	for _, i := range g.begun {
		d := &g.decided[i]
		visit(d.Job, &d.Claim, v.Ends(d.Job, d.Claim))
	}
}

// site tells of an instant on a platform of machines, before the decisions are
// carried out.
func (t *Telling) site(r *siteRun, s Scheduler, decided []Decision, users Source) *tell.Step {
	v := r.v
	t.book = v.Book
	if c, ok := s.(Teller[*View, []Decision]); ok {
		c.Tell(v, decided, &t.facts)
	}
	for _, j := range v.Begun {
		d := tell.Decide(tell.Books, j)
		d.At, d.Ends = v.Now, v.Until(j)
		t.facts.Said = append(t.facts.Said, d)
	}
	step := &tell.Step{Index: t.index, Now: v.Now, Procs: int32(v.Site.Platform.Procs()), Free: v.Free.Procs(), Arrived: int(v.Next - v.Arrived), Waits: r.waiting}
	t.early = false
	for k, list := range [...][]model.JobID{v.Ended, v.Over} { // of reservations, some stand there twice, and some wait again
		for i, j := range list {
			if k == 1 && (slices.Contains(list[:i], j) || slices.Contains(v.Back, j)) {
				continue
			}
			if v.Start[j] == model.Never { // a failure stopped it, and it is booked again
				step.Back = append(step.Back, v.Jobs[j].Number)
				continue
			}
			until := v.Start[j] + v.Limit(j, v.Held[j])
			t.early = t.early || until > v.Now
			one := runningJob(&v.Jobs[j], j, v.Start[j], until)
			one.Title = v.title(j)
			step.Ended = append(step.Ended, one)
		}
	}
	for j := v.Arrived; j < min(v.Next, v.Arrived+tell.MostListed); j++ {
		one := waitingJob(&v.Jobs[j], j)
		one.Title = v.title(j)
		step.Came = append(step.Came, one)
	}
	for _, j := range v.Back {
		step.Back = append(step.Back, v.Jobs[j].Number)
	}
	for _, j := range v.Running() {
		one := runningJob(&v.Jobs[j], j, v.Start[j], v.Until(j))
		one.Procs = v.Held[j].Procs()
		step.Runs = append(step.Runs, one)
	}
	t.licences(v, decided, step)
	step.Busy = len(step.Runs)
	step.Runs = shorten(step.Runs)
	for _, b := range v.Bookings.All() {
		step.Bookings = append(step.Bookings, tell.Booking{Number: v.Jobs[b.Job].Number, Procs: b.Claim.Procs(), From: b.From, To: b.To, Cluster: b.Claim.Cluster})
	}
	step.Bookings = append(step.Bookings, t.facts.Bookings...)
	step.Outages = outages(v)
	acts := make([]act, len(decided))
	for i := range decided {
		d := &decided[i]
		acts[i] = act{d.Verb, d.Job, t.record.Why[d.Job].Decision, r.gone != nil && r.gone[d.Job]}
	}
	g := &siteGround{v: v, decided: decided, left: v.Site.NewPool(), stopped: map[model.JobID]bool{}}
	g.left.CopyFrom(v.Free)
	t.decisions(g, step, acts, r.allWaiting)
	step.Waits -= r.booked()
	for i := range decided {
		if decided[i].Verb == Reject {
			step.Waits--
		}
	}
	step.Waits = max(step.Waits, len(step.Queue))
	runs := map[model.JobID]bool{}
	for _, j := range v.Running() {
		runs[j] = true
	}
	t.users(step, users, v.Pool, v.Origin[:min(len(v.Origin), int(v.Next))], func(j model.JobID) bool {
		return r.rejected[j] || v.Start[j] != model.Never && !runs[j]
	})
	t.held(step, r.source, r.until)
	return original(step, v.Origin)
}

// outages are the entries of the calendar that begin or end now.
func outages(v *View) (list []tell.Outage) {
	for i := range v.Site.Platform.Calendar {
		c := &v.Site.Platform.Calendar[i]
		if c.From != v.Now && c.To != v.Now {
			continue
		}
		one := tell.Outage{What: [...]string{model.KindReservation: "Reservation", model.KindOutage: "Outage", model.KindFailure: "Failure"}[c.Kind], Name: c.Name, To: c.To}
		if one.Procs, _ = v.Site.Takes(c); c.To == v.Now {
			one.Back = v.Site.Returns(c, v.Now)
		}
		list = append(list, one)
	}
	return list
}

// licences tells who holds copies, or is to.
func (t *Telling) licences(v *View, decided []Decision, step *tell.Step) {
	for l := range v.Site.Platform.Activated() {
		licence := &v.Site.Platform.Licences[l]
		if licence.Copies == 0 {
			continue
		}
		one := tell.InUse{Name: licence.Name, Copies: licence.Copies, Free: v.Free.Copies(int32(l))}
		hold := func(j model.JobID, since model.Time, takes bool) {
			for _, n := range v.Needs[j].Licences {
				if int(n.Licence) == l {
					one.Holds = append(one.Holds, tell.Holds{Number: v.Jobs[j].Number, Copies: n.Copies, Since: since, Takes: takes})
				}
			}
		}
		for _, run := range step.Runs {
			hold(run.Job, run.Start, false)
		}
		order.Stable(one.Holds, func(a, b tell.Holds) int { return cmp.Compare(a.Since, b.Since) })
		for i := range decided {
			if decided[i].Verb == Start {
				hold(decided[i].Job, v.Now, true)
			}
		}
		one.Holds = one.Holds[:min(len(one.Holds), tell.MostListed)]
		step.Licences = append(step.Licences, one)
	}
}

// booked counts the advance reservations that have not begun: they wait in no queue.
func (r *siteRun) booked() (n int) {
	for j := model.JobID(0); len(r.v.Demands) > 0 && j < r.v.Next; j++ {
		if d := r.v.Demand(j); d != nil && d.Reservation != nil && r.v.Start[j] == model.Never && !r.rejected[j] && (r.reserves.of == nil || r.reserves.of[j]) {
			n++
		}
	}
	return n
}

// allWaiting returns the batch jobs that wait, in order of submission.
func (r *siteRun) allWaiting() (list []model.JobID) {
	for j := model.JobID(0); j < r.v.Next; j++ {
		if r.v.Waits(j) {
			list = append(list, j)
		}
	}
	return list
}

// Waits says whether a batch job has been submitted and has neither started nor
// been turned down.
func (v *View) Waits(j model.JobID) bool {
	r := v.run
	return j < v.Next && v.Start[j] == model.Never && !r.rejected[j] && (r.reserves.of == nil || !r.reserves.of[j])
}
