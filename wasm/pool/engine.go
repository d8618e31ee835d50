package pool

import (
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/state"
	"batchlab/wasm/bridge"
)

var _ state.Engine = (*Pool)(nil)

// Load implements state.Engine.
func (p *Pool) Load(e experiment.Experiment, file any, done func(*report.Preview, error)) {
	t := &task{request: bridge.Request{Kind: bridge.Load}, file: file}
	if l := e.Workload.Source.Log; l != nil && l.SHA256 == "" {
		t.request.NewLog = l.Name
		e.Workload.Source = experiment.Source{Bundled: placeholder}
	}
	if err := p.attach(t, &e); err != nil {
		p.host.After(0, func() { done(nil, err) })
		return
	}
	jobs := e.Jobs()             // a fault elsewhere must not hide the preview
	jobs.Workload.Resample = nil // the first repetition is the workload itself
	t.request.Experiment, t.studies = string(experiment.Encode(jobs)), jobs.Studies()
	t.end = func(reply bridge.Reply, _ []Buffer, err error) {
		if err != nil {
			done(nil, err)
			return
		}
		if reply.Preview != nil && reply.Preview.SHA256 != "" && file != nil {
			p.files[reply.Preview.SHA256] = file
			p.needs[reply.Preview.SHA256] = t.refused
		}
		done(reply.Preview, nil)
	}
	// Whoever loads again does not want what it asked for before.
	for _, old := range p.queue {
		if old.request.Kind == bridge.Load {
			p.cancel(old)
			break
		}
	}
	p.submit(t, true)
}

// placeholder is the source of the document that goes along with a new log,
// whose hash nobody knows yet; a worker ignores it.
const placeholder = "demo"

// Knows reports whether a log has been read here before.
func (p *Pool) Knows(sha256 string) bool { return p.files[sha256] != nil }

var _ state.Keeper = (*Pool)(nil)

// KeepFile implements state.Keeper.
func (p *Pool) KeepFile(l experiment.Log, file any) { p.files[l.SHA256] = file }

// attach gives a task the log and the file of annotations that its experiment
// names.
func (p *Pool) attach(t *task, e *experiment.Experiment) error {
	if f := e.Workload.Annotate.File; f != nil {
		if t.needs = p.files[f.SHA256]; t.needs == nil {
			return state.NeedsMissing{File: *f}
		}
	}
	l := e.Workload.Source.Log
	if l == nil {
		return nil
	}
	t.log = l.SHA256
	if t.file == nil {
		t.file = p.files[l.SHA256]
	}
	if t.file == nil {
		return ErrLogWanted
	}
	return nil
}

// batch is the runs of one experiment.
type batch struct {
	text   string   // of the experiment
	study  bool     // it needs the studies' program
	tasks  []*task  // by run; those of copies are their originals'
	of     []int    // by run: the run that it is a copy of, itself where it is none
	reps   []int    // by run: its repetition
	blocks []Buffer // of the digest, by run; nil for copies
	jobs   map[int]bool
	well   []bool // runs that ended well
}

// copies are the runs that give what run i gives once more.
func (b *batch) copies(i int) (list []int) {
	for k, of := range b.of {
		if of == i && k != i {
			list = append(list, k)
		}
	}
	return list
}

// Run implements state.Engine.
func (p *Pool) Run(e experiment.Experiment, event func(state.Event)) (cancel func()) {
	text := string(experiment.Encode(&e))
	b := &batch{text: text, study: e.Studies(), jobs: map[int]bool{}}
	p.current = b
	var broken error
	for s := range e.Schedulers {
		base := len(b.tasks)
		for r := range int(max(1, e.Schedulers[s].Repeat)) {
			first := e.First(s, r)
			b.of, b.reps = append(b.of, base+first), append(b.reps, r)
			if first != r {
				b.tasks = append(b.tasks, b.tasks[base+first])
				continue
			}
			t := &task{studies: b.study, request: bridge.Request{Kind: bridge.Run, Experiment: text, Scheduler: s, Repetition: r}}
			if err := p.attach(t, &e); err != nil {
				broken = err
			}
			b.tasks = append(b.tasks, t)
		}
	}
	b.blocks, b.well = make([]Buffer, len(b.tasks)), make([]bool, len(b.tasks))
	for i, t := range b.tasks {
		if b.of[i] != i {
			continue
		}
		p.watch(b, i, t, event)
		if broken != nil {
			p.host.After(0, func() { t.finish(bridge.Reply{}, nil, broken) })
			continue
		}
		p.submit(t, false)
	}
	return func() {
		for _, t := range b.tasks {
			p.cancel(t)
		}
	}
}

var _ state.Rerunner = (*Pool)(nil)

// Again implements state.Rerunner.
func (p *Pool) Again(e experiment.Experiment, runs []int, event func(state.Event)) (cancel func()) {
	b := p.current
	if b == nil || b.text != string(experiment.Encode(&e)) {
		return func() {}
	}
	var tasks []*task
	for _, i := range runs {
		if b.of[i] != i && slices.Contains(runs, b.of[i]) {
			continue // it comes with that one
		}
		i = b.of[i]
		old := b.tasks[i]
		t := &task{studies: b.study, request: bridge.Request{Kind: bridge.Run, Experiment: b.text, Scheduler: old.request.Scheduler, Repetition: old.request.Repetition}}
		err := p.attach(t, &e)
		b.blocks[i], b.well[i], b.tasks[i] = nil, false, t
		for _, k := range b.copies(i) {
			b.well[k], b.tasks[k] = false, t
		}
		tasks = append(tasks, t)
		p.watch(b, i, t, event)
		if err != nil {
			p.host.After(0, func() { t.finish(bridge.Reply{}, nil, err) })
			continue
		}
		p.submit(t, false)
	}
	return func() {
		for _, t := range tasks {
			p.cancel(t)
		}
	}
}

var _ state.LineReader = (*Pool)(nil)

// Lines implements state.LineReader.
func (p *Pool) Lines(e experiment.Experiment, file any, n int, done func([]report.Line, error)) {
	t := &task{request: bridge.Request{Kind: bridge.Lines, Line: n}, file: file}
	if l := e.Workload.Source.Log; l != nil && l.SHA256 == "" {
		e.Workload.Source = experiment.Source{Bundled: placeholder}
	} else if err := p.attach(t, &e); err != nil {
		p.host.After(0, func() { done(nil, err) })
		return
	}
	t.request.Experiment = string(experiment.Encode(&e))
	t.end = func(reply bridge.Reply, _ []Buffer, err error) { done(reply.Lines, err) }
	p.submit(t, true)
}

// watch turns what happens to run i of a batch into events, for its copies as
// well.
func (p *Pool) watch(b *batch, i int, t *task, event func(state.Event)) {
	var started float64
	runs := append([]int{i}, b.copies(i)...)
	tell := func(ev state.Event) {
		for _, k := range runs {
			ev.Run = k
			event(ev)
		}
	}
	t.before = func(q *bridge.Request) {
		q.Jobs = !b.jobs[q.Repetition]
		started = p.host.Now()
		tell(state.Event{Status: state.Running})
	}
	t.progress = func(done, total int) {
		ev := state.Event{Status: state.Running}
		if total > 0 {
			ev.Progress = float64(done) / float64(total)
		}
		if spent := (p.host.Now() - started) / 1000; ev.Progress > 0.01 && spent > 0.3 {
			ev.Left = spent * (1 - ev.Progress) / ev.Progress
		}
		tell(ev)
	}
	t.end = func(reply bridge.Reply, buffers []Buffer, err error) {
		switch {
		case err == errCancelled:
			tell(state.Event{Status: state.Cancelled})
		case err != nil:
			tell(state.Event{Status: state.Failed, Err: err})
		default:
			p.inTurn(func(release func()) {
				p.accept(b, i, t, reply, buffers, func(ev state.Event) {
					defer release()
					if ev.Status != state.Done {
						tell(ev)
						return
					}
					for n, k := range runs {
						ev := ev
						ev.Run = k
						if n > 0 {
							ev.Result = copied(ev.Result, b.reps[k])
						}
						b.well[k] = true
						if !slices.Contains(b.well, false) {
							p.digest(b, ev, event) // the last news waits for it
							return
						}
						event(ev)
					}
				})
			})
		}
	}
}

// copied is a run as that of another repetition. It shares its memory.
func copied(r *report.Run, repetition int) *report.Run {
	c := *r
	c.Repetition, c.Copy = repetition, true
	return &c
}

// inTurn calls f when those before it have called release. Results are
// accepted one after the other, so that no run is news before the jobs that
// came with an earlier one.
func (p *Pool) inTurn(f func(release func())) {
	p.turn = append(p.turn, f)
	if len(p.turn) == 1 {
		f(p.release)
	}
}

func (p *Pool) release() {
	p.turn = p.turn[1:]
	if len(p.turn) > 0 {
		p.host.After(0, func() { p.turn[0](p.release) })
	}
}

// accept reads the result of a run: columns, block, and jobs when they came.
func (p *Pool) accept(b *batch, i int, t *task, reply bridge.Reply, buffers []Buffer, done func(state.Event)) {
	fail := func(err error) { done(state.Event{Run: i, Status: state.Failed, Err: err}) }
	if len(buffers) < 2 || t.request.Jobs && len(buffers) < 3 {
		fail(errShort)
		return
	}
	p.host.Copy(buffers[0], func(columns []byte) {
		run, err := bridge.UnpackRun(reply.Run, columns)
		if err != nil {
			fail(err)
			return
		}
		b.blocks[i] = buffers[1]
		ev := state.Event{Run: i, Status: state.Done, Progress: 1, Result: run}
		rep := t.request.Repetition
		if !t.request.Jobs || b.jobs[rep] {
			done(ev)
			return
		}
		b.jobs[rep] = true
		p.host.Copy(buffers[2], func(columns []byte) {
			if ev.Jobs, err = bridge.UnpackJobs(columns); err != nil {
				fail(err)
				return
			}
			ev.Site = reply.Site
			done(ev)
		})
	})
}

// digest has the blocks of all runs hashed and then sends the last news.
func (p *Pool) digest(b *batch, last state.Event, event func(state.Event)) {
	t := &task{request: bridge.Request{Kind: bridge.Digest}}
	var from []int // runs that the buffers are of
	place := map[int]int{}
	for i, of := range b.of {
		if of == i {
			if b.blocks[i] == nil { // lost with a worker that crashed
				event(last)
				return
			}
			place[i] = len(from)
			from, t.buffers = append(from, i), append(t.buffers, b.blocks[i])
		}
		t.request.Blocks = append(t.request.Blocks, bridge.Block{Buffer: place[of], Repetition: b.reps[i]})
	}
	if len(from) == len(b.of) {
		t.request.Blocks = nil
	}
	clear(b.blocks) // the memory is the worker's, until it comes back
	t.end = func(reply bridge.Reply, blocks []Buffer, err error) {
		if len(blocks) == len(from) {
			for k, i := range from {
				b.blocks[i] = blocks[k]
			}
		}
		if err != nil {
			event(state.Event{Run: last.Run, Status: state.Failed, Err: err})
			return
		}
		last.Digest = reply.Digest
		event(last)
	}
	p.submit(t, true)
}

// CancelOne implements state.Engine.
func (p *Pool) CancelOne(run int) {
	if b := p.current; b != nil && run >= 0 && run < len(b.tasks) {
		p.cancel(b.tasks[run])
	}
}

// Why implements state.Engine.
func (p *Pool) Why(e experiment.Experiment, run int, done func([]report.Why, error)) {
	p.look(e, run, e.Studies(), bridge.Request{Kind: bridge.Why}, func(_ bridge.Reply, buffers []Buffer, err error) {
		if err == nil && len(buffers) < 1 {
			err = errShort
		}
		if err != nil {
			done(nil, err)
			return
		}
		p.host.Copy(buffers[0], func(columns []byte) { done(bridge.UnpackWhy(columns)) })
	})
}

var _ state.Historian = (*Pool)(nil)

// History implements state.Historian.
func (p *Pool) History(e experiment.Experiment, run int, job int64, done func([]report.Phase, error)) {
	p.look(e, run, e.Studies(), bridge.Request{Kind: bridge.Why, Follow: &job}, func(reply bridge.Reply, _ []Buffer, err error) {
		done(reply.Phases, err)
	})
}

var _ state.Prioritizer = (*Pool)(nil)

// Priorities implements state.Prioritizer.
func (p *Pool) Priorities(e experiment.Experiment, run int, at model.Time, done func(*report.Priorities, error)) {
	p.look(e, run, true, bridge.Request{Kind: bridge.Terms, At: int64(at)}, func(r bridge.Reply, _ []Buffer, err error) {
		if err == nil && r.Terms == nil {
			err = errShort
		}
		done(r.Terms, err)
	})
}

var _ state.Planner = (*Pool)(nil)

// Plan implements state.Planner.
func (p *Pool) Plan(e experiment.Experiment, run int, at model.Time, job int, done func(*report.Plan, error)) (cancel func()) {
	t := p.look(e, run, true, bridge.Request{Kind: bridge.Plan, At: int64(at), Job: job + 1}, func(r bridge.Reply, _ []Buffer, err error) {
		if err == nil && r.Plan == nil {
			err = errShort
		}
		done(r.Plan, err)
	})
	return func() { p.cancel(t) }
}

// Foresight implements state.Planner.
func (p *Pool) Foresight(e experiment.Experiment, run int, done func(*report.Foresight, error)) {
	p.look(e, run, true, bridge.Request{Kind: bridge.Foresee}, func(r bridge.Reply, _ []Buffer, err error) {
		if err == nil && r.Foresee == nil {
			err = errShort
		}
		done(r.Foresee, err)
	})
}

var _ state.Drawer = (*Pool)(nil)

// Drawn implements state.Drawer.
func (p *Pool) Drawn(e experiment.Experiment, run int, done func([]state.File, error)) {
	p.look(e, run, e.Studies(), bridge.Request{Kind: bridge.Drawn}, func(r bridge.Reply, buffers []Buffer, err error) {
		if err == nil && len(buffers) != len(r.Files) {
			err = errShort
		}
		var files []state.File
		var next func()
		next = func() {
			if k := len(files); err == nil && k < len(r.Files) {
				p.host.Copy(buffers[k], func(data []byte) {
					files = append(files, state.File{Name: r.Files[k], Data: data})
					next()
				})
				return
			}
			done(files, err)
		}
		next()
	})
}

var _ state.Asker = (*Pool)(nil)

// Ask implements state.Asker.
func (p *Pool) Ask(e experiment.Experiment, run int, ask report.Ask, done func(*report.Answer, error)) {
	p.look(e, run, true, bridge.Request{Kind: bridge.Query, Ask: &ask}, func(r bridge.Reply, _ []Buffer, err error) {
		if err == nil && r.Answer == nil {
			err = errShort
		}
		done(r.Answer, err)
	})
}

// look asks a worker about a finished run, before anything that waits.
func (p *Pool) look(e experiment.Experiment, run int, studies bool, q bridge.Request, done func(bridge.Reply, []Buffer, error)) *task {
	q.Experiment = string(experiment.Encode(&e))
	t := &task{studies: studies, request: q, end: done}
	err := p.attach(t, &e)
	if err == nil {
		t.request.Scheduler, t.request.Repetition, err = place(&e, run)
	}
	if err != nil {
		t.over = true
		p.host.After(0, func() { done(bridge.Reply{}, nil, err) })
		return t
	}
	p.submit(t, true)
	return t
}

// place finds the scheduler and repetition of a run's index.
func place(e *experiment.Experiment, run int) (scheduler, repetition int, err error) {
	for s := range e.Schedulers {
		n := int(max(1, e.Schedulers[s].Repeat))
		if run >= 0 && run < n {
			return s, run, nil
		}
		run -= n
	}
	return 0, 0, errNoRun
}
