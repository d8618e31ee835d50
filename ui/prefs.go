package ui

import (
	"strings"

	"batchlab/ui/look"
)

// Names under which the browser remembers what belongs to the reader.
const (
	prefsKey = "batchlab-prefs"
	hintsKey = "batchlab-hints"
	leftOff  = "batchlab-last"
)

// recall takes over what the browser remembers of an earlier visit. What it
// does not understand it leaves alone.
func (p *Page) recall() {
	for part := range strings.FieldsSeq(p.Host.Recall(prefsKey)) {
		switch {
		case part == "relative":
			p.S.Prefs.Relative = true
		case strings.HasPrefix(part, "unit="):
			p.S.Prefs.Unit = strings.TrimPrefix(part, "unit=")
		}
	}
	p.S.Prefer(func(f *look.Prefs) {
		for _, u := range look.Units {
			if f.Unit == u {
				return
			}
		}
		f.Unit = ""
	})
	p.Offer = p.Host.Recall(hintsKey) != "off"
	p.last, p.lastSaid, _ = strings.Cut(p.Host.Recall(leftOff), " ")
}

func (p *Page) prefer(f func(*look.Prefs)) {
	p.S.Prefer(f)
	text := "unit=" + p.S.Prefs.Unit
	if p.S.Prefs.Relative {
		text += " relative"
	}
	p.Host.Remember(prefsKey, text)
}

// unitName is what a unit of durations is called.
func unitName(unit string) string {
	if unit == "" {
		return "as fits"
	}
	return unit
}

// dropOffer takes away the offer of a tour for good.
func (p *Page) dropOffer() {
	p.Offer = false
	p.Host.Remember(hintsKey, "off")
}

// leaveOff remembers where the reader is, for a later visit that begins without an
// address: a link, and what came out there.
func (p *Page) leaveOff(hash string) {
	said := p.S.Finding().Line
	if strings.HasPrefix(hash, "#x=") && said != "" && !p.S.Stale() && hash+said != p.last+p.lastSaid {
		p.last, p.lastSaid = hash, said
		p.Host.Remember(leftOff, hash+" "+said)
	}
}

// again reports whether the page, as a visit without an address finds it, offers to go
// on where the last one was.
func (p *Page) again() bool { return p.last != "" && !p.Offer && p.plain() }

// goOn opens where the last visit was.
func (p *Page) goOn() { p.S.FollowLink(p.last) }

// dropLast forgets it.
func (p *Page) dropLast() {
	p.last = ""
	p.Host.Remember(leftOff, "")
}

func (p *Page) undo() {
	p.Menu = ""
	if p.S.CanUndo() {
		p.Said = "Change undone"
		p.Host.Step(-1)
	} else {
		p.Said = "Nothing to undo"
	}
}

func (p *Page) redo() {
	p.Menu = ""
	if p.S.CanRedo() {
		p.Said = "Change redone"
		p.Host.Step(1)
	} else {
		p.Said = "Nothing to redo"
	}
}

func (p *Page) reset() {
	p.Menu = ""
	p.Said = "Settings reset"
	p.S.Reset()
}
