package sweep

import (
	"strings"
	"testing"

	"batchlab/core/paper"
)

// The figures with users who react run on their stand-in, replayed and
// reacting, and show the same runs: intervals where random numbers are drawn,
// other submissions under reaction, and the paper's numbers there alone.
func TestUsersPresets(t *testing.T) {
	digest := ""
	for _, key := range []string{"klusacek2016-figure6", "klusacek2016-figure7", "klusacek2016-figure8"} {
		preset := paper.Find(key)
		if preset == nil || preset.Sweep == nil || !preset.Any {
			t.Fatalf("%s is not there", key)
		}
		points, err := preset.Sweep.Points(nil, true)
		if err != nil {
			t.Fatal(err)
		}
		for i := range points {
			if err := points[i].Experiment.Validate(); err != nil {
				t.Fatal(err)
			}
			points[i].Experiment.Schedulers[1].Label = points[i].Experiment.Labels()[1] // printed numbers are looked up by it
			points[i].Experiment.Schedulers[1].Params[1].Value = int64(5)               // iterations
		}
		results, d, err := runPoints(points)
		if err != nil {
			t.Fatal(err)
		}
		if digest != "" && d != digest {
			t.Errorf("%s: other runs than the figure before", key)
		}
		digest = d
		if a, b := results[0].Runs[0], results[1].Runs[0]; a.Workload == b.Workload || a.Metrics[0] == b.Metrics[0] {
			t.Errorf("%s: reaction changes nothing", key)
		}
		papers := 0
		for _, row := range preset.Sweep.Rows(results) {
			if plan := strings.Contains(row.Label, "Plan-RS"); plan != (row.Half != nil) {
				t.Errorf("%s: %s, %s: interval %v", key, row.Label, row.Column, row.Half)
			}
			if row.Paper != nil {
				papers++
				if !strings.HasPrefix(row.Label, "react") {
					t.Errorf("%s: the paper's number beside %s", key, row.Label)
				}
			}
		}
		if want := map[string]int{"klusacek2016-figure6": 3}[key]; papers != want {
			t.Errorf("%s: %d numbers of the paper, want %d", key, papers, want)
		}
	}
}
