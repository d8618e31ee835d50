package resource

import (
	"math/bits"

	"batchlab/core/model"
)

// Sets says which processors are free from each point in time on: the structure
// CARTS-SR ("specific resources") of Kurowski et al. 2011, section 3.5, for
// providers that bind a reservation to named processors when they accept it. A
// booking then needs processors that are free during all of it, not only enough
// of them at each time. The zero value needs a Reset.
type Sets struct {
	at    []model.Time
	free  []uint64 // words of each step, one step after the other
	words int
	procs int
	room  []uint64 // scratch
}

// Reset makes all procs processors free from a point in time on.
func (s *Sets) Reset(from model.Time, procs int32) {
	s.procs, s.words = int(procs), (int(procs)+63)/64
	s.at, s.free = append(s.at[:0], from), s.free[:0]
	for i := range s.words {
		word := ^uint64(0)
		if left := s.procs - 64*i; left < 64 {
			word = 1<<left - 1
		}
		s.free = append(s.free, word)
	}
	s.room = make([]uint64, s.words)
}

// Advance forgets what lies before now. Times never go back.
func (s *Sets) Advance(now model.Time) {
	n := 0
	for n+1 < len(s.at) && s.at[n+1] <= now {
		n++
	}
	if n > 64 || n > 0 && n > len(s.at)/2 {
		s.at = s.at[:copy(s.at, s.at[n:])]
		s.free = s.free[:copy(s.free, s.free[n*s.words:])]
	}
	s.at[0] = max(s.at[0], min(now, s.next(0)-1))
}

// next returns where step i ends.
func (s *Sets) next(i int) model.Time {
	if i+1 == len(s.at) {
		return model.Never
	}
	return s.at[i+1]
}

// step returns the free processors of step i.
func (s *Sets) step(i int) []uint64 { return s.free[i*s.words : (i+1)*s.words] }

// find returns the step that holds during t; the first for what is past.
func (s *Sets) find(t model.Time) int {
	lo, hi := 0, len(s.at)
	for hi-lo > 1 {
		if mid := int(uint(lo+hi) >> 1); s.at[mid] <= t {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// split makes a step begin at t, which is not in the past, and returns it.
func (s *Sets) split(t model.Time) int {
	i := s.find(t)
	if s.at[i] >= t {
		return i
	}
	s.at = append(s.at, 0)
	copy(s.at[i+2:], s.at[i+1:])
	s.at[i+1] = t
	s.free = append(s.free, s.room...)
	copy(s.free[(i+2)*s.words:], s.free[(i+1)*s.words:])
	copy(s.step(i+1), s.step(i))
	return i + 1
}

// Take books processors during [from, to).
func (s *Sets) Take(from, to model.Time, which []uint64) { s.change(from, to, which, true) }

// TakeHighest books, at each time of [from, to), so many of the processors that are
// free then, those with the highest numbers; all where there are fewer.
func (s *Sets) TakeHighest(from, to model.Time, procs int32) {
	if from = max(from, s.at[0]); from >= to {
		return
	}
	first := s.split(from)
	for i, end := first, s.split(to); i < end; i++ {
		step, left := s.step(i), procs
		for w := len(step) - 1; w >= 0; w-- {
			for ; left > 0 && step[w] != 0; left-- {
				step[w] &^= 1 << (bits.Len64(step[w]) - 1)
			}
		}
	}
}

// Give frees processors during [from, to).
func (s *Sets) Give(from, to model.Time, which []uint64) { s.change(from, to, which, false) }

func (s *Sets) change(from, to model.Time, which []uint64, take bool) {
	if from = max(from, s.at[0]); from >= to {
		return
	}
	first := s.split(from)
	end := s.split(to)
	for i := first; i < end; i++ {
		step := s.step(i)
		for w := range step {
			if take {
				step[w] &^= which[w]
			} else {
				step[w] |= which[w]
			}
		}
	}
}

// Room returns the processors that are free during all of [from, to), valid
// until the next call, and how many they are.
func (s *Sets) Room(from, to model.Time) ([]uint64, int32) {
	i := s.find(from)
	copy(s.room, s.step(i))
	for i++; i < len(s.at) && s.at[i] < to; i++ {
		for w, word := range s.step(i) {
			s.room[w] &= word
		}
	}
	n := 0
	for _, word := range s.room {
		n += bits.OnesCount64(word)
	}
	return s.room, int32(n)
}

// Search returns the earliest start within ⟨ready, deadline⟩ at which procs
// named processors are free for length ≥ 1 seconds, and whether there is one.
// Only ready and the starts of steps need a look: within a step what is free
// does not change, and a later end can only lose processors.
func (s *Sets) Search(ready, deadline model.Time, procs int32, length model.Time) (model.Time, bool) {
	start := max(ready, s.at[0])
	for i := s.find(start); start+length <= deadline; i++ {
		if _, n := s.Room(start, start+length); n >= procs {
			return start, true
		}
		if i+1 == len(s.at) {
			return 0, false
		}
		start = s.at[i+1]
	}
	return 0, false
}

// Feasible appends all starts within ⟨ready, deadline⟩ at which procs named
// processors are free for length ≥ 1 seconds, as Counts.Feasible does: within a
// step a later start can only lose processors at its end, so that the last one
// is found by halving.
func (s *Sets) Feasible(out []Starts, ready, deadline model.Time, procs int32, length model.Time) []Starts {
	fits := func(at model.Time) bool {
		_, n := s.Room(at, at+length)
		return n >= procs
	}
	from := max(ready, s.at[0])
	for i := s.find(from); from+length <= deadline; i++ {
		if fits(from) {
			lo, hi := from, min(s.next(i)-1, deadline-length)
			for lo < hi {
				if mid := lo + (hi-lo+1)/2; fits(mid) {
					lo = mid
				} else {
					hi = mid - 1
				}
			}
			if n := len(out); n > 0 && out[n-1].To+1 == from {
				out[n-1].To = lo
			} else {
				out = append(out, Starts{from, lo})
			}
		}
		if i+1 == len(s.at) {
			break
		}
		from = s.at[i+1]
	}
	return out
}

// Lowest appends to out, which is cleared, the procs processors with the lowest
// numbers of a set that has as many.
func Lowest(out, set []uint64, procs int32) []uint64 {
	out = append(out[:0], set...)
	for w := range out {
		if n := int32(bits.OnesCount64(out[w])); n <= procs {
			procs -= n
			continue
		}
		word := out[w]
		for range procs {
			word &= word - 1
		}
		out[w] &^= word
		procs = 0
	}
	return out
}

// CopyFrom makes s equal to t, which is left as it is.
func (s *Sets) CopyFrom(t *Sets) {
	s.at, s.free = append(s.at[:0], t.at...), append(s.free[:0], t.free...)
	s.words, s.procs = t.words, t.procs
	if len(s.room) != t.words {
		s.room = make([]uint64, t.words)
	}
}
