package state

import (
	"errors"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/ui/look"
)

// recaller is a fake engine that computes columns again when a test says so.
type recaller struct {
	fake
	asked []func(*report.Run, *report.Jobs, *report.Site, error)
	why   []func(report.Record, error)
}

func (f *recaller) Why(_ experiment.Experiment, _ int, done func(report.Record, error)) {
	f.why = append(f.why, done)
}

func (f *recaller) Recall(_ experiment.Experiment, _ int, done func(*report.Run, *report.Jobs, *report.Site, error)) {
	f.asked = append(f.asked, done)
}

func columnsOf(n int) (report.Columns, *report.Jobs) {
	return report.Columns{Start: make([]model.Time, n), End: make([]model.Time, n)}, &report.Jobs{Number: make([]int64, n), Submit: make([]model.Time, n), Limit: make([]model.Time, n), Run: make([]model.Time, n), Procs: make([]int32, n), User: make([]int32, n), Queue: make([]int32, n)}
}

// Intent: of very many draws the page keeps the columns of as many jobs as it
// has room for, and the measures of all; a draw that is looked at is computed
// again, once, and given up when another one is.
func TestColumnsOfManyDraws(t *testing.T) {
	f := &recaller{fake: fake{t: t}}
	s := New(f)
	s.JobsKept = 1000
	s.Start("")
	f.answer(&report.Preview{Name: "daily", Jobs: 100, Processors: 100}, nil)
	s.Change(func(e *experiment.Experiment) {
		e.Schedulers = e.Schedulers[:2]
		e.Schedulers[0].Repeat, e.Schedulers[1].Repeat = 40, 40
	})
	s.Run()
	kept := func() (n int) {
		for _, r := range s.Runs {
			if r.Result != nil {
				n += len(r.Result.Columns.Start)
			}
		}
		return n
	}
	for i, r := range s.Runs {
		columns, jobs := columnsOf(100)
		ev := engine.Event{Run: i, Status: engine.Done, Result: &report.Run{Scheduler: r.Scheduler, Repetition: r.Repetition, Columns: columns, Metrics: []report.Value{{Key: "mean-wait", Value: 5, Valid: true}}}}
		if r.Scheduler == 0 {
			ev.Jobs = jobs
		}
		f.runs[len(f.runs)-1].event(ev)
	}
	if kept() != 1000 || len(s.Jobs) != 5 || s.Given() != 70 {
		t.Fatalf("columns of %d jobs and %d tables of jobs are kept, %d runs gave theirs up", kept(), len(s.Jobs), s.Given())
	}
	if m := s.Measure(1, "mean-wait"); m.N != 40 || m.Mean != 5 {
		t.Errorf("the measures are of %d runs", m.N)
	}
	answer := func() {
		for _, done := range f.asked {
			columns, jobs := columnsOf(100)
			done(&report.Run{Columns: columns}, jobs, nil, nil)
		}
		f.asked = nil
	}
	look := func(n int) { s.Look(func(v *look.View) { v.Repetition = n }) }
	look(30)
	look(30)
	if !s.Recalling() {
		t.Error("nobody is told that jobs are computed again")
	}
	if len(f.asked) != 2 {
		t.Fatalf("%d runs are computed again, 2 are of this repetition", len(f.asked))
	}
	if _, err := s.JobsCSV(s.Finished(0)); err == nil {
		t.Error("jobs that are not here are written")
	}
	answer()
	if kept() != 1200 || s.Recalling() || s.Jobs[30] == nil || s.Given() != 68 {
		t.Errorf("columns of %d jobs are kept while repetition 30 is looked at", kept())
	}
	if _, err := s.JobsCSV(s.Finished(1)); err != nil {
		t.Error(err)
	}
	look(31)
	answer()
	look(2) // was kept all the time
	if kept() != 1000 || len(f.asked) != 0 || s.Jobs[30] != nil || s.Jobs[31] != nil || s.Jobs[2] == nil {
		t.Errorf("columns of %d jobs are kept in the end", kept())
	}
	// The record of decisions goes with the columns, and can be had again with them.
	look(30)
	answer()
	slow := s.Finished(1)
	s.WantWhy(slow)
	look(2)
	s.WantWhy(slow)
	if len(f.why) != 1 {
		t.Errorf("a record is asked for %d times, once with its columns here", len(f.why))
	}
	f.why[0](report.Record{Why: make([]report.Why, 100)}, nil)
	look(30)
	answer()
	s.WantWhy(slow)
	if len(f.why) != 2 || slow.WhyError != "" {
		t.Fatalf("a record is asked for %d times; error %q", len(f.why), slow.WhyError)
	}
	f.why[1](report.Record{Why: make([]report.Why, 100)}, nil)
	look(2)
	look(30)
	answer()
	if s.WantWhy(slow); len(f.why) != 3 {
		t.Error("a record that was given up with its columns does not come back")
	}
	look(2)
	// What cannot be computed again is said, and not tried for ever.
	look(20)
	for _, done := range f.asked {
		done(nil, nil, nil, errors.New("no memory"))
	}
	f.asked = nil
	look(2)
	look(20)
	if len(f.asked) != 0 || s.Notice == "" || s.Recalling() {
		t.Errorf("asked %d times more; said %q", len(f.asked), s.Notice)
	}
}
