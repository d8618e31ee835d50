// Package truth is the view that says how true a simulation is: what each scheduler is
// simulated to do beside what the log says happened.
package truth

import (
	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/ui/annex"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Truth is the view: what was asked, and what came of it.
type Truth struct {
	Page  *annex.Page
	Runs  []*report.Truth // by scheduler, nil while unknown
	Error string

	doc   *experiment.Experiment // that was asked about
	stops []func()
	again func() // draws
}

// Follow asks about the document of the page, unless that has been done.
func (v *Truth) Follow(again func()) {
	if v.doc == v.Page.Doc {
		return
	}
	for _, stop := range v.stops {
		stop()
	}
	doc := v.Page.Doc
	v.doc, v.Error, v.stops = doc, "", nil
	v.Runs = make([]*report.Truth, len(doc.Schedulers))
	for i, s := range doc.Schedulers {
		if catalog.FindScheduler(s.Key).Logged {
			continue
		}
		v.stops = append(v.stops, annex.Ask(v.Page, doc, "truth", experiment.RunID{Scheduler: i}, nil, func(t *report.Truth, err error) {
			if v.doc != doc {
				return
			}
			if v.Runs[i] = t; err != nil {
				v.Runs[i], v.Error = nil, err.Error()
			}
			again()
		}))
	}
}

// ranked are the runs that are known, by their median error.
func (v *Truth) ranked() (list []*report.Truth) {
	for _, t := range v.Runs {
		if t != nil {
			list = append(list, t)
		}
	}
	order.Stable(list, func(a, b *report.Truth) int { return order.Floats(a.MedianError, b.MedianError) })
	return list
}

// Verdict is the sentence above all.
func (v *Truth) Verdict() string {
	list := v.ranked()
	switch {
	case v.Error != "":
		return v.Error
	case len(list) == 0:
		return "Running …"
	}
	t := list[0]
	return "Half of the jobs under simulated " + t.Label + " wait at most " + words.Natural(t.MedianError) + " longer or shorter than logged."
}

// Table is how near each scheduler comes.
func (v *Truth) Table() draw.Grid {
	g := draw.Grid{Head: []string{"Scheduler", "÷ logged", "Median error", "Rank correlation", "Within 1 h"}}
	for _, t := range v.ranked() {
		ratio, rank := "–", "–"
		if t.Ratio != nil {
			ratio = words.Number(*t.Ratio, 2)
		}
		if t.Rank != nil {
			rank = words.Number(*t.Rank, 2)
		}
		g.Cells = append(g.Cells, []string{t.Label, ratio, words.Natural(t.MedianError), rank, words.Percent(t.Hour)})
	}
	return g
}
