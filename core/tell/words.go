package tell

import (
	"fmt"
	"strconv"
	"strings"

	"batchlab/core/model"
)

// Words say times and spans for people. The zero value says a time as clock time
// from midnight and a span in its two largest units.
type Words struct {
	Time func(model.Time) string
	Span func(seconds model.Time) string
}

func (w *Words) time(t model.Time) string {
	if w != nil && w.Time != nil {
		return w.Time(t)
	}
	return Clock(t)
}

func (w *Words) span(t model.Time) string {
	if w != nil && w.Span != nil {
		return w.Span(t)
	}
	return Span(t)
}

// Clock says a time as clock time: 14:40, 14:40:05, or with its day, counted from
// 0, if that is another: day 2, 14:40.
func Clock(t model.Time) string {
	day := t / 86400
	if t%86400 < 0 {
		day--
	}
	s := t - day*86400
	text := fmt.Sprintf("%02d:%02d", s/3600, s/60%60)
	if s%60 != 0 {
		text += fmt.Sprintf(":%02d", s%60)
	}
	if day != 0 {
		text = fmt.Sprintf("day %d, %s", day, text)
	}
	return text
}

// Span says a span of time exactly: 20 min, 1 h 30 min, 2 d 3 h, 45 s.
func Span(t model.Time) string {
	var parts []string
	for _, u := range [...]struct {
		size model.Time
		name string
	}{{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}} {
		if n := t / u.size; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, u.name))
			t -= n * u.size
		}
	}
	if len(parts) == 0 {
		return "0 s"
	}
	return strings.Join(parts, " ")
}

// Tone says how a verdict is marked, beside its words.
type Tone string

// Tones.
const (
	Plain Tone = ""     // it waits
	Good  Tone = "good" // it starts, or gains
	Bad   Tone = "bad"  // it may not, or loses
	Box   Tone = "box"  // it has a promise
)

func are(n int32) string {
	switch n {
	case 0:
		return "none is"
	case 1:
		return "1 is"
	}
	return fmt.Sprintf("%d are", n)
}

func number(n int32) string { return strconv.Itoa(int(n)) }

// free is the same where 0 is to be read as a number.
func free(n int32) string {
	if n == 0 {
		return "0 are"
	}
	return are(n)
}

func processors(n int32) string {
	if n == 1 {
		return "1 processor"
	}
	return number(n) + " processors"
}

func copies(n int32, name string) string {
	if n == 1 {
		return "1 copy of " + name
	}
	return number(n) + " copies of " + name
}

func jobs(list []int64, more int) string {
	if len(list) == 1 && more == 0 {
		return fmt.Sprintf("job %d", list[0])
	}
	var b strings.Builder
	b.WriteString("jobs ")
	for i, n := range list {
		switch {
		case i == 0:
		case i == len(list)-1 && more == 0:
			b.WriteString(" and ")
		default:
			b.WriteString(", ")
		}
		fmt.Fprint(&b, n)
	}
	if more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}

// Subject returns what a decision is about, with which its sentence begins: "Job 4".
func (d *Decision) Subject() string {
	switch {
	case d.Kind == Improve:
		return "The optimiser"
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
			return long + d.although() + ". The queue stops here: nobody may pass, and 1 stays empty."
		}
		return fmt.Sprintf("%s. The queue stops here: nobody may pass, and %d stay empty.", long+d.although(), d.Free)
	case Head:
		return d.head(long, w)
	case TooWide:
		return have + ". It waits."
	case Apart:
		return have + d.although() + ". It waits."
	case Delays:
		return have + d.delays(w)
	case Turn:
		return have + ". It would fit, but it is not its turn."
	case Licence:
		return d.lacks(who) + " It waits."
	case Limit:
		return have + d.although() + ". It waits."
	case Kept:
		if d.Free < d.Needs {
			return have + ": the others are reserved or out of order. It waits."
		}
		return have + d.although() + ". It waits."
	case Planned:
		return d.planned(who, w)
	case New:
		what := "is planned for the first time"
		if d.Fresh {
			what = "comes new"
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
	case Offer:
		return fmt.Sprintf("%s%s It offers %s to %s.", who, d.looks(w), w.time(d.At), w.time(d.Ends))
	case Refuses:
		return fmt.Sprintf("%s%s It has none.", who, d.looks(w))
	case Accept:
		return fmt.Sprintf("%s gets its reservation at %s, %s to %s.", who, d.Name, w.time(d.At), w.time(d.Ends))
	case Decline:
		return who + " gets no reservation anywhere."
	case Send:
		return fmt.Sprintf("%s goes to %s.", who, d.Name)
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

// although says why a job does not start although enough processors are free.
func (d *Decision) although() string {
	if d.Free < d.Needs {
		return ""
	}
	why := d.Kind
	if d.Why != "" {
		why = d.Why
	}
	switch why {
	case Apart:
		return ", but not together where it could run"
	case Limit:
		return ", but a limit on its user or class is reached"
	case Kept:
		return ", but what it could use is reserved or out of order before it must have ended"
	}
	return ""
}

func (d *Decision) head(long string, w *Words) string {
	long += d.although()
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
		return fmt.Sprintf("%s comes new. It needs %s for %s; as many are free from now on. It starts.", who, processors(d.Needs), w.span(d.Limit))
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
	text := fmt.Sprintf("The optimiser looks at %d %s and keeps %d", d.More, moves, d.Moves)
	for i, s := range d.Scores {
		sep := ","
		if i == 0 {
			sep = ":"
		}
		text += fmt.Sprintf("%s %s %s instead of %s", sep, criterion(s.Name), s.say(s.New, w), s.say(s.Old, w))
	}
	return text + "."
}

func criterion(name string) string {
	switch name {
	case "wait", "slowdown":
		return "mean " + name
	case "fairness":
		return "unfairness"
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

// Verdict returns a decision's tag, and how it is marked.
func (d *Decision) Verdict(w *Words) (string, Tone) {
	switch d.Kind {
	case Starts:
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
		return "Waits: reserved or away", Plain
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
	case Reject, Decline:
		return "Turned down", Bad
	case Stop, Suspend, End:
		return "Stopped", Bad
	case Improve:
		return "Optimiser", Plain
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
	_, tone = (&Decision{Kind: q.Kind, Was: q.Was, At: q.At}).Verdict(w)
	state = "waits"
	switch q.Kind {
	case Head:
		if state = "head"; q.At == model.Never {
			return state, "nothing says when", tone
		}
		return state, w.time(q.At) + " at the latest", tone
	case Stops:
		if q.Name != "" {
			break
		}
		return state, fmt.Sprintf("%d free, needs %d: the queue stops", q.Free, q.Procs), tone
	case Starts:
		return "starts", "its turn, and it fits", tone
	case Before:
		return "starts", "ends before " + w.time(s.Shadow), tone
	case Beside:
		return "starts", "fits beside the head", tone
	case Passes:
		return "starts", "fits now", tone
	case Planned, Logged, Books:
		return "starts", "its time has come", tone
	case TooWide:
		return state, fmt.Sprintf("%d free, needs %d", q.Free, q.Procs), tone
	case Apart:
		return state, "not together where it could run", tone
	case Delays:
		if q.Late > 0 {
			return state, "head " + w.span(q.Late) + " later", tone
		}
		return state, "would delay the head", tone
	case Limit:
		return state, "a limit is reached", tone
	case Kept:
		return state, "reserved or away", tone
	case New, Earlier, Later, Stays:
		return "planned", w.time(q.At), tone
	case Outside:
		return state, "not planned yet", tone
	case Reject, Decline:
		return "turned down", "it will not run", tone
	case Queued:
		if q.Name == "" {
			return state, "with the grid", tone
		}
		return state, "at " + q.Name, tone
	case Turn:
		return state, "not its turn", tone
	case "":
		return state, "", Plain
	}
	if q.Name != "" {
		return state, fmt.Sprintf("%d of %d %s free, needs %d", q.Left, q.Have, q.Name, q.Copies), tone
	}
	return state, "", tone
}

// News is something that has just happened, for people: Subject, then the rest of
// the sentence.
type News struct {
	What    string // ended, came, back or runs
	Subject string
	Rest    string
}

// mostNews bounds how many jobs are named that have ended, or come.
const mostNews = 4

// News says what has just happened at an instant, and what runs.
func (s *Step) News(w *Words) (list []News) {
	for i := range s.Ended {
		e := &s.Ended[i]
		if i == mostNews {
			list = append(list, News{"ended", fmt.Sprintf("%d more", len(s.Ended)-i), " ended."})
			break
		}
		rest := " ended, just by its request."
		if e.Until > s.Now {
			rest = fmt.Sprintf(" ended, %s before its request.", w.span(e.Until-s.Now))
		}
		list = append(list, News{"ended", fmt.Sprintf("Job %d", e.Number), rest})
	}
	if n := len(list); n > 0 {
		list[n-1].Rest += fmt.Sprintf(" %d of %s are free.", s.Free, processors(s.Procs))
	}
	for _, n := range s.Back {
		list = append(list, News{"back", fmt.Sprintf("Job %d", n), " waits again."})
	}
	for i := range s.Came {
		c := &s.Came[i]
		if i == mostNews {
			list = append(list, News{"came", fmt.Sprintf("%d more", s.Arrived-i), " came."})
			break
		}
		list = append(list, News{"came", fmt.Sprintf("Job %d", c.Number), fmt.Sprintf(" came: %s for %s.", processors(c.Procs), w.span(c.Limit))})
	}
	switch {
	case s.Index < 0:
		list = append(list, News{"came", "Nothing", " happens here at this time."})
	case len(list) == 0:
		list = append(list, News{"came", "Nobody", " came or ended: a planned time has come."})
	}
	if text := s.running(w); text != "" {
		list = append(list, News{"runs", "Running", text})
	}
	return list
}

// running says what runs and until when by requests.
func (s *Step) running(w *Words) string {
	if len(s.Runs) == 0 {
		return ": nothing."
	}
	var parts []string
	for i := range s.Runs[:min(len(s.Runs), 3)] {
		parts = append(parts, fmt.Sprintf("%d until %s", s.Runs[i].Number, w.time(s.Runs[i].Until)))
	}
	text := ": " + strings.Join(parts, ", ")
	if s.Busy > 3 {
		text += fmt.Sprintf(", and %d more", s.Busy-3)
	} else if n := len(parts); n > 1 {
		text = ": " + strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	return text + ", at the latest."
}

// Sentence says what a user does.
func (u *User) Sentence(w *Words) string {
	switch {
	case len(u.Waits) > 0:
		return fmt.Sprintf("User %d waits for %s.", u.User, jobs(u.Waits, 0))
	case u.Until < model.Never:
		return fmt.Sprintf("User %d thinks until %s.", u.User, w.time(u.Until))
	case u.Thinks < model.Never:
		return fmt.Sprintf("User %d thinks since %s.", u.User, w.time(u.Thinks))
	}
	return fmt.Sprintf("User %d will come back.", u.User)
}
