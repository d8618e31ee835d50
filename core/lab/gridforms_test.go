//go:build !small

package lab

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
)

// forms is how many random documents TestSpellingsOfAGrid and TestGridIsItsDesk try.
var forms = flag.Int("forms", 0, "so many random grids are compared with their other spellings; 0: some hundreds")

// localKeys are the local policies of the study.
var localKeys = []string{"fcfs", "fcfs-bf", "easy", "lsf", "sjf", "ppp", "pppd", "fair-share", "conservative"}

// drawnGrid draws a grid: its platform, what it asks of jobs, its parameters, and
// the parameters of its local policy among them.
type drawnGrid struct {
	drawer
	local     string
	providers int
	fails     bool
	calendar  string
	params    []string // of the grid alone
	own       []string // of its local policy
	booking   []string // of reservations
}

func drawGrid(r *rand.Rand, round int) *drawnGrid {
	d := &drawnGrid{drawer: drawer{Rand: r}, local: localKeys[round%len(localKeys)], providers: 1 + r.IntN(3)}
	word := func(list *[]string, key string, values ...string) string {
		v := values[r.IntN(len(values))]
		*list = append(*list, `"`+key+`":`+v)
		return v
	}
	if outages := r.IntN(4); outages > 0 {
		var list []string
		for range outages {
			from, announced := 100+r.IntN(2500), r.IntN(3) > 0
			d.fails = d.fails || !announced
			list = append(list, fmt.Sprintf(`{"from":%d,"to":%d,"announced":%v,"cluster":"%c","processors":%d}`, from, from+1+r.IntN(400), announced, 'a'+rune(r.IntN(d.providers)), 1+r.IntN(8)))
		}
		d.calendar = `,"outages":[` + strings.Join(list, ",") + `]`
	}
	word(&d.params, "batch", `"load-balance"`, `"random"`)
	word(&d.params, "reservations", `"mct"`, `"priority"`, `"partition"`, `"load-balance"`, `"random"`)
	word(&d.params, "tie", `"queue"`, `"random"`)
	word(&d.params, "turn", `"first"`, `"fcfs"`)
	word(&d.params, "load", `"batch"`, `"reservations"`, `"all"`)
	word(&d.params, "delta", `0`, `0`, `70`)
	word(&d.booking, "mode", `"late"`, `"reject"`)
	word(&d.booking, "end", `"kill"`, `"suspend"`, `"early"`)
	word(&d.booking, "unused", `"free"`, `"hold"`)
	word(&d.booking, "slot", `1`, `1`, `60`)
	suspends := word(&d.booking, "running", `"wait"`, `"suspend"`) == `"suspend"`
	if !suspends && !d.fails && r.IntN(3) == 0 && d.local != "conservative" && d.local != "pppd" {
		d.booking = append(d.booking, `"binding":"static"`)
	}
	switch d.local {
	case "lsf", "sjf":
		word(&d.own, "period", `0`, `0`, `45`)
	case "ppp", "pppd":
		word(&d.own, "priority", `"small"`, `"large"`)
	}
	if d.local == "pppd" {
		word(&d.own, "preempted", `"suspend"`, `"requeue"`)
	}
	if slices.Contains([]string{"lsf", "sjf", "ppp", "pppd", "fair-share"}, d.local) {
		word(&d.own, "blocked", `"pass"`, `"stop"`)
	}
	return d
}

// document writes a grid or another scheduler on the same platform, with more of
// the platform, for a share of reservations.
func (d *drawnGrid) document(t *testing.T, seed int, share float64, react bool, packing, more, scheduler string) *experiment.Experiment {
	var clusters []string
	for i := range d.providers {
		one := fmt.Sprintf(`{"name":"%c","groups":[{"count":%d}]}`, 'a'+rune(i), 8+4*i)
		if packing != "" {
			one = fmt.Sprintf(`{"name":"%c","packing":"%s","groups":[{"count":1,"processors":%d}]}`, 'a'+rune(i), packing, 8+4*i)
		}
		clusters = append(clusters, one)
	}
	users := ""
	if react {
		users = `,"react":{}`
	}
	return decode(t, fmt.Sprintf(`{"batchlab":1,"seed":%d,"workload":{"source":{"log":{"name":"x","sha256":"%s","size":1}}%s,
		"annotate":{"reservations":{"share":%g,"ready":"drawn","lead_min":0,"lead_max":900,"factor_max":3}}},
		"platform":{"clusters":[%s]%s%s},"schedulers":[%s]}`,
		seed, strings.Repeat("0", 64), users, share, strings.Join(clusters, ","), d.calendar, more, scheduler))
}

// answerOf runs a document's only scheduler once: what its digest is made of, but for
// the scheduler's key, or its fault.
func answerOf(e *experiment.Experiment, env Env) (string, *Result) {
	p, err := Prepare(e, env)
	if err == nil {
		var r *Result
		if r, err = p.Run(RunID{}, Options{}); err == nil {
			return string(experiment.AppendRun(nil, "", 0, len(r.Schedule.Executions), digestRows(r.Schedule))), r
		}
	}
	return err.Error(), nil
}

// crowdedLog draws jobs for a grid, narrow enough for its smallest provider.
func crowdedLog(t *testing.T, r *rand.Rand) Env {
	jobs := crowd(r, 4+r.IntN(40))
	for i := range jobs {
		jobs[i].submit /= 2
	}
	return toldLog(t, jobs)
}

// tries returns how many random grids a test tries.
func tries(some int) int {
	if *forms > 0 {
		return *forms
	}
	if testing.Short() {
		return some / 4
	}
	return some
}

// A grid's local policy may be written in three ways: as the parameter local, as the
// scheduler of its providers, and the same on a platform with a limit that never
// binds; and a provider may be a machine that stands alone. All are one scheduler:
// they give one schedule, with reservations and without, with outages and failures,
// users who react, and every option of the grid.
func TestSpellingsOfAGrid(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 1))
	reserved := 0
	for round := range tries(1000) {
		d := drawGrid(r, round)
		env := crowdedLog(t, r)
		share, react := []float64{0, 0.3, 1}[round/9%3], r.IntN(3) == 0
		limit := `,"limits":{"user_processors":30}`
		if d.some(3) {
			limit = `,"limits":{"classes":[{"longer_than":100000,"share":0.5}]}`
		}
		grid := fmt.Sprintf(`{"key":"grid","params":{"local":"%s",%s}}`, d.local, strings.Join(slices.Concat(d.params, d.own, d.booking), ","))
		provided := fmt.Sprintf(`{"key":"grid","params":{%s},"providers":[{"key":"%s","params":{%s}}]}`,
			strings.Join(slices.Concat(d.params, d.booking), ","), d.local, strings.Join(d.own, ","))
		first, result := answerOf(d.document(t, round, share, react, "", "", grid), env)
		if result == nil {
			t.Fatalf("round %d, share %g, users react: %v: %s\n%s\n%s", round, share, react, first, grid, d.calendar)
		}
		if err := errors.Join(result.Schedule.Check(), kept(result.Schedule)); err != nil {
			t.Fatalf("round %d: %v\n%s\n%s", round, err, grid, d.calendar)
		}
		for i := range result.Schedule.Executions {
			if w := result.Schedule.Workload.Demand(result.Schedule.Executions[i].Job); w != nil && w.Reservation != nil {
				reserved++
			}
		}
		others := map[string]*experiment.Experiment{
			"as the scheduler of its providers":  d.document(t, round, share, react, "", "", provided),
			"with a limit that never binds":      d.document(t, round, share, react, "", limit, grid),
			"with providers, and with the limit": d.document(t, round, share, react, "", limit, provided),
		}
		if d.calendar == "" && !slices.Contains(d.booking, `"binding":"static"`) {
			others["on machines that stand alone"] = d.document(t, round, share, react, "machine", "", grid)
		}
		for how, other := range others {
			if got, _ := answerOf(other, env); got != first {
				t.Fatalf("round %d, share %g, users react: %v: %s it is another schedule\n%s\n%s", round, share, react, how, grid, d.calendar)
			}
		}
	}
	if reserved < tries(1000) {
		t.Errorf("only %d reservations were tried", reserved)
	}
}

// A grid of one provider is that provider's scheduler beside the desk of
// platform.booking, under every local policy and every rule of reservations.
func TestGridIsItsDesk(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 2))
	for round := range tries(1000) {
		d := drawGrid(r, round)
		d.providers, d.params = 1, []string{`"batch":"` + pick(d.drawer, "load-balance", "random") + `"`}
		d.calendar = strings.NewReplacer(`"cluster":"b"`, `"cluster":"a"`, `"cluster":"c"`, `"cluster":"a"`).Replace(d.calendar)
		env := crowdedLog(t, r)
		share, react := []float64{0, 0.3, 1}[round/9%3], r.IntN(3) == 0
		if share == 0 { // nobody asks the desk, which binds nothing then
			d.booking = slices.DeleteFunc(d.booking, func(s string) bool { return s == `"binding":"static"` })
		}
		grid := fmt.Sprintf(`{"key":"grid","params":{"local":"%s",%s}}`, d.local, strings.Join(slices.Concat(d.params, d.own, d.booking), ","))
		alone := fmt.Sprintf(`{"key":"%s","params":{%s}}`, d.local, strings.Join(d.own, ","))
		first, result := answerOf(d.document(t, round, share, react, "", "", grid), env)
		if result == nil {
			t.Fatalf("round %d, share %g, users react: %v: %s\n%s\n%s", round, share, react, first, grid, d.calendar)
		}
		booking := `,"booking":{` + strings.Join(d.booking, ",") + `}`
		if got, _ := answerOf(d.document(t, round, share, react, "", booking, alone), env); got != first {
			t.Fatalf("round %d, share %g, users react: %v: beside the desk it is another schedule\n%s\n%s\n%s", round, share, react, grid, alone+booking, d.calendar)
		}
	}
}

// A reservation that begins is something that happens: all that waits is looked at
// then, although nothing was suspended for it and nothing has become free. Job 1 holds
// 2 of 5 processors until 10, job 2 wants all; job 3 would delay it, until the
// reservation begins at 5, beside which job 2 cannot start before 20.
func TestBeginningIsAnInstant(t *testing.T) {
	for _, scheduler := range []string{`{"key":"easy"}`, `{"key":"grid","params":{"local":"easy","running":"suspend"}}`, `{"key":"grid","params":{"running":"suspend"},"providers":[{"key":"easy"}]}`} {
		r := firstRun(t, `{"batchlab":1,"workload":{"source":{"inline":{"columns":["submit","procs","requested","run"],"rows":[[0,2,10,10],[0,5,5,5],[1,1,15,15]]}}},
			"platform":{"clusters":[{"name":"a","groups":[{"count":5}]}],"reservations":[{"from":5,"to":20,"processors":2}],"booking":{"running":"suspend"}},
			"schedulers":[`+scheduler+`]}`)
		if got := startsOf(r.Schedule); got[3] != 5 || got[2] != 20 || got[4] != 5 {
			t.Errorf("%s: jobs start at %v", scheduler, got)
		}
	}
}

// What is kept of a reservation whose job has ended gives way to a failure that begins
// as the job ends: nobody runs on processors that are gone.
func TestRestIsLostToAFailure(t *testing.T) {
	for _, scheduler := range []string{`{"key":"fcfs"}`, `{"key":"grid","params":{"unused":"hold"}}`} {
		r := firstRun(t, `{"batchlab":1,"workload":{"source":{"inline":{"columns":["submit","procs","requested","run"],"rows":[[0,1,100,100]]}}},
			"platform":{"clusters":[{"name":"a","groups":[{"count":6}]}],"reservations":[{"from":0,"to":100,"processors":5,"run":50}],
				"outages":[{"from":50,"to":60,"cluster":"a","processors":3}],"booking":{"unused":"hold"}},
			"schedulers":[`+scheduler+`]}`)
		if got := startsOf(r.Schedule); got[1] != 0 || got[2] != 0 {
			t.Errorf("%s: jobs start at %v", scheduler, got)
		}
	}
}

// Outages that overlap take away their sum, whether processors have names or not: where
// both together take all, nothing can be reserved.
func TestBoundBesideOutages(t *testing.T) {
	for _, binding := range []string{"static", "dynamic"} {
		for _, scheduler := range []string{`{"key":"fcfs"}`, `{"key":"grid","params":{"mode":"reject","binding":"` + binding + `"}}`} {
			r := firstRun(t, `{"batchlab":1,"workload":{"source":{"inline":{"columns":["submit","procs","requested","run"],"rows":[[0,1,5,5]]}}},
				"platform":{"clusters":[{"name":"a","groups":[{"count":4}]}],"reservations":[{"from":12,"to":15,"processors":1}],
					"outages":[{"from":10,"to":20,"announced":true,"cluster":"a","processors":2},{"from":5,"to":30,"announced":true,"cluster":"a","processors":2}],
					"booking":{"mode":"reject","binding":"`+binding+`"}},
				"schedulers":[`+scheduler+`]}`)
			if got := startsOf(r.Schedule); got[1] != 0 || got[2] != -1 {
				t.Errorf("%s, %s: jobs start at %v", binding, scheduler, got)
			}
		}
	}
}

// Reservations whose jobs are stopped at due times: one that is due before its interval
// begins is rejected when it is asked for, holds nothing, and is counted among what is
// said of the workload; one that is due within it holds its processors until then.
func TestReservationsThatAreDue(t *testing.T) {
	for due, want := range map[string][2]model.Time{ // of the reservation, and of the batch job that wants the machine
		"50":  {-1, 1},
		"100": {-1, 1},
		"103": {100, 103},
		"500": {100, 110},
	} {
		for _, scheduler := range []string{`{"key":"easy"}`, `{"key":"conservative"}`, `{"key":"grid"}`, `{"key":"grid","params":{"local":"conservative"}}`} {
			p, err := Prepare(decode(t, `{"batchlab":1,"workload":{"source":{"inline":{"columns":["submit","procs","requested","run"],"rows":[[0,4,10,10],[1,4,200,200]]}},
				"annotate":{"deadlines":{"on_due":"kill"},"jobs":[{"job":1,"due":`+due+`}],"reservations":{"share":0.5,"ready":"drawn","lead_min":100,"lead_max":100}}},
				"platform":{"processors":4},"schedulers":[`+scheduler+`]}`), Env{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.Run(RunID{}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := startsOf(r.Schedule); got[1] != want[0] || got[2] != want[1] {
				t.Errorf("due at %s, %s: jobs start at %v, not %v", due, scheduler, got, want)
			}
			_, clean, err := p.Workload(0)
			if err != nil {
				t.Fatal(err)
			}
			said := 0
			for _, c := range clean.Counts {
				if c.Reason == "reservation-due" {
					said += c.Jobs
				}
			}
			if (want[0] < 0) != (said == 1) {
				t.Errorf("due at %s: %d reservations are said to be due before their interval", due, said)
			}
		}
	}
}

// Jobs that state no limit hold what they have for ever, for all that the study's local
// policies know: nobody is accepted beside them. Other schedulers say that they do not
// know such jobs.
func TestWithoutALimit(t *testing.T) {
	for _, local := range append([]string{"orig-bf"}, localKeys...) {
		p, err := Prepare(decode(t, `{"batchlab":1,"workload":{"source":{"log":{"name":"x","sha256":"`+strings.Repeat("0", 64)+`","size":1}}},
			"platform":{"clusters":[{"name":"a","groups":[{"count":16}]}],"reservations":[{"submit":5,"from":100,"to":200,"processors":10}]},
			"schedulers":[{"key":"grid","params":{"no-limit":"never","mode":"reject","local":"`+local+`"}}]}`), toldLog(t, []toldJob{{0, 8, -1, 20, 1, 1}, {1, 4, 30, 30, 2, 1}}))
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Run(RunID{}, Options{})
		if local == "orig-bf" {
			if err == nil || !strings.Contains(err.Error(), "no-limit") {
				t.Errorf("%s: %v", local, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", local, err)
		}
		if got := startsOf(r.Schedule); got[1] != 0 || got[2] != 1 || got[3] != -1 {
			t.Errorf("%s: jobs start at %v", local, got)
		}
	}
}
