package slurm

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// gang is a node of four cores in two partitions, of which jobs of the second suspend those
// of the first.
func gang(change func(*Cluster)) *Controller {
	return machine(1, 4, func(c *Cluster) {
		c.Params.PreemptPartition, c.Params.PreemptMode, c.Params.Memory = true, ModeSuspend, true
		c.Partitions = append(c.Partitions, Partition{Name: "high", Tier: 10, QOS: -1, Nodes: []int{0}})
		if change != nil {
			change(c)
		}
	})
}

// in puts a job into a partition, with memory.
func in(part int, j *Job, mem int64) *Job {
	j.Parts, j.MemNode = []int{part}, mem
	return j
}

// Intent: § 7, SUSPEND,GANG. By hand: A has cores 0 and 1, B 2 and 3. H wants three: it
// starts at once on 0, 1 and 2, and both stand still; core 3 stays B's. When H has ended
// both go on, and end so much later.
func TestSuspended(t *testing.T) {
	c := gang(nil)
	a, b := in(0, ask(1, 2, 100), 100), in(0, ask(2, 2, 100), 100)
	c.submitAll(0, a, b)
	c.Main(0, true)
	high, low := in(1, ask(3, 3, 60), 100), in(0, ask(4, 1, 60), 100)
	c.submitAll(10, high, low)
	expect(t, "it starts at once", ids(c.Main(10, true)), "3[0]")
	expect(t, "both stand still", ids(c.Still), "1[0] 2[0]")
	expect(t, "core 3 stays the second one's", ids(c.Main(20, true))+ids(c.Backfill(20)), "")
	if got := c.Overdue(105); len(got) != 1 || got[0] != high {
		t.Errorf("%s are over their limit, on paper only the one that runs", ids(got))
	}
	finish(c, high, 70)
	expect(t, "both go on", ids(c.GoOn(70, nil)), "1[0] 2[0]")
	if a.Ends != 160 || b.Ends != 160 {
		t.Errorf("they end at %d and %d, on paper 100 s and the 60 that they stood still", a.Ends, b.Ends)
	}
}

// Intent: H wants two cores and gets the lowest, A's. B ends at 50: A stays where it is,
// since cores are not changed, and the next one has B's. By a cycle it is the same.
func TestOnlyWhoIsInTheWayIsSuspended(t *testing.T) {
	for _, cycle := range []bool{false, true} {
		c := gang(nil)
		a, b := in(0, ask(1, 2, 100), 100), in(0, ask(2, 2, 100), 100)
		c.submitAll(0, a, b)
		c.Main(0, true)
		high, next := in(1, ask(3, 2, 300), 100), in(0, ask(4, 2, 60), 100)
		c.submitAll(10, high, next)
		var got string
		if cycle {
			got = ids(c.Backfill(10))
		} else {
			got = ids(c.Main(10, true))
		}
		expect(t, "it starts at once", got, "3[0]")
		expect(t, "one stands still", ids(c.Still), "1[0]")
		finish(c, b, 50)
		expect(t, "who stands still has his own cores", ids(c.GoOn(50, nil)), "")
		expect(t, "the next one has the others", ids(c.Main(50, true)), "4[0]")
		finish(c, high, 310)
		expect(t, "and goes on", ids(c.GoOn(310, nil)), "1[0]")
	}
}

// Intent: who stands still keeps its memory and GPUs: who needs them waits, and suspends
// nobody, and nobody knows when it could start; who may not be suspended is waited for.
func TestWhatTheSuspendedKeep(t *testing.T) {
	for _, off := range []bool{false, true} {
		c := gang(func(c *Cluster) {
			if off {
				c.Partitions[0].Preempt = ModeOff
				c.Params.PreemptMode = ModeSuspend
			}
		})
		c.submitAll(0, in(0, ask(1, 4, 100), 700))
		c.Main(0, true)
		mem, want := int64(400), int64(0)
		if off {
			mem, want = 10, 100
		}
		high := in(1, ask(2, 1, 60), mem)
		c.submitAll(10, high)
		expect(t, "nothing", ids(c.Main(10, true))+ids(c.Backfill(10))+ids(c.Still), "")
		if high.Plan != want {
			t.Errorf("planned for %d, on paper %d", high.Plan, want)
		}
	}
}

// Intent: whatever comes, no core is used by two at a time, who stands still keeps cores and
// memory, and everybody runs as long as he would alone; nobody is suspended by his equals.
func TestCoresAreUsedOnce(t *testing.T) {
	still := 0
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 12))
		c := machine(1+r.IntN(3), int32(1+r.IntN(70)), func(c *Cluster) {
			c.Params.PreemptPartition, c.Params.PreemptMode = true, ModeSuspend
			for tier := range int64(2) {
				part := c.Partitions[0]
				part.Tier = 5 * (tier + 1)
				c.Partitions = append(c.Partitions, part)
			}
			if seed%3 == 0 {
				c.Partitions[1].Preempt = ModeRequeue
			}
		})
		left, id := map[*Job]int64{}, int64(0)
		for now := int64(0); now < 300 || len(c.Active)+len(c.Waiting) > 0 && now < 20_000; now++ {
			for _, a := range slices.Clone(c.Active) {
				if a.Suspended {
					continue
				}
				if left[a]--; left[a] == 0 {
					finish(c, a, now)
				}
			}
			c.GoOn(now, nil)
			if now < 300 && r.IntN(4) == 0 {
				id++
				j := ask(id, int32(1+r.IntN(int(c.Nodes[0].CPUs))), int64(10+r.IntN(80)))
				j.Parts = []int{r.IntN(3)}
				left[j] = 1 + r.Int64N(j.Limit)
				c.submitAll(now, j)
			}
			if now%3 == 0 {
				c.Main(now, true)
			} else if now%5 == 0 {
				c.Backfill(now)
			}
			still += len(c.Still)
			for _, j := range slices.Clone(c.Preempted) {
				c.Epilog(j)
				again := c.Requeue(j, now)
				left[again] = again.Limit
			}
			c.Preempted = c.Preempted[:0]
			for i, a := range c.Active {
				for _, b := range c.Active[:i] {
					if a.meets(b) && (!a.Suspended && !b.Suspended || c.Partitions[a.Part].Tier == c.Partitions[b.Part].Tier) {
						t.Fatalf("seed %d: jobs %d and %d have a core in common", seed, a.ID, b.ID)
					}
				}
				for k := range a.Nodes {
					if a.Cores[k].count() != int(a.CPUs[k]) {
						t.Fatalf("seed %d: job %d has %d cores of %d", seed, a.ID, a.Cores[k].count(), a.CPUs[k])
					}
				}
			}
		}
		if len(c.Active)+len(c.Waiting) > 0 {
			t.Errorf("seed %d: %d still run and %d wait", seed, len(c.Active), len(c.Waiting))
		}
	}
	if still < 100 {
		t.Errorf("only %d were suspended", still)
	}
}
