package policy_test

import (
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
)

// The heuristics of BF_MOD hold where no job has a deadline, too: of two jobs that
// wait together the shorter goes first.
func TestPrioritiesWithoutDeadlines(t *testing.T) {
	w := &model.Workload{}
	for i, j := range []struct{ submit, limit model.Time }{{0, 10}, {1, 100}, {1, 20}} {
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: j.submit, Limit: j.limit, Procs: 4})
		w.Truth = append(w.Truth, model.Truth{Run: j.limit})
	}
	var m sim.Simulator
	schedule, err := m.Run(w, model.OneCluster(4), policy.NewBFMod(policy.PriorityWeights{Aging: 0.01, Wait: 2}), sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var starts []model.Time
	for i := range schedule.Executions {
		starts = append(starts, schedule.Executions[i].Start)
	}
	if !slices.Equal(starts, []model.Time{0, 30, 10}) {
		t.Error(starts)
	}
}
