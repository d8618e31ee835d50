package bench

import (
	"fmt"
	"testing"

	"batchlab/core/model"
	"batchlab/core/plan"
	"batchlab/core/policy"
	"batchlab/core/reserve"
	"batchlab/core/sim"
	"batchlab/core/workload"
)

// BenchmarkReserved prints how many times longer a run takes with a share of the
// jobs of a log as advance reservations than without, on one counted cluster:
// least of three rounds, by the processor's own time where the system tells it.
// Both runs have the same jobs; without reservations all wait in the queue, and no
// desk is there. "waiting" and "booked" are how many batch jobs wait and how
// many reservations are in force or ahead, on average: a reservation that is
// asked for at its requested time leaves much unused, so that queues grow.
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
					jobs, o := w, sim.Options{}
					if share > 0 {
						rule := workload.ReservationRule{Share: share, Part: 1, FactorMin: 1, FactorMax: 1}
						jobs, o.Desk = workload.Reserve(w, &rule, workload.Streams(1, 0)), &reserve.Desk{}
					}
					t := took(b, 3, func() error {
						_, err := m.Run(jobs, p, s.make(), o)
						return err
					})
					if share == 0 {
						without = t
						b.ReportMetric(1000*t, "ms")
					} else {
						b.ReportMetric(t/without, fmt.Sprintf("x%.0f%%", 100*share))
					}
					waiting, booked := crowd(b, &m, jobs, p, s.make(), o)
					b.ReportMetric(waiting, fmt.Sprintf("waiting%.0f%%", 100*share))
					b.ReportMetric(booked, fmt.Sprintf("booked%.0f%%", 100*share))
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// crowd returns how many batch jobs wait at a time, on average, and how many
// reservations are booked at an instant.
func crowd(b *testing.B, m *sim.Simulator, w *model.Workload, p *model.Platform, s sim.Scheduler, o sim.Options) (waiting, booked float64) {
	passes := 0.0
	o.Watch = func(v *sim.View) bool {
		passes++
		booked += float64(v.Bookings.Len())
		return true
	}
	out, err := m.Run(w, p, s, o)
	if err != nil {
		b.Fatal(err)
	}
	end := model.Time(0)
	for i := range out.Executions {
		e := &out.Executions[i]
		if end = max(end, e.End); w.Demand(e.Job) == nil || w.Demand(e.Job).Reservation == nil {
			waiting += float64(e.Start - e.Submit)
		}
	}
	return waiting / float64(end-w.Jobs[0].Submit), booked / passes
}
