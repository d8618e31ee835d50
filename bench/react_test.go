package bench

import (
	"slices"
	"testing"
	"time"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/react"
	"batchlab/core/sim"
)

// BenchmarkReaction simulates the 11 months of KTH-SP2 with replayed
// submissions and with users who react, in turns, and gives the median of the
// rounds' quotients: a reacting year is to cost at most twice a replayed one.
// Users make other submissions and other queues; "again" replays what they
// made, so that react ÷ again is what the users themselves cost.
func BenchmarkReaction(b *testing.B) {
	w, p := load(b, "KTH-SP2-1996-2.1-cln.swf.gz")
	e := react.Evidence{End: make([]model.Time, len(w.Jobs))}
	for i := range w.Jobs {
		e.End[i] = w.Jobs[i].Submit + max(0, w.Truth[i].LoggedWait) + w.Executed(model.JobID(i))
	}
	agents := react.Extract(w, e, react.Defaults()).NewAgents(1, 0)
	for _, one := range []struct {
		name string
		s    sim.Scheduler
	}{{"fcfs", &policy.FCFS{}}, {"easy", &policy.EASY{}}, {"easy-saf-spf", &policy.EASY{Order: policy.SAF, Backfill: policy.SPF}}, {"conservative", &policy.Conservative{}}} {
		b.Run(one.name, func(b *testing.B) {
			var m, other sim.Simulator
			var produced *model.Workload
			run := func(m *sim.Simulator, w *model.Workload, source sim.Source) float64 {
				began := time.Now()
				s, err := m.Run(w, p, one.s, sim.Options{Source: source})
				if err != nil {
					b.Fatal(err)
				}
				if source != nil {
					produced = s.Workload
				}
				return time.Since(began).Seconds()
			}
			run(&m, w, agents)
			var quotients, users []float64
			b.ResetTimer()
			for range b.N {
				replay := run(&other, w, nil)
				reacting := run(&m, w, agents)
				again := run(&other, produced, nil)
				quotients, users = append(quotients, reacting/replay), append(users, reacting/again)
			}
			slices.Sort(quotients)
			slices.Sort(users)
			b.ReportMetric(quotients[len(quotients)/2], "x-replay")
			b.ReportMetric(users[len(users)/2], "x-again")
			b.ReportMetric(0, "ns/op")
		})
	}
}
