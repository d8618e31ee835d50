package program

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"batchlab/core/custom"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/report"
	"batchlab/core/sim"
)

// Options say which program runs, and what it is told of its run.
type Options struct {
	Command    string        // words, see Words
	Timeout    time.Duration // for one answer
	Stderr     io.Writer     // where its standard error goes
	Pipe       *Pipe         // instead of a command: whoever is at its other end
	Label      string        // of the scheduler
	Seed       uint64
	Repetition int
}

// Scheduler is a program as a scheduler of one simulation. It has to be closed.
type Scheduler struct {
	o     Options
	pipe  *Pipe
	draft policy.Draft
	jobs  book

	quiet   bool       // instants at which no job waits are told with the next one
	fitting bool       // and so are those at which no waiting job asks for as few processors as are free
	wake    model.Time // when the program wants to be asked, at the latest
	passes  int
	trips   int // lines there and back
	waiting int
	idle    int // instants in a row that came about only because the program wanted them

	line  []byte // to the program
	notes custom.Notes

	// What the program has not been told yet.
	ended       []ended       // when, in order
	back, fresh []model.JobID // wait again, and for the first time
	ends        []ended       // of running jobs, where they are not the start and the request
	queue       []model.JobID // with fitting: whoever may wait
}

// ended is a job's id, and when it has ended or ends at the latest.
type ended struct {
	id int64
	at model.Time
}

var (
	_ sim.Planner   = (*Scheduler)(nil)
	_ sim.SpaceUser = (*Scheduler)(nil)
)

// New returns a scheduler; the program starts with the simulation.
func New(o Options) *Scheduler { return &Scheduler{o: o} }

// NeedsSpace says that the scheduler asks View.Space.
func (s *Scheduler) NeedsSpace() {}

// Wake returns when the program wants to be asked, or model.Never.
func (s *Scheduler) Wake() model.Time { return s.wake }

// Reset starts the program and introduces the run.
func (s *Scheduler) Reset(v *sim.View) {
	s.draft.Reset(v)
	s.jobs.reset(v)
	s.notes.Reset()
	s.wake, s.passes, s.trips, s.waiting, s.idle = model.Never, 0, 0, 0, 0
	s.told()
	s.queue = s.queue[:0]
	if s.pipe = s.o.Pipe; s.pipe == nil {
		var err error
		if s.pipe, err = start(s.o.Command, s.o.Timeout, s.o.Stderr); err != nil {
			s.pipe = nil
			s.fail(v, err)
			return
		}
	}
	s.line = s.hello(s.line[:0], v)
	answer, err := s.pipe.ask(s.line)
	if err == nil {
		var a struct {
			Protocol *int   `json:"protocol"`
			Quiet    bool   `json:"quiet"`
			Fits     bool   `json:"fits"`
			Error    string `json:"error"`
		}
		switch err = strict(answer, &a); {
		case err != nil:
		case a.Error != "":
			err = fmt.Errorf("it says: %.2000s", a.Error)
		case a.Protocol == nil:
			err = errors.New(`it did not name its protocol: {"protocol":1} is expected`)
		case *a.Protocol != Protocol:
			err = fmt.Errorf("it speaks protocol %d, this version %d", *a.Protocol, Protocol)
		}
		s.quiet, s.fitting = a.Quiet, a.Fits
	}
	if err != nil {
		s.fail(v, err)
	}
}

// name says which program it is.
func (s *Scheduler) name() string {
	if s.o.Pipe != nil {
		return "the program at standard input and output"
	}
	return fmt.Sprintf("the program %q", s.o.Command)
}

// Blame says of an error of the simulation that the program is what it is about.
func (s *Scheduler) Blame(err error) error {
	var idle *sim.IdleError
	if !errors.As(err, &idle) {
		return err
	}
	return fmt.Errorf("%s: nothing runs, nothing more will happen, and %d jobs wait: it never starts them", s.name(), idle.Waiting)
}

// fail ends the simulation with what is wrong with the program.
func (s *Scheduler) fail(v *sim.View, err error) {
	name := s.name()
	if s.passes > 0 {
		name += fmt.Sprintf(", at %d (instant %d)", v.Now, s.passes)
	}
	v.Fault = fmt.Errorf("%s: %w", name, err)
	if s.pipe != nil {
		s.line = append(appendText(append(s.line[:0], `{"error":`...), err.Error()), "}\n"...)
		s.pipe.close(s.line, dismiss)
		s.pipe = nil
	}
}

// Trips returns how many lines went there and back in the last simulation, the
// introduction apart.
func (s *Scheduler) Trips() int { return s.trips }

// Notes returns what the program has said of jobs in the last simulation, in order,
// and how many notes more there were than are kept; only while decisions are
// recorded.
func (s *Scheduler) Notes() (notes []report.Note, more int) { return s.notes.Notes() }

// Close says goodbye and waits for the program to end. That it ends badly then
// changes no result, and is only passed on.
func (s *Scheduler) Close() error {
	if s.pipe == nil {
		return nil
	}
	s.line = append(s.line[:0], `{"bye":{`...)
	if len(s.ended) > 0 {
		s.line = s.appendEnded(s.line, `"past":`, s.ended)
	}
	err := s.pipe.close(append(s.line, "}}\n"...), farewell)
	if s.pipe = nil; err != nil && s.o.Stderr != nil {
		fmt.Fprintf(s.o.Stderr, "the program %q: %v\n", s.o.Command, err)
	}
	return nil
}

// Unkept says that the program's state cannot be kept.
func (s *Scheduler) Unkept() {}

// How often in a row a program may be woken while nothing ends, comes or starts, and
// ask within one instant. Tests make less of it.
var mostIdle, mostQuestions = 100_000, 1_000_000

// Decide tells the program what has happened and carries out what it answers.
func (s *Scheduler) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	s.passes++
	before := len(out)
	if s.wake <= v.Now {
		s.wake = model.Never
	}
	s.draft.Begin(v, out)
	s.join(v)
	gone := s.expire(v)
	if len(gone) == 0 && (s.quiet && s.waiting == 0 || s.fitting && !s.anyFits(v)) {
		return s.draft.End()
	}
	s.instant(v, gone)
	s.told()
	err := s.converse(v)
	decided := s.draft.End()
	if s.idle++; len(decided) > before || len(v.Ended)+len(v.New)+len(v.Back) > 0 {
		s.idle = 0
	} else if err == nil && s.idle > mostIdle {
		err = fmt.Errorf("it was woken %d times in a row, and nothing has happened since", mostIdle)
	}
	if err != nil {
		s.fail(v, err)
	}
	return decided
}

// answer is what a program may write at an instant.
type answer struct {
	Start []int64 `json:"start"`
	Wake  *int64  `json:"wake"`
	Notes []note  `json:"notes"`
	Error string  `json:"error"`

	Ask  string  `json:"ask"`
	Jobs []int64 `json:"jobs"`
	Stop bool    `json:"stop"`
}

// note is what a program says of a job.
type note struct {
	Job  int64  `json:"job"`
	Text string `json:"text"`
}

// converse answers questions until the program has decided.
func (s *Scheduler) converse(v *sim.View) error {
	for asked := 0; ; asked++ {
		s.trips++
		text, err := s.pipe.ask(s.line)
		if err != nil {
			return err
		}
		var a answer
		var fast bool
		if a.Start, fast = started(text); !fast {
			if err := strict(text, &a); err != nil {
				return err
			}
		}
		if a.Error != "" {
			return fmt.Errorf("it says: %.2000s", a.Error)
		}
		if err := s.carryOut(v, &a, text); err != nil || a.Ask == "" {
			return err
		}
		if asked == mostQuestions {
			return fmt.Errorf("it asked %d questions at one instant, and has not decided", mostQuestions)
		}
		if err := s.reply(&a, v); err != nil {
			return fmt.Errorf("it asked %s: %w", quoted(text), err)
		}
	}
}

// carryOut does what a program has decided.
func (s *Scheduler) carryOut(v *sim.View, a *answer, text []byte) error {
	for _, n := range a.Notes {
		j, ok := s.jobs.by[n.Job]
		if !ok {
			return fmt.Errorf("it answered %s: there is no job %d", quoted(text), n.Job)
		}
		s.notes.Say(v, j, n.Text, v.Record != nil)
	}
	for _, id := range a.Start {
		j, err := s.jobs.waiting(id)
		if err == nil && !s.start(v, j) {
			err = fmt.Errorf("job %d cannot start now: %s", id, s.hinders(v, j))
		}
		if err != nil {
			return fmt.Errorf("it answered %s: %w", quoted(text), err)
		}
	}
	if a.Wake != nil {
		if model.Time(*a.Wake) <= v.Now {
			return fmt.Errorf("it answered %s: the time to wake it is not later than now, %d", quoted(text), v.Now)
		}
		s.wake = min(model.Time(*a.Wake), model.Never)
	}
	return nil
}

// start starts a waiting job if it fits.
func (s *Scheduler) start(v *sim.View, j model.JobID) bool {
	until, ok := s.draft.Start(j)
	if !ok {
		return false
	}
	s.jobs.state[j] = runs
	s.waiting--
	if until != v.Now+v.Jobs[j].Limit {
		s.ends = append(s.ends, ended{s.jobs.id[j], until})
	}
	return true
}

// hinders says in words why a job does not fit.
func (s *Scheduler) hinders(v *sim.View, j model.JobID) string {
	if free := s.draft.Pool().Procs(); v.Needs[j].Procs > free {
		return fmt.Sprintf("it asks for %d processors, and %d are free", v.Needs[j].Procs, free)
	}
	return "what is free now does not suit it (machines, licences, limits), or is promised, reserved or taken away before it would have to end"
}

// reply answers a question in s.line.
func (s *Scheduler) reply(a *answer, v *sim.View) error {
	list := a.Jobs
	waiting := make([]model.JobID, 0, len(list))
	for _, id := range list {
		j, err := s.jobs.waiting(id)
		if err != nil {
			return err
		}
		waiting = append(waiting, j)
	}
	b := s.line[:0]
	next := func() {
		if b[len(b)-1] != '[' {
			b = append(b, ',')
		}
	}
	at := func(t model.Time, ok bool) {
		if next(); ok {
			b = appendInt(b, int64(t))
		} else {
			b = append(b, "null"...)
		}
	}
	switch a.Ask {
	case "try":
		ends := len(s.ends)
		b = append(b, `{"started":[`...)
		for i, j := range waiting {
			if s.jobs.state[j] != waits {
				return fmt.Errorf("job %d appears twice", list[i])
			}
			if s.start(v, j) {
				next()
				b = appendInt(b, list[i])
			} else if a.Stop {
				break
			}
		}
		if b = append(b, ']'); len(s.ends) > ends {
			b = s.appendEnded(append(b, ','), `"ends":`, s.ends[ends:])
			s.ends = s.ends[:ends]
		}
		s.line = append(b, "}\n"...)
		return nil
	case "fits":
		b = append(b, `{"fits":[`...)
		for _, j := range waiting {
			next()
			b = strconv.AppendBool(b, s.draft.Fits(j))
		}
	case "earliest":
		b = append(b, `{"at":[`...)
		for _, j := range waiting {
			at(s.draft.Earliest(j, v.Now))
		}
	case "reserve":
		b = append(b, `{"at":[`...)
		for _, j := range waiting {
			at(s.draft.Promise(j, v.Now))
		}
	default:
		return errors.New(`it is none of "try", "fits", "earliest", "reserve"`)
	}
	s.line = append(b, "]}\n"...)
	return nil
}

// strict reads an answer that holds nothing unknown.
func strict(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(to)
	if err == nil {
		if _, err = d.Token(); err == io.EOF {
			return nil
		}
		err = errors.New("something follows the object")
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		what := kind.Field
		if what == "" {
			what = "it"
		}
		err = fmt.Errorf("%s is %s where %s is expected", what, article(kind.Value), map[string]string{
			"start": "a list of whole numbers", "notes": "a list of objects", "notes.job": "a whole number", "notes.text": "a text", "jobs": "a list of whole numbers", "wake": "a whole number", "protocol": "a whole number",
			"quiet": "true or false", "fits": "true or false", "stop": "true or false", "ask": "a text", "error": "a text", "": "an object",
		}[kind.Field])
	}
	return fmt.Errorf("it answered %s, which is no answer: %w", quoted(text), err)
}

// article puts a or an before what encoding/json calls a value.
func article(value string) string {
	if strings.IndexByte("aeiou", value[0]) >= 0 {
		return "an " + value
	}
	return "a " + value
}

// quoted shows a line of a program.
func quoted(text []byte) string {
	const most = 200
	text = bytes.TrimSpace(text)
	if len(text) > most {
		return fmt.Sprintf("%q…", text[:most])
	}
	return fmt.Sprintf("%q", text)
}

// started reads the commonest answer, {"start":[1,2]}, without spaces; ok is false
// for any other line.
func started(text []byte) (list []int64, ok bool) {
	rest, ok := bytes.CutPrefix(text, []byte(`{"start":[`))
	if !ok {
		return nil, false
	}
	for len(rest) > 0 {
		n, digits := int64(0), 0
		for digits < len(rest) && digits < 16 && rest[digits] >= '0' && rest[digits] <= '9' {
			n = n*10 + int64(rest[digits]-'0')
			digits++
		}
		if digits == 0 || digits == len(rest) || digits > 1 && rest[0] == '0' {
			return nil, false
		}
		list = append(list, n)
		if rest[digits] == ',' {
			rest = rest[digits+1:]
			continue
		}
		return list, string(bytes.TrimRight(rest[digits:], "\r\n")) == "]}"
	}
	return nil, false
}
