package resource

import (
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
)

type noBeat struct{}

func (noBeat) Beat(int) bool { return true }

// Intent: jobs of one kind that stand side by side are moved together, and jobs for
// which nothing is wide enough are stepped over; places, order and profile are as if
// each job, in order, were taken out and placed again at its earliest fit. Jobs are of
// few kinds, their places crowded, what becomes free is long and short, here and there.
func TestSqueezeMovesEachJobByItself(t *testing.T) {
	defer func(deep, gap int) { deepAbove, gapAbove = deep, gap }(deepAbove, gapAbove)
	moves := 0
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 27))
		deepAbove, gapAbove = r.IntN(2)*20, r.IntN(2)*100
		procs := 1 + r.Int32N(9)
		var plain Counts
		var long Long
		plain.Reset(0, procs)
		long.Reset(0, procs)
		add := func(from, to model.Time, n int32) {
			plain.Add(from, to, n)
			long.Add(from, to, n)
		}
		kinds := make([]kind, 1+r.IntN(3))
		for k := range kinds {
			kinds[k] = kind{length: model.Time(1 + r.IntN(90)), procs: 1 + r.Int32N(min(procs, 1+r.Int32N(9)))}
		}
		// What runs, of which some will end early.
		type run struct {
			to    model.Time
			procs int32
		}
		var runs []run
		for left := procs; left > 0; {
			n := 1 + r.Int32N(left)
			runs = append(runs, run{model.Time(20 + r.IntN(100)), n})
			add(0, runs[len(runs)-1].to, -n)
			left -= n
		}
		var jobs []Planned
		for len(jobs) < 40 {
			k := kinds[r.IntN(len(kinds))]
			for range 1 + r.IntN(12) {
				at := plain.FitFrom(k.procs, k.length, 0)
				add(at, at+k.length, -k.procs)
				jobs = append(jobs, Planned{Start: at, Limit: k.length, Procs: k.procs, Job: model.JobID(len(jobs)), Kind: -1})
			}
		}
		slices.SortFunc(jobs, byStart)
		want := slices.Clone(jobs)
		var s Squeeze
		for pass := range model.Time(3) {
			now, freed := pass*6, model.Time(0)
			plain.Advance(now)
			long.Advance(now)
			for range 1 + r.IntN(2) {
				if len(runs) > 0 && runs[len(runs)-1].to > now {
					one := runs[len(runs)-1]
					add(now, one.to, one.procs)
					freed = max(freed, one.to)
					runs = runs[:len(runs)-1]
				}
			}
			if freed == 0 || jobs[0].Start < now {
				break
			}
			_, freed = s.Compress(&long, jobs, freed, 1, noBeat{})
			for i := range want {
				p := &want[i]
				plain.Add(p.Start, p.Start+p.Limit, p.Procs)
				at := plain.FitFrom(p.Procs, p.Limit, now)
				if at < p.Start {
					moves++
					if p.Start+p.Limit > freed {
						t.Fatalf("seed %d: something has become free until %d, not %d", seed, p.Start+p.Limit, freed)
					}
				}
				p.Start = at
				plain.Add(at, at+p.Limit, -p.Procs)
			}
			slices.SortFunc(want, byStart)
			for i := range want {
				if g := &jobs[i]; g.Job != want[i].Job || g.Start != want[i].Start {
					t.Fatalf("seed %d, pass %d: job %d at %d stands at place %d, not job %d at %d", seed, pass, g.Job, g.Start, i, want[i].Job, want[i].Start)
				}
			}
			var scratch Counts
			if got := long.Flat(&scratch); !slices.Equal(got.steps[got.lo:], plain.steps[plain.lo:]) {
				t.Fatalf("seed %d: the profile is %v, not %v", seed, got.steps[got.lo:], plain.steps[plain.lo:])
			}
		}
	}
	if moves < 10_000 {
		t.Errorf("only %d moves", moves)
	}
}

func byStart(a, b Planned) int {
	if a.Before(&b) {
		return -1
	}
	return 1
}
