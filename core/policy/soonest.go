package policy

import "batchlab/core/model"

// soonest are the running jobs by requested end, as running holds them, of which only those
// are put in order that a shadow time has needed: while nobody waits none are. The others
// stand in a heap, and who ends before its request is only marked there.
type soonest struct {
	front []runningJob // ascending by end
	rest  []runningJob // a heap by end, all later than those in front; some of them over
	over  []bool       // by job: it stands in the rest and has ended
	stale int          // such jobs
}

func (e *soonest) reset(n int) {
	e.front, e.rest, e.stale = e.front[:0], e.rest[:0], 0
	e.over = resize(e.over, n)
	clear(e.over)
}

// ahead says whether a job with a requested end stands, or would stand, in front.
func (e *soonest) ahead(end model.Time) bool {
	n := len(e.front)
	return n > 0 && end <= e.front[n-1].end
}

// add takes note of a job that holds procs until its requested end.
func (e *soonest) add(end model.Time, procs int32, j model.JobID) {
	one := runningJob{end, procs, j}
	if e.ahead(end) {
		i := len(e.front)
		e.front = append(e.front, one)
		for ; i > 0 && e.front[i-1].end > end; i-- {
			e.front[i] = e.front[i-1]
		}
		e.front[i] = one
		return
	}
	i := len(e.rest)
	e.rest = append(e.rest, one)
	for ; i > 0 && e.rest[(i-1)/2].end > end; i = (i - 1) / 2 {
		e.rest[i] = e.rest[(i-1)/2]
	}
	e.rest[i] = one
}

// remove forgets job j with that requested end.
func (e *soonest) remove(end model.Time, j model.JobID) {
	if e.ahead(end) {
		i := 0
		for e.front[i].job != j {
			i++
		}
		e.front = e.front[:i+copy(e.front[i:], e.front[i+1:])]
		return
	}
	e.over[j] = true
	if e.stale++; e.stale > 32 && e.stale > len(e.rest)/2 {
		e.sweep()
	}
}

// sweep takes out of the rest who is over.
func (e *soonest) sweep() {
	n := 0
	for _, r := range e.rest {
		if !e.over[r.job] {
			e.rest[n] = r
			n++
		}
	}
	e.rest, e.stale = e.rest[:n], 0
	for i := n/2 - 1; i >= 0; i-- {
		e.down(i)
	}
}

// down puts the element at a position of the heap where it belongs.
func (e *soonest) down(i int) {
	s := e.rest
	one := s[i]
	for child := 2*i + 1; child < len(s); child = 2*i + 1 {
		if child+1 < len(s) && s[child+1].end < s[child].end {
			child++
		}
		if one.end <= s[child].end {
			break
		}
		s[i] = s[child]
		i = child
	}
	s[i] = one
}

// more brings those that end next to the front, and says whether there were any.
func (e *soonest) more() bool {
	for found := false; ; {
		if len(e.rest) == 0 || found && e.rest[0].end > e.front[len(e.front)-1].end {
			return found
		}
		first, n := e.rest[0], len(e.rest)-1
		e.rest[0] = e.rest[n]
		if e.rest = e.rest[:n]; n > 1 {
			e.down(0)
		}
		if e.over[first.job] {
			e.stale--
			continue
		}
		e.front, found = append(e.front, first), true
	}
}

// shadow is running.shadow.
func (e *soonest) shadow(free, procs int32) (at model.Time, extra int32) {
	for i := 0; ; i++ {
		if i == len(e.front) && (free >= procs || !e.more()) {
			break
		}
		r := &e.front[i]
		if free >= procs && r.end > at {
			break
		}
		at = r.end
		free += r.procs
	}
	return at, free - procs
}

// sorted returns all in order.
func (e *soonest) sorted() (all running) {
	for _, list := range [...][]runningJob{e.front, e.rest} {
		for _, r := range list {
			if !e.over[r.job] {
				all.add(r.end, r.procs, r.job)
			}
		}
	}
	return all
}
