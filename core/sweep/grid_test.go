package sweep

import (
	"math"
	"strings"
	"testing"

	"batchlab/core/paper"
)

// The presets of the grid study run without their log, on a stand-in, and give
// rows of finite numbers with nothing of the paper beside them; figures of one
// sweep share it, and some digests are the same natively and as WebAssembly.
func TestGridPresets(t *testing.T) {
	digests, presets := map[string]string{}, 0
	for i := range paper.Presets {
		preset := &paper.Presets[i]
		if preset.Study != "kurowski2011" {
			continue
		}
		presets++
		var rows []paper.Row
		if preset.Compute != nil {
			out, err := preset.Compute(paper.Input{Quick: true})
			if err != nil {
				t.Fatalf("%s: %v", preset.Key, err)
			}
			if !out.StandIn || len(out.Digest) != 64 {
				t.Errorf("%s: %+v", preset.Key, out)
			}
			rows = out.Rows
		} else {
			points, err := preset.Sweep.Points(nil, true)
			if err != nil {
				t.Fatalf("%s: %v", preset.Key, err)
			}
			for k := range points {
				e := points[k].Experiment
				if err := e.Validate(); err != nil {
					t.Errorf("%s, %s: %v", preset.Key, points[k].Label, err)
				}
				for s := range e.Schedulers { // smaller still
					e.Schedulers[s].Repeat = min(e.Schedulers[s].Repeat, 2)
				}
				if g := e.Workload.Source.Generator; !strings.HasSuffix(preset.Key, "figure3") {
					if err := g.SetParam("jobs", 60); err != nil {
						t.Fatal(err)
					}
				}
			}
			results, digest, err := runPoints(points)
			if err != nil {
				t.Fatalf("%s: %v", preset.Key, err)
			}
			digests[strings.TrimPrefix(preset.Key, "kurowski2011-")] = digest
			rows = preset.Sweep.Rows(results)
		}
		if len(rows) == 0 {
			t.Errorf("%s: no rows", preset.Key)
		}
		for _, r := range rows {
			if math.IsNaN(r.Ours) || math.IsInf(r.Ours, 0) || r.Label == "" || r.Column == "" || r.Paper != nil {
				t.Errorf("%s: %+v", preset.Key, r)
			}
			if strings.HasSuffix(preset.Key, "figure3") && r.Ours != map[bool]float64{true: 0, false: 25}[strings.HasPrefix(r.Column, "dynamic")] {
				t.Errorf("%s: only dynamic binding accepts all four reservations: %+v", preset.Key, r)
			}
		}
	}
	if presets != 28 {
		t.Errorf("%d presets, the paper has 6 tables, 17 figures and a trade-off to run, and there are other logs, the static partition, the causes that it names and periods of other lengths", presets)
	}
	if digests["figure8"] != digests["figure10"] || digests["figure11"] != digests["figure12"] || digests["figure11"] == digests["figure15"] {
		t.Errorf("digests %v", digests)
	}
	for key, want := range map[string]string{
		"table6":   "3e289ce7a6a6db6ee650d4e37eab5d4e03c3a81393a57fb197f3487e2c2dd899",
		"figure17": "8bcc8b714d634d71b69bae6ff8d459f39e00f52c4b9d5fe7752dcc5f97545651",
		"figure4":  "52b98bafe82be12cc8ace008c3955c1ea03e2f156ccc89869141588512e557bb",
	} {
		if digests[key] != want {
			t.Errorf("%s: digest %s, want %s", key, digests[key], want)
		}
	}
}
