package slurm

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// history plays random jobs on processors, and returns who started when and where. Main
// and Backfill come by turns; jobs end before their limits.
func history(seed uint64, counted bool) (list []string) {
	r := rand.New(rand.NewPCG(seed, 11))
	n := 1 + r.IntN(150)
	c := machine(n, 1, func(c *Cluster) {
		c.Partitions[0].Counted = counted
		c.Params.Multifactor, c.Params.WeightSize = seed%3 == 0, 1000
		c.Params.BFWindow, c.Params.BFResolution = int64(600+r.IntN(5000)), int64(1+r.IntN(60))
		if seed%4 == 0 {
			c.Params.Version = 2511
		}
		if seed%5 == 0 {
			c.Reserved = []Reservation{{Start: 400, End: 700, Nodes: []int{0, n / 2}}}
		}
	})
	runs := map[*Job]int64{}
	id := int64(0)
	for now := int64(1); now < 3000; now++ {
		for _, j := range append([]*Job(nil), c.Active...) {
			if now >= j.Started+runs[j] {
				c.End(j, Completed, 0, now)
				c.Epilog(j)
			}
		}
		for r.IntN(9) == 0 && now < 2000 {
			id++
			j := &Job{ID: id, Task: -1, QOS: -1, Assoc: -1, Reserved: -1, Parts: []int{0}, Tasks: 1 + r.Int32N(int32(min(n, 1+r.IntN(n)))), Limit: 1 + r.Int64N(400)}
			j.Submit = now
			runs[j] = 1 + r.Int64N(j.Limit)
			c.Submit(j, now)
		}
		var begun []*Job
		switch {
		case now%30 == 0:
			begun = c.Backfill(now)
		case now%4 == 0:
			begun = c.Main(now, now%60 == 0)
		}
		for _, j := range begun {
			list = append(list, fmt.Sprint(now, j.ID, j.Nodes, j.Backfill))
		}
		if now%30 == 0 {
			for _, j := range c.Waiting {
				list = append(list, fmt.Sprint(j.ID, j.Plan, j.Reason))
			}
		}
	}
	return list
}

// Intent: processors that are only counted are nodes of one CPU, taken 64 at a time: who
// starts when, on which of them, what is planned and why jobs wait comes out the same
// as when they are chosen one by one.
func TestCountedIsNodesOfOne(t *testing.T) {
	starts := 0
	for seed := range uint64(30) {
		fast, plain := history(seed, true), history(seed, false)
		for i := range max(len(fast), len(plain)) {
			if i >= len(fast) || i >= len(plain) || fast[i] != plain[i] {
				t.Fatalf("seed %d, line %d: %v, one by one %v", seed, i, fast[i:min(i+1, len(fast))], plain[i:min(i+1, len(plain))])
			}
		}
		starts += len(fast)
	}
	if starts < 5_000 {
		t.Errorf("only %d lines were compared", starts)
	}
}
