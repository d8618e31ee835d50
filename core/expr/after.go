package expr

import (
	"fmt"
	"strconv"
	"strings"
)

// After is what a job waits for before it is eligible: all of the terms, or any one.
type After struct {
	Terms []Term
	Any   bool // one of them is enough
}

// Term is one predecessor and what of it is waited for.
type Term struct {
	Job   int64 // its number
	On    Event
	Delay int64 // seconds after it, 0 … MaxDelay
}

// Event is what of a predecessor is waited for.
type Event uint8

// What may be waited for. A predecessor that leaves the queue without having run is
// over then: Ended, Failed and Started have come, Succeeded never does.
const (
	Ended     Event = iota // it is over, however it went: "3", "3:any"
	Succeeded              // it ended well: "3:ok"
	Failed                 // it ended, and not well: "3:notok"
	Started                // it has started: "3:start"
)

// Limits of what a job may wait for.
const (
	MaxTerms = 1000
	MaxDelay = 1 << 40
)

var eventNames = [...]string{Ended: "", Succeeded: "ok", Failed: "notok", Started: "start"}

// ParseAfter reads "3", "3:ok", "3:notok", "3:start", each with "+60" for so many seconds
// later, and several of them with "," where all must have come or with "?" where one is
// enough. Spaces are skipped. An empty text waits for nothing.
func ParseAfter(text string) (a After, err error) {
	if text = strings.TrimSpace(text); text == "" {
		return a, nil
	}
	separator := ","
	if strings.Contains(text, "?") {
		if a.Any, separator = true, "?"; strings.Contains(text, ",") {
			return After{}, fmt.Errorf("%.60q has both , (all of them) and ? (any of them): one or the other is expected", text)
		}
	}
	for _, part := range strings.Split(text, separator) {
		t, err := parseTerm(strings.TrimSpace(part))
		if err != nil {
			return After{}, err
		}
		if len(a.Terms) == MaxTerms {
			return After{}, fmt.Errorf("more than %d predecessors", MaxTerms)
		}
		a.Terms = append(a.Terms, t)
	}
	if len(a.Terms) == 1 {
		a.Any = false
	}
	return a, nil
}

func parseTerm(text string) (t Term, err error) {
	rest, delay, delayed := strings.Cut(text, "+")
	number, event, _ := strings.Cut(rest, ":")
	if t.Job, err = strconv.ParseInt(number, 10, 64); err != nil || t.Job < 0 {
		return t, fmt.Errorf("%.60q is no predecessor: a job's number is expected, then perhaps :ok, :notok or :start, then perhaps +seconds", text)
	}
	switch event {
	case "", "any":
	case "ok":
		t.On = Succeeded
	case "notok":
		t.On = Failed
	case "start":
		t.On = Started
	default:
		return t, fmt.Errorf("%.60q: there is no %.20q; ok, notok, start or any may follow the colon", text, event)
	}
	if delayed {
		if t.Delay, err = strconv.ParseInt(delay, 10, 64); err != nil || t.Delay < 0 || t.Delay > MaxDelay {
			return t, fmt.Errorf("%.60q: whole seconds are expected behind the +", text)
		}
	}
	return t, nil
}

// Without is what is left to wait for without a job, where those with greater numbers
// are numbered one less: nothing of it waits for that one any more, which counts as over.
func (a After) Without(job int64) After {
	out := After{Any: a.Any}
	for _, t := range a.Terms {
		switch {
		case t.Job == job && a.Any:
			return After{}
		case t.Job == job:
			continue
		case t.Job > job:
			t.Job--
		}
		out.Terms = append(out.Terms, t)
	}
	return out
}

// String writes it as ParseAfter reads it, in its shortest form.
func (a After) String() string {
	separator := ","
	if a.Any {
		separator = "?"
	}
	var b strings.Builder
	for i, t := range a.Terms {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(strconv.FormatInt(t.Job, 10))
		if t.On != Ended {
			b.WriteString(":" + eventNames[t.On])
		}
		if t.Delay > 0 {
			b.WriteString("+" + strconv.FormatInt(t.Delay, 10))
		}
	}
	return b.String()
}
