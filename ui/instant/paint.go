package instant

import (
	"fmt"
	"strconv"

	"batchlab/core/model"
	"batchlab/ui/draw"
	"batchlab/ui/scene"
	"batchlab/ui/words"
)

// painter draws a Scene.
type painter struct {
	draw.Pen
	*Scene
	scene.Frame
	bars    []bar       // as far as decisions have been told
	all     []bar       // as if all had been
	labels  draw.Writer // above everything else
	refused bool        // what is free holds the job that was refused
}

// Picture is the scene by itself, in the room that it is drawn for.
func (s *Scene) Picture() draw.Markup {
	return draw.HTML(`<svg class="step-g" width="{}" height="{}" viewBox="0 0 {} {}">{}</svg>`, s.W, s.H, s.W, s.H, s.SVG())
}

// SVG draws the scene: the inside of an SVG element of W × H page pixels. Boxes of
// jobs have data-j, 1 + the job's index.
func (s *Scene) SVG() draw.Markup {
	p := &painter{Scene: s, Frame: s.Frame()}
	p.bars = s.bars()
	told := *s
	told.Reach = len(s.Step.Decisions)
	p.all = told.bars()
	p.ground()
	head := s.shadowed()
	if head != nil {
		p.band(head)
	}
	for i := range p.bars {
		p.bar(&p.bars[i])
	}
	plans := s.plans(p.bars)
	for i := range plans {
		p.plan(&plans[i])
	}
	if head != nil {
		p.promise(head)
	}
	if s.Chosen >= 0 && s.Chosen < len(s.Step.Decisions) && s.Chosen < s.Reach {
		p.ghost(&s.Step.Decisions[s.Chosen], head)
	}
	if s.Empty {
		p.empty()
	}
	if s.Hole {
		p.hole()
	}
	if head != nil {
		p.shadow(head.At)
	}
	p.after()
	if s.Step.Now < s.To {
		p.cursor()
	}
	p.came()
	p.copies()
	return p.Markup() + p.labels.Markup()
}

// Height is how high a picture is whose rows of processors are so high together.
func (s *Scene) Height(rows float64) float64 { return axis + rows + s.foot() + s.licences() }

// label writes text above everything else.
func (p *painter) label(x, y float64, text, anchor, fill, more string) {
	p.labels.Put(`<text x="{}" y="{}" text-anchor="{}" style="fill:{};{}">{}</text>`, x, y, anchor, fill, more, text)
}

func (p *painter) time(t model.Time) string { return p.Words.Time(t) }

func (p *painter) ground() {
	now := p.Cut(p.Step.Now)
	for _, l := range p.Lanes {
		p.Rect(p.Left, l.Y, now-p.Left, l.H, "var(--panel)", "")
		p.Rect(now, l.Y, p.Right-now, l.H, "var(--step-future)", "")
	}
	ticks := p.Ticks(p.Clock, 96)
	for i := range ticks {
		if t := &ticks[i]; p.Minutes {
			t.Label = words.Int(int64(t.At)/60) + words.NB + "min"
		}
	}
	p.Time(&p.Pen, ticks, 23, p.covered)
	for i := range p.Lanes {
		p.scale(&p.Lanes[i])
	}
	if p.Site != nil && len(p.Site.Machines) > 1 && len(p.Site.Machines) <= 60 {
		for _, m := range p.Site.Machines {
			y, h := p.Down(m.First, m.Procs)
			p.Line(p.Left, draw.Crisp(y+h), p.Right, draw.Crisp(y+h), "line-3")
		}
	}
	for i := range p.Cols.Away {
		if a := &p.Cols.Away[i]; a.To > p.From && a.From < p.To && p.announced(a) {
			p.Fill(&p.Pen, a.First, a.Count, a.From, a.To, "url(#bl-hatch)", "")
		}
	}
	p.Line(p.Left, draw.Crisp(p.Bottom), p.Right, draw.Crisp(p.Bottom), "line-3")
	for _, b := range p.Step.Bookings {
		p.booking(&b)
	}
}

// scale writes the numbers of a lane's processors, and its name above it.
func (p *painter) scale(l *scene.Lane) {
	parts := 4
	if l.Name != "" && l.H < 60 {
		parts = 1
	}
	every := max(1, l.Count/int32(parts))
	for _, n := range [...]int32{3, 4, 5, 2} {
		if parts > 1 && l.Count%n == 0 {
			every = l.Count / n
			break
		}
	}
	for n := int32(0); n <= l.Count; n += every {
		y := l.Level(l.First + n)
		if n > 0 && n < l.Count {
			p.Line(p.Left, draw.Crisp(y), p.Right, draw.Crisp(y), "grid")
		}
		p.Text(p.Left-6, y+4, strconv.Itoa(int(n)), "end", "")
	}
	if l.Name != "" {
		p.Line(p.Left, draw.Crisp(l.Y+l.H), p.Right, draw.Crisp(l.Y+l.H), "line-3")
		p.label(p.Left, l.Y-6, l.Name, "start", "var(--ink)", "font-weight:600")
	}
}

// chosen is the job that is outlined: that of the chosen decision, or the selected.
func (p *painter) chosen() int {
	if p.Chosen >= 0 && p.Chosen < len(p.Step.Decisions) {
		if d := &p.Step.Decisions[p.Chosen]; d.Job >= 0 {
			return int(d.Job)
		}
	}
	return p.Job
}

// digit is the width of a bold digit in the picture.
const digit = 7.0

func (p *painter) bar(b *bar) {
	y, h := p.Down(b.first, b.count)
	gap := .5
	if h < 4 {
		gap = 0
	}
	more := attr("data-j", b.job+1)
	now := p.Step.Now
	x0, xn := p.Cut(b.start), p.Cut(now)
	if b.end <= now { // ended
		fill := "var(--step-t2)"
		if b.cut {
			fill, more = "var(--hatch-bg)", more+` stroke="var(--bad)" stroke-dasharray="3 2"`
		}
		p.Rect(x0+gap, y+gap, p.Cut(b.end)-x0-2*gap, h-2*gap, fill, more)
		if name := strconv.FormatInt(b.number, 10); h >= 11 && p.Cut(b.end)-x0 > 11+digit*float64(len(name)) {
			p.label(x0+7, y+h/2+4, name, "start", "var(--step-t2i)", "font-weight:600")
		}
		p.outline(b, x0, y, p.Cut(b.end)-x0, h)
		return
	}
	xu := p.Cut(b.until)
	fade := draw.Markup("")
	if p.Truth && b.end < b.until { // what was asked for in vain
		fade = ` opacity=".45"`
	}
	p.Rect(xn+gap, y+gap, xu-xn-2*gap, h-2*gap, "var(--step-t1)", more+fade)
	if b.until <= p.To {
		p.Path(fmt.Sprintf("M%s %sV%s", draw.Num(xu-1), draw.Num(y+1), draw.Num(y+h-1)), "var(--step-t4)", "2", "3 2.5", "none", "")
	}
	if p.Truth {
		p.Path(fmt.Sprintf("M%s %sV%s", draw.Num(p.Cut(b.end)), draw.Num(y+1), draw.Num(y+h-1)), "var(--ink)", "2", "", "none", "")
	}
	name, starts := strconv.FormatInt(b.number, 10), ""
	at, ink := x0+7, "var(--step-t4i)"
	if b.fresh {
		p.Rect(xn+gap, y+gap, 4, h-2*gap, "var(--step-t4)", more)
		if b.passed && h >= 6 {
			p.Path(fmt.Sprintf("M%s %sh8l-8 8z", draw.Num(xn+gap), draw.Num(y+gap)), "", "", "", "var(--ink)", "")
		}
		at, ink, starts = xn+12, "var(--step-t1i)", " starts"
	} else {
		p.Rect(x0+gap, y+gap, xn-x0-gap, h-2*gap, "var(--step-t4)", more)
		if xn-x0 < 8+digit*float64(len(name)) {
			at, ink = xn+7, "var(--step-t1i)"
		}
	}
	if room := xu - at; h >= 11 && room > 2+digit*float64(len(name)) { // else it would stand in the next job's box
		if p.Small || p.Quiet {
			starts = ""
		}
		p.label(at, y+h/2+4, name, "start", ink, "font-weight:600")
		if starts != "" && room > 52+digit*float64(len(name)) {
			p.label(at+8+digit*float64(len(name)), y+h/2+4, "starts", "start", "var(--step-t1i)", "")
		}
		from := xn + 8
		if at >= xn {
			from = at + 12 + digit*float64(len(name)+len(starts))
		}
		if text := "must end by " + p.time(b.until); !p.Small && !p.Quiet && !p.Truth && b.until <= p.To && xu-from > 14+5.8*float64(len(text)) {
			p.label(xu-8, y+h/2+4, text, "end", "var(--step-t1i)", "")
		}
	}
	p.outline(b, x0, y, xu-x0, h)
}

// outline marks the chosen job.
func (p *painter) outline(b *bar, x, y, w, h float64) {
	if b.job == p.chosen() {
		p.labels.Put(`<rect x="{}" y="{}" width="{}" height="{}" fill="none" stroke="var(--accent)" stroke-width="2" pointer-events="none"/>`, x+1, y+1, max(0, w-2), max(0, h-2))
	}
}

// spans calls visit with where rows stand from a time to another, in one lane each.
func (p *painter) spans(r rows, from, to model.Time, visit func(b draw.Box)) {
	r.spans(func(first, count int32) {
		p.Pieces(first, count, func(first, count int32) { visit(p.Box(first, count, from, to)) })
	})
}

// box draws rows as boxes, and returns the highest.
func (p *painter) box(r rows, from, to model.Time, attrs draw.Markup) (first draw.Box, ok bool) {
	p.spans(r, from, to, func(b draw.Box) {
		p.Rect(b.X+1, b.Y+1, b.W-2, b.H-2, "var(--panel)", attrs)
		if !ok || b.H > first.H {
			first, ok = b, true
		}
	})
	return first, ok
}
