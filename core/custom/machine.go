package custom

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/report"
	"batchlab/core/sim"
)

// machine runs a program within a simulation: it keeps what the program sees, and
// counts what it does.
type machine struct {
	*meter
	program    *Program
	seed       uint64
	repetition int
	rng        *rand.Rand

	v          *sim.View
	offered    starlark.StringDict // what the language and the library offer
	globals    starlark.StringDict
	jobs       []*job        // by JobID; nil: nobody has asked
	waiting    []model.JobID // in order of submission
	running    []model.JobID // by requested end
	s          *state
	processors starlark.Value
	failed     bool

	// Of one call.
	deciding               bool // within decide, which may start jobs
	asking                 bool // within a rule's decision, which may ask for the order; what only tells of it may not
	freeNow                int32
	queueList, runningList *starlark.List
	gave                   syntax.Position // of the return that decide came to

	draft policy.Draft // of one call: what fits and when, and what decide has started
	wake  model.Time
	woke  syntax.Position // where s.wake was called last
	idle  int             // instants that only the program wanted, see mostIdle

	notes   Notes
	lines   []string
	profile *profile
}

// reset prepares for a new simulation: the program begins from nothing.
func (m *machine) reset(v *sim.View) {
	m.v, m.failed = v, false
	m.jobs = make([]*job, len(v.Jobs))
	m.waiting, m.running = m.waiting[:0], m.running[:0]
	m.wake, m.idle = model.Never, 0
	m.lines = nil
	m.notes.Reset()
	m.rng = model.Stream(m.seed, "custom", m.repetition)
	m.processors = starlark.MakeInt(v.Site.Platform.Procs())
	m.draft.Reset(v)
	thread := &starlark.Thread{Name: file, Print: func(*starlark.Thread, string) {}}
	m.meter = &meter{thread: thread, beat: v.Pulse.Beat}
	thread.OnMaxSteps = m.tick
	m.offered = m.library()
	if m.profile != nil {
		m.profile.begin(m)
	}
	m.s = &state{m: m}
	m.s.methods = m.stateMethods()
	m.begin(v, nil)
	globals, err := m.program.code.Init(thread, m.offered)
	m.globals = globals
	if m.fail(err) || !m.program.resets {
		return
	}
	m.call("reset", m.s)
}

// Bind lets what the program may call mean the machine of a copy (snapshot.Binder).
func (m *machine) Bind() {
	m.beat, m.thread.OnMaxSteps = m.v.Pulse.Beat, m.tick
	for name, f := range m.library() {
		m.offered[name] = f
	}
	m.s.methods = m.stateMethods()
}

// begin opens a call; what decide starts is appended to out.
func (m *machine) begin(v *sim.View, out []sim.Decision) {
	m.v = v
	m.queueList, m.runningList = nil, nil
	m.draft.Begin(v, out)
	m.freeNow = v.Free.Procs()
	m.meter.begin()
}

// call calls one of the program's functions. What goes wrong ends the simulation.
func (m *machine) call(name string, args ...starlark.Value) starlark.Value {
	m.profile.enter(name)
	v, err := starlark.Call(m.thread, m.globals[name], args, nil)
	if err == nil {
		err = m.keep(m.globals)
	}
	if m.fail(err) {
		return nil
	}
	return v
}

// fail notes what ended the program; false when nothing did.
func (m *machine) fail(err error) bool {
	if err == nil {
		return false
	}
	m.failed = true
	if m.v.Fault == nil {
		m.v.Fault = m.fault(err)
	}
	return true
}

// fault puts an error of the interpreter at its line.
func (m *machine) fault(err error) *Fault {
	var known *Fault
	if errors.As(err, &known) {
		return known
	}
	f := &Fault{Message: err.Error()}
	var eval *starlark.EvalError
	if errors.As(err, &eval) {
		for i := range len(eval.CallStack) {
			if at := eval.CallStack.At(i).Pos; at.Filename() == file {
				f.Line, f.Column = int(at.Line), int(at.Col)
				break
			}
		}
	}
	f.Message = strings.TrimPrefix(f.Message, "Starlark computation cancelled: ")
	f.Message = strings.ReplaceAll(f.Message, "·", "")
	if r := []rune(f.Message); len(r) > 500 {
		f.Message = string(r[:500]) + "…"
	}
	if f.Line == 0 {
		f.Line = m.program.line[m.program.Kind()]
	}
	f.Message += fmt.Sprintf(" (at %d s)", m.v.Now)
	return f
}

// refuse is a fault of what decide has asked for or returned there, at decide itself
// where no place is known.
func (m *machine) refuse(at syntax.Position, format string, a ...any) {
	line := int(at.Line)
	if line == 0 {
		line = m.program.line["decide"]
	}
	m.fail(&Fault{line, int(at.Col), fmt.Sprintf(format, a...) + fmt.Sprintf(" (at %d s)", m.v.Now)})
}

// join takes over what has happened since the last pass.
func (m *machine) join(v *sim.View) {
	m.v = v
	for _, j := range v.Ended {
		if one := m.jobs[j]; one != nil {
			one.ended, one.ends = v.Now, v.Now
		}
		m.leave(j)
	}
	for _, j := range v.Back {
		m.leave(j)
		if one := m.jobs[j]; one != nil {
			one.started, one.ends = model.Never, model.Never
		}
	}
	for _, list := range [...][]model.JobID{v.Back, v.New} {
		for _, j := range list {
			at, there := slices.BinarySearch(m.waiting, j)
			if !there {
				m.waiting = slices.Insert(m.waiting, at, j)
				m.job(j).waits = true
			}
		}
	}
}

// leave takes a job out of those that run.
func (m *machine) leave(j model.JobID) {
	if at := slices.Index(m.running, j); at >= 0 {
		m.running = slices.Delete(m.running, at, at+1)
	}
}

// started takes over decisions.
func (m *machine) started(out []sim.Decision) {
	gone := false
	for i := range out {
		d := &out[i]
		one := m.job(d.Job)
		one.taken = false
		if one.waits {
			one.waits, gone = false, true
		}
		if d.Verb != sim.Start {
			continue
		}
		one.started, one.ends = m.v.Now, m.v.Ends(d.Job, d.Claim)
		at, _ := slices.BinarySearchFunc(m.running, one, func(a model.JobID, b *job) int {
			return cmp.Or(cmp.Compare(m.jobs[a].ends, b.ends), cmp.Compare(a, b.id))
		})
		m.running = slices.Insert(m.running, at, d.Job)
	}
	if gone {
		m.waiting = slices.DeleteFunc(m.waiting, func(j model.JobID) bool { return !m.jobs[j].waits })
	}
}

// theJob takes a job from an argument.
func (m *machine) theJob(name string, v starlark.Value) (model.JobID, error) {
	j, ok := v.(*job)
	if !ok {
		return 0, fmt.Errorf("%s takes a job, not %s", name, v.Type())
	}
	return j.id, nil
}

// note keeps what the program says of a job.
func (m *machine) note(j model.JobID, text string) {
	m.notes.Say(m.v, j, text, m.v.Record != nil || m.profile != nil)
}

func (m *machine) print(line string) {
	if len(m.lines) < maxPrints {
		if r := []rune(line); len(r) > 4*maxSaid {
			line = string(r[:4*maxSaid]) + "…"
		}
		m.lines = append(m.lines, line)
	}
}

// Seed sets the stream of random numbers of the next simulation.
func (m *machine) Seed(seed uint64, repetition int) { m.seed, m.repetition = seed, repetition }

// Blame puts an error of the simulation at a line of the program, where the program
// is what it is about.
func (m *machine) Blame(err error) error {
	var idle *sim.IdleError
	if !errors.As(err, &idle) {
		return err
	}
	return &Fault{m.program.line[m.program.Kind()], 1, fmt.Sprintf("nothing runs, nothing more will happen, and %d jobs wait: the program never starts them", idle.Waiting)}
}

// Notes returns what the program has said of jobs since Reset, in order, and how
// many notes more there were than are kept. They are kept only while decisions are
// recorded or the program is profiled.
func (m *machine) Notes() (notes []report.Note, more int) { return m.notes.Notes() }

// Printed returns the lines that the program has printed since Reset, the first 200.
func (m *machine) Printed() []string { return m.lines }

// Profile makes the next simulations count what each line does. The clock is in
// seconds; nil: no times.
func (m *machine) Profile(clock func() float64) { m.profile = &profile{clock: clock} }

// Profiled returns what was counted, nil without Profile.
func (m *machine) Profiled() *report.CodeProfile { return m.profile.result() }

// Steps returns how many steps the program has taken since Reset.
func (m *machine) Steps() uint64 { return m.thread.Steps }
