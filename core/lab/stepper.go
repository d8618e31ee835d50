//go:build !small

package lab

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"batchlab/core/model"
	"batchlab/core/sim"
	"batchlab/core/tell"
)

// Stepper tells the instants of one run, forth and back. A run is repeated for it
// once, to learn its instants; then a step is told from the nearest point from
// which the run can go on: any instant under schedulers that go by what waits and
// runs alone, a checkpoint under one that plans by counts, and the beginning under
// any other, of which the instants around the last one are kept.
//
// It belongs to one Prepared and serves one call at a time.
type Stepper struct {
	p      *Prepared
	id     RunID
	r      *prepared
	form   form
	truth  bool
	times  []model.Time
	starts []model.Time
	points []sim.Resume // checkpoints in order; Start is not set

	from int          // index of the first of steps
	near []*tell.Step // instants around the last one that was asked for
	sim  sim.CountedSimulator
	site sim.Simulator
}

// How many instants are told together on either side of one: few where a run can go
// on from a point near by; where it has to begin anew as many as can well be kept,
// some twenty megabytes at the most, so that a run is repeated seldom.
const (
	nearPoint = 4
	nearStart = 256
)

// mostPromises bounds what checkpoints hold, in planned starts.
const mostPromises = 4 << 20

// ErrNothingDecided means that a run followed the log's own schedule.
var ErrNothingDecided = errors.New("the log's own schedule decides nothing: choose a scheduler to step through")

// NewStepper repeats a run and returns what tells its instants. Progress may be nil;
// when it returns false, NewStepper fails with ErrCancelled. With truth, what only
// the simulator knows is told as well.
func (p *Prepared) NewStepper(id RunID, truth bool, progress func(done, total int) bool) (*Stepper, error) {
	r, err := p.repetition(id.Repetition)
	if err != nil {
		return nil, err
	}
	s := &Stepper{p: p, id: id, r: r, form: p.form(r, id.Scheduler), truth: truth}
	if s.form == logged {
		return nil, ErrNothingDecided
	}
	every := 256
	promises := 0
	t := &sim.Telling{From: -1, To: -1, Times: &s.times}
	schedule, err := s.run(t, nil, progress, func(c sim.CountedScheduler) {
		resumer, ok := c.(sim.CountedResumer)
		if !ok {
			return
		}
		t.Mark = func(index int, now model.Time) {
			if index%every != 0 || index == 0 {
				return
			}
			point := sim.Resume{Index: index, Now: now, Before: s.times[index-1]}
			resumer.Promises(func(p sim.Promise) { point.Planned = append(point.Planned, p) })
			s.points = append(s.points, point)
			if promises += len(point.Planned); promises > mostPromises {
				every *= 2
				promises = 0
				s.points = slices.DeleteFunc(s.points, func(p sim.Resume) bool { return p.Index%every != 0 })
				for i := range s.points {
					promises += len(s.points[i].Planned)
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	s.starts = make([]model.Time, len(schedule.Workload.Jobs))
	for i := range schedule.Executions {
		s.starts[schedule.Executions[i].Job] = schedule.Executions[i].Start
	}
	return s, nil
}

// run repeats the run from a point, nil the beginning; ready is told of a counted
// scheduler before it runs.
func (s *Stepper) run(t *sim.Telling, from *sim.Resume, progress func(done, total int) bool, ready func(sim.CountedScheduler)) (*model.Schedule, error) {
	t.Truth = s.truth
	book, err := s.p.book(s.r, s.id.Scheduler)
	if err != nil {
		return nil, err
	}
	o := sim.Options{Progress: progress, Source: s.r.users, Tell: t, Resume: from, Book: book}
	if s.form == counted {
		c, err := buildCounted(&s.p.doc.Schedulers[s.id.Scheduler])
		if err != nil {
			return nil, err
		}
		if ready != nil {
			ready(c)
		}
		return s.sim.Run(s.r.workload, s.r.machines(), c, o)
	}
	site, desk, err := s.p.decider(s.r, s.id)
	if err != nil {
		return nil, err
	}
	if desk != nil {
		o.Desk = desk
	}
	return s.site.Run(s.r.workload, s.r.machines(), site, o)
}

// Times returns the times of all instants, in order. They must not be changed.
func (s *Stepper) Times() []model.Time { return s.times }

// Find returns the index of the last instant up to a time; 0 before the first.
func (s *Stepper) Find(at model.Time) int {
	return max(0, sort.Search(len(s.times), func(i int) bool { return s.times[i] > at })-1)
}

// Step tells an instant, from 0. Progress may be nil.
func (s *Stepper) Step(index int, progress func(done, total int) bool) (*tell.Step, error) {
	if index < 0 || index >= len(s.times) {
		return nil, fmt.Errorf("lab: the run has no instant %d: it has %d", index, len(s.times))
	}
	if k := index - s.from; k >= 0 && k < len(s.near) {
		return s.near[k], nil
	}
	from := s.point(index)
	around := nearStart
	if from != nil {
		around = nearPoint
	}
	t := &sim.Telling{From: max(0, index-around), To: min(len(s.times), index+around+1)}
	if from != nil {
		t.From = max(t.From, from.Index)
	}
	s.from, s.near = t.From, s.near[:0]
	t.Each = func(step *tell.Step) bool {
		step.Total = len(s.times)
		s.near = append(s.near, step)
		return true
	}
	_, err := s.run(t, from, progress, nil)
	if k := index - s.from; k < len(s.near) { // the run was stopped behind it, on purpose
		return s.near[k], nil
	}
	s.near = s.near[:0]
	if err == nil || errors.Is(err, sim.ErrCancelled) {
		err = ErrCancelled
	}
	return nil, err
}

// point returns from where to tell an instant and some before it; nil: from the
// beginning.
func (s *Stepper) point(index int) *sim.Resume {
	first := index - nearPoint
	if s.form != counted || s.r.users != nil || first <= 0 || len(s.points) == 0 {
		return nil
	}
	at := sort.Search(len(s.points), func(i int) bool { return s.points[i].Index > first }) - 1
	plans := slices.ContainsFunc(s.points, func(p sim.Resume) bool { return len(p.Planned) > 0 })
	if plans && at < 0 {
		return nil
	}
	var from sim.Resume
	if plans {
		from = s.points[at]
	} else { // any instant will do
		from = sim.Resume{Index: first, Now: s.times[first], Before: s.times[first-1]}
	}
	from.Start = s.starts
	return &from
}

// mostSought bounds how many instants About looks at before it goes to the job's
// start.
const mostSought = 400

// About tells the first instant from index on at which something is decided about a
// job (its index in the workload's columns); where none is near, the one at which it
// starts. It returns nil where nothing more is decided about it.
func (s *Stepper) About(index int, job model.JobID, progress func(done, total int) bool) (*tell.Step, error) {
	about := func(step *tell.Step) bool {
		return slices.ContainsFunc(step.Decisions, func(d tell.Decision) bool { return d.Job == job })
	}
	if s.r.users == nil && int(job) < len(s.r.workload.Jobs) {
		index = max(index, s.Find(s.r.workload.Jobs[job].Submit))
	}
	for i := index; i < min(index+mostSought, len(s.times)); i++ {
		step, err := s.Step(i, progress)
		if err != nil || about(step) {
			return step, err
		}
	}
	if s.r.users == nil && int(job) < len(s.starts) && s.starts[job] >= 0 {
		if at := s.Find(s.starts[job]); at >= index {
			return s.Step(at, progress)
		}
	}
	return nil, nil
}
