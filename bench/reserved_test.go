package bench

import (
	"fmt"
	"testing"

	"batchlab/core/plan"
	"batchlab/core/policy"
	"batchlab/core/reserve"
	"batchlab/core/sim"
	"batchlab/core/workload"
)

// BenchmarkReserved prints how many times longer a run takes with a share of the
// jobs of a log as advance reservations than without, on one counted cluster:
// least of three rounds, by the processor's own time where the system tells it.
func BenchmarkReserved(b *testing.B) {
	for _, l := range logs {
		w, p := load(b, l.file)
		for _, s := range []struct {
			name string
			make func() sim.Scheduler
		}{
			{"fcfs", func() sim.Scheduler { return &policy.FCFS{} }},
			{"easy", func() sim.Scheduler { return policy.NewEASY(&policy.CountedEASY{}) }},
			{"conservative", func() sim.Scheduler { return plan.NewConservative() }},
		} {
			b.Run(l.name+"/"+s.name, func(b *testing.B) {
				var m sim.Simulator
				without := 0.0
				for _, share := range []float64{0, 0.3, 0.6, 1} {
					jobs, desk := w, sim.Desk(nil)
					if share > 0 {
						rule := workload.ReservationRule{Share: share, Part: 1, FactorMin: 1, FactorMax: 1}
						jobs, desk = workload.Reserve(w, &rule, workload.Streams(1, 0)), &reserve.Desk{}
					}
					t := took(b, 3, func() error {
						_, err := m.Run(jobs, p, s.make(), sim.Options{Desk: desk})
						return err
					})
					if share == 0 {
						without = t
						b.ReportMetric(1000*t, "ms")
					} else {
						b.ReportMetric(t/without, fmt.Sprintf("x%.0f%%", 100*share))
					}
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
