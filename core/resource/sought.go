package resource

import "batchlab/core/model"

// Sought looks for places in a Long, and remembers where it has looked in vain: who asks
// for as much for as long looks there again only as far as something has become free
// since. The zero value needs a Reset.
type Sought struct {
	kinds []soughtKind // by a hash of what is asked for; the last one stays
	freed []freedUntil // what has become free: those that end later than all since
	turn  int32        // how often something has
}

// soughtKind says that no place of a kind begins in [from, found), by what was free at a
// turn.
type soughtKind struct {
	procs               int32
	turn                int32
	length, from, found model.Time
}

// freedUntil is that something became free up to a time.
type freedUntil struct {
	turn int32
	to   model.Time
}

const soughtKinds = 1 << 10

// Reset forgets all.
func (s *Sought) Reset() {
	if s.kinds == nil {
		s.kinds = make([]soughtKind, soughtKinds)
	}
	clear(s.kinds)
	s.freed, s.turn = s.freed[:0], 0
}

// Freed is to be told whenever something becomes free up to a time.
func (s *Sought) Freed(to model.Time) {
	n := len(s.freed)
	for n > 0 && s.freed[n-1].to <= to {
		n--
	}
	s.turn++
	s.freed = append(s.freed[:n], freedUntil{s.turn, to})
}

// since returns up to when something has become free since a turn; 0: nothing has.
func (s *Sought) since(turn int32) model.Time {
	lo, hi := 0, len(s.freed)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); s.freed[mid].turn <= turn {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(s.freed) {
		return -model.Never
	}
	return s.freed[lo].to
}

// FitFrom is Long.FitFrom of a profile in which more has become free only where Freed was
// told so.
func (s *Sought) FitFrom(c *Long, procs int32, length, from model.Time) model.Time {
	if len(c.spans) == 0 {
		return c.flat.FitFrom(procs, length, from)
	}
	hash := uint64(length)*0x9e3779b97f4a7c15 + uint64(procs)*0xc2b2ae3d27d4eb4f
	k := &s.kinds[hash>>54%soughtKinds]
	begin := from
	if k.procs == procs && k.length == length && from < k.found {
		if again := min(k.found, max(s.since(k.turn), k.from)); again > from {
			if at, ok := c.FitBetween(procs, length, from, model.Never, again); ok {
				k.turn, k.from = s.turn, again
				return at
			}
		}
		begin = k.found
	}
	at := c.FitFrom(procs, length, begin)
	*k = soughtKind{procs, s.turn, length, from, at}
	return at
}
