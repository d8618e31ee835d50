// Package workloads says how the small logs that come with Batchlab are made: a
// generator of the catalog, parameters and a seed, so that anyone can make one
// again (batchlab generate) and compare its SHA-256 with README.md.
// core/workload.Bundled makes them; the packed files here are for programs that
// want a file.
package workloads

// Recipe says how a bundled log was made. Parameters that it does not name
// have the generator's defaults.
type Recipe struct {
	Key       string // of the catalog's row and, with .swf.gz, of the file
	Generator string
	Seed      uint64 // repetition 0
	Params    map[string]any
}

// Recipes are all bundled logs, in the order of the catalog.
var Recipes = []Recipe{
	{"demo", "daily", 1, map[string]any{}},
	{"wide-jobs", "daily", 2, map[string]any{"jobs": 1500, "processors": 64, "load": 0.6, "wide": 0.2, "run": 3600}},
	{"overload", "daily", 3, map[string]any{"jobs": 2500, "processors": 128, "load": 1.25, "run": 7200}},
}
