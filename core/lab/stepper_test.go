//go:build !small

package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/sim"
	"batchlab/core/swf"
	"batchlab/core/tell"
)

// toldJob is a job of a workload that is told about: times in seconds.
type toldJob struct{ submit, procs, request, run, user, queue int }

// crowd draws jobs that keep a machine of 16 processors busy.
func crowd(r *rand.Rand, jobs int) []toldJob {
	list, at := make([]toldJob, jobs), 0
	for i := range list {
		if r.IntN(3) > 0 {
			at += r.IntN(90)
		}
		run := 20 + r.IntN(300)
		request := run
		if r.IntN(3) > 0 {
			request += r.IntN(200)
		}
		if r.IntN(8) == 0 {
			request = max(10, run/2) // it is stopped
		}
		procs := 1 + r.IntN(4)
		if r.IntN(4) == 0 {
			procs = 1 + r.IntN(8)
		}
		list[i] = toldJob{at, procs, request, run, 1 + r.IntN(4), 1 + r.IntN(3)}
	}
	return list
}

// crowded is an experiment of one scheduler with jobs that come twice as fast, narrow where
// machines are small; an error where the platform does not suit the scheduler.
func crowded(t *testing.T, random *rand.Rand, count int, pair [2]string, scheduler string) (*Prepared, error) {
	jobs := crowd(random, count)
	for i := range jobs {
		if jobs[i].submit /= 2; pair != toldPairs[0] {
			jobs[i].procs = min(jobs[i].procs, 4)
		}
	}
	return Prepare(toldDocument(t, pair, scheduler), toldLog(t, jobs))
}

// toldDocument is conforming, with machines of which some have GPUs and little memory,
// and jobs that ask for these.
func toldDocument(t *testing.T, pair [2]string, scheduler string) *experiment.Experiment {
	t.Helper()
	switch pair[0] {
	case "taken":
		return takenDocument(t, scheduler)
	case "gpus":
	default:
		return conforming(t, pair[0], pair[1], scheduler)
	}
	e, err := experiment.Decode([]byte(`{"batchlab":1,"seed":7,"workload":{"source":{"log":{"name":"small.swf","sha256":"` + strings.Repeat("0", 64) + `","size":1}},` +
		`"annotate":{"needs":[{"share":0.4,"gpus":1},{"share":0.3,"memory":9000000000},{"share":0.1,"gpus":2}]}},` +
		`"platform":{"clusters":[{"name":"a","packing":"` + pair[1] + `","groups":[{"count":2,"processors":4,"gpus":2,"memory":16000000000},{"count":3,"processors":4,"memory":10000000000}]}]},"schedulers":[` + scheduler + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// takenDocument has outages, announced or not, and reservations of the platform that lie
// across one another on a machine of counted processors.
func takenDocument(t *testing.T, scheduler string) *experiment.Experiment {
	t.Helper()
	e, err := experiment.Decode([]byte(`{"batchlab":1,"seed":7,"workload":{"source":{"log":{"name":"small.swf","sha256":"` + strings.Repeat("0", 64) + `","size":1}}},` +
		`"platform":{"processors":16,"outages":[{"name":"power","from":300,"to":900,"processors":4,"announced":true},{"name":"check","from":600,"to":1200,"processors":5,"announced":true},` +
		`{"name":"fault","from":150,"to":350,"processors":2},{"name":"later","from":1500,"to":1700,"processors":3,"announced":true}],` +
		`"reservations":[{"name":"course","processors":6,"from":1000,"to":1500},{"processors":4,"from":400,"to":700},{"name":"exam","processors":3,"from":800,"to":1300}]},"schedulers":[` + scheduler + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// logged makes a log of jobs.
func toldLog(t *testing.T, jobs []toldJob) Env {
	t.Helper()
	var b strings.Builder
	b.WriteString("; MaxProcs: 16\n")
	for i, j := range jobs {
		fmt.Fprintf(&b, "%d %d 0 %d %d -1 -1 -1 %d -1 1 %d 1 1 %d 1 -1 -1\n", i+1, j.submit, j.run, j.procs, j.request, j.user, j.queue)
	}
	log, err := swf.Parse([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(uint64(jobs[0].request), 8))
	log.Extra = make([]swf.Extra, len(jobs)) // what jobs wait for, of those before them, if an experiment keeps it
	for i := range log.Extra {
		switch x := &log.Extra[i]; r.IntN(7) {
		case 0:
			x.After = fmt.Sprint(1+r.IntN(i+1), ":start+", r.IntN(50))
		case 1, 2:
			x.After = fmt.Sprint(1+r.IntN(max(1, i)), []string{"", ":ok", "?1:notok", ",2+30"}[r.IntN(4)])
		case 3:
			x.Begin = log.Records[i].SubmitTime + int64(r.IntN(500))
		case 4:
			x.Array, x.ArrayLimit = 1, 1
		case 5:
			x.Withdrawn = log.Records[i].SubmitTime + int64(1+r.IntN(300))
		}
	}
	return Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }}
}

// toldSteps tells all instants of the first run of an experiment.
func toldSteps(t *testing.T, doc *experiment.Experiment, env Env) ([]*tell.Step, *model.Schedule, error) {
	t.Helper()
	p, err := Prepare(doc, env)
	if err != nil {
		return nil, nil, err
	}
	s, err := p.NewStepper(RunID{}, false, nil)
	if err != nil {
		return nil, nil, err
	}
	var steps []*tell.Step
	for i := range s.Times() {
		step, err := s.Step(i, nil)
		if err != nil {
			return nil, nil, err
		}
		if step.Index != i || step.Now != s.Times()[i] {
			t.Fatalf("step %d is the one of index %d at %d", i, step.Index, step.Now)
		}
		steps = append(steps, step)
	}
	r, err := p.Run(RunID{}, Options{})
	if err != nil {
		return nil, nil, err
	}
	return steps, r.Schedule, nil
}

// toldPairs are the platforms and requests under which decisions are read again.
var toldPairs = [][2]string{
	{"counts", "plain"}, {"counts", "plain"}, {"counts", "user limit"}, {"counts", "outage"}, {"counts", "reservations"}, {"counts", "users"},
	{"clusters", "plain"}, {"nodes", "plain"}, {"farm", "due stops"}, {"licences", "licences"}, {"licences", "all"}, {"grid", "reservations"}, {"nodes", "failure"},
	{"gpus", "machine"}, {"gpus", "nodes"}, {"counts", "class limit"}, {"taken", ""}, {"taken", ""},
	{"counts", "workflow"}, {"nodes", "workflow"}, {"counts", "withdrawn"},
}

// toldSchedulers are the catalog's, and the orders of EASY besides.
func toldSchedulers() []string {
	list := everyScheduler()
	for _, params := range []string{`"order":"sqf","backfill":"spf"`, `"order":"lexp","backfill":"sexp","threshold":100`, `"ties":"newest","backfill":"laf"`, `"backfill":"formula","backfill-formula":"wait*q"`} {
		list = append(list, `{"key":"easy","params":{`+params+`}}`)
	}
	for _, local := range []string{"plan-rs", "hill-climbing", "pppd"} {
		list = append(list, `{"key":"grid","params":{"local":"`+local+`"}}`)
	}
	return append(list, `{"key":"conservative","params":{"order":"saf"}}`, `{"key":"fcfs","params":{"ties":"newest"}}`)
}

// Forth and back, in any order, an instant is told alike: from a picture of the
// run's state, from its beginning, or from what is kept, under every scheduler and
// on every platform.
func TestStepsForthAndBack(t *testing.T) {
	defer func(work int64) { pictureWork, pictureLong = work, 0 }(pictureWork)
	pictureWork, pictureLong = 3000, 64
	random := rand.New(rand.NewPCG(11, 2))
	walked, pictures := 0, 0
	counting := `{"key":"custom","params":{"code":"seen = {}\ndef decide(s):\n    out, free = [], s.free\n    for job in sorted(s.queue, key=lambda j: (seen.get(j.user, 0), j.id)):\n        if job.procs <= free:\n            free -= job.procs\n            seen[job.user] = seen.get(job.user, 0) + 1\n            out.append(job)\n    return out\n"}}`
	for k, scheduler := range append(toldSchedulers(), counting) {
		for n, pair := range toldPairs {
			if (n+k)%map[bool]int{true: 9, false: 3}[testing.Short()] > 0 && n > 0 || n == 1 {
				continue
			}
			p, err := crowded(t, random, 60, pair, scheduler)
			if err != nil {
				continue // the platform does not suit it
			}
			s, err := p.NewStepper(RunID{}, false, nil)
			if err != nil {
				continue
			}
			if pictures += len(s.points); !s.kept {
				t.Errorf("%s: no pictures", scheduler)
			}
			count := len(s.Times())
			whole := make([]string, count)
			if err := s.tell(&sim.Telling{From: 0, To: count, Each: func(step *tell.Step) bool {
				step.Total = count
				whole[step.Index] = mustJSON(step)
				return true
			}}, nil); err != nil && !errors.Is(err, sim.ErrCancelled) {
				t.Fatal(err)
			}
			walked++
			at := count / 2
			for range 12 {
				switch random.IntN(4) {
				case 0, 1:
					at = random.IntN(count)
				case 2:
					at = max(0, at-1-random.IntN(nearPicture))
				default:
					at = min(count-1, at+1)
				}
				step, err := s.Step(at, nil)
				if err != nil {
					t.Fatalf("%v %s, instant %d: %v", pair, scheduler, at, err)
				}
				if got := mustJSON(step); got != whole[at] {
					t.Fatalf("%v %s, instant %d of %d: told\n%s\nand from the beginning\n%s", pair, scheduler, at, count, got, whole[at])
				}
				if s.Find(step.Now) != at || at > 0 && s.Find(step.Now-1) != at-1 {
					t.Fatalf("%s: instant %d is found at %d", scheduler, at, s.Find(step.Now))
				}
			}
		}
	}
	if t.Logf("%d runs walked through, of which there were %d pictures", walked, pictures); pictures < 5*walked {
		t.Error("too few pictures for a test")
	}
}

func mustJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
