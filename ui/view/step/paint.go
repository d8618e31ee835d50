package step

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/tell"
	"batchlab/ui/draw"
)

// painter draws a Scene.
type painter struct {
	draw.Pen
	*Scene
	left, right, top, bottom, row float64
	strips                        []lane
	bars                          []bar           // as far as decisions have been told
	all                           []bar           // as if all had been
	labels                        strings.Builder // above everything else
	refused                       bool            // what is free holds the job that was refused
}

// SVG draws the scene: the inside of an SVG element of W × H page pixels. Boxes of
// jobs have data-j, 1 + the job's index.
func (s *Scene) SVG() string {
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
	if head != nil {
		p.shadow(head.At)
	}
	p.cursor()
	p.came()
	p.copies()
	return p.String() + p.labels.String()
}

// Height is how high a picture is whose rows of processors are so high together.
func (s *Scene) Height(rows float64) float64 { return axis + rows + s.foot() + s.licences() }

// foot is the height of the row of submissions.
func (s *Scene) foot() float64 {
	if s.Quiet {
		return 12
	}
	return arrivals
}

// licences is the height of the rows of licences.
func (s *Scene) licences() float64 {
	h := 0.0
	for _, l := range s.Step.Licences {
		h += licenceRow*float64(min(l.Copies, 6)) + 8
	}
	return h
}

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
	fmt.Fprintf(&p.labels, `<text x="%s" y="%s" text-anchor="%s" style="fill:%s;%s">%s</text>`, draw.Num(x), draw.Num(y), anchor, fill, more, draw.Escape(text))
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
		if x-now < 48 && now-x < 48 {
			continue // the cursor's time stands there
		}
		if d := p.shadowed(); d != nil && x-p.x(d.At) < 70 && p.x(d.At)-x < 70 {
			continue
		}
		if x > p.left+8 && x < p.right-14 {
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

// booking draws what an advance reservation has booked, where its job will stand.
func (p *painter) booking(b *tell.Booking) {
	if b.From <= p.Step.Now {
		return
	}
	for _, s := range p.Cols.Spans {
		if p.number(int(s.Job)) == b.Number {
			p.Rect(p.x(b.From), p.y(s.First+s.Count-1), p.x(b.To)-p.x(b.From), float64(s.Count)*p.row, "url(#bl-hatch)", attr("data-j", int(s.Job)+1))
		}
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
		if h >= 11 && p.x(b.end)-x0 > 18 {
			p.label(x0+7, y+h/2+4, strconv.FormatInt(b.number, 10), "start", "var(--step-t2i)", "font-weight:600")
		}
		p.outline(b, x0, y, p.x(b.end)-x0, h)
		return
	}
	xu := p.x(b.until)
	fade := ""
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
		if xn-x0 < 8+7*float64(len(name)) {
			at, ink = xn+7, "var(--step-t1i)"
		}
	}
	if h >= 11 {
		room := xu - at
		if p.Small || p.Quiet {
			starts = ""
		}
		p.label(at, y+h/2+4, name, "start", ink, "font-weight:600")
		if starts != "" && room > 70 {
			p.label(at+8+7*float64(len(name)), y+h/2+4, "starts", "start", "var(--step-t1i)", "")
		}
		from := xn + 8
		if at >= xn {
			from = at + 12 + 7*float64(len(name)+len(starts))
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
		fmt.Fprintf(&p.labels, `<rect x="%s" y="%s" width="%s" height="%s" fill="none" stroke="var(--accent)" stroke-width="2" pointer-events="none"/>`, draw.Num(x+1), draw.Num(y+1), draw.Num(max(0, w-2)), draw.Num(max(0, h-2)))
	}
}

// box draws rows as boxes.
func (p *painter) box(r rows, from, to model.Time, attrs string) (first [4]float64, ok bool) {
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

// promised are the rows of the head's box: the highest that are free then beside
// all that starts now, so that the box stays where it is while decisions are told.
func (p *painter) promised(head *tell.Decision) rows {
	return p.free(p.all, head.At).with(p.cluster(p.Step.Place)).highest(head.Needs)
}

func (p *painter) band(head *tell.Decision) {
	if head.Spare <= 0 {
		return
	}
	var before []bar // of what passes the head
	for _, b := range p.all {
		if !b.passed {
			before = append(before, b)
		}
	}
	left := p.free(before, head.At).without(p.promised(head)).lowest(head.Spare)
	x := p.x(p.Step.Now)
	p.spans(left, func(low, n int32) {
		y, h := p.y(low+n-1), float64(n)*p.row
		p.Rect(x, y, p.right-x, h, "var(--step-band)", "")
		p.Path(fmt.Sprintf("M%s %sH%sM%s %sH%s", draw.Num(x), draw.Num(y), draw.Num(p.right), draw.Num(x), draw.Num(y+h), draw.Num(p.right)), "var(--good)", "1", "1.5 2", "none", "")
		if h >= 12 && !p.Small && !p.Quiet {
			p.label(p.right-8, y+h/2+4, fmt.Sprintf("left over: %d", head.Spare), "end", "var(--good)", "font-weight:500")
		}
	})
}

func (p *painter) promise(head *tell.Decision) {
	first, ok := p.box(p.promised(head), head.At, head.At+head.Limit, `stroke="var(--ink)" stroke-width="2" `+attr("data-j", int(head.Job)+1))
	if !ok || first[2] < 30 || first[3] < 12 {
		return
	}
	x, y := first[0]+12, first[1]+18
	if p.Small || first[3] < 54 || first[2] < 120 {
		p.label(x, first[1]+min(18, first[3]/2+4), fmt.Sprintf("%d head", head.Number), "start", "var(--ink)", "font-weight:600")
		return
	}
	p.label(x, y, fmt.Sprintf("Job %d, the head", head.Number), "start", "var(--ink)", "font-weight:600;font-size:13px")
	p.label(x, y+17, fmt.Sprintf("needs %d, for %s", head.Needs, p.Words.Span(head.Limit)), "start", "var(--ink-2)", "")
	if first[3] >= 66 {
		p.label(x, y+33, p.time(head.At)+" at the latest", "start", "var(--ink-2)", "")
	}
}

func (p *painter) plan(q *placed) {
	first, ok := p.box(q.at, q.q.At, q.end, `stroke="var(--ink)" stroke-width="1.5" `+attr("data-j", int(q.q.Job)+1))
	if !ok {
		return
	}
	if int(q.q.Job) == p.chosen() {
		fmt.Fprintf(&p.labels, `<rect x="%s" y="%s" width="%s" height="%s" fill="none" stroke="var(--accent)" stroke-width="2" pointer-events="none"/>`, draw.Num(first[0]+2), draw.Num(first[1]+2), draw.Num(max(0, first[2]-4)), draw.Num(max(0, first[3]-4)))
	}
	name := strconv.FormatInt(q.q.Number, 10)
	if first[3] >= 11 && first[2] > 8+7*float64(len(name)) {
		y := first[1] + min(17, first[3]/2+4)
		p.label(first[0]+8, y, name, "start", "var(--ink)", "font-weight:600")
		if text := p.time(q.q.At); first[2] > 22+7*float64(len(name))+6.4*float64(len(text)) {
			p.label(first[0]+14+7*float64(len(name)), y, text, "start", "var(--ink-2)", "")
		}
	}
	if q.q.Was < model.Never && q.q.Was != q.q.At && q.q.Was <= p.To {
		x, y := p.x(q.q.Was), first[1]+first[3]-10
		if first[3] < 24 {
			y = first[1] + first[3]/2
		}
		top := first[1] + 4
		if first[3] > 44 { // below its name
			top += 20
		}
		p.Path(fmt.Sprintf("M%s %sV%s", draw.Num(x), draw.Num(top), draw.Num(first[1]+first[3]-4)), "var(--ink-3)", "1.5", "2 2", "none", "")
		tip := 4.0
		if q.q.Was < q.q.At {
			tip = -4
		}
		p.Path(fmt.Sprintf("M%s %sH%sl%s %sm%s %sl%s %s", draw.Num(x), draw.Num(y), draw.Num(first[0]+tip), draw.Num(tip), "-4", draw.Num(-tip), "4", draw.Num(tip), "4"), "var(--ink-2)", "1.2", "", "none", "")
	}
}

// ghost draws what the chosen decision refused: one at a time.
func (p *painter) ghost(d *tell.Decision, head *tell.Decision) {
	now := p.Step.Now
	free := p.free(p.bars, now)
	switch d.Kind {
	case tell.Delays:
		if head == nil {
			return
		}
		at := free.with(p.cluster(p.Step.Place)).highest(d.Needs)
		x, w := p.x(now), p.x(d.Ends)-p.x(now)
		named := false
		p.spans(at, func(low, n int32) {
			y, h := p.y(low+n-1), float64(n)*p.row
			p.Rect(x+1, y+1, w-2, h-2, "none", `stroke="var(--bad)" stroke-width="1.5" stroke-dasharray="4 3"`)
			over := p.promised(head)
			from := p.x(head.At)
			p.spans(at.with(over), func(a, m int32) {
				if a+m <= low || a >= low+n || p.x(d.Ends) <= from {
					return
				}
				p.Rect(from+1, p.y(a+m-1)+1, p.x(d.Ends)-from-2, float64(m)*p.row-2, "url(#step-breach)", `stroke="var(--bad)" stroke-width="1.5"`)
				if text := p.Words.Span(d.Late); d.Late > 0 && !named && p.x(d.Ends)-from > 10+7*float64(len(text)) && h > 10 {
					p.label((from+p.x(d.Ends))/2, y+h/2+4, text, "middle", "var(--bad)", "font-weight:600;paint-order:stroke;stroke:var(--bad-soft);stroke-width:5px")
				}
			})
			if !named && h > 10 {
				text := fmt.Sprintf("%d?", d.Number)
				if !p.Small && !p.Quiet && from-x > 170 {
					text += " would end at " + p.time(d.Ends)
				}
				p.label(x+12, y+h/2+4, text, "start", "var(--bad)", "")
				named = true
			}
		})
	case tell.TooWide, tell.Apart, tell.Licence, tell.Kept, tell.Limit, tell.Stops, tell.Turn:
		x, w, named := p.x(now), p.x(now+d.Limit)-p.x(now), false
		p.spans(free, func(low, n int32) {
			y, h := p.y(low+n-1), float64(n)*p.row
			p.Rect(x+1.5, y+2, w-3, h-4, "var(--panel)", `fill-opacity=".75" stroke="var(--ink-3)" stroke-width="1.5" stroke-dasharray="4 3"`)
			p.refused = true
			if named || h < 11 {
				return
			}
			named = true
			p.label(x+12, y+h/2+4, fmt.Sprintf("%d? needs %d, %d free", d.Number, d.Needs, d.Free), "start", "var(--ink-2)", "")
		})
	case tell.Offer, tell.Refuses:
		for i, slot := range d.Slots {
			if slot.At > p.To {
				break
			}
			colour := map[bool]string{true: "good", false: "bad"}[slot.Fits]
			x, y := p.x(slot.At), p.bottom-12
			p.spans(p.named(d.Name), func(first, _ int32) { y = min(y, p.low(first)-12) })
			fmt.Fprintf(&p.labels, `<circle cx="%s" cy="%s" r="8" fill="var(--%s-soft)" stroke="var(--%s)"/>`, draw.Num(x), draw.Num(y), colour, colour)
			p.label(x, y+4, strconv.Itoa(i+1), "middle", "var(--"+colour+")", "font-weight:600")
		}
		if d.Kind == tell.Offer && d.Ends > p.From && d.At < p.To {
			p.box(p.named(d.Name).highest(d.Needs), d.At, d.Ends, `fill-opacity=".8" stroke="var(--ink)" stroke-width="1.5" stroke-dasharray="5 3"`)
		}
	}
}

// empty says what stays empty although jobs wait.
func (p *painter) empty() {
	free := p.free(p.bars, p.Step.Now)
	n := 0
	var low, high float64
	p.spans(free, func(first, count int32) {
		if n == 0 {
			high = p.low(first)
		}
		low = p.y(first + count - 1)
		n += int(count)
	})
	if n == 0 || p.refused || p.Step.Waits <= p.Step.Starts {
		return
	}
	x := p.x(p.Step.Now) + 10
	p.Path(fmt.Sprintf("M%s %sh6V%sh-6", draw.Num(x), draw.Num(low+3), draw.Num(high-3)), "var(--ink-2)", "1.5", "", "none", "")
	p.label(x+16, (low+high)/2+4, fmt.Sprintf("%d stay empty", n), "start", "var(--ink)", "font-weight:600")
}

// pill writes a time on the axis.
func (p *painter) pill(x float64, text, more, fill, stroke, ink string) {
	w := 16 + 6.6*float64(len([]rune(text))) + 5.6*float64(len([]rune(more)))
	x = min(max(x-w/2, p.left-6), p.right+10-w)
	fmt.Fprintf(&p.labels, `<rect x="%s" y="8" width="%s" height="20" rx="4" fill="%s" stroke="%s"/>`, draw.Num(x), draw.Num(w), fill, stroke)
	fmt.Fprintf(&p.labels, `<text x="%s" y="22" text-anchor="middle" style="fill:%s;font-weight:600">%s<tspan style="font-weight:400"> %s</tspan></text>`, draw.Num(x+w/2), ink, draw.Escape(text), draw.Escape(more))
}

func (p *painter) shadow(at model.Time) {
	if at > p.To {
		return
	}
	x := p.x(at)
	fmt.Fprintf(&p.labels, `<path d="M%s 28V%s" stroke="var(--ink)" stroke-width="1.5" stroke-dasharray="5 3" fill="none" pointer-events="none"/>`, draw.Num(x), draw.Num(p.bottom))
	more := "shadow time"
	if p.Small {
		more = ""
	}
	p.pill(x, p.time(at), more, "var(--panel)", "var(--ink)", "var(--ink)")
}

func (p *painter) cursor() {
	x := p.x(p.Step.Now)
	fmt.Fprintf(&p.labels, `<path d="M%s 28V%s" stroke="var(--accent)" stroke-width="2" fill="none" pointer-events="none" class="step-cursor"/>`, draw.Num(x), draw.Num(p.bottom))
	p.pill(x, p.time(p.Step.Now), "", "var(--accent-fill)", "none", "#fff")
}

// came draws the submissions up to now.
func (p *painter) came() {
	if p.Quiet || p.Jobs == nil {
		return
	}
	type mark struct {
		x     float64
		text  string
		fresh bool
	}
	var names []mark
	y, last := p.bottom+11, -100.0
	if !p.Small {
		p.Text(p.left-6, y+4, "came", "end", "")
	}
	now := p.Step.Now
	fresh := map[int]bool{}
	for i := range p.Step.Came {
		fresh[int(p.Step.Came[i].Job)] = true
	}
	submit := p.Jobs.Submit
	if len(p.Cols.Submit) > 0 {
		submit = p.Cols.Submit
	}
	for j, at := range submit {
		if at < p.From || at > now || at < 0 {
			continue
		}
		x := p.x(at)
		if len(submit) <= 60 && (!p.Small || fresh[j]) {
			text := strconv.FormatInt(p.number(j), 10)
			switch n := len(names) - 1; {
			case n >= 0 && x-names[n].x < 3: // together
				names[n].text += ", " + text
				names[n].fresh = names[n].fresh || fresh[j]
			case n < 0 || x-names[n].x > 5+3.5*float64(len(names[n].text)+len(text)):
				names = append(names, mark{x, text, fresh[j]})
			case fresh[j]: // it counts more than those before
				names[n] = mark{x, text, true}
			}
		}
		if x-last < 2 && !fresh[j] {
			continue
		}
		fill := "var(--ink-3)"
		if fresh[j] {
			fill = "var(--accent)"
		}
		fmt.Fprintf(p, `<circle cx="%s" cy="%s" r="3" fill="%s" %s/>`, draw.Num(x), draw.Num(y), fill, attr("data-j", j+1))
		last = x
	}
	for _, n := range names {
		p.Text(n.x, y+15, n.text, "middle", map[bool]string{true: "k b"}[n.fresh])
	}
}

// copies draws the licences: a bar for each copy, dots for one in use.
func (p *painter) copies() {
	y := p.bottom + p.foot()
	for _, l := range p.Step.Licences {
		n := min(l.Copies, 6)
		p.Text(p.left-6, y+float64(n)*licenceRow/2+4, draw.Clip(l.Name, p.left-8), "end", "k2")
		used := l.Copies - l.Free
		for c := range n {
			at := y + float64(c)*licenceRow
			p.Rect(p.left, at, p.right-p.left, licenceRow-1, "var(--sunken)", "")
			if int32(float64(c)*float64(l.Copies)/float64(n)) < used {
				p.Rect(p.left, at, p.x(p.Step.Now)-p.left, licenceRow-1, "url(#step-dots)", "")
			}
		}
		ink := "var(--ink-2)"
		if l.Free == 0 {
			ink = "var(--bad)"
		}
		p.label(p.right-6, y+float64(n)*licenceRow/2+3, fmt.Sprintf("%d of %d free", l.Free, l.Copies), "end", ink, "font-weight:600;paint-order:stroke;stroke:var(--sunken);stroke-width:5px")
		y += float64(n)*licenceRow + 8
	}
}

// place is where a time stands on the axis.
func (s *Scene) place(t model.Time) float64 {
	left, right := s.edges()
	return left + float64(min(max(t, s.From), s.To)-s.From)/float64(max(1, s.To-s.From))*(right-left)
}

func (s *Scene) edges() (left, right float64) {
	if s.Small {
		return gutterSmall, s.W - 8
	}
	return gutter, s.W - margin
}

// tall is how high a mark of the track is for n of most, from 0 to 1: each start
// counts the same while there are few, and by its order of magnitude where a pixel
// stands for very many.
func tall(n, most int) float64 {
	if most <= 6 {
		return float64(n) / 6
	}
	return math.Log1p(float64(n)) / math.Log1p(float64(most))
}

// Track draws the instants up to now, the higher the more jobs start then; w is its
// width. What comes after is not known yet.
func Track(s *Scene, w float64) string {
	const base = 20.5
	left, right := s.edges()
	x := s.place
	var g draw.Pen
	g.Line(left, base, right, base, "line-2")
	g.Path(fmt.Sprintf("M%s %sH%s", draw.Num(left), draw.Num(base), draw.Num(x(s.Step.Now))), "var(--accent)", "2", "", "none", "")
	counts, most := map[int]int{}, 0 // by pixel: 1 + starts
	add := func(t model.Time, n int) {
		if t >= s.From && t <= s.Step.Now {
			counts[int(x(t))] = max(1, counts[int(x(t))]) + n
			most = max(most, counts[int(x(t))])
		}
	}
	for j, at := range s.Cols.Start {
		if at >= 0 {
			add(at, 1)
			if s.Cols.End[j] <= s.Step.Now {
				add(s.Cols.End[j], 0)
			}
		}
	}
	if s.Jobs != nil {
		for _, at := range s.Jobs.Submit {
			if len(s.Cols.Submit) == 0 {
				add(at, 0)
			}
		}
	}
	var d draw.Path
	for px := int(left); px <= int(right)+1; px++ {
		if n := counts[px]; n > 0 {
			d.Cmd('M', float64(px)+.5, base-3-15*tall(n, most))
			d.Cmd('L', float64(px)+.5, base)
		}
	}
	g.Path(string(d.B), "var(--accent)", "2", "", "none", "")
	now := x(s.Step.Now)
	fmt.Fprintf(&g, `<circle cx="%s" cy="%s" r="6" fill="var(--accent-fill)" stroke="var(--panel)" stroke-width="2"/>`, draw.Num(now), draw.Num(base))
	g.Text(left-6, base+4, "steps", "end", "")
	if !s.Small && right-now > 300 {
		g.Text(now+12, 15, "drag to go back; what comes after is not known yet", "start", "")
	}
	return fmt.Sprintf(`<svg class="step-g" width="%s" height="30" viewBox="0 0 %s 30" role="img" aria-label="Steps up to now">%s</svg>`, draw.Num(w), draw.Num(w), g.String())
}
