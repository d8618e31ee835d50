package sim

import "batchlab/core/model"

// Pulse watches over work that takes long, so that Options.Progress is reached
// at least ten times a second, in the middle of a decision too: a search inside
// it would otherwise keep the caller from news, and a cancel from being seen. A
// nil Pulse lets everything go on.
//
// A busy Go program in a worker sees no message; only a ping through a MessageChannel
// lets one in within microseconds. In Progress the worker looks at the clock and pings
// about every 50 ms: that is how a cancel is seen in the middle of a decision, and why
// the core needs no goroutines.
type Pulse struct {
	tell    func(done, total int) bool
	now     func() float64
	left    int // steps up to the next call
	looks   int // calls
	course  course
	stopped bool
}

// pulseSteps is the work between two calls of Options.Progress, in steps of some
// ten to hundred nanoseconds: rare enough to cost nothing, often enough for a
// cancel within milliseconds.
const pulseSteps = 1 << 14

// Steps that an instant costs at least, and those that waiting jobs add to it,
// since schedulers that plan ahead look at all of them; on machines all is dearer.
const (
	instantSteps     = 4
	siteInstantSteps = 512
)

func waitingSteps(waiting int) int     { return instantSteps + min(waiting/16, 512) }
func siteWaitingSteps(waiting int) int { return siteInstantSteps + 2*waiting }

// newPulse makes the pulse of a run of w on so many processors; 0: which queues are to
// come is not known. It takes over the old one's memory.
func newPulse(o *Options, w *model.Workload, procs int, old *Pulse) Pulse {
	p := Pulse{tell: o.Progress, now: o.Now, left: pulseSteps}
	p.course = course{w: w, procs: procs, ahead: old.course.ahead[:0]}
	if p.tell != nil {
		p.course.began = p.clock()
	}
	return p
}

// clock is the time by which shares are counted: steps, where there is no clock.
func (p *Pulse) clock() float64 {
	if p.now != nil {
		return p.now()
	}
	return float64(p.work())
}

// at is told before each decision how many jobs have been submitted, and how many of them wait.
func (p *Pulse) at(next, waiting int) { p.course.next, p.course.waiting = next, waiting }

// Beat is called after so many steps of work, such as places tried for a job; by
// a scheduler within its decision, too. False means that the run is to end, for
// good: the scheduler returns at once, and what it decides then counts for
// nothing.
func (p *Pulse) Beat(steps int) bool {
	if p == nil {
		return true
	}
	if p.left -= steps; p.left <= 0 {
		p.look()
	}
	return !p.stopped
}

// ProfileSteps estimates what looking for a place costs in a profile of interchangeable
// processors that holds so many planned jobs.
func ProfileSteps(jobs int) int { return 1 + jobs/32 }

// work returns how many steps there have been.
func (p *Pulse) work() int64 { return int64(p.looks+1)*pulseSteps - int64(p.left) }

func (p *Pulse) look() {
	p.looks++
	p.left = pulseSteps
	if p.tell != nil && !p.stopped {
		p.stopped = !p.tell(p.course.share(p.clock()), courseTotal)
	}
}
