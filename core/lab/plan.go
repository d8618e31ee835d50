//go:build !small

package lab

import (
	"fmt"

	"batchlab/core/experiment"
	"batchlab/core/grid"
	"batchlab/core/model"
	"batchlab/core/plan"
	"batchlab/core/report"
	"batchlab/core/search"
	"batchlab/core/sim"
)

// newPlan makes the planning scheduler that the parameters of plan-rs describe.
func newPlan(p experiment.Params) (sim.Scheduler, error) {
	number := func(key string) float64 {
		v, _ := p.Number(key)
		return v
	}
	whole := func(key string) int64 {
		v, _ := p.Int(key)
		return v
	}
	o := plan.Options{
		Iterations: int(whole("iterations")), Interval: model.Time(whole("interval")), Tau: model.Time(whole("plan-tau")),
		Weights: search.Weights{number("weight-wait"), number("weight-slowdown"), number("weight-fairness")},
		Budget:  number("time-limit"),
	}
	o.Foretold = plansBy(p)
	o.Objective = plan.Objective{
		Waiting: p.Text("criteria") == "waiting", Planned: p.Text("consumption") == "planned", Squares: p.Text("fairness") == "squares",
		Roots: p.Text("jobs-weigh") == "root",
	}
	if guard, ok := p.Int("guard"); ok {
		o.Guarded, o.Guard = true, model.Time(guard)
	}
	if depth, ok := p.Int("depth"); ok {
		o.Depth = int(depth)
	}
	if cycle, ok := p.Int("cycle"); ok {
		o.Cycle = model.Time(cycle)
	}
	switch key := p.Text("optimiser"); key {
	case "random-search":
		o.Optimiser = search.RandomSearch{}
	case "annealing":
		o.Optimiser = search.Annealing{First: number("temperature"), Last: number("cold")}
	case "tabu":
		o.Optimiser = search.Tabu{Candidates: int(whole("candidates")), Tenure: int(whole("tenure"))}
	case "lns":
		o.Optimiser = search.LNS{Remove: int(whole("remove"))}
	case "none":
	default:
		return nil, fmt.Errorf("lab: no optimiser %q", key)
	}
	return plan.New(o), nil
}

// plansBy says whether a plan uses what is predicted.
func plansBy(p experiment.Params) bool { return p.Text("plan-by") == "prediction" }

// seeded is a scheduler that draws random numbers.
type seeded interface {
	Seed(seed uint64, repetition int)
}

// optimised says what the optimiser of a scheduler did; nil without one.
func optimised(s sim.Scheduler) *report.Optimised {
	if h, ok := s.(*plan.Hill); ok {
		c := h.Counts()
		return &report.Optimised{Calls: c.Calls, Iterations: c.Iterations, Accepted: c.Accepted, Seconds: h.Seconds()}
	}
	planner, ok := s.(*plan.Scheduler)
	if !ok {
		return nil
	}
	c := planner.Counts()
	if c.Calls == 0 {
		return nil
	}
	return &report.Optimised{Calls: c.Calls, Iterations: c.Iterations, Accepted: c.Accepted, Unrepeatable: planner.Clocked()}
}

// follow lets somebody be told what optimisers keep, those of a grid's providers included.
func follow(s sim.Scheduler, clusters []model.Cluster, moves func(list []report.Move)) {
	switch s := s.(type) {
	case *plan.Scheduler:
		s.Watch(plan.Watch{Moves: moves})
	case *grid.Broker:
		for c, local := range s.Schedulers() {
			follow(local, nil, func(list []report.Move) {
				list[0].Cluster = clusters[c].Name
				moves(list)
			})
		}
	}
}
