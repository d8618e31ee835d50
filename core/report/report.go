// Package report is what a run gives back: plain data, computed by lab,
// printed by the command line, carried over the bridge and drawn by the page.
// It knows nothing of how schedules come about. A Run's fields marshal to
// JSON, except Columns, which travel as raw memory.
package report

import (
	"slices"
	"strconv"

	"batchlab/core/model"
)

// Run is one scheduler's run over one repetition of the workload.
type Run struct {
	Scheduler  int    `json:"scheduler"` // index into the experiment's schedulers
	Key        string `json:"key"`
	Label      string `json:"label"`
	Repetition int    `json:"repetition"` // from 0
	Jobs       int    `json:"jobs"`
	Processors int    `json:"processors"`
	Workload   string `json:"workload"` // fingerprint of the jobs it ran: runs compare only when these agree
	// Unrequested is how many of the jobs state no requested time in their log, so that
	// schedulers were given their run times.
	Unrequested int     `json:"unrequested,omitempty"`
	Simulate    float64 `json:"simulate_s"`       // seconds of wall clock, cleaned jobs to schedule
	Logged      bool    `json:"logged,omitempty"` // the log's own schedule: may over-allocate
	Placed      bool    `json:"placed,omitempty"` // each job was given its place on a cluster or machines that the document names
	Copy        bool    `json:"copy,omitempty"`   // repetition 0 once more: the same jobs, and nothing drawn at random
	Draws       *Draws  `json:"draws,omitempty"`  // what the repetitions were drawn from; nil: they were not resampled

	Metrics []Value   `json:"metrics"` // in catalog order
	Waits   CDF       `json:"waits"`
	Classes []Class   `json:"classes"`         // by requested processors × requested time
	Users   []UserRow `json:"users"`           // every user, most processor-seconds first
	Waves   *Waves    `json:"waves,omitempty"` // nil where users react: their submissions are the run's own
	Series  Series    `json:"series"`          // reduced for a first drawing

	// Licences are those of the platform; their time lines only with Columns.
	Licences []Licence `json:"licences,omitempty"`
	// Providers are the clusters of a platform of several.
	Providers []Provider `json:"providers,omitempty"`

	// Optimised says what the scheduler's optimiser did; nil without one.
	Optimised *Optimised `json:"optimised,omitempty"`

	// Program says what a user's program did and said; nil for other schedulers.
	Program *Program `json:"program,omitempty"`

	// Missing says what the log does not state that the run's predictor goes by, and
	// what is then used, one sentence each.
	Missing []string `json:"missing,omitempty"`

	// Beside says how the log's own schedule goes with the platform; nil for a
	// schedule that was decided.
	Beside *Logged `json:"beside,omitempty"`

	Columns Columns `json:"-"`
}

// Value is one measure of a schedule. Key is the catalog's. A measure that
// does not exist for this run (no jobs, no users) has Valid false.
type Value struct {
	Key   string  `json:"key"`
	Value float64 `json:"value"`
	Valid bool    `json:"valid"`
}

// Measure returns a measure of the run by its key; false where it does not exist.
func (r *Run) Measure(key string) (value float64, ok bool) {
	for i := range r.Metrics {
		if v := &r.Metrics[i]; v.Key == key && v.Valid {
			return v.Value, true
		}
	}
	return 0, false
}

// CDF is an empirical distribution: Share[i] of the jobs (0–1) waited at most
// At[i] seconds. At most 2,000 points, always with the first and the last.
type CDF struct {
	At    []float64 `json:"at"`
	Share []float64 `json:"share"`
}

// Class is one cell of the grid of size classes: jobs with ProcsFrom ≤
// processors ≤ ProcsTo and LimitFrom < requested time ≤ LimitTo.
type Class struct {
	ProcsFrom, ProcsTo int32
	LimitFrom, LimitTo model.Time // LimitTo model.Never: open
	Jobs               int
	MeanWait           float64 // seconds
	MeanSlowdown       float64 // bounded, experiment's τ
}

// UserRow is one user's part of a schedule.
type UserRow struct {
	User         int32
	Jobs         int
	Area         int64   // processor-seconds executed
	MeanWait     float64 // seconds
	MaxWait      model.Time
	MeanSlowdown float64 // bounded, experiment's τ
}

// Series is a step function over time: from At[i] on, Used[i] processors are
// busy and Waiting[i] jobs wait.
type Series struct {
	At      []model.Time `json:"at"`
	Used    []int32      `json:"used"`
	Waiting []int32      `json:"waiting"`
}

// Columns are the run's jobs as flat columns, one entry a job in order of
// (Submit, Number); Full is the whole series; Spans says where a job is drawn.
type Columns struct {
	Start, End []model.Time      // both −1: rejected
	Ended      []model.EndReason // why the last attempt ended
	Submit     []model.Time      // when users who react submitted the jobs; empty where the workload says
	Eligible   []model.Time      // when jobs became eligible, −1 never; empty where that was their submission
	Record                       // empty unless decisions were recorded
	Full       Series            // every change
	Spans      []Span            // processor intervals, in order of (job, First); empty for a logged schedule that does not fit
	Before     []Piece           // of jobs that ran more than once: what earlier attempts held, in order of job and attempt
	Away       []Away            // what the calendar takes, in order of From
	Held       []Away            // what reservations held without using it, and what stood idle before them; Entry is the job, Kind a Held… constant
	Complaints []Complaint       // jobs that waited longer than acceptable, the most serious first
	Cycles     []model.Time      // of a scheduler with a loop that comes at fixed times: one of them, and how many seconds lie between two; else empty
}

// Record is what a run says of its decisions. Keeping it costs more than many a run
// does without it.
type Record struct {
	Why      []Why        // by job: why it started when it did
	Foretold []model.Time // by job: seconds that it was thought to run when it was submitted, 0 not known; empty where nothing is predicted
	Retold   []model.Time // the same at its start
	Choices  []Choice     // of the queue order by rollouts, in order of time
}

// Basis is what the prediction of a job comes from: of the rule "kernel" the
// completions of its user that count most, of "last-two" the two, of "user-median"
// how many were looked at and the median of run ÷ request.
type Basis struct {
	Rule     string     `json:"rule"`              // key of the predictor
	Predicts model.Time `json:"predicts"`          // seconds, 1 … the request
	Count    int        `json:"count"`             // completions that count; 0: it comes from none
	Share    float64    `json:"share,omitempty"`   // median of run ÷ request
	Samples  []Sample   `json:"samples,omitempty"` // at most a few, those that count most first
}

// Sample is a completion that counts for a prediction: of which job, how many seconds
// it says by itself, and what it counts beside others, 0 the same as all.
type Sample struct {
	Number int64      `json:"number"`
	Says   model.Time `json:"says"`
	Weight float64    `json:"weight,omitempty"`
}

// Choice is what rollouts chose at an instant: of Orders the one by index, with the
// cost of each, the slowdown still to come in total, and how many jobs waited.
type Choice struct {
	At           model.Time
	Costs        [5]float64
	Order, Queue int32
}

// Away is processors [First, First+Count) that entry Entry of the site's
// calendar takes during [From, To). Kind is its model.CalendarKind.
type Away struct {
	From, To                  model.Time
	Entry, Kind, First, Count int32
}

// Kinds of Columns.Held.
const (
	HeldUnused int32 = iota // kept by a reservation whose job does not run (yet, or any more)
	HeldBefore              // idle directly before a reservation, as the processors are drawn
)

// Piece is processors [First, First+Count) that an attempt of a job held which
// was not its last. Reason is the model.EndReason that stopped it.
type Piece struct {
	Start, End                model.Time
	Job, First, Count, Reason int32
}

// Span is one interval of processors [First, First+Count) that job Job holds
// from its start to its end. Numbers are derived after the run (lowest free
// first) where the scheduler only counts.
type Span struct {
	Job, First, Count int32
}

// Code says in one word what a decision was, or why a job waited.
type Code uint8

// Decisions about a job (rules 7 to 9).
const (
	StartedInOrder         Code = iota // it was its turn and it fitted
	BackfilledBeforeShadow             // ends, as requested, before the head's shadow time
	BackfilledExtra                    // fits in the processors that the head leaves over
	StartedAsPlanned                   // its planned time had come (conservative, plans)
	StartedAsLogged                    // the log says so
)

// Reasons to wait.
const (
	WaitNone        Code = iota // it did not wait
	WaitProcessors              // not enough processors were free
	WaitOrder                   // an earlier job of the order stood before it (FCFS)
	WaitShadow                  // it would have delayed the head
	WaitPlan                    // its planned start lay in the future
	WaitLicences                // not enough copies of a licence that it needs were free
	WaitReservation             // processors that it needs are kept for an advance reservation or out of order
	WaitLimit                   // a limit on its user or its class was reached
	WaitPriority                // it would have delayed a job of higher priority
	WaitOthers                  // it was not eligible yet; no part of Why.Waited, which begins then
)

// Why explains one job's start: what decided it, and how its wait divides over
// the reasons, by the reason that held at each scheduling pass.
type Why struct {
	Decision Code
	Head     model.JobID   // the job that stood in its way longest, −1 none
	Waited   [9]model.Time // seconds by reason, indexed by the Wait codes
}

// Phase is a stretch of one job's wait with one reason and one promise: from From to the next
// phase. The last one, at the job's start, has WaitNone; so has every earlier
// attempt that ran.
type Phase struct {
	From   model.Time `json:"from"`
	Reason Code       `json:"reason"`
	Head   int64      `json:"head"` // number of the job that stands in its way, −1 none

	// Promised is the start that the scheduler reserves or plans for the job, 0 none.
	Promised model.Time `json:"promised,omitempty"`

	// Text says more of the reason, "" nothing; its times are filled in by tell.Fill.
	Text string `json:"text,omitempty"`
}

// Jobs are the columns of a workload that charts and tables need, in order of
// (Submit, Number). They are the same for all runs of one repetition.
type Jobs struct {
	Number             []int64
	Submit, Limit, Run []model.Time // Run beyond Limit: it is stopped at it
	Procs, User, Queue []int32
	Marks              []int32 // bits of Mark… by job; empty when no job has one

	Due []model.Time // deadlines, 0 none; empty when no job has one
	// Job j needs the licences Needs[NeedFrom[j]:NeedFrom[j+1]], indices into
	// Site.Licences. Both are empty when no job needs one.
	NeedFrom []int32
	Needs    []model.LicenceNeed

	Wants    []Want        // of the jobs that have some, in order of Job
	Reserved []Reservation // of the jobs that are reservations, in order of Job
	After    []After       // what jobs wait for before they are eligible, in order of Job
}

// After is one thing that a job waits for before it is eligible: a predecessor, or where
// On is −1 a time (What is AfterBegin) or a place in its array (AfterArray).
type After struct {
	Job, On int32 // indices
	What    int32 // a model.Event, with AfterAny where one of several is enough; AfterBegin; AfterArray
	Limit   int32 // of the array
	Delay   model.Time
}

// What of a job is waited for beside model.Event.
const (
	AfterBegin int32 = 8 + iota // Delay is the time
	AfterArray                  // Limit is how many of it may wait and run at a time
	AfterAny   int32 = 4        // a bit beside a model.Event
)

// AfterOf returns what a job waits for before it is eligible.
func (j *Jobs) AfterOf(job int) []After {
	from, _ := slices.BinarySearchFunc(j.After, job, func(a After, job int) int { return int(a.Job) - job })
	to := from
	for to < len(j.After) && int(j.After[to].Job) == job {
		to++
	}
	return j.After[from:to]
}

// AfterText writes the predecessors that a job waits for as a table of jobs does: "3:ok,
// 5:start+60", with " or " where one is enough; "" none.
func (j *Jobs) AfterText(job int) string {
	text := ""
	for _, a := range j.AfterOf(job) {
		if a.On < 0 {
			continue
		}
		if text != "" {
			if text += ", "; a.What&AfterAny != 0 {
				text = text[:len(text)-2] + " or "
			}
		}
		text += strconv.FormatInt(j.Number[a.On], 10) + [...]string{"", ":ok", ":notok", ":start"}[a.What&3]
		if a.Delay > 0 {
			text += "+" + strconv.FormatInt(int64(a.Delay), 10)
		}
	}
	return text
}

// Want is what few jobs ask for or have beside processors and time. 0: nothing.
type Want struct {
	Job, Nodes, GPUs int32 // Nodes × equal processors each; GPUs of a node
	Mem, Disk        int64 // bytes of a node
	Weight           float64
	Setup            model.Time // seconds, part of the job's run and request
}

// Reservation is what an advance reservation wants: see model.Reservation.
type Reservation struct {
	Ready, Deadline, Length model.Time
	Job                     model.JobID
	Effort                  model.Effort
}

// Want returns what a job asks for beside processors and time.
func (j *Jobs) Want(job int) Want {
	if at, found := slices.BinarySearchFunc(j.Wants, job, func(w Want, job int) int { return int(w.Job) - job }); found {
		return j.Wants[at]
	}
	return Want{}
}

// NeedsOf returns the licences that a job needs.
func (j *Jobs) NeedsOf(job int) []model.LicenceNeed {
	if job+1 >= len(j.NeedFrom) {
		return nil
	}
	return j.Needs[j.NeedFrom[job]:j.NeedFrom[job+1]]
}

// Marks of jobs.
const (
	MarkReserved int32 = 1 << iota // an advance reservation instead of a batch job
)

// Preview describes a loaded workload before anything runs.
type Preview struct {
	Name       string     `json:"name"`
	Jobs       int        `json:"jobs"`
	Processors int        `json:"processors"` // 0: the source does not say
	First      model.Time `json:"first"`
	Last       model.Time `json:"last"`
	UnixStart  int64      `json:"unix_start"`
	TimeZone   string     `json:"time_zone"`
	Users      int        `json:"users"`
	Load       float64    `json:"load"`     // executed processor-seconds ÷ (processors × span of submissions); 0 unknown
	Arrivals   []int      `json:"arrivals"` // jobs submitted in each of 56 equal parts of the span
	SHA256     string     `json:"sha256"`   // of the uncompressed log; "" when generated
	Size       int64      `json:"size"`     // bytes of the uncompressed log
	Header     string     `json:"header"`   // header lines as they stand, terms of use included
	Clean      Cleaning   `json:"clean"`
	Shape      Shape      `json:"shape"`
	Reaction   *Reaction  `json:"reaction,omitempty"` // of users who react
	Nodes      bool       `json:"nodes,omitempty"`    // the log states what jobs ask of nodes (21 fields)
	Import     *Import    `json:"import,omitempty"`   // how a file that is no log was understood
	Table      *Table     `json:"table,omitempty"`    // of such a file that is a table
}

// Cleaning is the cleaning report: what reading and cleaning left out or
// changed, by reason.
type Cleaning struct {
	Lines     int       `json:"lines"`     // lines that should have been jobs
	Malformed int       `json:"malformed"` // of these, lines that could not be read
	Kept      int       `json:"kept"`      // jobs after cleaning
	Counts    []Count   `json:"counts"`    // in a fixed order of reasons
	Problems  []Problem `json:"problems"`  // the first 1,000, in line order
}

// Dependent is the reason of jobs that the log says to follow an earlier one.
const Dependent = "dependencies"

// Reasons of jobs whose dependencies are kept.
const (
	Follows      = "follows"         // waits for other jobs
	Begins       = "begins"          // has a time before which it is not eligible
	ArrayLimited = "array-limit"     // of an array that limits how many of its jobs may run
	Together     = "starts-together" // part of a group
	Withdrawn    = "withdrawn"       // leaves the queue
)

// Jobs returns to how many jobs a reason applied.
func (c *Cleaning) Jobs(reason string) int {
	for i := range c.Counts {
		if c.Counts[i].Reason == reason {
			return c.Counts[i].Jobs
		}
	}
	return 0
}

// Count is how often one reason applied, with the first few lines.
type Count struct {
	Reason string `json:"reason"` // key, for example "never-ran"
	Text   string `json:"text"`   // for people: "Never ran: left out"
	Jobs   int    `json:"jobs"`
	Drops  bool   `json:"drops"` // jobs were left out; otherwise changed or only counted
	Lines  []int  `json:"lines"` // example line numbers, from 1, at most 5
}

// Problem is one line that could not be read as it stands.
type Problem struct {
	Line   int    `json:"line"`   // from 1
	Field  int    `json:"field"`  // 1–18; 0: the whole line
	Name   string `json:"name"`   // the field's name, for example "run time"; "" for the whole line
	Text   string `json:"text"`   // what stands there, shortened
	What   string `json:"what"`   // "abc is not a number"
	Action string `json:"action"` // "line left out"
	// Before and After are the cells beside it in a row of a table, as far as they are
	// numbers or times: they hold no names. With "…" the row goes on.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// Comparison is one measure of one scheduler over its repetitions, beside the
// same measure of a baseline, with intervals at 95 % (metric.Estimate and
// metric.Difference say how they come about), null where there are none. Copies of a
// run count once, so that one workload gives one pair.
type Comparison struct {
	Metric         string   `json:"metric"`
	Scheduler      int      `json:"scheduler"`
	Baseline       int      `json:"baseline"`
	Mean           float64  `json:"mean"` // of draws the log's own value
	Half           *float64 `json:"half"` // only where low and high lie as far from the mean
	Low            *float64 `json:"low"`  // ends of the interval that is shown, which reaches nothing impossible
	High           *float64 `json:"high"`
	Repetitions    int      `json:"repetitions"`          // different ones
	Difference     *float64 `json:"difference,omitempty"` // mean of the paired differences, this − baseline; of draws the log's own
	DifferenceHalf *float64 `json:"difference_half"`      // only where its ends lie as far from the difference
	DifferenceLow  *float64 `json:"difference_low"`
	DifferenceHigh *float64 `json:"difference_high"`
	// Relative is the typical quotient to the baseline − 1; not of shares and per cent.
	Relative     *float64 `json:"relative,omitempty"`
	RelativeLow  *float64 `json:"relative_low,omitempty"`
	RelativeHigh *float64 `json:"relative_high,omitempty"`
	Pairs        int      `json:"pairs,omitempty"`
	Interval     string   `json:"interval,omitempty"` // what the interval goes by: a By… constant
	Without      string   `json:"without,omitempty"`  // why there is no interval, for people
	// Band is the least, the median and the greatest value over phases, DifferenceBand
	// and RelativeBand those of the paired differences and quotients − 1; nil where
	// nothing differs by phases. Then there is no interval.
	Band           *[3]float64 `json:"band,omitempty"`
	DifferenceBand *[3]float64 `json:"difference_band,omitempty"`
	RelativeBand   *[3]float64 `json:"relative_band,omitempty"`
	// Verdict is one of the Verdict… words, "" without a pair.
	Verdict string `json:"verdict,omitempty"`

	// PlainHalf and PlainDifferenceHalf are those of the plain intervals mean ± half of
	// independent workloads, by Student's t, which the studies quote.
	PlainHalf, PlainDifferenceHalf *float64 `json:"-"`
}

// Caveat is something that voids a comparison of schedulers or limits what it says,
// for people.
type Caveat struct {
	Reason string `json:"reason"` // one of the keys below
	Text   string `json:"text"`   // a sentence or two
	Void   bool   `json:"void"`   // the comparison is not worth much, whatever its numbers
}

// Reasons of caveats.
const (
	NobodyWaits = "nobody-waits"
	FewWait     = "few-wait"
	NoRequests  = "no-requests"
	FewJobs     = "few-jobs"
	OneWorkload = "one-workload"
)

// What intervals of differences go by.
const (
	ByPairs = "independent workloads"
	ByUsers = "draws of users"
	ByWeeks = "draws of weeks"
	ByLog   = "this log alone"
	// ByPhases is no interval but a band, least to greatest over the same jobs: what
	// the scheduler itself leaves open, as Slurm does when its loops tick.
	ByPhases = "phases"
)

// How says what an interval is of, in a reader's words: one of the By… constants as it
// stands behind "better".
func How(by string) string {
	switch by {
	case ByUsers:
		return "with other users of the same kind"
	case ByWeeks:
		return "with other weeks like these"
	case ByLog:
		return "with other users of the same kind, estimated from this log alone"
	case ByPhases:
		return "in every phase"
	}
	return "over the pairs of repeats"
}

// Verdicts on a difference. A measure that is neither better nor worse by its
// kind is higher or lower. Of each of these four there is a "probably".
const (
	VerdictSame    = "same"                // no pair differs
	VerdictSingle  = "one workload"        // it differs, and there is no interval to say whether by chance
	VerdictNone    = "no interval"         // several workloads, and no interval of this measure that holds
	VerdictUnknown = "no clear difference" // the interval holds "no difference"
	VerdictBand    = "within the band"     // over phases one is now below and now above the other
	VerdictBetter  = "better"
	VerdictWorse   = "worse"
	VerdictHigher  = "higher"
	VerdictLower   = "lower"
	Probably       = "probably " // before one of these four
)

// Waves say how the waits and the bounded slowdowns of a run are spread over the
// days of its log: for j from 1 to 4 the sum over all days d = 1 … D of the day's sum
// (of the jobs submitted on it) × cos(π j (d − ½) ÷ D). Days are of 86,400 s from the
// first submission. Slow swings of the load are in them, which make single logs differ.
type Waves struct {
	Days     int        `json:"days"` // D
	Wait     [4]float64 `json:"wait"`
	Slowdown [4]float64 `json:"slowdown"`
}
