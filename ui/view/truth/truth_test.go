package truth

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/annex"
	"batchlab/ui/draw"
)

// asked is a question that a test answers.
type asked struct {
	doc       *experiment.Experiment
	scheduler string
	done      func([]byte, error)
	gone      bool
}

// bench is a view whose questions a test answers.
type bench struct {
	t      *testing.T
	v      *View
	list   []*asked
	edited *experiment.Experiment
	kept   string
}

func newBench(t *testing.T, schedulers, more string) *bench {
	t.Helper()
	b := &bench{t: t}
	b.v = &View{Page: &annex.Page{
		Query: func(doc *experiment.Experiment, what string, in []byte, progress func(int, int), done func([]byte, error)) func() {
			if what != "truth" {
				t.Errorf("%q is asked", what)
			}
			progress(1, 4)
			a := &asked{doc: doc, scheduler: string(in), done: done}
			b.list = append(b.list, a)
			return func() { a.gone = true }
		},
		Edit: func(doc *experiment.Experiment, _ bool) { b.edited = doc },
		Keep: func(s string) { b.kept = s },
	}}
	b.tell(schedulers, more)
	return b
}

func (b *bench) tell(schedulers, more string) {
	b.t.Helper()
	if err := b.v.Page.Tell(annex.Facts{Document: `{"batchlab":1,"workload":{"source":{"bundled":"demo"}` + more + `},"schedulers":[` + schedulers + `]}`}); err != nil {
		b.t.Fatal(err)
	}
	b.v.Follow(func() {})
}

// nearness is how near waits come whose mean is so many times the logged one.
func nearness(jobs int, ratio, off float64) report.Nearness {
	rank := .7
	return report.Nearness{Jobs: jobs, MeanWait: 1000 * ratio, LoggedWait: 1000, Ratio: &ratio, Bias: 1000*ratio - 1000, MedianError: off, Rank: &rank, Hour: .64, Twofold: .5}
}

// runs are what a scheduler gave.
func runs(ratio, off float64, phases int) *report.TruthRuns {
	out := &report.TruthRuns{Processors: 100, Widest: 64}
	for i := range phases {
		t := &report.Truth{Repetition: i, Top: 3600, Nearness: nearness(1000, ratio+.1*float64(i), off),
			Density: []report.TruthCell{{Column: 2, Row: 3, Jobs: 40}, {Column: 19, Row: 20, Jobs: 1}},
			Worst:   []report.TruthJob{{Job: 7, Processors: 4, Limit: 600, Submit: 50, Logged: 100, Simulated: 9000, Partition: -1}}}
		for k := range int64(3) {
			t.Parts = append(t.Parts, report.TruthPart{By: "partition", From: k, To: k, Nearness: nearness(300-141*int(k), ratio*float64(k+1), off)})
		}
		for k := range int64(40) {
			t.Parts = append(t.Parts, report.TruthPart{By: "week", From: k, To: k, Nearness: nearness(25, ratio, off)})
		}
		t.Parts = append(t.Parts, report.TruthPart{By: "half", Nearness: nearness(500, ratio, off)}, report.TruthPart{By: "half", From: 1, To: 1, Nearness: nearness(500, ratio*1.5, off)})
		out.Runs = append(out.Runs, t)
	}
	if phases > 1 {
		own := nearness(1000, 1, 60)
		out.Itself = &own
	}
	return out
}

func (b *bench) answer(i int, got *report.TruthRuns) {
	b.t.Helper()
	text, err := json.Marshal(got)
	if err != nil {
		b.t.Fatal(err)
	}
	b.list[i].done(text, nil)
}

func plainText(s string) string { return strings.ReplaceAll(s, "\u00a0", " ") }

// Intent: every scheduler but the log's own is asked about once; the nearest stands
// first; another document gives up what is awaited, and late answers change nothing.
func TestTruthIsAskedOnce(t *testing.T) {
	b := newBench(t, `{"key":"as-logged"},{"key":"fcfs"},{"key":"easy"}`, "")
	b.v.Follow(func() {})
	if len(b.list) != 2 || b.list[0].scheduler != "1" || !strings.Contains(string(b.v.HeadHTML()), "<progress") {
		t.Fatal(len(b.list), b.v.HeadHTML())
	}
	b.answer(0, runs(3, 7200, 1))
	b.answer(1, runs(.9, 60, 1))
	head := plainText(string(b.v.HeadHTML()))
	if g := b.v.Table(); len(g.Cells) != 2 || g.Cells[0][0] != "EASY" || !strings.Contains(head, "EASY meets the logged mean wait within 10 %") || !strings.Contains(head, "FCFS: 3.0 times too long") {
		t.Error(g.Cells, head)
	}
	b.tell(`{"key":"easy"}`, "")
	b.tell(`{"key":"fcfs"}`, "")
	late := len(b.list) - 2
	if !b.list[late].gone || b.list[late+1].gone {
		t.Error("what is not wanted any more is not given up")
	}
	b.answer(late, runs(1, 1, 1))
	if len(b.v.Table().Cells) != 0 {
		t.Error("a late answer is shown")
	}
	b.list[late+1].done(nil, errors.New("the log says of none of the jobs how long it waited (SWF field 3)"))
	if head := b.v.HeadHTML(); !strings.Contains(string(head), `role="alert"`) || !strings.Contains(string(head), "sacct") {
		t.Error(head)
	}
	b.tell(`{"key":"as-logged"}`, "")
	if head := b.v.HeadHTML(); !strings.Contains(string(head), "own schedule") {
		t.Error(head)
	}
}

// Intent: a scheduler that draws is run several times and shown with its band and beside
// itself; what carries the result is asked one part at a time, and Stop keeps what is known.
func TestWhatCarries(t *testing.T) {
	b := newBench(t, `{"key":"slurm"}`, `,"dependencies":"keep"`)
	if b.list[0].doc.Schedulers[0].Repeat != phases {
		t.Error("it is run once")
	}
	b.answer(0, runs(.8, 600, 3))
	head := plainText(string(b.v.HeadHTML()))
	if !strings.Contains(head, "0.90 of the logged one (0.80 to 1.00 over 3 runs)") || !strings.Contains(head, "more cannot be asked") {
		t.Error(head)
	}
	if len(b.list) != 2 || b.list[1].doc.Workload.Dependencies != "" {
		t.Fatalf("%d questions", len(b.list))
	}
	b.answer(1, runs(.5, 900, 3))
	d := &draw.Data{Theme: draw.Colours(false)}
	f := b.v.Carries(d, 600, 300)
	if len(b.list) != 3 || f.Table.Cells[1][0] != "No dependencies" || f.Table.Cells[1][1] != "0.60" || f.Table.Cells[2][1] != "running …" {
		t.Error(len(b.list), f.Table.Cells)
	}
	b.v.Stop()
	if f = b.v.Carries(d, 600, 300); !b.list[2].gone || f.Table.Cells[2][1] != "not run" || strings.Contains(string(b.v.HeadHTML()), "<progress") {
		t.Error(f.Table.Cells, b.v.HeadHTML())
	}
}

// Intent: a fit shows what it tries, says plainly when it does not help, and changes the
// settings only when it is told to.
func TestCalibration(t *testing.T) {
	for _, helps := range []bool{true, false} {
		b := newBench(t, `{"key":"fcfs"}`, "")
		b.answer(0, runs(2, 600, 1))
		if !strings.Contains(string(b.v.FitHTML()), `data-do="calibrate"`) {
			t.Fatal(b.v.FitHTML())
		}
		b.v.Calibrate()
		for i := 1; i < len(b.list); i++ {
			got := runs(2, 600, 1)
			if b.list[i].doc.Workload.Annotate.Setup.Max == 60 {
				got = runs(2, 300, 1)
				if !helps {
					got.Runs[0].Parts[len(got.Runs[0].Parts)-1].MedianError = 900
				}
			}
			b.answer(i, got)
		}
		html := b.v.FitHTML()
		if strings.Contains(string(html), "It helps:") != helps || strings.Contains(string(html), "It does not help:") == helps || !strings.Contains(string(html), "<b>60 s</b>") || b.edited != nil {
			t.Error(html)
		}
		if g := b.v.Fitted(); len(g.Cells) != len(b.list)-1 || len(g.Cells[0]) != len(g.Head) {
			t.Errorf("%d tries, %v", len(g.Cells), g.Head)
		}
		if helps {
			b.v.Take()
			if b.edited == nil || b.edited.Workload.Annotate.Setup.Max != 60 {
				t.Error("the settings are not changed")
			}
		} else {
			b.v.Keep()
			if b.edited != nil || !strings.Contains(string(b.v.FitHTML()), "Kept as it was") {
				t.Error("the settings are changed")
			}
		}
	}
}

// Intent: every picture has a sentence, a table as wide as its head, and stays within its
// size, on a phone too; small parts say "few", and many weeks go together.
func TestPictures(t *testing.T) {
	b := newBench(t, `{"key":"fcfs"},{"key":"easy"},{"key":"slurm"}`, "")
	d := &draw.Data{Theme: draw.Colours(true)}
	if b.v.Ranking(d, 800, 300).Empty == "" || b.v.Density(d, 800, 300).Empty == "" || b.v.Wrong(d, 800, 300).Empty == "" || b.v.Carries(d, 800, 300).Empty == "" {
		t.Error("there are pictures of nothing")
	}
	b.answer(0, runs(40, 90000, 1))
	b.answer(1, runs(.5, 600, 1))
	b.answer(2, runs(.9, 300, 3))
	for _, w := range []float64{340, 500, 900} {
		for _, f := range []draw.Figure{b.v.Ranking(d, w, 260), b.v.Wrong(d, w, 360), b.v.Carries(d, w, 200)} {
			if f.Aria == "" || f.Empty != "" || len(f.Table.Cells) == 0 {
				t.Errorf("%v: %q %q", w, f.Aria, f.Empty)
			}
			for _, text := range f.Texts {
				if text.X < 0 || text.X > w || text.Y < 0 || text.Y > f.H {
					t.Errorf("%q lies at %v, %v of %v × %v", text.Text, text.X, text.Y, w, f.H)
				}
			}
			for _, row := range f.Table.Cells {
				if len(row) != len(f.Table.Head) {
					t.Errorf("%v under %v", row, f.Table.Head)
				}
			}
			if f.SVG() == "" {
				t.Error("there is no picture")
			}
		}
		dense := b.v.Density(d, w, 380)
		if strings.Count(string(dense.SVG()), "fill=\"#") < 4 || dense.Aria == "" || len(dense.Table.Cells) != 4 {
			t.Error(dense.Aria, len(dense.Table.Cells))
		}
	}
	b.v.By = "partition"
	f := b.v.Wrong(d, 800, 300)
	if f.Table.Cells[2][3] != "few" || f.Table.Cells[0][0] != "partition 0" {
		t.Error(f.Table.Cells)
	}
	b.v.By = "week"
	if f = b.v.Wrong(d, 800, 300); len(f.Table.Cells) > mostParts || f.Table.Cells[0][0] != "weeks 1–3" || f.Table.Cells[0][1] != "75" {
		t.Error(f.Table.Cells)
	}
	if times(0) != "hardly any, so too short" || plainText(times(1.08)) != "8 % too long" || times(.4) != "2.5 times too short" || times(1) != "right" || times(20) != "20 times too long" {
		t.Error(times(0), times(1.08), times(.4), times(1), times(20))
	}
	b.v.Choose(0)
	if b.kept != "0" || b.v.main().Scheduler != 0 || !strings.Contains(plainText(string(b.v.HeadHTML())), "40 times too long") {
		t.Error(b.kept, b.v.HeadHTML())
	}
	if told := b.v.ToldHTML(); !strings.Contains(string(told), "Outages") || !strings.Contains(string(told), "over 2 of them") {
		t.Error(told)
	}
	if jobs := b.v.JobsHTML(); !strings.Contains(string(jobs), `data-step="0"`) || !strings.Contains(string(jobs), "1 of 1 wait longer") {
		t.Error(jobs)
	}
}
