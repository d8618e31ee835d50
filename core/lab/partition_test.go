//go:build !small

package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/swf"
)

// sharing draws partitions, QOS and accounts for a drawn platform.
func (d drawer) sharing(out object) {
	limits := func() object {
		l := object{}
		for _, key := range []string{"processors", "jobs", "user_processors", "user_jobs", "group_processors", "group_jobs", "account_processors", "account_jobs", "job_processors", "job_time",
			"nodes", "user_nodes", "group_gpus", "job_gpus", "gpus", "account_gpus", "user_memory", "memory", "job_memory", "job_nodes"} {
			if !d.some(5) {
				continue
			}
			switch {
			case strings.HasSuffix(key, "memory"):
				l[key] = (2+d.IntN(9))<<20 + d.IntN(3)
			case strings.HasSuffix(key, "gpus"), strings.HasSuffix(key, "nodes"):
				l[key] = 2 + d.IntN(4)
			case strings.HasSuffix(key, "time"):
				l[key] = 200 + d.IntN(400)
			case strings.HasSuffix(key, "jobs"):
				l[key] = 1 + d.IntN(4)
			default:
				l[key] = 3 + d.IntN(8)
			}
		}
		return l
	}
	var qos []object
	for i := range d.IntN(4) {
		q := object{"name": fmt.Sprint("q", i), "priority": d.IntN(100), "limits": limits()}
		if d.some(3) {
			q["number"] = 10 + i
		}
		qos = append(qos, q)
	}
	if qos != nil {
		out["qos"] = qos
	}
	clusters, _ := out["clusters"].([]object)
	var parts []object
	for i := range d.IntN(4) {
		p := object{"name": fmt.Sprint("p", i), "limits": limits()}
		if d.some(3) {
			p["max_time"] = 300 + d.IntN(300)
		}
		if i == 1 && d.some(2) {
			p["default"] = true
		}
		if d.some(3) {
			p["default_time"] = 100 + d.IntN(200)
		}
		if len(qos) > 0 && d.some(3) {
			p["qos"] = pick(d, qos...)["name"]
		}
		var spans []object
		for _, c := range clusters {
			span := object{"cluster": c["name"]}
			groups := c["groups"].([]object)
			if c["packing"] != "processors" {
				n := groups[0]["count"].(int)
				switch d.IntN(3) {
				case 0:
					span["group"] = d.IntN(len(groups))
				case 1:
					span["first"] = d.IntN(n)
				case 2:
					span["group"], span["first"] = 0, d.IntN(n)
					span["count"] = 1 + d.IntN(n-span["first"].(int))
				}
			}
			if !d.some(3) {
				spans = append(spans, span)
			}
		}
		if spans != nil {
			p["nodes"] = spans
		}
		parts = append(parts, p)
	}
	if parts != nil {
		out["partitions"] = parts
	}
	var accounts []object
	for i := range d.IntN(5) {
		a := object{"number": 3 + 2*i, "limits": limits()}
		if i > 0 && d.some(2) {
			a["parent"] = 3 + 2*d.IntN(i)
		}
		accounts = append(accounts, a)
	}
	if accounts != nil {
		out["accounts"] = accounts
	}
}

// sharedLog is a small log whose jobs name partitions, QOS and accounts, some by the
// fields of the log, some beside it, some such as are not there.
func sharedLog(t *testing.T, jobs int, seed uint64) *swf.Log {
	env := smallLog(t, jobs, seed)
	l, _ := env.Log(experiment.Log{})
	r := rand.New(rand.NewPCG(seed, 77))
	l.Extra = make([]swf.Extra, len(l.Records))
	for i := range l.Records {
		rec, x := &l.Records[i], &l.Extra[i]
		rec.PartitionNumber, rec.QueueNumber, rec.GroupID = int32(r.IntN(5)), int32(1+r.IntN(4)), int32(1+r.IntN(2))
		if r.IntN(4) == 0 {
			rec.RequestedTime = -1
		}
		if r.IntN(5) == 0 {
			x.Partitions = []int32{int32(1 + r.IntN(3)), int32(1 + r.IntN(3))}
		}
		if r.IntN(3) == 0 {
			x.QOS = int32(pick(drawer{r}, 1, 2, 3, 10, 11))
		}
		if r.IntN(3) == 0 {
			x.Nodes = int32(1 + r.IntN(3))
		}
		if r.IntN(3) == 0 {
			x.GPUs = int32(1 + r.IntN(3))
		}
		if r.IntN(3) == 0 {
			rec.RequestedMemory = int64(r.IntN(2000))
		}
		x.Account = int32(pick(drawer{r}, 0, 3, 5, 7, 9, 4))
	}
	return l
}

// outside checks a schedule against the document: every job on machines of its
// partition, none that asks for more than it may, and at every instant no more held
// under any limit than it says.
func outside(doc *experiment.Experiment, l *swf.Log, s *model.Schedule) error {
	type event struct {
		at    model.Time
		key   string
		delta int64
		most  int64
	}
	var events []event
	w, nodes := s.Workload, s.Platform.Nodes()
	extends, annotated := doc.Workload.Clean.Overrun != "kill", !reflect.ValueOf(doc.Workload.Annotate).IsZero()
	for i := range s.Executions {
		e := &s.Executions[i]
		if e.Reason == model.EndRejected {
			continue
		}
		own := func(b bound) bool { // its machines
			return b.nodes == nil || len(s.Claims) == 0 || !slices.ContainsFunc(s.Claims[e.Claim-1].Parts, func(p model.Part) bool { return !b.nodes[p.Node] })
		}
		if !extends && !annotated && !special(s.Platform, w, int(e.Job)) {
			own = nil
		}
		b := boundOf(&doc.Platform, l, w, nodes, s.Platform.Clusters, int(e.Job), own)
		number := w.Jobs[e.Job].Number
		if b.over && !extends {
			return fmt.Errorf("job %d runs and asks for more than it may", number)
		}
		if b.nodes != nil {
			if len(s.Claims) == 0 {
				if !slices.ContainsFunc(nodes, func(n model.Node) bool { return n.Cluster == e.Cluster }) || len(s.Platform.Clusters) > 1 {
					return fmt.Errorf("job %d runs nobody knows where", number)
				}
			} else {
				for _, part := range s.Claims[e.Claim-1].Parts {
					if !b.nodes[part.Node] {
						return fmt.Errorf("job %d runs on machine %d, which is not of its partition", number, part.Node)
					}
				}
			}
		}
		for key, takes := range b.limits {
			if strings.HasSuffix(key, "processors") || strings.Contains(key, "processors ") {
				takes = min(takes, int64(e.Procs)) // a best-effort reservation holds less
			}
			events = append(events, event{e.Start, key, takes, b.most[key]}, event{e.End, key, -takes, b.most[key]})
		}
	}
	sort.SliceStable(events, func(a, b int) bool {
		return events[a].at < events[b].at || events[a].at == events[b].at && events[a].delta < events[b].delta
	})
	held := map[string]int64{}
	for _, e := range events {
		if held[e.key] += e.delta; held[e.key] > e.most {
			return fmt.Errorf("at %d, %d are held under %q, which allows %d", e.at, held[e.key], e.key, e.most)
		}
	}
	return nil
}

// leftOut checks that every job that is simulated without partitions, QOS and accounts,
// and not with them, asks for more than it may or than its partition could hold.
func leftOut(t *testing.T, doc *experiment.Experiment, env Env, s *model.Schedule, l *swf.Log, repetition int) {
	t.Helper()
	if len(doc.Workload.Annotate.Licences) > 0 { // who needs some is drawn among those that are there
		return
	}
	bare := doc.Clone()
	bare.Platform.Partitions, bare.Platform.QOS, bare.Platform.Accounts = nil, nil, nil
	p, err := Prepare(bare, env)
	if err != nil {
		return
	}
	w, _, err := p.Workload(repetition)
	if err != nil {
		return
	}
	there := map[int32]bool{}
	for j := range s.Workload.Jobs {
		there[s.Workload.Jobs[j].Record] = true
	}
	nodes := s.Platform.Nodes()
	for j := range w.Jobs {
		job, d := &w.Jobs[j], w.Demand(model.JobID(j))
		if there[job.Record] || d != nil && d.On != nil || special(s.Platform, w, j) || l.Records[job.Record].RequestedTime <= 0 {
			continue
		}
		if b := boundOf(&doc.Platform, l, w, nodes, s.Platform.Clusters, j, nil); !b.over {
			t.Fatalf("job %d is left out for nothing: %+v %+v", job.Number, l.Extra[job.Record], doc.Platform.Partitions)
		}
	}
}

// Intent: whatever the scheduler, the platform and the requests, a check that knows
// the document only finds every job on machines of its partition, no job that asks
// for more than it may, and no limit passed at any instant; and who is left out asks
// for too much. -documents and -from try more.
func TestSharedOut(t *testing.T) {
	n := 250
	if testing.Short() {
		n = 100 // as few as 30 may all be easy
	}
	if *documents > 0 {
		n = *documents
	}
	ran, waited, dropped, why := 0, 0, 0, map[string][]uint64{}
	for k := range uint64(n) {
		seed := *firstDrawn + k
		d := drawer{rand.New(rand.NewPCG(seed, 91))}
		platform, clusters := d.platform()
		d.calendar(platform, clusters)
		delete(platform, "limits")
		d.sharing(platform)
		w := object{"source": object{"log": object{"name": "small.swf", "sha256": strings.Repeat("0", 64), "size": 1}}}
		_, licences := platform["licences"]
		if d.some(3) {
			w["annotate"] = d.annotate(licences)
		}
		if d.some(3) {
			w["clean"] = object{"overrun": pick(d, "kill", "extend", "drop"), "no_request": pick(d, "run", "drop")}
		}
		schedulers := []object{d.scheduler(false), d.scheduler(false)}
		text, _ := json.Marshal(object{"batchlab": 1, "seed": d.IntN(1000), "workload": w, "platform": platform, "schedulers": schedulers})
		doc, err := experiment.Decode(text)
		if err != nil {
			why[err.Error()] = append(why[err.Error()], seed)
			continue
		}
		log := sharedLog(t, 5+d.IntN(40), seed)
		env := Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }}
		_, err = Run(doc, env, Options{Columns: true}, func(id RunID, p *Prepared, r *Result) error {
			row := doc.Schedulers[id.Scheduler].Key
			if r.Report.Beside != nil || row == "as-logged" {
				return nil
			}
			if err := errors.Join(r.Schedule.Check(), kept(r.Schedule), outside(doc, log, r.Schedule)); err != nil {
				t.Fatalf("seed %d, %s: %v\n%s", seed, row, err, text)
			}
			leftOut(t, p.doc, env, r.Schedule, log, id.Repetition)
			for i := range r.Schedule.Executions {
				if r.Schedule.Executions[i].Wait() > 0 {
					waited++
				}
			}
			_, clean, _ := p.Workload(id.Repetition)
			for _, c := range clean.Counts {
				if c.Reason == "over-partition" || c.Reason == "over-share" || c.Reason == "partition-too-small" {
					dropped += c.Jobs
				}
			}
			return nil
		})
		if err != nil {
			why[err.Error()] = append(why[err.Error()], seed)
			continue
		}
		ran++
	}
	t.Logf("%d of %d ran, %d jobs waited, %d were left out", ran, n, waited, dropped)
	for text, seeds := range why {
		t.Logf("%d: %.200s (%d)", len(seeds), text, seeds[:min(len(seeds), 4)])
	}
	if ran < n/3 || waited < 10*n || dropped < n {
		t.Error("the documents are too easy, or too hard")
	}
}

// Intent: under every scheduler a job that names several partitions starts in whichever
// of them has room, where they bind it alike; else in the first in which it could run.
func TestSeveralPartitions(t *testing.T) {
	log, err := swf.Parse([]byte("; MaxProcs: 12\n" + // a, b and c are one machine of 4 processors each
		"1 0 0 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1\n" +
		"2 1 0 50 4 -1 -1 4 50 -1 1 1 1 1 1 1 -1 -1\n" + // a, b: b is free
		"3 2 0 50 4 -1 -1 4 50 -1 1 1 1 1 1 1 -1 -1\n" + // b, c: c has another QOS, so it waits for b
		"4 3 0 50 4 -1 -1 4 500 -1 1 1 1 1 1 1 -1 -1\n")) // c, a: too long for c
	if err != nil {
		t.Fatal(err)
	}
	log.Extra = []swf.Extra{{Partitions: []int32{1}}, {Partitions: []int32{1, 2}}, {Partitions: []int32{2, 3}}, {Partitions: []int32{3, 1}}}
	ran := 0
	for _, scheduler := range everyScheduler() {
		doc, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":{"log":{"name":"small.swf","sha256":"` + strings.Repeat("0", 64) + `","size":1}}},"platform":{` +
			`"clusters":[{"name":"x","packing":"machine","groups":[{"count":3,"processors":4}]}],"qos":[{"name":"q"}],"partitions":[{"name":"a","nodes":[{"first":0,"count":1}]},{"name":"b","nodes":[{"first":1,"count":1}]},` +
			`{"name":"c","nodes":[{"first":2,"count":1}],"max_time":400,"qos":"q"}]},"schedulers":[` + scheduler + `]}`))
		if err != nil || doc.Schedulers[0].Key == "as-logged" || doc.Schedulers[0].Key == "exec" || doc.Schedulers[0].Key == "slurm" {
			continue
		}
		p, err := Prepare(doc, Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }})
		if err != nil {
			continue // it does not know such a platform
		}
		r, err := p.Run(RunID{}, Options{})
		if err != nil {
			continue
		}
		ran++
		var on []int32
		for i := range r.Schedule.Executions {
			on = append(on, r.Schedule.Claims[r.Schedule.Executions[i].Claim-1].Parts[0].Node)
		}
		if start := r.Schedule.Executions[1].Start; !slices.Equal(on, []int32{0, 1, 1, 0}) || start > 1 && !strings.Contains(scheduler, "period") && !strings.Contains(scheduler, "grid") {
			t.Errorf("%s: on machines %v, job 2 starts at %d", scheduler, on, start)
		}
	}
	if ran < 8 {
		t.Errorf("%d schedulers were tried", ran)
	}
}
