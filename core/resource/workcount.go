package resource

// Tally, in tests that bound work without a clock, while nothing else simulates, is where
// elementary work is counted: steps of profiles and nodes that searches and bookings look
// at. nil: nobody counts.
var Tally *int64

// Visit counts elementary work; code of other packages that searches by itself calls
// it, too.
func Visit(n int) {
	if Tally != nil {
		*Tally += int64(n) + 1
	}
}
