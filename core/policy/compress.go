package policy

import (
	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// beatAfter is how many steps of compression are told to sim.Pulse at once.
const beatAfter = 1 << 10

// deepAbove is how many planned jobs there are at least for kinds of them to be told apart.
var deepAbove = 64

// compress moves planned jobs to earlier starts, in order of planned start.
//
// In a long queue most jobs stand beside others of their kind, of as many processors
// and the same request. Where no step of the profile has as many processors up to a
// job's start, it stays without a search; and where one moves, those of its kind that
// stand next behind it are moved together (see follow).
func (c *CountedConservative) compress(v *sim.CountedView, freed model.Time) {
	widest := c.free.MostBefore(freed)
	moved, untold := 0, 0
	now, _ := c.free.Now()
	steps, deep := sim.ProfileSteps(len(c.planned)), len(c.planned) > deepAbove
	if deep {
		c.kinds.Begin()
		c.chain.turn = 1
	}
	known := resource.Known{Since: now, Gap: now}
	k, of := &known, int32(-1)
	for i := 0; i < len(c.planned); i++ {
		p := &c.planned[i]
		if p.procs > widest {
			continue
		}
		if deep {
			if p.kind != of || of < 0 {
				k = c.kinds.Of(&p.kind, 0, p.procs, p.limit, now)
				of = p.kind
			}
			if k.Since >= min(p.start, freed) || k.Turn == c.chain.turn && p.start <= k.Gap {
				continue
			}
		}
		if untold += steps; untold >= beatAfter {
			if !v.Pulse.Beat(untold) {
				return
			}
			untold = 0
		}
		if deep && k.Turn != c.chain.turn {
			if k.Turn, k.Gap = c.chain.turn, c.free.Next(p.procs, k.Since); p.start <= k.Gap {
				continue
			}
		}
		at, ok := c.free.FitBetween(p.procs, p.limit, k.Since, p.start, freed)
		if !ok {
			if deep {
				k.Since = p.start
				k.Gap = c.free.Next(p.procs, k.Since)
			}
			continue
		}
		moved++
		if !deep {
			c.shift(p.procs, p.limit, at, p.start)
			freed = max(freed, p.start+p.limit)
			p.start = at
			c.lead(i)
		} else {
			var n int
			n, freed = c.follow(i, at, freed)
			k.Since = c.chain.last
			i += n
			untold += steps * n
			c.chain.turn++
		}
		if moved&(moved-1) == 0 { // now and then, since it takes as long as a move
			widest = c.free.MostBefore(freed)
		} else {
			widest = 1<<31 - 1
		}
	}
	v.Pulse.Beat(untold)
}

// shift books a job's new place and gives back what of the old one is not in it.
func (c *CountedConservative) shift(procs int32, limit, at, old model.Time) {
	end := at + limit
	c.free.Add(at, min(old, end), -procs)
	c.free.Add(max(old, end), old+limit, procs)
}

// chain is scratch of follow.
type chain struct {
	strip resource.Counts
	old   []model.Time // places that were left, ascending
	new   []model.Time // places that were taken, ascending
	turn  int32        // grows with each move of a pass
	last  model.Time   // before it the kind finds nothing more
}

// follow moves a job to a start, and those that ask for the same and stand next behind
// it: all that stand there side by side, or as many as there are up to one that stays.
// It returns how many of these were gone through, and before when something that has
// become free begins.
//
// Nobody of another kind comes between them, and mostly each takes the place that one
// before it has left. So they are moved on a copy of what is free up to the last one's
// start, and of the places that were left and taken the profile learns the difference.
func (c *CountedConservative) follow(i int, at, freed model.Time) (int, model.Time) {
	t, is := &c.chain, c.planned[i]
	t.old, t.new, t.last = append(t.old[:0], is.start), append(t.new[:0], at), at
	freed = max(freed, is.start+is.limit)
	c.planned[i].start = at
	c.lead(i)
	done := 0
	for most, all := 8, true; all; most *= 2 {
		n := 0
		for _, p := range c.planned[i+1+done:] {
			if n == most || p.procs != is.procs || p.limit != is.limit {
				break
			}
			n++
		}
		if n == 0 {
			break
		}
		all, freed = c.together(i+1+done, n, freed)
		done += n
	}
	for k := range t.new {
		c.shift(is.procs, is.limit, t.new[k], t.old[k])
	}
	return done, freed
}

// together moves n jobs of a kind that stand side by side, and says whether the last
// was moved, and before when something that has become free begins.
func (c *CountedConservative) together(i, n int, freed model.Time) (moved bool, before model.Time) {
	t := &c.chain
	jobs := c.planned[i : i+n]
	procs, limit, last := jobs[0].procs, jobs[0].limit, jobs[n-1].start
	if last > t.last {
		c.free.Strip(&t.strip, t.last, last)
		for k, at := range t.new { // what the profile has still to learn
			t.strip.Add(max(at, t.last), min(at+limit, last), -procs)
			t.strip.Add(max(t.old[k], t.last), min(t.old[k]+limit, last), procs)
		}
	}
	for k := range jobs {
		p := &jobs[k]
		moved = false
		if t.last >= min(p.start, freed) {
			continue
		}
		at := t.strip.FitBetween(procs, limit, t.last, p.start)
		if at >= min(p.start, freed) {
			t.last = p.start
			t.strip.Advance(t.last)
			continue
		}
		end := at + limit
		t.strip.Add(at, min(p.start, end), -procs)
		t.strip.Add(max(p.start, end), min(p.start+limit, last), procs)
		freed = max(freed, p.start+limit)
		t.old, t.new = append(t.old, p.start), append(t.new, at)
		t.last = at
		t.strip.Advance(at)
		p.start = at
		c.lead(i + k)
		moved = true
	}
	t.settle()
	return moved, freed
}

// settle leaves out what was both left and taken: there all is as it was.
func (t *chain) settle() {
	o, m := 0, 0
	for a, b := 0, 0; a < len(t.new) || b < len(t.old); {
		switch {
		case a < len(t.new) && b < len(t.old) && t.new[a] == t.old[b]:
			a, b = a+1, b+1
		case b == len(t.old) || a < len(t.new) && t.new[a] < t.old[b]:
			t.new[m] = t.new[a]
			a, m = a+1, m+1
		default:
			t.old[o] = t.old[b]
			b, o = b+1, o+1
		}
	}
	t.new, t.old = t.new[:m], t.old[:o]
}
