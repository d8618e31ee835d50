package resource

import (
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
)

// Intent: who remembers where it has looked in vain finds the same places as who looks
// everywhere each time, as bookings come, are given back early and time goes on.
func TestSoughtFindsTheSame(t *testing.T) {
	type held struct {
		from, to model.Time
		procs    int32
	}
	deep := 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 5))
		const procs = 40
		var c Long
		var s Sought
		c.Reset(0, procs)
		s.Reset()
		now := model.Time(0)
		var list []held
		for range 6000 {
			if r.IntN(2) == 0 {
				now += model.Time(r.IntN(12))
				c.Advance(now)
			}
			if n := len(list); n > 0 && r.IntN(3) == 0 { // some of them long over
				i := r.IntN(n)
				b := list[i]
				list[i] = list[n-1]
				list = list[:n-1]
				if from := max(b.from, now); from < b.to {
					c.Add(from, b.to, b.procs)
					s.Freed(b.to)
				}
				continue
			}
			size, length := 1+r.Int32N(4)*3, 1+model.Time(r.IntN(6))*40 // few kinds
			from := now + model.Time(r.IntN(3)*r.IntN(400))
			want := c.FitFrom(size, length, from)
			if got := s.FitFrom(&c, size, length, from); got != want {
				t.Fatalf("seed %d, %d processors for %d s from %d on: %d, looked for everywhere %d", seed, size, length, from, got, want)
			}
			if len(c.spans) > 0 {
				deep++
			}
			if r.IntN(8) > 0 {
				c.Add(want, want+length, -size)
				list = append(list, held{want, want + length, size})
			}
		}
	}
	if deep < 10_000 {
		t.Errorf("only %d places were looked for in long profiles", deep)
	}
}
