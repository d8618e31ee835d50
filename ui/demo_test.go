package ui

import (
	"strings"
	"testing"
)

// The story has five steps; each shows what it speaks of, and after some idle
// time it begins again with the settings of the first preset.
func TestDemo(t *testing.T) {
	root, _ := page(t)
	p := root.P
	p.startDemo()
	if len(story) != 5 || p.Demo != 1 || !strings.Contains(html(t, root), story[0].title) {
		t.Fatalf("%d steps, at %d", len(story), p.Demo)
	}
	for step, tab := range []string{"overview", "gantt", "gantt", "distributions", "overview"} {
		if p.Demo != step+1 || p.S.View.Tab != tab || !strings.Contains(html(t, root), story[step].title) {
			t.Errorf("step %d shows %s", p.Demo, p.S.View.Tab)
		}
		if tab == "gantt" && p.S.View.From >= p.S.View.To {
			t.Error("no time span")
		}
		if !p.demoKey("PageDown") {
			t.Error("the presenter's key does nothing")
		}
	}
	if p.Demo != 1 {
		t.Errorf("after the last step: %d", p.Demo)
	}
	p.demoKey("PageUp")
	p.tell(3)
	p.S.SetField("seed", "77")
	p.openDialog("help")
	p.restartDemo()
	if p.Demo != 1 || p.Dialog != "" || p.S.Settings.Seed != 1 {
		t.Errorf("idle: step %d, dialog %q, seed %d", p.Demo, p.Dialog, p.S.Settings.Seed)
	}
	before := p.S.Results
	p.restartDemo()
	if p.S.Results != before {
		t.Error("it runs again although nobody has touched it")
	}
	p.leaveDemo()
	if p.demoKey("PageDown") || strings.Contains(html(t, root), story[0].title) {
		t.Error("the story goes on")
	}
}
