package search

// Order is a solution that is an order of elements: what a Climb changes.
type Order interface {
	Len() int
	Swap(i, k int)
	// Value is that of the order as it is; smaller is better.
	Value() int64
}

// Bounded is an Order that knows without working it out what cannot be better.
// A Climb of it goes the same way as one that asks for every value.
type Bounded interface {
	Order
	// Open says whether an exchange of element i, or of one behind it, with a later
	// one could give less than limit, which is at most the value of the order.
	Open(i int, limit int64) bool
	// Swapped returns the value of the order with i < k exchanged if it is less
	// than limit, and otherwise any value that is not.
	Swapped(i, k int, limit int64) int64
}

// Climbed says what a Climb has done.
type Climbed struct {
	Value       int64 // of the order at the end, the best that was found
	Steps       int   // swaps that were kept
	Evaluations int   // orders that were compared: those that a bound rules out count as well
}

// Climb is steepest ascent: of all swaps of two elements it keeps the best, the
// first of equals, and begins again, until none improves the order (J. Skrinarova
// et al. 2013, figure 4 and steps 4 and 5). most bounds the evaluations; 0: none.
// Where the bound ends it, the best swap up to there is kept.
func Climb(o Order, most int) Climbed {
	c := Climbed{Value: o.Value(), Evaluations: 1}
	bounded, _ := o.(Bounded)
	for {
		best, at, with := c.Value, -1, -1
		n, full := o.Len(), false
		for i := 0; i < n && !full; i++ {
			if bounded != nil && !bounded.Open(i, best) {
				rest := (n - i) * (n - 1 - i) / 2
				if full = most > 0 && rest > 0 && c.Evaluations+rest > most; full {
					rest = max(0, most-c.Evaluations)
				}
				c.Evaluations += rest
				break
			}
			for k := i + 1; k < n; k++ {
				if full = most > 0 && c.Evaluations >= most; full {
					break
				}
				c.Evaluations++
				if v := swapped(o, bounded, i, k, best); v < best {
					best, at, with = v, i, k
				}
			}
		}
		if at < 0 {
			return c
		}
		o.Swap(at, with)
		c.Value = best
		if c.Steps++; full {
			return c
		}
	}
}

// swapped returns the value with two elements exchanged.
func swapped(o Order, b Bounded, i, k int, limit int64) int64 {
	if b != nil {
		return b.Swapped(i, k, limit)
	}
	o.Swap(i, k)
	v := o.Value()
	o.Swap(i, k)
	return v
}
