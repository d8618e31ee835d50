//go:build !small

package lab

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/policy"
	"batchlab/core/swf"
)

// example reads a program of examples/schedulers.
func example(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "examples", "schedulers", name+".star"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ownCode is a line of a document with a program.
func ownCode(code string) string {
	text, _ := json.Marshal(code)
	return `{"key":"custom","params":{"code":` + string(text) + `}}`
}

// written pairs programs with the built-in schedulers that they are to be.
func written(t *testing.T) map[string][2]string {
	t.Helper()
	all := map[string][2]string{
		"fcfs":         {ownCode(example(t, "fcfs")), `{"key":"fcfs"}`},
		"easy":         {ownCode(example(t, "easy")), `{"key":"easy"}`},
		"conservative": {ownCode(example(t, "conservative")), `{"key":"conservative"}`},
		"planned":      {ownCode(example(t, "conservative-by-plan")), `{"key":"conservative"}`},
		"spf planned":  {ownCode("def order(job, s):\n    return job.requested\nbackfill = \"conservative\"\n"), `{"key":"conservative","params":{"order":"spf"}}`},
		"strict":       {ownCode("def order(job, s):\n    return (job.submit, s.now - s.now)\n"), `{"key":"fcfs"}`},
		"pair": {ownCode("def order(job, s):\n    return job.submit\ndef backfill_order(job, s):\n    return -(job.wait + job.requested) / job.requested\nbackfill = \"easy\"\n"),
			`{"key":"easy","params":{"backfill":"lexp"}}`},
		"bf-mod": {ownCode(example(t, "bf-mod")), `{"key":"bf-mod"}`},
	}
	orders := example(t, "easy-in-order")
	for _, o := range policy.Pure() {
		code := strings.Replace(orders, `ORDER = "saf"`, `ORDER = "`+o.String()+`"`, 1)
		all["easy "+o.String()] = [2]string{ownCode(code), fmt.Sprintf(`{"key":"easy","params":{"order":%q,"backfill":%[1]q}}`, o)}
	}
	return all
}

// apart runs two schedulers of a document and names the first job that they start
// at different times, "" when there is none.
func apart(t *testing.T, doc *experiment.Experiment, env Env) string {
	t.Helper()
	p, err := Prepare(doc, env)
	if err != nil {
		t.Fatal(err)
	}
	own, err := p.Run(RunID{Scheduler: 0}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := own.Schedule.Check(); err != nil {
		t.Fatal(err)
	}
	mine := append(own.Schedule.Executions[:0:0], own.Schedule.Executions...)
	base, err := p.Run(RunID{Scheduler: 1}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range base.Schedule.Executions {
		if m := mine[i]; m.Start != e.Start || m.End != e.End || m.Cluster != e.Cluster {
			return fmt.Sprintf("job %d starts at %d, not at %d", base.Schedule.Workload.Jobs[e.Job].Number, m.Start, e.Start)
		}
	}
	return ""
}

// busier are a farm with licences and deadlines, and nodes of which some are out of
// order while jobs run for longer than that: there it matters which machines a job
// gets, and what is promised beside what is taken away.
var busier = map[string]string{
	"farm": `"workload":{"source":{"generator":{"key":"farm","params":{"jobs":200}}},"annotate":{"licences":[{"licence":"*","share":0.4}],"deadlines":{"share":0.5}}},"platform":{"generator":{"key":"farm-machines"}}`,
	"nodes": `"workload":{"source":{"generator":{"key":"daily","params":{"jobs":200,"processors":16,"load":1.1}}}},"platform":{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":4,"processors":4}]}],
		"outages":[{"cluster":"a","nodes":[1],"from":90000,"to":120000,"announced":true},{"cluster":"a","nodes":[2],"from":150000,"to":152000,"announced":true}]}`,
}

// Programs that say what a built-in scheduler does start every job when it does, on
// counted processors, on a farm with licences and deadlines, and on nodes with an
// outage: so what programs are given, and what they are spared, is right.
func TestProgramsAgreeWithBuiltIns(t *testing.T) {
	env := smallLog(t, 120, 5)
	for name, pair := range written(t) {
		for where, world := range busier {
			doc, err := experiment.Decode(fmt.Appendf(nil, `{"batchlab":1,%s,"schedulers":[%s,%s]}`, world, pair[0], pair[1]))
			if err != nil {
				t.Fatal(err)
			}
			if one := apart(t, doc, Env{}); one != "" {
				t.Errorf("%s on a busier %s: %s", name, where, one)
			}
		}
		for _, where := range [][2]string{{"counts", "plain"}, {"licences", "licences"}, {"licences", "all"}, {"licences", "reservations"}, {"nodes", "outage"}, {"nodes", "failure"}, {"farm", "deadlines"}, {"clusters", "users"}} {
			if name == "conservative" && where[1] == "all" {
				continue // a job that is too late for its deadline gives its place up at once, in the plan only when its turn comes
			}
			if testing.Short() && len(name+where[0])%3 != 0 {
				continue
			}
			if one := apart(t, conforming(t, where[0], where[1], pair[0], pair[1]), env); one != "" {
				t.Errorf("%s on %s with %s: %s", name, where[0], where[1], one)
			}
		}
	}
}

// Intent: conservative backfilling that is written out, and the lab's, agree beside
// outages on named nodes whatever comes: there a job that moves up makes room on nodes
// that one in front of it could not have.
func TestConservativeProgramsAgreeOnNodes(t *testing.T) {
	seeds, jobs := 8, 250
	if testing.Short() {
		seeds = 2
	}
	if n, err := strconv.Atoi(os.Getenv("BATCHLAB_AGREE")); err == nil {
		jobs = n
	}
	world := strings.Replace(busier["nodes"], `"jobs":200`, `"jobs":`+strconv.Itoa(jobs), 1)
	pairs := written(t)
	for seed := range seeds {
		for _, name := range []string{"conservative", "planned"} {
			doc, err := experiment.Decode(fmt.Appendf(nil, `{"batchlab":1,"seed":%d,%s,"schedulers":[%s,%s]}`, seed+1, world, pairs[name][0], pairs[name][1]))
			if err != nil {
				t.Fatal(err)
			}
			if one := apart(t, doc, Env{}); one != "" {
				t.Errorf("%s, seed %d: %s", name, seed+1, one)
			}
		}
	}
}

// A program gives the same digest everywhere: natively, in Node and in browsers. These
// use what could differ: floats, dicts in order, sorting, texts and random numbers.
func TestProgramDigest(t *testing.T) {
	mixed := `
seen = {}

def begin(s):
    for job in s.arrived:
        seen["user %d, %s" % (job.user, job.procs)] = seen.get("user %d, %s" % (job.user, job.procs), 0) + sqrt(job.area) / 3

def order(job, s):
    share = seen["user %d, %s" % (job.user, job.procs)] * 0.1 + random() / 7
    return (floor(share) % 5, -job.wait / (job.requested + 0.3), str(job.id))

backfill = "easy"
`
	for want, doc := range map[string]*experiment.Experiment{
		"204d17d22ae6d07c9d62fbb11dc7f9c5d11a6894c582d44a2daa1fff77e43af6": conforming(t, "licences", "all", ownCode(mixed)),
		"4eead0aa10eb78b5470db089d15e4d017450e78954b9a81afb48d64ef480aca1": conforming(t, "nodes", "outage", ownCode(example(t, "fair-share"))),
		"17a79069cb76ae094fa03bf25e079c6d848df31bb677d1a9b0265908cd80b04f": conforming(t, "counts", "plain", ownCode(example(t, "own-reservation"))),
	} {
		report, err := Run(doc, smallLog(t, 150, 9), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if report.Digest != want {
			t.Errorf("%s, not %s", report.Digest, want)
		}
	}
}

// The same on real logs: a year of KTH-SP2 and the first 20,000 jobs of HPC2N.
func TestProgramsAgreeOnRealLogs(t *testing.T) {
	dir := os.Getenv("BATCHLAB_LOGS")
	if dir == "" {
		t.Skip("BATCHLAB_LOGS is not set: programs are not compared on real logs")
	}
	for file, most := range map[string]int{"KTH-SP2-1996-2.1-cln.swf.gz": 0, "HPC2N-2002-2.2-cln.swf.gz": 20_000} {
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err == nil {
			data, err = swf.Gunzip(data, 1<<30)
		}
		if err != nil {
			t.Fatal(err)
		}
		log, err := swf.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		if most > 0 {
			log.Records = log.Records[:most]
		}
		for name, pair := range written(t) {
			log := log
			if name == "strict" { // its queue grows for ever, and it looks through all of it
				log = &swf.Log{Header: log.Header, Records: log.Records[:min(len(log.Records), 8000)]}
			}
			env := Env{Log: func(experiment.Log) (*swf.Log, error) { return log, nil }}
			t.Run(file[:5]+" "+name, func(t *testing.T) {
				doc := conforming(t, "counts", "plain", pair[0], pair[1])
				doc.Platform.Processors = 0
				if one := apart(t, doc, env); one != "" {
					t.Error(one)
				}
			})
		}
	}
}

// Intent: what a program notes of a job stands among the decisions of the step.
func TestNotesStandInSteps(t *testing.T) {
	doc := conforming(t, "counts", "plain", ownCode("def decide(s):\n    for job in s.queue:\n        s.start(job)\n        note(job, 'asks for %d' % job.procs)\n"))
	p, err := Prepare(doc, smallLog(t, 20, 5))
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
	for i := range step.Decisions {
		d := &step.Decisions[i]
		if strings.Contains(d.Sentence(nil), ": asks for ") {
			return
		}
	}
	t.Errorf("%+v", step.Decisions)
}
