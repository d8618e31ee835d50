//go:build !small

package lab

import (
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/swf"
)

// reacting returns an experiment of a bundled workload whose users react.
func reacting(t *testing.T, params string, keys ...string) *experiment.Experiment {
	t.Helper()
	list := ""
	for _, k := range keys {
		list += `,{"key":"` + k + `"}`
	}
	doc, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":{"bundled":"overload"},"react":{` + params + `}},"schedulers":[` + list[1:] + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// The bundled logs have no waits, so that the ends of an EASY schedule stand
// in; then EASY itself gives the replay's schedule, digest and all, since its
// users get what they got, and FCFS another.
func TestReactionToTheReference(t *testing.T) {
	for _, params := range []string{"", `"rhythm":"daily"`, `"batches":"max","sessions":"arrival","rhythm":"weekly"`} {
		doc := reacting(t, params, "easy", "fcfs")
		react, err := Run(doc, Env{}, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		doc.Workload.React = nil
		replay, err := Run(doc, Env{}, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range react.Runs[0].Metrics {
			if replay.Runs[0].Metrics[k] != v {
				t.Errorf("%s: under EASY %s is %v, replayed %v", params, v.Key, v.Value, replay.Runs[0].Metrics[k].Value)
			}
		}
		if slices.Equal(react.Runs[1].Metrics, replay.Runs[1].Metrics) {
			t.Errorf("%s: FCFS gives the same whether users react or not", params)
		}
		if react.Runs[0].Workload != react.Runs[1].Workload || react.Runs[0].Workload == replay.Runs[0].Workload {
			t.Errorf("%s: runs are marked %q, %q and %q", params, react.Runs[0].Workload, react.Runs[1].Workload, replay.Runs[0].Workload)
		}
	}
}

// The columns of a run under reaction stand in the order of the workload, so
// that all runs of a repetition, and the table of jobs, speak of the same jobs.
func TestReactionColumns(t *testing.T) {
	for _, key := range []string{"fcfs", "as-logged", "bf-mod"} {
		p, err := Prepare(reacting(t, `"rhythm":"daily"`, key), Env{})
		if err != nil {
			t.Fatal(err)
		}
		jobs, err := p.Jobs(0)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Run(RunID{}, Options{Columns: true, Why: true})
		if err != nil {
			t.Fatal(err)
		}
		c, s := &got.Report.Columns, got.Schedule
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		at := map[int64]model.Execution{}
		for _, e := range s.Executions {
			at[s.Workload.Jobs[e.Job].Number] = e
		}
		spans := map[int32]int32{}
		for i, span := range c.Spans {
			if i > 0 && (span.Job < c.Spans[i-1].Job || span.Job == c.Spans[i-1].Job && span.First <= c.Spans[i-1].First) {
				t.Fatalf("%s: spans are out of order", key)
			}
			spans[span.Job] += span.Count
		}
		for i, number := range jobs.Number {
			e := at[number]
			if c.Start[i] != e.Start || c.End[i] != e.End || c.Submit[i] != e.Submit {
				t.Fatalf("%s: job %d: %d %d %d in columns, %+v", key, number, c.Submit[i], c.Start[i], c.End[i], e)
			}
			if key != "as-logged" && spans[int32(i)] != jobs.Procs[i] {
				t.Fatalf("%s: job %d is drawn on %d processors, not %d", key, number, spans[int32(i)], jobs.Procs[i])
			}
			waited := model.Time(0)
			for _, w := range c.Why[i].Waited {
				waited += w
			}
			if key == "fcfs" && waited != e.Start-e.Submit {
				t.Fatalf("%s: reasons for %d s of job %d, which waited %d s", key, waited, number, e.Start-e.Submit)
			}
		}
		for _, v := range c.Complaints {
			if wait := c.Start[v.Job] - c.Submit[v.Job]; wait != v.Wait || jobs.User[v.Job] != v.User {
				t.Fatalf("%s: complaint %+v of a job that waited %d s", key, v, wait)
			}
		}
	}
}

// The plan of an instant names jobs as the columns of the run do, also where
// users react and schedulers number jobs as they come.
func TestReactionPlan(t *testing.T) {
	p, err := Prepare(reacting(t, `"rhythm":"daily"`, "conservative"), Env{})
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := p.Jobs(0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Run(RunID{}, Options{Columns: true})
	if err != nil {
		t.Fatal(err)
	}
	c := &got.Report.Columns
	job, longest := int32(-1), model.Time(0) // the job that waits longest, in the middle of its wait
	for i := range c.Start {
		if wait := c.Start[i] - c.Submit[i]; wait > longest {
			job, longest = int32(i), wait
		}
	}
	at := c.Submit[job] + longest/2
	plan, err := p.Plan(RunID{}, at, job, nil)
	if err != nil {
		t.Fatal(err)
	}
	if plan.Job != job || plan.Number != jobs.Number[job] || plan.Started != c.Start[job] || len(plan.History) == 0 {
		t.Errorf("history of %d (number %d), started %d with %d entries; want %d, %d, %d", plan.Job, plan.Number, plan.Started, len(plan.History), job, jobs.Number[job], c.Start[job])
	}
	for _, b := range plan.Bars {
		if jobs.Number[b.Job] != b.Number || c.Submit[b.Job] != b.Submit || b.State != report.BarPlanned && c.Start[b.Job] != b.Start {
			t.Fatalf("bar %+v is not job %d, submitted %d, started %d", b, jobs.Number[b.Job], c.Submit[b.Job], c.Start[b.Job])
		}
	}
}

// Drawn think times differ by repetition and seed, and are the same again for
// the same.
func TestDrawnThinkTimes(t *testing.T) {
	digests := map[string]string{}
	for range 2 {
		for _, seed := range []uint64{1, 2} {
			doc := reacting(t, `"think":"drawn"`, "easy")
			doc.Seed, doc.Schedulers[0].Repeat = seed, 2
			rep, err := Run(doc, Env{}, Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if slices.Equal(rep.Runs[0].Metrics, rep.Runs[1].Metrics) {
				t.Error("two repetitions are the same")
			}
			key := string(rune('0' + seed))
			if old, ok := digests[key]; ok && old != rep.Digest {
				t.Errorf("seed %d gives %s, then %s", seed, old, rep.Digest)
			}
			digests[key] = rep.Digest
		}
	}
	if digests["1"] == digests["2"] {
		t.Error("two seeds are the same")
	}
}

// Logs without users, with one user, and with users of one job each are said
// to be so, and simulated.
func TestPoorLogs(t *testing.T) {
	line := func(number, submit, wait, run, user int) string {
		return swfLine(number, submit, wait, run, user)
	}
	var none, one, once strings.Builder
	for i := range 20 {
		none.WriteString(line(i+1, 100*i, 10, 50, -1))
		one.WriteString(line(i+1, 100*i, 10, 50, 7))
		once.WriteString(line(i+1, 100*i, 10, 50, i))
	}
	for name, c := range map[string]struct {
		text                                   string
		users, once, silent, batches, reacting int
	}{
		"no users": {none.String(), 0, 0, 20, 0, 0}, "one user": {one.String(), 1, 0, 0, 20, 19}, "one job each": {once.String(), 20, 20, 0, 20, 0},
	} {
		log, err := swf.Parse([]byte("; MaxProcs: 4\n" + c.text))
		if err != nil {
			t.Fatal(err)
		}
		doc := reacting(t, "", "as-logged", "easy")
		doc.Workload.Source = experiment.Source{Log: &experiment.Log{Name: "x", SHA256: strings.Repeat("0", 64), Size: 1}}
		p, err := Prepare(doc, Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }})
		if err != nil {
			t.Fatal(err)
		}
		v, err := p.Preview()
		if err != nil {
			t.Fatal(err)
		}
		r := v.Reaction
		if r.Ends != "log" || r.Users != c.users || r.Once != c.once || r.Silent != c.silent || r.Batches != c.batches || r.Reacting != c.reacting || r.Reacts() != (c.reacting > 0) {
			t.Errorf("%s: %+v", name, r)
		}
		for i := range doc.Schedulers {
			got, err := p.Run(RunID{Scheduler: i}, Options{})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for j := range got.Schedule.Workload.Jobs {
				if s := got.Schedule.Workload.Jobs[j].Submit; (i == 0 || c.reacting == 0) && s != model.Time(100*j) {
					t.Errorf("%s: job %d is submitted at %d", name, j+1, s)
				}
			}
		}
	}
}

func swfLine(number, submit, wait, run, user int) string {
	n := func(v int) string {
		if v < 0 {
			return "-1 "
		}
		s := ""
		for ok := true; ok; ok = v > 0 {
			s = string(rune('0'+v%10)) + s
			v /= 10
		}
		return s + " "
	}
	return n(number) + n(submit) + n(wait) + n(run) + "1 -1 -1 1 60 -1 1 " + n(user) + "1 -1 1 -1 -1 -1\n"
}

// A year of a real log comes back when every job starts as logged, whatever
// the parameters of the extraction.
func TestRealLogComesBack(t *testing.T) {
	for _, name := range []string{"KTH-SP2-1996-2.1-cln.swf.gz", "HPC2N-2002-2.2-cln.swf.gz"} {
		log, _ := realLog(t, name)
		for _, params := range []string{"", `"batches":"max"`, `"sessions":"arrival","rhythm":"daily"`, `"rhythm":"weekly"`} {
			doc := reacting(t, params, "as-logged")
			doc.Workload.Source = experiment.Source{Log: &experiment.Log{Name: "x", SHA256: strings.Repeat("0", 64), Size: 1}}
			p, err := Prepare(doc, Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }})
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Run(RunID{}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			w, _, err := p.Workload(0)
			if err != nil {
				t.Fatal(err)
			}
			for i := range w.Jobs {
				if at := got.Schedule.Workload.Jobs[i].Submit; at != w.Jobs[i].Submit {
					t.Fatalf("%s {%s}: submission %d comes at %d instead of %d", name, params, i, at, w.Jobs[i].Submit)
				}
			}
			r, err := p.Reaction(0)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s {%s}: %d users, %d batches, %d sessions, %d depend; think %v, breaks %v", name, params, r.Users, r.Batches, r.Sessions, r.Depends, r.Think.Median, r.Breaks.Median)
		}
	}
}

// A job that is killed when its reservation ends has ended for its user as well:
// what was to come after it is submitted.
func TestUsersLearnThatReservationsEnd(t *testing.T) {
	e := decode(t, `{"batchlab":1,"workload":{"source":{"log":{"name":"x","sha256":"`+strings.Repeat("0", 64)+`","size":1}},"react":{},
	"annotate":{"reservations":{"share":0.7,"ready":"drawn","lead_min":60,"lead_max":900,"length":"run","part":0.5}}},"schedulers":[{"key":"fcfs"},{"key":"easy"}]}`)
	p, err := Prepare(e, smallLog(t, 40, 3))
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range p.Runs() {
		r, err := p.Run(id, Options{})
		if err != nil {
			t.Fatal(err)
		}
		cut := 0
		for _, x := range r.Schedule.Executions {
			if x.Reason == model.EndDue || x.Reason == model.EndReserved || x.Reason == model.EndKilled {
				cut++
			}
		}
		if cut == 0 || len(r.Schedule.Workload.Jobs) != 40 {
			t.Errorf("%d of %d jobs were cut short", cut, len(r.Schedule.Workload.Jobs))
		}
	}
}

// Reservations may ask for more than limits let a batch job have. When jobs ended
// is then looked up in a schedule without limits.
func TestUsersReactWithReservationsBeyondLimits(t *testing.T) {
	e := decode(t, `{"batchlab":1,"platform":{"processors":19,"limits":{"user_processors":5}},"schedulers":[{"key":"ppp"}],
	"workload":{"annotate":{"reservations":{"share":1,"ready":"drawn","lead_min":60,"lead_max":900}},"react":{},
	"source":{"inline":{"columns":["submit","procs","requested","run","user"],"rows":[[144,5,329,35,3],[165,1,194,125,3],[180,8,203,184,1],[235,4,40,25,2]]}}}}`)
	p, err := Prepare(e, Env{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(RunID{}, Options{}); err != nil {
		t.Error(err)
	}
}

// Intent: where the ends of an EASY schedule stand in for the log's, users saw
// the same whether the machine is counted or described: job 1 was stopped at its
// due time, 4 s into its run, so that its user thought for a second. Job 3 never
// ran; nothing can have been a reaction to it, and job 4 comes with it.
func TestEndsThatStandIn(t *testing.T) {
	for _, platform := range []string{`{"processors":13}`, `{"clusters":[{"name":"main","groups":[{"processors":13}]}]}`} {
		e := decode(t, `{"batchlab":1,"platform":`+platform+`,"schedulers":[{"key":"fcfs"}],
	"workload":{"annotate":{"deadlines":{"on_due":"kill"},"jobs":[{"job":1,"due":23},{"job":3,"due":25}]},"react":{},
	"source":{"inline":{"columns":["submit","procs","requested","run","user"],"rows":[[19,13,5,5,1],[24,13,9,9,1],[24,13,9,9,2],[40,1,1,1,2]]}}}}`)
		p, err := Prepare(e, Env{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Run(RunID{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var submitted []model.Time
		for i := range r.Schedule.Workload.Jobs {
			submitted = append(submitted, r.Schedule.Workload.Jobs[i].Submit)
		}
		if !slices.Equal(submitted, []model.Time{19, 24, 24, 40}) {
			t.Errorf("%s: submitted at %v", platform, submitted)
		}
		if found, err := p.Reaction(0); err != nil || found.NoEnd != 1 || found.Reacting != 1 {
			t.Errorf("%s: of %+v, one end is not known, and one batch reacts (%v)", platform, found, err)
		}
	}
}

// Intent: what a run comes to by what jobs are is summed where users react, too, whose jobs
// have other submissions than in the log, and no time at which they become eligible.
func TestPartsOfReactingUsers(t *testing.T) {
	p, err := Prepare(reacting(t, `"think":"drawn"`, "fcfs"), Env{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Run(RunID{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := p.Parts(RunID{}, got)
	if err != nil || len(parts.List) == 0 || parts.List[0].Jobs != len(got.Schedule.Workload.Jobs) {
		t.Errorf("%v, %+v", err, parts)
	}
}
