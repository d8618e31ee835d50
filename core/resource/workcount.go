package resource

// tally, in tests, counts elementary work: steps of profiles and nodes that searches
// and bookings look at. nil: nobody counts.
var tally *int64

// Tally lets all searches and bookings of this package count there what they look at,
// until it is called again; nil ends it. It is for tests that bound work without a
// clock, while nothing else simulates.
func Tally(n *int64) { tally = n }

// Visit counts elementary work; code of other packages that searches by itself calls
// it, too.
func Visit(n int) {
	if tally != nil {
		*tally += int64(n) + 1
	}
}
