package grid

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
)

// platform has a provider of each size.
func platform(sizes ...int) *model.Platform {
	p := &model.Platform{}
	for i, n := range sizes {
		p.Clusters = append(p.Clusters, model.Cluster{Name: fmt.Sprint("P", i+1), Groups: []model.NodeGroup{{Count: int32(n), Procs: 1, Speed: 1}}})
	}
	return p
}

// randomWorkload draws jobs of which a share is reserved.
func randomWorkload(r *rand.Rand, n, procs int, share float64) *model.Workload {
	w := &model.Workload{Processors: procs}
	at := model.Time(1000)
	for i := range n {
		at += model.Time(r.IntN(40))
		run, limit := model.Time(1+r.IntN(200)), model.Time(1+r.IntN(250))
		j := model.Job{Number: int64(i + 1), Submit: at, Limit: limit, Procs: int32(1 + r.IntN(procs)), User: int32(r.IntN(4) - 1), Queue: int32(r.IntN(5) - 1)}
		if r.Float64() < share {
			ready := at + model.Time(r.IntN(300))
			length := limit
			if r.IntN(3) == 0 {
				length = 1 + model.Time(r.IntN(int(limit)))
			}
			res := &model.Reservation{Ready: ready, Deadline: ready + length, Effort: model.Effort(max(0, r.IntN(5)-2))}
			if length != limit {
				res.Length = length
			}
			if r.IntN(2) == 0 {
				res.Deadline += model.Time(r.IntN(400))
			}
			w.Demands = append(w.Demands, model.Demand{Reservation: res})
			j.Demand = int32(len(w.Demands))
		} else if r.IntN(8) == 0 {
			w.Demands = append(w.Demands, model.Demand{NoLimit: true})
			j.Demand = int32(len(w.Demands))
		}
		w.Jobs, w.Truth = append(w.Jobs, j), append(w.Truth, model.Truth{Run: run})
	}
	return w
}

func starts(s *model.Schedule) []model.Time {
	var list []model.Time
	for i := range s.Executions {
		list = append(list, s.Executions[i].Start)
	}
	return list
}

// With one provider and no reservation the local policies are those of the
// engine that counts processors, job for job.
func TestLocalPoliciesAgreeWithOneMachine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var counts sim.CountedSimulator
	var site sim.Simulator
	var g Scheduler
	for range 400 {
		procs := 1 + r.IntN(40)
		w := randomWorkload(r, 1+r.IntN(60), procs, 0)
		for local, plain := range map[Local]sim.CountedScheduler{FCFS: &policy.CountedFCFS{}, EASY: &policy.CountedEASY{}, Conservative: &policy.CountedConservative{}} {
			s, err := counts.Run(w, model.OneCluster(procs), plain, sim.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := starts(s)
			g.Options = Options{Local: local}
			s, err = site.Run(w, model.OneCluster(procs), &g, sim.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := starts(s); !slices.Equal(got, want) {
				t.Fatalf("local policy %d starts at\n%v instead of\n%v", local, got, want)
			}
		}
	}
}

// randomOptions draws policies and behaviours that have a meaning together.
func randomOptions(r *rand.Rand, local Local) Options {
	for {
		o := Options{
			Local: local, Stop: r.IntN(2) == 0, Batch: Allocation(r.IntN(2)), Reservations: Allocation(r.IntN(5)), Spread: r.IntN(2) == 0,
			First: r.IntN(2) == 0, Reject: r.IntN(2) == 0, Static: r.IntN(3) == 0, AtEnd: AtEnd(r.IntN(3)), Suspend: r.IntN(3) == 0,
			Hold: r.IntN(2) == 0, NoLimit: r.IntN(2) == 0, LowFirst: r.IntN(2) == 0, Requeue: r.IntN(2) == 0,
		}
		if r.IntN(3) == 0 {
			o.Slot = model.Time(1 + r.IntN(60))
		}
		if r.IntN(3) == 0 {
			o.Delta = model.Time(1 + r.IntN(300))
		}
		if r.IntN(2) == 0 {
			o.Period = model.Time(1 + r.IntN(100))
		}
		if o.Check() == nil {
			return o
		}
	}
}

// Once accepted, no reservation is ever delayed, moved or short of processors,
// and no batch job overlaps one, whatever the local policy and the options; a
// reservation that is not late lies in its interval, and one that is rejected
// lies nowhere.
func TestReservationsAreKept(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var site sim.Simulator
	kept, late, rejected, fewer, suspended, ended := 0, 0, 0, 0, 0, 0
	for round := range 3600 {
		o := randomOptions(r, Local(round%9))
		procs := 2 + r.IntN(30)
		p := platform(procs, procs, 2+r.IntN(procs-1))
		w := randomWorkload(r, 1+r.IntN(50), procs, []float64{0.1, 0.5, 1}[r.IntN(3)])
		if r.IntN(4) == 0 {
			from := model.Time(1000 + r.IntN(800))
			p.Calendar = []model.CalendarEntry{{Kind: model.KindOutage, From: from, To: from + 1 + model.Time(r.IntN(300)), Cluster: int32(r.IntN(2)), Procs: int32(1 + r.IntN(procs))}}
		}
		g := &Scheduler{Options: o}
		g.Seed(uint64(round), 0)
		promised := map[model.JobID]Booked{}
		s, err := site.Run(w, p, g, sim.Options{Watch: func(v *sim.View) bool {
			for _, b := range g.Booked() {
				if was, there := promised[b.Job]; there && was != b {
					t.Fatalf("round %d, %+v: reservation %+v becomes %+v", round, o, was, b)
				}
				promised[b.Job] = b
			}
			return true
		}})
		if err != nil {
			t.Fatalf("round %d, %+v: %v", round, o, err)
		}
		if err := s.Check(); err != nil {
			t.Fatalf("round %d, %+v: %v", round, o, err)
		}
		booked := promised
		first := map[model.JobID]*model.Execution{}
		for i := range s.Executions {
			e := &s.Executions[i]
			if e.Attempt == 0 {
				first[e.Job] = e
			}
			if e.Reason == model.EndSuspended {
				suspended++
			}
			if e.Reason == model.EndReserved {
				ended++
			}
		}
		for j := range w.Jobs {
			d := w.Demand(model.JobID(j))
			if d == nil || d.Reservation == nil {
				continue
			}
			e, b := first[model.JobID(j)], booked[model.JobID(j)]
			if e.Reason == model.EndRejected {
				if rejected++; b.Procs != 0 {
					t.Fatalf("round %d: job %d is booked and rejected", round, j)
				}
				continue
			}
			if b.Procs == 0 || e.Start != b.Start || e.Procs != b.Procs || e.Cluster != b.Cluster || b.Start < d.Reservation.Ready || b.From > b.Start || b.To <= b.Start {
				t.Fatalf("round %d, %+v: reservation %+v of job %d runs as %+v (%+v)", round, o, b, j, e, d.Reservation)
			}
			if e.Procs < w.Jobs[j].Procs {
				fewer++
			}
			length := cmp.Or(d.Reservation.Length, w.Jobs[j].Limit)
			switch {
			case o.AtEnd == EndEarly && length > early && e.End > b.Start+length-early && d.Reservation.Effort != model.EffortTime:
				t.Fatalf("round %d: job %d runs until %d, its reservation ends at %d", round, j, e.End, b.Start+length)
			case e.End > b.To:
				t.Fatalf("round %d: job %d runs until %d, beyond its reservation %+v", round, j, e.End, b)
			}
			if b.Start+length <= d.Reservation.Deadline || d.Reservation.Effort == model.EffortTime {
				kept++
			} else if late++; o.Reject {
				t.Fatalf("round %d: reservation %+v of job %d is late", round, b, j)
			}
			if o.Slot > 1 && d.Reservation.Effort != model.EffortTime && (b.To%o.Slot != 0 || b.From%o.Slot != 0 && b.From >= w.Jobs[j].Submit+o.Delta+o.Slot) {
				t.Fatalf("round %d: %+v does not fill slots of %d s", round, b, o.Slot)
			}
		}
		overlap(t, round, o, p, w, s, booked)
	}
	if kept < 1000 || late < 500 || rejected < 500 || fewer < 50 || suspended < 100 || ended < 100 {
		t.Errorf("kept %d, late %d, rejected %d, fewer %d, suspended %d, ended %d: the test is one-sided", kept, late, rejected, fewer, suspended, ended)
	}
}

// overlap proves, second by second at which something changes, that what batch
// jobs hold and what is reserved fits together: whole reservations when they
// keep their processors, else as long as their jobs run.
func overlap(t *testing.T, round int, o Options, p *model.Platform, w *model.Workload, s *model.Schedule, booked map[model.JobID]Booked) {
	t.Helper()
	type change struct {
		at      model.Time
		cluster int32
		procs   int32
	}
	var list []change
	add := func(from, to model.Time, cluster, procs int32) {
		list = append(list, change{from, cluster, procs}, change{to, cluster, -procs})
	}
	for i := range s.Executions {
		e := &s.Executions[i]
		if e.Reason == model.EndRejected {
			continue
		}
		if b, there := booked[e.Job]; there && e.Attempt == 0 {
			to := e.End
			if o.Hold {
				to = b.To
			}
			from := b.From
			if o.Suspend { // batch jobs stay until the job of the reservation starts
				from = b.Start
			}
			add(from, to, e.Cluster, e.Procs)
			continue
		}
		add(e.Start, e.End, e.Cluster, e.Procs)
	}
	slices.SortFunc(list, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.procs, b.procs)) })
	used := make([]int32, len(p.Clusters))
	for _, c := range list {
		if used[c.cluster] += c.procs; int(used[c.cluster]) > p.Clusters[c.cluster].Procs() {
			t.Fatalf("round %d, %+v: at %d, %d processors of provider %d are held or reserved", round, o, c.at, used[c.cluster], c.cluster)
		}
	}
}

// The same input gives the same schedule with a scheduler that has been used.
func TestSchedulerIsReusable(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var site sim.Simulator
	g := new(Scheduler)
	for round := range 300 {
		w := randomWorkload(r, 1+r.IntN(40), 12, 0.4)
		o := randomOptions(r, Local(round%9))
		var got [2][]model.Execution
		for k := range got {
			fresh := &Scheduler{Options: o}
			if k == 0 {
				g.Options, fresh = o, g
			}
			fresh.Seed(9, round)
			s, err := site.Run(w, platform(12, 12), fresh, sim.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range s.Executions {
				e.Claim = 0
				got[k] = append(got[k], e)
			}
		}
		if !slices.Equal(got[0], got[1]) {
			t.Fatalf("round %d, %+v: a used scheduler decides otherwise", round, o)
		}
	}
}
