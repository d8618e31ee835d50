package grid

import (
	"cmp"

	"batchlab/core/model"
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

// agenda is a heap of events. An event whose job has gone on since is passed
// over when it comes up.
type agenda []event

func (e event) before(f event) bool {
	if e.at != f.at {
		return e.at < f.at
	}
	return cmp.Or(cmp.Compare(e.kind, f.kind), cmp.Compare(e.provider, f.provider), cmp.Compare(e.job, f.job)) < 0
}

func (a *agenda) push(e event) {
	h := append(*a, e)
	i := len(h) - 1
	for ; i > 0 && e.before(h[(i-1)/2]); i = (i - 1) / 2 {
		h[i] = h[(i-1)/2]
	}
	h[i] = e
	*a = h
}

func (a *agenda) pop() event {
	h := *a
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*a = h
	if len(h) == 0 {
		return top
	}
	i := 0
	for {
		c := 2*i + 1
		if c >= len(h) {
			break
		}
		if c+1 < len(h) && h[c+1].before(h[c]) {
			c++
		}
		if !h[c].before(last) {
			break
		}
		h[i] = h[c]
		i = c
	}
	h[i] = last
	return top
}
