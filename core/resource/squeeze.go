package resource

import "batchlab/core/model"

// beatAfter is how many steps of compression are told to sim.Pulse at once.
const beatAfter = 1 << 10

// deepAbove is how many planned jobs there are at least for kinds of them to be told apart.
var deepAbove = 64

// gapAbove is how many there are at least for it to pay to ask for the next step that is
// wide enough for a kind.
var gapAbove = 1000

// Planned is a waiting job with a planned start on interchangeable processors.
type Planned struct {
	Start, Limit model.Time
	Procs        int32
	Job          model.JobID
	Kind         int32 // for Kinds; −1 at the beginning
}

// Before says whether a job stands in front of another: by planned start, then
// submission.
func (p *Planned) Before(q *Planned) bool {
	return p.Start < q.Start || p.Start == q.Start && p.Job < q.Job
}

// Squeeze moves planned jobs to earlier starts: the compression of conservative
// backfilling (rule 9). The zero value is ready for one simulation after another; see
// Reset.
type Squeeze struct {
	kinds   Kinds
	free    *Long
	planned []Planned
	chain   chain
}

// Reset forgets what is known of kinds.
func (c *Squeeze) Reset() { c.kinds.Reset() }

// Progress is told of work that takes long; false ends it.
type Progress interface{ Beat(steps int) bool }

// Compress moves jobs, in order of (start, job), whose places the profile holds, each
// to its earliest fit beside all others. Before the last gains, which begin before
// freed, none could move. It returns how many have moved, and before when what has
// become free in the end begins. Each job that is tried costs so many steps.
//
// In a long queue most jobs stand beside others of their kind, of as many processors
// and the same request. Where no step of the profile has as many processors up to a
// job's start, it stays without a search; and where one moves, those of its kind that
// stand next behind it are moved together (see follow).
func (c *Squeeze) Compress(free *Long, jobs []Planned, freed model.Time, steps int, pulse Progress) (int, model.Time) {
	c.free, c.planned = free, jobs
	widest := c.free.MostBefore(freed)
	moved, untold := 0, 0
	now, _ := c.free.Now()
	deep, gaps := len(c.planned) > deepAbove, len(c.planned) > max(deepAbove, gapAbove)
	if deep {
		c.kinds.Begin()
		c.chain.turn = 1
	}
	known := Known{Since: now, Gap: now}
	k, of := &known, Planned{}
	for i := 0; i < len(c.planned); i++ {
		p := &c.planned[i]
		if p.Procs > widest {
			continue
		}
		if deep {
			if p.Procs != of.Procs || p.Limit != of.Limit {
				k, of = c.kinds.Of(&p.Kind, 0, p.Procs, p.Limit, now), *p
			}
			if k.Since >= min(p.Start, freed) || k.Turn == c.chain.turn && p.Start <= k.Gap {
				continue
			}
		}
		if untold += steps; untold >= beatAfter {
			if !pulse.Beat(untold) {
				return moved, freed
			}
			untold = 0
		}
		if gaps && k.Turn != c.chain.turn {
			if k.Turn, k.Gap = c.chain.turn, c.free.Next(p.Procs, k.Since); p.Start <= k.Gap {
				continue
			}
		}
		at, ok := c.free.FitBetween(p.Procs, p.Limit, k.Since, p.Start, freed)
		if !ok {
			if deep {
				if k.Since = p.Start; gaps {
					k.Gap = c.free.Next(p.Procs, k.Since)
				}
			}
			continue
		}
		moved++
		if next := i + 1; !deep || next == len(c.planned) || c.planned[next].Procs != p.Procs || c.planned[next].Limit != p.Limit {
			if c.chain.turn++; deep {
				k.Since = at
			}
			c.free.Move(p.Procs, p.Limit, at, p.Start)
			freed = max(freed, p.Start+p.Limit)
			p.Start = at
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
	pulse.Beat(untold)
	return moved, freed
}

// Move books processors for a length of time from a new start on, and gives back what of
// the old booking, from another start on, is not in it.
func (c *Long) Move(procs int32, length, to, from model.Time) {
	end := to + length
	c.Add(to, min(from, end), -procs)
	c.Add(max(from, end), from+length, procs)
}

// Moves is Move for each of as many pairs of starts, of which there are no fewer from than
// to; equal pairs that follow one another, as those of an array do, are moved at once.
func (c *Long) Moves(procs int32, length model.Time, to, from []model.Time) {
	for k, n := 0, 0; k < len(to); k += n {
		for n = 1; k+n < len(to) && to[k+n] == to[k] && from[k+n] == from[k]; n++ {
		}
		c.Move(int32(n)*procs, length, to[k], from[k])
	}
}

// chain is scratch of follow.
type chain struct {
	strip Counts
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
func (c *Squeeze) follow(i int, at, freed model.Time) (int, model.Time) {
	t, is := &c.chain, c.planned[i]
	t.old, t.new, t.last = append(t.old[:0], is.Start), append(t.new[:0], at), at
	freed = max(freed, is.Start+is.Limit)
	c.planned[i].Start = at
	c.lead(i)
	done := 0
	for most, all := 8, true; all; most *= 2 {
		n := 0
		for _, p := range c.planned[i+1+done:] {
			if n == most || p.Procs != is.Procs || p.Limit != is.Limit {
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
	c.free.Moves(is.Procs, is.Limit, t.new, t.old)
	return done, freed
}

// together moves n jobs of a kind that stand side by side, and says whether the last
// was moved, and before when something that has become free begins.
func (c *Squeeze) together(i, n int, freed model.Time) (moved bool, before model.Time) {
	t := &c.chain
	jobs := c.planned[i : i+n]
	procs, limit, last := jobs[0].Procs, jobs[0].Limit, jobs[n-1].Start
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
		if t.last >= min(p.Start, freed) {
			continue
		}
		at := t.strip.FitBetween(procs, limit, t.last, p.Start)
		if at >= min(p.Start, freed) {
			t.last = p.Start
			t.strip.Advance(t.last)
			continue
		}
		end := at + limit
		t.strip.Add(at, min(p.Start, end), -procs)
		t.strip.Add(max(p.Start, end), min(p.Start+limit, last), procs)
		freed = max(freed, p.Start+limit)
		t.old, t.new = append(t.old, p.Start), append(t.new, at)
		t.last = at
		t.strip.Advance(at)
		p.Start = at
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

// lead moves a job that starts earlier than before to its place among those in front,
// of which it mostly passes few.
func (c *Squeeze) lead(i int) {
	p := c.planned[i]
	for ; i > 0 && p.Before(&c.planned[i-1]); i-- {
		c.planned[i] = c.planned[i-1]
	}
	c.planned[i] = p
}
