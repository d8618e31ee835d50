package slurm

import "testing"

// full is a machine on which everything runs and waiting jobs wait.
func full(nodes, waiting int) *Controller {
	c := machine(nodes, 4, nil)
	for id := int64(1); id <= int64(nodes+waiting); id++ {
		tasks, limit := int32(4), 600+60*(id%50)
		if id > int64(nodes) {
			tasks, limit = int32(1+id%16), 300+60*(id%90)
		}
		c.submitAll(0, ask(id, tasks, limit))
	}
	c.Main(0, true)
	return c
}

// BenchmarkCycle is one backfill cycle over 500 waiting jobs on 100 full nodes.
func BenchmarkCycle(b *testing.B) {
	c := full(100, 600)
	for b.Loop() {
		c.Backfill(1)
	}
}

// BenchmarkPass is one pass of the main loop over the same queue.
func BenchmarkPass(b *testing.B) {
	c := full(100, 600)
	for b.Loop() {
		c.Main(1, true)
	}
}
