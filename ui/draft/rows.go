package draft

import (
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// groups are the rows of the left column below the schedulers: what each holds
// itself; the sections that stand in it are those of its key.
var groups = []func(*Draft) Section{platformGroup, gridSection, jobsGroup, needsSection, measureGroup, repeatsGroup}

// Folds returns the rows of the left column, each with what its closed row says:
// also what its sections hold, or what varies in it.
func (s *Draft) Folds() []Section {
	list := make([]Section, len(groups))
	for i, f := range groups {
		g := f(s)
		var vary []string
		name := func(items []Item) {
			for _, it := range items {
				if _, n := s.Varied(it.Field); n > 0 {
					in, _ := s.Input(it.Field)
					vary = append(vary, in.Name)
				}
			}
		}
		name(g.Items)
		sums := []string{g.Sum}
		for _, one := range s.Sections(g.Key) {
			name(one.Items)
			if !slices.Contains(unset, one.Sum) {
				sums = append(sums, words.Either(one.Short != "", one.Short, one.Sum))
			}
		}
		if len(sums) > 1 && sums[0] == unset[0] {
			sums = sums[1:]
		}
		if g.Sum = strings.Join(sums, ", "); vary != nil {
			g.Sum, g.Varies = strings.Join(vary, ", ")+words.Either(len(vary) == 1, " varies", " vary"), true
		}
		list[i] = g
	}
	return list
}

// unset is what sections say that change nothing; the first is a group's own.
var unset = []string{"all, as they came", "none", "as the log says", "by size and request", "processors only", "a list", "offered"}

// Jobs

func jobsGroup(s *Draft) Section {
	out := Section{Key: "workload", Title: "Jobs", Sum: unset[0]}
	src := &s.Settings.Workload.Source
	kind := func(key, name, help string, pressed bool) Act {
		return Act{Key: "source." + key, Name: name, Help: help, Pressed: pressed}
	}
	out.Items = append(out.Items, Item{Label: "Source", Choices: []Act{
		kind("log", "Log", "A file of this computer", src.Log != nil),
		kind("bundled", "Bundled", "", src.Bundled != ""),
		kind("generator", "Generated", "", src.Generator != nil),
		kind("inline", "Table", "A table of jobs, typed, pasted and changed row by row; the schedules follow", src.Inline != nil),
	}})
	if src.Bundled != "" {
		list := Item{Label: "Workload"}
		for _, row := range catalog.Bundles {
			on := row.Key == src.Bundled
			list.Choices = append(list.Choices, Act{Key: "bundled." + row.Key, Name: row.Name, Help: row.Help, Pressed: on})
			if on {
				out.Items = append(out.Items, Item{Text: row.Help})
			}
		}
		out.Items = slices.Insert(out.Items, 1, list)
	}
	if src.Generator != nil {
		list := Item{Label: "Generator"}
		for _, row := range catalog.Generators {
			list.Choices = append(list.Choices, Act{Key: "generator." + row.Key, Name: row.Name, Help: row.Help, Pressed: row.Key == src.Generator.Key})
		}
		out.Items = append(out.Items, list)
	}
	return out
}

// generatorSection has the parameters of the generator in use.
func generatorSection(s *Draft) Section {
	out := Section{Key: "generator", Title: "Generator"}
	g := s.Settings.Workload.Source.Generator
	if g == nil || catalog.FindGenerator(g.Key) == nil {
		return out
	}
	out.Items = s.shown("workload.source.generator.params")
	if out.Sum = catalog.FindGenerator(g.Key).Name; s.changed(out.Items) > 0 {
		out.Sum += ", " + words.Int(s.changed(out.Items)) + " changed"
	}
	return out
}

// filterSection says what is taken of the workload: with what is about eligibility
// where its jobs have something to wait for.
func filterSection(s *Draft) Section {
	out := Section{Key: "filter", Title: "Window, scale, filter", Sum: unset[0]}
	w := &s.Settings.Workload
	filter := s.shown("workload.filter")
	out.Items = slices.Concat(s.shown("workload.window"), s.shown("workload.scale"), filter[2:], filter[:2], // users come last
		s.shown("workload.clean"), s.shown("workload"))
	if n := s.changed(out.Items); n > 0 {
		out.Sum = words.Int(n) + " set"
	}
	if !s.follow() && w.Dependencies == "" {
		out.Items = without(out.Items, "dependencies")
	}
	if !s.leave() && w.Withdrawn == "" {
		out.Items = without(out.Items, "withdrawn")
	}
	return out
}

// follow says whether the log or the table says what some job waits for.
func (s *Draft) follow() bool {
	if p := s.Preview; p != nil && (p.Clean.Jobs(report.Dependent) > 0 || p.Import != nil && p.Import.Depending > 0) {
		return true
	}
	return s.Settings.Workload.Extra != nil || s.column("after", "begin", "array_limit", "het")
}

// leave says whether the log or the table says when some job left the queue unserved.
func (s *Draft) leave() bool {
	if p := s.Preview; p != nil && p.Import != nil && p.Import.Withdrawn > 0 {
		return true
	}
	return s.Settings.Workload.Extra != nil || s.column("withdrawn")
}

// column says whether the table of jobs has one of some columns.
func (s *Draft) column(keys ...string) bool {
	t := s.Settings.Workload.Source.Inline
	return t != nil && slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(t.Columns, key) })
}

// Platform

func platformGroup(s *Draft) Section {
	out := Section{Key: "platform", Title: "Platform"}
	switch n := s.Processors(); {
	case n > 0:
		out.Sum = words.Count(n, "processor", "processors")
	case s.Preview != nil:
		out.Sum = "size not known"
	}
	if out.Items = without(s.shown("platform"), "power-scales"); s.Machines() != "count" {
		out.Items = without(out.Items, "processors")
	}
	switch {
	case s.NeedsProcessors():
		out.Items = slices.Insert(out.Items, 0, Item{Fault: "The log does not say how large its machine was. How many processors should it have?"})
	case s.Settings.Platform.Processors > 0 && s.Preview != nil && s.Preview.Processors > 0 && int64(s.Preview.Processors) != s.Settings.Platform.Processors:
		out.Items = append(out.Items, Item{Text: "The source says " + words.Int(s.Preview.Processors) + "."})
	}
	return out
}

// Measures and repeats

func measureGroup(s *Draft) Section {
	out := Section{Key: "measure", Title: "Measuring window", Sum: "all jobs"}
	out.Items = without(s.shown("measures"), "tau")
	for _, id := range []string{"measure-from", "measure-to"} {
		if in, _ := s.Input(id); in.Text != "" {
			out.Sum = strings.TrimPrefix(out.Sum, "all jobs") + words.Either(id == "measure-from", "from ", " to ") + in.Text
		}
	}
	out.Sum = strings.TrimSpace(out.Sum)
	return out
}

func repeatsGroup(s *Draft) Section {
	e := &s.Settings
	out := Section{Key: "repeats", Title: "Repeats", Items: append(s.shown(""), Item{Field: "repeats"}, Item{Field: "tau"})}
	times := repeats.get(e)
	out.Sum = "seed " + strconv.FormatUint(e.Seed, 10) + ", " + words.Either(times == "", "mixed", times) + words.NB + words.Either(times == "1", "run", "runs") +
		", τ" + words.NB + "=" + words.NB + words.Dur(float64(e.Measures.Tau))
	for _, id := range s.DrawFields() {
		out.Items = append(out.Items, Item{Field: id})
	}
	if hint := s.DrawHint(); hint != "" {
		out.Items = append(out.Items, Item{Text: hint})
	}
	return out
}
