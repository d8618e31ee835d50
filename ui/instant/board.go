package instant

import (
	"fmt"
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/tell"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Board is a schedule of a few jobs of which nothing has been told: the whole of it, or
// as it stands at an instant, with nothing of what comes later.
type Board struct {
	Jobs *report.Jobs
	Run  *report.Columns // its spans say which processors a job holds
	// Processors of the machine. Rows get lower where there are many.
	Processors int
	At         *model.Time // nil: the whole schedule
	Before     bool        // what starts at At has not been decided yet
	Job        int         // index of the job that is outlined, −1 none
	Until      model.Time  // least end of the axis; 0: none
	Name       string      // whose schedule it is, for the sentence
	Ghost      *Ghost      // drawn as refused; nil none
	Grips      *Grips      // the jobs can be changed by hand; nil: they cannot
}

// Ghost is a place that a job may not have: the lowest processors.
type Ghost struct {
	From, To   model.Time
	Processors int32
}

// Minutes are the times of cases and lessons, which begin at 0.
var Minutes = &tell.Words{Span: tell.Span, Time: func(t model.Time) string { return words.Minutes(int64(t)) }}

// BoardRow is how high a processor is, in pixels, where there is room.
const BoardRow = 26.0

// Scene is the board as a scene so many pixels wide.
func (b *Board) Scene(width float64) *Scene {
	s := &Scene{
		Step: &tell.Step{Now: b.end(), Place: -1, Shadow: model.Never}, Chosen: -1, Job: b.Job, Cols: b.Run, Jobs: b.Jobs, Procs: b.Processors,
		Words: Minutes, W: width, Small: width < 520, Quiet: b.At == nil, Minutes: true, To: b.end(),
	}
	if b.At != nil {
		s.Step.Now = *b.At
		for j, start := range b.Run.Start {
			switch {
			case b.started(start) || start < 0 || b.Jobs.Submit[j] > *b.At:
			case b.booked(int32(j)): // promised, and known to all
				s.Step.Bookings = append(s.Step.Bookings, tell.Booking{Number: b.Jobs.Number[j], From: start, To: start + b.Jobs.Limit[j]})
			case start == *b.At:
				s.Step.Decisions = append(s.Step.Decisions, tell.Decide(tell.Starts, model.JobID(j)))
			}
		}
	}
	s.H = s.Height(s.Rows(BoardRow))
	return s
}

// end is where the time axis ends.
func (b *Board) end() model.Time {
	last := max(b.Until, 60)
	for i, t := range b.Run.Start {
		switch {
		case !b.started(t):
		case b.At != nil && b.Run.End[i] > *b.At: // a request may reach further than the run
			last = max(last, t+b.Jobs.Limit[i])
		default:
			last = max(last, b.Run.End[i])
		}
	}
	return last
}

// SVG draws the board so many pixels wide.
func (b *Board) SVG(width float64) draw.Markup {
	s := b.Scene(width)
	var p draw.Pen
	f := s.Frame()
	if b.Grips != nil {
		b.grips(&p, &f)
	}
	if g := b.Ghost; g != nil {
		box := f.Box(0, g.Processors, g.From, g.To)
		p.Rect(box.X+.5, box.Y+1, box.W-1, box.H-1.5, "none", `rx="2" stroke="var(--bad)" stroke-width="1.5" stroke-dasharray="4 3"`)
	}
	return b.Picture(s, p.Markup(), 0)
}

// Picture is a scene of the board as an element, with what stands on it and so many
// pixels below it.
func (b *Board) Picture(s *Scene, on draw.Markup, below float64) draw.Markup {
	role := draw.Markup(`role="img"`)
	if b.Grips != nil {
		role = `role="group"` + b.scale(s.Frame())
	} else if on != "" {
		role = `role="group"`
	}
	return draw.HTML(`<svg class="board step-g bl-instant" width="{}" height="{}" viewBox="0 0 {} {}" {} aria-label="{}">{}{}</svg>`, s.W, s.H+below, s.W, s.H+below, role, b.Sentence(), s.SVG(), on)
}

// booked reports whether a job is an advance reservation.
func (b *Board) booked(job int32) bool {
	return int(job) < len(b.Jobs.Marks) && b.Jobs.Marks[job]&report.MarkReserved != 0
}

// started says whether a job with a start, −1 none, has it at At.
func (b *Board) started(start model.Time) bool {
	return start >= 0 && (b.At == nil || start < *b.At || start == *b.At && !b.Before)
}

// Waiting are the jobs that are submitted and not started at At, in order of
// submission; with no At none.
func (b *Board) Waiting() (list []int) {
	for i, submit := range b.Jobs.Submit {
		if b.At != nil && submit <= *b.At && !b.started(b.Run.Start[i]) && !b.booked(int32(i)) {
			list = append(list, i)
		}
	}
	return list
}

// Sentence says what the board shows.
func (b *Board) Sentence() string {
	var running, over, waiting, booked []string
	for i := range b.Jobs.Number {
		name := words.Int(b.Jobs.Number[i])
		switch start := b.Run.Start[i]; {
		case !b.started(start) && start >= 0 && b.booked(int32(i)): // At is there: its start is still to come
			if b.Jobs.Submit[i] <= *b.At {
				booked = append(booked, name+" from "+words.Int(int64(start/60))+" to "+words.Int(int64((start+b.Jobs.Limit[i])/60)))
			}
		case !b.started(start):
			if b.At == nil || b.Jobs.Submit[i] <= *b.At {
				waiting = append(waiting, name)
			}
		case b.At == nil:
			over = append(over, name+" from "+words.Int(int64(start/60))+" to "+words.Int(int64(b.Run.End[i]/60)))
		case b.Run.End[i] <= *b.At:
			over = append(over, name)
		default:
			running = append(running, fmt.Sprintf("%s on %d", name, b.Jobs.Procs[i]))
		}
	}
	const most = 12
	list := func(what string, of []string) string {
		if len(of) == 0 {
			return ""
		}
		if len(of) > 1 {
			what += "s"
		}
		if len(of) > most {
			of = append(of[:most:most], fmt.Sprintf("%d more", len(of)-most))
		}
		return " " + what + " " + strings.Join(of, ", ") + "."
	}
	if b.At == nil {
		return b.Name + ", whole schedule in minutes: " + strings.TrimSpace(list("job", over)+list("Never started: job", waiting))
	}
	text := fmt.Sprintf("%s at %d min, %d processors.", b.Name, *b.At/60, b.Processors)
	return text + list("Running: job", running) + list("Waiting: job", waiting) + list("Booked: job", booked) + list("Ended: job", over)
}
