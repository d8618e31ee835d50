// Package reference holds the reference schedules: small cases with the starts that
// the rules of docs/simulation-rules.md give under many schedulers. README.md says how
// other simulators read them.
package reference

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

//go:embed cases
var cases embed.FS

// Case is the files of one case as they are.
type Case struct {
	Document, Log, Starts []byte // an experiment, its SWF log, and a CSV: a line for each job, a column for each scheduler
}

// Names lists the cases.
func Names() (names []string) {
	list, err := fs.Glob(cases, "cases/*.json")
	if err != nil {
		panic(err) // the pattern is right
	}
	for _, name := range list {
		names = append(names, strings.TrimSuffix(path.Base(name), ".json"))
	}
	return names
}

// Find returns a case, and whether there is one of that name.
func Find(name string) (c Case, ok bool) {
	for _, part := range []struct {
		into *[]byte
		end  string
	}{{&c.Document, ".json"}, {&c.Log, ".swf"}, {&c.Starts, ".csv"}} {
		data, err := cases.ReadFile("cases/" + name + part.end)
		if err != nil {
			return Case{}, false
		}
		*part.into = data
	}
	return c, true
}
