package state

import (
	"errors"
	"math"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/draft"
	"batchlab/ui/engine"
)

// A first visit runs the default preset by itself; results come in as runs
// end, and the digest with the last.
func TestFirstVisit(t *testing.T) {
	s, f := opened(t)
	changes := 0
	s.OnChange(func() { changes++ })
	if s.Preview == nil || s.Preview.Jobs != 2000 || s.Loading || !s.Active() || s.Some() || s.Stale() {
		t.Fatalf("after the first load: preview %v, loading %v, active %v", s.Preview, s.Loading, s.Active())
	}
	if n := len(s.Runs); n != 15 {
		t.Fatalf("%d runs, want 3 schedulers × 5 repeats", n)
	}
	version := s.Version
	for i := range s.Runs {
		digest := ""
		if i == len(s.Runs)-1 {
			digest = "4be190c7"
		}
		f.finish(s, i, float64(100+i), digest)
	}
	if s.Active() || s.Digest != "4be190c7" || s.Version == version || changes != 15 {
		t.Errorf("after all runs: active %v, digest %q, %d changes", s.Active(), s.Digest, changes)
	}
	if g := s.Groups(); len(g) != 3 || g[1].Done != 5 || g[1].Progress != 1 || g[1].Active() {
		t.Errorf("groups %+v", g)
	}
	if ok, text := s.Comparable(); !ok || !strings.Contains(text, "5") {
		t.Errorf("comparable: %v %q", ok, text)
	}
}

// Progress alone does not ask for a new drawing of the page.
func TestProgressIsCheap(t *testing.T) {
	s, f := opened(t)
	event := f.runs[0].event
	event(engine.Event{Run: 2, Status: engine.Running, Progress: 0.1})
	changes, steps := 0, 0
	s.OnChange(func() { changes++ })
	s.OnProgress(func() { steps++ })
	version := s.Version
	event(engine.Event{Run: 2, Status: engine.Running, Progress: 0.5, Left: 3})
	if changes != 0 || steps != 1 || s.Version != version {
		t.Errorf("%d changes, %d steps, version %d after %d", changes, steps, s.Version, version)
	}
	if g := s.Groups()[0]; math.Abs(g.Progress-0.1) > 1e-12 || g.Left != 3 {
		t.Errorf("group %+v, want a fifth of a half and 3 s left", g)
	}
}

// A changed setting makes results stale without losing them; undoing the
// change makes them current again. A label changes no number.
func TestStale(t *testing.T) {
	s, f := opened(t)
	f.finish(s, 0, 1, "")
	s.SetField("sched.0.label", "my FCFS")
	if s.Stale() {
		t.Error("a label makes results stale")
	}
	s.SetField("tau", "60")
	if !s.Stale() || !s.Some() || s.Settings.Measures.Tau != 60 {
		t.Errorf("stale %v, results kept %v, τ %d", s.Stale(), s.Some(), s.Settings.Measures.Tau)
	}
	if n := len(f.loads); n != 1 {
		t.Errorf("τ made the workload be read again (%d times)", n)
	}
	s.SetField("seed", "2")
	if n := len(f.loads); n != 2 {
		t.Errorf("a new seed reads the workload %d times, want again", n)
	}
	s.Revert()
	if s.Stale() || s.Settings.Seed != 1 || s.Settings.Measures.Tau != 10 {
		t.Errorf("after undo: stale %v, seed %d", s.Stale(), s.Settings.Seed)
	}
}

// A new run replaces the old one: what the old one still says is not heard.
func TestRunAgain(t *testing.T) {
	s, f := opened(t)
	late := f.runs[0].event
	s.Run()
	if !f.runs[0].cancelled || len(f.runs) != 2 {
		t.Fatal("the first run was not cancelled")
	}
	late(engine.Event{Run: 0, Status: engine.Done, Result: &report.Run{}})
	if s.Some() {
		t.Error("news of the first run counted for the second")
	}
}

// Cancelling keeps what has finished; a single scheduler can be cancelled
// while the others go on.
func TestCancel(t *testing.T) {
	s, f := opened(t)
	f.finish(s, 0, 1, "")
	s.CancelScheduler(1)
	if g := s.Groups(); g[1].Halted != 5 || g[1].Active() || !g[2].Active() || len(f.stopped) != 5 || f.stopped[0] != 5 {
		t.Errorf("after cancelling B: %+v, stopped %v", g, f.stopped)
	}
	s.Cancel()
	if s.Active() || !s.Some() || !f.runs[0].cancelled {
		t.Errorf("after cancelling all: active %v, some %v", s.Active(), s.Some())
	}
	f.runs[0].event(engine.Event{Run: 3, Status: engine.Done, Result: &report.Run{}})
	if s.Runs[3].Status != engine.Cancelled {
		t.Error("a cancelled run came back")
	}
}

// A run that fails says why, and the others go on.
func TestOneRunFails(t *testing.T) {
	s, f := opened(t)
	f.runs[0].event(engine.Event{Run: 6, Status: engine.Failed, Err: errBroken})
	f.finish(s, 0, 1, "")
	g := s.Groups()
	if g[1].Failed != 1 || g[1].Error != errBroken.Error() || !g[1].Active() || g[0].Done != 1 {
		t.Errorf("groups %+v", g)
	}
	if log := plainSpaces(strings.Join(s.Log, "\n")); !strings.Contains(log, "B EASY, repeat 2: failed: the worker has stopped") {
		t.Errorf("log:\n%s", log)
	}
}

// Runs over different jobs are not comparable, and the page says which.
func TestNotComparable(t *testing.T) {
	s, f := opened(t)
	f.finish(s, 0, 1, "")
	f.finish(s, 5, 1, "")
	s.Runs[5].Result.Workload = "other"
	if ok, text := s.Comparable(); ok || !strings.Contains(text, "A FCFS") || !strings.Contains(text, "B EASY") {
		t.Errorf("comparable %v: %q", ok, text)
	}
}

// Differences are taken repetition by repetition, with the sign and the
// judgement of the measure.
func TestCompare(t *testing.T) {
	s, f := opened(t)
	for r := range 5 {
		f.finish(s, r, float64(100+10*r), "")  // A
		f.finish(s, 5+r, float64(50+10*r), "") // B: always 50 less
	}
	if m := s.Measure(0, "mean-wait"); m.N != 5 || m.Mean != 120 || math.Abs(m.High-120*math.Exp(2.776445*math.Sqrt(250.0/5)/120)) > 1e-4 {
		t.Errorf("measure %+v", m)
	}
	d := s.Compare(1, 0, "mean-wait")
	if d.N != 5 || d.Mean != -50 || d.Better != 1 || !d.Sure || math.Abs(d.Relative+0.4248498) > 1e-6 || !(d.Low < d.Relative && d.Relative < d.High && d.High < -0.3) {
		t.Errorf("difference %+v", d)
	}
	if d := s.Compare(0, 1, "mean-wait"); d.Better != -1 || d.Mean != 50 {
		t.Errorf("the other way round %+v", d)
	}
	if d := s.Compare(1, 0, "utilization"); !d.Same || d.Better != 0 {
		t.Errorf("equal utilization %+v", d)
	}
	if d := s.Compare(2, 0, "mean-wait"); d.N != 0 {
		t.Errorf("C has not run: %+v", d)
	}
	if m := s.Measure(0, "jobs"); m.N != 0 {
		t.Errorf("a measure that does not exist: %+v", m)
	}
}

// The pinned baseline, the selected scheduler and the panes stay inside what
// has run when the number of schedulers shrinks.
func TestViewStaysInside(t *testing.T) {
	s, _ := opened(t)
	if v := s.View; v.A != 1 || v.B != 0 || v.Baseline != 0 {
		t.Errorf("first view %+v, want the second scheduler against the first", v)
	}
	s.Pick(2)
	s.Pin(1)
	if v := s.View; v.A != 2 || v.B != 1 || v.Baseline != 1 || s.Baseline() != 1 {
		t.Errorf("view %+v", v)
	}
	s.Pin(1)
	if s.View.Baseline != -1 || s.Baseline() != 0 {
		t.Errorf("unpinned: %d, baseline %d", s.View.Baseline, s.Baseline())
	}
	s.Pin(2)
	s.RemoveScheduler(2)
	s.RemoveScheduler(1)
	s.RemoveScheduler(0) // the last one stays
	s.Run()
	if v := s.View; len(s.Settings.Schedulers) != 1 || v.A != 0 || v.B != -1 || v.Baseline != -1 || s.Baseline() != -1 {
		t.Errorf("with one scheduler: %+v", v)
	}
	s.ShowTab("nonsense")
	if s.View.Tab != "overview" {
		t.Error("a tab that does not exist was opened")
	}
}

// A link gives the same settings and the same verdict at the other end; a
// damaged one leads to a message and the default preset.
func TestLink(t *testing.T) {
	s, f := opened(t)
	s.SetField("seed", "42")
	s.SetField("sched.1.backfill", "spf")
	s.Run()
	f.answer(&report.Preview{Name: "daily", Jobs: 2000, Processors: 100}, nil)
	for i := range s.Runs {
		digest := ""
		if i == len(s.Runs)-1 {
			digest = strings.Repeat("ab", 32)
		}
		f.finish(s, i, 1, digest)
	}
	g := &fake{t: t}
	other := New(g)
	other.Start(s.LinkHash(true))
	if !draft.Same(&other.Settings, &s.Settings) || other.Settings.Expect != s.Digest || len(g.runs) != 1 {
		t.Fatalf("the link gives %+v, want %+v", other.Settings, s.Settings)
	}
	for i := range other.Runs {
		digest := ""
		if i == len(other.Runs)-1 {
			digest = s.Digest
		}
		g.finish(other, i, 1, digest)
	}
	if other.Verdict() != "reproduced" {
		t.Errorf("verdict %q", other.Verdict())
	}
	other.Digest = strings.Repeat("cd", 32)
	if other.Verdict() != "differs" {
		t.Errorf("verdict %q", other.Verdict())
	}
	other.SetField("seed", "43")
	if other.Settings.Expect != "" {
		t.Error("the expected digest outlived the settings it belongs to")
	}
	if doc, err := experiment.Decode(s.Document(false)); err != nil || doc.Expect != "" || doc.Seed != 42 {
		t.Errorf("document: %v %v", doc, err)
	}

	broken := New(&fake{t: t})
	broken.Start("#x=AAAA")
	if broken.Notice == "" || broken.Preset != "demo" || broken.Ran == nil {
		t.Errorf("a damaged link: notice %q, preset %q", broken.Notice, broken.Preset)
	}
	broken.FollowLink("#elsewhere")
	broken.DropNotice()
	if broken.Notice != "" {
		t.Error("the notice stays")
	}
	broken.OpenText("settings.json", []byte(`{"batchlab":1,"sed":2}`))
	if !strings.Contains(broken.Notice, "settings.json") || broken.Settings.Seed != 1 {
		t.Errorf("a faulty document: notice %q", broken.Notice)
	}
}

// The summary has a line for each measure that exists, every digit kept.
func TestSummaryCSV(t *testing.T) {
	s, f := opened(t)
	f.finish(s, 0, 1.0/3, "")
	s.Ran = s.Ran.Clone()
	s.Ran.Schedulers[0].Label = `a, "b"`
	lines := strings.Split(string(s.SummaryCSV()), "\n")
	if !strings.HasPrefix(lines[0], "scheduler,key,label,repetition,workload,processors,mean-wait") || !strings.HasPrefix(lines[1], `0,fcfs,"a, ""b""",0,workload 0,100,0.3333333333333333`) {
		t.Errorf("summary:\n%s", strings.Join(lines, "\n"))
	}
}

// A store that cannot run says why, and does not.
func TestCannotRun(t *testing.T) {
	s, f := opened(t)
	s.SetField("seed", "minus one")
	if s.CanRun() == "" || s.Fields["seed"].Text != "minus one" || s.Settings.Seed != 1 {
		t.Errorf("a wrong seed: %q, %+v", s.CanRun(), s.Fields)
	}
	s.Run()
	if len(f.runs) != 1 {
		t.Error("it ran with a wrong seed on the page")
	}
	s.SetField("seed", "7")
	if s.CanRun() != "" || s.Settings.Seed != 7 {
		t.Errorf("corrected: %q", s.CanRun())
	}
	f.answer(nil, errors.New("no jobs are left"))
	if s.LoadError == "" || s.Preview == nil {
		t.Errorf("a reading that failed: %q, preview %v", s.LoadError, s.Preview)
	}
}
