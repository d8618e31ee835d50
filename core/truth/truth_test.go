package truth

import (
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
)

func document(t *testing.T, text string) *experiment.Experiment {
	t.Helper()
	doc, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":{"bundled":"demo"}` + text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func keys(list []Part) (out []string) {
	for _, p := range list {
		out = append(out, p.Key)
	}
	return out
}

// Intent: only parts that a document has can be left out; what is left is another, valid
// document with that scheduler alone; the document itself stays as it is.
func TestWithout(t *testing.T) {
	plain := document(t, `},"schedulers":[{"key":"fcfs"},{"key":"easy"},{"key":"easy","params":{"order":"spf"}}]}`)
	for i, want := range []string{"", "backfilling", "order backfilling"} {
		if got := strings.Join(keys(Without(plain, i)), " "); got != want {
			t.Errorf("scheduler %d: %q", i, got)
		}
	}
	rich := document(t, `,"dependencies":"keep"},"platform":{"processors":64,"outages":[{"from":100,"to":200}],"limits":{"user_processors":32},
		"partitions":[{"name":"a","qos":"q"}],"qos":[{"name":"q","limits":{"jobs":4}}],"accounts":[{"number":1}]},
		"schedulers":[{"key":"fcfs"},{"key":"slurm","params":{"PriorityType":"priority/multifactor","PriorityWeightFairshare":1000}}]}`)
	before := rich.Identity()
	list := Without(rich, 1)
	if got := strings.Join(keys(list), " "); got != "partitions qos accounts limits outages dependencies fairshare priorities backfilling" {
		t.Error(got)
	}
	seen := map[string]bool{Alone(rich, 1).Identity(): true}
	for _, p := range list {
		if id := p.Doc.Identity(); seen[id] || len(p.Doc.Schedulers) != 1 || p.Doc.Validate() != nil {
			t.Errorf("%s: %v", p.Key, p.Doc.Validate())
		} else {
			seen[id] = true
		}
	}
	if rich.Identity() != before {
		t.Error("the document has changed")
	}
}

// truthOf is a run whose halves are off by so much.
func truthOf(fitted, judged float64) *report.Truth {
	return &report.Truth{Parts: []report.TruthPart{
		{By: "size", Nearness: report.Nearness{MedianError: 1}},
		{By: "half", Nearness: report.Nearness{MedianError: fitted, Bias: fitted}},
		{By: "half", From: 1, To: 1, Nearness: report.Nearness{MedianError: judged, Bias: -judged}},
	}}
}

// Intent: a fit tries each value of each knob once beside the best ones before, keeps the
// nearest on the first half, the earlier where two are alike, and says of the second
// whether that helped.
func TestFit(t *testing.T) {
	doc := document(t, `},"platform":{"processors":100},"schedulers":[{"key":"easy","repeat":3},{"key":"slurm"}]}`)
	knobs := Knobs(doc, 0, 100, 96)
	if len(knobs) != 2 || !slices.Equal(knobs[0].Values, []int64{100, 105, 110, 125}) || knobs[1].Key != "setup" {
		t.Fatalf("%+v", knobs)
	}
	if slurm := Knobs(doc, 1, 100, 96); len(slurm) != 3 || slurm[2].Said(slurm[2].Values[0]) != "drawn" || slurm[2].Values[6] != 25 {
		t.Fatalf("%+v", slurm)
	}
	for _, judged := range []float64{1, -1} {
		f := NewFit(doc, 0, knobs)
		for tried := 0; ; tried++ {
			doc, values := f.Next()
			if doc == nil {
				if tried != f.Steps() {
					t.Errorf("%d tries of %d", tried, f.Steps())
				}
				break
			}
			if p := doc.Platform.Processors; p != values[0] || doc.Workload.Annotate.Setup.Max != values[1] || doc.Schedulers[0].Repeat != 1 || doc.Validate() != nil {
				t.Errorf("%v: %d processors", values, p)
			}
			off := func(v, want int64) float64 { return float64(max(v-want, want-v)) }
			far := off(values[0], 110) + off(values[1], 60)
			f.Take(values, truthOf(far, 1000+judged*far))
		}
		if got := f.Tries[f.Best].Values; !slices.Equal(got, []int64{110, 60}) || f.Helps() != (judged > 0) {
			t.Errorf("found %v, helps: %t", got, f.Helps())
		}
	}
	f := NewFit(doc, 0, knobs)
	for d, values := f.Next(); d != nil; d, values = f.Next() {
		f.Take(values, truthOf(5, 5))
	}
	if f.Best != 0 || f.Helps() {
		t.Error("what is no nearer was taken")
	}
}

// Intent: what decides the same each time is run once; what draws is run often enough to
// be set beside itself.
func TestPhased(t *testing.T) {
	doc := document(t, `},"platform":{"processors":100},"schedulers":[{"key":"easy"},{"key":"slurm"}]}`)
	if Phased(doc, 0, 6).Schedulers[0].Repeat != 1 || Phased(doc, 1, 6).Schedulers[1].Repeat != 6 || doc.Schedulers[1].Repeat != 1 {
		t.Error("repetitions are others")
	}
}
