//go:build !small

package lab

import (
	"errors"
	"fmt"

	"batchlab/core/metric"
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

// TruthOf runs a scheduler, each repetition that is not like one before, and sets the
// runs beside what the log says happened. progress returns false to cancel; it is told
// how far all of them are, in thousandths of a run.
func (p *Prepared) TruthOf(scheduler int, progress func(done, total int) bool) (*report.TruthRuns, error) {
	if err := p.CheckTruth(); err != nil {
		return nil, err
	}
	if scheduler < 0 || scheduler >= len(p.doc.Schedulers) {
		return nil, fmt.Errorf("the experiment has no scheduler %d", scheduler)
	}
	var ids []RunID
	for r := range int(max(1, p.doc.Schedulers[scheduler].Repeat)) {
		if p.doc.First(scheduler, r) == r {
			ids = append(ids, RunID{Scheduler: scheduler, Repetition: r})
		}
	}
	w, _, err := p.Workload(0)
	if err != nil {
		return nil, err
	}
	out := &report.TruthRuns{Processors: int64(w.Processors)}
	for i := range w.Jobs {
		out.Widest = max(out.Widest, int64(w.Jobs[i].Procs))
	}
	var first []model.Time
	var others []report.Nearness
	for i, id := range ids {
		got, err := p.Run(id, Options{Progress: func(done, total int) bool {
			return progress == nil || progress(1000*i+1000*done/max(1, total), 1000*len(ids))
		}})
		if err != nil {
			return nil, err
		}
		t, waits, err := p.truth(id, got)
		if err != nil {
			return nil, err
		}
		if out.Runs = append(out.Runs, t); i == 0 {
			first = waits
		} else {
			others = append(others, metric.NearBoth(waits, first))
		}
	}
	if len(others) > 0 {
		out.Itself = metric.MeanNearness(others)
	}
	return out, nil
}

// truth sets a finished run, the last that p made, beside what the log says happened,
// and returns the simulated waits by job (−1 of those that are not compared) besides.
func (p *Prepared) truth(id RunID, got *Result) (*report.Truth, []model.Time, error) {
	r, err := p.repetition(id.Repetition)
	if err != nil {
		return nil, nil, err
	}
	log, err := p.records(r)
	if err != nil {
		return nil, nil, err
	}
	t, waits := p.meter.Truth(got.Schedule, func(j model.JobID) metric.TruthTags {
		at := got.Schedule.Workload.Jobs[j].Record
		if log == nil || at < 0 {
			return metric.TruthTags{Partition: -1}
		}
		tags := metric.TruthTags{Partition: log.Records[at].PartitionNumber}
		if log.Extra != nil {
			x := &log.Extra[at]
			tags.QOS, tags.Account, tags.GPUs = x.QOS, x.Account, x.GPUs
		}
		return tags
	})
	if t.Jobs == 0 {
		return nil, nil, errors.New("the log says of none of the jobs how long it waited (SWF field 3)")
	}
	t.Scheduler, t.Key, t.Label, t.Repetition = id.Scheduler, got.Report.Key, got.Report.Label, id.Repetition
	return t, waits, nil
}
