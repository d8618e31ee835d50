package policy

import (
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
)

// Intent: ends of which only the first are in order give every head the shadow time and
// the processors left over that a sorted list gives, as jobs start, end at their requests
// and before, with many that end together.
func TestSoonestIsASortedList(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 8))
		var e soonest
		var want running
		e.reset(2000)
		want.reset()
		var list []runningJob
		spread := []int64{3, 40, 5000}[seed%3]
		for j := range model.JobID(2000) {
			one := runningJob{model.Time(j)/4 + model.Time(r.Int64N(spread)), 1 + r.Int32N(20), j}
			e.add(one.end, one.procs, j)
			want.add(one.end, one.procs, j)
			list = append(list, one)
			for len(list) > 0 && r.IntN(int(seed%3)+2) > 0 {
				i := r.IntN(len(list))
				if r.IntN(2) == 0 { // who ends first
					for k := range list {
						if list[k].end < list[i].end {
							i = k
						}
					}
				}
				e.remove(list[i].end, list[i].job)
				want.remove(list[i].end, list[i].job)
				list[i] = list[len(list)-1]
				list = list[:len(list)-1]
			}
			if all := e.sorted(); len(all.jobs) != len(want.jobs) {
				t.Fatalf("seed %d: %d run, sorted %d", seed, len(all.jobs), len(want.jobs))
			}
			if r.IntN(3) == 0 {
				free := r.Int32N(10)
				procs := free + 1 + r.Int32N(100)
				at, extra := e.shadow(free, procs)
				if a, x := want.shadow(free, procs); a != at || x != extra {
					t.Fatalf("seed %d, %d of %d processors: %d and %d left over, sorted %d and %d", seed, procs, free, at, extra, a, x)
				}
			}
		}
	}
}
