package sim

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
)

// Simulator simulates on platforms of several clusters, machines and
// licences with a calendar, under the rules of CountedSimulator, which is faster where
// counts of processors are enough: there both agree job for job. The zero value
// is ready; it serves one simulation at a time.
type Simulator struct {
	heap    Heap
	view    View
	decided []Decision
	end     []model.Time // of running jobs, by JobID; Never: it does not run
	sched   model.Schedule
	supply  supply
	pulse   Pulse
	named   []Bound
	needs   []resource.Need
	booked  Bookings
}

// turn is a start (take) or an end of a calendar entry.
type turn struct {
	at    model.Time
	take  bool
	entry int32
}

// Run simulates w on p under s. The schedule is valid until the next Run. It
// fails before the first instant on a platform or a calendar that makes no
// sense, on a job that could never start, and on times too large for the clock;
// later on a scheduler that decides what cannot be done, lets a job run into a
// calendar entry, or leaves jobs waiting for ever.
func (m *Simulator) Run(w *model.Workload, p *model.Platform, s Scheduler, o Options) (*model.Schedule, error) {
	site, err := resource.NewSite(p)
	if err != nil {
		return nil, err
	}
	needs, err := site.Needs(w, m.needs)
	if err != nil {
		return nil, err
	}
	m.needs = needs
	n := len(w.Jobs)
	shift := bits.Len(uint(n))
	base, err := siteClock(w, site, shift)
	if err != nil {
		return nil, err
	}
	v := &m.view
	r := &siteRun{m: m, v: v, s: s, shift: shift, held: make([]int32, len(site.Nodes)), rejected: make([]bool, n)}
	var pool []model.Job
	if o.Source != nil {
		r.dated = dues(w) != nil
		r.source, r.needs, pool = &m.supply, needs, w.Jobs
		w = m.supply.begin(o.Source, w, shift, siteWork(w, site))
		base, needs = m.supply.base, make([]resource.Need, n)
	}
	due := dues(w)
	if r.source != nil && m.supply.gate != nil && slices.ContainsFunc(w.Gates, func(g model.Gate) bool { return g.Withdrawn != 0 }) {
		r.gone = make([]bool, n)
	}
	if r.dated || r.gone != nil {
		due = make([]model.Time, n) // known as they are submitted
	}
	r.w, r.base = w, base
	if u, ok := s.(Unlimited); ok {
		r.endless = u.Unlimited()
	}
	r.paused.site = r
	*v = View{Site: site, Jobs: w.Jobs, Demands: w.Demands, Needs: needs, Due: due, Pool: pool, Origin: w.Origin, Free: site.NewPool(), Record: o.Record,
		Start: resize(v.Start, n), Held: resize(v.Held, n), Attempt: resize(v.Attempt, n), Done: resize(v.Done, n),
		Ended: v.Ended[:0], Back: v.Back[:0], New: v.New[:0], Gone: v.Gone[:0], Pulse: &m.pulse, run: r}
	m.pulse = newPulse(&o, w, known(&o, p), &m.pulse)
	m.end = resize(m.end, n)
	for i := range v.Start {
		v.Start[i], v.Held[i], v.Attempt[i], v.Done[i], m.end[i] = model.Never, model.Claim{}, 0, 0, model.Never
	}
	if o.Record != nil {
		o.Record.reset(n)
	}
	if o.Tell != nil {
		o.Tell.begin(n, 0)
	}
	r.turns, r.ends = turns(p), ends(p)
	if o.Desk != nil {
		r.reserves = reserves{desk: o.Desk, of: make([]bool, n)}
		m.booked.reset()
		v.Bookings = &m.booked
	}
	if _, asks := s.(SpaceUser); asks || o.Desk != nil || len(p.Calendar) > 0 {
		r.facts()
	}
	if o.Desk != nil {
		o.Desk.Reset(v)
	}
	if v.Book = o.Book; v.Book != nil {
		v.Book.Begin(w.Jobs, w.Origin)
	}
	s.Reset(v)
	if m.pulse.stopped {
		return nil, ErrCancelled
	}
	if v.Fault != nil {
		return nil, v.Fault
	}

	m.heap = m.heap[:0]
	if o.Record != nil && r.gated() {
		o.Record.hold(r.source, -model.Never, r.until)
	}
	return r.run(&o)
}

// run goes on until all is over.
func (r *siteRun) run(o *Options) (*model.Schedule, error) {
	m, v, s, desk, n := r.m, r.v, r.s, r.reserves.desk, len(r.w.Jobs)
	planner, _ := s.(Planner)
	for int(v.Next) < n || len(m.heap) > 0 || r.waiting > 0 {
		if o.Tell != nil {
			o.Tell.mark(&r.paused)
		}
		now := r.instant()
		if r.forsaken(desk) {
			m.supply.rest(v.Now)
			break
		}
		if planner != nil && (r.waiting > 0 || len(m.heap) > 0) {
			wake := planner.Wake()
			if wake <= v.Now && r.passes > 0 {
				return nil, fmt.Errorf("sim: %T plans a start at %d, which is past", s, wake)
			}
			now = min(now, wake)
		}
		if desk != nil {
			now = min(now, desk.Wake())
		}
		if now == model.Never {
			if r.waiting == 0 && int(v.Next) == n {
				break // what was left in the heap had been stopped
			}
			if r.source != nil && r.waiting == 0 && m.supply.gate == nil {
				return nil, m.supply.stuck()
			}
			return nil, &IdleError{fmt.Sprintf("%T", s), r.waiting}
		}
		v.Now = now
		if v.Space != nil {
			v.Space.Advance(now)
		}
		r.complete()
		if desk != nil {
			desk.Over(v)
		}
		changed := r.calendar()
		if err := r.submit(); err != nil {
			return nil, err
		}
		told := o.Tell != nil && o.Tell.open(now)
		if told {
			v.Facts, v.Record = o.Tell.kept()
		}
		v.learn() // before a reservation suspends jobs, which are predicted again
		if desk != nil {
			if err := r.serve(); err != nil {
				return nil, err
			}
			if m.pulse.stopped {
				return nil, ErrCancelled
			}
		}
		if v.Book != nil {
			v.enter()
		}
		m.pulse.at(int(v.Next), r.waiting)
		if v.Space != nil {
			v.Space.Try()
		}
		m.decided = s.Decide(v, m.decided[:0])
		if v.Space != nil {
			v.Space.End()
		}
		if m.pulse.stopped { // what a program says then is that it was stopped
			return nil, ErrCancelled
		}
		if v.Fault != nil {
			return nil, v.Fault
		}
		if o.Watch != nil && !o.Watch(v) {
			return nil, ErrCancelled
		}
		if told {
			step := o.Tell.site(r, s, m.decided, r.users())
			if v.Facts, v.Record = nil, o.Record; !o.Tell.close(step) {
				return nil, ErrCancelled
			}
		}
		var err error
		for i := range m.decided {
			if err = r.do(s, &m.decided[i]); err != nil {
				break
			}
		}
		if r.gated() && (desk != nil || len(m.decided) > 0) { // the desk has decided, too
			m.supply.passed()
		}
		if changed { // the scheduler has had its chance to stop jobs
			err = cmp.Or(r.clash(s), err)
		}
		if err != nil {
			return nil, err
		}
		if o.Record != nil {
			o.Record.sitePass(v, s, m.decided)
			if o.Record.Follow != nil {
				o.Record.says(v)
			}
			if r.gated() {
				o.Record.hold(r.source, now, r.until)
			}
		}
		r.passes++
		if !m.pulse.Beat(siteWaitingSteps(r.waiting)) {
			return nil, ErrCancelled
		}
	}
	m.named = r.reserves.named
	return r.schedule(v.Site.Platform), nil
}

// IdleError says that a scheduler leaves jobs waiting for ever: nothing runs, and
// nothing will happen any more.
type IdleError struct {
	By      string // the scheduler's type
	Waiting int    // jobs
}

func (e *IdleError) Error() string {
	return fmt.Sprintf("sim: %s leaves %d jobs waiting on an idle site", e.By, e.Waiting)
}

// Bound returns the executions of the last run that were bound to named
// processors (Desk.Static), in order of their starts.
func (m *Simulator) Bound() []Bound { return m.named }

// siteRun is the state of one run.
type siteRun struct {
	m        *Simulator
	v        *View
	s        Scheduler
	paused   Paused
	w        *model.Workload
	base     model.Time
	shift    int
	turns    []turn       // of the calendar, to come
	failures []int32      // of the calendar: those that last now, ascending
	ends     []model.Time // of the calendar's other entries, to come, ascending; see View.Eases
	held     []int32      // processors that jobs hold, by node in the order of power
	rejected []bool
	gone     []bool            // withdrawn while they waited; nil: none is withdrawn
	past     []model.Execution // attempts that were stopped, in order of their ends
	claims   []model.Claim     // of past
	since    []model.Time      // when jobs were stopped last, by JobID; nil: none was
	cut      []model.Time      // when jobs were stopped for good, by JobID; Never: they were not; nil: none was
	waiting  int
	passes   int
	source   *supply         // nil: submissions are replayed
	needs    []resource.Need // with a source: of the pool
	dated    bool            // with a source: some jobs have deadlines
	endless  bool            // jobs without a limit have none
	reserves reserves
}

// instant returns the next time at which something happens by itself.
func (r *siteRun) instant() model.Time {
	now := model.Never
	if int(r.v.Next) < len(r.w.Jobs) {
		now = r.w.Jobs[r.v.Next].Submit
	} else if r.gated() {
		now = r.source.due
	}
	h := &r.m.heap
	for len(*h) > 0 {
		j, at := r.completion()
		if r.m.end[j] == at {
			now = min(now, at)
			break
		}
		h.Pop() // of an attempt that was stopped before
	}
	if len(r.turns) > 0 {
		now = min(now, r.turns[0].at)
	}
	return now
}

// completion returns the next one of the heap.
func (r *siteRun) completion() (model.JobID, model.Time) {
	top := r.m.heap[0]
	return model.JobID(top & (1<<r.shift - 1)), r.base + model.Time(top>>r.shift)
}

// complete gives back what ends now.
func (r *siteRun) complete() {
	v, h := r.v, &r.m.heap
	v.Ended = v.Ended[:0]
	for len(*h) > 0 {
		j, at := r.completion()
		if at > v.Now {
			return
		}
		h.Pop()
		if r.m.end[j] == at { // else of an attempt that was stopped before
			r.release(j)
			if d := &r.reserves; d.of == nil || !d.of[j] {
				v.Ended = append(v.Ended, j)
			} else {
				d.req.Ended = append(d.req.Ended, j)
			}
		}
	}
}

// release gives back what a job holds.
func (r *siteRun) release(j model.JobID) {
	v := r.v
	r.unhold(j)
	v.Free.Give(&v.Needs[j], v.Held[j])
	for _, part := range v.Held[j].Parts {
		r.held[v.Site.Rank(part.Node)] -= part.Procs
	}
	r.m.end[j] = model.Never
}

// calendar lets reservations, outages and failures end and begin, and says
// whether any did. A failure stops the jobs that it hits.
func (r *siteRun) calendar() bool {
	r.v.Back = r.v.Back[:0]
	changed := false
	r.note()
	for ; len(r.turns) > 0 && r.turns[0].at <= r.v.Now; r.turns = r.turns[1:] {
		entry := &r.v.Site.Platform.Calendar[r.turns[0].entry]
		if !r.turns[0].take {
			r.v.Free.Away(entry, 1)
		} else {
			r.v.Free.Away(entry, -1)
			if entry.Kind == model.KindFailure && r.v.Space != nil {
				r.v.Space.Away(entry, r.v.Now)
			}
			if entry.Kind == model.KindFailure || r.failing(entry) {
				r.fail(entry)
			}
		}
		changed = true
	}
	if changed { // an outage that begins during a failure may leave it too little
		for _, i := range r.failures {
			if c := &r.v.Site.Platform.Calendar[i]; len(c.Nodes) == 0 {
				r.fail(c)
			}
		}
	}
	slices.Sort(r.v.Back)
	return changed
}

// note keeps the failures that last now, before the calendar's turns are taken:
// there may be 200,000 in all, and few at a time.
func (r *siteRun) note() {
	for _, t := range r.turns {
		if t.at > r.v.Now {
			break
		}
		if c := &r.v.Site.Platform.Calendar[t.entry]; c.Kind != model.KindFailure || t.take && c.To <= r.v.Now {
			continue
		}
		at, found := slices.BinarySearch(r.failures, t.entry)
		switch {
		case t.take && !found:
			r.failures = slices.Insert(r.failures, at, t.entry)
		case !t.take && found:
			r.failures = slices.Delete(r.failures, at, at+1)
		}
	}
}

// clash refuses jobs that hold what an entry of the calendar takes.
func (r *siteRun) clash(s Scheduler) error {
	for rank := range r.v.Site.Nodes {
		if r.v.Free.On(rank) < 0 && r.held[rank] > 0 {
			return fmt.Errorf("sim: %T lets jobs run into a reservation or outage on machine %d at %d", s, r.v.Site.Nodes[rank].Index, r.v.Now)
		}
	}
	return nil
}

// submit makes the arrivals of now visible.
func (r *siteRun) submit() error {
	v := r.v
	v.Arrived = v.Next
	if r.source != nil {
		if err := r.source.react(v.Now, r.allEnded()); err != nil {
			return err
		}
		r.withdraw()
		for j := int(v.Next); j < r.source.next; j++ {
			v.Needs[j] = r.needs[r.source.origin[j]]
			if d := v.Demand(model.JobID(j)); r.dated && d != nil {
				v.Due[j] = d.Due
			}
		}
	}
	for int(v.Next) < len(v.Jobs) && v.Jobs[v.Next].Submit <= v.Now {
		v.Next++
	}
	v.New = v.New[:0]
	for j := v.Arrived; j < v.Next; j++ {
		if d := v.Demand(j); r.reserves.of != nil && d != nil && d.Reservation != nil {
			r.reserves.of[j] = true
			r.reserves.req.New = append(r.reserves.req.New, j)
		} else {
			v.New = append(v.New, j)
		}
	}
	r.waiting += int(v.Next - v.Arrived)
	return nil
}

// allEnded returns what has ended now, jobs of reservations included.
func (r *siteRun) allEnded() []model.JobID {
	d := &r.reserves
	if len(d.req.Ended) == 0 {
		return r.v.Ended
	}
	d.ended = append(append(d.ended[:0], r.v.Ended...), d.req.Ended...)
	return d.ended
}

// do carries out one decision of s, or says why it cannot be done.
func (r *siteRun) do(s any, d *Decision) error {
	v, j := r.v, d.Job
	if d.Verb == Stop || d.Verb == Suspend || d.Verb == End {
		return r.preempt(s, d)
	}
	if j < 0 || j >= v.Next || v.Start[j] != model.Never || r.rejected[j] {
		return fmt.Errorf("sim: %T decides at %d on job index %d, which does not wait", s, v.Now, j)
	}
	r.waiting--
	if v.Book != nil {
		v.Book.Start(j)
	}
	if d.Verb == Reject {
		r.rejected[j] = true
		if r.gone != nil && r.gone[j] { // its keeper knows
			if v.Due[j] = 0; v.Demand(j) != nil {
				v.Due[j] = v.Demand(j).Due
			}
		} else if r.source != nil {
			r.source.over(j, v.Now)
		}
		return nil
	}
	need, job := &v.Needs[j], &v.Jobs[j]
	why := v.Site.Refuse(need, d.Claim, v.Free)
	if why == "" {
		why = r.clear(j, d.Claim)
	}
	if why != "" {
		return fmt.Errorf("sim: %T starts job %d at %d, which cannot start: %s", s, job.Number, v.Now, why)
	}
	v.Free.Take(need, d.Claim)
	for _, part := range d.Claim.Parts {
		r.held[v.Site.Rank(part.Node)] += part.Procs
	}
	v.Start[j], v.Held[j] = v.Now, d.Claim
	r.hold(j, d.Claim)
	end := v.Now + v.Site.Scaled(r.w.Executed(j)-v.Done[j], d.Claim)
	if due := r.stopsAt(j); due < end {
		if end = due; end <= v.Now {
			return fmt.Errorf("sim: %T starts job %d at %d, not before its due time, at which it is stopped", s, job.Number, v.Now)
		}
	}
	if end-r.base >= 1<<(63-r.shift) {
		return errTooLarge
	}
	r.m.end[j] = end
	r.m.heap.Push(uint64(end-r.base)<<r.shift | uint64(j))
	if r.gated() {
		r.source.gate.Start(r.source.origin[j], v.Now)
	}
	return nil
}

// stopsAt returns the due time at which a job is stopped, or Never.
func (r *siteRun) stopsAt(j model.JobID) model.Time {
	if r.v.Kills(j) {
		return r.v.Due[j]
	}
	return model.Never
}

// schedule writes the executions.
func (r *siteRun) schedule(p *model.Platform) *model.Schedule {
	v, m := r.v, r.m
	n := len(v.Jobs)
	m.sched = model.Schedule{Workload: r.w, Platform: p, Executions: resize(m.sched.Executions, n), Claims: v.Held}
	for i := range m.sched.Executions {
		j, c := &v.Jobs[i], v.Held[i]
		e := model.Execution{Job: model.JobID(i), Attempt: v.Attempt[i], Submit: r.submitted(model.JobID(i)), Procs: j.Procs, Cluster: c.Cluster, Claim: int32(i) + 1}
		if r.rejected[i] {
			e.Start, e.End, e.Claim, e.Reason = -1, -1, 0, model.EndRejected
			if r.gone != nil && r.gone[i] {
				e.Reason = model.EndWithdrawn
			}
		} else if i >= int(v.Next) {
			e.Start, e.End, e.Claim, e.Reason = -1, -1, 0, r.source.unserved(i)
		} else {
			e.Start, e.End = v.Start[i], v.Start[i]+v.Site.Scaled(r.w.Executed(e.Job)-v.Done[i], c)
			if r.cut != nil && r.cut[i] != model.Never { // before it was due
				e.End, e.Reason = r.cut[i], model.EndReserved
			} else if due := r.stopsAt(e.Job); due < e.End {
				e.End, e.Reason = due, model.EndDue
			} else if r.w.Truth[i].Run > j.Limit {
				e.Reason = model.EndKilled
			}
		}
		if j.Demand > 0 && v.Needs[i].Fewer && e.Claim > 0 {
			e.Procs = c.Procs()
		}
		m.sched.Executions[i] = e
	}
	if len(r.past) > 0 {
		m.sched.Claims = append(slices.Clone(v.Held), r.claims...)
		for i := range r.past {
			r.past[i].Claim = int32(n+i) + 1
		}
		m.sched.Executions = append(m.sched.Executions, r.past...)
		slices.SortFunc(m.sched.Executions, func(a, b model.Execution) int {
			return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.Attempt, b.Attempt))
		})
	}
	return &m.sched
}

// dues returns the jobs' deadlines, nil when there are none.
func dues(w *model.Workload) []model.Time {
	var due []model.Time
	for i := range w.Jobs {
		if d := w.Demand(model.JobID(i)); d != nil && d.Due != 0 {
			if due == nil {
				due = make([]model.Time, len(w.Jobs))
			}
			due[i] = d.Due
		}
	}
	return due
}

var errTooLarge = errors.New("sim: the times of this workload or its calendar are too large")

// siteClock returns the first submission and refuses times that do not fit
// beside a job's index in one word.
func siteClock(w *model.Workload, s *resource.Site, shift int) (base model.Time, err error) {
	base, end := w.Span()
	end -= base
	limit := model.Time(1) << (63 - shift)
	for i := range s.Platform.Calendar {
		end = max(end, s.Platform.Calendar[i].To-base)
	}
	if end += siteWork(w, s); end < 0 || end >= limit {
		return 0, errTooLarge
	}
	return base, nil
}

// siteWork returns the seconds of all runs, one after the other on the slowest
// node; Never when there are too many to count.
func siteWork(w *model.Workload, s *resource.Site) (sum model.Time) {
	slowest := s.Nodes[len(s.Nodes)-1].Speed
	for i := range w.Jobs {
		t := w.Executed(model.JobID(i))
		if s.Platform.PowerScales {
			t = max(t, model.Scaled(t, slowest))
		}
		if sum += t; sum < 0 || sum > model.Never {
			return model.Never
		}
	}
	return sum
}
