//go:build js && wasm

package page

import (
	"encoding/json"
	"errors"
	"strconv"
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/wasm/pool"
)

// watched is the pool, and writes on <html> what it is doing, for whoever
// drives the page from outside: data-started and data-finished number the
// experiments, data-digest is that of the last finished one, data-loads counts
// the workloads that were read, well or not, data-loading those being read,
// data-keeping the files on their way to the shelf.
type watched struct {
	*pool.Pool
	shelf            shelf
	kept             func()           // called when a log has been put on the shelf
	stored           func(why string) // called before: why it is not there, see state.Store.Stored
	started, loads   int
	loading, keeping int
}

var (
	_ engine.Engine      = (*watched)(nil)
	_ engine.StudyEngine = (*watched)(nil)
)

func flag(name, value string) {
	js.Global().Get("document").Get("documentElement").Get("dataset").Set(name, value)
}

// Load implements engine.Engine.
func (w *watched) Load(e experiment.Experiment, file any, done func(*report.Preview, error)) {
	w.loading++
	flag("loading", strconv.Itoa(w.loading))
	w.loadKept(e, file, func(p *report.Preview, err error) {
		done(p, err)
		w.loading--
		flag("loading", strconv.Itoa(w.loading))
		w.loads++
		flag("loads", strconv.Itoa(w.loads))
	})
}

// Run implements engine.Engine.
func (w *watched) Run(e experiment.Experiment, event func(engine.Event)) engine.Runs {
	r := &flagged{watched: w}
	r.begin(len(e.Runs()))
	r.Runs = w.Pool.Run(e, func(ev engine.Event) {
		event(ev)
		r.ended(&ev)
	})
	return r
}

// flagged are runs of which it is said what becomes of them.
type flagged struct {
	engine.Runs
	watched      *watched
	number, open int
}

// Again implements engine.Runs.
func (r *flagged) Again(runs []int) {
	r.begin(len(runs))
	r.Runs.Again(runs)
}

// begin says that so many runs begin.
func (r *flagged) begin(runs int) {
	r.watched.started++
	r.number, r.open = r.watched.started, r.open+runs
	flag("started", strconv.Itoa(r.number))
	flag("digest", "")
}

// ended takes news of a run.
func (r *flagged) ended(ev *engine.Event) {
	if ev.Status >= engine.Done {
		r.open--
	}
	if r.number != r.watched.started {
		return
	}
	if ev.Digest != "" {
		flag("digest", ev.Digest)
	}
	if r.open == 0 {
		flag("finished", strconv.Itoa(r.number))
	}
}

// Lines implements engine.LineReader: a log that is only on the shelf is fetched.
func (w *watched) Lines(e experiment.Experiment, file any, n int, done func([]report.Line, error)) {
	if l := e.Workload.Source.Log; l != nil && file == nil && l.SHA256 != "" && !w.Pool.Knows(l.SHA256) {
		w.shelf.fetch(l.SHA256, func(file any) { w.Pool.Lines(e, file, n, done) })
		return
	}
	w.Pool.Lines(e, file, n, done)
}

// Papers implements engine.StudyEngine: they stand in a file of their own.
func (w *watched) Papers(done func(*engine.Library, error)) {
	all := new(engine.Library)
	beside("papers", all, func(err error) { done(all, err) })
}

// Results implements engine.FullResults.
func (w *watched) Results(done func(map[string]engine.StudyResult, error)) {
	all := map[string]engine.StudyResult{}
	beside("results", &all, func(err error) { done(all, err) })
}

// beside reads a file beside the page into what to points at.
func beside(name string, to any, done func(error)) {
	var came, failed js.Func
	end := func(err error) {
		came.Release()
		failed.Release()
		done(err)
	}
	came = js.FuncOf(func(_ js.Value, args []js.Value) any {
		end(json.Unmarshal([]byte(args[0].String()), to))
		return nil
	})
	failed = js.FuncOf(func(_ js.Value, args []js.Value) any {
		end(errors.New(args[0].Get("message").String()))
		return nil
	})
	js.Global().Get("batchlabBoot").Call("papers", name).Call("then", came, failed)
}

// Document implements engine.StudyEngine: a log that is only on the shelf is fetched.
func (w *watched) Document(key string, quick bool, log *experiment.Log, file any, done func(engine.StudyDocument, error)) {
	if log == nil || file != nil || w.Pool.Knows(log.SHA256) {
		w.Pool.Document(key, quick, log, file, done)
		return
	}
	w.shelf.fetch(log.SHA256, func(file any) { w.Pool.Document(key, quick, log, file, done) })
}

// Study implements engine.StudyEngine: a log that is only on the shelf is fetched.
func (w *watched) Study(key string, quick bool, log *experiment.Log, file any, news func(engine.StudyNews)) (stop func()) {
	if log == nil || file != nil || w.Pool.Knows(log.SHA256) {
		return w.Pool.Study(key, quick, log, file, news)
	}
	stopped := false
	stop = func() { stopped = true }
	w.shelf.fetch(log.SHA256, func(file any) {
		if stopped {
			news(engine.StudyNews{Over: true})
			return
		}
		stop = w.Pool.Study(key, quick, log, file, news)
	})
	return func() { stop() }
}
