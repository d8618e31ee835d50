package resource

import (
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
)

// bookings draws reservations that together never take more than procs.
func bookings(r *rand.Rand, procs int32, n int, horizon model.Time) ([]Booking, cells) {
	free := make(cells, 3*horizon)
	for i := range free {
		free[i] = procs
	}
	var list []Booking
	for range n {
		from := model.Time(r.Int64N(int64(horizon)))
		b := Booking{from, from + 1 + model.Time(r.IntN(60)), 1 + r.Int32N(procs)}
		if !free.fits(b.Procs, b.From, b.To-b.From) {
			continue
		}
		for t := b.From; t < b.To; t++ {
			free[t] -= b.Procs
		}
		list = append(list, b)
	}
	return list, free
}

// Algorithm 1 gives the free processors of each second, in slots that differ,
// also where bookings touch, start at the beginning or are none; and the same
// slots as adding the bookings one by one.
func TestGenerate(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		procs := 1 + r.Int32N(20)
		list, free := bookings(r, procs, r.IntN(30), 200)
		var c, added Counts
		c.GenerateFrom(0, procs, list)
		added.Reset(0, procs)
		for _, b := range list {
			added.Add(b.From, b.To, -b.Procs)
		}
		if !slices.Equal(c.steps[c.lo:], added.steps[added.lo:]) {
			t.Fatalf("%v\ngenerated %v\nadded     %v", list, c.steps, added.steps)
		}
		for at, want := range free {
			if _, got := c.Step(c.find(model.Time(at))); got != want {
				t.Fatalf("at %d, %d processors are free instead of %d (%v)", at, got, want, list)
			}
		}
	}
}

// ARTS², all feasible starts, what is free in an interval and the longest time
// agree with a search second by second on ten thousand random cases.
func TestSearchAgreesWithSeconds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	found := 0
	for range 10000 {
		const horizon = 150
		procs := 1 + r.Int32N(20)
		list, free := bookings(r, procs, r.IntN(25), horizon)
		var c Counts
		c.GenerateFrom(0, procs, list)
		if r.IntN(2) == 0 {
			c.Advance(model.Time(r.IntN(40)))
		}
		now, _ := c.Step(0)
		ready := model.Time(r.IntN(horizon))
		deadline := ready + model.Time(r.IntN(2*horizon-10))
		need, length := 1+r.Int32N(procs+1), model.Time(1+r.IntN(80))
		var plain []model.Time
		for at := max(ready, now); at+length <= deadline; at++ {
			if free.fits(need, at, length) {
				plain = append(plain, at)
			}
		}
		at, ok := c.Search(ready, deadline, need, length)
		if ok != (len(plain) > 0) || ok && at != plain[0] {
			t.Fatalf("%v, ⟨%d, %d⟩, %d processors for %d s: got %d %v, want %v", list, ready, deadline, need, length, at, ok, plain)
		}
		var all []model.Time
		last := model.Time(-2)
		for _, s := range c.Feasible(nil, ready, deadline, need, length) {
			if s.From <= last+1 {
				t.Fatalf("windows touch: %v", s)
			}
			for last = s.From; last <= s.To; last++ {
				all = append(all, last)
			}
			last--
		}
		if !slices.Equal(all, plain) {
			t.Fatalf("%v, ⟨%d, %d⟩, %d processors for %d s: feasible %v, want %v", list, ready, deadline, need, length, all, plain)
		}
		from := max(now, ready)
		least, long := procs, model.Time(0)
		for s := from; s < from+length; s++ {
			least = min(least, free[s])
		}
		for from+long < from+length && free[from+long] >= need {
			long++
		}
		if got := c.Least(from, from+length); got != least || c.Free(from, from+length, need) != (least >= need) {
			t.Fatalf("least %d, want %d", got, least)
		}
		var reach Reach
		until := now
		for int(until) < len(free) && free[until] >= need {
			until++
		}
		for _, horizon := range []model.Time{now + 1, now + model.Time(r.IntN(len(free)-int(now))), model.Time(len(free))} { // further and further
			if got := reach.Until(&c, need, horizon); got != min(until, max(horizon, now)) {
				t.Fatalf("free until %d, want %d, before %d", got, until, horizon)
			}
		}
		if got := c.Longest(from, from+length, need); got != long {
			t.Fatalf("longest %d, want %d", got, long)
		}
		if ok {
			found++
		}
	}
	if found < 3000 || found > 9500 {
		t.Errorf("%d of 10000 cases have a start: the test is one-sided", found)
	}
}

// Named processors agree with one set a second; where only dynamic binding can
// accept, counts find a start and sets find none.
func TestSetsAgreeWithSeconds(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	onlyCounts := 0
	for range 3000 {
		const horizon = 120
		procs := 1 + r.Int32N(70)
		var s Sets
		var c Counts
		s.Reset(0, procs)
		c.Reset(0, procs)
		words := (procs + 63) / 64
		taken := make([][]uint64, 3*horizon) // by second
		for i := range taken {
			taken[i] = make([]uint64, words)
		}
		free := func(from, length model.Time) []uint64 {
			set := make([]uint64, words)
			for p := range procs {
				busy := false
				for at := from; at < from+length; at++ {
					busy = busy || taken[at][p/64]>>(p%64)&1 == 1
				}
				if !busy {
					set[p/64] |= 1 << (p % 64)
				}
			}
			return set
		}
		for range 12 {
			ready := model.Time(r.IntN(horizon))
			deadline := ready + model.Time(r.IntN(horizon))
			need, length := 1+r.Int32N(procs), model.Time(1+r.IntN(50))
			want, there := model.Time(0), false
			for at := ready; at+length <= deadline && !there; at++ {
				n := int32(0)
				for _, w := range free(at, length) {
					for ; w != 0; w &= w - 1 {
						n++
					}
				}
				if n >= need {
					want, there = at, true
				}
			}
			at, ok := s.Search(ready, deadline, need, length)
			if ok != there || ok && at != want {
				t.Fatalf("got %d %v, want %d %v", at, ok, want, there)
			}
			feasible := map[model.Time]bool{}
			for _, v := range s.Feasible(nil, ready, deadline, need, length) {
				for x := v.From; x <= v.To; x++ {
					feasible[x] = true
				}
			}
			for at := ready; at+length <= deadline; at++ {
				if _, n := s.Room(at, at+length); feasible[at] != (n >= need) {
					t.Fatalf("start %d is feasible: %v, %d of %d are free", at, feasible[at], n, need)
				}
			}
			if byCount, possible := c.Search(ready, deadline, need, length); possible && (!ok || byCount < at) {
				onlyCounts++
			}
			if !ok {
				continue
			}
			room, _ := s.Room(at, at+length)
			if !slices.Equal(room, free(at, length)) {
				t.Fatalf("room %x, want %x", room, free(at, length))
			}
			which := Lowest(nil, room, need)
			s.Take(at, at+length, which)
			c.Add(at, at+length, -need)
			for x := at; x < at+length; x++ {
				for w := range which {
					taken[x][w] |= which[w]
				}
			}
		}
	}
	if onlyCounts == 0 {
		t.Error("no case in which only dynamic binding finds the earlier start")
	}
}
