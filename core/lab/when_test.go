//go:build !small

package lab

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
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
	doc, err := experiment.Decode([]byte(fmt.Sprintf(`{"batchlab":1,"seed":%d,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":1500}}},"scale":{"load":1.15}},"schedulers":[%s]}`, seed, scheduler)))
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
	for _, scheduler := range []string{`{"key":"fcfs"}`, `{"key":"easy"}`, `{"key":"easy","params":{"order":"saf","backfill":"spf","threshold":200000}}`, `{"key":"easy","params":{"order":"spf"}}`, `{"key":"lsf"}`, `{"key":"conservative"}`} {
		for seed := range 2 {
			waited := model.Time(1000 * (seed % 2))
			p := whenDocument(t, scheduler, seed)
			a, err := p.asking(RunID{})
			if err != nil {
				t.Fatal(err)
			}
			q := newQueue(a, 1)
			ask := &Ask{At: q.jobs[len(q.jobs)-1].Submit, Record: 40}
			list, _, after := q.sampledAt(ask, waited)
			if err := q.promise(ask, list, after); err != nil {
				t.Fatal(err)
			}
			for _, j := range list {
				one := &q.jobs[j]
				at := one.Submit + after
				s := q.at(at, j, one, nil)
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
					jobs, truth = append(jobs, later), append(truth, q.of.workload.Truth[i])
				}
				wait, _, err := s.simulate(jobs, truth)
				if err != nil {
					t.Fatal(err)
				}
				if asked++; wait != q.start[j]-at {
					t.Fatalf("%s, seed %d, job %d at %d: the scene says a wait of %d, and it was %d", scheduler, seed, one.Number, at, wait, q.start[j]-at)
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
		made, err := workload.GenerateSeeded("daily", map[string]any{"jobs": int64(1500)}, 3, 0)
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
		var asked [2]int // about new jobs, and such that waited
		for _, at := range []model.Time{w.Jobs[500].Submit, w.Jobs[900].Submit + 7, w.Jobs[1300].Submit} {
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
			asks := []Ask{{At: at, Procs: 40, Limit: 7200, User: 3, Executable: -1, Draws: 6, Record: 20}}
			for n, from := range submit {
				if from < at && starts[n] > at && (len(asks) == 1 || n < asks[1].Job) {
					asks = append(asks[:1], Ask{At: at, Job: n, Draws: 6, Record: 20})
				}
			}
			changed := prepare(&later)
			for _, ask := range asks {
				a, err := before.When(RunID{}, ask, nil)
				if err != nil {
					t.Fatal(err)
				}
				b, err := changed.When(RunID{}, ask, nil)
				if err != nil {
					t.Fatal(err)
				}
				// How earlier answers are judged afterwards may go on changing.
				a.Record, b.Record = nil, nil
				if x, y := fmt.Sprint(*a), fmt.Sprint(*b); x != y {
					t.Fatalf("%s at %d: what came later changes the answer\n%s\n%s", scheduler, at, x, y)
				}
				if a.Waits[3] > 0 {
					asked[min(a.Job, 1)]++
				}
			}
		}
		if asked[0] == 0 || asked[1] == 0 {
			t.Errorf("%s: nothing was in the way of any question: %v", scheduler, asked)
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
		{RunID{}, Ask{At: first, Job: 1 << 30, Draws: 1}, "there is none"},
		{RunID{}, Ask{At: w.Jobs[1000].Submit, Job: w.Jobs[0].Number, Draws: 1}, "it started at"},
		{RunID{}, Ask{At: first, Job: w.Jobs[1000].Number, Draws: 1}, "is submitted at"},
		{RunID{Scheduler: 1}, Ask{At: first, Procs: 1, Limit: 60, Draws: 1}, "the log's own schedule"},
	} {
		if _, err := p.When(one.id, one.ask, nil); err == nil || !strings.Contains(err.Error(), one.want) {
			t.Errorf("%+v: %v, not %q", one.ask, err, one.want)
		}
	}
	if _, err := p.When(RunID{}, Ask{At: w.Jobs[1000].Submit, Procs: 8, Limit: 600, Draws: 2, Record: 50}, func(done, total int) bool { return done < 2 }); !errors.Is(err, ErrCancelled) {
		t.Errorf("cancelled, it gives %v", err)
	}
}

// Intent: twice as many earlier jobs hold those that so many are, whichever they are: an
// answer can be told by a small record first, and by a larger one later.
func TestRecordsNest(t *testing.T) {
	p := whenDocument(t, `{"key":"easy"}`, 2)
	a, err := p.asking(RunID{})
	if err != nil {
		t.Fatal(err)
	}
	q := newQueue(a, 1)
	at := q.jobs[len(q.jobs)-1].Submit
	var before []int32
	for n := 24; n <= 192; n *= 2 {
		list, early := q.past(at, n, 0, false)
		if len(list) != n || early != n/6 || !slices.IsSorted(list) {
			t.Fatalf("%d of %d jobs, %d of them early", len(list), n, early)
		}
		for _, j := range before {
			if !slices.Contains(list, j) {
				t.Fatalf("job %d is not among %d", j, n)
			}
		}
		users := map[[2]int64]bool{}
		for _, j := range list {
			turn := [2]int64{int64(q.jobs[j].User), int64(q.jobs[j].Submit / 3600)}
			if users[turn] || q.start[j] <= q.jobs[j].Submit {
				t.Fatalf("job %d of user and hour %v is one too many", j, turn)
			}
			users[turn] = true
		}
		before = list
	}
	if one, _ := q.past(at, 1<<20, 0, false); len(one) >= func() int { all, _ := q.past(at, 1<<20, 0, true); return len(all) }() {
		t.Error("every job is no more than one of each user and hour")
	}
}

// Intent: simpler methods are judged by the same jobs, and the recipe is sharper than each
// where it should be; a question whose time is over is answered with twelve draws.
func TestWhenRivals(t *testing.T) {
	p := whenDocument(t, `{"key":"easy"}`, 0)
	w, _, err := p.Workload(0)
	if err != nil {
		t.Fatal(err)
	}
	ask := Ask{At: w.Jobs[1400].Submit, Procs: 40, Limit: 7200, User: 3, Executable: -1, Draws: 15, Record: 120, Rivals: true}
	told, err := p.When(RunID{}, ask, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(told.Record.Rivals) != 3 || told.Record.Judged != 100 {
		t.Fatalf("%+v", told.Record)
	}
	for _, r := range told.Record.Rivals {
		if r.Loss <= told.Record.Loss {
			t.Errorf("%s loses %.3f, the recipe %.3f", r.Key, r.Loss, told.Record.Loss)
		}
	}
	clock := 0.0
	ask.Rivals, ask.Within, ask.Now, ask.Draws = false, 80, func() float64 { clock++; return clock }, 14
	short, err := p.When(RunID{}, ask, nil)
	if err != nil || short.Record.Asked != 48 {
		t.Fatalf("%+v, %v", short, err)
	}
	ask.Within, ask.Record = 0, 48
	fresh := whenDocument(t, `{"key":"easy"}`, 0)
	if again, err := fresh.When(RunID{}, ask, nil); err != nil || fmt.Sprint(again.Waits, *again.Record) != fmt.Sprint(short.Waits, *short.Record) {
		t.Errorf("by 48 earlier jobs %v, %v, and by as many in a short time %v", again, err, short)
	}
	ask.Within, ask.Draws = 0.5, 30
	if short, err = p.When(RunID{}, ask, nil); err != nil || len(short.Draws) != fewestDraws || short.Record.Asked != 0 {
		t.Errorf("%+v, %v", short, err)
	}
}

// Intent: the cell of the map that is asked about is the answer itself, by the same draws
// and record; a smaller and shorter job of FCFS starts no later in any draw; what there are
// no processors for says so.
func TestWhenMap(t *testing.T) {
	p := whenDocument(t, `{"key":"fcfs"}`, 1)
	w, _, err := p.Workload(0)
	if err != nil {
		t.Fatal(err)
	}
	ask := Ask{At: w.Jobs[1200].Submit, Procs: 24, Limit: 7200, User: 3, Executable: -1, Draws: mapDraws, Record: mapRecord}
	told, err := p.When(RunID{}, ask, nil)
	if err != nil || told.Waits[6] == 0 {
		t.Fatal(told, err)
	}
	ask.Draws, ask.Record = 60, 384
	got, err := p.WhenMap(RunID{}, ask, nil)
	if err != nil || len(got.Cells) != len(got.Procs)*len(got.Limits) {
		t.Fatal(got, err)
	}
	found := 0
	for _, c := range got.Cells {
		if c.Procs == 24 && c.Limit == 7200 {
			found++
			if c.Waits != [3]model.Time{told.Waits[1], told.Waits[3], told.Waits[5]} || c.Sooner != [3]model.Time{} {
				t.Errorf("the cell says %v, the answer %v", c, told.Waits)
			}
		}
		if c.Never == "" != (int(c.Procs) <= p.asked.of.machines().Procs()) {
			t.Errorf("%d processors: %q", c.Procs, c.Never)
		}
		if c.Procs <= 24 && c.Never == "" && c.Sooner[0] < 0 {
			t.Errorf("%d processors for %d s start later: %v", c.Procs, c.Limit, c.Sooner)
		}
	}
	if found != 1 {
		t.Errorf("%d cells are what is asked", found)
	}
}

// Intent: what holds a job back adds up: what runs, what waits, what comes and what is free
// is all there is; free processors are none beyond the machine, and at the first instant
// those that the answer counts, less what starts in it.
func TestWhenHold(t *testing.T) {
	p := whenDocument(t, `{"key":"easy"}`, 1)
	w, _, err := p.Workload(0)
	if err != nil {
		t.Fatal(err)
	}
	ask := Ask{At: w.Jobs[1200].Submit, Procs: 24, Limit: 7200, User: 3, Executable: -1, Draws: 20}
	told, err := p.When(RunID{}, ask, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.WhenHold(RunID{}, ask, nil)
	if err != nil {
		t.Fatal(err)
	}
	sum, procs := 0.0, int32(p.asked.of.machines().Procs())
	for _, s := range got.Shares {
		if s < 0 || s > 1 {
			t.Errorf("shares %v", got.Shares)
		}
		sum += s
	}
	if sum < 0.999 || sum > 1.001 {
		t.Errorf("shares %v", got.Shares)
	}
	for i, f := range got.Free {
		if f[0] < 0 || f[0] > f[1] || f[1] > f[2] || f[2] > procs || i > 0 && got.Times[i] <= got.Times[i-1] {
			t.Fatalf("at %d s %v of %d are free", got.Times[i], f, procs)
		}
	}
	if got.Free[0][2] > int32(told.Free) {
		t.Errorf("%v are free at first, and the answer says %d", got.Free[0], told.Free)
	}
}

// Intent: a present that says what the run has says the same: with all running as long as
// it may and nobody coming, a new job starts when it does on top of the run.
func TestPresentIsTheRun(t *testing.T) {
	for _, scheduler := range []string{`{"key":"fcfs"}`, `{"key":"easy","params":{"backfill":"spf"}}`} {
		p := whenDocument(t, scheduler, 1)
		a, err := p.asking(RunID{})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range []int{400, 800, 1200} {
			at := a.jobs[i].Submit
			ask := Ask{At: at, Procs: 40, Limit: 7200, User: -1, Executable: -1, Draws: 1}
			asked := a.asked(&ask, -1)
			q := newQueue(a, 1)
			s := q.at(at, -1, &asked, nil)
			want, err := s.promisedStart()
			if err != nil {
				t.Fatal(err)
			}
			ask.Present = &Present{}
			for _, j := range q.active {
				one := PresentJob{Procs: a.jobs[j].Procs, Limit: a.jobs[j].Limit, User: a.jobs[j].User, Ran: -1, Waited: at - a.jobs[j].Submit}
				if a.start[j] < at {
					one.Ran = at - a.start[j]
				}
				ask.Present.Jobs = append(ask.Present.Jobs, one)
			}
			if _, _, err := a.about(&ask); err != nil {
				t.Fatal(err)
			}
			asked = a.asked(&ask, -1)
			got, err := newQueue(a, 1).at(at, -1, &asked, ask.Present).promisedStart()
			if err != nil || got != want {
				t.Errorf("%s at %d: a wait of %d by the present, %d by the run, %v", scheduler, at, got, want, err)
			}
		}
	}
}
