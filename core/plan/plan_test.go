package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/resource"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// terms say what a generated platform may have.
type terms struct {
	clusters, jobs                      int
	nodes, limits, outages, failures    bool
	licences, speeds, eligible, crowded bool
}

// generated returns a random workload and platform on which every job can run.
func generated(rng *rand.Rand, o terms) (*model.Workload, *model.Platform) {
	p := &model.Platform{PowerScales: o.speeds && rng.IntN(2) == 0}
	index := int32(0)
	if o.licences {
		p.Licences = []model.Licence{{Name: "a", Copies: 2}, {Name: "b"}}
	}
	var firsts, counts []int32
	for c := range 1 + rng.IntN(o.clusters) {
		cluster := model.Cluster{Name: fmt.Sprint("c", c)}
		if o.nodes {
			cluster.Packing = model.Packing(rng.IntN(3))
		}
		firsts = append(firsts, index)
		n := int32(0)
		for range 1 + rng.IntN(2) {
			g := model.NodeGroup{Count: 1 + rng.Int32N(4), Procs: 8}
			if o.speeds {
				g.Speed = []float64{1, 0.5, 2}[rng.IntN(3)]
			}
			if o.nodes && rng.IntN(2) == 0 {
				g.Mem, g.Disk, g.GPUs = 100, 100, 2
			} else if o.nodes {
				g.GPUs = 2
			}
			if o.licences {
				g.Licences = []string{"a", "b"}
			}
			n += g.Count
			cluster.Groups = append(cluster.Groups, g)
		}
		if cluster.Packing == model.PackProcessors {
			n = 1
		}
		index += n
		counts = append(counts, n)
		p.Clusters = append(p.Clusters, cluster)
	}
	l := &p.Limits
	if o.limits {
		if rng.IntN(2) == 0 {
			l.UserProcs = 8 + rng.Int32N(8)
		}
		l.Classes = []model.LimitClass{{LongerThan: 20, Share: 1}, {LongerThan: 40, Share: 1}}[:rng.IntN(3)]
		for i := range l.Classes {
			l.Classes[i].Share = 1 - 0.1*float64(i)
		}
	}
	entries := func(kind model.CalendarKind, n int) {
		for i := range n {
			c := rng.IntN(len(p.Clusters))
			from := model.Time(rng.IntN(300))
			e := model.CalendarEntry{Kind: kind, Name: fmt.Sprint(kind, i), From: from, To: from + 1 + model.Time(rng.IntN(50)), Cluster: int32(c)}
			if p.Clusters[c].Packing == model.PackProcessors {
				e.Procs = 1 + rng.Int32N(int32(p.Clusters[c].Procs()))
			} else {
				e.Nodes = []int32{firsts[c] + rng.Int32N(counts[c])}
			}
			p.Calendar = append(p.Calendar, e)
		}
	}
	if o.outages {
		entries(model.KindOutage, rng.IntN(4))
	}
	if o.failures {
		entries(model.KindFailure, rng.IntN(4))
	}
	w := &model.Workload{}
	at := model.Time(0)
	for i := range o.jobs {
		if at += model.Time(rng.IntN(9)); o.crowded && i > 0 {
			at -= min(at, model.Time(rng.IntN(8)))
		}
		at = max(at, 0)
		if i > 0 {
			at = max(at, w.Jobs[i-1].Submit)
		}
		j := model.Job{Number: int64(i + 1), Submit: at, Procs: 1 + rng.Int32N(7), Limit: 1 + model.Time(rng.IntN(60)), User: rng.Int32N(4)}
		if rng.IntN(6) == 0 {
			j.Procs = 8
		}
		var d model.Demand
		if o.nodes && rng.IntN(2) == 0 {
			d.MemPerNode, d.DiskPerNode, d.GPUsPerNode = rng.Int64N(101), rng.Int64N(101), rng.Int32N(3)
		}
		if o.licences && rng.IntN(3) == 0 {
			d.Licences = []model.LicenceNeed{{Licence: rng.Int32N(2), Copies: 1 + rng.Int32N(2)}}
		}
		if o.eligible && rng.IntN(3) == 0 {
			d.Eligible = []int32{rng.Int32N(int32(len(p.Clusters)))}
		}
		if o.nodes && rng.IntN(2) == 0 {
			d.Nodes = 1 + rng.Int32N(2)
			d.PerNode = max(1, j.Procs/d.Nodes)
			j.Procs = d.Nodes * d.PerNode
		}
		w.Demands = append(w.Demands, d)
		j.Demand = int32(len(w.Demands))
		w.Jobs = append(w.Jobs, j)
		run := 1 + model.Time(rng.IntN(int(j.Limit)+10))
		w.Truth = append(w.Truth, model.Truth{Run: run})
	}
	// What could not run on the empty site is left out.
	site, err := resource.NewSite(p)
	if err != nil {
		panic(err)
	}
	empty := site.NewPool()
	keep := &model.Workload{Demands: w.Demands}
	for j := range w.Jobs {
		need := site.Need(&w.Jobs[j], w.Demand(model.JobID(j)))
		if empty.Fits(&need) && serves(site, &need, &w.Jobs[j], l) {
			keep.Jobs, keep.Truth = append(keep.Jobs, w.Jobs[j]), append(keep.Truth, w.Truth[j])
		}
	}
	return keep, p
}

func serves(site *resource.Site, n *resource.Need, j *model.Job, l *model.Limits) bool {
	for c := range site.Platform.Clusters {
		if site.Serves(n, int32(c)) && l.Most(site.Platform.Clusters[c].Procs(), j.Limit) >= j.Procs {
			return true
		}
	}
	return false
}

// run simulates and checks: a feasible schedule that keeps the limits.
func run(t *testing.T, name string, w *model.Workload, p *model.Platform, s sim.Scheduler) *model.Schedule {
	t.Helper()
	var m sim.Simulator
	schedule, err := m.Run(w, p, s, sim.Options{})
	if err == nil {
		err = schedule.Check()
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return schedule
}

var optimisers = map[string]search.Optimiser{
	"random-search": search.RandomSearch{}, "annealing": search.Annealing{First: 0.5, Last: 0.1}, "tabu": search.Tabu{}, "lns": search.LNS{},
}

// paperWeights are those of section 3.3.
var paperWeights = search.Weights{1, 1, 10}

// On every kind of platform, with every optimiser, schedules are feasible: no
// processor, memory, disk, GPU or licence is used twice, no limit is exceeded,
// nothing runs into an outage, and every job ends once, also after failures.
func TestPlansAreFeasible(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 5))
		bit := func() bool { return rng.IntN(2) == 0 }
		o := terms{clusters: 3, jobs: 40, nodes: bit(), limits: bit(), outages: bit(), failures: bit(), licences: rng.IntN(4) == 0, speeds: bit(), eligible: bit(), crowded: bit()}
		w, p := generated(rng, o)
		name := fmt.Sprintf("seed %d %+v", seed, o)
		run(t, name, w, p, NewConservative())
		run(t, name, w, p, New(Options{}))
		for _, key := range []string{"random-search", "annealing", "tabu", "lns"} {
			s := New(Options{Optimiser: optimisers[key], Iterations: 30, Interval: 5, Cycle: model.Time(seed % 3 * 20), Weights: paperWeights, Tau: 10})
			run(t, name+key, w, p, s)
		}
	}
}

// The plan on counts, the plan on one node that stands for them, and the plain
// conservative backfilling of counts start every job at the same time.
func TestConservativeAgreesWithCounts(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 6))
		w, _ := generated(rng, terms{clusters: 1, jobs: 80, crowded: seed%2 == 0})
		for i := range w.Jobs {
			w.Jobs[i].Demand = 0
		}
		procs := 8 + rng.Int32N(30)
		counts := model.OneCluster(int(procs))
		var s sim.CountedSimulator
		want, err := s.Run(w, counts, &policy.CountedConservative{}, sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		starts := make([]model.Time, len(w.Jobs))
		for i, e := range want.Executions {
			starts[i] = e.Start
		}
		nodes := &model.Platform{Clusters: []model.Cluster{{Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 1, Procs: procs}}}}}
		for k, p := range []*model.Platform{counts, nodes} {
			got := run(t, "conservative", w, p, NewConservative())
			for i, e := range got.Executions {
				if e.Start != starts[i] {
					t.Fatalf("seed %d, platform %d: job index %d starts at %d, not %d", seed, k, i, e.Start, starts[i])
				}
			}
		}
	}
}

// Without optimisation, limits and outages no planned start ever moves later,
// and compression keeps the order of each job list.
func TestPlannedStartsNeverMoveLater(t *testing.T) {
	moved := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 7))
		w, p := generated(rng, terms{clusters: 3, jobs: 60, nodes: seed%2 == 0, speeds: seed%3 == 0, eligible: true, crowded: true})
		for _, replan := range []bool{false, true} {
			planned := map[model.JobID]model.Time{}
			var lists [][]model.JobID
			s := New(Options{Replan: replan})
			s.Watch(Watch{Pass: func(v *sim.View, s *Scheduler) {
				now := make([][]model.JobID, len(p.Clusters))
				last := make([]model.Time, len(p.Clusters))
				s.Plan().Planned(func(j model.JobID, start model.Time, cluster int32) {
					if was, ok := planned[j]; ok && start > was {
						t.Fatalf("seed %d: at %d, job index %d is planned for %d instead of %d", seed, v.Now, j, start, was)
					} else if ok && start < was {
						moved++
					}
					planned[j] = start
					if start < last[cluster] || start < v.Now {
						t.Fatalf("seed %d: at %d, the job list of cluster %d is out of order", seed, v.Now, cluster)
					}
					last[cluster] = start
					if j < v.Arrived { // an arrival may stand between
						now[cluster] = append(now[cluster], j)
					}
				})
				if !replan && lists != nil {
					for c := range lists {
						was := slices.DeleteFunc(lists[c], func(j model.JobID) bool { return !slices.Contains(now[c], j) })
						if !slices.Equal(was, now[c]) {
							t.Fatalf("seed %d: at %d, the order of cluster %d was %v and is %v", seed, v.Now, c, was, now[c])
						}
					}
				}
				lists = make([][]model.JobID, len(p.Clusters))
				s.Plan().Planned(func(j model.JobID, start model.Time, cluster int32) { lists[cluster] = append(lists[cluster], j) })
			}})
			run(t, fmt.Sprint("seed ", seed), w, p, s)
		}
	}
	if moved == 0 {
		t.Error("no planned start ever moved: the test proves nothing")
	}
}

// With a cycle the optimiser is called while jobs wait though nothing happens.
// Without one, three times: at 0, at 90 (at 100 the last time is too near), and at
// 1000, when the first job ends. Every 60 s: at 0, 90, 150, … 990 and 1050; every
// 300 s: at 0, 90, 390, 690, 990, and at 1050 as something happens then.
func TestCycle(t *testing.T) {
	w := &model.Workload{
		Jobs:  []model.Job{{Number: 1, Limit: 1000, Procs: 4}, {Number: 2, Submit: 90, Limit: 50, Procs: 3}, {Number: 3, Submit: 100, Limit: 60, Procs: 2}},
		Truth: []model.Truth{{Run: 1000}, {Run: 50}, {Run: 60}},
	}
	for cycle, want := range map[model.Time]int{0: 3, 60: 18, 300: 6, 2000: 3} {
		s := New(Options{Optimiser: search.RandomSearch{}, Iterations: 5, Interval: 60, Cycle: cycle, Weights: paperWeights, Tau: 10})
		run(t, "cycle", w, model.OneCluster(4), s)
		if got := s.Counts().Calls; got != want {
			t.Errorf("a cycle of %d s: %d calls, want %d", cycle, got, want)
		}
	}
}
