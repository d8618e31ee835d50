package metric

import (
	"math"
	"slices"
	"testing"

	"batchlab/core/model"
)

// Classes, days and predictions of the three-job schedule, computed by hand.
func TestSpreadsAndPredictions(t *testing.T) {
	s := threeJobs()
	got := Spreads(s, Options{Tau: 10}, []int64{1, 2}, func(j *model.Job) int64 { return int64(j.Procs) })
	if len(got) != 3 || got[0].Jobs != 1 || got[0].MeanWait != 15 || got[1].MeanWait != 14 || got[2].Jobs != 1 || got[2].StdWait != 0 {
		t.Errorf("%+v", got)
	}
	all := Spreads(s, Options{Tau: 10}, nil, func(*model.Job) int64 { return 0 })
	if v := values(s, Options{Tau: 10}); math.Abs(all[0].StdWait-v["std-wait"]) > 1e-9 || math.Abs(all[0].StdSlowdown-v["std-bounded-slowdown"]) > 1e-9 || all[0].MeanSlowdown != v["mean-bounded-slowdown"] {
		t.Errorf("%+v", all[0])
	}
	list := []Prediction{{0, 0, 0}, {1, 5, 15}, {2, 10, 30}, {2, 12, 24}}
	if got := Accuracies(s, list, []model.Time{5, 12}); got[0].Predictions != 1 || got[1] != (Accuracy{To: 12, Predictions: 2, Late: 1, MeanError: 2.5, Bias: 2.5}) ||
		got[2] != (Accuracy{To: model.Never, Predictions: 1, Early: 1, MeanError: 6, Bias: -6}) {
		t.Errorf("%+v", got)
	}
}

// A job that holds half of the memory and an eighth of the processors consumes
// half of the cluster; lost attempts count; users without a number do not.
func TestUserWaits(t *testing.T) {
	s := schedule(8, job{submit: 0, start: 10, run: 10, procs: 1, user: 3}, job{submit: 0, start: 4, run: 5, procs: 8, user: -1})
	s.Platform = &model.Platform{Clusters: []model.Cluster{{Name: "c", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 2, Procs: 4, Mem: 100}}}}}
	s.Workload.Demands = []model.Demand{{MemPerNode: 100}}
	s.Workload.Jobs[0].Demand = 1
	s.Executions = slices.Insert(s.Executions, 0, model.Execution{Job: 0, Start: 2, End: 5, Procs: 1, Reason: model.EndOutage, Claim: 1})
	s.Executions[1].Attempt, s.Executions[1].Claim = 1, 1
	s.Claims = []model.Claim{{Parts: []model.Part{{Node: 1, Procs: 1}}}}
	got := UserWaits(s, Options{})
	if len(got) != 1 || got[0] != (UserWait{User: 3, Wait: 10, Consumed: 52, NUWT: 10.0 / 52}) {
		t.Errorf("%+v", got)
	}
}
