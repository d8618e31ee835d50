package bench

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/grid"
	"batchlab/core/model"
	"batchlab/core/plan"
	"batchlab/core/policy"
	"batchlab/core/reserve"
	"batchlab/core/resource"
	"batchlab/core/sim"
	"batchlab/core/workload"
)

// reservations are n bookings of 1 to 64 processors for up to two hours, one every
// half hour on average: half of 128 processors.
func reservations(n int) []resource.Booking {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	list := make([]resource.Booking, n)
	for i := range list {
		from := model.Time(r.Int64N(int64(1800 * n)))
		list[i] = resource.Booking{From: from, To: from + 60 + model.Time(r.IntN(7200)), Procs: 1 + r.Int32N(64)}
	}
	return list
}

// BenchmarkSlots measures searches for the earliest start of a reservation
// (ARTS²) of 1 to 96 processors for four hours over v slots of different lengths, and in tables of fixed slots.
func BenchmarkSlots(b *testing.B) {
	for _, n := range []int{100, 1000, 10000, 100000} {
		list := reservations(n)
		horizon := model.Time(1800 * n)
		var c resource.Counts
		c.GenerateFrom(0, 128, list)
		type table interface {
			Search(ready, deadline model.Time, procs int32, length model.Time) (model.Time, bool)
		}
		tables := []struct {
			name  string
			slots int
			t     table
		}{{"CARTS", c.Len(), &c}}
		for _, minutes := range []model.Time{1, 10, 60} {
			f := new(fixed)
			f.Reset(0, 60*minutes, 128)
			for _, x := range list {
				f.Add(x.From, x.To, -x.Procs)
			}
			tables = append(tables, struct {
				name  string
				slots int
				t     table
			}{fmt.Sprintf("fixed-%dmin", minutes), f.Len(), f})
		}
		for _, t := range tables {
			b.Run(fmt.Sprintf("%s/reservations=%d", t.name, n), func(b *testing.B) {
				r := rand.New(rand.NewPCG(2, 3))
				b.ReportMetric(float64(t.slots), "slots")
				for b.Loop() {
					ready := model.Time(r.Int64N(int64(horizon)))
					t.t.Search(ready, 4*horizon, 1+r.Int32N(96), 4*3600)
				}
			})
		}
	}
}

// BenchmarkGenerate measures algorithm 1 on sorted reservations.
func BenchmarkGenerate(b *testing.B) {
	for _, n := range []int{1000, 10000, 100000} {
		byStart, byEnd := reservations(n), reservations(n)
		slices.SortFunc(byStart, func(x, y resource.Booking) int { return cmp.Compare(x.From, y.From) })
		slices.SortFunc(byEnd, func(x, y resource.Booking) int { return cmp.Compare(x.To, y.To) })
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var c resource.Counts
			for b.Loop() {
				c.Generate(0, 128, byStart, byEnd)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/reservation")
		})
	}
}

// BenchmarkGrid runs the same generated jobs on two providers with more and more
// of them reserved.
func BenchmarkGrid(b *testing.B) {
	log, err := workload.GenerateSeeded("two-level", map[string]any{"jobs": int64(20000), "interarrival": 2507.0, "run": 8135.0, "requested": 18995.0, "procs-mean": 20.0, "procs-max": int64(64), "wide": 0.15}, 1, 0)
	if err != nil {
		b.Fatal(err)
	}
	w, _, err := workload.FromLog(log, workload.Options{Processors: 64})
	if err != nil {
		b.Fatal(err)
	}
	p := &model.Platform{}
	for range 2 {
		p.Clusters = append(p.Clusters, model.Cluster{Groups: []model.NodeGroup{{Count: 64, Procs: 1, Speed: 1}}})
	}
	for _, local := range localPolicies[1:4] {
		for _, share := range []float64{0, 0.3, 0.6, 1} {
			jobs := w
			if share > 0 {
				rule := workload.ReservationRule{Share: share, Drawn: true, LeadMax: 70000, Part: 1, FactorMin: 1, FactorMax: 1}
				jobs = workload.Reserve(w, &rule, workload.Streams(1, 0))
			}
			b.Run(fmt.Sprintf("%s/share=%g", local.name, share), func(b *testing.B) {
				s, desk := gridOf(p, local.make)
				var m sim.Simulator
				for b.Loop() {
					if _, err := m.Run(jobs, p, s, sim.Options{Desk: desk}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(jobs.Jobs)*b.N)/b.Elapsed().Seconds(), "jobs/s")
			})
		}
	}
}

// localPolicies are those of Kurowski et al. and those that fill gaps.
var localPolicies = []struct {
	name string
	make func() sim.Scheduler
}{
	{"fcfs", func() sim.Scheduler { return &policy.FCFS{} }},
	{"fcfs-bf", func() sim.Scheduler { return &policy.List{} }},
	{"easy", func() sim.Scheduler { return policy.NewEASY(&policy.CountedEASY{}) }},
	{"conservative", func() sim.Scheduler { return plan.NewConservative() }},
	{"lsf", func() sim.Scheduler { return &policy.List{Order: policy.BySize} }},
	{"sjf", func() sim.Scheduler { return &policy.List{Order: policy.ByRequest} }},
	{"ppp", func() sim.Scheduler { return &policy.List{Order: policy.ByPriority} }},
	{"pppd", func() sim.Scheduler { return &policy.List{Order: policy.ByPriority, Dispose: true} }},
	{"fair-share", func() sim.Scheduler { return &policy.List{Order: policy.ByUse} }},
}

// gridOf returns a grid with the same scheduler at each provider, and its desk.
func gridOf(p *model.Platform, local func() sim.Scheduler) (*grid.Broker, *reserve.Desk) {
	b := &grid.Broker{Options: grid.Options{Batch: grid.LoadBalance, Reservations: grid.MCT, First: true}}
	for range p.Clusters {
		b.Locals = append(b.Locals, local())
	}
	return b, &reserve.Desk{Chooser: b}
}
