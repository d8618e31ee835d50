package reserve_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/reserve"
	"batchlab/core/sim"
)

// Intent: on every packing, with licences, limits, outages and failures, EASY in
// orders of all kinds, FCFS, BF_UNMOD and BF_MOD keep clear of reservations, and
// their schedules are valid.
func TestBackfillingBesideReservations(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 7))
	done := 0
	for round := range 1500 {
		p := somePlatform(r)
		w := someJobs(r, 1+r.IntN(40), 8)
		weights := policy.PriorityWeights{Aging: 1, Wait: 1, Range: policy.DeadlineRange{Min: 1, Max: 2, K: 1}}
		s := []sim.Scheduler{
			&policy.FCFS{}, policy.NewEASY(&policy.CountedEASY{}), policy.NewEASY(&policy.CountedEASY{Order: policy.SAF, Backfill: policy.SPF}),
			policy.NewEASY(&policy.CountedEASY{Order: policy.LEXP, Backfill: policy.SQF, UseThreshold: true, Threshold: 100}),
			policy.NewBFUnmod(weights), policy.NewBFMod(weights),
		}[r.IntN(6)]
		desk := &reserve.Desk{Options: reserve.Options{AtEnd: reserve.AtEnd(r.IntN(3)), Hold: r.IntN(2) == 0, Suspend: r.IntN(3) == 0, Static: r.IntN(4) == 0}}
		if desk.Options.Suspend {
			desk.Options.Static = false
		}
		for i := range p.Calendar { // static binding does not go with failures
			if desk.Options.Static {
				p.Calendar[i].Kind = model.KindOutage
			}
		}
		var m sim.Simulator
		record := &sim.Record{}
		out, err := m.Run(w, p, s, sim.Options{Desk: desk, Record: record})
		if err != nil {
			if impossible(err) {
				continue
			}
			t.Fatalf("round %d, %T, %+v: %v", round, s, desk.Options, err)
		}
		if err := out.Check(); err != nil {
			t.Fatalf("round %d, %T: %v", round, s, err)
		}
		done++
	}
	if done < 1000 {
		t.Errorf("only %d ran", done)
	}
}

// asking is EASY beside reservations in the plain way: at each instant everybody who
// waits is asked, in order, then in backfill order whoever leaves the head's promise
// alone. With strict it is FCFS.
type asking struct {
	order, behind policy.Lineup
	threshold     model.Time // −1: none
	strict        bool
	queue         []model.JobID // in order of submission
	crowd         int           // most that have waited
}

func (s *asking) NeedsSpace() {}

func (s *asking) Reset(v *sim.View) {
	s.queue = nil
	s.order.Reset(v)
	s.behind.Reset(v)
}

// first returns the job that stands first.
func (s *asking) first(v *sim.View) model.JobID {
	if j := s.queue[0]; s.threshold >= 0 && v.Now-v.Jobs[j].Submit > s.threshold {
		return j
	}
	return s.queue[s.order.First(v, s.queue)]
}

func (s *asking) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	s.order.Admit(v)
	s.behind.Admit(v)
	s.queue = append(append(s.queue, v.Back...), v.New...)
	slices.Sort(s.queue)
	s.crowd = max(s.crowd, len(s.queue))
	free := v.Site.NewPool()
	free.CopyFrom(v.Free)
	book := func(j model.JobID, claim model.Claim, from, to model.Time) func() {
		which := v.Space.Book(&v.Needs[j], claim, from, to)
		return func() { v.Space.Unbook(&v.Needs[j], claim, from, to, which) }
	}
	var undo []func()
	start := func(j model.JobID) bool {
		end := v.Now + v.Longest(j)
		if v.Kills(j) {
			end = min(end, v.Due[j])
		}
		claim, ok := v.Space.Place(&v.Needs[j], v.Now, end)
		if !ok || !free.Holds(&v.Needs[j], claim) {
			return false
		}
		free.Take(&v.Needs[j], claim)
		undo = append(undo, book(j, claim, v.Now, end))
		out = append(out, sim.Decision{Job: j, Claim: claim})
		at, _ := slices.BinarySearch(s.queue, j)
		s.queue = slices.Delete(s.queue, at, at+1)
		return true
	}
	for i := 0; i < len(s.queue); {
		if j := s.queue[i]; v.Kills(j) && v.Due[j] <= v.Now {
			out = append(out, sim.Decision{Verb: sim.Reject, Job: j})
			s.queue = slices.Delete(s.queue, i, i+1)
		} else {
			i++
		}
	}
	for len(s.queue) > 0 && start(s.first(v)) {
	}
	if len(s.queue) > 0 && !s.strict {
		head := s.first(v)
		if at, claim, ok := v.Space.Earliest(&v.Needs[head], v.Longest(head), v.Now); ok {
			undo = append(undo, book(head, claim, at, at+v.Longest(head)))
			rest := slices.DeleteFunc(slices.Clone(s.queue), func(j model.JobID) bool { return j == head })
			s.behind.Sort(v, rest)
			for _, j := range rest {
				start(j)
			}
		}
	}
	for _, f := range slices.Backward(undo) {
		f()
	}
	return out
}

// stopAtDue gives half of the batch jobs due times at which they are stopped.
func stopAtDue(r *rand.Rand, w *model.Workload) {
	for i := range w.Jobs {
		if j := &w.Jobs[i]; j.Demand == 0 && r.IntN(2) == 0 {
			due := j.Submit + 1 + model.Time(r.IntN(int(3*j.Limit)))
			w.Demands = append(w.Demands, model.Demand{Due: due, OnDue: model.DueKill})
			j.Demand = int32(len(w.Demands))
		}
	}
}

// Intent: on counted processors, EASY in all kinds of orders and FCFS start every
// job beside reservations when the plain form does that asks everybody at each
// instant: in short queues and in long ones, with due times, outages and jobs that come
// back.
func TestBackfillingAsksEnough(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 7))
	crowded, rounds := 0, 2500
	if testing.Short() {
		rounds = 500
	}
	for round := range rounds {
		procs := 3 + r.Int32N(10)
		n := 1 + r.IntN(40)
		if round%10 == 0 {
			n = 400
		}
		w := someJobs(r, n, procs)
		if round%10 == 0 { // more than the machine can do, so that queues have many blocks
			for i := range w.Jobs {
				w.Jobs[i].Submit /= 8
			}
		}
		if r.IntN(3) == 0 {
			stopAtDue(r, w)
		}
		p := model.OneCluster(int(procs))
		if r.IntN(5) == 0 {
			from := model.Time(r.IntN(300))
			p.Calendar = []model.CalendarEntry{{From: from, To: from + 50, Procs: 1 + r.Int32N(procs-1)}}
		}
		orders := []policy.Order{policy.FCFSOrder, policy.SAF, policy.SPF, policy.LEXP, policy.SQF}
		easy := &policy.CountedEASY{Order: orders[r.IntN(5)], Backfill: orders[r.IntN(5)]}
		twin := &asking{threshold: -1}
		if easy.UseThreshold = r.IntN(4) == 0; easy.UseThreshold {
			easy.Threshold, twin.threshold = 100, 100
		}
		twin.order.Order, twin.behind.Order = easy.Order, easy.Backfill
		var s sim.Scheduler = policy.NewEASY(easy)
		if r.IntN(6) == 0 {
			s, twin = &policy.FCFS{}, &asking{strict: true, threshold: -1}
		}
		o := reserve.Options{AtEnd: reserve.AtEnd(r.IntN(3)), Hold: r.IntN(2) == 0, Suspend: r.IntN(3) == 0}
		var m, k sim.Simulator
		a, err := m.Run(w, p, s, sim.Options{Desk: &reserve.Desk{Options: o}})
		b, faults := k.Run(w, p, twin, sim.Options{Desk: &reserve.Desk{Options: o}})
		if err != nil || faults != nil {
			if (err == nil) != (faults == nil) {
				t.Fatalf("round %d, %+v: %v, %v", round, o, err, faults)
			}
			continue
		}
		crowded = max(crowded, twin.crowd)
		for i := range b.Executions {
			e := &b.Executions[i]
			if i >= len(a.Executions) || plain(a.Executions[i]) != plain(*e) {
				t.Fatalf("round %d, %+v, %+v\n%+v job %+v %+v\n%+v instead of %+v", round, easy.Order, o, p.Calendar, w.Jobs[e.Job], w.Demand(e.Job), plain(a.Executions[i]), plain(*e))
			}
		}
	}
	if crowded < 150 {
		t.Errorf("at most %d jobs have waited", crowded)
	}
}
