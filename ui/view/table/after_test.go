package table

import (
	"encoding/csv"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/sample"
)

// Intent: what jobs wait for and when they became eligible stand in the table and its
// file, and of one that never ran why; where jobs wait for nothing there is no such column.
func TestTableSaysWhatJobsWaitFor(t *testing.T) {
	jobs, cols := sample.Four()
	table := &Table{Jobs: jobs, Cols: cols, Tau: 10}
	if table.Has(ColAfter) || table.Has(ColEligible) || table.Lost(3) != "" {
		t.Error("jobs that wait for nothing have columns for it")
	}
	jobs.After = []report.After{
		{Job: 1, On: 0, What: int32(model.OK) | report.AfterAny}, {Job: 1, On: 2, What: int32(model.Started) | report.AfterAny, Delay: 60},
		{Job: 2, On: 1}, {Job: 2, On: -1, What: report.AfterBegin, Delay: 300}, {Job: 3, On: -1, What: report.AfterArray, Limit: 2},
	}
	cols.Eligible = []model.Time{0, 0, 600, -1}
	cols.Ended = []model.EndReason{model.EndCompleted, model.EndCompleted, model.EndCompleted, model.EndNever}
	table.Filter(nil)
	for j, want := range []string{"–", "1:ok or 3:start+60", "2; until day 1 00:05", "array of 2"} {
		if got := strings.ReplaceAll(table.Cell(ColAfter, int32(j)), "\u00a0", " "); got != want {
			t.Errorf("job %d: %q, want %q", j+1, got, want)
		}
	}
	if got := table.Lost(3); got != "never eligible" {
		t.Error(got)
	}
	lines, err := csv.NewReader(strings.NewReader(string(table.CSV()))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, name := range lines[0] {
		at[name] = i
	}
	if l := lines[2]; l[at["waits_for"]] != "1:ok or 3:start+60" || l[at["eligible_s"]] != "0" || lines[4][at["eligible_s"]] != "" || len(l) != len(lines[0]) {
		t.Errorf("%q\n%q", lines[0], l)
	}
}
