package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/report"
	"batchlab/core/truth"
)

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
	*report.TruthRuns
	Without    []truthedPart `json:"without,omitempty"`    // one part left out at a time
	Calibrated *truthedFit   `json:"calibrated,omitempty"` // numbers fitted on one half

	place int
}

// truthedPart is what comes out without a part of the experiment.
type truthedPart struct {
	Part  string `json:"part"`
	Error string `json:"error,omitempty"` // why it does not run
	*report.Nearness
	variant *variant
}

// truthedFit is what a fit found.
type truthedFit struct {
	Knobs []string     `json:"knobs"`
	Tries []truthedTry `json:"tries"` // in order, the first as the document says
	Best  int          `json:"best"`  // index of the try that fits best
	Helps bool         `json:"helps"` // it also brings the judged half nearer
}

type truthedTry struct {
	Values  []int64         `json:"values"` // by knob; of a phase -1: drawn
	Fitted  report.Nearness `json:"fitted"` // the first half of the jobs
	Judged  report.Nearness `json:"judged"` // the second
	variant *variant
}

// variant is a changed document with what it gave.
type variant struct {
	name string // "without partitions", "processors=120 setup=60"
	doc  *experiment.Experiment
	runs *report.TruthRuns
}

// truthCommand sets what schedulers are simulated to do beside what the log says happened.
func truthCommand(c *call) action {
	c.intro = "Sets the waits that each scheduler of an experiment gives beside those that the log says (SWF field 3): how true the simulation is. The document must not vary; - is standard input."
	w := c.reading()
	conf := c.files("conf", "FILE", "The cluster's slurm.conf, or what sinfo -N -l prints: what is named is accounting then, and no document; it is read as import reads it (repeatable).")
	qos := c.files("qos", "FILE", "What sacctmgr -p show qos prints; with --conf.")
	accounts := c.files("accounts", "FILE", "What sacctmgr -p show assoc prints, or sacctmgr dump writes; with --conf.")
	phases := c.whole("phases", "N", 6, 1, 1000, "With --conf: at how many phases of its loops slurm runs.")
	without := c.toggle("without", "Run each scheduler without one part of the experiment at a time, too: what carries the result.")
	calibrate := c.toggle("calibrate", "Fit machine size, time to start and end a job, and Slurm's phase on the first half of the jobs, and judge on the second.")
	w.out = c.text("out", "DIR", "", "Folder for truth.csv: what is printed of all jobs and of parts of them, one line each; and for the documents that --without and --calibrate ran.")
	w.workers = c.parallel()
	return func(rest []string) (any, error) {
		own := &ownCluster{slices.Concat(*conf, *qos, *accounts), *phases}
		if len(*conf) > 0 && len(rest) > 0 {
			dir, err := os.MkdirTemp("", "batchlab-truth-")
			if err != nil {
				return nil, err
			}
			defer os.RemoveAll(dir)
			if *w.out != "" {
				dir = *w.out
			}
			if err := own.document(w, rest, dir, c.stderr); err != nil {
				return nil, err
			}
		} else if err := w.check(c, rest); err != nil {
			return nil, err
		} else if len(own.conf) > 0 || c.given["phases"] {
			return nil, errors.New("truth: --qos, --accounts and --phases go with --conf")
		}
		r, err := w.open(nil, c.stderr)
		if err != nil {
			return nil, err
		}
		out, err := r.truth(*without, *calibrate)
		if err == nil && *w.out != "" {
			if err = w.folder(); err == nil {
				err = writeTruth(*w.out, out)
			}
		}
		return out, err
	}
}

// truth runs all schedulers but the log's own and sets each beside the log.
func (r *runner) truth(without, calibrate bool) (*truthed, error) {
	if r.varies() {
		return nil, fmt.Errorf("%s: vary: each point is an experiment of its own; set one beside the log at a time", r.name)
	}
	out := &truthed{Build: experiment.ThisBuild()}
	if l := r.doc.Workload.Source.Log; l != nil {
		out.Log = l.Name
	}
	labels := r.doc.Labels()
	for i, s := range r.doc.Schedulers {
		if !catalog.FindScheduler(s.Key).Logged {
			out.Schedulers = append(out.Schedulers, truthedScheduler{Label: labels[i], Key: s.Key, Params: printedParams(s), place: i})
		}
	}
	if len(out.Schedulers) == 0 {
		return nil, fmt.Errorf("%s: schedulers: there is none but the log's own schedule, which is what happened", r.name)
	}
	err := r.prog.each("schedulers", r.workers, len(out.Schedulers), func(worker, item int) error {
		s := &out.Schedulers[item]
		run := func(doc *experiment.Experiment, scheduler int) (*report.TruthRuns, error) {
			p, err := lab.Prepare(doc, r.env)
			if err != nil {
				return nil, err
			}
			return p.TruthOf(scheduler, r.prog.of(worker))
		}
		var err error
		if s.TruthRuns, err = run(r.doc, s.place); err != nil {
			return err
		}
		if without {
			for _, part := range truth.Without(r.doc, s.place) {
				one := truthedPart{Part: part.Key, variant: &variant{name: "without " + part.Key, doc: part.Doc}}
				if one.variant.runs, err = run(part.Doc, 0); err != nil {
					one.Error = err.Error()
				} else {
					one.Nearness = truth.Mean(one.variant.runs)
				}
				s.Without = append(s.Without, one)
			}
		}
		if calibrate {
			if s.Calibrated, err = fitted(truth.NewFit(r.doc, s.place, truth.Knobs(r.doc, s.place, s.Processors, s.Widest)), run); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, r.explain(err)
	}
	return out, nil
}

// fitted runs a fit to its end.
func fitted(f *truth.Fit, run func(*experiment.Experiment, int) (*report.TruthRuns, error)) (*truthedFit, error) {
	out := &truthedFit{}
	for _, k := range f.Knobs {
		out.Knobs = append(out.Knobs, k.Key)
	}
	for {
		doc, values := f.Next()
		if doc == nil {
			break
		}
		runs, err := run(doc, 0)
		if err != nil {
			return nil, err
		}
		f.Take(values, runs.Runs[0])
		name := ""
		for i, v := range values {
			name += fmt.Sprintf(" %s=%d", out.Knobs[i], v)
		}
		t := f.Tries[len(f.Tries)-1]
		out.Tries = append(out.Tries, truthedTry{t.Values, t.Fitted, t.Judged, &variant{"fit" + name, doc, runs}})
	}
	out.Best, out.Helps = f.Best, f.Helps()
	return out, nil
}

// variants are the changed documents of a scheduler that have run.
func (s *truthedScheduler) variants() (list []*variant) {
	for _, p := range s.Without {
		if p.Error == "" {
			list = append(list, p.variant)
		}
	}
	if s.Calibrated != nil {
		for _, t := range s.Calibrated.Tries {
			list = append(list, t.variant)
		}
	}
	return list
}

// writeTruth writes truth.csv, and the documents of variants.
func writeTruth(dir string, out *truthed) error {
	file, err := os.Create(filepath.Join(dir, "truth.csv"))
	if err != nil {
		return err
	}
	w := csv.NewWriter(file)
	w.Write([]string{"scheduler", "key", "variant", "repetition", "by", "from", "to", "jobs", "mean_wait_s", "logged_mean_wait_s", "ratio", "bias_s", "median_error_s", "rank_correlation", "within_a_minute", "within_an_hour", "within_twofold", "within_a_tenth"})
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	maybe := func(v *float64) string {
		if v == nil {
			return ""
		}
		return number(*v)
	}
	lines := func(s *truthedScheduler, variant string, runs *report.TruthRuns) {
		for _, t := range runs.Runs {
			line := func(by, from, to string, n *report.Nearness) {
				w.Write([]string{strconv.Itoa(s.place), t.Key, variant, strconv.Itoa(t.Repetition), by, from, to, strconv.Itoa(n.Jobs), number(n.MeanWait), number(n.LoggedWait), maybe(n.Ratio), number(n.Bias), number(n.MedianError), maybe(n.Rank), number(n.Minute), number(n.Hour), number(n.Twofold), number(n.Tenth)})
			}
			line("", "", "", &t.Nearness)
			for i := range t.Parts {
				p := &t.Parts[i]
				line(p.By, strconv.FormatInt(p.From, 10), strconv.FormatInt(p.To, 10), &p.Nearness)
			}
			for _, c := range t.Density {
				w.Write([]string{strconv.Itoa(s.place), t.Key, variant, strconv.Itoa(t.Repetition), "cell " + strconv.FormatInt(t.Top, 10), strconv.Itoa(c.Column), strconv.Itoa(c.Row), strconv.Itoa(c.Jobs), "", "", "", "", "", "", "", "", "", ""})
			}
		}
	}
	for i := range out.Schedulers {
		s := &out.Schedulers[i]
		lines(s, "", s.TruthRuns)
		for k, v := range s.variants() {
			name := fmt.Sprintf("variant-%02d-%02d", s.place+1, k+1)
			lines(s, name+": "+v.name, v.runs)
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, name+".json"), experiment.Encode(v.doc), 0o666)
			}
		}
	}
	w.Flush()
	return errors.Join(err, w.Error(), file.Close())
}
