package bench

import (
	"testing"

	"batchlab/core/policy"
	"batchlab/core/sim"
	"batchlab/core/slurm"
)

// slurmctld with default settings over whole logs, as multiples of EASY in the form that
// only counts processors ("x-easy") and in the one for any platform ("x-general").
func BenchmarkSlurm(b *testing.B) {
	for _, l := range []struct{ name, file string }{
		{"KTH-SP2", "KTH-SP2-1996-2.1-cln.swf.gz"},
		{"SDSC-SP2", "SDSC-SP2-1998-4.2-cln.swf.gz"},
		{"SDSC-BLUE", "SDSC-BLUE-2000-4.2-cln.swf.gz"},
	} {
		b.Run(l.name, func(b *testing.B) {
			w, p := load(b, l.file)
			var fast sim.CountedSimulator
			var m sim.Simulator
			rounds := 3
			c := took(b, rounds, func() error { _, err := fast.Run(w, p, &policy.CountedEASY{}, sim.Options{}); return err })
			g := took(b, rounds, func() error {
				_, err := m.Run(w, p, policy.NewEASY(&policy.CountedEASY{}), sim.Options{})
				return err
			})
			s := took(b, 1, func() error {
				_, err := m.Run(w, p, &policy.Slurm{Params: slurm.Defaults(2205)}, sim.Options{})
				return err
			})
			b.ReportMetric(s, "s")
			b.ReportMetric(c*1000, "easy-ms")
			b.ReportMetric(s/c, "x-easy")
			b.ReportMetric(s/g, "x-general")
			b.ReportMetric(0, "ns/op")
		})
	}
}
