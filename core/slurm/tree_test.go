package slurm

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Intent: § 5, topology/tree, by hand. Nodes 0 to 3 are on one leaf, 4 and 5 and 6 and 7 on
// two, above all of them is one switch. Two nodes are taken of the smallest leaf that has
// them, not of the row of eight; the next two of the other small one. One CPU comes from
// the leaf with the fewest nodes free, on its lowest node. Five nodes are on no leaf: the
// largest is taken whole, and the rest of the leaf that then suffices with the fewest.
// Light nodes come first, whatever leaf they are on.
func TestTopologyTree(t *testing.T) {
	tree := func(change func(*Cluster)) *Controller {
		return machine(8, 4, func(c *Cluster) {
			c.Params.Tree = true
			c.Switches = []Switch{{0, []int{0, 1, 2, 3}}, {0, []int{4, 5}}, {0, []int{6, 7}}, {1, []int{0, 1, 2, 3, 4, 5, 6, 7}}}
			if change != nil {
				change(c)
			}
		})
	}
	nodes := func(id int64, n int32, cpus int32) *Job {
		j := ask(id, cpus, 60)
		j.MinNodes, j.MaxNodes = n, n
		return j
	}
	c := tree(nil)
	c.submitAll(0, nodes(1, 2, 8), nodes(2, 2, 8), nodes(3, 1, 1), nodes(4, 3, 3))
	expect(t, "small leaves first", ids(c.Main(0, true)), "1[4 5] 2[6 7] 3[0] 4[0 1 2]")
	c = tree(nil)
	c.submitAll(0, nodes(1, 5, 20), nodes(2, 1, 1), nodes(3, 2, 8))
	expect(t, "over leaves", ids(c.Main(0, true)), "1[0 1 2 3 4] 2[5] 3[6 7]")
	c = tree(func(c *Cluster) { c.Nodes[4].Weight = 0 })
	c.submitAll(0, nodes(1, 1, 1), nodes(2, 2, 8))
	expect(t, "light nodes first", ids(c.Main(0, true)), "1[4] 2[6 7]")
	c = machine(8, 4, nil)
	c.submitAll(0, nodes(1, 2, 8))
	expect(t, "without it the row", ids(c.Main(0, true)), "1[0 1]")
}

// Intent: under one switch with all nodes every job that fits without a tree fits with it,
// and no job is spread over more leaves than it must where one has room for it.
func TestTreeFitsWhatFits(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 21))
		n := 2 + r.IntN(10)
		c := machine(n, int32(1+r.IntN(4)), func(c *Cluster) {
			c.Params.Tree = true
			leaf := Switch{}
			for i := range n {
				if leaf.Nodes = append(leaf.Nodes, i); r.IntN(3) == 0 || i == n-1 {
					c.Switches = append(c.Switches, leaf)
					leaf = Switch{}
				}
			}
			c.Switches = append(c.Switches, Switch{Level: 1, Nodes: c.Partitions[0].Nodes})
		})
		for i := range n {
			c.free.cpu[i] = r.Int32N(c.Nodes[i].CPUs + 1)
		}
		j := ask(1, 1+r.Int32N(int32(2*n)), 60)
		j.MinNodes, j.PerTask = 1+r.Int32N(2), 1
		j.Tasks = max(j.Tasks, j.MinNodes)
		got, ok := c.choose(j, 0, c.all, &c.free)
		text := fmt.Sprint(got.nodes)
		c.Params.Tree = false
		if _, plain := c.choose(j, 0, c.all, &c.free); plain != ok {
			t.Fatalf("seed %d: with a tree %v, without %v", seed, ok, plain)
		}
		if !ok {
			continue
		}
		for _, w := range c.Switches {
			nodes, cpus := int32(0), int32(0)
			for _, i := range w.Nodes {
				if c.free.cpu[i] > 0 {
					nodes, cpus = nodes+1, cpus+c.free.cpu[i]
				}
			}
			if w.Level == 0 && nodes >= j.MinNodes && cpus >= j.Tasks && !onOne(c, got.nodes) {
				t.Fatalf("seed %d: %s, though leaf %v has room", seed, text, w.Nodes)
			}
		}
	}
}

// onOne says whether nodes are on one leaf.
func onOne(c *Controller, nodes []int32) bool {
	for _, w := range c.Switches {
		in := 0
		for _, n := range nodes {
			for _, i := range w.Nodes {
				if int(n) == i {
					in++
				}
			}
		}
		if w.Level == 0 && in == len(nodes) {
			return true
		}
	}
	return false
}

// Intent: heterogeneous jobs, by hand. Node 0 is busy until 100. The first cycle plans one
// component at once on node 1, the other behind it at 70. The second knows that, and plans
// the first for 70, so that the other is left node 0, at 100; the third plans both for
// 100. No pass starts any of them, and none passes over it. When node 0 is free both start
// in the same cycle.
func TestHeterogeneous(t *testing.T) {
	c := machine(2, 2, nil)
	busy := ask(1, 2, 100)
	c.submitAll(0, busy)
	c.Main(0, true)
	one, two, small := ask(2, 2, 60), ask(3, 2, 60), ask(4, 1, 600)
	one.Het, two.Het = 2, 2
	c.submitAll(5, one, two, small)
	for _, s := range []struct{ at, one, two int64 }{{10, 10, 70}, {20, 70, 100}, {30, 100, 100}} {
		expect(t, "a pass", ids(c.Main(s.at, true)), "")
		expect(t, "a cycle", ids(c.Backfill(s.at)), "")
		if one.Plan != s.one || two.Plan != s.two {
			t.Errorf("the cycle at %d plans %d and %d, on paper %d and %d", s.at, one.Plan, two.Plan, s.one, s.two)
		}
	}
	if small.Reason != ReasonPriority {
		t.Errorf("the job behind waits for %v, on paper Priority", small.Reason)
	}
	finish(c, busy, 100)
	expect(t, "no pass starts it", ids(c.Main(101, true)), "")
	got := ids(c.Backfill(101))
	if got != "2[1] 3[0]" && got != "2[0] 3[1]" {
		t.Errorf("a cycle starts %q, on paper both", got)
	}
}

// Intent: where a limit forbids one component those that have started are put back: never
// does one run alone.
func TestHeterogeneousIsPutBack(t *testing.T) {
	c := machine(2, 2, func(c *Cluster) {
		c.Params.EnforceLimits = true
		c.QOS = []QOS{{Name: "q", Limits: NoLimits(), UsageFactor: 1}}
		c.QOS[0].GrpTRES.CPU = 3
	})
	one, two := ask(1, 2, 60), ask(2, 2, 60)
	one.Het, two.Het, one.QOS, two.QOS = 1, 1, 0, 0
	c.submitAll(0, one, two)
	expect(t, "a cycle", ids(c.Backfill(1)), "")
	if len(c.Active) != 0 || len(c.Preempted) != 1 {
		t.Errorf("%d run, %d were put back", len(c.Active), len(c.Preempted))
	}
}
