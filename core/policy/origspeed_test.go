package policy

import (
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// plainOrigSpeed is Orig-BF on machines of unequal speed, each job within one of
// them, second by second: whatever is placed at an instant is booked for as long
// as on the slowest of the cluster, what runs until its request is over where it
// runs.
type plainOrigSpeed struct {
	plainOrig
	where map[model.JobID]model.Claim
}

func (p *plainOrigSpeed) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.order(v); p.where == nil {
		p.where = map[model.JobID]model.Claim{}
	}
	const horizon = 4000
	free, slowest := make([][]int32, len(v.Site.Nodes)), map[int32]float64{}
	for k := range v.Site.Nodes { // the slowest stands last
		n := &v.Site.Nodes[k]
		slowest[n.Cluster] = n.Speed
		for range horizon {
			free[k] = append(free[k], n.Procs)
		}
	}
	take := func(k int, procs int32, from, to model.Time) {
		for t := from; t < to; t++ {
			free[k][t] -= procs
		}
	}
	for _, r := range p.runs {
		if r.to >= 0 {
			continue
		}
		for k := range v.Site.Nodes {
			if v.Site.Nodes[k].Index == p.where[r.job].Parts[0].Node {
				take(k, v.Jobs[r.job].Procs, 0, r.from+model.Scaled(v.Jobs[r.job].Limit, v.Site.Nodes[k].Speed)-v.Now)
			}
		}
	}
	left := p.wait[:0:0]
	for _, j := range p.wait {
		job := &v.Jobs[j]
		at, on := model.Time(0), -1
		for ; on < 0; at++ {
			for k := range free {
				n, fits := &v.Site.Nodes[k], true
				for t := at; t < at+model.Scaled(job.Limit, slowest[n.Cluster]) && fits; t++ {
					fits = free[k][t] >= job.Procs
				}
				if fits && (on < 0 || n.Cluster < v.Site.Nodes[on].Cluster) {
					on = k
				}
			}
		}
		at--
		n := &v.Site.Nodes[on]
		if at == 0 || v.Now-job.Submit >= p.Threshold {
			take(on, job.Procs, at, at+model.Scaled(job.Limit, slowest[n.Cluster]))
		}
		if at > 0 {
			left = append(left, j)
			continue
		}
		claim := model.Claim{Cluster: n.Cluster, Parts: []model.Part{{Node: n.Index, Procs: job.Procs}}}
		p.where[j] = claim
		p.runs = append(p.runs, plainRun{j, v.Now, -1})
		out = append(out, sim.Decision{Job: j, Claim: claim})
	}
	p.wait = left
	return out
}

// On random machines of unequal speed every job starts when the rules say it,
// since all that is placed at an instant is looked for and booked for the same
// length, and no machine is over-allocated.
func TestOrigBFReckonsWithTheSlowest(t *testing.T) {
	scaled := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 31))
		p := &model.Platform{PowerScales: true}
		most := int32(0)
		for range 1 + rng.IntN(2) {
			c := model.Cluster{Name: string(rune('a' + len(p.Clusters))), Packing: model.PackMachine}
			for range 2 + rng.IntN(2) {
				c.Groups = append(c.Groups, model.NodeGroup{Count: 1, Procs: int32(1 + rng.IntN(4)), Speed: float64(1 + rng.IntN(3))})
				most = max(most, c.Groups[len(c.Groups)-1].Procs)
			}
			p.Clusters = append(p.Clusters, c)
		}
		w, at := &model.Workload{}, 0
		for i := range 4 + rng.IntN(22) {
			at += rng.IntN(8)
			limit := 1 + rng.IntN(30)
			w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: model.Time(at), Limit: model.Time(limit), Procs: 1 + rng.Int32N(most), User: rng.Int32N(3)})
			w.Truth = append(w.Truth, model.Truth{Run: model.Time(1 + rng.IntN(limit+5))})
		}
		options := OrigBF{Halve: model.Time(rng.IntN(3) * 30)}
		if rng.IntN(3) == 0 {
			options.Threshold = model.Time(rng.IntN(40))
		}
		want := origRun(t, w, p, &plainOrigSpeed{plainOrig: plainOrig{OrigBF: options}})
		s := options
		if got := origRun(t, w, p, &s); !slices.Equal(got, want) {
			t.Fatalf("seed %d, %+v\n%+v: %v\nwant %v", seed, p.Clusters, w.Jobs, got, want)
		}
		for i := range want {
			if want[i].End-want[i].Start < w.Executed(want[i].Job) {
				scaled++
			}
		}
	}
	if scaled < 1000 {
		t.Errorf("only %d jobs ran on a faster machine", scaled)
	}
}

// An example that fits on paper, on a fast machine and a slow one of two
// processors each. At 1 job 3 starts on the fast one, where it is done at 11, but
// it is counted with until 21, as on the slow one. So job 4 is reserved on the
// slow machine from 15 on, when job 2 is done there, and job 5, which would hold
// one of its processors until 21, waits. When job 3 has ended, both start.
func TestOrigBFReckonsWithTheSlowestByHand(t *testing.T) {
	p := &model.Platform{PowerScales: true, Clusters: []model.Cluster{{Name: "c", Packing: model.PackMachine, Groups: []model.NodeGroup{{Count: 1, Procs: 2, Speed: 2}, {Count: 1, Procs: 2, Speed: 1}}}}}
	w := &model.Workload{}
	for i, j := range []struct{ submit, limit, procs int }{{0, 2, 2}, {0, 15, 1}, {1, 20, 2}, {1, 10, 2}, {1, 20, 1}} {
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: model.Time(j.submit), Limit: model.Time(j.limit), Procs: int32(j.procs), User: int32(min(i, 2))})
		w.Truth = append(w.Truth, model.Truth{Run: model.Time(j.limit)})
	}
	var got []model.Time
	for _, e := range origRun(t, w, p, NewOrigBF()) {
		got = append(got, e.Start)
	}
	if want := []model.Time{0, 0, 1, 11, 11}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
