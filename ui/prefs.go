package ui

import (
	"strings"

	"batchlab/ui/look"
)

// Names under which the browser remembers what belongs to the reader.
const (
	prefsKey = "batchlab-prefs"
	hintsKey = "batchlab-hints"
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

func (p *Page) undo() {
	p.Menu = ""
	if p.S.CanUndo() {
		p.Said = "Change taken back"
		p.Host.Step(-1)
	} else {
		p.Said = "Nothing to undo"
	}
}

func (p *Page) redo() {
	p.Menu = ""
	if p.S.CanRedo() {
		p.Said = "Change made again"
		p.Host.Step(1)
	} else {
		p.Said = "Nothing to redo"
	}
}

func (p *Page) reset() {
	p.Menu = ""
	p.Said = "Settings as they were opened"
	p.S.Reset()
}
