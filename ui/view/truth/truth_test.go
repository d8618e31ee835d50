package truth

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/annex"
)

// asked is a question that a test answers.
type asked struct {
	in   string
	done func([]byte, error)
	gone bool
}

// page is a page whose questions are kept.
func page(t *testing.T, schedulers string) (*annex.Page, *[]*asked) {
	t.Helper()
	var list []*asked
	p := &annex.Page{Query: func(_ *experiment.Experiment, what string, in []byte, _ func(int, int), done func([]byte, error)) func() {
		if what != "truth" {
			t.Errorf("%q is asked", what)
		}
		a := &asked{in: string(in), done: done}
		list = append(list, a)
		return func() { a.gone = true }
	}}
	tell(t, p, schedulers)
	return p, &list
}

func tell(t *testing.T, p *annex.Page, schedulers string) {
	t.Helper()
	if err := p.Tell(annex.Facts{Document: `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[` + schedulers + `]}`}); err != nil {
		t.Fatal(err)
	}
}

// Intent: every scheduler but the log's own is asked about once; the nearest stands
// first; another document gives up what is awaited, and late answers change nothing.
func TestTruthIsAskedOnce(t *testing.T) {
	p, list := page(t, `{"key":"as-logged"},{"key":"fcfs"},{"key":"easy"}`)
	v, drawn := &Truth{Page: p}, 0
	for range 2 {
		v.Follow(func() { drawn++ })
	}
	if len(*list) != 2 || !strings.Contains(v.Verdict(), "Running") {
		t.Fatal(*list, v.Verdict())
	}
	answer := func(a *asked, label string, off float64) {
		text, _ := json.Marshal(report.Truth{Label: label, Nearness: report.Nearness{Jobs: 100, MedianError: off}})
		a.done(text, nil)
	}
	answer((*list)[0], "FCFS", 7200)
	answer((*list)[1], "EASY", 60)
	if g := v.Table(); drawn != 2 || len(g.Cells) != 2 || g.Cells[0][0] != "EASY" || !strings.Contains(v.Verdict(), "EASY") {
		t.Error(drawn, g.Cells, v.Verdict())
	}
	tell(t, p, `{"key":"easy"}`)
	v.Follow(func() { drawn++ })
	tell(t, p, `{"key":"fcfs"}`)
	v.Follow(func() { drawn++ })
	if len(*list) != 4 || !(*list)[2].gone || (*list)[3].gone {
		t.Error("what is not wanted any more is not given up")
	}
	answer((*list)[2], "EASY", 60)
	if len(v.Table().Cells) != 0 {
		t.Error("a late answer is shown")
	}
	(*list)[3].done(nil, errors.New("no waits"))
	if v.Verdict() != "no waits" {
		t.Error(v.Verdict())
	}
}
