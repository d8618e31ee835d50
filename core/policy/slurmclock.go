//go:build !small

package policy

import (
	"batchlab/core/model"
	"batchlab/core/slurm"
)

// slurmClock says when the loops of a controller run, in whole seconds. Passes over the
// whole queue, cycles and new priorities come at fixed intervals, from phases on; passes
// of default_queue_depth when something has happened, once batch_sched_delay has gone by
// since the last one (_slurmctld_background); of ten jobs that end one runs the main loop
// at once (_slurm_rpc_epilog_complete).
type slurmClock struct {
	par    slurm.Params
	gap    model.Time
	phase  model.Time
	given  []Tick // to come
	begun  bool
	now    model.Time // this instant,
	before model.Time // the one before,
	first  model.Time // and the first
	asked  model.Time // since when a pass is asked for; Never: none is
	passed model.Time // of the last pass
	priced model.Time // of the last new priorities
	ended  model.Time // jobs
	dirty  bool       // something has happened that a pass over the whole queue has not seen
	valid  model.Time // until when a cycle starts no job, unless something happens
	cycled bool       // a cycle has come since something happened
	ran    model.Time // of the last cycle that was not passed over, or was made up for
}

// begin starts the clock.
func (k *slurmClock) begin(now model.Time) {
	k.before, k.now = k.now, now
	if k.begun {
		return
	}
	k.begun, k.first, k.before, k.asked = true, now, now, model.Never
	k.ended = k.phase % 10
	k.passed = k.lastFull(now)
	k.priced = now - k.phase%max(model.Time(k.par.CalcPeriod), 1)
}

// grid returns the last time up to now at which something came that comes every period,
// and came so long before the first instant.
func (k *slurmClock) grid(now, before, period model.Time) model.Time {
	first := k.first - before%period
	return first + (now-first)/period*period
}

// lastFull is when the last pass over the whole queue came, up to now.
func (k *slurmClock) lastFull(now model.Time) model.Time {
	if k.par.SchedInterval < 0 {
		return -model.Never
	}
	return k.grid(now, k.phase, max(model.Time(k.par.SchedInterval), 1))
}

// lastCycle is when the last cycle came. The two loops have nothing to do with each
// other: their phases are kept apart by the golden section.
func (k *slurmClock) lastCycle(now model.Time) model.Time {
	period := max(model.Time(k.par.BFInterval), 1)
	return k.grid(now, k.phase*618/1000, period)
}

// number is which cycle came at a time, the first after the first instant being 1; 0 where
// a log says when they come.
func (k *slurmClock) number(at model.Time) int64 {
	if k.given != nil || k.par.BFInterval <= 0 {
		return 0
	}
	return int64((at - k.lastCycle(k.first)) / model.Time(k.par.BFInterval))
}

// recalculate says whether priorities were due up to now, and when, and when before.
func (k *slurmClock) recalculate(now model.Time) (at, last model.Time, due bool) {
	period := max(model.Time(k.par.CalcPeriod), 1)
	if k.priced+period > now {
		return 0, 0, false
	}
	last = k.priced
	k.priced += period
	return k.priced, last, true
}

// jump passes over new priorities before now that change nothing, but for the last.
func (k *slurmClock) jump(now model.Time) {
	period := max(model.Time(k.par.CalcPeriod), 1)
	k.priced += max(0, (now-k.priced)/period-1) * period
}

// ask asks for a pass: something has happened.
func (k *slurmClock) ask(now model.Time) {
	k.dirty, k.cycled, k.valid = true, false, 0
	if k.asked == model.Never {
		k.asked = now
	}
}

// epilog asks for a pass since a job's nodes are free, and says whether it comes at once.
func (k *slurmClock) epilog() bool {
	k.ask(k.now)
	k.ended++
	return k.ended%10 == 0
}

// due is when the pass that was asked for comes, one over the whole queue apart.
func (k *slurmClock) due() model.Time {
	if k.asked == model.Never || k.par.SchedInterval < 0 {
		return model.Never
	}
	return max(k.asked, k.passed+max(model.Time(k.par.BatchSchedDelay), k.gap))
}

// skip takes over the passes before now in which nothing could start: nothing has
// happened since the instant before.
func (k *slurmClock) skip(now model.Time) {
	if k.given != nil || k.par.SchedInterval < 0 {
		return
	}
	last := k.lastFull(now - 1)
	next := k.lastFull(k.before) + max(model.Time(k.par.SchedInterval), 1)
	if due := k.due(); due < min(now, next) {
		k.passed, k.asked = due, model.Never
	}
	if next <= last {
		k.passed, k.asked = last, model.Never
	}
}

// main says whether a pass comes now, and whether over the whole queue.
func (k *slurmClock) main(now model.Time, atOnce bool) (full, due bool) {
	if k.par.SchedInterval < 0 {
		return false, false
	}
	full = k.lastFull(now) == now && now > k.first
	atOnce = atOnce && now >= k.passed+k.gap && !k.par.Defer
	if due = full || atOnce || k.due() <= now; due {
		k.passed, k.asked = now, model.Never
	}
	return full, due
}

// cycle says whether a cycle comes now.
func (k *slurmClock) cycle(now model.Time) bool {
	return k.par.BFInterval > 0 && k.lastCycle(now) == now && now > k.first
}

// over passes over what comes now, since no job waits.
func (k *slurmClock) over(now model.Time) {
	k.main(now, false)
	k.cycle(now)
	k.dirty = false
}

// nextMain is when a pass comes next; asked says whether also one that was asked for.
func (k *slurmClock) nextMain(asked bool) model.Time {
	if k.given != nil {
		return k.nextGiven()
	}
	if k.par.SchedInterval < 0 {
		return model.Never
	}
	next := k.lastFull(k.now) + max(model.Time(k.par.SchedInterval), 1)
	if due := k.due(); asked && due > k.now {
		next = min(next, due)
	}
	return next
}

// nextCycle is when a cycle comes next.
func (k *slurmClock) nextCycle(builtin bool) model.Time {
	if k.given != nil {
		return k.nextGiven()
	}
	if builtin || k.par.BFInterval <= 0 {
		return model.Never
	}
	period := model.Time(k.par.BFInterval)
	next := k.lastCycle(k.now) + period
	valid := k.valid
	if k.par.Multifactor { // new priorities are another queue
		valid = min(valid, k.priced+max(model.Time(k.par.CalcPeriod), 1))
	}
	if valid > next {
		if valid > model.Never/2 {
			return model.Never
		}
		next += (valid - next + period - 1) / period * period
	}
	return next
}

func (k *slurmClock) nextGiven() model.Time {
	for _, t := range k.given {
		if t.At > k.now {
			return t.At
		}
	}
	return model.Never
}
