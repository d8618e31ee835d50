package table

import (
	"strings"
	"testing"

	"batchlab/ui/sample"
)

// The table of jobs has a column of lateness where jobs have deadlines, filters
// by it, and puts it into its file; without deadlines it is not there.
func TestLateColumn(t *testing.T) {
	jobs, cols := sample.Four()
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
