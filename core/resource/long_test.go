package resource

import (
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
)

// The profile in blocks is the flat one, step for step, through random bookings,
// releases, advances and searches, with few steps and with many blocks; and the
// blocks know what their steps hold.
func TestLongAgreesWithCounts(t *testing.T) {
	most, back := 0, 0
	for seed := range uint64(60) {
		r, other := rand.New(rand.NewPCG(seed, 40)), rand.New(rand.NewPCG(seed, 41))
		span := []int{60, 600, 20_000}[seed%3]
		const procs = 50
		var flat Counts
		var long Long
		flat.Reset(0, procs)
		long.Reset(0, procs)
		type hold struct {
			from, to model.Time
			procs    int32
		}
		var holds []hold
		deep := false
		now := model.Time(0)
		for range 2500 {
			switch r.IntN(8) {
			case 0:
				if now += model.Time(r.IntN(1 + span/100)); r.IntN(25) == 0 {
					now += model.Time(2 * span)
				}
				flat.Advance(now)
				long.Advance(now)
			case 1, 2:
				if len(holds) == 0 {
					continue
				}
				k := r.IntN(len(holds))
				h := holds[k]
				holds[k] = holds[len(holds)-1]
				holds = holds[:len(holds)-1]
				if from := max(h.from, now); from < h.to {
					flat.Add(from, h.to, h.procs)
					long.Add(from, h.to, h.procs)
				}
			default:
				n, length, from := 1+r.Int32N(procs), model.Time(1+r.IntN(1+span/8)), now+model.Time(r.IntN(span))
				if r.IntN(3) == 0 {
					length = model.Time(1 + r.IntN(20))
				}
				at := flat.FitFrom(n, length, from)
				if got := long.FitFrom(n, length, from); got != at {
					t.Fatalf("seed %d: %d for %d s from %d: %d, not %d", seed, n, length, from, got, at)
				}
				flat.Add(at, at+length, -n)
				long.Add(at, at+length, -n)
				holds = append(holds, hold{at, at + length, n})
				if h := holds[r.IntN(len(holds))]; h.from > now {
					limit := now + model.Time(r.IntN(span))
					want := flat.FitBetween(h.procs, h.to-h.from, now, h.from)
					got, ok := long.FitBetween(h.procs, h.to-h.from, now, h.from, limit)
					if ok != (want < min(h.from, limit)) || ok && got != want {
						t.Fatalf("seed %d: %+v could begin at %d (%v), not %d", seed, h, got, ok, want)
					}
				}
				a, b := now+model.Time(r.IntN(span)), model.Time(1+r.IntN(span))
				var strip Counts
				long.Strip(&strip, a, a+b)
				next := model.Never
				for i := range flat.Len() {
					at, free := flat.Step(i)
					if free >= n && next == model.Never && (i+1 == flat.Len() || flat.steps[flat.lo+i+1].at > a) {
						next = max(at, a)
					}
				}
				if got := long.Next(n, a); got != next {
					t.Fatalf("seed %d: %d are free next at %d, not %d", seed, n, got, next)
				}
				if at, free := strip.Step(0); at != a || free != flat.Least(a, a+1) {
					t.Fatalf("seed %d: a strip from %d begins with %d at %d", seed, a, free, at)
				}
				if got, want := strip.FitBetween(n, b, a, a+b), flat.FitBetween(n, b, a, a+b); got != want {
					t.Fatalf("seed %d: on a strip %d fit at %d, not %d", seed, n, got, want)
				}
				if got, want := long.Least(a, a+b), flat.Least(a, a+b); got != want {
					t.Fatalf("seed %d: least in [%d, %d) is %d, not %d", seed, a, a+b, got, want)
				}
				if got, want := long.Free(a, a+b, n), flat.Free(a, a+b, n); got != want {
					t.Fatalf("seed %d: %d free in [%d, %d): %v, not %v", seed, n, a, a+b, got, want)
				}
				var x, y Reach
				for range 3 { // the second question looks further than the first
					procs, horizon := 1+other.Int32N(procs), now+model.Time(other.IntN(span))
					if got, want := x.Within(&long, procs, horizon), y.Until(&flat, procs, horizon); got != want {
						t.Fatalf("seed %d: %d free until %d, not %d", seed, procs, got, want)
					}
				}
				if got, want := long.MostBefore(a), flat.MostBefore(a); got != want {
					t.Fatalf("seed %d: most before %d is %d, not %d", seed, a, got, want)
				}
			}
			i := 0
			long.Each(func(at model.Time, free int32) bool {
				if wantAt, want := flat.Step(min(i, flat.Len()-1)); i >= flat.Len() || at != wantAt || free != want {
					t.Fatalf("seed %d: step %d of %d is %d at %d, not %d at %d", seed, i, flat.Len(), free, at, want, wantAt)
				}
				i++
				return true
			})
			if i != flat.Len() {
				t.Fatalf("seed %d: %d steps, not %d", seed, i, flat.Len())
			}
			for k := range long.spans {
				s := long.spans[k]
				if long.bound(&s); s != long.spans[k] {
					t.Fatalf("seed %d: span %d knows %+v, not %+v", seed, k, long.spans[k], s)
				}
			}
			if n := len(long.spans); n == 0 && deep {
				back++
			} else {
				most = max(most, n)
			}
			deep = len(long.spans) > 0
		}
	}
	if most < 8 || back < 3 {
		t.Errorf("at most %d blocks, %d times made flat again: the test is one-sided", most, back)
	}
}
