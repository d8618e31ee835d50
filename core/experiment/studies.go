package experiment

import (
	"slices"

	"batchlab/core/catalog"
)

// What an experiment may hold that compares queues on one machine: the keys of
// its document, and the rows of the catalog. Everything else, keys that came
// later included, belongs to the studies.
var (
	plainKeys = map[string][]string{
		"":                {"batchlab", "title", "seed", "workload", "platform", "schedulers", "measures", "search", "vary", "expect"},
		"workload":        {"source", "clean", "filter", "window", "resample", "scale"},
		"workload.source": {"log", "bundled", "generator", "inline"},
		"platform":        {"processors"},
		"schedulers[]":    {"key", "label", "params", "repeat"},
		"measures":        {"tau", "from", "to", "patience"},
	}
	plainGenerators = []string{"daily", "lublin"}
)

// Studies reports whether running a valid experiment takes what only the
// studies use: their schedulers and generators, machines, licences, deadlines
// and so on. The page keeps these in a program of their own, which it fetches
// when it is needed; built with the tag small, core/lab can run exactly the
// experiments for which this is false. What varies is not looked at: each point
// is an experiment of its own.
func (e *Experiment) Studies() bool {
	for i := range e.Schedulers {
		if row := catalog.FindScheduler(e.Schedulers[i].Key); row == nil || !row.Counted || row.Apart || e.Schedulers[i].General() {
			return true
		}
	}
	if g := e.Workload.Source.Generator; g != nil && !slices.Contains(plainGenerators, g.Key) {
		return true
	}
	return beyond("", e.tree(false))
}

// beyond reports whether a part of a document holds a key that is not among the
// plain ones, as far as these go into it.
func beyond(path string, n *node) bool {
	if n.kind == arrayKind {
		path += "[]"
	}
	if plain, listed := plainKeys[path]; listed && n.kind == objectKind {
		for _, key := range n.keys {
			if !slices.Contains(plain, key) {
				return true
			}
		}
	} else if n.kind != arrayKind {
		return false
	}
	for i, item := range n.items {
		at := path
		if n.kind == objectKind {
			at = join(path, n.keys[i])
		}
		if beyond(at, item) {
			return true
		}
	}
	return false
}
