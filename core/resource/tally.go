package resource

// tally, in tests, counts elementary work: steps of profiles and nodes that searches
// and bookings look at. nil: nobody counts.
var tally *int64

// Tally lets all searches and bookings of this package count there what they look at,
// until it is called again; nil ends it. It is for tests that bound work without a
// clock, while nothing else simulates.
func Tally(n *int64) { tally = n }

// visit counts elementary work. Code of other packages that searches by itself calls
// Visit.
func visit(n int) {
	if tally != nil {
		*tally += int64(n) + 1
	}
}

// Visit counts elementary work that another package does by itself, as searches here
// do.
func Visit(n int) { visit(n) }
