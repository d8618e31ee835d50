package main

import (
	"fmt"
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/lab"
)

// maxTraced bounds the executions that are kept in memory for a trace.
const maxTraced = 2_000_000

// tracer keeps what a trace needs of each run. Past maxTraced executions it
// gives up.
type tracer struct {
	names []string // of the runs, for people
	runs  [][]experiment.DigestRow
	kept  int
}

// traceRun is what a trace is made of: one execution a job, in order of
// (submission, number), as the jobs are.
func traceRun(r *lab.Result) experiment.TraceRun {
	s := r.Schedule
	jobs := s.Workload.Jobs
	rows := make([]experiment.DigestRow, len(jobs))
	for i := range s.Executions {
		e := &s.Executions[i]
		rows[e.Job] = experiment.DigestRow{Number: jobs[e.Job].Number, Submit: int64(e.Submit), Start: int64(e.Start), End: int64(e.End)}
	}
	return experiment.TraceRun{Count: len(rows), Row: func(i int) experiment.DigestRow { return rows[i] }}
}

// full reports that it has given up.
func (t *tracer) full() bool { return t.kept > maxTraced }

func (t *tracer) add(name string, rows []experiment.DigestRow) {
	if t.kept += len(rows); t.kept > maxTraced {
		t.runs, t.names = nil, nil
		return
	}
	t.runs, t.names = append(t.runs, rows), append(t.names, name)
}

func (t *tracer) source(i int) experiment.TraceRun {
	rows := t.runs[i]
	return experiment.TraceRun{Count: len(rows), Row: func(k int) experiment.DigestRow { return rows[k] }}
}

// expecting is a copy of a document that expects this result, and names its build:
// whoever runs it again is told whether it was reproduced.
func (t *tracer) expecting(e *experiment.Experiment, digest string) *experiment.Experiment {
	doc := e.Clone()
	doc.Expect, doc.Trace = digest, ""
	if t.kept <= maxTraced {
		var runs []experiment.TraceRun
		for i := range t.runs {
			runs = append(runs, t.source(i))
		}
		doc.Trace = experiment.NewTrace(runs).Encode()
	}
	return doc
}

// link is the part of an address, from "#" on, that opens the experiment in the
// page and says there whether the result is this one; "" where the experiment is
// too large for a link.
func (t *tracer) link(e *experiment.Experiment, digest string) string {
	doc := t.expecting(e, digest)
	if !experiment.FitsLink(doc) {
		return ""
	}
	return experiment.EncodeLink(doc)
}

// parted says where the result parts from the one that the document expects, and
// what lies between their engines; "" when what it says cannot be read.
func (t *tracer) parted(e *experiment.Experiment) string {
	if e.Trace == "" {
		return "it came without the starts of its jobs; the expected result was " + experiment.EnginesApart("", experiment.Engine)
	}
	trace, err := experiment.DecodeTrace(e.Trace)
	if err != nil {
		return ""
	}
	where, engines := "", experiment.EnginesApart(trace.Engine, experiment.Engine)
	if len(trace.Runs) == len(t.runs) {
		where = t.where(trace)
	}
	switch {
	case engines == "" && where == "":
		return ""
	case engines == "":
		return where + " (both by engine " + trace.Engine + builds(trace.Build) + ")"
	case where != "":
		where += "; "
	}
	return where + "the expected result was " + engines + builds(trace.Build)
}

// builds names the build that made another result and this one, "" where they are
// the same or the other is not known.
func builds(by experiment.Build) string {
	if by.Version == "" || by == experiment.ThisBuild() {
		return ""
	}
	return "; it was made by " + by.String() + ", this is " + experiment.ThisBuild().String()
}

// where names the first run that parts from a trace, "" when none does.
func (t *tracer) where(trace *experiment.Trace) string {
	for i := range t.runs {
		d, same := trace.Runs[i].Compare(t.source(i))
		if same {
			continue
		}
		rows := t.runs[i]
		var b strings.Builder
		fmt.Fprintf(&b, "%s: ", t.names[i])
		if d.Jobs != len(rows) || len(rows) == 0 {
			fmt.Fprintf(&b, "%d jobs instead of %d; ", len(rows), d.Jobs)
		}
		if len(rows) > 0 {
			fmt.Fprintf(&b, "the first job that differs is job %d", rows[d.From].Number)
			if d.To > d.From {
				fmt.Fprintf(&b, " or one of the %d after it", d.To-d.From)
			}
		}
		if d.At >= 0 {
			fmt.Fprintf(&b, "; job %d was to start at %d s and starts at %d s", rows[d.At].Number, d.Start, rows[d.At].Start)
		}
		return b.String()
	}
	return ""
}
