// Package mixed is the laboratory of mixed orders (Legrand, Trystram and
// Zrigui 2018): how good is EASY with the queue order wᵀx in a week, which w is
// best there, and would last week's w have served?
//
// Evaluator answers the first question, thousands of times a second. Lab cuts
// a workload into weeks and splits the others into Chunks that workers share.
// Table gathers what they send, in any order, and decides.
package mixed

import (
	"fmt"
	"math"

	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
	"batchlab/core/workload"
)

// Rules are what all simulations of a study share.
type Rules struct {
	Tau          model.Time // τ of the bounded slowdown in seconds
	Backfill     policy.Order
	Newest       bool // ties go to the job submitted last
	UseThreshold bool
	Threshold    model.Time
	Scales       policy.Scales // zeros are the defaults
}

// Evaluator computes mean bounded slowdowns of single weeks. It keeps its
// memory from one simulation to the next and serves one call at a time.
type Evaluator struct {
	// Simulations counts the weeks that were simulated.
	Simulations int

	windows []workload.Window
	ground  Ground
	rules   Rules
	weeks   []week
	sim     sim.CountedSimulator
	easy    policy.CountedEASY
	last    *model.Schedule

	site  sim.Simulator
	going func() bool // told of while a window is simulated; false cancels. nil: nobody listens
}

// week is what does not change from one simulation of a window to the next.
type week struct {
	basis    *policy.Basis
	bound    []float64       // by job: max(run, τ)
	workload *model.Workload // on the general engine
	platform *model.Platform // there, with what the calendar still holds
}

// NewEvaluator returns an evaluator of these windows. Windows and platform are
// only read, and may be shared.
func NewEvaluator(windows []workload.Window, g Ground, rules Rules) *Evaluator {
	e := &Evaluator{windows: windows, ground: g, rules: rules, weeks: make([]week, len(windows))}
	e.easy = policy.CountedEASY{
		Backfill: rules.Backfill, Newest: rules.Newest,
		UseThreshold: rules.UseThreshold, Threshold: rules.Threshold, Scales: rules.Scales,
	}
	return e
}

// Mixed returns the mean bounded slowdown of a window, by its place in the
// list, under the mixed order with weights w. It allocates nothing once the
// window has been seen. It fails on a window without jobs.
func (e *Evaluator) Mixed(window int, w policy.Weights) (float64, error) {
	e.easy.Order, e.easy.Weights = policy.Mixed, w
	return e.run(window)
}

// Pure returns the mean bounded slowdown of a window under a pure order.
func (e *Evaluator) Pure(window int, o policy.Order) (float64, error) {
	e.easy.Order = o
	return e.run(window)
}

// Schedule returns the schedule behind the last value. It is valid until the
// next.
func (e *Evaluator) Schedule() *model.Schedule { return e.last }

func (e *Evaluator) simulate(window int) (*model.Schedule, error) {
	v := &e.windows[window]
	if len(v.Workload.Jobs) == 0 {
		return nil, fmt.Errorf("window %d, from %d s to %d s, has no jobs: no order can be compared there", v.Index, v.From, v.To)
	}
	k := &e.weeks[window]
	if !e.ground.Counted {
		return e.onSite(v, k)
	}
	if k.basis == nil {
		k.basis = policy.NewBasis(v.Workload.Jobs, int32(e.ground.Platform.Procs()), &e.easy)
		k.bound = make([]float64, len(v.Workload.Jobs))
		for j := range k.bound {
			k.bound[j] = float64(max(v.Workload.Executed(model.JobID(j)), e.rules.Tau))
		}
	}
	e.easy.Basis = k.basis
	e.Simulations++
	return e.sim.Run(&v.Workload, e.ground.Platform, &e.easy, sim.Options{})
}

func (e *Evaluator) run(window int) (float64, error) {
	s, err := e.simulate(window)
	if err != nil {
		return 0, err
	}
	e.last = s
	if !e.ground.Counted {
		x := metric.MeanBoundedSlowdown(s, metric.Options{Tau: e.rules.Tau})
		if math.IsNaN(x) {
			err = fmt.Errorf("window %d: no job runs, since all are given up at their deadlines: there is no slowdown to compare", e.windows[window].Index)
		}
		return x, err
	}
	sum := 0.0
	for i, bound := range e.weeks[window].bound {
		x := &s.Executions[i]
		sum += max(1, float64(x.End-x.Submit)/bound)
	}
	return sum / float64(len(s.Executions)), nil
}
