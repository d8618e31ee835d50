package metric

import "batchlab/core/model"

// workflow holds the measures of jobs that wait for others before they are eligible.
type workflow struct {
	there            bool // dependencies or withdrawals are kept
	submitted        sum  // seconds from submission to start of all measured jobs
	jobs             int
	withdrawn, never int
	path, run, wait  int64 // seconds of the longest path, and of it of running and waiting
	length           int   // jobs on it; 0: no job waited for another
}

// strand is a path that ends with a job.
type strand struct {
	from      model.Time // submission of its first job
	run, wait int64
	length    int
}

func onPath(of func(*workflow) int64) func(*Meter) (float64, bool) {
	return func(m *Meter) (float64, bool) { return float64(of(&m.workflow)), m.workflow.length > 1 }
}

// measureWorkflow measures what came of dependencies and withdrawals. Jobs stand in
// order of eligibility, so that whatever a job waited for stands before it.
func (m *Meter) measureWorkflow(s *model.Schedule, o *Options) {
	m.workflow = workflow{}
	f, w := &m.workflow, s.Workload
	if w.Gates == nil {
		return
	}
	f.there = true
	n := len(w.Jobs)
	begun, done := make([]strand, n), make([]strand, n) // up to a job's start, and its end
	start, end := make([]model.Time, n), make([]model.Time, n)
	id := make([]model.JobID, n) // by the order of Gates
	for j := range id {
		k := j
		if w.Origin != nil {
			k = int(w.Origin[j])
		}
		id[k] = model.JobID(j)
		start[j], end[j] = model.Never, model.Never
	}
	for i := 0; i < len(s.Executions); i++ {
		first := &s.Executions[i]
		from := i
		i = lastAttempt(s.Executions, i)
		e := &s.Executions[i]
		j, submitted := e.Job, w.SubmittedAt(e.Job)
		in := o.in(submitted)
		if e.Reason.Unserved() {
			switch {
			case !in:
			case e.Reason == model.EndWithdrawn:
				f.withdrawn++
			case e.Reason == model.EndNever:
				f.never++
			}
			continue
		}
		start[j], end[j] = first.Start, e.End
		own := strand{from: submitted}
		if p, on, ok := follows(w, id, start, end, j, first.Submit); ok {
			if own = done[p]; on == model.Started {
				own = begun[p]
			}
		}
		own.length++
		begun[j] = own
		begun[j].wait += int64(first.Start - first.Submit)
		ran := int64(e.End - e.Start + kept(s.Executions[from:i]))
		own.run, own.wait = own.run+ran, own.wait+int64(e.End-first.Submit)-ran // what was lost in a stopped attempt is waited once more
		done[j] = own
		if reservation(w, j) == nil && in {
			f.jobs++
			f.submitted.add(int64(e.Start-submitted) - int64(kept(s.Executions[from:i])))
		}
		if span := int64(e.End - own.from); in && own.length > 1 && span > f.path {
			f.path, f.run, f.wait, f.length = span, own.run, own.wait, own.length
		}
	}
}

// follows returns the job for which job j waited last, longer than for its own submission,
// and what of it. start and end are those known so far; id leads from Gates to jobs.
func follows(w *model.Workload, id []model.JobID, start, end []model.Time, j model.JobID, eligible model.Time) (p model.JobID, on model.Event, ok bool) {
	g := w.Gate(j)
	var last model.Time
	for _, d := range g.After {
		k := id[d.Job]
		come := end[k]
		switch failed := w.Gates[d.Job].Failed; {
		case start[k] == model.Never || d.On == model.OK && failed || d.On == model.NotOK && !failed:
			continue
		case d.On == model.Started:
			come = max(start[k]+1, start[k]+d.Delay)
		default:
			come += d.Delay
		}
		if come > eligible { // under the log's own schedule a job may not have waited
			continue
		}
		if !ok || g.Any && come < last || !g.Any && come > last {
			p, on, last, ok = k, d.On, come, true
		}
	}
	return p, on, ok && last > w.SubmittedAt(j)
}
