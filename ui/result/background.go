package result

import (
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/tell"
	"batchlab/ui/engine"
)

// Background is an experiment that runs beside the one that is open, which stays as
// it is: a step of a lesson, or a case.
type Background struct {
	*Sweep // of one point

	index map[int64]int // of the jobs of repetition 0, by number

	stepper engine.Stepper // nil: instants cannot be told
	steps   map[instantOf]*tell.Step
	told    func()
}

// instantOf is an instant of a scheduler's first run.
type instantOf struct {
	scheduler int
	at        model.Time
}

// RunInBackground runs an experiment beside the one that is open; told is called when
// it is done, or has failed.
func RunInBackground(by engine.Engine, e *experiment.Experiment, told func()) *Background {
	runner, ok := by.(engine.BackgroundRunner)
	if !ok {
		return Refuse(e, "this page cannot run experiments")
	}
	a := &Background{Sweep: One(e), told: told}
	a.stepper, _ = by.(engine.Stepper)
	a.Begin(runner.Beside, func(ev engine.Event) {
		if r, ok := a.Take(&ev); ok && r != nil && !a.Active() {
			told()
		}
	})
	return a
}

// Refuse returns an experiment that does not run, and why.
func Refuse(e *experiment.Experiment, why string) *Background {
	a := &Background{Sweep: One(e)}
	a.Status, a.Error = engine.Failed, why
	return a
}

// Ready reports whether all runs have ended well.
func (a *Background) Ready() bool { return a.Status == engine.Done }

// Step returns the last instant of a scheduler's first run up to a time. While it is not
// there it is nil, and asked for once: told is called when it comes. Where instants
// cannot be told it stays nil.
func (a *Background) Step(scheduler int, at model.Time) *tell.Step {
	which := instantOf{scheduler, at}
	if got, asked := a.steps[which]; asked || a.stepper == nil || !a.Ready() {
		return got
	}
	if a.steps == nil {
		a.steps = map[instantOf]*tell.Step{}
	}
	a.steps[which] = nil
	run := slices.IndexFunc(a.Runs, func(r *Run) bool { return r.Scheduler == scheduler })
	a.stepper.Step(*a.Ran.Clone(), run, engine.StepAsk{Index: -1, At: at, About: -1}, func(step *tell.Step, err error) {
		if err == nil && step != nil {
			a.steps[which] = step
			a.told()
		}
	})
	return a.steps[which] // where the answer came at once
}

// Shown is the first run of a scheduler, nil while it is not there.
func (a *Background) Shown(scheduler int) *report.Run {
	if runs := a.RunsOf(scheduler); len(runs) > 0 {
		return runs[0].Result
	}
	return nil
}

// Index returns where a job stands in Jobs.
func (a *Background) Index(number int64) (int, bool) {
	if a.Jobs[0] == nil {
		return 0, false
	}
	if a.index == nil {
		a.index = make(map[int64]int, len(a.Jobs[0].Number))
		for i, n := range a.Jobs[0].Number {
			a.index[n] = i
		}
	}
	i, ok := a.index[number]
	return i, ok
}

// Job returns the times of a job by its number: lesson.Results.
func (a *Background) Job(scheduler int, number int64) (submit, start, end model.Time, ok bool) {
	i, ok := a.Index(number)
	r := a.Shown(scheduler)
	if !ok || r == nil || i >= len(r.Columns.Start) || r.Columns.Start[i] < 0 {
		return 0, 0, 0, false
	}
	submit = a.Jobs[0].Submit[i]
	if len(r.Columns.Submit) > i {
		submit = r.Columns.Submit[i]
	}
	return submit, r.Columns.Start[i], r.Columns.End[i], true
}

// Measure returns a measure, the mean over the runs that are no copies:
// lesson.Results.
func (a *Background) Measure(scheduler int, key string) (value float64, ok bool) {
	sum, n := 0.0, 0
	for _, r := range a.finished(scheduler) {
		if r.Copy {
			continue
		}
		if v, ok := r.Measure(key); ok {
			sum, n = sum+v, n+1
		}
	}
	return sum / float64(max(1, n)), n > 0
}

// Apart tells which of two schedulers has less of a measure, 0 where it cannot
// be told: lesson.Results.
func (a *Background) Apart(first, second int, key string) (less int, ok bool) {
	row := catalog.FindMetric(key)
	if row == nil {
		return 0, false
	}
	d := metric.CompareRuns(a.finished(first), a.finished(second), row)
	switch {
	case d.N == 0:
		return 0, false
	case d.Certainty != metric.Surely:
		return 0, true
	case d.Less():
		return -1, true
	}
	return 1, true
}

// Gap writes a measure's difference between two schedulers, with its interval where
// there is one, and the laboratory's word for what it comes to; both are empty where
// nothing can be compared.
func (a *Background) Gap(mine, base int, key string) (text, verdict string) {
	row := catalog.FindMetric(key)
	if row == nil {
		return "", ""
	}
	d := metric.CompareRuns(a.finished(mine), a.finished(base), row)
	if d.N == 0 {
		return "", ""
	}
	return GapText(row, Diff{Difference: d}), d.Verdict(row)
}

// Until is the last end under any scheduler, for pictures beside each other.
func (a *Background) Until() model.Time {
	last := model.Time(0)
	for i := range a.Ran.Schedulers {
		if r := a.Shown(i); r != nil {
			for _, t := range r.Columns.End {
				last = max(last, t)
			}
		}
	}
	return last
}

// Name is what a scheduler is called.
func (a *Background) Name(i int) string { return ShortName(a.Ran, i) }

// ShortName is what a scheduler of an experiment is called where there is little
// room: its label, or the catalog's short name; "" for none.
func ShortName(e *experiment.Experiment, i int) string {
	if i < 0 || i >= len(e.Schedulers) {
		return ""
	}
	if l := e.Schedulers[i].Label; l != "" {
		return l
	}
	if row := catalog.FindScheduler(e.Schedulers[i].Key); row != nil {
		return row.Short
	}
	return e.Schedulers[i].Key
}
