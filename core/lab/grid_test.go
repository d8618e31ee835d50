//go:build !small

package lab

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/swf"
)

// gridDocument is an experiment on the bundled workload with one scheduler.
func gridDocument(t *testing.T, params map[string]any) *experiment.Experiment {
	t.Helper()
	e := experiment.New()
	e.Workload.Source.Bundled = "demo"
	e.Workload.Clean.Oversize = "clamp"
	e.Platform.Clusters = []experiment.Cluster{
		{Name: "North", Packing: "processors", Groups: []experiment.NodeGroup{{Count: 60, Processors: 1, Speed: 1}}},
		{Name: "South", Packing: "processors", Groups: []experiment.NodeGroup{{Count: 40, Processors: 1, Speed: 1}}},
	}
	s, err := e.Add("grid")
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range params {
		if err := s.SetParam(k, v); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// Every local policy runs from a document with marked jobs and requests; bad
// requests are named in the cleaning report and the rest is kept; recording
// decisions changes nothing and gives each job a reason.
func TestGridDocument(t *testing.T) {
	for _, local := range []string{"fcfs", "fcfs-bf", "easy", "conservative", "lsf", "sjf", "ppp", "pppd", "fair-share"} {
		e := gridDocument(t, map[string]any{"local": local, "batch": "random", "reservations": "priority"})
		r := &e.Workload.Annotate.Reservations
		r.Share, r.Ready, r.FactorMax = 0.3, "drawn", 3
		at := int64(5)
		e.Platform.Reservations = []experiment.ReservationRequest{
			{Name: "course", Processors: 30, From: 90000, To: 93600, Effort: "exact"},
			{Name: "too large", Processors: 61, From: 90000, To: 93600, Effort: "exact"},
			{Name: "backwards", Processors: 1, From: 93600, To: 90000, Effort: "exact"},
			{Name: "past", Processors: 1, From: 2, To: 100, Submit: &at, Effort: "exact"},
			{Name: "overlap", Processors: 60, From: 90000, To: 93600, Cluster: "North", Effort: "exact"},
			{Name: "as many as there are", Processors: 60, From: 90000, To: 93600, Cluster: "South", Effort: "processors"},
		}
		if err := e.Schedulers[0].SetParam("mode", "reject"); err != nil {
			t.Fatal(err)
		}
		p, err := Prepare(e, Env{})
		if err != nil {
			t.Fatal(err)
		}
		result, err := p.Run(RunID{}, Options{Columns: true})
		if err != nil {
			t.Fatalf("%s: %v", local, err)
		}
		if err := result.Schedule.Check(); err != nil {
			t.Errorf("%s: %v", local, err)
		}
		block := result.Block
		var course, overlap, best *model.Execution
		for i := range result.Schedule.Executions {
			x := &result.Schedule.Executions[i]
			d := result.Schedule.Workload.Demand(x.Job)
			if d == nil || d.Reservation == nil || d.Reservation.Ready != 90000 || d.Reservation.Deadline != 93600 {
				continue
			}
			switch j := &result.Schedule.Workload.Jobs[x.Job]; {
			case j.Procs == 30:
				course = x
			case d.Reservation.Effort == model.EffortProcs:
				best = x
			case j.Procs == 60:
				overlap = x
			}
		}
		switch {
		case course == nil || overlap == nil || best == nil:
			t.Fatalf("%s: a request is lost", local)
		case course.Start != 90000 || overlap.Reason != model.EndRejected || best.Start != 90000 || best.Procs < 1 || best.Procs > 40:
			t.Errorf("%s: %+v %+v %+v", local, course, overlap, best)
		}
		_, clean, err := p.Workload(0)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, c := range clean.Counts {
			if c.Reason == "reservation-refused" {
				text += c.Text + "\n"
			}
		}
		for _, want := range []string{"Reservation too large wants 61 processors", "Reservation backwards ends", "Reservation past starts at 2, in the past"} {
			if !strings.Contains(text, want) || strings.Count(text, "\n") != 3 {
				t.Errorf("want %q in %q", want, text)
			}
		}
		again, err := p.Run(RunID{}, Options{Why: true})
		if err != nil {
			t.Fatal(err)
		}
		if string(again.Block) != string(block) {
			t.Errorf("%s: recording decisions changes the schedule", local)
		}
	}
}

// What a grid does not know is refused with its place, and reservations are
// under schedulers that do not know them.
func TestGridRefuses(t *testing.T) {
	for want, spoil := range map[string]func(e *experiment.Experiment){
		"grid does not know processors that are bound when reservations are accepted": func(e *experiment.Experiment) {
			_ = e.Schedulers[0].SetParam("binding", "static")
			_ = e.Schedulers[0].SetParam("local", "conservative")
		},
		"with static binding batch jobs cannot be suspended": func(e *experiment.Experiment) {
			_ = e.Schedulers[0].SetParam("binding", "static")
			_ = e.Schedulers[0].SetParam("running", "suspend")
		},
		"with running suspend, grid does not know run times that depend on the machine": func(e *experiment.Experiment) {
			e.Platform.PowerScales = true
			_ = e.Schedulers[0].SetParam("running", "suspend")
		},
	} {
		e := gridDocument(t, nil)
		spoil(e)
		if _, err := Prepare(e, Env{}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "schedulers[") {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// FCFS and EASY on the study's two sets of SDSC-SP2, 128 processors, have the
// mean flow times of an independent simulator.
func TestGridRealFigures(t *testing.T) {
	log, _ := realLog(t, "SDSC-SP2-1998-4.2-cln.swf.gz")
	for _, c := range []struct {
		from, to   int64
		jobs       int
		fcfs, easy float64
	}{{566129, 1402384, 931, 30066, 13163}, {52505134, 54714304, 893, 130395, 31542}} {
		e := gridDocument(t, map[string]any{"local": "fcfs"})
		e.Workload.Source.Bundled = ""
		e.Workload.Source.Log = &experiment.Log{Name: "SDSC-SP2-1998-4.2-cln.swf", SHA256: strings.Repeat("0", 64), Size: 1}
		e.Workload.Window.From, e.Workload.Window.To = &c.from, &c.to
		e.Platform.Clusters = e.Platform.Clusters[:1]
		e.Platform.Clusters[0].Groups[0].Count = 128
		easy, err := e.Add("grid")
		if err != nil {
			t.Fatal(err)
		}
		if err := easy.SetParam("local", "easy"); err != nil {
			t.Fatal(err)
		}
		p, err := Prepare(e, Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }})
		if err != nil {
			t.Fatal(err)
		}
		for s, want := range []float64{c.fcfs, c.easy} {
			result, err := p.Run(RunID{Scheduler: s}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range result.Report.Metrics {
				if v.Key == "mean-turnaround" && (math.Abs(v.Value-want) > 0.6 || result.Report.Jobs != c.jobs) {
					t.Errorf("%d jobs, mean flow time %.1f, want %.0f", result.Report.Jobs, v.Value, want)
				}
			}
		}
	}
}

// A reservation whose processors a failure has taken is asked for again when it
// would begin. Where it then goes elsewhere or is rejected, batch jobs take what
// it held at this very instant, under a grid as beside any scheduler; they waited
// for the next event at the provider.
func TestRoomOfLostReservation(t *testing.T) {
	for _, scheduler := range []string{`{"key":"fcfs-bf"}`, `{"key":"grid","params":{"mode":"reject"}}`, `{"key":"grid","params":{"mode":"reject","local":"easy"}}`, `{"key":"grid","params":{"mode":"reject","local":"conservative"}}`} {
		r := firstRun(t, `{"batchlab":1,
			"workload":{"source":{"inline":{"columns":["submit","procs","requested","run"],"rows":[[11,2,5,2]]}}},
			"platform":{"clusters":[{"name":"c","groups":[{"count":3,"processors":4}]}],
				"reservations":[{"submit":6,"from":15,"to":20,"processors":11}],
				"outages":[{"from":14,"to":24,"cluster":"c","processors":3}],"booking":{"mode":"reject"}},
			"schedulers":[`+scheduler+`]}`)
		for _, x := range r.Schedule.Executions {
			if r.Schedule.Workload.Jobs[x.Job].Number == 1 && x.Start != 15 {
				t.Errorf("%s: the batch job starts at %d, not at 15, when the reservation is rejected", scheduler, x.Start)
			}
		}
	}
}

// A failure that takes processors from the slots of a reservation, but not from
// its own time, leaves it where it is; jobs keep their processor numbers then.
func TestFailureInSlots(t *testing.T) {
	r := firstRun(t, `{"batchlab":1,
		"workload":{"source":{"inline":{"columns":["submit","procs","requested","run"],"rows":[[39,1,10,10]]}}},
		"platform":{"clusters":[{"name":"a","groups":[{"processors":12}]},{"name":"b","groups":[{"processors":12}]}],
			"reservations":[{"from":74,"to":94,"length":20,"processors":2},{"from":83,"to":88,"length":5,"run":5,"processors":9}],
			"outages":[{"from":71,"to":81,"cluster":"a"}]},
		"schedulers":[{"key":"grid","params":{"slot":6}}]}`)
	spans, _, _, _ := places(r.Schedule)
	numbers := int32(0)
	for _, s := range spans {
		numbers += s.Count
	}
	if numbers != 1+2+9 {
		t.Errorf("the jobs have %d processor numbers, not 12: %v", numbers, spans)
	}
}

// Intent: what a provider's scheduler takes from a job that it stops is there for the other
// providers from the next instant on, as the stopped job waits from then on, whatever
// schedules there: job 2 waits for the licence of job 1, which PPPD suspends at 10.
func TestStoppedElsewhere(t *testing.T) {
	env := toldLog(t, []toldJob{{submit: 0, procs: 4, request: 100, run: 100, queue: 2}, {submit: 1, procs: 1, request: 50, run: 50, queue: 2},
		{submit: 10, procs: 4, request: 50, run: 50, queue: 1}, {submit: 20, procs: 1, request: 5, run: 5, queue: 1}})
	for _, local := range []string{"fcfs", "easy", "bf-mod", "lsf", "pppd", "fair-share", "conservative", "orig-bf", "plan-rs", "hill-climbing"} {
		p, err := Prepare(decode(t, `{"batchlab":1,"workload":{"source":{"log":{"name":"told","sha256":"`+strings.Repeat("0", 64)+`","size":1}},"annotate":{"jobs":[{"job":1,"licences":["cad"]},{"job":2,"licences":["cad"]}]}},
			"platform":{"clusters":[{"name":"a","groups":[{"count":4,"licences":["cad"]}]},{"name":"b","groups":[{"count":3,"licences":["cad"]}]}],"licences":[{"name":"cad","copies":1}]},
			"schedulers":[{"key":"grid","params":{"reservations":"partition"},"providers":[{"cluster":"a","key":"pppd"},{"cluster":"b","key":"`+local+`"}]}]}`), env)
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Run(RunID{}, Options{})
		if err != nil {
			t.Fatalf("%s: %v", local, err)
		}
		if start := startsOf(r.Schedule)[2]; start != 20 {
			t.Errorf("%s: job 2 starts at %d, not at 20", local, start)
		}
	}
}

// A grid whose providers have schedulers of the catalog gives the same a second
// time: they once read who had ended from memory that the simulator uses again.
func TestBrokerTwice(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	for range 20 {
		jobs := crowd(random, 30)
		for i := range jobs {
			jobs[i].procs = min(jobs[i].procs, 4)
		}
		p, err := Prepare(conforming(t, "grid", "plain", `{"key":"grid","params":{"local":"orig-bf"}}`), toldLog(t, jobs))
		if err != nil {
			t.Fatal(err)
		}
		var blocks [2][]byte
		for i := range blocks {
			r, err := p.Run(RunID{}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			blocks[i] = r.Block
		}
		if !slices.Equal(blocks[0], blocks[1]) {
			t.Fatal("the second run gives another schedule")
		}
	}
}

// Intent: a job that blocks a list with a period is given up at the first multiple of it
// from its due time on, and who stood behind it starts then. Job 1 does not fit beside
// the outage at 29 until 33 and runs until 40; job 3 stands behind it on the same
// machine and is due at 37, so job 2, for which processor 1 is free all the time,
// starts at 39 and not when something else happens.
func TestPeriodComesToDueTimes(t *testing.T) {
	r := firstRun(t, `{"batchlab":1,
		"workload":{"source":{"inline":{"columns":["submit","procs","requested","run"],"rows":[[0,2,30,7],[0,1,1,1],[0,2,1,1]]}},
			"annotate":{"jobs":[{"job":3,"due":37,"on":["b"]}],"deadlines":{"on_due":"kill"}}},
		"platform":{"clusters":[{"name":"a","groups":[{"count":1}]},{"name":"b","groups":[{"count":2}]}],
			"outages":[{"from":29,"to":33,"announced":true,"cluster":"b","processors":1}]},
		"schedulers":[{"key":"lsf","params":{"blocked":"stop","period":3}}]}`)
	starts := map[int64]model.Time{}
	for _, x := range r.Schedule.Executions {
		starts[r.Schedule.Workload.Jobs[x.Job].Number] = x.Start
	}
	if starts[1] != 33 || starts[2] != 39 {
		t.Errorf("jobs 1 and 2 start at %d and %d, not at 33 and 39", starts[1], starts[2])
	}
}

// Intent: a reservation that takes as many processors as there are is served by every
// provider that has any for it, also where jobs are spread over nodes: North has the
// shorter queue, and one of the three processors that are asked for.
func TestBestEffortAnywhere(t *testing.T) {
	for _, packing := range []string{"nodes", "machine", "processors"} {
		e := decode(t, `{"batchlab":1,"schedulers":[{"key":"grid","params":{"reservations":"load-balance"}}],
	"platform":{"clusters":[{"name":"North","packing":"`+packing+`","groups":[{"processors":1}]},{"name":"South","packing":"`+packing+`","groups":[{"processors":4}]}],
	"reservations":[{"processors":3,"from":10,"to":20,"submit":2,"effort":"processors"}]},
	"workload":{"source":{"inline":{"columns":["submit","procs","run"],"rows":[[0,4,50],[1,4,50]]}}}}`)
		p, err := Prepare(e, Env{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Run(RunID{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if x := r.Schedule.Executions[2]; x.Start != 10 || r.Schedule.Claims[x.Claim-1].Cluster != 0 {
			t.Errorf("%s: the reservation starts at %d, at %+v", packing, x.Start, r.Schedule.Claims[x.Claim-1])
		}
	}
}

// Intent: one that asks for nodes takes whole ones: no provider is large enough for it
// that has not as many processors in one place as it wants of each. North has 2, of the 3
// of the one job that is drawn here; its part of the grid was thought to serve it, and it
// was rejected.
func TestBestEffortOfNodes(t *testing.T) {
	for _, packing := range []string{"nodes", "machine", "processors"} {
		e := decode(t, `{"batchlab":1,"seed":4,"schedulers":[{"key":"grid","params":{"reservations":"partition","partition":1}}],
	"platform":{"clusters":[{"name":"North","packing":"`+packing+`","groups":[{"processors":2}]},{"name":"South","packing":"nodes","groups":[{"processors":4}]}]},
	"workload":{"source":{"generator":{"key":"node-jobs","params":{"jobs":1,"nodes-max":1,"ppn-max":4}}},"annotate":{"file":{"name":"needs.csv","sha256":"`+strings.Repeat("0", 64)+`","size":5}}}}`)
		p, err := Prepare(e, Env{File: func(experiment.Log) ([]byte, error) {
			return []byte("job,reservation_from,reservation_to,reservation_length,reservation_effort\n1,10,90,20,processors\n"), nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Run(RunID{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if x := r.Schedule.Executions[0]; x.Start != 10 || x.Procs != 3 || r.Schedule.Claims[x.Claim-1].Cluster != 1 {
			t.Errorf("%s: the reservation starts at %d with %d processors", packing, x.Start, x.Procs)
		}
	}
}

// Intent: what a reservation keeps after its job holds nothing at the second at which
// it is over: the 8 processors that a failure leaves then are enough for job 2.
func TestKeptUntilAFailure(t *testing.T) {
	r := firstRun(t, `{"batchlab":1,
		"workload":{"source":{"inline":{"columns":["submit","procs","requested","run"],"rows":[[34,1,13,12]]}}},
		"platform":{"clusters":[{"name":"c","groups":[{"processors":13}]}],"reservations":[{"from":33,"to":42,"processors":10,"run":2,"submit":31}],
			"outages":[{"from":42,"to":43,"processors":5}],"booking":{"unused":"hold"}},
		"schedulers":[{"key":"fcfs"}]}`)
	for _, x := range r.Schedule.Executions {
		if r.Schedule.Workload.Jobs[x.Job].Number == 1 && (x.Start != 34 || x.End != 46) {
			t.Errorf("job 1 runs from %d to %d, not from 34 to 46", x.Start, x.End)
		}
	}
}

// Intent: who would be stopped by now, or was withdrawn, is not in the grid's queue any
// more when it is served, and at no provider: job 3 goes to North, where job 2 stood
// before it.
func TestGridQueueForgets(t *testing.T) {
	for _, workload := range []string{
		`"withdrawn":"keep","source":{"inline":{"columns":["submit","procs","run","withdrawn"],"rows":[[0,1,1,-1],[1,1,9,3],[1,1,9,-1]]}}`,
		`"annotate":{"deadlines":{"on_due":"kill"},"jobs":[{"job":2,"due":3}]},"source":{"inline":{"columns":["submit","procs","run"],"rows":[[0,1,1],[1,1,9],[1,1,9]]}}`,
	} {
		r := firstRun(t, `{"batchlab":1,"schedulers":[{"key":"grid","params":{"delta":10}}],"workload":{`+workload+`},
			"platform":{"clusters":[{"name":"North","groups":[{"processors":1}]},{"name":"South","groups":[{"processors":1}]}],"outages":[{"from":5,"to":20,"announced":true,"cluster":"South"}]}}`)
		for _, x := range r.Schedule.Executions {
			if r.Schedule.Workload.Jobs[x.Job].Number == 3 && x.Start != 10 {
				t.Errorf("job 3 starts at %d, not at 10", x.Start)
			}
		}
	}
}

// Intent: a job that is withdrawn at a provider counts no more in its queue when the grid's
// queue is served at that very instant: job 4 goes to North, which is free by then, and not
// behind job 2 to South.
func TestProviderQueueForgets(t *testing.T) {
	r := firstRun(t, `{"batchlab":1,"schedulers":[{"key":"grid"}],"workload":{"withdrawn":"keep","source":{"inline":{"columns":["submit","procs","run","withdrawn"],
		"rows":[[0,4,21,-1],[0,4,30,-1],[1,5,1,21],[21,3,1,-1]]}}},"platform":{"clusters":[{"name":"South","groups":[{"processors":4}]},{"name":"North","groups":[{"processors":6}]}]}}`)
	for _, x := range r.Schedule.Executions {
		if r.Schedule.Workload.Jobs[x.Job].Number == 4 && x.Start != 21 {
			t.Errorf("job 4 starts at %d, not at 21", x.Start)
		}
	}
}

// Intent: of two providers of which outages take all, none has fewer free processors than the
// other, also where outages overlap: the job goes to the first, whether its processors stand
// on machines or are only counted.
func TestNoneIsFreeWhereOutagesOverlap(t *testing.T) {
	for _, packing := range []string{"machine", "processors"} {
		r := firstRun(t, `{"batchlab":1,"schedulers":[{"key":"grid"}],"workload":{"source":{"inline":{"columns":["submit","procs","run"],"rows":[[5,2,1]]}}},"platform":{
			"clusters":[{"name":"North","packing":"`+packing+`","groups":[{"processors":2}]},{"name":"South","packing":"`+packing+`","groups":[{"processors":2}]}],
			"outages":[{"from":5,"to":9,"cluster":"North"},{"from":4,"to":8,"cluster":"North"},{"from":5,"to":20,"cluster":"South"}]}}`)
		if x := r.Schedule.Executions[0]; x.Start != 9 || x.Cluster != 0 {
			t.Errorf("%s: it starts at %d on cluster %d", packing, x.Start, x.Cluster)
		}
	}
}
