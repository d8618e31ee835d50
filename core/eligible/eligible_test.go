package eligible_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/eligible"
	"batchlab/core/model"
	"batchlab/core/plan"
	"batchlab/core/policy"
	"batchlab/core/sim"
)

// workflow draws a small workload whose jobs wait for others in all ways there are, and
// with withdrawn leave the queue now and then.
func workflow(r *rand.Rand, withdrawn bool) *model.Workload {
	n := 2 + r.IntN(11)
	w := &model.Workload{Jobs: make([]model.Job, n), Truth: make([]model.Truth, n), Gates: make([]model.Gate, n), Processors: 4}
	at := model.Time(r.IntN(5))
	for i := range w.Jobs {
		run := model.Time(1 + r.IntN(12))
		w.Jobs[i] = model.Job{Number: int64(i + 1), Submit: at, Limit: max(1, run+model.Time(r.IntN(8))-2), Procs: int32(1 + r.IntN(4)), User: int32(r.IntN(3)), Group: -1, Queue: -1, Record: int32(i)}
		w.Truth[i] = model.Truth{Run: run, LoggedWait: model.Time(r.IntN(30)) - 1}
		at += model.Time(r.IntN(6))
		g := &w.Gates[i]
		g.Failed = r.IntN(3) == 0
		if r.IntN(4) == 0 {
			g.Begin = w.Jobs[i].Submit + model.Time(r.IntN(25))
		}
		for range r.IntN(3) {
			p := model.JobID(r.IntN(n))
			if r.IntN(8) > 0 && i > 0 { // mostly one before it, so that not all is stuck
				p = model.JobID(r.IntN(i))
			}
			d := model.Dependency{Job: p, On: model.Event(r.IntN(4))}
			if r.IntN(3) == 0 {
				d.Delay = model.Time(r.IntN(9))
			}
			g.After = append(g.After, d)
		}
		g.Any = len(g.After) > 1 && r.IntN(2) == 0
		if r.IntN(3) == 0 {
			g.Array = int32(1 + r.IntN(2))
			g.Limit = g.Array // of the first array one, of the second two at a time
		}
		if withdrawn && r.IntN(4) == 0 {
			g.Withdrawn = w.Jobs[i].Submit + model.Time(r.IntN(40)) + 1
		}
	}
	return w
}

// twin finds eligibility by looking at every second: what has come by then, by the words
// of docs/simulation-rules.md. At the pass of a second it calls decide with the queue in
// order of (eligible, number), which starts jobs.
type twin struct {
	w                     *model.Workload
	eligible, start, over []model.Time // Never: not
	ran                   []bool
	unserved              []model.EndReason
	decide                func(t *twin, now model.Time, queue []int)
	free                  int32
}

func newTwin(w *model.Workload) *twin {
	n := len(w.Jobs)
	t := &twin{w: w, eligible: make([]model.Time, n), start: make([]model.Time, n), over: make([]model.Time, n), ran: make([]bool, n), unserved: make([]model.EndReason, n), free: 4}
	for i := range n {
		t.eligible[i], t.start[i], t.over[i] = model.Never, model.Never, model.Never
	}
	return t
}

// come says whether a term has come at a time.
func (t *twin) come(d model.Dependency, now model.Time) bool {
	p := d.Job
	lost := t.over[p] < model.Never && !t.ran[p]
	well := t.over[p] < model.Never && t.ran[p] && !t.w.Gates[p].Failed
	switch d.On {
	case model.Started:
		return t.start[p] < now && now >= t.start[p]+d.Delay || lost && now >= t.over[p]+d.Delay
	case model.OK:
		return well && now >= t.over[p]+d.Delay
	case model.NotOK:
		return t.over[p] < model.Never && !well && now >= t.over[p]+d.Delay
	}
	return t.over[p] < model.Never && now >= t.over[p]+d.Delay
}

func (t *twin) run(until model.Time) {
	w := t.w
	for now := model.Time(0); now < until; now++ {
		for j := range w.Jobs {
			if t.start[j] < model.Never && t.start[j]+w.Executed(model.JobID(j)) == now {
				t.over[j], t.ran[j] = now, true
				t.free += w.Jobs[j].Procs
			}
		}
		for j := range w.Jobs {
			if out := w.Gates[j].Withdrawn; out > 0 && t.start[j] == model.Never && t.over[j] == model.Never && now >= max(out, w.Jobs[j].Submit) {
				t.over[j], t.unserved[j] = now, model.EndWithdrawn
			}
		}
		for j := range w.Jobs {
			g := &w.Gates[j]
			if t.eligible[j] < model.Never || t.over[j] < model.Never || now < w.Jobs[j].Submit || now < g.Begin {
				continue
			}
			all, one := true, false
			for _, d := range g.After {
				c := t.come(d, now)
				all, one = all && c, one || c
			}
			if !all && !(g.Any && one) {
				continue
			}
			if g.Array > 0 {
				out := int32(0)
				for k := range w.Jobs {
					if w.Gates[k].Array == g.Array && t.eligible[k] < model.Never && t.over[k] == model.Never {
						out++
					}
				}
				if out >= g.Limit {
					continue
				}
			}
			t.eligible[j] = now
		}
		var queue []int
		for j := range w.Jobs {
			if t.eligible[j] <= now && t.start[j] == model.Never && t.over[j] == model.Never {
				queue = append(queue, j)
			}
		}
		slices.SortStableFunc(queue, func(a, b int) int { return int(t.eligible[a] - t.eligible[b]) })
		t.decide(t, now, queue)
	}
	for j := range w.Jobs {
		if t.eligible[j] == model.Never && t.over[j] == model.Never {
			t.unserved[j] = model.EndNever
		}
	}
}

func (t *twin) begin(j int, now model.Time) {
	t.start[j] = now
	t.free -= t.w.Jobs[j].Procs
}

func fcfs(t *twin, now model.Time, queue []int) {
	for _, j := range queue {
		if t.w.Jobs[j].Procs > t.free {
			return
		}
		t.begin(j, now)
	}
}

func easy(t *twin, now model.Time, queue []int) {
	for len(queue) > 0 && t.w.Jobs[queue[0]].Procs <= t.free {
		t.begin(queue[0], now)
		queue = queue[1:]
	}
	if len(queue) == 0 {
		return
	}
	head := t.w.Jobs[queue[0]]
	shadow, extra := now, t.free
	for extra < head.Procs {
		shadow++
		extra = 4
		for j := range t.w.Jobs {
			if t.start[j] <= now && t.over[j] == model.Never && t.start[j]+t.w.Jobs[j].Limit > shadow {
				extra -= t.w.Jobs[j].Procs
			}
		}
	}
	extra -= head.Procs
	for _, j := range queue[1:] {
		job := t.w.Jobs[j]
		switch {
		case job.Procs > t.free:
		case now+job.Limit <= shadow:
			t.begin(j, now)
		case job.Procs <= extra:
			extra -= job.Procs
			t.begin(j, now)
		}
	}
}

// replay starts jobs when a schedule did, to ask the twin when they were eligible then.
func replay(start []model.Time) func(*twin, model.Time, []int) {
	return func(t *twin, now model.Time, _ []int) {
		for j := range start {
			if start[j] == now {
				t.begin(j, now)
			}
		}
	}
}

const horizon = 700 // seconds, beyond the end of everything that workflow draws

// platforms are one counted machine, nodes, and two clusters.
func platforms() map[string]*model.Platform {
	nodes := func(count int32) model.Cluster {
		return model.Cluster{Name: fmt.Sprint("c", count), Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: count, Procs: 2, Speed: 1}}}
	}
	return map[string]*model.Platform{
		"counted": model.OneCluster(4), "nodes": {Clusters: []model.Cluster{nodes(2)}}, "two": {Clusters: []model.Cluster{nodes(2), model.OneCluster(4).Clusters[0]}},
	}
}

func onSite(t *testing.T, w *model.Workload, p *model.Platform, s sim.Scheduler) *model.Schedule {
	t.Helper()
	o := sim.Options{}
	if w.Gates != nil {
		o.Source = eligible.New(w)
	}
	out, err := new(sim.Simulator).Run(w, p, s, o)
	if err != nil {
		t.Fatalf("%v\n%+v", err, w)
	}
	if err := out.Check(); err != nil {
		t.Fatal(err)
	}
	return out
}

// found brings what a schedule says into the order of the jobs that were handed in.
func found(s *model.Schedule) (eligible, start []model.Time, unserved []model.EndReason) {
	n := len(s.Workload.Jobs)
	eligible, start, unserved = make([]model.Time, n), make([]model.Time, n), make([]model.EndReason, n)
	for i := range s.Executions {
		e := &s.Executions[i]
		j := s.Workload.Origin[e.Job]
		eligible[j], start[j] = e.Submit, e.Start
		if e.Reason.Unserved() {
			start[j], unserved[j] = model.Never, e.Reason
		}
	}
	return eligible, start, unserved
}

func compare(t *testing.T, what string, w *model.Workload, s *model.Schedule, twin *twin) {
	t.Helper()
	eligible, start, unserved := found(s)
	for j := range w.Jobs {
		if start[j] != twin.start[j] || unserved[j] != twin.unserved[j] || unserved[j] == 0 && eligible[j] != twin.eligible[j] {
			t.Fatalf("%s: job %d: eligible %d, starts %d, unserved %d; the twin says %d, %d, %d\n%+v\n%+v", what, j+1, eligible[j], start[j], unserved[j], twin.eligible[j], twin.start[j], twin.unserved[j], w.Jobs, w.Gates)
		}
	}
}

// Intent: a job becomes eligible, leaves and starts exactly when a second-by-second
// reading of the rules says; else dependencies would be broken or kept too long.
func TestEligibilityAgreesWithPlainTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	stuck, left := 0, 0
	for round := range 4000 {
		w := workflow(r, round%2 == 1)
		for _, c := range []struct {
			name string
			rule func(*twin, model.Time, []int)
			s    sim.Scheduler
			fast sim.CountedScheduler
		}{
			{"fcfs", fcfs, &policy.FCFS{}, &policy.CountedFCFS{}},
			{"easy", easy, policy.NewEASY(&policy.CountedEASY{}), &policy.CountedEASY{}},
		} {
			twin := newTwin(w)
			twin.decide = c.rule
			twin.run(horizon)
			compare(t, c.name, w, onSite(t, w, model.OneCluster(4), c.s), twin)
			for _, why := range twin.unserved {
				if why == model.EndNever {
					stuck++
				} else if why == model.EndWithdrawn {
					left++
				}
			}
			if round%2 == 0 {
				s, err := new(sim.CountedSimulator).Run(w, model.OneCluster(4), c.fast, sim.Options{Source: eligible.New(w)})
				if err != nil {
					t.Fatal(err)
				}
				compare(t, "counted "+c.name, w, s, twin)
			}
		}
	}
	if stuck == 0 || left == 0 {
		t.Fatalf("%d jobs never eligible and %d withdrawn: nothing of that was tried", stuck, left)
	}
}

// Intent: on every platform, whatever scheduler decides, eligibility follows from the
// starts and ends that came of it; and a scheduler that is given the same jobs submitted
// at these times, without any dependencies, does the same: it has not peeked.
func TestEligibilityFollowsFromTheSchedule(t *testing.T) {
	schedulers := map[string]func() sim.Scheduler{
		"fcfs": func() sim.Scheduler { return &policy.FCFS{} },
		"easy sexp": func() sim.Scheduler {
			return policy.NewEASY(&policy.CountedEASY{Order: policy.SEXP, Backfill: policy.SPF})
		},
		"conservative": func() sim.Scheduler { return plan.NewConservative() },
		"bf-mod":       func() sim.Scheduler { return policy.NewBFMod(policy.PriorityWeights{}) },
	}
	r := rand.New(rand.NewPCG(7, 2))
	for round := range 400 {
		withdrawn := round%2 == 1
		w := workflow(r, withdrawn)
		for where, p := range platforms() {
			for name, make := range schedulers {
				s := onSite(t, w, p, make())
				_, start, _ := found(s)
				twin := newTwin(w)
				twin.decide = replay(start)
				twin.run(horizon)
				compare(t, name+" on "+where, w, s, twin)
				if withdrawn || !slices.Contains(twin.ran, true) {
					continue
				}
				plain := &model.Workload{Processors: 4}
				for i := range s.Executions {
					if e := &s.Executions[i]; !e.Reason.Unserved() {
						plain.Jobs, plain.Truth = append(plain.Jobs, s.Workload.Jobs[e.Job]), append(plain.Truth, s.Workload.Truth[e.Job])
					}
				}
				again := onSite(t, plain, p, make())
				for i := range again.Executions {
					if got, want := again.Executions[i], s.Executions[i]; got.Start != want.Start || got.End != want.End || got.Cluster != want.Cluster {
						t.Fatalf("%s on %s: job %d starts at %d, and at %d where nothing waits for anything", name, where, plain.Jobs[i].Number, want.Start, got.Start)
					}
				}
			}
		}
	}
}

// Intent: the log's own schedule starts jobs when the log says, whatever they wait for,
// and they became eligible when its ends and starts allowed it.
func TestLoggedEligibility(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	for range 2000 {
		w := workflow(r, true)
		s := sim.AsLoggedKept(eligible.New(w), w, model.OneCluster(4))
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		got, start, unserved := found(s)
		for j := range w.Jobs {
			logged := w.Jobs[j].Submit + max(0, w.Truth[j].LoggedWait)
			out := w.Gates[j].Withdrawn
			if left := out > 0 && (w.Truth[j].LoggedWait < 0 || logged >= out); left != (unserved[j] == model.EndWithdrawn) || !left && start[j] != logged {
				t.Fatalf("job %d starts at %d, unserved %d", j+1, start[j], unserved[j])
			}
			if unserved[j] == 0 && (got[j] > start[j] || got[j] < w.Jobs[j].Submit) {
				t.Fatalf("job %d is submitted at %d, eligible at %d and starts at %d", j+1, w.Jobs[j].Submit, got[j], start[j])
			}
		}
	}
}
