package state

import (
	"errors"
	"fmt"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/ui/look"
)

// fake is an engine whose answers a test gives by hand, in any order.
type fake struct {
	t       *testing.T
	loads   []fakeLoad
	runs    []*fakeRun
	stopped []int  // runs of StopOne
	again   []int  // of Again
	held    []bool // calls of Hold
	halted  int    // calls of StopReading
	reading func(engine.Fetching)
}

type fakeLoad struct {
	doc  experiment.Experiment
	file any
	done func(*report.Preview, error)
}

type fakeRun struct {
	f         *fake
	doc       experiment.Experiment
	event     func(engine.Event)
	cancelled bool
}

func (f *fake) Load(e experiment.Experiment, file any, done func(*report.Preview, error)) {
	f.loads = append(f.loads, fakeLoad{e, file, done})
}

func (f *fake) Run(e experiment.Experiment, event func(engine.Event)) engine.Runs {
	r := &fakeRun{f: f, doc: e, event: event}
	f.runs = append(f.runs, r)
	return r
}

func (r *fakeRun) Stop() { r.cancelled = true }

func (r *fakeRun) StopOne(run int) { r.f.stopped = append(r.f.stopped, run) }

func (r *fakeRun) Hold(held bool) { r.f.held = append(r.f.held, held) }

func (r *fakeRun) Again(list []int) { r.f.again = append(r.f.again, list...) }

func (f *fake) StopReading() { f.halted++ }

func (f *fake) OnReading(told func(engine.Fetching)) { f.reading = told }

func (f *fake) Why(experiment.Experiment, int, func(report.Record, error)) {}

// answer answers the latest reading.
func (f *fake) answer(p *report.Preview, err error) {
	f.t.Helper()
	if len(f.loads) == 0 {
		f.t.Fatal("nothing was asked to be read")
	}
	f.loads[len(f.loads)-1].done(p, err)
}

// finish ends run i of the latest experiment with a mean wait.
func (f *fake) finish(s *Store, i int, wait float64, digest string) {
	f.t.Helper()
	r := s.Runs[i]
	f.runs[len(f.runs)-1].event(engine.Event{Run: i, Status: engine.Done, Digest: digest, Result: &report.Run{
		Scheduler: r.Scheduler, Key: s.Ran.Schedulers[r.Scheduler].Key, Repetition: r.Repetition, Processors: 100, Jobs: 2000,
		Workload: fmt.Sprint("workload ", r.Repetition), Simulate: 0.1,
		Metrics: []report.Value{{Key: "mean-wait", Value: wait, Valid: true}, {Key: "utilization", Value: 0.5, Valid: true}, {Key: "jobs", Valid: false}},
	}})
}

// opened is a store after its first load: the default preset, running.
func opened(t *testing.T) (*Store, *fake) {
	t.Helper()
	f := &fake{t: t}
	s := New(f)
	s.Start("")
	if len(f.loads) != 1 || len(f.runs) != 1 {
		t.Fatalf("the first load reads %d times and runs %d times, want once each", len(f.loads), len(f.runs))
	}
	f.answer(&report.Preview{Name: "daily", Jobs: 2000, Processors: 100}, nil)
	return s, f
}

var errBroken = errors.New("the worker has stopped")

// The page's own tabs are made by package ui, which the state does not know.
func init() {
	look.Tabs = []string{"overview", "gantt", "series", "distributions", "users", "vary", "search", "table", "plan"}
}
