//go:build js && wasm && small

package worker

import (
	"encoding/json"
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/report"
	"batchlab/core/tell"
	"batchlab/core/workload"
	"batchlab/wasm/bridge"
)

// What the page's first program leaves out. The page asks the studies' program
// for it, so these answers are seen only when the two disagree.

type searched struct{}

type stepped struct{}

func (w *worker) step(message) (*tell.Step, error) { return nil, lab.ErrStudies }

func (w *worker) search(message) (reply bridge.Reply, buffers []js.Value, err error) {
	return reply, nil, lab.ErrStudies
}

func (w *worker) terms(message) (*report.Priorities, error) { return nil, lab.ErrStudies }

func (w *worker) study(message) (reply bridge.Reply, buffers []js.Value, err error) {
	return reply, nil, lab.ErrStudies
}
func (w *worker) plan(message) (*report.Plan, error) { return nil, lab.ErrStudies }

func (w *worker) foresee(message) (*report.Foresight, error) { return nil, lab.ErrStudies }

func (w *worker) query(message) (*report.Answer, error) { return nil, lab.ErrStudies }

func (w *worker) ask(message) (json.RawMessage, error) { return nil, lab.ErrStudies }

func (w *worker) try(message) (*report.Trial, error) { return nil, lab.ErrStudies }

func (w *worker) cleaned(message, experiment.Log, workload.Options) (*workload.Cleaned, error) {
	return nil, nil
}
