package policy

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// testWeights are weights under which every heuristic has a say.
var testWeights = PriorityWeights{Aging: 0.01, Deadline: 1, Licences: 1, Wait: 2, Queue: 0.5, Range: DeadlineRange{Min: 0.1, Max: 20, K: 1.3}}

// farm makes a random small farm and a workload that needs licences and
// deadlines. Every job can run somewhere.
func farm(rng *rand.Rand) (*model.Workload, *model.Platform) {
	p := &model.Platform{}
	names := []string{"a", "b", "c", "d"}
	for i, name := range names {
		copies := int32(1 + rng.IntN(3))
		if i == 3 {
			copies = 0 // node-locked
		}
		p.Licences = append(p.Licences, model.Licence{Name: name, Copies: copies})
	}
	c := model.Cluster{Name: "farm", Packing: model.PackMachine}
	for range 2 + rng.IntN(5) {
		g := model.NodeGroup{Count: int32(1 + rng.IntN(2)), Procs: int32(1 + rng.IntN(8)), Speed: float64(1+rng.IntN(4)) / 2, Mem: 100}
		for _, name := range names {
			if rng.IntN(5) > 0 {
				g.Licences = append(g.Licences, name)
			}
		}
		c.Groups = append(c.Groups, g)
	}
	p.Clusters = []model.Cluster{c}
	if rng.IntN(3) == 0 {
		p.Clusters = append(p.Clusters, model.Cluster{Name: "pool", Groups: []model.NodeGroup{{Count: int32(1 + rng.IntN(6)), Procs: 1, Speed: 1, Licences: []string{"a", "c"}}}})
	}
	p.PowerScales = rng.IntN(3) == 0
	site, err := resource.NewSite(p)
	if err != nil {
		panic(err)
	}
	w := &model.Workload{}
	at := model.Time(100)
	for i := range 20 + rng.IntN(40) {
		for {
			limit := model.Time(1 + rng.IntN(60))
			d := model.Demand{Nodes: 1, MemPerNode: int64(rng.IntN(60))}
			for l := range p.Licences {
				if rng.IntN(3) == 0 {
					d.Licences = append(d.Licences, model.LicenceNeed{Licence: int32(l), Copies: 1})
				}
			}
			if rng.IntN(3) > 0 {
				d.Due = at + limit + model.Time(rng.IntN(80))
			}
			j := model.Job{Number: int64(i + 1), Submit: at, Limit: limit, Procs: int32(1 + rng.IntN(8)), Demand: int32(i + 1), Queue: int32(i%5) - 1}
			need := site.Need(&j, &d)
			if need.Machines() == 0 {
				continue
			}
			w.Jobs, w.Demands = append(w.Jobs, j), append(w.Demands, d)
			run := limit
			if rng.IntN(2) == 0 {
				run = 1 + model.Time(rng.IntN(int(limit)+5))
			}
			w.Truth = append(w.Truth, model.Truth{Run: run})
			break
		}
		at += model.Time(rng.IntN(12))
	}
	return w, p
}

// calendar adds outages of machines.
func calendar(p *model.Platform, rng *rand.Rand) {
	nodes := int32(len(p.Nodes()))
	for i := range 1 + rng.IntN(4) {
		from := model.Time(90 + rng.IntN(200))
		p.Calendar = append(p.Calendar, model.CalendarEntry{Kind: model.KindOutage, Name: fmt.Sprint(i), From: from, To: from + 1 + model.Time(rng.IntN(60)), Nodes: []int32{rng.Int32N(nodes)}})
	}
}

// siteSchedulers are all schedulers of machines, by name.
func siteSchedulers() map[string]sim.Scheduler {
	return map[string]sim.Scheduler{
		"fcfs":     &FCFS{},
		"easy":     NewEASY(&CountedEASY{}),
		"easy spf": NewEASY(&CountedEASY{Order: LEXP, Backfill: SPF, UseThreshold: true, Threshold: 50}),
		"bf-unmod": NewBFUnmod(testWeights),
		"bf-mod":   NewBFMod(testWeights),
		"orig-bf":  NewOrigBF(),
	}
}

// On random farms, with and without a calendar, every scheduler gives a
// schedule that Check proves: one suitable machine a job, processors, memory
// and copies of licences never above what there is. Recording reasons changes
// nothing.
func TestFarmFeasible(t *testing.T) {
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 1))
		w, p := farm(rng)
		if seed%2 == 1 {
			calendar(p, rng)
		}
		for name, s := range siteSchedulers() {
			var m, again sim.Simulator
			schedule, err := m.Run(w, p, s, sim.Options{})
			if err == nil {
				err = schedule.Check()
			}
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, name, err)
			}
			var record sim.Record
			other, err := again.Run(w, p, s, sim.Options{Record: &record})
			if err != nil || !sameRuns(schedule.Executions, other.Executions) {
				t.Fatalf("seed %d, %s: a second run with a record differs (%v)", seed, name, err)
			}
			for j := range record.Why {
				var sum model.Time
				for _, waited := range record.Why[j].Waited {
					sum += waited
				}
				if sum != schedule.Executions[j].Wait() {
					t.Fatalf("seed %d, %s: job index %d waited %d s, reasons say %d", seed, name, j, schedule.Executions[j].Wait(), sum)
				}
			}
		}
	}
}

// Failures come unannounced and stop what runs: every scheduler lets such jobs
// run again from their beginning, loses none, and wastes no processor that has
// come back.
func TestSchedulersSurviveFailures(t *testing.T) {
	again := 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 6))
		w, p := farm(rng)
		calendar(p, rng)
		for i := range p.Calendar {
			if i%2 == 0 {
				p.Calendar[i].Kind = model.KindFailure
			}
		}
		for name, s := range siteSchedulers() {
			var m sim.Simulator
			schedule, err := m.Run(w, p, s, sim.Options{})
			if err == nil {
				err = schedule.Check()
			}
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, name, err)
			}
			for _, e := range schedule.Executions {
				if e.Reason == model.EndOutage {
					again++
				}
			}
		}
	}
	if again < 100 {
		t.Errorf("failures stopped only %d executions", again)
	}
}

func sameRuns(a, b []model.Execution) bool {
	return slices.EqualFunc(a, b, func(x, y model.Execution) bool { return x == y })
}

// The head's reservation is never delayed under BF_UNMOD, nor under EASY with
// FCFS order: as long as the same job is the head, its promised start does not
// move later, and it starts by then, runs longer than none of its promises.
func TestReservationNeverDelayed(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 2))
		w, p := farm(rng)
		if seed%3 == 1 {
			calendar(p, rng)
		}
		unmod, easy := NewBFUnmod(testWeights), NewEASY(&CountedEASY{})
		for name, s := range map[string]sim.Scheduler{"bf-unmod": unmod, "easy": easy} {
			reservation := unmod.Reservation
			if name == "easy" {
				reservation = easy.Reservation
			}
			promised := map[model.JobID]model.Time{}
			last := model.JobID(-1)
			var m sim.Simulator
			schedule, err := m.Run(w, p, s, sim.Options{Watch: func(v *sim.View) bool {
				head, at, _ := reservation()
				if last >= 0 && head != last && v.Start[last] == model.Never && !decided(v, last, s) {
					t.Fatalf("seed %d, %s at %d: head %d lost its place to %d", seed, name, v.Now, last, head)
				}
				if head >= 0 {
					if before, ok := promised[head]; ok && at > before {
						t.Fatalf("seed %d, %s at %d: the reservation of %d moves from %d to %d", seed, name, v.Now, head, before, at)
					}
					promised[head] = at
				}
				last = head
				return true
			}})
			if err != nil {
				t.Fatal(err)
			}
			for j, at := range promised {
				if start := schedule.Executions[j].Start; start > at {
					t.Fatalf("seed %d, %s: job index %d starts at %d, promised was %d", seed, name, j, start, at)
				}
			}
		}
	}
}

// decided says whether the scheduler has just started a job: it waits no more.
func decided(_ *sim.View, j model.JobID, s sim.Scheduler) bool {
	switch s := s.(type) {
	case *BFUnmod:
		return !s.here[j]
	case *EASY:
		return !s.here[j]
	}
	return false
}

// On one cluster of interchangeable processors the engine of machines agrees
// with the fast one, job for job, for FCFS and for EASY in every order.
func TestEnginesAgree(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		procs := 4 + rng.IntN(100)
		w := &model.Workload{Processors: procs}
		at := model.Time(0)
		for i := range 200 {
			limit := model.Time(1 + rng.IntN(500))
			w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: at, Limit: limit, Procs: int32(1 + rng.IntN(1+rng.IntN(procs)))})
			w.Truth = append(w.Truth, model.Truth{Run: 1 + model.Time(rng.IntN(int(limit)*5/4+1))})
			at += model.Time(rng.IntN(1 + rng.IntN(120)))
		}
		p := model.OneCluster(procs)
		newest := seed%2 == 1
		check := func(name string, fast sim.CountedScheduler, site sim.Scheduler) {
			var m sim.CountedSimulator
			var n sim.Simulator
			a, err := m.Run(w, p, fast, sim.Options{})
			if err != nil {
				t.Fatal(err)
			}
			b, err := n.Run(w, p, site, sim.Options{})
			if err == nil {
				err = b.Check()
			}
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, name, err)
			}
			for i := range a.Executions {
				x, y := a.Executions[i], b.Executions[i]
				if x.Start != y.Start || x.End != y.End || x.Reason != y.Reason {
					t.Fatalf("seed %d, %s: job %d: %d–%d and %d–%d", seed, name, w.Jobs[i].Number, x.Start, x.End, y.Start, y.End)
				}
			}
		}
		check("fcfs", &CountedFCFS{Newest: newest}, &FCFS{Newest: newest})
		for _, order := range []Order{FCFSOrder, LCFS, SPF, LPF, SQF, LQF, SAF, LAF, SEXP, LEXP, SRF, LRF} {
			for _, backfill := range []Order{FCFSOrder, SPF, SEXP} {
				e := CountedEASY{Order: order, Backfill: backfill, Newest: newest, UseThreshold: seed%3 == 0, Threshold: 300}
				name := fmt.Sprintf("easy %v/%v", order, backfill)
				check(name, &CountedEASY{Order: order, Backfill: backfill, Newest: newest, UseThreshold: e.UseThreshold, Threshold: 300}, NewEASY(&e))
			}
		}
	}
}
