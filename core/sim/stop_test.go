package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"batchlab/core/model"
)

// restless starts whatever fits, in a random order, and now and then stops or
// suspends what runs.
type restless struct {
	rng     *rand.Rand
	waiting []model.JobID
	running []model.JobID
	stopped int
}

func (s *restless) Reset(*View) {}

func (s *restless) Decide(v *View, out []Decision) []Decision {
	gone := func(j model.JobID) bool { return slices.Contains(v.Ended, j) || slices.Contains(v.Back, j) }
	s.running = slices.DeleteFunc(s.running, gone)
	s.waiting = append(s.waiting, v.Back...)
	for j := v.Arrived; j < v.Next; j++ {
		s.waiting = append(s.waiting, j)
	}
	free := v.Site.NewPool()
	free.CopyFrom(v.Free)
	for i := 0; i < len(s.running); i++ {
		if j := s.running[i]; v.Start[j] < v.Now && s.stopped < 60 && s.rng.IntN(4) == 0 {
			verb := []Verb{Stop, Suspend}[s.rng.IntN(2)]
			out = append(out, Decision{Verb: verb, Job: j})
			free.Give(&v.Needs[j], v.Held[j])
			s.running = slices.Delete(s.running, i, i+1)
			s.waiting = append(s.waiting, j)
			s.stopped++
			i--
		}
	}
	s.rng.Shuffle(len(s.waiting), func(a, b int) { s.waiting[a], s.waiting[b] = s.waiting[b], s.waiting[a] })
	s.waiting = slices.DeleteFunc(s.waiting, func(j model.JobID) bool {
		if d := v.Due; d != nil && d[j] > 0 && d[j] <= v.Now {
			out = append(out, Decision{Verb: Reject, Job: j})
			return true
		}
		c, ok := free.Place(&v.Needs[j])
		if ok {
			free.Take(&v.Needs[j], c)
			out = append(out, Decision{Job: j, Claim: c})
			s.running = append(s.running, j)
		}
		return ok
	})
	return out
}

// stormy returns jobs, some stopped at a due time, and two clusters, one of
// counts and one of nodes, with failures.
func stormy(rng *rand.Rand) (*model.Workload, *model.Platform) {
	p := &model.Platform{Clusters: []model.Cluster{
		{Name: "counts", Groups: []model.NodeGroup{{Count: 1, Procs: 6}}},
		{Name: "nodes", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 3, Procs: 2}}},
	}}
	for i := range 1 + rng.IntN(8) {
		from := model.Time(rng.IntN(300))
		c := model.CalendarEntry{Kind: model.KindFailure, Name: fmt.Sprint(i), From: from, To: from + 1 + model.Time(rng.IntN(40)), Procs: 1 + rng.Int32N(6)}
		if rng.IntN(2) == 0 {
			c.Cluster, c.Procs, c.Nodes = 1, 0, []int32{1 + rng.Int32N(3)}
		}
		p.Calendar = append(p.Calendar, c)
	}
	w := &model.Workload{Demands: []model.Demand{{Eligible: []int32{0}}, {Eligible: []int32{1}}}}
	at := model.Time(0)
	for i := range 40 {
		at += model.Time(rng.IntN(12))
		j := model.Job{Number: int64(i + 1), Submit: at, Procs: 1 + rng.Int32N(6), Limit: 1 + model.Time(rng.IntN(60)), Demand: rng.Int32N(3)}
		if rng.IntN(5) == 0 {
			w.Demands = append(w.Demands, model.Demand{Due: at + 1 + model.Time(rng.IntN(60)), OnDue: model.DueKill})
			j.Demand = int32(len(w.Demands))
		}
		w.Jobs = append(w.Jobs, j)
		w.Truth = append(w.Truth, model.Truth{Run: 1 + model.Time(rng.IntN(80))})
	}
	return w, p
}

// Whatever is stopped, suspended, hit by a failure or due: the schedule is
// feasible, every job ends once, and what was suspended runs only what was left.
func TestStops(t *testing.T) {
	reasons := map[model.EndReason]int{}
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 11))
		w, p := stormy(rng)
		var m Simulator
		s := &restless{rng: rng}
		schedule, err := m.Run(w, p, s, Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := schedule.Check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		ran := make([]model.Time, len(w.Jobs))
		for _, e := range schedule.Executions {
			reasons[e.Reason]++
			switch e.Reason {
			case model.EndOutage, model.EndPreempted:
				ran[e.Job] = 0
			case model.EndSuspended:
				ran[e.Job] += e.End - e.Start
			case model.EndCompleted, model.EndKilled:
				if ran[e.Job] += e.End - e.Start; ran[e.Job] != w.Executed(e.Job) {
					t.Fatalf("seed %d: job index %d ran %d s of %d", seed, e.Job, ran[e.Job], w.Executed(e.Job))
				}
			}
		}
	}
	for reason := model.EndCompleted; reason <= model.EndDue; reason++ {
		if reasons[reason] == 0 {
			t.Errorf("no execution ended for reason %d", reason)
		}
	}
}

// A failure is not known before it begins; then its end is. What it takes of a counted cluster stops the last started.
func TestFailureIsNotForeseen(t *testing.T) {
	p := model.OneCluster(4)
	p.Calendar = []model.CalendarEntry{{Kind: model.KindFailure, From: 10, To: 20, Procs: 1}}
	w := work(model.Job{Limit: 30, Procs: 3}, model.Job{Submit: 5, Limit: 30, Procs: 1}, model.Job{Submit: 12, Limit: 30, Procs: 1})
	w.Demands = nil
	var said []string
	s := &script{wake: model.Never}
	s.say = func(v *View) []Decision {
		said = append(said, fmt.Sprintf("%d: %d free, known %v, back %v", v.Now, v.Free.Procs(), v.Known(&p.Calendar[0]), v.Back))
		switch v.Now {
		case 0:
			return []Decision{{Job: 0, Claim: at(0, 3)}}
		case 5:
			return []Decision{{Job: 1, Claim: at(0, 1)}}
		case 20:
			return []Decision{{Job: 1, Claim: at(0, 1)}}
		case 30:
			return []Decision{{Job: 2, Claim: at(0, 1)}}
		}
		return nil
	}
	var m Simulator
	schedule, err := m.Run(w, p, s, Options{})
	if err == nil {
		err = schedule.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	want := "0: 4 free, known false, back []|5: 1 free, known false, back []|10: 0 free, known true, back [1]|12: 0 free, known true, back []|20: 1 free, known true"
	if got := strings.Join(said, "|"); !strings.HasPrefix(got, want) {
		t.Errorf("%s", got)
	}
	if e := schedule.Executions[1]; e.Attempt != 0 || e.Reason != model.EndOutage || e.Start != 5 || e.End != 10 {
		t.Errorf("first attempt %+v", e)
	}
	if e := schedule.Executions[2]; e.Attempt != 1 || e.Submit != 10 || e.Start != 20 || e.End != 50 {
		t.Errorf("second attempt %+v", e)
	}
}
