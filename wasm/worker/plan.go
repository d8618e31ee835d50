//go:build js && wasm && !small

package worker

import (
	"fmt"

	"batchlab/core/lab"
	"batchlab/core/model"
	"batchlab/core/report"
)

// planned prepares the experiment of a request that looks at a run's plan.
func (w *worker) planned(m message) (*lab.Prepared, lab.RunID, error) {
	p, err := w.prepare(m, 0)
	if err == nil && m.Scheduler >= len(p.Experiment().Schedulers) {
		err = fmt.Errorf("the experiment has no scheduler %d", m.Scheduler)
	}
	return p, lab.RunID{Scheduler: m.Scheduler, Repetition: m.Repetition}, err
}

// plan gives the plan of an instant.
func (w *worker) plan(m message) (*report.Plan, error) {
	p, id, err := w.planned(m)
	if err != nil {
		return nil, err
	}
	return p.Plan(id, model.Time(m.At), model.JobID(m.Job-1), w.watch(m.ID))
}

// foresee says how a run's plan came about and how good its predictions were.
func (w *worker) foresee(m message) (*report.Foresight, error) {
	p, id, err := w.planned(m)
	if err != nil {
		return nil, err
	}
	return p.Foresight(id, w.watch(m.ID))
}

// query says what reservation could have been had at a time.
func (w *worker) query(m message) (*report.Answer, error) {
	p, id, err := w.planned(m)
	if err != nil {
		return nil, err
	}
	return p.Query(id, *m.Ask, w.watch(m.ID))
}

// try says what a user's program does with a small case, or finds the smallest one
// on which a run parts from another scheduler.
func (w *worker) try(m message) (*report.Trial, error) {
	if m.Beside == 0 {
		return lab.TryProgram(m.Code, w.watch(m.ID))
	}
	p, id, err := w.planned(m)
	if err != nil {
		return nil, err
	}
	smallest, err := p.Smallest(id, m.Beside-1, lab.Options{Progress: w.watch(m.ID)})
	return &report.Trial{Case: smallest}, err
}
