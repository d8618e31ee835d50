package policy_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
	"batchlab/core/slurm"
)

// slurmStarts simulates a workload under Slurm, and returns the starts.
func slurmStarts(t *testing.T, s *policy.Slurm, w *model.Workload, p *model.Platform) (starts []model.Time, instants int) {
	t.Helper()
	var m sim.Simulator
	schedule, err := m.Run(w, p, s, sim.Options{Watch: func(*sim.View) bool { instants++; return true }})
	if err == nil {
		err = schedule.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	starts = make([]model.Time, len(w.Jobs))
	for i := range schedule.Executions {
		starts[schedule.Executions[i].Job] += schedule.Executions[i].Start // of all attempts
	}
	return starts, instants
}

func slurmJobs(list ...[4]int) *model.Workload {
	w := &model.Workload{}
	for i, j := range list {
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: model.Time(j[0]), Limit: model.Time(j[1]), Procs: int32(j[3]), User: 1})
		w.Truth = append(w.Truth, model.Truth{Run: model.Time(j[2])})
	}
	return w
}

// Intent: by hand. 4 processors; the loops last ran as job 1 came, so passes over the
// whole queue come at 60, 120, …, and cycles at 30, 60, ….
//
// Job 1 comes at 0 and starts at 3: the last pass is less than batch_sched_delay ago. Job
// 2 lacks processors then. Job 3 comes at 10 and would fit, but the pass that it asks for
// stops at job 2. The cycle at 30 plans job 2 for 103, when job 1 has to end, in the slots
// from 60 on: job 3, which may run from 30 to 80, would run into them. Job 4 is over
// before, and starts. Job 1 ends at 83 and job 2 starts at once, job 3 after it.
func TestSlurmByHand(t *testing.T) {
	w := slurmJobs([4]int{0, 100, 80, 3}, [4]int{1, 50, 50, 4}, [4]int{10, 50, 50, 1}, [4]int{11, 20, 20, 1})
	got, _ := slurmStarts(t, &policy.Slurm{Params: slurm.Defaults(2205)}, w, model.OneCluster(4))
	if want := []model.Time{3, 83, 133, 30}; !slices.Equal(got, want) {
		t.Errorf("starts %v, by hand %v", got, want)
	}
}

// Intent: by hand. A pass is not passed over though nothing has happened since the last one,
// where that has not looked at all jobs of a partition (partition_job_depth), or where time
// brings a reservation nearer: who would run into it no longer stops the loop. Passes come
// every 7 s, from second 0 on. 2 processors, both away until 10: the pass at 10 starts job 1,
// that at 14 job 2. 4 processors, all away from 39 on: job 2 stops the passes behind job 1
// until that at 21, when it would end at 40; so it does where one processor fails at 15, of
// which nobody knew before. Two clusters of 4: job 2 stops the pass of the first, behind job
// 1, and starts on the second; job 3, which may not pass it, starts beside job 1 in the next.
func TestSlurmPassesAgain(t *testing.T) {
	away := func(procs int, from, to model.Time) *model.Platform {
		p := model.OneCluster(procs)
		p.Calendar = []model.CalendarEntry{{Kind: model.KindOutage, From: from, To: to, Procs: int32(procs)}}
		return p
	}
	par := slurm.Defaults(2205)
	par.SchedInterval, par.Builtin = 7, true
	failed := away(4, 15, 60)
	failed.Calendar[0].Kind, failed.Calendar[0].Procs = model.KindFailure, 1
	two := model.OneCluster(4)
	two.Clusters = append(two.Clusters, two.Clusters[0])
	two.Clusters[1].Name = "second"
	depth := par
	depth.PartitionDepth = 1
	for _, one := range []struct {
		par  slurm.Params
		p    *model.Platform
		w    *model.Workload
		want []model.Time
	}{
		{depth, away(2, 0, 10), slurmJobs([4]int{0, 7, 7, 1}, [4]int{0, 5, 5, 1}), []model.Time{10, 14}},
		{par, two, slurmJobs([4]int{0, 40, 40, 3}, [4]int{0, 40, 40, 4}, [4]int{0, 1, 1, 1}), []model.Time{3, 3, 7}},
		{par, failed, slurmJobs([4]int{0, 40, 40, 1}, [4]int{0, 19, 1, 4}, [4]int{0, 1, 1, 1}), []model.Time{3, 60, 21}},
		{par, away(4, 39, 43), slurmJobs([4]int{0, 19, 19, 3}, [4]int{0, 19, 1, 2}, [4]int{0, 1, 1, 1}), []model.Time{3, 45, 21}},
	} {
		for _, every := range []bool{false, true} {
			if got, _ := slurmStarts(t, &policy.Slurm{Params: one.par, Every: every}, one.w, one.p); !slices.Equal(got, one.want) {
				t.Errorf("starts %v, by hand %v", got, one.want)
			}
		}
	}
}

// Intent: passes and cycles that are passed over are those in which nothing starts. With
// all of them, at every second at which one may come, every job starts when it starts
// without; random jobs, platforms and settings, outages included. So it does where
// somebody watches, for whom cycles are made up for.
func TestSlurmPassesOverNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	few, many := 0, 0
	for round := range 2000 {
		procs := 1 + r.IntN(70)
		w, at := &model.Workload{}, 0
		for i := range 1 + r.IntN(60) {
			if at += r.IntN(200); r.IntN(3) == 0 {
				at += r.IntN(2000)
			}
			limit := 1 + r.IntN(3000)
			w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: model.Time(at), Limit: model.Time(limit), Procs: int32(1 + r.IntN(1+r.IntN(procs))), User: int32(r.IntN(4))})
			w.Truth = append(w.Truth, model.Truth{Run: model.Time(1 + r.IntN(limit+50))})
			if round%7 == 6 && r.IntN(3) == 0 { // turned down by the first pass or cycle after that
				w.Demands = append(w.Demands, model.Demand{Due: model.Time(at + 1 + r.IntN(4000)), OnDue: model.DueKill})
				w.Jobs[i].Demand = int32(len(w.Demands))
			}
		}
		p := model.OneCluster(procs)
		if round%3 == 1 && procs > 8 {
			p = &model.Platform{Clusters: []model.Cluster{{Name: "n", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: int32(1 + procs/4), Procs: 4, Speed: 1}}}}}
		} else if round%4 == 2 {
			p.Calendar = []model.CalendarEntry{{Kind: model.KindOutage, From: 500, To: 1500, Procs: int32(1 + r.IntN(procs))}, {Kind: model.KindFailure, From: 2500, To: 2600, Procs: int32(procs)}}
		}
		par := slurm.Defaults([]int{2205, 2311, 2411, 2511}[r.IntN(4)])
		par.Select = slurm.ConsTRES
		if r.IntN(2) == 0 {
			par.Multifactor, par.WeightAge, par.MaxAge, par.WeightFair, par.WeightSize, par.HalfLife = true, 1000, 4000, 3000, int64(r.IntN(500)), 2000
		}
		if r.IntN(3) == 0 {
			par.QueueDepth, par.BFMaxTest, par.BFMaxUser, par.BFMinAge, par.PartitionDepth = 1+r.IntN(4), 3+r.IntN(20), r.IntN(5), int64(r.IntN(300)), r.IntN(3)
		}
		if r.IntN(3) == 0 {
			par.BFInterval, par.BFResolution, par.BFWindow, par.SchedInterval = 1+r.Int64N(100), 1+r.Int64N(100), 60*(1+r.Int64N(60)), 1+r.Int64N(100)
		}
		if round%5 == 3 {
			slurmShares(r, w, p, &par)
		}
		par.Builtin = r.IntN(10) == 0 || round%7 == 6 && r.IntN(2) == 0 // without cycles a job waits behind the one that is turned down
		phase := model.Time(r.IntN(1000))
		a, n := slurmStarts(t, &policy.Slurm{Params: par, Phase: phase}, w, p)
		b, all := slurmStarts(t, &policy.Slurm{Params: par, Phase: phase, Every: true}, w, p)
		if !slices.Equal(a, b) {
			t.Fatalf("round %d: %v, with every pass and cycle %v", round, a, b)
		}
		if c, _ := slurmStarts(t, &policy.Slurm{Params: par, Phase: phase, Watched: true}, w, p); !slices.Equal(a, c) {
			t.Fatalf("round %d: %v, and watched %v", round, a, c)
		}
		few, many = few+n, many+all
	}
	if t.Logf("%d instants, %d with every pass and cycle", few, many); few*2 > many {
		t.Error("little is passed over")
	}
}

// Intent: nothing is passed over in which a job of a real log would start: of thousands of
// jobs, with plans up to the end of the map, every one starts when it does with all cycles.
func TestSlurmPassesOverNothingOfALog(t *testing.T) {
	w := realWorkload(t, "SDSC-SP2-1998-4.2-cln.swf.gz")
	part := *w
	part.Jobs, part.Truth = w.Jobs[9000:18000], w.Truth[9000:18000]
	p := model.OneCluster(int(w.Processors))
	a, few := slurmStarts(t, &policy.Slurm{Params: slurm.Defaults(2205)}, &part, p)
	b, all := slurmStarts(t, &policy.Slurm{Params: slurm.Defaults(2205), Every: true}, &part, p)
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("job %d starts at %d, with every pass and cycle at %d", part.Jobs[i].Number, a[i], b[i])
		}
	}
	if few*2 > all {
		t.Errorf("%d instants of %d", few, all)
	}
}

// Intent: a machine too large for a map of every processor is refused before anything is
// made for it; one just as large as may be is not.
func TestSlurmRefusesHugeMachines(t *testing.T) {
	w := slurmJobs([4]int{0, 10, 10, policy.MaxSlurmNodes})
	for procs, ok := range map[int]bool{policy.MaxSlurmNodes: true, policy.MaxSlurmNodes + 1: false, 1<<31 - 1: false} {
		var m sim.Simulator
		if _, err := m.Run(w, model.OneCluster(procs), &policy.Slurm{Params: slurm.Defaults(2205)}, sim.Options{}); (err == nil) != ok {
			t.Errorf("%d processors: %v", procs, err)
		}
	}
}

// Intent: the jobs of a log may lie any time apart: priorities that change nothing in
// between are not computed one by one, and who comes then starts as if it were the first.
func TestSlurmAcrossALongTime(t *testing.T) {
	const late = 1 << 40
	par := slurm.Defaults(2311)
	par.WeightFair, par.WeightAge = 1000, 1000
	for _, half := range []int64{0, 86400} {
		par.HalfLife = half
		w := slurmJobs([4]int{0, 5000, 5000, 4}, [4]int{1, 50, 50, 4}, [4]int{late, 10, 10, 4})
		got, n := slurmStarts(t, &policy.Slurm{Params: par}, w, model.OneCluster(4))
		if got[2] < late || got[2] > late+3 || n > 100 {
			t.Errorf("half-life %d: starts %v in %d instants", half, got, n)
		}
	}
}
