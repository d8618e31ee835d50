//go:build !small

package lab

import (
	"errors"
	"fmt"
	"slices"

	"batchlab/core/forecast"
	"batchlab/core/model"
	"batchlab/core/report"
)

// Ask is a question of When: about a job that nobody has submitted, or one that waits.
type Ask struct {
	At         model.Time `json:"at"`         // the instant, in seconds of the log, at which a new job is submitted
	Job        int64      `json:"job"`        // the number of a job of the log that waits at that instant; 0: a new one
	Procs      int32      `json:"procs"`      // processors of a new job
	Limit      model.Time `json:"limit"`      // its requested time in seconds
	User       int32      `json:"user"`       // SWF field 12, −1 unknown
	Executable int32      `json:"executable"` // SWF field 14, −1 unknown
	Draws      int        `json:"draws"`      // K, at least 1
	Record     int        `json:"record"`     // earlier jobs whose answers are worked out and judged, at most
	Every      bool       `json:"every"`      // take them from all jobs that waited, not from one of each user and hour
	Rivals     bool       `json:"rivals"`     // judge simpler methods by the same jobs
	// Now is a clock in seconds and Within how long draws and record may take by it: there
	// are fewer of them when it is over, at least fewestDraws. Nil or 0: all, however long.
	Now    func() float64 `json:"-"`
	Within float64        `json:"within"`
	// Present, when not nil, is what runs and waits instead of what the run has at At.
	Present *Present `json:"present,omitempty"`
}

// fewestDraws is how many draws there are however long they take.
const fewestDraws = 12

// whenLevels are the levels that are told, and lossLevels those by which answers are judged.
var (
	whenLevels = []float64{0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95}
	lossLevels = []float64{0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95}
	// leads part answers by the median that was told.
	leads = []model.Time{900, 3600, 4 * 3600, 24 * 3600, 0}
	// horizons are how far arrivals are drawn before it is looked whether the job has
	// started: what comes later cannot matter to it.
	horizons = []model.Time{6 * 3600, 24 * 3600, 3 * 24 * 3600, weekLong, 4 * weekLong, 16 * weekLong}
)

// fiftyLevels are those of fifty equally likely answers.
var fiftyLevels = func() (list []float64) {
	for i := range 50 {
		list = append(list, (float64(i)+0.5)/50)
	}
	return list
}()

const weekLong = 7 * 24 * 3600

// When says when a job would start at an instant of a run: under the scheduler's own
// rules, from what was known by then, with run times of others drawn from what their users
// did and arrivals from past weeks, and recalibrated by how such answers came true before
// (package forecast; docs/when.md). The job is a new one, or one that waits already. It
// fails on platforms of machines, for users who react and for a log's own schedule.
// Progress may be nil; when it returns false, When fails with ErrCancelled.
func (p *Prepared) When(id RunID, ask Ask, progress func(done, total int) bool) (*report.When, error) {
	a, err := p.asking(id)
	if err != nil {
		return nil, err
	}
	return a.tell(ask, progress)
}

// asking is a run that questions are asked about.
type asking struct {
	p          *Prepared
	of         *prepared
	id         RunID
	jobs       []model.Job
	start, end []model.Time
	promised   promises             // of instants that were asked about
	answers    map[earlier]answered // of earlier jobs, which larger records take up
}

// earlier names a question about a job of the log when it had waited so long.
type earlier struct {
	job   int32
	after model.Time
	draws int
}

// mostAnswers is how many answers are kept for larger records.
const mostAnswers = 100_000

// asking runs a scheduler and says what questions can be asked of; what it asked last is
// kept.
func (p *Prepared) asking(id RunID) (*asking, error) {
	if p.asked != nil && p.asked.id == id {
		return p.asked, nil
	}
	r, err := p.repetition(id.Repetition)
	if err != nil {
		return nil, err
	}
	switch {
	case r.users != nil:
		return nil, errors.New("a start is told for jobs that are submitted as the log says, not for users who react")
	case !r.countable():
		return nil, errors.New("a start is told for one cluster of interchangeable processors: what runs now on machines, under limits or between outages is not handed over to the forward runs")
	case p.form(r, id.Scheduler) == logged:
		return nil, errors.New("the log's own schedule follows no rules by which one more job would start")
	}
	got, err := p.Run(id, Options{})
	if err != nil {
		return nil, err
	}
	n := len(r.workload.Jobs)
	a := &asking{p: p, of: r, id: id, jobs: r.workload.Jobs, start: make([]model.Time, n), end: make([]model.Time, n), answers: map[earlier]answered{}}
	for i := range got.Schedule.Executions { // the last attempt of each
		e := &got.Schedule.Executions[i]
		a.start[e.Job], a.end[e.Job] = e.Start, e.End
		if e.Reason.Unserved() {
			a.start[e.Job], a.end[e.Job] = model.Never, model.Never
		}
	}
	p.asked = a
	return a, nil
}

// about checks a question and returns the index of the job that it is about and how long
// that has waited; −1 and 0 for a new one.
func (a *asking) about(ask *Ask) (job int32, waited model.Time, err error) {
	procs := int64(a.of.machines().Procs())
	first, last := a.of.workload.Span()
	job = -1
	switch {
	case ask.At < first:
		err = fmt.Errorf("it is asked at %d, before the first submission at %d", ask.At, first)
	case ask.At > last+weekLong && ask.Present == nil:
		err = fmt.Errorf("it is asked at %d, more than a week after the last submission at %d", ask.At, last)
	case ask.Draws < 1 || ask.Record < 0:
		err = errors.New("at least one draw is wanted, and no fewer than no earlier answers")
	case ask.Job != 0 && ask.Present == nil:
		i := slices.IndexFunc(a.jobs, func(j model.Job) bool { return j.Number == ask.Job })
		switch {
		case i < 0:
			err = fmt.Errorf("job %d: there is none of that number", ask.Job)
		case a.jobs[i].Submit > ask.At:
			err = fmt.Errorf("job %d is submitted at %d, after %d", ask.Job, a.jobs[i].Submit, ask.At)
		case a.start[i] < ask.At:
			err = fmt.Errorf("job %d does not wait at %d: it started at %d", ask.Job, ask.At, a.start[i])
		default:
			job, waited = int32(i), ask.At-a.jobs[i].Submit
		}
	case ask.Present != nil:
		job, waited, err = ask.Present.about(ask, procs)
	case ask.Procs < 1 || int64(ask.Procs) > procs:
		err = fmt.Errorf("%d processors are wanted of %d", ask.Procs, procs)
	case ask.Limit < 1:
		err = fmt.Errorf("%d s are wanted, not even a second", ask.Limit)
	}
	return job, waited, err
}

// tell answers a question.
func (a *asking) tell(ask Ask, progress func(done, total int) bool) (*report.When, error) {
	job, waited, err := a.about(&ask)
	if err != nil {
		return nil, err
	}
	asked := a.asked(&ask, job)
	q, record, err := a.record(&ask, waited, progress)
	if err != nil {
		return nil, err
	}
	s := q.at(ask.At, job, &asked, ask.Present)
	s.waited = waited
	answer, draws, err := s.ask(ask.Draws, clock(&ask))
	if err != nil {
		return nil, err
	}
	out := &report.When{At: ask.At, Job: ask.Job, Waited: waited, Procs: asked.Procs, Limit: asked.Limit, Levels: whenLevels, Draws: draws, Record: record.kept()}
	out.Free, out.Running, out.Waiting = s.state()
	known := q.by(record.list, ask.At)
	for i := range known {
		if known[i].Waiting {
			out.Record.Censored++
		}
	}
	if slices.Max(draws) == 0 { // nothing is in its way
		out.Waits, out.Fifty = make([]model.Time, len(whenLevels)), make([]model.Time, len(fiftyLevels))
		return out, nil
	}
	scale := forecast.Recalibrated(answer, known)
	for _, y := range scale.At(whenLevels) {
		out.Waits = append(out.Waits, forecast.Wait(y))
	}
	for _, y := range scale.At(fiftyLevels) {
		out.Fifty = append(out.Fifty, forecast.Wait(y))
	}
	return out, nil
}

// asked is the job that a question is about.
func (a *asking) asked(ask *Ask, job int32) model.Job {
	switch {
	case ask.Present != nil && job >= 0:
		return ask.Present.jobs(ask.At, a.last(ask.At))[job]
	case job >= 0:
		return a.jobs[job]
	}
	number := a.last(ask.At) + 1
	if ask.Present != nil {
		number += int64(len(ask.Present.Jobs))
	}
	return model.Job{Number: number, Submit: ask.At, Limit: ask.Limit, Procs: ask.Procs, User: ask.User, Executable: ask.Executable}
}

// last is the greatest number of a job that was submitted by an instant.
func (a *asking) last(at model.Time) (number int64) {
	for i := range a.jobs {
		if a.jobs[i].Submit <= at {
			number = max(number, a.jobs[i].Number)
		}
	}
	return number
}
