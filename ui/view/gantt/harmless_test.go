package gantt

import (
	"strings"
	"testing"

	"batchlab/core/report"
	"batchlab/ui/draw"
)

// Intent: what others wrote is no formula in the files of charts.
func TestFilesAreHarmless(t *testing.T) {
	g := draw.Grid{Head: []string{"run", "mean"}, Cells: [][]string{{"=1+1", "-5"}, {"a;@x", "1.5"}}}
	if got, want := g.CSV(), "run,mean\r\n'=1+1,-5\r\n\"a;'@x\",1.5\r\n"; got != want {
		t.Errorf("%q instead of %q", got, want)
	}
	if got := CalendarCSV([]report.Entry{{Kind: "outage", Name: "+cmd", Cluster: "@x", From: -5}}); !strings.Contains(got, "outage,'+cmd,'@x,-5,") {
		t.Errorf("%q", got)
	}
}
