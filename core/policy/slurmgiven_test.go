package policy_test

import (
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/slurm"
)

// Intent: by hand. One processor. Job 1 starts with the pass at 1.000 and takes 9.500 s, so
// it ends at 10.500, in the second in which the engine ends it. Its node is free at 10.517.
// A pass at 10.400 is too early for job 2; one at 10.510 comes while the node is not free
// yet; one at 10.520 starts it, and if that is the log's second, it is the engine's. A
// cycle at 10.510 plans it for 11. Where the log says that the node was free at 10.505 the
// pass at 10.510 does. Job 3 comes at 10.600: a pass at 10.550 does not see it.
func TestSlurmWithinASecond(t *testing.T) {
	tick := func(at model.Time, milli int32, what policy.TickKind) policy.Tick {
		return policy.Tick{At: at, Milli: milli, What: what}
	}
	first, last := tick(1, 0, policy.TickMain), tick(20, 0, policy.TickFull)
	for _, c := range []struct {
		what    string
		ticks   []policy.Tick
		epilogs map[int64][]int64
		want    model.Time
	}{
		{"before the end", []policy.Tick{tick(10, 400, policy.TickMain)}, nil, 20},
		{"before the epilog", []policy.Tick{tick(10, 510, policy.TickMain)}, nil, 20},
		{"behind it", []policy.Tick{tick(10, 520, policy.TickMain)}, nil, 10},
		{"a cycle before the epilog", []policy.Tick{tick(10, 510, policy.TickBackfill), tick(11, 900, policy.TickBackfill)}, nil, 11},
		{"an epilog that is told", []policy.Tick{tick(10, 510, policy.TickMain)}, map[int64][]int64{1: {10_505}}, 10},
	} {
		w := slurmJobs([4]int{0, 30, 9, 1}, [4]int{0, 30, 9, 1})
		given := &policy.SlurmGiven{Shift: -500, Submits: map[int64]int64{1: 500_100, 2: 500_200}, Took: map[int64]int64{1: 9_500}, Epilogs: c.epilogs,
			Ticks: slices.Concat([]policy.Tick{first}, c.ticks, []policy.Tick{last})}
		for i := range given.Ticks { // the log's clock is 500 s ahead
			given.Ticks[i].At += 500
		}
		for _, list := range c.epilogs {
			list[0] += 500_000
		}
		par := slurm.Defaults(2205)
		got, _ := slurmStarts(t, &policy.Slurm{Params: par, Given: given}, w, model.OneCluster(1))
		if !slices.Equal(got, []model.Time{1, c.want}) {
			t.Errorf("%s: starts %v, on paper 1 and %d", c.what, got, c.want)
		}
	}
	w := slurmJobs([4]int{10, 30, 9, 1})
	given := &policy.SlurmGiven{Submits: map[int64]int64{1: 10_600}, Ticks: []policy.Tick{tick(10, 550, policy.TickMain), tick(12, 0, policy.TickMain)}}
	if got, _ := slurmStarts(t, &policy.Slurm{Params: slurm.Defaults(2205), Given: given}, w, model.OneCluster(1)); got[0] != 12 {
		t.Errorf("a pass before it came starts it at %d", got[0])
	}
}
