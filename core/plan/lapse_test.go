package plan

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// A job that is stopped at its due time and still waits then is gone at the next
// instant, with its place in the plan: here job 3, due at 3, had the machine from 6
// on, and job 2, which comes at 5, starts at once.
func TestLapsedJobsLeaveThePlan(t *testing.T) {
	w := &model.Workload{
		Jobs: []model.Job{
			{Number: 1, Submit: 2, Limit: 4, Procs: 2},
			{Number: 3, Submit: 2, Limit: 10, Procs: 5, Demand: 1},
			{Number: 2, Submit: 5, Limit: 5, Procs: 4, Demand: 2},
		},
		Truth:   []model.Truth{{Run: 3}, {Run: 7}, {Run: 4}},
		Demands: []model.Demand{{Due: 3, OnDue: model.DueKill}, {Due: 15, OnDue: model.DueKill}},
	}
	p := &model.Platform{Clusters: []model.Cluster{{Name: "c", Groups: []model.NodeGroup{{Count: 1, Procs: 5}}}}}
	for name, s := range map[string]*Scheduler{
		"conservative": NewConservative(), "plan": New(Options{}), "depth": New(Options{Replan: true, Depth: 1}),
	} {
		for _, e := range run(t, name, w, p, s).Executions {
			if n := w.Jobs[e.Job].Number; n == 3 && e.Reason != model.EndRejected || n == 2 && e.Start != 5 {
				t.Errorf("%s: job %d starts at %d, %v", name, n, e.Start, e.Reason)
			}
		}
	}
}

// On every kind of platform no plan holds a waiting job whose due time has come, nor
// anything for a running job beyond its due time.
func TestPlansEndAtDueTimes(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 83))
		bit := func() bool { return rng.IntN(2) == 0 }
		o := terms{clusters: 2, jobs: 40, nodes: bit(), limits: bit(), outages: bit(), failures: bit(), licences: bit(), crowded: true}
		w, p := generated(rng, o)
		for j := range w.Jobs {
			job := &w.Jobs[j]
			if job.Demand == 0 {
				w.Demands = append(w.Demands, model.Demand{})
				job.Demand = int32(len(w.Demands))
			}
			if d := &w.Demands[job.Demand-1]; bit() {
				d.Due, d.OnDue = job.Submit+1+model.Time(rng.Int64N(2*int64(job.Limit)+20)), model.DueKill
			}
		}
		for name, s := range map[string]*Scheduler{
			"conservative": NewConservative(),
			"plan":         New(Options{Optimiser: optimisers["lns"], Iterations: 5, Weights: paperWeights, Tau: 10, Depth: rng.IntN(2) * 5}),
		} {
			title := fmt.Sprintf("seed %d, %s, %+v", seed, name, o)
			s.Watch(Watch{Pass: func(v *sim.View, s *Scheduler) {
				s.Plan().Planned(func(j model.JobID, start model.Time, _ int32) {
					if v.Kills(j) && v.Due[j] <= v.Now {
						t.Fatalf("%s: at %d job index %d, due at %d, is planned for %d", title, v.Now, j, v.Due[j], start)
					}
				})
				for c := range s.plan.lanes {
					for _, i := range s.plan.lanes[c].running {
						if x := &s.plan.slots[i]; v.Kills(x.job) && x.start+x.length > v.Due[x.job] {
							t.Fatalf("%s: at %d job index %d holds until %d, and is stopped at %d", title, v.Now, x.job, x.start+x.length, v.Due[x.job])
						}
					}
				}
			}})
			run(t, title, w, p, s)
		}
	}
}

// Intent: a job that comes when it would already have been stopped, as one may that has waited
// for others, is given up at once and never planned.
func TestComesTooLate(t *testing.T) {
	w := &model.Workload{
		Jobs:    []model.Job{{Number: 1, Limit: 5, Procs: 1}, {Number: 2, Submit: 34, Limit: 5, Procs: 1, Demand: 1}},
		Truth:   []model.Truth{{Run: 5}, {Run: 5}},
		Demands: []model.Demand{{Due: 25, OnDue: model.DueKill}},
	}
	for _, o := range []Options{{Replan: true}, {}} {
		if e := run(t, "by hand", w, model.OneCluster(4), New(o)).Executions[1]; e.Reason != model.EndRejected {
			t.Errorf("%+v", e)
		}
	}
}
