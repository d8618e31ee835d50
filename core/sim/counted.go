package sim

import (
	"errors"
	"fmt"
	"math/bits"

	"batchlab/core/model"
	"batchlab/core/predict"
	"batchlab/core/resource"
)

// ErrCancelled is returned when Options.Progress asked to stop.
var ErrCancelled = errors.New("sim: cancelled")

// Options are what a caller may want beside the schedule. The zero value
// wants nothing.
type Options struct {
	// Progress is told how far the run is, as parts of the time that it is thought to
	// take: after 2 s, 1 of 5 says that 8 s are left. It falls back where more turns
	// out to be left than was thought. It returns false to cancel.
	Progress func(done, total int) bool
	// Now is the clock of Progress, in any unit; nil: the work is counted.
	Now func() float64
	// Record, when not nil, is filled with the reasons for every wait.
	Record *Record
	// Source, when not nil, decides when jobs are submitted; submissions in the
	// workload are then ignored. Counted simulations know no jobs that are withdrawn.
	Source Source
	// Watch is called after each pass, with what was free before it; false
	// stops the simulation with ErrCancelled. Counted simulations do not call it.
	Watch func(v *View) bool
	// Desk, when not nil, accepts the workload's advance reservations, so that the
	// scheduler sees none of their jobs. Without one they come to the scheduler
	// like any job. Counted simulations have CountedDesk instead.
	Desk Desk
	// CountedDesk is Desk for counted simulations; jobs are not recorded, told, foretold
	// or submitted by a Source beside it or a calendar.
	CountedDesk CountedDesk
	// Tell, when not nil, has some instants told.
	Tell Told
	// Book, when not nil, foretells run times to schedulers that ask for them.
	Book *predict.Book
}

// CountedSimulator holds the memory of simulations, so that a second one allocates
// nothing. The zero value is ready. It serves one simulation at a time.
type CountedSimulator struct {
	heap   Heap // running jobs: (end − base) << bits | job
	start  []model.Time
	starts []model.JobID
	view   CountedView
	sched  model.Schedule
	supply supply
	pulse  Pulse
	state  countedRun

	ahead    resource.Long // with reservations or a calendar
	sought   resource.Sought
	reserved []bool // with reservations, by JobID
}

// Run simulates w on the first cluster of p under s. The schedule is valid
// until the next Run of the same CountedSimulator. It fails on a platform that is
// not one cluster of interchangeable processors, on a job larger than the
// machine, on times too large for the clock, and on a scheduler that breaks
// the rules.
func (m *CountedSimulator) Run(w *model.Workload, p *model.Platform, s CountedScheduler, o Options) (*model.Schedule, error) {
	n := len(w.Jobs)
	m.start = resize(m.start, n)
	shift := bits.Len(uint(n))
	beside := o.CountedDesk != nil || len(p.Calendar) > 0
	if err := check(w, p, m.start, shift); err != nil {
		return nil, err
	}
	if beside && (o.Source != nil || o.Record != nil || o.Tell != nil || o.Book != nil) {
		return nil, errors.New("sim: counted simulations beside reservations are not recorded, told, foretold or reacted to")
	}
	v := &m.view
	m.pulse = newPulse(&o, w, known(&o, p), &m.pulse)
	*v = CountedView{Procs: int32(p.Clusters[0].Procs()), Record: o.Record, Ended: v.Ended[:0], Pulse: &m.pulse,
		Booked: v.Booked[:0], Freed: v.Freed[:0], begun: v.begun[:0]}
	source := o.Source != nil
	if source {
		v.Pool = w.Jobs
		w = m.supply.begin(o.Source, w, shift, allRuns(w))
		v.Origin = w.Origin
	}
	v.Jobs, v.Demands = w.Jobs, w.Demands
	v.Free = v.Procs
	v.Start = m.start
	var base model.Time
	if n > 0 {
		base = w.Jobs[0].Submit
	}
	if o.Record != nil {
		o.Record.reset(n)
	}
	if o.Tell != nil {
		o.Tell.begin(n, 0)
	}
	if v.Book = o.Book; v.Book != nil {
		v.Book.Begin(w.Jobs, w.Origin)
	}
	m.state = countedRun{m: m, s: s, p: p, w: w, base: base, shift: shift, source: source}
	if Ahead && beside {
		m.state.prepare(&o, base)
	}
	s.Reset(v)
	if v.Fault != nil {
		return nil, v.Fault
	}
	m.heap = m.heap[:0]
	if o.Record != nil && source && m.supply.gate != nil {
		o.Record.hold(&m.supply, -model.Never, func(model.JobID) model.Time { return model.Never })
	}
	m.state.paused.counted = &m.state
	return m.state.run(&o)
}

// run goes on until all is over.
func (r *countedRun) run(o *Options) (*model.Schedule, error) {
	m, s, w, base, shift, source := r.m, r.s, r.w, r.base, r.shift, r.source
	v, n, mask := &m.view, len(w.Jobs), uint64(1)<<shift-1
	planner, _ := s.(Planner)
	var from *supply
	if source {
		from = &m.supply
	}
	beside := Ahead && v.Ahead != nil
	book := v.Book
	if _, itself := s.(BookKeeper); itself {
		book = nil
	}

	// Slices that grow stay in place: see Heap.
	heap, starts := m.heap, m.starts
	jobs, truth, start := w.Jobs, w.Truth, m.start
	next, waiting := r.next, r.waiting
	for next < n || len(heap) > 0 || waiting > 0 {
		if o.Tell != nil {
			m.heap, r.next, r.waiting = heap, next, waiting
			o.Tell.mark(&r.paused)
		}
		now := model.Never
		if next < n {
			now = jobs[next].Submit
		}
		if len(heap) > 0 {
			now = min(now, base+model.Time(heap[0]>>shift))
		}
		if planner != nil {
			now = min(now, planner.Wake())
		}
		if beside {
			now = min(now, r.wake())
		}
		if now == model.Never {
			if source && waiting == 0 && m.supply.gate != nil {
				m.supply.rest(v.Now)
				break
			}
			if source && waiting == 0 {
				return nil, m.supply.stuck()
			}
			return nil, fmt.Errorf("sim: %T leaves %d jobs waiting on an idle machine", s, waiting)
		}

		free := v.Free
		v.Ended = v.Ended[:0]
		if beside && v.Ahead.Advance(now) {
			v.Rises++
		}
		for at := uint64(now - base); len(heap) > 0 && heap[0]>>shift == at; {
			j := model.JobID(heap[0] & mask)
			heap.Pop()
			if beside && !r.ended(v, j, now) {
				continue
			}
			free += jobs[j].Procs
			v.Ended = append(v.Ended, j)
		}
		if source {
			if err := m.supply.react(now, v.Ended); err != nil {
				return nil, err
			}
		}
		first := next
		for next < n && jobs[next].Submit == now {
			next++
		}
		waiting += next - first
		v.Now, v.Free = now, free
		v.Arrived, v.Next = model.JobID(first), model.JobID(next)
		if beside {
			m.heap = heap
			served, err := r.serve(v)
			if err != nil {
				return nil, err
			}
			heap, free, waiting = m.heap, v.Free, waiting-served
		}

		told := o.Tell != nil && o.Tell.open(now)
		if told {
			v.Facts, v.Record = o.Tell.kept()
			v.heap, v.mask, v.waiting = heap, mask, waiting
		}
		m.pulse.at(next, waiting)
		if book != nil {
			for _, j := range v.Ended {
				book.End(j, now-start[j])
			}
			for j := v.Arrived; j < v.Next; j++ {
				book.Submit(j)
			}
		}
		starts = s.Pass(v, starts[:0])
		if m.pulse.stopped {
			return nil, ErrCancelled
		}
		if v.Fault != nil {
			return nil, v.Fault
		}
		if told {
			step := o.Tell.counted(v, s, starts, from)
			if v.Facts, v.Record = nil, o.Record; !o.Tell.close(step) {
				return nil, ErrCancelled
			}
		}
		for _, j := range starts {
			job := &jobs[j]
			if free -= job.Procs; free < 0 || int(j) >= next || start[j] != model.Never {
				return nil, fmt.Errorf("sim: %T starts job %d at %d, which cannot start", s, job.Number, now)
			}
			start[j] = now
			if book != nil {
				book.Start(j)
			}
			heap.Push(uint64(now-base+min(truth[j].Run, job.Limit))<<shift | uint64(j))
		}
		if m.supply.gate != nil && source && len(starts) > 0 {
			for _, j := range starts {
				m.supply.gate.Start(m.supply.origin[j], now)
			}
			m.supply.passed()
		}
		v.Free = free
		waiting -= len(starts)
		if o.Record != nil {
			o.Record.pass(v, s, starts)
			if source && m.supply.gate != nil {
				o.Record.hold(&m.supply, now, func(j model.JobID) model.Time { return start[j] + jobs[j].Limit })
			}
		}
		if !m.pulse.Beat(waitingSteps(waiting)) {
			return nil, ErrCancelled
		}
	}
	m.heap, m.starts = heap, starts
	return m.schedule(w, r.p), nil
}

// schedule writes the executions from the start times.
func (m *CountedSimulator) schedule(w *model.Workload, p *model.Platform) *model.Schedule {
	m.sched = model.Schedule{Workload: w, Platform: p, Executions: resize(m.sched.Executions, len(w.Jobs))}
	for i := range m.sched.Executions {
		j := &w.Jobs[i]
		reason, run := model.EndCompleted, w.Truth[i].Run
		if run > j.Limit {
			reason, run = model.EndKilled, j.Limit
		}
		m.sched.Executions[i] = model.Execution{
			Job: model.JobID(i), Submit: j.Submit, Start: m.start[i], End: m.start[i] + run,
			Procs: j.Procs, Reason: reason,
		}
		if m.start[i] == model.Never {
			e := &m.sched.Executions[i]
			if e.Start, e.End, e.Reason = -1, -1, model.EndRejected; m.state.beside.desk == nil {
				e.Reason = m.supply.unserved(i)
			}
		}
	}
	if d := m.state.beside.desk; d != nil {
		for _, s := range d.Seats() {
			e := &m.sched.Executions[s.Job]
			if e.Procs = s.Procs; s.Until < e.End {
				e.End, e.Reason = s.Until, model.EndReserved
			}
		}
	}
	return &m.sched
}

// AsLogged returns the real schedule of a log (rule 11): every job starts
// after the wait that the log states (0 where it states none), whether or not
// it fits.
func AsLogged(w *model.Workload, p *model.Platform) *model.Schedule {
	m := CountedSimulator{start: make([]model.Time, len(w.Jobs))}
	for i := range w.Jobs {
		m.start[i] = w.Jobs[i].Submit + max(0, w.Truth[i].LoggedWait)
	}
	s := m.schedule(w, p)
	s.Logged = true
	return s
}

// check refuses what cannot be simulated and clears start, in one sweep. An
// end, counted from the first submission, must fit beside a job's index in one
// word; since the machine is never idle while a job waits, no end lies beyond
// the last submission plus all run times.
func check(w *model.Workload, p *model.Platform, start []model.Time, shift int) error {
	if len(p.Clusters) != 1 || p.Clusters[0].Packing != model.PackProcessors || len(p.Licences) > 0 {
		return errors.New("sim: this scheduler needs a platform of one cluster of interchangeable processors")
	}
	procs := p.Clusters[0].Procs()
	limit := model.Time(1) << (63 - shift)
	first, end := w.Span()
	end -= first
	for i := range p.Calendar {
		if p.Calendar[i].Kind == model.KindFailure {
			return errors.New("sim: this scheduler needs a platform without failures")
		}
		end = max(end, p.Calendar[i].To-first)
	}
	for i := range w.Jobs {
		j := &w.Jobs[i]
		if int(j.Procs) > procs {
			return fmt.Errorf("sim: job %d asks for %d processors, the machine has %d", j.Number, j.Procs, procs)
		}
		if end += min(w.Truth[i].Run, j.Limit); end >= limit || end < 0 {
			return fmt.Errorf("sim: the times of this workload are too large: %d jobs could take more than %d s", len(w.Jobs), limit)
		}
		start[i] = model.Never
	}
	return nil
}

// allRuns returns the seconds of all runs, one after the other.
func allRuns(w *model.Workload) (sum model.Time) {
	for i := range w.Jobs {
		sum += w.Executed(model.JobID(i))
	}
	return sum
}

// resize returns a slice of length n, with the memory of s where it suffices.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
