package react_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/react"
	"batchlab/core/sim"
)

// randomLog makes a workload with waits, users (some unknown) and now and then
// a wait that nobody knows.
func randomLog(r *rand.Rand, n, procs int) *model.Workload {
	w := &model.Workload{Processors: procs}
	users := 1 + r.IntN(5)
	at := model.Time(r.IntN(1000) - 100)
	for i := range n {
		if r.IntN(3) > 0 {
			at += model.Time(r.IntN(1 << r.IntN(13)))
		}
		limit := 1 + r.IntN(600)
		j := model.Job{Number: int64(i + 1), Submit: at, Limit: model.Time(limit), Procs: int32(1 + r.IntN(procs)), User: int32(r.IntN(users)), Record: int32(i)}
		if r.IntN(20) == 0 {
			j.User = -1
		}
		t := model.Truth{Run: model.Time(1 + r.IntN(limit+20)), LoggedWait: model.Time(r.IntN(1 << r.IntN(10)))}
		if r.IntN(20) == 0 {
			t.LoggedWait = -1
		}
		w.Jobs, w.Truth = append(w.Jobs, j), append(w.Truth, t)
	}
	return w
}

// evidence are the ends by the log's own waits, and now and then a statement.
func evidence(r *rand.Rand, w *model.Workload) react.Evidence {
	e := react.Evidence{Preceding: make([]int32, len(w.Jobs))}
	for i := range w.Jobs {
		end := model.Never
		if wait := w.Truth[i].LoggedWait; wait >= 0 {
			end = w.Jobs[i].Submit + wait + w.Executed(model.JobID(i))
		}
		e.End = append(e.End, end)
		if e.Preceding[i] = -1; r.IntN(6) == 0 {
			e.Preceding[i] = int32(r.IntN(len(w.Jobs)))
		}
	}
	return e
}

func randomParams(r *rand.Rand) react.Params {
	p := react.Defaults()
	p.Batches, p.Sessions, p.Rhythm = react.Batches(r.IntN(2)), react.Sessions(r.IntN(2)), react.Rhythm(r.IntN(3))
	p.ThinkGap, p.ArrivalGap = model.Time(r.IntN(2000)), model.Time(r.IntN(4000))
	p.Stated = r.IntN(2) == 0
	return p
}

// schedulers under which users react, one of each kind.
func schedulers() map[string]sim.CountedScheduler {
	return map[string]sim.CountedScheduler{
		"fcfs": &policy.CountedFCFS{}, "fcfs newest": &policy.CountedFCFS{Newest: true},
		"easy": &policy.CountedEASY{}, "conservative": &policy.CountedConservative{},
		"easy saf/spf": &policy.CountedEASY{Order: policy.SAF, Backfill: policy.SPF},
	}
}

// check holds what is true of every reacting workload: each job is submitted
// exactly once, with what the log says of it; none before its parents have
// ended; and the jobs of each user in the order of the log.
func check(t *testing.T, name string, w *model.Workload, b *react.Behaviour, s *model.Schedule) {
	t.Helper()
	if err := s.Check(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	got := s.Workload
	at := make([]int, len(w.Jobs))
	for i := range at {
		at[i] = -1
	}
	last := map[int32]int32{}
	for i := range got.Jobs {
		k := got.Origin[i]
		if at[k] >= 0 {
			t.Fatalf("%s: job %d is submitted twice", name, w.Jobs[k].Number)
		}
		at[k] = i
		want := w.Jobs[k]
		want.Submit = got.Jobs[i].Submit
		if got.Jobs[i] != want || got.Truth[i] != w.Truth[k] {
			t.Fatalf("%s: job %d has become %+v", name, want.Number, got.Jobs[i])
		}
		if before, ok := last[want.User]; ok && want.User >= 0 && before > k {
			t.Fatalf("%s: user %d submits job %d before job %d", name, want.User, w.Jobs[before].Number, w.Jobs[k].Number)
		}
		last[want.User] = k
		if want.User < 0 && want.Submit != w.Jobs[k].Submit {
			t.Fatalf("%s: job %d has no user, and is submitted at %d instead of %d", name, want.Number, want.Submit, w.Jobs[k].Submit)
		}
	}
	b.Parents(func(job, parent int32) {
		if end := s.Executions[at[parent]].End; got.Jobs[at[job]].Submit < end {
			t.Fatalf("%s: job %d is submitted at %d, before job %d ends at %d", name, w.Jobs[job].Number, got.Jobs[at[job]].Submit, w.Jobs[parent].Number, end)
		}
	})
}

// Whatever the log, the parameters and the scheduler: no job is submitted
// before what it depends on has ended, each exactly once, in its user's order.
// And since a scheduler sees submissions as they happen, the replay of what was
// produced gives the same schedule again.
func TestReaction(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 60
	}
	r := rand.New(rand.NewPCG(1, 9))
	var reacting, replaying sim.CountedSimulator
	depends := 0
	for round := range rounds {
		procs := 1 + r.IntN(16)
		w := randomLog(r, 1+r.IntN(80), procs)
		p := randomParams(r)
		p.Drawn = r.IntN(2) == 0
		b := react.Extract(w, evidence(r, w), p)
		depends += b.Report.Depends
		agents := b.NewAgents(uint64(round), 0)
		for key, s := range schedulers() {
			name := fmt.Sprintf("round %d, %s, %+v", round, key, p)
			got, err := reacting.Run(w, model.OneCluster(procs), s, sim.Options{Source: agents})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			check(t, name, w, b, got)
			again, err := replaying.Run(got.Workload, model.OneCluster(procs), s, sim.Options{})
			if err != nil {
				t.Fatalf("%s, replayed: %v", name, err)
			}
			if !reflect.DeepEqual(got.Executions, again.Executions) {
				t.Fatalf("%s: the replay of what was produced differs", name)
			}
		}
	}
	if depends < rounds {
		t.Errorf("only %d dependencies in %d rounds: this proves little", depends, rounds)
	}
}

// When every job starts as logged, users do what they did: the submissions of
// the log come back, whatever the parameters, as long as think times are kept.
func TestAsLoggedGivesTheLogBack(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	for round := range 500 {
		w := randomLog(r, 1+r.IntN(80), 8)
		p := randomParams(r)
		b := react.Extract(w, evidence(r, w), p)
		s, err := sim.AsLoggedBy(b.NewAgents(1, 0), w, model.OneCluster(8))
		if err != nil {
			t.Fatalf("round %d, %+v: %v", round, p, err)
		}
		for i := range s.Workload.Jobs {
			if got, want := s.Workload.Jobs[i].Submit, w.Jobs[s.Workload.Origin[i]].Submit; got != want {
				t.Fatalf("round %d, %+v: job %d is submitted at %d instead of %d", round, p, s.Workload.Jobs[i].Number, got, want)
			}
		}
		if !slices.Equal(s.Executions, sim.AsLogged(w, model.OneCluster(8)).Executions) {
			t.Fatalf("round %d, %+v: the schedule differs from that of the log", round, p)
		}
	}
}
