package result

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/look"
	"batchlab/ui/words"
)

// A job is starved when others are served in its place, not when it waits long
// because all do or because the machine is full of what came before it. So the
// rule asks three things of the job that waits longest in a run:
//
//   - Under the baseline no job waits as long: the longest wait is a quarter longer than
//     any there, or ten jobs wait longer than any there. The baseline itself is held
//     against the scheduler whose longest wait is least.
//   - More than half of the processor time that was used while it waited went to
//     jobs submitted after it. Under FCFS that is nothing, and under EASY and
//     conservative backfilling, which keep a place for who came first, at most 0.4
//     on KTH-SP2, SDSC-SP2 and HPC2N; orders by size and plans reach 0.7 to 1.
//   - It waits longer than a day.
//
// With nothing to compare with, it waits more than twice as long as 99 % of the jobs
// do instead: where the whole queue stands still nobody in particular is starved.
const (
	starveShare = .5
	starveMore  = 1.25
	starveJobs  = 10
	starveTimes = 2
	starveLeast = 86400 // seconds
)

// Starved is a job that a scheduler starves.
type Starved struct {
	Scheduler, Job int // Job is its index
	Number         int64
	Procs          int32
	Wait           model.Time
	Times          float64    // its wait in 99th percentiles of the run's waits; 0: these are 0
	Beside         model.Time // the longest wait under the other scheduler; −1 with none
	Beyond         int        // jobs that wait longer than that
	Other          int        // the other scheduler
	Share          float64    // of the processor time used while it waited, what went to jobs that came after it
}

// Starves looks for the job that a run starves. Reservations, which are made
// ahead, and jobs that ran more than once are not looked at, nor jobs submitted
// before from or from until on (nil: no bound).
//
// other is a run of the same jobs that it is compared with, nil for none.
func Starves(r, other *report.Run, jobs *report.Jobs, from, until *int64) (found Starved, ok bool) {
	c := &r.Columns
	p99, longest := waitOf(r, "p99-wait"), waitOf(r, "max-wait")
	if p99 < 0 || longest <= starveLeast || len(c.Start) != len(jobs.Number) {
		return found, false
	}
	beside, beyond := -1.0, 0
	if other != nil && other.Workload == r.Workload {
		beside = waitOf(other, "max-wait")
	}
	if beside < 0 && longest <= starveTimes*p99 || beside >= 0 && longest <= beside {
		return found, false
	}
	submit := jobs.Submit
	if len(c.Submit) == len(submit) {
		submit = c.Submit
	}
	left := map[int32]bool{}
	for i := range jobs.Reserved {
		left[jobs.Reserved[i].Job] = true
	}
	for i := range c.Before {
		left[c.Before[i].Job] = true
	}
	worst, wait := -1, model.Time(starveLeast)
	for i, start := range c.Start {
		if at := int64(submit[i]); start < 0 || left[int32(i)] || from != nil && at < *from || until != nil && at >= *until {
			continue
		}
		if beside >= 0 && float64(start-submit[i]) > beside {
			beyond++
		}
		if start-submit[i] <= wait {
			continue
		}
		worst, wait = i, start-submit[i]
	}
	switch {
	case worst < 0:
		return found, false
	case beside < 0 && float64(wait) <= starveTimes*p99:
		return found, false
	case beside >= 0 && float64(wait) <= starveMore*beside && beyond < starveJobs:
		return found, false
	}
	began, ended := submit[worst], c.Start[worst]
	var all, later int64
	for i, start := range c.Start {
		if overlap := min(c.End[i], ended) - max(start, began); start >= 0 && overlap > 0 {
			area := int64(overlap) * int64(jobs.Procs[i])
			if all += area; submit[i] > began {
				later += area
			}
		}
	}
	found = Starved{Scheduler: r.Scheduler, Job: worst, Number: jobs.Number[worst], Procs: jobs.Procs[worst], Wait: wait, Beside: model.Time(beside), Beyond: beyond, Share: float64(later) / float64(max(1, all))}
	if p99 > 0 {
		found.Times = float64(wait) / p99
	}
	return found, found.Share > starveShare
}

// Starving lists the jobs that the runs on show starve, one a scheduler.
func (s *Tray) Starving() (list []Starved) {
	if s.Ran == nil || s.host.Varies() {
		return nil
	}
	s.forget()
	for i := range s.host.Schedulers() {
		r := s.Finished(i)
		if r == nil || s.Jobs[r.Repetition] == nil {
			continue
		}
		other, beside := s.beside(i, r.Repetition)
		at := slices.IndexFunc(s.starved, func(known starvedOf) bool { return known.run == r.Result && known.other == beside })
		if at < 0 {
			found, ok := Starves(r.Result, beside, s.Jobs[r.Repetition], s.Ran.Measures.From, s.Ran.Measures.To)
			if s.starved = append(s.starved, starvedOf{r.Result, beside, found, ok}); len(s.starved) > mostStarved {
				s.starved = slices.Delete(s.starved, 0, 1)
			}
			at = len(s.starved) - 1
		}
		if s.starved[at].ok {
			found := s.starved[at].found
			found.Scheduler, found.Other = i, other
			list = append(list, found)
		}
	}
	return list
}

// beside is the scheduler whose longest wait that of another is held against, and its
// run at a repetition: the baseline, and for the baseline itself the one that lets
// nobody wait longer than the others do. nil with none.
func (s *Tray) beside(scheduler, repetition int) (other int, run *report.Run) {
	other = -1
	for i := range s.host.Schedulers() {
		r := s.Finished(i)
		if i == scheduler || r == nil || r.Repetition != repetition {
			continue
		}
		switch wait := waitOf(r.Result, "max-wait"); {
		case i == s.look.Baseline():
			return i, r.Result
		case wait >= 0 && (run == nil || scheduler == s.look.Baseline() && wait < waitOf(run, "max-wait")):
			other, run = i, r.Result
		}
	}
	return other, run
}

// waitOf is a measure of waits of a run in seconds, −1 where there is none.
func waitOf(r *report.Run, key string) float64 {
	if v, ok := r.Measure(key); ok {
		return v
	}
	return -1
}

// forget lets go of what was kept of the runs of another experiment, which may be large.
func (s *Tray) forget() {
	if s.keptOf != s.Ran {
		s.keptOf, s.starved, s.owns = s.Ran, nil, nil
	}
}

// starvedOf is what Starves found in a run, kept since the page asks at each
// look.
type starvedOf struct {
	run   *report.Run
	other *report.Run
	found Starved
	ok    bool
}

const mostStarved = 64

// StarvedText says it in a sentence.
func (s *Tray) StarvedText(x *Starved) string {
	text := s.Label(x.Scheduler) + " starves a job: job " + words.Int(x.Number) + " of " + words.Count(x.Procs, "processor", "processors") + " waited " + words.Dur(float64(x.Wait))
	switch {
	case x.Beside >= 0:
		text += "; under " + s.Label(x.Other) + " nobody waits longer than " + words.Dur(float64(x.Beside)) + ", here " + words.Count(x.Beyond, "job does", "jobs do") + "."
		return text + " While it waited, " + words.Number(100*x.Share, 0) + words.NB + "% of the processor time in use went to jobs that came after it."
	case x.Times > 0:
		text += ", " + words.Plain(x.Times) + " times as long as 99" + words.NB + "% of the jobs at most"
	}
	return text + ", while " + words.Number(100*x.Share, 0) + words.NB + "% of the processor time in use went to jobs that came after it."
}

// ShowStarved leads to the job in the Gantt chart, from its submission to its end.
func (s *Tray) ShowStarved(x *Starved) {
	r := s.Finished(x.Scheduler)
	if r == nil || x.Job >= len(r.Result.Columns.Start) {
		return
	}
	s.look.Pick(x.Scheduler)
	end := r.Result.Columns.End[x.Job]
	began := r.Result.Columns.Start[x.Job] - x.Wait
	pad := (end - began) / 20
	s.look.Look(func(v *look.View) {
		v.Tab, v.Job, v.Step = "gantt", x.Job, false
		v.From, v.To = began-pad, end+pad
	})
}
