package workload

import (
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/model"
)

// The suites' jobs ask for 1 to so many nodes and processors on each, which
// reach the jobs as such; without a time between arrivals all come at once; the
// set-up time is part of run and request.
func TestNodeJobs(t *testing.T) {
	p := &model.Platform{Clusters: []model.Cluster{{Name: "c", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 4, Procs: 2}}}}}
	l, err := GenerateSeeded("node-jobs", map[string]any{"jobs": 500, "ppn-max": 2, "setup": 30, "overestimate": 2.0}, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := FromLog(l, Options{Processors: 8})
	if err != nil {
		t.Fatal(err)
	}
	w, counts, err := AskNodes(w, l, p)
	if err != nil || counts != nil || len(w.Jobs) != 500 {
		t.Fatal(err, counts)
	}
	shapes := map[[2]int32]int{}
	for j := range w.Jobs {
		d := w.Demand(model.JobID(j))
		shapes[[2]int32{d.Nodes, d.PerNode}]++
		run := w.Truth[j].Run - 30
		if w.Jobs[j].Submit != 0 || w.Jobs[j].Limit != 2*run+30 || run < 60 || run > 1200 || w.Jobs[j].Procs != d.Nodes*d.PerNode {
			t.Fatalf("%+v, %+v, %+v", w.Jobs[j], w.Truth[j], d)
		}
	}
	if len(shapes) != 8 {
		t.Errorf("%v", shapes)
	}
	l, err = GenerateSeeded("node-jobs", map[string]any{"jobs": 2000, "interarrival": 50.0}, 1, 0)
	if err != nil || l.Records[1999].SubmitTime < 90_000 || l.Records[1999].SubmitTime > 110_000 {
		t.Errorf("the last of 2000 comes at %d, %v", l.Records[1999].SubmitTime, err)
	}
	if catalog.FindGenerator("node-jobs") == nil {
		t.Error("no row")
	}
}
