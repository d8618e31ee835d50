package state

import (
	"fmt"
	"slices"
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/search"
	"batchlab/core/windows"
	"batchlab/ui/draft"
	"batchlab/ui/engine"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// Search is a search for queue orders and what it has found so far. It is work like a
// sweep, and no table of points: a point of it is one number of a simulation within a
// window, of millions, and which come next hangs on those before. The page reads it; a
// Store's methods write it.
type Search struct {
	windows.Search
	result.Work
	Phase  string // what is done now
	Fields map[string]string

	control engine.Control // of this phase, nil before the first
}

// Limits of a search, so that it fits the memory of a browser.
const maxValues = 12_000_000

// SearchNow is the search on show, nil while there was none.
func (s *Store) SearchNow() *Search { return s.search }

// Searching reports whether a search is under way.
func (s *Store) Searching() bool { return s.search != nil && s.search.Active() }

// CanSearch says why a search cannot start now, "" when it can.
func (s *Store) CanSearch() string {
	_, ok := s.engine.(engine.Searcher)
	switch {
	case !ok:
		return "This page cannot search"
	case s.Wanted != nil:
		return "Choose the log " + s.Wanted.Name + " first"
	case s.Pending != nil:
		return "Decide about the log " + s.Pending.Name + " first"
	case s.NeedsProcessors():
		return "Say how many processors the machine has first"
	case s.Preview == nil && s.Loading:
		return "The workload is still being read"
	}
	if fault := s.Settings.Unsearchable(); fault != nil {
		return "Orders" + strings.TrimPrefix(fault.Message, "orders")
	}
	for id := range s.Fields {
		if strings.HasPrefix(id, "search.") {
			return "Correct the marked field first"
		}
	}
	return ""
}

// StartSearch searches with the settings as they stand. A search under way is
// stopped, and what it found goes.
func (s *Store) StartSearch() {
	if s.CanSearch() != "" {
		return
	}
	s.halt()
	doc := *s.Settings.Clone()
	doc.Search = windows.Params(&doc)
	r := &Search{
		Search: windows.Search{Doc: doc, Most: maxValues, UnderWay: true},
		Work:   result.Work{Status: engine.Running}, Phase: "cutting the workload into windows", Fields: map[string]string{},
	}
	s.search = r
	s.Note("Search: %s", SearchTitle(&doc))
	s.engine.(engine.Searcher).Weeks(*doc.Clone(), func(weeks []engine.Week, err error) {
		if s.search != r || !r.Active() {
			return
		}
		if err == nil {
			r.Weeks = weeks
			err = r.Prepare()
		}
		if err != nil {
			s.endSearch(r, err)
			return
		}
		s.doPhases(r, r.Phases(), 0)
		s.Touch()
	})
	s.Touch()
}

// searchIfDue starts the search that an opened link asks for, once its workload
// is there.
func (s *Store) searchIfDue() {
	if s.searchSoon && s.Preview != nil && s.CanSearch() == "" {
		s.searchSoon = false
		s.StartSearch()
	}
}

// ShownWeek is the week of the search that is looked at, by its place; −1 when
// there is none.
func (s *Store) ShownWeek() int {
	if s.search == nil || len(s.search.Weeks) == 0 {
		return -1
	}
	return max(0, min(s.View.Week, len(s.search.Weeks)-1))
}

// StopSearch ends the search; what it has found stays.
func (s *Store) StopSearch() {
	if !s.Searching() {
		return
	}
	r := s.search
	if r.control == nil { // nothing has been asked for yet
		s.endSearch(r, errStopped)
		return
	}
	r.Phase = "stopping"
	r.Status, r.UnderWay = engine.Cancelled, false
	r.control.Stop()
	s.Note("Search: stopped")
	s.Touch()
}

// halt stops the search for good: late news of it is not wanted.
func (s *Store) halt() {
	if s.search != nil && s.search.control != nil {
		s.search.control.Drop()
	}
	s.search = nil
}

// errStopped ends a search that was stopped.
var errStopped = fmt.Errorf("stopped")

// endSearch sets the end of a search. A fault that belongs to a field goes
// there.
func (s *Store) endSearch(r *Search, err error) {
	r.UnderWay = false
	switch {
	case err == nil:
		if r.Active() {
			r.Status = engine.Done
		}
		s.Note("Search: %s in %s", words.Count(int(r.Done+0.5), "simulation", "simulations"), words.Took(r.Seconds))
	case err == errStopped:
		r.Status = engine.Cancelled
	default:
		r.Status = engine.Failed
		text := strings.TrimPrefix(err.Error(), "mixed: ")
		if f, ok := err.(experiment.Error); ok {
			text = f.Message
		}
		if id := faultyField(err); id != "" {
			r.Fields[id] = text
		}
		r.Error = text
		s.Note("Search: %s", text)
	}
	r.Phase, r.Left = "", 0
	r.Version++
	s.Touch()
}

// faultyField finds the input that a message from a worker belongs to.
func faultyField(err error) string {
	if f, ok := err.(experiment.Error); ok {
		return f.Path
	}
	text := err.Error()
	for _, k := range [...][2]string{
		{"week 1 would be", "search.first"}, {"windows are asked for", "search.count"}, {"windows that are asked for", "search.count"}, {"windows are needed", "search.count"}, {"jobs stand in", "search.length"},
		{"cut the workload into", "search.length"}, {"where the windows begin", "search.origin"}, {"formula", "search.formula"},
		{"a coverage of", "search.points"}, {"scale", "search.scales"}, {"threshold", "search.threshold"},
	} {
		if strings.Contains(text, k[0]) {
			return k[1]
		}
	}
	return ""
}

// SearchFault is what the last search had against an input, "" when it was
// fine or the settings have changed since.
func (s *Store) SearchFault(id string) string {
	if r := s.search; r != nil && r.Fields[id] != "" && !s.SearchStale() {
		return r.Fields[id]
	}
	return ""
}

// SearchStale reports whether the settings have changed since the search.
func (s *Store) SearchStale() bool {
	if s.search == nil {
		return false
	}
	a, b := *s.search.Doc.Clone(), *s.Settings.Clone()
	for _, e := range []*experiment.Experiment{&a, &b} {
		*e = draft.Numbers(e)
		e.Workload.Window = experiment.Window{}
	}
	return !draft.SameWorkload(&a, &b) || a.Measures.Tau != b.Measures.Tau || !slices.Equal(s.search.Doc.Search, windows.Params(&s.Settings))
}

// SearchSize says how large the coverage of the settings is, "" without one.
func (s *Store) SearchSize() string {
	r := windows.Search{Doc: experiment.Experiment{Search: windows.Params(&s.Settings)}}
	if !r.Covers() {
		return ""
	}
	cover, err := search.NewCoverage(r.Features(), r.Whole("points"))
	if err != nil {
		return ""
	}
	return words.Count(cover.Len(), "set of weights", "sets of weights") + " tried in each window"
}

// SearchTitle says in short what a search looks for, and what it leaves out.
func SearchTitle(e *experiment.Experiment) string {
	title := searchFor(windows.Params(e))
	if e.Workload.React != nil {
		title += "; every window is replayed, users do not react here"
	}
	if e.Workload.Annotate.Stops() {
		title += "; jobs that never run, since they are given up at their deadlines, are left out of the means"
	}
	return title
}

func searchFor(p experiment.Params) string {
	points, _ := p.Int("points")
	budget, _ := p.Int("budget")
	cover := fmt.Sprintf("coverage with %s points", words.Int(points))
	xnes := fmt.Sprintf("xNES with %s", words.Count(budget, "try", "tries"))
	switch p.Text("method") {
	case "coverage":
		return cover
	case "xnes":
		return xnes
	case "both":
		return cover + " and " + xnes
	}
	return "pure orders only"
}
