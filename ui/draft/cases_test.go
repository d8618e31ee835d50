package draft

import (
	"strings"
	"testing"

	"batchlab/core/experiment"
)

// Intent: the left column says what each case sets, in the words of its inputs, and takes
// them out; cases follow schedulers that move, and go with a place that has gone.
func TestCasesSection(t *testing.T) {
	s, _ := opened(t)
	cases := experiment.CasesAxis(
		experiment.Case{Name: "as it is"},
		experiment.Case{Name: "more, SAF", Set: []experiment.Setting{{Path: "platform.processors", Value: "128"}, {Path: "schedulers[1].params.order", Value: `"saf"`}}},
	)
	if len(casesSection(s).Items) != 0 {
		t.Error("a section without cases")
	}
	s.Change(func(e *experiment.Experiment) {
		e.Schedulers = nil
		for _, key := range []string{"fcfs", "easy"} {
			if _, err := e.Add(key); err != nil {
				t.Fatal(err)
			}
		}
		e.Vary = []experiment.Axis{cases}
	})
	out := casesSection(s)
	if out.Sum != "2\u00a0cases" || len(out.Items) != 3 || out.Items[0].Text != "as it is: as it stands here" ||
		out.Items[1].Text != "more, SAF: Processors 128, Queue order of B SAF" {
		t.Errorf("%+v", out)
	}
	if name, text := s.AxisName(&s.Settings, experiment.CasesPath), s.AxisSpan(&s.Settings, &s.Settings.Vary[0]); name != "Case" || text != "as it is, more, SAF" {
		t.Errorf("%s %s", name, text)
	}
	e := s.Settings.Clone()
	if gone := MoveAxes(e, 0, 1); gone != nil || e.Vary[0].Cases[1].Set[1].Path != "schedulers[2].params.order" {
		t.Errorf("moved: %v, %+v", gone, e.Vary[0].Cases)
	}
	e = s.Settings.Clone()
	if gone := MoveAxes(e, 1, -1); len(gone) != 1 || len(e.Vary) != 0 {
		t.Errorf("the scheduler has gone: %v", gone)
	}
	e = s.Settings.Clone()
	e.Vary[0].Cases[1].Set[0].Path = "platform.clusters[0].groups[0].count"
	if gone := fitAxes(e); len(gone) != 1 {
		t.Errorf("the place has gone: %v", gone)
	}
	if !s.Act("cases.off") || len(s.Settings.Vary) != 0 || strings.Contains(string(experiment.Encode(&s.Settings)), "cases") {
		t.Error("the cases are not taken out")
	}
}
