package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"batchlab/core/model"
	"batchlab/core/sim"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// BenchmarkGridCost prints how many times longer a run takes with a share of the
// jobs of SDSC-SP2 as reservations than without, for each local policy: least of
// three rounds, by the processor's own time where the system tells it.
func BenchmarkGridCost(b *testing.B) {
	dir := os.Getenv("BATCHLAB_LOGS")
	if dir == "" {
		b.Skip("BATCHLAB_LOGS names no folder with logs")
	}
	data, err := os.ReadFile(filepath.Join(dir, "SDSC-SP2-1998-4.2-cln.swf.gz"))
	if err != nil {
		b.Skip(err)
	}
	if data, err = swf.Gunzip(data, 1<<30); err != nil {
		b.Fatal(err)
	}
	log, err := workload.Parse(data)
	if err != nil {
		b.Fatal(err)
	}
	p := &model.Platform{}
	for range 2 {
		p.Clusters = append(p.Clusters, model.Cluster{Groups: []model.NodeGroup{{Count: 64, Procs: 1, Speed: 1}}})
	}
	from, to := int64(52505134), int64(54714304)
	for _, part := range []struct {
		name string
		o    workload.Options
	}{
		{"68000-69000", workload.Options{Processors: 128, Oversize: workload.OversizeClamp, From: &from, To: &to}},
		{"whole", workload.Options{Processors: 128, Oversize: workload.OversizeClamp}},
	} {
		w, _, err := workload.FromLog(log, part.o)
		if err != nil {
			b.Fatal(err)
		}
		clamp(w, 64)
		for _, local := range localPolicies {
			b.Run(part.name+"/"+local.name, func(b *testing.B) {
				s, desk := gridOf(p, local.make)
				var m sim.Simulator
				plain := 0.0
				for _, share := range []float64{0, 0.3, 0.6, 1} {
					jobs := w
					if share > 0 {
						rule := workload.ReservationRule{Share: share, Part: 1, FactorMin: 1, FactorMax: 1}
						jobs = workload.Reserve(w, &rule, workload.Streams(1, 0))
					}
					least := 0.0
					for round := range 3 {
						began, wall := processor(), time.Now()
						if _, err := m.Run(jobs, p, s, sim.Options{Desk: desk}); err != nil {
							b.Fatal(err)
						}
						took := (processor() - began).Seconds()
						if took <= 0 {
							took = time.Since(wall).Seconds()
						}
						if round == 0 || took < least {
							least = took
						}
					}
					if share == 0 {
						plain = least
						b.ReportMetric(1000*plain, "ms")
					} else {
						b.ReportMetric(least/plain, fmt.Sprintf("x%.0f%%", 100*share))
					}
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// clamp cuts jobs to a provider.
func clamp(w *model.Workload, most int32) {
	for j := range w.Jobs {
		w.Jobs[j].Procs = min(w.Jobs[j].Procs, most)
	}
}
