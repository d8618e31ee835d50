package reserve

import (
	"cmp"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// event is something that the desk has to do at a time to come.
type event struct {
	at   model.Time
	kind eventKind
	job  model.JobID
}

type eventKind uint8

// Kinds of event, in the order in which they count at one instant.
const (
	eventEnd   eventKind = iota // a reservation's job is stopped if it still runs
	eventOver                   // what was kept becomes free
	eventHold                   // a booking begins before its job
	eventBegin                  // a reservation's job begins
)

// agenda holds the events to come. One whose job has gone on since is passed over when it
// comes up.
type agenda = sim.Agenda[event]

// Before implements the order of an agenda.
func (e event) Before(f event) bool {
	if e.at != f.at {
		return e.at < f.at
	}
	return cmp.Or(cmp.Compare(e.kind, f.kind), cmp.Compare(e.job, f.job)) < 0
}
