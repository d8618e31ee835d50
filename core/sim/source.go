package sim

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"batchlab/core/model"
)

// Source submits the jobs of a workload while they are simulated, in reaction
// to what has ended (docs/simulation-rules.md, Users who react). Each job of the workload that is
// handed to Run, the pool, is submitted exactly once; the source decides when.
// Jobs are named by their index in the pool.
//
// The result's Workload is the one that was produced: jobs in order of
// (submission, number), which is what a scheduler's JobIDs count, with
// Workload.Origin leading back to the pool. At one instant a source is told the
// completions first, in no particular order, then asked for submissions.
type Source interface {
	// Reset prepares for a new simulation of the pool and returns when the
	// first job is submitted.
	Reset() model.Time
	// React is told which jobs have ended at now, appends those that are
	// submitted now, in any order, and returns when the next submission is due
	// by what is known, later than now; model.Never: none before another job has
	// ended. A job that runs again later has not ended; one that was rejected has.
	React(now model.Time, ended, out []int32) ([]int32, model.Time)
}

// supply is what an engine needs to draw from a Source. It keeps its memory.
type supply struct {
	source   Source
	pool     *model.Workload
	produced model.Workload
	origin   []int32 // by JobID: index in the pool
	ended    []int32 // at this instant, or rejected at the last one; of the pool
	now      []int32 // submitted at this instant; of the pool
	next     int     // jobs submitted
	limit    model.Time
	base     model.Time // first submission
	work     model.Time // seconds of all runs, at their longest
	gate     Gate       // the source, where it is one; else nil
	id       []int32    // with a gate: JobID by index in the pool, −1 not yet submitted
	due      model.Time // with a gate: what it says is due
	own      int        // demands of the pool: those of produced jobs follow, one each; −1: they have none of their own
}

// begin prepares and returns the workload that will be produced: as long as
// the pool, and filled as jobs are submitted. When the next job is due always
// stands in its place as its submission.
func (p *supply) begin(s Source, pool *model.Workload, shift int, work model.Time) *model.Workload {
	n := len(pool.Jobs)
	p.source, p.pool, p.next, p.ended = s, pool, 0, p.ended[:0]
	p.origin = resize(p.origin, n)
	w := &p.produced
	*w = model.Workload{
		Name: pool.Name, UnixStart: pool.UnixStart, TimeZone: pool.TimeZone, Processors: pool.Processors, Demands: pool.Demands,
		Jobs: resize(w.Jobs, n), Truth: resize(w.Truth, n), Origin: p.origin,
	}
	clear(w.Jobs)
	p.own, p.due = -1, model.Never
	if p.gate, _ = s.(Gate); p.gate != nil {
		p.id, w.Gates, w.Submitted = resize(p.id, n), pool.Gates, make([]model.Time, n)
		for i := range p.id {
			p.id[i] = -1
		}
	} else if slices.ContainsFunc(pool.Demands, func(d model.Demand) bool { return d.Due != 0 || d.Reservation != nil }) {
		p.own = len(pool.Demands)
		w.Demands = append(slices.Clone(pool.Demands), make([]model.Demand, n)...)
	}
	p.base, p.work, p.limit = s.Reset(), work, 1<<(63-shift)
	if n > 0 {
		w.Jobs[0].Submit = p.base
	}
	if p.gate != nil {
		p.due = p.base
		p.base, _ = pool.Span()
	}
	return w
}

// over notes that a job will never run, or was ended after this instant's
// submissions. Its user learns it a second later.
func (p *supply) over(j model.JobID, now model.Time) {
	if p.gate != nil {
		p.gate.Over(p.origin[j], now)
		return
	}
	p.ended = append(p.ended, p.origin[j])
	if p.next < len(p.origin) {
		next := &p.produced.Jobs[p.next]
		next.Submit = min(next.Submit, now+1)
	}
}

// react tells the source what ends now and writes what it submits.
func (p *supply) react(now model.Time, ended []model.JobID) error {
	w := &p.produced
	if p.gate != nil {
		if len(ended) == 0 && p.due > now {
			return nil
		}
	} else if p.next == len(p.origin) || len(ended) == 0 && w.Jobs[p.next].Submit > now {
		return nil
	}
	for _, j := range ended {
		p.ended = append(p.ended, p.origin[j])
	}
	var due model.Time
	p.now, due = p.source.React(now, p.ended, p.now[:0])
	p.ended = p.ended[:0]
	switch {
	case p.next+len(p.now) > len(p.origin):
		return fmt.Errorf("sim: more jobs are submitted than there are, %d", len(p.origin))
	case due <= now:
		return fmt.Errorf("sim: a submission that is due at %d does not come at %d", due, now)
	case len(p.now) > 0 && now-p.base+p.work >= p.limit:
		return fmt.Errorf("sim: the times of this workload are too large: a job is submitted at %d", now)
	}
	if len(p.now) > 1 {
		jobs := p.pool.Jobs
		slices.SortFunc(p.now, func(a, b int32) int {
			return cmp.Or(cmp.Compare(jobs[a].Number, jobs[b].Number), cmp.Compare(a, b))
		})
	}
	for _, k := range p.now {
		job := &w.Jobs[p.next]
		*job = p.pool.Jobs[k] // one after the other: a list of assignments would copy twice
		job.Submit = now
		if p.gate != nil {
			w.Submitted[p.next], p.id[k] = p.pool.Jobs[k].Submit, int32(p.next)
		} else {
			p.date(p.next, now-p.pool.Jobs[k].Submit)
		}
		w.Truth[p.next] = p.pool.Truth[k]
		p.origin[p.next] = k
		p.next++
	}
	p.due = due
	if p.next < len(p.origin) {
		w.Jobs[p.next].Submit = due
	}
	return nil
}

// date moves what a job's demand says of times as far as its submission has
// moved: a deadline and a reservation are as long after it as in the workload.
func (p *supply) date(j int, by model.Time) {
	job := &p.produced.Jobs[j]
	if p.own < 0 || job.Demand == 0 {
		return
	}
	at := p.own + j
	d := &p.produced.Demands[at]
	*d = p.produced.Demands[job.Demand-1]
	if d.Due != 0 {
		d.Due += by
	}
	if r := d.Reservation; r != nil {
		moved := *r
		moved.Ready, moved.Deadline = r.Ready+by, r.Deadline+by
		d.Reservation = &moved
	}
	job.Demand = int32(at) + 1
}

// stuck words why nothing happens any more although jobs are to come.
func (p *supply) stuck() error {
	return fmt.Errorf("sim: %d of %d jobs are never submitted: what they depend on does not end", len(p.origin)-p.next, len(p.origin))
}

// AsLoggedBy is AsLogged for users who react: every job starts after the wait
// that the log states, counted from when it is submitted.
func AsLoggedBy(s Source, w *model.Workload, p *model.Platform) (*model.Schedule, error) {
	n := len(w.Jobs)
	shift := bits.Len(uint(n))
	m := CountedSimulator{start: make([]model.Time, n)}
	work := allRuns(w)
	for i := range w.Truth {
		work += max(0, w.Truth[i].LoggedWait)
	}
	produced := m.supply.begin(s, w, shift, work)
	base := m.supply.base
	var ended []model.JobID
	for next := 0; next < n || len(m.heap) > 0; {
		now := model.Never
		if next < n {
			now = produced.Jobs[next].Submit
		}
		if len(m.heap) > 0 {
			now = min(now, base+model.Time(m.heap[0]>>shift))
		}
		if now == model.Never {
			return nil, m.supply.stuck()
		}
		ended = ended[:0]
		for len(m.heap) > 0 && m.heap[0]>>shift == uint64(now-base) {
			ended = append(ended, model.JobID(m.heap[0]&(1<<shift-1)))
			m.heap.Pop()
		}
		if err := m.supply.react(now, ended); err != nil {
			return nil, err
		}
		for ; next < m.supply.next; next++ {
			m.start[next] = now + max(0, produced.Truth[next].LoggedWait)
			m.heap.Push(uint64(m.start[next]-base+produced.Executed(model.JobID(next)))<<shift | uint64(next))
		}
	}
	schedule := m.schedule(produced, p)
	schedule.Logged = true
	return schedule, nil
}
