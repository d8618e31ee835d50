package tell

import (
	"fmt"

	"batchlab/core/model"
)

// Verdict returns a decision's tag, and how it is marked.
func (d *Decision) Verdict(w *Words) (string, Tone) {
	if d.Tag != "" {
		plain := *d
		plain.Tag = ""
		_, tone := plain.Verdict(w)
		return d.Tag, tone
	}
	switch d.Kind {
	case Starts:
		if d.Over > 0 {
			return "Starts: over the threshold", Good
		}
		return "Starts: its turn", Good
	case Before:
		return "Starts: ends before", Good
	case Beside:
		return "Starts: fits beside", Good
	case Passes:
		return "Starts: passes others", Good
	case Planned:
		switch {
		case d.Was == model.Never:
			return "Starts: at once", Good
		case d.Was > d.At:
			return "Starts: earlier", Good
		}
		return "Starts: as planned", Good
	case Logged, Books:
		return "Starts", Good
	case Stops:
		return "Stops the queue", Bad
	case Head:
		return "The head", Box
	case TooWide:
		return "Waits: too wide now", Plain
	case Apart:
		if d.Lack != nil && d.Lack.What != "processors" {
			return "Waits: " + tooLittle(d.Lack.What), Plain
		}
		return "Waits: not where it could run", Plain
	case Delays:
		if d.Late > 0 {
			return "Waits: would delay the head by " + w.span(d.Late), Bad
		}
		return "Waits: would delay the head", Bad
	case Turn:
		return "Waits: not its turn", Plain
	case Licence:
		return "Waits: licence missing", Bad
	case Limit:
		return "Waits: limit reached", Bad
	case Kept:
		what := "reserved or out of order"
		for i := range d.Taken {
			if d.Taken[i].What != d.Taken[0].What {
				return "Waits: " + what, Plain
			}
		}
		if len(d.Taken) > 0 {
			what = d.Taken[0].What
		}
		return "Waits: " + what, Plain
	case New:
		return "New", Plain
	case Earlier:
		return "Earlier", Good
	case Later:
		return "Later", Bad
	case Stays:
		return "Stays", Plain
	case Outside:
		return "Not planned", Plain
	case Leaves:
		return "Leaves", Plain
	case Reject, Decline:
		return "Turned down", Bad
	case Stop, Suspend, End:
		return "Stopped", Bad
	case Improve, Draft:
		return "Optimiser", Plain
	case Move:
		return "Better", Good
	case Offer:
		return "Offers " + w.time(d.At), Plain
	case Refuses:
		return "Has none", Bad
	case Accept:
		return "Accepted", Good
	case Send:
		return "Sent", Plain
	case Queued:
		return "Waits", Plain
	}
	return "Note", Plain
}

// Words says a waiting job's state in a word, and because of what in a few.
func (q *Waiting) Words(s *Step, w *Words) (state, because string, tone Tone) {
	_, tone = (&Decision{Kind: q.Kind, Promise: Promise{Was: q.Was, At: q.At}}).Verdict(w)
	state = "waits"
	switch q.Kind {
	case Head:
		if state = "head"; q.At == model.Never {
			return state, "nothing says when", tone
		}
		return state, w.time(q.At) + " at the latest", tone
	case Stops:
		if q.Licence != nil {
			break
		}
		return state, fmt.Sprintf("%d free, needs %d: the queue stops", q.Free, q.Procs), tone
	case Starts:
		if q.Over > 0 {
			return "starts", "has waited more than " + w.span(q.Over), tone
		}
		return "starts", "its turn, and it fits", tone
	case Before:
		return "starts", "ends by " + w.time(s.Shadow), tone
	case Beside:
		return "starts", "fits beside the head", tone
	case Passes:
		return "starts", "fits now", tone
	case Planned, Logged, Books:
		return "starts", "its time has come", tone
	case TooWide:
		return state, fmt.Sprintf("%d free, needs %d", q.Free, q.Procs), tone
	case Apart:
		if q.Lack != nil && q.Lack.What != "processors" {
			return state, tooLittle(q.Lack.What), tone
		}
		return state, "not together where it could run", tone
	case Delays:
		if q.Late > 0 {
			return state, "head " + w.span(q.Late) + " later", tone
		}
		return state, "would delay the head", tone
	case Limit:
		return state, "a limit is reached", tone
	case Kept:
		if len(q.Taken) > 0 {
			t := &q.Taken[last(q.Taken)]
			text := t.named()
			if n := len(q.Taken) - 1; n > 0 {
				text += fmt.Sprintf(" and %d more", n)
			}
			return state, text + ", until " + w.time(t.To), tone
		}
		return state, "reserved or out of order", tone
	case New, Earlier, Later, Stays:
		return "planned", w.time(q.At), tone
	case Outside:
		return state, "not planned yet", tone
	case Leaves:
		return "leaves", "it is withdrawn", tone
	case Reject, Decline:
		return "turned down", "it will not run", tone
	case Queued:
		if q.Sent == "" {
			return state, "with the grid", tone
		}
		return state, "at " + q.Sent, tone
	case Turn:
		return state, "not its turn", tone
	case Send:
		return state, "sent to " + q.Sent, tone
	case "":
		return state, "", Plain
	}
	if l := q.Licence; l != nil {
		return state, fmt.Sprintf("%d of %d %s free, needs %d", l.Free, l.Of, l.Name, l.Needs), tone
	}
	return state, "", tone
}
