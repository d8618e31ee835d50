package report

import "batchlab/core/model"

// Logged says how the log's own schedule goes with the platform of an
// experiment, which it does not know.
type Logged struct {
	// Excess says where it needed more than there is, processors first; empty: it
	// would have fitted.
	Excess []Excess `json:"excess,omitempty"`
	// Ignores are the features of the catalog that the experiment asks for and
	// the log's schedule does not keep, since its jobs ran without them.
	Ignores []string `json:"ignores,omitempty"`
	// Unknown are jobs of which the log states no wait: they start when they are
	// submitted. Jobs are all of the log's.
	Unknown int `json:"unknown,omitempty"`
	Jobs    int `json:"jobs"`
	// Requests are reservations beside the log's jobs, which are absent.
	Requests int `json:"requests,omitempty"`
}

// Excess is one thing of which the log needed more than the platform has, what
// the calendar takes away not counted.
type Excess struct {
	What    string     `json:"what"` // "processors", or a licence's name
	Licence bool       `json:"licence,omitempty"`
	Spans   int        `json:"spans"`   // how often: times without a break
	Seconds model.Time `json:"seconds"` // how long together
	Most    int64      `json:"most"`    // by how much at most
	At      model.Time `json:"at"`      // when that was first
	First   []Beyond   `json:"first"`   // the first spans, at most MostBeyond
}

// MostBeyond is how many spans an Excess lists.
const MostBeyond = 20

// Beyond is a time during which more was needed than there is.
type Beyond struct {
	From model.Time `json:"from"`
	To   model.Time `json:"to"`
	Most int64      `json:"most"`
}
