package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/report"
)

// head makes the members of a point's JSON that come before its runs: how the
// workload of repetition 0 was cleaned, and what was found of users who react.
// noted says that people are told, too.
func (r *runner) head(p *lab.Prepared, noted bool) ([]byte, error) {
	w, clean, err := p.Workload(0)
	if err != nil {
		return nil, err
	}
	reaction, err := p.Reaction(0)
	if err != nil {
		return nil, err
	}
	if noted {
		r.prog.aside(func() {
			if r.log != nil {
				noteCleaning(r.prog.w, r.log.path, clean)
			}
			noteLogged(r.prog.w, p.Experiment(), w)
			noteMissing(r.prog.w, p)
			noteReaction(r.prog.w, reaction)
		})
	}
	text := append([]byte(`"cleaning":`), plainJSON(cleaned(clean))...)
	if reaction != nil {
		text = append(append(text, `,"reaction":`...), plainJSON(reaction)...)
	}
	return append(text, ','), nil
}

// writeJobs writes jobs.csv of a run that has columns.
func (r *runner) writeJobs(p *lab.Prepared, point int, id lab.RunID, got *lab.Result) error {
	name := r.file(r.jobs, "jobs", point, id, got)
	r.prog.aside(func() { noteNoProcessors(r.prog.w, name, got) })
	return writeJobs(name, p, got)
}

// file is the name of a run's file of a kind.
func (r *runner) file(folder, kind string, point int, id lab.RunID, got *lab.Result) string {
	return filepath.Join(folder, fmt.Sprintf("%s%s-%02d-%s-%d.csv", kind, r.number(point), id.Scheduler+1, got.Report.Key, id.Repetition))
}

// moves writes the lines of a call of an optimiser, below a head.
func (t *csvTable) moves(list []report.Move) {
	if t.Len() == 0 {
		t.line("time", "step", "job_id", "cluster", "place", "wait", "slowdown", "fairness")
	}
	for i := range list {
		m := &list[i]
		job, place := any(m.Job), any(m.Place)
		if m.Step == 0 {
			job, place = "", ""
		}
		t.line(m.At, m.Step, job, m.Cluster, place, m.Scores[0], m.Scores[1], m.Scores[2])
	}
}

// number is what names of a point's files have behind their first word.
func (r *runner) number(point int) string {
	if !r.varies() {
		return ""
	}
	return fmt.Sprintf("-%0*d", len(fmt.Sprint(r.sweep.Points.Len())), point+1)
}

// first says whether no scheduler before this one runs the same repetition.
func (r *runner) first(p *lab.Prepared, id lab.RunID) bool {
	return !slices.ContainsFunc(p.Experiment().Schedulers[:id.Scheduler], func(s experiment.Scheduler) bool { return int(s.Repeat) > id.Repetition })
}

// writeDrawn writes what was drawn for a repetition (lab.DrawnFiles). A file that
// was read stays as it is, and what no document can hold is only noted: the
// results stand.
func (r *runner) writeDrawn(p *lab.Prepared, point, repetition int) error {
	files, err := p.DrawnFiles(repetition)
	if err != nil {
		r.prog.aside(func() {
			fmt.Fprintf(r.prog.w, "platform.json and needs.csv of repetition %d are not written: %v\n", repetition, err)
		})
		return nil
	}
	for _, f := range files {
		at := strings.IndexAny(f.Name, "-.")
		path := filepath.Join(r.jobs, f.Name[:at]+r.number(point)+f.Name[at:])
		if slices.ContainsFunc(r.read, func(other string) bool { return sameFile(path, other) }) {
			r.prog.aside(func() { fmt.Fprintf(r.prog.w, "%s: left as it is: it was read\n", path) })
		} else if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

func writeJobs(name string, p *lab.Prepared, got *lab.Result) error {
	table, err := p.Executions(got)
	if err != nil {
		return err
	}
	return os.WriteFile(name, table.CSV(), 0o666)
}
