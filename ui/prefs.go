package ui

import (
	"strings"

	"batchlab/ui/state"
	"batchlab/ui/words"
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
	p.S.Prefer(func(f *state.Prefs) {
		for _, u := range state.Units {
			if f.Unit == u {
				return
			}
		}
		f.Unit = ""
	})
	p.Hint = 0
	if p.Host.Recall(hintsKey) == "off" {
		p.Hint = len(hints)
	}
}

func (p *Page) prefer(f func(*state.Prefs)) {
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

// hints are the three first steps, shown one at a time until they are closed.
var hints = []string{
	"Pick a scheduler to look at it; pin one, and the others are compared with it.",
	"Drop a log of your own anywhere on the page: it stays on this computer.",
	"Change something on the left and press Ctrl" + words.NB + "Enter; Ctrl" + words.NB + "Z takes it back.",
}

// hint is the hint on show, "" none.
func (p *Page) hint() string {
	if p.Hint < len(hints) && p.S.Some() {
		return hints[p.Hint]
	}
	return ""
}

// nextHint shows the next one; behind the last there is none.
func (p *Page) nextHint() {
	p.Hint++
	if p.Hint >= len(hints) {
		p.dropHints()
	}
}

// dropHints closes the hints for good.
func (p *Page) dropHints() {
	p.Hint = len(hints)
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
