package workload

import (
	"math"
	"slices"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/model"
)

// Failures have the means that were asked for, never overlap on one machine,
// begin within the time given, and come in order; a counted cluster loses as
// many processors at a time as its machines have.
func TestFailures(t *testing.T) {
	p := &model.Platform{Clusters: []model.Cluster{
		{Name: "a", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 20, Procs: 4}}},
		{Name: "b", Groups: []model.NodeGroup{{Count: 10, Procs: 1}}},
	}}
	const from, to = 1000, 40_000_000
	list, err := Failures("exponential", map[string]any{"mtbf": 100_000, "repair": 5000, "processors": 4}, p, from, to, Streams(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	last, sizes := map[int32]model.Time{}, map[int32]int{}
	up, down := 0.0, 0.0
	for i, e := range list {
		if e.Kind != model.KindFailure || e.From < from || e.From >= to || e.To <= e.From || i > 0 && e.From < list[i-1].From {
			t.Fatalf("%d: %+v", i, e)
		}
		down += float64(e.To-e.From) / float64(len(list))
		if e.Cluster == 1 {
			sizes[e.Procs]++
			continue
		}
		if last[e.Nodes[0]] > e.From {
			t.Fatalf("%+v overlaps", e)
		}
		last[e.Nodes[0]] = e.To
	}
	up = float64(23*(to-from))/float64(len(list)) - down
	if math.Abs(up/100_000-1) > 0.05 || math.Abs(down/5000-1) > 0.05 || len(sizes) != 2 || sizes[4] == 0 || sizes[2] == 0 {
		t.Errorf("%.0f s up, %.0f s down, %v", up, down, sizes)
	}
	more := &model.Platform{Clusters: append(slices.Clone(p.Clusters), p.Clusters[0])}
	again, err := Failures("exponential", map[string]any{"mtbf": 100_000, "repair": 5000, "processors": 4}, more, from, to/2, Streams(1, 0))
	of := func(list []model.CalendarEntry) model.CalendarEntry {
		return list[slices.IndexFunc(list, func(e model.CalendarEntry) bool { return len(e.Nodes) == 1 && e.Nodes[0] == 7 })]
	}
	if err != nil || of(again).From != of(list).From {
		t.Errorf("%+v, %v: other machines and another end change a machine's failures", of(again), err)
	}
	if _, err := Failures("exponential", map[string]any{"mtbf": 60, "repair": 1}, p, 0, 1<<40, Streams(1, 0)); err == nil {
		t.Error("too many failures were made")
	}
	for i, row := range catalog.FindFailures("exponential").Params {
		q := failureParams[i]
		if row.Key != q.key || row.Min != q.min || row.Max != q.max || float64(row.Default.(int64)) != q.def {
			t.Errorf("%+v is not %+v", row, q)
		}
	}
	if len(catalog.Failures) != len(failureGenerators) {
		t.Error("rows and generators of failures do not match")
	}
}
