package slurm

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// machine makes a controller of equal nodes in one partition.
func machine(nodes int, cpus int32, change func(*Cluster)) *Controller {
	c := &Cluster{Params: Defaults(2205)}
	c.Params.Select, c.Params.BFResolution = ConsTRES, 1
	part := Partition{Name: "all", Tier: 1, JobFactor: 1, QOS: -1}
	for i := range nodes {
		c.Nodes = append(c.Nodes, Node{CPUs: cpus, Memory: 1000, Weight: 1})
		part.Nodes = append(part.Nodes, i)
	}
	c.Partitions = []Partition{part}
	if change != nil {
		change(c)
	}
	return New(c)
}

// ask makes a job of so many one-CPU tasks.
func ask(id int64, tasks int32, limit int64) *Job {
	return &Job{ID: id, Task: -1, Tasks: tasks, Limit: limit, Parts: []int{0}, QOS: -1, Assoc: -1, Reserved: -1, Name: id}
}

// submit puts jobs into the queue, all at one time.
func (c *Controller) submitAll(now int64, jobs ...*Job) {
	for _, j := range jobs {
		j.Submit = now
		c.Submit(j, now)
	}
}

// ids says which jobs started, with their nodes.
func ids(jobs []*Job) string {
	var s []string
	for _, j := range jobs {
		id := fmt.Sprint(j.ID)
		if j.Task >= 0 {
			id += fmt.Sprintf("_%d", j.Task)
		}
		s = append(s, id+fmt.Sprint(j.Nodes))
	}
	return strings.Join(s, " ")
}

func finish(c *Controller, j *Job, now int64) {
	c.End(j, Completed, 0, now)
	c.Epilog(j)
}

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %q, on paper %q", what, got, want)
	}
}

// Intent: § 2. The main loop goes by priority and stops in a partition at the first job
// that does not fit; it never passes over a blocked job, and blocks lower partitions
// that share its nodes, but no other.
func TestMainNeverPassesOver(t *testing.T) {
	c := machine(2, 2, func(c *Cluster) {
		c.Nodes = append(c.Nodes, Node{CPUs: 2, Memory: 1000, Weight: 1})
		c.Partitions = append(c.Partitions,
			Partition{Name: "share", Tier: 1, QOS: -1, Nodes: []int{1}},
			Partition{Name: "apart", Tier: 1, QOS: -1, Nodes: []int{2}})
	})
	first, wide, small, shared, apart := ask(1, 3, 60), ask(2, 4, 60), ask(3, 1, 60), ask(4, 1, 60), ask(5, 1, 60)
	shared.Parts, apart.Parts = []int{1}, []int{2}
	c.submitAll(0, first, wide, small, shared, apart)
	expect(t, "a pass", ids(c.Main(1, true)), "1[0 1] 5[2]")
	if wide.Reason != ReasonResources || small.Reason != ReasonPriority {
		t.Errorf("the blocked job waits for %v, the next for %v: on paper Resources and Priority", wide.Reason, small.Reason)
	}
	finish(c, first, 10)
	expect(t, "when it has ended", ids(c.Main(11, true)), "2[0 1]")
}

// Intent: § 2.4. A pass that is not full tests default_queue_depth jobs and one more.
func TestQueueDepth(t *testing.T) {
	c := machine(1, 100, func(c *Cluster) { c.Params.QueueDepth = 3 })
	for id := int64(1); id <= 6; id++ {
		c.submitAll(0, ask(id, 1, 60))
	}
	expect(t, "by depth", ids(c.Main(1, false)), "1[0] 2[0] 3[0] 4[0]")
	expect(t, "full", ids(c.Main(2, true)), "5[0] 6[0]")
}

// Intent: § 2.3. Tiers come before priorities, priorities before submission.
func TestQueueOrder(t *testing.T) {
	c := machine(1, 1, func(c *Cluster) {
		c.Params.Multifactor = true
		c.Partitions = append(c.Partitions, Partition{Name: "first", Tier: 10, QOS: -1, Nodes: []int{0}})
	})
	low, high, tier := ask(1, 1, 60), ask(2, 1, 60), ask(3, 1, 60)
	high.Nice, tier.Nice, tier.Parts = -50, 1000, []int{1}
	c.submitAll(0, low, high, tier)
	var got []int64
	for now := int64(1); len(got) < 3; now++ {
		for _, j := range c.Main(now, true) {
			got = append(got, j.ID)
			finish(c, j, now)
		}
	}
	if !slices.Equal(got, []int64{3, 2, 1}) {
		t.Errorf("order %v, on paper 3 (tier), 2 (nice), 1", got)
	}
}

// Intent: § 2.5. A job that can never run on these nodes, even empty, blocks no job; one
// over its partition's limits neither.
func TestWhoNeverRunsBlocksNobody(t *testing.T) {
	c := machine(2, 2, func(c *Cluster) { c.Partitions[0].MaxTime = 600 })
	huge, long, small := ask(1, 5, 60), ask(2, 1, 6000), ask(3, 1, 60)
	c.submitAll(0, huge, long, small)
	expect(t, "a pass", ids(c.Main(1, true)), "3[0]")
	if long.Reason != ReasonPartitionTime {
		t.Errorf("the long job waits for %v", long.Reason)
	}
}

// Intent: § 3. A cycle plans every job; one that would run into a plan waits, one that
// ends before it starts; the plans hold whole nodes, even for one core.
func TestCycleStartsWhatDelaysNoPlan(t *testing.T) {
	c := machine(2, 2, nil)
	running := ask(1, 3, 120)
	c.submitAll(0, running)
	c.Main(0, true)
	// Node 1 has a core free until 120, when the wide job is planned.
	wide, long, short := ask(2, 4, 60), ask(3, 1, 180), ask(4, 1, 60)
	c.submitAll(0, wide, long, short)
	expect(t, "a cycle", ids(c.Backfill(10)), "4[1]")
	// Running job's end 120: the origin of windows is 150, the only job that ends is it.
	if wide.Plan != 120 || long.Plan != 180 {
		t.Errorf("plans %d and %d, on paper 120 and 180 (behind the wide job)", wide.Plan, long.Plan)
	}
}

// Intent: § 3.7. A plan begins and ends at a multiple of the resolution, rounded down:
// from 24.11 on its end is rounded up.
func TestResolution(t *testing.T) {
	for _, c := range []struct {
		version int
		at      int64 // the second plan
	}{{2205, 160}, {2411, 180}} {
		m := machine(1, 1, func(cl *Cluster) { cl.Params.Version, cl.Params.BFResolution = c.version, 60 })
		running := ask(1, 1, 100)
		m.submitAll(0, running)
		m.Main(0, true)
		a, b := ask(2, 1, 70), ask(3, 1, 60)
		m.submitAll(0, a, b)
		m.Backfill(0)
		// The first plan: start 100, slot [60, ⌊170/60⌋·60 = 120) or up to 180; the
		// second has the start that the plugin gives (100), is tried again where the
		// slot ends, 120 or 180.
		want := int64(120)
		if c.version == 2411 {
			want = 180
		}
		if a.Plan != 100 || b.Plan != want {
			t.Errorf("version %d: plans %d and %d, on paper 100 and %d", c.version, a.Plan, b.Plan, want)
		}
	}
}

// Intent: § 3. What begins beyond the window is not planned, bf_max_job_test ends a
// cycle, and sched/builtin has none.
func TestCycleEnds(t *testing.T) {
	c := machine(1, 1, func(c *Cluster) { c.Params.BFMaxTest = 2 })
	c.submitAll(0, ask(1, 1, 600), ask(2, 1, 60), ask(3, 1, 60), ask(4, 1, 60))
	c.Main(0, true)
	c.Backfill(0)
	if c.jobs[3].Plan == 0 || c.jobs[4].Plan != 0 {
		t.Errorf("plans of the second and third job %d and %d: on paper the third is not tested", c.jobs[3].Plan, c.jobs[4].Plan)
	}
	c = machine(1, 1, func(c *Cluster) { c.Params.Builtin = true })
	c.submitAll(0, ask(1, 1, 60))
	expect(t, "sched/builtin", ids(c.Backfill(0)), "")
}

// Intent: § 4. Running jobs go in groups that end within a window, which doubles; the
// start is the end of the group's last job, not of the one that mattered (25.11: of the
// last whose nodes are used); a job past its end is thought to be killed.
func TestWillRunWindows(t *testing.T) {
	for _, v := range []struct {
		version int
		want    int64
	}{{2205, 150}, {2511, 100}} {
		c := machine(3, 1, func(c *Cluster) { c.Params.Version = v.version })
		c.submitAll(0, ask(1, 1, 100), ask(2, 1, 150), ask(3, 1, 400))
		c.Main(0, true)
		j := ask(4, 1, 60)
		c.submitAll(0, j)
		// The first end is 100: origin 120, window 30. 150 is within it, 400 is not: the
		// group ends at 150, though node 0 is free at 100.
		c.Backfill(0)
		if j.Plan != v.want {
			t.Errorf("version %d: planned for %d, on paper %d", v.version, j.Plan, v.want)
		}
	}
	c := machine(1, 1, nil)
	c.submitAll(0, ask(1, 1, 60))
	c.Main(0, true)
	late := ask(2, 1, 60)
	c.submitAll(0, late)
	if c.Backfill(70); late.Plan != 90 {
		t.Errorf("behind a job past its end: planned for %d, on paper 60 + KillWait 30", late.Plan)
	}
	if got := c.Overdue(59); len(got) != 0 {
		t.Error("a job is stopped before its limit")
	}
	if got := c.Overdue(60); len(got) != 1 {
		t.Error("a job is not stopped at its limit")
	}
}

// Intent: § 4. select/linear takes running jobs away one by one, and gives whole nodes.
func TestLinear(t *testing.T) {
	c := machine(3, 4, func(c *Cluster) { c.Params.Select = Linear })
	c.submitAll(0, ask(1, 1, 100), ask(2, 1, 110), ask(3, 1, 400))
	expect(t, "a pass", ids(c.Main(0, true)), "1[0] 2[1] 3[2]")
	j := ask(4, 1, 60)
	c.submitAll(0, j)
	if c.Backfill(0); j.Plan != 100 {
		t.Errorf("planned for %d, on paper 100", j.Plan)
	}
}

// Intent: § 5. One node: the one with the fewest free cores that suffices; several: the
// run of consecutive nodes that fits best, from its lowest node up; light nodes first;
// -N and -n together give each node a CPU at least.
func TestChoice(t *testing.T) {
	c := machine(6, 4, nil)
	busy := func(node int, cpus int32) {
		c.free.cpu[node] -= cpus
		if cpus > 0 {
			c.free.jobs[node]++
		}
	}
	busy(1, 2)
	busy(3, 4)
	pick := func(j *Job) string {
		got, ok := c.choose(j, 0, c.all, &c.free)
		return fmt.Sprint(ok, got.nodes, got.cpus)
	}
	j := ask(1, 2, 60)
	j.MinNodes, j.PerTask = 1, 1
	// Runs: nodes 0 to 2 with 10 CPUs, 4 and 5 with 8: the second fits best.
	expect(t, "two CPUs", pick(j), "true [4] [2]")
	j.Tasks = 9
	expect(t, "nine CPUs", pick(j), "true [0 1 2] [4 2 3]")
	j.Tasks = 17
	expect(t, "all but one", pick(j), "true [0 1 2 4 5] [4 2 4 4 3]")
	j.Tasks, j.MinNodes, j.MaxNodes = 4, 2, 2
	expect(t, "two nodes of four tasks", pick(j), "true [4 5] [3 1]")
	c.Cluster.Nodes[2].Weight = 0
	j.Tasks, j.MinNodes, j.MaxNodes = 1, 1, 0
	expect(t, "the light node", pick(j), "true [2] [1]")
	j.PerTask, j.Tasks = 3, 2
	c.Cluster.Nodes[2].Weight = 1
	expect(t, "two tasks of three CPUs", pick(j), "true [4 5] [3 3]")
}

// Intent: § 5. Memory and GPUs are consumed like cores where they are asked for;
// --exclusive takes whole nodes and no node that runs anything.
func TestMemoryAndGPUs(t *testing.T) {
	c := machine(2, 4, func(c *Cluster) {
		c.Params.Memory, c.Params.DefMemCPU = true, 100
		for i := range c.Nodes {
			c.Nodes[i].GPUs = 2
		}
	})
	big, gpus, whole := ask(1, 1, 60), ask(2, 1, 60), ask(3, 1, 60)
	big.MemNode, gpus.GPUs, whole.Whole = 900, 2, true
	c.submitAll(0, big)
	expect(t, "memory", ids(c.Main(0, true)), "1[0]")
	c.submitAll(1, gpus)
	expect(t, "GPUs where there is memory for a task", ids(c.Main(1, true)), "2[0]")
	more := ask(4, 2, 60)
	c.submitAll(2, more)
	expect(t, "100 MB a CPU are only on node 1", ids(c.Main(2, true)), "4[1]")
	c.submitAll(3, whole)
	expect(t, "no node is empty", ids(c.Main(3, true)), "")
	finish(c, more, 4)
	expect(t, "one is", ids(c.Main(4, true)), "3[1]")
	if whole.CPUs[0] != 4 {
		t.Errorf("it has %d CPUs, on paper the node's 4", whole.CPUs[0])
	}
}

// Intent: cores are free at once when a job ends, nodes once the epilog is through: the
// main loop leaves them out until then, and blocks; a cycle plans for a second later.
func TestCompletingNodes(t *testing.T) {
	c := machine(1, 1, nil)
	j, next := ask(1, 1, 60), ask(2, 1, 60)
	c.submitAll(0, j, next)
	c.Main(0, true)
	c.End(j, Completed, 0, 10)
	expect(t, "a pass", ids(c.Main(10, true)), "")
	if c.Backfill(10); next.Plan != 11 {
		t.Errorf("planned for %d, on paper 11", next.Plan)
	}
	c.Epilog(j)
	expect(t, "after the epilog", ids(c.Main(10, true)), "2[0]")
}
