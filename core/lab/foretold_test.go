package lab

import (
	"testing"

	"batchlab/core/experiment"
)

// Intent: a run whose columns are asked for carries what was foretold of each job at
// its submission and at its start, within the request, and what rollouts chose.
func TestForetoldColumns(t *testing.T) {
	doc, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":400,"processors":32,"load":1}}}},
		"platform":{"processors":32},"schedulers":[{"key":"foresight-rollout"},{"key":"foresight"},{"key":"easy"}]}`))
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
		out, err := p.Run(RunID{Scheduler: i}, Options{Columns: true})
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
