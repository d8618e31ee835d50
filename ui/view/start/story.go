package start

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/tell"
	"batchlab/ui/draw"
	"batchlab/ui/instant"
)

// Story is a run of a few jobs under EASY and the instant at which it backfills: what
// the laboratory told of it, since the program that tells instants is too large for the
// first screen. TestStoryIsTheRun runs the document again and compares all of it.
type Story struct {
	Document json.RawMessage // EASY first, then FCFS
	Step     *tell.Step
	Jobs     report.Jobs
	Columns  report.Columns
	Plain    []model.Time // starts under FCFS, seconds
	Procs    int
}

//go:embed story.json
var told []byte

// Read returns the story that comes with the page.
func Read() *Story {
	s := &Story{}
	if err := json.Unmarshal(told, s); err != nil {
		panic("start: " + err.Error()) // a test reads it
	}
	return s
}

// Moments are how many pictures the story has.
const Moments = 4

// Link is the address that opens the instant in the step view.
func (s *Story) Link() string {
	doc, err := experiment.Decode(s.Document)
	if err != nil {
		panic("start: " + err.Error()) // a test reads it
	}
	return instant.Link(doc, 0, s.Step.Now)
}

// Scene is the picture at a moment, from 1: the queue, the hole before the wide job,
// what that job is promised, and who starts in the hole.
func (s *Story) Scene(moment int, w float64, small bool) *instant.Scene {
	clock := draw.Clock{}
	sc := &instant.Scene{
		Step: s.Step, Chosen: -1, Job: -1, Cols: &s.Columns, Jobs: &s.Jobs, Procs: s.Procs,
		Clock: clock, Words: instant.Words(clock, s.Step.Now), W: w, Small: small, Reach: s.reach(moment), Hole: moment == 2,
	}
	row := 34.0
	if small {
		row = 24
	}
	sc.From, sc.To = s.Columns.Full.At[0], s.Step.Now
	for _, d := range s.Step.Decisions { // as far as anything of the story reaches
		if d.Kind.Begins() {
			sc.To = max(sc.To, d.Ends+15*60)
		}
	}
	sc.H = sc.Height(row * float64(s.Procs))
	return sc
}

// reach is how many decisions have been told at a moment.
func (s *Story) reach(moment int) int {
	switch moment {
	case 3:
		return 1 + slices.IndexFunc(s.Step.Decisions, func(d tell.Decision) bool { return d.Kind == tell.Head })
	case 4:
		return len(s.Step.Decisions)
	}
	return 0
}

// Caption is what is said at a moment, and a name for it.
func (s *Story) Caption(moment int) (name, text string) {
	w := instant.Words(draw.Clock{}, s.Step.Now)
	now, head := w.Time(s.Step.Now), s.decided(tell.Head)[0]
	switch moment {
	case 1:
		return "The queue", fmt.Sprintf("%d jobs wait; each asks for a number of processors and a time. Job %d came first: it needs %d of %d processors.",
			s.Step.Waits, head.Number, head.Needs, s.Procs)
	case 2:
		return "The hole", fmt.Sprintf("At %s job %d ends. %d processors are free, too few for job %d until job %d ends, at %s at the latest. First come, first served leaves them empty.",
			now, s.Step.Ended[0].Number, s.Step.Free, head.Number, head.Frees[0], w.Time(head.At))
	case 3:
		return "The promise", fmt.Sprintf("EASY promises job %d its start at %s, when %s is left over. A job that does not break the promise may pass.",
			head.Number, w.Time(head.At), count(int(head.Spare), "processor"))
	}
	before, beside, delays := s.decided(tell.Before)[0], s.decided(tell.Beside)[0], s.decided(tell.Delays)[0]
	return "Backfilled", fmt.Sprintf("Jobs %d and %d pass: one ends by %s, the other fits beside job %d. Job %d would push job %d back by %s, so it waits.",
		before.Number, beside.Number, w.Time(head.At), head.Number, delays.Number, head.Number, w.Span(delays.Late))
}

// End says what came of it, in bold and then plain: against first come, first served.
func (s *Story) End() (bold, plain string) {
	earlier, later, by := 0, 0, model.Time(0)
	var mine, theirs model.Time
	for j, at := range s.Columns.Start {
		switch {
		case at < s.Plain[j]:
			earlier, by = earlier+1, s.Plain[j]-at
		case at > s.Plain[j]:
			later++
		}
		mine, theirs = mine+at-s.Jobs.Submit[j], theirs+s.Plain[j]-s.Jobs.Submit[j]
	}
	n := model.Time(len(s.Plain))
	who := strconv.Itoa(earlier) + " jobs start"
	if earlier == 2 {
		who = "Both start"
	}
	nobody := "and nobody starts later"
	if later > 0 {
		nobody = count(later, "job") + " later"
	}
	return fmt.Sprintf("%s %d min earlier, %s.", who, by/60, nobody),
		fmt.Sprintf("The mean wait is %d min; first come, first served makes it %d.", (mine/n+30)/60, (theirs/n+30)/60)
}

// decided are the decisions of a kind.
func (s *Story) decided(k tell.Kind) (list []tell.Decision) {
	for _, d := range s.Step.Decisions {
		if d.Kind == k {
			list = append(list, d)
		}
	}
	return list
}

func count(n int, what string) string {
	if n == 1 {
		return "one " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// QueueSVG draws the queue at a moment: each waiting job as large as it is, in the
// scheduler's order, with what has become of it. scale is pixels a minute, row pixels
// a processor.
func (s *Story) QueueSVG(moment int, scale, row float64) draw.Markup {
	var p draw.Pen
	y := 2.0
	told := s.Step.Decisions[:s.reach(moment)]
	for i := range s.Step.Queue {
		q := &s.Step.Queue[i]
		state, colour := "", "var(--ink-2)"
		box := draw.Markup(`fill="var(--step-t1)" stroke="var(--line-2)"`)
		for _, d := range told {
			if d.Job != q.Job {
				continue
			}
			switch {
			case d.Kind.Begins():
				state, colour, box = "starts", "var(--good)", `fill="none" stroke="var(--ink-3)" stroke-dasharray="3 2"`
			case d.Kind == tell.Head:
				state, box = "is promised its start", `fill="var(--panel)" stroke="var(--ink)" stroke-width="2"`
			case d.Kind == tell.Delays:
				state, colour = "job "+strconv.FormatInt(d.Head, 10)+" + "+instant.Words(draw.Clock{}, s.Step.Now).Span(d.Late), "var(--bad)"
				box = `fill="var(--step-t1)" stroke="var(--bad)" stroke-width="1.5" stroke-dasharray="4 2"`
			}
		}
		w, h := scale*float64(q.Limit)/60, max(16, row*float64(q.Procs))
		p.Put(`<rect x="1" y="{}" width="{}" height="{}" {}/>`, y, w, h, box)
		x, line, size := w+9, y+min(h/2+4, 15), fmt.Sprintf("%d × %s", q.Procs, tell.Span(q.Limit))
		p.Text(8, line, strconv.FormatInt(q.Number, 10), "start", "k b")
		p.Text(x, line, size, "start", "k2")
		if state != "" {
			if h < 30 { // no room for a second line
				x += draw.TextWidth(size) + 6
			} else {
				line += 16
			}
			p.Put(`<text x="{}" y="{}" style="fill:{}">{}</text>`, x, line, colour, state)
		}
		y += h + 10
	}
	return draw.HTML(`<svg class="step-g" width="100%" height="{}" role="img" aria-label="{}">{}</svg>`, y, s.QueueSentence(), p.Markup())
}

// QueueSentence says who waits.
func (s *Story) QueueSentence() string {
	var list []string
	for i := range s.Step.Queue {
		q := &s.Step.Queue[i]
		list = append(list, fmt.Sprintf("job %d, %s for %s", q.Number, count(int(q.Procs), "processor"), tell.Span(q.Limit)))
	}
	return "Waiting, oldest first: " + strings.Join(list, "; ") + "."
}
