//go:build !small

package lab

import (
	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
)

// Parts sums what a finished run, the last that p made, comes to by what jobs are, so that it can
// be set beside a run of the same experiment changed in some way (metric.Pays).
func (p *Prepared) Parts(id RunID, got *Result) (*report.Parts, error) {
	r, err := p.repetition(id.Repetition)
	if err != nil {
		return nil, err
	}
	log, err := p.records(r)
	if err != nil {
		return nil, err
	}
	w := &p.doc.Workload
	told := id.Repetition == 0 && !got.Report.Logged && w.React == nil && w.Scale.Load == 1 && w.Scale.Time == 1 && w.Source.Generator == nil
	out := p.meter.Parts(got.Schedule, func(j model.JobID) int32 {
		if at := got.Schedule.Workload.Jobs[j].Record; log != nil && at >= 0 {
			return log.Records[at].PartitionNumber
		}
		return -1
	}, told)
	out.Nodes, out.Taken = nodes(p.doc), taken(p.doc, got.Report.Processors)
	return out, nil
}

// PaidOf runs one scheduler over one repetition and gives what is needed to set it beside a
// changed one.
func (p *Prepared) PaidOf(id RunID, progress func(done, total int) bool) (*report.PaidRun, error) {
	got, err := p.Run(id, Options{Progress: progress})
	if err != nil {
		return nil, err
	}
	r := got.Report
	out := &report.PaidRun{Run: &report.Run{
		Scheduler: r.Scheduler, Key: r.Key, Label: r.Label, Repetition: r.Repetition, Jobs: r.Jobs, Processors: r.Processors,
		Workload: r.Workload, Copy: r.Copy, Draws: r.Draws, Metrics: r.Metrics, Logged: r.Logged,
	}}
	if out.Parts, err = p.Parts(id, got); err == nil {
		out.Block, err = experiment.PackBlock(nil, got.Block)
	}
	return out, err
}

// Starts are the last starts of the jobs of a run's block of the digest.
func Starts(block []byte) (list []report.Started) {
	rows := experiment.BlockRows(block)
	for i, r := range rows {
		if i+1 == len(rows) || rows[i+1].Number != r.Number {
			list = append(list, report.Started{Number: r.Number, Submit: model.Time(r.Submit), Start: model.Time(r.Start)})
		}
	}
	return list
}

// nodes counts the machines of a platform that lists them.
func nodes(e *experiment.Experiment) (n int64) {
	for _, c := range e.Platform.Clusters {
		for _, g := range c.Groups {
			n += g.Count
		}
	}
	return n
}

// taken are the processor-hours that reservations and outages of a document take, as it
// states them.
func taken(e *experiment.Experiment, processors int) (hours float64) {
	for _, r := range e.Platform.Reservations {
		length := r.Length
		if length == 0 {
			length = r.To - r.From
		}
		hours += float64(r.Processors) * float64(length) / 3600
	}
	for _, o := range e.Platform.Outages {
		n := o.Procs
		if n == 0 {
			if n = offline(e, &o); len(e.Platform.Clusters) == 0 {
				n = int64(processors)
			}
		}
		hours += float64(n) * float64(o.To-o.From) / 3600
	}
	return hours
}

// offline counts the processors of the machines that an outage takes, all of its cluster
// where it names none.
func offline(e *experiment.Experiment, o *experiment.Outage) (n int64) {
	for _, c := range e.Platform.Clusters {
		if o.Cluster != "" && o.Cluster != c.Name {
			continue
		}
		first := int64(0)
		for _, g := range c.Groups {
			if len(o.Nodes) == 0 {
				n += g.Count * g.Processors
			}
			for _, at := range o.Nodes {
				if at >= first && at < first+g.Count {
					n += g.Processors
				}
			}
			first += g.Count
		}
	}
	return n
}
