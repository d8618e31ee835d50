package metric

import (
	"testing"

	"batchlab/core/model"
)

// Intent: the longest path goes back from its last job over whatever each job waited for
// last, and splits into running and waiting; who only looked at ends would miss a job
// that waits for a start, and who took any predecessor would make paths too long.
func TestLongestPathByHand(t *testing.T) {
	job := func(number int64, eligible model.Time) model.Job {
		return model.Job{Number: number, Submit: eligible, Limit: 1000, Procs: 1, User: 1}
	}
	w := &model.Workload{
		Jobs:      []model.Job{job(1, 0), job(2, 0), job(3, 13), job(4, 40), job(5, 41), job(6, 90)},
		Submitted: []model.Time{0, 0, 1, 2, 3, 4},
		Origin:    []int32{0, 1, 2, 3, 4, 5},
		Truth:     make([]model.Truth, 6),
		Gates: []model.Gate{
			{}, {Failed: true},
			{After: []model.Dependency{{Job: 0, On: model.Started, Delay: 8}}},                           // 5 + 8
			{After: []model.Dependency{{Job: 0, On: model.Ended}, {Job: 2, On: model.OK}}},               // the later one, job 3
			{After: []model.Dependency{{Job: 3, On: model.Ended}, {Job: 1, On: model.NotOK}}, Any: true}, // the earlier one, job 2
			{After: []model.Dependency{{Job: 1, On: model.OK}}},
		},
	}
	at := func(j model.JobID, eligible, start, end model.Time) model.Execution {
		return model.Execution{Job: j, Submit: eligible, Start: start, End: end, Procs: 1}
	}
	s := &model.Schedule{Workload: w, Platform: model.OneCluster(8), Executions: []model.Execution{
		at(0, 0, 5, 30), at(1, 0, 1, 41), at(2, 13, 20, 40), at(3, 40, 44, 60), at(4, 41, 41, 50),
		{Job: 5, Submit: 90, Start: -1, End: -1, Procs: 1, Reason: model.EndNever},
	}}
	values, _, _, _ := new(Meter).Measure(s, Options{Tau: 10})
	for key, want := range map[string]float64{
		"longest-path":         60,        // job 1 (from 0), its start, job 3, job 4 (to 60)
		"longest-path-run":     20 + 16,   // jobs 3 and 4
		"longest-path-wait":    5 + 7 + 4, // and 8 s of delay
		"mean-submission-wait": (5 + 1 + 19 + 42 + 38) / 5.,
		"mean-wait":            (5 + 1 + 7 + 4 + 0) / 5.,
		"never-eligible":       1,
		"withdrawn":            0,
		"rejected":             0,
	} {
		found := false
		for _, v := range values {
			if v.Key == key {
				if found = true; !v.Valid || v.Value != want {
					t.Errorf("%s is %v (%t), want %v", key, v.Value, v.Valid, want)
				}
			}
		}
		if !found {
			t.Errorf("there is no %s", key)
		}
	}
}
