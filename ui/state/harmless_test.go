package state

import (
	"encoding/csv"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/report"
	"batchlab/ui/engine"
)

// Intent: labels and names that came with a link or a log reach no spreadsheet
// as a formula, whatever table the page saves.
func TestTablesAreHarmless(t *testing.T) {
	const evil = "=HYPERLINK(\"http://x\")"
	s, f := opened(t)
	f.finish(s, 0, 1, "")
	s.Ran = s.Ran.Clone()
	s.Ran.Schedulers[0].Label = evil
	s.Runs[0].Result.Providers = []report.Provider{{Name: "@SUM(A1)"}}
	half := -1.5
	s.Studies.Papers = []engine.Paper{{Key: "x"}}
	s.Studies.Chosen, s.Studies.Results = "x", map[string]*engine.StudyResult{"x": {Rows: []engine.StudyRow{{Label: "+1", Column: "-x", Ours: &half, Unit: "=s"}}}}
	for name, file := range map[string][]byte{
		"summary": s.SummaryCSV(), "providers": report.ProvidersCSV([]*report.Run{s.Runs[0].Result}), "study": s.PaperCSV(),
		"problems": ProblemsCSV(&report.Cleaning{Problems: []report.Problem{{Text: "=1+1", What: "-a", Action: "@b"}}}),
	} {
		rows, err := csv.NewReader(strings.NewReader(string(file))).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Fatalf("%s: %v\n%s", name, err, file)
		}
		changed := false
		for _, row := range rows {
			for _, cell := range row {
				_, number := strconv.ParseFloat(cell, 64)
				if number != nil && cell != "" && strings.ContainsAny(cell[:1], "=+-@") {
					t.Errorf("%s: %q", name, cell)
				}
				changed = changed || strings.HasPrefix(cell, "'")
			}
		}
		if !changed {
			t.Errorf("%s: nothing hostile is in it\n%s", name, file)
		}
	}
	if !strings.Contains(string(s.SummaryCSV()), "'=HYPERLINK") {
		t.Error("the label is lost")
	}
}
