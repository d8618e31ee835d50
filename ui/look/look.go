// Package look is what the reader looks at: the tab or place, the schedulers side
// by side, a job, an instant, and how numbers are written. Nothing of it changes a
// number; a link carries it beside the document.
package look

import "batchlab/ui/news"

// Host is what a page needs to know of what there is to look at.
type Host interface {
	Against() int     // the scheduler that the one looked at is compared with, −1 none
	Schedulers() int  // that the view can refer to
	Repetitions() int // of the results
	Places() []int    // of the letters of the schedulers
	Numbers() []int64 // of the jobs on show, nil while they are not there
	Looked()          // another repetition is looked at
	Went()            // another place is looked at
}

// Page is what is looked at.
type Page struct {
	View  View
	Place Place // beside the laboratory: lessons
	Prefs Prefs // how times and numbers are written; changed by Prefer
	Asked *Link // what the opened link looks at, until it is shown; nil nothing
	Shell Shell // around what is looked at

	board *news.Board
	host  Host
}

// New returns a page that looks at the overview.
func New(board *news.Board, host Host) *Page {
	return &Page{board: board, host: host, Shell: Shell{Shut: map[string]bool{}, Act: func(string) {}, Focus: func(string) {}}, View: View{Tab: "overview", B: 1, Baseline: -1, Job: -1, Colour: "wait"}}
}
