package report

import "batchlab/core/model"

// Optimised says what the optimiser of a planning scheduler did in a run.
type Optimised struct {
	Calls      int   `json:"calls"`
	Iterations int64 `json:"iterations"` // plans evaluated
	Accepted   int64 `json:"accepted"`   // plans better than all before in their call
	// Unrepeatable marks a run that a wall clock has stopped, or could have: it
	// cannot be reproduced.
	Unrepeatable bool `json:"not_reproducible,omitempty"`
	// Seconds of wall clock that making schedules took, where that is timed: no
	// result depends on it, and it is not reproducible.
	Seconds float64 `json:"seconds,omitempty"`
}

// Move is where a job went in a step of an optimiser that was kept. A step may take several
// jobs: all are taken out, and then put to their places, the first ones first.
type Move struct {
	At      model.Time // of the call
	Step    int        // from 1; 0: the plan with which the call begins
	Job     int64      // number; −1 with step 0
	Cluster string     // name of the cluster to which it went; with step 0, the provider of a grid
	Place   int        // in its list, from 1; 0 with step 0
	Scores  [3]float64 // of the plan after the step: mean wait in seconds, mean bounded slowdown, unfairness
}

// Plan is the execution plan of a run as one scheduling event has left it, what
// starts then being started (Klusáček and Chlumský 2016, section 3.1).
// The future is as the plan has it: what runs takes all that it asked for.
type Plan struct {
	At    model.Time `json:"at"`    // of the last scheduling event up to the time that was asked for
	Total int        `json:"total"` // waiting jobs
	Procs int        `json:"procs"`

	Bars   []PlanBar   `json:"bars"`             // jobs of the past near At, running and planned ones, by start
	Gaps   []PlanSteps `json:"gaps"`             // the gap lists: free processors, cluster by cluster
	Limits []PlanSteps `json:"limits,omitempty"` // the limits lists: what they leave free
	Away   []Away      `json:"away,omitempty"`   // what the calendar takes, as far as it is known

	// Job is the one whose history was asked for, −1 none; History says, from each
	// point in time on, for when its start was planned. Started is when it started,
	// model.Never if not in the part of the run that was looked at.
	Job     model.JobID   `json:"job"`
	Number  int64         `json:"number"`
	Started model.Time    `json:"started"`
	History []PlannedTime `json:"history,omitempty"`
}

// PlanBar is a job in a plan. The nodes of a planned job are where the plan
// expects it; of interchangeable processors the numbers are those of the display.
type PlanBar struct {
	Job        model.JobID `json:"job"`
	Number     int64       `json:"number"`
	User       int32       `json:"user"`
	Procs      int32       `json:"procs"`
	Cluster    int32       `json:"cluster"`
	Submit     model.Time  `json:"submit"`
	Start, End model.Time
	State      BarState `json:"state"`
	Nodes      []int32  `json:"nodes,omitempty"` // indices of machines, where a cluster names them
	Spans      []Span   `json:"spans"`
}

// BarState says of a job in a plan what it does at that instant.
type BarState uint8

// What jobs in a plan do.
const (
	BarEnded BarState = iota
	BarRuns
	BarPlanned
)

// PlanSteps is a step function of processors over time: Free[i] from At[i] on.
type PlanSteps struct {
	Name    string       `json:"name"` // of a cluster, or what is limited
	Cluster int32        `json:"cluster"`
	Most    int32        `json:"most"` // processors, or what the limit allows
	At      []model.Time `json:"at"`
	Free    []int32      `json:"free"`
}

// PlannedTime is a prediction: from At on, a start was planned for Start.
type PlannedTime struct {
	At, Start model.Time
	Cluster   int32
}

// Foresight is what the whole run says of its planning.
type Foresight struct {
	// Trace lists the accepted improvements (figure 4), at most some thousands of
	// them, evenly chosen; Accepted counts all.
	Trace    []Improvement `json:"trace"`
	Accepted int           `json:"accepted"`
	// Accuracy compares predictions with what came of them, by the time that
	// was left to the start.
	Accuracy []Accuracy `json:"accuracy"`
	// Moved says how often a job's predicted start moved before it started: jobs,
	// moves to an earlier and to a later time.
	Jobs    int   `json:"jobs"`
	Earlier int64 `json:"earlier"`
	Later   int64 `json:"later"`
}

// Improvement is one plan that an optimiser has accepted: by how much each
// criterion fell, as a share of what it was; negative where it rose.
type Improvement struct {
	At        model.Time
	Iteration int
	Wait      float64
	Slowdown  float64
	Fairness  float64
}

// Accuracy says how well starts were predicted Lead seconds before they came:
// over so many Jobs, which waited at least as long, the mean absolute error, the
// mean error (positive: the start came later than predicted) and the median
// absolute error, in seconds.
type Accuracy struct {
	Lead      model.Time
	Jobs      int
	Absolute  float64
	Error     float64
	Median    float64
	Unchanged float64 // share of exact predictions, 0–1
}
