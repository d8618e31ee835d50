//go:build !small

package lab

import (
	"fmt"
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/workload"
)

// guard gives a repetition's platform the outages, failures and limits of the
// document; p is nil where only a number of processors is known. It fails,
// naming the place, on a cluster or machine that is not there.
func (p *Prepared) guard(w *model.Workload, platform *model.Platform, r int) (*model.Platform, error) {
	d := &p.doc.Platform
	if !d.Guarded() {
		return platform, nil
	}
	if platform == nil {
		platform = model.OneCluster(w.Processors)
	}
	for i := range d.Outages {
		entry, err := outage(&d.Outages[i], platform)
		if err != nil {
			return nil, experiment.Error{Path: fmt.Sprintf("platform.outages[%d]", i), Code: experiment.CodeOutage, Message: err.Error()}
		}
		platform.Calendar = append(platform.Calendar, entry)
	}
	if d.Failures != nil {
		first, last := w.Span()
		longest := model.Time(0)
		for j := range w.Jobs {
			longest = max(longest, w.Jobs[j].Limit)
		}
		list, err := workload.Failures(d.Failures.Key, paramMap(d.Failures.Params), platform, first, last+longest, workload.Streams(p.doc.Seed, r))
		if err != nil {
			return nil, experiment.Error{Path: "platform.failures", Code: experiment.CodeFailures, Message: err.Error()}
		}
		platform.Calendar = append(platform.Calendar, list...)
	}
	platform.Limits.UserProcs = int32(d.Limits.UserProcessors)
	for _, c := range d.Limits.Classes {
		if c.Whole {
			continue // a quota, made beside those of partitions
		}
		platform.Limits.Classes = append(platform.Limits.Classes, model.LimitClass{LongerThan: model.Time(c.LongerThan), Share: c.Share})
	}
	return platform, nil
}

// outage makes an entry of the calendar.
func outage(o *experiment.Outage, platform *model.Platform) (model.CalendarEntry, error) {
	entry := model.CalendarEntry{Kind: model.KindFailure, Name: o.Name, From: model.Time(o.From), To: model.Time(o.To)}
	if o.Announced {
		entry.Kind = model.KindOutage
	}
	at := slices.IndexFunc(platform.Clusters, func(c model.Cluster) bool { return c.Name == o.Cluster })
	if o.Cluster == "" && len(platform.Clusters) == 1 {
		at = 0
	}
	if at < 0 {
		return entry, fmt.Errorf("unknown cluster %q", o.Cluster)
	}
	cluster := &platform.Clusters[at]
	entry.Cluster = int32(at)
	if cluster.Packing == model.PackProcessors {
		entry.Procs = int32(o.Procs)
		if o.Procs == 0 {
			entry.Procs = int32(cluster.Procs())
		}
		if len(o.Nodes) > 0 || int(o.Procs) > cluster.Procs() {
			return entry, fmt.Errorf("cluster %q only counts its %d processors", cluster.Name, cluster.Procs())
		}
		return entry, nil
	}
	var nodes []int32 // of the cluster
	for i, n := range platform.Nodes() {
		if int(n.Cluster) == at {
			nodes = append(nodes, int32(i))
		}
	}
	entry.Nodes = nodes
	if len(o.Nodes) > 0 {
		entry.Nodes = nil
		for _, k := range o.Nodes {
			if k >= int64(len(nodes)) {
				return entry, fmt.Errorf("there is no machine %d in cluster %q, which has 0 to %d", k, cluster.Name, len(nodes)-1)
			}
			entry.Nodes = append(entry.Nodes, nodes[k])
		}
		slices.Sort(entry.Nodes)
		entry.Nodes = slices.Compact(entry.Nodes)
	}
	return entry, nil
}
