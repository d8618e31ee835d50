//go:build !small

package lab

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/resource"
	"batchlab/core/sim"
	"batchlab/core/snapshot"
	"batchlab/core/tell"
)

// Stepper tells the instants of one run, forth and back. A run is repeated for it
// once, to learn its instants and to keep pictures of its state; then a step is told
// from the last picture before it. Where a scheduler's state cannot be kept
// (sim.Unkept) each step begins again, and the instants around it are kept.
//
// It belongs to one Prepared and serves one call at a time.
type Stepper struct {
	p        *Prepared
	id       RunID
	r        *prepared
	form     form
	truth    bool
	times    []model.Time
	starts   []model.Time
	kept     bool            // the scheduler's state can be kept
	pictures *snapshot.Album // of *sim.Paused; nil: there are none
	points   []int           // index of the next instant, by picture

	from int          // index of the first of steps
	near []*tell.Step // instants around the last one that was asked for
	sim  sim.CountedSimulator
	site sim.Simulator

	telling sim.Telling
}

// How many instants are told together on either side of one: few where a run can go
// on from near by; where it has to begin again as many as can well be kept, some
// twenty megabytes at the most, so that a run is repeated seldom.
const (
	nearPicture = 4
	nearStart   = 256
)

// Pictures are made after so many steps of work, twice as many whenever there are
// too many pictures or they take too many bytes.
const (
	mostPictures  = 512
	pictureMemory = 96 << 20
)

// Less in tests, whose runs are short: the work between the first pictures, and what
// is a long array; 0: what an album thinks.
var (
	pictureWork int64 = 1 << 15
	pictureLong int
)

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
	s := &Stepper{p: p, id: id, r: r, form: p.form(r, id.Scheduler), truth: truth, kept: true}
	if s.form == logged {
		return nil, ErrNothingDecided
	}
	t := &sim.Telling{From: -1, To: -1, Times: &s.times}
	from, every, last, base := 0, pictureWork, int64(0), 0
	t.Mark = func(next int, run *sim.Paused) {
		n, over, to := run.Jobs()
		if !s.kept || next == 0 || run.Work() < last+every {
			return
		}
		if s.pictures == nil { // the first, beside which the others are small
			s.pictures = snapshot.New(run.Given(), model.Claim{}, resource.Need{})
			s.pictures.Reuse = true // one run goes on at a time
			if pictureLong > 0 {
				s.pictures.Long, s.pictures.Piece = pictureLong, 4
			}
			s.pictures.Keep(run, n, 0, n)
			base = s.pictures.Size()
		} else {
			s.pictures.Keep(run, n, from, to)
		}
		last = run.Work()
		s.points = append(s.points, next)
		for from = over; s.pictures.Len() >= mostPictures || s.pictures.Size() > base+pictureMemory && s.pictures.Len() > 1; every *= 2 {
			s.pictures.Halve()
			for i := range s.pictures.Len() {
				s.points[i] = s.points[2*i]
			}
			s.points = s.points[:s.pictures.Len()]
		}
	}
	schedule, err := s.begin(t, progress)
	if err != nil {
		return nil, err
	}
	s.starts = make([]model.Time, len(schedule.Workload.Jobs))
	for i := range schedule.Executions {
		s.starts[schedule.Executions[i].Job] = schedule.Executions[i].Start
	}
	return s, nil
}

// begin runs from the beginning.
func (s *Stepper) begin(t *sim.Telling, progress func(done, total int) bool) (*model.Schedule, error) {
	t.Truth = s.truth
	book, err := s.p.book(s.r, s.id.Scheduler)
	if err != nil {
		return nil, err
	}
	o := sim.Options{Progress: progress, Source: s.r.users, Tell: t, Book: book}
	if s.form == counted {
		c, err := buildCounted(&s.p.doc.Schedulers[s.id.Scheduler])
		if err != nil {
			return nil, err
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
	if slurm, ok := site.(*policy.Slurm); ok {
		slurm.Watched = true
	}
	s.kept = sim.Keeps(site)
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
	around := nearStart
	if s.kept {
		around = nearPicture
	}
	t := &s.telling
	t.From, t.To, t.Truth = max(0, index-around), min(len(s.times), index+around+1), s.truth
	s.from, s.near = t.From, s.near[:0]
	t.Each = func(step *tell.Step) bool {
		step.Total = len(s.times)
		s.near = append(s.near, step)
		return true
	}
	err := s.tell(t, progress)
	if k := index - s.from; k < len(s.near) { // the run was stopped behind it, on purpose
		return s.near[k], nil
	}
	s.near = s.near[:0]
	if err == nil || errors.Is(err, sim.ErrCancelled) {
		err = ErrCancelled
	}
	return nil, err
}

// tell runs up to the last instant that is to be told, from the last picture with
// which the one before the first comes next.
func (s *Stepper) tell(t *sim.Telling, progress func(done, total int) bool) (err error) {
	at := sort.Search(len(s.points), func(i int) bool { return s.points[i] >= t.From }) - 1
	if at < 0 {
		_, err = s.begin(t, progress)
	} else {
		_, err = s.pictures.Picture(at).(*sim.Paused).Run(s.points[at], sim.Options{Progress: progress, Tell: t})
	}
	return err
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
