package ui

import (
	"strconv"

	"batchlab/ui/engine"
	"batchlab/ui/look"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// Packer is what a Host offers for a download of everything.
type Packer interface {
	// Charts draws what is on show as files.
	Charts() []engine.File
	// Later calls f soon, after the browser has had its turn.
	Later(f func())
}

// saveBundle packs the experiment with its results and downloads it.
func (p *Page) saveBundle() {
	p.Menu = ""
	if p.Packing != "" || !p.S.Some() {
		return
	}
	var charts []engine.File
	later := func(f func()) { f() }
	if h, ok := p.Host.(Packer); ok {
		charts, later = h.Charts(), h.Later
	}
	p.Packing = "Packing"
	p.S.Look(func(*look.View) {})
	p.S.WantDrawn(func(drawn []engine.File) { p.pack(p.S.NewBundle(charts, drawn), later) })
}

// pack packs in steps and downloads.
func (p *Page) pack(b *result.Bundle, later func(func())) {
	var step func()
	step = func() {
		done, err := b.Step()
		switch {
		case err != nil:
			p.Packing, p.Said = "", "The files could not be packed: "+err.Error()
		case done >= 1:
			p.Packing, p.Said = "", "Packed"
			p.Host.Save(fileName(p.title(), ".zip"), "application/zip", b.Bytes())
		default:
			text := "Packing, " + strconv.Itoa(int(done*100)) + words.NB + "%"
			changed := text != p.Packing
			p.Packing = text
			if changed {
				p.S.Look(func(*look.View) {})
			}
			later(step)
			return
		}
		p.S.Look(func(*look.View) {})
	}
	step()
}

// bundleText is what stands on the button that packs.
func (p *Page) bundleText() string {
	if p.Packing != "" {
		return p.Packing
	}
	return "Save with all results"
}
