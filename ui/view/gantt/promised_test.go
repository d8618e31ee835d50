package gantt

import (
	"math"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
)

// A job that was promised a start at 900, then 700, then 1,000, and began at 800: the
// card, the file, the words of a screen reader and the outlines say so; a reason that
// changes without the promise is no move, and a promise of an attempt before counts for
// nothing.
func TestPromised(t *testing.T) {
	phases := []report.Phase{
		{From: 5, Promised: 60}, {From: 100, Reason: report.WaitProcessors}, {From: 200, Reason: report.WaitProcessors, Promised: 900},
		{From: 250, Reason: report.WaitOrder, Promised: 900}, {From: 300, Reason: report.WaitOrder, Promised: 700}, {From: 400, Reason: report.WaitOrder, Promised: 1000}, {From: 800},
	}
	list := Promises(phases, 100, 800)
	if len(list) != 3 || list[0] != (Promise{200, 900}) || list[2] != (Promise{400, 1000}) {
		t.Fatalf("promises %v", list)
	}
	if got := PromisedCSV(list); got != "told_s,promised_s\r\n200,900\r\n300,700\r\n400,1000\r\n" {
		t.Errorf("file %q", got)
	}
	c := draw.Clock{}
	html := PromisedHTML(c, list, 800)
	for _, want := range []string{"First promised", "Last promised", "moved 1\u00a0× earlier, 1\u00a0× later", "started 3 min before it", `class="bl-sw bl-m-prom"`, "%0D%0A300,700%0D%0A", "How the promise moved"} {
		if !strings.Contains(strings.ReplaceAll(string(html), "\u00a0", " "), strings.ReplaceAll(want, "\u00a0", " ")) {
			t.Errorf("no %q in %s", want, html)
		}
	}
	if said := PromisedSpeech(c, list, 800); !strings.Contains(said, "First promised") || !strings.Contains(said, "last promised") {
		t.Error(said)
	}
	if one := PromisedHTML(c, list[2:], 1000); strings.Contains(string(one), "<table") || !strings.Contains(string(one), "started then") {
		t.Error(one)
	}
	if string(PromisedHTML(c, nil, 0))+PromisedSpeech(c, nil, 0) != "" {
		t.Error("something is said of no promise")
	}
	for at, want := range map[model.Time]string{1200: "started 3 min after it"} {
		if got := strings.ReplaceAll(kept(1000, at), "\u00a0", " "); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	g := testGantt(80)
	p := Pointer{Job: 3, X: math.NaN()}
	plain := len(g.Over(p).Ops)
	start := g.Panes[0].Cols.Start[3]
	if p.Promised = []Promise{{start - 50, start + 10}}; len(g.Over(p).Ops) <= plain {
		t.Error("no outline of a promise")
	}
	once := len(g.Over(p).Ops)
	if p.Promised = append(p.Promised, Promise{start - 20, start + 200}); len(g.Over(p).Ops) <= once {
		t.Error("no outline of the first promise beside the last")
	}
}
