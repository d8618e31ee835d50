package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/report"
)

const useTruth = "EXPERIMENT.json [--log FILE]... [--out DIR] [--parallel N]"

// truthed is what truth prints.
type truthed struct {
	Log        string             `json:"log,omitempty"` // name of the document's log
	Build      experiment.Build   `json:"build"`
	Schedulers []truthedScheduler `json:"schedulers"`
}

type truthedScheduler struct {
	Label  string         `json:"label"`
	Key    string         `json:"key"`
	Params map[string]any `json:"params,omitempty"`
	// Itself sets repetition 0 beside the mean of the others, in place of the log: what
	// the scheduler leaves open by itself. nil where its repetitions are all alike.
	Itself *report.Nearness `json:"itself,omitempty"`
	Runs   []*report.Truth  `json:"runs"` // by repetition; of those alike the first
}

// truthCommand sets what schedulers are simulated to do beside what the log says happened.
func truthCommand(args []string, stdout, stderr io.Writer) int {
	f := newFlags("truth", useTruth, "Sets the waits that each scheduler of an experiment gives beside those that the log says (SWF field 3): how true the simulation is. The document must not vary; - is standard input.")
	w := f.reading()
	w.out = f.text("out", "DIR", "", "Folder for truth.csv: what is printed of all jobs and of parts of them, one line each.")
	w.workers = f.parallel()
	rest, status, ok := f.parse(args, stdout, stderr)
	if !ok {
		return status
	}
	if err := w.check(f, rest); err != nil {
		return fail(stderr, err)
	}
	r, err := w.open(nil, stderr)
	var out *truthed
	if err == nil {
		out, err = r.truth()
	}
	if err == nil && *w.out != "" {
		if err = w.folder(); err == nil {
			err = writeTruth(filepath.Join(*w.out, "truth.csv"), out)
		}
	}
	if err != nil {
		return fail(stderr, err)
	}
	return printJSON(stdout, stderr, out)
}

// truth runs all schedulers but the log's own and sets each run beside the log.
func (r *runner) truth() (*truthed, error) {
	if r.varies() {
		return nil, fmt.Errorf("%s: vary: each point is an experiment of its own; set one beside the log at a time", r.name)
	}
	n := r.sweep.Items.Len()
	told := make([]*report.Truth, n)
	waits := make([][]model.Time, n)
	workers := make([]*lab.SweepWorker, r.workers)
	for i := range workers {
		workers[i] = r.sweep.Worker()
	}
	r.prog.start("runs", n, 0, r.workers)
	err := each(r.workers, n, func(worker, item int) error {
		p, id, _, err := workers[worker].At(item)
		if err == nil {
			err = p.CheckTruth()
		}
		doc := r.doc
		if err != nil || catalog.FindScheduler(doc.Schedulers[id.Scheduler].Key).Logged || doc.First(id.Scheduler, id.Repetition) != id.Repetition {
			return err
		}
		got, err := p.Run(id, lab.Options{Progress: func(done, total int) bool { return r.prog.show(worker, done, total) }})
		if err == nil {
			told[item], waits[item], err = p.Truth(id, got)
		}
		r.prog.finished(worker, 1)
		return err
	}, func(int) {})
	r.prog.end()
	if err != nil {
		return nil, r.explain(err)
	}
	out := &truthed{Build: experiment.ThisBuild()}
	if l := r.doc.Workload.Source.Log; l != nil {
		out.Log = l.Name
	}
	labels := r.doc.Labels()
	var first []model.Time
	var others []report.Nearness
	end := func() {
		if len(others) > 0 {
			out.Schedulers[len(out.Schedulers)-1].Itself = meanNearness(others)
		}
		others = nil
	}
	last := -1
	for i, t := range told {
		if t == nil {
			continue
		}
		if t.Scheduler != last {
			end()
			s := r.doc.Schedulers[t.Scheduler]
			out.Schedulers = append(out.Schedulers, truthedScheduler{Label: labels[t.Scheduler], Key: s.Key, Params: printedParams(s)})
			last, first = t.Scheduler, waits[i]
		} else {
			others = append(others, nearBoth(waits[i], first))
		}
		row := &out.Schedulers[len(out.Schedulers)-1]
		row.Runs = append(row.Runs, t)
	}
	end()
	if len(out.Schedulers) == 0 {
		return nil, fmt.Errorf("%s: schedulers: there is none but the log's own schedule, which is what happened", r.name)
	}
	return out, nil
}

// nearBoth sets one run beside another, over the jobs that both serve.
func nearBoth(a, b []model.Time) report.Nearness {
	var x, y []model.Time
	for i := range a {
		if a[i] >= 0 && b[i] >= 0 {
			x, y = append(x, a[i]), append(y, b[i])
		}
	}
	return metric.Near(x, y)
}

// meanNearness is the mean of several, field by field; of quotients and correlations
// over those that have one.
func meanNearness(list []report.Nearness) *report.Nearness {
	var m report.Nearness
	n := float64(len(list))
	mean := func(of func(*report.Nearness) *float64) *float64 {
		total, known := 0.0, 0.0
		for i := range list {
			if v := of(&list[i]); v != nil {
				total, known = total+*v, known+1
			}
		}
		if known == 0 {
			return nil
		}
		total /= known
		return &total
	}
	for i := range list {
		l := &list[i]
		m.Jobs = max(m.Jobs, l.Jobs)
		m.MeanWait += l.MeanWait / n
		m.LoggedWait += l.LoggedWait / n
		m.Bias += l.Bias / n
		m.MedianError += l.MedianError / n
		m.Minute += l.Minute / n
		m.Hour += l.Hour / n
		m.Tenth += l.Tenth / n
	}
	m.Ratio = mean(func(l *report.Nearness) *float64 { return l.Ratio })
	m.Rank = mean(func(l *report.Nearness) *float64 { return l.Rank })
	return &m
}

// writeTruth writes truth.csv.
func writeTruth(name string, out *truthed) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	w := csv.NewWriter(file)
	w.Write([]string{"scheduler", "key", "repetition", "by", "from", "to", "jobs", "mean_wait_s", "logged_mean_wait_s", "ratio", "bias_s", "median_error_s", "rank_correlation", "within_a_minute", "within_an_hour", "within_a_tenth"})
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	maybe := func(v *float64) string {
		if v == nil {
			return ""
		}
		return number(*v)
	}
	for _, s := range out.Schedulers {
		for _, t := range s.Runs {
			line := func(by, from, to string, n *report.Nearness) {
				w.Write([]string{strconv.Itoa(t.Scheduler), s.Key, strconv.Itoa(t.Repetition), by, from, to, strconv.Itoa(n.Jobs), number(n.MeanWait), number(n.LoggedWait), maybe(n.Ratio), number(n.Bias), number(n.MedianError), maybe(n.Rank), number(n.Minute), number(n.Hour), number(n.Tenth)})
			}
			line("", "", "", &t.Nearness)
			for i := range t.Parts {
				p := &t.Parts[i]
				line(p.By, strconv.FormatInt(p.From, 10), strconv.FormatInt(p.To, 10), &p.Nearness)
			}
		}
	}
	w.Flush()
	return errors.Join(w.Error(), file.Close())
}
