//go:build !small

package lab

import (
	"errors"
	"fmt"

	"batchlab/core/model"
	"batchlab/core/report"
)

// CheckTruth says why what an experiment simulates cannot be set beside what its log says
// happened; nil: it can, as far as the log knows waits.
func (p *Prepared) CheckTruth() error {
	w := &p.doc.Workload
	switch {
	case w.React != nil:
		return errors.New("workload.react: users who react submit at other times than the log's")
	case w.Resample != nil:
		return errors.New("workload.resample: draws are other logs than the one that happened")
	case w.Scale.Load != 1 || w.Scale.Time != 1:
		return fmt.Errorf("workload.scale: load %v and time %v make other jobs than the log's", w.Scale.Load, w.Scale.Time)
	case w.Source.Generator != nil:
		return errors.New("workload.source: generated jobs never waited anywhere")
	}
	return nil
}

// TruthOf runs one scheduler and sets it beside what the log says happened; progress
// returns false to cancel.
func (p *Prepared) TruthOf(id RunID, progress func(done, total int) bool) (*report.Truth, error) {
	if err := p.CheckTruth(); err != nil {
		return nil, err
	}
	got, err := p.Run(id, Options{Progress: progress})
	if err != nil {
		return nil, err
	}
	t, _, err := p.Truth(id, got)
	return t, err
}

// Truth sets a finished run, the last that p made, beside what the log says happened,
// and returns the simulated waits by job (−1 of those that are not compared) besides.
func (p *Prepared) Truth(id RunID, got *Result) (*report.Truth, []model.Time, error) {
	r, err := p.repetition(id.Repetition)
	if err != nil {
		return nil, nil, err
	}
	t, waits := p.meter.Truth(got.Schedule, func(j model.JobID) int32 {
		if at := got.Schedule.Workload.Jobs[j].Record; r.log != nil && at >= 0 {
			return r.log.Records[at].PartitionNumber
		}
		return -1
	})
	if t.Jobs == 0 {
		return nil, nil, errors.New("the log says of none of the jobs how long it waited (SWF field 3)")
	}
	t.Scheduler, t.Key, t.Label, t.Repetition = id.Scheduler, got.Report.Key, got.Report.Label, id.Repetition
	return t, waits, nil
}
