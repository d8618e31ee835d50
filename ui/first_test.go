package ui

import (
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/ui/look"
)

// If this fails a first visit is not told what the page is, or is told again after its
// first step, or at the next visit.
func TestFirstVisitIsToldOnce(t *testing.T) {
	for name, step := range map[string]func(p *Page){
		"a setting":   func(p *Page) { p.S.SetField("seed", "77") },
		"a tab":       func(p *Page) { p.S.ShowTab("gantt") },
		"a place":     func(p *Page) { p.visit("lessons") },
		"the tour":    func(p *Page) { p.startTour() },
		"all results": func(p *Page) { p.settle() },
		"options":     func(p *Page) { p.openSched(1) },
	} {
		root, _ := page(t)
		p, m := root.P, memory{kept: map[string]string{}}
		p.Host = m
		p.S.OpenPreset(catalog.DefaultPreset)
		p.recall()
		p.greet()
		if !p.first() || !strings.Contains(root.class(), " first") || m.kept[hintsKey] != "off" && p.S.Ran != nil {
			t.Fatalf("%s: first %t, class %q, kept %v", name, p.first(), root.class(), m.kept)
		}
		step(p)
		p.greet()
		p.S.LeavePlace()
		p.S.Look(func(v *look.View) { v.Tab = "overview" })
		p.S.SetField("seed", "1")
		if p.Tour.Step = 0; p.first() {
			t.Errorf("%s: told again after a step", name)
		}
		if name == "options" && p.Sched != 1 {
			t.Error("the options that were pressed are not open")
		}
		p.recall()
		if p.first() {
			t.Errorf("%s: told again at the next visit", name)
		}
		if p.tellAgain(); !p.first() {
			t.Errorf("%s: not told when asked", name)
		}
	}
}

// If this fails whoever comes back without an address does not find where they were, or
// is asked again when they are there.
func TestWhereYouWere(t *testing.T) {
	root, _ := page(t)
	p, m := root.P, memory{kept: map[string]string{}}
	p.Host = m
	p.S.OpenPreset(catalog.DefaultPreset)
	p.recall()
	if p.again() {
		t.Error("nobody has been anywhere")
	}
	p.leaveOff("")
	p.leaveOff("#p=lessons")
	if m.kept[leftOff] != "" {
		t.Errorf("remembered: %q", m.kept[leftOff])
	}
	p.last, p.lastSaid = "#x=AAAA", "Jobs wait less."
	p.Host.Remember(leftOff, p.last+" "+p.lastSaid)
	p.dropOffer()
	p.recall()
	if !p.again() || p.last != "#x=AAAA" || p.lastSaid != "Jobs wait less." {
		t.Errorf("again %t, %q %q", p.again(), p.last, p.lastSaid)
	}
	p.S.SetField("seed", "77")
	if p.again() {
		t.Error("offered in the middle of something else")
	}
	p.S.SetField("seed", "1")
	if p.dropLast(); p.again() || m.kept[leftOff] != "" {
		t.Error("what was to be forgotten is not")
	}
}
