package sim

import (
	"batchlab/core/model"
	"batchlab/core/tell"
)

// What a scheduler may offer beside deciding, whatever it sees: V is *View or
// *CountedView.

// Planner is a scheduler with planned starts, which are instants of their own.
type Planner interface {
	// Wake returns the next planned start, or model.Never. It is asked while jobs wait
	// or run.
	Wake() model.Time
}

// Teller is a scheduler that says why: who stands first, what is promised or planned, by
// what it decided. Of that reasons, promises and the steps of a run that is told are made.
// At an instant that is told it is asked after it has decided and before its decisions D
// are carried out. While reasons are recorded it is asked at every instant, after they
// have been carried out and without them, for no more than Facts.Briefly says. One that is
// none is told by its decisions alone; one that notes as it decides uses View.Facts.
type Teller[V, D any] interface {
	Tell(v V, decided D, f *tell.Facts)
}
