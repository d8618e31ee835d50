//go:build !small

package lab

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
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

// The catalog's rows and the constructors are the same set, rows that have a
// counted form are those that say so, and the orders that the catalog offers are
// those that EASY understands.
func TestRowsAndConstructorsMatch(t *testing.T) {
	for _, row := range catalog.Schedulers {
		if _, ok := constructors[row.Key]; ok == row.Logged {
			t.Errorf("%q: the catalog says Logged %t, it has a constructor: %t", row.Key, row.Logged, ok)
		}
		if _, ok := countedForms[row.Key]; ok != (row.Counted && !row.Logged) {
			t.Errorf("%q: the catalog says Counted %t, it has a counted form: %t", row.Key, row.Counted, ok)
		}
	}
	for key := range constructors {
		if catalog.FindScheduler(key) == nil {
			t.Errorf("%q has a constructor and does not stand in the catalog", key)
		}
	}
	for key := range countedForms {
		if catalog.FindScheduler(key) == nil {
			t.Errorf("%q has a counted form and does not stand in the catalog", key)
		}
	}
	for _, o := range catalog.Orders {
		s, err := experiment.NewScheduler("easy")
		if err == nil {
			err = errors.Join(s.SetParam("order", o.Key), s.SetParam("backfill", o.Key))
		}
		if err == nil {
			_, err = buildCounted(&s)
		}
		if err != nil {
			t.Errorf("order %q: %v", o.Key, err)
		}
	}
}

// only is for whoever adds a scheduler and wants to look at it alone.
var only = flag.String("only", "", "key of the only scheduler that conformance tests look at")

// bundled returns an experiment with every scheduler of the catalog, and EASY
// in every order, on a bundled workload.
func bundled(t *testing.T, key string) *experiment.Experiment {
	t.Helper()
	e := experiment.New()
	e.Workload.Source.Bundled = key
	for _, row := range catalog.Schedulers {
		if *only != "" && row.Key != *only {
			continue
		}
		s, err := e.Add(row.Key)
		if err == nil && row.Key == "hill-climbing" { // every submission climbs
			err = s.SetParam("evaluations", int64(20))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, o := range catalog.Orders {
		if *only != "" {
			break
		}
		s, err := e.Add("easy")
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.SetParam("order", o.Key), s.SetParam("backfill", "spf"), s.SetParam("threshold", int64(200000))); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// Every scheduler gives a feasible schedule of every bundled workload with
// processor numbers that never clash, and asking for the reasons changes no
// digit.
func TestConformance(t *testing.T) {
	for _, row := range catalog.Bundles {
		if testing.Short() && row.Key != "demo" {
			continue
		}
		p, err := Prepare(bundled(t, row.Key), Env{})
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range p.Runs() {
			r, err := p.Run(id, Options{Columns: true})
			if err != nil {
				t.Fatal(err)
			}
			name := row.Key + ": " + r.Report.Label
			if err := r.Schedule.Check(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if !r.Report.Logged {
				checkSpans(t, name, r.Schedule, r.Report.Columns.Spans)
			}
			again, err := p.Run(id, Options{Why: true})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(r.Block, again.Block) {
				t.Errorf("%s: recording decisions changes the schedule", name)
			}
			if len(again.Report.Columns.Why) != r.Report.Jobs {
				t.Errorf("%s: %d reasons for %d jobs", name, len(again.Report.Columns.Why), r.Report.Jobs)
			}
		}
	}
}

// checkSpans proves that each job holds as many processors as it asked for,
// that no processor serves two jobs at once, and that numbers are the lowest.
func checkSpans(t *testing.T, name string, s *model.Schedule, spans []report.Span) {
	t.Helper()
	held := make([]int32, len(s.Workload.Jobs))
	last := make([]*model.Execution, len(s.Workload.Jobs)) // numbers are those of last attempts
	for i := range s.Executions {
		last[s.Executions[i].Job] = &s.Executions[i]
	}
	until := make([]model.Time, s.Platform.Procs())
	order := make([]int, len(spans))
	for i := range order {
		order[i] = i
		held[spans[i].Job] += spans[i].Count
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := spans[a].Job, spans[b].Job
		return int(last[x].Start - last[y].Start)
	})
	for _, i := range order {
		e := last[spans[i].Job]
		for p := spans[i].First; p < spans[i].First+spans[i].Count; p++ {
			if until[p] > e.Start {
				t.Fatalf("%s: processor %d serves two jobs at %d", name, p, e.Start)
			}
			until[p] = e.End
		}
	}
	for i, n := range held {
		if n != last[i].Procs {
			t.Fatalf("%s: job %d holds %d processors, asked for %d", name, i, n, last[i].Procs)
		}
	}
}

// Processor numbers are the lowest free ones, releases first: drawn on paper.
func TestSpansByHand(t *testing.T) {
	w := &model.Workload{Jobs: make([]model.Job, 4)}
	s := &model.Schedule{Workload: w, Platform: model.OneCluster(6)}
	for i, e := range []struct{ start, end, procs int }{{0, 10, 2}, {0, 5, 2}, {0, 20, 1}, {5, 9, 3}} {
		w.Jobs[i].Number = int64(i + 1)
		s.Executions = append(s.Executions, model.Execution{Job: int32(i), Start: model.Time(e.start), End: model.Time(e.end), Procs: int32(e.procs)})
	}
	want := []report.Span{{Job: 0, First: 0, Count: 2}, {Job: 1, First: 2, Count: 2}, {Job: 2, First: 4, Count: 1}, {Job: 3, First: 2, Count: 2}, {Job: 3, First: 5, Count: 1}}
	if got, _, _, _ := places(s); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	s.Executions[3].Start = 4 // does not fit: a logged schedule has no numbers
	if got, _, _, _ := places(s); got != nil {
		t.Errorf("a schedule that does not fit has spans %v", got)
	}
}

// The default experiment gives one digest on every machine: natively and as
// WebAssembly, where this same test runs.
func TestDefaultDigest(t *testing.T) {
	demo, _ := experiment.Preset("demo")
	rep, err := Run(demo, Env{}, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = "1b898bf6c2a2f79dfaf81f7b021e3a0ad52ed31c2a565bc589f8c0451bb4d95b"
	if rep.Digest != want {
		t.Errorf("digest %s, want %s", rep.Digest, want)
	}
	if len(rep.Runs) != 15 {
		t.Errorf("%d runs", len(rep.Runs))
	}
	for _, c := range rep.Comparison {
		if c.Repetitions != 5 || c.Low == nil || c.PlainHalf == nil || c.Scheduler > 0 && (c.Pairs != 5 || c.PlainDifferenceHalf == nil) {
			t.Errorf("%s of scheduler %d: %+v", c.Metric, c.Scheduler, c)
		}
	}
}

// Repetitions of a generator differ, their seeds are shared by the schedulers,
// and asking for them in another order changes nothing.
func TestRepetitions(t *testing.T) {
	e, _ := experiment.Preset("demo")
	p, err := Prepare(e, Env{})
	if err != nil {
		t.Fatal(err)
	}
	marks := map[int]string{}
	blocks := map[RunID][]byte{}
	for _, id := range p.Runs() {
		r, err := p.Run(id, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if m, ok := marks[id.Repetition]; ok && m != r.Report.Workload {
			t.Errorf("repetition %d has two workloads", id.Repetition)
		}
		marks[id.Repetition] = r.Report.Workload
		blocks[id] = slices.Clone(r.Block)
	}
	seen := map[string]bool{}
	for _, m := range marks {
		seen[m] = true
	}
	if len(seen) != 5 {
		t.Errorf("%d different workloads in 5 repetitions", len(seen))
	}
	ids := p.Runs()
	slices.Reverse(ids)
	for _, id := range ids {
		r, err := p.Run(id, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.Block, blocks[id]) {
			t.Errorf("run %v gives another schedule the second time", id)
		}
	}
}

// A cancelled run gives ErrCancelled, and the same Prepared runs again to the
// same digits.
func TestCancel(t *testing.T) {
	e := experiment.New()
	g, err := experiment.NewGenerator("daily")
	if err == nil {
		err = g.SetParam("jobs", int64(20000))
	}
	if err != nil {
		t.Fatal(err)
	}
	e.Workload.Source.Generator = g
	if _, err := e.Add("easy"); err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(e, Env{})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := p.Run(RunID{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(whole.Block)
	if _, err := p.Run(RunID{}, Options{Progress: func(done, total int) bool { return false }}); !errors.Is(err, ErrCancelled) {
		t.Errorf("cancelled: %v", err)
	}
	whole, err = p.Run(RunID{}, Options{})
	if err != nil || !slices.Equal(whole.Block, want) {
		t.Errorf("after a cancel the run differs: %v", err)
	}
}

// An experiment that names a log asks for it, and reports what it is told.
func TestMissingLog(t *testing.T) {
	e := experiment.New()
	e.Workload.Source.Log = &experiment.Log{Name: "x.swf", SHA256: strings.Repeat("0", 64), Size: 1}
	if _, err := e.Add("fcfs"); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(e, Env{}, Options{}, nil); err == nil || !strings.Contains(err.Error(), `"x.swf"`) {
		t.Error(err)
	}
	wanted := errors.New("not here")
	if _, err := Run(e, Env{Log: func(experiment.Log) (*swf.Log, error) { return nil, wanted }}, Options{}, nil); !errors.Is(err, wanted) {
		t.Error(err)
	}
	text := []byte("; MaxProcs: 4\n1 0 -1 -1 -1 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1\n")
	parse := func(experiment.Log) (*swf.Log, error) { return swf.Parse(text) }
	if _, err := Run(e, Env{Log: parse}, Options{}, nil); !errors.Is(err, workload.ErrNoJobs) {
		t.Error(err)
	}
}

// The free list agrees with one flag a processor.
func TestFreeListAgreesWithFlags(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		procs := 1 + r.IntN(50)
		list, flags := freeList{{0, int32(procs)}}, make([]bool, procs)
		var held [][]report.Span
		for range 100 {
			if r.IntN(2) == 0 && len(held) > 0 {
				i := r.IntN(len(held))
				for _, s := range held[i] {
					list.give(s.First, s.Count)
					for p := s.First; p < s.First+s.Count; p++ {
						flags[p] = false
					}
				}
				held = slices.Delete(held, i, i+1)
				continue
			}
			var want []int32
			n := 1 + r.IntN(procs)
			for p := 0; p < procs && len(want) < n; p++ {
				if !flags[p] {
					want = append(want, int32(p))
				}
			}
			if len(want) < n {
				continue
			}
			spans, ok := list.take(nil, 0, int32(n))
			var got []int32
			for _, s := range spans {
				for p := s.First; p < s.First+s.Count; p++ {
					got = append(got, p)
					flags[p] = true
				}
			}
			if !ok || !slices.Equal(got, want) {
				t.Fatalf("took %v, want %v", got, want)
			}
			held = append(held, spans)
		}
	}
}

// realLog reads a log of the folder BATCHLAB_LOGS, and returns the bytes of its
// text; without the folder the test is skipped.
func realLog(t *testing.T, file string) (*swf.Log, int64) {
	t.Helper()
	dir := os.Getenv("BATCHLAB_LOGS")
	if dir == "" {
		t.Skip("BATCHLAB_LOGS is not set: it names the folder of the real logs")
	}
	packed, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := swf.Gunzip(packed, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	log, err := swf.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return log, int64(len(text))
}

// The figures that are known for real logs come out, to the digits that are
// known: count of jobs, mean wait in seconds, mean bounded slowdown (τ 10 s).
func TestRealFigures(t *testing.T) {
	for _, c := range []struct {
		file, key, backfill string
		jobs                int
		wait, slowdown      float64 // 0: not known
	}{
		{"KTH-SP2-1996-2.1-cln.swf.gz", "easy", "fcfs", 28467, 6837.485, 92.73},
		{"SDSC-SP2-1998-4.2-cln.swf.gz", "easy", "fcfs", 54034, 20576.237, 88.54},
		{"SDSC-SP2-1998-4.2-cln.swf.gz", "easy", "spf", 54034, 0, 82.95},
		{"KTH-SP2-1996-2.1-cln.swf.gz", "conservative", "", 28467, 7199.506, 89.14},
	} {
		log, size := realLog(t, c.file)
		e := experiment.New()
		e.Workload.Source.Log = &experiment.Log{Name: c.file, SHA256: strings.Repeat("0", 64), Size: size}
		s, err := e.Add(c.key)
		if err != nil {
			t.Fatal(err)
		}
		if c.backfill != "" {
			if err := s.SetParam("backfill", c.backfill); err != nil {
				t.Fatal(err)
			}
		}
		rep, err := Run(e, Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }}, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, v := range rep.Runs[0].Metrics {
			got[v.Key] = v.Value
		}
		name := fmt.Sprint(c.file, " ", c.key, " ", c.backfill)
		if rep.Runs[0].Jobs != c.jobs {
			t.Errorf("%s: %d jobs, want %d", name, rep.Runs[0].Jobs, c.jobs)
		}
		if c.wait > 0 && math.Abs(got["mean-wait"]-c.wait) > 0.0005 {
			t.Errorf("%s: mean wait %v, want %v", name, got["mean-wait"], c.wait)
		}
		if math.Abs(got["mean-bounded-slowdown"]-c.slowdown) > 0.005 {
			t.Errorf("%s: mean bounded slowdown %v, want %v", name, got["mean-bounded-slowdown"], c.slowdown)
		}
	}
}
