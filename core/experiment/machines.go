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

// noDeadlines is the rule that gives none.
var noDeadlines = DeadlineRule{Share: 0, Factor: 1, MarginMin: 30, MarginMax: 250, OnDue: "count"}

// visitMachines visits what is beyond a number of processors. All of it is
// younger than version 1 of the document, so it stays out of the canonical form
// while it is not there.
func (p *Platform) visitMachines(g *group) {
	visitList(g, "clusters", &p.Clusters, MaxClusters, (*Cluster).visit)
	visitList(g, "licences", &p.Licences, MaxLicences, (*Licence).visit)
	in := g.ask("generator")
	if g.c.mode == reading {
		p.Generator = nil
		if in != nil {
			p.Generator = &Generator{}
		}
	}
	g.addition("generator", in, p.Generator == nil, func(g *group) {
		if g.choice("key", &p.Generator.Key, "", "generator of machines", catalog.MachinesKeys()) {
			if row := catalog.FindMachines(p.Generator.Key); row != nil {
				g.params("params", row.Params, &p.Generator.Params)
				return
			}
		}
		g.ask("params")
	})
	g.flag("power_scales", &p.PowerScales)
	p.visitGuards(g)
	visitList(g, "reservations", &p.Reservations, MaxReservations, (*ReservationRequest).visit)
	p.visitBooking(g)
	p.visitShared(g)
	if g.c.mode == writing {
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

func (c *Cluster) visit(g *group) {
	g.name("name", &c.Name)
	g.choice("packing", &c.Packing, "processors", "packing", []string{"processors", "nodes", "machine"})
	visitList(g, "groups", &c.Groups, MaxGroups, (*NodeGroup).visit)
	if g.c.mode != writing && len(c.Groups) == 0 {
		g.fault("groups", "must have at least one group of machines")
	}
}

func (n *NodeGroup) visit(g *group) {
	g.integer("count", &n.Count, 1, span{1, MaxMachines})
	g.integer("processors", &n.Processors, 1, span{1, MaxProcessors})
	g.integer("memory", &n.Memory, 0, natural)
	g.integer("disk", &n.Disk, 0, natural)
	g.integer("gpus", &n.GPUs, 0, span{0, MaxGPUs})
	g.real("speed", &n.Speed, 1, 0.001, 1000)
	g.names("licences", &n.Licences, MaxLicences)
	if g.c.mode != writing || len(n.Properties) > 0 { // came after the other keys
		g.names("properties", &n.Properties, MaxLicences)
	}
}

func (l *Licence) visit(g *group) {
	g.name("name", &l.Name)
	g.integer("copies", &l.Copies, 1, span{1, 1_000_000})
}

// visit visits workload.annotate, which is there only when it says something.
func (a *Annotate) visit(parent *group) {
	in := parent.ask("annotate")
	empty := a.Deadlines == noDeadlines && a.Reservations == noReservations && a.Weights == noWeights && a.Setup == (SetupRule{}) &&
		len(a.Eligible) == 0 && len(a.Needs) == 0 && len(a.Licences) == 0 && len(a.Jobs) == 0 && a.File == nil
	parent.addition("annotate", in, empty && parent.c.mode != reading, func(g *group) {
		a.Deadlines.visit(g)
		a.Reservations.visit(g)
		a.visitAttributes(g)
		visitList(g, "licences", &a.Licences, MaxLicences, (*LicenceRule).visit)
		visitList(g, "jobs", &a.Jobs, MaxAnnotations, (*Annotation).visit)
		file := g.ask("file")
		if g.c.mode == reading {
			a.File = nil
			if file != nil {
				a.File = &Log{}
			}
		}
		g.addition("file", file, a.File == nil, func(g *group) { a.File.visit(g) })
	})
	if parent.c.mode == reading && in == nil {
		*a = Annotate{Deadlines: noDeadlines, Reservations: noReservations, Weights: noWeights}
	}
}

func (d *DeadlineRule) visit(parent *group) {
	in := parent.ask("deadlines")
	parent.addition("deadlines", in, *d == noDeadlines && parent.c.mode != reading, func(g *group) {
		g.real("share", &d.Share, noDeadlines.Share, 0, 1)
		g.real("factor", &d.Factor, noDeadlines.Factor, 1, 1000)
		g.integer("margin_min", &d.MarginMin, noDeadlines.MarginMin, natural)
		g.integer("margin_max", &d.MarginMax, noDeadlines.MarginMax, natural)
		if g.c.mode != writing && d.MarginMax < d.MarginMin {
			g.fault("margin_max", fmt.Sprintf("must be at least margin_min, %d, not %d", d.MarginMin, d.MarginMax))
		}
		if g.c.mode != writing || d.OnDue != noDeadlines.OnDue { // came after the other keys
			g.choice("on_due", &d.OnDue, noDeadlines.OnDue, "rule", []string{"count", "kill"})
		}
	})
	if parent.c.mode == reading && in == nil {
		*d = noDeadlines
	}
}

func (l *LicenceRule) visit(g *group) {
	g.name("licence", &l.Licence)
	if !g.missing("share") {
		g.real("share", &l.Share, 0, 0, 1)
	}
	g.integer("copies", &l.Copies, 1, span{1, 1_000_000})
}

func (a *Annotation) visit(g *group) {
	if !g.missing("job") {
		g.integer("job", &a.Job, 0, anyTime)
	}
	g.optional("due", &a.Due, anyTime)
	g.optionalNames("licences", &a.Licences)
	a.visitAttributes(g)
}

// addition visits an object that is not in the canonical form while it is absent:
// so identities of documents that never heard of it stay.
func (g *group) addition(key string, in *node, absent bool, visit func(*group)) {
	if absent || g.c.mode == reading && in == nil {
		return
	}
	if out := g.c.walk(join(g.path, key), in, visit); g.c.mode == writing {
		g.out.set(key, out)
	}
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
		g.out.set(key, &node{kind: boolKind, truth: true})
	}
}

// name visits a required text of at most MaxName characters.
func (g *group) name(key string, p *string) {
	if g.missing(key) {
		return
	}
	g.word(key, p, "", MaxName)
	if *p == "" && g.c.mode != writing {
		g.fault(key, "must be a text that is not empty")
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
	if g.c.mode != writing {
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
	in := g.typed(key, arrayKind)
	if g.c.mode == reading {
		*list = nil
		if in != nil {
			g.checkCount(key, len(in.items), 0, most)
			*list = make([]T, min(len(in.items), most))
		}
	} else if g.c.mode == checking {
		g.checkCount(key, len(*list), 0, most)
	}
	out := &node{kind: arrayKind}
	for i := range *list {
		var item *node
		if in != nil {
			item = in.items[i]
		}
		out.items = append(out.items, g.c.walk(index(join(g.path, key), i), item, func(g *group) { visit(&(*list)[i], g) }))
	}
	if g.c.mode == writing && len(*list) > 0 {
		g.out.set(key, out)
	}
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
