//go:build !small

package lab

import (
	"errors"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/mixed"
)

// ErrMachines means that a search was asked for on another machine than one
// cluster of interchangeable processors.
var ErrMachines = errors.New("orders are compared on one machine of interchangeable processors: this experiment describes its machines one by one")

// Search cuts the experiment's workload (of repetition 0, without its window)
// into the windows of its search settings, or of the default ones when it has
// none.
func Search(doc *experiment.Experiment, env Env) (*mixed.Lab, error) {
	if len(doc.Platform.Clusters) > 0 || doc.Platform.Generator != nil {
		return nil, ErrMachines
	}
	doc = doc.Clone()
	doc.Workload.Window = experiment.Window{}
	p, err := Prepare(doc, env)
	if err != nil {
		return nil, err
	}
	w, _, err := p.Workload(0)
	if err != nil {
		return nil, err
	}
	return mixed.New(w, SearchSettings(doc))
}

// SearchSettings translates the search settings of a document.
func SearchSettings(doc *experiment.Experiment) mixed.Settings {
	p := doc.Search
	if p == nil {
		p = experiment.Defaults(catalog.SearchParams)
	}
	whole := func(key string) int64 { v, _ := p.Int(key); return v }
	s := mixed.Settings{
		Length: whole("length"), Origin: whole("origin"), First: int(whole("first")), Count: int(whole("count")),
		Features: 3, Tau: doc.Measures.Tau, Backfill: p.Text("backfill"), Ties: p.Text("ties"), Scales: p.Numbers("scales"),
	}
	if p.Text("features") == "6" {
		s.Features = 6
	}
	if t, ok := p.Int("threshold"); ok {
		s.Threshold = &t
	}
	return s
}
