package workload

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/swf"
)

// Jobs ask for nodes, processors, memory and names as their lines say; the
// platform's own names, host names and exclusions are understood; jobs that fit
// nowhere are left out, and what is not done as asked is counted with its line.
func TestAskNodes(t *testing.T) {
	p := &model.Platform{Clusters: []model.Cluster{
		{Name: "big", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 2, Procs: 8, Mem: 64}, {Count: 1, Procs: 4, Mem: 32, Properties: []string{"fast"}}}},
		{Name: "rest", Groups: []model.NodeGroup{{Count: 6, Procs: 1}}},
	}}
	specs := []struct {
		spec         string
		procs, mem   int
		nodes, per   int32
		on           []int32
		bytes        int64
		reason, gone string
	}{
		{spec: "1:ppn=4", procs: 4, nodes: 1, per: 4},
		{spec: "2:ppn=4:fast:cl_big", procs: 8, gone: "no-node"}, // one such node
		{spec: "1:ppn=4:fast", procs: 4, mem: 20, nodes: 1, per: 4, on: []int32{2}, bytes: 20},
		{spec: "1:ppn=4:fast", procs: 4, mem: 40, gone: "no-node"},
		{spec: "2:ppn=3:^big2.site.org", procs: 6, nodes: 2, per: 3, on: []int32{0, 2, 3}},
		{spec: "1:ppn=2:host=big2", procs: 2, nodes: 1, per: 2, on: []int32{1}},
		{spec: "big3.site.org:ppn=1", procs: 1, nodes: 1, per: 1, on: []int32{2}},
		{spec: "1:ppn=8:nodecpus8#excl", procs: 8, nodes: 1, per: 8, on: []int32{0, 1}, reason: "exclusive"},
		{spec: "1:ppn=1:purple", procs: 1, nodes: 1, per: 1, reason: "unknown-property"},
		{spec: "1:ppn=1+2:ppn=2", procs: 5, reason: "several-requests"},
		{spec: "1:ppn=1.5:cl_rest", procs: 1, nodes: 1, per: 1, on: []int32{3}},
		{spec: "2:ppn=2.5", procs: 5}, // no whole parts
	}
	var text bytes.Buffer
	for i, s := range specs {
		fmt.Fprintf(&text, "%d %d 0 60 %d 1 -1 %d 60 %d 1 1 1 1 1 1 -1 -1 {1} q %s\n", i, i, s.procs, s.procs, s.mem, s.spec)
	}
	l, err := swf.Parse(text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := FromLog(l, Options{Processors: 20})
	if err != nil {
		t.Fatal(err)
	}
	got, counts, err := AskNodes(w, l, p)
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string][]int{}
	for i, s := range specs {
		at := slices.IndexFunc(got.Jobs, func(j model.Job) bool { return j.Number == int64(i) })
		if reason := s.reason + s.gone; reason != "" {
			reasons[reason] = append(reasons[reason], i+1)
		}
		if s.gone != "" {
			if at >= 0 {
				t.Errorf("%s was kept", s.spec)
			}
			continue
		}
		d := got.Demand(model.JobID(at))
		if d.Nodes != s.nodes || d.PerNode != s.per || !slices.Equal(d.On, s.on) || d.MemPerNode != s.bytes {
			t.Errorf("%s: %+v", s.spec, d)
		}
	}
	seen := map[string][]int{}
	for _, c := range counts {
		seen[c.Reason] = c.Lines
		if c.Drops != (c.Reason == "no-node") || c.Jobs != len(c.Lines) {
			t.Errorf("%+v", c)
		}
	}
	if !reflect.DeepEqual(seen, reasons) {
		t.Errorf("%v, want %v", seen, reasons)
	}
	if same, counts, err := AskNodes(w, l, model.OneCluster(20)); same != w || counts != nil || err != nil {
		t.Error("something is asked of counted processors")
	}
}

// The real log fits on the clusters that it comes from, but for the jobs named.
func TestAskNodesCERIT(t *testing.T) {
	dir := os.Getenv("BATCHLAB_LOGS")
	if dir == "" {
		t.Skip("BATCHLAB_LOGS is not set: no real logs")
	}
	packed, err := os.ReadFile(filepath.Join(dir, "CERIT-SC-wagap-2013.alea21.swf.gz"))
	if err != nil {
		t.Skip(err)
	}
	text, err := swf.Gunzip(packed, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	l, err := swf.Parse(text)
	if err != nil || len(l.Alea) != 17898 {
		t.Fatal(err, len(l.Alea))
	}
	p, err := MachinesSeeded("cerit-sc", nil, 1, 0)
	if err != nil || p.Procs() != 2176 {
		t.Fatal(err, p.Procs())
	}
	w, _, err := FromLog(l, Options{Processors: int64(Widest(p))})
	if err != nil {
		t.Fatal(err)
	}
	got, counts, err := AskNodes(w, l, p)
	if err != nil || len(got.Jobs) != 17898 {
		t.Errorf("%d of %d jobs, %v, %v", len(got.Jobs), len(w.Jobs), counts, err)
	}
	t.Log(counts)
}
