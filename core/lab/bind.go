package lab

import (
	"fmt"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
)

// constructors binds the key of each scheduler of the catalog to its code. A
// test proves that rows and constructors match. A nil constructor marks
// `as-logged`, which decides nothing.
var constructors = map[string]func(p experiment.Params) (sim.CountedScheduler, error){
	"as-logged":    nil,
	"fcfs":         newFCFS,
	"easy":         newEASY,
	"conservative": func(experiment.Params) (sim.CountedScheduler, error) { return &policy.CountedConservative{}, nil },
}

func newFCFS(p experiment.Params) (sim.CountedScheduler, error) {
	return &policy.CountedFCFS{Newest: p.Text("ties") == "newest"}, nil
}

func newEASY(p experiment.Params) (sim.CountedScheduler, error) {
	order, err := policy.ParseOrder(p.Text("order"))
	if err != nil {
		return nil, err
	}
	backfill, err := policy.ParseOrder(p.Text("backfill"))
	if err != nil {
		return nil, err
	}
	threshold, use := p.Int("threshold")
	e := &policy.CountedEASY{
		Order: order, Backfill: backfill, Newest: p.Text("ties") == "newest",
		UseThreshold: use, Threshold: model.Time(threshold),
	}
	switch order {
	case policy.Mixed:
		copy(e.Scales[:], p.Numbers("scales"))
		e.Weights, err = policy.NewWeights(p.Numbers("weights"))
	case policy.Formula:
		e.Formula, err = policy.NewFormula(p.Text("formula"))
	}
	return e, err
}

// build makes the scheduler of one line of an experiment; nil for `as-logged`.
func build(s *experiment.Scheduler) (sim.CountedScheduler, error) {
	c, ok := constructors[s.Key]
	if !ok {
		return nil, fmt.Errorf("lab: no scheduler %q", s.Key)
	}
	if c == nil {
		return nil, nil
	}
	return c(s.Params)
}
