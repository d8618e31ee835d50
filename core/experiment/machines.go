package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"batchlab/core/catalog"
)

// Limits on what describes machines and annotates jobs.
const (
	MaxClusters    = 64
	MaxGroups      = 10_000 // of a cluster
	MaxMachines    = 10_000 // of a platform
	MaxLicences    = 200
	MaxAnnotations = 200 // inline; more stand in a file
	MaxName        = 60  // characters of a cluster or licence
)

// visitMachines visits what is beyond a number of processors. All of it is
// younger than version 1 of the document, so it stays out of the canonical form
// while it is not there.
func (p *Platform) visitMachines(g *group) {
	visitList(g, "clusters", &p.Clusters, MaxClusters, (*Cluster).visit)
	visitList(g, "licences", &p.Licences, MaxLicences, (*Licence).visit)
	object(g, "generator", &p.Generator, generators("generator of machines", catalog.MachinesKeys, catalog.FindMachines))
	g.field(&p.PowerScales, row{Key: "power_scales", Name: "Faster machines run jobs faster", Type: catalog.Bool, Later: true,
		Help: "Divides run and requested times by the machine's power, which else only says which machine is used first."})
	p.visitGuards(g)
	visitList(g, "reservations", &p.Reservations, MaxReservations, (*ReservationRequest).visit)
	p.visitBooking(g)
	p.visitShared(g)
	if !g.checks() {
		return
	}
	machines, procs := int64(0), int64(0)
	for _, c := range p.Clusters {
		for _, group := range c.Groups {
			machines += max(0, group.Count)
			procs += max(0, min(group.Count, MaxMachines)) * max(0, min(group.Processors, MaxProcessors))
		}
	}
	switch {
	case machines <= MaxMachines && procs > math.MaxInt32:
		g.fault("clusters", fmt.Sprintf("must have at most %d processors together, not %d", math.MaxInt32, procs))
	case machines > MaxMachines:
		g.fault("clusters", fmt.Sprintf("must have at most %d machines, not %d", MaxMachines, machines))
	case p.Generator != nil && (len(p.Clusters) > 0 || len(p.Licences) > 0):
		g.fault("generator", "makes the machines and licences: it cannot stand beside clusters or licences")
	case len(p.Clusters) == 0 && len(p.Licences) > 0:
		g.fault("licences", "need clusters with machines on which they may be activated")
	case p.Processors != 0 && (p.Generator != nil || len(p.Clusters) > 0):
		g.fault("processors", "must be 0 (or not there) beside clusters or a generator of machines")
	}
	p.checkNames(g)
}

// checkNames checks that names tell clusters and licences apart, and that each
// floating licence may be activated somewhere.
func (p *Platform) checkNames(g *group) {
	seen := map[string]bool{}
	for i := range p.Clusters {
		if name := p.Clusters[i].Name; seen[name] {
			g.c.add(g.at(), join(index(join(g.path, "clusters"), i), "name"), "a cluster "+quote(name)+" stands already in the list")
		}
		seen[p.Clusters[i].Name] = true
	}
	clear(seen)
	for i := range p.Licences {
		name := p.Licences[i].Name
		switch {
		case seen[name]:
			g.c.add(g.at(), join(index(join(g.path, "licences"), i), "name"), "a licence "+quote(name)+" stands already in the list")
		case !slices.ContainsFunc(p.Clusters, func(c Cluster) bool {
			return slices.ContainsFunc(c.Groups, func(n NodeGroup) bool { return slices.Contains(n.Licences, name) })
		}):
			g.c.add(g.at(), join(index(join(g.path, "licences"), i), "name"), "no machine names licence "+quote(name)+", so that it could be activated nowhere")
		}
		seen[name] = true
	}
}

var packings = []catalog.Option{
	{Key: "machine", Name: "within one machine", Help: "A job gets its processors inside one machine"},
	{Key: "nodes", Name: "over machines", Help: "A job may spread over machines of the cluster"},
	{Key: "processors", Name: "processors only", Help: "Processors are interchangeable; which machine they belong to does not matter"},
}

func (c *Cluster) visit(g *group) {
	g.field(&c.Name, nameRow)
	g.field(&c.Packing, row{Key: "packing", Name: "A job runs", Type: catalog.Enum, Noun: "packing", Default: "processors", Options: packings})
	visitList(g, "groups", &c.Groups, MaxGroups, (*NodeGroup).visit)
	if g.checks() && len(c.Groups) == 0 {
		g.fault("groups", "must have at least one group of machines")
	}
}

// Rows of several objects.
var (
	nameRow  = row{Key: "name", Name: "Name", Type: catalog.Words, Required: true, Most: MaxName}
	shareRow = row{Key: "share", Name: "Share", Type: catalog.Number, Required: true, Max: 1, Help: "Of the jobs, from 0 to 1"}
)

func (n *NodeGroup) visit(g *group) {
	g.field(&n.Count, row{Key: "count", Name: "Count", Min: 1, Max: MaxMachines, Default: int64(1), Help: "How many such machines"})
	g.field(&n.Processors, row{Key: "processors", Name: "Procs", Min: 1, Max: MaxProcessors, Default: int64(1), Help: "Processors of each"})
	g.field(&n.Memory, row{Key: "memory", Name: "GB", Type: catalog.Bytes, Max: MaxInteger, Empty: "any", Help: "Memory of each in GB (1,000,000,000 bytes). Empty: not limited"})
	g.field(&n.Disk, row{Key: "disk", Name: "Disk, GB", Type: catalog.Bytes, Max: MaxInteger, Empty: "any", Help: "Disk of each in GB (1,000,000,000 bytes). Empty: not limited"})
	g.field(&n.GPUs, row{Key: "gpus", Name: "GPUs", Max: MaxGPUs, Help: "Of each"})
	g.field(&n.Speed, row{Key: "speed", Name: "Power", Type: catalog.Number, Min: 0.001, Max: 1000, Default: 1.0, Help: "Computational power: the most powerful machines are used first"})
	g.field(&n.Licences, row{Key: "licences", Name: "Licences", Type: catalog.Names, Most: MaxLicences, Empty: "no licence",
		Help: "Licences that may be activated there: floating ones of the list below, others belong to the machine"})
	g.field(&n.Properties, row{Key: "properties", Name: "Properties", Type: catalog.Names, Most: MaxLicences, Empty: "none", Later: true,
		Help: "What jobs may ask machines to have: an architecture, software, a file system"})
}

func (l *Licence) visit(g *group) {
	g.field(&l.Name, nameRow)
	g.field(&l.Copies, row{Key: "copies", Name: "Copies", Min: 1, Max: 1_000_000, Default: int64(1), Help: "How many jobs may use it at the same time"})
}

// visit visits workload.annotate.
func (a *Annotate) visit(g *group) {
	g.later("deadlines", a.Deadlines.visit)
	g.later("reservations", a.Reservations.visit)
	g.later("weights", a.Weights.visit)
	g.later("setup", a.Setup.visit)
	visitList(g, "eligible", &a.Eligible, MaxEligible, (*EligibleRule).visit)
	visitList(g, "needs", &a.Needs, MaxNeeds, (*NeedRule).visit)
	visitList(g, "licences", &a.Licences, MaxLicences, (*LicenceRule).visit)
	visitList(g, "jobs", &a.Jobs, MaxAnnotations, (*Annotation).visit)
	object(g, "file", &a.File, (*Log).visit)
}

func (d *DeadlineRule) visit(g *group) {
	g.field(&d.Share, row{Key: "share", Name: "With a deadline", Type: catalog.Number, Max: 1, Default: 0.0,
		Help: "Share of the jobs, drawn at random, that get a deadline: submission + factor × requested time + margin."})
	g.field(&d.Factor, row{Key: "factor", Name: "Factor", Type: catalog.Number, Min: 1, Max: 1000, Default: 1.0, Help: "A job is due this many requested times after its submission, plus the margin."})
	g.field(&d.MarginMin, row{Key: "margin_min", Name: "Margin from", Type: catalog.Seconds, Unit: "s", Max: MaxInteger, Default: int64(30), Help: "Smallest margin of a deadline; drawn uniformly."})
	g.field(&d.MarginMax, row{Key: "margin_max", Name: "Margin to", Type: catalog.Seconds, Unit: "s", Max: MaxInteger, Default: int64(250), Help: "Largest margin of a deadline."})
	if g.checks() && d.MarginMax < d.MarginMin {
		g.fault("margin_max", fmt.Sprintf("must be at least margin_min, %d, not %d", d.MarginMin, d.MarginMax))
	}
	g.field(&d.OnDue, row{Key: "on_due", Name: "At the deadline", Type: catalog.Enum, Noun: "rule", Default: "count", Later: true,
		Help: "What happens to a job that has not ended at its deadline.", Options: []catalog.Option{
			{Key: "count", Name: "its lateness counts", Help: "It goes on"},
			{Key: "kill", Name: "it is stopped", Help: "The due date is the time at which the job is stopped, done or not; one that has not started by then is rejected"},
		}})
}

func (l *LicenceRule) visit(g *group) {
	g.field(&l.Licence, row{Key: "licence", Name: "Licence", Type: catalog.Words, Required: true, Most: MaxName, Help: "Name of a licence, or *: every licence of the platform, each drawn by itself"})
	g.field(&l.Share, shareRow)
	g.field(&l.Copies, row{Key: "copies", Name: "Copies", Min: 1, Max: 1_000_000, Default: int64(1), Help: "That such a job needs"})
}

// visit visits what is said of a single job. The keys from weight on came after the
// others.
func (a *Annotation) visit(g *group) {
	const more = "as by rule"
	g.field(&a.Job, row{Key: "job", Name: "Job", Required: true, Help: "Its number"})
	g.field(&a.Due, row{Key: "due", Name: "Deadline", Type: catalog.Seconds, Optional: true, Empty: more, Help: "In the log's own time, after the submission. Empty: as the rules say"})
	g.field(&a.Licences, row{Key: "licences", Name: "Licences", Type: catalog.Names, Optional: true, Most: MaxLicences, Empty: more, Help: "As name or name:copies; - is none at all. Empty: as the rules say"})
	g.field(&a.Weight, row{Key: "weight", Name: "Weight", Type: catalog.Number, Min: MinWeight, Max: MaxWeight, Optional: true, Later: true, Empty: more, Help: "How much its tardiness counts. Empty: as the rules say"})
	g.field(&a.Setup, row{Key: "setup", Name: "Set-up", Type: catalog.Seconds, Max: MaxSetup, Optional: true, Later: true, Empty: more, Help: "Seconds added to its run and its requested time. Empty: as the rules say"})
	g.field(&a.On, row{Key: "on", Name: "Runs on", Type: catalog.Names, Optional: true, Most: MaxLicences, Later: true, Empty: more, Help: "Clusters, machines or properties, of which one is enough; - is anywhere. Empty: as the rules say"})
	g.field(&a.GPUs, row{Key: "gpus", Name: "GPUs", Max: MaxGPUs, Optional: true, Later: true, Empty: more, Help: "Of each machine. Empty: as the rules say"})
	g.field(&a.Memory, row{Key: "memory", Name: "Memory, GB", Type: catalog.Bytes, Max: MaxInteger, Optional: true, Later: true, Empty: more, Help: "Of each machine, in GB (1,000,000,000 bytes). Empty: as the rules say"})
	g.field(&a.Disk, row{Key: "disk", Name: "Disk, GB", Type: catalog.Bytes, Max: MaxInteger, Optional: true, Later: true, Empty: more, Help: "Of each machine, in GB (1,000,000,000 bytes). Empty: as the rules say"})
}

// flag visits a truth that is false, and not written, by default.
func (g *group) flag(key string, p *bool) {
	if g.c.mode == reading {
		*p = false
	}
	if n := g.typed(key, boolKind); n != nil {
		*p = n.truth
	}
	if g.c.mode == writing && *p {
		g.write(key, &node{kind: boolKind, truth: true})
	}
}

// names visits a list of different texts, empty by default.
func (g *group) names(key string, p *[]string, most int) {
	if g.c.mode == reading {
		*p = nil
	}
	out := &node{kind: arrayKind}
	if n := g.typed(key, arrayKind); n != nil {
		for i, item := range n.items[:min(len(n.items), most)] {
			if item.kind != textKind {
				g.c.add(item.at, index(join(g.path, key), i), "must be a string, not "+item.kind.String())
				continue
			}
			*p = append(*p, item.text)
		}
		g.checkCount(key, len(n.items), 0, most)
	}
	if g.checks() {
		seen := map[string]bool{}
		for i, name := range *p {
			switch {
			case name == "" || utf8.RuneCountInString(name) > MaxName+12 || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
				g.c.add(g.at(), index(join(g.path, key), i), fmt.Sprintf("must be a text of 1 to %d characters", MaxName))
			case seen[name]:
				g.c.add(g.at(), index(join(g.path, key), i), quote(name)+" stands already in the list")
			}
			seen[name] = true
		}
	}
	for _, name := range *p {
		out.items = append(out.items, textNode(name))
	}
	g.put(key, len(*p) == 0, out)
}

// visitList visits a list of objects that is not in the canonical form while
// it is empty.
func visitList[T any](g *group, key string, list *[]T, most int, visit func(*T, *group)) {
	g.list(key, most, listOf[T]{list, visit})
}

// clone returns a deep copy.
func (a Annotate) clone() Annotate {
	a.Licences, a.Jobs, a.Needs = slices.Clone(a.Licences), slices.Clone(a.Jobs), slices.Clone(a.Needs)
	for i := range a.Jobs {
		a.Jobs[i].Due = clonePointer(a.Jobs[i].Due)
		a.Jobs[i].Licences, a.Jobs[i].On = cloneNames(a.Jobs[i].Licences), cloneNames(a.Jobs[i].On)
		a.Jobs[i].Setup = clonePointer(a.Jobs[i].Setup)
		a.Jobs[i].GPUs, a.Jobs[i].Memory, a.Jobs[i].Disk = clonePointer(a.Jobs[i].GPUs), clonePointer(a.Jobs[i].Memory), clonePointer(a.Jobs[i].Disk)
		if w := a.Jobs[i].Weight; w != nil {
			weight := *w
			a.Jobs[i].Weight = &weight
		}
	}
	a.Eligible = slices.Clone(a.Eligible)
	for i := range a.Eligible {
		a.Eligible[i].On = slices.Clone(a.Eligible[i].On)
	}
	if a.File != nil {
		file := *a.File
		a.File = &file
	}
	return a
}

// clone returns a deep copy.
func (p Platform) clone() Platform {
	p.Clusters, p.Licences = slices.Clone(p.Clusters), slices.Clone(p.Licences)
	for i := range p.Clusters {
		groups := slices.Clone(p.Clusters[i].Groups)
		for k := range groups {
			groups[k].Licences = slices.Clone(groups[k].Licences)
			groups[k].Properties = slices.Clone(groups[k].Properties)
		}
		p.Clusters[i].Groups = groups
	}
	if p.Generator != nil {
		p.Generator = &Generator{p.Generator.Key, slices.Clone(p.Generator.Params)}
	}
	p.Reservations, p.Booking = cloneReservations(p.Reservations), slices.Clone(p.Booking)
	p.Outages = slices.Clone(p.Outages)
	for i := range p.Outages {
		p.Outages[i].Nodes = slices.Clone(p.Outages[i].Nodes)
	}
	if p.Failures != nil {
		p.Failures = &Generator{p.Failures.Key, slices.Clone(p.Failures.Params)}
	}
	p.Limits.Classes = slices.Clone(p.Limits.Classes)
	p.cloneShared()
	return p
}
