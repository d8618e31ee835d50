// Package workloads holds the small generated logs that Batchlab ships, packed,
// and how each was made: a generator of the catalog, parameters and a seed, so
// that anyone can make it again (batchlab generate) and compare its SHA-256
// with README.md. It does no more than hand out bytes; core/workload.Bundled
// unpacks them.
package workloads

import (
	"embed"
	"fmt"
)

//go:embed *.swf.gz
var files embed.FS

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

// Packed returns the log with the key as a gzip file. It must not be changed.
func Packed(key string) ([]byte, error) {
	data, err := files.ReadFile(key + ".swf.gz")
	if err != nil {
		return nil, fmt.Errorf("workloads: no log %q", key)
	}
	return data, nil
}
