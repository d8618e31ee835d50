package state

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/ui/look"
)

func jobsOf(n int) *report.Jobs {
	j := &report.Jobs{}
	for i := range n {
		j.Number = append(j.Number, int64(100+i))
		j.Submit = append(j.Submit, model.Time(10*i))
	}
	return j
}

// finishWith ends run i with starts, and the jobs with the first.
func (f *fake) finishWith(s *Store, i int, starts []model.Time, digest string) {
	ends := slices.Clone(starts)
	for k := range ends {
		ends[k] += 60
	}
	r := s.Runs[i]
	f.runs[len(f.runs)-1].event(engine.Event{Run: i, Status: engine.Done, Digest: digest, Jobs: jobsOf(len(starts)),
		Result: &report.Run{Scheduler: r.Scheduler, Repetition: r.Repetition, Key: "easy", Columns: report.Columns{Start: starts, End: ends}}})
}

func twoSchedulers(t *testing.T) *experiment.Experiment {
	e := experiment.New()
	e.Workload.Source.Bundled = "demo"
	for _, key := range []string{"fcfs", "easy"} {
		if _, err := e.Add(key); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func starts(n int) []model.Time {
	list := make([]model.Time, n)
	for i := range list {
		list[i] = model.Time(10*i + 5)
	}
	return list
}

// A link made here shows, when it is opened, what was looked at: tab, runs,
// baseline, span, processors, job, colour and measure.
func TestViewGoesAlong(t *testing.T) {
	f := &fake{t: t}
	s := New(f)
	s.Open(twoSchedulers(t), "", true)
	f.answer(&report.Preview{Jobs: 50, Processors: 10}, nil)
	f.finishWith(s, 0, starts(50), "")
	f.finishWith(s, 1, starts(50), strings.Repeat("ab", 32))
	if link := s.LinkHash(true); strings.Contains(link, "&v=") {
		t.Errorf("the first view stands in the link: %s", link)
	}
	s.Look(func(v *look.View) {
		v.Tab, v.A, v.B, v.Baseline, v.From, v.To, v.Job, v.Colour, v.Bars = "gantt", 0, 1, 1, -20, 300, 7, "user", "mean-wait"
		v.Low, v.High = 4, 8
		v.Planned, v.Instant = true, 240
	})
	want := s.View
	link := s.LinkHash(true)
	if e, err := experiment.DecodeLink(link); err != nil || e.Trace == "" {
		t.Errorf("no trace beside the digest: %s", link)
	}
	g := &fake{t: t}
	other := New(g)
	other.Start(link)
	g.answer(&report.Preview{Jobs: 50, Processors: 10}, nil)
	g.finishWith(other, 0, starts(50), "")
	g.finishWith(other, 1, starts(50), strings.Repeat("ab", 32))
	if other.View != want || other.Notice != "" || other.Verdict() != "reproduced" || other.Difference() != nil {
		t.Errorf("view %+v, want %+v; %q, %s", other.View, want, other.Notice, other.Verdict())
	}
}

// A view that cannot be used never blocks the experiment: what can be read is
// shown, the rest is at its default, and a notice says so.
func TestBadView(t *testing.T) {
	link := experiment.EncodeLink(twoSchedulers(t))
	for _, c := range []struct{ view, tab, notice string }{
		{"1_tgantt", "gantt", ""},
		{"1_tnone", "overview", "tnone"},
		{"1_tgantt_qx", "gantt", "qx"},
		{"2_tgantt", "overview", "newer"},
		{"x", "overview", "version"},
		{"1_a7_tgantt", "gantt", "does not have"},
		{"1_f100_e50_ttable", "table", "f, e"},
		{"1_L8_H8_ttable", "table", "L, H"},
		{"1_H8_ttable", "table", "L, H"},
		{"1_jx_ttable", "table", "jx"},
		{"1_ttable_j999", "table", "job 999"},
		{"1_" + strings.Repeat("t", 400), "overview", "characters"},
	} {
		f := &fake{t: t}
		s := New(f)
		s.Start(link + "&v=" + c.view)
		f.answer(&report.Preview{Jobs: 5, Processors: 10}, nil)
		f.finishWith(s, 0, starts(5), "")
		if s.View.Tab != c.tab || !strings.Contains(s.Notice, c.notice) || c.notice == "" && s.Notice != "" || !s.Some() {
			t.Errorf("%s: tab %s, notice %q", c.view, s.View.Tab, s.Notice)
		}
		if v := s.View; v.A > 1 || v.From > v.To {
			t.Errorf("%s: %+v", c.view, v)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		text := []byte("1_tgantt_a0_b1_p1_r0_f100_e2000_j502_cuser_mmean-wait")
		for range 1 + rng.IntN(5) {
			text[rng.IntN(len(text))] = byte(32 + rng.IntN(95))
		}
		if v, err := look.Read(string(text)); v == nil || err != nil && err.Error() == "" {
			t.Fatalf("%s: %v, %v", text, v, err)
		}
	}
}

// Another result than the author's is told by run, first job that differs, and
// both starts.
func TestDifferenceIsNamed(t *testing.T) {
	f := &fake{t: t}
	s := New(f)
	s.Open(twoSchedulers(t), "", true)
	f.answer(&report.Preview{Jobs: 50, Processors: 10}, nil)
	f.finishWith(s, 0, starts(50), "")
	f.finishWith(s, 1, starts(50), strings.Repeat("ab", 32))
	link := s.LinkHash(true)

	g := &fake{t: t}
	other := New(g)
	other.Start(link)
	g.answer(&report.Preview{Jobs: 50, Processors: 10}, nil)
	g.finishWith(other, 0, starts(50), "")
	if other.Difference() != nil {
		t.Error("a difference before all is known")
	}
	changed := starts(50)
	for i := 20; i < 50; i++ {
		changed[i] += 3
	}
	g.finishWith(other, 1, changed, strings.Repeat("cd", 32))
	d := other.Difference()
	if d == nil || d.By.Engine != experiment.Engine || !strings.HasPrefix(d.Run, "B EASY") || !strings.HasSuffix(d.Jobs, "is job 120") {
		t.Fatalf("difference %+v", d)
	}
	if !strings.Contains(d.Times, "205") || !strings.Contains(d.Times, "208") {
		t.Errorf("times %q, want 205 s and 208 s", d.Times)
	}
	e, err := experiment.DecodeLink(link)
	if err != nil {
		t.Fatal(err)
	}
	e.Trace = "_" + e.Trace
	h := &fake{t: t}
	third := New(h)
	third.Open(e, "", true)
	h.answer(&report.Preview{Jobs: 50, Processors: 10}, nil)
	h.finishWith(third, 0, starts(50), "")
	h.finishWith(third, 1, changed, strings.Repeat("cd", 32))
	if d := third.Difference(); d == nil || d.Damaged == "" {
		t.Errorf("a damaged trace: %+v", d)
	}
}

// Another log than the named one is used only on demand, and the experiment is
// marked then; it still runs by itself.
func TestUseOtherLog(t *testing.T) {
	e := twoSchedulers(t)
	e.Title = "March"
	e.Workload.Source = experiment.Source{Log: &experiment.Log{Name: "mine.swf", SHA256: hashA, Size: 61000}}
	f := &fake{t: t}
	s := New(f)
	s.Start(experiment.EncodeLink(e))
	f.answer(nil, errBroken)
	s.UseOther()
	s.OpenFile("other.swf", "handle")
	f.answer(logPreview(hashB, 0, 900), nil)
	if s.Other == nil || s.Wanted == nil || len(f.runs) != 0 || s.Modified != "" {
		t.Fatalf("other %v, wanted %v, %d runs", s.Other, s.Wanted, len(f.runs))
	}
	s.UseOther()
	if s.Wanted != nil || s.Other != nil || len(f.runs) != 1 || !strings.Contains(s.Modified, "other.swf") || s.Settings.Title != "March (modified)" {
		t.Errorf("wanted %v, %d runs, modified %q, title %q", s.Wanted, len(f.runs), s.Modified, s.Settings.Title)
	}
	if s.Ran.Workload.Source.Log.SHA256 != hashB {
		t.Errorf("ran on %+v", s.Ran.Workload.Source.Log)
	}
	s.OpenFile("third.swf", "handle")
	f.answer(logPreview(hashA, 0, 900), nil)
	if s.Modified != "" {
		t.Error("a log of one's own is still called modified")
	}
}

// Up to four runs stand in the Gantt chart: chosen one by one, never none, and
// a link shows the same ones.
func TestPanes(t *testing.T) {
	f := &fake{t: t}
	s := New(f)
	e := twoSchedulers(t)
	for range 4 {
		if _, err := e.Add("easy"); err != nil {
			t.Fatal(err)
		}
	}
	s.Open(e, "", true)
	f.answer(&report.Preview{Jobs: 5, Processors: 10}, nil)
	f.finishWith(s, 0, starts(5), "")
	want := func(list ...int) {
		t.Helper()
		if got := s.View.Panes(); !slices.Equal(got, list) {
			t.Errorf("panes %v, want %v", got, list)
		}
	}
	want(1, 0)
	s.TogglePane(3)
	s.TogglePane(5)
	want(1, 0, 3, 5)
	v, err := look.Read(s.Text())
	var seen look.View
	if v.Apply(&seen); err != nil || seen.More != s.View.More {
		t.Errorf("the link has %v, %v", seen.More, err)
	}
	s.TogglePane(2)
	want(1, 0, 3, 2)
	s.TogglePane(1)
	want(0, 3, 2)
	s.TogglePane(3)
	s.TogglePane(2)
	want(0)
	s.TogglePane(0)
	want(0)
	s.TogglePane(4)
	want(0, 4)
	if v, err := look.Read("1_x7777"); err == nil || readMore(v) != [2]int{} {
		t.Error("a pane that cannot be was read")
	}
}

func readMore(l *look.Link) [2]int {
	var v look.View
	l.Apply(&v)
	return v.More
}
