package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// hillCase is a random workload on clusters of nodes, some with memory, some
// with failures and announced outages.
func hillCase(rng *rand.Rand) (*model.Workload, *model.Platform) {
	p := &model.Platform{PowerScales: rng.IntN(4) == 0}
	for c := range 1 + rng.IntN(2) {
		cluster := model.Cluster{Name: fmt.Sprint("c", c), Packing: model.Packing(rng.IntN(3))}
		for range 1 + rng.IntN(2) {
			g := model.NodeGroup{Count: int32(1 + rng.IntN(3)), Procs: int32(1 + rng.IntN(4)), Speed: float64(1 + rng.IntN(2))}
			if rng.IntN(2) == 0 {
				g.Mem = 100
			}
			cluster.Groups = append(cluster.Groups, g)
		}
		p.Clusters = append(p.Clusters, cluster)
	}
	nodes := p.Nodes()
	for range rng.IntN(3) {
		from := model.Time(rng.IntN(100))
		e := model.CalendarEntry{Kind: model.KindFailure, From: from, To: from + 1 + model.Time(rng.IntN(30))}
		if rng.IntN(2) == 0 {
			e.Kind = model.KindOutage
		}
		if n := rng.IntN(len(nodes)); p.Clusters[nodes[n].Cluster].Packing == model.PackProcessors {
			e.Cluster, e.Procs = nodes[n].Cluster, 1+rng.Int32N(nodes[n].Procs)
		} else {
			e.Nodes = []int32{int32(n)}
		}
		p.Calendar = append(p.Calendar, e)
	}
	if rng.IntN(3) == 0 {
		p.Limits.UserProcs = 2 + rng.Int32N(4)
	}
	if rng.IntN(3) == 0 {
		p.Limits.Classes = []model.LimitClass{{LongerThan: 20, Share: 0.7}}
	}
	if rng.IntN(3) == 0 {
		p.Licences = []model.Licence{{Name: "a", Copies: 2}}
		for c := range p.Clusters {
			for g := range p.Clusters[c].Groups {
				p.Clusters[c].Groups[g].Licences = []string{"a"}
			}
		}
	}
	site, err := resource.NewSite(p)
	if err != nil {
		panic(err)
	}
	w := &model.Workload{}
	at := model.Time(0)
	for len(w.Jobs) < 16 {
		at += model.Time(rng.IntN(10))
		job := model.Job{Number: int64(len(w.Jobs) + 1), Submit: at, Limit: model.Time(1 + rng.IntN(40)), Procs: int32(1 + rng.IntN(4))}
		d := model.Demand{MemPerNode: int64(rng.IntN(2) * rng.IntN(101))}
		if rng.IntN(2) == 0 {
			d.Nodes, d.PerNode = int32(1+rng.IntN(3)), int32(1+rng.IntN(2))
			job.Procs = d.Nodes * d.PerNode
		}
		if rng.IntN(4) == 0 {
			d.Due, d.OnDue = at+job.Limit+model.Time(rng.IntN(30)), model.DuePolicy(2*rng.IntN(2))
		}
		if len(p.Licences) > 0 && rng.IntN(2) == 0 {
			d.Licences = []model.LicenceNeed{{Licence: 0, Copies: 1 + rng.Int32N(2)}}
		}
		job.User = rng.Int32N(3)
		if need := site.Need(&job, &d); !site.NewPool().Fits(&need) || !serves(site, &need, &job, &p.Limits) {
			continue
		}
		w.Demands = append(w.Demands, d)
		job.Demand = int32(len(w.Demands))
		w.Jobs = append(w.Jobs, job)
		w.Truth = append(w.Truth, model.Truth{Run: model.Time(1 + rng.IntN(45))})
	}
	return w, p
}

// On random platforms, with memory, due times, outages and failures, every way
// of scheduling runs all jobs, over-allocates nothing (Check), and gives the
// same digits for the same seed.
func TestHillFeasible(t *testing.T) {
	steps := int64(0)
	for seed := range uint64(250) {
		rng := rand.New(rand.NewPCG(seed, 21))
		w, p := hillCase(rng)
		for _, o := range []HillOptions{{}, {Extend: true}, {Random: true, Restarts: 2}, {Tardiness: true, Evaluations: 40}, {Keep: true}, {Keep: true, Extend: true}} {
			var before []model.Execution
			for range 2 {
				h := NewHill(o)
				h.Seed(seed, 0)
				var m sim.Simulator
				s, err := m.Run(w, p, h, sim.Options{})
				if err == nil {
					err = s.Check()
				}
				if err != nil {
					t.Fatalf("seed %d, %+v: %v", seed, o, err)
				}
				if before != nil && !slices.Equal(before, s.Executions) {
					t.Fatalf("seed %d, %+v: another schedule for the same seed", seed, o)
				}
				before = slices.Clone(s.Executions)
				steps += h.Counts().Accepted
			}
		}
	}
	if steps < 1000 {
		t.Errorf("only %d swaps were kept", steps)
	}
}

// plainMakespan computes the makespan of an order on single-processor nodes as
// the paper says it: each job goes to its node, and begins when the job before
// it in the list of that node has ended.
func plainMakespan(lengths []model.Time, order []int, nodes int) model.Time {
	lists := make([][]int, nodes)
	var completion func(list []int) model.Time
	completion = func(list []int) model.Time {
		if len(list) == 0 {
			return 0
		}
		return completion(list[:len(list)-1]) + lengths[list[len(list)-1]]
	}
	for _, j := range order {
		best := 0
		for n := range lists {
			if completion(lists[n]) < completion(lists[best]) {
				best = n
			}
		}
		lists[best] = append(lists[best], j)
	}
	last := model.Time(0)
	for _, list := range lists {
		last = max(last, completion(list))
	}
	return last
}

// With all jobs present and requests that are true, the schedule's makespan is
// what the plain evaluation says of a local optimum: no swap of two jobs is
// better, and the climb counts every order that it looks at.
func TestHillIsALocalOptimum(t *testing.T) {
	better := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 22))
		nodes := 1 + rng.IntN(4)
		p := &model.Platform{Clusters: []model.Cluster{{Name: "c", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: int32(nodes), Procs: 1}}}}}
		w := &model.Workload{}
		var lengths []model.Time
		var fifo []int
		for i := range 2 + rng.IntN(9) {
			length := model.Time(1 + rng.IntN(50))
			lengths, fifo = append(lengths, length), append(fifo, i)
			w.Jobs = append(w.Jobs, model.Job{Number: int64(i), Limit: length, Procs: 1})
			w.Truth = append(w.Truth, model.Truth{Run: length})
		}
		h := NewHill(HillOptions{})
		var m sim.Simulator
		var order []int
		s, err := m.Run(w, p, h, sim.Options{Watch: func(v *sim.View) bool {
			if v.Arrived < v.Next {
				var jobs []model.JobID
				for i := range fifo {
					jobs = append(jobs, model.JobID(i))
				}
				c := newClimb(h, v, nil, jobs)
				if got, want := c.Value(), int64(plainMakespan(lengths, fifo, nodes)); got != want {
					t.Fatalf("seed %d: FIFO ends at %d, the plain evaluation says %d", seed, got, want)
				}
				search.Climb(c, 0)
				for _, j := range c.jobs {
					order = append(order, int(j))
				}
			}
			return true
		}})
		if err != nil {
			t.Fatal(err)
		}
		last := model.Time(0)
		for _, e := range s.Executions {
			last = max(last, e.End)
		}
		if want := plainMakespan(lengths, order, nodes); last != want {
			t.Fatalf("seed %d: ends at %d, the plain evaluation of its order says %d", seed, last, want)
		}
		for i := range order {
			for k := range i {
				order[i], order[k] = order[k], order[i]
				if plainMakespan(lengths, order, nodes) < last {
					t.Fatalf("seed %d: a swap of %d and %d is better", seed, k, i)
				}
				order[i], order[k] = order[k], order[i]
			}
		}
		if last < plainMakespan(lengths, fifo, nodes) {
			better++
		}
		n := len(fifo)
		if c := h.Counts(); c.Calls != 1 || c.Iterations != 1+(c.Accepted+1)*int64(n*(n-1)/2) {
			t.Fatalf("%+v of %d jobs", c, n)
		}
	}
	if better < 20 {
		t.Errorf("the climb was better than FIFO in %d of 60 cases only", better)
	}
}

// plainOrder hides a climb's bounds and its fast placer.
type plainOrder struct{ c *climb }

func (o plainOrder) Len() int      { return o.c.Len() }
func (o plainOrder) Swap(i, k int) { o.c.Swap(i, k) }
func (o plainOrder) Value() int64  { return o.c.Value() }

// With bounds, marks and counts a climb takes the very way of one that computes
// every order on the nodes from nothing: the same order in the end, value, swaps
// and orders compared, with and without a bound on these, on every platform and
// for both objectives.
func TestClimbAgreesWithPlain(t *testing.T) {
	climbs, steps, counts, cores := 0, 0, 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 23))
		w, p := hillCase(rng)
		if seed%4 == 1 {
			coresAlone(rng, w, p)
		} else if seed%2 == 0 {
			p = model.OneCluster(4 + rng.IntN(4))
			for i := range w.Demands {
				w.Demands[i].MemPerNode, w.Demands[i].Nodes, w.Demands[i].Licences = 0, 0, nil
			}
			w.Jobs = slices.DeleteFunc(w.Jobs, func(j model.Job) bool { return int(j.Procs) > p.Clusters[0].Procs() })
			w.Truth = w.Truth[:len(w.Jobs)]
			for at := model.Time(10); seed%4 == 0 && at < 120; at += 30 { // who comes next may be put off by one of these, and start earlier behind another
				p.Calendar = append(p.Calendar, model.CalendarEntry{Kind: model.KindOutage, From: at, To: at + 10 + model.Time(rng.IntN(20)), Procs: 1 + rng.Int32N(2)})
			}
		}
		h := NewHill(HillOptions{Tardiness: seed%3 == 0})
		most := 0
		if rng.IntN(3) == 0 {
			most = 1 + rng.IntN(60)
		}
		var m sim.Simulator
		_, err := m.Run(w, p, h, sim.Options{Watch: func(v *sim.View) bool {
			if v.Arrived == v.Next || len(h.waiting) < 2 {
				return true
			}
			running := slices.DeleteFunc(slices.Clone(h.running), func(j model.JobID) bool { return v.Start[j] >= v.Now })
			fast, plain := slices.Clone(h.waiting), slices.Clone(h.waiting)
			rng.Shuffle(len(fast), func(i, k int) { fast[i], fast[k] = fast[k], fast[i] })
			copy(plain, fast)
			c := newClimb(h, v, running, fast)
			if c.placer == &h.counts {
				counts++
			} else if c.placer == &h.cores {
				cores++
			}
			got := search.Climb(c, most)
			c = newClimb(h, v, running, plain)
			h.nodes.hill, h.nodes.v = h, v
			c.placer = &h.nodes
			want := search.Climb(plainOrder{c}, most)
			if got != want || !slices.Equal(fast, plain) {
				t.Fatalf("seed %d, at %d, most %d: %+v and %v instead of %+v and %v", seed, v.Now, most, got, fast, want, plain)
			}
			climbs++
			steps += got.Steps
			return true
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if steps < 500 || counts < climbs/4 || cores < climbs/8 || counts+cores > climbs*9/10 {
		t.Errorf("%d climbs, %d with counts, %d on processors of nodes, %d swaps: too few to prove anything", climbs, counts, cores, steps)
	}
}

// coresAlone leaves of a case one cluster of nodes, or of machines, where nothing but
// processors counts and some nodes may be away, and jobs that fit there.
func coresAlone(rng *rand.Rand, w *model.Workload, p *model.Platform) {
	p.Clusters, p.Limits, p.Licences = p.Clusters[:1], model.Limits{}, nil
	c, nodes := &p.Clusters[0], int32(0)
	if c.Packing == model.PackProcessors {
		c.Packing = model.PackNodes
	}
	for g := range c.Groups {
		c.Groups[g].Licences = nil
		nodes += c.Groups[g].Count
	}
	p.Calendar = slices.DeleteFunc(p.Calendar, func(e model.CalendarEntry) bool {
		return len(e.Nodes) == 0 || e.Nodes[0] >= nodes || e.Kind != model.KindFailure && rng.IntN(2) == 0
	})
	site, err := resource.NewSite(p)
	if err != nil {
		panic(err)
	}
	kept := *w
	kept.Jobs, kept.Truth = nil, nil
	for i := range w.Jobs {
		d := &w.Demands[i]
		if d.Licences = nil; rng.IntN(20) > 0 {
			d.MemPerNode = 0
		}
		if need := site.Need(&w.Jobs[i], d); site.NewPool().Fits(&need) {
			kept.Jobs, kept.Truth = append(kept.Jobs, w.Jobs[i]), append(kept.Truth, w.Truth[i])
		}
	}
	*w = kept
}

// Processors are not rounded, however many there are: on 93,312 of them, of which
// the first job holds all for 10 s, two others fit side by side to the last one.
func TestHillOnLargeMachines(t *testing.T) {
	w := &model.Workload{}
	for i, procs := range []int32{93312, 46657, 46655} {
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: model.Time(i / 2), Limit: 10, Procs: procs})
		w.Truth = append(w.Truth, model.Truth{Run: 10})
	}
	for name, p := range map[string]*model.Platform{
		"counted":     model.OneCluster(93312),
		"one machine": {Clusters: []model.Cluster{{Name: "c", Packing: model.PackMachine, Groups: []model.NodeGroup{{Count: 1, Procs: 93312}}}}},
		"on nodes":    {Clusters: []model.Cluster{{Name: "c", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 1, Procs: 93312}}}}},
	} {
		if got := hillStarts(t, w, p, HillOptions{}); !slices.Equal(got, []model.Time{0, 10, 10}) {
			t.Errorf("%s: starts at %v", name, got)
		}
	}
}

// hillStarts returns when jobs start, in their order, by a schedule that is proved.
func hillStarts(t *testing.T, w *model.Workload, p *model.Platform, o HillOptions) []model.Time {
	t.Helper()
	var m sim.Simulator
	s, err := m.Run(w, p, NewHill(o), sim.Options{})
	if err == nil {
		err = s.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	starts := make([]model.Time, 0, len(w.Jobs))
	for _, e := range s.Executions {
		starts = append(starts, e.Start)
	}
	return starts
}

// A machine and jobs that are 10,007 times as large have the same schedule, on
// counted processors, on machines and on nodes, beside limits and outages.
func TestHillIsOfAnySize(t *testing.T) {
	large := 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 24))
		w, p := hillCase(rng)
		p.Limits.Classes = nil // a share is rounded
		o := HillOptions{Extend: seed%3 == 0, Tardiness: seed%5 == 0}
		want := hillStarts(t, w, p, o)
		const k = 10007
		for c := range p.Clusters {
			for g := range p.Clusters[c].Groups {
				p.Clusters[c].Groups[g].Procs *= k
			}
		}
		p.Limits.UserProcs *= k
		for i := range p.Calendar {
			p.Calendar[i].Procs *= k
		}
		for i := range w.Jobs {
			w.Jobs[i].Procs *= k
		}
		for i := range w.Demands {
			w.Demands[i].PerNode *= k
		}
		for _, n := range p.Nodes() {
			if n.Procs > 1<<16 {
				large++
			}
		}
		if got := hillStarts(t, w, p, o); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v, of the small machine %v", seed, got, want)
		}
	}
	if large < 20 {
		t.Errorf("only %d machines have more than 65,536 processors", large)
	}
}

// Intent: with Keep a job that a failure stops waits for the next submission, while the
// schedule goes on without it; where nothing runs any more it does not wait for ever.
func TestHillKeepsItsScheduleAfterAnOutage(t *testing.T) {
	p := &model.Platform{
		Clusters: []model.Cluster{{Name: "c", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 2, Procs: 1, Speed: 1}}}},
		Calendar: []model.CalendarEntry{{Kind: model.KindFailure, From: 5, To: 6, Nodes: []int32{0}}},
	}
	job := func(n int64, submit model.Time) model.Job {
		return model.Job{Number: n, Submit: submit, Limit: 20, Procs: 1}
	}
	start := func(keep bool, jobs ...model.Job) []model.Time {
		w := &model.Workload{Jobs: jobs}
		for range jobs {
			w.Truth = append(w.Truth, model.Truth{Run: 20})
		}
		s, err := new(sim.Simulator).Run(w, p, NewHill(HillOptions{Keep: keep}), sim.Options{})
		if err == nil {
			err = s.Check()
		}
		if err != nil {
			t.Fatal(err)
		}
		var list []model.Time
		for i := range s.Executions {
			list = append(list, s.Executions[i].Start)
		}
		return list
	}
	// Job 1 is stopped at 5, and its node is back at 6; both of its attempts are listed.
	for _, c := range []struct {
		keep bool
		jobs []model.Job
		want []model.Time
	}{
		{false, []model.Job{job(1, 0), job(2, 0), job(3, 12)}, []model.Time{0, 6, 0, 20}},
		{true, []model.Job{job(1, 0), job(2, 0), job(3, 12)}, []model.Time{0, 12, 0, 20}},
		{true, []model.Job{job(1, 0), job(2, 0)}, []model.Time{0, 20, 0}},
		{true, []model.Job{job(1, 0)}, []model.Time{0, 5}},
	} {
		if got := start(c.keep, c.jobs...); !slices.Equal(got, c.want) {
			t.Errorf("keep %v, %d jobs: starts %v, want %v", c.keep, len(c.jobs), got, c.want)
		}
	}
}

// Intent: a job that is given up, since its due time has come, has no part in the schedule that
// is made at that instant: of one other job there is one order.
func TestHillGivesUpBeforeItPlans(t *testing.T) {
	w := &model.Workload{
		Jobs:    []model.Job{{Number: 1, Limit: 10, Procs: 2}, {Number: 2, Submit: 1, Limit: 10, Procs: 2, Demand: 1}, {Number: 3, Submit: 5, Limit: 10, Procs: 2}},
		Truth:   []model.Truth{{Run: 10}, {Run: 10}, {Run: 10}},
		Demands: []model.Demand{{Due: 5, OnDue: model.DueKill}},
	}
	h := NewHill(HillOptions{})
	run(t, "by hand", w, model.OneCluster(2), h)
	if got := h.Counts(); got.Calls != 3 || got.Iterations != 3 {
		t.Errorf("%+v, want one order at each of three submissions", got)
	}
}

// Intent: a running job that is stopped at its due time holds nothing beyond it when jobs are to
// start: of 3 processors the first job has one until 47, reservations have one each from 44 and
// from 47 on, so that the second job, planned for 29 and running until 48, starts then.
func TestHillStartsBesideWhoIsStopped(t *testing.T) {
	p := model.OneCluster(3)
	p.Calendar = []model.CalendarEntry{{Kind: model.KindReservation, From: 44, To: 52, Procs: 1}, {Kind: model.KindReservation, From: 47, To: 55, Procs: 1}}
	w := &model.Workload{
		Jobs:  []model.Job{{Number: 1, Submit: 28, Limit: 20, Procs: 1, Demand: 1}, {Number: 2, Submit: 29, Limit: 19, Procs: 1}},
		Truth: []model.Truth{{Run: 20}, {Run: 19}}, Demands: []model.Demand{{Due: 47, OnDue: model.DueKill}},
	}
	if s := run(t, "by hand", w, p, NewHill(HillOptions{})); s.Executions[1].Start != 29 {
		t.Errorf("it starts at %d", s.Executions[1].Start)
	}
}

// Intent: outages that overlap on a cluster that is only counted take away their sum, as
// everywhere: of 4 processors none is free until 10, 2 until 20, and the job of 3 is planned
// for then.
func TestHillAddsUpOutages(t *testing.T) {
	p := model.OneCluster(4)
	p.Calendar = []model.CalendarEntry{{Kind: model.KindOutage, From: 0, To: 10, Procs: 2}, {Kind: model.KindOutage, From: 0, To: 20, Procs: 2}}
	w := &model.Workload{Jobs: []model.Job{{Number: 1, Limit: 5, Procs: 2}, {Number: 2, Limit: 5, Procs: 3}}, Truth: []model.Truth{{Run: 5}, {Run: 5}}}
	h, planned := NewHill(HillOptions{}), map[model.JobID]model.Time{}
	var m sim.Simulator
	_, err := m.Run(w, p, h, sim.Options{Watch: func(v *sim.View) bool {
		if v.Now == 0 {
			h.Planned(func(j model.JobID, start model.Time, _ int32) { planned[j] = start })
		}
		return true
	}})
	if err != nil || planned[0] != 10 || planned[1] != 20 {
		t.Errorf("planned for %v: %v", planned, err)
	}
}

// Intent: a job that asks for no memory does not wait for it where jobs that were placed hold
// more than there is, since gaps are not filled: the second job waits for the memory of the
// first, and the fourth, which asks for none, begins when the third has ended.
func TestHillWithoutMemoryWaitsForNone(t *testing.T) {
	p := &model.Platform{Clusters: []model.Cluster{{Name: "a", Packing: model.PackMachine, Groups: []model.NodeGroup{{Count: 1, Procs: 3, Mem: 8}}}}}
	w := &model.Workload{
		Jobs:  []model.Job{{Number: 1, Limit: 2, Procs: 1, Demand: 1}, {Number: 2, Limit: 13, Procs: 1, Demand: 2}, {Number: 3, Limit: 1, Procs: 1}, {Number: 4, Limit: 13, Procs: 1}},
		Truth: []model.Truth{{Run: 2}, {Run: 13}, {Run: 1}, {Run: 13}}, Demands: []model.Demand{{MemPerNode: 8}, {MemPerNode: 1}},
	}
	if s := run(t, "by hand", w, p, NewHill(HillOptions{})); s.Executions[1].Start != 2 || s.Executions[3].Start != 1 {
		t.Errorf("they start at %d and %d", s.Executions[1].Start, s.Executions[3].Start)
	}
}
