package engine

import (
	"errors"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/tell"
	"batchlab/ui/words"
)

// BackgroundRunner is what an engine offers that runs an experiment beside the current
// one.
type BackgroundRunner interface {
	// Beside is Engine.Run.
	Beside(e experiment.Experiment, event func(Event)) Runs
}

// ReservationAsker is what an engine offers that can say what reservations a grid could
// have accepted. The run is repeated for it; done is called on the page's thread.
type ReservationAsker interface {
	Ask(e experiment.Experiment, run int, ask report.Ask, done func(*report.Answer, error))
}

// ViewAnswerer is what an engine offers that answers what views of the second program ask.
type ViewAnswerer interface {
	// Inquire asks about an experiment: what is the name of a question, in its text as
	// JSON. progress and done are called on the page's thread, done exactly once, with
	// the answer as JSON; cancel gives the question up.
	Inquire(e experiment.Experiment, what, in string, progress func(done, total int), done func([]byte, error)) (cancel func())
}

// File is one file for a download.
type File struct {
	Name string
	Data []byte
}

// Drawer is what an engine offers that can write what was drawn at random for
// the repetition of a run: platform.json, needs.csv, drawn.json. done is called
// on the page's thread.
type Drawer interface {
	Drawn(e experiment.Experiment, run int, done func([]File, error))
}

// Recaller is what an engine offers that can compute the columns of a finished
// run again.
type Recaller interface {
	// Recall runs run number run of e once more. The jobs of its repetition come
	// along.
	Recall(e experiment.Experiment, run int, done func(*report.Run, *report.Jobs, *report.Site, error))
}

// Reader is what an engine offers that tells how far the reading of a workload is, and
// can give it up.
type Reader interface {
	// OnReading sets who is told, on the page's thread.
	OnReading(told func(Fetching))
	// StopReading gives up what Load asked for last, whose done gets ErrStopped.
	StopReading()
}

// ErrStopped says that the reading of a workload was given up.
var ErrStopped = errors.New("reading was stopped")

// LineReader is what an engine offers that can show lines of a log.
type LineReader interface {
	// Lines hands over line n, from 1, of the experiment's log with up to three
	// lines before and after it. file is as in Load.
	Lines(e experiment.Experiment, file any, n int, done func([]report.Line, error))
}

// NeedsMissing says that an experiment names a file beside its log that is not here,
// and where it names it.
type NeedsMissing struct {
	Path string
	File experiment.Log
}

// Error implements error.
func (e NeedsMissing) Error() string {
	return e.Path + ": this experiment needs the file " + e.File.Name + " (SHA-256 " + words.HashBegin(e.File.SHA256) + words.NB + "…): choose it, or drop it on the page"
}

// LogMissing says that a point of an experiment names a log that is not here.
type LogMissing struct{ Log experiment.Log }

// Error implements error.
func (e LogMissing) Error() string {
	return "this experiment needs the log " + e.Log.Name + " (SHA-256 " + words.HashBegin(e.Log.SHA256) + words.NB + "…), too"
}

// ErrMachine says that a file describes a cluster and holds no jobs.
var ErrMachine = errors.New("this describes a cluster and holds no jobs")

// ClusterReader is what an engine offers that can read what describes a cluster:
// slurm.conf, and what sinfo, squeue and sacctmgr print. done is called on the page's
// thread.
type ClusterReader interface {
	// Machine numbers partitions, QOS and accounts by the log of e, where it has one
	// that has been read here.
	Machine(e experiment.Experiment, files []any, done func(*report.Conf, error))
	// Join makes one file of several, one behind the other.
	Join(files []any) any
}

// Keeper is what an engine offers that holds files beside the log, by their
// hash, and keeps them between visits where it can.
type Keeper interface {
	KeepFile(l experiment.Log, file any, kind string) // kind as in KeptLog
}

// ProgramTester is what an engine offers that can try a user's program on a small case.
type ProgramTester interface {
	// Try checks a program and runs it on the small case; done is called on the
	// page's thread, cancel gives it up.
	Try(code string, done func(*report.Trial, error)) (cancel func())
	// Smallest looks for the smallest case on which a run parts from another
	// scheduler of the experiment; done and cancel as for Try.
	Smallest(e experiment.Experiment, run, beside int, done func(*report.Case, error)) (cancel func())
}

// Planner is what an engine offers that can show the plans of a run. The run is
// repeated for it; done is called on the page's thread.
type Planner interface {
	// Plan asks for the plan of an instant, with the history of the predicted
	// start of a job (its index; −1 none). cancel gives it up.
	Plan(e experiment.Experiment, run int, at model.Time, job int, done func(*report.Plan, error)) (cancel func())
	// Foresight asks how the run's plan came about and how good its predictions were.
	Foresight(e experiment.Experiment, run int, done func(*report.Foresight, error))
}

// KeptLog is a log that the browser keeps between visits.
type KeptLog struct {
	experiment.Log
	Packed int64  // bytes that it takes up, as it was dropped
	Kind   string // of a file beside a log: "needs", "predictions" or "extra"; "" a log
}

// Shelf is what an engine offers that keeps logs between visits. Callbacks
// arrive on the page's thread.
type Shelf interface {
	// Kept lists the logs, the one used last first.
	Kept(done func([]KeptLog))
	// Forget deletes one.
	Forget(sha256 string, done func())
}

// Stepper is what an engine offers that can tell the instants of a run. The run is
// repeated for it; done is called on the page's thread.
type Stepper interface {
	// Step asks for an instant; done gets nil where nothing more is decided about
	// the job that was asked about. cancel gives it up.
	Step(e experiment.Experiment, run int, ask StepAsk, done func(*tell.Step, error)) (cancel func())
}

// StepAsk says which instant is wanted.
type StepAsk struct {
	Index int        // of the run's instants, from 0; −1: the last one up to At
	At    model.Time // with Index −1
	About int        // index of a job: the first instant from there on at which something is decided about it; −1: none
	Truth bool       // what only the simulator knows, too
}

// Prioritizer is what an engine offers that can take the priorities of waiting
// jobs apart. done is called on the page's thread.
type Prioritizer interface {
	// Priorities asks for those of a finished run at an instant; the run is
	// repeated up to there.
	Priorities(e experiment.Experiment, run int, at model.Time, done func(*report.Priorities, error))
}

// WaitHistory is an Engine that can follow one job through a run.
type WaitHistory interface {
	// History asks for every change of the reason for a job's wait, computed by
	// running again. job is its number.
	History(e experiment.Experiment, run int, job int64, done func([]report.Phase, *report.Basis, error))
}
