package instant

import (
	"fmt"
	"slices"
	"strconv"

	"batchlab/core/model"
	"batchlab/core/tell"
	"batchlab/ui/draw"
)

// What a scheduler thinks, as marks: promises and plans, what they leave over, who is
// refused, and the cursor.

// booking draws what an advance reservation has booked, where its job will stand.
func (p *painter) booking(b *tell.Booking) {
	if b.From <= p.Step.Now {
		return
	}
	for _, s := range p.Cols.Spans {
		if p.number(int(s.Job)) == b.Number {
			p.Fill(&p.Pen, s.First, s.Count, b.From, b.To, "url(#bl-hatch)", attr("data-j", int(s.Job)+1))
		}
	}
}

// hatched says whether anything is drawn as reserved or out of order.
func (s *Scene) hatched() bool {
	for i := range s.Cols.Away {
		if a := &s.Cols.Away[i]; a.To > s.From && a.From < s.To && s.announced(a) {
			return true
		}
	}
	return slices.ContainsFunc(s.Step.Bookings, func(b tell.Booking) bool { return b.From > s.Step.Now && b.From < s.To })
}

// promised are the rows of the head's box: the highest that are free then beside
// all that starts now, so that the box stays where it is while decisions are told.
func (p *painter) promised(head *tell.Decision) rows {
	return p.seat(p.free(p.all, head.At), head.Place, head.Parts, head.Needs, rows.highest)
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
	named := false
	p.spans(left, p.Step.Now, p.To, func(b draw.Box) {
		p.Rect(b.X, b.Y, b.W, b.H, "var(--step-band)", "")
		p.Path(fmt.Sprintf("M%s %sH%sM%s %sH%s", draw.Num(b.X), draw.Num(b.Y), draw.Num(p.Right), draw.Num(b.X), draw.Num(b.Bottom()), draw.Num(p.Right)), "var(--good)", "1", "1.5 2", "none", "")
		if b.H >= 12 && !p.Small && !p.Quiet && !named {
			named = true
			p.label(p.Right-8, b.Y+b.H/2+4, fmt.Sprintf("left over: %d", head.Spare), "end", "var(--good)", "font-weight:500")
		}
	})
}

func (p *painter) promise(head *tell.Decision) {
	first, ok := p.box(p.promised(head), head.At, head.At+head.Limit, `stroke="var(--ink)" stroke-width="2" `+attr("data-j", int(head.Job)+1))
	if drop := p.breached(head); ok && first.H-drop >= 30 { // its words stand below what is drawn over it
		first.Y, first.H = first.Y+drop, first.H-drop
	}
	if !ok || first.W < 30 || first.H < 12 {
		return
	}
	x, y := first.X+12, first.Y+18
	if p.Small || first.H < 54 || first.W < 120 {
		text, anchor := fmt.Sprintf("%d head", head.Number), "start"
		if wide := draw.TextWidth(text); first.W < wide+16 { // beside the box, where there is room
			if x = first.X + first.W + 6; x+wide > p.Right {
				x, anchor = first.X-6, "end"
			}
		}
		p.label(x, first.Y+min(18, first.H/2+4), text, anchor, "var(--ink)", "font-weight:600")
		return
	}
	p.label(x, y, fmt.Sprintf("Job %d, the head", head.Number), "start", "var(--ink)", "font-weight:600;font-size:13px")
	p.label(x, y+17, fmt.Sprintf("needs %d, for %s", head.Needs, p.Words.Span(head.Limit)), "start", "var(--ink-2)", "")
	if first.H >= 66 {
		p.label(x, y+33, p.time(head.At)+" at the latest", "start", "var(--ink-2)", "")
	}
}

func (p *painter) plan(q *placed) {
	first, ok := p.box(q.at, q.q.At, q.end, `stroke="var(--ink)" stroke-width="1.5" `+attr("data-j", int(q.q.Job)+1))
	if !ok {
		return
	}
	if int(q.q.Job) == p.chosen() {
		p.labels.Put(`<rect x="{}" y="{}" width="{}" height="{}" fill="none" stroke="var(--accent)" stroke-width="2" pointer-events="none"/>`, first.X+2, first.Y+2, max(0, first.W-4), max(0, first.H-4))
	}
	name := strconv.FormatInt(q.q.Number, 10)
	if first.H >= 11 && first.W > 8+7*float64(len(name)) {
		y := first.Y + min(17, first.H/2+4)
		p.label(first.X+8, y, name, "start", "var(--ink)", "font-weight:600")
		if text := p.time(q.q.At); first.W > 22+7*float64(len(name))+6.4*float64(len(text)) {
			p.label(first.X+14+7*float64(len(name)), y, text, "start", "var(--ink-2)", "")
		}
	}
	if q.q.Was < model.Never && q.q.Was != q.q.At && q.q.Was <= p.To {
		x, y := p.Cut(q.q.Was), first.Y+first.H-10
		if first.H < 24 {
			y = first.Y + first.H/2
		}
		top := first.Y + 4
		if first.H > 44 { // below its name
			top += 20
		}
		p.Path(fmt.Sprintf("M%s %sV%s", draw.Num(x), draw.Num(top), draw.Num(first.Y+first.H-4)), "var(--ink-3)", "1.5", "2 2", "none", "")
		tip := 4.0
		if q.q.Was < q.q.At {
			tip = -4
		}
		p.Path(fmt.Sprintf("M%s %sH%sl%s %sm%s %sl%s %s", draw.Num(x), draw.Num(y), draw.Num(first.X+tip), draw.Num(tip), "-4", draw.Num(-tip), "4", draw.Num(tip), "4"), "var(--ink-2)", "1.2", "", "none", "")
	}
}

// breached is how much of the head's box, from its upper edge, a chosen job that would
// delay it stands over, in page pixels.
func (p *painter) breached(head *tell.Decision) (high float64) {
	if p.Chosen < 0 || p.Chosen >= min(p.Reach, len(p.Step.Decisions)) || p.Step.Decisions[p.Chosen].Kind != tell.Delays {
		return 0
	}
	d, over := &p.Step.Decisions[p.Chosen], p.promised(head)
	at := p.free(p.bars, p.begins(d)).with(p.cluster(p.Step.Place)).highest(d.Needs)
	for i := len(over) - 1; i >= 0; i-- {
		switch {
		case over[i] && !at[i]:
			return high
		case over[i]:
			_, h := p.Down(int32(i), 1)
			high += h
		}
	}
	return high
}

// begins is when the chosen job would begin: at once, or when somebody says that it does.
func (p *painter) begins(d *tell.Decision) model.Time {
	if d.Kind == tell.Delays && d.Was < model.Never {
		return d.Was
	}
	return p.Step.Now
}

// owed are the rows of the start that a decision says would be late: those of the head,
// else of the planned job.
func (p *painter) owed(d, head *tell.Decision) rows {
	if head != nil {
		return p.promised(head)
	}
	for _, q := range p.plans(p.bars) {
		if q.q.Number == d.Head {
			return q.at
		}
	}
	return make(rows, p.Procs)
}

// ghost draws what the chosen decision refused: one at a time.
func (p *painter) ghost(d *tell.Decision, head *tell.Decision) {
	now := p.begins(d)
	free := p.free(p.bars, now)
	switch d.Kind {
	case tell.Delays:
		at := free.with(p.cluster(p.Step.Place)).highest(d.Needs)
		named, over := false, p.owed(d, head)
		p.spans(at, now, d.Ends, func(b draw.Box) {
			p.Rect(b.X+1, b.Y+1, b.W-2, b.H-2, "none", `stroke="var(--bad)" stroke-width="1.5" stroke-dasharray="4 3"`)
			from := p.Cut(d.At)
			p.spans(at.with(over), d.At, d.Ends, func(o draw.Box) {
				if o.Bottom() < b.Y+.1 || o.Y > b.Bottom()-.1 || o.W <= 0 {
					return
				}
				o = draw.Box{X: o.X + 1, Y: o.Y + 1, W: o.W - 2, H: o.H - 2}
				var lines draw.Path // and no pattern, which another picture would have to hold
				lines.Hatch(o, 8)
				p.Rect(o.X, o.Y, o.W, o.H, "var(--bad-soft)", `class="step-breach" stroke="var(--bad)" stroke-width="1.5"`)
				p.Path(string(lines.B), "var(--bad)", "1.4", "", "none", "")
				if text := p.Words.Span(d.Late); d.Late > 0 && !named && o.W+2 > 10+7*float64(len(text)) && b.H > 10 {
					p.label(o.X+o.W/2, b.Y+b.H/2+4, text, "middle", "var(--bad)", "font-weight:600;paint-order:stroke;stroke:var(--bad-soft);stroke-width:5px")
				}
			})
			if !named && b.H > 10 {
				text := fmt.Sprintf("%d?", d.Number)
				if !p.Small && !p.Quiet && from-b.X > 170 {
					text += " would end at " + p.time(d.Ends)
				}
				p.label(b.X+12, b.Y+b.H/2+4, text, "start", "var(--bad)", "paint-order:stroke;stroke:var(--panel);stroke-width:4px")
				named = true
			}
		})
	case tell.TooWide, tell.Apart, tell.Licence, tell.Kept, tell.Limit, tell.Stops, tell.Turn:
		named := false
		p.spans(free, now, now+d.Limit, func(b draw.Box) {
			p.Rect(b.X+1.5, b.Y+2, b.W-3, b.H-4, "var(--panel)", `fill-opacity=".75" stroke="var(--ink-3)" stroke-width="1.5" stroke-dasharray="4 3"`)
			p.refused = true
			if named || b.H < 11 {
				return
			}
			named = true
			text, from := fmt.Sprintf("%d?", d.Number), 12.0
			if why := text + kept(d); draw.TextWidth(why)*11/12 < b.W-6 { // its letters are of size 11
				text, from = why, min(12, (b.W-draw.TextWidth(why)*11/12)/2)
			}
			p.label(b.X+from, b.Y+b.H/2+4, text, "start", "var(--ink-2)", "paint-order:stroke;stroke:var(--panel);stroke-width:4px")
		})
	case tell.Offer, tell.Refuses:
		for i, slot := range d.Provider.Slots {
			if slot.At > p.To {
				break
			}
			colour := map[bool]string{true: "good", false: "bad"}[slot.Fits]
			x, y := p.Cut(slot.At), p.Bottom-12
			p.spans(p.named(d.Provider.Name), slot.At, slot.At, func(b draw.Box) { y = min(y, b.Bottom()-12) })
			p.labels.Put(`<circle cx="{}" cy="{}" r="8" fill="var(--{}-soft)" stroke="var(--{})"/>`, x, y, colour, colour)
			p.label(x, y+4, strconv.Itoa(i+1), "middle", "var(--"+colour+")", "font-weight:600")
		}
		if d.Kind == tell.Offer && d.Ends > p.From && d.At < p.To {
			p.box(p.named(d.Provider.Name).highest(d.Needs), d.At, d.Ends, `fill-opacity=".8" stroke="var(--ink)" stroke-width="1.5" stroke-dasharray="5 3"`)
		}
	}
}

// kept is what keeps a job from starting, beside its number: what of the machine or
// of a licence it lacks, else nothing; the sentence says it.
func kept(d *tell.Decision) string {
	switch {
	case d.Licence != nil:
		return fmt.Sprintf(" needs %d %s, %d free", d.Licence.Needs, d.Licence.Name, d.Licence.Free)
	case d.Needs > d.Free:
		return fmt.Sprintf(" needs %d, %d free", d.Needs, d.Free)
	}
	return ""
}

// empty says what stays empty although jobs wait.
func (p *painter) empty() {
	free := p.free(p.bars, p.Step.Now)
	n, low, high := free.count(), p.Bottom, p.Top
	p.spans(free, p.From, p.To, func(b draw.Box) { low, high = min(low, b.Y), max(high, b.Bottom()) })
	if n == 0 || p.refused || p.Step.Waits <= p.Step.Starts {
		return
	}
	x := p.Cut(p.Step.Now) + 10
	p.Path(fmt.Sprintf("M%s %sh6V%sh-6", draw.Num(x), draw.Num(low+3), draw.Num(high-3)), "var(--ink-2)", "1.5", "", "none", "")
	p.label(x+16, (low+high)/2+4, fmt.Sprintf("%d stay empty", n), "start", "var(--ink)", "font-weight:600")
}

// hole outlines what is free now, until the first job that waits can start.
func (p *painter) hole() {
	until := p.Step.Shadow
	if until >= model.Never {
		until = p.To
	}
	p.free(p.bars, p.Step.Now).spans(func(first, n int32) {
		b := p.Box(first, n, p.Step.Now, until)
		p.labels.Put(`<rect class="instant-hole" x="{}" y="{}" width="{}" height="{}" fill="var(--accent-soft)" stroke="var(--accent)" stroke-width="2" stroke-dasharray="6 4"/>`, b.X+2, b.Y+2, max(0, b.W-4), max(0, b.H-4))
		if b.H >= 14 {
			p.label(b.X+b.W/2, b.Y+b.H/2+4, fmt.Sprintf("%d free", n), "middle", "var(--accent)", "font-weight:600")
		}
	})
}

// pill writes a time on the axis, not to the left of a place.
func (p *painter) pill(x, least float64, text, more, fill, stroke, ink string) {
	x, w := p.spot(x, least, text, more)
	p.labels.Put(`<rect x="{}" y="8" width="{}" height="20" rx="4" fill="{}" stroke="{}"/>`, x, w, fill, stroke)
	p.labels.Put(`<text x="{}" y="22" text-anchor="middle" style="fill:{};font-weight:600">{}<tspan style="font-weight:400"> {}</tspan></text>`, x+w/2, ink, text, more)
}

// spot is where a pill stands: its left edge and its width.
func (p *painter) spot(x, least float64, text, more string) (left, width float64) {
	w := pillWidth(text, more)
	return min(max(x-w/2, least), p.Right+10-w), w
}

func pillWidth(text, more string) float64 {
	return 16 + 6.6*float64(len([]rune(text))) + 5.6*float64(len([]rune(more)))
}

// short is a time on the axis: of another day with no more than its day and minute.
func (p *painter) short(at model.Time) string {
	if day := p.Clock.ShortDay(at); day != p.Clock.ShortDay(p.Step.Now) {
		return day + " " + p.Clock.Hour(at)
	}
	return p.time(at)
}

func (p *painter) shadow(at model.Time) {
	if at > p.To {
		return
	}
	x := p.Cut(at)
	p.labels.Put(`<path d="M{} 28V{}" stroke="var(--ink)" stroke-width="1.5" stroke-dasharray="5 3" fill="none" pointer-events="none"/>`, x, p.Bottom)
	least, text, more := p.shadowPill(at)
	p.pill(x, least, text, more, "var(--panel)", "var(--ink)", "var(--ink)")
}

// shadowPill is what stands at the shadow time, and how far to the left it may.
func (p *painter) shadowPill(at model.Time) (least float64, text, more string) {
	if text = p.short(at); !p.Small {
		more = "shadow time"
	}
	least = p.Cut(p.Step.Now) + pillWidth(p.time(p.Step.Now), "")/2 + 4 // beside the cursor's
	if least+pillWidth(text, more) > p.Right+10 {
		more = ""
	}
	return least, text, more
}

// covered says whether the label of a tick would stand under the cursor's time or
// the shadow time.
func (p *painter) covered(x float64, label string) bool {
	half := draw.TextWidth(label)/2 + 4
	under := func(left, w float64) bool { return x+half > left && x-half < left+w }
	if p.Step.Now < p.To && under(p.spot(p.Cut(p.Step.Now), p.Left-6, p.time(p.Step.Now), "")) {
		return true
	}
	d := p.shadowed()
	if d == nil || d.At > p.To {
		return false
	}
	least, text, more := p.shadowPill(d.At)
	return under(p.spot(p.Cut(d.At), least, text, more))
}

func (p *painter) cursor() {
	x := p.Cut(p.Step.Now)
	p.labels.Put(`<path d="M{} 28V{}" stroke="var(--accent)" stroke-width="2" fill="none" pointer-events="none" class="step-cursor"/>`, x, p.Bottom)
	p.pill(x, p.Left-6, p.time(p.Step.Now), "", "var(--accent-fill)", "none", "#fff")
}
