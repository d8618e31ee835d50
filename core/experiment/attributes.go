package experiment

import (
	"fmt"
	"slices"

	"batchlab/core/catalog"
)

// Limits on attributes of jobs.
const (
	MinWeight   = 0.001
	MaxWeight   = 1_000_000
	MaxSetup    = 31 * 86400 // seconds
	MaxEligible = 20         // rules
	MaxNeeds    = 20         // rules
	MaxGPUs     = 1000       // of a machine
	maxOn       = 200        // names of a rule or a job
)

// Weight, set-up time and eligibility are the attributes that jobs have in J. Skrinarova
// et al. (2013) beside the due date.

func (r *WeightRule) visit(g *group) {
	g.field(&r.Min, row{Key: "min", Name: "Weight from", Type: catalog.Number, Min: MinWeight, Max: MaxWeight, Default: 1.0, Help: "Smallest weight of a job's tardiness; drawn uniformly."})
	g.field(&r.Max, row{Key: "max", Name: "Weight to", Type: catalog.Number, Min: MinWeight, Max: MaxWeight, Default: 1.0, Help: "Largest weight. 1 and 1: all jobs weigh the same."})
	if g.checks() && r.Max < r.Min {
		g.fault("max", "must be at least min, "+writeReal(r.Min)+", not "+writeReal(r.Max))
	}
}

func (r *SetupRule) visit(g *group) {
	g.field(&r.Min, row{Key: "min", Name: "Set-up from", Type: catalog.Seconds, Unit: "s", Max: MaxSetup,
		Help: "Shortest set-up time (loading libraries, moving data), added to run and requested time; drawn uniformly."})
	g.field(&r.Max, row{Key: "max", Name: "Set-up to", Type: catalog.Seconds, Unit: "s", Max: MaxSetup, Help: "Longest set-up time of a job. 0: none."})
	if g.checks() && r.Max < r.Min {
		g.fault("max", fmt.Sprintf("must be at least min, %d, not %d", r.Min, r.Max))
	}
}

func (r *NeedRule) visit(g *group) {
	g.field(&r.Share, shareRow)
	g.field(&r.GPUs, row{Key: "gpus", Name: "GPUs", Max: MaxGPUs, Help: "Of each machine"})
	g.field(&r.Memory, row{Key: "memory", Name: "Memory", Type: catalog.Bytes, Max: MaxInteger, Empty: "none", Help: "Of each machine, in GB (1,000,000,000 bytes). Empty: none is asked for"})
	g.field(&r.Disk, row{Key: "disk", Name: "Disk", Type: catalog.Bytes, Max: MaxInteger, Empty: "none", Help: "Of each machine, in GB (1,000,000,000 bytes). Empty: none is asked for"})
	if g.checks() && r.GPUs == 0 && r.Memory == 0 && r.Disk == 0 {
		g.fault("", "must ask for gpus, memory or disk")
	}
}

// checkNeeds refuses rules for what a platform without machines cannot have.
func (e *Experiment) checkNeeds(g *group) {
	if !g.checks() || e.Platform.Generator != nil || slices.ContainsFunc(e.Platform.Clusters, func(c Cluster) bool { return c.Packing != "processors" }) {
		return
	}
	for i := range e.Workload.Annotate.Needs {
		g.c.add(g.at(), index("workload.annotate.needs", i), "the platform only counts processors: describe machines that have GPUs, memory or disk (platform.clusters)")
	}
}

func (r *EligibleRule) visit(g *group) {
	g.field(&r.On, row{Key: "on", Name: "Runs on", Type: catalog.Names, Required: true, Most: maxOn, Empty: "a name", Help: "Clusters, machines (cluster and number: farm3) or properties; one of them is enough"})
	if len(r.On) == 0 && g.checks() && (g.in == nil || g.in.get("on") != nil) {
		g.fault("on", "must name at least one cluster, machine or property")
	}
	share := shareRow
	share.Name, share.Help = "Share of the jobs", "From 0 to 1"
	g.field(&r.Share, share)
}

// optionalNames visits a list of names that may be null, which is its default:
// an empty list is not the same as none.
func (g *group) optionalNames(key string, p **[]string) {
	in := g.ask(key)
	if g.c.mode == reading {
		*p = nil
		if in == nil || in.kind == nullKind {
			return
		}
		*p = &[]string{}
	}
	if *p == nil {
		g.put(key, true, &node{kind: nullKind})
		return
	}
	if g.names(key, *p, MaxLicences); **p == nil {
		**p = []string{} // as a copy of it is
	}
	if g.c.mode == writing {
		list := &node{kind: arrayKind}
		for _, name := range **p {
			list.items = append(list.items, textNode(name))
		}
		g.write(key, list)
	}
}

// Stops says whether jobs are stopped at their deadlines.
func (a *Annotate) Stops() bool { return a.Deadlines.OnDue == "kill" }

// Drawn says whether weights, set-up times or eligibility are drawn at random.
func (a *Annotate) Drawn() bool {
	return a.Weights.Max > a.Weights.Min || a.Setup.Max > a.Setup.Min || len(a.Eligible) > 0 || len(a.Needs) > 0
}

func cloneNames(p *[]string) *[]string {
	if p == nil {
		return nil
	}
	list := slices.Clone(*p)
	if list == nil {
		list = []string{}
	}
	return &list
}
