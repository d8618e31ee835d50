package slurm

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Intent: the map of slots says the same as a plain table of seconds: what is taken is
// taken from then to then, what is open is what no plan holds at any second that
// counts, and a clash is a node held at some second.
func TestSpaceAgreesWithSeconds(t *testing.T) {
	const nodes, span = 5, 60
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		all := newSet(nodes)
		all.fill(nodes)
		m := space{{from: 0, to: span, free: all.clone()}}
		var held [span][nodes]bool
		for range 8 {
			from := r.Int64N(span - 1)
			to := from + 1 + r.Int64N(span-from-1+1)
			some := newSet(nodes)
			for n := range nodes {
				if r.IntN(3) == 0 {
					some.add(n)
				}
			}
			clash := false
			for s := from; s < min(to, span); s++ {
				for n := range nodes {
					clash = clash || some.has(n) && held[s][n]
				}
			}
			if got := m.clashes(from, to, some); got != clash {
				t.Fatalf("a clash in [%d, %d): %v, by seconds %v", from, to, got, clash)
			}
			m.take(from, to, some)
			for s := from; s < min(to, span); s++ {
				for n := range nodes {
					held[s][n] = held[s][n] || some.has(n)
				}
			}
			if !slices.IsSortedFunc(m, func(a, b slot) int { return int(a.to - b.from) }) || m[0].from != 0 || m[len(m)-1].to != span {
				t.Fatalf("slots do not follow each other: %v", m)
			}
			at := r.Int64N(span)
			until := min(at+r.Int64N(20), span-1)
			open := all.clone()
			first, _ := m.later(at, until, open)
			m.keep(first, until, open)
			for n := range nodes {
				free := true
				for s := at; s <= until; s++ { // a plan that begins as it would end is in the way
					free = free && !held[s][n]
				}
				if open.has(n) && !free {
					t.Fatalf("node %d is open in [%d, %d], but held", n, at, until)
				}
				if !open.has(n) && free {
					// Then it is held in a slot that meets the time: the slot is whole.
					whole := false
					for _, s := range m {
						whole = whole || s.to > at && s.from <= until && !s.free.has(n)
					}
					if !whole {
						t.Fatalf("node %d is free in [%d, %d] and not open", n, at, until)
					}
				}
			}
		}
	}
}

// Intent: whatever comes, no node holds more than it has, none that still completes is
// given away, whoever starts has all it asked for within its partition, a throttled
// array never runs more tasks than it may, and at the end everything is free again.
func TestNothingIsUsedTwice(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 7))
		c := machine(2+r.IntN(4), int32(1+r.IntN(4)), func(c *Cluster) {
			c.Params.Memory = seed%3 == 0
			c.Params.Multifactor = seed%2 == 0
			c.Params.WeightAge, c.Params.MaxAge, c.Params.WeightSize = 100, 100, 50
			if seed%5 == 4 {
				c.Params.Select = Linear
			}
			if seed%4 == 1 {
				c.Params.PreemptQOS, c.Params.PreemptMode, c.Params.RequeueWait = true, ModeRequeue, 10
				c.QOS = []QOS{{Name: "low", Limits: NoLimits(), UsageFactor: 1}, {Name: "high", Limits: NoLimits(), Preempts: []int{0}, UsageFactor: 1}}
			}
			part := c.Partitions[0]
			part.Tier, part.Nodes = 5, part.Nodes[:1]
			c.Partitions = append(c.Partitions, part)
		})
		whole := usage{}
		whole.copy(&c.free)
		id := int64(0)
		var closing []*Job
		check := func(list []*Job, now int64) {
			for i := range c.free.cpu {
				if c.free.cpu[i] < 0 || c.free.mem[i] < 0 || c.free.gpu[i] < 0 || c.free.jobs[i] < 0 {
					t.Fatalf("seed %d: node %d holds more than it has: %+v", seed, i, c.free)
				}
			}
			for _, j := range list {
				cpus := int32(0)
				for k, n := range j.Nodes {
					cpus += j.CPUs[k]
					if !c.Partitions[j.Part].set.has(int(n)) {
						t.Fatalf("seed %d: job %d runs outside its partition", seed, j.ID)
					}
				}
				if cpus < j.minCPUs() || int32(len(j.Nodes)) < j.MinNodes {
					t.Fatalf("seed %d: job %d has %d CPUs on %v", seed, j.ID, cpus, j.Nodes)
				}
				if p := j.parent; p != nil && p.Throttle > 0 && p.live > p.Throttle {
					t.Fatalf("seed %d: array %d runs %d tasks at once", seed, j.ID, p.live)
				}
			}
			closing = append(closing, c.Preempted...)
		}
		for now := int64(0); now < 1500; now++ {
			for range r.IntN(3) * r.IntN(2) {
				if now > 300 {
					break
				}
				id++
				j := ask(id, int32(1+r.IntN(4)), int64(10+r.IntN(80)))
				j.Parts = [][]int{{0}, {1}, {1, 0}}[r.IntN(3)]
				j.MemNode = int64(r.IntN(3)) * 200
				if r.IntN(4) == 0 {
					j.Array, j.Throttle = []int{0, 1, 2}, r.IntN(3)
				}
				if len(c.QOS) > 0 {
					j.QOS = r.IntN(2)
				}
				j.Submit = now
				c.Submit(j, now)
			}
			for _, j := range slices.Clone(closing) {
				c.Epilog(j)
				if j.State == Preempted {
					j.State = Cancelled
					c.Requeue(j, now)
				}
			}
			closing = closing[:0]
			for _, j := range slices.Clone(c.Active) {
				if now >= j.Ends || r.IntN(40) == 0 {
					c.End(j, Completed, 0, now)
					closing = append(closing, j)
				}
			}
			check(c.Main(now, now%7 == 0), now)
			if now%3 == 0 {
				check(c.Backfill(now), now)
			}
			if now%60 == 0 {
				c.Recalculate(now, max(now-60, 0))
			}
		}
		if len(c.Active) == 0 && !slices.Equal(c.free.cpu, whole.cpu) {
			t.Errorf("seed %d: nobody runs, and %v is free of %v", seed, c.free.cpu, whole.cpu)
		}
	}
}
