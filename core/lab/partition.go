//go:build !small

package lab

import (
	"cmp"
	"fmt"
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// shared gives the jobs of a repetition what the platform's partitions, QOS, accounts
// and limits of the whole platform say of them. It fails, naming the place, on machines
// that are not there.
func (p *Prepared) shared(w *model.Workload, platform *model.Platform, log *swf.Log) (*model.Workload, []report.Count, error) {
	w, counts, err := p.sharedOut(w, platform, log)
	if err == nil {
		w, err = p.whole(w, platform)
	}
	return w, counts, err
}

// sharedOut is shared without limits of the whole platform.
func (p *Prepared) sharedOut(w *model.Workload, platform *model.Platform, log *swf.Log) (*model.Workload, []report.Count, error) {
	d := &p.doc.Platform
	if !d.Shared() {
		return w, nil, nil
	}
	if err := p.share(platform); err != nil {
		return nil, nil, err
	}
	s := workload.Sharing{Overrun: p.doc.Workload.Clean.Overrun, Scale: p.doc.Workload.Scale.Time}
	for i := range d.Partitions {
		s.Partitions = append(s.Partitions, shareOf(d.Partitions[i].Number, i, &d.Partitions[i].Limits))
		if d.Partitions[i].Default {
			s.Default = int32(i) + 1
		}
	}
	for i := range d.QOS {
		s.QOS = append(s.QOS, shareOf(d.QOS[i].Number, i, &d.QOS[i].Limits))
	}
	for i := range d.Accounts {
		s.Accounts = append(s.Accounts, shareOf(d.Accounts[i].Number, i, &d.Accounts[i].Limits))
	}
	return workload.AskShares(w, log, platform, &s)
}

// whole has jobs of the classes that hold together a share of the whole platform need
// copies of a quota. It fails on jobs that alone would hold more.
func (p *Prepared) whole(w *model.Workload, platform *model.Platform) (*model.Workload, error) {
	for i, c := range p.doc.Platform.Limits.Classes {
		if !c.Whole {
			continue
		}
		class := model.LimitClass{LongerThan: model.Time(c.LongerThan), Share: c.Share}
		most, first, never := class.Procs(platform.Procs()), -1, 0
		for j := range w.Jobs {
			if workload.Long(w, model.JobID(j), &class) && w.Jobs[j].Procs > most {
				if never++; first < 0 {
					first = j
				}
			}
		}
		if never > 0 {
			return nil, overLimits(never, len(w.Jobs), &w.Jobs[first], most)
		}
		w = workload.AskWhole(w, platform, int32(i), &class)
	}
	return w, nil
}

// shareOf says how jobs name item i of a list, and its limits.
func shareOf(number int64, i int, q *experiment.Quotas) workload.Share {
	s := workload.Share{Number: cmp.Or(number, int64(i)+1)}
	for _, r := range experiment.QuotaRows {
		most := *r.At(q)
		if most == 0 {
			continue
		}
		l := workload.ShareLimit{Most: most, By: quotaBys[r.By], Job: r.By == "job", Time: r.Of == "time", Unit: model.Unit(max(0, slices.Index(quotaUnits, r.Of)))}
		if l.Unit == model.UnitMemory {
			l.Most >>= 20
		}
		s.Limits = append(s.Limits, l)
	}
	return s
}

var quotaBys = map[string]model.QuotaBy{"": model.QuotaAll, "job": model.QuotaAll, "user": model.QuotaUser, "group": model.QuotaGroup, "account": model.QuotaByAccount}

// quotaUnits are the words of documents for what limits count, by model.Unit.
var quotaUnits = []string{model.UnitProcs: "processors", model.UnitJobs: "jobs", model.UnitNodes: "nodes", model.UnitGPUs: "gpus", model.UnitMemory: "memory"}

// share puts the document's partitions, QOS and accounts into a platform.
func (p *Prepared) share(platform *model.Platform) error {
	d, nodes := &p.doc.Platform, platform.Nodes()
	qos := map[string]int32{}
	for i := range d.QOS {
		qos[d.QOS[i].Name] = int32(i) + 1
	}
	for i := range d.Partitions {
		part := &d.Partitions[i]
		out := model.Partition{
			Name: part.Name, MaxTime: model.Time(part.MaxTime), DefaultTime: model.Time(part.DefaultTime),
			Tier: int32(part.Tier), Priority: int32(part.Priority), QOS: qos[part.QOS], Preempt: preemption(part.Preempt),
		}
		out.Counts = slices.ContainsFunc(experiment.QuotaRows, func(r experiment.QuotaRow) bool { return r.By != "job" && *r.At(&part.Limits) != 0 })
		for k := range part.Nodes {
			span, err := spanNodes(&part.Nodes[k], platform, nodes)
			if err != nil {
				return experiment.Error{Path: fmt.Sprintf("platform.partitions[%d].nodes[%d]", i, k), Code: experiment.CodePartition, Message: err.Error()}
			}
			out.Nodes = append(out.Nodes, span...)
		}
		slices.Sort(out.Nodes)
		if out.Nodes = slices.Compact(out.Nodes); len(out.Nodes) == len(nodes) {
			out.Nodes = nil
		}
		platform.Partitions = append(platform.Partitions, out)
	}
	for i := range d.QOS {
		q := &d.QOS[i]
		out := model.QOS{Name: q.Name, Priority: int32(q.Priority), Preempt: preemption(q.Preempt)}
		for _, name := range q.Preempts {
			out.Preempts = append(out.Preempts, qos[name]-1)
		}
		platform.QOS = append(platform.QOS, out)
	}
	at := map[int64]int32{}
	for i := range d.Accounts {
		at[d.Accounts[i].Number] = int32(i) + 1
	}
	for i := range d.Accounts {
		a := &d.Accounts[i]
		out := model.Account{Number: int32(a.Number), Parent: at[a.Parent], Shares: int32(a.Shares)}
		for _, u := range a.Users {
			out.Users = append(out.Users, model.UserShare{User: int32(u.User), Shares: int32(u.Shares)})
		}
		platform.Accounts = append(platform.Accounts, out)
	}
	return nil
}

func preemption(word string) model.Preemption {
	return model.Preemption(max(0, slices.Index(experiment.Preemptions, word)))
}

// spanNodes are the machines of a part of a partition, by their index in the platform.
func spanNodes(s *experiment.NodeSpan, platform *model.Platform, nodes []model.Node) (list []int32, err error) {
	at := slices.IndexFunc(platform.Clusters, func(c model.Cluster) bool { return c.Name == s.Cluster })
	if s.Cluster == "" && len(platform.Clusters) == 1 {
		at = 0
	}
	if at < 0 {
		return nil, fmt.Errorf("unknown cluster %q", s.Cluster)
	}
	for i := range nodes {
		if int(nodes[i].Cluster) == at && (s.Group == nil || int(nodes[i].Group) == int(*s.Group)) {
			list = append(list, int32(i))
		}
	}
	cluster := &platform.Clusters[at]
	last := s.First + s.Count
	switch {
	case s.Count == 0:
		last = int64(len(list))
	case cluster.Packing == model.PackProcessors:
		return nil, fmt.Errorf("cluster %q only counts its %d processors", cluster.Name, cluster.Procs())
	}
	if s.First >= int64(len(list)) || last > int64(len(list)) {
		return nil, fmt.Errorf("there are no machines %d to %d: %d are there", s.First, last-1, len(list))
	}
	return list[s.First:last], nil
}
