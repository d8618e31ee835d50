package resource

import (
	"slices"
	"testing"

	"batchlab/core/model"
)

// Intent: what an entry of the calendar takes, and what of it nothing else takes at a
// time, is what counting each processor by itself gives.
func TestTakesAndReturns(t *testing.T) {
	p := &model.Platform{Clusters: []model.Cluster{
		{Name: "counted", Groups: []model.NodeGroup{{Count: 1, Procs: 8, Speed: 1}}},
		{Name: "farm", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 2, Procs: 4, Speed: 1}, {Count: 1, Procs: 2, Speed: 3}}},
	}}
	p.Calendar = []model.CalendarEntry{
		{From: 0, To: 10, Procs: 6}, {From: 5, To: 20, Procs: 5}, {From: 10, To: 12, Procs: 8},
		{From: 0, To: 10, Nodes: []int32{1, 3}}, {From: 3, To: 11, Nodes: []int32{3}}, {From: 10, To: 15, Nodes: []int32{1, 2}}, {From: 20, To: 30, Nodes: []int32{2}},
	}
	s, err := NewSite(p)
	if err != nil {
		t.Fatal(err)
	}
	// At 10 the first ends: 8 − 5 − 8 < 0 are left. At 20 the second: nothing else. At 12
	// the third: the second still takes 5 of 8. At 10 the fourth: node 3 is still taken by
	// the fifth, and node 1 by the sixth, which begins just then.
	for i, want := range [][3]int32{{6, 0, 0}, {5, 0, 5}, {8, 0, 3}, {6, 1, 0}, {2, 1, 2}, {8, 1, 8}, {4, 1, 4}} {
		c := &p.Calendar[i]
		procs, cluster := s.Takes(c)
		if got := [3]int32{procs, cluster, s.Returns(c, c.To)}; got != want {
			t.Errorf("entry %d: processors, cluster and what comes back are %v instead of %v", i, got, want)
		}
	}
}

// Intent: claims of several nodes share memory that does not grow with their number,
// and a claim stays what it was.
func TestClaimsAreBounded(t *testing.T) {
	p := &model.Platform{Clusters: []model.Cluster{{Name: "farm", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 6, Procs: 4, Speed: 1}}}}}
	s, err := NewSite(p)
	if err != nil {
		t.Fatal(err)
	}
	pool := s.NewPool()
	need := s.Need(&model.Job{Procs: 18, Limit: 1}, nil)
	first, ok := pool.Place(&need)
	if !ok {
		t.Fatal("it does not fit")
	}
	was := slices.Clone(first.Parts)
	for range 5 * chunk {
		c, ok := pool.Place(&need)
		if !ok || !slices.Equal(c.Parts, was) {
			t.Fatalf("%v instead of %v", c.Parts, was)
		}
		c.Parts[0].Procs = -1 // nobody else has this one
	}
	if !slices.Equal(first.Parts, was) || cap(s.parts) > chunk {
		t.Errorf("%v instead of %v, and room for %d parts", first.Parts, was, cap(s.parts))
	}
}
