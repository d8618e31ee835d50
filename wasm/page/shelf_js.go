//go:build js && wasm

package page

import (
	"encoding/json"
	"strconv"
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/engine"
)

// shelf is the logs that the browser keeps between visits; see logs.js.
type shelf struct{}

// ask calls a function of logs.js and hands its answer to done.
func (shelf) ask(name string, done func(js.Value), args ...any) {
	var fn js.Func
	fn = js.FuncOf(func(_ js.Value, args []js.Value) any {
		fn.Release()
		done(args[0])
		return nil
	})
	js.Global().Get("batchlabLogs").Call(name, args...).Call("then", fn)
}

// fetch hands over the file of a log, nil when it is not kept.
func (s shelf) fetch(sha256 string, done func(file any)) {
	s.ask("get", func(v js.Value) {
		if !v.Truthy() {
			done(nil)
			return
		}
		done(v)
	}, sha256)
}

var _ engine.Shelf = (*watched)(nil)

// Kept implements engine.Shelf.
func (w *watched) Kept(done func([]engine.KeptLog)) {
	w.shelf.ask("list", func(v js.Value) {
		var rows []struct {
			Name, SHA256, Kind string
			Size, Packed       int64
		}
		if json.Unmarshal([]byte(v.String()), &rows) != nil {
			rows = nil
		}
		list := make([]engine.KeptLog, len(rows))
		for i, r := range rows {
			list[i] = engine.KeptLog{Log: experiment.Log{Name: r.Name, SHA256: r.SHA256, Size: r.Size}, Packed: r.Packed, Kind: r.Kind}
		}
		done(list)
	})
}

// Forget implements engine.Shelf.
func (w *watched) Forget(sha256 string, done func()) {
	w.shelf.ask("forget", func(js.Value) { done() }, sha256)
}

// KeepFile implements engine.Keeper: the file goes on the shelf, too.
func (w *watched) KeepFile(l experiment.Log, file any, kind string) {
	w.Pool.KeepFile(l, file, kind)
	w.put(l, file, kind)
}

// put puts a file on the shelf.
func (w *watched) put(l experiment.Log, file any, kind string) {
	blob, ok := file.(js.Value)
	if !ok || blob.Get("passing").Truthy() { // a file of #demo's own
		return
	}
	w.keeping++
	flag("keeping", strconv.Itoa(w.keeping))
	w.shelf.ask("put", func(why js.Value) {
		w.keeping--
		flag("keeping", strconv.Itoa(w.keeping))
		if w.stored != nil {
			w.stored(why.String())
		}
		if w.kept != nil {
			w.kept()
		}
	}, l.SHA256, l.Name, l.Size, blob, kind)
}

// loadKept reads a workload as the pool does, with its log and the files beside it
// from the shelf when they are not at hand, and puts a log that came by hand on the
// shelf.
func (w *watched) loadKept(e experiment.Experiment, file any, done func(*report.Preview, error)) {
	w.fetch(append(e.Files(), e.Logs()...), func() { w.loadLog(e, file, done) })
}

// fetch takes files that are not at hand from the shelf, one after the other.
func (w *watched) fetch(files []experiment.NamedFile, then func()) {
	for i := range files {
		f := &files[i].File
		if w.Pool.Knows(f.SHA256) {
			continue
		}
		w.shelf.fetch(f.SHA256, func(file any) {
			if file != nil {
				w.Pool.KeepFile(*f, file, "")
			}
			w.fetch(files[i+1:], then)
		})
		return
	}
	then()
}

func (w *watched) loadLog(e experiment.Experiment, file any, done func(*report.Preview, error)) {
	l := e.Workload.Source.Log
	switch {
	case l == nil:
	case file == nil && l.SHA256 != "" && !w.Pool.Knows(l.SHA256):
		w.shelf.fetch(l.SHA256, func(file any) { w.Pool.Load(e, file, done) })
		return
	case file != nil:
		name := l.Name
		w.Pool.Load(e, file, func(p *report.Preview, err error) {
			if err == nil && p != nil && p.SHA256 != "" {
				w.put(experiment.Log{Name: name, SHA256: p.SHA256, Size: p.Size}, file, "")
			}
			done(p, err)
		})
		return
	}
	w.Pool.Load(e, file, done)
}
