//go:build js && wasm && !small

package worker

import (
	"fmt"

	"batchlab/core/lab"
	"batchlab/core/model"
	"batchlab/core/report"
)

// terms takes the priorities of the waiting jobs at an instant apart.
func (w *worker) terms(m message) (*report.Priorities, error) {
	p, err := w.prepare(m, 0)
	if err != nil {
		return nil, err
	}
	if m.Scheduler >= len(p.Experiment().Schedulers) {
		return nil, fmt.Errorf("the experiment has no scheduler %d", m.Scheduler)
	}
	return p.Priorities(lab.RunID{Scheduler: m.Scheduler, Repetition: m.Repetition}, model.Time(m.At))
}
