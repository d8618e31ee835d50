package plan

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/resource"
	"batchlab/core/search"
	"batchlab/core/sim"
	"batchlab/core/tell"

	"math/rand/v2"
)

// HillOptions say how a Hill makes schedules. The zero value is the paper's.
type HillOptions struct {
	Extend      bool // keep the order at a submission and append, instead of making it anew
	Random      bool // begin with a random order instead of that of submission
	Restarts    int  // further climbs from random orders; the best of all counts
	Evaluations int  // most of one climb; 0: no bound
	Foretold    bool // make schedules by what View.Book foretells instead of by requests
	Keep        bool // keep the schedule after a failure until the next submission, or until nothing runs
	Tardiness   bool // lessen the weighted tardiness, with the makespan as second, instead of the makespan
}

// Hill is schedule-based mapping with hill climbing (J. Skrinarova, M. Krnac and
// P. Martincova, Implementation of Scheduling Algorithm in High-Performance
// Computer Cluster, 2013). A schedule is an order of the waiting jobs; each
// request of a job for a node, in that order, goes to the first best suitable
// node, and a job begins when the jobs before it on its processors have ended:
// its predecessor list. The order is improved by steepest ascent over swaps of
// two jobs until none lessens the makespan.
//
// Readings, where the text is silent: the first best node is the one whose
// processors are free earliest by requested times, the first of equals in the
// order of power; processors are taken in the order in which they become free,
// and gaps are not filled; where several jobs share a node's memory, disk or
// GPUs, licences, or a limit of their user or class, a job begins only when they
// suffice; nor does it begin where it would run into an announced outage or an
// advance reservation. A schedule is made at each
// submission (also when a job waits again after a failure) and stays valid up to
// the next; jobs that end early let their successors begin early. A failure or a
// reservation that has come changes it no sooner than the next submission, as the
// paper says of its own; what would run into them waits.
type Hill struct {
	o          HillOptions
	seed       uint64
	repetition int
	rng        *rand.Rand
	clock      func() float64

	waiting []model.JobID // in order of submission
	jobs    []model.JobID // scratch: the order that is climbed
	order   []hillJob     // the schedule
	stale   bool          // with HillOptions.Keep: jobs wait again that it does not hold
	running []model.JobID
	ended   []bool // by JobID; of jobs that run again: false
	site    hillSite
	nodes   hillNodes
	counts  hillCounts
	cores   hillCores
	count   Counts
	seconds float64
	free    *resource.Pool // now, beside what this pass has started
}

// hillJob is a waiting job of a schedule.
type hillJob struct {
	job    model.JobID
	start  model.Time // estimated
	claim  model.Claim
	before []model.JobID // its predecessor list
}

// NewHill returns the scheduler.
func NewHill(o HillOptions) *Hill { return &Hill{o: o} }

var _ sim.Planner = (*Hill)(nil)

// Seed sets the stream of random numbers of the next simulation.
func (h *Hill) Seed(seed uint64, repetition int) { h.seed, h.repetition = seed, repetition }

// Clock gives a clock in seconds, by which making schedules is timed; it decides
// nothing.
func (h *Hill) Clock(clock func() float64) { h.clock = clock }

// Counts returns since Reset how many schedules were made, of how many orders
// the makespan was worked out, and how many swaps were kept.
func (h *Hill) Counts() Counts { return h.count }

// Seconds returns the time that making schedules has taken, 0 without a clock.
// It is not reproducible.
func (h *Hill) Seconds() float64 { return h.seconds }

// Reset prepares for a new simulation.
func (h *Hill) Reset(v *sim.View) {
	h.waiting, h.order, h.running, h.ended = h.waiting[:0], h.order[:0], h.running[:0], h.ended[:0]
	h.count, h.seconds, h.stale = Counts{}, 0, false
	h.rng = model.Stream(h.seed, "hill-climbing", h.repetition)
	h.site.reset(v)
	h.site.foretold = h.o.Foretold
	h.free = v.Site.NewPool()
}

// Wake returns model.Never: a job begins only when others have ended.
func (h *Hill) Wake() model.Time { return model.Never }

// Planned calls visit with the estimated start and cluster of every waiting job
// in the order of the schedule.
func (h *Hill) Planned(visit func(j model.JobID, start model.Time, cluster int32)) {
	for i := range h.order {
		visit(h.order[i].job, h.order[i].start, h.order[i].claim.Cluster)
	}
}

// Decide makes a schedule if jobs have come, and starts what may begin.
func (h *Hill) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for len(h.ended) < int(v.Next) {
		h.ended = append(h.ended, false)
	}
	for _, j := range v.Ended {
		h.ended[j] = true
	}
	gone := func(j model.JobID) bool { return h.ended[j] || slices.Contains(v.Back, j) }
	if len(v.Ended)+len(v.Back) > 0 {
		h.running = slices.DeleteFunc(h.running, gone)
	}
	for _, j := range v.Back {
		at, _ := slices.BinarySearch(h.waiting, j)
		h.waiting = slices.Insert(h.waiting, at, j)
	}
	h.waiting = append(h.waiting, v.New...)
	h.stale = h.stale || len(v.Back) > 0
	out = h.lapse(v, out)
	if len(v.New) > 0 || h.stale && !h.o.Keep {
		h.make(v)
	}
	out = h.start(v, out)
	if h.stale && len(h.running) == 0 { // nobody is left who could end
		h.make(v)
		out = h.start(v, out)
	}
	return out
}

// lapse gives up the waiting jobs that have left, or are to be stopped by now.
func (h *Hill) lapse(v *sim.View, out []sim.Decision) []sim.Decision {
	gone := func(j model.JobID) bool { return v.Kills(j) && v.Due[j] <= v.Now }
	for _, j := range h.waiting {
		if gone(j) {
			h.ended[j] = true
			out = append(out, sim.Decision{Verb: sim.Reject, Job: j})
		}
	}
	h.waiting = slices.DeleteFunc(h.waiting, gone)
	h.order = slices.DeleteFunc(h.order, func(o hillJob) bool { return gone(o.job) })
	return out
}

// start starts, in the order of the schedule, the jobs whose predecessors have
// ended and whose nodes have room, unless a known outage would stop them.
func (h *Hill) start(v *sim.View, out []sim.Decision) []sim.Decision {
	h.free.CopyFrom(v.Free)
	kept := h.order[:0]
	for i := range h.order {
		o := &h.order[i]
		j := o.job
		resource.Visit(len(o.before))
		v.Pulse.Beat(1 + len(o.before)/4)
		ready := !slices.ContainsFunc(o.before, func(b model.JobID) bool { return !h.ended[b] })
		if !ready || !h.room(v, j, o.claim) {
			kept = append(kept, *o)
			continue
		}
		h.leave(j)
		h.running = append(h.running, j)
		out = append(out, sim.Decision{Job: j, Claim: o.claim})
		if v.Record != nil {
			v.Record.Decide(j, report.StartedAsPlanned)
		}
	}
	h.order = kept
	return out
}

// room says whether a job can start now in its claim and run for as long as it
// may, and takes it.
func (h *Hill) room(v *sim.View, j model.JobID, claim model.Claim) bool {
	if !h.free.Holds(&v.Needs[j], claim) || !v.May(j, claim) {
		return false
	}
	h.free.Take(&v.Needs[j], claim)
	v.Commit(j, claim)
	return true
}

// leave takes a job from those that wait.
func (h *Hill) leave(j model.JobID) {
	at, _ := slices.BinarySearch(h.waiting, j)
	h.waiting = slices.Delete(h.waiting, at, at+1)
}

// make makes a schedule of the waiting jobs.
func (h *Hill) make(v *sim.View) {
	began := 0.0
	if h.clock != nil {
		began = h.clock()
	}
	jobs := h.jobs[:0]
	switch {
	case h.o.Extend:
		stands := make(map[model.JobID]bool, len(h.order))
		for i := range h.order {
			stands[h.order[i].job] = true
			jobs = append(jobs, h.order[i].job)
		}
		for _, j := range h.waiting {
			if !stands[j] {
				jobs = append(jobs, j)
			}
		}
	default:
		jobs = append(jobs, h.waiting...)
	}
	if h.jobs = jobs; h.o.Random && !h.o.Extend {
		h.shuffle(jobs)
	}
	c := newClimb(h, v, h.running, jobs)
	var before, first int64
	var begin []model.JobID // the order from which the best climb goes
	if v.Facts != nil {
		before = c.Value()
		first, c.notes, begin = before, true, slices.Clone(jobs)
	}
	best := search.Climb(c, h.o.Evaluations)
	h.note(best)
	kept := c.told
	order := slices.Clone(c.jobs)
	steps, tries, climbs := best.Steps, best.Evaluations, 1
	for range h.o.Restarts {
		if !v.Pulse.Beat(len(c.jobs)) {
			break
		}
		h.shuffle(c.jobs)
		var begins int64
		var drawn []model.JobID
		if c.told = nil; c.notes {
			begins, drawn = c.Value(), slices.Clone(c.jobs)
		}
		again := search.Climb(c, h.o.Evaluations)
		h.note(again)
		tries, climbs = tries+again.Evaluations, climbs+1
		if again.Value < best.Value {
			best, order = again, append(order[:0], c.jobs...)
			steps, kept, first, begin = again.Steps, c.told, begins, drawn
		}
	}
	if h.count.Calls++; v.Facts != nil && tries > climbs { // each climb evaluates the order with which it begins
		how := ", in order of submission"
		if h.o.Extend {
			how = ""
		} else if !slices.IsSorted(begin) {
			how = ", in an order drawn by chance"
		}
		v.Facts.Drafts(hillPlans(h.site.schedule(v, begin, nil), nil), climbs, how)
		for i, s := range kept {
			d := tell.Decide(tell.Move, -1)
			d.Moved = &tell.Moved{Which: i + 1, Jobs: []int64{v.Jobs[s.a].Number, v.Jobs[s.b].Number}, Scores: h.changed(first, s.value)}
			v.Facts.Said = append(v.Facts.Said, d)
			first = s.value
		}
		d := tell.Decide(tell.Improve, -1)
		d.Improved = &tell.Improved{Tries: tries - climbs, Kept: steps, Scores: h.changed(before, best.Value)}
		v.Facts.Said = append(v.Facts.Said, d)
	}
	h.order, h.stale = h.site.schedule(v, order, h.order[:0]), false
	if h.clock != nil {
		h.seconds += h.clock() - began
	}
}

// changed is what differs between the values of two orders, for people: the makespan
// from now on, or with the tardiness as objective that.
func (h *Hill) changed(old, new int64) []tell.Score {
	name := "makespan"
	if h.o.Tardiness {
		name, old, new = "tardiness", old>>20, new>>20
	}
	if old == new {
		return nil
	}
	return []tell.Score{{Name: name, Old: float64(old), New: float64(new)}}
}

func (h *Hill) note(c search.Climbed) {
	h.count.Iterations += int64(c.Evaluations)
	h.count.Accepted += int64(c.Steps)
}

func (h *Hill) shuffle(jobs []model.JobID) {
	h.rng.Shuffle(len(jobs), func(i, k int) { jobs[i], jobs[k] = jobs[k], jobs[i] })
}
