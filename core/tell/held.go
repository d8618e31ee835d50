package tell

import (
	"fmt"
	"strings"

	"batchlab/core/model"
)

// Held is a job that has been submitted and is not eligible yet, and what it waits
// for.
type Held struct {
	Job    model.JobID `json:"job"`
	Number int64       `json:"number"`
	Procs  int32       `json:"procs"`
	Limit  model.Time  `json:"limit"` // requested, seconds
	Submit model.Time  `json:"submit"`
	Text   string      `json:"text"` // a sentence; its times are filled in by Fill
	For    []For       `json:"-"`
	Any    bool        `json:"-"` // one of For is enough
}

// Want is what a job that is not eligible waits for.
type Want uint8

// What a job may wait for before it is eligible.
const (
	ForEnd     Want = iota // the end of another job
	ForSuccess             // its success
	ForFailure             // that it is over without success
	ForStart               // its start
	ForBegin               // a time before which it does not want to begin
	ForParts               // the other parts of its group
	ForPlace               // a place in its array
)

// ForEvent is what a dependency waits for.
func ForEvent(e model.Event) Want {
	return [...]Want{model.Ended: ForEnd, model.OK: ForSuccess, model.NotOK: ForFailure, model.Started: ForStart}[e]
}

// State is how far a job has come for which another one waits.
type State uint8

// How far a job may have come.
const (
	ToCome    State = iota // it has not been submitted
	IsHeld                 // it is not eligible itself
	IsWaiting              // it stands in the queue
	IsRunning              // it runs
	IsOver                 // it has ended, or will never run
)

// For is one thing that a job waits for. What its kind does not use is zero, or
// model.Never for times.
type For struct {
	What   Want
	Job    model.JobID // index in the workload's columns
	Number int64
	Itself bool // the job is the one that waits
	State  State
	Until  model.Time // of one that runs: by its request
	Delay  model.Time // seconds after the event
	At     model.Time // when it comes; model.Never: nobody knows
	Lost   bool       // it never comes
	Most   int32      // jobs of the array that may be in the queue or run
	By     []int64    // numbers of those that are, at most MostNamed
	More   int        // so many more of them
}

// MostNamed is how many jobs are named that keep another one from being eligible.
const MostNamed = 4

// forMost bounds how many things are said that a job waits for.
const forMost = 6

// HeldSentence says what a job waits for, with times in braces as Fill reads them.
func HeldSentence(list []For, any bool) string {
	var parts []string
	for i := range list[:min(len(list), forMost)] {
		parts = append(parts, list[i].clause())
	}
	if n := len(list) - len(parts); n > 0 {
		parts = append(parts, fmt.Sprintf("for %d more", n))
	}
	text := "Waits " + and(parts)
	if any {
		text = "Waits " + strings.Join(parts, " or ") + ": one is enough"
	}
	return text + "."
}

// clause says one thing that a job waits for.
func (f *For) clause() string {
	switch f.What {
	case ForBegin:
		return "until " + brace(f.At) + ", before which it does not want to begin"
	case ForParts:
		return "for the missing parts of its group"
	case ForPlace:
		text := fmt.Sprintf("for a place in its array, of which %d may wait and run at a time", f.Most)
		if len(f.By) > 0 {
			text += ": " + jobs(f.By, f.More) + map[bool]string{true: " does", false: " do"}[len(f.By)+f.More == 1]
		}
		return text
	}
	who := fmt.Sprintf("job %d", f.Number)
	if f.Itself {
		who = "itself"
	}
	what := [...]string{ForEnd: "", ForSuccess: "the success of ", ForFailure: "the failure of ", ForStart: "the start of "}[f.What]
	delay := ""
	if f.Delay > 0 {
		delay = Span(f.Delay)
	}
	switch {
	case f.Itself:
		return "for " + what + who + ", which never comes"
	case f.Lost:
		return "for " + what + who + ", which does not come any more"
	case f.At < model.Never && delay != "":
		event := [...]string{ForEnd: "the end", ForSuccess: "the success", ForFailure: "the failure", ForStart: "the start"}[f.What]
		return fmt.Sprintf("until %s, %s after %s of job %d", brace(f.At), delay, event, f.Number)
	}
	state := [...]string{ToCome: "has not been submitted yet", IsHeld: "is not eligible either", IsWaiting: "waits in the queue", IsRunning: "runs", IsOver: "is over"}[f.State]
	if f.State == IsRunning && f.Until < model.Never {
		state += " until " + brace(f.Until) + " at most"
	}
	text := "for " + what + who + ", which " + state
	if delay != "" {
		text += ", and " + delay + " more"
	}
	return text
}

// brace writes a time for Fill.
func brace(t model.Time) string { return fmt.Sprintf("{%d}", t) }

// Fill puts times into a text in which they stand as seconds in braces.
func Fill(text string, at func(model.Time) string) string {
	out := ""
	for {
		before, rest, found := strings.Cut(text, "{")
		seconds, after, closed := strings.Cut(rest, "}")
		out += before
		if !found || !closed {
			return out
		}
		t, sign := model.Time(0), model.Time(1)
		for i := range len(seconds) {
			if c := seconds[i]; c == '-' {
				sign = -1
			} else {
				t = 10*t + model.Time(c-'0')
			}
		}
		out += at(sign * t)
		text = after
	}
}
