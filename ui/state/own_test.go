package state

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/look"
)

// trying is an engine that tries programs when a test says so.
type trying struct {
	*fake
	codes     []string
	done      []func(*report.Trial, error)
	cancelled int
	cases     [][2]int
	found     func(*report.Case, error)
}

func (t *trying) Try(code string, done func(*report.Trial, error)) func() {
	t.codes, t.done = append(t.codes, code), append(t.done, done)
	return func() { t.cancelled++ }
}

func (t *trying) Smallest(_ experiment.Experiment, run, beside int, done func(*report.Case, error)) func() {
	t.cases, t.found = append(t.cases, [2]int{run, beside}), done
	return func() {}
}

func withProgram(t *testing.T) *experiment.Experiment {
	t.Helper()
	doc, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"},{"key":"custom","params":{"code":"def decide(s):\n    pass\n","name":"Mine"}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// Intent: a program that came from outside is shown and does not run before
// somebody allows it; left out, the rest runs; what a preset or the user adds runs.
func TestProgramsFromOutside(t *testing.T) {
	tabs := look.Tabs
	look.Tabs = []string{"overview", "own"}
	defer func() { look.Tabs = tabs }()
	for _, choice := range []string{"allow", "out"} {
		f := &fake{t: t}
		s := New(f)
		s.Start(experiment.EncodeLink(withProgram(t)))
		f.answer(&report.Preview{Name: "demo", Jobs: 10, Processors: 100}, nil)
		if !s.Withheld() || len(f.runs) > 0 || s.View.Tab != "own" || s.View.Own != 1 || !strings.HasPrefix(s.CanRun(), "This link contains a program; it can only decide starts.") {
			t.Fatalf("withheld %t, %d runs, tab %s, %q", s.Withheld(), len(f.runs), s.View.Tab, s.CanRun())
		}
		if s.Run(); len(f.runs) > 0 {
			t.Fatal("it runs without a word")
		}
		if choice == "allow" {
			s.AllowPrograms()
		} else {
			s.LeaveProgramsOut()
		}
		want := map[string]int{"allow": 2, "out": 1}[choice]
		if s.Withheld() || len(f.runs) != 1 || len(f.runs[0].doc.Schedulers) != want || s.CanRun() != "" {
			t.Errorf("%s: %d runs, %q", choice, len(f.runs), s.CanRun())
		}
	}
	s := New(&fake{t: t})
	s.OpenPreset("")
	if s.AddProgram(); s.Withheld() || s.View.Tab != "own" || len(s.Programs()) != 1 || !strings.Contains(s.Program(s.Programs()[0]), "def ") {
		t.Errorf("a program of one's own is withheld: %t, tab %s", s.Withheld(), s.View.Tab)
	}
}

// Intent: consent is to one program, wherever it comes from: it is not asked for
// again, and never holds for another one, be it in a file, in what varies, in an
// experiment beside the settings, or brought back by undoing.
func TestConsent(t *testing.T) {
	kept := map[string]bool{}
	open := func(s *Store, text string) { s.OpenText("x.json", []byte(text)) }
	document := func(code, more string) string {
		return `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"},{"key":"custom","params":{"code":"` + code + `"}}]` + more + `}`
	}
	const a, b = `def decide(s):\n    pass\n`, `def decide(s):\n    return []\n`
	s := New(&fake{t: t})
	s.Consent.Keep, s.Consent.Kept = func(p string) { kept[p] = true }, func(p string) bool { return kept[p] }
	open(s, document(a, ""))
	if !s.Withheld() || !strings.HasPrefix(s.CanRun(), "This experiment contains a program;") {
		t.Fatalf("a file's program is not withheld: %q", s.CanRun())
	}
	s.AllowPrograms()
	s.OpenPreset("")
	if open(s, document(a, "")); s.Withheld() {
		t.Error("the same program is asked about again")
	}
	if open(s, document(b, "")); !s.Withheld() {
		t.Error("consent holds for another program")
	}
	other := s.Settings.Clone()
	s.OpenPreset("")
	if s.Undo(); !s.Withheld() {
		t.Error("undoing brings a program that may run")
	}
	if aside := s.RunInBackground(other, func() {}); !strings.Contains(aside.Error, "contains a program") {
		t.Errorf("a program runs beside the settings: %q", aside.Error)
	}
	for _, vary := range []string{
		`,"vary":[{"path":"schedulers[1].params.code","values":["` + a + `","` + b + `"]}]`,
		`,"vary":[{"path":"schedulers[1].params","values":[{"code":"` + a + `"},{"code":"` + b + `"}]}]`,
		`,"vary":[{"path":"seed","values":[1,2],"with":[{"path":"schedulers","values":[[{"key":"fcfs"}],[{"key":"custom","params":{"code":"` + b + `"}}]]}]}]`,
	} {
		if open(s, document(a, vary)); s.Notice != "" || !s.Withheld() || len(s.Unread(s.Settings.Programs())) != 1 {
			t.Errorf("%s: %s, unread %q", vary, s.Notice, s.Unread(s.Settings.Programs()))
		}
		if s.LeaveProgramsOut(); s.Withheld() || len(s.Programs()) > 0 || s.Settings.Validate() != nil {
			t.Errorf("%s: programs stay: %q", vary, s.Settings.Programs())
		}
	}
	all := strings.Repeat(`{"key":"custom","params":{"code":"`+b+`"}},`, experiment.MaxSchedulers-1) + `{"key":"custom"}`
	open(s, `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[`+all+`]}`)
	if s.LeaveProgramsOut(); len(s.Settings.Schedulers) != 1 || s.Settings.Schedulers[0].Key != "easy" {
		t.Errorf("%+v", s.Settings.Labels())
	}
	s = New(&fake{t: t}) // the tab is loaded again
	s.Consent.Kept = func(p string) bool { return kept[p] }
	if open(s, document(a, "")); s.Withheld() {
		t.Error("a reload forgets what was allowed")
	}
}

// Intent: only the program that stands there is told about: an answer for one before
// is dropped, what ran to its end before stays, and nothing is tried twice.
func TestTryProgram(t *testing.T) {
	e := &trying{fake: &fake{t: t}}
	s := New(e)
	s.TryProgram("a")
	s.TryProgram("a")
	s.TryProgram("b")
	if len(e.codes) != 2 || e.cancelled != 1 {
		t.Fatalf("tried %v, %d given up", e.codes, e.cancelled)
	}
	e.done[0](&report.Trial{Processors: 1}, nil)
	if s.Own.Trial != nil {
		t.Error("an answer about the program before was taken")
	}
	good := &report.Trial{Own: []report.TrialBar{{Job: 1}}}
	e.done[1](good, nil)
	if s.TryProgram("b"); s.Own.Of != "b" || s.Own.Good != good || len(e.codes) != 2 {
		t.Errorf("%+v", s.Own)
	}
	s.TryProgram("c")
	e.done[2](&report.Trial{Stopped: &report.CodeFault{Line: 1}}, nil)
	if s.Own.Of != "c" || s.Own.Good != good {
		t.Errorf("%+v", s.Own)
	}
	s.TryProgram("d")
	if e.done[3](nil, errors.New("no simulator")); s.Own.Error != "no simulator" || s.Own.Busy {
		t.Errorf("%+v", s.Own)
	}
}

// Intent: programs and names are settings: they can be undone, and what no document
// can hold changes nothing.
func TestSetProgram(t *testing.T) {
	s := New(&fake{t: t})
	s.Open(withProgram(t), "some", false)
	if err := s.SetProgram(1, "def decide(s):\n    return []\n"); err != nil || !strings.Contains(s.Program(1), "[]") {
		t.Fatal(err)
	}
	if err := s.SetProgram(1, strings.Repeat("x", 16001)); err == nil || !strings.Contains(err.Error(), "the program must have at most 16000 characters") || !strings.Contains(s.Program(1), "[]") {
		t.Error(err)
	}
	if err := s.SetProgram(0, "x"); err == nil {
		t.Error("EASY became a program")
	}
	if err := s.NameProgram(1, "a\tb"); err == nil || !strings.HasPrefix(err.Error(), "the name must be a text") {
		t.Error(err)
	}
	if err := s.NameProgram(1, "Other"); err != nil || s.Settings.Labels()[1] != "Other" {
		t.Errorf("%v, %v", err, s.Settings.Labels())
	}
}

// Intent: the smallest case on which a program parts from another scheduler is opened
// and run, with both in step at that instant; when none is found that is said, and
// nothing is opened over what was run meanwhile.
func TestOpenSmallest(t *testing.T) {
	e := &trying{fake: &fake{t: t}}
	s := New(e)
	s.Open(withProgram(t), "some", true)
	e.answer(&report.Preview{Name: "demo", Jobs: 2000, Processors: 100}, nil)
	if s.OpenSmallest(1, 0); len(e.cases) > 0 {
		t.Error("a case was looked for before anything had run")
	}
	e.finish(s, 0, 1, "")
	e.finish(s, 1, 2, "")
	s.OpenSmallest(1, 0)
	if len(e.cases) != 1 || e.cases[0] != [2]int{1, 0} || !s.Own.Shrinking {
		t.Fatalf("%v", e.cases)
	}
	if e.found(nil, errors.New("no case")); s.Own.NoCase != "no case" || s.Own.Shrinking {
		t.Errorf("%+v", s.Own)
	}
	s.OpenSmallest(1, 0)
	e.found(&report.Case{Document: `{"batchlab":1,"workload":{"source":{"inline":{"processors":4,"columns":["submit","procs","run"],"rows":[[0,1,1]]}}},"schedulers":[{"key":"easy"},{"key":"fcfs"}]}`, Jobs: 1, At: 77}, nil)
	want, err := look.Read("1_tgantt_a0_b1_g1_s77")
	if s.Settings.Workload.Source.Inline == nil || err != nil || !reflect.DeepEqual(s.Asked, want) {
		t.Errorf("%+v %+v", s.Settings.Workload.Source, s.Asked)
	}
}
