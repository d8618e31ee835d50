package policy

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// plainOrig is Orig-BF on one counted cluster as a beginner would write it
// down: consumption is counted second by second from all that ever ran, and
// what is free is one number a second, for machine, users and classes.
type plainOrig struct {
	OrigBF
	runs []plainRun
	wait []model.JobID
	from model.Time
	seen bool
}

type plainRun struct {
	job      model.JobID
	from, to model.Time // to −1: running
}

func (p *plainOrig) Reset(*sim.View) { p.runs, p.wait, p.seen = nil, nil, false }

func (p *plainOrig) used(v *sim.View, user int32) float64 {
	used := 0.0
	for t := p.from; t < v.Now; t++ {
		if p.Halve > 0 && t > p.from && (t-p.from)%p.Halve == 0 {
			used /= 2
		}
		for _, r := range p.runs {
			if v.Jobs[r.job].User == user && r.from <= t && (r.to < 0 || t < r.to) {
				used += float64(v.Jobs[r.job].Procs)
			}
		}
	}
	if p.Halve > 0 && v.Now > p.from && (v.Now-p.from)%p.Halve == 0 {
		used /= 2
	}
	return used
}

// order takes over what has happened, and puts the waiting jobs in their order.
func (p *plainOrig) order(v *sim.View) {
	if !p.seen && v.Arrived < v.Next {
		p.from, p.seen = v.Now, true
	}
	for _, j := range slices.Concat(v.Ended, v.Back) {
		i := slices.IndexFunc(p.runs, func(r plainRun) bool { return r.job == j && r.to < 0 })
		p.runs[i].to = v.Now
	}
	p.wait = append(p.wait, v.Back...)
	for j := v.Arrived; j < v.Next; j++ {
		p.wait = append(p.wait, j)
	}
	slices.SortFunc(p.wait, func(a, b model.JobID) int {
		if p.QueuesFirst {
			if c := cmp.Compare(origQueue(v.Jobs[a].Limit), origQueue(v.Jobs[b].Limit)); c != 0 {
				return c
			}
		}
		return cmp.Or(cmp.Compare(p.used(v, v.Jobs[a].User), p.used(v, v.Jobs[b].User)), cmp.Compare(a, b))
	})
}

func (p *plainOrig) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.order(v)
	const horizon = 4000
	limits := &v.Site.Platform.Limits
	rows := map[string][]int32{}
	row := func(key string, most int32) []int32 {
		if rows[key] == nil {
			rows[key] = make([]int32, horizon)
			for i := range rows[key] {
				rows[key][i] = most
			}
		}
		return rows[key]
	}
	of := func(j model.JobID) [][]int32 {
		list := [][]int32{row("machine", v.Site.Procs())}
		if limits.UserProcs > 0 {
			list = append(list, row(fmt.Sprint("user ", v.Jobs[j].User), limits.UserProcs))
		}
		for i, c := range limits.Classes {
			if v.Jobs[j].Limit > c.LongerThan {
				list = append(list, row(fmt.Sprint("class ", i), c.Procs(int(v.Site.Procs()))))
			}
		}
		return list
	}
	take := func(j model.JobID, from, to model.Time) {
		for _, cells := range of(j) {
			for t := from; t < to; t++ {
				cells[t] -= v.Jobs[j].Procs
			}
		}
	}
	for _, r := range p.runs {
		if r.to < 0 {
			take(r.job, 0, max(0, r.from+v.Jobs[r.job].Limit-v.Now))
		}
	}
	for i := range v.Site.Platform.Calendar {
		if c := &v.Site.Platform.Calendar[i]; v.Known(c) {
			for t := max(c.From, v.Now); t < c.To; t++ {
				row("machine", v.Site.Procs())[t-v.Now] -= c.Procs
			}
		}
	}
	var left []model.JobID
	for _, j := range p.wait {
		job := &v.Jobs[j]
		at := model.Time(0)
		for ; ; at++ {
			free := true
			for _, cells := range of(j) {
				for t := at; t < at+job.Limit; t++ {
					free = free && cells[t] >= job.Procs
				}
			}
			if free {
				break
			}
		}
		if at == 0 || v.Now-job.Submit >= p.Threshold {
			take(j, at, at+job.Limit)
		}
		if at == 0 {
			claim, _ := v.Free.Place(&v.Needs[j])
			p.runs = append(p.runs, plainRun{j, v.Now, -1})
			out = append(out, sim.Decision{Job: j, Claim: claim})
		} else {
			left = append(left, j)
		}
	}
	p.wait = left
	return out
}

// origCase is a random workload of a few users on one counted cluster, with
// and without limits, outages, failures and arrays of jobs that are alike.
func origCase(rng *rand.Rand) (*model.Workload, *model.Platform) {
	procs := 2 + rng.IntN(14)
	p := model.OneCluster(procs)
	limited, arrays := rng.IntN(3) > 0, rng.IntN(2) == 0
	if limited && rng.IntN(2) == 0 {
		p.Limits.UserProcs = int32(1 + rng.IntN(procs))
	}
	for range rng.IntN(3) {
		if !limited {
			break
		}
		p.Limits.Classes = append(p.Limits.Classes, model.LimitClass{LongerThan: model.Time(rng.IntN(40)), Share: 0.5 + rng.Float64()/2})
	}
	for range rng.IntN(4) {
		from := model.Time(rng.IntN(200))
		kind := model.KindOutage
		if rng.IntN(2) == 0 {
			kind = model.KindFailure
		}
		p.Calendar = append(p.Calendar, model.CalendarEntry{Kind: kind, From: from, To: from + 1 + model.Time(rng.IntN(40)), Procs: int32(1 + rng.IntN(procs))})
	}
	w := &model.Workload{Processors: procs}
	at := model.Time(0)
	for i := range 25 {
		if n := len(w.Jobs); arrays && n > 0 && rng.IntN(4) > 0 {
			w.Jobs = append(w.Jobs, w.Jobs[n-1])
			w.Jobs[n].Number = int64(i + 1)
			w.Truth = append(w.Truth, model.Truth{Run: 1 + model.Time(rng.IntN(int(w.Jobs[n].Limit)+5))})
			continue
		}
		at += model.Time(rng.IntN(12))
		limit := model.Time(1 + rng.IntN(50))
		most := p.Limits.Most(procs, limit)
		if most < 1 {
			continue
		}
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: at, Limit: limit, Procs: 1 + rng.Int32N(most), User: rng.Int32N(4) - 1})
		w.Truth = append(w.Truth, model.Truth{Run: 1 + model.Time(rng.IntN(int(limit)+5))})
	}
	return w, p
}

// run runs a scheduler and proves its schedule.
func origRun(t *testing.T, w *model.Workload, p *model.Platform, s sim.Scheduler) []model.Execution {
	t.Helper()
	var m sim.Simulator
	schedule, err := m.Run(w, p, s, sim.Options{})
	if err == nil {
		err = schedule.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	list := slices.Clone(schedule.Executions)
	for i := range list {
		list[i].Claim = 0
	}
	return list
}

// Every job starts when the twin starts it, whether the scheduler makes only
// the reservations that matter or, asked for predictions, all of them, and
// whether processors are counted or are those of one machine. Of all reservations both
// tell the same.
func TestOrigBFTwins(t *testing.T) {
	stopped, compared := 0, 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 11))
		w, p := origCase(rng)
		options := OrigBF{Halve: model.Time(rng.IntN(3) * 30), QueuesFirst: rng.IntN(3) == 0}
		if rng.IntN(3) == 0 {
			options.Threshold = model.Time(rng.IntN(40))
		}
		with := func() *OrigBF { s := options; return &s }
		want := origRun(t, w, p, &plainOrig{OrigBF: options})
		told := with()
		var plans [][3]int64
		told.Plan = func(now model.Time, j model.JobID, start model.Time) {
			plans = append(plans, [3]int64{int64(now), int64(j), int64(start)})
		}
		machine := *p
		machine.Clusters = []model.Cluster{{Name: "main", Packing: model.PackMachine, Groups: []model.NodeGroup{{Count: 1, Procs: p.Clusters[0].Groups[0].Count}}}}
		// A machine fails as a whole, so that only platforms without a calendar are alike.
		platforms := map[string]*model.Platform{"counts": p}
		if len(p.Calendar) == 0 {
			platforms["machine"] = &machine
		}
		kept := map[string][][3]int64{}
		for name, platform := range platforms {
			plans = nil
			for _, s := range []*OrigBF{with(), told} {
				if got := origRun(t, w, platform, s); !slices.Equal(got, want) {
					t.Fatalf("seed %d, %s: %v\nwant %v", seed, name, got, want)
				}
			}
			kept[name] = plans
		}
		if len(kept) == 2 {
			compared++
			if !slices.Equal(kept["counts"], kept["machine"]) {
				t.Fatalf("seed %d: %v on counted processors, %v on a machine", seed, kept["counts"], kept["machine"])
			}
		}
		stopped += len(want) - len(w.Jobs)
	}
	if stopped < 20 || compared < 20 {
		t.Errorf("failures stopped only %d executions; %d plans were compared", stopped, compared)
	}
}

// On random clusters of nodes with memory, limits, outages and failures every
// job runs, nothing is over-allocated and no limit exceeded (Check proves both),
// and predictions change nothing: the earliest planned start is the next one
// that happens, unless something unforeseen does.
func TestOrigBFOnNodes(t *testing.T) {
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 12))
		w, p := nodes(rng)
		s, told := NewOrigBF(), NewOrigBF()
		told.Plan = func(now model.Time, j model.JobID, start model.Time) {
			if start < now || start == model.Never {
				t.Fatalf("seed %d: job %d is promised %d at %d", seed, j, start, now)
			}
		}
		if a, b := origRun(t, w, p, s), origRun(t, w, p, told); !slices.Equal(a, b) {
			t.Fatalf("seed %d: predictions change the schedule", seed)
		}
	}
}

// nodes returns random clusters of nodes and jobs that fit on them.
func nodes(rng *rand.Rand) (*model.Workload, *model.Platform) {
	p := &model.Platform{}
	for c := range 1 + rng.IntN(3) {
		cluster := model.Cluster{Name: fmt.Sprint("c", c), Packing: model.PackNodes}
		for range 1 + rng.IntN(2) {
			cluster.Groups = append(cluster.Groups, model.NodeGroup{Count: int32(1 + rng.IntN(4)), Procs: int32(2 + rng.IntN(7)), Mem: 100, Speed: float64(1 + rng.IntN(2))})
		}
		p.Clusters = append(p.Clusters, cluster)
	}
	if rng.IntN(2) == 0 {
		p.Limits = model.Limits{UserProcs: int32(4 + rng.IntN(6)), Classes: []model.LimitClass{{LongerThan: 30, Share: 0.6}}}
	}
	if rng.IntN(2) == 0 {
		calendar(p, rng)
		for i := range p.Calendar {
			if rng.IntN(2) == 0 {
				p.Calendar[i].Kind = model.KindFailure
			}
		}
	}
	site, err := resource.NewSite(p)
	if err != nil {
		panic(err)
	}
	w := &model.Workload{}
	at := model.Time(0)
	for len(w.Jobs) < 30 {
		at += model.Time(rng.IntN(15))
		job := model.Job{Number: int64(len(w.Jobs) + 1), Submit: at, Limit: model.Time(1 + rng.IntN(60)), Procs: int32(1 + rng.IntN(12)), User: rng.Int32N(3)}
		d := model.Demand{MemPerNode: int64(rng.IntN(101))}
		if rng.IntN(2) == 0 {
			d.Nodes, d.PerNode = int32(1+rng.IntN(3)), int32(1+rng.IntN(4))
			job.Procs = d.Nodes * d.PerNode
		}
		if rng.IntN(3) == 0 {
			for i := range p.Nodes() {
				if rng.IntN(4) > 0 {
					d.On = append(d.On, int32(i))
				}
			}
		}
		if rng.IntN(3) == 0 {
			d.Eligible = []int32{rng.Int32N(int32(len(p.Clusters)))}
		}
		fits := false
		for c := range p.Clusters {
			here := d
			here.Eligible = []int32{int32(c)}
			need := site.Need(&job, &here)
			fits = fits || (d.Eligible == nil || d.Eligible[0] == int32(c)) && site.NewPool().Fits(&need) && p.Limits.Most(p.Clusters[c].Procs(), job.Limit) >= job.Procs
		}
		if !fits {
			continue
		}
		w.Demands = append(w.Demands, d)
		job.Demand = int32(len(w.Demands))
		w.Jobs = append(w.Jobs, job)
		w.Truth = append(w.Truth, model.Truth{Run: model.Time(1 + rng.IntN(70))})
	}
	return w, p
}

// An example that fits on paper: user 1 has used the machine, so user 2's later
// job goes first; job 4 slips into the gap before the reservations.
func TestOrigBFByHand(t *testing.T) {
	w := &model.Workload{}
	for i, j := range []struct{ submit, limit, procs, user int }{{0, 10, 3, 1}, {1, 10, 4, 1}, {2, 10, 4, 2}, {3, 5, 1, 1}, {4, 8, 1, 1}} {
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: model.Time(j.submit), Limit: model.Time(j.limit), Procs: int32(j.procs), User: int32(j.user)})
		w.Truth = append(w.Truth, model.Truth{Run: model.Time(j.limit)})
	}
	var got []model.Time
	for _, e := range origRun(t, w, model.OneCluster(4), NewOrigBF()) {
		got = append(got, e.Start)
	}
	if want := []model.Time{0, 20, 10, 3, 30}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Intent: with a depth of one, the first job that has to wait has its reservation
// also at an instant at which jobs before it start: who starts takes no depth.
func TestOrigBFDepthCountsWhoWaits(t *testing.T) {
	w := &model.Workload{}
	for i, j := range []struct{ limit, run, procs, user, submit int }{{5, 4, 3, 1, 0}, {1, 1, 2, 2, 3}, {1, 1, 4, 1, 3}, {2, 2, 2, 1, 3}} {
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: model.Time(j.submit), Limit: model.Time(j.limit), Procs: int32(j.procs), User: int32(j.user)})
		w.Truth = append(w.Truth, model.Truth{Run: model.Time(j.run)})
	}
	s := NewOrigBF()
	s.Depth = 1
	var got []model.Time
	for _, e := range origRun(t, w, model.OneCluster(8), s) {
		got = append(got, e.Start)
	}
	if want := []model.Time{0, 3, 4, 4}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v: at 3 job 2 starts, job 3 is promised 4, and job 4 would delay it", got, want)
	}
}
