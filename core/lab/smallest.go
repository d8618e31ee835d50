//go:build !small

package lab

import (
	"cmp"
	"errors"
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
)

// Bounds on the search for a smallest case: jobs of the first one, and simulated
// jobs in all.
const (
	mostCaseJobs = 1000
	mostCaseWork = 200_000
)

// Errors of Smallest.
var (
	ErrSame   = errors.New("the two schedulers start every job at the same time")
	ErrNoCase = errors.New("no small case was found on which the two part: it takes the history of the whole workload")
	ErrFile   = errors.New("a case is a table of jobs, and a file of predictions speaks of those of the log: choose another predictor for the two")
	ErrNeeds  = errors.New("a case is a table of jobs, and these ask for more than it can say (licences, nodes, due times, reservations, users who react, jobs that wait for others)")
)

// Smallest looks for the smallest workload on which the scheduler of a run and
// another one of the experiment part. It begins with the jobs at hand where they
// first part, and takes out halves, quarters and in the end single jobs as long as
// the two still part (delta debugging: Zeller and Hildebrandt, IEEE Transactions on
// Software Engineering 28, 2002): of what is left no job can be spared, unless a
// bound ended the search. Nothing is timed, so that the same case is found
// everywhere.
func (p *Prepared) Smallest(id RunID, beside int, o Options) (*report.Case, error) {
	r, err := p.repetition(id.Repetition)
	if err != nil {
		return nil, err
	}
	if r.users != nil || len(r.workload.Demands) > 0 {
		return nil, ErrNeeds
	}
	for _, i := range []int{id.Scheduler, beside} {
		if d := p.doc.Foretells(i); d != nil && d.File != nil && p.doc.Foreseen(i) {
			return nil, ErrFile
		}
	}
	s := shrinker{p: p, r: r, own: id.Scheduler, beside: beside, progress: o.Progress}
	jobs, err := s.atHand()
	if err != nil {
		return nil, err
	}
	if jobs, err = s.shrink(jobs); err != nil {
		return nil, err
	}
	return s.result(jobs)
}

// caseJob is a job of a case, as a row of a table.
type caseJob struct {
	submit, procs, requested, run, user int64
}

type shrinker struct {
	p           *Prepared
	r           *prepared
	own, beside int
	progress    func(done, total int) bool
	work        int // jobs simulated so far
}

// document is an experiment with a few jobs under the two schedulers.
func (s *shrinker) document(jobs []caseJob) *experiment.Experiment {
	from := s.p.doc
	e := experiment.New()
	e.Seed, e.Platform, e.Measures = from.Seed, from.Platform, from.Measures
	foretold := func(d *experiment.Predict) *experiment.Predict {
		if d != nil && d.File != nil { // neither of the two uses it
			return nil
		}
		return d
	}
	e.Predict = foretold(from.Predict)
	table := &experiment.Inline{Processors: int64(s.r.workload.Processors), Columns: []string{"submit", "procs", "requested", "run", "user"}}
	for _, j := range jobs {
		table.Rows = append(table.Rows, []int64{j.submit, j.procs, j.requested, j.run, j.user})
	}
	e.Workload.Source = experiment.Source{Inline: table}
	for _, i := range []int{s.beside, s.own} {
		line := from.Schedulers[i]
		line.Repeat, line.Predict = 1, foretold(line.Predict)
		e.Schedulers = append(e.Schedulers, line)
	}
	return e.Clone()
}

// part runs both schedulers on a few jobs and says whether and when they part first.
// What cannot run, or ends in a fault, parts nowhere.
func (s *shrinker) part(jobs []caseJob) (at model.Time, apart bool, err error) {
	s.work += 2 * len(jobs)
	if s.progress != nil && !s.progress(min(s.work, mostCaseWork), mostCaseWork) {
		return 0, false, ErrCancelled
	}
	p, err := Prepare(s.document(jobs), Env{})
	if err != nil {
		return 0, false, nil
	}
	var first []model.Execution
	for i := range 2 {
		result, err := p.Run(RunID{Scheduler: i}, Options{})
		if err != nil {
			return 0, false, nil
		}
		if i == 0 {
			first = slices.Clone(result.Schedule.Executions)
			continue
		}
		at, apart = parts(first, result.Schedule.Executions)
	}
	return at, apart, nil
}

// parts says whether two schedules of the same jobs differ, and when first.
func parts(a, b []model.Execution) (at model.Time, apart bool) {
	at = model.Never
	for i := range min(len(a), len(b)) {
		x, y := &a[i], &b[i]
		if x.Start == y.Start && x.End == y.End && x.Cluster == y.Cluster {
			continue
		}
		apart = true
		for _, t := range []model.Time{x.Start, y.Start} {
			if t >= 0 {
				at = min(at, t)
			}
		}
	}
	return at, apart || len(a) != len(b)
}

// atHand returns the first case: the jobs that wait or run where the two part on the
// whole workload, else those submitted last before that.
func (s *shrinker) atHand() ([]caseJob, error) {
	w := s.r.workload
	var runs [2][]model.Execution
	for i, which := range []int{s.own, s.beside} {
		result, err := s.p.Run(RunID{Scheduler: which, Repetition: s.r.repetition}, Options{Progress: s.progress})
		if err != nil {
			return nil, err
		}
		runs[i] = slices.Clone(result.Schedule.Executions)
	}
	at, apart := parts(runs[0], runs[1])
	if !apart {
		return nil, ErrSame
	}
	row := func(j model.JobID) caseJob {
		job := &w.Jobs[j]
		return caseJob{int64(job.Submit), int64(job.Procs), int64(job.Limit), int64(w.Truth[j].Run), int64(job.User)}
	}
	var alive, begun, before []caseJob // as submitted; with what runs submitted at its start; all until then
	for i := range runs[0] {
		e := &runs[0][i]
		j := row(e.Job)
		if model.Time(j.submit) > at {
			continue
		}
		before = append(before, j)
		if e.Start < 0 || e.End > at {
			alive = append(alive, j)
			if e.Start >= 0 && e.Start < at {
				j.submit = int64(e.Start)
			}
			begun = append(begun, j)
		}
	}
	for _, list := range [][]caseJob{alive, begun, before} {
		slices.SortStableFunc(list, func(a, b caseJob) int { return cmp.Compare(a.submit, b.submit) })
	}
	tries := [][]caseJob{begun, alive}
	for n := 16; n < 2*mostCaseJobs; n *= 4 {
		tries = append(tries, before[max(0, len(before)-min(n, mostCaseJobs)):])
	}
	for _, jobs := range tries {
		if len(jobs) == 0 || len(jobs) > mostCaseJobs {
			continue
		}
		if _, apart, err := s.part(jobs); apart || err != nil {
			return jobs, err
		}
	}
	return nil, ErrNoCase
}

// shrink takes jobs out as long as the two part.
func (s *shrinker) shrink(jobs []caseJob) ([]caseJob, error) {
	for pieces := 2; len(jobs) > 1 && s.work < mostCaseWork; {
		smaller := false
		size := (len(jobs) + pieces - 1) / pieces
		for from := 0; from < len(jobs) && s.work < mostCaseWork; {
			less := slices.Concat(jobs[:from], jobs[min(len(jobs), from+size):])
			_, apart, err := s.part(less)
			if err != nil {
				return nil, err
			}
			if apart && len(less) > 0 {
				jobs, smaller = less, true
			} else {
				from += size
			}
		}
		switch {
		case size > 1:
			pieces = min(len(jobs), 2*pieces)
		case !smaller:
			return jobs, nil
		}
	}
	return jobs, nil
}

// result is the case, from second 0 on where that changes nothing.
func (s *shrinker) result(jobs []caseJob) (*report.Case, error) {
	at, _, err := s.part(jobs)
	if err != nil {
		return nil, err
	}
	moved := slices.Clone(jobs)
	for i := range moved {
		moved[i].submit -= jobs[0].submit
	}
	if t, apart, err := s.part(moved); err != nil {
		return nil, err
	} else if apart {
		jobs, at = moved, t
	}
	e := s.document(jobs)
	e.Title = "The smallest case that was found on which two schedulers part"
	return &report.Case{Document: string(experiment.Encode(e)), Jobs: len(jobs), At: at}, nil
}
