//go:build small

package policy

import (
	"batchlab/core/model"
	"batchlab/core/predict"
	"batchlab/core/sim"
)

// chooser stands for the rollouts where they are left out: nobody asks it for an
// order, since no scheduler has options for them.
type chooser struct {
	Trace   bool
	Choices []Choice
}

func (*chooser) reset(*ForesightOptions, int)                             {}
func (*chooser) start(model.JobID, *predict.Estimate)                     {}
func (*chooser) due(model.Time) bool                                      { return false }
func (*chooser) begin(model.Time, int32)                                  {}
func (*chooser) wait(model.JobID, *model.Job, *predict.Estimate, float64) {}
func (*chooser) run(model.JobID, int64, model.Time, model.Time, int32)    {}
func (*chooser) choose(*sim.Pulse) int                                    { return 0 }
