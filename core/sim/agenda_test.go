package sim

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// number is an event of an agenda.
type number int

func (n number) Before(m number) bool { return n < m }

// Intent: an agenda gives out its events in order, whatever comes in between, as a list
// does that is sorted at each look.
func TestAgendaIsASortedList(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var a Agenda[number]
	var plain []number
	for range 5000 {
		if len(plain) == 0 || rng.IntN(9) < 5 {
			n := number(rng.IntN(300))
			a.Push(n)
			plain = append(plain, n)
			continue
		}
		slices.Sort(plain)
		if a[0] != plain[0] {
			t.Fatalf("%d is next, not %d", a[0], plain[0])
		}
		if n := a.Pop(); n != plain[0] {
			t.Fatalf("%d comes, not %d", n, plain[0])
		}
		if plain = plain[1:]; len(a) != len(plain) {
			t.Fatalf("%d events are left, not %d", len(a), len(plain))
		}
	}
}
