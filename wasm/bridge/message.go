package bridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"batchlab/core/report"
	"batchlab/core/tell"
)

// Kinds of requests and replies.
const (
	Load     = "load"
	Run      = "run"
	Why      = "why"
	Lines    = "lines"
	Search   = "search"
	Terms    = "terms"   // the priorities of waiting jobs at an instant, taken apart
	Study    = "study"   // a worker's part of a preset
	Give     = "give"    // to a worker that does a part: a piece of it, or what the others did
	Stop     = "stop"    // to a worker that does a part: do no more pieces
	Plan     = "plan"    // the plan of an instant, with the history of a job's start
	Foresee  = "foresee" // how a run's plan came about and how good its predictions were
	Step     = "step"    // an instant of a run: what was decided, and why
	Drawn    = "drawn"   // what was drawn for a repetition, as files
	Sweep    = "sweep"   // runs of an experiment that varies
	Fold     = "fold"    // hashing the blocks that come along, behind those before them
	Query    = "query"   // what reservation could have been had at a time
	Trial    = "trial"   // what a user's program does with a small case
	Machine  = "machine" // what the files beside say of a cluster
	Ask      = "ask"     // what a view of the second program asks
	Cancel   = "cancel"
	Progress = "progress"
	Take     = "take"  // of a study: asks for a piece; Done of Total are done here
	Share    = "share" // of a study: what came of this worker's pieces, one buffer for each other worker
	Result   = "result"
	Failure  = "error"
)

// requests and replies are all kinds, and unanswered the requests that get no result
// or error of their own: they say something to one that is under way.
var (
	requests   = []string{Load, Run, Why, Lines, Search, Terms, Study, Give, Stop, Plan, Foresee, Step, Drawn, Sweep, Fold, Query, Trial, Machine, Ask, Cancel}
	replies    = []string{Progress, Take, Share, Result, Failure}
	unanswered = []string{Give, Stop, Cancel}
)

// Codes of errors that the page treats in their own way; other errors have "".
const (
	CodeCancelled = "cancelled" // the request was cancelled
	CodeMemory    = "memory"    // it would need more memory than a worker has
	CodePanic     = "panic"     // the worker's program failed; it should be replaced
	CodeLog       = "log"       // the experiment names a log that did not come along
	CodeMachine   = "machine"   // load: the file describes a cluster and holds no jobs
	CodeTable     = "table"     // load: the file is a table, of which Table says what is not known
	CodeStudies   = "studies"   // the page's own program leaves out what it needs
)

// MaxHead bounds the JSON text of a message, in bytes.
const MaxHead = 16 << 20

// Request is what the page asks of a worker.
type Request struct {
	Kind       string      `json:"kind"`
	ID         int         `json:"id"`                   // greater than 0, never used twice
	Experiment string      `json:"experiment,omitempty"` // the document's JSON, for load, run and why
	NewLog     string      `json:"new_log,omitempty"`    // load: the file is a new log of this name; the document's own source is ignored
	Columns    []string    `json:"columns,omitempty"`    // load: what its columns hold, in the order of catalog.LogColumns; none: they are told by their names
	Scheduler  int         `json:"scheduler,omitempty"`  // run, why: index into the document's schedulers
	Repetition int         `json:"repetition,omitempty"` // run, why: from 0
	Jobs       bool        `json:"jobs,omitempty"`       // run: send the workload's columns as well
	At         int64       `json:"at,omitempty"`         // terms, plan: the instant
	Follow     *int64      `json:"follow,omitempty"`     // why: number of the job whose history alone is wanted
	Job        int         `json:"job,omitempty"`        // plan: 1 + index of the job whose history is wanted; 0 none
	Instant    int         `json:"instant,omitempty"`    // step: 1 + index of the instant; 0: the last one up to At
	About      int         `json:"about,omitempty"`      // step: 1 + index of a job: the first instant from there on at which something is decided about it
	Truth      bool        `json:"truth,omitempty"`      // step: what only the simulator knows, too
	Ask        *report.Ask `json:"ask,omitempty"`        // query
	Code       string      `json:"code,omitempty"`       // trial: the program
	What       string      `json:"what,omitempty"`       // ask: a name of the worker's table
	In         string      `json:"in,omitempty"`         // ask: the question, as JSON
	Beside     int         `json:"beside,omitempty"`     // trial, instead of a program: 1 + index of the scheduler from which a run is to part on a smallest case
	Line       int         `json:"line,omitempty"`       // lines: the line in the middle, from 1
	Blocks     []Block     `json:"blocks,omitempty"`     // fold: the runs in order, when some are copies; else each buffer is one or several
	Study      StudyPart   `json:"study,omitzero"`       // study, give
	Piece      Piece       `json:"piece,omitzero"`       // search: what to do; without a kind only the weeks are wanted
	Span       Span        `json:"span,omitzero"`        // sweep: the items to run, in order
	Logs       []string    `json:"logs,omitempty"`       // SHA-256 of the logs that stand last among the files beside the experiment's own log
	State      []byte      `json:"state,omitempty"`      // fold: of the digest of the blocks before; empty: there are none
}

// Block is a run's part of a digest: that of a buffer, as that of a repetition.
type Block struct {
	Buffer     int `json:"b"`
	Repetition int `json:"r"`
}

// Reply is what a worker answers.
type Reply struct {
	Kind    string             `json:"kind"`
	ID      int                `json:"id"`
	Done    int                `json:"done,omitempty"` // progress: of Total
	Total   int                `json:"total,omitempty"`
	Run     json.RawMessage    `json:"run,omitempty"`    // the head of a packed run
	Phases  []report.Phase     `json:"phases,omitempty"` // why of one job: its history
	Basis   *report.Basis      `json:"basis,omitempty"`  // and what its prediction came from
	Site    *report.Site       `json:"site,omitempty"`   // run, with the workload's columns: machines, licences, calendar
	Preview *report.Preview    `json:"preview,omitempty"`
	Digest  string             `json:"digest,omitempty"`
	Lines   []report.Line      `json:"lines,omitempty"`
	Terms   *report.Priorities `json:"terms,omitempty"`
	Plan    *report.Plan       `json:"plan,omitempty"`
	Foresee *report.Foresight  `json:"foresee,omitempty"`
	Answer  *report.Answer     `json:"answer,omitempty"`
	Trial   *report.Trial      `json:"trial,omitempty"`
	Machine *report.Conf       `json:"machine,omitempty"`
	Table   *report.Table      `json:"table,omitempty"`   // error: with the code table
	Out     json.RawMessage    `json:"out,omitempty"`     // ask: the answer
	Step    *tell.Step         `json:"step,omitempty"`    // step; of one about a job, none where nothing more is decided about it
	Files   []string           `json:"files,omitempty"`   // drawn: their names, one a buffer
	Weeks   json.RawMessage    `json:"weeks,omitempty"`   // search: the windows, when they were asked for
	Found   json.RawMessage    `json:"found,omitempty"`   // search: what xNES found
	Read    float64            `json:"read_s,omitempty"`  // load of a log: seconds from the file to its parsed lines
	Papers  json.RawMessage    `json:"papers,omitempty"`  // study: what came of it
	Span    Span               `json:"span,omitzero"`     // sweep: the items that were run, in front of those that were asked for
	Refused []Refused          `json:"refused,omitempty"` // sweep: those of them that cannot run
	State   []byte             `json:"state,omitempty"`   // fold: what the next one goes on from
	Phase   int                `json:"phase,omitempty"`   // take, share: which set of pieces, from 1
	Error   string             `json:"error,omitempty"`
	Code    string             `json:"code,omitempty"`
	Faults  []Fault            `json:"faults,omitempty"` // error: what it is made of, with places and codes
}

// Fault is a fault of an experiment: its place, what is wrong, and the code of a
// refusal (core/experiment.Error).
type Fault struct {
	Path    string `json:"path,omitempty"`
	Message string `json:"message"`
	Code    string `json:"code,omitempty"`
}

// Encode returns the JSON text of a Request or a Reply.
func Encode(m any) string {
	b, err := json.Marshal(m)
	if err != nil { // both types hold nothing that JSON cannot say
		panic(err)
	}
	return string(b)
}

// DecodeRequest reads the head of a message to a worker.
func DecodeRequest(head []byte) (Request, error) {
	var q Request
	if err := decode(head, &q); err != nil {
		return Request{}, err
	}
	if !slices.Contains(requests, q.Kind) {
		return Request{}, fmt.Errorf("bridge: no request is called %q", q.Kind)
	}
	switch {
	case q.ID <= 0:
		return Request{}, fmt.Errorf("bridge: %s: id %d is not greater than 0", q.Kind, q.ID)
	case q.Scheduler < 0 || q.Repetition < 0 || q.Job < 0 || q.Instant < 0 || q.About < 0:
		return Request{}, fmt.Errorf("bridge: %s: scheduler %d, repetition %d", q.Kind, q.Scheduler, q.Repetition)
	case q.Experiment == "" && (q.Kind == Load || q.Kind == Run || q.Kind == Why || q.Kind == Lines || q.Kind == Search || q.Kind == Terms || q.Kind == Plan || q.Kind == Foresee || q.Kind == Drawn || q.Kind == Query || q.Kind == Sweep || q.Kind == Step || q.Kind == Ask):
		return Request{}, fmt.Errorf("bridge: %s: no experiment", q.Kind)
	}
	if q.Kind == Query && q.Ask == nil {
		return Request{}, errors.New("bridge: query: nothing is asked")
	}
	if q.Kind == Sweep && (q.Span.From < 0 || q.Span.To <= q.Span.From) {
		return Request{}, fmt.Errorf("bridge: sweep: items %d … %d", q.Span.From, q.Span.To)
	}
	if err := q.Study.check(q.Kind); err != nil {
		return Request{}, err
	}
	if err := q.Piece.check(); err != nil {
		return Request{}, err
	}
	return q, nil
}

// DecodeReply reads the head of a message to the page.
func DecodeReply(head []byte) (Reply, error) {
	var p Reply
	if err := decode(head, &p); err != nil {
		return Reply{}, err
	}
	if !slices.Contains(replies, p.Kind) {
		return Reply{}, fmt.Errorf("bridge: no reply is called %q", p.Kind)
	}
	switch {
	case p.ID <= 0:
		return Reply{}, fmt.Errorf("bridge: %s: id %d is not greater than 0", p.Kind, p.ID)
	case p.Kind == Progress && (p.Done < 0 || p.Done > p.Total):
		return Reply{}, fmt.Errorf("bridge: progress: %d of %d", p.Done, p.Total)
	case p.Kind == Failure && p.Error == "":
		return Reply{}, errors.New("bridge: error: no message")
	}
	return p, nil
}

// decode reads exactly one JSON object with known keys.
func decode(head []byte, to any) error {
	if len(head) > MaxHead {
		return fmt.Errorf("bridge: a head of %d bytes is longer than %d", len(head), MaxHead)
	}
	d := json.NewDecoder(bytes.NewReader(head))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return fmt.Errorf("bridge: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("bridge: something follows the message")
	}
	return nil
}
