//go:build !small

package lab

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
		for _, key := range []string{"processors", "jobs", "user_processors", "user_jobs", "group_processors", "group_jobs", "account_processors", "account_jobs", "job_processors", "job_time"} {
			if !d.some(5) {
				continue
			}
			switch {
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
		x.Account = int32(pick(drawer{r}, 0, 3, 5, 7, 9, 4))
	}
	return l
}

// bound is what binds a job, worked out from the document alone.
type bound struct {
	nodes  map[int32]bool // nil: all
	limits map[string]int64
	most   map[string]int64
	over   bool // it asks for more than one job may have
}

// numbered is by which number jobs name item i of a list.
func numbered(number int64, i int) int64 {
	if number > 0 {
		return number
	}
	return int64(i) + 1
}

// partsOf are the partitions of the document that job j names, in its order; one nil
// where it names none that is there.
func partsOf(d *experiment.Platform, l *swf.Log, w *model.Workload, j int) (list []*experiment.Partition) {
	if job := &w.Jobs[j]; job.Record >= 0 {
		rec, x := &l.Records[job.Record], &l.Extra[job.Record]
		names := []int64{int64(rec.PartitionNumber)}
		if len(x.Partitions) > 0 {
			names = nil
			for _, n := range x.Partitions {
				names = append(names, int64(n))
			}
		}
		for _, n := range names {
			for i := range d.Partitions {
				if n > 0 && numbered(d.Partitions[i].Number, i) == n && !slices.Contains(list, &d.Partitions[i]) {
					list = append(list, &d.Partitions[i])
				}
			}
		}
	}
	if list == nil {
		list = append(list, nil)
	}
	return list
}

// boundOf works out what binds job j by docs/simulation-rules.md: its own partition is
// the first of those that it names in which it could run, and it may run on the machines
// of the others that bind it alike. Where what it asks for is not all in this reading, own
// says which of them may be its own.
func boundOf(d *experiment.Platform, l *swf.Log, w *model.Workload, nodes []model.Node, clusters []model.Cluster, j int, own func(b bound) bool) bound {
	list := partsOf(d, l, w, j)
	all := make([]bound, len(list))
	for i, part := range list {
		all[i] = boundIn(d, l, w, nodes, clusters, j, part)
		all[i].over = all[i].over || own == nil && !holdsAll(nodes, clusters, all[i].nodes, w.Jobs[j].Procs)
	}
	holds := func(part *experiment.Partition) bool {
		q := &part.Limits
		for _, row := range experiment.QuotaRows {
			if row.By != "job" && *row.At(q) > 0 {
				return true
			}
		}
		return false
	}
	for i, part := range list {
		b := all[i]
		for k, other := range list {
			if part == nil || k == i || b.nodes == nil || all[k].over || other.QOS != part.QOS || holds(part) || holds(other) {
				continue
			}
			if all[k].nodes == nil {
				b.nodes = nil
				continue
			}
			b.nodes = maps.Clone(b.nodes)
			maps.Copy(b.nodes, all[k].nodes)
		}
		if !b.over && (own == nil || own(b)) {
			return b
		}
	}
	return all[0]
}

// holdsAll says whether some machines could hold a job that asks for nothing but
// processors.
func holdsAll(nodes []model.Node, clusters []model.Cluster, on map[int32]bool, procs int32) bool {
	room, fits := map[int32]int32{}, on == nil
	for i, n := range nodes {
		if on[int32(i)] {
			if clusters[n.Cluster].Packing != model.PackNodes {
				room[n.Cluster] = 0
			}
			room[n.Cluster] += n.Procs
			fits = fits || room[n.Cluster] >= procs
		}
	}
	return fits
}

// special says whether a job asks for more than processors.
func special(p *model.Platform, w *model.Workload, j int) bool {
	d := w.Demand(model.JobID(j))
	return d != nil && (d.Reservation != nil || d.GPUsPerNode > 0 || d.MemPerNode > 0 || d.DiskPerNode > 0 || d.Nodes > 0 || len(p.Activates(d.Licences)) > 0)
}

// boundIn works out what binds job j in a partition.
func boundIn(d *experiment.Platform, l *swf.Log, w *model.Workload, nodes []model.Node, clusters []model.Cluster, j int, part *experiment.Partition) bound {
	job := &w.Jobs[j]
	b := bound{limits: map[string]int64{}, most: map[string]int64{}}
	if job.Record < 0 || w.Demand(model.JobID(j)) != nil && w.Demand(model.JobID(j)).Reservation != nil {
		return b
	}
	rec, x := &l.Records[job.Record], &l.Extra[job.Record]
	qosNumber := int64(x.QOS)
	if qosNumber == 0 {
		qosNumber = int64(rec.QueueNumber)
	}
	var order []*experiment.QOS
	for i := range d.QOS {
		if part != nil && part.QOS == d.QOS[i].Name {
			order = append([]*experiment.QOS{&d.QOS[i]}, order...)
		}
	}
	for i := range d.QOS {
		if numbered(d.QOS[i].Number, i) == qosNumber && (len(order) == 0 || order[0] != &d.QOS[i]) {
			order = append(order, &d.QOS[i])
		}
	}
	request := int64(job.Limit)
	if dm := w.Demand(model.JobID(j)); dm != nil {
		request -= int64(dm.Setup)
	}
	if part != nil && rec.RequestedTime <= 0 { // its partition says, else how long it ran
		if request = int64(w.Truth[j].Run); cmp.Or(part.DefaultTime, part.MaxTime) > 0 {
			request = cmp.Or(part.DefaultTime, part.MaxTime)
		}
	}
	add := func(of string, row experiment.QuotaRow, most, account int64) {
		who := map[string]string{"": "", "user": fmt.Sprint(job.User), "group": fmt.Sprint(job.Group), "account": fmt.Sprint(account)}[row.By]
		takes := int64(job.Procs)
		if row.Of == "jobs" {
			takes = 1
		}
		if row.By == "job" {
			b.over = b.over || row.Of == "time" && request > most || row.Of == "processors" && int64(job.Procs) > most
			return
		}
		b.over = b.over || takes > most
		key := of + " " + row.Key + " " + who
		b.limits[key], b.most[key] = takes, most
	}
	account := int64(-1)
	for _, a := range d.Accounts {
		if a.Number == int64(x.Account) {
			account = a.Number
		}
	}
	for _, row := range experiment.QuotaRows {
		if part != nil {
			if most := *row.At(&part.Limits); most > 0 {
				add("partition "+part.Name, row, most, account)
			}
		}
		said := false
		for _, q := range order {
			if most := *row.At(&q.Limits); most > 0 && !said {
				add("qos "+q.Name, row, most, account)
				said = true
			}
		}
		for up := account; up > 0 && !said; {
			next := int64(0)
			for _, a := range d.Accounts {
				if a.Number == up {
					if most := *row.At(&a.Limits); most > 0 {
						add(fmt.Sprint("account ", a.Number), row, most, account)
					}
					next = a.Parent
				}
			}
			up = next
		}
	}
	if part == nil {
		return b
	}
	b.over = b.over || part.MaxTime > 0 && request > part.MaxTime
	if len(part.Nodes) == 0 {
		return b
	}
	b.nodes = map[int32]bool{}
	for _, span := range part.Nodes {
		at, inCluster, inGroup := int64(-1), int64(0), map[int32]int64{}
		for i, n := range nodes {
			name := clusters[n.Cluster].Name
			if name != span.Cluster && (span.Cluster != "" || len(clusters) > 1) {
				continue
			}
			if at = inCluster; span.Group != nil {
				at = inGroup[n.Group]
			}
			if (span.Group == nil || int64(n.Group) == *span.Group) && at >= span.First && (span.Count == 0 || at < span.First+span.Count) {
				b.nodes[int32(i)] = true
			}
			inCluster++
			inGroup[n.Group]++
		}
	}
	return b
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
		n = 30
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
