package instant

import (
	"fmt"
	"strconv"

	"batchlab/core/model"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// painter draws a Scene.
type painter struct {
	draw.Pen
	*Scene
	left, right, top, bottom, row float64
	strips                        []lane
	bars                          []bar       // as far as decisions have been told
	all                           []bar       // as if all had been
	labels                        draw.Writer // above everything else
	refused                       bool        // what is free holds the job that was refused
}

// SVG draws the scene: the inside of an SVG element of W × H page pixels. Boxes of
// jobs have data-j, 1 + the job's index.
func (s *Scene) SVG() draw.Markup {
	p := &painter{Scene: s, left: gutter, right: s.W - margin, top: axis}
	if s.Small {
		p.left, p.right = gutterSmall, s.W-8
	}
	p.bottom = s.H - s.foot() - s.licences()
	p.strips = s.lanes()
	p.row = (p.bottom - p.top - laneGap*float64(len(p.strips))) / float64(max(1, s.Procs))
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
	p.cursor()
	p.came()
	p.copies()
	return p.Markup() + p.labels.Markup()
}

// Height is how high a picture is whose rows of processors are so high together.
func (s *Scene) Height(rows float64) float64 { return axis + rows + s.foot() + s.licences() }

func (p *painter) x(t model.Time) float64 {
	t = min(max(t, p.From), p.To)
	return p.left + float64(t-p.From)/float64(max(1, p.To-p.From))*(p.right-p.left)
}

// y is the upper edge of a processor's row; processor 0 stands at the bottom.
func (p *painter) y(proc int32) float64 {
	return p.bottom - float64(proc+1)*p.row - laneGap*float64(p.lane(proc))
}

// label writes text above everything else.
func (p *painter) label(x, y float64, text, anchor, fill, more string) {
	p.labels.Put(`<text x="{}" y="{}" text-anchor="{}" style="fill:{};{}">{}</text>`, x, y, anchor, fill, more, text)
}

func (p *painter) time(t model.Time) string { return p.Words.Time(t) }

func (p *painter) ground() {
	now := p.x(p.Step.Now)
	lanes := p.strips
	if len(lanes) == 0 {
		lanes = []lane{{count: int32(p.Procs)}}
	}
	for _, l := range lanes {
		y, h := p.y(l.first+l.count-1), float64(l.count)*p.row
		p.Rect(p.left, y, now-p.left, h, "var(--panel)", "")
		p.Rect(now, y, p.right-now, h, "var(--step-future)", "")
	}
	ticks := draw.TimeTicks(p.Clock, p.From, p.To, int(max(2, (p.right-p.left)/96)))
	for _, t := range ticks {
		x := draw.Crisp(p.x(model.Time(t.At)))
		p.Line(x, p.top, x, p.bottom, "grid")
		if p.Minutes {
			t.Label = words.Int(int64(t.At)/60) + words.NB + "min"
		}
		if x > p.left+8 && x < p.right-14 && !p.covered(x, t.Label) {
			p.Text(x, 23, t.Label, "middle", map[bool]string{true: "k b"}[t.Bold])
		}
	}
	for _, l := range lanes {
		p.scale(l)
	}
	if p.Site != nil && len(p.Site.Machines) > 1 && len(p.Site.Machines) <= 60 {
		for _, m := range p.Site.Machines {
			y := draw.Crisp(p.low(m.First))
			p.Line(p.left, y, p.right, y, "line-3")
		}
	}
	for i := range p.Cols.Away {
		a := &p.Cols.Away[i]
		if a.To > p.From && a.From < p.To && p.announced(a) {
			p.pieces(a.First, a.Count, func(first, count int32) {
				p.Rect(p.x(a.From), p.y(first+count-1), p.x(a.To)-p.x(a.From), float64(count)*p.row, "url(#bl-hatch)", "")
			})
		}
	}
	p.Line(p.left, draw.Crisp(p.bottom), p.right, draw.Crisp(p.bottom), "line-3")
	for _, b := range p.Step.Bookings {
		p.booking(&b)
	}
}

// scale writes the numbers of a lane's processors, and its name above it.
func (p *painter) scale(l lane) {
	parts := 4
	if high := float64(l.count) * p.row; len(p.strips) > 0 && high < 60 {
		parts = 1
	}
	every := max(1, l.count/int32(parts))
	for _, n := range [...]int32{3, 4, 5, 2} {
		if parts > 1 && l.count%n == 0 {
			every = l.count / n
			break
		}
	}
	bottom := p.low(l.first)
	for n := int32(0); n <= l.count; n += every {
		y := bottom - float64(n)*p.row
		if n > 0 && n < l.count {
			p.Line(p.left, draw.Crisp(y), p.right, draw.Crisp(y), "grid")
		}
		p.Text(p.left-6, y+4, strconv.Itoa(int(n)), "end", "")
	}
	if len(p.strips) > 0 {
		p.Line(p.left, draw.Crisp(bottom), p.right, draw.Crisp(bottom), "line-3")
		p.label(p.left, p.y(l.first+l.count-1)-6, l.name, "start", "var(--ink)", "font-weight:600")
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
	y, h := p.y(b.first+b.count-1), float64(b.count)*p.row
	gap := .5
	if h < 4 {
		gap = 0
	}
	more := attr("data-j", b.job+1)
	now := p.Step.Now
	x0, xn := p.x(b.start), p.x(now)
	if b.end <= now { // ended
		p.Rect(x0+gap, y+gap, p.x(b.end)-x0-2*gap, h-2*gap, "var(--step-t2)", more)
		if name := strconv.FormatInt(b.number, 10); h >= 11 && p.x(b.end)-x0 > 11+digit*float64(len(name)) {
			p.label(x0+7, y+h/2+4, name, "start", "var(--step-t2i)", "font-weight:600")
		}
		p.outline(b, x0, y, p.x(b.end)-x0, h)
		return
	}
	xu := p.x(b.until)
	fade := draw.Markup("")
	if p.Truth && b.end < b.until { // what was asked for in vain
		fade = ` opacity=".45"`
	}
	p.Rect(xn+gap, y+gap, xu-xn-2*gap, h-2*gap, "var(--step-t1)", more+fade)
	if b.until <= p.To {
		p.Path(fmt.Sprintf("M%s %sV%s", draw.Num(xu-1), draw.Num(y+1), draw.Num(y+h-1)), "var(--step-t4)", "2", "3 2.5", "none", "")
	}
	if p.Truth {
		p.Path(fmt.Sprintf("M%s %sV%s", draw.Num(p.x(b.end)), draw.Num(y+1), draw.Num(y+h-1)), "var(--ink)", "2", "", "none", "")
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

// box draws rows as boxes.
func (p *painter) box(r rows, from, to model.Time, attrs draw.Markup) (first [4]float64, ok bool) {
	x, w := p.x(from), p.x(to)-p.x(from)
	p.spans(r, func(low, n int32) {
		y, h := p.y(low+n-1), float64(n)*p.row
		p.Rect(x+1, y+1, w-2, h-2, "var(--panel)", attrs)
		if !ok || h > first[3] {
			first, ok = [4]float64{x, y, w, h}, true
		}
	})
	return first, ok
}
