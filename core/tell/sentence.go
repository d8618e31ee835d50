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
	case d.Kind == Improve || d.Kind == Draft:
		return "The optimiser"
	case d.Kind == Move:
		return fmt.Sprintf("Move %d", d.Moved.Which)
	case d.Kind == Offer || d.Kind == Refuses:
		return d.Provider.Name
	case d.Job < 0:
		return ""
	}
	return subject(d.Number, d.Title)
}

// subject names a job, or what the platform has reserved.
func subject(number int64, title string) string {
	if title != "" {
		return fmt.Sprintf("Reservation “%s” (job %d)", title, number)
	}
	return fmt.Sprintf("Job %d", number)
}

// Sentence says a decision with its numbers.
func (d *Decision) Sentence(w *Words) string {
	who, it := d.Subject(), ""
	if d.Used != nil {
		who += fmt.Sprintf(" of user %d, who has used %s,", d.Used.User, hours(d.Used.Seconds))
	}
	if it = who; d.Over > 0 && d.Kind != Outside {
		who += fmt.Sprintf(" has waited %s, more than %s, and stands first", w.span(d.Waited), w.span(d.Over))
		it = who + ". It"
	}
	have := fmt.Sprintf("%s needs %d; %s free", it, d.Needs, free(d.Free))
	long := fmt.Sprintf("%s needs %s; %s free", it, processors(d.Needs), free(d.Free))
	if d.Asks != nil {
		long = fmt.Sprintf("%s needs %s; %s free", it, d.asks(), freeProcessors(d.Free))
		have = long
	}
	if d.Said != "" {
		switch {
		case d.Job < 0:
			long = ""
		case d.Licence != nil:
			long = d.Licence.lacks(it)
		default:
			long += d.although(w) + "."
		}
		return long + Fill(d.Said, w.time)
	}
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
		case d.Licence != nil:
			return d.Licence.lacks(it) + " The queue stops here: nobody may pass."
		case d.Free == 0:
			return long + ". The queue stops here: nobody may pass."
		case d.Free == 1:
			return long + d.although(w) + ". The queue stops here: nobody may pass, and 1 stays empty."
		}
		return fmt.Sprintf("%s. The queue stops here: nobody may pass, and %d stay empty.", long+d.although(w), d.Free)
	case Head:
		return d.head(it, long, w)
	case TooWide:
		return have + ". It waits."
	case Apart:
		return have + d.although(w) + ". It waits."
	case Delays:
		return have + d.delays(w)
	case Turn:
		return have + ". It would fit, but it is not its turn."
	case Licence:
		return d.Licence.lacks(it) + " It waits."
	case Limit, Kept:
		return have + d.although(w) + ". It waits."
	case Planned:
		return d.planned(who, w)
	case New:
		what := "is planned for the first time"
		if d.Fresh {
			what = "is new"
		}
		return fmt.Sprintf("%s %s. The earliest place for %s × %s is %s%s.", who, what, d.asks(), w.span(d.Limit), w.time(d.At), d.over())
	case Earlier:
		return fmt.Sprintf("%s moves from %s to %s, %s earlier%s.", who, w.time(d.Was), w.time(d.At), w.span(d.Was-d.At), d.over())
	case Later:
		return fmt.Sprintf("%s moves from %s to %s, %s later%s.", who, w.time(d.Was), w.time(d.At), w.span(d.At-d.Was), d.over())
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
		if d.Over > 0 {
			return fmt.Sprintf("%s has waited %s: a start is reserved after %s only, and it does not fit now.", who, w.span(d.Waited), w.span(d.Over))
		}
		return who + " has no planned start yet."
	case Reject:
		return who + " is turned down: it will not run."
	case Leaves:
		return who + " leaves the queue: it is withdrawn."
	case Stop:
		return who + " is stopped, and will run again from its beginning."
	case Suspend:
		return who + " is stopped; it goes on later with what is left."
	case End:
		return who + " is stopped for good: its reservation is over."
	case Draft:
		return d.Plan.said(w)
	case Improve:
		return d.Improved.said(w)
	case Move:
		return who + d.Moved.said(w)
	case Offer:
		return fmt.Sprintf("%s%s It offers %s to %s.", who, d.Provider.looks(w), w.time(d.At), w.time(d.Ends))
	case Refuses:
		return fmt.Sprintf("%s%s It has none.", who, d.Provider.looks(w))
	case Accept:
		return fmt.Sprintf("%s gets its reservation at %s, %s to %s.", who, d.Provider.Name, w.time(d.At), w.time(d.Ends))
	case Decline:
		return who + " gets no reservation anywhere."
	case Send:
		p := d.Provider
		if p.Free < 0 {
			return fmt.Sprintf("%s goes to %s, drawn by lot.", who, p.Name)
		}
		return fmt.Sprintf("%s goes to %s: %d in its queue, %s free. No other does better.", who, p.Name, p.Queue, processors(p.Free))
	case Queued:
		if d.Provider.Name == "" {
			return who + " waits for the grid."
		}
		return fmt.Sprintf("%s waits at %s.", who, d.Provider.Name)
	case Note:
		if who == "" {
			return d.Text
		}
		return who + ": " + d.Text
	}
	return who + "."
}

// lacks says what licence is missing.
func (c *Copies) lacks(it string) string {
	return fmt.Sprintf("%s needs %s; %d of %d are free.", it, copies(c.Needs, c.Name), c.Free, c.Of)
}

// asks is what a job asks for.
func (d *Decision) asks() string {
	list := []string{processors(d.Needs)}
	if a := d.Asks; a != nil {
		if a.GPUs > 0 {
			list = append(list, amount("GPUs", int64(a.GPUs)))
		}
		if a.Mem > 0 {
			list = append(list, amount("memory", a.Mem))
		}
		if a.Disk > 0 {
			list = append(list, amount("disk space", a.Disk))
		}
	}
	return and(list)
}

// although says why a job does not start although enough processors are free, or what
// keeps it from starting, too.
func (d *Decision) although(w *Words) string {
	why := d.Kind
	if d.Why != "" {
		why = d.Why
	}
	few := d.Free < d.Needs
	but := ", but "
	if few { // that, too, keeps it from starting
		but = map[Kind]string{Limit: "; besides, ", Kept: ": "}[why]
	}
	switch {
	case why == Limit:
		return but + d.bounds(w)
	case why == Kept && len(d.Taken) > 0:
		return but + inTheWay(d.Taken, d.Ends, w)
	case why == Kept:
		return but + "what it could use is reserved or out of order"
	case few:
		return ""
	case why == Apart && d.Lack != nil:
		return but + d.Lack.said()
	case why == Apart:
		return ", but not together where it could run"
	}
	return ""
}

// bounds says which limits are reached.
func (c *Cause) bounds(w *Words) string {
	var list []string
	for i := range c.Bound {
		list = append(list, c.Bound[i].said(w))
	}
	return strings.Join(list, "; ")
}

// Limits is a sentence that names the limits which hold a job back, and who holds what
// they leave.
func (c *Cause) Limits() string {
	text := c.bounds(&Words{Span: Span})
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// said says what is held under a limit, and by whom.
func (b *Bound) said(w *Words) string {
	whose := fmt.Sprintf("user %d", b.User)
	if b.Whose != "" {
		whose = b.Whose
	} else if b.Longer >= 0 {
		whose = "jobs of more than " + w.span(b.Longer)
	}
	if b.Cluster != "" {
		whose = "on " + b.Cluster + " " + whose
	}
	text := fmt.Sprintf("%s may hold %d", whose, b.Most)
	if b.Unit != "" {
		text += " " + b.Unit
	}
	if b.Jobs {
		text = fmt.Sprintf("%s may run %s at a time", whose, map[bool]string{true: "1 job", false: fmt.Sprintf("%d jobs", b.Most)}[b.Most == 1])
	}
	switch {
	case b.Jobs && len(b.By) > 0:
		verb := map[bool]string{true: " runs", false: " run"}[len(b.By)+b.More == 1]
		return text + ", and " + jobs(b.By, b.More) + verb
	case b.Jobs:
		return text
	case b.Held == 0:
		return text
	case len(b.By) == 0:
		return fmt.Sprintf("%s, of which %d are held", text, b.Held)
	case len(b.By)+b.More == 1:
		return fmt.Sprintf("%s, and %s holds %d", text, jobs(b.By, 0), b.Held)
	}
	return fmt.Sprintf("%s, and %s hold %d", text, jobs(b.By, b.More), b.Held)
}

// where says that enough is free, but not where the job could run.
func (l *Lack) where() string {
	if l.Part != "" {
		return "not together on the machines of its partition " + l.Part
	}
	return "not together where it could run"
}

// said says of what it is that there is too little, and where.
func (l *Lack) said() string {
	if l.What == "processors" {
		var list []string
		for i := range l.On {
			list = append(list, fmt.Sprintf("%d on %s", l.On[i].Free, l.On[i].Name))
		}
		text := l.where() + ": " + and(list)
		if l.More > 0 {
			text = fmt.Sprintf("%s: at most %d on one machine, %s", l.where(), l.On[0].Free, l.On[0].Name)
		}
		return text
	}
	var list []string
	for i := range l.On {
		h := &l.On[i]
		list = append(list, fmt.Sprintf("%s has %s of %s free", h.Name, figure(l.What, h.Free), amount(l.What, h.Of)))
	}
	if l.More > 0 {
		list = append(list, fmt.Sprintf("%d other machines have no more", l.More))
	}
	return and(list)
}

// named is what takes something away.
func (t *Taken) named() string {
	switch {
	case t.Name != "":
		return "the " + t.What + " “" + t.Name + "”"
	case t.Number > 0:
		return fmt.Sprintf("the reservation of job %d", t.Number)
	}
	return "the " + t.What
}

// mostTaken bounds how many of what is in a job's way are named.
const mostTaken = 3

// inTheWay says what stands in a job's way that may run until ends, and until when: of
// many what is over last.
func inTheWay(list []Taken, ends model.Time, w *Words) string {
	named := list
	if len(list) > mostTaken {
		last := last(list)
		named = list[last : last+1]
	}
	var texts []string
	ahead := false
	for i := range named {
		t := &named[i]
		what := fmt.Sprintf("%s holds %d", t.named(), t.Procs)
		if t.Ahead {
			what = fmt.Sprintf("%s takes %d", t.named(), t.Procs)
		}
		if len(t.On) > 0 {
			what += " on " + and(t.On)
		}
		if t.Ahead {
			what += " from " + w.time(t.From) + " to " + w.time(t.To)
			ahead = true
		} else {
			what += " until " + w.time(t.To)
		}
		texts = append(texts, what)
	}
	text := and(texts)
	if ahead {
		text += ", and it may run until " + w.time(ends)
	}
	if n := len(list) - len(named); n > 0 {
		text += fmt.Sprintf("; %d others are in its way and over by then", n)
	}
	return text
}

// last is which of them ends last.
func last(list []Taken) (at int) {
	for i := range list {
		if list[i].To > list[at].To {
			at = i
		}
	}
	return at
}

// over says what has to be over before a planned start.
func (p *Promise) over() string {
	if len(p.Until) == 0 {
		return ""
	}
	var list []string
	for i := range p.Until[:min(len(p.Until), mostTaken)] {
		list = append(list, p.Until[i].named())
	}
	if n := len(p.Until) - len(list); n > 0 {
		list = append(list, fmt.Sprintf("%d others", n))
	}
	return ", when " + and(list) + map[bool]string{true: " is over", false: " are over"}[len(list) == 1]
}

func (d *Decision) head(it, long string, w *Words) string {
	long += d.although(w)
	if d.Licence != nil {
		long = strings.TrimSuffix(d.Licence.lacks(it), ".")
	}
	if d.At == model.Never {
		return long + ". It is the head; nothing says yet when it can start."
	}
	when := w.time(d.At)
	if len(d.Until) > 0 {
		when += d.over() + ","
	} else if len(d.Frees) > 0 {
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
	now := "; they are free from now on. It starts."
	if d.Needs == 1 && d.Asks == nil {
		now = "; it is free from now on. It starts."
	}
	switch {
	case d.Was == model.Never && d.Fresh:
		return fmt.Sprintf("%s is new. It needs %s for %s%s", who, d.asks(), w.span(d.Limit), now)
	case d.Was == model.Never:
		return fmt.Sprintf("%s needs %s for %s%s", who, d.asks(), w.span(d.Limit), now)
	case d.Was > d.At:
		return fmt.Sprintf("%s moves from %s to now, %s earlier. It starts.", who, w.time(d.Was), w.span(d.Was-d.At))
	case d.Was < d.At:
		return fmt.Sprintf("%s was planned for %s. It starts now.", who, w.time(d.Was))
	}
	return who + " was planned for now. It starts."
}

// mostBegins bounds how many jobs of a plan are named.
const mostBegins = 8

// said says what plan an optimiser begins with.
func (b *Beginning) said(w *Words) string {
	var list []string
	for i := range b.Starts[:min(len(b.Starts), mostBegins)] {
		list = append(list, fmt.Sprintf("job %d at %s", b.Starts[i].Number, w.time(b.Starts[i].At)))
	}
	if n := len(b.Starts) - len(list) + b.More; n > 0 {
		list = append(list, fmt.Sprintf("%d more later", n))
	}
	who := "The optimiser"
	if b.Climbs > 1 {
		who = fmt.Sprintf("The optimiser climbs %d times; the best", b.Climbs)
	}
	return who + " begins with this plan" + b.How + ": " + and(list) + "."
}

// said says what an optimiser kept. Criteria are its own names for them.
func (m *Improved) said(w *Words) string {
	moves := "moves"
	if m.Tries == 1 {
		moves = "move"
	}
	if m.Kept == 0 {
		return fmt.Sprintf("The optimiser looks at %d %s and keeps none.", m.Tries, moves)
	}
	return fmt.Sprintf("The optimiser looks at %d %s and keeps %d", m.Tries, moves, m.Kept) + changes(m.Scores, ":", w)
}

// said says what a move did, and what it gained.
func (m *Moved) said(w *Words) string {
	text := " is kept: " + jobs(m.Jobs, m.More)
	switch {
	case m.To != "":
		text += " goes to " + m.To
	case m.Place > 0:
		text += fmt.Sprintf(" goes from place %d to place %d", m.From, m.Place)
	case len(m.Jobs) > 1:
		text += " change places"
	default:
		text += " goes elsewhere"
	}
	return text + changes(m.Scores, ";", w)
}

// changes says how criteria have changed, and ends the sentence.
func changes(scores []Score, sep string, w *Words) (text string) {
	for i := range scores {
		s := &scores[i]
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
func (p *Provider) looks(w *Words) string {
	if len(p.Slots) == 0 {
		return " finds no start in time."
	}
	starts := "starts"
	if len(p.Slots) == 1 {
		starts = "start"
	}
	var b strings.Builder
	fmt.Fprintf(&b, " looks at %d %s: ", len(p.Slots), starts)
	for i := range p.Slots {
		s := &p.Slots[i]
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
