package experiment

import (
	"fmt"
	"slices"
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

// noWeights is the rule that gives every job the weight 1.
var noWeights = WeightRule{Min: 1, Max: 1}

// visitAttributes visits the attributes that jobs have in J. Skrinarova et al.
// (2013) beside the due date: weight, set-up time and eligibility.
func (a *Annotate) visitAttributes(g *group) {
	in := g.ask("weights")
	if g.c.mode == reading {
		a.Weights = noWeights
	}
	g.addition("weights", in, a.Weights == noWeights && g.c.mode != reading, func(g *group) {
		g.real("min", &a.Weights.Min, noWeights.Min, MinWeight, MaxWeight)
		g.real("max", &a.Weights.Max, noWeights.Max, MinWeight, MaxWeight)
		if g.c.mode != writing && a.Weights.Max < a.Weights.Min {
			g.fault("max", "must be at least min, "+writeReal(a.Weights.Min)+", not "+writeReal(a.Weights.Max))
		}
	})
	in = g.ask("setup")
	if g.c.mode == reading {
		a.Setup = SetupRule{}
	}
	g.addition("setup", in, a.Setup == (SetupRule{}) && g.c.mode != reading, func(g *group) {
		g.integer("min", &a.Setup.Min, 0, span{0, MaxSetup})
		g.integer("max", &a.Setup.Max, 0, span{0, MaxSetup})
		if g.c.mode != writing && a.Setup.Max < a.Setup.Min {
			g.fault("max", fmt.Sprintf("must be at least min, %d, not %d", a.Setup.Min, a.Setup.Max))
		}
	})
	visitList(g, "eligible", &a.Eligible, MaxEligible, (*EligibleRule).visit)
	visitList(g, "needs", &a.Needs, MaxNeeds, (*NeedRule).visit)
}

func (r *NeedRule) visit(g *group) {
	if !g.missing("share") {
		g.real("share", &r.Share, 0, 0, 1)
	}
	g.integer("gpus", &r.GPUs, 0, span{0, MaxGPUs})
	g.integer("memory", &r.Memory, 0, natural)
	g.integer("disk", &r.Disk, 0, natural)
	if g.c.mode != writing && r.GPUs == 0 && r.Memory == 0 && r.Disk == 0 {
		g.fault("", "must ask for gpus, memory or disk")
	}
}

// checkNeeds refuses rules for what a platform without machines cannot have.
func (e *Experiment) checkNeeds(g *group) {
	if g.c.mode == writing || e.Platform.Generator != nil || slices.ContainsFunc(e.Platform.Clusters, func(c Cluster) bool { return c.Packing != "processors" }) {
		return
	}
	for i := range e.Workload.Annotate.Needs {
		g.c.add(g.at(), index("workload.annotate.needs", i), "the platform only counts processors: describe machines that have GPUs, memory or disk (platform.clusters)")
	}
}

func (r *EligibleRule) visit(g *group) {
	if !g.missing("on") {
		g.names("on", &r.On, maxOn)
		if len(r.On) == 0 && g.c.mode != writing {
			g.fault("on", "must name at least one cluster, machine or property")
		}
	}
	if !g.missing("share") {
		g.real("share", &r.Share, 0, 0, 1)
	}
}

// visitAttributes visits what is said of a single job. These keys came after
// the others and stay out of the canonical form while they are not there.
func (a *Annotation) visitAttributes(g *group) {
	if g.c.mode == reading {
		a.Weight = nil
	}
	if n := g.ask("weight"); n != nil && n.kind != nullKind {
		if n.kind != numberKind {
			g.fault("weight", "must be a number or null, not "+n.kind.String())
		} else if v, ok := g.readReal("weight", n, MinWeight, MaxWeight); ok {
			a.Weight = &v
		}
	} else if a.Weight != nil && g.c.mode == checking {
		g.checkReal("weight", *a.Weight, MinWeight, MaxWeight)
	}
	if a.Weight != nil && g.c.mode == writing {
		g.out.set("weight", realNode(*a.Weight))
	}
	if g.c.mode != writing || a.Setup != nil {
		g.optional("setup", &a.Setup, span{0, MaxSetup})
	}
	if g.c.mode != writing || a.On != nil {
		g.optionalNames("on", &a.On)
	}
	for _, n := range []struct {
		key string
		p   **int64
		in  span
	}{{"gpus", &a.GPUs, span{0, MaxGPUs}}, {"memory", &a.Memory, natural}, {"disk", &a.Disk, natural}} {
		if g.c.mode != writing || *n.p != nil {
			g.optional(n.key, n.p, n.in)
		}
	}
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
	g.names(key, *p, MaxLicences)
	if g.c.mode == writing {
		list := &node{kind: arrayKind}
		for _, name := range **p {
			list.items = append(list.items, textNode(name))
		}
		g.out.set(key, list)
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
