package bench

import (
	"testing"
	"time"

	"batchlab/core/lab"
	"batchlab/core/paper"
)

// campaign returns the points of figure 1 of the farm study: five times
// between arrivals, four schedulers, 20 repetitions of 1000 jobs, 400 runs.
func campaign(tb testing.TB) []paper.Point {
	points, err := paper.Find("techiouba2008-figure1a").Sweep.Points(nil, false)
	if err != nil {
		tb.Fatal(err)
	}
	return points
}

// BenchmarkFarmCampaign runs the whole campaign on one core: jobs, machines,
// licences, simulation, measures and digest. sim-s is the part of the
// simulations alone.
func BenchmarkFarmCampaign(b *testing.B) {
	began := time.Now()
	clock := func() float64 { return time.Since(began).Seconds() }
	for b.Loop() {
		runs, simulated := 0, 0.0
		for _, p := range campaign(b) {
			r, err := lab.Run(p.Experiment, lab.Env{}, lab.Options{Now: clock}, nil)
			if err != nil {
				b.Fatal(err)
			}
			for _, one := range r.Runs {
				runs++
				simulated += one.Simulate
			}
		}
		b.ReportMetric(float64(runs), "runs")
		b.ReportMetric(simulated, "sim-s")
	}
}

// BenchmarkFarm runs one scheduler over the first repetition of the heaviest
// point, where up to 700 jobs wait.
func BenchmarkFarm(b *testing.B) {
	point := campaign(b)[0]
	for i, label := range point.Experiment.Labels() {
		b.Run(label, func(b *testing.B) {
			p, err := lab.Prepare(point.Experiment, lab.Env{})
			if err != nil {
				b.Fatal(err)
			}
			if _, _, err := p.Workload(0); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := p.Run(lab.RunID{Scheduler: i}, lab.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
