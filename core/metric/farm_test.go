package metric

import (
	"reflect"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
)

// farmed is three jobs on two machines of 4 and 2 processors with one licence
// of two copies, small enough to draw:
//
//	job  submit  start  end  procs  copies  deadline
//	1      0       0     10    3      2        12
//	2      0      10     20    2      1        15
//	3      4       4      8    1      0         –
func farmed() *model.Schedule {
	w := &model.Workload{
		Jobs:    []model.Job{{Number: 1, Limit: 10, Procs: 3, Demand: 1}, {Number: 2, Limit: 10, Procs: 2, Demand: 2}, {Number: 3, Submit: 4, Limit: 4, Procs: 1}},
		Truth:   []model.Truth{{Run: 10}, {Run: 10}, {Run: 4}},
		Demands: []model.Demand{{Licences: []model.LicenceNeed{{Licence: 0, Copies: 2}}, Due: 12}, {Licences: []model.LicenceNeed{{Licence: 0, Copies: 1}}, Due: 15, Weight: 3}},
	}
	p := &model.Platform{
		Clusters: []model.Cluster{{Packing: model.PackMachine, Groups: []model.NodeGroup{
			{Count: 1, Procs: 4, Licences: []string{"cad"}}, {Count: 1, Procs: 2, Licences: []string{"cad"}}}}},
		Licences: []model.Licence{{Name: "cad", Copies: 2}},
	}
	on := func(node, procs int32) model.Claim {
		return model.Claim{Parts: []model.Part{{Node: node, Procs: procs}}}
	}
	return &model.Schedule{Workload: w, Platform: p, Claims: []model.Claim{on(0, 3), on(0, 2), on(1, 1)}, Executions: []model.Execution{
		{Job: 0, Start: 0, End: 10, Procs: 3, Claim: 1}, {Job: 1, Start: 10, End: 20, Procs: 2, Claim: 2}, {Job: 2, Submit: 4, Start: 4, End: 8, Procs: 1, Claim: 3}}}
}

// The measures of the farm study agree with a schedule computed by hand.
// System usage is 3 ÷ 2 jobs for 4 s, 4 ÷ 3 for 4 s, 3 ÷ 2 for 2 s and 2 ÷ 1 for
// 10 s: it exceeds 1.
func TestFarmByHand(t *testing.T) {
	s := farmed()
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	got := values(s, Options{Tau: 1})
	for key, want := range map[string]float64{
		"system-usage":    (1.5*6 + 4.0/3*4 + 2*10) / 20,
		"out-of-deadline": 50, "mean-tardiness": 2.5, "max-tardiness": 5,
		"weighted-tardiness": 3 * 5 / (3 + 1.0), "mean-lateness": (-2 + 5) / 2.0, "max-lateness": 5, "stopped-at-deadline": 0,
		"licence-usage": 100 * 30.0 / 40,
		"mean-slowdown": (1 + 2 + 1) / 3.0,
	} {
		if v, ok := got[key]; !ok || !near(v, want) {
			t.Errorf("%s = %v, want %v", key, v, want)
		}
	}
	want := []report.Licence{{Name: "cad", Copies: 2, Usage: 0.75,
		At: []model.Time{0, 10, 20}, Used: []int32{2, 1, 0}, Blocked: []int32{1, 0, 0}}}
	if lines := Licences(s, true); !reflect.DeepEqual(lines, want) {
		t.Errorf("time lines %+v", lines)
	}
	s.Executions[1] = model.Execution{Job: 1, Start: -1, End: -1, Reason: model.EndRejected}
	got = values(s, Options{Tau: 1})
	if got["out-of-deadline"] != 50 || got["mean-tardiness"] != 0 {
		t.Errorf("a rejected job counts as late and has no tardiness: %v", got)
	}
	if got["max-lateness"] != -2 || got["weighted-tardiness"] != 0 {
		t.Errorf("all that ran ended 2 s before the deadline: %v", got)
	}
}

// A job that is stopped at its deadline is out of it, and late by nothing.
func TestStoppedAtDeadline(t *testing.T) {
	s := farmed()
	s.Workload.Demands[1].OnDue = model.DueKill
	s.Executions[1].End, s.Executions[1].Reason = 15, model.EndDue
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	got := values(s, Options{Tau: 1})
	for key, want := range map[string]float64{"stopped-at-deadline": 1, "out-of-deadline": 50, "mean-tardiness": 0, "mean-lateness": -1, "max-lateness": 0} {
		if v := got[key]; !near(v, want) {
			t.Errorf("%s = %v, want %v", key, v, want)
		}
	}
}
