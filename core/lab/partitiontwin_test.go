//go:build !small

package lab

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/swf"
)

// plainShares schedules one farm by FCFS or EASY as a beginner would, from the document
// alone: at each instant it counts again what is held on every machine and under every
// limit. It returns each job's start and machine.
type plainShares struct {
	w      *model.Workload
	nodes  []model.Node
	bounds []bound
	start  []model.Time // −1: not yet
	node   []int
}

// claim is what a job holds, or is promised, of a machine during [from, to).
type plainClaim struct {
	job, node int
	from, to  model.Time
}

func (f *plainShares) fits(j, node int, at model.Time, claims []plainClaim) bool {
	procs, held := int64(f.w.Jobs[j].Procs), map[string]int64{}
	for _, c := range claims {
		if c.from <= at && at < c.to {
			if c.node == node {
				procs += int64(f.w.Jobs[c.job].Procs)
			}
			for key, takes := range f.bounds[c.job].limits {
				held[key] += takes
			}
		}
	}
	for key, takes := range f.bounds[j].limits {
		if held[key]+takes > f.bounds[j].most[key] {
			return false
		}
	}
	return procs <= int64(f.nodes[node].Procs) && (f.bounds[j].nodes == nil || f.bounds[j].nodes[int32(node)])
}

func (f *plainShares) place(j int, at model.Time, claims []plainClaim) int {
	for node := range f.nodes {
		if f.fits(j, node, at, claims) {
			return node
		}
	}
	return -1
}

func (f *plainShares) run(easy bool) {
	for now := f.w.Jobs[0].Submit; now < model.Never; {
		var waiting []int
		var claims []plainClaim
		next := model.Never
		for j := range f.w.Jobs {
			job := &f.w.Jobs[j]
			end := f.start[j] + f.w.Executed(model.JobID(j))
			switch {
			case f.start[j] < 0 && job.Submit <= now:
				waiting = append(waiting, j)
			case f.start[j] < 0:
				next = min(next, job.Submit)
			case end > now:
				claims = append(claims, plainClaim{j, f.node[j], f.start[j], f.start[j] + job.Limit})
			}
		}
		begin := func(j, node int) {
			f.start[j], f.node[j] = now, node
			claims = append(claims, plainClaim{j, node, now, now + f.w.Jobs[j].Limit})
		}
		for len(waiting) > 0 {
			node := f.place(waiting[0], now, claims)
			if node < 0 {
				break
			}
			begin(waiting[0], node)
			waiting = waiting[1:]
		}
		if easy && len(waiting) > 1 {
			head, shadow, kept := waiting[0], model.Never, -1
			for _, c := range claims {
				if c.to < shadow {
					if node := f.place(head, c.to, claims); node >= 0 {
						shadow, kept = c.to, node
					}
				}
			}
			for _, j := range waiting[1:] {
				for node := range f.nodes {
					mine := plainClaim{j, node, now, now + f.w.Jobs[j].Limit}
					if f.fits(j, node, now, claims) && (mine.to <= shadow || f.fits(head, kept, shadow, append(slices.Clone(claims), mine))) {
						begin(j, node)
						break
					}
				}
			}
		}
		for j := range f.w.Jobs {
			if end := f.start[j] + f.w.Executed(model.JobID(j)); f.start[j] >= 0 && end > now {
				next = min(next, end)
			}
		}
		now = next
	}
}

// Intent: FCFS and EASY start every job when, and on the machine where, a plain
// scheduler does that knows the document's partitions and limits and nothing of how
// they are counted.
func TestSharedTwins(t *testing.T) {
	late := 0
	for seed := range uint64(400) {
		d := drawer{rand.New(rand.NewPCG(seed, 92))}
		platform := object{"clusters": []object{{"name": "a", "packing": "machine", "groups": []object{
			{"count": 2 + d.IntN(4), "processors": 4}, {"count": 1 + d.IntN(3), "processors": 8}}}}}
		d.sharing(platform)
		text, _ := json.Marshal(object{"batchlab": 1, "platform": platform, "schedulers": []object{{"key": "fcfs"}, {"key": "easy"}},
			"workload": object{"source": object{"log": object{"name": "small.swf", "sha256": strings.Repeat("0", 64), "size": 1}}, "scale": object{"load": 4}}})
		doc, err := experiment.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		log := sharedLog(t, 40, seed)
		env := Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }}
		_, err = Run(doc, env, Options{}, func(id RunID, p *Prepared, r *Result) error {
			s := r.Schedule
			f := plainShares{w: s.Workload, nodes: s.Platform.Nodes(), start: make([]model.Time, len(s.Workload.Jobs)), node: make([]int, len(s.Workload.Jobs))}
			for j := range f.start {
				f.start[j] = -1
				f.bounds = append(f.bounds, boundOf(&doc.Platform, log, f.w, f.nodes, s.Platform.Clusters, j, nil))
			}
			f.run(id.Scheduler == 1)
			for j, e := range s.Executions {
				if node := s.Claims[e.Claim-1].Parts[0].Node; e.Start != f.start[j] || int(node) != f.node[j] {
					t.Fatalf("seed %d, scheduler %d: job %d starts at %d on machine %d, the twin says %d on %d\n%s", seed, id.Scheduler, f.w.Jobs[j].Number, e.Start, node, f.start[j], f.node[j], text)
				}
				if e.Wait() > 0 {
					late++
				}
			}
			return nil
		})
		if err != nil && !strings.Contains(err.Error(), "none of") {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if late < 4000 {
		t.Errorf("only %d jobs waited", late)
	}
}

// Intent: who waits for a limit or for the machines of its partition is told so, with
// what is held and by whom.
func TestSharedWhy(t *testing.T) {
	text := `{"batchlab":1,"workload":{"source":{"log":{"name":"small.swf","sha256":"` + strings.Repeat("0", 64) + `","size":1}}},"platform":{
		"clusters":[{"name":"a","packing":"nodes","groups":[{"count":4,"processors":16}]}],
		"partitions":[{"name":"batch"},{"name":"gpu","nodes":[{"first":3}]}],
		"qos":[{"name":"two","limits":{"user_jobs":1}}],"accounts":[{"number":3,"limits":{"processors":32}}]},"schedulers":[{"key":"easy"}]}`
	doc, err := experiment.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	for i, job := range []struct{ procs, user, queue, partition int }{{30, 1, -1, 1}, {4, 2, -1, 1}, {16, 3, -1, 2}, {4, 4, -1, 2}, {1, 5, 1, 1}, {1, 5, 1, 1}} {
		fmt.Fprintf(&rows, "%d %d -1 100 %d -1 -1 -1 100 -1 1 %d 1 -1 %d %d -1 -1\n", i+1, i/6, job.procs, job.user, job.queue, job.partition)
	}
	log, err := swf.Parse([]byte(rows.String()))
	if err != nil {
		t.Fatal(err)
	}
	log.Extra = make([]swf.Extra, 6)
	log.Extra[0].Account, log.Extra[1].Account = 3, 3
	p, err := Prepare(doc, Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }})
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.NewStepper(RunID{}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	step, err := s.Step(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	for i := range step.Decisions {
		said += step.Decisions[i].Sentence(nil) + "\n"
	}
	for _, want := range []string{
		"account 3 may hold 32, and job 1 holds 30",
		"not together on the machines of its partition gpu",
		"user 5 in QOS two may run 1 job at a time, and job 5 runs",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said in\n%s", want, said)
		}
	}
}

// Intent: a table of jobs written by hand names partitions, QOS and accounts, too, and
// its jobs keep to them: by hand, job 2 waits for its account, job 3 for the one machine
// of its partition, job 5 is left out, and job 7 starts in the second partition that it
// names.
func TestSharedTable(t *testing.T) {
	doc, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":{"inline":{
		"columns":["submit","procs","requested","run","partition","qos","account"],
		"rows":[[0,2,100,100,1,-1,3],[0,3,100,100,1,-1,4],[0,4,100,50,2,-1,-1],[0,4,100,50,2,-1,-1],[0,1,300,10,2,-1,-1],[0,1,10,10,1,1,3],[0,4,100,50,"2,1",-1,-1]]}}},
		"platform":{"clusters":[{"name":"a","packing":"machine","groups":[{"count":4,"processors":4}]}],
		"partitions":[{"name":"batch","nodes":[{"count":3}]},{"name":"one","nodes":[{"first":3}],"max_time":200}],
		"qos":[{"name":"free","limits":{"processors":9}}],
		"accounts":[{"number":3,"limits":{"processors":4}},{"number":4,"parent":3}]},"schedulers":[{"key":"fcfs-bf"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(doc, Env{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(RunID{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for i := range r.Schedule.Executions {
		e := &r.Schedule.Executions[i]
		got += fmt.Sprintf("%d at %d, ", r.Schedule.Workload.Jobs[e.Job].Number, e.Start)
	}
	// Job 6 is in account 3 as well, but its QOS speaks of the same: that one counts.
	if want := "1 at 0, 2 at 100, 3 at 0, 4 at 50, 6 at 0, 7 at 0, "; got != want {
		t.Errorf("%s want %s", got, want)
	}
	_, clean, err := p.Workload(0)
	if err != nil || clean.Jobs("over-partition") != 1 {
		t.Errorf("%v %+v", err, clean.Counts)
	}
}

// Intent: nodes, GPUs and memory are limited by what jobs ask for, as processors are, and a
// job that names no partition is in the default one: by hand, job 2 waits for the GPUs of
// job 1, job 3 for the nodes of job 2, job 4 for the memory of job 3, and job 5, which the
// default partition lets have no more than one GPU, is left out.
func TestSharedUnits(t *testing.T) {
	doc, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":{"log":{"name":"small.swf","sha256":"` + strings.Repeat("0", 64) + `","size":1}}},"platform":{
		"clusters":[{"name":"a","packing":"nodes","groups":[{"count":8,"processors":4}]}],
		"partitions":[{"name":"batch"},{"name":"rest","default":true,"limits":{"job_gpus":1}}],
		"accounts":[{"number":1,"limits":{"gpus":4,"nodes":3,"memory":10485760}}]},"schedulers":[{"key":"fcfs"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	log, err := swf.Parse([]byte("1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 -1 1 -1 -1\n" +
		"2 1 -1 100 8 -1 -1 8 100 -1 1 1 1 -1 -1 1 -1 -1\n" + // two of the largest machines
		"3 2 -1 100 4 -1 -1 4 100 2048 1 1 1 -1 -1 1 -1 -1\n" + // 8 MiB on two nodes, as its log says
		"4 3 -1 100 1 -1 -1 1 100 2049 1 1 1 -1 -1 1 -1 -1\n" + // 3 MiB, rounded up
		"5 4 -1 100 1 -1 -1 1 100 -1 1 1 1 -1 -1 -1 -1 -1\n" +
		"6 5 -1 100 1 -1 -1 1 100 -1 1 1 1 -1 -1 -1 -1 -1\n"))
	if err != nil {
		t.Fatal(err)
	}
	log.Extra = []swf.Extra{{GPUs: 3, Account: 1}, {GPUs: 2, Account: 1}, {Nodes: 2, Account: 1}, {Account: 1}, {GPUs: 2, Account: 1}, {}}
	p, err := Prepare(doc, Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(RunID{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, e := range r.Schedule.Executions {
		got += fmt.Sprint(r.Schedule.Workload.Jobs[e.Job].Number, " at ", e.Start, ", ")
	}
	if want := "1 at 0, 2 at 100, 3 at 200, 4 at 300, 6 at 300, "; got != want {
		t.Errorf("%s want %s", got, want)
	}
	_, clean, err := p.Workload(0)
	if err != nil || clean.Jobs("over-partition") != 1 || clean.Jobs("default-partition") != 2 {
		t.Errorf("%v %+v", err, clean.Counts)
	}
	s, err := p.NewStepper(RunID{}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	for range 3 {
		step, err := s.Step(1, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range step.Decisions {
			said += step.Decisions[i].Sentence(nil) + "\n"
		}
	}
	if want := "account 1 may hold 4 GPUs, and job 1 holds 3"; !strings.Contains(said, want) {
		t.Errorf("%q is not said in\n%s", want, said)
	}
}
