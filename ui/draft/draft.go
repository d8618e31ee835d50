// Package draft is the document under edit: the settings as the left column shows
// them, with inputs and tables, what varies, what is wrong where, and the steps
// that undo walks over. It reads no workload and runs nothing: its Host does.
package draft

import (
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/news"
)

// Host is what a draft needs of the page around it.
type Host interface {
	Reload()                                          // the jobs are others: the workload is read again
	Settle()                                          // what was asked about a log is given up
	Installed()                                       // other settings are in effect
	Admit(programs []string, keep bool)               // programs that the reader has chosen
	KeepFile(l experiment.Log, file any, kind string) // a file beside the log came
	Drawn() *report.Site                              // machines that the settings' generator drew, nil while there are none
	SearchFault(id string) string                     // what a search had against an input, "" nothing
	ShowTab(key string)
}

// Draft is the document under edit. Make one with New; every change goes through
// a method.
type Draft struct {
	Settings  experiment.Experiment // as the left column shows them
	Preset    string                // key of the preset that Settings started from, "" a link or a file
	Preview   *report.Preview       // of the loaded workload, nil while none is loaded
	Modified  string                // how the experiment is another than the one that was opened: "another log", "" as it was
	LoadError string                // why the last reading failed; what was loaded before stays
	Fields    map[string]Field      // inputs whose text could not be used, by field id
	Edits     int                   // how often the settings were put

	Said         []experiment.Error // what the last reading had against the settings, with places
	Unreadable   bool               // the workload of the settings cannot be read: LoadError says why
	NeedsMissing bool               // a file that the settings name is not here

	board *news.Board
	host  Host

	opened     *experiment.Experiment // the document that the settings started from
	history    history
	parked     []Parked        // schedulers that are ticked off, in the order of the list
	places     []int           // of the letters of the schedulers that run, see Places
	otherNeeds *experiment.Log // see OtherNeeds
	varying    *Varying        // see VaryNow
	details    bool            // the table of machines shows all that machines have

	faults      []experiment.Error // see Faults
	faultsKnown bool
	faultsSaid  string // the LoadError that they hold
	invalid     bool   // the settings are no valid document
}

// New returns an empty draft.
func New(board *news.Board, host Host) *Draft {
	return &Draft{board: board, host: host, Fields: map[string]Field{}}
}
