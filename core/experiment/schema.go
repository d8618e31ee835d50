package experiment

import (
	"cmp"
	"fmt"
	"strings"

	"batchlab/core/catalog"
)

// Limits on counts and lengths in a document.
const (
	MaxSchedulers = 64
	MaxRepeat     = 1000
	MaxFilter     = 500 // users in a filter's list
	MaxTitle      = 200 // characters
	MaxLabel      = 60  // characters
	MaxLogName    = 200 // characters
	MaxLogBytes   = 1 << 40
	MaxProcessors = 100_000_000
	MaxTau        = 1_000_000_000 // seconds
)

var (
	anyTime = span{-MaxInteger, MaxInteger}
	natural = span{0, MaxInteger}
)

// visit is the one description of a document: reading, writing and checking
// all walk it. docs/experiment.md describes the same for people. A key that is
// added without a new Version must stay out of the canonical form while it is
// at its default, so that identities stay.
func (e *Experiment) visit(g *group) {
	version := int64(Version)
	g.integer("batchlab", &version, Version, span{Version, Version})
	if g.c.mode == writing {
		g.out.set("batchlab", integerNode(Version)) // never left out
	}
	g.word("title", &e.Title, "", MaxTitle)
	seed := int64(min(e.Seed, MaxInteger+1))
	g.integer("seed", &seed, 1, natural)
	if g.c.mode == reading {
		e.Seed = uint64(seed)
	}
	if !g.missing("workload") {
		g.child("workload", e.Workload.visit)
	}
	g.child("platform", e.Platform.visit)
	e.checkNeeds(g)
	e.checkInline(g)
	g.schedulers("schedulers", &e.Schedulers)
	g.visitPredict(&e.Predict)
	e.checkForetold(g)
	g.child("measures", e.Measures.visit)
	e.visitSearch(g)
	visitList(g, "vary", &e.Vary, MaxAxes, (*Axis).visit)
	e.visitExpect(g)
}

// visitSearch visits the settings of a search, which are younger than version 1
// and stay out of documents that search for nothing.
func (e *Experiment) visitSearch(g *group) {
	g.settings("search", catalog.SearchParams, &e.Search)
}

// settings visits parameters that are younger than version 1 and stay out of
// documents that do not have them. Null stands for there being none, so that
// they can be there at one point of a document that varies and not at another.
func (g *group) settings(key string, rows []catalog.Param, p *Params) {
	in := g.ask(key)
	if in != nil && in.kind == nullKind {
		in = nil
	}
	if g.c.mode == reading {
		*p = nil
	}
	if in != nil || *p != nil {
		g.params(key, rows, p)
	}
}

func (e *Experiment) visitExpect(g *group) {
	in := g.ask("expect")
	if g.c.mode == reading {
		e.Expect, e.Trace = "", ""
	}
	if in == nil && e.Expect == "" {
		return
	}
	if out := g.c.walk(join(g.path, "expect"), in, func(g *group) {
		g.hash("digest", &e.Expect)
		g.word("trace", &e.Trace, "", MaxTrace)
	}); out != nil {
		g.out.set("expect", out)
	}
}

func (w *Workload) visit(g *group) {
	if !g.missing("source") {
		g.child("source", w.Source.visit)
	}
	g.child("clean", func(g *group) {
		g.choice("overrun", &w.Clean.Overrun, "kill", "rule", []string{"kill", "extend", "drop"})
		g.choice("oversize", &w.Clean.Oversize, "drop", "rule", []string{"drop", "clamp"})
		noRequest := cmp.Or(w.Clean.NoRequest, "run")
		if g.c.mode != writing || noRequest != "run" { // came after version 1
			g.choice("no_request", &noRequest, "run", "rule", []string{"run", "drop"})
		}
		if g.c.mode == reading {
			w.Clean.NoRequest = strings.TrimPrefix(noRequest, "run")
		}
	})
	g.child("filter", w.Filter.visit)
	g.child("window", w.Window.visit)
	w.visitResample(g)
	g.child("scale", func(g *group) {
		g.real("load", &w.Scale.Load, 1, 0.01, 100)
		g.real("time", &w.Scale.Time, 1, 0.01, 100)
		if g.c.mode != writing || w.Scale.Known != 0 { // came after version 1
			g.real("known", &w.Scale.Known, 0, 0, 1)
		}
	})
	w.Annotate.visit(g)
	g.settings("react", catalog.ReactParams, &w.React)
	if w.React != nil && g.c.mode == writing && g.out.get("react") == nil {
		g.out.set("react", &node{kind: objectKind}) // at its defaults it still says that users react
	}
	g.unlessDefault("dependencies", &w.Dependencies, "ignore", "keep")
	g.unlessDefault("withdrawn", &w.Withdrawn, "drop", "keep")
	extra := g.ask("extra")
	if g.c.mode == reading {
		w.Extra = nil
		if extra != nil {
			w.Extra = &Log{}
		}
	}
	g.addition("extra", extra, w.Extra == nil, func(g *group) { w.Extra.visit(g) })
	if g.c.mode == writing {
		return
	}
	w.checkResample(g)
	switch {
	case w.Gated() && w.React != nil:
		g.fault("react", "users who react decide when jobs are submitted: dependencies and withdrawn do not go with them")
	case w.Gated() && w.Resample != nil:
		g.fault("resample", "draws take jobs apart from those that they wait for: dependencies and withdrawn do not go with them")
	}
	switch {
	case w.React == nil:
	case w.Scale.Load != 1:
		g.fault("react", "users who react set the load themselves: scale.load must be 1")
	}
}

// Gated says whether jobs may become eligible later than they are submitted, or leave
// the queue unserved.
func (w *Workload) Gated() bool { return w.Dependencies != "" || w.Withdrawn != "" }

// unlessDefault visits a choice between a default, which is "" in the field and is not
// written, and something else: a key that came after version 1.
func (g *group) unlessDefault(key string, p *string, standard, other string) {
	value := cmp.Or(*p, standard)
	if g.c.mode != writing || value != standard {
		g.choice(key, &value, standard, "rule", []string{standard, other})
	}
	if g.c.mode == reading {
		if *p = value; value == standard {
			*p = ""
		}
	}
}

func (s *Source) visit(g *group) {
	log, bundled, generator, inline := g.ask("log"), g.ask("bundled"), g.ask("generator"), g.ask("inline")
	if g.c.mode == reading {
		*s = Source{}
	}
	count := 0
	for _, there := range []bool{
		log != nil || s.Log != nil,
		bundled != nil || s.Bundled != "",
		generator != nil || s.Generator != nil,
		inline != nil || s.Inline != nil,
	} {
		if there {
			count++
		}
	}
	if count != 1 && g.c.mode != writing {
		g.fault("", "must hold exactly one of log, bundled, generator and inline")
		return
	}
	switch {
	case log != nil || s.Log != nil:
		if s.Log == nil {
			s.Log = &Log{}
		}
		g.child("log", s.Log.visitSource)
	case bundled != nil || s.Bundled != "":
		g.choice("bundled", &s.Bundled, "", "bundled workload", catalog.BundleKeys())
	case generator != nil || s.Generator != nil:
		if s.Generator == nil {
			s.Generator = &Generator{}
		}
		g.child("generator", func(g *group) {
			if g.choice("key", &s.Generator.Key, "", "generator", catalog.GeneratorKeys()) {
				if row := catalog.FindGenerator(s.Generator.Key); row != nil {
					g.params("params", row.Params, &s.Generator.Params)
					return
				}
			}
			g.ask("params")
		})
	case inline != nil || s.Inline != nil:
		if s.Inline == nil {
			s.Inline = &Inline{}
		}
		g.child("inline", s.Inline.visit)
	}
}

// visitSource visits the log of a workload, which says how it is to be read.
func (l *Log) visitSource(g *group) {
	l.visit(g)
	if in := g.ask("format"); in != nil || l.Format != "" {
		g.choice("format", &l.Format, "", "format of a log", catalog.LogFormats)
	}
	if in := g.ask("zone"); in != nil || l.Zone != "" {
		g.word("zone", &l.Zone, "", MaxName)
	}
	if in := g.ask("columns"); in != nil || l.Columns != (Log{}).Columns {
		g.child("columns", func(g *group) {
			for i, key := range catalog.LogColumns {
				g.word(key, &l.Columns[i], "", MaxLogName)
			}
		})
	}
}

// ColumnMap is what columns hold by the keys of catalog.LogColumns, nil where their
// names tell.
func (l *Log) ColumnMap() (of map[string]string) {
	for i, name := range l.Columns {
		if name != "" {
			if of == nil {
				of = map[string]string{}
			}
			of[catalog.LogColumns[i]] = name
		}
	}
	return of
}

func (l *Log) visit(g *group) {
	if !g.missing("name") {
		g.word("name", &l.Name, "", MaxLogName)
		if l.Name == "" && g.c.mode != writing {
			g.fault("name", "must be a text that is not empty")
		}
	}
	g.hash("sha256", &l.SHA256)
	if !g.missing("size") {
		g.integer("size", &l.Size, 0, span{1, MaxLogBytes})
	}
}

func (f *Filter) visit(g *group) {
	g.integers("users", &f.Users, MaxFilter, anyTime)
	g.integers("exclude_users", &f.ExcludeUsers, MaxFilter, anyTime)
	g.integer("min_procs", &f.MinProcs, 0, natural)
	g.integer("max_procs", &f.MaxProcs, 0, natural)
	g.integer("min_run", &f.MinRun, 0, natural)
	g.integer("max_run", &f.MaxRun, 0, natural)
	g.ordered("max_procs", f.MinProcs, f.MaxProcs)
	g.ordered("max_run", f.MinRun, f.MaxRun)
}

// ordered checks that an upper bound, if there is one, is not below the lower.
func (g *group) ordered(key string, least, most int64) {
	if g.c.mode != writing && most != 0 && most < least {
		g.fault(key, fmt.Sprintf("must be 0 (no bound) or at least %d, not %d", least, most))
	}
}

// visit visits the window of a workload; history is younger than version 1.
func (w *Window) visit(g *group) {
	g.window(&w.From, &w.To)
	in := g.typed("history", boolKind)
	switch {
	case g.c.mode == reading:
		w.History = in != nil && in.truth
	case g.c.mode == writing && w.History:
		g.out.set("history", &node{kind: boolKind, truth: true})
	}
	if g.c.mode != writing && w.History && w.From == nil {
		g.fault("history", "is what the log shows before from: there must be one")
	}
}

// window visits from and to.
func (g *group) window(from, to **int64) {
	g.optional("from", from, anyTime)
	g.optional("to", to, anyTime)
	if g.c.mode != writing && *from != nil && *to != nil && **to <= **from {
		g.fault("to", fmt.Sprintf("must be later than from, %d", **from))
	}
}

func (p *Platform) visit(g *group) {
	g.integer("processors", &p.Processors, 0, span{0, MaxProcessors})
	p.visitMachines(g)
}

func (m *Measures) visit(g *group) {
	g.integer("tau", &m.Tau, 10, span{1, MaxTau})
	g.window(&m.From, &m.To)
	g.settings("patience", catalog.PatienceParams, &m.Patience)
	if g.c.mode == writing {
		return
	}
	least := int64(0)
	for _, key := range []string{"from-2", "from-3", "from-4", "from-5"} {
		if v, ok := m.Patience.Int(key); ok {
			if v <= least {
				g.fault("patience", fmt.Sprintf("%s must be more than %d, where the class before it begins", key, least))
				break
			}
			least = v
		}
	}
}

// schedulers visits the list of schedulers.
func (g *group) schedulers(key string, list *[]Scheduler) {
	in, least := g.typed(key, arrayKind), 1
	if g.c.jobs {
		least = 0
	}
	if g.c.mode == reading {
		*list = nil
		if in == nil {
			if !g.c.jobs {
				g.missing(key)
			}
			return
		}
		*list = make([]Scheduler, min(len(in.items), MaxSchedulers))
		g.checkCount(key, len(in.items), least, MaxSchedulers)
	} else if g.c.mode == checking {
		g.checkCount(key, len(*list), least, MaxSchedulers)
	}
	out := &node{kind: arrayKind}
	for i := range *list {
		var item *node
		if in != nil {
			item = in.items[i]
		}
		out.items = append(out.items, g.c.walk(index(join(g.path, key), i), item, (*list)[i].visit))
	}
	g.put(key, false, out)
}

func (s *Scheduler) visit(g *group) {
	found := g.choice("key", &s.Key, "", "scheduler", catalog.EverySchedulerKey())
	g.word("label", &s.Label, "", MaxLabel)
	if row := catalog.FindScheduler(s.Key); found && row != nil {
		g.params("params", row.Params, &s.Params)
	} else {
		g.ask("params")
	}
	g.integer("repeat", &s.Repeat, 1, span{1, MaxRepeat})
	g.visitPredict(&s.Predict)
	visitList(g, "providers", &s.Providers, MaxClusters, (*Provider).visit)
	if g.c.mode == writing || len(s.Providers) == 0 {
		return
	}
	if s.Key != "grid" {
		g.fault("providers", fmt.Sprintf("belong to the scheduler grid, not to %s", s.Key))
	}
	for i := range s.Providers {
		for k := range s.Providers[:i] {
			if s.Providers[k].Cluster == s.Providers[i].Cluster {
				g.fault(index("providers", i), fmt.Sprintf("names the cluster %q again", s.Providers[i].Cluster))
			}
		}
	}
}

func (p *Provider) visit(g *group) {
	g.word("cluster", &p.Cluster, "", MaxName)
	if g.choice("key", &p.Key, "", "scheduler of a provider", catalog.LocalKeys()) {
		if row := catalog.FindScheduler(p.Key); row != nil {
			g.params("params", row.Params, &p.Params)
			return
		}
	}
	g.ask("params")
}
