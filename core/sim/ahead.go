//go:build !small

package sim

// Ahead says whether this build knows counted simulations beside reservations and
// calendars (CountedView.Ahead), which plain experiments do not have.
const Ahead = true
