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
	// Reset prepares for a new simulation of the pool.
	Reset()
	// Next returns when the next submission is due by what is known now;
	// model.Never: none before another job has ended.
	Next() model.Time
	// Submit appends the jobs that are submitted at now, in any order.
	Submit(now model.Time, out []int32) []int32
	// Ended tells that a job has ended at now. A job that runs again later has
	// not ended.
	Ended(job int32, now model.Time)
}

// supply is what an engine needs to draw from a Source. It keeps its memory.
type supply struct {
	source   Source
	pool     *model.Workload
	produced model.Workload
	origin   []int32 // by JobID: index in the pool
	now      []int32 // submitted at one instant
	next     int     // jobs submitted
	limit    model.Time
	base     model.Time // first submission
	work     model.Time // seconds of all runs, at their longest
}

// begin prepares and returns the workload that will be produced: as long as
// the pool, and filled as jobs are submitted. Its first job's submission is
// known from the beginning, as is that of the job to come next.
func (p *supply) begin(s Source, pool *model.Workload, shift int, work model.Time) *model.Workload {
	n := len(pool.Jobs)
	s.Reset()
	p.source, p.pool, p.next = s, pool, 0
	p.origin = resize(p.origin, n)
	w := &p.produced
	*w = model.Workload{
		Name: pool.Name, UnixStart: pool.UnixStart, TimeZone: pool.TimeZone, Processors: pool.Processors, Demands: pool.Demands,
		Jobs: resize(w.Jobs, n), Truth: resize(w.Truth, n), Origin: p.origin,
	}
	clear(w.Jobs)
	p.base, p.work, p.limit = s.Next(), work, 1<<(63-shift)
	p.await(p.base)
	return w
}

// await notes when the next submission is due, not before a time, at the job
// that will be it.
func (p *supply) await(earliest model.Time) {
	if p.next < len(p.origin) {
		p.produced.Jobs[p.next].Submit = max(earliest, p.source.Next())
	}
}

// reject tells the source that a job will never run, which it takes for an end.
// What it submits then comes a second later at the earliest, since this
// instant's submissions are over.
func (p *supply) reject(j model.JobID, now model.Time) {
	p.source.Ended(p.origin[j], now)
	p.await(now + 1)
}

// react tells the source what ends now and writes what it submits.
func (p *supply) react(now model.Time, ended []model.JobID) error {
	for _, j := range ended {
		p.source.Ended(p.origin[j], now)
	}
	if p.source.Next() > now {
		p.await(now)
		return nil
	}
	p.now = p.source.Submit(now, p.now[:0])
	if p.next+len(p.now) > len(p.origin) {
		return fmt.Errorf("sim: more jobs are submitted than there are, %d", len(p.origin))
	}
	if now-p.base+p.work >= p.limit {
		return fmt.Errorf("sim: the times of this workload are too large: a job is submitted at %d", now)
	}
	if len(p.now) > 1 {
		jobs := p.pool.Jobs
		slices.SortFunc(p.now, func(a, b int32) int {
			return cmp.Or(cmp.Compare(jobs[a].Number, jobs[b].Number), cmp.Compare(a, b))
		})
	}
	w := &p.produced
	for _, k := range p.now {
		w.Jobs[p.next], w.Truth[p.next], p.origin[p.next] = p.pool.Jobs[k], p.pool.Truth[k], k
		w.Jobs[p.next].Submit = now
		p.next++
	}
	if p.source.Next() <= now && p.next < len(p.origin) {
		return fmt.Errorf("sim: a submission that is due at %d does not come", now)
	}
	p.await(now)
	return nil
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
	m := Simulator{start: make([]model.Time, n)}
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
