package state

import (
	"errors"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/engine"
)

// drawing is an engine that writes what was drawn.
type drawing struct {
	*fake
	asked []int
}

func (d *drawing) Drawn(_ experiment.Experiment, run int, done func([]engine.File, error)) {
	d.asked = append(d.asked, run)
	if run == 1 {
		done(nil, errors.New("more than 10,000 outages"))
		return
	}
	done([]engine.File{{Name: "platform.json", Data: []byte("{}")}}, nil)
}

// Intent: what was drawn is asked for once a repetition; what cannot be written
// is said in a file, and the others stay.
func TestWantDrawn(t *testing.T) {
	d := &drawing{fake: &fake{t: t}}
	s := New(d)
	e := twoSchedulers(t)
	e.Schedulers[0].Repeat, e.Schedulers[1].Repeat = 2, 2
	s.Open(e, "", true)
	d.answer(&report.Preview{Name: "demo", Jobs: 5, Processors: 10}, nil)
	for i := range 4 {
		d.finish(s, i, 1, "")
	}
	var got []engine.File
	s.WantDrawn(func(files []engine.File) { got = files })
	if len(d.asked) != 2 || d.asked[0] != 0 || d.asked[1] != 1 || len(got) != 2 || got[0].Name != "platform.json" ||
		got[1].Name != "not-written-1.txt" || !strings.Contains(string(got[1].Data), "more than 10,000 outages") {
		t.Errorf("%v: %+v", d.asked, got)
	}
}
