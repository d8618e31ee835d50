// Package result is what an experiment gave: a sweep, of one point as a rule, whose
// runs come in, what is summed up and said of them, and what the workers are asked about
// them.
package result

import (
	"batchlab/core/experiment"
	"batchlab/core/metric"
	"batchlab/core/report"
	"batchlab/core/tell"
	"batchlab/ui/engine"
	"batchlab/ui/look"
	"batchlab/ui/news"
)

// Host is what results need to know of the settings that they came from.
type Host interface {
	Schedulers() int           // that the view can refer to
	Varies() bool              // the settings stand for many points
	Workload() *report.Preview // what was read, nil while nothing is
}

// Tray holds the results on show.
type Tray struct {
	*Sweep         // the one point that all views show, of no experiment at first
	Swept   *Sweep // see SweepNow
	Results int    // grows when results come or go, for what is costly to sum up

	// JobsKept bounds the jobs, over all runs, whose starts, ends and places are
	// kept. Repetitions beyond it keep their measures alone, and are computed again
	// when they are looked at.
	JobsKept int

	// Later calls f soon, after others have had their turn; nil: there are no others. What
	// takes long over a great many jobs is done bit by bit.
	Later func(f func())

	board  *news.Board
	look   *look.Page
	host   Host
	engine engine.Engine

	labelsOf  *experiment.Experiment
	labels    []string               // of its schedulers
	keptOf    *experiment.Experiment // the runs that starved and owns are of, see forget
	starved   []starvedOf
	owns      map[ownKey]metric.Own // see classOwn
	owing     int                   // classes that are computed later, see classOwn
	terms     asked[*report.Priorities]
	planned   asked[*report.Plan]
	foreseen  asked[*report.Foresight]
	stepped   asked[*tell.Step]
	answered  asked[*report.Answer]
	differs   *Difference // see Difference, of Results differsAt
	differsAt int
	traced    struct {
		version int
		text    string
	} // see TraceText
}

// New returns an empty tray whose questions go to by.
func New(by engine.Engine, board *news.Board, page *look.Page, host Host) *Tray {
	return &Tray{Sweep: &Sweep{}, engine: by, board: board, look: page, host: host, JobsKept: keptJobs}
}
