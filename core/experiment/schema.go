package experiment

import (
	"fmt"

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

// visit is the one description of a document: reading, writing, checking and describing
// all walk it, and each field is one row in it (see row). A key that is added without a
// new Version is Later: identities stay.
func (e *Experiment) visit(g *group) {
	version := int64(Version)
	g.integer("batchlab", &version, Version, span{Version, Version})
	if g.c.mode == writing {
		g.out.set("batchlab", integerNode(Version)) // never left out
	}
	g.field(&e.Title, row{Key: "title", Type: catalog.Words, Most: MaxTitle, Help: "What the experiment is called; no result depends on it."})
	seed := int64(min(e.Seed, MaxInteger+1))
	seedRow := row{Key: "seed", Name: "Seed", Max: MaxInteger, Default: int64(1),
		Help: "Of all random numbers: the same seed gives the same result everywhere."}
	if g.c.mode == describing {
		g.field(&e.Seed, seedRow)
	} else {
		g.field(&seed, seedRow)
	}
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
	object(g, "predict", &e.Predict, (*Predict).visit)
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
	if in != nil || *p != nil || g.c.mode == describing {
		g.params(key, rows, p)
	}
}

func (e *Experiment) visitExpect(g *group) {
	in := g.ask("expect")
	if g.c.mode == reading {
		e.Expect, e.Trace = "", ""
	}
	if in == nil && e.Expect == "" && !g.c.schema {
		return
	}
	g.inner("expect", in, func(g *group) {
		g.hash("digest", &e.Expect)
		g.field(&e.Trace, row{Key: "trace", Type: catalog.Words, Most: MaxTrace, Help: "Where another result parts from the author's; it decides nothing."})
	})
}

func (w *Workload) visit(g *group) {
	if !g.missing("source") {
		g.child("source", w.Source.visit)
	}
	g.child("clean", w.Clean.visit)
	g.child("filter", w.Filter.visit)
	g.child("window", w.Window.visit)
	w.visitResample(g)
	g.child("scale", w.Scale.visit)
	g.later("annotate", w.Annotate.visit)
	g.settings("react", catalog.ReactParams, &w.React)
	if w.React != nil && g.c.mode == writing && g.out.get("react") == nil {
		g.out.set("react", &node{kind: objectKind}) // at its defaults it still says that users react
	}
	g.field(&w.Dependencies, row{Key: "dependencies", Name: "Waits for others", Type: catalog.Enum, Noun: "rule", Later: true, Flag: true,
		Help:    "Jobs that wait for other jobs, a time, or a place in their array before they are eligible.",
		Options: []catalog.Option{{Key: "ignore", Name: "eligible when submitted"}, {Key: "keep", Name: "wait until then"}}})
	g.field(&w.Withdrawn, row{Key: "withdrawn", Name: "Left the queue", Type: catalog.Enum, Noun: "rule", Later: true, Flag: true,
		Help:    "Jobs that left the queue before they ran, at a time that is known.",
		Options: []catalog.Option{{Key: "drop", Name: "leave the job out"}, {Key: "keep", Name: "leave at that time"}}})
	object(g, "extra", &w.Extra, (*Log).visit)
	if !g.checks() {
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

func (c *Clean) visit(g *group) {
	g.field(&c.Overrun, row{Key: "overrun", Name: "Ran too long", Type: catalog.Enum, Noun: "rule", Default: "kill", Flag: true,
		Help:    "Jobs whose run time is above the requested time.",
		Options: []catalog.Option{{Key: "kill", Name: "stop at the request"}, {Key: "extend", Name: "extend the request"}, {Key: "drop", Name: "leave the job out"}}})
	g.field(&c.Oversize, row{Key: "oversize", Name: "Too large", Type: catalog.Enum, Noun: "rule", Default: "drop", Flag: true,
		Help:    "Jobs that ask for more processors than the machine has.",
		Options: []catalog.Option{{Key: "drop", Name: "leave the job out"}, {Key: "clamp", Name: "cut to the machine"}}})
	g.field(&c.NoRequest, row{Key: "no_request", Type: catalog.Enum, Noun: "rule", Later: true, Flag: true,
		Help:    "Jobs that state no requested time.",
		Options: []catalog.Option{{Key: "run", Name: "its run time is its request"}, {Key: "drop", Name: "leave the job out"}}})
}

func (s *Scale) visit(g *group) {
	g.field(&s.Load, row{Key: "load", Name: "Load ×", Type: catalog.Number, Min: 0.01, Max: 100, Default: 1.0,
		Help: "Submissions come closer together (above 1) or further apart; jobs stay the same."})
	g.field(&s.Time, row{Key: "time", Name: "Times ×", Type: catalog.Number, Min: 0.01, Max: 100, Default: 1.0,
		Help: "Multiplies run time and requested time of every job."})
	g.field(&s.Known, row{Key: "known", Name: "Run times known", Type: catalog.Number, Max: 1, Default: 0.0, Later: true,
		Help: "How well users know their run times. 0: requests as they are; 1: requests equal run times."})
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
	if count != 1 && g.checks() {
		g.fault("", "must hold exactly one of log, bundled, generator and inline")
		return
	}
	object(g, "log", &s.Log, (*Log).visitSource)
	if bundled != nil || s.Bundled != "" || g.c.schema {
		g.choice("bundled", &s.Bundled, "", "bundled workload", catalog.BundleKeys())
	}
	object(g, "generator", &s.Generator, generators("generator", catalog.GeneratorKeys, catalog.FindGenerator))
	object(g, "inline", &s.Inline, (*Inline).visit)
}

// generators visits a generator of a kind of the catalog.
func generators(what string, keys func() []string, find func(key string) *catalog.Generator) func(*Generator, *group) {
	return func(m *Generator, g *group) {
		g.keyed(&m.Key, &m.Params, what, keys(), func(key string) ([]catalog.Param, bool) {
			if row := find(key); row != nil {
				return row.Params, true
			}
			return nil, false
		})
	}
}

// visitSource visits the log of a workload, which says how it is to be read.
func (l *Log) visitSource(g *group) {
	l.visit(g)
	if in := g.ask("format"); in != nil || l.Format != "" || g.c.schema {
		g.choice("format", &l.Format, "", "format of a log", catalog.LogFormats)
	}
	g.field(&l.Zone, row{Key: "zone", Type: catalog.Words, Most: MaxName, Later: true,
		Help: "Zone of times that state none: an offset (+01:00) or an IANA name (Europe/Prague); left out: UTC."})
	g.later("columns", func(g *group) {
		for i, key := range catalog.LogColumns {
			g.field(&l.Columns[i], row{Key: key, Type: catalog.Words, Most: MaxLogName})
		}
	})
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
	g.field(&l.Name, row{Key: "name", Type: catalog.Words, Required: true, Most: MaxLogName, Help: "The file's name, to ask for it."})
	g.hash("sha256", &l.SHA256)
	g.field(&l.Size, row{Key: "size", Required: true, Min: 1, Max: MaxLogBytes, Help: "Bytes of the uncompressed file."})
}

func (f *Filter) visit(g *group) {
	g.field(&f.Users, row{Key: "users", Name: "Only users", Type: catalog.Ints, Most: MaxFilter, Noun: "user number", Empty: "all", Help: "User numbers of the log, separated by commas. Empty: all."})
	g.field(&f.ExcludeUsers, row{Key: "exclude_users", Name: "Without users", Type: catalog.Ints, Most: MaxFilter, Noun: "user number", Empty: "none", Help: "User numbers to leave out, separated by commas."})
	g.field(&f.MinProcs, row{Key: "min_procs", Name: "Processors from", Max: MaxInteger, Empty: "any", Help: "Only jobs that ask for at least this many processors."})
	g.field(&f.MaxProcs, row{Key: "max_procs", Name: "Processors to", Max: MaxInteger, Empty: "any", Help: "Only jobs that ask for at most this many processors."})
	g.field(&f.MinRun, row{Key: "min_run", Name: "Run time from", Type: catalog.Seconds, Max: MaxInteger, Empty: "any", Help: "Only jobs that ran at least this long."})
	g.field(&f.MaxRun, row{Key: "max_run", Name: "Run time to", Type: catalog.Seconds, Max: MaxInteger, Empty: "any", Help: "Only jobs that ran at most this long."})
	g.ordered("max_procs", f.MinProcs, f.MaxProcs)
	g.ordered("max_run", f.MinRun, f.MaxRun)
}

// ordered checks that an upper bound, if there is one, is not below the lower.
func (g *group) ordered(key string, least, most int64) {
	if g.checks() && most != 0 && most < least {
		g.fault(key, fmt.Sprintf("must be 0 (no bound) or at least %d, not %d", least, most))
	}
}

func (w *Window) visit(g *group) {
	g.field(&w.From, row{Key: "from", Name: "From", Type: catalog.Seconds, Optional: true, Empty: "start", Help: "Only jobs submitted at this time of the log or later."})
	g.field(&w.To, row{Key: "to", Name: "To", Type: catalog.Seconds, Optional: true, Empty: "end", Help: "Only jobs submitted before this time of the log."})
	g.window(w.From, w.To)
	g.field(&w.History, row{Key: "history", Type: catalog.Bool, Later: true,
		Help: "Predictors know the completions of the log before from, which must be there, in order of their ends."})
	if g.checks() && w.History && w.From == nil {
		g.fault("history", "is what the log shows before from: there must be one")
	}
}

// window checks from and to.
func (g *group) window(from, to *int64) {
	if g.checks() && from != nil && to != nil && *to <= *from {
		g.fault("to", fmt.Sprintf("must be later than from, %d", *from))
	}
}

func (p *Platform) visit(g *group) {
	g.field(&p.Processors, row{Key: "processors", Name: "Processors", Max: MaxProcessors, Empty: "as the log says", Flag: true, Help: "Size of the machine. Empty: as the log states it."})
	p.visitMachines(g)
}

func (m *Measures) visit(g *group) {
	g.field(&m.Tau, row{Key: "tau", Name: "Slowdown τ", Type: catalog.Seconds, Unit: "s", Min: 1, Max: MaxTau, Default: int64(10), Flag: true,
		Help: "Jobs shorter than this count as this long in the bounded slowdown."})
	g.field(&m.From, row{Key: "from", Name: "Measure from", Type: catalog.Seconds, Optional: true, Empty: "start", Help: "Jobs submitted before are run, but left out of every measure (warm-up)."})
	g.field(&m.To, row{Key: "to", Name: "Measure to", Type: catalog.Seconds, Optional: true, Empty: "end", Help: "Jobs submitted then or later are run, but left out of every measure (cool-down)."})
	g.window(m.From, m.To)
	g.settings("patience", catalog.PatienceParams, &m.Patience)
	if !g.checks() {
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
	if g.c.mode == describing {
		visitList(g, key, list, MaxSchedulers, (*Scheduler).visit)
		return
	}
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

// paramsOf are the parameters of a scheduler of the catalog.
func paramsOf(key string) ([]catalog.Param, bool) {
	row := catalog.FindScheduler(key)
	if row == nil {
		return nil, false
	}
	return row.Params, true
}

func (s *Scheduler) visit(g *group) {
	found := g.choice("key", &s.Key, "", "scheduler", catalog.EverySchedulerKey())
	g.field(&s.Label, row{Key: "label", Name: "Label", Type: catalog.Words, Most: MaxLabel, Help: "The name in charts and tables. Empty: made from the options."})
	if rows, ok := paramsOf(s.Key); found && ok {
		g.params("params", rows, &s.Params)
	} else {
		g.ask("params")
	}
	g.field(&s.Repeat, row{Key: "repeat", Min: 1, Max: MaxRepeat, Default: int64(1),
		Help: "How often it runs, with repetitions 0 … repeat − 1. Where jobs, machines and scheduler draw nothing at random they are one run."})
	object(g, "predict", &s.Predict, (*Predict).visit)
	visitList(g, "providers", &s.Providers, MaxClusters, (*Provider).visit)
	if !g.checks() || len(s.Providers) == 0 {
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
	g.field(&p.Cluster, row{Key: "cluster", Type: catalog.Words, Most: MaxName, Help: "Name of its cluster; empty: of all that no other names."})
	g.keyed(&p.Key, &p.Params, "scheduler of a provider", catalog.LocalKeys(), paramsOf)
}
