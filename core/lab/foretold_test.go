//go:build !small

package lab

import (
	"strings"
	"testing"

	"batchlab/core/experiment"
)

// Intent: a run whose decisions are recorded carries what was predicted of each job at
// its submission and at its start, within the request, and what rollouts chose; one
// that is not keeps nothing of it, since that costs more than the run. On nodes as on
// counted processors.
func TestForetoldColumns(t *testing.T) {
	for _, platform := range []string{`{"processors":32}`, `{"clusters":[{"name":"a","packing":"nodes","groups":[{"count":8,"processors":4}]}]}`} {
		t.Run(platform, func(t *testing.T) { testForetoldColumns(t, platform) })
	}
}

func testForetoldColumns(t *testing.T, platform string) {
	doc, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":400,"processors":32,"load":1}}}},
		"platform":` + platform + `,"schedulers":[{"key":"foresight-rollout"},{"key":"foresight"},{"key":"easy"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(doc, Env{})
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range doc.Schedulers {
		plain, err := p.Run(RunID{Scheduler: i}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		block := string(plain.Block)
		bare, err := p.Run(RunID{Scheduler: i}, Options{Columns: true})
		if err != nil {
			t.Fatal(err)
		}
		if c := &bare.Report.Columns; len(c.Foretold)+len(c.Retold)+len(c.Choices) > 0 {
			t.Errorf("%s: keeps predictions that nobody asked for", line.Key)
		}
		out, err := p.Run(RunID{Scheduler: i}, Options{Columns: true, Why: true})
		if err != nil {
			t.Fatal(err)
		}
		if string(out.Block) != block {
			t.Errorf("%s: another schedule when columns are asked for", line.Key)
		}
		c := &out.Report.Columns
		if line.Key == "easy" {
			if len(c.Foretold)+len(c.Choices) > 0 {
				t.Error("easy foretells")
			}
			continue
		}
		if len(c.Foretold) != len(c.Start) || len(c.Retold) != len(c.Start) {
			t.Fatalf("%s: %d predictions of %d jobs", line.Key, len(c.Foretold), len(c.Start))
		}
		for j, said := range c.Foretold {
			if limit := out.Schedule.Workload.Jobs[j].Limit; said < 1 || said > limit || c.Retold[j] < 1 || c.Retold[j] > limit {
				t.Fatalf("%s: job %d is foretold to run %d s, then %d, of %d", line.Key, j, said, c.Retold[j], limit)
			}
		}
		if got := len(c.Choices) > 0; got != (line.Key == "foresight-rollout") {
			t.Errorf("%s: %d choices", line.Key, len(c.Choices))
		}
	}
}

// Intent: a file of predictions is read before anything runs: what is wrong with it
// is said by row, jobs that cleaning or a window leaves out are passed over, and what
// the log does not state is said of the runs that use it.
func TestForetoldByFile(t *testing.T) {
	env := smallLog(t, 30, 5)
	text := ""
	env.File = func(experiment.Log) ([]byte, error) { return []byte(text), nil }
	doc := conforming(t, "counts", "plain", `{"key":"easy","params":{"order":"saf","orders-by":"prediction"},"predict":{"key":"file","file":{"name":"p.csv","sha256":"`+strings.Repeat("1", 64)+`","size":9}}}`)
	from := int64(500)
	doc.Workload.Window.From = &from // job 1 is left out
	for _, c := range []struct{ text, want string }{
		{"job,predicted\n1,60\n29,70\n", ""},
		{"job,predicted\n29,60\n99,70\n", "p.csv: line 3: job 99 is not among"},
		{"job,predicted\n29,-5\n", "p.csv: line 2: predicted -5 of job 29 is negative"},
		{"job,seconds\n29,5\n", "p.csv: line 1: the columns job and predicted are expected"},
		{"job,predicted\n1,5\n1,6\n", "p.csv: line 3: job 1 appears twice"},
	} {
		text = c.text
		p, err := Prepare(doc, env)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = p.Workload(0) // before any run
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	doc = conforming(t, "counts", "plain", `{"key":"foresight"}`, `{"key":"easy"}`, `{"key":"easy","params":{"orders-by":"prediction"},"predict":{"key":"last-two"}}`)
	log, _ := env.Log(experiment.Log{})
	for i := range log.Records {
		log.Records[i].UserID, log.Records[i].ExecutableNumber = -1, -1
	}
	p, err := Prepare(doc, env)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{2, 0, 1} {
		out, err := p.Run(RunID{Scheduler: i}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := out.Report.Missing; len(got) != want {
			t.Errorf("scheduler %d: %q", i, got)
		}
	}
	if got := p.Missing(); len(got) != 2 {
		t.Errorf("%q", got)
	}
}
