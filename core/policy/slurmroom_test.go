package policy_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
	"batchlab/core/slurm"
)

// slurmShares gives a platform partitions and QOS, jobs some of them, and a controller a
// way to preempt.
func slurmShares(r *rand.Rand, w *model.Workload, p *model.Platform, par *slurm.Params) {
	p.Partitions = []model.Partition{{Name: "low", Tier: 1}, {Name: "mid", Tier: int32(1 + r.IntN(3))}, {Name: "high", Tier: 9, Preempt: model.Preemption(r.IntN(5))}}
	p.QOS = []model.QOS{{Name: "poor", Preempt: model.Preemption(r.IntN(5))}, {Name: "rich", Priority: 5, Preempts: []int32{0}}}
	for i := range w.Jobs {
		d := model.Demand{QOS: r.Int32N(3)}
		if k := r.Int32N(3); r.IntN(2) == 0 {
			d.Partitions = []int32{k, (k + 1) % 3}
		} else {
			d.Partitions = []int32{k}
		}
		w.Demands = append(w.Demands, d)
		w.Jobs[i].Demand = int32(len(w.Demands))
	}
	par.PreemptQOS, par.PreemptMode = true, slurm.Mode(1+r.IntN(4))
	if r.IntN(2) == 0 {
		par.PreemptQOS, par.PreemptPartition = false, true
	}
	par.RequeueWait, par.PreemptExempt, par.YoungestOrder = 121, r.Int64N(3)*100, r.IntN(2) == 0
}

// slurmPlaces simulates, and says of each job when it ran and on which nodes.
func slurmPlaces(t *testing.T, s *policy.Slurm, w *model.Workload, p *model.Platform) string {
	t.Helper()
	var m sim.Simulator
	schedule, err := m.Run(w, p, s, sim.Options{})
	if err == nil {
		err = schedule.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for i := range schedule.Executions {
		e := &schedule.Executions[i]
		one := fmt.Sprintf("%d: %d-%d", w.Jobs[e.Job].Number, e.Start, e.End)
		if e.Claim > 0 {
			for _, part := range schedule.Claims[e.Claim-1].Parts {
				one += fmt.Sprintf(" n%d", part.Node)
			}
		}
		list = append(list, one)
	}
	return strings.Join(list, ", ")
}

// Intent: by hand. Job 1, of the poor, has all processors from 3 on (batch_sched_delay).
// Job 2, of those who preempt it, comes at 10, and with it a pass.
//
// Requeued: job 1 is stopped at 10, its nodes are free at 11, which asks for a pass: 3 s
// after the last one job 2 starts, until 113. Job 1 may start from 10 + 121 on; nothing
// happens then, so it waits for the cycle at 150.
//
// Cancelled: the same, and job 1 never runs again.
//
// Suspended: job 2 starts at 10 on the same processors, and at 110 job 1 goes on with the
// 493 of its 500 s that are left.
//
// A QOS or a partition whose own way is off is left alone: job 2 waits until 503.
func TestSlurmPreempts(t *testing.T) {
	nodes := &model.Platform{Clusters: []model.Cluster{{Name: "n", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 2, Procs: 2, Speed: 1}}}}}
	for _, c := range []struct {
		mode slurm.Mode
		own  model.Preemption
		want string
	}{
		{slurm.ModeRequeue, model.PreemptDefault, "1: 3-10, 1: 150-650, 2: 13-113"},
		{slurm.ModeOff, model.PreemptRequeue, "1: 3-10, 1: 150-650, 2: 13-113"},
		{slurm.ModeCancel, model.PreemptDefault, "1: 3-10, 1: -1--1, 2: 13-113"},
		{slurm.ModeSuspend, model.PreemptDefault, "1: 3-10, 1: 110-603, 2: 10-110"},
		{slurm.ModeRequeue, model.PreemptOff, "1: 3-503, 2: 503-603"},
	} {
		for _, qos := range []bool{true, false} {
			for k, p := range []*model.Platform{model.OneCluster(4), nodes} {
				w := slurmJobs([4]int{0, 1000, 500, 4}, [4]int{10, 100, 100, 4})
				own := *p
				own.QOS = []model.QOS{{Name: "poor", Preempt: c.own}, {Name: "rich", Preempts: []int32{0}}}
				own.Partitions = []model.Partition{{Name: "low", Tier: 1, Preempt: c.own}, {Name: "high", Tier: 2}}
				w.Demands = []model.Demand{{QOS: 1, Partitions: []int32{0}}, {QOS: 2, Partitions: []int32{1}}}
				w.Jobs[0].Demand, w.Jobs[1].Demand = 1, 2
				par := slurm.Defaults(2205)
				par.Select, par.PreemptQOS, par.PreemptPartition, par.PreemptMode = slurm.ConsTRES, qos, !qos, c.mode
				got := slurmPlaces(t, &policy.Slurm{Params: par}, w, &own)
				if got = strings.NewReplacer(" n0", "", " n1", "").Replace(got); got != c.want {
					t.Errorf("mode %d, own %d, by QOS %v, platform %d: %s, on paper %s", c.mode, c.own, qos, k, got, c.want)
				}
			}
		}
	}
}

// Intent: by hand. Node 0 is partition a's, node 1 partition b's, of a higher tier. Job 1
// has node 0 until 103. Job 2 names both: it has node 1 at once. Job 3 names both, and has
// node 0 at 103, when job 1 has ended, since job 2 has node 1 until 203; job 4 is of a alone
// and stands behind it. Job 5 of b comes later than 4 and has node 1 at 203.
func TestSlurmSeveralPartitions(t *testing.T) {
	p := &model.Platform{Clusters: []model.Cluster{{Name: "n", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 2, Procs: 1, Speed: 1}}}},
		Partitions: []model.Partition{{Name: "a", Tier: 1, Nodes: []int32{0}}, {Name: "b", Tier: 9, Nodes: []int32{1}}}}
	w := slurmJobs([4]int{0, 100, 100, 1}, [4]int{0, 200, 200, 1}, [4]int{1, 50, 50, 1}, [4]int{2, 50, 50, 1}, [4]int{3, 50, 50, 1})
	w.Demands = []model.Demand{{Partitions: []int32{0}, On: []int32{0}}, {Partitions: []int32{0, 1}}, {Partitions: []int32{0, 1}}, {Partitions: []int32{0}, On: []int32{0}}, {Partitions: []int32{1}, On: []int32{1}}}
	for i := range w.Jobs {
		w.Jobs[i].Demand = int32(i + 1)
	}
	par := slurm.Defaults(2205)
	par.Select = slurm.ConsTRES
	const want = "1: 3-103 n0, 2: 3-203 n1, 3: 103-153 n0, 4: 153-203 n0, 5: 203-253 n1"
	if got := slurmPlaces(t, &policy.Slurm{Params: par}, w, p); got != want {
		t.Errorf("%s, on paper %s", got, want)
	}
}

// Intent: where run times depend on the machine nobody can be suspended, and the refusal
// names who would: the parameter, a QOS, a partition.
func TestSlurmRefusesToSuspend(t *testing.T) {
	for _, c := range []struct {
		p    model.Platform
		par  func(*slurm.Params)
		want string
	}{
		{model.Platform{QOS: []model.QOS{{Name: "poor", Preempt: model.PreemptSuspend}}}, func(p *slurm.Params) { p.PreemptQOS = true }, "QOS poor"},
		{model.Platform{Partitions: []model.Partition{{Name: "low", Preempt: model.PreemptSuspend}}}, func(p *slurm.Params) { p.PreemptPartition = true }, "partition low"},
		{model.Platform{Partitions: []model.Partition{{Name: "low", Preempt: model.PreemptSuspend}}}, func(p *slurm.Params) { p.PreemptQOS = true }, ""},
		{model.Platform{}, func(p *slurm.Params) { p.PreemptQOS, p.PreemptMode = true, slurm.ModeSuspend }, "PreemptMode"},
		{model.Platform{}, func(p *slurm.Params) { p.PreemptMode = slurm.ModeSuspend }, ""},
	} {
		c.p.PowerScales = true
		c.p.Clusters = []model.Cluster{{Name: "n", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 2, Procs: 2, Speed: 2}}}}
		par := slurm.Defaults(2205)
		c.par(&par)
		var m sim.Simulator
		_, err := m.Run(slurmJobs([4]int{0, 10, 10, 2}), &c.p, &policy.Slurm{Params: par}, sim.Options{})
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, not %q", err, c.want)
		}
	}
}
