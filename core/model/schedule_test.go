package model_test

import (
	"strings"
	"testing"

	"batchlab/core/model"
)

// three returns a feasible schedule of three jobs on four processors.
func three() *model.Schedule {
	w := &model.Workload{
		Jobs: []model.Job{
			{Number: 1, Submit: 0, Limit: 10, Procs: 3},
			{Number: 2, Submit: 0, Limit: 10, Procs: 2},
			{Number: 3, Submit: 5, Limit: 10, Procs: 1},
		},
		Truth: []model.Truth{{Run: 10}, {Run: 8}, {Run: 20}},
	}
	return &model.Schedule{Workload: w, Platform: model.OneCluster(4), Executions: []model.Execution{
		{Job: 0, Submit: 0, Start: 0, End: 10, Procs: 3},
		{Job: 1, Submit: 0, Start: 10, End: 18, Procs: 2},
		{Job: 2, Submit: 5, Start: 5, End: 15, Procs: 1, Reason: model.EndKilled},
	}}
}

// Check accepts a feasible schedule and names what is wrong with a broken one.
func TestCheck(t *testing.T) {
	if err := three().Check(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*model.Schedule){
		"before its submission":    func(s *model.Schedule) { s.Executions[2].Start, s.Executions[2].End = 4, 14 },
		"longer than its request":  func(s *model.Schedule) { s.Executions[2].End = 25 },
		"instead of 8 s":           func(s *model.Schedule) { s.Executions[1].End = 17 },
		"5 of 4 processors":        func(s *model.Schedule) { s.Executions[1].Start, s.Executions[1].End = 0, 8 },
		"holds 1 processors":       func(s *model.Schedule) { s.Executions[1].Procs = 1 },
		"1 of 3 jobs have no":      func(s *model.Schedule) { s.Executions = s.Executions[:2] },
		"out of order or missing":  func(s *model.Schedule) { s.Executions[1].Job = 2 },
		"no job 7":                 func(s *model.Schedule) { s.Executions[2].Job = 7 },
		"at 6, 5 of 4 processors":  func(s *model.Schedule) { s.Platform.Calendar = []model.CalendarEntry{{From: 6, To: 7, Procs: 1}} },
		"job 2: executions out of": func(s *model.Schedule) { s.Executions[1].Attempt = 1 },
	} {
		s := three()
		spoil(s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	logged := three()
	logged.Executions[1].Start, logged.Executions[1].End = 0, 8
	logged.Logged = true
	if err := logged.Check(); err != nil {
		t.Errorf("a logged schedule may use more than there is: %v", err)
	}
}

// Limits hold at every instant: Check finds the user and the class that exceed
// them, on each cluster by itself; unknown users are one.
func TestCheckLimits(t *testing.T) {
	s := three()
	s.Platform.Limits = model.Limits{UserProcs: 3, Classes: []model.LimitClass{{LongerThan: 10, Share: 0.1}, {LongerThan: 9, Share: 0.75}}}
	for i := range s.Workload.Jobs {
		s.Workload.Jobs[i].User = int32(i)
	}
	check := func(want string) {
		t.Helper()
		if err := s.Check(); (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	check("jobs that ask for more than 9 s hold 4 processors of cluster \"main\", where 3 are allowed (job 3)")
	s.Platform.Limits.Classes[1].Share = 1
	check("")
	s.Workload.Jobs[2].User = 0
	check("at 5, user 0 holds 4 processors of cluster \"main\", where 3 are allowed (job 3)")
	s.Workload.Jobs[0].User, s.Workload.Jobs[2].User = -1, -1
	check("at 5, user -1 holds 4 processors")
	if m := s.Platform.Limits.Most(100, 11); m != 3 {
		t.Errorf("%d processors at most", m)
	}
	if m := s.Platform.Limits.Most(29, 11); m != 2 {
		t.Errorf("%d processors at most", m)
	}
}

// Streams are the same on every machine, and independent of each other.
func TestStreamIsFixed(t *testing.T) {
	if got := model.Stream(1, "workload/daily", 0).Uint64(); got != 629546477190312658 {
		t.Errorf("first number of a stream is %d", got)
	}
	a, b, c := model.Stream(1, "a", 0).Uint64(), model.Stream(1, "b", 0).Uint64(), model.Stream(1, "a", 1).Uint64()
	if a == b || a == c || b == c {
		t.Error("streams are not independent")
	}
}
