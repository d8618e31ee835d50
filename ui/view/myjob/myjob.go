// Package myjob is the view that says when a job would start: a new one, or one of the log
// that waits, on top of an instant of a run; what would be cheaper to ask, what holds it
// back, and how such answers came true before.
package myjob

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/annex"
	"batchlab/ui/words"
)

// Question is what is asked: the job, and the run that it is to start in.
type Question struct {
	Scheduler int
	At        model.Time
	Job       int64 // the number of one that waits; 0: a new one
	Procs     int32
	Limit     model.Time
	User      int32 // −1: nobody that is known
	Queue     bool  // on top of what squeue printed, at the end of the log; Job is a place in that
}

// Queue is what squeue printed, as a worker has read it.
type Queue struct {
	Present json.RawMessage `json:"present"`
	At      model.Time      `json:"at"`
	Held    int             `json:"held"`    // left out
	Unknown int             `json:"unknown"` // of users that the log does not name
}

// ask is what lab.Ask reads, as JSON.
type ask struct {
	At         model.Time `json:"at"`
	Job        int64      `json:"job"`
	Procs      int32      `json:"procs"`
	Limit      model.Time `json:"limit"`
	User       int32      `json:"user"`
	Executable int32      `json:"executable"`
	Draws      int        `json:"draws"`
	Record     int        `json:"record"`
	Within     float64    `json:"within"`

	Present json.RawMessage `json:"present,omitempty"`
}

// asked is a question as a worker reads it.
type asked struct {
	Scheduler int `json:"scheduler"`
	Ask       ask `json:"ask"`
}

const (
	draws  = 60
	record = 384  // earlier jobs: as many as the command line asks about
	soon   = 3.0  // seconds that the first answer with a record may take
	long   = 20.0 // and the last one: where queues are long the record stays smaller
)

// View is the view: the question, and what came of it.
type View struct {
	Page  *annex.Page
	Q     Question
	Told  *report.When // nil: not yet
	Map   *report.WhenMap
	Hold  *report.WhenHold
	Error string
	Done  int    // earlier jobs of the record by which the answer is told
	Total int    // wanted, while the record grows; 0: it does not
	By    string // what the map tells: wait, start or end
	Queue *Queue // nil: nothing was pasted

	doc   *experiment.Experiment
	state string
	stops []func()
	again func() // draws
	turn  int    // of questions: late answers of an earlier one are passed over
}

// Follow takes up the document of the page and what its link says, unless that has been
// done.
func (v *View) Follow(again func()) {
	v.again = again
	if v.By == "" {
		v.By = "wait"
	}
	if v.doc == v.Page.Doc && v.state == v.Page.State {
		return
	}
	fresh := v.doc != v.Page.Doc
	v.doc = v.Page.Doc
	if q, ok := parse(v.Page.State); ok && v.Page.State != v.state {
		v.state = v.Page.State
		if q.Queue {
			v.Stop()
			v.Q, v.Told, v.Map, v.Hold, v.Queue = q, nil, nil, nil, nil
			v.Error = "this link asks on top of a queue, which is not in it: paste what squeue prints"
			return
		}
		v.Ask(q)
		return
	}
	v.state = v.Page.State
	if fresh {
		v.Stop()
		v.Told, v.Map, v.Hold, v.Queue, v.Error = nil, nil, nil, nil, ""
		v.Q = v.first()
	}
}

// first is what the form says before anything has been asked.
func (v *View) first() Question {
	q := Question{Procs: 1, Limit: 3600, User: -1}
	best := 0
	for i := range v.doc.Schedulers { // what clusters run, before what they are compared with
		key := v.doc.Schedulers[i].Key
		rank := map[string]int{"slurm": 3, "easy": 2}[key]
		if rank == 0 && !catalog.FindScheduler(key).Logged {
			rank = 1
		}
		if rank > best {
			best, q.Scheduler = rank, i
		}
	}
	if p := v.Page.Preview; p != nil {
		q.At = (p.First + (p.Last-p.First)*3/4) / 3600 * 3600
		q.At = max(q.At, p.First)
		for q.Procs*8 < int32(p.Processors) {
			q.Procs *= 2
		}
	}
	return q
}

// Stop gives up what is awaited.
func (v *View) Stop() {
	v.turn++
	for _, stop := range v.stops {
		stop()
	}
	v.stops, v.Done, v.Total = nil, 0, 0
}

// Busy says whether something is awaited.
func (v *View) Busy() bool { return v.Total > 0 }

// Paste reads what squeue prints, and asks on top of that.
func (v *View) Paste(text string, q Question) {
	v.Stop()
	v.Q, v.Told, v.Map, v.Hold, v.Queue, v.Error = q, nil, nil, nil, nil, ""
	v.Total = record
	turn := v.turn
	v.stops = append(v.stops, annex.Ask(v.Page, v.doc, "job-queue", text, nil, func(read *Queue, err error) {
		switch {
		case v.turn != turn:
			return
		case err != nil:
			v.Stop()
			v.Error = err.Error()
		default:
			v.Queue, q.At = read, read.At
			v.Ask(q)
		}
		v.again()
	}))
}

// Ask asks: the draws alone first, then with as much of a record as soon comes, then the
// whole of it, and beside that the map and what holds the job back.
func (v *View) Ask(q Question) {
	v.Stop()
	v.Q, v.Told, v.Map, v.Hold, v.Error = q, nil, nil, nil, ""
	v.state = q.text()
	v.Page.Keep(v.state)
	v.Total = record
	turn, doc := v.turn, v.doc
	put := func(err error, keep func()) bool {
		if v.turn != turn {
			return false
		}
		if err != nil {
			v.Stop()
			v.Error = err.Error()
		} else {
			keep()
		}
		v.again()
		return err == nil
	}
	var present json.RawMessage
	if q.Queue {
		present = v.Queue.Present
	}
	in := func(draws, record int, within float64) asked {
		return asked{q.Scheduler, ask{q.At, q.Job, q.Procs, q.Limit, q.User, -1, draws, record, within, present}}
	}
	whole := func() {
		v.stops = append(v.stops, annex.Ask(v.Page, doc, "job", in(draws, record, long), nil, func(t *report.When, err error) {
			put(err, func() { v.Told, v.Done, v.Total = t, 0, 0 })
		}))
	}
	short := func() {
		v.stops = append(v.stops, annex.Ask(v.Page, doc, "job", in(draws, record, soon), nil, func(t *report.When, err error) {
			if put(err, func() { v.Told, v.Done = t, t.Record.Wanted }) {
				if t.Record.Wanted < record || len(t.Draws) < draws {
					whole()
				} else {
					v.Done, v.Total = 0, 0
					v.again()
				}
			}
		}))
	}
	v.stops = append(v.stops,
		annex.Ask(v.Page, doc, "job", in(draws, 0, soon/3), nil, func(t *report.When, err error) {
			if put(err, func() { v.Told = t }) {
				short()
				v.beside(doc, turn, in(draws, record, 0), put)
			}
		}))
}

// beside asks for the map and for what holds the job back.
func (v *View) beside(doc *experiment.Experiment, turn int, in asked, put func(error, func()) bool) {
	v.stops = append(v.stops,
		annex.Ask(v.Page, doc, "job-hold", in, nil, func(h *report.WhenHold, err error) { put(err, func() { v.Hold = h }) }),
		annex.Ask(v.Page, doc, "job-map", in, nil, func(m *report.WhenMap, err error) { put(err, func() { v.Map = m }) }))
}

// text is a question as a link holds it.
func (q Question) text() string {
	s := fmt.Sprintf("s%d-a%d", q.Scheduler, q.At)
	if q.Queue {
		s += "-q1"
	}
	if q.Job != 0 {
		return s + fmt.Sprintf("-j%d", q.Job)
	}
	s += fmt.Sprintf("-p%d-l%d", q.Procs, q.Limit)
	if q.User >= 0 {
		s += fmt.Sprintf("-u%d", q.User)
	}
	return s
}

// parse reads what text has written.
func parse(text string) (Question, bool) {
	q := Question{User: -1}
	for _, part := range strings.Split(text, "-") {
		if part == "" {
			return q, false
		}
		n, err := strconv.ParseInt(part[1:], 10, 64)
		if err != nil || n < 0 || n > 1<<40 {
			return q, false
		}
		switch part[0] {
		case 's':
			q.Scheduler = int(min(n, 10_000))
		case 'a':
			q.At = model.Time(n)
		case 'q':
			q.Queue = true
		case 'j':
			q.Job = n
		case 'p':
			q.Procs = int32(min(n, 1<<30))
		case 'l':
			q.Limit = model.Time(n)
		case 'u':
			q.User = int32(min(n, 1<<30))
		default:
			return q, false
		}
	}
	return q, q.Job != 0 || q.Procs > 0 && q.Limit > 0
}

// Form is what stands in the fields.
type Form struct {
	Waits                                       bool // a job that waits already
	Queue                                       bool // on top of what squeue prints, which is Paste
	Scheduler                                   int
	At, Job, Procs, Limit, User, Paste, Mistake string
}

// Read makes a question of the fields; the mistake names the field.
func (v *View) Read(f *Form) (Question, error) {
	q := Question{Scheduler: f.Scheduler, User: -1, Queue: f.Queue}
	if f.Queue {
		if strings.TrimSpace(f.Paste) == "" {
			return q, errors.New("squeue: paste what it prints")
		}
	} else {
		at, err := words.Moment(f.At)
		if err != nil {
			return q, fmt.Errorf("%s: %w", "Instant", err)
		}
		q.At = model.Time(at)
	}
	var err error
	whole := func(name, text string, most int64) (int64, error) {
		n, err := strconv.ParseInt(strings.TrimSpace(words.Typing(text)), 10, 64)
		if err != nil || n < 1 || n > most {
			return 0, fmt.Errorf("%s: %q is no whole number from 1 to %d", name, text, most)
		}
		return n, nil
	}
	if f.Waits {
		q.Job, err = whole("Job", f.Job, 1<<40)
		return q, err
	}
	most := int64(1 << 30)
	if p := v.Page.Preview; p != nil && p.Processors > 0 {
		most = int64(p.Processors)
	}
	procs, err := whole("Processors", f.Procs, most)
	if err != nil {
		return q, err
	}
	limit, err := words.Seconds(f.Limit)
	if err == nil && limit < 1 {
		err = errors.New("it is no time at all")
	}
	if err != nil {
		return q, fmt.Errorf("%s: %w", "Time limit", err)
	}
	q.Procs, q.Limit = int32(procs), model.Time(limit)
	if strings.TrimSpace(f.User) != "" {
		user, err := whole("User", f.User, 1<<30)
		if err != nil {
			return q, err
		}
		q.User = int32(user)
	}
	return q, nil
}

// Command is what gives the same numbers on the command line.
func (v *View) Command() string {
	s := fmt.Sprintf("batchlab when EXPERIMENT.json --log LOG --at %d", v.Q.At)
	if v.Q.Queue {
		s += " --squeue FILE"
	}
	if v.Q.Job != 0 {
		s += fmt.Sprintf(" --job %d", v.Q.Job)
	} else {
		s += fmt.Sprintf(" --procs %d --limit %d", v.Q.Procs, v.Q.Limit)
		if v.Q.User >= 0 {
			s += fmt.Sprintf(" --user %d", v.Q.User)
		}
	}
	if v.Q.Scheduler > 0 {
		s += fmt.Sprintf(" --scheduler %d", v.Q.Scheduler+1)
	}
	if t := v.Told; t != nil {
		if len(t.Draws) != draws {
			s += fmt.Sprintf(" --draws %d", len(t.Draws))
		}
		if t.Record.Wanted != record {
			s += fmt.Sprintf(" --record %d", t.Record.Wanted)
		}
	}
	return s
}
