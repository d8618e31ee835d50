package gantt

import (
	"regexp"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/sample"
)

// Missed deadlines have a colour of their own in both themes, told apart from
// those met and from jobs without one, and are named in the legend.
func TestDeadlineColours(t *testing.T) {
	jobs, cols := sample.Four()
	for _, isDark := range []bool{false, true} {
		got, legend := JobColors(draw.Colours(isDark), "deadline", jobs, cols, nil, nil, 2, 10, 0)
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
	jobs, cols := sample.Four()
	g := Gantt{Layout: NewLayout(900, 500, 1), From: 0, To: 1200, Theme: draw.Colours(false), Jobs: jobs, Panes: []GanttPane{{Procs: 2, Cols: cols, Index: draw.NewIndex(cols, 2), Scale: 1}}}
	s := &draw.Scene{}
	g.deadlines(s, 0)
	fills := 0
	for _, op := range s.Ops {
		if op.Filled && op.Kind == draw.OpPath {
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
	jobs, cols := sample.Four()
	site := &report.Site{Licences: []report.SiteLicence{{Name: "cad"}, {Name: "me<sh"}}}
	for job, want := range []string{"", "met, 5 min early", "missed by 5 min", "never ran"} {
		got := strings.ReplaceAll(string(Card(draw.Clock{}, jobs, job, Subject{Title: "A", Cols: cols, Site: site}, nil, "", "")), "\u00a0", " ")
		if !strings.Contains(got, want) || strings.Contains(got, "Deadline") != (job > 0) {
			t.Errorf("job %d: %s", job, got)
		}
		if strings.Contains(got, "2 cad, me&lt;sh") != (job == 2) {
			t.Errorf("job %d: %s", job, got)
		}
	}
	if got := Speech(draw.Clock{}, jobs, 2, Subject{Title: "A", Cols: cols}); !strings.Contains(got, "missed its deadline") {
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
		return strings.ReplaceAll(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(string(Terms(draw.Clock{}, p, job)), " "), "\u00a0", " ")
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
