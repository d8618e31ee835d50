package experiment

import (
	"fmt"

	"batchlab/core/catalog"
)

// Limits on outages and limits in a document.
const (
	MaxOutages = 10_000
	MaxClasses = 20
	maxOutage  = 100 * 366 * 86400 // seconds that an outage may last
)

// Outage takes machines, or processors of a cluster that is only counted, away
// for a time.
type Outage struct {
	Name      string // for people
	From, To  int64  // seconds of the log's own time
	Cluster   string // "": the only one
	Nodes     []int64
	Procs     int64 // of a counted cluster; 0: all
	Announced bool  // schedulers know of it in advance, and no job is killed
}

// Limits guard the use of each cluster.
type Limits struct {
	UserProcessors int64 // one user's jobs, at a time; 0: no limit
	Classes        []LimitClass
}

// LimitClass bounds what jobs with long requests hold together.
type LimitClass struct {
	LongerThan int64   // seconds of requested time
	Share      float64 // of each cluster's processors
	Whole      bool    // of the processors of all clusters together instead
}

// Guarded says whether the platform has outages, failures, limits, partitions and the
// like, which only the engine of machines knows.
func (p *Platform) Guarded() bool {
	return len(p.Outages) > 0 || p.Failures != nil || p.Limited() || p.Shared()
}

// Limited says whether the platform has limits of its own.
func (p *Platform) Limited() bool {
	return p.Limits.UserProcessors > 0 || len(p.Limits.Classes) > 0
}

// Guards returns a platform with nothing but the outages, failures, limits,
// partitions, QOS, accounts, reservations and rules of booking of p.
func (p *Platform) Guards() Platform {
	return Platform{Outages: p.Outages, Failures: p.Failures, Limits: p.Limits, Reservations: p.Reservations, Booking: p.Booking,
		Partitions: p.Partitions, QOS: p.QOS, Accounts: p.Accounts}
}

// visitGuards visits outages, failures and limits. All of it is younger than
// version 1 of the document.
func (p *Platform) visitGuards(g *group) {
	visitList(g, "outages", &p.Outages, MaxOutages, (*Outage).visit)
	object(g, "failures", &p.Failures, generators("generator of failures", catalog.FailureKeys, catalog.FindFailures))
	g.later("limits", func(g *group) {
		g.field(&p.Limits.UserProcessors, row{Key: "user_processors", Name: "Most of one user", Max: MaxProcessors, Unit: "processors", Empty: "no limit",
			Help: "Most processors of a cluster that the jobs of one user hold at a time. Empty: no limit."})
		visitList(g, "classes", &p.Limits.Classes, MaxClasses, (*LimitClass).visit)
	})
	if g.checks() {
		for i := range p.Outages {
			p.checkOutage(g, i)
		}
	}
}

func (o *Outage) visit(g *group) {
	g.field(&o.Name, row{Key: "name", Name: "Name", Type: catalog.Words, Most: MaxName, Empty: "outage", Help: "What it is called on the Gantt chart"})
	g.field(&o.From, row{Key: "from", Name: "From", Type: catalog.Moment, Required: true,
		Help: "When it begins, from the start of the log, as 8d 9h; or the first Tue 09:00, or a date, where the log says when it began"})
	g.field(&o.To, row{Key: "to", Name: "To", Type: catalog.Moment, Required: true, Help: "When the machines are back"})
	g.field(&o.Cluster, row{Key: "cluster", Name: "Cluster", Type: catalog.Words, Most: MaxName, Empty: "the only one", Help: "Its name; empty where there is one only"})
	g.field(&o.Nodes, row{Key: "nodes", Name: "Machines", Type: catalog.Ints, Max: MaxMachines, Most: MaxMachines, Empty: "all",
		Help: "Names of machines: cluster and number, as farm3, or farm3-6. Empty: all of the cluster"})
	g.field(&o.Procs, row{Key: "processors", Name: "Processors", Max: MaxProcessors, Empty: "all", Help: "Of a cluster that only counts them. Empty: all"})
	g.field(&o.Announced, row{Key: "announced", Name: "Kind", Type: catalog.Bool, Later: true, Help: "Whether schedulers know of it in advance", Options: []catalog.Option{
		{Key: "failure", Name: "failure", Help: "Schedulers do not know of it: jobs that run there are stopped and start again from the beginning"},
		{Key: "announced", Name: "known", Help: "Schedulers know of it in advance: no job starts that would run into it"}}})
	switch {
	case !g.checks():
	case o.To <= o.From:
		g.fault("to", fmt.Sprintf("must be later than from, %d", o.From))
	case o.To-o.From > maxOutage:
		g.fault("to", fmt.Sprintf("must be at most a hundred years later than from, %d: machines that never come back are not part of the platform", o.From))
	case o.Procs > 0 && len(o.Nodes) > 0:
		g.fault("processors", "cannot stand beside nodes")
	}
}

func (c *LimitClass) visit(g *group) {
	g.field(&c.LongerThan, row{Key: "longer_than", Name: "Longer than", Type: catalog.Seconds, Required: true, Max: MaxInteger, Help: "Requested time"})
	share := shareRow
	share.Name, share.Help = "At most", "Share of the processors of each cluster, from 0 to 1"
	g.field(&c.Share, share)
	g.field(&c.Whole, row{Key: "whole", Type: catalog.Bool, Later: true, Help: "Of the processors of all clusters together instead."})
}

// checkOutage checks an outage against the clusters of the document. What a
// generator makes is not known yet: there the run says it.
func (p *Platform) checkOutage(g *group, i int) {
	o := &p.Outages[i]
	fault := func(key, message string) { g.c.add(g.at(), join(index(join(g.path, "outages"), i), key), message) }
	if len(p.Clusters) == 0 {
		switch {
		case p.Generator != nil:
		case o.Cluster != "":
			fault("cluster", "unknown cluster "+quote(o.Cluster)+": the platform is one cluster without a name")
		case len(o.Nodes) > 0:
			fault("nodes", "the platform only counts processors: give a number of processors, or clusters with machines")
		case p.Processors > 0 && o.Procs > p.Processors:
			fault("processors", fmt.Sprintf("must be at most %d, which the platform has, not %d", p.Processors, o.Procs))
		}
		return
	}
	cluster, problem := p.cluster(o.Cluster)
	if cluster == nil {
		fault("cluster", problem)
		return
	}
	machines, procs := int64(0), int64(0)
	for _, n := range cluster.Groups {
		machines += n.Count
		procs += n.Count * n.Processors
	}
	counted := cluster.Packing == "processors"
	switch {
	case counted && len(o.Nodes) > 0:
		fault("nodes", "cluster "+quote(cluster.Name)+" only counts processors: give a number of them")
	case !counted && o.Procs > 0:
		fault("processors", "cluster "+quote(cluster.Name)+" has machines: name them in nodes")
	case counted && o.Procs > procs:
		fault("processors", fmt.Sprintf("must be at most %d, which cluster %s has, not %d", procs, quote(cluster.Name), o.Procs))
	}
	for k, n := range o.Nodes {
		if n >= machines {
			g.c.add(g.at(), index(join(index(join(g.path, "outages"), i), "nodes"), k), fmt.Sprintf("there is no machine %d in cluster %s, which has 0 to %d", n, quote(cluster.Name), machines-1))
		}
	}
}
