//go:build !small

package lab

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// Intent: repetitions of one workload by schedulers that draw nothing are one run:
// one pair, no interval, marked copies; and the digest is that of running each.
func TestCopiesAreOneRun(t *testing.T) {
	e := decode(t, `{"batchlab":1,"workload":{"source":{"bundled":"overload"}},"schedulers":[{"key":"fcfs","repeat":4},{"key":"easy","repeat":4}]}`)
	simulated := 0
	last := Options{Now: func() float64 { simulated++; return float64(simulated) }}
	rep, err := Run(e, Env{}, last, nil)
	if err != nil {
		t.Fatal(err)
	}
	if simulated != 4 { // twice a run
		t.Errorf("the clock was asked %d times for two different runs", simulated)
	}
	p, err := Prepare(e, Env{})
	if err != nil {
		t.Fatal(err)
	}
	var blocks [][]byte
	for i, id := range p.Runs() {
		one, err := p.Run(id, Options{})
		if err != nil {
			t.Fatal(err)
		}
		blocks = append(blocks, one.Block)
		if r := rep.Runs[i]; r.Scheduler != id.Scheduler || r.Repetition != id.Repetition || r.Copy != (id.Repetition > 0) || r.Copy != one.Report.Copy {
			t.Errorf("run %d: %d, %d, copy %v", i, r.Scheduler, r.Repetition, r.Copy)
		}
	}
	if got := experiment.Digest(blocks...); got != rep.Digest {
		t.Errorf("digest %s, run one by one %s", rep.Digest, got)
	}
	for _, c := range rep.Comparison {
		if c.Repetitions != 1 || c.Half != nil || c.Low != nil || c.DifferenceHalf != nil || c.DifferenceLow != nil || c.Pairs > 1 || c.Metric != "mean-wait" && c.Metric != "mean-bounded-slowdown" && c.RelativeLow != nil {
			t.Fatalf("%+v", c)
		}
		if c.Metric == "mean-wait" && c.Scheduler == 1 && (c.Verdict != report.VerdictSingle || c.Pairs != 1) {
			t.Errorf("mean wait: %+v", c)
		}
	}
}

// Intent: the rows of the catalog say truly which schedulers draw random numbers,
// and with which values: where one does not, two repetitions over the same jobs
// decide the same.
func TestDrawsAreDeclared(t *testing.T) {
	text, err := workload.Bundled("wide-jobs")
	if err != nil {
		t.Fatal(err)
	}
	log, err := swf.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	until := log.Records[150].SubmitTime
	try := func(name string, s experiment.Scheduler, platform string) {
		t.Helper()
		e := decode(t, fmt.Sprintf(`{"batchlab":1,"workload":{"source":{"bundled":"wide-jobs"},"window":{"to":%d}},%s"schedulers":[{"key":"fcfs"}]}`, until, platform))
		s.Repeat = 2
		e.Schedulers = []experiment.Scheduler{s}
		p, err := Prepare(e, Env{})
		if err != nil {
			return // this value needs more than there is here
		}
		var blocks [2][]byte
		for r := range blocks {
			one, err := p.Run(RunID{Repetition: r}, Options{})
			if err != nil {
				return
			}
			blocks[r] = experiment.CopyRun(one.Block, 0)
		}
		if e.First(0, 1) == 0 && !bytes.Equal(blocks[0], blocks[1]) {
			t.Errorf("%s draws and its row does not say so", name)
		}
	}
	for _, row := range catalog.Schedulers {
		platform := ""
		if row.Key == "grid" {
			platform = `"platform":{"clusters":[{"name":"a","groups":[{"count":1,"processors":64}]},{"name":"b","groups":[{"count":1,"processors":64}]}]},`
		}
		s, err := experiment.NewScheduler(row.Key)
		if err != nil {
			t.Fatal(err)
		}
		try(row.Key, s, platform)
		for _, p := range row.Params {
			for _, o := range p.Options {
				s, _ := experiment.NewScheduler(row.Key)
				if s.SetParam(p.Key, o.Key) == nil {
					try(row.Key+" "+p.Key+" "+o.Key, s, platform)
				}
			}
		}
	}
}

// Intent: repetition 0 of a resampled experiment is the workload itself, the
// others are draws, each another one, the same for all schedulers and in each
// program that is asked for them in any order; another seed draws others.
func TestResampledRepetitions(t *testing.T) {
	text := `{"batchlab":1,"seed":5,"workload":{"source":{"bundled":"wide-jobs"}%s},"schedulers":[{"key":"easy","repeat":4},{"key":"fcfs","repeat":4}]}`
	plain, err := Run(decode(t, fmt.Sprintf(text, "")), Env{}, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []string{"weeks", "users", "shake"} {
		e := decode(t, fmt.Sprintf(text, `,"resample":{"by":"`+by+`"}`))
		rep, err := Run(e, Env{}, Options{}, nil)
		if err != nil {
			t.Fatal(by, err)
		}
		if rep.Runs[0].Workload != plain.Runs[0].Workload {
			t.Errorf("%s: repetition 0 is not the log", by)
		}
		seen := map[string]bool{}
		for i, r := range rep.Runs[:4] {
			if r.Workload != rep.Runs[4+i].Workload {
				t.Errorf("%s: repetition %d is not the same for both schedulers", by, i)
			}
			if r.Copy || r.Draws == nil || r.Draws.By != by || (r.Draws.Pieces > 1) != (by != "shake") {
				t.Errorf("%s: %+v", by, r.Draws)
			}
			seen[r.Workload] = true
		}
		if len(seen) < 3 { // of two weeks in three places the same may come again
			t.Errorf("%s: %d different workloads of 4", by, len(seen))
		}
		p, err := Prepare(e, Env{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []int{3, 1, 2, 0} {
			one, err := p.Run(RunID{Scheduler: 1, Repetition: r}, Options{})
			if err != nil || one.Report.Workload != rep.Runs[4+r].Workload {
				t.Errorf("%s: repetition %d asked for by itself: %v", by, r, err)
			}
		}
		other := e.Clone()
		other.Seed = 6
		if p, err = Prepare(other, Env{}); err != nil {
			t.Fatal(err)
		}
		if one, err := p.Run(RunID{Repetition: 1}, Options{}); err != nil || one.Report.Workload == rep.Runs[1].Workload {
			t.Errorf("%s: another seed draws the same: %v", by, err)
		}
	}
	if _, err := Run(decode(t, strings.Replace(fmt.Sprintf(text, `,"resample":{"by":"weeks"}`), "wide-jobs", "demo", 1)), Env{}, Options{}, nil); err == nil ||
		!strings.HasPrefix(err.Error(), "workload.resample: the jobs span 13.2 days") {
		t.Errorf("a log of one whole week: %v", err)
	}
}

// Intent: draws go through window and scale like the log: they are made of the
// window's jobs alone, before the load is scaled; rules annotate them, and what is
// said of single jobs goes with every job of the draw that is one of them, its
// deadline as far behind its submission as in the log.
func TestResampledAndAnnotated(t *testing.T) {
	base := decode(t, `{"batchlab":1,"workload":{"source":{"bundled":"wide-jobs"},"window":{"to":1600000}},"schedulers":[{"key":"fcfs"}]}`)
	p, err := Prepare(base, Env{})
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := p.Workload(0)
	if err != nil {
		t.Fatal(err)
	}
	job := w.Jobs[40]
	e := decode(t, fmt.Sprintf(`{"batchlab":1,"workload":{"source":{"bundled":"wide-jobs"},"window":{"to":1600000},"resample":{"by":"weeks"},
		"annotate":{"setup":{"min":5,"max":5},"jobs":[{"job":%d,"due":%d,"weight":3}]}},"schedulers":[{"key":"easy","repeat":9}]}`, job.Number, int64(job.Submit)+777))
	if p, err = Prepare(e, Env{}); err != nil {
		t.Fatal(err)
	}
	found := 0
	for r := range 9 {
		drawn, _, err := p.Workload(r)
		if err != nil {
			t.Fatal(err)
		}
		for i := range drawn.Jobs {
			j, d := &drawn.Jobs[i], drawn.Demand(model.JobID(i))
			if !slices.ContainsFunc(w.Jobs, func(k model.Job) bool { return k.Record == j.Record }) {
				t.Fatalf("repetition %d: job %d is from outside the window", r, j.Number)
			}
			if d.Setup != 5 {
				t.Fatalf("repetition %d: job %d has the set-up time %d", r, j.Number, d.Setup)
			}
			if is := j.Record == job.Record; is != (d.Due != 0) || is && (d.Due != j.Submit+777 || d.Weight != 3) {
				t.Fatalf("repetition %d: job %d, submitted at %d, has due %d, weight %v", r, j.Number, j.Submit, d.Due, d.Weight)
			} else if is {
				found++
			}
		}
	}
	if found < 3 {
		t.Errorf("the job came %d times in 9 workloads", found)
	}
	scaled := e.Clone()
	scaled.Workload.Scale.Load = 2
	scaled.Workload.Annotate.Jobs = nil
	q, err := Prepare(scaled, Env{})
	if err != nil {
		t.Fatal(err)
	}
	one, _, err := p.Workload(3)
	if err != nil {
		t.Fatal(err)
	}
	two, _, err := q.Workload(3)
	if err != nil {
		t.Fatal(err)
	}
	for i := range two.Jobs {
		if want := one.Jobs[0].Submit + (one.Jobs[i].Submit-one.Jobs[0].Submit)/2; two.Jobs[i].Submit != want {
			t.Fatalf("at twice the load job %d comes at %d, want %d", i, two.Jobs[i].Submit, want)
		}
	}
}

// Intent: the items of a sweep, done by one worker or two in any order, are the
// same runs, marked alike, whether they were run or copied.
func TestCopiesOfASweep(t *testing.T) {
	e := decode(t, `{"batchlab":1,"workload":{"source":{"bundled":"overload"}},"schedulers":[{"key":"fcfs","repeat":3},{"key":"easy","repeat":3}],
		"vary":[{"path":"workload.scale.load","values":[0.8,1]}]}`)
	s, err := NewSweep(e, Env{})
	if err != nil {
		t.Fatal(err)
	}
	one, two := s.Worker(), s.Worker()
	clock := 0
	o := Options{Now: func() float64 { clock++; return 0 }}
	for i := range s.Items.Len() {
		a, err := one.Run(i, o)
		if err != nil {
			t.Fatal(err)
		}
		if k := s.Items.Len() - 1 - i; k%2 == 0 {
			if _, err := two.Run(k, Options{}); err != nil {
				t.Fatal(err)
			}
		}
		b, err := two.Run(i, Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, id, _, err := one.At(i)
		if err != nil || a.Report.Repetition != id.Repetition || a.Report.Copy != (id.Repetition > 0) || a.Report.Copy != b.Report.Copy ||
			b.Report.Repetition != id.Repetition || !bytes.Equal(a.Block, b.Block) || !slices.Equal(a.Schedule.Executions, b.Schedule.Executions) {
			t.Fatalf("item %d, %+v: %+v, %+v, %v", i, id, a.Report.Copy, b.Report.Copy, err)
		}
	}
	if clock != 8 { // twice a run
		t.Errorf("%d runs were simulated, 4 differ", clock/2)
	}
}
