package ui

import (
	"strings"
	"testing"

	"batchlab/ui/look"
	"batchlab/ui/view/tour"
)

// Intent: the tour has six steps, one of them instant by instant; each shows what
// it speaks of, over whatever has run, and leaves the settings alone.
func TestTour(t *testing.T) {
	root, g := page(t)
	p := root.P
	focus := &focused{}
	p.Host = focus
	p.S.Look(func(v *look.View) { v.Tab, v.Job, v.From, v.To, v.Colour = "table", 3, 60, 7260, "user" })
	before := p.S.View
	p.S.SetField("seed", "77")
	if p.Offer = true; !strings.Contains(html(t, root), "start-tour") {
		t.Error("no tour is offered")
	}
	p.startTour()
	if focus.on != "demo-next" {
		t.Errorf("the focus is on %q", focus.on)
	}
	if len(tour.Steps) != 6 || p.Tour.Step != 1 || p.Offer || p.S.Settings.Seed != 77 {
		t.Fatalf("%d steps, at %d, seed %d", len(tour.Steps), p.Tour.Step, p.S.Settings.Seed)
	}
	for step, tab := range []string{"overview", "overview", "gantt", "gantt", "distributions", "overview"} {
		if p.Tour.Step != step+1 || p.S.View.Tab != tab || !strings.Contains(html(t, root), tour.Steps[step]) || p.S.View.Step != (step == 3) {
			t.Errorf("step %d shows %s, instants %v", p.Tour.Step, p.S.View.Tab, p.S.View.Step)
		}
		if step == 2 && p.S.View.From >= p.S.View.To || step == 3 && p.S.View.Instant == 0 {
			t.Error("no time span, or no instant")
		}
		if step < 5 && !p.Tour.Key("PageDown") {
			t.Error("the presenter's key does nothing")
		}
	}
	if p.act("tour-leave"); p.Tour.Step != 0 || p.Tour.Key("PageDown") || strings.Contains(html(t, root), tour.Steps[5]) {
		t.Error("the tour goes on")
	}
	if p.S.View != before || focus.on != "tab-table" {
		t.Errorf("the tour leaves %+v, not %+v, and the focus on %q", p.S.View, before, focus.on)
	}
	p.startTour()
	p.S.Look(func(v *look.View) { v.Large = true })
	p.run()
	g.work()
	p.leaveTour()
	if v := p.S.View; v.Tab != "table" || !v.Large || v.Job == 3 || v.From == 60 {
		t.Errorf("after another run, the view of the one before: %+v", v)
	}
}

// Intent: what the help grants takes the focus along, since the dialog is gone.
func TestGrantMovesFocus(t *testing.T) {
	for _, w := range wishes {
		root, _ := page(t)
		focus := &focused{}
		root.P.Host = focus
		root.P.openDialog("help")
		root.P.grant(w)
		there := strings.HasPrefix(focus.on, "section-") || strings.Contains(html(t, root), `id="`+focus.on+`"`) // the browser writes sections
		if focus.on == "" || focus.on == "dialog-help" || !there {
			t.Errorf("%s: the focus is on %q", w.name, focus.on)
		}
	}
}

// focused is a Host that says where the focus goes.
type focused struct {
	noHost
	on string
}

func (f *focused) Focus(id string) { f.on = id }

// Intent: #demo is large, goes round, and begins again with the settings of the
// first preset.
func TestDemo(t *testing.T) {
	root, _ := page(t)
	p := root.P
	p.startDemo()
	if !strings.Contains(root.class(), "large") || p.Tour.Step != 1 {
		t.Errorf("class %q, step %d", root.class(), p.Tour.Step)
	}
	for range 9 {
		p.Tour.Turn()
	}
	if p.Tour.Step != 4 || !p.S.View.Step {
		t.Errorf("after nine turns: %d", p.Tour.Step)
	}
	p.Tour.Key("PageUp")
	p.S.SetField("seed", "77")
	p.openDialog("help")
	p.startDemo()
	if p.Tour.Step != 1 || p.Dialog != "" || p.S.Settings.Seed != 1 || p.S.View.Step {
		t.Errorf("from the start: step %d, dialog %q, seed %d", p.Tour.Step, p.Dialog, p.S.Settings.Seed)
	}
	before := p.S.Results
	p.startDemo()
	if p.S.Results != before {
		t.Error("it runs again although nobody has changed anything")
	}
	p.leaveTour()
	if p.Tour.Step != 0 || strings.Contains(root.class(), "large") {
		t.Error("the demo goes on")
	}
}
