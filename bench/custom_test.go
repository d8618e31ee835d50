package bench

import (
	"os"
	"testing"
	"time"

	"batchlab/core/custom"
	"batchlab/core/plan"
	"batchlab/core/policy"
	"batchlab/core/sim"
)

// BenchmarkCustom runs a year of KTH-SP2 under the programs of examples/schedulers
// that say what a built-in scheduler does, and prints them as multiples of its time
// in its general form, which runs on the same engine.
func BenchmarkCustom(b *testing.B) {
	w, p := load(b, "KTH-SP2-1996-2.1-cln.swf.gz")
	for _, c := range []struct {
		program string
		builtIn sim.Scheduler
	}{
		{"fcfs", &policy.FCFS{}},
		{"easy", policy.NewEASY(&policy.CountedEASY{})},
		{"easy-in-order", policy.NewEASY(&policy.CountedEASY{Order: policy.SAF, Backfill: policy.SAF})},
		{"sjf", policy.NewEASY(&policy.CountedEASY{Order: policy.SPF, Backfill: policy.SPF})},
		{"conservative", plan.NewConservative()},
		{"bf-mod", policy.NewBFMod(policy.PriorityWeights{Aging: 0.01, Deadline: 1, Licences: 1, Wait: 2, Range: policy.DeadlineRange{Min: 0.1, Max: 20, K: 1.3}})},
	} {
		b.Run(c.program, func(b *testing.B) {
			code, err := os.ReadFile("../examples/schedulers/" + c.program + ".star")
			if err != nil {
				b.Fatal(err)
			}
			program, faults := custom.Compile(string(code))
			if program == nil {
				b.Fatal(faults[0])
			}
			var m sim.Simulator
			run := func(s sim.Scheduler) time.Duration {
				began := time.Now()
				if _, err := m.Run(w, p, s, sim.Options{}); err != nil {
					b.Fatal(err)
				}
				return time.Since(began)
			}
			var own, built time.Duration
			steps := uint64(0)
			for b.Loop() {
				s := custom.New(program)
				own += run(s)
				built += run(c.builtIn)
				steps = s.(interface{ Steps() uint64 }).Steps()
			}
			b.ReportMetric(own.Seconds()/built.Seconds(), "x-built-in")
			b.ReportMetric(own.Seconds()/float64(b.N), "s/year")
			b.ReportMetric(float64(steps)/1e6, "Msteps/year")
		})
	}
}
