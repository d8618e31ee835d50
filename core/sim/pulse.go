package sim

// Pulse watches over work that takes long, so that Options.Progress is reached
// at least ten times a second, in the middle of a decision too: a search inside
// it would otherwise keep the caller from news, and a cancel from being seen. A
// nil Pulse lets everything go on.
type Pulse struct {
	tell        func(done, total int) bool
	left        int // steps up to the next call
	looks       int // calls
	done, total int
	told        int // the most that was ever told: jobs that wait again are no step back
	stopped     bool
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

func newPulse(o *Options, total int) Pulse {
	return Pulse{tell: o.Progress, left: pulseSteps, total: total}
}

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
	p.told = max(p.told, p.done)
	p.stopped = p.stopped || p.tell != nil && !p.tell(p.told, p.total)
}
