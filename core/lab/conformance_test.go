//go:build !small

package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/sim"
	"batchlab/core/swf"
)

// everyScheduler are all rows of the catalog, with the parameters that make
// another scheduler of them; searches are short.
func everyScheduler() (list []string) {
	for i := range catalog.Schedulers {
		row := &catalog.Schedulers[i]
		if *only != "" && row.Key != *only {
			continue
		}
		variants := []string{""}
		switch row.Key {
		case "easy":
			variants = []string{``, `"order":"mixed","weights":[0,0.2,0.8]`, `"order":"formula","formula":"wait * q / p"`,
				`"order":"saf","orders-by":"prediction"`, `"backfill":"spf","backfill-by":"prediction"`, `"order":"formula","formula":"-q * foretold / p"`}
		case "conservative":
			variants = []string{``, `"order":"spf","orders-by":"prediction"`, `"plan-by":"prediction"`}
		case "orig-bf":
			variants = []string{``, `"plan-by":"prediction"`, `"reserve-after":300,"plan-by":"prediction"`}
		case "fcfs-bf":
			variants = []string{``, `"several-queues":"turn"`}
		case "hill-climbing":
			variants = []string{`"evaluations":10`, `"evaluations":10,"plan-by":"prediction"`}
		case "custom":
			for _, code := range []string{
				"def decide(s):\n    head = None\n    for job in s.queue:\n        if not s.start(job) and head == None:\n            head = job\n            s.reserve(job)\n",
				"def decide(s):\n    for job in s.queue:\n        s.place(job)\n    s.wake(s.now + 500)\n",
				"def order(job, s):\n    return (s.earliest(job) or 0, -job.wait)\nbackfill = \"easy\"\n",
				"def order(job, s):\n    return (job.user, random(10))\nbackfill = \"conservative\"\n",
				"def order(job, s):\n    return job.due or s.now\n",
			} {
				text, _ := json.Marshal(code)
				variants = append(variants, `"code":`+string(text))
			}
		case "grid":
			variants = []string{``, `"local":"conservative"`, `"local":"orig-bf"`}
		case "plan-rs":
			variants = []string{`"iterations":8,"optimiser":"annealing","plan-by":"prediction"`, `"iterations":8,"optimiser":"lns","plan-by":"prediction"`}
			for _, o := range catalog.FindParam(row.Params, "optimiser").Options {
				variants = append(variants, `"iterations":8,"optimiser":"`+o.Key+`"`)
			}
		}
		for _, params := range variants {
			list = append(list, `{"key":"`+row.Key+`","params":{`+params+`}}`)
		}
	}
	return list
}

// everyPlatform are kinds of platform, of 16 processors and more; MORE stands for
// other keys.
var everyPlatform = map[string]string{
	"counts":   `{"processors":16MORE}`,
	"cluster":  `{"clusters":[{"name":"a","groups":[{"count":16,"properties":["fast"]}]}]MORE}`,
	"clusters": `{"clusters":[{"name":"a","groups":[{"count":8,"properties":["fast"]}]},{"name":"b","groups":[{"count":10}]}]MORE}`,
	"nodes":    `{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":2,"processors":4,"properties":["fast"]},{"count":4,"processors":2}]}]MORE}`,
	"farm":     `{"clusters":[{"name":"a","packing":"machine","groups":[{"count":3,"processors":4,"speed":2,"properties":["fast"]},{"count":2,"processors":4}]}]MORE}`,
	"grid": `{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":4,"processors":2,"properties":["fast"]}]},{"name":"b","groups":[{"count":8}]},` +
		`{"name":"c","packing":"machine","groups":[{"count":2,"processors":4}]}]MORE}`,
	"speeds":    `{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":2,"processors":4,"speed":2,"properties":["fast"]},{"count":2,"processors":4}]}],"power_scales":trueMORE}`,
	"generated": `{"generator":{"key":"farm-machines"}MORE}`,
	"licences": `{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":4,"processors":4,"licences":["cad","mesh"],"properties":["fast"]}]}],` +
		`"licences":[{"name":"cad","copies":2}]MORE}`,
}

// everyRequest are kinds of request: keys of the platform, of workload.annotate
// and of the workload.
var everyRequest = map[string]struct{ platform, annotate, workload string }{
	"plain":        {},
	"deadlines":    {annotate: `"deadlines":{"share":0.6}`},
	"due stops":    {annotate: `"deadlines":{"share":0.6,"on_due":"kill"}`},
	"attributes":   {annotate: `"weights":{"min":1,"max":5},"setup":{"min":0,"max":30}`},
	"eligible":     {annotate: `"eligible":[{"on":["SOME"],"share":0.3}]`},
	"licences":     {annotate: `"licences":[{"licence":"*","share":0.5}]`},
	"outage":       {platform: `,"outages":[{"from":900,"to":1300,"announced":trueCLUSTER}]`},
	"failure":      {platform: `,"outages":[{"from":700,"to":900CLUSTER}]`},
	"failures":     {platform: `,"failures":{"key":"exponential","params":{"mtbf":4000,"repair":200}}`},
	"user limit":   {platform: `,"limits":{"user_processors":5}`},
	"class limit":  {platform: `,"limits":{"classes":[{"longer_than":200,"share":0.8}]}`},
	"shares":       {platform: `,"partitions":[{"name":"p","max_time":500,"limits":{"jobs":3}}],"qos":[{"name":"a","limits":{"user_processors":4}},{"name":"b"}]`},
	"reservations": {annotate: `"reservations":{"share":0.3,"ready":"drawn","lead_min":60,"lead_max":900}`},
	"bound":        {platform: `,"booking":{"binding":"static"}`, annotate: `"reservations":{"share":0.3,"ready":"drawn","lead_min":60,"lead_max":900}`},
	"requests":     {platform: `,"reservations":[{"processors":3,"from":1000,"to":1500}]`},
	"workflow":     {workload: `,"dependencies":"keep"`},
	"withdrawn":    {workload: `,"dependencies":"keep","withdrawn":"keep"`, platform: `,"outages":[{"from":900,"to":1300CLUSTER}]`},
	"users":        {workload: `,"react":{}`},
	"users, dated": {workload: `,"react":{}`, annotate: `"deadlines":{"share":0.5,"on_due":"kill"},"reservations":{"share":0.2,"ready":"drawn","lead_min":60,"lead_max":900}`},
	"all": {
		platform: `,"outages":[{"from":900,"to":1300,"announced":trueCLUSTER},{"from":500,"to":600CLUSTER}],"limits":{"user_processors":9},"reservations":[{"processors":3,"from":1500,"to":1900}]`,
		annotate: `"licences":[{"licence":"cad","share":0.5}],"deadlines":{"share":0.6,"on_due":"kill"},"reservations":{"share":0.2,"ready":"drawn","lead_min":60,"lead_max":900}`,
	},
}

// together says whether a request can be made on a platform at all.
func together(platform, request string) bool {
	switch request {
	case "licences", "all":
		return platform == "licences"
	case "eligible":
		return platform != "counts" && platform != "generated"
	}
	return true
}

// conforming makes the document of a pair for some schedulers.
func conforming(t *testing.T, platform, request string, schedulers ...string) *experiment.Experiment {
	t.Helper()
	q := everyRequest[request]
	cluster := `,"cluster":"a"`
	switch platform {
	case "counts":
		cluster = `,"processors":5`
	case "cluster", "clusters":
		cluster += `,"processors":5`
	case "generated":
		cluster = `,"cluster":"farm","nodes":[1,2]`
	default:
		cluster += `,"nodes":[1]`
	}
	text := `{"batchlab":1,"seed":7,"workload":{"source":{"log":{"name":"small.swf","sha256":"` + strings.Repeat("0", 64) + `","size":1}}`
	some := "fast"
	if strings.HasPrefix(platform, "cluster") { // which has no machines
		some = "a"
	}
	if q.annotate != "" {
		text += `,"annotate":{` + strings.ReplaceAll(q.annotate, "SOME", some) + `}`
	}
	text += q.workload + `},"platform":` + strings.Replace(everyPlatform[platform], "MORE", strings.ReplaceAll(q.platform, "CLUSTER", cluster), 1) +
		`,"schedulers":[` + strings.Join(schedulers, ",") + `]}`
	e, err := experiment.Decode([]byte(text))
	if err != nil {
		t.Fatalf("%s, %s: %v\n%s", platform, request, err, text)
	}
	return e
}

// smallLog is a log of jobs of up to four processors by four users, with waits.
func smallLog(t *testing.T, jobs int, seed uint64) Env {
	t.Helper()
	var b strings.Builder
	b.WriteString("; MaxProcs: 16\n")
	r, at := rand.New(rand.NewPCG(seed, 3)), 0
	for i := range jobs {
		at += r.IntN(140)
		run, wait := 20+r.IntN(400), r.IntN(300)
		fmt.Fprintf(&b, "%d %d %d %d %d -1 -1 -1 %d -1 1 %d 1 1 %d 1 -1 -1\n", i+1, at, wait, run, 1+r.IntN(4), run+r.IntN(200), 1+r.IntN(4), 1+r.IntN(3))
	}
	log, err := swf.Parse([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	log.Extra = make([]swf.Extra, jobs) // what they wait for, if an experiment keeps it
	for i := range log.Extra {
		x := &log.Extra[i]
		switch r.IntN(8) {
		case 0:
			x.After = fmt.Sprint(1+r.IntN(i+1), ":start+", r.IntN(50))
		case 1, 2:
			x.After = fmt.Sprint(1+r.IntN(max(1, i)), []string{"", ":ok", "?1:notok", ",2"}[r.IntN(4)])
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

// tried runs a document whose scheduler is refused all the same.
func tried(doc *experiment.Experiment, env Env) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("%v", x)
		}
	}()
	p := prepare(doc, env)
	p.trusting = true
	return run(p)
}

// run runs the first run of an experiment and checks its schedule.
func run(p *Prepared) error {
	r, err := p.Run(RunID{}, Options{Columns: true})
	if err != nil {
		return err
	}
	if r.Report.Beside != nil {
		return nil
	}
	if err := r.Schedule.Check(); err != nil {
		return err
	}
	if err := waited(r.Schedule); err != nil {
		return err
	}
	return kept(r.Schedule)
}

// kept proves that every reservation that was accepted began in time, or after
// its interval where nobody could keep it, holding what was reserved from its
// start on.
func kept(s *model.Schedule) error {
	for i := range s.Executions {
		e := &s.Executions[i]
		d := s.Workload.Demand(e.Job)
		if d == nil || d.Reservation == nil || e.Reason == model.EndRejected || e.Reason == model.EndWithdrawn || e.Reason == model.EndNever || e.Attempt > 0 || !e.Reason.Final() {
			continue
		}
		held := slices.ContainsFunc(s.Holds, func(h model.Hold) bool {
			return h.Job == e.Job && h.Reserved && h.From <= e.Start && e.Start < h.To
		})
		if !held || e.Start < d.Reservation.Ready {
			return fmt.Errorf("reservation %d, ready at %d, started at %d, held: %t", s.Workload.Jobs[e.Job].Number, d.Reservation.Ready, e.Start, held)
		}
	}
	return nil
}

// Every scheduler of the catalog runs on every platform with every kind of
// request, and what comes out is feasible, but for what its row refuses: with the
// code that it says, and at most 3 % of all for a reason of the field. What is
// refused without such a reason is tried all the same: when all of it has become
// possible, the gap is to leave its row.
func TestEverythingWithEverything(t *testing.T) {
	env := smallLog(t, 24, 1)
	var more []Env // for what is tried all the same
	for seed := range uint64(6) {
		more = append(more, smallLog(t, 50, 100+seed))
	}
	pairs, field, pending, faults := 0, 0, map[string]int{}, 0
	works := map[string]bool{} // pending gaps, by scheduler and feature
	platforms, requests := keysOf(everyPlatform), keysOf(everyRequest)
	for _, platform := range platforms {
		for _, request := range requests {
			if !together(platform, request) {
				continue
			}
			for _, scheduler := range everyScheduler() {
				if testing.Short() && (pairs+len(scheduler))%5 != 0 {
					pairs++
					continue
				}
				pairs++
				doc := conforming(t, platform, request, scheduler)
				name := platform + ", " + request + ", " + scheduler
				p, err := Prepare(doc, env)
				if err == nil {
					err = run(p)
				}
				if err == nil {
					continue
				}
				var list experiment.Errors
				if !errors.As(err, &list) || !strings.HasPrefix(string(list[0].Code), "no-") {
					if faults++; faults < 12 {
						t.Errorf("%s: %v", name, err)
					}
					continue
				}
				gaps := lacking(doc, prepare(doc, env))
				if slices.ContainsFunc(gaps, func(g lack) bool { return g.gap.Why != "" }) {
					field++
					continue
				}
				for _, g := range gaps {
					pending[doc.Schedulers[0].Key+" "+g.feature]++
				}
				if len(gaps) == 1 {
					key := doc.Schedulers[0].Key + " " + gaps[0].feature
					if before, seen := works[key]; !seen || before {
						works[key] = !slices.ContainsFunc(more, func(env Env) bool { return tried(doc, env) != nil })
					}
				}
			}
		}
	}
	total := 0
	for _, key := range keysOf(pending) {
		total += pending[key]
		t.Errorf("%s: %d pairs are refused without a reason of the field", key, pending[key])
	}
	t.Logf("%d pairs, %d refused for reasons of the field, %d gaps not closed yet", pairs, field, total)
	for key, works := range works {
		if works && !testing.Short() {
			t.Errorf("%s works now: take the gap out of the scheduler's row", key)
		}
	}
	if 100*field > 3*pairs {
		t.Errorf("%d of %d pairs are refused for reasons of the field: more than 3 %%", field, pairs)
	}
}

// lack is a feature that a scheduler does not know.
type lack struct {
	feature string
	gap     *catalog.Gap
}

// lacking returns what the first scheduler of a document lacks.
func lacking(doc *experiment.Experiment, p *Prepared) (list []lack) {
	p.trusting = true
	asks := doc.Asks()
	if r, err := p.repetition(0); err == nil {
		asks = p.asks(r)
	}
	s := &doc.Schedulers[0]
	for _, key := range asks {
		if gap := catalog.FindScheduler(s.Key).Gap(key, s.Params.Words); gap != nil {
			list = append(list, lack{key, gap})
		}
	}
	return list
}

func keysOf[T any](m map[string]T) (list []string) {
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// The same machine as a number of processors and as one counted cluster takes
// the same schedulers and gives the same digest; and the counted form of a
// scheduler gives every job the start that its general form gives it.
func TestCountsAreAFormOnly(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for round := range rounds {
		env := smallLog(t, 60, uint64(round))
		for _, request := range []string{"plain", "deadlines", "users"} {
			for _, scheduler := range append(everyScheduler(), `{"key":"easy","params":{"order":"lexp","backfill":"saf","ties":"newest","threshold":400}}`) {
				digests := map[string]string{}
				for _, platform := range []string{"counts", "cluster"} {
					doc := conforming(t, platform, request, scheduler)
					rep, err := Run(doc, env, Options{}, nil)
					if err != nil {
						t.Fatalf("%s, %s, %s: %v", platform, request, scheduler, err)
					}
					digests[platform] = rep.Digest
					p, err := Prepare(doc, env)
					if err != nil {
						t.Fatal(err)
					}
					r, err := p.repetition(0)
					if err != nil {
						t.Fatal(err)
					}
					if p.form(r, 0) != counted {
						continue
					}
					p.generally = true
					out, err := p.Run(RunID{}, Options{})
					if err != nil {
						t.Fatal(err)
					}
					if general := experiment.Digest(out.Block); general != rep.Digest {
						t.Errorf("round %d, %s, %s, %s: the counted form and the general one differ", round, platform, request, scheduler)
					}
				}
				if digests["counts"] != digests["cluster"] {
					t.Errorf("round %d, %s, %s: 16 processors and one cluster of 16 differ", round, request, scheduler)
				}
			}
		}
	}
}

// The same on a part of real logs, with their backlogs.
func TestCountsAreAFormOnlyOnLogs(t *testing.T) {
	dir := os.Getenv("BATCHLAB_LOGS")
	if dir == "" {
		t.Skip("BATCHLAB_LOGS is not set: the forms are not compared on real logs")
	}
	for name, schedulers := range map[string][]string{
		"KTH-SP2-1996-2.1-cln.swf.gz": everyScheduler()[:min(6, len(everyScheduler()))], "SDSC-SP2-1998-4.2-cln.swf.gz": {`{"key":"fcfs"}`, `{"key":"easy","params":{"order":"lexp","backfill":"spf"}}`},
	} {
		packed, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		data, err := swf.Gunzip(packed, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		log, err := swf.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		log.Records = log.Records[:min(len(log.Records), 4000)]
		log.Alea = nil
		for _, scheduler := range schedulers {
			doc := decode(t, `{"batchlab":1,"workload":{"source":{"log":{"name":"x","sha256":"`+strings.Repeat("0", 64)+`","size":1}}},"schedulers":[`+scheduler+`]}`)
			p, err := Prepare(doc, Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }})
			if err != nil {
				t.Fatal(err)
			}
			fast, err := p.Run(RunID{}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			block := slices.Clone(fast.Block)
			p.generally = true
			slow, err := p.Run(RunID{}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(block, slow.Block) {
				t.Errorf("%s, %s: the counted form and the general one differ", name, scheduler)
			}
		}
	}
}

// Where the log needed more than there is, and for how long, is told by hand; a
// request beside the jobs is absent.
func TestBesideByHand(t *testing.T) {
	log, err := swf.Parse([]byte("; MaxProcs: 8\n" +
		"1 0 0 100 4 -1 -1 -1 100 -1 1 1 1 1 1 1 -1 -1\n" +
		"2 10 0 50 4 -1 -1 -1 50 -1 1 1 1 1 1 1 -1 -1\n" +
		"3 20 180 40 6 -1 -1 -1 40 -1 1 1 1 1 1 1 -1 -1\n"))
	if err != nil {
		t.Fatal(err)
	}
	doc := decode(t, `{"batchlab":1,"workload":{"source":{"log":{"name":"x","sha256":"`+strings.Repeat("0", 64)+`","size":1}}},
	"platform":{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":3,"processors":2}]}],"outages":[{"from":210,"to":230,"cluster":"a","nodes":[0]}],
	"reservations":[{"processors":2,"from":300,"to":400}]},"schedulers":[{"key":"as-logged"}]}`)
	p, err := Prepare(doc, Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(RunID{}, Options{Columns: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Schedule.Check(); err != nil {
		t.Error(err)
	}
	b := r.Report.Beside
	if len(b.Excess) != 1 || b.Requests != 1 || !slices.Equal(b.Ignores, []string{catalog.FeatureFailures, catalog.FeatureReservations}) {
		t.Fatalf("%+v", b)
	}
	// 8 of 6 processors from 10 to 60, 6 of 4 from 210 to 230.
	x := b.Excess[0]
	if x.What != "processors" || x.Spans != 2 || x.Seconds != 70 || x.Most != 2 || x.At != 10 || x.First[1].From != 210 || x.First[1].To != 230 {
		t.Errorf("%+v", x)
	}
	at := slices.IndexFunc(r.Schedule.Workload.Jobs, func(j model.Job) bool { return j.Record < 0 })
	if e := r.Schedule.Executions[at]; e.Reason != model.EndRejected || len(r.Report.Columns.Spans) != 0 {
		t.Errorf("%+v, %d spans", e, len(r.Report.Columns.Spans))
	}
}

// Where users react, deadlines and reservations are as long after a job's
// submission as in the log, whenever that comes; and the replay of what was
// submitted, with its dates, gives the same schedule again.
func TestDatesFollowSubmissions(t *testing.T) {
	env := smallLog(t, 60, 9)
	moved := 0
	for _, platform := range []string{"counts", "grid", "licences"} {
		for _, scheduler := range []string{`{"key":"fcfs"}`, `{"key":"easy"}`, `{"key":"orig-bf"}`, `{"key":"bf-mod"}`} {
			doc := conforming(t, platform, "users, dated", scheduler)
			doc.Workload.Annotate.Reservations.Share = 0
			p, err := Prepare(doc, env)
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.repetition(0)
			if err != nil {
				t.Fatal(err)
			}
			out, err := p.Run(RunID{}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			w := out.Schedule.Workload
			for i, k := range w.Origin {
				got, want := w.Demand(int32(i)), r.workload.Demand(k)
				if (got.Due == 0) != (want.Due == 0) || got.Due != 0 && got.Due-w.Jobs[i].Submit != want.Due-r.workload.Jobs[k].Submit {
					t.Fatalf("%s, %s: job %d is due at %d, submitted at %d; in the log %d and %d", platform, scheduler, w.Jobs[i].Number, got.Due, w.Jobs[i].Submit, want.Due, r.workload.Jobs[k].Submit)
				}
				if got.Due != want.Due {
					moved++
				}
			}
			s, err := build(&doc.Schedulers[0])
			if err != nil {
				t.Fatal(err)
			}
			starts := slices.Clone(out.Schedule.Executions)
			again, err := new(sim.Simulator).Run(w, r.machines(), s, sim.Options{})
			if err != nil || !slices.EqualFunc(starts, again.Executions, func(a, b model.Execution) bool { return a.Start == b.Start && a.End == b.End && a.Reason == b.Reason }) {
				t.Errorf("%s, %s: the replay differs: %v", platform, scheduler, err)
			}
		}
	}
	if moved == 0 {
		t.Error("no deadline moved")
	}
}

// A reservation moves with its job's submission, as long and as late as it was.
func TestReservationsFollowSubmissions(t *testing.T) {
	doc := conforming(t, "clusters", "users, dated", `{"key":"conservative"}`)
	p := prepare(doc, smallLog(t, 60, 9))
	p.trusting = true
	r, err := p.repetition(0)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Run(RunID{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, moved := out.Schedule.Workload, 0
	for i, k := range w.Origin {
		got, want := w.Demand(int32(i)).Reservation, r.workload.Demand(k).Reservation
		if (got == nil) != (want == nil) {
			t.Fatal("a reservation is lost")
		}
		if got == nil {
			continue
		}
		by := w.Jobs[i].Submit - r.workload.Jobs[k].Submit
		if got.Ready != want.Ready+by || got.Deadline != want.Deadline+by || got.Length != want.Length {
			t.Errorf("job %d moved by %d: %+v of %+v", w.Jobs[i].Number, by, got, want)
		}
		if by != 0 {
			moved++
		}
	}
	if moved == 0 {
		t.Error("no reservation moved")
	}
}
