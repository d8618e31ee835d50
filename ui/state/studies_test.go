package state

import (
	"errors"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/ui/engine"
	"batchlab/ui/look"
)

// scholar is an engine that knows two presets.
type scholar struct {
	fake
	log     *experiment.Log
	news    func(engine.StudyNews)
	stopped bool
	asked   int
	results func(map[string]engine.StudyResult, error)

	document func(text string, err error)
}

// Intent: the experiment behind a preset opens without a run of the preset, on
// the log that it would take; an error stands beside the preset, and what was
// asked for twice is asked for once.
func TestOpenStudy(t *testing.T) {
	f := &scholar{}
	f.t = t
	s := New(f)
	s.AskPapers()
	if s.OpenStudy(func() { t.Error("open without the log that it needs") }); s.Studies.Opening != "" {
		t.Error("it opens without its log")
	}
	s.ChoosePaper("b2001-figure1")
	s.OpenStudy(func() {})
	f.document("", errors.New("broken"))
	if s.Studies.Errors["b2001-figure1"] != "broken" || s.Studies.Opening != "" {
		t.Errorf("%+v", s.Studies)
	}
	opened := 0
	s.OpenStudy(func() { opened++ })
	again := f.document
	s.OpenStudy(func() { t.Error("asked for twice") })
	again(`{"batchlab":1,"seed":77,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"fcfs"}]}`, nil)
	if opened != 1 || s.Settings.Seed != 77 || s.Studies.Opening != "" || s.Studies.Errors["b2001-figure1"] != "" {
		t.Errorf("opened %d times, %+v", opened, s.Settings)
	}
}

func (f *scholar) Papers(done func(*engine.Library, error)) {
	one, two, three := 1.0, 2.0, 3.0
	done(&engine.Library{Studies: []engine.Study{{Key: "a2000"}, {Key: "b2001"}}, Papers: []engine.Paper{
		{Key: "a2000-table1", Study: "a2000", Log: "KTH", SHA256: strings.Repeat("a", 64), Needs: true},
		{Key: "b2001-figure1", Study: "b2001", AnyLog: true, Log: "SDSC",
			Published: []engine.StudyRow{{Label: "x", Column: "c", Paper: &one, Unit: "s"}, {Label: "y", Column: "c", Paper: &two}},
			Quoted:    engine.StudyResult{Rows: []engine.StudyRow{{Label: "y", Column: "c", Ours: &three}, {Label: "z", Column: "c", Ours: &one}}}},
	}}, nil)
}

func (f *scholar) Results(done func(map[string]engine.StudyResult, error)) {
	f.asked++
	f.results = done
}

func (f *scholar) Document(key string, quick bool, log *experiment.Log, _ any, done func(engine.StudyDocument, error)) {
	f.log, f.document = log, func(text string, err error) { done(engine.StudyDocument{Document: text, Whole: quick}, err) }
}

func (f *scholar) Study(_ string, _ bool, log *experiment.Log, _ any, news func(engine.StudyNews)) func() {
	f.log, f.news = log, news
	return func() { f.stopped = true }
}

// Intent: a preset runs on the log it wants when that is kept, by hash or by
// name, and not without one that it needs; its rows sort, go into a file, and
// an error is kept beside it.
func TestStudies(t *testing.T) {
	f := &scholar{}
	f.t = t
	s := New(f)
	look.Places = append(look.Places, look.PapersPlace)
	if s.OpenPapers("a2000-table1"); s.Studies.Chosen != "a2000-table1" || !s.Studies.Quick {
		t.Fatalf("%+v", s.Studies)
	}
	s.RunPaper()
	if s.Studies.Running != "" {
		t.Error("it runs without the log that it needs")
	}
	s.Kept = []engine.KeptLog{{Log: experiment.Log{Name: "SDSC-SP2.swf", SHA256: strings.Repeat("b", 64)}}, {Log: experiment.Log{Name: "renamed.swf", SHA256: strings.Repeat("a", 64)}},
		{Log: experiment.Log{Name: "KTH-needs.csv", SHA256: strings.Repeat("c", 64)}, Kind: "needs"}}
	if l := s.PaperLog(s.Paper("a2000-table1")); l == nil || l.Name != "renamed.swf" {
		t.Fatalf("it would run on %v", l)
	}
	s.RunPaper()
	s.StopPaper()
	one, two, half := 1.5, -2.0, 0.25
	f.news(engine.StudyNews{Over: true, Result: &engine.StudyResult{Key: "a2000-table1", Rows: []engine.StudyRow{
		{Label: "x", Column: "p, q", Ours: &one, Half: &half, Unit: "s"}, {Label: "y", Column: "p", Ours: nil, Paper: &two}, {Label: "z", Column: "p", Ours: &two}}}})
	if f.log.Name != "renamed.swf" || !f.stopped || s.Studies.Running != "" || s.Studies.Runs != 1 {
		t.Errorf("%v, %+v", f.log, s.Studies)
	}
	order := func() (text string) {
		for _, r := range s.PaperRows() {
			text += r.Label
		}
		return text
	}
	for _, want := range []string{"zxy", "yxz", "xyz"} {
		if s.SortPaper(3); order() != want {
			t.Errorf("sorted %s instead of %s", order(), want)
		}
	}
	if want := "label,column,ours,half_interval_95,paper,unit\nx,\"p, q\",1.5,0.25,,s\ny,p,,,-2,\nz,p,-2,,,\n"; string(s.PaperCSV()) != want {
		t.Errorf("%s", s.PaperCSV())
	}
	s.ChoosePaper("b2001-figure1")
	if s.SetPaperLog("none"); s.PaperLog(s.Paper("b2001-figure1")) != nil {
		t.Error("a stand-in was asked for")
	}
	s.RunPaper()
	f.news(engine.StudyNews{Over: true, Err: errors.New("too large")})
	if s.Studies.Errors["b2001-figure1"] != "too large" || f.log != nil {
		t.Errorf("%v, %v", s.Studies.Errors, f.log)
	}
}

// Intent: what a paper prints stands beside ours whatever it ran on, and before
// it has run beside what claims quote; nothing is there twice or lost.
func TestPrintedBesideOurs(t *testing.T) {
	f := &scholar{}
	s := New(f)
	if s.OpenPapers(""); f.asked > 0 {
		t.Error("results are loaded before a study is open")
	}
	s.OpenPapers("b2001-figure1")
	said := func() string { return string(s.PaperCSV()) }
	if f.asked != 1 {
		t.Errorf("results of runs in full were asked for %d times", f.asked)
	}
	const head = "label,column,ours,half_interval_95,paper,unit\n"
	if want := head + "x,c,,,1,s\ny,c,3,,2,\nz,c,1,,,\n"; said() != want {
		t.Errorf("before it has run:\n%s", said())
	}
	ours := 7.5
	f.results(map[string]engine.StudyResult{"b2001-figure1": {Digest: "d", Rows: []engine.StudyRow{{Label: "y", Column: "c", Ours: &ours}, {Label: "w", Column: "c", Ours: &ours}}}}, nil)
	if want := head + "x,c,,,1,s\ny,c,7.5,,2,\nw,c,7.5,,,\n"; said() != want {
		t.Errorf("with what a run in full gave:\n%s", said())
	}
	s.OpenPapers("a2000-table1")
	if f.asked != 1 {
		t.Error("they are asked for again")
	}
	s.OpenPapers("b2001-figure1")
	s.Studies.Results = map[string]*engine.StudyResult{"b2001-figure1": {StandIn: true, Rows: []engine.StudyRow{{Label: "q", Column: "c", Ours: &ours}, {Label: "y", Column: "c", Ours: &ours}}}}
	if want := head + "q,c,7.5,,,\ny,c,7.5,,2,\nx,c,,,1,s\n"; said() != want {
		t.Errorf("on a stand-in:\n%s", said())
	}
}

// Intent: the address of a place opens it, alone or behind an experiment; a place
// or a table that is not known is said and harms nothing; and a lesson of
// somebody's own, which an address of its own holds, has none here.
func TestPlacesInAddresses(t *testing.T) {
	look.Places = []string{"lessons", "cases", look.PapersPlace}
	s, _ := opened(t)
	s.engine = &scholar{}
	for _, c := range []struct{ go_, text, where, chosen string }{
		{"papers", "papers", "#papers", ""}, {"papers.b2001", "papers.b2001", "#papers.b2001", ""}, {"papers.b2001-figure1", "papers.b2001-figure1", "#papers.b2001-figure1", "b2001-figure1"},
		{"lessons.hole", "lessons.hole", "#lessons.hole", "b2001-figure1"}, {"nowhere.at-all", "", "overview", "b2001-figure1"}, {"papers.c2002-table9", "papers", "#papers", ""},
	} {
		s.GoPlace(c.go_)
		if s.PlaceText() != c.text || s.Where() != c.where || s.Studies.Chosen != c.chosen {
			t.Errorf("%s: at %q, %q, looking at %q", c.go_, s.PlaceText(), s.Where(), s.Studies.Chosen)
		}
		if hash, ok := s.Session(); !ok || experiment.LinkPart(hash, "p") != c.text || c.text != "" && hash != "#p="+c.text {
			t.Errorf("%s: the address is %q, %v", c.go_, hash, ok)
		}
	}
	if !strings.Contains(s.Notice, "c2002-table9") {
		t.Errorf("nothing is said of a table that there is not: %q", s.Notice)
	}
	s.ShowTab("gantt")
	s.OpenPapers("b2001")
	hash, _ := s.Session()
	other, _ := opened(t)
	f := &scholar{}
	f.t, other.engine = t, f
	other.FollowLink("#p=papers.a2000-table1")
	if other.PlaceText() != "papers.a2000-table1" || other.View.Tab != "overview" {
		t.Errorf("a place alone: %q, %s", other.PlaceText(), other.View.Tab)
	}
	other.FollowLink(hash)
	if other.PlaceText() != "papers.b2001" {
		t.Errorf("%s opens at %q", hash, other.PlaceText())
	}
	s.ShowPlace(look.Place{Key: "lessons", Lesson: &experiment.Lesson{}})
	if s.PlaceText() != "" {
		t.Errorf("a lesson of somebody's own: %q", s.PlaceText())
	}
}
