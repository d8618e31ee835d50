package state

import (
	"errors"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/draft"
	"batchlab/ui/words"
)

const (
	hashA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	hashB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

func logPreview(hash string, malformed, lines int) *report.Preview {
	return &report.Preview{Name: "march.swf", Jobs: 900, Processors: 128, SHA256: hash, Size: 61000,
		Clean: report.Cleaning{Lines: lines, Malformed: malformed, Kept: lines - malformed}}
}

// A dropped log becomes the source once it has been read, and is run; one run
// each is enough, and what belonged to the workload before is reset.
func TestOpenFile(t *testing.T) {
	s, f := opened(t)
	s.SetField("load", "1.5")
	f.answer(&report.Preview{Name: "daily", Jobs: 2000, Processors: 100}, nil)
	s.OpenFile("march.swf", "handle")
	if s.Settings.Workload.Source.Log != nil || !s.Loading {
		t.Fatal("the log counts before it was read")
	}
	last := f.loads[len(f.loads)-1]
	if last.file != "handle" || last.doc.Workload.Source.Log.SHA256 != "" || last.doc.Workload.Scale.Load != 1 {
		t.Errorf("asked to read %+v with %v", last.doc.Workload, last.file)
	}
	f.answer(logPreview(hashA, 0, 900), nil)
	l := s.Settings.Workload.Source.Log
	if l == nil || *l != (experiment.Log{Name: "march.swf", SHA256: hashA, Size: 61000}) || s.Settings.Platform.Processors != 0 {
		t.Fatalf("log %+v, platform %+v", l, s.Settings.Platform)
	}
	if s.Settings.Schedulers[0].Repeat != 1 || s.Processors() != 128 {
		t.Errorf("repeat %d, %d processors", s.Settings.Schedulers[0].Repeat, s.Processors())
	}
	if len(f.runs) != 2 || f.runs[1].doc.Workload.Source.Log.SHA256 != hashA {
		t.Errorf("%d runs: the schedulers that are there run on it at once", len(f.runs))
	}
	s.SetField("load", "1.2")
	if last := f.loads[len(f.loads)-1]; last.file != "handle" || last.doc.Workload.Source.Log.SHA256 != hashA {
		t.Errorf("reading again forgets the file: %v", last.file)
	}
}

// Intent: a preset that is about any log runs on the one that is open, with the
// machine that was said of it; the others bring workloads of their own, and so does
// it while no log is open.
func TestPresetOnOwnLog(t *testing.T) {
	s, f := opened(t)
	s.OpenPreset("foresight")
	if s.Settings.Workload.Source.Generator == nil {
		t.Fatalf("without a log: %+v", s.Settings.Workload.Source)
	}
	s.OpenFile("march.swf", "handle")
	f.answer(logPreview(hashA, 0, 900), nil)
	s.Change(func(e *experiment.Experiment) { e.Platform.Processors = 96 })
	f.answer(logPreview(hashA, 0, 900), nil)
	s.OpenPreset("foresight")
	last := f.loads[len(f.loads)-1]
	if last.file != "handle" || last.doc.Workload.Source.Log == nil || last.doc.Workload.Source.Log.SHA256 != hashA {
		t.Fatalf("asked to read %+v with %v", last.doc.Workload.Source, last.file)
	}
	f.answer(logPreview(hashA, 0, 900), nil)
	ran := f.runs[len(f.runs)-1].doc
	if ran.Workload.Source.Log == nil || ran.Platform.Processors != 96 || len(ran.Schedulers) != 4 || ran.Schedulers[1].Key != "foresight" || ran.Measures.Tau != 60 {
		t.Errorf("runs on %+v, %d processors, with %d schedulers, τ %d", ran.Workload.Source, ran.Platform.Processors, len(ran.Schedulers), ran.Measures.Tau)
	}
	if s.Preset != "foresight" || s.Edited() {
		t.Errorf("preset %q, edited %t", s.Preset, s.Edited())
	}
	s.OpenPreset("orders")
	if s.Settings.Workload.Source.Generator == nil || s.Settings.Platform.Processors != 100 {
		t.Errorf("another preset: %+v", s.Settings.Workload.Source)
	}
}

// A file that cannot be read leaves everything as it was, with a message that
// names it.
func TestUnreadableFile(t *testing.T) {
	s, f := opened(t)
	before := *s.Settings.Clone()
	s.OpenFile("photo.swf", "handle")
	f.answer(nil, errors.New("swf: this is a PNG image"))
	if !draft.Same(&before, &s.Settings) || s.Preview.Name != "daily" || s.Stale() {
		t.Error("what was loaded before is lost")
	}
	if !strings.HasPrefix(s.LoadError, "photo.swf: ") {
		t.Errorf("message %q", s.LoadError)
	}
}

// What was wrong with a file goes when something else is opened, well or not, and
// so does what was told of a document or link.
func TestOldErrorsGo(t *testing.T) {
	s, f := opened(t)
	s.OpenFile("photo.swf", "handle")
	f.answer(nil, errors.New("swf: this is a PNG image"))
	s.OpenText("broken.json", []byte("{"))
	if s.LoadError != "" || !strings.HasPrefix(s.Notice, "broken.json ") {
		t.Errorf("after a document: %q and %q", s.LoadError, s.Notice)
	}
	s.OpenFile("photo.swf", "handle")
	if s.Notice != "" {
		t.Errorf("a file is read beside %q", s.Notice)
	}
	f.answer(nil, errors.New("swf: this is a PNG image"))
	s.FollowLink("#x=damaged")
	if s.LoadError != "" || !strings.Contains(s.Notice, "link") {
		t.Errorf("after a link: %q and %q", s.LoadError, s.Notice)
	}
}

// More than one damaged line in a hundred asks first; nothing of the log is
// used until then.
func TestDamagedLogAsks(t *testing.T) {
	s, f := opened(t)
	s.OpenFile("bad.swf", 1)
	f.answer(logPreview(hashA, 10, 1000), nil)
	if s.Pending != nil || s.Preview.SHA256 != hashA {
		t.Fatal("one line in a hundred asks")
	}
	s.OpenFile("worse.swf", 2)
	f.answer(logPreview(hashB, 96, 5214), nil)
	if s.Pending == nil || s.Preview.SHA256 != hashA || s.Settings.Workload.Source.Log.SHA256 != hashA {
		t.Fatal("a damaged log is used without asking")
	}
	if s.Cleaning().Malformed != 96 || len(ProblemsCSV(s.Cleaning())) == 0 {
		t.Error("the report on show is not that of the damaged log")
	}
	s.DropPending()
	if s.Pending != nil || s.Preview.SHA256 != hashA {
		t.Error("leaving it did not")
	}
	s.OpenFile("worse.swf", 2)
	f.answer(logPreview(hashB, 96, 5214), nil)
	s.GoOn()
	if s.Pending != nil || s.Settings.Workload.Source.Log.SHA256 != hashB {
		t.Error("going on did not")
	}
}

// An answer that a later reading has overtaken is dropped.
func TestOvertakenReading(t *testing.T) {
	s, f := opened(t)
	s.OpenFile("one.swf", 1)
	s.OpenFile("two.swf", 2)
	f.loads[2].done(logPreview(hashB, 0, 10), nil)
	f.loads[1].done(logPreview(hashA, 0, 10), nil)
	if l := s.Settings.Workload.Source.Log; l == nil || l.SHA256 != hashB || l.Name != "two.swf" {
		t.Errorf("log %+v, want the second", l)
	}
}

// A link to an experiment on a log asks for that log, refuses another, and
// runs with the right one under the name of the link.
func TestWantedLog(t *testing.T) {
	s, f := opened(t)
	s.OpenFile("mine.swf", 1)
	f.answer(logPreview(hashA, 0, 900), nil)
	link := s.LinkHash(true)

	g := &fake{t: t}
	other := New(g)
	other.Start(link)
	if len(g.runs) != 0 {
		t.Fatal("it runs without its log")
	}
	g.answer(nil, errors.New("the log is not here"))
	if other.Wanted == nil || other.Wanted.SHA256 != hashA || other.CanRun() == "" {
		t.Fatalf("wanted %+v", other.Wanted)
	}
	other.OpenFile("wrong.swf", 2)
	g.answer(logPreview(hashB, 0, 900), nil)
	if other.Wanted == nil || !strings.Contains(other.LoadError, "wrong.swf is another log") {
		t.Fatalf("a wrong log: %q", other.LoadError)
	}
	other.OpenFile("renamed.swf.gz", 3)
	g.answer(logPreview(hashA, 0, 900), nil)
	if other.Wanted != nil || len(g.runs) != 1 || other.Settings.Workload.Source.Log.Name != "mine.swf" || !draft.Same(&other.Settings, &s.Settings) {
		t.Errorf("the right log: wanted %v, %d runs, %+v", other.Wanted, len(g.runs), other.Settings.Workload.Source.Log)
	}
}

// A log without a machine size makes the page ask, and run once it is told.
func TestAsksForProcessors(t *testing.T) {
	s, f := opened(t)
	s.OpenFile("sizeless.swf", 1)
	p := logPreview(hashA, 0, 900)
	p.Processors = 0
	f.answer(p, nil)
	if !s.NeedsProcessors() || s.CanRun() == "" {
		t.Fatalf("needs processors %v", s.NeedsProcessors())
	}
	s.Run()
	if len(f.runs) != 1 {
		t.Fatal("it ran without a machine")
	}
	s.SetField("processors", "64")
	f.answer(p, nil)
	if s.NeedsProcessors() || len(f.runs) != 2 || s.Processors() != 64 {
		t.Errorf("needs %v, %d runs, %d processors", s.NeedsProcessors(), len(f.runs), s.Processors())
	}
}

// Of a large log the page says first what it takes, by what runs before took a
// job; it runs once that is agreed to, and not where it is declined.
func TestLargeLogAsks(t *testing.T) {
	s, f := opened(t)
	n := len(s.Settings.Schedulers)
	large := logPreview(hashA, 0, 900)
	large.Jobs = mostJobs/n + 1
	s.OpenFile("large.swf", 1)
	f.answer(large, nil)
	if len(f.runs) != 1 || s.LargeRun == nil || s.LargeRun.Seconds != 0 || !strings.HasSuffix(s.LargeRunText(), words.Int(large.Jobs)+words.NB+"jobs each would start.") {
		t.Fatalf("%d runs, asked %q", len(f.runs), s.LargeRunText())
	}
	s.Decline()
	if len(f.runs) != 1 || s.LargeRun != nil {
		t.Fatal("declined, and yet it ran")
	}
	s.perJob = map[string]float64{}
	for _, c := range s.Settings.Schedulers {
		s.perJob[c.Key] = 1e-3
	}
	s.OpenFile("large.swf", 1)
	f.answer(large, nil)
	if text := s.LargeRunText(); s.LargeRun == nil || s.LargeRun.Seconds <= 0 || !strings.Contains(text, "take about") {
		t.Fatalf("asked %q", text)
	}
	s.Agree()
	if len(f.runs) != 2 || f.runs[1].doc.Workload.Source.Log.SHA256 != hashA || s.LargeRun != nil {
		t.Fatalf("agreed: %d runs", len(f.runs))
	}
}

// Pressing Run while a log is still being read runs when it has been read.
func TestRunWaitsForTheLog(t *testing.T) {
	s, f := opened(t)
	s.OpenFile("slow.swf", 1)
	s.Run()
	if len(f.runs) != 1 {
		t.Fatal("it ran before the log was read")
	}
	f.answer(logPreview(hashA, 0, 900), nil)
	if len(f.runs) != 2 || f.runs[1].doc.Workload.Source.Log.SHA256 != hashA {
		t.Errorf("%d runs", len(f.runs))
	}
}

// Intent: a lesson at fault is refused with the line of the file and the path of
// each fault, and what was open stays.
func TestLessonAtFault(t *testing.T) {
	s, _ := opened(t)
	for text, want := range map[string]string{
		"{\"batchlab-lesson\":1,\"title\":\"T\",\n\"steps\":[{\"text\":\"One.\",\n\"case\":\"whole\"}]}":  "a.json is no lesson that can be opened: line 3: steps[0].case: unknown case \"whole\"; did you mean \"hole\"?",
		"{\"batchlab-lesson\":1,\"title\":\"T\",\n\"steps\":[{\"case\":\"hole\"},\n{\"case\":\"hole\"}]}": "a.json is no lesson that can be opened: line 2: steps[0].text: missing\nline 3: steps[1].text: missing",
		"{\"batchlab-lesson\":1,\n": "a.json is no lesson that can be opened: line 2, column 1: the document ends too early",
	} {
		if !s.OpenLesson("a.json", []byte(text)) || s.Notice != want {
			t.Errorf("said %q\nwant %q", s.Notice, want)
		}
		if s.Place.Key != "" || s.Preset != "demo" {
			t.Errorf("place %+v, preset %q", s.Place, s.Preset)
		}
	}
}

// Intent: results keep the dates of the log that they are of while another waits to
// be run, and take those of the other once it is.
func TestDatesOfResults(t *testing.T) {
	s, f := opened(t)
	dated := func(hash string, unix int64, processors int) *report.Preview {
		p := logPreview(hash, 0, 900)
		p.UnixStart, p.Processors = unix, processors
		return p
	}
	s.OpenFile("first.swf", 1)
	f.answer(dated(hashA, 1000, 128), nil)
	if p := s.ShownWorkload(); p == nil || p.UnixStart != 1000 {
		t.Fatalf("shown by %+v", p)
	}
	s.OpenFile("second.swf", 2)
	f.answer(dated(hashB, 2000, 0), nil)
	if !s.NeedsProcessors() || !s.Stale() || s.Preview.UnixStart != 2000 {
		t.Fatal("the second log does not wait for its processors")
	}
	if p := s.ShownWorkload(); p == nil || p.UnixStart != 1000 {
		t.Errorf("old results are shown by %+v", p)
	}
	s.SetField("processors", "64")
	f.answer(dated(hashB, 2000, 64), nil)
	if p := s.ShownWorkload(); s.Stale() || p == nil || p.UnixStart != 2000 {
		t.Errorf("stale %t, new results are shown by %+v", s.Stale(), p)
	}
}
