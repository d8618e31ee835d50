package recorded

import (
	"container/heap"
	"fmt"
	"slices"
	"strconv"

	"batchlab/core/slurm"
)

// Run is a recorded run that can be played.
type Run struct{ *run }

// Start is when a job, or a task of an array, started: in Slurm and here, unix
// seconds. Of a job that was requeued it is its last start.
type Start struct {
	JobID       string
	Slurm, Here int64 // 0 never
	Submitted   int64
}

// Epilogs come so long after a job's end, in milliseconds, where no log says when: the
// middle of what logs of slurmctld have between "job complete" and "node_did_resp", for
// a job that ended by itself and for one that had to be stopped.

const (
	epilogAfter = 17
	killedAfter = 150
)

// event is something that happens while a run is played.
type event struct {
	at    int64
	order int // of equal times: lower first
	kind  uint8
	job   *slurm.Job
	index int
}

const (
	evSubmit uint8 = iota
	evEnd
	evEpilog
	evCancel
	evRecalculate
	evMain
	evMainFull
	evBackfill
	evLimits
	evTick  // of the background loop, where it has its own clock
	evCycle // the backfill loop looks whether it is time
)

type events []event

func (h events) Len() int { return len(h) }
func (h events) Less(a, b int) bool {
	if h[a].at != h[b].at {
		return h[a].at < h[b].at
	}
	return h[a].order < h[b].order
}
func (h events) Swap(a, b int) { h[a], h[b] = h[b], h[a] }
func (h *events) Push(x any)   { *h = append(*h, x.(event)) }
func (h *events) Pop() any {
	old := *h
	e := old[len(old)-1]
	*h = old[:len(old)-1]
	return e
}

// play is one play of a run.
type play struct {
	*run
	c       *slurm.Controller
	h       events
	seq     int
	jobs    []*slurm.Job // by Tag
	starts  map[string]int64
	due     map[*slurm.Job]int64 // when a job that runs ends; of one that stands still what is left
	tries   map[string]int
	lastCal int64
	last    int64  // where a free play gives up
	free    *clock // nil: at the log's instants
	endings []ending
	trace   func(format string, args ...any)
}

func (p *play) push(at int64, kind uint8, j *slurm.Job, index int) {
	p.seq++
	order := p.seq
	if kind == evEnd || kind == evEpilog {
		order -= 1 << 30 // what ends, ends before a pass of the same instant
	}
	heap.Push(&p.h, event{at: at, order: order, kind: kind, job: j, index: index})
}

// Given plays the run at the log's instants: submissions, passes, cycles and checks of
// limits come when they came; who starts, and so who ends when, is decided here.
func (r *Run) Given() []Start { return r.play(nil).result() }

func (r *Run) play(trace func(string, ...any)) *play {
	p := r.open()
	p.trace = trace
	submitted := map[int64]bool{}
	byID := map[int64]int{}
	for i := range r.jobs {
		byID[r.jobs[i].ID] = i
	}
	last := int64(0)
	for _, e := range r.instants {
		last = max(last, e.at)
		switch e.what {
		case "main":
			kind := evMain
			if e.which == "full" {
				kind = evMainFull
			}
			p.push(e.at, kind, nil, 0)
		case "backfill":
			p.push(e.at, evBackfill, nil, 0)
		case "limits":
			p.push(e.at, evLimits, nil, 0)
		case "submit":
			if i, ok := byID[number(e.which)]; ok {
				submitted[number(e.which)] = true
				p.push(e.at, evSubmit, nil, i)
			}
		}
	}
	for i := range r.jobs {
		if !submitted[r.jobs[i].ID] {
			p.push(r.asks[i].submit+50, evSubmit, nil, i)
		}
	}
	for t := r.beginning(); t <= last; t += max(r.cluster.Params.CalcPeriod, 1) * 1000 {
		p.push(t, evRecalculate, nil, 0)
	}
	p.loop(last + 1)
	return p
}

// beginning is when priorities are computed for the first time: every
// PriorityCalcPeriod from the controller's start on, which its log says; else it is
// batch_sched_delay before its first pass.
func (r *Run) beginning() int64 {
	if r.began != 0 || len(r.instants) == 0 {
		return r.began
	}
	earlier := r.instants[0].at
	for _, e := range r.instants {
		if e.what == "main" {
			earlier = e.at
			break
		}
	}
	return earlier - r.cluster.Params.BatchSchedDelay*1000 - 20
}

func (r *Run) open() *play {
	cluster := r.cluster
	cluster.Partitions = slices.Clone(cluster.Partitions)
	cluster.Reserved = slices.Clone(cluster.Reserved)
	p := &play{run: r.run, c: slurm.New(&cluster), starts: map[string]int64{}, due: map[*slurm.Job]int64{}, tries: map[string]int{}, jobs: make([]*slurm.Job, len(r.jobs))}
	for i, a := range r.asks {
		if a.cancel >= 0 {
			p.push(a.cancel+50, evCancel, nil, i)
		}
	}
	return p
}

// loop goes through the events until a time.
func (p *play) loop(until int64) {
	for len(p.h) > 0 {
		e := heap.Pop(&p.h).(event)
		if e.at > until {
			return
		}
		now := p.t0 + floorSecond(e.at)
		switch e.kind {
		case evSubmit:
			j := p.run.jobs[e.index]
			j.Submit = now
			if j.Begin > 0 {
				j.Begin = p.t0 + floorSecond(j.Begin)
			}
			p.jobs[e.index] = &j
			if p.free != nil && !p.c.MaySubmit(&j) {
				break // in the log it was let in
			}
			p.c.Submit(&j, now)
			p.asked(e.at)
		case evEnd:
			if e.job.State == slurm.Running && !e.job.Suspended && p.due[e.job] == e.at {
				state := slurm.Completed
				exit := p.asks[e.job.Tag].exit
				if exit != 0 {
					state = slurm.Failed
				}
				p.c.End(e.job, state, exit, now)
				p.push(p.epilog(e.job, e.at, epilogAfter), evEpilog, e.job, 0)
			}
		case evEpilog:
			p.c.Epilog(e.job)
			if e.job.State == slurm.Preempted {
				p.again(e.job, now)
			}
			if p.free != nil {
				p.free.epilog(p, e.at)
			}
		case evCancel:
			j := p.jobs[e.index]
			if j == nil {
				break
			}
			p.c.Cancel(j, now)
			for _, a := range slices.Clone(p.c.Active) {
				if a.ID == j.ID {
					p.c.End(a, slurm.Cancelled, 1, now)
					p.push(p.epilog(a, e.at, killedAfter), evEpilog, a, 0)
				}
			}
		case evRecalculate:
			p.c.Recalculate(now, p.lastCal)
			p.lastCal = now
		case evLimits:
			p.limits(e.at)
		case evTick:
			p.free.tick(p, e.at)
		case evCycle:
			p.free.cycle(p, e.at)
		case evMain, evMainFull:
			if p.trace != nil {
				p.trace("%.3f main", float64(e.at)/1000)
			}
			p.pass(e.at, e.kind == evMainFull)
		case evBackfill:
			if p.trace != nil {
				p.trace("%.3f backfill", float64(e.at)/1000)
				p.c.Tell = func(j *slurm.Job, at int64, nodes []uint64) {
					p.trace("  plan %d %d %x", j.ID, at, nodes[0])
				}
			}
			p.began(e.at, p.c.Backfill(now))
		}
		for _, j := range p.c.GoOn(now, nil) {
			p.ends(j, e.at+p.due[j])
		}
	}
}

// ends lets a running job end at a time.
func (p *play) ends(j *slurm.Job, at int64) {
	p.due[j] = at
	p.push(at, evEnd, j, 0)
}

// limits ends the jobs whose time is over.
func (p *play) limits(at int64) {
	now := p.t0 + floorSecond(at)
	for _, j := range p.c.Overdue(now) {
		p.c.End(j, slurm.TimedOut, 1, now)
		p.push(p.epilog(j, at, killedAfter), evEpilog, j, 0)
	}
}

// pass is a pass of the main loop.
func (p *play) pass(at int64, full bool) {
	p.began(at, p.c.Main(p.t0+floorSecond(at), full))
}

// asked says that something asks for a pass of the main loop.
func (p *play) asked(at int64) {
	if p.free != nil {
		p.free.ask(p, at)
	}
}

// epilog is when a job's nodes are free: when the log says so, if the job ended when it
// did there.
func (p *play) epilog(j *slurm.Job, at, after int64) int64 {
	if p.free == nil {
		for _, t := range p.epilogs[name(j)] {
			if t >= at && t < at+2000 {
				return t
			}
		}
		if t, ok := p.released[name(j)]; ok && t.end <= at+2 && t.end >= at-2 {
			return max(t.free, at)
		}
		most := int64(epilogMost)
		if after == killedAfter {
			most = killedMost
		}
		p.endings = append(p.endings, ending{name(j), at, most})
		if d, ok := p.delays[name(j)]; ok {
			return at + d
		}
	}
	return at + after
}

// name is a job's JobID in Slurm.
func name(j *slurm.Job) string {
	if j.Task >= 0 {
		return fmt.Sprintf("%d_%d", j.ID, j.Task)
	}
	return strconv.FormatInt(j.ID, 10)
}

// began lets the jobs that a pass has started run, and those go that it preempts.
func (p *play) began(at int64, list []*slurm.Job) {
	for _, j := range list {
		id := name(j)
		p.starts[id] = j.Started
		k := p.tries[id]
		p.tries[id]++
		if p.trace != nil {
			p.trace("  start %s on %v %v", id, j.Nodes, j.CPUs)
		}
		t := p.tasks[id]
		took := int64(0)
		switch {
		case t == nil:
			took = p.asks[j.Tag].runs[0] + p.overhead
		case k < len(t.attempts) && t.attempts[k].took > 0:
			took = t.attempts[k].took
		default:
			if took = t.runs + p.overhead; len(t.attempts) == 1 && t.attempts[0].took > 0 {
				took = t.attempts[0].took
			}
		}
		p.ends(j, at+took)
	}
	for _, j := range p.c.Still {
		p.due[j] -= at
	}
	p.c.Still = p.c.Still[:0]
	for _, j := range slices.Clone(p.c.Preempted) {
		p.push(p.epilog(j, at, killedAfter), evEpilog, j, 0)
	}
	p.c.Preempted = p.c.Preempted[:0]
}

// again puts a preempted job back into the queue.
func (p *play) again(j *slurm.Job, now int64) {
	j.State = slurm.Cancelled
	again := p.c.Requeue(j, now)
	if j.Task < 0 {
		p.jobs[j.Tag] = again
	}
}

// result is every start, in the order of accounting.
func (p *play) result() (list []Start) {
	for _, id := range p.order {
		t := p.tasks[id]
		s := Start{JobID: id, Slurm: t.attempts[len(t.attempts)-1].start, Here: p.starts[id]}
		for i, a := range p.asks {
			if head, _, _ := cut(id); head == a.id {
				s.Submitted = p.t0 + floorSecond(a.submit)
				_ = i
			}
		}
		list = append(list, s)
	}
	return list
}

// cut takes 4_1 apart.
func cut(id string) (job int64, task int, ok bool) {
	for i := range id {
		if id[i] == '_' {
			return number(id[:i]), int(number(id[i+1:])), true
		}
	}
	return number(id), -1, false
}
