package resource

import (
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
)

// cells is the plain twin: one cell of free processors for each second.
type cells []int32

func (c cells) fits(procs int32, from, length model.Time) bool {
	for t := from; t < from+length; t++ {
		if c[t] < procs {
			return false
		}
	}
	return true
}

func (c cells) earliest(now model.Time, procs int32, length model.Time) model.Time {
	for !c.fits(procs, now, length) {
		now++
	}
	return now
}

// The profile agrees with one cell a second through random reservations,
// releases, advances and searches, and its steps always differ.
func TestCountsAgreesWithCells(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 400 {
		const horizon = 4000
		procs := int32(1 + r.IntN(40))
		var p Counts
		p.Reset(0, procs)
		twin := make(cells, 2*horizon)
		for i := range twin {
			twin[i] = procs
		}
		type held struct {
			from, to model.Time
			procs    int32
		}
		var holds []held
		now := model.Time(0)
		for range 60 {
			switch r.IntN(4) {
			case 0:
				now += model.Time(r.IntN(20))
				p.Advance(now)
			case 1: // release the rest of something that is still held
				if len(holds) == 0 {
					continue
				}
				i := r.IntN(len(holds))
				h := holds[i]
				holds = append(holds[:i], holds[i+1:]...)
				from := max(h.from, now)
				p.Add(from, h.to, h.procs)
				for at := from; at < h.to; at++ {
					twin[at] += h.procs
				}
			default:
				q, length := 1+r.Int32N(procs), model.Time(1+r.IntN(80))
				at := p.EarliestFit(q, length)
				if want := twin.earliest(now, q, length); at != want {
					t.Fatalf("earliest fit of %d for %d s is %d, the twin says %d", q, length, at, want)
				}
				if at+length > horizon {
					continue
				}
				p.Add(at, at+length, -q)
				for s := at; s < at+length; s++ {
					twin[s] -= q
				}
				holds = append(holds, held{at, at + length, q})
			}
			last := int32(-1)
			for i := range p.Len() {
				at, free := p.Step(i)
				if free != twin[max(at, now)] || free == last {
					t.Fatalf("step %d at %d has %d free, the twin %d, the step before %d", i, at, free, twin[at], last)
				}
				last = free
			}
		}
		// A job that is planned moves to where it would fit without itself.
		for _, h := range holds {
			if h.from <= now {
				continue
			}
			limit := now + model.Time(r.IntN(200))
			at, ok := p.EarlierFit(h.procs, h.to-h.from, h.from, limit)
			for s := h.from; s < h.to; s++ {
				twin[s] += h.procs
			}
			want := twin.earliest(now, h.procs, h.to-h.from)
			for s := h.from; s < h.to; s++ {
				twin[s] -= h.procs
			}
			if exists := want < min(h.from, limit); exists != ok || ok && at != want {
				t.Fatalf("job %+v could start at %d (before %d: %v), EarlierFit says %d, %v", h, want, limit, exists, at, ok)
			}
		}
	}
}
