package search

// Order is a solution that is an order of elements: what a Climb changes.
type Order interface {
	Len() int
	Swap(i, k int)
	// Value is that of the order as it is; smaller is better.
	Value() int64
}

// Climbed says what a Climb has done.
type Climbed struct {
	Value       int64 // of the order at the end, the best that was found
	Steps       int   // swaps that were kept
	Evaluations int   // orders whose value was asked for
}

// Climb is steepest ascent: of all swaps of two elements it keeps the best, the
// first of equals, and begins anew, until none improves the order (J. Skrinarova
// et al. 2013, figure 4 and steps 4 and 5). most bounds the evaluations; 0: none.
// Where the bound ends it, the best swap up to there is kept.
func Climb(o Order, most int) Climbed {
	c := Climbed{Value: o.Value(), Evaluations: 1}
	for {
		best, at, with := c.Value, -1, -1
		n, full := o.Len(), false
	neighbours:
		for i := range n {
			for k := i + 1; k < n; k++ {
				if most > 0 && c.Evaluations >= most {
					full = true
					break neighbours
				}
				o.Swap(i, k)
				c.Evaluations++
				if v := o.Value(); v < best {
					best, at, with = v, i, k
				}
				o.Swap(i, k)
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
