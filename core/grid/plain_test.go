package grid

import (
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/sim"
)

// plainly is a local pass in the plain way: it looks at every waiting job in
// order, asks the profile about each, and keeps nothing from pass to pass.
func (s *Scheduler) plainly(p *provider) {
	var list []waiting
	p.queue.each(func(w *waiting) { list = append(list, *w) })
	if s.Local == FairShare {
		s.sortByUse(list)
	}
	fits := func(w *waiting) bool { return p.free.fits(s.v.Now, s.v.Now+w.limit, w.procs) }
	start := func(w *waiting) {
		s.run(p, w.job, report.StartedInOrder)
		p.queue.remove(w.job)
	}
	for i := range list {
		w := &list[i]
		if fits(w) || s.Local == PPPD && s.preempt(p, w) {
			start(w)
			continue
		}
		if s.Local == EASY { // the head: it is promised a start, and all others are asked
			at, ok := p.free.search(s.v.Now, forever*4, w.procs, w.limit)
			if !ok {
				return
			}
			which := p.free.book(at, at+w.limit, w.procs)
			for k := range list[i+1:] {
				if b := &list[i+1+k]; fits(b) {
					start(b)
				}
			}
			p.free.give(at, at+w.limit, w.procs, which)
			return
		}
		if s.Local == FCFS || s.Stop && s.Local != FCFSBF {
			return
		}
	}
}

// Every job starts when the plain way starts it, under every local policy and
// whatever the options, with queues of many blocks, without reservations and
// with many.
func TestLocalPoliciesAgreeWithPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var site sim.Simulator
	longest := 0
	rounds := 720
	if testing.Short() {
		rounds = 90
	}
	for round := range rounds {
		local := Local(round % 9)
		if local == Conservative {
			continue
		}
		o := randomOptions(r, local)
		procs := 2 + r.IntN(30)
		w := randomWorkload(r, 200+r.IntN(300), procs, []float64{0, 0.2, 0.5}[r.IntN(3)])
		base := w.Jobs[0].Submit
		for j := range w.Jobs { // a rush: most of them wait
			at := &w.Jobs[j].Submit
			late := *at - base
			*at = base + late/12
			if d := w.Demand(model.JobID(j)); d != nil && d.Reservation != nil {
				d.Reservation.Ready -= late - late/12
				d.Reservation.Deadline -= late - late/12
			}
		}
		var got [2][]model.Execution
		for k := range got {
			g := &Scheduler{Options: o}
			g.Seed(uint64(round), 0)
			if k == 1 {
				g.plain = g.plainly
			}
			s, err := site.Run(w, platform(procs, procs), g, sim.Options{Watch: func(*sim.View) bool {
				longest = max(longest, g.providers[0].queue.count)
				return true
			}})
			if err != nil {
				t.Fatalf("round %d, %+v: %v", round, o, err)
			}
			for _, e := range s.Executions {
				e.Claim = 0
				got[k] = append(got[k], e)
			}
		}
		if !slices.Equal(got[0], got[1]) {
			for i := range got[0] {
				if got[0][i] != got[1][i] {
					t.Fatalf("round %d, %+v: %+v, plainly %+v", round, o, got[0][i], got[1][i])
				}
			}
		}
	}
	if longest < 2*blockSize {
		t.Errorf("at most %d jobs waited: the test is one-sided", longest)
	}
}
