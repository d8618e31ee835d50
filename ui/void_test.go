package ui

import (
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/metric"
	"batchlab/core/report"
	"batchlab/ui/view/overview"
)

// few is a log of so many jobs on a machine of 10 processors, one every gap seconds,
// of which every nth states no requested time (0: all state one), under FCFS and EASY.
func few(t *testing.T, jobs int, gap int64, silent, repeat int) *experiment.Experiment {
	t.Helper()
	e := experiment.New()
	in := &experiment.Inline{Processors: 10, Columns: []string{"submit", "procs", "requested", "run"}}
	for i := range int64(jobs) {
		request := int64(7200)
		if silent > 0 && i%int64(silent) == 0 {
			request = -1
		}
		in.Rows = append(in.Rows, []int64{i * gap, 1 + i%7, request, 1800 + i*37%3600})
	}
	e.Workload.Source.Inline = in
	for _, key := range []string{"fcfs", "easy"} {
		row, err := e.Add(key)
		if err != nil {
			t.Fatal(err)
		}
		row.Repeat = int64(repeat)
	}
	return e
}

// Intent: a verdict names first what voids it, in the same words on the page, in the
// report and in what the command line compares: no job waits, so that there is nothing
// to compare; most jobs state no requested time, so that schedulers were given true
// run times; a handful of jobs; one workload. Where a comparison is void no number
// beside it is green or red. Where nothing is amiss nothing is said.
func TestVerdictNamesFirstWhatVoidsIt(t *testing.T) {
	root, g := page(t)
	s := root.P.S
	for _, c := range []struct {
		name    string
		e       *experiment.Experiment
		reasons string
		line    string // begins the headline, "" the usual one
		first   string
	}{
		{"most state no request", few(t, 200, 1500, 1, 1), "no-requests one-workload", "", "200 of 200 jobs state no requested time."},
		{"half of them do", few(t, 200, 1500, 2, 1), "one-workload", "", "This is one workload"},
		{"nobody waits", few(t, 200, 90000, 0, 1), "nobody-waits one-workload", "Nobody waits: the machine always has room", ""},
		{"a dozen jobs", few(t, 12, 600, 0, 1), "few-jobs one-workload", "", "With 12 jobs this is an example, not a measurement."},
		{"one repeat after all", few(t, 200, 1500, 0, 5), "one-workload", "", "This is one workload: we can't tell whether others would agree."},
	} {
		s.Open(c.e, "", true)
		g.work()
		s.Pick(1)
		list := s.Caveats(1, 0)
		var reasons []string
		void := false
		for _, v := range list {
			reasons, void = append(reasons, v.Reason), void || v.Void
		}
		if got := strings.Join(reasons, " "); got != c.reasons {
			t.Errorf("%s: %s, want %s", c.name, got, c.reasons)
		}
		found := s.Finding()
		if c.line != "" && !strings.HasPrefix(found.Line, c.line) || c.line == "" && !strings.Contains(found.Line, "under EASY") {
			t.Errorf("%s: the headline is %q", c.name, found.Line)
		}
		if c.first != "" && !strings.HasPrefix(strings.Join(found.First, " "), c.first) {
			t.Errorf("%s: first %q is said", c.name, found.First)
		}
		shown, said := plainText(html(t, root)), plainText(string(overview.Report(root.P.S, root.P.title(), nil)))
		over := &overview.Panel{Store: root.P.S}
		for _, text := range append(found.First, found.Line) {
			has(t, shown, plainText(text))
			has(t, said, plainText(text))
		}
		if len(found.First) > 0 && strings.Index(shown, found.First[0]) > strings.Index(shown, plainText(found.Line)) {
			t.Errorf("%s: what voids it stands behind the verdict", c.name)
		}
		for _, row := range over.Cards() {
			if class := over.DiffClass(row); void && class != "faint" {
				t.Errorf("%s: %s is %s", c.name, row.Key, class)
			} else if void && !strings.HasPrefix(over.Said(row), list[0].Text) {
				t.Errorf("%s: the card says %q", c.name, over.Said(row))
			}
		}
		var runs []*report.Run // as the command line has them
		if _, err := lab.Run(c.e, lab.Env{}, lab.Options{}, func(_ lab.RunID, _ *lab.Prepared, r *lab.Result) error {
			runs = append(runs, r.Report)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for i, v := range metric.Caveats(runs) {
			if i >= len(list) || v != list[i] {
				t.Errorf("%s: the command line says %+v, the page %+v", c.name, v, list)
			}
		}
	}
	e, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":300,"processors":32}}}},"schedulers":[{"key":"fcfs","repeat":5},{"key":"easy","repeat":5}]}`))
	if err != nil {
		t.Fatal(err)
	}
	s.Open(e, "", true)
	g.work()
	s.Pick(1)
	if list := s.Caveats(1, 0); len(list) > 0 || len(s.Finding().First) > 0 {
		t.Errorf("five workloads of 300 jobs: %+v", list)
	}
	if more := s.Finding().More; !strings.Contains(more, "Too few jobs in a run to say anything of: ") {
		t.Errorf("300 jobs, and every class has enough: %q", more)
	}
}
