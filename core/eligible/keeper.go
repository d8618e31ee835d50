// Package eligible holds jobs back until what they wait for has come: the end, the
// success or the start of other jobs, a time, or a place among the jobs of an array. It
// lets jobs leave the queue that were withdrawn before they started.
//
// A Keeper is a sim.Gate: to engines and schedulers a job that becomes eligible is one
// that is submitted, so that every scheduler knows dependencies without knowing of
// them. What a workload says of each job is in model.Gate; docs/simulation-rules.md
// (Eligibility) says the same for people.
package eligible

import (
	"math/bits"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// Keeper decides when the jobs of a workload become eligible. It serves one simulation
// at a time. It costs one operation on a heap for a job that waits for something, and
// next to nothing for one that does not.
type Keeper struct {
	w      *model.Workload // with Gates
	base   model.Time
	shift  int
	edges  []edge  // what waits for a job, from edge first[j] to first[j+1]
	first  []int32 // by job and one more
	arrays int

	next    int      // jobs below it, where they wait for nothing, have been submitted
	heap    sim.Heap // of those that wait: when they may become eligible, job
	leaving sim.Heap // withdrawals: time, job
	state   []state
	array   []array
	left    []int32 // what leaves the queue at this instant
	lost    []int32 // what leaves at this instant without having been there
	touched []int32 // arrays
	now     model.Time
}

var _ sim.Gate = (*Keeper)(nil)

// edge says that a job waits for another.
type edge struct {
	job   int32
	on    model.Event
	delay model.Time
	at    model.Time // when what is waited for has come, or comes; open: not known yet; model.Never: it never does
}

// open stands for a time that is not known yet.
const open model.Time = -1 << 62

// state is how far a job has come.
type state struct {
	ready   model.Time // not eligible before this, by all that is known
	missing int32      // terms that have not come
	is      stage
}

type stage uint8

const (
	held    stage = iota // not eligible
	waits                // eligible: in the queue
	started              // it runs, or did
	over                 // it ran and has ended, or never will run
	gone                 // withdrawn before it started
)

// array is one whose jobs are limited.
type array struct {
	limit  int32
	out    int32    // eligible and not over
	ready  sim.Heap // jobs that lack nothing but a place, by index
	parked sim.Heap // jobs that lack a place, and will lack nothing else from a time on
}

// New returns the keeper of a workload, whose Gates there must be and whose jobs must
// stand in order of submission.
func New(w *model.Workload) *Keeper {
	n := len(w.Jobs)
	k := &Keeper{w: w, shift: bits.Len(uint(n)), first: make([]int32, n+1), state: make([]state, n)}
	k.base, _ = w.Span()
	for j := range w.Gates {
		for _, d := range w.Gates[j].After {
			k.first[d.Job+1]++
		}
		k.arrays = max(k.arrays, int(w.Gates[j].Array))
	}
	for j := range n {
		k.first[j+1] += k.first[j]
	}
	k.edges = make([]edge, k.first[n])
	at := append([]int32(nil), k.first[:n]...)
	for j := range w.Gates {
		for _, d := range w.Gates[j].After {
			k.edges[at[d.Job]] = edge{int32(j), d.On, d.Delay, open}
			at[d.Job]++
		}
	}
	k.array = make([]array, k.arrays)
	return k
}

// plain says whether a job is eligible when it is submitted, whatever happens.
func (k *Keeper) plain(j int) bool {
	g := &k.w.Gates[j]
	return len(g.After) == 0 && g.Array == 0 && g.Begin <= k.w.Jobs[j].Submit
}

// word packs a time and a job. What lies beyond all that an engine's clock can hold is
// put at its end, where the engine refuses it.
func (k *Keeper) word(t model.Time, j int32) uint64 {
	return uint64(min(t-k.base, 1<<(63-k.shift)-1))<<k.shift | uint64(j)
}

func (k *Keeper) read(word uint64) (model.Time, int32) {
	return k.base + model.Time(word>>k.shift), int32(word & (1<<k.shift - 1))
}

// Reset prepares for a new simulation and returns the first instant.
func (k *Keeper) Reset() model.Time {
	k.next, k.heap, k.leaving, k.left, k.now = 0, k.heap[:0], k.leaving[:0], k.left[:0], k.base-1
	for i := range k.edges {
		k.edges[i].at = open
	}
	k.lost = k.lost[:0]
	for i := range k.array {
		a := &k.array[i]
		a.limit, a.out, a.ready, a.parked = 0, 0, a.ready[:0], a.parked[:0]
	}
	for j := range k.state {
		g, submit := &k.w.Gates[j], k.w.Jobs[j].Submit
		s := &k.state[j]
		*s = state{ready: max(submit, g.Begin), missing: int32(len(g.After))}
		if g.Any {
			s.missing = min(s.missing, 1)
		}
		if g.Array > 0 {
			k.array[g.Array-1].limit = g.Limit
		}
		if g.Withdrawn != 0 {
			k.leaving.Push(k.word(max(g.Withdrawn, submit), int32(j)))
		}
		if s.missing == 0 && !k.plain(j) {
			k.heap.Push(k.word(s.ready, int32(j)))
		}
	}
	return k.Due()
}

// React lets jobs that have ended free what waits for them, then jobs leave that are
// withdrawn now, and appends those that become eligible.
func (k *Keeper) React(now model.Time, ended, out []int32) ([]int32, model.Time) {
	k.now, k.left, k.lost, k.touched = now, k.left[:0], k.lost[:0], k.touched[:0]
	for _, j := range ended {
		if k.state[j].is == started {
			k.finish(j, now, now, true)
		}
	}
	for len(k.leaving) > 0 {
		at, j := k.read(k.leaving[0])
		if at > now {
			break
		}
		k.leaving.Pop()
		switch s := &k.state[j]; s.is {
		case waits:
			k.left = append(k.left, j)
			k.finish(j, now, now, false)
			s.is = gone
		case held:
			k.lost = append(k.lost, j)
			k.finish(j, now, now, false)
			s.is = gone
		}
	}
	for ; k.next < len(k.state) && k.w.Jobs[k.next].Submit <= now; k.next++ {
		if k.state[k.next].is == held && k.plain(k.next) {
			out = k.release(int32(k.next), out)
		}
	}
	for len(k.heap) > 0 {
		at, j := k.read(k.heap[0])
		if at > now {
			break
		}
		k.heap.Pop()
		if k.state[j].is != held {
			continue
		}
		if a := k.w.Gates[j].Array; a > 0 {
			k.array[a-1].ready.Push(uint64(j))
			k.touched = append(k.touched, a-1)
			continue
		}
		out = k.release(j, out)
	}
	for _, i := range k.touched {
		for a := &k.array[i]; len(a.ready) > 0 && a.out < a.limit; {
			j := int32(a.ready[0])
			a.ready.Pop()
			if k.state[j].is == held {
				a.out++
				out = k.release(j, out)
			}
		}
	}
	return out, k.Due()
}

func (k *Keeper) release(j int32, out []int32) []int32 {
	k.state[j].is = waits
	return append(out, j)
}

// Left appends the eligible jobs that leave the queue at the instant of the last React.
func (k *Keeper) Left(out []int32) []int32 { return append(out, k.left...) }

// Withdrawn says whether a job left, eligible or not, before it started.
func (k *Keeper) Withdrawn(j int32) bool { return k.state[j].is == gone }

// Start takes note of a job that has started at now. What waits for that becomes
// eligible a second later at the earliest, as the pass of this instant is over.
func (k *Keeper) Start(j int32, now model.Time) {
	s := &k.state[j]
	if s.is != waits && s.is != held {
		return // it has been stopped, and starts again
	}
	if a := k.w.Gates[j].Array; s.is == held && a > 0 { // the log's own schedule does not ask
		k.array[a-1].out++
	}
	s.is = started
	k.free(j, now, now+1, true, false, false)
}

// Over takes note of a job that was given up in the pass of now, or ran and was stopped
// for good in it.
func (k *Keeper) Over(j int32, now model.Time) {
	if is := k.state[j].is; is == waits || is == started {
		k.finish(j, now, now+1, is == started)
	}
}

// finish notes that a job is over, and frees what waited for it, not before a time.
func (k *Keeper) finish(j int32, now, floor model.Time, ran bool) {
	s := &k.state[j]
	out := s.is == waits || s.is == started
	k.free(j, now, floor, s.is != started, true, ran && !k.w.Gates[j].Failed)
	s.is = over
	if a := k.w.Gates[j].Array; a > 0 && out {
		k.array[a-1].out--
		k.unpark(a-1, floor)
	}
}

// free counts down what waits for a job that has started or ended at now.
func (k *Keeper) free(j int32, now, floor model.Time, started, ended, well bool) {
	for i := k.first[j]; i < k.first[j+1]; i++ {
		e := &k.edges[i]
		come := false
		switch e.on {
		case model.Started:
			come = started
		case model.Ended:
			come = ended
		case model.OK:
			come = ended && well
		case model.NotOK:
			come = ended && !well
		}
		at := max(now+e.delay, floor)
		switch {
		case come:
			e.at = at
		case ended && e.at == open: // of what has ended well NotOK, of what has not OK
			e.at = model.Never
		}
		s, g := &k.state[e.job], &k.w.Gates[e.job]
		if !come || s.is != held {
			continue
		}
		if g.Any {
			k.heap.Push(k.word(max(at, s.ready), e.job))
			continue
		}
		s.ready = max(s.ready, at)
		if s.missing--; s.missing == 0 {
			k.heap.Push(k.word(s.ready, e.job))
		}
	}
}

// unpark asks again for the jobs of array i, which has a place, not before a time.
func (k *Keeper) unpark(i int32, floor model.Time) {
	a := &k.array[i]
	if floor <= k.now {
		k.touched = append(k.touched, i)
	} else if len(a.ready) > 0 { // one is enough: when it comes up, all that are ready do
		k.heap.Push(k.word(floor, int32(a.ready[0])))
		a.ready.Pop()
	}
	for len(a.parked) > 0 {
		at, j := k.read(a.parked[0])
		k.heap.Push(k.word(max(at, floor), j))
		a.parked.Pop()
	}
}

// Due returns the next instant by what is known, later than the last one; model.Never:
// none before something else has ended.
func (k *Keeper) Due() model.Time {
	due := model.Never
	for ; k.next < len(k.state); k.next++ {
		if k.state[k.next].is == held && k.plain(k.next) {
			due = k.w.Jobs[k.next].Submit
			break
		}
	}
	for len(k.heap) > 0 {
		at, j := k.read(k.heap[0])
		if k.state[j].is != held {
			k.heap.Pop()
			continue
		}
		if g := &k.w.Gates[j]; g.Array > 0 && k.array[g.Array-1].out >= k.array[g.Array-1].limit {
			k.heap.Pop()
			k.array[g.Array-1].parked.Push(k.word(at, j))
			continue
		}
		due = min(due, at)
		break
	}
	for len(k.leaving) > 0 {
		at, j := k.read(k.leaving[0])
		if is := k.state[j].is; is != held && is != waits {
			k.leaving.Pop()
			continue
		}
		due = min(due, at)
		break
	}
	return due
}
