//go:build !small

package lab

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
)

// farmDocument is a small farm written by hand: three kinds of machine, a
// floating licence with two copies, a node-locked one, and needs by rule, by
// list and by file.
const farmDocument = `{"batchlab":1,"seed":7,
"workload":{"source":{"generator":{"key":"farm","params":{"jobs":60,"interarrival":40,"procs-max":4}}},
 "annotate":{"deadlines":{"share":0.5,"factor":1.5},"licences":[{"licence":"cad","share":0.4}],
  "jobs":[{"job":3,"due":100000,"licences":["mesh"]},{"job":4,"licences":[]}],
  "file":{"name":"needs.csv","sha256":"%s","size":40}}},
"platform":{"clusters":[{"name":"farm","packing":"machine","groups":[
  {"count":2,"processors":4,"licences":["cad","mesh"]},{"count":3,"processors":2,"speed":2,"licences":["cad"]}]}],
  "licences":[{"name":"cad","copies":2}]},
"schedulers":[{"key":"fcfs"},{"key":"easy","params":{"backfill":"spf"}},{"key":"bf-unmod"},{"key":"bf-mod","repeat":2}]}`

func farmEnv(csv string) Env {
	return Env{File: func(experiment.Log) ([]byte, error) { return []byte(csv), nil }}
}

// A farm runs from its document to the measures: feasible schedules with
// processor numbers inside the machines, deadlines and licences as annotated,
// the same digits again, and reasons that cover every wait.
func TestFarm(t *testing.T) {
	doc := decode(t, fmt.Sprintf(farmDocument, strings.Repeat("0", 64)))
	p, err := Prepare(doc, farmEnv("job,due,licences\n5,,cad:2\n6,90000,-\n"))
	if err != nil {
		t.Fatal(err)
	}
	site, err := p.Site(0)
	if err != nil || len(site.Machines) != 5 || site.Machines[3].First != 10 || site.Licences[0] != (report.SiteLicence{Name: "cad", Copies: 2, Suitable: 5}) ||
		site.Licences[1] != (report.SiteLicence{Name: "mesh", Suitable: 2}) {
		t.Fatalf("%+v, %v", site, err)
	}
	jobs, err := p.Jobs(0)
	if err != nil || jobs.Due[2] != 100000 || jobs.Due[5] != 90000 || len(jobs.NeedsOf(3)) != 0 || len(jobs.NeedsOf(5)) != 0 ||
		jobs.NeedsOf(2)[0].Licence != 1 || jobs.NeedsOf(4)[0] != (model.LicenceNeed{Licence: 0, Copies: 2}) {
		t.Fatalf("%+v, %v", jobs, err)
	}
	for _, id := range p.Runs() {
		r, err := p.Run(id, Options{Columns: true, Why: true})
		if err == nil {
			err = r.Schedule.Check()
		}
		if err != nil {
			t.Fatal(err)
		}
		held := map[model.JobID]int32{}
		for _, span := range r.Report.Columns.Spans {
			held[span.Job] += span.Count
			m := machineOf(site, span.First)
			claim := r.Schedule.Claims[r.Schedule.Executions[span.Job].Claim-1]
			if span.First+span.Count > m.First+m.Procs || site.Machines[claim.Parts[0].Node].First != m.First {
				t.Errorf("%s: job %d: processors %d+%d leave their machine", r.Report.Label, span.Job, span.First, span.Count)
			}
		}
		checkSpansDisjoint(t, r.Schedule, r.Report.Columns.Spans)
		for j, e := range r.Schedule.Executions {
			if held[model.JobID(j)] != e.Procs {
				t.Errorf("%s: job %d has %d processor numbers instead of %d", r.Report.Label, j, held[model.JobID(j)], e.Procs)
			}
		}
		for _, key := range []string{"system-usage", "out-of-deadline", "licence-usage", "mean-tardiness"} {
			if v := valueOf(r.Report, key); math.IsNaN(v) {
				t.Errorf("%s has no %s", r.Report.Label, key)
			}
		}
		if len(r.Report.Licences) != 2 || len(r.Report.Licences[0].At) == 0 {
			t.Errorf("%s: no time lines of licences", r.Report.Label)
		}
	}
}

func machineOf(site *report.Site, first int32) *report.Machine {
	for i := len(site.Machines) - 1; ; i-- {
		if site.Machines[i].First <= first {
			return &site.Machines[i]
		}
	}
}

// checkSpansDisjoint proves that no processor serves two jobs at once.
func checkSpansDisjoint(t *testing.T, s *model.Schedule, spans []report.Span) {
	t.Helper()
	for i, a := range spans {
		for _, b := range spans[:i] {
			x, y := &s.Executions[a.Job], &s.Executions[b.Job]
			if a.Job != b.Job && a.First < b.First+b.Count && b.First < a.First+a.Count && x.Start < y.End && y.Start < x.End {
				t.Fatalf("jobs %d and %d share processors", a.Job, b.Job)
			}
		}
	}
}

func valueOf(r *report.Run, key string) float64 {
	for _, v := range r.Metrics {
		if v.Key == key && v.Valid {
			return v.Value
		}
	}
	return math.NaN()
}

// Bad input ends in a message that names the place, before anything runs.
func TestFarmFaults(t *testing.T) {
	good := fmt.Sprintf(farmDocument, strings.Repeat("0", 64))
	run := func(text, csv string) error {
		e, err := experiment.Decode([]byte(text))
		if err != nil {
			return err
		}
		p, err := Prepare(e, farmEnv(csv))
		if err != nil {
			return err
		}
		ran := false
		_, err = p.Run(RunID{}, Options{Progress: func(int, int) bool { ran = true; return true }})
		if ran {
			t.Error("it ran")
		}
		return err
	}
	const fine = "job,due,licences\n"
	for _, c := range []struct{ old, new, csv, want string }{
		{`"licence":"cad"`, `"licence":"cat"`, fine, `workload.annotate.licences[0]: nobody has licence "cat"; did you mean "cad"?`},
		{`["mesh"]`, `["cad:3"]`, fine, `workload.annotate.jobs[0]: job 3 needs 3 copies of licence "cad", of which there are 2`},
		{`"due":100000`, `"due":1`, fine, `workload.annotate.jobs[0]: the deadline 1 of job 3 is not after its submission at`},
		{`"job":4`, `"job":400`, fine, `workload.annotate.jobs[1]: there is no job 400`},
		{`"job":4`, `"job":3`, fine, `workload.annotate.jobs[1]: job 3 stands already in workload.annotate.jobs[0]`},
		{"", "", "job,due,licences\n5,,cad\n99,7,\n", `needs.csv: row 3: there is no job 99`},
		{"", "", "job,due,licences\n5,0,\n", `needs.csv: row 2: the deadline 0 of job 5 is not after its submission`},
		{"", "", "job,due,licences\n5,,cad:9\n", `needs.csv: row 2: job 5 needs 9 copies of licence "cad", of which there are 2`},
		{"", "", "job,due,licences\n5,,x\n", `needs.csv: row 2: job 5 needs a licence that is not there: nobody has licence "x"`},
		{"", "", "job,due,licences\n5,soon,\n", `needs.csv: row 2: due: "soon" is not a number of seconds`},
		{"", "", "job,soon\n", `needs.csv: row 1: the first line must be job and then some of due, licences, weight, setup, on, gpus, memory, disk, reservation_from, reservation_to, reservation_length, reservation_effort, not "job,soon"`},
		{"", "", "job,due,licences\n5\n", `needs.csv: row 2: 1 fields instead of 3`},
		{"", "", `[{"job":5,"licences":["cad"]},{"job":99}]`, `needs.csv: entry 2: there is no job 99`},
		{"", "", `[{"job":5,"due":0}]`, `needs.csv: entry 1: the deadline 0 of job 5 is not after its submission`},
		{"", "", `[{"job":5.5}]`, `needs.csv: entry 1: job: 5.5 is not a job number`},
		{"", "", `[{"job":5,"licence":["cad"]}]`, `needs.csv: entry 1: "licence" is not one of job, due, licences`},
		{"", "", `[{"due":5}]`, `needs.csv: entry 1: job is missing`},
		{"", "", `[{"job":5,"licences":"cad"}]`, `needs.csv: entry 1: licences: "cad" is not a list of names`},
		{"", "", `[{"job":5]`, `needs.csv is not valid JSON`},
		{`"processors":4,"licences":["cad","mesh"]`, `"processors":4,"licences":["mesh"]`, "job,due,licences\n5,,cad mesh\n", `job 5 can never start: no machine can hold`},
		{`"licences":[{"name":"cad"`, `"licences":[{"name":"cat"`, fine, `platform.licences[0].name: no machine names licence "cat"`},
		{`"copies":2`, `"copies":0`, fine, `platform.licences[0].copies: must be between 1 and`},
		{`"packing":"machine"`, `"packing":"machines"`, fine, `platform.clusters[0].packing: unknown packing "machines"; did you mean "machine"?`},
		{`"speed":2`, `"sped":2`, fine, `platform.clusters[0].groups[1].sped: unknown key; did you mean "speed"?`},
		{`"count":3`, `"count":20000`, fine, `platform.clusters[0].groups[1].count: must be between 1 and 10000`},
		{`"platform":{`, `"platform":{"processors":5,`, fine, `platform.processors: must be 0`},
		{`"platform":{`, `"platform":{"generator":{"key":"farm-machines"},`, fine, `platform.generator: makes the machines and licences`},
		{`{"key":"bf-unmod"}`, `{"key":"bf-unmod","params":{"deadline-max":0}}`, fine, `schedulers[2].params.deadline-max: deadline-max is 0, less than deadline-min`},
		{`"share":0.5`, `"share":1.5`, fine, `workload.annotate.deadlines.share: must be between 0 and 1`},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if err := run(text, c.csv); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s → %s: %v\nwant %s", c.old, c.new, err, c.want)
		}
	}
}

// The document of a farm comes back from its canonical form and from a link,
// and documents that do not speak of farms keep the identity they always had.
func TestFarmDocument(t *testing.T) {
	e := decode(t, fmt.Sprintf(farmDocument, strings.Repeat("0", 64)))
	if again := decode(t, string(e.Canonical())); again.Identity() != e.Identity() {
		t.Error("the canonical form is not that of the document")
	}
	if again := decode(t, string(experiment.Encode(e.Clone()))); again.Identity() != e.Identity() {
		t.Error("a copy, written and read, is another document")
	}
	plain := decode(t, `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"fcfs"}]}`)
	for _, word := range []string{"annotate", "clusters", "licences", "power"} {
		if strings.Contains(string(plain.Canonical()), word) {
			t.Errorf("a plain document speaks of %s: %s", word, plain.Canonical())
		}
	}
	if want := "9e496107745e603d"; !strings.HasPrefix(plain.Identity(), want) {
		t.Errorf("identity %s", plain.Identity())
	}
}

// Priorities add up, name the head, and are those by which the job with the
// highest one becomes BF_MOD's head.
func TestPriorities(t *testing.T) {
	p, err := Prepare(decode(t, fmt.Sprintf(farmDocument, strings.Repeat("0", 64))), farmEnv("job,due,licences\n"))
	if err != nil {
		t.Fatal(err)
	}
	heads, waiting := 0, 0
	for at := model.Time(0); at < 6000; at += 100 {
		got, err := p.Priorities(RunID{Scheduler: 3}, at)
		if err != nil || got.At > at {
			t.Fatalf("at %d: %+v, %v", at, got, err)
		}
		for i, j := range got.Jobs {
			waiting++
			if sum := j.Aging + j.Deadline + j.Licences + j.Wait; sum != j.Total || i > 0 && j.Total > got.Jobs[i-1].Total {
				t.Fatalf("at %d: %+v", at, j)
			}
			if j.Head {
				heads++
				if got.Reservation < got.At {
					t.Errorf("at %d: reservation at %d", at, got.Reservation)
				}
			}
		}
	}
	if heads < 10 || waiting < 100 {
		t.Errorf("%d heads, %d waiting jobs seen", heads, waiting)
	}
	if _, err := p.Priorities(RunID{}, 100); err == nil || !strings.Contains(err.Error(), "fcfs has no priorities") {
		t.Error(err)
	}
	if _, err := p.Priorities(RunID{Scheduler: 2}, -1); err == nil {
		t.Error("nothing has happened yet")
	}
}
