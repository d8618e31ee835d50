package reserve

import (
	"cmp"

	"batchlab/core/model"
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

func (e event) compare(f event) int {
	return cmp.Or(cmp.Compare(e.at, f.at), cmp.Compare(e.kind, f.kind), cmp.Compare(e.job, f.job))
}

// agenda holds the events to come, the next one first: a binary heap, since
// thousands of reservations may lie ahead. An event whose job has gone on since is
// passed over when it comes up.
type agenda []event

// push enters an event.
func (a *agenda) push(e event) {
	*a = append(*a, e)
	s := *a
	i := len(s) - 1
	for ; i > 0 && e.compare(s[(i-1)/2]) < 0; i = (i - 1) / 2 {
		s[i] = s[(i-1)/2]
	}
	s[i] = e
}

// pop takes out the next event; there is one.
func (a *agenda) pop() event {
	s := *a
	next, last := s[0], s[len(s)-1]
	s = s[:len(s)-1]
	*a = s
	i := 0
	for child := 1; child < len(s); child = 2*i + 1 {
		if child+1 < len(s) && s[child+1].compare(s[child]) < 0 {
			child++
		}
		if last.compare(s[child]) <= 0 {
			break
		}
		s[i] = s[child]
		i = child
	}
	if len(s) > 0 {
		s[i] = last
	}
	return next
}
