package workloads_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"batchlab/core/experiment"
	"batchlab/core/intake"
	"batchlab/core/lab"
)

const demoFile = "../static/demo.json"

// demoConf is the machine of the made-up cluster that #demo shows.
const demoConf = `ClusterName=example
SchedulerType=sched/backfill
NodeName=node[01-16] CPUs=8 RealMemory=64000
PartitionName=short Nodes=ALL MaxTime=02:00:00 PriorityTier=2
PartitionName=batch Nodes=ALL MaxTime=3-00:00:00 Default=YES
PartitionName=long Nodes=node[01-08] MaxTime=14-00:00:00
`

// demoJobs are made-up jobs as sacct would print them, served by EASY.
func demoJobs(t *testing.T) string {
	t.Helper()
	doc, err := experiment.Decode([]byte(`{"batchlab":1,"seed":5,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":500,"processors":128,"load":0.9}}}},"platform":{"processors":128},"schedulers":[{"key":"easy"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := lab.Prepare(doc, lab.Env{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(p.Runs()[0], lab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("JobIDRaw|JobID|User|Account|Partition|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|NNodes|NCPUS|ReqCPUS\n")
	begin := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	at := func(s int64) string { return begin.Add(time.Duration(s) * time.Second).Format("2006-01-02T15:04:05") }
	for _, x := range r.Schedule.Executions {
		j := &r.Schedule.Workload.Jobs[x.Job]
		partition, state := "batch", "COMPLETED"
		switch {
		case j.Limit <= 2*3600:
			partition = "short"
		case j.Limit > 12*3600 && j.Procs <= 64:
			partition = "long"
		}
		if x.End-x.Start >= j.Limit {
			state = "TIMEOUT"
		} else if j.Number%23 == 0 {
			state = "FAILED"
		}
		fmt.Fprintf(&b, "%d|%d|user%02d|group%d|%s|%s|%s|%s|%s|%d|%d|%s|%d|%d|%d\n", j.Number, j.Number, j.User, j.User%4, partition,
			at(int64(j.Submit)), at(int64(j.Submit)), at(int64(x.Start)), at(int64(x.End)), x.End-x.Start, (j.Limit+59)/60, state, (j.Procs+7)/8, j.Procs, j.Procs)
	}
	return b.String()
}

// Intent: the files that #demo reads are what their recipe makes, and are read whole, with
// their partitions; every scene has words, a tab, and something to point at.
func TestDemoFiles(t *testing.T) {
	type file struct {
		Name string `json:"name"`
		Text string `json:"text"`
	}
	type scene struct {
		Tab   string `json:"tab"`
		At    string `json:"at"`
		Files int    `json:"files"`
		Title string `json:"title"`
		Text  string `json:"text"`
	}
	var have struct {
		Scenes []scene `json:"scenes"`
		Files  []file  `json:"files"`
	}
	text, err := os.ReadFile(demoFile)
	if err == nil {
		err = json.Unmarshal(text, &have)
	}
	if err != nil {
		t.Fatal(err)
	}
	want := []file{{"jobs.psv", demoJobs(t)}, {"slurm.conf", demoConf}}
	if *update {
		have.Files = want
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		if err := e.Encode(have); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(demoFile, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if len(have.Files) != 2 || have.Files[0] != want[0] || have.Files[1] != want[1] {
		t.Errorf("%s is not what its recipe makes: go test ./workloads -run TestDemoFiles -update", demoFile)
	}
	if len(have.Scenes) < 5 {
		t.Errorf("%d scenes", len(have.Scenes))
	}
	for _, s := range have.Scenes {
		if s.Tab == "" || s.At == "" || s.Title == "" || len(s.Text) < 60 || len(s.Text) > 400 {
			t.Errorf("%+v", s)
		}
	}
	r, err := intake.Read(intake.Options{}, []byte(have.Files[0].Text))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Log.Records) != 500 || r.Log.Malformed != 0 || len(r.Report.Partitions) != 3 {
		t.Errorf("%d jobs, %d rows that cannot be read, partitions %v", len(r.Log.Records), r.Log.Malformed, r.Report.Partitions)
	}
}
