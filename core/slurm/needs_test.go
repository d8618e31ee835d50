package slurm

import "testing"

// Intent: § 2.5, 3.1. Who lacks a licence is passed over by both loops and blocks no job;
// with bf_licenses the pass stops there. A licence is free when its job ends.
func TestLicences(t *testing.T) {
	for _, stop := range []bool{false, true} {
		c := machine(1, 10, func(c *Cluster) {
			c.Licences = []Licence{{Name: "lic", Total: 2}}
			c.Params.BFLicences = stop
		})
		a, b, plain := ask(1, 1, 60), ask(2, 1, 60), ask(3, 1, 60)
		a.Licences, b.Licences = []Need{{0, 2}}, []Need{{0, 1}}
		c.submitAll(0, a, b, plain)
		want := "1[0] 3[0]"
		if stop {
			want = "1[0]"
		}
		expect(t, "a pass", ids(c.Main(0, true)), want)
		if b.Reason.String() != "Licenses" {
			t.Errorf("it waits for %v", b.Reason)
		}
		c.Backfill(1)
		if b.Plan != 0 || b.State != Pending {
			t.Error("who lacks a licence is planned")
		}
		finish(c, a, 10)
		expect(t, "when the first has ended", ids(c.Main(10, true))[:4], "2[0]")
	}
}

// Intent: --constraint. Only nodes with all features are taken, by both loops; who asks
// for what no node has blocks no job.
func TestFeatures(t *testing.T) {
	c := machine(3, 1, func(c *Cluster) {
		c.Nodes[1].Features, c.Nodes[2].Features = []string{"big"}, []string{"big", "fast"}
	})
	none, both, big, any := ask(1, 1, 60), ask(2, 1, 60), ask(3, 1, 60), ask(4, 1, 60)
	none.Features, both.Features, big.Features = []string{"red"}, []string{"fast", "big"}, []string{"big"}
	c.submitAll(0, none, both, big, any)
	expect(t, "a pass", ids(c.Main(0, true)), "2[2] 3[1] 4[0]")
	next := ask(5, 1, 60)
	next.Features = []string{"fast"}
	c.submitAll(0, next)
	var planned uint64
	c.Tell = func(_ *Job, _ int64, nodes []uint64) { planned = nodes[0] }
	if c.Backfill(1); planned != 1<<2 {
		t.Errorf("planned on %b, on paper on node 2", planned)
	}
}

// Intent: a node that is down takes no job; a job that wants more nodes than are up
// fails its partition (§ 2.5: fewer nodes left than its minimum).
func TestDownNodes(t *testing.T) {
	c := machine(2, 2, func(c *Cluster) { c.Nodes[0].Down = true })
	two, one := ask(1, 2, 60), ask(2, 1, 60)
	two.MinNodes = 2
	c.submitAll(0, two, one)
	expect(t, "a pass", ids(c.Main(0, true)), "")
	if one.Reason != ReasonPriority {
		t.Errorf("the small job waits for %v", one.Reason)
	}
	expect(t, "a cycle", ids(c.Backfill(0)), "2[1]")
}

// Intent: § 2.1, § 3. While a job has been completing for less than CompleteWait neither
// loop does anything; by default they do.
func TestCompleteWait(t *testing.T) {
	for _, wait := range []int64{0, 10} {
		c := machine(2, 1, func(c *Cluster) { c.Params.CompleteWait = wait })
		a, b, d := ask(1, 1, 60), ask(2, 1, 60), ask(3, 1, 60)
		c.submitAll(0, a)
		c.Main(0, true)
		c.End(a, Completed, 0, 5)
		c.submitAll(5, b)
		first := map[int64]string{0: "2[1]", 10: ""}[wait]
		expect(t, "a pass", ids(c.Main(6, true)), first)
		c.submitAll(6, d)
		expect(t, "a cycle", ids(c.Backfill(7)), "")
		c.Epilog(a)
		second := map[int64]string{0: "3[0]", 10: "2[0] 3[1]"}[wait]
		expect(t, "when it is through", ids(c.Main(8, true)), second)
	}
}

// Intent: a job that could not run on the nodes that are left, even if they were empty,
// blocks no job, unless one of these nodes is busy as a whole: for --exclusive any job
// will do, else one that has its node whole (nodes_busy in _pick_best_nodes).
func TestBusyAsAWhole(t *testing.T) {
	for _, c := range []struct {
		what         string
		whole, other bool // the running job on node 0, the waiting one
		want         string
	}{{"neither whole", false, false, "5[1]"}, {"it runs whole", true, false, ""}, {"it wants whole nodes", false, true, ""}} {
		m := machine(3, 2, func(c *Cluster) {
			c.Partitions = append(c.Partitions, Partition{Name: "top", Tier: 10, QOS: -1, Nodes: []int{2}})
		})
		running, full, top, wide, small := ask(1, 1, 60), ask(2, 2, 60), ask(3, 2, 60), ask(4, 5, 60), ask(5, 1, 60)
		running.Whole, wide.Whole = c.whole, c.other
		full.Parts, top.Parts = []int{1}, []int{1}
		m.submitAll(0, running, full)
		m.Main(0, true)
		// Node 2 is withheld for the job of the partition top; 5 CPUs are not on 0 and 1.
		m.submitAll(1, top, wide, small)
		if c.want == "5[1]" && !c.whole {
			c.want = "5[0]" // the one with the fewest free CPUs
		}
		expect(t, c.what, ids(m.Main(1, true)), c.want)
	}
}

// Intent: § 5, bf_busy_nodes. Plans take nodes that run something before idle ones, and
// one idle node on top: without it they take the run of nodes that fits best.
func TestBusyNodesFirst(t *testing.T) {
	for _, c := range []struct {
		busy bool
		want uint64
	}{{false, 0b0011}, {true, 0b0111}} {
		m := machine(4, 2, nil)
		m.Params.BFBusyNodes = c.busy
		a, b := ask(1, 2, 60), ask(2, 2, 60)
		m.submitAll(0, a, b)
		m.Main(0, true)
		planned := uint64(0)
		m.Tell = func(_ *Job, _ int64, nodes []uint64) { planned = nodes[0] }
		next := ask(3, 4, 60)
		m.Partitions[0].Nodes = []int{0, 1, 2}
		m.Partitions[0].set.drop(3)
		m.submitAll(1, next)
		if m.Backfill(1); planned != c.want {
			t.Errorf("bf_busy_nodes %v: planned on %04b, on paper %04b", c.busy, planned, c.want)
		}
	}
}

// Intent: § 3. Nodes that a job of this cycle has whole are held until its limit; those of
// earlier ones only with bf_running_job_reserve: a job that is tested later is tried
// again where that ends, and so has another plan.
func TestWholeJobsAreHeld(t *testing.T) {
	for _, reserve := range []bool{false, true} {
		c := machine(2, 2, func(c *Cluster) { c.Params.BFRunningReserve = reserve })
		whole, other := ask(1, 1, 100), ask(2, 2, 90)
		whole.Whole = true
		c.submitAll(0, whole, other)
		c.Main(0, true)
		next := ask(3, 2, 60)
		c.submitAll(1, next)
		c.Backfill(1)
		// Both are in one group (90 and 100, origin 120): 100, on node 0; held until 100,
		// node 0 is no candidate before, and node 1 is free at 90.
		want := int64(100)
		if reserve {
			want = 90
		}
		if next.Plan != want {
			t.Errorf("bf_running_job_reserve %v: planned for %d, on paper %d", reserve, next.Plan, want)
		}
	}
	c := machine(2, 2, nil)
	other, whole, next := ask(1, 2, 90), ask(2, 1, 100), ask(3, 2, 60)
	whole.Whole = true
	c.submitAll(0, other)
	c.Main(0, true)
	c.submitAll(0, whole, next)
	expect(t, "the whole one starts in the cycle", ids(c.Backfill(0)), "2[1]")
	if next.Plan != 90 {
		t.Errorf("planned for %d, on paper 90: node 1 is held", next.Plan)
	}
}

// Intent: § 3.1. bf_job_part_count_reserve: so many plans a partition, others may start
// now only. assoc_limit_stop: limits are not asked before, and who is over one blocks.
func TestPlansAPartition(t *testing.T) {
	c := machine(1, 1, func(c *Cluster) { c.Params.BFPartCount = 2 })
	c.submitAll(0, ask(1, 1, 60), ask(2, 1, 60), ask(3, 1, 60), ask(4, 1, 60))
	c.Main(0, true)
	plans := 0
	c.Tell = func(*Job, int64, []uint64) { plans++ }
	if c.Backfill(1); plans != 2 {
		t.Errorf("%d plans, on paper 2", plans)
	}
}

// Intent: § 3.7. A plan that limits would forbid is not made.
func TestPlansWithinLimits(t *testing.T) {
	c := machine(1, 4, func(c *Cluster) {
		c.Params.EnforceLimits = true
		c.QOS = []QOS{{Name: "q", Limits: NoLimits(), UsageFactor: 1}}
		c.QOS[0].GrpTRES.CPU = 3
	})
	running, over, within := ask(1, 2, 60), ask(2, 3, 60), ask(3, 4, 60)
	running.QOS, over.QOS, within.QOS = 0, 0, -1
	c.submitAll(0, running, over, within)
	c.Main(0, true)
	if c.Backfill(1); over.Plan == 0 || within.Plan != 60 {
		t.Errorf("plans %d and %d: on paper the first has an expected start, but holds no nodes, and the second has 60", over.Plan, within.Plan)
	}
}
