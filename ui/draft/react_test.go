package draft

import (
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
)

// The switch makes users react with the catalog's defaults, at the log's own
// load, and back; inputs that do not matter are left out.
func TestReactSwitch(t *testing.T) {
	s, _ := opened(t)
	s.Change(func(e *experiment.Experiment) { e.Workload.Scale.Load = 2 })
	if !s.Act("react.on") || s.Settings.Workload.React == nil || s.Settings.Workload.Scale.Load != 1 {
		t.Fatalf("%+v", s.Settings.Workload)
	}
	fields := func() string {
		var list []string
		for _, it := range reactSection(s).Items {
			list = append(list, it.Field)
		}
		return strings.Join(list, " ")
	}
	if f := fields(); !strings.Contains(f, "react.think-gap") || strings.Contains(f, "react.arrival-gap") {
		t.Error(f)
	}
	s.SetField("react.sessions", "arrival")
	s.SetField("react.arrival-gap", "2h")
	if f := fields(); strings.Contains(f, "react.think-gap") || !strings.Contains(f, "react.arrival-gap") {
		t.Error(f)
	}
	if gap, _ := s.Settings.Workload.React.Int("arrival-gap"); gap != 7200 {
		t.Errorf("a gap of %d s", gap)
	}
	s.Act("react.off")
	if s.Settings.Workload.React != nil {
		t.Error("they still react")
	}
}

// The formula's parameters are typed in, bounded, and used by the map.
func TestPatienceInputs(t *testing.T) {
	s, _ := opened(t)
	if got := s.Acceptable()(1, 7200); got != 7200 {
		t.Errorf("by default %d s", got)
	}
	s.SetField("patience.factor-1", "4")
	if got := s.Acceptable()(1, 7200); got != 1800 || s.Settings.Measures.Patience == nil {
		t.Errorf("with factor 4 %d s", got)
	}
	s.SetField("patience.factor-1", "0")
	if in, _ := s.Input("patience.factor-1"); in.Error == "" || s.Acceptable()(1, 7200) != 1800 {
		t.Error("a factor of 0 is taken")
	}
	s.SetField("patience.from-3", "1h")
	if s.faultAt("measures.patience") == "" {
		t.Error("classes out of order are no fault")
	}
}

// What is poor about a log is said first.
func TestReacting(t *testing.T) {
	for want, r := range map[string]report.Reaction{
		"names no users":        {Jobs: 5, Silent: 5},
		"anything to react to":  {Jobs: 3, Users: 3, Once: 3, Batches: 3, Sessions: 3},
		"single user":           {Jobs: 3, Users: 1, Batches: 3, Reacting: 2},
		"it is unknown when":    {Jobs: 9, Users: 2, Batches: 5, Reacting: 3, NoEnd: 2},
		"schedule by EASY":      {Jobs: 9, Users: 2, Batches: 5, Reacting: 3, Ends: "easy"},
		"its times bear out 7":  {Jobs: 9, Users: 2, Batches: 5, Reacting: 3, Stated: 8, StatedUsed: 7},
		"have no user and keep": {Jobs: 9, Users: 2, Batches: 5, Reacting: 3, Silent: 2},
		"of which 3 wait for":   {Jobs: 9, Users: 2, Batches: 5, Reacting: 3},
	} {
		if got := strings.Join(Reacting(&r), " "); !strings.Contains(strings.ReplaceAll(got, "\u00a0", " "), want) {
			t.Errorf("%q is not said: %s", want, got)
		}
	}
	// What is not there has no median.
	one := report.Reaction{Jobs: 9, Users: 2, Batches: 5, Reacting: 3, Think: report.Spread{Count: 3, Median: 60}}
	if got := strings.Join(Reacting(&one), " "); !strings.Contains(got, "think time") || strings.Contains(got, "break") {
		t.Errorf("%s", got)
	}
}
