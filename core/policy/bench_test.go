package policy_test

import (
	"testing"
	"time"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
)

// How many times faster than its plain twin each scheduler is, on the first
// part of a real log.
func BenchmarkAgainstTwin(b *testing.B) {
	w := first(realWorkload(b, "SDSC-SP2-1998-4.2-cln.swf.gz"), 10000)
	for _, c := range []struct {
		name string
		s    sim.CountedScheduler
		twin func(*twin) func(bool, []int)
		jobs int
	}{
		{"easy", &policy.CountedEASY{}, func(t *twin) func(bool, []int) { return t.easy }, 10000},
		{"conservative", &policy.CountedConservative{}, func(t *twin) func(bool, []int) { return t.conservative }, 4000},
	} {
		b.Run(c.name, func(b *testing.B) {
			part := first(w, c.jobs)
			began := time.Now()
			tw := newTwin(part, w.Processors)
			tw.run(c.twin(tw))
			plain := time.Since(began).Seconds()
			var m sim.CountedSimulator
			p := model.OneCluster(w.Processors)
			for b.Loop() {
				if _, err := m.Run(part, p, c.s, sim.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(plain*float64(b.N)/b.Elapsed().Seconds(), "x-faster")
		})
	}
}
