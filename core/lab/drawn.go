//go:build !small

package lab

import (
	"encoding/hex"
	"fmt"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/sum"
	"batchlab/core/workload"
)

// Drawn returns the experiment with what was drawn for a repetition written out:
// machines, licences and failures in its platform, and deadlines, reservations
// and needs of single jobs in a file of annotations called name, which it names
// by its hash; nil where no job needs anything. Run with that file and the same
// log, repetition 0 gives the same schedules: Drawn(0) has the digest of the
// first repetitions, one of each scheduler. The error says what a document cannot
// hold.
func (p *Prepared) Drawn(repetition int, name string) (doc *experiment.Experiment, needs []byte, err error) {
	r, err := p.repetition(repetition)
	if err != nil {
		return nil, nil, err
	}
	doc = p.doc.Clone()
	doc.Expect, doc.Trace = "", ""
	for i := range doc.Schedulers {
		doc.Schedulers[i].Repeat = 1
	}
	writePlatform(&doc.Platform, r)
	onDue := doc.Workload.Annotate.Deadlines.OnDue
	doc.Workload.Annotate = experiment.New().Workload.Annotate
	doc.Workload.Annotate.Deadlines.OnDue = onDue
	if needs, err = workload.AppendNeeds(nil, r.workload, r.machines()); err != nil {
		return nil, nil, err
	}
	if needs != nil {
		sum := sum.Of(needs)
		doc.Workload.Annotate.File = &experiment.Log{Name: name, SHA256: hex.EncodeToString(sum[:]), Size: int64(len(needs))}
	}
	if err := doc.Validate(); err != nil {
		return nil, nil, fmt.Errorf("what was drawn does not fit a document: %w", err)
	}
	return doc, needs, nil
}

// writePlatform writes a repetition's machines and calendar into the platform of
// a document, in the place of what made them. Requests for reservations stay:
// they are jobs beside those of the log.
func writePlatform(d *experiment.Platform, r *prepared) {
	p := r.machines()
	if d.Generator == nil && len(d.Clusters) == 0 {
		d.Processors = int64(r.workload.Processors)
	} else {
		d.Generator, d.Clusters, d.Licences = nil, nil, nil
		for i := range p.Clusters {
			c := &p.Clusters[i]
			cluster := experiment.Cluster{Name: c.Name, Packing: packings[c.Packing]}
			for k := range c.Groups {
				g := &c.Groups[k]
				speed := g.Speed
				if speed == 0 {
					speed = 1
				}
				cluster.Groups = append(cluster.Groups, experiment.NodeGroup{
					Count: int64(g.Count), Processors: int64(g.Procs), Memory: g.Mem, Disk: g.Disk, GPUs: int64(g.GPUs), Speed: speed, Licences: g.Licences, Properties: g.Properties,
				})
			}
			d.Clusters = append(d.Clusters, cluster)
		}
		for _, l := range p.Activated() {
			if l.Copies > 0 { // others are named by their machines
				d.Licences = append(d.Licences, experiment.Licence{Name: l.Name, Copies: int64(l.Copies)})
			}
		}
	}
	d.Failures, d.Outages = nil, nil
	first := firstNodes(p)
	for i := range p.Calendar {
		c := &p.Calendar[i]
		o := experiment.Outage{Name: c.Name, From: int64(c.From), To: int64(c.To), Procs: int64(c.Procs), Announced: c.Kind == model.KindOutage}
		if len(d.Clusters) > 0 {
			o.Cluster = p.Clusters[c.Cluster].Name
		}
		for _, n := range c.Nodes {
			o.Nodes = append(o.Nodes, int64(n-first[c.Cluster]))
		}
		d.Outages = append(d.Outages, o)
	}
}

// firstNodes returns the first node of each cluster.
func firstNodes(p *model.Platform) []int32 {
	first := make([]int32, len(p.Clusters))
	nodes := p.Nodes()
	for i := len(nodes) - 1; i >= 0; i-- {
		first[nodes[i].Cluster] = int32(i)
	}
	return first
}
