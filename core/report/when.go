package report

import "batchlab/core/model"

// When says when one more job would start.
type When struct {
	At      model.Time `json:"at"`                 // seconds of the log
	Job     int64      `json:"job,omitempty"`      // the number of one that waits
	Waited  model.Time `json:"waited_s,omitempty"` // and how long it has waited
	Procs   int32      `json:"procs"`              // asked for
	Limit   model.Time `json:"limit_s"`
	Free    int64      `json:"free"`    // processors that were free just before
	Running int        `json:"running"` // jobs that ran
	Waiting int        `json:"waiting"` // jobs that waited

	Levels []float64    `json:"levels"`  // 0 to 1
	Waits  []model.Time `json:"waits_s"` // told at each level, by the record, from the instant on
	Fifty  []model.Time `json:"fifty_s"` // the same at fifty levels, .01, .03 … .99
	Draws  []model.Time `json:"draws_s"` // in ascending order: as they came out, before the record
	Record *Kept        `json:"record"`
}

// Kept is how answers like one came true: each was told with what was known when it was
// asked, and judged by what came of it, also where that was later than the answer that is
// asked for now: the log goes on.
type Kept struct {
	Wanted   int        `json:"wanted"`         // as many earlier jobs were wanted
	Asked    int        `json:"asked"`          // answers in the past: fewer where there are not so many
	Judged   int        `json:"judged"`         // of them, those that are counted below: not the first twenty, and only of jobs that started
	Censored int        `json:"waiting"`        // those of jobs that still wait
	Half     float64    `json:"half"`           // share that came true within the middle half of the answer
	Eight    float64    `json:"eight"`          // within the band of 8 in 10
	Nine     float64    `json:"nine"`           // of 9 in 10
	Loss     float64    `json:"pinball"`        // mean pinball loss of ln(1 + minutes) over the levels .05, .1, .2 … .9, .95
	Draws    float64    `json:"unrecalibrated"` // share within the draws' own band of 8 in 10
	Leads    []KeptLead `json:"leads"`          // by the median that was told
	// Worst is the week in which most answers of the band of 8 in 10 failed beyond two in
	// ten; nil: none of at least twenty answers.
	Worst  *KeptWeek `json:"worst_week,omitempty"`
	Rivals []Rival   `json:"rivals,omitempty"` // where they are asked for
}

// KeptWeek is a week of a Kept.
type KeptWeek struct {
	Week   int64   `json:"week"` // of the log, from 1
	Judged int     `json:"judged"`
	Eight  float64 `json:"eight"`
}

// Rival is a simpler method, judged by the same jobs: promise, recent or regression.
type Rival struct {
	Key   string  `json:"key"`
	Loss  float64 `json:"pinball"`
	Eight float64 `json:"eight"` // share within its band of 8 in 10
}

// KeptLead is a part of a Kept.
type KeptLead struct {
	Below  model.Time `json:"below_s"` // medians below this and not below the one before; 0: all longer ones
	Judged int        `json:"judged"`
	Eight  float64    `json:"eight"`
}

// WhenMap says when jobs of other sizes and limits would start, from the same draws.
type WhenMap struct {
	Procs  []int32      `json:"procs"`    // ascending
	Limits []model.Time `json:"limits_s"` // ascending
	Cells  []WhenCell   `json:"cells"`    // by processors, then by limit
	// Jobs is how many of the last 20 jobs of the user that had as many processors or more
	// have ended, and Longest the longest time that one of them ran.
	Jobs    int        `json:"jobs"`
	Longest model.Time `json:"longest_s"`
}

// WhenCell is a cell of a WhenMap.
type WhenCell struct {
	Procs int32         `json:"procs"`
	Limit model.Time    `json:"limit_s"`
	Waits [3]model.Time `json:"waits_s"` // at a tenth, the middle and nine tenths
	// Sooner is how much sooner the job starts than the one that is asked about, in seconds:
	// of the differences draw by draw, again at a tenth, the middle and nine tenths.
	Sooner [3]model.Time `json:"sooner_s"`
	Never  string        `json:"never,omitempty"` // why it cannot start
}

// WhenHold says what holds a job back.
type WhenHold struct {
	Need  int32        `json:"need"`    // processors
	Times []model.Time `json:"times_s"` // after the instant
	// Free processors at those times, without the job, over the draws: a tenth, the middle
	// and nine tenths.
	Free [][3]int32 `json:"free"`
	// Shares of the processors over the wait: of jobs that run at the instant, of those that
	// wait then, of those that come later, and free ones.
	Shares [4]float64 `json:"shares"`
}
