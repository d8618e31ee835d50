package model_test

import (
	"strings"
	"testing"

	"batchlab/core/model"
)

// farmed returns a feasible schedule of three jobs on two machines; the first
// and the last hold the only copy of a licence.
func farmed() *model.Schedule {
	w := &model.Workload{
		Jobs: []model.Job{
			{Number: 1, Limit: 10, Procs: 3, Demand: 1},
			{Number: 2, Limit: 10, Procs: 2},
			{Number: 3, Limit: 10, Procs: 1, Demand: 1},
		},
		Truth:   []model.Truth{{Run: 10}, {Run: 8}, {Run: 20}},
		Demands: []model.Demand{{Nodes: 1, MemPerNode: 6, Licences: []model.LicenceNeed{{Licence: 0, Copies: 1}}}},
	}
	p := &model.Platform{
		Clusters: []model.Cluster{{Name: "farm", Packing: model.PackMachine, Groups: []model.NodeGroup{
			{Count: 1, Procs: 4, Speed: 1, Mem: 10, Licences: []string{"cad"}}, {Count: 1, Procs: 2, Speed: 2}}}},
		Licences: []model.Licence{{Name: "cad", Copies: 1}},
	}
	on := func(node, procs int32) model.Claim {
		return model.Claim{Parts: []model.Part{{Node: node, Procs: procs}}}
	}
	return &model.Schedule{Workload: w, Platform: p,
		Claims: []model.Claim{on(0, 3), on(1, 2), on(0, 1)},
		Executions: []model.Execution{
			{Job: 0, Start: 0, End: 10, Procs: 3, Claim: 1},
			{Job: 1, Start: 0, End: 8, Procs: 2, Claim: 2},
			{Job: 2, Start: 10, End: 20, Procs: 1, Claim: 3, Reason: model.EndKilled},
		}}
}

// Check proves claims: machines, licences, memory and the calendar.
func TestCheckClaims(t *testing.T) {
	if err := farmed().Check(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*model.Schedule){
		"2 of 1 copies of licence \"cad\"": func(s *model.Schedule) {
			s.Workload.Demands[0].MemPerNode = 0
			s.Executions[2].Start, s.Executions[2].End = 5, 15
		},
		"4 of 2 processors of machine 1": func(s *model.Schedule) {
			s.Claims[0].Parts[0].Node = 1
			s.Workload.Jobs[0].Demand = 0
			s.Workload.Jobs[0].Procs, s.Executions[0].Procs, s.Claims[0].Parts[0].Procs = 2, 2, 2
		},
		"licence \"cad\" cannot be activated": func(s *model.Schedule) { s.Claims[2].Parts[0].Node = 1 },
		"runs nowhere":                        func(s *model.Schedule) { s.Executions[1].Claim = 0 },
		"holds 1 processors of machines":      func(s *model.Schedule) { s.Claims[1].Parts[0].Procs = 1 },
		"runs on 2 machines":                  func(s *model.Schedule) { s.Claims[1].Parts = []model.Part{{Node: 0, Procs: 1}, {Node: 1, Procs: 1}} },
		"although the calendar": func(s *model.Schedule) {
			s.Platform.Calendar = []model.CalendarEntry{{From: 3, To: 4, Nodes: []int32{1}}}
		},
		"more memory or disk of machine 0": func(s *model.Schedule) {
			s.Platform.Licences[0].Copies = 2
			s.Executions[2].Start, s.Executions[2].End = 5, 15
		},
		"may not run on cluster": func(s *model.Schedule) { s.Workload.Demands[0].Eligible = []int32{1} },
		"runs 8 s instead of 4":  func(s *model.Schedule) { s.Platform.PowerScales = true; s.Workload.Jobs[1].Limit = 16 },
	} {
		s := farmed()
		spoil(s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
