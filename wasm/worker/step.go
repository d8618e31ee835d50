//go:build js && wasm && !small

package worker

import (
	"slices"

	"batchlab/core/lab"
	"batchlab/core/model"
	"batchlab/core/tell"
)

// stepped is a run that is stepped through.
type stepped struct {
	of    *lab.Prepared
	id    lab.RunID
	truth bool
	steps *lab.Stepper
}

// mostStepped is how many runs are kept ready for steps: two beside each other, and
// the same with the truth.
const mostStepped = 4

// step tells an instant of a run.
func (w *worker) step(m message) (*tell.Step, error) {
	p, id, err := w.planned(m)
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(w.cache.stepped, func(s stepped) bool { return s.of != p }) // of another experiment
	at := slices.IndexFunc(list, func(s stepped) bool { return s.id == id && s.truth == m.Truth })
	if at < 0 {
		steps, err := p.NewStepper(id, m.Truth, w.watch(m.ID))
		if err != nil {
			return nil, err
		}
		if len(list) == mostStepped {
			list = slices.Delete(list, 0, 1)
		}
		list = append(list, stepped{p, id, m.Truth, steps})
		at = len(list) - 1
	}
	w.cache.stepped = list
	s := list[at].steps
	index := m.Instant - 1
	if m.Instant == 0 {
		index = s.Find(model.Time(m.At))
	}
	if m.About > 0 {
		return s.About(index, model.JobID(m.About-1), w.watch(m.ID))
	}
	return s.Step(min(index, len(s.Times())-1), w.watch(m.ID))
}
