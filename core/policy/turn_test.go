package policy

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// plainTurn serves several queues in turn in the plain way: at each instant it counts how
// many stand before each job in its queue, and sorts all jobs by that.
type plainTurn struct {
	plainBackfill
	last int64 // the queue of the job that started last
}

// queueOf is the number of a job's queue; of none it is larger than all others.
func queueOf(v *sim.View, j model.JobID) int64 {
	if q := v.Jobs[j].Queue; q >= 0 {
		return int64(q)
	}
	return 1 << 40
}

func (b *plainTurn) Reset(v *sim.View) {
	b.plainBackfill.Reset(v)
	b.last = -1
}

func (b *plainTurn) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = b.begin(v, out)
	round := map[model.JobID]int{}
	for _, j := range b.waiting {
		for _, k := range b.waiting {
			if k < j && queueOf(v, k) == queueOf(v, j) {
				round[j]++
			}
		}
	}
	behind := func(j model.JobID) int {
		if queueOf(v, j) > b.last {
			return 0
		}
		return 1
	}
	order := slices.Clone(b.waiting)
	slices.SortFunc(order, func(x, y model.JobID) int {
		return cmp.Or(cmp.Compare(round[x], round[y]), cmp.Compare(behind(x), behind(y)), cmp.Compare(queueOf(v, x), queueOf(v, y)))
	})
	for _, j := range order {
		if claim, ok := b.room(v, j).Place(&v.Needs[j]); ok {
			out, b.last = append(out, b.starts(v, j, claim)), queueOf(v, j)
		}
	}
	return out
}

// Queues served in turn agree with the plain way on platforms of all kinds, with
// licences, limits, deadlines, outages and failures; and where all jobs are of one queue
// it is as if there were none. Else a queue's turn would be lost or come twice.
func TestTurnsAgree(t *testing.T) {
	seeds := uint64(400)
	if testing.Short() {
		seeds = 60
	}
	differ, waited := 0, 0
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 23))
		w, p := anySite(rng)
		if seed%40 == 0 {
			crowd(w, 6)
		}
		for i := range w.Jobs {
			w.Jobs[i].Queue = rng.Int32N(5) - 1
		}
		run := func(s sim.Scheduler) []model.Execution {
			schedule, err := new(sim.Simulator).Run(w, p, s, sim.Options{})
			if err == nil {
				err = schedule.Check()
			}
			if err != nil {
				t.Fatalf("seed %d, %T: %v", seed, s, err)
			}
			return schedule.Executions
		}
		turn, plain, line := run(&List{Order: ByTurn}), run(&plainTurn{}), run(&List{})
		for i := range turn {
			if x, y := turn[i], plain[i]; x.Start != y.Start || x.End != y.End || x.Reason != y.Reason || x.Attempt != y.Attempt || x.Cluster != y.Cluster {
				t.Fatalf("seed %d: job index %d: %+v, the plain one says %+v", seed, i, x, y)
			}
			if turn[i].Start > turn[i].Submit {
				waited++
			}
		}
		if !sameRuns(turn, line) {
			differ++
		}
		one := rng.Int32N(3) - 1
		for i := range w.Jobs {
			w.Jobs[i].Queue = one
		}
		if !sameRuns(run(&List{Order: ByTurn}), line) {
			t.Fatalf("seed %d: one queue is not served by submission", seed)
		}
	}
	if uint64(differ) < seeds/2 || waited < 10*int(seeds) {
		t.Errorf("turns changed %d of %d schedules, %d jobs waited: too few for a test", differ, seeds, waited)
	}
}

// One processor, for which three jobs of queue 1, two of queue 4 and one of none wait: one
// of each runs before another of the same. Without a memory of who was served last the
// first queue would have all turns, as each instant has room for one job only.
func TestTurnsByHand(t *testing.T) {
	w := &model.Workload{}
	for i, queue := range []int32{1, 1, 1, -1, 4, 4} {
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Limit: 10, Procs: 1, Queue: queue})
		w.Truth = append(w.Truth, model.Truth{Run: 10})
	}
	p := &model.Platform{Clusters: []model.Cluster{{Name: "c", Groups: []model.NodeGroup{{Count: 1, Procs: 1}}}}}
	schedule, err := new(sim.Simulator).Run(w, p, &List{Order: ByTurn}, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var starts []model.Time
	for i := range schedule.Executions {
		starts = append(starts, schedule.Executions[i].Start)
	}
	if want := []model.Time{0, 30, 50, 20, 10, 40}; !slices.Equal(starts, want) {
		t.Errorf("starts %v instead of %v", starts, want)
	}
}
