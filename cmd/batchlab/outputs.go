package main

import (
	"fmt"
	"os"
	"path/filepath"

	"batchlab/core/lab"
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
	name := fmt.Sprintf("%02d-%s-%d.csv", id.Scheduler+1, got.Report.Key, id.Repetition)
	if r.varies() {
		name = fmt.Sprintf("%0*d-%s", len(fmt.Sprint(r.sweep.Points.Len())), point+1, name)
	}
	name = filepath.Join(r.jobs, "jobs-"+name)
	r.prog.aside(func() { noteNoProcessors(r.prog.w, name, got) })
	return writeJobs(name, p, got)
}

func writeJobs(name string, p *lab.Prepared, got *lab.Result) error {
	table, err := p.Executions(got)
	if err != nil {
		return err
	}
	return os.WriteFile(name, table.CSV(), 0o666)
}
