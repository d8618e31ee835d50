package draw

import (
	"fmt"
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// Board is a schedule of a few jobs on a few processors, drawn as lecturers draw
// it: a row a processor, time to the right in minutes. With At, time stands still
// there and nothing later is shown.
type Board struct {
	Jobs *report.Jobs
	Run  *report.Columns // its spans say which processors a job holds
	// Processors of the machine. Rows get lower where there are many.
	Processors int
	At         *model.Time // nil: the whole schedule
	Before     bool        // what starts at At has not been decided yet
	Job        int         // index of the job that is outlined, −1 none
	Until      model.Time  // end of the axis; 0: the last end of all
	Name       string      // whose schedule it is, for the sentence
	Ghost      *BoardGhost // drawn as refused; nil none
	Grips      *Grips      // the jobs can be changed by hand; nil: they cannot
}

// BoardGhost is a place that a job may not have.
type BoardGhost struct {
	From, To   model.Time
	Processors int32
}

// TimeAt is the time at a horizontal place of a board so many pixels wide.
func (b *Board) TimeAt(x, width float64) model.Time {
	return model.Time((x - boardLeft) / (width - boardLeft - 10) * float64(b.end()))
}

// Measures of a board, in pixels.
const (
	boardLeft, boardTop, boardFoot = 34.0, 22.0, 26.0
	boardRow, boardLeast           = 26.0, 6.0
	boardRows                      = 340.0 // height of all rows, at most
)

// Height is how high the drawing gets.
func (b *Board) Height() float64 { return b.top() + b.row()*float64(b.Processors) + boardFoot }

// top is the room above the rows, for the time of the cursor.
func (b *Board) top() float64 {
	if b.At == nil {
		return 2
	}
	return boardTop
}

func (b *Board) row() float64 {
	return max(boardLeast, min(boardRow, boardRows/float64(max(1, b.Processors))))
}

// end is where the time axis ends.
func (b *Board) end() model.Time {
	last := b.Until
	if last == 0 {
		for _, t := range b.Run.End {
			last = max(last, t)
		}
		for i, t := range b.Run.Start { // a request may reach further than the run
			if b.At != nil && b.started(t) && b.Run.End[i] > *b.At {
				last = max(last, t+b.Jobs.Limit[i])
			}
		}
	}
	return max(last, 60)
}

// boardSteps are the distances of ticks, in minutes.
var boardSteps = [...]model.Time{1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 240, 360, 720, 1440, 2880, 7200, 14400}

// SVG draws the board so many pixels wide.
func (b *Board) SVG(width float64) Markup {
	var p Pen
	end, row, above := b.end(), b.row(), b.top()
	x := func(t model.Time) float64 { return boardLeft + float64(t)/float64(end)*(width-boardLeft-10) }
	y := func(processor int32) float64 { return above + row*float64(b.Processors-1-int(processor)) }
	bottom := above + row*float64(b.Processors)
	role := Markup(`role="img"`)
	if b.Grips != nil {
		role = `role="group"` + b.scale(width)
	}
	p.Put(`<svg class="board" width="{}" height="{}" viewBox="0 0 {} {}" {} aria-label="{}">`, width, b.Height(), width, b.Height(), role, b.Sentence())
	p.Rect(boardLeft, above, x(end)-boardLeft, bottom-above, "var(--panel)", `class="board-ground"`)
	if b.At != nil {
		p.Rect(x(*b.At), above, x(end)-x(*b.At), bottom-above, "var(--future)", "")
	}
	for i := 0; i <= b.Processors; i++ {
		if row >= 12 || i == 0 || i == b.Processors {
			p.Line(boardLeft, Crisp(above+row*float64(i)), x(end), Crisp(above+row*float64(i)), "grid")
		}
	}
	if row >= 12 {
		for i := range b.Processors {
			p.Text(boardLeft-7, y(int32(i))+row/2+4, words.Int(i+1), "end", "")
		}
	}
	step := boardSteps[len(boardSteps)-1]
	for _, s := range boardSteps {
		if float64(end)/float64(s*60)*46 <= width-boardLeft {
			step = s
			break
		}
	}
	for t := model.Time(0); t <= end; t += 60 * step {
		label := words.Int(int64(t / 60))
		if t+60*step > end {
			label += " min"
		}
		p.Line(Crisp(x(t)), bottom, Crisp(x(t)), bottom+4, "line-2")
		switch {
		case t == 0:
			p.Text(x(t), bottom+17, label, "start", "")
		case x(t)+float64(len(label))*3.2 > width:
			p.Text(width, bottom+17, label, "end", "")
		default:
			p.Text(x(t), bottom+17, label, "middle", "")
		}
	}
	for _, c := range b.Run.Away {
		if b.At == nil || c.From <= *b.At || model.CalendarKind(c.Kind) != model.KindFailure { // the others are known ahead
			p.Rect(x(c.From), y(c.First+c.Count-1), x(min(c.To, end))-x(c.From), row*float64(c.Count), "var(--hatch-bg)", `stroke="var(--hatch)" stroke-dasharray="3 3"`)
		}
	}
	for _, c := range b.Run.Before {
		if b.At == nil || c.End <= *b.At {
			p.Rect(x(c.Start)+.5, y(c.First+c.Count-1)+1, x(c.End)-x(c.Start)-1, row*float64(c.Count)-1.5, "var(--hatch-bg)", `rx="2" stroke="var(--bad)" stroke-dasharray="3 2"`)
		}
	}
	for _, s := range b.Run.Spans {
		b.job(&p, s, x, y, row)
	}
	b.grips(&p, x, y, row)
	if g := b.Ghost; g != nil {
		p.Rect(x(g.From)+.5, y(g.Processors-1)+1, x(min(g.To, end))-x(g.From)-1, row*float64(g.Processors)-1.5, "none", `rx="2" stroke="var(--bad)" stroke-width="1.5" stroke-dasharray="4 3"`)
	}
	if b.At != nil {
		at := x(*b.At)
		p.Path(fmt.Sprintf("M%s %sV%s", Num(at), Num(above-2), Num(bottom)), "var(--accent)", "2", "", "none", "")
		text := words.Int(int64(*b.At/60)) + " min"
		w := float64(len(text))*6.2 + 10
		left := min(max(at-w/2, 0), width-w)
		p.Rect(left, 1, w, 17, "var(--accent-fill)", `rx="4"`)
		p.Raw(left+w/2, 13.5, HTML(`{}`, text), "middle", "board-pill")
	}
	return p.Markup() + `</svg>`
}

// booked reports whether a job is an advance reservation.
func (b *Board) booked(job int32) bool {
	return int(job) < len(b.Jobs.Marks) && b.Jobs.Marks[job]&report.MarkReserved != 0
}

// started says whether a job with a start, −1 none, has it at At.
func (b *Board) started(start model.Time) bool {
	return start >= 0 && (b.At == nil || start < *b.At || start == *b.At && !b.Before)
}

// job draws what a job holds: over when it has ended, its known past solid and
// what it asked for light while it runs.
func (b *Board) job(p *Pen, s report.Span, x func(model.Time) float64, y func(int32) float64, row float64) {
	start, stop := b.Run.Start[s.Job], b.Run.End[s.Job]
	top, high := y(s.First+s.Count-1)+1, row*float64(s.Count)-1.5
	if !b.started(start) {
		if start >= 0 && b.booked(s.Job) && b.Jobs.Submit[s.Job] <= *b.At { // promised, and known to all
			p.Rect(x(start)+.5, top, x(start+b.Jobs.Limit[s.Job])-x(start)-1, high, "var(--hatch-bg)", `rx="2" stroke="var(--ink)" stroke-dasharray="4 3"`)
			p.Raw((x(start)+x(start+b.Jobs.Limit[s.Job]))/2, top+high/2+4, "booked", "middle", "board-job")
		}
		return
	}
	which := Markup("")
	if b.Grips != nil {
		which = HTML(` data-j="{}"`, b.Jobs.Number[s.Job])
	}
	box := func(from, to model.Time, fill string, more Markup) {
		p.Rect(x(from)+.5, top, x(to)-x(from)-1, high, "var(--"+fill+")", more+which)
	}
	switch {
	case b.At == nil:
		box(start, stop, "t2", `rx="2"`)
	case stop <= *b.At:
		box(start, stop, "t2", `rx="2"`)
	default:
		must := start + b.Jobs.Limit[s.Job]
		box(start, must, "t1", `rx="2"`)
		box(start, *b.At, "t4", `rx="2"`)
		p.Path(fmt.Sprintf("M%s %sv%s", Num(x(must)-1), Num(top), Num(high)), "var(--t4)", "2", "3 2.5", "none", "")
		if start == *b.At {
			p.Rect(x(start)+.5, top, 4, high, "var(--t4)", "")
		}
		stop = must
	}
	if int(s.Job) == b.Job {
		p.Rect(x(start)+.5, top, x(stop)-x(start)-1, high, "none", `rx="2" stroke="var(--accent)" stroke-width="2"`)
	}
	wide := min(x(stop), x(start)+1e4) - x(start)
	if label := words.Int(b.Jobs.Number[s.Job]); row*float64(s.Count) >= 13 && wide >= float64(len(label))*7+6 {
		class := "board-job"
		if b.At != nil && b.Run.End[s.Job] > *b.At && x(*b.At)-x(start) > wide/2 {
			class = "board-on" // on the solid past
		}
		p.Raw(x(start)+wide/2, top+high/2+4, HTML(`{}`, label), "middle", class)
	}
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
