//go:build !small

package lab

import (
	"batchlab/core/experiment"
	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/report"
)

// Parts sums what a finished run, the last that p made, comes to by what jobs are, so that it can
// be set beside a run of the same experiment changed in some way (Pays).
func (p *Prepared) Parts(id RunID, got *Result) (*report.Parts, error) {
	r, err := p.repetition(id.Repetition)
	if err != nil {
		return nil, err
	}
	w := &p.doc.Workload
	told := id.Repetition == 0 && !got.Report.Logged && w.React == nil && w.Scale.Load == 1 && w.Scale.Time == 1 && w.Source.Generator == nil
	return p.meter.Parts(got.Schedule, func(j model.JobID) int32 {
		if at := got.Schedule.Workload.Jobs[j].Record; r.log != nil && at >= 0 {
			return r.log.Records[at].PartitionNumber
		}
		return -1
	}, told), nil
}

// Side is one scheduler's runs before or after a change.
type Side struct {
	Doc  *experiment.Experiment // of the point
	Runs []metric.Paid          // by repetition
	Rows []experiment.DigestRow // of repetition 0: its block of the digest
}

// Pays says who gains and who pays by a change, of one scheduler.
func Pays(before, after *Side, scheduler int) report.Pays {
	out := metric.Pays(before.Runs, after.Runs)
	out.Scheduler, out.Label = scheduler, before.Doc.Labels()[scheduler]
	if len(out.Rows) == 0 {
		return out
	}
	if out.Alike && len(before.Rows) > 0 && len(after.Rows) > 0 {
		out.Shifts = metric.Shifts(shifts(before.Rows, after.Rows))
	}
	out.Cost = cost(before, after)
	return out
}

// shifts pairs the last executions of two blocks job by job.
func shifts(before, after []experiment.DigestRow) (list []report.Shift) {
	at := make(map[int64]int, len(before))
	for i := range before { // of several attempts the last one stays
		at[before[i].Number] = i
	}
	for i := range after {
		a := &after[i]
		if i+1 < len(after) && after[i+1].Number == a.Number {
			continue
		}
		if k, ok := at[a.Number]; ok {
			b := &before[k]
			list = append(list, report.Shift{Number: a.Number, Submit: model.Time(a.Submit), Before: model.Time(b.Start), After: model.Time(a.Start)})
		}
	}
	return list
}

// cost is the capacity that a change adds or takes, nil for none.
func cost(before, after *Side) *report.Cost {
	b, a := before.Runs[0].Run, after.Runs[0].Run
	c := &report.Cost{Processors: int64(a.Processors - b.Processors)}
	if span, ok := b.Measure("makespan"); ok {
		c.Hours = span / 3600
	}
	c.ProcHours = float64(c.Processors) * c.Hours
	if n, m := nodes(before.Doc), nodes(after.Doc); n > 0 && m > 0 {
		more := m - n
		hours := float64(more) * c.Hours
		c.Nodes, c.NodeHours = &more, &hours
	}
	c.Taken = taken(after.Doc, a.Processors) - taken(before.Doc, b.Processors)
	if c.Processors == 0 && c.Taken == 0 && (c.Nodes == nil || *c.Nodes == 0) {
		return nil
	}
	return c
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
