package instant

import (
	"fmt"
	"strconv"

	"batchlab/core/tell"
)

// The rows below the processors: submissions and licences.

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
	y, last := p.Bottom+11, -100.0
	if !p.Small {
		p.Text(p.Left-6, y+4, "came", "end", "")
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
		x := p.Cut(at)
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
		p.Put(`<circle cx="{}" cy="{}" r="3" fill="{}" {}/>`, x, y, fill, attr("data-j", j+1))
		last = x
	}
	for _, n := range names {
		p.Text(n.x, y+15, n.text, "middle", map[bool]string{true: "k b"}[n.fresh])
	}
}

// inUse returns how many copies of a licence are free, and who holds the others, as
// far as decisions have been told.
func (s *Scene) inUse(l *tell.InUse) (free int32, list []tell.Holds) {
	free = l.Free
	for _, h := range l.Holds {
		kind := tell.Note
		for i := range s.Step.Decisions[:min(s.Reach, len(s.Step.Decisions))] {
			if d := &s.Step.Decisions[i]; d.Number == h.Number && d.Kind != tell.Note {
				kind = d.Kind
			}
		}
		switch {
		case h.Takes && !kind.Begins():
			continue
		case h.Takes:
			free -= h.Copies
		case kind == tell.Stop || kind == tell.Suspend || kind == tell.End:
			free += h.Copies
			continue
		}
		list = append(list, h)
	}
	return free, list
}

// copies draws the licences: a bar for each copy, dots since when it is in use.
func (p *painter) copies() {
	y := p.Bottom + p.foot()
	for i := range p.Step.Licences {
		l := &p.Step.Licences[i]
		n := min(l.Copies, 6)
		free, list := p.inUse(l)
		for c, held := int32(0), int32(0); c < n; c++ {
			at := y + float64(c)*licenceRow
			p.Rect(p.Left, at, p.Right-p.Left, licenceRow-1, "var(--sunken)", "")
			one := c * l.Copies / n // the copy that the bar stands for
			for len(list) > 1 && held+list[0].Copies <= one {
				held += list[0].Copies
				list = list[1:]
			}
			if x := p.Cut(p.Step.Now); one < l.Copies-free && len(list) > 0 {
				from := min(p.Cut(list[0].Since), x-3)
				p.Rect(from, at, x-from, licenceRow-1, "url(#step-dots)", "")
			}
		}
		ink := "var(--ink-2)"
		if free == 0 {
			ink = "var(--bad)"
		}
		p.label(p.Right-6, y+float64(n)*licenceRow/2+3, fmt.Sprintf("%s: %d of %d free", l.Name, free, l.Copies), "end", ink, "font-weight:600;paint-order:stroke;stroke:var(--sunken);stroke-width:5px")
		y += float64(n)*licenceRow + 8
	}
}
