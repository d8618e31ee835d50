// Package state is the page's state as plain Go. A Store ties its parts together:
// the document under edit (ui/draft), the results (ui/result), what is looked at
// (ui/look) and what is told (ui/news), each with its own methods; what stands here
// is what goes from one part to another: reading a workload, running, searching,
// links, the session. It knows no vugu and no browser.
package state

import (
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/draft"
	"batchlab/ui/engine"
	"batchlab/ui/look"
	"batchlab/ui/news"
	"batchlab/ui/result"
)

// Store is the whole state of the page. Make one with New; every change goes
// through a method, and each change calls the listener set by OnChange.
type Store struct {
	*news.Board
	*draft.Draft
	*look.Page
	*result.Tray

	engine engine.Engine

	Loading   bool             // a workload is being read
	Pending   *Pending         // a damaged log that waits for a decision
	Wanted    *experiment.Log  // the log that an opened experiment names and that is not here
	Other     *Pending         // a log offered in place of the wanted one: used only by UseOther
	Kept      []engine.KeptLog // logs that the browser keeps, the last one used first
	Storage   string           // why a log is not kept for the next visit, "" it is
	Excerpt   *Excerpt         // place in the log that is looked at, nil none
	loads     int              // number of the latest reading: answers to earlier ones are dropped
	loaded    experiment.Experiment
	Machine   *report.Conf    // what was dropped of slurm.conf and the like says of the cluster, nil nothing
	Mapping   *Mapping        // a table of which the columns are asked for, nil none
	confs     []Dropped       // the files that it was read from
	parts     []*Pending      // files of jobs among them, which will be one log
	tables    []*Mapping      // further ones
	answering []*Mapping      // of all of them those that are being read as somebody said
	queued    []Dropped       // files that were dropped together and are still to be opened
	offered   map[string]any  // dropped files by SHA-256 of their text, handed back to the engine
	linked    bool            // the settings came with a link
	dated     *report.Preview // see ShownWorkload
	session   session

	Studies  Studies         // of the papers
	Fetching engine.Fetching // of the studies' simulator
	Reading  engine.Fetching // of the log, bytes of its file
	Own      Own             // the program that is being written
	Consent  Consent         // to programs that came from outside

	search     *Search // see SearchNow
	searchSoon bool    // search as soon as the workload is there
	shown      func()  // looks at what the next run is for, nil nothing

	runAfter bool               // run as soon as the workload is loaded
	fresh    bool               // the next run is the first of an opened document
	live     *result.Sweep      // see RunLive
	LargeRun *LargeRun          // more than is begun without asking, nil nothing
	agreed   bool               // the runs may take as long as they want
	pace     map[string]float64 // seconds that a run took, by paceKey
	perJob   map[string]float64 // seconds of a run by its jobs, by the scheduler's key
	paceFor  *experiment.Experiment
	paceKeys []string // by scheduler of paceFor
	lettered []int    // places of the letters of the results, see letter
}

// New returns an empty store that works through e.
func New(e engine.Engine) *Store {
	s := &Store{engine: e, Board: news.New(), offered: map[string]any{}}
	s.Draft = draft.New(s.Board, s)
	s.Page = look.New(s.Board, s)
	s.Tray = result.New(e, s.Board, s.Page, s)
	if r, ok := e.(engine.Reader); ok {
		r.OnReading(s.setReading)
	}
	return s
}

// Pending is a log of which more than one per cent of the lines cannot be
// read. Nothing of it is used until GoOn.
type Pending struct {
	Name    string
	Preview *report.Preview
	file    any
	doc     experiment.Experiment
}
