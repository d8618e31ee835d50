//go:build !small

package lab

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/policy"
)

// everythingDocument asks for machines of two kinds, floating licences, run
// times that depend on the machine, outages known and unknown, and a stop at the
// deadline. Nothing in it is left to chance, so that a window has the
// same jobs as a part of the whole as by itself.
const everythingDocument = `{"batchlab":1,"seed":7,
"workload":{"source":{"generator":{"key":"daily","params":{"jobs":400,"processors":24}}},
 "annotate":{"deadlines":{"share":1,"margin_min":20000,"margin_max":20000,"on_due":"kill"},"licences":[{"licence":"cad","share":1}]}},
"platform":{"power_scales":true,"clusters":[{"name":"farm","packing":"machine","groups":[
  {"count":2,"processors":24,"licences":["cad"]},{"count":1,"processors":24,"speed":2,"licences":["cad"]}]},
  {"name":"pool","groups":[{"count":24,"licences":["cad"]}]}],
  "licences":[{"name":"cad","copies":4}],
  "outages":[{"cluster":"farm","nodes":[1],"from":100000,"to":160000,"announced":true},{"cluster":"pool","processors":9,"from":200000,"to":240000}]},
"schedulers":[%s],"search":{"length":172800,"threshold":40000,"backfill":"saf"}}`

// Intent: what a search says of an order in a window is the measure of the run
// that a user would start for it: the same document with that window and EASY in
// that order, on machines with licences, deadlines, outages and failures.
func TestSearchIsRun(t *testing.T) {
	var lines []string
	for _, o := range catalog.Orders {
		lines = append(lines, fmt.Sprintf(`{"key":"easy","params":{"order":"%s","backfill":"saf","ties":"newest","threshold":40000}}`, o.Key))
	}
	text := fmt.Sprintf(everythingDocument, strings.Join(lines, ","))
	drawn := strings.NewReplacer(`"share":1,"margin_min":20000,"margin_max":20000`, `"share":0.6,"factor":2`, `"licence":"cad","share":1`, `"licence":"cad","share":0.5`).Replace(text)
	if drawn == text {
		t.Fatal("nothing is drawn")
	}
	for name, text := range map[string]string{"stated": text, "drawn": drawn} {
		t.Run(name, func(t *testing.T) { searchIsRun(t, text) })
	}
}

func searchIsRun(t *testing.T, text string) {
	doc, err := experiment.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	l, err := Search(doc, Env{})
	if err != nil {
		t.Fatal(err)
	}
	differ := 0
	for i, week := range l.Weeks()[:3] {
		one := doc.Clone()
		from, to := int64(week.From), int64(week.To)
		one.Workload.Window = experiment.Window{From: &from, To: &to}
		report, err := Run(one, Env{}, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[float64]bool{}
		for k, run := range report.Runs {
			order, err := newEASY(one.Schedulers[k].Params)
			if err != nil {
				t.Fatal(err)
			}
			got, err := l.Pure(i, order.(*policy.CountedEASY).Order)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range run.Metrics {
				if m.Key == "mean-bounded-slowdown" && math.Abs(m.Value/got-1) > 1e-12 {
					t.Errorf("window %d, %s: the search says %v, the run %v", i, run.Label, got, m.Value)
				}
			}
			seen[got] = true
		}
		differ += len(seen)
	}
	if differ < 15 {
		t.Errorf("the orders hardly differ: %d values in three windows", differ)
	}
}
