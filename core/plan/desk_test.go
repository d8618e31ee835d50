package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// desk stands for what asks for, accepts and begins advance reservations: the
// jobs that it holds back get a place at random beside what runs, what is booked
// and what the calendar takes, whatever the scheduler behind it plans.
type desk struct {
	inner    sim.Scheduler
	rng      *rand.Rand
	reserved func(model.JobID) bool
	bookings []sim.Booking
	runs     map[model.JobID]bool
	accepted int
	space    *resource.Space
}

func (d *desk) Reset(v *sim.View) {
	d.bookings, d.runs, d.accepted = nil, map[model.JobID]bool{}, 0
	d.space = v.Site.NewSpace(v.Now, false)
	d.inner.Reset(v)
}

func (d *desk) Wake() model.Time {
	wake := model.Never
	if p, ok := d.inner.(sim.Planner); ok {
		wake = p.Wake()
	}
	for _, b := range d.bookings {
		if !d.runs[b.Job] {
			wake = min(wake, b.From)
		}
	}
	return wake
}

func (d *desk) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	u := *v
	u.New, u.Ended, u.Back, u.Booked, u.Freed = nil, nil, nil, nil, nil
	cancel := func(j model.JobID) {
		at := slices.IndexFunc(d.bookings, func(b sim.Booking) bool { return b.Job == j })
		u.Freed = append(u.Freed, d.bookings[at])
		d.bookings = slices.Delete(d.bookings, at, at+1)
		out = append(out, sim.Decision{Verb: sim.Reject, Job: j})
	}
	for _, j := range v.Back { // a failure has hit it
		if d.reserved(j) {
			cancel(j)
		} else {
			u.Back = append(u.Back, j)
		}
	}
	for _, j := range v.Ended {
		if !d.reserved(j) {
			u.Ended = append(u.Ended, j)
			continue
		}
		at := slices.IndexFunc(d.bookings, func(b sim.Booking) bool { return b.Job == j })
		if b := d.bookings[at]; b.To > v.Now {
			b.From = v.Now
			u.Freed = append(u.Freed, b)
		}
		d.bookings = slices.Delete(d.bookings, at, at+1)
	}
	for _, j := range v.New {
		if !d.reserved(j) {
			u.New = append(u.New, j)
		} else if b, ok := d.ask(v, j); ok {
			d.accepted++
			d.bookings, u.Booked = append(d.bookings, b), append(u.Booked, b)
		} else {
			out = append(out, sim.Decision{Verb: sim.Reject, Job: j})
		}
	}
	if n := len(d.bookings); n > 0 && d.rng.IntN(8) == 0 { // cancelled before it begins
		if b := d.bookings[d.rng.IntN(n)]; b.From > v.Now && !slices.ContainsFunc(u.Booked, func(c sim.Booking) bool { return c.Job == b.Job }) {
			cancel(b.Job)
		}
	}
	u.Free = v.Site.NewPool()
	u.Free.CopyFrom(v.Free)
	for _, b := range slices.Clone(d.bookings) {
		if b.From > v.Now || d.runs[b.Job] {
			continue
		}
		if !u.Free.Holds(b.Need, b.Claim) { // what a failure took, it waits for in vain
			cancel(b.Job)
			u.Booked = slices.DeleteFunc(u.Booked, func(c sim.Booking) bool { return c.Job == b.Job })
		} else {
			d.runs[b.Job] = true
			u.Free.Take(b.Need, b.Claim)
			out = append(out, sim.Decision{Job: b.Job, Claim: b.Claim})
		}
	}
	u.Bookings = sim.BookingsOf(d.bookings)
	d.ahead(&u)
	return d.inner.Decide(&u, out)
}

// ahead writes what is free over time, as the engine does for a desk of its own.
func (d *desk) ahead(u *sim.View) {
	u.Space = d.space
	u.Space.Reset(u.Now)
	for i := range u.Site.Platform.Calendar {
		if c := &u.Site.Platform.Calendar[i]; u.Known(c) {
			u.Space.Away(c, u.Now)
		}
	}
	for _, b := range d.bookings {
		u.Space.Book(b.Need, b.Claim, b.From, b.To)
	}
	for _, j := range u.Running() {
		if !d.reserved(j) {
			u.Space.Book(&u.Needs[j], u.Held[j], u.Now, u.Until(j))
		}
	}
}

// ask looks for a random place that is free.
func (d *desk) ask(v *sim.View, j model.JobID) (sim.Booking, bool) {
	need := &v.Needs[j]
	for range 12 {
		b := sim.Booking{Job: j, Need: need, From: v.Now + model.Time(d.rng.IntN(60))}
		pool := v.Site.NewPool()
		for range d.rng.IntN(3) { // not always where it would stand on an empty platform
			n := int32(d.rng.IntN(len(v.Site.Nodes)))
			pool.Away(&model.CalendarEntry{Nodes: []int32{n}}, -1)
		}
		claim, ok := pool.Place(need)
		if !ok {
			continue
		}
		b.Claim = model.Claim{Cluster: claim.Cluster, Parts: slices.Clone(claim.Parts)}
		b.To = b.From + v.Limit(j, b.Claim)
		f := &future{platform: v.Site.Platform, nodes: v.Site.Platform.Nodes()}
		hold := func(j model.JobID, from, to model.Time, claim model.Claim) {
			h := holding{from: max(from, v.Now), to: to, job: &v.Jobs[j], claim: claim}
			if d := v.Demand(j); d != nil {
				h.demand = *d
			}
			f.held = append(f.held, h)
		}
		for k := model.JobID(0); k < v.Next; k++ {
			if v.Start[k] != model.Never && !slices.Contains(v.Ended, k) && !d.reserved(k) {
				hold(k, v.Start[k], v.Start[k]+v.Limit(k, v.Held[k]), v.Held[k])
			}
		}
		f.held = slices.DeleteFunc(f.held, func(h holding) bool { return h.to <= v.Now })
		for _, o := range append(slices.Clone(d.bookings), b) {
			hold(o.Job, o.From, o.To, o.Claim)
		}
		if f.check(func(c *model.CalendarEntry) bool { return c.To > v.Now }) == nil {
			return b, true
		}
	}
	return sim.Booking{}, false
}

// reserving makes some of a workload's jobs reservations: they run as long as
// they ask for at most.
func reserving(rng *rand.Rand, w *model.Workload, share float64) func(model.JobID) bool {
	picked := make([]bool, len(w.Jobs))
	for j := range w.Jobs {
		if picked[j] = rng.Float64() < share; picked[j] {
			w.Truth[j].Run = min(w.Truth[j].Run, w.Jobs[j].Limit)
		}
	}
	return func(j model.JobID) bool { return picked[j] }
}

// plainly makes the whole plan again where reservations have come or gone: it is
// the twin of what moves only those jobs that a reservation displaces.
func (p *Plan) plainly(v *sim.View) (displaced int) {
	p.bookings = v.Bookings
	if len(v.Booked)+len(v.Freed) == 0 {
		return 0
	}
	for i := range v.Freed {
		l := &p.lanes[v.Freed[i].Claim.Cluster]
		l.freed = max(l.freed, v.Freed[i].To)
	}
	if failing(v) {
		return 0 // disrupt looks at both
	}
	lists := orders(p)
	p.all = p.all[:0]
	for c := range p.lanes {
		p.all = append(p.all, lists[c]...)
		p.lanes[c].jobs, p.lanes[c].stale = nil, true
	}
	for c := range p.lanes {
		p.refresh(&p.lanes[c])
	}
	p.byStart(p.all)
	var moved []int32
	for _, i := range p.all {
		if s := &p.slots[i]; p.holds(i) {
			p.book(i, s.start, -1)
		} else {
			moved = append(moved, i)
			p.lanes[s.lane].freed = max(p.lanes[s.lane].freed, s.start+s.length)
		}
	}
	for c := range p.lanes {
		p.lanes[c].jobs = slices.DeleteFunc(slices.Clone(lists[c]), func(i int32) bool { return slices.Contains(moved, i) })
	}
	for _, i := range moved {
		p.backfill(i)
	}
	return len(moved)
}

// Every accepted reservation begins at its time with what it was promised, on
// every kind of platform, beside outages, licences and limits, under every
// planning scheduler: the engine refuses whatever stands in its way. Jobs that a
// reservation displaces get the places that they get when the whole plan is made
// anew, and the others stay.
func TestReservationsAreHonoured(t *testing.T) {
	accepted, displaced := 0, 0
	seeds := uint64(240)
	if testing.Short() {
		seeds = 24
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 31))
		bit := func() bool { return rng.IntN(2) == 0 }
		o := terms{clusters: 3, jobs: 50, nodes: bit(), limits: bit(), outages: bit(), failures: rng.IntN(4) == 0, licences: rng.IntN(3) == 0, speeds: bit(), eligible: bit(), crowded: bit()}
		w, p := generated(rng, o)
		reserved := reserving(rng, w, []float64{0.3, 0.6, 1}[rng.IntN(3)])
		ways := map[string]func() sim.Scheduler{
			"conservative": func() sim.Scheduler { return NewConservative() },
			"plan":         func() sim.Scheduler { return New(Options{}) },
			"hill":         func() sim.Scheduler { return NewHill(HillOptions{Evaluations: 30}) },
			"orig-bf":      func() sim.Scheduler { return policy.NewOrigBF() },
		}
		for key, optimiser := range optimisers {
			ways[key] = func() sim.Scheduler {
				return New(Options{Optimiser: optimiser, Iterations: 25, Interval: 5, Weights: paperWeights, Tau: 10})
			}
		}
		for name, make := range ways {
			title := fmt.Sprintf("seed %d, %s, %+v", seed, name, o)
			var runs [2][]model.Execution
			for k := range runs {
				inner := make()
				switch s := inner.(type) {
				case *Scheduler:
					if k == 1 {
						s.anew = func(p *Plan, v *sim.View) { displaced += p.plainly(v) }
					}
				case *policy.OrigBF:
					if k == 1 { // it makes all its own reservations, not only those that matter
						s.Plan = func(model.Time, model.JobID, model.Time) {}
					}
				}
				d := &desk{inner: inner, rng: rand.New(rand.NewPCG(seed, 32)), reserved: reserved}
				runs[k] = slices.Clone(run(t, title, w, p, d).Executions)
				accepted += d.accepted
			}
			if !slices.Equal(runs[0], runs[1]) {
				t.Fatalf("%s: made anew, the plan is another\n%v\n%v", title, runs[0], runs[1])
			}
		}
	}
	if accepted < 10_000*int(seeds)/240 || displaced < 1000*int(seeds)/240 {
		t.Errorf("only %d reservations were accepted, which displaced %d planned jobs", accepted, displaced)
	}
}
