// Package annex lets views be drawn by the second program, for which the page's own has
// no room. The page has an element for each (Rooms), which loads that program and tells
// it what is looked at; there a view is a Maker, which asks the page (Page) for the rest.
package annex

import (
	"encoding/json"
	"fmt"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/look"
	"batchlab/ui/state"
)

// Truth is the room in which what is simulated stands beside what a log says happened.
var Truth = room("truth", "Truth")

// MyJob is the room in which is said when a job would start.
var MyJob = room("job", "My job")

// WhatIf is the room in which an experiment is asked what would come of a change. It
// uses the settings, whatever has run.
var WhatIf = draw.Room{Key: "whatif", Name: "What if", Shown: asksWhatIf, Parts: []draw.Part{{Island: "annex:whatif"}}}

// Import is the room that says how a cluster's own files were understood. It has a tab
// while the workload is made of a file that is no log, or a configuration was read.
var Import = draw.Room{Key: look.ImportTab, Name: "Import", Shown: brought, Parts: []draw.Part{{Island: "annex:" + look.ImportTab}}}

// Rooms are the views that the second program draws.
var Rooms = []*draw.Room{&Import, &Truth, &MyJob, &WhatIf}

// room is a tab that is there with a log: what was generated never waited anywhere.
func room(key, name string) draw.Room {
	return draw.Room{Key: key, Name: name, Shown: hasLog, Parts: []draw.Part{{Island: "annex:" + key}}}
}

// hasLog reports whether what has run, or else the settings, goes by a log.
func hasLog(s *state.Store) bool {
	if s.Ran != nil {
		return s.Ran.Workload.Source.Log != nil
	}
	return s.Settings.Workload.Source.Log != nil
}

// brought reports whether somebody brought a cluster's own files.
func brought(s *state.Store) bool {
	return s.Preview != nil && s.Preview.Import != nil || s.Machine != nil || s.Mapping != nil
}

// asksWhatIf reports whether a log is there, or a reservation: who pays for it?
func asksWhatIf(s *state.Store) bool {
	return s.Settings.Workload.Source.Log != nil || len(s.Settings.Platform.Reservations) > 0 && s.Settings.Search == nil
}

// Facts are what the page tells a view.
type Facts struct {
	Document string          `json:"document"`          // that has run, else of the settings; of WhatIf and Import always these
	Preview  *report.Preview `json:"preview,omitempty"` // what was read of its workload, nil while unknown
	State    string          `json:"state,omitempty"`   // what the link says of this view, as Page.Keep was given it
	Relative bool            `json:"relative"`          // times count from the workload's beginning
	Places   []int           `json:"places,omitempty"`  // of the letters of the schedulers; none: A, B, C as they come
	Workers  int             `json:"workers"`           // how many questions are answered at a time

	Machine *report.Conf  `json:"machine,omitempty"` // what files beside the jobs say of the cluster
	Table   *report.Table `json:"table,omitempty"`   // of which the columns are asked for, with the name of its file
	File    string        `json:"file,omitempty"`
	More    int           `json:"more,omitempty"` // tables that are asked about after it
}

// Acts are what a view can have the page do, by name (Page.Act), with a text.
var Acts = map[string]func(s *state.Store, in string){
	"outages":       func(s *state.Store, _ string) { s.MakeOutages(s.Preview.Import.Pauses) },
	"zone":          (*state.Store).SetLogZone,
	"tab":           (*state.Store).ShowTab,
	"ask-columns":   func(s *state.Store, _ string) { s.AskColumns() },
	"leave-columns": func(s *state.Store, _ string) { s.LeaveColumns() },
	"columns": func(s *state.Store, in string) {
		var of map[string]string
		if json.Unmarshal([]byte(in), &of) == nil {
			s.SetColumns(of)
		}
	},
}

// Maker makes a view in its host. The view's Draw is called when facts, size or theme
// have changed.
type Maker func(*draw.Host, *Page) draw.Island

// Page is what a view knows of the page, and what it can ask it for. Tests fill the
// functions themselves.
type Page struct {
	Facts
	Doc *experiment.Experiment // Document, read; another pointer when it is another document

	// Query asks a worker: what is a name of the table in wasm/worker/ask.go, in what it
	// reads, doc the experiment that it prepares. done gets what it answers as JSON.
	// cancel gives the question up; done is called all the same, with an error.
	Query func(doc *experiment.Experiment, what string, in []byte, progress func(done, total int), done func(out []byte, err error)) (cancel func())
	// Edit makes a document the settings, as one step of undo; run runs them.
	Edit func(doc *experiment.Experiment, run bool)
	// Step opens the steps of a scheduler of Doc at an instant, with a job (its number
	// in the log) selected.
	Step func(scheduler int, at model.Time, job int64)
	// Act has the page do what only it can: see Acts.
	Act func(what, in string)
	// Keep keeps what is looked at in the link: at most 80 letters, digits, dots, hyphens.
	Keep func(state string)
}

// Tell takes what the page tells.
func (p *Page) Tell(f Facts) error {
	if p.Doc == nil || f.Document != p.Document {
		doc, err := experiment.Decode([]byte(f.Document))
		if err != nil {
			return err
		}
		p.Doc = doc
	}
	p.Facts = f
	return nil
}

// Ask is Page.Query with values of Go for both texts; progress may be nil.
func Ask[T any](p *Page, doc *experiment.Experiment, what string, in any, progress func(done, total int), done func(T, error)) (cancel func()) {
	text, err := json.Marshal(in)
	if err != nil { // what views ask holds nothing that JSON cannot say
		panic(err)
	}
	if progress == nil {
		progress = func(int, int) {}
	}
	return p.Query(doc, what, text, progress, func(out []byte, err error) {
		var got T
		if err == nil {
			if err = json.Unmarshal(out, &got); err != nil {
				err = fmt.Errorf("the answer cannot be read: %w", err)
			}
		}
		done(got, err)
	})
}
