package state

import (
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/ui/result"
)

// logged is a store that compares FCFS with EASY on a log of so many days.
func logged(t *testing.T, days, users int) (*Store, *fake) {
	t.Helper()
	s, f := opened(t)
	e := experiment.New()
	e.Workload.Source.Bundled = "wide-jobs"
	for _, key := range []string{"fcfs", "easy"} {
		if _, err := e.Add(key); err != nil {
			t.Fatal(err)
		}
		e.Schedulers[len(e.Schedulers)-1].Repeat = 3
	}
	s.Open(e, "", true)
	f.answer(&report.Preview{Name: "wide-jobs", Jobs: 1500, Processors: 64, Users: users, First: 0, Last: model.Time(days)*86400 + 60}, nil)
	return s, f
}

// tell ends all runs of the latest experiment: scheduler i waits waits[i], times
// one more for each repetition.
func (f *fake) tell(s *Store, waits []float64, draws *report.Draws) {
	for k, r := range s.Runs {
		rep := r.Repetition
		one := &report.Run{Scheduler: r.Scheduler, Repetition: rep, Processors: 64, Workload: "w", Draws: draws, Copy: draws == nil && rep > 0}
		factor := 1.0
		if draws != nil {
			one.Workload = strings.Repeat("w", rep+1)
			factor += float64(rep%3) / 10
		}
		one.Metrics = []report.Value{{Key: "mean-wait", Value: waits[r.Scheduler] * factor, Valid: true}, {Key: "mean-bounded-slowdown", Value: 4 + waits[r.Scheduler]*factor*factor/1000, Valid: true}}
		f.runs[len(f.runs)-1].event(engine.Event{Run: k, Status: engine.Done, Result: one})
	}
}

// Intent: repeats of one workload are one workload: no interval, no "pairs", and
// the page says so and offers draws, by what the log is long or many enough for.
func TestOneWorkloadOffersDraws(t *testing.T) {
	for _, c := range []struct {
		days, users int
		by          string
	}{{200, 5, "weeks"}, {30, 40, "users"}, {20, 5, "users"}, {9, 5, "users"}, {9, 1, "shake"}} {
		s, f := logged(t, c.days, c.users)
		f.tell(s, []float64{2000, 1000}, nil)
		if n := s.Different(); n != 1 || s.Sampled() != "One workload: no interval" || s.Pooled() != "" || s.Which() != "" {
			t.Errorf("%d different runs: %q", n, s.Sampled())
		}
		if d := s.Compare(1, 0, "mean-wait"); d.N != 1 || d.Sure || result.RangeText(catalog.FindMetric("mean-wait"), d) != "" {
			t.Errorf("%+v", d)
		}
		s.Pick(1)
		got := s.Finding()
		if !strings.HasPrefix(plainSpaces(got.Line), "Jobs wait 50 % less under EASY than under FCFS in this workload") || !strings.Contains(strings.Join(got.First, " "), "This is one workload: we can't tell") {
			t.Errorf("%+v", got)
		}
		by, question, runs := s.Offer()
		if by != c.by || question == "" || runs != 42 {
			t.Errorf("%d days, %d users: offers %q, %q, %d runs", c.days, c.users, by, question, runs)
		}
		s.TakeOffer()
		if s.Ran.Workload.Resample.Text("by") != c.by || s.Ran.Schedulers[1].Repeat != 21 || len(s.Runs) != 42 || len(f.loads) != 2 {
			t.Errorf("taken: %+v, %d runs, read %d times", s.Ran.Workload.Resample, len(s.Runs), len(f.loads))
		}
		if by, _, _ := s.Offer(); by != "" {
			t.Error("draws are offered for draws")
		}
		pieces := 40.0
		if c.by == "shake" {
			pieces = 0
		}
		f.tell(s, []float64{2000, 1000}, &report.Draws{By: c.by, Pieces: pieces})
		s.Pick(1)
		got = s.Finding()
		want := map[string]string{"users": "Jobs wait 50 % less under EASY than under FCFS, with other users of the same kind 50 to 50 % less (20 draws).",
			"weeks": "Jobs wait 50 % less under EASY than under FCFS in the mean (20 draws), without an interval: draws of weeks give an interval of the mean wait and the mean bounded slowdown alone; draws of users give others.",
			"shake": "Jobs wait 50 % less under EASY than under FCFS (50 to 50 % less, 21 pairs)."}[c.by]
		if plainSpaces(got.Line) != want || got.Sure != (c.by != "weeks") {
			t.Errorf("%+v", got)
		}
		if s.Which() != "the log itself" || plainSpaces(s.RepeatName(3)) != "draw 3" || !strings.Contains(plainSpaces(s.Pooled()), "20 draws") {
			t.Errorf("%q, %q, %q", s.Which(), s.RepeatName(3), s.Pooled())
		}
		s.BackToLog()
		if s.Ran.Workload.Resample != nil || len(s.Runs) != 2 {
			t.Errorf("back: %+v, %d runs", s.Ran.Workload.Resample, len(s.Runs))
		}
	}
}

// Intent: the choice beside the number of repeats sets draws and takes them away,
// makes enough of them, says what a log is too short for before anything runs, and
// is not there for generators.
func TestChoiceOfDraws(t *testing.T) {
	s, f := logged(t, 9, 5)
	f.tell(s, []float64{2, 1}, nil)
	s.SetField("repeats", "1")
	s.SetField("draw", "users")
	if s.Settings.Schedulers[0].Repeat != 21 || s.CanRun() != "" || strings.Join(s.DrawFields(), " ") != "draw draw.long-term" || !strings.Contains(s.DrawHint(), "other users") {
		t.Errorf("%d repeats, %q, %v, %q", s.Settings.Schedulers[0].Repeat, s.CanRun(), s.DrawFields(), s.DrawHint())
	}
	s.SetField("draw.long-term", "3")
	if weeks, _ := s.Settings.Workload.Resample.Int("long-term"); weeks != 3 {
		t.Errorf("long-term from %d weeks", weeks)
	}
	s.SetField("draw", "weeks")
	if in, _ := s.Input("draw"); !strings.Contains(plainSpaces(s.CanRun()), "1 whole week") || in.Error != s.CanRun() {
		t.Errorf("%q, %q", s.CanRun(), in.Error)
	}
	s.SetField("draw", "same")
	if s.Settings.Workload.Resample != nil || s.CanRun() != "" {
		t.Error("draws stay")
	}
	s.SetField("draw", "shake")
	s.SetReact(true)
	if s.Settings.Workload.Resample != nil || s.DrawFields() != nil {
		t.Error("users who react are resampled")
	}
	s.SetReact(false)
	s.SetField("draw", "shake")
	s.UseGenerator("daily")
	if s.Settings.Workload.Resample != nil || s.DrawFields() != nil || !strings.Contains(s.DrawHint(), "other jobs of the generator") {
		t.Errorf("%v, %q", s.DrawFields(), s.DrawHint())
	}
}

// Intent: what cannot be told apart is never called better, and no interval is
// made of copies; differences in the other direction are longer waits.
func TestFindings(t *testing.T) {
	s, f := logged(t, 200, 40)
	f.tell(s, []float64{1000, 1500}, nil)
	s.Pick(1)
	if got := s.Finding(); !strings.Contains(plainSpaces(got.Line), "50 % longer under EASY than under FCFS") {
		t.Errorf("%+v", got)
	}
	s.TakeOffer()
	k := 0
	for i, r := range s.Runs {
		one := &report.Run{Scheduler: r.Scheduler, Repetition: r.Repetition, Processors: 64, Workload: strings.Repeat("w", r.Repetition+1), Draws: &report.Draws{By: "users", Pieces: 28}}
		v := 1000.0
		if r.Scheduler == 1 {
			v += []float64{400, -500, 300, -150}[k%4]
			k++
		}
		one.Metrics = []report.Value{{Key: "mean-wait", Value: v, Valid: true}}
		f.runs[len(f.runs)-1].event(engine.Event{Run: i, Status: engine.Done, Result: one})
	}
	s.Pick(1)
	if got := s.Finding(); got.Sure || !strings.Contains(got.Line, "No clear difference") || strings.Contains(got.Line, "better") {
		t.Errorf("%+v", got)
	}
	if plainSpaces(s.Sampled()) != "20 draws of 40 users, paired" {
		t.Errorf("%q", s.Sampled())
	}
}

// Intent: a measuring window stands beside the results in days, and one click
// takes it away and runs again.
func TestMeasuredPart(t *testing.T) {
	s, f := logged(t, 200, 40)
	s.SetField("measure-from", "7d")
	s.SetField("measure-to", "193d")
	s.Run()
	f.tell(s, []float64{2, 1}, nil)
	if got := s.MeasuredPart(); got != "day 8 to day 193" {
		t.Errorf("%q of %v", got, s.Ran.Measures)
	}
	s.MeasureAll()
	if s.MeasuredPart() != "" || s.Ran.Measures.From != nil || s.Stale() {
		t.Errorf("%q, stale %v", s.MeasuredPart(), s.Stale())
	}
}

func plainSpaces(s string) string { return strings.ReplaceAll(s, "\u00a0", " ") }

// Intent: a log that says something of others by itself, since it names its users, is not
// told to say nothing: neither beside the button nor before the sentence.
func TestOneLogWithAnInterval(t *testing.T) {
	s, f := logged(t, 40, 20)
	f.tell(s, []float64{2000, 1000}, nil)
	for _, r := range s.Runs {
		mean := r.Result.Metrics[0].Value
		r.Result.Waves = &report.Waves{Days: 40, Wait: [4]float64{mean, 2, 3, 4}}
		r.Result.Users = nil
		for u := range int32(20) {
			r.Result.Users = append(r.Result.Users, report.UserRow{User: u, Jobs: 10, Area: 1000, MeanWait: mean + float64(u*int32(r.Scheduler))})
		}
	}
	s.Pick(1)
	got := s.Finding()
	if strings.Contains(s.Sampled(), "no interval") || !strings.Contains(s.Sampled(), "computed from it") || !strings.Contains(got.More, "estimated from this log alone") || strings.Contains(strings.Join(got.First, " "), "can't tell") {
		t.Errorf("%q, %+v", s.Sampled(), got)
	}
}

// Intent: what repeats of slurm over the same jobs differ by is a band over phases: the
// page says whether the other one lies within it, that it is what Slurm itself leaves
// open, and that there is one workload, and offers draws of others as before.
func TestBandOverPhases(t *testing.T) {
	for _, c := range []struct {
		slurm      []float64
		line, more string
	}{
		{[]float64{1500, 1200, 1800}, "Jobs wait 50 % longer under Slurm than under EASY in each of 3 phases (20 to 80 % longer).", "EASY lies outside the band. A band over phases is what Slurm itself leaves open"},
		{[]float64{1010, 900, 1200}, "EASY lies within the band of Slurm: over 3 phases jobs wait 10 % less to 20 % longer under Slurm, 1.0 % longer at the median.", "A band over phases is what Slurm itself leaves open"},
	} {
		s, f := opened(t)
		e := experiment.New()
		e.Workload.Source.Bundled = "wide-jobs"
		for _, key := range []string{"easy", "slurm"} {
			if _, err := e.Add(key); err != nil {
				t.Fatal(err)
			}
			e.Schedulers[len(e.Schedulers)-1].Repeat = 3
		}
		s.Open(e, "", true)
		f.answer(&report.Preview{Name: "wide-jobs", Jobs: 1500, Processors: 64, Users: 20, First: 0, Last: 20 * 86400}, nil)
		for k, r := range s.Runs {
			one := &report.Run{Scheduler: r.Scheduler, Repetition: r.Repetition, Processors: 64, Workload: "w", Copy: r.Scheduler == 0 && r.Repetition > 0}
			wait := 1000.0
			if r.Scheduler == 1 {
				one.Draws, wait = &report.Draws{By: report.ByPhases}, c.slurm[r.Repetition]
			}
			one.Metrics = []report.Value{{Key: "mean-wait", Value: wait, Valid: true}, {Key: "mean-bounded-slowdown", Value: wait / 100, Valid: true}}
			f.runs[len(f.runs)-1].event(engine.Event{Run: k, Status: engine.Done, Result: one})
		}
		s.Pick(1)
		got := s.Finding()
		if plainSpaces(got.Line) != c.line || !strings.HasPrefix(plainSpaces(got.More), c.more) || !strings.Contains(strings.Join(got.First, " "), "This is one workload") {
			t.Errorf("%+v", got)
		}
		if all := got.Line + got.More; strings.Contains(all, "interval") || strings.Contains(all, "no clear difference") {
			t.Error(all)
		}
		if s.Phases() != 3 || s.Workloads() != 1 || plainSpaces(s.Sampled()) != "Band over 3 phases, one workload" || plainSpaces(s.RepeatName(1)) != "phase 2" || plainSpaces(s.Pooled()) != "all 3 phases together" {
			t.Errorf("%d phases: %q", s.Phases(), s.Sampled())
		}
		if by, _, _ := s.Offer(); by != "users" {
			t.Errorf("offers %q", by)
		}
	}
}
