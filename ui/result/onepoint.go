package result

import (
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/ui/words"
)

// One returns the runs of an experiment that does not vary, all to come.
func One(doc *experiment.Experiment) *Sweep {
	w := &Sweep{Ran: doc, Jobs: map[int]*report.Jobs{}, Sites: map[int]*report.Site{}}
	for _, id := range doc.Runs() {
		w.Runs = append(w.Runs, &Run{Scheduler: id.Scheduler, Repetition: id.Repetition})
	}
	w.Status, w.Total = engine.Running, len(w.Runs)
	return w
}

// Begin lets an engine begin them; run is one of its methods.
func (w *Sweep) Begin(run func(experiment.Experiment, func(engine.Event)) engine.Runs, told func(engine.Event)) {
	w.all = run(*w.Ran.Clone(), told)
}

// Take takes news of a run and returns it, nil for news of the digest alone; ok is false
// for news that comes too late.
func (w *Sweep) Take(ev *engine.Event) (r *Run, ok bool) {
	switch {
	case w.Status == engine.Cancelled || ev.Run >= len(w.Runs):
		return nil, false
	case ev.Run < 0:
		if w.Digest, w.NoDigest = ev.Digest, ev.NoDigest; ev.Err != nil {
			w.NoDigest = "could not be made: " + ev.Err.Error()
		}
		return nil, true
	}
	if r = w.Runs[ev.Run]; r.Status >= engine.Done {
		return nil, false
	}
	r.Status, r.Progress, r.Left = ev.Status, ev.Progress, ev.Left
	switch ev.Status {
	case engine.Done:
		r.Progress, r.Left, r.Result = 1, 0, ev.Result
		if ev.Jobs != nil {
			w.Jobs[r.Repetition], w.Sites[r.Repetition] = ev.Jobs, ev.Site
		}
		if r.Result != nil && r.Result.Copy && w.Jobs[r.Repetition] == nil { // the jobs of repetition 0
			w.Jobs[r.Repetition], w.Sites[r.Repetition] = w.Jobs[0], w.Sites[0]
		}
	case engine.Failed:
		r.Error = "stopped without a message"
		if ev.Err != nil {
			r.Error = ev.Err.Error()
		}
		if w.Error == "" {
			w.Error = r.Error
		}
	}
	if ev.Digest != "" {
		w.Digest = ev.Digest
	}
	if ev.Status >= engine.Done {
		w.ended(1)
	}
	return r, true
}

// ended counts runs that have ended, in whatever way.
func (w *Sweep) ended(n int) {
	if w.Done += float64(n); int(w.Done) == w.Total && w.Active() {
		w.Status = words.Either(w.Error == "", engine.Done, engine.Failed)
	}
}

// StopRuns cancels everything that has not ended, the digest too, and says whether
// there was something; runs that have ended stay.
func (w *Sweep) StopRuns() bool {
	comes := w.NoDigest == engine.DigestComes
	if !w.Active() && !comes {
		return false
	}
	if comes {
		w.NoDigest = "was not computed: cancelled"
	}
	if w.all != nil {
		w.all.Stop()
	}
	w.Status = engine.Cancelled
	w.cancelled(func(*Run) bool { return true })
	return true
}

// StopScheduler cancels what scheduler i still has to run.
func (w *Sweep) StopScheduler(i int) {
	for k, r := range w.Runs {
		if r.Scheduler == i && r.Status < engine.Done {
			w.all.StopOne(k)
		}
	}
	w.cancelled(func(r *Run) bool { return r.Scheduler == i })
}

// cancelled notes that runs have been cancelled, unless they had ended.
func (w *Sweep) cancelled(which func(*Run) bool) {
	for _, r := range w.Runs {
		if r.Status < engine.Done && which(r) {
			r.Status = engine.Cancelled
			w.ended(1)
		}
	}
}

// Hold holds back what has not begun, or lets it go on.
func (w *Sweep) Hold(held bool) { w.all.Hold(held) }

// Again runs scheduler i again, as it was; the runs of the others stay.
func (w *Sweep) Again(i int) {
	var list []int
	for k, r := range w.Runs {
		if r.Scheduler == i {
			w.Runs[k] = &Run{Scheduler: r.Scheduler, Repetition: r.Repetition}
			list = append(list, k)
		}
	}
	w.Digest, w.NoDigest, w.Error, w.Status = "", "", "", engine.Running
	w.ended(-len(list))
	w.all.Again(list)
}
