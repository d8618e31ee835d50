//go:build !small

package lab

import (
	"fmt"
	"testing"

	"batchlab/core/report"
)

// Intent: what a followed job's prediction came from gives the prediction that the
// run goes by at its start, on counted processors and on machines, whoever predicts;
// a step says the same of waiting jobs, none of which is named that had not ended.
func TestBasisIsOfThePrediction(t *testing.T) {
	for _, platform := range []string{`{"processors":100}`, `{"clusters":[{"name":"a","groups":[{"count":100}]}],"outages":[{"from":20000,"to":30000,"cluster":"a","processors":40}]}`} {
		for _, scheduler := range []string{
			`{"key":"foresight"}`, `{"key":"foresight-rollout"}`,
			`{"key":"easy","params":{"orders-by":"prediction"},"predict":{"key":"last-two"}}`,
			`{"key":"easy","params":{"orders-by":"prediction"},"predict":{"key":"user-median"}}`,
			`{"key":"conservative","params":{"plan-by":"prediction"},"predict":{"key":"kernel"}}`,
		} {
			doc := decode(t, `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":150,"processors":100,"load":1}}}},"platform":`+platform+`,"schedulers":[`+scheduler+`]}`)
			p, err := Prepare(doc, Env{})
			if err != nil {
				t.Fatal(err)
			}
			all, err := p.Run(RunID{}, Options{Columns: true})
			if err != nil {
				t.Fatal(err)
			}
			retold := all.Report.Columns.Retold
			jobs, err := p.Jobs(0)
			if err != nil {
				t.Fatal(err)
			}
			learnt := 0
			for j := 0; j < len(retold); j += 1 + len(retold)/9 {
				r, err := p.Run(RunID{}, Options{Why: true, Follow: &jobs.Number[j]})
				if err != nil {
					t.Fatal(err)
				}
				if r.Basis == nil || r.Basis.Predicts != retold[j] {
					t.Fatalf("%s on %s, job %d: %+v, predicted %d", scheduler, platform, jobs.Number[j], r.Basis, retold[j])
				}
				learnt += r.Basis.Count
			}
			s, err := p.NewStepper(RunID{}, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			ended := map[int64]bool{}
			for i := range s.Times() {
				step, err := s.Step(i, nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range step.Ended {
					ended[e.Number] = true
				}
				for _, q := range step.Queue {
					notAhead(t, fmt.Sprintf("%s on %s, job %d at %d", scheduler, platform, q.Number, step.Now), q.From, ended)
					if q.From != nil {
						learnt++
					}
				}
			}
			if learnt == 0 {
				t.Errorf("%s on %s: nothing was learnt from", scheduler, platform)
			}
		}
	}
}

// notAhead finds a sample that had not ended.
func notAhead(t *testing.T, where string, b *report.Basis, ended map[int64]bool) {
	if b == nil {
		return
	}
	for _, x := range b.Samples {
		if !ended[x.Number] {
			t.Fatalf("%s: %+v names job %d, which had not ended", where, b, x.Number)
		}
	}
}
