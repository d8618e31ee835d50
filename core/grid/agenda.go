package grid

import (
	"cmp"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// event is something that the scheduler has to do at a time to come.
type event struct {
	at       model.Time
	kind     eventKind
	job      model.JobID // −1: none
	provider int32
}

type eventKind uint8

// Kinds of event, in the order in which they count at one instant.
const (
	eventEnd   eventKind = iota // a reservation's job is stopped if it still runs
	eventOver                   // processors that were booked become free without a completion
	eventBegin                  // a reservation begins
)

// agenda holds the events to come. One whose job has gone on since is passed over when it
// comes up.
type agenda = sim.Agenda[event]

// Before implements the order of an agenda.
func (e event) Before(f event) bool {
	if e.at != f.at {
		return e.at < f.at
	}
	return cmp.Or(cmp.Compare(e.kind, f.kind), cmp.Compare(e.provider, f.provider), cmp.Compare(e.job, f.job)) < 0
}
