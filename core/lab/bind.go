package lab

import (
	"fmt"

	"batchlab/core/experiment"
	"batchlab/core/expr"
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
	order, err := queueOrder(p)
	if err != nil {
		return nil, err
	}
	backfill, err := policy.ParseOrder(p.Text("backfill"))
	if err != nil {
		return nil, err
	}
	threshold, use := p.Int("threshold")
	e := &policy.CountedEASY{
		Order: order.Order, Weights: order.Weights, Scales: order.Scales, Formula: order.Formula,
		Backfill: backfill, Newest: order.Newest,
		UseThreshold: use, Threshold: model.Time(threshold),
	}
	err = score(&e.BackfillWeights, &e.BackfillScales, &e.BackfillFormula, backfill, p, "backfill-")
	return e, err
}

// queueOrder reads the order of the queue.
func queueOrder(p experiment.Params) (q policy.QueueOrder, err error) {
	q.Newest = p.Text("ties") == "newest"
	if q.Order, err = policy.ParseOrder(p.Text("order")); err == nil {
		err = score(&q.Weights, &q.Scales, &q.Formula, q.Order, p, "")
	}
	return q, err
}

// score reads what an order by score needs, from the parameters that begin with
// prefix.
func score(w *policy.Weights, s *policy.Scales, f **expr.Program, o policy.Order, p experiment.Params, prefix string) (err error) {
	switch o {
	case policy.Mixed:
		copy(s[:], p.Numbers(prefix+"scales"))
		*w, err = policy.NewWeights(p.Numbers(prefix + "weights"))
	case policy.Formula:
		*f, err = policy.NewFormula(p.Text(prefix + "formula"))
	}
	return err
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
