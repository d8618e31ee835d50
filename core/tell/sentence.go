package tell

import (
	"fmt"
	"strconv"
	"strings"

	"batchlab/core/model"
)

// Subject returns what a decision is about, with which its sentence begins: "Job 4".
func (d *Decision) Subject() string {
	switch {
	case d.Kind == Improve:
		return "The optimiser"
	case d.Kind == Move:
		return fmt.Sprintf("Move %d", d.Moves)
	case d.Kind == Offer || d.Kind == Refuses:
		return d.Name
	case d.Job < 0:
		return ""
	}
	return fmt.Sprintf("Job %d", d.Number)
}

// Sentence says a decision with its numbers.
func (d *Decision) Sentence(w *Words) string {
	who := d.Subject()
	have := fmt.Sprintf("%s needs %d; %s free", who, d.Needs, free(d.Free))
	long := fmt.Sprintf("%s needs %s; %s free", who, processors(d.Needs), free(d.Free))
	switch d.Kind {
	case Starts:
		return long + ". It starts."
	case Passes:
		return have + ". It passes those that do not fit, and starts."
	case Before:
		if d.Ends == d.At {
			return fmt.Sprintf("%s. It must end by %s, just when job %d is to start. It starts.", have, w.time(d.Ends), d.Head)
		}
		return fmt.Sprintf("%s. It must end by %s, before %s. It starts.", have, w.time(d.Ends), w.time(d.At))
	case Beside:
		return have + d.beside(w)
	case Stops:
		switch {
		case d.Name != "":
			return d.lacks(who) + " The queue stops here: nobody may pass."
		case d.Free == 0:
			return long + ". The queue stops here: nobody may pass."
		case d.Free == 1:
			return long + d.although(w) + ". The queue stops here: nobody may pass, and 1 stays empty."
		}
		return fmt.Sprintf("%s. The queue stops here: nobody may pass, and %d stay empty.", long+d.although(w), d.Free)
	case Head:
		return d.head(long, w)
	case TooWide:
		return have + ". It waits."
	case Apart:
		return have + d.although(w) + ". It waits."
	case Delays:
		return have + d.delays(w)
	case Turn:
		return have + ". It would fit, but it is not its turn."
	case Licence:
		return d.lacks(who) + " It waits."
	case Limit:
		return have + d.although(w) + ". It waits."
	case Kept:
		if d.Free < d.Needs {
			return have + ". It would fit if nothing were reserved or out of order. It waits."
		}
		return have + d.although(w) + ". It waits."
	case Planned:
		return d.planned(who, w)
	case New:
		what := "is planned for the first time"
		if d.Fresh {
			what = "is new"
		}
		return fmt.Sprintf("%s %s. The earliest place for %s × %s is %s.", who, what, processors(d.Needs), w.span(d.Limit), w.time(d.At))
	case Earlier:
		return fmt.Sprintf("%s moves from %s to %s, %s earlier.", who, w.time(d.Was), w.time(d.At), w.span(d.Was-d.At))
	case Later:
		return fmt.Sprintf("%s moves from %s to %s, %s later.", who, w.time(d.Was), w.time(d.At), w.span(d.At-d.Was))
	case Stays:
		return fmt.Sprintf("%s keeps %s.", who, w.time(d.At))
	}
	return d.rare(who, w)
}

// rare says the decisions of grids, desks, optimisers and of schedulers' own.
func (d *Decision) rare(who string, w *Words) string {
	switch d.Kind {
	case Logged:
		return who + " starts, as the log says."
	case Books:
		return who + " begins: its reservation's time has come."
	case Outside:
		return who + " has no planned start yet."
	case Reject:
		return who + " is turned down: it will not run."
	case Stop:
		return who + " is stopped, and will run again from its beginning."
	case Suspend:
		return who + " is stopped; it goes on later with what is left."
	case End:
		return who + " is stopped for good: its reservation is over."
	case Improve:
		return d.improve(w)
	case Move:
		return who + d.move(w)
	case Offer:
		return fmt.Sprintf("%s%s It offers %s to %s.", who, d.looks(w), w.time(d.At), w.time(d.Ends))
	case Refuses:
		return fmt.Sprintf("%s%s It has none.", who, d.looks(w))
	case Accept:
		return fmt.Sprintf("%s gets its reservation at %s, %s to %s.", who, d.Name, w.time(d.At), w.time(d.Ends))
	case Decline:
		return who + " gets no reservation anywhere."
	case Send:
		if d.Left < 0 {
			return fmt.Sprintf("%s goes to %s, drawn by lot.", who, d.Name)
		}
		return fmt.Sprintf("%s goes to %s: %d in its queue, %s free. No other does better.", who, d.Name, d.More, processors(d.Left))
	case Queued:
		if d.Name == "" {
			return who + " waits for the grid."
		}
		return fmt.Sprintf("%s waits at %s.", who, d.Name)
	case Note:
		if who == "" {
			return d.Text
		}
		return who + ": " + d.Text
	}
	return who + "."
}

// lacks says what licence is missing.
func (d *Decision) lacks(who string) string {
	return fmt.Sprintf("%s needs %s; %d of %d are free.", who, copies(d.Copies, d.Name), d.Left, d.Have)
}

// although says why a job does not start although enough processors are free, or which
// limit keeps it from starting, too.
func (d *Decision) although(w *Words) string {
	why := d.Kind
	if d.Why != "" {
		why = d.Why
	}
	switch {
	case why == Limit && d.Free < d.Needs: // both keep it from starting
		return ", and" + d.Bound.said(w)
	case why == Limit:
		return ", but" + d.Bound.said(w)
	case d.Free < d.Needs:
		return ""
	}
	switch why {
	case Apart:
		return ", but not together where it could run"
	case Kept:
		return ", but what it could use is reserved or out of order before it must have ended"
	}
	return ""
}

// said says what is held under a limit, and may be.
func (b *Bound) said(w *Words) string {
	if b == nil {
		return " a limit on its user or class is reached"
	}
	whose := "its user's jobs"
	if b.Longer >= 0 {
		whose = "jobs of more than " + w.span(b.Longer)
	}
	return fmt.Sprintf(" %s may hold %d together and hold %d", whose, b.Most, b.Held)
}

func (d *Decision) head(long string, w *Words) string {
	long += d.although(w)
	if d.Name != "" {
		long = strings.TrimSuffix(d.lacks(d.Subject()), ".")
	}
	if d.At == model.Never {
		return long + ". It is the head; nothing says yet when it can start."
	}
	when := w.time(d.At)
	if len(d.Frees) > 0 && d.Why != Kept {
		when += ", when " + jobs(d.Frees, d.More) + " must have ended,"
	}
	if d.Spare < 0 {
		return fmt.Sprintf("%s. It is the head: at %s it can start.", long, when)
	}
	left := strings.ToUpper(are(d.Spare)[:1]) + are(d.Spare)[1:]
	return fmt.Sprintf("%s. It is the head: at %s %d will be. %s left over then.", long, when, d.Needs+d.Spare, left)
}

func (d *Decision) beside(w *Words) string {
	begin := fmt.Sprintf(". It may run until %s, past %s, but ", w.time(d.Ends), w.time(d.At))
	if d.Spare < 0 {
		return fmt.Sprintf("%sleaves job %d what it needs then. It starts.", begin, d.Head)
	}
	takes := fmt.Sprintf("%d of the %d", d.Needs, d.Spare)
	if d.Needs == d.Spare {
		switch d.Needs {
		case 1:
			takes = "the one"
		case 2:
			takes = "both"
		default:
			takes = "all " + number(d.Needs)
		}
	}
	return fmt.Sprintf("%stakes %s left over. It starts; %s left over now.", begin, takes, are(d.Spare-d.Needs))
}

func (d *Decision) delays(w *Words) string {
	begin := fmt.Sprintf(". But it may run until %s, past %s, and ", w.time(d.Ends), w.time(d.At))
	switch {
	case d.Spare < 0:
		return fmt.Sprintf("%stakes what job %d needs then. It waits.", begin, d.Head)
	case d.Spare > 0:
		begin += "only "
	}
	return fmt.Sprintf("%s%s left over: job %d would start %s later. It waits.", begin, are(d.Spare), d.Head, w.span(d.Late))
}

func (d *Decision) planned(who string, w *Words) string {
	switch {
	case d.Was == model.Never && d.Fresh:
		return fmt.Sprintf("%s is new. It needs %s for %s; as many are free from now on. It starts.", who, processors(d.Needs), w.span(d.Limit))
	case d.Was == model.Never:
		return fmt.Sprintf("%s needs %s for %s; as many are free from now on. It starts.", who, processors(d.Needs), w.span(d.Limit))
	case d.Was > d.At:
		return fmt.Sprintf("%s moves from %s to now, %s earlier. It starts.", who, w.time(d.Was), w.span(d.Was-d.At))
	case d.Was < d.At:
		return fmt.Sprintf("%s was planned for %s. It starts now.", who, w.time(d.Was))
	}
	return who + " was planned for now. It starts."
}

// improve says what an optimiser kept. Criteria are its own names for them.
func (d *Decision) improve(w *Words) string {
	moves := "moves"
	if d.More == 1 {
		moves = "move"
	}
	if d.Moves == 0 {
		return fmt.Sprintf("The optimiser looks at %d %s and keeps none.", d.More, moves)
	}
	return fmt.Sprintf("The optimiser looks at %d %s and keeps %d", d.More, moves, d.Moves) + d.scores(":", w)
}

// move says what a move did, and what it gained.
func (d *Decision) move(w *Words) string {
	text := " is kept: " + jobs(d.Frees, d.More)
	switch {
	case d.Name != "":
		text += " goes to " + d.Name
	case d.Have > 0:
		text += fmt.Sprintf(" goes from place %d to place %d", d.Left, d.Have)
	case len(d.Frees) > 1:
		text += " change places"
	default:
		text += " goes elsewhere"
	}
	return text + d.scores(";", w)
}

// scores says how criteria have changed, and ends the sentence.
func (d *Decision) scores(sep string, w *Words) (text string) {
	for i := range d.Scores {
		s := &d.Scores[i]
		text += sep + " " + criterion(s.Name) + " " + s.say(s.New, w) + " instead of " + s.say(s.Old, w)
		sep = ","
	}
	return text + "."
}

func criterion(name string) string {
	switch name {
	case "wait", "slowdown":
		return "mean " + name
	case "fairness":
		return "unfairness"
	case "tardiness":
		return "weighted tardiness"
	}
	return name
}

func (s *Score) say(x float64, w *Words) string {
	if s.Name == "wait" || s.Name == "makespan" {
		return w.span(model.Time(x + .5))
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// looks says which starts a search looked at.
func (d *Decision) looks(w *Words) string {
	if len(d.Slots) == 0 {
		return " finds no start in time."
	}
	starts := "starts"
	if len(d.Slots) == 1 {
		starts = "start"
	}
	var b strings.Builder
	fmt.Fprintf(&b, " looks at %d %s: ", len(d.Slots), starts)
	for i := range d.Slots {
		s := &d.Slots[i]
		if i > 0 {
			b.WriteString("; ")
		}
		switch {
		case s.Fits:
			fmt.Fprintf(&b, "%s holds all the time", w.time(s.At))
		case s.When == s.At:
			fmt.Fprintf(&b, "%s no, %d free then", w.time(s.At), s.Least)
		default:
			fmt.Fprintf(&b, "%s no, %d free at %s", w.time(s.At), s.Least, w.time(s.When))
		}
	}
	return b.String() + "."
}
