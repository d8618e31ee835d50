package state

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/draft"
	"batchlab/ui/engine"
	"batchlab/ui/result"
)

// varyFake is an engine that runs sweeps as a test tells it.
type varyFake struct {
	*fake
	doc  experiment.Experiment
	news func(engine.News)
	did  []string
}

func (f *varyFake) Sweep(e experiment.Experiment, news func(engine.News)) engine.Control {
	f.doc, f.news = e, news
	f.did = append(f.did, "run")
	return f
}

func (f *varyFake) Stop() { f.did = append(f.did, "stop") }

func (f *varyFake) GoOn() { f.did = append(f.did, "go on") }

func (f *varyFake) Drop() { f.did = append(f.did, "drop") }

// varying is a store with the default preset loaded and run.
func varying(t *testing.T) (*Store, *varyFake) {
	f := &varyFake{fake: &fake{t: t}}
	s := New(f)
	s.Start("")
	f.answer(&report.Preview{Name: "daily", Jobs: 2000, Processors: 100}, nil)
	return s, f
}

// part makes the runs of all items from … to − 1: scheduler i has the mean wait
// 10 · point + i + repetition ÷ 10.
func part(w *result.Sweep, from, to int) engine.SweepPart {
	p := engine.SweepPart{From: from}
	for item := from; item < to; item++ {
		point, within := w.Items.Point(item)
		runs, _ := w.Items.Of(nil)
		id := runs[within]
		p.Runs = append(p.Runs, report.Swept{Workload: int64(point*100 + id.Repetition), Scheduler: int32(id.Scheduler), Repetition: int32(id.Repetition)})
		for _, key := range catalog.MetricKeys() {
			v := math.NaN()
			if key == "mean-wait" {
				v = float64(10*point+id.Scheduler) + float64(id.Repetition)/10
			}
			p.Values = append(p.Values, v)
		}
	}
	return p
}

// Intent: a sweep from the popover to the point and back: what has come stays
// when it is stopped, going on asks for the rest, a point opens as an experiment
// of its own, and the way back finds the results as they were. Links hold all.
func TestSweepStory(t *testing.T) {
	digest := strings.Repeat("0123456789abcdef", 4)
	s, f := varying(t)
	s.SetField("repeats", "2")
	s.VaryInput("load")
	s.VaryAs(false, false)
	s.VaryText("values", "0.5, 0.7, 0.9, 1.1")
	s.KeepVarying()
	if !s.Varies() || !s.Stale() {
		t.Error("the results on show are not those of settings that vary")
	}
	s.Run()
	w := s.SweepNow()
	if w == nil || s.View.Tab != "vary" || !s.Sweeping() || w.Total != 4*3*2 || len(f.doc.Vary) != 1 {
		t.Fatalf("%+v", w)
	}
	f.news(engine.News{Parts: []engine.SweepPart{part(w, 0, 9)}, Done: 9, Seconds: 3})
	if w.Left != 5 || !w.Complete(0) || w.Complete(1) || !w.Begun(1) || w.PointsDone() != 1 {
		t.Errorf("%v s left, %d points", w.Left, w.PointsDone())
	}
	s.StopSweep()
	f.news(engine.News{Parts: []engine.SweepPart{part(w, 9, 12)}, Done: 12, Seconds: 3.5, Over: true})
	if w.Status != engine.Cancelled || w.PointsDone() != 2 || !s.SweepHalted() {
		t.Errorf("stopped: %+v", w.Status)
	}
	s.Run()
	if s.SweepNow() != w || w.Status != engine.Running {
		t.Error("going on begins anew")
	}
	f.news(engine.News{Parts: []engine.SweepPart{part(w, 12, 24)}, Done: 24, Seconds: 6, Digest: digest, Over: true})
	if w.Status != engine.Done || w.Digest != digest || !slices.Equal(f.did, []string{"run", "stop", "go on"}) {
		t.Errorf("done: %v, %v", w.Status, f.did)
	}
	sums, rest := w.Sums("mean-wait", 1000)
	if rest || math.Abs(sums.Mean[3*2+1]-21.05) > 1e-9 || sums.N[7] != 2 {
		t.Errorf("B at point 2 waits %v", sums.Mean[3*2+1])
	}
	gaps, _ := w.Gaps("mean-wait", 1, 0, 1000)
	if d := gaps.Diffs[3]; math.Abs(d.Mean-1) > 1e-9 || d.N != 2 || d.Sure || d.Why == "" || d.Better != -1 {
		t.Errorf("B against A at point 3: %+v", d)
	}
	link := s.LinkHash(true)
	opened, err := experiment.DecodeLink(link)
	if err != nil || len(opened.Vary) != 1 || opened.Expect != digest {
		t.Errorf("the link holds %+v, %v", opened, err)
	}

	before := string(s.Document(false))
	runs := len(f.runs)
	s.OpenPoint(2)
	if s.Varies() || s.Settings.Workload.Scale.Load != 0.9 || len(f.runs) != runs+1 || s.View.Tab != "overview" || !s.AtPoint() || !s.ShowsPoint() || s.Stale() || s.SweepStale() {
		t.Errorf("the point: %+v", s.Settings.Workload.Scale)
	}
	if name := s.PointName(2); name != "Load × 0.9" {
		t.Errorf("the point is called %q", name)
	}
	s.SetField("tau", "20")
	if s.AtPoint() || !s.SweepStale() {
		t.Error("another τ is still that point")
	}
	s.BackToSweep()
	if string(s.Document(false)) != before || s.View.Tab != "vary" || s.SweepStale() || s.Stale() || s.SweepNow() != w {
		t.Error("the way back leads elsewhere")
	}
	s.SetField("tau", "30")
	if !s.SweepStale() || !s.Stale() {
		t.Error("results of another τ are not stale")
	}
	s.Run()
	if s.SweepNow() == w || f.did[len(f.did)-1] != "run" || f.did[len(f.did)-2] != "drop" {
		t.Errorf("%v", f.did)
	}

	// The link in a fresh page.
	s, f = varying(t)
	s.FollowLink(link)
	f.answer(&report.Preview{Name: "daily", Jobs: 2000, Processors: 100}, nil)
	if w := s.SweepNow(); w == nil || s.View.Tab != "vary" {
		t.Fatal("the link does not run")
	}
	f.news(engine.News{Parts: []engine.SweepPart{part(s.SweepNow(), 0, 24)}, Done: 24, Seconds: 6, Digest: digest, Over: true})
	if s.SweepNow().Verdict() != "reproduced" {
		t.Errorf("verdict %q", s.SweepNow().Verdict())
	}
}

// Intent: more than 2,000 runs are asked about; a point that cannot run is
// named, and a sweep that cannot go on says why and can be tried again.
func TestSweepAsksAndFails(t *testing.T) {
	s, f := varying(t)
	s.Change(func(e *experiment.Experiment) {
		e.Vary = []experiment.Axis{{Path: "workload.scale.load"}}
		for i := range 1000 {
			e.Vary[0].Values = append(e.Vary[0].Values, experiment.NumberValue(float64(i+1)/100))
		}
	})
	s.Run()
	if s.LargeRun == nil || s.LargeRun.Runs != 3000*int(s.Settings.Schedulers[0].Repeat) || s.SweepNow() != nil {
		t.Fatalf("it does not ask: %+v", s.LargeRun)
	}
	s.Agree()
	w := s.SweepNow()
	f.news(engine.News{Parts: []engine.SweepPart{{From: 4, Error: "point 2 of 1000: too large"}}, Done: 1, Err: errors.New("gone"), Over: true})
	if w.Status != engine.Failed || w.Error != "gone" || len(w.Refused) != 1 || w.Refused[0].Point != 4/(3*int(s.Settings.Schedulers[0].Repeat)) {
		t.Errorf("%+v", w.Refused)
	}
	s.Run()
	if s.SweepNow() != w || f.did[len(f.did)-1] != "go on" {
		t.Errorf("%v", f.did)
	}
}

// Intent: logs that only points name are asked for by name, one after the other,
// before anything runs; another file is refused, the right one changes nothing of
// the settings, and the sweep runs once all are here.
func TestSweepAsksForLogs(t *testing.T) {
	s, f := varying(t)
	doc := *s.Settings.Clone()
	axis := experiment.Axis{Path: "workload.source", Values: []experiment.Value{experiment.Value(`{"bundled":"demo"}`)}}
	for _, l := range []struct{ name, hash string }{{"one.swf", hashA}, {"two.swf", hashB}} {
		axis.Values = append(axis.Values, experiment.Value(`{"log":{"name":"`+l.name+`","sha256":"`+l.hash+`","size":10}}`))
	}
	doc.Vary = []experiment.Axis{axis}
	if err := doc.Validate(); err != nil {
		t.Fatal(err)
	}
	logs := doc.Logs()
	s.Open(&doc, "", true)
	if len(f.did) > 0 {
		t.Fatal("it runs before its logs are here")
	}
	for i, l := range logs {
		f.answer(nil, engine.LogMissing{Log: l.File})
		if s.Wanted == nil || s.Wanted.Name != l.File.Name || !strings.Contains(s.CanRun(), l.File.Name) {
			t.Fatalf("wanted %+v, can run: %q", s.Wanted, s.CanRun())
		}
		s.OpenFile("other.swf", 9)
		f.answer(logPreview(strings.Repeat("9", 64), 0, 900), nil)
		if s.Wanted == nil || s.Other != nil || !strings.Contains(s.LoadError, "other.swf is another log") {
			t.Fatalf("another file: wanted %+v, offered %+v, %q", s.Wanted, s.Other, s.LoadError)
		}
		s.OpenFile("renamed.swf", i)
		f.answer(logPreview(l.File.SHA256, 0, 900), nil)
		if s.Wanted != nil || !draft.Same(&s.Settings, &doc) || len(f.did) > 0 {
			t.Fatalf("%s: wanted %+v, %v", l.File.Name, s.Wanted, f.did)
		}
	}
	f.answer(&report.Preview{Name: "daily", Jobs: 2000, Processors: 100}, nil)
	if !slices.Equal(f.did, []string{"run"}) || len(f.doc.Vary) != 1 {
		t.Errorf("did %v", f.did)
	}
	for i, want := range []string{"demo", "one.swf", "two.swf"} {
		if got := s.PointText(&s.Settings, &s.Settings.Vary[0], i); got != want {
			t.Errorf("point %d is called %q, want %q", i, got, want)
		}
	}
}
