package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/ui/look"
)

// surveyor is an engine that reads configurations.
type surveyor struct {
	*fake
	files [][]any
	logs  []*experiment.Log
	done  []func(*report.Conf, error)
}

func (e *surveyor) Machine(doc experiment.Experiment, files []any, done func(*report.Conf, error)) {
	e.files, e.logs, e.done = append(e.files, files), append(e.logs, doc.Workload.Source.Log), append(e.done, done)
}

func (e *surveyor) Join(files []any) any { return fmt.Sprint(files...) }

var _ engine.ClusterReader = (*surveyor)(nil)

// Intent: the files of several months, dropped together with a configuration in any order
// of size, are one log, in the order of their names; one alone is opened as it is.
func TestSeveralMonths(t *testing.T) {
	month := &report.Preview{Jobs: 2, Processors: 12, Import: &report.Import{Jobs: 2, Format: "sacct"}}
	for _, size := range []int64{1, 5000} {
		e := &surveyor{fake: &fake{t: t}}
		s := New(e)
		s.Open(twoSchedulers(t), "", false)
		e.answer(&report.Preview{Name: "demo", Jobs: 5, Processors: 10}, nil)
		s.OpenFiles([]Dropped{{Name: "2026-03.psv", Size: 900, File: "c"}, {Name: "2026-01.psv", Size: 901, File: "a"}, {Name: "slurm.conf", Size: size, File: "conf"}, {Name: "2026-02.psv", Size: 902, File: "b"}})
		for range 4 {
			if e.loads[len(e.loads)-1].file != "conf" {
				e.answer(month, nil)
				continue
			}
			e.answer(nil, engine.ErrMachine)
			e.done[0](&report.Conf{Nodes: 3}, nil)
		}
		last := e.loads[len(e.loads)-1]
		if last.file != "abc" || last.doc.Workload.Source.Log.Name != "2026-01.psv and 2 more" || s.Settings.Workload.Source.Log != nil {
			t.Fatalf("%v %+v", last.file, last.doc.Workload.Source.Log)
		}
		whole := *month
		whole.SHA256 = strings.Repeat("ab", 32)
		e.answer(&whole, nil)
		if l := s.Settings.Workload.Source.Log; l == nil || l.SHA256 != whole.SHA256 || s.parts != nil {
			t.Fatalf("%+v %v", l, s.parts)
		}
	}
	e := &surveyor{fake: &fake{t: t}}
	s := New(e)
	s.OpenFiles([]Dropped{{Name: "a.psv", Size: 1, File: "a"}, {Name: "slurm.conf", Size: 2, File: "conf"}})
	e.answer(month, nil)
	e.answer(nil, engine.ErrMachine)
	e.done[0](&report.Conf{Nodes: 3}, nil)
	if last := e.loads[len(e.loads)-1]; last.file != "a" || last.doc.Workload.Source.Log.Name != "a.psv" {
		t.Fatalf("%v", last.file)
	}
}

// Intent: jobs and what describes their cluster, dropped together in any order, are
// opened one after the other; the machine is the platform when the jobs come, the tab
// that says how all was understood opens, and the platform is one step to take back.
func TestOpenFiles(t *testing.T) {
	look.Tabs = append(look.Tabs, look.ImportTab)
	e := &surveyor{fake: &fake{t: t}}
	s := New(e)
	s.Open(twoSchedulers(t), "", false)
	e.answer(&report.Preview{Name: "demo", Jobs: 5, Processors: 10}, nil)
	s.OpenFiles([]Dropped{{Name: "jobs.psv", Size: 900, File: "jobs"}, {Name: "slurm.conf", Size: 20, File: "conf"}})
	loads := len(e.loads)
	if e.loads[loads-1].file != "conf" {
		t.Fatalf("%v is read first", e.loads[loads-1].file)
	}
	e.answer(nil, engine.ErrMachine)
	if len(e.done) != 1 || len(e.files[0]) != 1 || len(e.loads) != loads {
		t.Fatalf("%v %d", e.files, len(e.loads))
	}
	e.done[0](&report.Conf{Nodes: 3, Processors: 12, Platform: json.RawMessage(`{"clusters":[{"name":"cluster","groups":[{"count":3,"processors":4}]}]}`)}, nil)
	if p := s.Settings.Platform; len(p.Clusters) != 1 || p.Clusters[0].Groups[0].Count != 3 || p.Processors != 0 {
		t.Fatalf("%+v", p)
	}
	last := e.loads[len(e.loads)-1]
	if last.file != "jobs" || len(last.doc.Platform.Clusters) != 1 {
		t.Fatalf("%v %+v", last.file, last.doc.Platform)
	}
	e.answer(&report.Preview{Name: "jobs.psv", Jobs: 2, Processors: 12, SHA256: strings.Repeat("ab", 32), Size: 900, Import: &report.Import{Jobs: 2, Pauses: []report.Pause{{From: 10, To: 5000}}}}, nil)
	if s.View.Tab != look.ImportTab || s.Machine == nil || len(s.Settings.Platform.Clusters) != 1 {
		t.Errorf("tab %s, %+v", s.View.Tab, s.Settings.Platform)
	}
	if len(s.Settings.Schedulers) != 2 {
		t.Error("what happened is set beside others, although nobody knows what did")
	}
	s.MakeOutages(s.Preview.Import.Pauses)
	s.MakeOutages(s.Preview.Import.Pauses)
	if o := s.Settings.Platform.Outages; len(o) != 1 || o[0].To != 5000 || !o[0].Announced || !s.IsOutage(report.Pause{From: 10, To: 5000}) {
		t.Errorf("%+v", o)
	}
	s.SetLogZone("Europe/Prague")
	if l := s.Settings.Workload.Source.Log; l.Zone != "Europe/Prague" || e.loads[len(e.loads)-1].doc.Workload.Source.Log.Zone != "Europe/Prague" {
		t.Errorf("%+v", l)
	}
	// A second file of the cluster is read together with the first; one of the same name
	// takes its place.
	s.OpenFile("qos.psv", "qos")
	e.answer(nil, engine.ErrMachine)
	if got := e.files[len(e.files)-1]; len(got) != 2 || got[0] != "conf" || got[1] != "qos" {
		t.Errorf("%v", got)
	}
	e.done[len(e.done)-1](&report.Conf{Nodes: 3}, nil)
	s.OpenFile("slurm.conf", "other")
	e.answer(nil, engine.ErrMachine)
	if got := e.files[len(e.files)-1]; len(got) != 2 || got[0] != "qos" || got[1] != "other" {
		t.Errorf("%v", got)
	}
	e.done[len(e.done)-1](nil, errors.New("intake: damaged"))
	if s.LoadError != "slurm.conf: damaged" || s.Machine == nil || s.Machine.Nodes != 3 {
		t.Errorf("%q %+v", s.LoadError, s.Machine)
	}
}

// Intent: partitions and QOS of a configuration get the numbers by which the jobs name
// them, whichever comes first; else jobs would fall under the limits of another.
func TestSharesAreNumbered(t *testing.T) {
	conf := &report.Conf{Nodes: 2, Processors: 8, Platform: json.RawMessage(`{"clusters":[{"name":"cluster","groups":[{"count":2,"processors":4}]}],
		"partitions":[{"name":"long","number":1},{"name":"short","number":2},{"name":"gone","number":3}],"qos":[{"name":"normal","number":1}]}`)}
	jobs := &report.Preview{Name: "jobs.psv", Jobs: 2, Processors: 8, SHA256: strings.Repeat("ab", 32), Size: 900, Import: &report.Import{Jobs: 2,
		Partitions: []report.PartitionUse{{Number: 1, Name: "short"}, {Number: 2, Name: "long"}}, QOS: []report.Named{{Number: 4, Name: "normal"}}}}
	for _, first := range []string{"conf", "jobs"} {
		e := &surveyor{fake: &fake{t: t}}
		s := New(e)
		s.Open(twoSchedulers(t), "", false)
		e.answer(&report.Preview{Name: "demo", Jobs: 5, Processors: 10}, nil)
		open := map[string]func(){
			"conf": func() {
				s.OpenFile("slurm.conf", "conf")
				e.answer(nil, engine.ErrMachine)
				e.done[0](conf, nil)
			},
			"jobs": func() {
				s.OpenFile("jobs.psv", "jobs")
				e.answer(jobs, nil)
			},
		}
		open[first]()
		open[map[string]string{"conf": "jobs", "jobs": "conf"}[first]]()
		p := s.Settings.Platform
		if len(p.Partitions) != 3 || p.Partitions[0].Number != 2 || p.Partitions[1].Number != 1 || p.Partitions[2].Number <= 4 || p.QOS[0].Number != 4 {
			t.Errorf("%s first: %+v %+v", first, p.Partitions, p.QOS)
		}
		if err := s.Settings.Validate(); err != nil {
			t.Error(err)
		}
	}
}

// Intent: accounts are known by numbers that only the jobs' log tells: where the
// configuration was there before, it is read once more beside the log, accounts and
// nothing else are taken of it, and only then the schedulers run.
func TestAccountsAfterJobs(t *testing.T) {
	look.Tabs = append(look.Tabs, look.ImportTab)
	e := &surveyor{fake: &fake{t: t}}
	s := New(e)
	s.Open(twoSchedulers(t), "", false)
	e.answer(&report.Preview{Name: "demo", Jobs: 5, Processors: 10}, nil)
	s.OpenFile("assoc.psv", "assoc")
	e.answer(nil, engine.ErrMachine)
	one := report.Conf{Nodes: 3, Processors: 12, Accounts: []report.ConfAccount{{Shares: 1}}, Platform: json.RawMessage(`{"clusters":[{"name":"cluster","groups":[{"count":3,"processors":4}]}],"partitions":[{"name":"p","number":1}]}`)}
	e.done[0](&one, nil)
	if e.logs[0] != nil || s.Settings.Platform.Accounts != nil {
		t.Fatalf("%+v", s.Settings.Platform)
	}
	s.Change(func(d *experiment.Experiment) { d.Platform.Partitions[0].MaxTime = 60 })
	e.answer(&report.Preview{Name: "demo", Jobs: 5, Processors: 12}, nil)
	s.OpenFile("jobs.psv", "jobs")
	sha := strings.Repeat("ab", 32)
	e.answer(&report.Preview{Name: "jobs.psv", Jobs: 2, Processors: 12, SHA256: sha, Size: 900, Import: &report.Import{Jobs: 2}}, nil)
	if len(e.done) != 2 || e.logs[1] == nil || e.logs[1].SHA256 != sha || s.Active() {
		t.Fatalf("%d readings, of %v; running: %v", len(e.done), e.logs, s.Active())
	}
	two := one
	two.Platform = json.RawMessage(`{"clusters":[{"name":"cluster","groups":[{"count":3,"processors":4}]}],"partitions":[{"name":"p","number":1}],"accounts":[{"number":7,"shares":2}]}`)
	e.done[1](&two, nil)
	if p := s.Settings.Platform; len(p.Accounts) != 1 || p.Accounts[0].Number != 7 || p.Partitions[0].MaxTime != 60 {
		t.Errorf("%+v", p)
	}
	if l := e.loads[len(e.loads)-1]; l.doc.Platform.Accounts != nil {
		e.answer(&report.Preview{Name: "jobs.psv", Jobs: 2, Processors: 12, SHA256: sha, Size: 900, Import: &report.Import{Jobs: 2}}, nil)
	}
	if !s.Active() {
		t.Error("nothing runs")
	}
}

// Intent: of a table whose columns are not known the tab of imports asks; with an answer it
// is read as a new log with these columns, which the settings then hold, and the question
// is gone. Of one that could be read the answer is a step of the settings. An experiment
// that says what the columns are and asks for its table reads it so when it comes.
func TestColumnsOfATable(t *testing.T) {
	look.Tabs = append(look.Tabs, look.ImportTab)
	e := &surveyor{fake: &fake{t: t}}
	s := New(e)
	s.Open(twoSchedulers(t), "", false)
	e.answer(&report.Preview{Name: "demo", Jobs: 5, Processors: 10}, nil)
	sha := strings.Repeat("cd", 32)
	table := &report.Table{Why: "what?", SHA256: sha, Size: 70, Wanted: []report.Wanted{{Key: "submit", Column: -1}}}
	s.OpenFile("jobs.csv", "file")
	e.answer(nil, table)
	if s.Mapping == nil || s.Mapping.Name != "jobs.csv" || s.LoadError != "" || s.View.Tab != look.ImportTab || s.Settings.Workload.Source.Log != nil {
		t.Fatalf("%+v %q", s.Mapping, s.LoadError)
	}
	s.SetColumns(map[string]string{"submit": "asked", "run": "took"})
	last := e.loads[len(e.loads)-1]
	if l := last.doc.Workload.Source.Log; last.file != "file" || l.SHA256 != sha || l.Size != 70 || fmt.Sprint(l.ColumnMap()) != "map[run:took submit:asked]" {
		t.Fatalf("%v %+v", last.file, l)
	}
	e.answer(nil, errors.New("csv: line 2: no"))
	if s.Mapping == nil || !strings.Contains(s.LoadError, "line 2") {
		t.Fatalf("%+v %q", s.Mapping, s.LoadError)
	}
	s.SetColumns(map[string]string{"submit": "asked", "run": "took", "procs": "n"})
	read := &report.Preview{Name: "jobs.csv", Jobs: 2, Processors: 12, SHA256: sha, Size: 70, Import: &report.Import{Jobs: 2, Format: "csv", BusyTo: 60}, Table: table}
	e.answer(read, nil)
	if list := s.Settings.Schedulers; len(list) != 3 || list[2].Key != "as-logged" {
		t.Errorf("%+v: what happened does not stand beside the others", list)
	}
	if l := s.Settings.Workload.Source.Log; s.Mapping != nil || len(l.ColumnMap()) != 3 || l.SHA256 != sha {
		t.Fatalf("%+v %+v", s.Mapping, l)
	}
	s.AskColumns()
	if s.Mapping == nil || s.Mapping.Name != "" {
		t.Fatal("nothing is asked")
	}
	s.LeaveColumns()
	s.AskColumns()
	s.SetColumns(map[string]string{"submit": "asked", "run": "took", "procs": "m"})
	if l := e.loads[len(e.loads)-1].doc.Workload.Source.Log; s.Mapping != nil || l.ColumnMap()["procs"] != "m" || l.SHA256 != sha {
		t.Fatalf("%+v %+v", s.Mapping, l)
	}
	e.answer(read, nil)
	// A link that names the columns.
	doc := s.Settings.Clone()
	doc.Workload.Source.Log.SHA256 = strings.Repeat("ef", 32)
	s.Open(doc, "", false)
	e.answer(nil, errors.New("the log is not here"))
	if s.Wanted == nil {
		t.Fatal("the log is not asked for")
	}
	s.OpenFile("other name.csv", "again")
	wanted := *table
	wanted.SHA256 = doc.Workload.Source.Log.SHA256
	e.answer(nil, &wanted)
	if last := e.loads[len(e.loads)-1]; last.file != "again" || last.doc.Workload.Source.Log.ColumnMap()["procs"] != "m" || s.Mapping != nil {
		t.Fatalf("%v %+v", last.file, last.doc.Workload.Source.Log)
	}
}

// Intent: of several tables that nobody knows, dropped at once with a configuration or one
// after the other, each is asked about and none is forgotten, whatever else is read
// meanwhile; those with the same columns become one log by one answer.
func TestSeveralTables(t *testing.T) {
	look.Tabs = append(look.Tabs, look.ImportTab)
	table := func(columns ...string) *report.Table {
		out := &report.Table{Why: "what?", SHA256: strings.Repeat("cd", 32), Size: 70}
		for _, c := range columns {
			out.Columns = append(out.Columns, report.TableColumn{Name: c})
		}
		return out
	}
	read := func(jobs int, format string) *report.Preview {
		return &report.Preview{Jobs: jobs, Processors: 12, SHA256: strings.Repeat("ef", 32), Import: &report.Import{Jobs: jobs, Format: format}}
	}
	e := &surveyor{fake: &fake{t: t}}
	s := New(e)
	s.Open(twoSchedulers(t), "", false)
	e.answer(&report.Preview{Name: "demo", Jobs: 5, Processors: 10}, nil)
	s.OpenFiles([]Dropped{{Name: "b.csv", Size: 2, File: "b"}, {Name: "a.csv", Size: 1, File: "a"}, {Name: "slurm.conf", Size: 3, File: "conf"}, {Name: "other.csv", Size: 4, File: "o"}})
	e.answer(nil, table("x", "y"))
	e.answer(nil, table("x", "y"))
	e.answer(nil, engine.ErrMachine)
	e.done[0](&report.Conf{Nodes: 3}, nil)
	e.answer(nil, table("z"))
	if s.Mapping == nil || s.Mapping.Name != "a.csv" || s.MoreTables() != 2 || s.Machine == nil {
		t.Fatalf("%+v and %d more", s.Mapping, s.MoreTables())
	}
	// Accounting that is known is read; the questions stay.
	s.OpenFile("jobs.psv", "p")
	e.answer(read(7, "sacct"), nil)
	if s.Mapping == nil || s.Mapping.Name != "a.csv" || s.MoreTables() != 2 || s.Preview.Jobs != 7 {
		t.Fatalf("%+v and %d more", s.Mapping, s.MoreTables())
	}
	// One answer that does not do is asked again; one that does is that of both.
	s.SetColumns(map[string]string{"submit": "x"})
	e.answer(nil, table("x", "y"))
	e.answer(nil, table("x", "y"))
	if s.Mapping == nil || s.Mapping.Name != "a.csv" || s.MoreTables() != 2 {
		t.Fatalf("%+v and %d more", s.Mapping, s.MoreTables())
	}
	s.SetColumns(map[string]string{"submit": "x", "run": "y"})
	e.answer(read(1, "csv"), nil)
	e.answer(read(2, "csv"), nil)
	if last := e.loads[len(e.loads)-1]; last.file != "ab" || len(last.doc.Workload.Source.Log.ColumnMap()) != 2 || last.doc.Workload.Source.Log.Name != "a.csv and 1 more" {
		t.Fatalf("%v %+v", last.file, last.doc.Workload.Source.Log)
	}
	e.answer(read(3, "csv"), nil)
	if s.Preview.Jobs != 3 || s.Mapping == nil || s.Mapping.Name != "other.csv" || s.MoreTables() != 0 || s.Machine == nil {
		t.Fatalf("%d jobs, %+v and %d more", s.Preview.Jobs, s.Mapping, s.MoreTables())
	}
	s.LeaveColumns()
	if s.Mapping != nil || s.Preview.Jobs != 3 {
		t.Fatal("the last question is not taken back")
	}
}
