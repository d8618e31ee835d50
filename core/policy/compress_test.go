package policy_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
)

// Intent: jobs of one kind that stand side by side are moved together, and jobs for
// which nothing is wide enough are stepped over; who moves where is as if each were
// placed again by itself, as the plain twin does. Workloads are of few kinds, many of
// each, and most wait at once, with ties, requests that overlap and runs that end far too early.
func TestConservativeOfFewKinds(t *testing.T) {
	rounds := 6
	if testing.Short() {
		rounds = 2
	}
	var m sim.CountedSimulator
	var cons policy.CountedConservative
	r := rand.New(rand.NewPCG(27, 4))
	for round := range rounds {
		procs := 1 + r.IntN(6)
		w := fewKinds(r, 80+r.IntN(60), procs)
		tw := newTwin(w, procs)
		same(t, fmt.Sprint("round ", round), w, simulate(t, &m, w, procs, &cons, nil), tw.run(tw.conservative))
	}
}

// fewKinds makes arrays of equal jobs, of one to four kinds.
func fewKinds(r *rand.Rand, n, procs int) *model.Workload {
	type kind struct {
		procs int32
		limit model.Time
	}
	kinds := make([]kind, 1+r.IntN(4))
	for k := range kinds {
		kinds[k] = kind{1 + r.Int32N(int32(procs)), model.Time(1 + r.IntN(200))}
		if r.IntN(2) == 0 {
			kinds[k].procs = 1
		}
	}
	w := &model.Workload{Processors: procs}
	at := model.Time(0)
	for len(w.Jobs) < n {
		k := kinds[r.IntN(len(kinds))]
		if r.IntN(3) > 0 {
			at += model.Time(r.IntN(60))
		}
		for range 1 + r.IntN(20) {
			w.Jobs = append(w.Jobs, model.Job{Number: int64(len(w.Jobs) + 1), Submit: at, Limit: k.limit, Procs: k.procs})
			w.Truth = append(w.Truth, model.Truth{Run: 1 + model.Time(r.Int64N(int64(k.limit)))})
			at += model.Time(r.IntN(2) * r.IntN(2))
		}
	}
	return w
}
