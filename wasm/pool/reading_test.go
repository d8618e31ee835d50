package pool

import (
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

// Intent: the page hears how far the reading of a log is, up to its end; given up, it ends
// with ErrStopped, and its worker goes on where it obeys.
func TestReadingIsToldAndStopped(t *testing.T) {
	b := &browser{t: t}
	var under bridge.Request
	b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
		switch q.Kind {
		case bridge.Load:
			under = q
			w.reply(bridge.Reply{Kind: bridge.Progress, ID: q.ID, Done: 3, Total: 9})
		case bridge.Cancel:
			w.reply(bridge.Reply{Kind: bridge.Failure, ID: q.ID, Code: bridge.CodeCancelled, Error: "cancelled"})
		}
	}
	p := New(b, 1)
	p.StopReading() // nothing is read yet
	var told []engine.Fetching
	p.OnReading(func(f engine.Fetching) { told = append(told, f) })
	e := three()
	e.Workload.Source = experiment.Source{Log: &experiment.Log{Name: "a.swf"}}
	var got error
	p.Load(e, "the file", func(_ *report.Preview, err error) { got = err })
	b.run(50)
	if under.NewLog != "a.swf" || len(told) != 1 || told[0] != (engine.Fetching{Active: true, Got: 3, Total: 9}) {
		t.Fatalf("%+v; told %+v", under, told)
	}
	p.StopReading()
	b.run(1e9)
	if got != engine.ErrStopped || len(told) != 2 || told[1].Active {
		t.Errorf("%v; told %+v", got, told)
	}
	if len(p.workers) != 1 || p.workers[0].task != nil {
		t.Errorf("the worker that obeyed is not free: %d workers", len(p.workers))
	}
}

// Intent: a new log is read by the columns that somebody has named, also where nobody
// knows its hash yet.
func TestColumnsOfANewLog(t *testing.T) {
	b := &browser{t: t}
	var under bridge.Request
	b.work = func(_ *fakeWorker, q bridge.Request, _ []Buffer, _ any) { under = q }
	p := New(b, 1)
	e := three()
	log := experiment.Log{Name: "a.csv and 1 more"}
	log.Columns[1] = "Beginn"
	e.Workload.Source = experiment.Source{Log: &log}
	p.Load(e, "the files", func(*report.Preview, error) {})
	b.run(50)
	if under.NewLog != log.Name || len(under.Columns) != len(log.Columns) || under.Columns[1] != "Beginn" {
		t.Errorf("%+v", under)
	}
}
