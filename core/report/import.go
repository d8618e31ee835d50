package report

import (
	"fmt"
	"maps"
	"slices"
)

// Import says what a file that is no log was understood to hold: accounting of a
// cluster, a published trace, a table. It holds counts and lines, and never a name,
// but for those of partitions where whoever reads the file asks for them.
type Import struct {
	Format string `json:"format"` // a key of core/intake.Formats
	Name   string `json:"name"`   // of the format, for people
	Zone   string `json:"zone"`   // of times that state none; "": taken as UTC
	Rows   int    `json:"rows"`   // jobs, and what was left out of them
	Jobs   int    `json:"jobs"`   // in the log

	Became       []OutcomeCount `json:"became"`       // what became of the rows; sums to Rows and the damaged ones
	Tries        int            `json:"tries"`        // jobs that ran again under the same number
	Arrays       int            `json:"arrays"`       // how many arrays
	InArrays     int            `json:"in_arrays"`    // jobs that belong to one
	HetGroups    int            `json:"het_groups"`   // groups of jobs that start together
	Depending    int            `json:"depending"`    // jobs that wait for others
	Dependencies map[string]int `json:"dependencies"` // conditions by kind
	Withdrawn    int            `json:"withdrawn"`    // left the queue without having run
	PeakProcs    int64          `json:"peak_processors"`
	PeakNodes    int64          `json:"peak_nodes"` // most in use at once, as far as rows say
	GPUs         int            `json:"gpu_jobs"`   // jobs that had or asked for GPUs

	Missing    []Missing      `json:"missing"` // columns that are not there, and what that costs
	Assumed    []Assumed      `json:"assumed"`
	Checks     []Check        `json:"checks"` // all that were made; those with a count found something
	Pauses     []Pause        `json:"pauses"`
	Partitions []PartitionUse `json:"partitions"`    // by number
	QOS        []Named        `json:"qos,omitempty"` // what numbers stand for, only where asked for
	Busy       []float64      `json:"busy"`          // processor-seconds in use in each of equal parts of [0, BusyTo)
	BusyTo     int64          `json:"busy_to"`       // seconds, as the log's submit times
}

// Anonymous are files that hold a log without names: its jobs in the Standard Workload
// Format, and what that has no field for, as `batchlab import` writes them.
type Anonymous struct {
	Log   []byte `json:"log"`
	Extra []byte `json:"extra"`
}

// Table says what stands in the columns of a table, and what is taken to. Its values are
// those of the file, names among them: it goes to whoever reads the file, and no further.
// As an error it says that not all that is needed can be told.
type Table struct {
	Columns []TableColumn `json:"columns"`
	Wanted  []Wanted      `json:"wanted"`
	Why     string        `json:"why"` // what is missing, "" nothing
	SHA256  string        `json:"sha256,omitempty"`
	Size    int64         `json:"size,omitempty"` // bytes; both of the whole file, where it is known
}

// TableColumn is a column with its first values, shortened.
type TableColumn struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// Wanted is something that a column may hold.
type Wanted struct {
	Key    string `json:"key"`    // of catalog.LogColumns
	What   string `json:"what"`   // for people
	Column int    `json:"column"` // that is taken to hold it, counted from 0; -1 none
}

// Error implements error.
func (t *Table) Error() string {
	return t.Why + "; batchlab import FILE --column submit=NAME and so on says what columns hold"
}

// OutcomeCount is what became of so many rows.
type OutcomeCount struct {
	What  string `json:"what"`
	Count int    `json:"count"`
	Out   bool   `json:"out,omitempty"` // they are not in the log
}

// Missing is something that the file does not say.
type Missing struct {
	What  string `json:"what"`
	Costs string `json:"costs"`
}

// Assumed is a guess, and how to say otherwise.
type Assumed struct {
	What   string `json:"what"`
	Taken  string `json:"taken"`
	Else   string `json:"else"`             // how to choose differently on the command line
	Choice string `json:"choice,omitempty"` // what is to be chosen: "zone", "processors"; "" nothing
}

// Check is something that was looked at, with the first lines where it looks wrong.
type Check struct {
	Key   string `json:"key"`  // stable, lower case
	What  string `json:"what"` // with Count 0: what is well; else what is not
	Count int    `json:"count"`
	Lines []int  `json:"lines"`
}

// Pause is a time in which nothing ran although jobs waited: perhaps an outage.
// Seconds as the log's submit times.
type Pause struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Named is what a number of the log stands for.
type Named struct {
	Number int64  `json:"number"`
	Name   string `json:"name"`
}

// PartitionUse is what the jobs of one partition did.
type PartitionUse struct {
	Number int     `json:"number"`         // as field 16 of the log
	Name   string  `json:"name,omitempty"` // only where asked for
	Jobs   int     `json:"jobs"`
	Work   float64 `json:"work"`        // processor-seconds
	Wait   float64 `json:"mean_wait_s"` // of those that started
	Asked  int64   `json:"median_requested_s"`
	Used   int64   `json:"median_run_s"`
}

// Capacity adds the check that no more was in use than a machine of so many processors
// has, in the place of the assumption about its size.
func (r *Import) Capacity(processors int64) {
	r.Assumed = slices.DeleteFunc(r.Assumed, func(a Assumed) bool { return a.Choice == "processors" })
	r.Checks = append(r.Checks, r.InUse(processors))
}

// InUse is the check that no more was in use than a machine of so many processors has.
func (r *Import) InUse(processors int64) Check {
	if r.PeakProcs > processors {
		return Check{Key: "capacity", Count: int(min(r.PeakProcs-processors, 1<<31-1)), What: fmt.Sprintf("more processors were in use at once than the machine has: %d of %d", r.PeakProcs, processors)}
	}
	return Check{Key: "capacity", What: fmt.Sprintf("never more in use than the machine has: at most %d of %d processors", r.PeakProcs, processors)}
}

// Sentences words the report, the most important first. Checks that found nothing are
// left out.
func (r *Import) Sentences() []string {
	lines := []string{fmt.Sprintf("%s: %d jobs out of %d rows", r.Name, r.Jobs, r.Rows)}
	for _, f := range r.Became {
		lines = append(lines, fmt.Sprintf("%d %s", f.Count, f.What))
	}
	for _, kind := range slices.Sorted(maps.Keys(r.Dependencies)) {
		lines = append(lines, fmt.Sprintf("%d dependencies %s", r.Dependencies[kind], kind))
	}
	for _, a := range r.Assumed {
		text := a.What + ": " + a.Taken
		if a.Else != "" {
			text += "; otherwise " + a.Else
		}
		lines = append(lines, text)
	}
	for _, m := range r.Missing {
		lines = append(lines, "no "+m.What+": "+m.Costs)
	}
	for _, c := range r.Checks {
		if c.Count > 0 {
			lines = append(lines, fmt.Sprintf("%d: %s", c.Count, c.What))
		}
	}
	if n := len(r.Pauses); n > 0 {
		lines = append(lines, fmt.Sprintf("%d times nothing ran for an hour or more although jobs waited: perhaps outages", n))
	}
	return lines
}
