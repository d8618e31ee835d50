package sim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/resource"
)

// The failures that last are noted as they come and go, and at every instant are
// those that the whole calendar has; so is the next end of an entry that is known. A job that a machine with 200,000 failures
// never lets end took hours while the calendar was gone through at each of them:
// found by a mutated log.
func TestFailuresNoted(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 5))
		p := &model.Platform{}
		for range 1 + rng.IntN(40) {
			from := model.Time(rng.IntN(60))
			p.Calendar = append(p.Calendar, model.CalendarEntry{Kind: []model.CalendarKind{model.KindOutage, model.KindFailure}[rng.IntN(2)], From: from, To: from + model.Time(rng.IntN(20))})
		}
		r := &siteRun{v: &View{Site: &resource.Site{Platform: p}}, turns: turns(p), ends: ends(p), m: &Simulator{}}
		r.v.run = r
		for len(r.turns) > 0 {
			r.v.Now = r.turns[0].at
			r.note()
			var plain []int32
			for i := range p.Calendar {
				if c := &p.Calendar[i]; c.Kind == model.KindFailure && c.From <= r.v.Now && r.v.Now < c.To {
					plain = append(plain, int32(i))
				}
			}
			if !slices.Equal(plain, r.failures) {
				t.Fatalf("seed %d at %d: %v, the calendar has %v", seed, r.v.Now, r.failures, plain)
			}
			next := model.Never
			for i := range p.Calendar {
				if c := &p.Calendar[i]; r.v.Known(c) && c.To > r.v.Now {
					next = min(next, c.To)
				}
			}
			if got := r.v.Eases(); got != next {
				t.Fatalf("seed %d at %d: something ends at %d, the calendar has %d", seed, r.v.Now, got, next)
			}
			for len(r.turns) > 0 && r.turns[0].at <= r.v.Now {
				r.turns = r.turns[1:]
			}
		}
	}
}
