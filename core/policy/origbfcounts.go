package policy

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// origCounts is the shelf of a cluster of interchangeable processors.
type origCounts struct {
	origSpace
	counts  *resource.Long // of plan
	limited bool
	free    int32         // now, after what this pass has started
	until   []model.Time  // requested or foretold ends of running jobs, by JobID
	held    []model.JobID // those that run, where reservations use predictions
	waiting origKinds
	kinds   resource.Kinds // what was found in this pass: less and less is free
	hint    []int32        // by JobID
	kind    []int32        // by JobID, of those that wait, where requests count: of waiting
	alike   origAlike
	now     model.Time
	longest model.Time // of the jobs that could start now
}

func newOrigCounts(v *sim.View, foretold bool) *origCounts {
	c := &origCounts{origSpace: newOrigSpace(v, foretold), limited: !v.Site.Platform.Limits.None()}
	c.waiting.reset()
	c.counts, c.waiting.foretold = &c.plan.Lane(0).Counts, foretold
	return c
}

func (c *origCounts) open(v *sim.View, waiting []model.JobID) bool {
	c.free, c.now = v.Free.Procs(), v.Now
	if c.foretold {
		c.retell(v, waiting)
	}
	c.waiting.begin(c.free)
	return c.more()
}

func (c *origCounts) joins(v *sim.View, j model.JobID) {
	for len(c.hint) <= int(j) {
		c.hint, c.kind = append(c.hint, -1), append(c.kind, -1)
	}
	c.hint[j] = -1 // suspended before, it may ask for less
	c.kind[j] = c.waiting.of(v, j)
	c.waiting.n[c.kind[j]]++
}

func (c *origCounts) leaves(v *sim.View, j model.JobID) { c.waiting.n[c.of(v, j)]-- }

// of returns the kind of a job that waits.
func (c *origCounts) of(v *sim.View, j model.JobID) int32 {
	if c.foretold {
		return c.waiting.of(v, j)
	}
	return c.kind[j]
}

func (c *origCounts) more() bool { return c.waiting.left > 0 }

func (c *origCounts) visit(v *sim.View, j model.JobID) bool {
	return c.waiting.visit(c.of(v, j))
}

func (c *origCounts) starts(v *sim.View, j model.JobID, _ model.Claim) {
	end := v.Now + asks(v, j, c.foretold)
	for int(j) >= len(c.until) {
		c.until = append(c.until, 0)
	}
	c.until[j] = end
	if c.foretold {
		c.held = append(c.held, j)
	}
	c.hold(v, j, end, -1)
	c.free -= v.Needs[j].Procs
	c.narrow()
}

// hold books that a running job holds its processors up to an end (sign −1), or that
// one that has ended does not (1).
func (c *origCounts) hold(v *sim.View, j model.JobID, end model.Time, sign int32) {
	if end > v.Now {
		c.base.Add(&v.Needs[j], 0, v.Needs[j].Procs, nil, v.Now, end, sign)
	}
}

func (c *origCounts) ends(v *sim.View, j model.JobID) {
	c.base.Advance(v.Now)
	if c.foretold {
		c.held = slices.DeleteFunc(c.held, func(r model.JobID) bool { return r == j })
	}
	c.hold(v, j, c.until[j], 1) // the view no longer knows the start of one that was stopped
}

func (c *origCounts) begin(v *sim.View) {
	c.origSpace.begin(v)
	c.alike.jobs = 0
	c.kinds.Begin()
	c.narrow()
}

// narrow finds out which kinds of jobs could still start now.
func (c *origCounts) narrow() {
	c.settle()
	c.waiting.narrow(c.free, c.counts, c.now)
	c.longest = 0
	for _, id := range c.waiting.can {
		c.longest = max(c.longest, c.waiting.list[id].limit)
	}
}

func (c *origCounts) fit(v *sim.View, j model.JobID, from model.Time, once bool) (model.Time, model.Claim, bool) {
	need, length := &v.Needs[j], asks(v, j, c.foretold)
	since := c.kinds.Since(&c.hint[j], 0, need.Procs, length, v.Now)
	if !once && *since == c.alike.at && from <= *since && c.another(need.Procs, length) {
		return *since, model.Claim{}, true
	}
	c.settle()
	*since = c.counts.FitFrom(need.Procs, length, *since)
	at := max(*since, from)
	for c.limited || at > *since || once {
		next := c.counts.FitFrom(need.Procs, length, at)
		if c.limited {
			next = c.plan.Allowed(need, 0, length, next)
		}
		if once && next > v.Now {
			return 0, model.Claim{}, false
		}
		if next == at {
			break
		}
		at = next
	}
	if at > v.Now {
		return at, model.Claim{}, true
	}
	claim, ok := v.Free.Place(&v.Needs[j])
	return at, claim, ok
}

func (c *origCounts) take(v *sim.View, j model.JobID, at model.Time, _ model.Claim) {
	length := asks(v, j, c.foretold)
	if procs := v.Needs[j].Procs; c.limited {
		c.plan.Add(&v.Needs[j], 0, procs, nil, at, at+length, -1)
	} else {
		c.alike.add(c, procs, length, at)
	}
	if at < c.now+c.longest && at > c.now { // else nothing has changed for those that could start now, or starts does it
		c.narrow()
	}
}

// origAlike is reservations of jobs that are alike and start together, which the
// profile does not hold yet: a line names the jobs of an array one behind the other.
type origAlike struct {
	jobs   int32 // 0: none
	procs  int32 // of each
	room   int32 // how many fit there; 0: not known
	length model.Time
	at     model.Time // later than now
}

// another says whether one more job that is alike fits where the last ones start: it
// finds nothing before, since they have not.
func (c *origCounts) another(procs int32, length model.Time) bool {
	a := &c.alike
	if a.jobs == 0 || a.procs != procs || a.length != length || c.limited {
		return false
	}
	if a.room == 0 {
		a.room = c.counts.Least(a.at, a.at+a.length) / a.procs
	}
	return a.jobs < a.room
}

// add reserves for a job what it was told that it can have.
func (a *origAlike) add(c *origCounts, procs int32, length, at model.Time) {
	if a.jobs > 0 && a.at == at && a.procs == procs && a.length == length && a.jobs < a.room {
		a.jobs++
		return
	}
	if c.settle(); at > c.now {
		*a = origAlike{jobs: 1, procs: procs, length: length, at: at}
		return
	}
	c.counts.Add(at, at+length, -procs)
}

// settle writes into the profile what it does not hold yet.
func (c *origCounts) settle() {
	if a := &c.alike; a.jobs > 0 {
		c.counts.Add(a.at, a.at+a.length, -a.jobs*a.procs)
		a.jobs = 0
	}
}
