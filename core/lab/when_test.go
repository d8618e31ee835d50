//go:build !small

package lab

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// whenDocument is an experiment over a busy generated log.
func whenDocument(t *testing.T, scheduler string, seed int) *Prepared {
	t.Helper()
	doc, err := experiment.Decode([]byte(fmt.Sprintf(`{"batchlab":1,"seed":%d,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":3000}}},"scale":{"load":1.15}},"schedulers":[%s]}`, seed, scheduler)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(doc, Env{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Intent: at any instant the scene of a question is the state of the run: with the run
// times and arrivals that there really are, the job starts when it did start.
func TestSceneIsTheRun(t *testing.T) {
	asked := 0
	for _, scheduler := range []string{`{"key":"fcfs"}`, `{"key":"easy"}`, `{"key":"easy","params":{"order":"saf","backfill":"spf","threshold":200000}}`, `{"key":"easy","params":{"order":"spf"}}`, `{"key":"lsf"}`} {
		for seed := range 3 {
			p := whenDocument(t, scheduler, seed)
			got, err := p.Run(RunID{}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.repetition(0)
			if err != nil {
				t.Fatal(err)
			}
			q := newQueue(p, r, 0, got.Schedule, 1)
			for _, j := range q.past(q.jobs[len(q.jobs)-1].Submit, 40) {
				one := &q.jobs[j]
				if _, _, err := q.ask(one.Submit, j, one); err != nil { // brings the queue to that instant
					t.Fatal(err)
				}
				s := q.scene(one.Submit, j, one)
				jobs, truth := append([]model.Job(nil), s.jobs...), []model.Truth{}
				for i := range s.jobs {
					truth = append(truth, model.Truth{Run: s.known[i]})
				}
				number := map[int64]int{}
				for i := range q.jobs {
					number[q.jobs[i].Number] = i
				}
				for i := range s.jobs {
					if of, known := number[s.jobs[i].Number]; s.may[i] != nil && known {
						if truth[i].Run = q.end[of] - q.start[of]; s.from[i] >= 0 {
							truth[i].Run = q.end[of] - s.begin
						}
					}
				}
				for i := q.submitted; i < len(q.jobs); i++ {
					later := q.jobs[i]
					later.Demand = 0
					jobs, truth = append(jobs, later), append(truth, q.truth[i])
				}
				wait, err := s.simulate(jobs, truth)
				if err != nil {
					t.Fatal(err)
				}
				if asked++; wait != q.start[j]-one.Submit {
					t.Fatalf("%s, seed %d, job %d at %d: the scene says a wait of %d, and it was %d", scheduler, seed, one.Number, one.Submit, wait, q.start[j]-one.Submit)
				}
			}
		}
	}
	if asked < 300 {
		t.Fatalf("only %d jobs waited", asked)
	}
}

// Intent: what comes after an instant changes no answer given at it: with all later jobs and
// all run times that were not known by then changed, each answer is the same to the bit.
func TestWhenDoesNotPeek(t *testing.T) {
	for _, scheduler := range []string{`{"key":"easy"}`, `{"key":"easy","params":{"order":"saf","backfill":"spf"}}`, `{"key":"conservative"}`, `{"key":"fair-share"}`} {
		made, err := workload.GenerateSeeded("daily", map[string]any{"jobs": int64(2500)}, 3, 0)
		if err != nil {
			t.Fatal(err)
		}
		prepare := func(log *swf.Log) *Prepared {
			doc, err := experiment.Decode([]byte(fmt.Sprintf(`{"batchlab":1,"workload":{"source":{"log":{"name":"made","sha256":%q,"size":1}},"scale":{"load":1.2}},"schedulers":[%s]}`, strings.Repeat("a", 64), scheduler)))
			if err != nil {
				t.Fatal(err)
			}
			p, err := Prepare(doc, Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }})
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		before := prepare(made)
		got, err := before.Run(RunID{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		w, _, err := before.Workload(0)
		if err != nil {
			t.Fatal(err)
		}
		starts, ends := map[int64]model.Time{}, map[int64]model.Time{}
		for _, e := range got.Schedule.Executions {
			starts[w.Jobs[e.Job].Number], ends[w.Jobs[e.Job].Number] = e.Start, e.End
		}
		submit := map[int64]model.Time{}
		for _, j := range w.Jobs {
			submit[j.Number] = j.Submit
		}
		asked := 0
		for _, at := range []model.Time{w.Jobs[700].Submit, w.Jobs[1500].Submit + 7, w.Jobs[2200].Submit} {
			later := *made
			later.Records = append([]swf.Record(nil), made.Records...)
			random := rand.New(rand.NewPCG(8, uint64(at)))
			for i := range later.Records {
				r := &later.Records[i]
				switch n := r.JobNumber; {
				case ends[n] <= at:
				case submit[n] > at:
					r.RunTime, r.RequestedTime = 1+random.Int32N(5000), 6000
					r.RequestedProcessors, r.AllocatedProcessors = 1, 1
				default: // it ran by then, or waited
					ran := int32(max(0, at-starts[n]))
					r.RunTime = ran + 1 + random.Int32N(max(1, r.RequestedTime-ran))
				}
			}
			ask := Ask{At: at, Procs: 40, Limit: 7200, User: 3, Executable: -1, Draws: 12, Record: 30}
			a, err := before.When(RunID{}, ask, nil)
			if err != nil {
				t.Fatal(err)
			}
			b, err := prepare(&later).When(RunID{}, ask, nil)
			if err != nil {
				t.Fatal(err)
			}
			// How earlier answers are judged afterwards may go on changing.
			a.Record, b.Record = nil, nil
			if x, y := fmt.Sprint(*a), fmt.Sprint(*b); x != y {
				t.Fatalf("%s at %d: what came later changes the answer\n%s\n%s", scheduler, at, x, y)
			}
			if a.Waits[3] > 0 {
				asked++
			}
		}
		if asked == 0 {
			t.Errorf("%s: nothing was in the way of any question", scheduler)
		}
	}
}

// Intent: who asks for what is free at once, with nobody waiting, is told now; what cannot
// be asked is refused with what is wrong.
func TestWhenNowAndNever(t *testing.T) {
	p := whenDocument(t, `{"key":"easy"},{"key":"as-logged"}`, 1)
	w, _, err := p.Workload(0)
	if err != nil {
		t.Fatal(err)
	}
	first := w.Jobs[0].Submit
	told, err := p.When(RunID{}, Ask{At: first, Procs: 1, Limit: 60, User: -1, Draws: 5}, nil)
	if err != nil || told.Waits[6] != 0 || len(told.Waits) != len(told.Levels) {
		t.Fatalf("%+v, %v", told, err)
	}
	for _, one := range []struct {
		id   RunID
		ask  Ask
		want string
	}{
		{RunID{}, Ask{At: first - 1, Procs: 1, Limit: 60, Draws: 1}, "before the first submission"},
		{RunID{}, Ask{At: first + 1<<40, Procs: 1, Limit: 60, Draws: 1}, "after the last submission"},
		{RunID{}, Ask{At: first, Procs: 1_000_000, Limit: 60, Draws: 1}, "processors are wanted of"},
		{RunID{}, Ask{At: first, Procs: 1, Draws: 1}, "not even a second"},
		{RunID{}, Ask{At: first, Procs: 1, Limit: 60}, "draw"},
		{RunID{Scheduler: 1}, Ask{At: first, Procs: 1, Limit: 60, Draws: 1}, "the log's own schedule"},
	} {
		if _, err := p.When(one.id, one.ask, nil); err == nil || !strings.Contains(err.Error(), one.want) {
			t.Errorf("%+v: %v, not %q", one.ask, err, one.want)
		}
	}
	if _, err := p.When(RunID{}, Ask{At: w.Jobs[2000].Submit, Procs: 8, Limit: 600, Draws: 2, Record: 50}, func(done, total int) bool { return done < 2 }); !errors.Is(err, ErrCancelled) {
		t.Errorf("cancelled, it gives %v", err)
	}
}
