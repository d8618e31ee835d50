package lab

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
)

// studyCases are documents with every scheduler and generator of the catalog, and
// with what studies add beside them.
func studyCases(t *testing.T) map[string]*experiment.Experiment {
	t.Helper()
	cases := map[string]*experiment.Experiment{}
	add := func(name, scheduler string) *experiment.Experiment {
		e := experiment.New()
		e.Workload.Source.Bundled = "demo"
		if _, err := e.Add(scheduler); err != nil {
			t.Fatal(err)
		}
		cases[name] = e
		return e
	}
	for _, row := range catalog.Schedulers {
		add("scheduler "+row.Key, row.Key)
	}
	for _, row := range catalog.Generators {
		g, err := experiment.NewGenerator(row.Key)
		if err != nil {
			t.Fatal(err)
		}
		add("generator "+row.Key, "fcfs").Workload.Source = experiment.Source{Generator: g}
	}
	g, err := experiment.NewMachines("farm-machines")
	if err != nil {
		t.Fatal(err)
	}
	add("machines", "fcfs").Platform.Generator = g
	add("clusters", "fcfs").Platform.Clusters = []experiment.Cluster{{Name: "a", Packing: "processors", Groups: []experiment.NodeGroup{{Count: 100, Processors: 1, Speed: 1}}}}
	add("power", "fcfs").Platform.PowerScales = true
	add("deadlines", "fcfs").Workload.Annotate.Deadlines.Share = 0.5
	search := add("search", "easy")
	search.Search = experiment.Defaults(catalog.SearchParams)
	for name, params := range map[string]map[string]any{
		"easy by formula":        {"order": "formula", "formula": "q", "backfill": "formula", "backfill-formula": "-due"},
		"conservative by area":   {"order": "saf"},
		"conservative by newest": {"ties": "newest"},
	} {
		e := add(name, strings.Fields(name)[0])
		for key, value := range params {
			if err := e.Schedulers[0].SetParam(key, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	to := int64(1 << 40)
	plain := add("plain", "as-logged")
	plain.Workload.Window.To, plain.Workload.Scale.Load, plain.Measures.To = &to, 1.5, &to
	plain.Workload.Clean.NoRequest, plain.Workload.Filter.MaxProcs = "drop", 50
	plain.Title, plain.Platform.Processors = "everything that is no study", 200
	return cases
}

// Intent: what Studies calls plain is what the schedulers on one machine and
// the generators outside the studies can run, no more and no less, so that the
// page fetches the studies' program exactly when it is needed.
func TestStudies(t *testing.T) {
	plainCases := []string{"plain", "search", "easy by formula", "generator daily", "generator lublin"}
	for name, e := range studyCases(t) {
		if err := e.Validate(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		key, scheduler := strings.CutPrefix(name, "scheduler ")
		_, plain := countedForms[key]
		plain = plain || key == "as-logged"
		if row := catalog.FindScheduler(key); scheduler && row.Apart {
			plain = false
		}
		studies := !(scheduler && plain || slices.Contains(plainCases, name))
		if e.Studies() != studies {
			t.Errorf("%s: Studies is %v", name, e.Studies())
		}
		if testing.Short() && !small {
			continue // that all of them run natively is enough
		}
		p, err := Prepare(e, Env{})
		if err == nil {
			_, err = p.Run(RunID{}, Options{Columns: true})
		}
		if refused := errors.Is(err, ErrStudies); err != nil && !refused || refused != (studies && small) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
