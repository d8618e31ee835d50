package bench

import (
	"testing"

	"batchlab/core/model"
	"batchlab/core/plan"
	"batchlab/core/policy"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// planRS is Plan-RS as the catalog has it.
func planRS() sim.Scheduler {
	return plan.New(plan.Options{Optimiser: search.RandomSearch{}, Iterations: 300, Interval: 60, Weights: paperWeights, Tau: 10})
}

// plans adds the runs of schedulers that plan every waiting job, told as multiples of
// EASY on counted processors.
func (c *contest) plans(w *model.Workload, p *model.Platform) (orig, unoptimised int) {
	var counted sim.CountedSimulator
	var m sim.Simulator
	easy := c.add("easy", -1, func() error {
		_, err := counted.Run(w, p, &policy.CountedEASY{}, sim.Options{})
		return err
	})
	add := func(name string, make func() sim.Scheduler) int {
		return c.add(name, easy, func() error {
			_, err := m.Run(w, p, make(), sim.Options{})
			return err
		})
	}
	orig = add("orig-bf", func() sim.Scheduler { return policy.NewOrigBF() })
	unoptimised = add("plan", func() sim.Scheduler { return plan.New(plan.Options{Tau: 10}) })
	add("plan-rs", planRS)
	return orig, unoptimised
}

// BenchmarkPlanRatios prints what planning costs, in processor time, by turns: Orig-BF
// and plans with and without their optimiser as multiples of EASY, and Orig-BF and plans
// beside reservations as multiples of the same run without. Logs that are not in
// BATCHLAB_LOGS are left out. Plan-RS on the log of RICC's shape takes minutes: it is told
// on a smaller one of that shape.
func BenchmarkPlanRatios(b *testing.B) {
	onLogs(b, func(b *testing.B, c *contest, w *model.Workload, p *model.Platform, reserved bool) {
		orig, unoptimised := c.plans(w, p)
		if reserved {
			c.reserved(w, "orig-bf", orig, generally(p, func() sim.Scheduler { return policy.NewOrigBF() }))
			c.reserved(w, "plan", unoptimised, generally(p, func() sim.Scheduler { return plan.New(plan.Options{Tau: 10}) }))
		}
		c.turns(b, 2)
		c.report(b)
	})
	b.Run("RICC-like", func(b *testing.B) {
		w, p := bursts(450_000, 8192, 1)
		c := &contest{}
		c.plans(w, p)
		c.runs = c.runs[:len(c.runs)-1]
		c.turns(b, 3)
		c.report(b)
	})
	b.Run("RICC-like-20000", func(b *testing.B) {
		w, p := bursts(20_000, 512, 1)
		c := &contest{}
		c.plans(w, p)
		c.turns(b, 2)
		c.report(b)
	})
}
