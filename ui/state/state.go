// Package state is the page's state as plain Go: what the settings are, what
// has run, what is looked at. It knows no vugu and no browser; components and
// islands read it, its methods are the only writers.
package state

import (
	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
)

// Store is the whole state of the page. Make one with New; every change goes
// through a method, and each change calls the listener set by OnChange.
type Store struct {
	Settings experiment.Experiment  // as the left column shows them
	Preset   string                 // key of the preset that Settings started from, "" a link or a file
	Ran      *experiment.Experiment // what Runs belong to; results are stale when it differs from Settings
	Preview  *report.Preview        // of the loaded workload, nil while none is loaded
	Runs     []*Run                 // scheduler-major, then repetition
	Jobs     map[int]*report.Jobs   // by repetition
	Sites    map[int]*report.Site   // by repetition: machines, licences, calendar
	Digest   string                 // of all runs, once all are done
	View     View
	Version  int // grows with every change that a drawing depends on
	Results  int // grows when results come or go, for what is costly to sum up

	Place     Place            // beside the laboratory: lessons
	Loading   bool             // a workload is being read
	LoadError string           // why the last reading failed; what was loaded before stays
	Pending   *Pending         // a damaged log that waits for a decision
	Wanted    *experiment.Log  // the log that an opened experiment names and that is not here
	Other     *Pending         // a log offered in place of the wanted one: used only by UseOther
	Kept      []KeptLog        // logs that the browser keeps, the last one used first
	Modified  string           // how the experiment is another than the one that was opened: "another log", "" as it was
	Notice    string           // one message for the whole page: a damaged link, for example
	Fields    map[string]Field // inputs whose text could not be used, by field id
	Log       []string         // what happened, oldest first, at most 200 lines
	Prefs     Prefs            // how times and numbers are written; changed by Prefer
	Excerpt   *Excerpt         // place in the log that is looked at, nil none
	Studies   Studies          // of the papers
	starved   []starvedOf
	Fetching  Fetching // of the studies' simulator
	Own       Own      // the program that is being written
	Consent   Consent  // to programs that came from outside
	Much      *Much    // more than is begun without asking, nil nothing
	Storage   string   // why a log is not kept for the next visit, "" it is

	search     *Search // see SearchNow
	stopSearch func()
	shown      func() // looks at what the next run is for, nil nothing
	searchSoon bool   // search as soon as the workload is there

	engine   Engine
	history  history
	parked   []Parked // schedulers that are ticked off, in the order of the list
	changed  func()
	progress func()
	cancel   func()
	loads    int // number of the latest reading: answers to earlier ones are dropped
	running  int // number of the latest run, for the same reason
	loaded   experiment.Experiment
	opened   *experiment.Experiment // the document that the settings started from
	offered  map[string]any         // dropped files by SHA-256 of their text, handed back to the engine
	runAfter bool                   // run as soon as the workload is loaded
	fresh    bool                   // the next run is the first of an opened document

	terms        []*Terms // see WantTerms
	planning     planning // see WantPlan
	stepping     stepping // see WantStep
	answered     *Asked
	otherNeeds   *experiment.Log // see OtherNeeds
	needsMissing bool            // the file of annotations that the settings name is not here

	quiet *quiet // see RunQuietly

	agreed   bool               // the runs may take as long as they want
	ended    int                // runs of the experiment that have ended, in whatever way
	pace     map[string]float64 // seconds that a run took, by paceKey
	perJob   map[string]float64 // seconds of a run by its jobs, by the scheduler's key
	paceFor  *experiment.Experiment
	paceKeys []string // by scheduler of paceFor
	labelsOf *experiment.Experiment
	labels   []string // of its schedulers

	varying *Varying // see VaryNow
	swept   *Sweep   // see SweepNow
	linked  bool     // the settings came with a link

	details bool // the table of machines shows all that machines have

	faults      []experiment.Error // see Faults
	faultsKnown bool
	invalid     bool               // the settings are no valid document
	faultsSaid  string             // the LoadError that they hold
	said        []experiment.Error // what the last reading had against the settings, with places
	unread      bool               // the workload of the settings cannot be read: LoadError says why

	edits     int // how often the settings were put
	session   session
	asked     *linkView   // what the opened link looks at, until it is shown
	differs   *Difference // see Difference, of Results differsAt
	differsAt int
	traced    struct {
		version int
		text    string
	} // see traceText
}

// Pending is a log of which more than one per cent of the lines cannot be
// read. Nothing of it is used until GoOn.
type Pending struct {
	Name    string
	Preview *report.Preview
	file    any
	doc     experiment.Experiment
}

// Status is where a run stands.
type Status uint8

// States of a run.
const (
	Queued Status = iota
	Running
	Done
	Cancelled
	Failed
)

// Run is one run of the tray.
type Run struct {
	Scheduler, Repetition int
	Status                Status
	Progress              float64 // 0–1
	Left                  float64 // seconds, estimated; 0 unknown
	Error                 string
	Result                *report.Run
	WhyAsked              bool   // the record of decisions has been asked for
	WhyError              string // why it cannot be had
	Past                  *Past  // of the job that was looked at last, nil none
	Let                   bool   // Result has no columns: they are computed again when they are looked at

	recalled bool // they have been asked for
	lost     bool // they could not be computed again
}

// View is what is looked at; it changes no number.
type View struct {
	Tab        string     // key of Tabs
	A, B       int        // schedulers shown in the first two panes; B −1: one pane
	More       [2]int     // 1 + the schedulers of a third and a fourth pane, 0 none
	Baseline   int        // pinned scheduler that differences refer to
	Repetition int        // whose schedule Gantt, series and table show
	From, To   model.Time // visible span; equal: everything
	Job        int        // selected job, index into Jobs; −1 none
	Colour     string     // Gantt colour mode: wait, user, size, slowdown
	Dark       bool       // theme in effect, for canvases
	Bars       string     // key of the measure that the bars of the overview show
	Scale      string     // of the bars: "" so that close ones can be told apart, "whole", "log"
	Two        bool       // only A and what it stands against are shown
	Own        int        // scheduler of the settings whose program is open
	Week       int        // of a search, from 0
	Large      bool       // large type, for a room
	Planned    bool       // Instant has been chosen; else the plan is that of the longest queue
	Instant    model.Time // whose plan is shown, or which is stepped to
	Measures   string     // keys of the measures that a sweep shows, separated by commas; "" the first ones
	VaryOver   int        // axis of a sweep that its lines go over
	VaryPoint  int        // point of a sweep that is looked at; the lines go through it
	Step       bool       // the Gantt chart shows one instant, and what was decided then
	Pair       bool       // with Step: what A stands against beside it
	Truth      bool       // with Step: what the scheduler cannot know, too
	Told       int        // with Step: so many of the instant's decisions have been told; 0: all
	Chosen     int        // with Step: number of the decision that is looked at, from 1; 0: the last one told; −1: none
}

// Engine does the work away from the page's thread. Callbacks arrive on the
// page's thread, one at a time.
type Engine interface {
	// Load reads the workload of w (cleaned, filtered, scaled) for a preview.
	// file is the dropped file (the platform's own handle) when the source is
	// a log; for a log that was never dropped here it is nil, and the engine
	// may know it from storage or answer with an error. When the source log's
	// SHA256 is empty the file is new: the preview's Name, SHA256 and Size
	// then become part of the settings.
	Load(w experiment.Experiment, file any, done func(*report.Preview, error))
	// Run starts every run of e. Each event names the run by its index in
	// scheduler-major order. Cancel stops what has not finished.
	Run(e experiment.Experiment, event func(Event)) (cancel func())
	// CancelOne stops a single run of the current experiment.
	CancelOne(run int)
	// Why asks for the recorded decisions of a finished run's jobs, which are
	// computed on demand by running it again with the record switched on.
	Why(e experiment.Experiment, run int, done func([]report.Why, error))
}

// Holder is what an engine offers that can hold the runs of the current
// experiment back which it has not begun.
type Holder interface {
	// Hold holds them back, or lets them go on.
	Hold(held bool)
}

// Event is news of a run.
type Event struct {
	Run      int
	Status   Status
	Progress float64
	Left     float64
	Result   *report.Run  // with Done
	Jobs     *report.Jobs // with the first Done of a repetition
	Site     *report.Site // with Jobs; nil: nothing is known of the machines
	Err      error        // with Failed
	Digest   string       // with the last Done: of all runs
	Took     float64      // with Done: seconds of a worker, 0 for copies
}
