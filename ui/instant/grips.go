package instant

import (
	"fmt"

	"batchlab/core/model"
	"batchlab/ui/draw"
	"batchlab/ui/scene"
	"batchlab/ui/words"
)

// A board can be changed by hand: each job says which it is (data-j), and the outlined one has grips, one for each number of its row in the table.

// Grips says how a board is changed.
type Grips struct {
	Board     int  // index among the boards on the screen, so that the focus finds its way back
	Requested bool // the requested time has a grip of its own
	Run       bool // the run time has one
}

// gripNames say what a grip changes, as a reader of the screen is told it.
var gripNames = map[string]string{"submit": "submitted", "procs": "processors", "requested": "asks for", "run": "runs for"}

// boardGrains are the steps by which times are dragged, in seconds.
var boardGrains = [...]model.Time{14400, 3600, 900, 300, 60, 15, 5, 1}

// Grain is the step by which times of this board are dragged: about a 24th of its
// axis, at least a second.
func (b *Board) Grain() model.Time {
	for _, g := range boardGrains {
		if g*24 <= b.end() {
			return g
		}
	}
	return 1
}

// scale tells what a drag over the board means: seconds a pixel, pixels a
// processor, and the grain.
func (b *Board) scale(f scene.Frame) draw.Markup {
	_, row := f.Down(0, 1)
	return draw.HTML(` data-board="{}" data-per="{}" data-row="{}" data-grain="{}"`, b.Grips.Board, fmt.Sprintf("%g", float64(f.To-f.From)/(f.Right-f.Left)), row, int(b.Grain()))
}

// grips draws what the outlined job is changed by: its submission, its upper edge,
// its end, and where it asks for longer the end of that.
func (b *Board) grips(p *draw.Pen, f *scene.Frame) {
	j := b.Job
	if j < 0 || j >= len(b.Run.Start) || b.Run.Start[j] < 0 {
		return
	}
	k := len(b.Run.Spans) - 1 // its highest span
	for k >= 0 && int(b.Run.Spans[k].Job) != j {
		k--
	}
	if k < 0 {
		return
	}
	box := f.Box(b.Run.Spans[k].First, b.Run.Spans[k].Count, b.Run.Start[j], b.Run.End[j])
	submit, middle := f.Cut(b.Jobs.Submit[j]), box.Y+box.H/2
	if box.X-submit > 1 {
		p.Path(fmt.Sprintf("M%s %sH%s", draw.Num(submit), draw.Num(middle), draw.Num(box.X)), "var(--accent)", "1.5", "2 3", "none", "")
	}
	asks := f.Cut(b.Run.Start[j] + b.Jobs.Limit[j])
	if asks-box.Right() > 1 {
		p.Rect(box.Right(), box.Y+1, asks-box.Right(), box.H-1.5, "none", `rx="2" stroke="var(--accent)" stroke-dasharray="4 3"`)
	}
	span := func(t model.Time) string { return words.Minutes(int64(t)) }
	b.grip(p, "submit", submit, middle, int64(b.Jobs.Submit[j]), span(b.Jobs.Submit[j]))
	b.grip(p, "procs", box.X+box.W/2, box.Y+1, int64(b.Jobs.Procs[j]), words.Count(int(b.Jobs.Procs[j]), "processor", "processors"))
	if b.Grips.Run {
		run := b.Run.End[j] - b.Run.Start[j]
		b.grip(p, "run", box.Right(), middle, int64(run), span(run))
	}
	if b.Grips.Requested {
		b.grip(p, "requested", asks, middle, int64(b.Jobs.Limit[j]), span(b.Jobs.Limit[j]))
	}
}

// grip draws one: a dot of ten pixels to be taken by a pointer, a finger or the
// arrow keys.
func (b *Board) grip(p *draw.Pen, kind string, x, y float64, value int64, text string) {
	tab := -1 // the same grips of the boards below need not be gone through
	if b.Grips.Board == 0 {
		tab = 0
	}
	p.Put(`<g class="grip grip-{}" data-grip="{}" data-at="{}/{}" role="slider" tabindex="{}" aria-label="Job {}, {}" aria-valuenow="{}" aria-valuetext="{}"><circle cx="{}" cy="{}" r="15" class="grip-reach"/><circle cx="{}" cy="{}" r="5" class="grip-dot"/></g>`, kind, kind, b.Grips.Board, kind, tab, b.Jobs.Number[b.Job], gripNames[kind], value, text, x, y, x, y)
}
