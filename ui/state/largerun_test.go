package state

import (
	"strconv"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/ui/words"
)

// many is a document of some schedulers with many repeats, whose repetitions
// differ when they are drawn.
func many(schedulers int, repeat int64, drawn bool) *experiment.Experiment {
	doc := experiment.New()
	doc.Workload.Source = experiment.Source{Bundled: "demo"}
	if drawn {
		doc.Workload.Resample = experiment.Defaults(catalog.ResampleParams)
		doc.Workload.Resample[0].Value = "shake"
	}
	easy, err := experiment.NewScheduler("easy")
	if err != nil {
		panic(err)
	}
	easy.Repeat = repeat
	for range schedulers {
		doc.Schedulers = append(doc.Schedulers, easy)
	}
	return doc
}

func plain(text string) string { return strings.ReplaceAll(text, words.NB, " ") }

// Intent: a link of 64 schedulers with a thousand repeats each starts nothing
// before it is agreed to, whoever opens it; what it asks can be declined, made
// small, or agreed to, and the runs are then drawn a hundred times, not 64,000.
func TestVeryManyRunsAreAskedAbout(t *testing.T) {
	for _, drawn := range []bool{false, true} {
		f := &fake{t: t}
		s := New(f)
		doc := many(64, 1000, drawn)
		if err := doc.Validate(); err != nil {
			t.Fatal(err)
		}
		s.Open(doc, "", true)
		f.answer(&report.Preview{Name: "demo", Jobs: 2000, Processors: 100}, nil)
		if len(f.runs) != 0 || s.Active() || s.LargeRun == nil || s.LargeRun.Runs != 64_000 || plain(s.LargeRunText()) != "64,000 runs would start." {
			t.Fatalf("drawn %v: %d experiments run, asked %+v, %q", drawn, len(f.runs), s.LargeRun, s.LargeRunText())
		}
		s.Change(func(e *experiment.Experiment) { e.Schedulers[0].Key = "nobody" }) // never run unchecked
		if s.Agree(); len(f.runs) != 0 || s.Active() {
			t.Fatal("what was asked of other settings was agreed to")
		}
		s.Exchange(doc)
		if s.Run(); s.LargeRun == nil {
			t.Fatal("not asked again")
		}
		s.Decline()
		if len(f.runs) != 0 || s.LargeRun != nil || len(s.Settings.Schedulers) != 64 {
			t.Fatal("declined, but something ran or was lost")
		}
		s.Run()
		s.RunOnce()
		if len(f.runs) != 1 || len(s.Runs) != 64 || s.LargeRun != nil {
			t.Fatalf("once each: %d runs", len(s.Runs))
		}
		s.Undo()
		s.Run()
		s.Agree()
		if len(f.runs) != 2 || len(s.Runs) != 64_000 || s.LargeRun != nil {
			t.Fatalf("agreed: %d runs", len(s.Runs))
		}
		drawings := 0
		s.OnChange(func() { drawings++ })
		for i := range s.Runs {
			f.runs[1].event(engine.Event{Run: i, Status: engine.Running})
			f.finish(s, i, 1, "")
		}
		if drawings > 101 || s.Active() {
			t.Errorf("the page was drawn %d times", drawings)
		}
		s.Run() // and again, to be stopped
		s.Agree()
		s.Cancel()
		if s.Active() || !f.runs[2].cancelled {
			t.Error("cancelling left something running")
		}
	}
}

// Intent: who presses Run 120 has said how many: 120 runs that vary start without a
// second question, unless they would take more than ten minutes.
func TestRunsThatTheButtonCountsAreNotAskedAbout(t *testing.T) {
	for seconds, asks := range map[float64]bool{2: false, 6: true} {
		f := &fake{t: t}
		s := New(f)
		doc := many(2, 1, true)
		s.Open(doc, "", true)
		f.answer(&report.Preview{Name: "demo", Jobs: 2000, Processors: 100}, nil)
		for i := range 2 {
			f.runs[len(f.runs)-1].event(engine.Event{Run: i, Status: engine.Done, Took: seconds, Result: &report.Run{Scheduler: i}})
		}
		varies := doc.Clone()
		values := make([]experiment.Value, 120)
		for i := range values {
			values[i] = experiment.Value(strconv.Itoa(i + 1))
		}
		varies.Vary = []experiment.Axis{{Path: "seed", Values: values}}
		if m := s.largeRun(varies); (m != nil) != asks {
			t.Errorf("%v s each: %+v", seconds, m)
		}
	}
}

// Intent: how long runs take is learnt from the first. What would take more than
// a minute is held back and asked about; it goes on when that is agreed to, or
// when the next ones show that it takes less; and the next time it is asked
// before anything starts.
func TestLongRunsAreAskedAbout(t *testing.T) {
	doc := many(2, 21, true)
	start := func() (*Store, *fake) {
		f := &fake{t: t}
		s := New(f)
		s.Open(doc, "", true)
		f.answer(&report.Preview{Name: "demo", Jobs: 2000, Processors: 100}, nil)
		if s.LargeRun != nil || len(f.runs) != 1 {
			t.Fatal("42 runs of unknown length were asked about")
		}
		return s, f
	}
	end := func(s *Store, f *fake, i int, took float64) {
		f.runs[len(f.runs)-1].event(engine.Event{Run: i, Status: engine.Done, Took: took, Result: &report.Run{Scheduler: i / 21, Repetition: i % 21}})
	}
	s, f := start()
	end(s, f, 0, 1)
	if s.LargeRun != nil {
		t.Fatal("41 s were asked about")
	}
	end(s, f, 21, 5) // the schedulers are the same, and so is their pace
	if s.LargeRun == nil || !s.LargeRun.Begun || s.LargeRun.Runs != 40 || s.LargeRun.Seconds != 120 || len(f.held) != 1 || !f.held[0] {
		t.Fatalf("two minutes: %+v, held %v", s.LargeRun, f.held)
	}
	if text := plain(s.LargeRunText()); text != "The other 40 runs wait: they take about 2 min on this computer." {
		t.Error(text)
	}
	end(s, f, 1, 0.1)
	if s.LargeRun == nil || s.LargeRun.Seconds >= 120 {
		t.Errorf("%+v", s.LargeRun)
	}
	end(s, f, 2, 0.1)
	if s.LargeRun != nil || len(f.held) != 2 || f.held[1] {
		t.Errorf("less than a minute is left: %+v, held %v", s.LargeRun, f.held)
	}
	end(s, f, 3, 100)
	s.Agree()
	if s.LargeRun != nil || len(f.held) != 4 || f.held[3] {
		t.Errorf("agreed: %+v, held %v", s.LargeRun, f.held)
	}
	end(s, f, 4, 100)
	if s.LargeRun != nil {
		t.Error("asked twice")
	}
	s.Cancel()
	s.Run()
	if len(f.runs) != 1 || s.LargeRun == nil || s.LargeRun.Begun || s.LargeRun.Seconds <= longest {
		t.Errorf("the second time: %d experiments, %+v", len(f.runs), s.LargeRun)
	}
	s.Change(func(e *experiment.Experiment) { e.Seed++ })
	if s.LargeRun != nil {
		t.Error("the question outlives the settings that it was of")
	}
	s, f = start()
	end(s, f, 0, 100)
	s.Decline()
	if s.Active() || s.Runs[0].Status != engine.Done || !f.runs[0].cancelled {
		t.Error("declined: the rest is not cancelled, or the first is lost")
	}
}
