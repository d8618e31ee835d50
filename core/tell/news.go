package tell

import (
	"fmt"
	"strings"

	"batchlab/core/model"
)

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
		list = append(list, News{"ended", subject(e.Number, e.Title), rest})
	}
	if n := len(list); n > 0 {
		list[n-1].Rest += fmt.Sprintf(" %d of %s %s free.", s.Free, processors(s.Procs), map[bool]string{true: "is", false: "are"}[s.Free == 1])
	}
	for i := range s.Outages {
		if i == mostNews {
			list = append(list, News{"back", fmt.Sprintf("%d more", len(s.Outages)-i), " outages begin or end."})
			break
		}
		list = append(list, s.Outages[i].news(s.Now, w))
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
		list = append(list, News{"came", subject(c.Number, c.Title), fmt.Sprintf(" came: %s for %s.", processors(c.Procs), w.span(c.Limit))})
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

// news says that it begins, or is over.
func (o *Outage) news(now model.Time, w *Words) News {
	what := o.What
	if o.Name != "" {
		what += " “" + o.Name + "”"
	}
	if o.To == now {
		text := fmt.Sprintf(": over, %s can be used again.", processors(o.Back))
		if o.Back < o.Procs {
			text = fmt.Sprintf(": over, but %d of %s can be used again: the others are reserved or out of order.", o.Back, processors(o.Procs))
		}
		return News{"back", what, text}
	}
	return News{"back", what, fmt.Sprintf(": %s cannot be used until %s.", processors(o.Procs), w.time(o.To))}
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
	case len(u.Open) > 0 && u.Until < model.Never:
		return fmt.Sprintf("User %d submits more at %s, without waiting for %s.", u.User, w.time(u.Until), jobs(u.Open, 0))
	case len(u.Open) > 0:
		return fmt.Sprintf("User %d will submit more, without waiting for %s.", u.User, jobs(u.Open, 0))
	case u.Until < model.Never:
		return fmt.Sprintf("User %d thinks until %s.", u.User, w.time(u.Until))
	case u.Thinks < model.Never:
		return fmt.Sprintf("User %d thinks since %s.", u.User, w.time(u.Thinks))
	}
	return fmt.Sprintf("User %d will submit more.", u.User)
}
