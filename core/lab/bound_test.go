//go:build !small

package lab

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/swf"
)

// bound is what binds a job, computed from the document alone.
type bound struct {
	nodes  map[int32]bool // nil: all
	limits map[string]int64
	most   map[string]int64
	over   bool // it asks for more than one job may have
}

// numbered is by which number jobs name item i of a list.
func numbered(number int64, i int) int64 {
	if number > 0 {
		return number
	}
	return int64(i) + 1
}

// partsOf are the partitions of the document that job j names, in its order; one nil
// where it names none that is there.
func partsOf(d *experiment.Platform, l *swf.Log, w *model.Workload, j int) (list []*experiment.Partition) {
	if job := &w.Jobs[j]; job.Record >= 0 {
		rec, x := &l.Records[job.Record], &l.Extra[job.Record]
		names := []int64{int64(rec.PartitionNumber)}
		if len(x.Partitions) > 0 {
			names = nil
			for _, n := range x.Partitions {
				names = append(names, int64(n))
			}
		}
		for _, n := range names {
			for i := range d.Partitions {
				if n > 0 && numbered(d.Partitions[i].Number, i) == n && !slices.Contains(list, &d.Partitions[i]) {
					list = append(list, &d.Partitions[i])
				}
			}
		}
	}
	if list == nil && w.Jobs[j].Record >= 0 && l.Records[w.Jobs[j].Record].PartitionNumber <= 0 && len(l.Extra[w.Jobs[j].Record].Partitions) == 0 {
		for i := range d.Partitions {
			if d.Partitions[i].Default {
				list = append(list, &d.Partitions[i])
			}
		}
	}
	if list == nil {
		list = append(list, nil)
	}
	return list
}

// asksFor computes how much of what a limit counts a job asks for.
func asksFor(of string, job *model.Job, rec *swf.Record, x *swf.Extra, d *model.Demand, nodes []model.Node) int64 {
	var each model.Demand
	if d != nil {
		each = *d
	}
	machines := int64(x.Nodes)
	if machines == 0 {
		machines = int64(each.Nodes)
	}
	if machines == 0 {
		widest := int32(0)
		for _, n := range nodes {
			widest = max(widest, n.Procs)
		}
		for held := int32(0); held < job.Procs; held += widest {
			machines++
		}
	}
	switch of {
	case "jobs":
		return 1
	case "nodes":
		return machines
	case "gpus":
		if x.GPUs > 0 {
			return int64(x.GPUs)
		}
		return int64(each.GPUsPerNode) * machines
	case "memory":
		bytes := each.MemPerNode * machines
		if bytes == 0 {
			bytes = max(0, rec.RequestedMemory) * 1024 * int64(job.Procs)
		}
		mib := bytes / (1 << 20)
		if bytes%(1<<20) > 0 {
			mib++
		}
		return mib
	}
	return int64(job.Procs)
}

// boundOf computes what binds job j by docs/simulation-rules.md: its own partition is
// the first of those that it names in which it could run, and it may run on the machines
// of the others that bind it alike. Where what it asks for is not all in this reading, own
// says which of them may be its own.
func boundOf(d *experiment.Platform, l *swf.Log, w *model.Workload, nodes []model.Node, clusters []model.Cluster, j int, own func(b bound) bool) bound {
	list := partsOf(d, l, w, j)
	all := make([]bound, len(list))
	for i, part := range list {
		all[i] = boundIn(d, l, w, nodes, clusters, j, part)
		all[i].over = all[i].over || own == nil && !holdsAll(nodes, clusters, all[i].nodes, w.Jobs[j].Procs)
	}
	holds := func(part *experiment.Partition) bool {
		q := &part.Limits
		for _, row := range experiment.QuotaRows {
			if row.By != "job" && *row.At(q) > 0 {
				return true
			}
		}
		return false
	}
	for i, part := range list {
		b := all[i]
		for k, other := range list {
			if part == nil || k == i || b.nodes == nil || all[k].over || other.QOS != part.QOS || holds(part) || holds(other) {
				continue
			}
			if all[k].nodes == nil {
				b.nodes = nil
				continue
			}
			b.nodes = maps.Clone(b.nodes)
			maps.Copy(b.nodes, all[k].nodes)
		}
		if !b.over && (own == nil || own(b)) {
			return b
		}
	}
	return all[0]
}

// holdsAll says whether some machines could hold a job that asks for nothing but
// processors.
func holdsAll(nodes []model.Node, clusters []model.Cluster, on map[int32]bool, procs int32) bool {
	room, fits := map[int32]int32{}, on == nil
	for i, n := range nodes {
		if on[int32(i)] {
			if clusters[n.Cluster].Packing != model.PackNodes {
				room[n.Cluster] = 0
			}
			room[n.Cluster] += n.Procs
			fits = fits || room[n.Cluster] >= procs
		}
	}
	return fits
}

// special says whether a job asks for more than processors.
func special(p *model.Platform, w *model.Workload, j int) bool {
	d := w.Demand(model.JobID(j))
	return d != nil && (d.Reservation != nil || d.GPUsPerNode > 0 || d.MemPerNode > 0 || d.DiskPerNode > 0 || d.Nodes > 0 || len(p.Activates(d.Licences)) > 0)
}

// boundIn computes what binds job j in a partition.
func boundIn(d *experiment.Platform, l *swf.Log, w *model.Workload, nodes []model.Node, clusters []model.Cluster, j int, part *experiment.Partition) bound {
	job := &w.Jobs[j]
	b := bound{limits: map[string]int64{}, most: map[string]int64{}}
	if job.Record < 0 || w.Demand(model.JobID(j)) != nil && w.Demand(model.JobID(j)).Reservation != nil {
		return b
	}
	rec, x := &l.Records[job.Record], &l.Extra[job.Record]
	qosNumber := int64(x.QOS)
	if qosNumber == 0 {
		qosNumber = int64(rec.QueueNumber)
	}
	var order []*experiment.QOS
	for i := range d.QOS {
		if part != nil && part.QOS == d.QOS[i].Name {
			order = append([]*experiment.QOS{&d.QOS[i]}, order...)
		}
	}
	for i := range d.QOS {
		if numbered(d.QOS[i].Number, i) == qosNumber && (len(order) == 0 || order[0] != &d.QOS[i]) {
			order = append(order, &d.QOS[i])
		}
	}
	request := int64(job.Limit)
	if dm := w.Demand(model.JobID(j)); dm != nil {
		request -= int64(dm.Setup)
	}
	if part != nil && rec.RequestedTime <= 0 { // its partition says, else how long it ran
		if request = int64(w.Truth[j].Run); cmp.Or(part.DefaultTime, part.MaxTime) > 0 {
			request = cmp.Or(part.DefaultTime, part.MaxTime)
		}
	}
	add := func(of string, row experiment.QuotaRow, most, account int64) {
		who := map[string]string{"": "", "user": fmt.Sprint(job.User), "group": fmt.Sprint(job.Group), "account": fmt.Sprint(account)}[row.By]
		takes := asksFor(row.Of, job, rec, x, w.Demand(model.JobID(j)), nodes)
		if row.Of == "memory" {
			most /= 1 << 20
		}
		if row.By == "job" {
			b.over = b.over || row.Of == "time" && request > most || row.Of != "time" && takes > most
			return
		}
		b.over = b.over || takes > most
		key := of + " " + row.Key + " " + who
		b.limits[key], b.most[key] = takes, most
	}
	account := int64(-1)
	for _, a := range d.Accounts {
		if a.Number == int64(x.Account) {
			account = a.Number
		}
	}
	for _, row := range experiment.QuotaRows {
		if part != nil {
			if most := *row.At(&part.Limits); most > 0 {
				add("partition "+part.Name, row, most, account)
			}
		}
		said := false
		for _, q := range order {
			if most := *row.At(&q.Limits); most > 0 && !said {
				add("qos "+q.Name, row, most, account)
				said = true
			}
		}
		for up := account; up > 0 && !said; {
			next := int64(0)
			for _, a := range d.Accounts {
				if a.Number == up {
					if most := *row.At(&a.Limits); most > 0 {
						add(fmt.Sprint("account ", a.Number), row, most, account)
					}
					next = a.Parent
				}
			}
			up = next
		}
	}
	if part == nil {
		return b
	}
	b.over = b.over || part.MaxTime > 0 && request > part.MaxTime
	if len(part.Nodes) == 0 {
		return b
	}
	b.nodes = map[int32]bool{}
	for _, span := range part.Nodes {
		at, inCluster, inGroup := int64(-1), int64(0), map[int32]int64{}
		for i, n := range nodes {
			name := clusters[n.Cluster].Name
			if name != span.Cluster && (span.Cluster != "" || len(clusters) > 1) {
				continue
			}
			if at = inCluster; span.Group != nil {
				at = inGroup[n.Group]
			}
			if (span.Group == nil || int64(n.Group) == *span.Group) && at >= span.First && (span.Count == 0 || at < span.First+span.Count) {
				b.nodes[int32(i)] = true
			}
			inCluster++
			inGroup[n.Group]++
		}
	}
	return b
}
