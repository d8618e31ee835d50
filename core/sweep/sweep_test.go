package sweep

import (
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/paper"
)

// The presets of the farm study are valid experiments and run; the points of
// figure 1 are the same experiments in all its parts, and the four schedulers
// of a repetition share their workload.
func TestFarmPresets(t *testing.T) {
	digests := map[string]string{}
	for i := range paper.Presets {
		preset := &paper.Presets[i]
		if !strings.HasPrefix(preset.Key, "techiouba2008-figure") && !strings.HasPrefix(preset.Key, "techiouba2008-table") { // TestPresetsAreDocuments
			continue
		}
		points, err := preset.Sweep.Points(nil, true)
		if err != nil {
			t.Fatal(err)
		}
		for k := range points {
			if err := points[k].Experiment.Validate(); err != nil {
				t.Errorf("%s, %s: %v", preset.Key, points[k].Label, err)
			}
			for s := range points[k].Experiment.Schedulers { // smaller still
				points[k].Experiment.Schedulers[s].Repeat = 2
			}
			if err := points[k].Experiment.Workload.Source.Generator.SetParam("jobs", 60); err != nil {
				t.Fatal(err)
			}
		}
		results, digest, err := runPoints(points)
		if err != nil {
			t.Fatal(err)
		}
		digests[preset.Key] = digest
		if rows := preset.Sweep.Rows(results); len(rows) != map[bool]int{false: 7, true: 14}[strings.HasSuffix(preset.Key, "figure1b")]*len(points) {
			t.Errorf("%s: %d rows for %d points", preset.Key, len(rows), len(points))
		}
		for _, r := range results[0].Runs {
			if first := results[0].Runs[r.Repetition]; r.Workload != first.Workload {
				t.Errorf("%s: repetition %d of %s has another workload", preset.Key, r.Repetition, r.Label)
			}
		}
		if results[0].Runs[0].Workload == results[0].Runs[1].Workload {
			t.Errorf("%s: two repetitions share their workload", preset.Key)
		}
	}
	if len(digests) != 5 || digests["techiouba2008-figure1a"] != digests["techiouba2008-figure2a"] || digests["techiouba2008-figure1a"] == digests["techiouba2008-table1"] {
		t.Errorf("digests %v", digests)
	}
	if want := "24cbeb12ca43f56d8420a87d58ccd708d504932cfd880c7ab8174a2ad299ff95"; digests["techiouba2008-figure1a"] != want { // the same natively and as WebAssembly
		t.Errorf("digest %s, want %s", digests["techiouba2008-figure1a"], want)
	}
}

// runPoints runs points as one document, runDocument those of a document, item after item.
func runPoints(points []paper.Point) ([]paper.Result, string, error) {
	doc, err := paper.Together("", points)
	if err != nil {
		return nil, "", err
	}
	return runDocument(doc, points)
}

func runDocument(doc *experiment.Experiment, points []paper.Point) ([]paper.Result, string, error) {
	s, err := newSweep(doc, points, lab.Env{}, nil, 1)
	if err != nil {
		return nil, "", err
	}
	for item := 0; err == nil && item < len(s.outcomes); item++ {
		err = s.do(0, item, lab.Options{})
	}
	results, digest := s.results()
	return results, digest, err
}
