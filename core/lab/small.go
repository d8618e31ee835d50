//go:build small

package lab

import (
	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/sim"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// Built with the tag small, this package runs plain experiments only: those
// for which Experiment.Studies is false. The page's first program is built like
// that, so that its download stays small.

// small says whether this build leaves the studies out.
const small = true

func (p *Prepared) checkSchedulers() error {
	if p.doc.Studies() {
		return ErrStudies
	}
	return nil
}

func (p *Prepared) platform(int) (*model.Platform, error) { return nil, nil }

func (p *Prepared) annotate(w *model.Workload, _ *model.Platform, _ int) (*model.Workload, error) {
	return w, nil
}

func (p *Prepared) site(*prepared, RunID, sim.Options, *Options, *report.Run) (*model.Schedule, error) {
	return nil, ErrStudies
}

func (p *Prepared) guard(_ *model.Workload, platform *model.Platform, _ int) (*model.Platform, error) {
	return platform, nil
}

func (p *Prepared) shared(w *model.Workload, _ *model.Platform, _ *swf.Log) (*model.Workload, []report.Count, error) {
	return w, nil, nil
}

func (p *Prepared) react(*prepared) error { return nil }

func (p *Prepared) cleaned() (*workload.Cleaned, error) { return nil, nil }

func (p *Prepared) eligibility() (e together) { return e }

// together stands for what makes one job of several that start together.
type together struct{}

func (together) Join(w *model.Workload, _ *swf.Log) (*model.Workload, []report.Count) { return w, nil }

func (p *Prepared) beside(l *swf.Log) (*swf.Log, error) { return l, nil }

func (p *Prepared) keep(*prepared, *together) error { return nil }

func (p *Prepared) suits(*prepared) error { return nil }

func (p *Prepared) reserve(w *model.Workload, _ *model.Platform, _ *swf.Log, _ int) (*model.Workload, []report.Count, error) {
	return w, nil, nil
}

// Drawn returns the experiment with the size of the machine that the log states:
// a plain experiment draws nothing beside its jobs.
func (p *Prepared) Drawn(repetition int, _ string) (*experiment.Experiment, []byte, error) {
	r, err := p.repetition(repetition)
	if err != nil {
		return nil, nil, err
	}
	doc := p.doc.Clone()
	doc.Expect, doc.Trace, doc.Platform.Processors = "", "", int64(r.workload.Processors)
	for i := range doc.Schedulers {
		doc.Schedulers[i].Repeat = 1
	}
	return doc, nil, nil
}

func siteLicences(*model.Platform) ([]report.SiteLicence, error) { return nil, nil }

// asking answers when jobs would start, which this build does not.
type asking struct{}
