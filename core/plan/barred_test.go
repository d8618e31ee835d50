package plan

import (
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
	"batchlab/core/predict"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// Intent: a job that was put off, since by its request it might run into an outage,
// is put off for the optimiser, too: no plan that it makes lets it start before
// what bars it may have gone.
func TestOptimiserLeavesBarredJobs(t *testing.T) {
	barred := 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 11))
		w := &model.Workload{Processors: 8}
		said := []model.Time{}
		for i := range 40 {
			limit := 20 + model.Time(r.IntN(200))
			w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: model.Time(i * 9), Limit: limit, Procs: 1 + int32(r.IntN(8)), User: int32(r.IntN(3))})
			w.Truth = append(w.Truth, model.Truth{Run: 1 + model.Time(r.IntN(20)), LoggedWait: -1})
			said = append(said, 1+model.Time(r.IntN(20)))
		}
		p := model.OneCluster(w.Processors)
		if seed%3 == 2 { // two clusters, of which one has no outage
			p.Clusters = append(p.Clusters, p.Clusters[0])
		}
		for at := model.Time(150); at < 900; at += 250 {
			p.Calendar = append(p.Calendar, model.CalendarEntry{Kind: model.KindOutage, From: at, To: at + 20, Procs: 6})
		}
		s := New(Options{Foretold: true, Optimiser: search.RandomSearch{}, Iterations: 60, Interval: 1, Tau: 10, Weights: search.Weights{1, 1, 1}})
		s.Watch(Watch{Pass: func(v *sim.View, s *Scheduler) {
			for c := range s.plan.lanes {
				for _, i := range s.plan.lanes[c].jobs {
					if one := &s.plan.slots[i]; one.after > v.Now {
						if barred++; one.start < one.after {
							t.Fatalf("seed %d at %d: job index %d is planned for %d, it is put off until %d", seed, v.Now, one.job, one.start, one.after)
						}
					}
				}
			}
		}})
		schedule, err := new(sim.Simulator).Run(w, p, s, sim.Options{Book: &predict.Book{Predictor: &predict.Known{Seconds: said}}})
		if err == nil {
			err = schedule.Check()
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if barred == 0 {
		t.Error("no job was put off: nothing is tested")
	}
}
