package draft

import (
	"slices"
	"testing"

	"batchlab/core/experiment"
)

// Intent: partitions, QOS and accounts are sections of their own, said in a few words
// while closed, and not there where the platform has none.
func TestSharedSections(t *testing.T) {
	s, _ := opened(t)
	there := func() (list []string) {
		for _, one := range s.Sections("platform") {
			if slices.Contains([]string{"partitions", "qos", "accounts"}, one.Key) {
				list = append(list, one.Title+": "+one.Sum)
			}
		}
		return list
	}
	if got := there(); got != nil {
		t.Errorf("%v", got)
	}
	s.Change(func(e *experiment.Experiment) {
		group := int64(1)
		e.Platform = experiment.Platform{
			Clusters: []experiment.Cluster{{Name: "a", Packing: "nodes", Groups: []experiment.NodeGroup{{Count: 5, Processors: 4, Speed: 1}, {Count: 3, Processors: 4, Speed: 1}}}},
			Partitions: []experiment.Partition{{Name: "batch", Nodes: []experiment.NodeSpan{{First: 2}}, Tier: 1, Priority: 1, Preempt: "default"},
				{Name: "gpu", Nodes: []experiment.NodeSpan{{Group: &group, Count: 2}}, QOS: "low", Tier: 1, Priority: 1, Preempt: "default"}},
			QOS:      []experiment.QOS{{Name: "high", Preempts: []string{"low"}, Preempt: "default"}, {Name: "low", Preempt: "default"}},
			Accounts: []experiment.Account{{Number: 1, Shares: 1}, {Number: 2, Parent: 1, Shares: 1}, {Number: 3, Parent: 2, Shares: 1}, {Number: 4, Shares: 1}, {Number: 5, Shares: 1}},
		}
	})
	if got, want := there(), []string{"Partitions: batch, gpu", "QOS: high, low", "Accounts: 5"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	p := &s.Settings.Platform
	if a, b := machinesOf(p, p.Partitions[0].Nodes), machinesOf(p, p.Partitions[1].Nodes); a != 6 || b != 2 {
		t.Errorf("%d and %d machines", a, b)
	}
	// What is renamed or goes is followed by what names it.
	s.SetCell("qos", 1, "name", "slow")
	s.SetCell("accounts", 0, "number", "9")
	s.SetCell("partitions", 0, "limits.user_jobs", "7")
	s.RemoveRow("accounts", 1)
	s.RemoveRow("partitions", 0)
	p = &s.Settings.Platform
	if p.Partitions[0].QOS != "slow" || p.QOS[0].Preempts[0] != "slow" || p.Accounts[1].Parent != 9 || p.Partitions[0].Number != 2 {
		t.Errorf("%+v", p)
	}
	s.RemoveRow("qos", 1)
	if p = &s.Settings.Platform; p.Partitions[0].QOS != "" || len(p.QOS[0].Preempts) != 0 || s.Settings.Validate() != nil {
		t.Errorf("%+v, %v", p, s.Settings.Validate())
	}
}
