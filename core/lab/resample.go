package lab

import (
	"errors"
	"math/rand/v2"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/workload"
)

// resample returns how the workload of a repetition is drawn, nil where nothing
// is resampled. Repetition 0 is the source's own.
func (p *Prepared) resample(r int) *workload.Resample {
	params := p.doc.Workload.Resample
	if params == nil {
		return nil
	}
	var random *rand.Rand
	if r > 0 {
		random = model.Stream(p.doc.Seed, "workload/resample/"+params.Text("by"), r)
	}
	block, _ := params.Int("block")
	long, _ := params.Int("long-term")
	jitter, _ := params.Int("jitter")
	return &workload.Resample{By: params.Text("by"), Block: int(block), LongTerm: int(long), Jitter: model.Time(jitter), Random: random}
}

// place names the key of the document that makes a draw fail.
func (p *Prepared) place(err error) error {
	if e := (workload.DrawError{}); errors.As(err, &e) {
		return experiment.Error{Path: "workload.resample", Message: e.Error()}
	}
	return err
}

// draws says what the repetitions were drawn from; nil where nothing is
// resampled.
func draws(r *workload.Resample) *report.Draws {
	if r == nil {
		return nil
	}
	return &report.Draws{By: r.By, Pieces: r.Pieces}
}
