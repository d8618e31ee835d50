package report

import "batchlab/core/model"

// Note is what a user's program has said of a job: note(job, text).
type Note struct {
	At     model.Time  `json:"at"` // when
	Job    model.JobID `json:"-"`  // index among the jobs of the run
	Number int64       `json:"job"`
	Text   string      `json:"text"` // at most 200 characters
}

// Program says of a run by a user's program what the program did.
type Program struct {
	Notes   []Note       `json:"notes,omitempty"`   // in order; only while decisions are recorded or the program is profiled
	More    int          `json:"more,omitempty"`    // notes that were not kept
	Printed []string     `json:"printed,omitempty"` // the first 200 lines
	Steps   int64        `json:"steps"`
	Profile *CodeProfile `json:"profile,omitempty"`
}

// CodeProfile says where a program spent its steps.
type CodeProfile struct {
	Steps int64          `json:"steps"` // of the whole run
	Calls map[string]int `json:"calls"` // of decide, order, backfill_order, begin and reset
	Lines []CodeLine     `json:"lines"` // those that did something, in order
	// About says that the run was long, so that from some time on only one in 16
	// calls was looked at: what stands in Lines is an estimate then.
	About bool `json:"about,omitempty"`
}

// CodeLine is what one line did.
type CodeLine struct {
	Line    int     `json:"line"`    // from 1
	Calls   int64   `json:"calls"`   // how often the program came to it
	Steps   int64   `json:"steps"`   // that it took, those of the functions that it called included unless they are the program's own
	Seconds float64 `json:"seconds"` // about; 0 without a clock
}

// ProgramCheck says what a user's program is.
type ProgramCheck struct {
	Kind   string      `json:"kind"`             // "decide", "order" or "backfill": what it defines; "" with faults
	Faults []CodeFault `json:"faults,omitempty"` // in order
}

// CodeFault is what is wrong with a program, and where.
type CodeFault struct {
	Line    int    `json:"line"`   // from 1; 0: nobody knows
	Column  int    `json:"column"` // from 1; 0: nobody knows
	Message string `json:"message"`
}
