package chart

import (
	"regexp"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
)

// four is four jobs: without a deadline, in time, late, and never run.
func four() (*report.Jobs, *report.Columns) {
	jobs := &report.Jobs{Number: []int64{1, 2, 3, 4}, Submit: []model.Time{0, 0, 0, 0}, Limit: []model.Time{600, 600, 600, 600}, Run: []model.Time{600, 600, 600, 600},
		Procs: []int32{1, 1, 1, 1}, User: []int32{1, 1, 1, 1}, Queue: []int32{1, 1, 1, 1},
		Due: []model.Time{0, 900, 900, 900}, NeedFrom: []int32{0, 0, 1, 3, 3}, Needs: []model.LicenceNeed{{Licence: 1, Copies: 1}, {Licence: 0, Copies: 2}, {Licence: 1, Copies: 1}}}
	cols := &report.Columns{Start: []model.Time{0, 0, 600, -1}, End: []model.Time{600, 600, 1200, -1},
		Spans: []report.Span{{Job: 0, First: 0, Count: 1}, {Job: 1, First: 1, Count: 1}, {Job: 2, First: 0, Count: 1}}}
	return jobs, cols
}

// Missed deadlines have a colour of their own in both themes, told apart from
// those met and from jobs without one, and are named in the legend.
func TestDeadlineColours(t *testing.T) {
	jobs, cols := four()
	for _, isDark := range []bool{false, true} {
		got, legend := Colours(isDark).JobColors("deadline", jobs, cols, nil, nil, 2, 10)
		if got[2] != got[3] || got[0] == got[1] || got[1] == got[2] || got[0] == got[2] {
			t.Errorf("dark %v: %v", isDark, got)
		}
		if len(legend.Swatches) != 3 || legend.Swatches[1] != (Swatch{"deadline missed", got[2]}) || legend.Swatches[0].Color != got[1] {
			t.Errorf("dark %v: %+v", isDark, legend)
		}
	}
	if m := MarksOf(jobs, cols); !m.Late || m.Any() {
		t.Errorf("%+v", m)
	}
}

// A late job has a strong right edge and a line where its deadline lay; the one
// looked at has a flag at its deadline.
func TestDeadlineMarks(t *testing.T) {
	jobs, cols := four()
	g := Gantt{Layout: NewLayout(900, 500, 1), From: 0, To: 1200, Theme: Colours(false), Jobs: jobs, Panes: []GanttPane{{Procs: 2, Cols: cols, Index: NewIndex(cols, 2), Scale: 1}}}
	s := &Scene{}
	g.deadlines(s, 0)
	fills := 0
	for _, op := range s.Ops {
		if op.Filled && op.Kind == OpPath {
			fills++
			if n := strings.Count(op.Path, "z"); n != 1 {
				t.Errorf("%d marks, want the one late job's: %s", n, op.Path)
			}
		}
	}
	if fills != 2 {
		t.Errorf("%d fills, want edge and line", fills)
	}
	count := func(job int) int { return len(g.Over(Pointer{Job: job, X: -1}).Ops) }
	if count(1) <= count(0) {
		t.Error("the job with a deadline has no flag")
	}
}

// The card of a job names its licences and says how it stood to its deadline.
func TestCardOfNeeds(t *testing.T) {
	jobs, cols := four()
	site := &report.Site{Licences: []report.SiteLicence{{Name: "cad"}, {Name: "me<sh"}}}
	for job, want := range []string{"", "met, 5 min early", "missed by 5 min", "never ran"} {
		got := strings.ReplaceAll(Card(Clock{}, jobs, job, Subject{Title: "A", Cols: cols, Site: site}, nil, "", ""), "\u00a0", " ")
		if !strings.Contains(got, want) || strings.Contains(got, "Deadline") != (job > 0) {
			t.Errorf("job %d: %s", job, got)
		}
		if strings.Contains(got, "2 cad, me&lt;sh") != (job == 2) {
			t.Errorf("job %d: %s", job, got)
		}
	}
	if got := Speech(Clock{}, jobs, 2, Subject{Title: "A", Cols: cols}); !strings.Contains(got, "missed its deadline") {
		t.Error(got)
	}
}

// A priority taken apart: the place among the waiting, four terms with their
// shares, and who holds the reservation.
func TestTerms(t *testing.T) {
	p := &report.Priorities{At: 60, Reservation: 3600, Jobs: []report.Priority{
		{Job: 7, Number: 8, Aging: 5, Deadline: 3, Licences: 1.5, Wait: .5, Total: 10, Case: "near"},
		{Job: 2, Number: 3, Head: true, Aging: 1, Wait: 1, Total: 2, Case: "over"},
	}}
	plain := func(job model.JobID) string {
		return strings.ReplaceAll(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(Terms(Clock{}, p, job), " "), "\u00a0", " ")
	}
	got := strings.Join(strings.Fields(plain(7)), " ")
	for _, want := range []string{"Priority 10.00 , 1st of 2 waiting jobs; its deadline is near", "Aging 5.00 50 %", "Deadline 3.00 30 %", "Licences 1.50 15 %", "Shortness 0.50 5 %", "The reservation is job 3’s (priority 2.00)"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	if got := plain(2); !strings.Contains(got, "It holds the reservation") || !strings.Contains(got, "2nd of 2") || !strings.Contains(got, "no longer meet") {
		t.Error(got)
	}
	if got := plain(5); !strings.Contains(got, "did not wait") {
		t.Error(got)
	}
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 112: "112th"} {
		if got := ordinal(n); got != want {
			t.Errorf("%d is %s", n, got)
		}
	}
}

// The lanes of licences stand in order of the jobs that waited, say a sentence,
// and their file holds every change.
func TestLicences(t *testing.T) {
	run := &report.Run{Processors: 4, Series: report.Series{At: []model.Time{0, 100}, Used: []int32{1, 0}, Waiting: []int32{0, 0}}, Licences: []report.Licence{
		{Name: "cad", Copies: 2, Usage: .25, At: []model.Time{10, 60}, Used: []int32{1, 0}, Blocked: []int32{0, 0}},
		{Name: "me<sh", Copies: 1, Usage: .8, At: []model.Time{10, 20, 90}, Used: []int32{1, 1, 0}, Blocked: []int32{0, 3, 0}},
		{Name: "own", At: []model.Time{5}, Used: []int32{2}, Blocked: []int32{0}},
	}}
	d := &Data{Names: []string{"EASY"}, Shown: []*report.Run{run}, B: -1, Base: -1, Theme: Colours(false)}
	out := d.Licences(0, 0, 800, d.LicencesHeight())
	if !d.HasLicences() || !strings.Contains(out.Aria, "of me<sh most is in use, 80.0\u00a0%") || !strings.Contains(out.Aria, "copies of 1 of 3\u00a0licences, most of all for me<sh, 2.1") {
		t.Error(out.Aria)
	}
	if strings.Contains(out.SVG, "<sh") || !strings.Contains(out.SVG, "max 3 wait") || !strings.Contains(out.SVG, "node-locked") {
		t.Error(out.SVG)
	}
	grid := out.Grid()
	if grid.Cells[0][0] != "me<sh" || grid.Cells[0][5] != "3" || len(grid.Raw) != 6 || strings.Join(grid.Raw[1], " ") != "me<sh 1 20 1 3" {
		t.Errorf("%+v", grid)
	}
	if said := out.Say(400); !strings.Contains(said, "1 of 1") || !strings.Contains(said, "me&lt;sh") {
		t.Error(said)
	}
	if empty := (&Data{Names: []string{"EASY"}, Shown: []*report.Run{{Series: run.Series}}, Theme: Colours(false)}).Licences(0, 0, 800, 100); empty.Empty == "" {
		t.Error("a run without licences draws some")
	}
}

// The table of jobs has a column of lateness where jobs have deadlines, filters
// by it, and puts it into its file; without deadlines it is not there.
func TestLateColumn(t *testing.T) {
	jobs, cols := four()
	table := &Table{Jobs: jobs, Cols: cols, Tau: 10}
	terms, err := ParseFilter("late>0")
	if err != nil {
		t.Fatal(err)
	}
	table.Filter(terms)
	if len(table.Rows) != 1 || table.Rows[0] != 2 || table.Cell(ColLate, 2) != "0:05" {
		t.Errorf("%v, %s", table.Rows, table.Cell(ColLate, 2))
	}
	table.Filter(nil)
	lines := strings.Split(string(table.CSV()), "\r\n")
	if !strings.HasSuffix(lines[0], "difference_s,lateness_s") || !strings.HasSuffix(lines[2], ",-300") || !strings.HasSuffix(lines[3], ",300") || !strings.HasSuffix(lines[1], ",") {
		t.Errorf("%q", lines)
	}
	jobs.Due = nil
	if lines := strings.Split(string(table.CSV()), "\r\n"); !strings.HasSuffix(lines[0], ",difference_s") {
		t.Error(lines[0])
	}
}

// The table has a column for each thing that jobs ask of machines, filters by
// it, and the card, the reason and the screen reader name it; where no job asks
// there is no such column.
func TestNeedColumns(t *testing.T) {
	jobs, cols := four()
	jobs.Due, jobs.Wants = nil, []report.Want{{Job: 1, GPUs: 2, Mem: 8e9}, {Job: 2, Mem: 16e9, Weight: 2.5, Setup: 60}}
	cols.Why = make([]report.Why, 4)
	cols.Why[2].Waited[report.WaitProcessors] = 600
	jobTable := &Table{Jobs: jobs, Cols: cols, Tau: 10}
	if !jobTable.Has(ColGPUs) || !jobTable.Has(ColMem) || jobTable.Has(ColDisk) || jobTable.Has(ColLate) {
		t.Error("columns")
	}
	for text, want := range map[string]int32{"gpus>=1": 1, "memory>8GB": 2, "mem=8,000MB": 1} {
		terms, err := ParseFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		if jobTable.Filter(terms); len(jobTable.Rows) != 1 || jobTable.Rows[0] != want {
			t.Errorf("%s: %v", text, jobTable.Rows)
		}
	}
	if _, err := ParseFilter("memory>lots"); err == nil || !strings.Contains(err.Error(), `"lots" is not a size`) {
		t.Error(err)
	}
	if name, condition := (&Term{ColMem, ">", 8e9}).Text(); name != "Memory" || condition != ">\u00a08.0\u00a0GB" {
		t.Errorf("%s %s", name, condition)
	}
	jobTable.Filter(nil)
	lines := strings.Split(string(jobTable.CSV()), "\r\n")
	if !strings.Contains(lines[0], "difference_s,gpus_per_node,memory_per_node,decision") || !strings.Contains(lines[2], ",2,8000000000,") || !strings.Contains(lines[3], ",,16000000000,") {
		t.Errorf("%q", lines)
	}
	this := Subject{Title: "A EASY", Cols: cols}
	card := Card(Clock{}, jobs, 2, this, nil, "", "")
	for _, want := range []string{"<dt>On each machine</dt><dd>16.0\u00a0GB of memory</dd>", "<dt>Weight</dt><dd>2.5", "<dt>Set-up</dt><dd>60\u00a0s",
		"because too few processors were free on machines with 16.0\u00a0GB of memory to spare", "No such machine free"} {
		if !strings.Contains(card, want) {
			t.Errorf("the card lacks %q: %s", want, card)
		}
	}
	if said := Speech(Clock{}, jobs, 1, this); !strings.Contains(said, "1\u00a0processor on machines with 2\u00a0GPUs, 8.0\u00a0GB of memory, submitted") {
		t.Error(said)
	}
	if card := Card(Clock{}, jobs, 0, this, nil, "", ""); strings.Contains(card, "machine") {
		t.Error(card)
	}
}
