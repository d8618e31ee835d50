package pool

import (
	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/tell"
	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

var _ engine.Engine = (*Pool)(nil)

// Load implements engine.Engine.
func (p *Pool) Load(e experiment.Experiment, file any, done func(*report.Preview, error)) {
	t := &task{request: bridge.Request{Kind: bridge.Load}, file: file}
	if l := e.Workload.Source.Log; l != nil && l.SHA256 == "" {
		t.request.NewLog = l.Name
		if l.ColumnMap() != nil {
			t.request.Columns = l.Columns[:]
		}
		e.Vary = nil // which may want further logs
		e.Workload.Source = experiment.Source{Bundled: placeholder}
	}
	if err := p.attach(t, &e); err != nil {
		p.host.After(0, func() { done(nil, err) })
		return
	}
	jobs := e.Jobs()             // a fault elsewhere must not hide the preview
	jobs.Workload.Resample = nil // the first repetition is the workload itself
	t.request.Experiment, t.studies = string(experiment.Encode(jobs)), jobs.Studies()
	t.progress = func(got, total int) { p.reading(engine.Fetching{Active: true, Got: got, Total: total}) }
	t.end = func(reply bridge.Reply, _ []Buffer, err error) {
		p.reading(engine.Fetching{})
		if err == errCancelled {
			err = engine.ErrStopped
		}
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
	p.load = t
	p.submit(t, true)
}

var _ engine.Reader = (*Pool)(nil)

// StopReading implements engine.Reader.
func (p *Pool) StopReading() {
	if p.load != nil {
		p.cancel(p.load)
	}
}

// OnReading implements engine.Reader.
func (p *Pool) OnReading(told func(engine.Fetching)) { p.reading = told }

// placeholder is the source of the document that goes along with a new log,
// whose hash nobody knows yet; a worker ignores it.
const placeholder = "demo"

// Knows reports whether a log has been read here before.
func (p *Pool) Knows(sha256 string) bool { return p.files[sha256] != nil }

var _ engine.Keeper = (*Pool)(nil)

// KeepFile implements engine.Keeper.
func (p *Pool) KeepFile(l experiment.Log, file any, _ string) { p.files[l.SHA256] = file }

// attach gives a task the log and the files beside it that its experiment names,
// and the logs of its points behind these.
func (p *Pool) attach(t *task, e *experiment.Experiment) error {
	t.beside, t.request.Logs = nil, nil
	for _, f := range e.Files() {
		file := p.files[f.File.SHA256]
		if file == nil {
			return engine.NeedsMissing{Path: f.Path, File: f.File}
		}
		t.beside = append(t.beside, file)
	}
	if l := e.Workload.Source.Log; l != nil {
		t.log = l.SHA256
		p.texts[t.log] = l.Size
		if t.file == nil {
			t.file = p.files[l.SHA256]
		}
		if t.file == nil {
			return ErrLogWanted
		}
	}
	for _, f := range e.Logs() {
		file := p.files[f.File.SHA256]
		if file == nil {
			return engine.LogMissing{Log: f.File}
		}
		t.beside = append(t.beside, file)
		t.request.Logs = append(t.request.Logs, f.File.SHA256)
	}
	return nil
}

var _ engine.ClusterReader = (*Pool)(nil)

// Machine implements engine.ClusterReader.
func (p *Pool) Machine(e experiment.Experiment, files []any, done func(*report.Conf, error)) {
	t := &task{studies: true, beside: files, request: bridge.Request{Kind: bridge.Machine}}
	if l := e.Workload.Source.Log; l != nil && p.files[l.SHA256] != nil {
		t.log, t.file = l.SHA256, p.files[l.SHA256]
		t.request.Experiment = string(experiment.Encode(e.Jobs()))
	}
	t.end = func(r bridge.Reply, _ []Buffer, err error) {
		if err == nil && r.Machine == nil {
			err = errShort
		}
		done(r.Machine, err)
	}
	p.submit(t, true)
}

// Join implements engine.ClusterReader.
func (p *Pool) Join(files []any) any { return p.host.Join(files) }

var _ engine.LineReader = (*Pool)(nil)

// Lines implements engine.LineReader.
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

// Why implements engine.Engine.
func (p *Pool) Why(e experiment.Experiment, run int, done func(report.Record, error)) {
	p.look(e, run, e.Studies(), bridge.Request{Kind: bridge.Why}, func(_ bridge.Reply, buffers []Buffer, err error) {
		if err == nil && len(buffers) < 1 {
			err = errShort
		}
		if err != nil {
			done(report.Record{}, err)
			return
		}
		p.host.Copy(buffers[0], func(columns []byte) { done(bridge.UnpackRecord(columns)) })
	})
}

var _ engine.Recaller = (*Pool)(nil)

// Recall implements engine.Recaller.
func (p *Pool) Recall(e experiment.Experiment, run int, done func(*report.Run, *report.Jobs, *report.Site, error)) {
	p.look(e, run, e.Studies(), bridge.Request{Kind: bridge.Run, Jobs: true}, func(reply bridge.Reply, buffers []Buffer, err error) {
		fail := func(err error) { done(nil, nil, nil, err) }
		if err == nil && len(buffers) < 3 {
			err = errShort
		}
		if err != nil {
			fail(err)
			return
		}
		p.host.Copy(buffers[0], func(columns []byte) {
			got, err := bridge.UnpackRun(reply.Run, columns)
			if err != nil {
				fail(err)
				return
			}
			p.host.Copy(buffers[2], func(columns []byte) {
				jobs, err := bridge.UnpackJobs(columns)
				done(got, jobs, reply.Site, err)
			})
		})
	})
}

var _ engine.WaitHistory = (*Pool)(nil)

// History implements engine.WaitHistory.
func (p *Pool) History(e experiment.Experiment, run int, job int64, done func([]report.Phase, *report.Basis, error)) {
	p.look(e, run, e.Studies(), bridge.Request{Kind: bridge.Why, Follow: &job}, func(reply bridge.Reply, _ []Buffer, err error) {
		done(reply.Phases, reply.Basis, err)
	})
}

var _ engine.Prioritizer = (*Pool)(nil)

// Priorities implements engine.Prioritizer.
func (p *Pool) Priorities(e experiment.Experiment, run int, at model.Time, done func(*report.Priorities, error)) {
	p.look(e, run, true, bridge.Request{Kind: bridge.Terms, At: int64(at)}, func(r bridge.Reply, _ []Buffer, err error) {
		if err == nil && r.Terms == nil {
			err = errShort
		}
		done(r.Terms, err)
	})
}

var _ engine.Planner = (*Pool)(nil)

// Plan implements engine.Planner.
func (p *Pool) Plan(e experiment.Experiment, run int, at model.Time, job int, done func(*report.Plan, error)) (cancel func()) {
	t := p.look(e, run, true, bridge.Request{Kind: bridge.Plan, At: int64(at), Job: job + 1}, func(r bridge.Reply, _ []Buffer, err error) {
		if err == nil && r.Plan == nil {
			err = errShort
		}
		done(r.Plan, err)
	})
	return func() { p.cancel(t) }
}

// Foresight implements engine.Planner.
func (p *Pool) Foresight(e experiment.Experiment, run int, done func(*report.Foresight, error)) {
	p.look(e, run, true, bridge.Request{Kind: bridge.Foresee}, func(r bridge.Reply, _ []Buffer, err error) {
		if err == nil && r.Foresee == nil {
			err = errShort
		}
		done(r.Foresee, err)
	})
}

var _ engine.Stepper = (*Pool)(nil)

// Step implements engine.Stepper.
func (p *Pool) Step(e experiment.Experiment, run int, ask engine.StepAsk, done func(*tell.Step, error)) (cancel func()) {
	q := bridge.Request{Kind: bridge.Step, At: int64(ask.At), Instant: ask.Index + 1, About: ask.About + 1, Truth: ask.Truth}
	t := p.look(e, run, true, q, func(r bridge.Reply, _ []Buffer, err error) {
		if err == nil && r.Step == nil && ask.About < 0 {
			err = errShort
		}
		done(r.Step, err)
	})
	return func() { p.cancel(t) }
}

var _ engine.Drawer = (*Pool)(nil)

// Drawn implements engine.Drawer.
func (p *Pool) Drawn(e experiment.Experiment, run int, done func([]engine.File, error)) {
	p.look(e, run, e.Studies(), bridge.Request{Kind: bridge.Drawn}, func(r bridge.Reply, buffers []Buffer, err error) {
		if err == nil && len(buffers) != len(r.Files) {
			err = errShort
		}
		var files []engine.File
		var next func()
		next = func() {
			if k := len(files); err == nil && k < len(r.Files) {
				p.host.Copy(buffers[k], func(data []byte) {
					files = append(files, engine.File{Name: r.Files[k], Data: data})
					next()
				})
				return
			}
			done(files, err)
		}
		next()
	})
}

var _ engine.ReservationAsker = (*Pool)(nil)

// Ask implements engine.ReservationAsker.
func (p *Pool) Ask(e experiment.Experiment, run int, ask report.Ask, done func(*report.Answer, error)) {
	p.look(e, run, true, bridge.Request{Kind: bridge.Query, Ask: &ask}, func(r bridge.Reply, _ []Buffer, err error) {
		if err == nil && r.Answer == nil {
			err = errShort
		}
		done(r.Answer, err)
	})
}

var _ engine.ViewAnswerer = (*Pool)(nil)

// Inquire implements engine.ViewAnswerer.
func (p *Pool) Inquire(e experiment.Experiment, what, in string, progress func(done, total int), done func([]byte, error)) (cancel func()) {
	t := &task{studies: true, progress: progress, request: bridge.Request{Kind: bridge.Ask, What: what, In: in, Experiment: string(experiment.Encode(&e))}}
	t.end = func(r bridge.Reply, _ []Buffer, err error) { done(r.Out, err) }
	if err := p.attach(t, &e); err != nil {
		p.host.After(0, func() { t.finish(bridge.Reply{}, nil, err) })
		return func() {}
	}
	p.submit(t, false)
	return func() { p.cancel(t) }
}

var _ engine.ProgramTester = (*Pool)(nil)

// Try implements engine.ProgramTester.
func (p *Pool) Try(code string, done func(*report.Trial, error)) (cancel func()) {
	t := &task{studies: true, request: bridge.Request{Kind: bridge.Trial, Code: code}}
	t.end = func(r bridge.Reply, _ []Buffer, err error) {
		if err == nil && r.Trial == nil {
			err = errShort
		}
		done(r.Trial, err)
	}
	p.submit(t, true)
	return func() { p.cancel(t) }
}

// Smallest implements state.ProgramTester.
func (p *Pool) Smallest(e experiment.Experiment, run, beside int, done func(*report.Case, error)) (cancel func()) {
	t := p.look(e, run, true, bridge.Request{Kind: bridge.Trial, Beside: 1 + beside}, func(r bridge.Reply, _ []Buffer, err error) {
		if err == nil && (r.Trial == nil || r.Trial.Case == nil) {
			err = errShort
		}
		if err != nil {
			done(nil, err)
			return
		}
		done(r.Trial.Case, nil)
	})
	return func() { p.cancel(t) }
}

// look asks a worker about a finished run, before anything that waits.
func (p *Pool) look(e experiment.Experiment, run int, studies bool, q bridge.Request, done func(bridge.Reply, []Buffer, error)) *task {
	q.Experiment = string(experiment.Encode(&e))
	t := &task{studies: studies, request: q, end: done}
	err, ids := p.attach(t, &e), e.Runs()
	if run < 0 || run >= len(ids) {
		err = errNoRun
	}
	if err != nil {
		t.over = true
		p.host.After(0, func() { done(bridge.Reply{}, nil, err) })
		return t
	}
	t.request.Scheduler, t.request.Repetition = ids[run].Scheduler, ids[run].Repetition
	p.submit(t, true)
	return t
}
