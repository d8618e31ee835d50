package ui

import (
	"strconv"

	"batchlab/core/model"
	"batchlab/ui/state"
)

// Demo is the story of #demo: five steps over the default preset, large enough
// for a room, that starts over when nobody has touched it for a while.
type Demo struct {
	P *Page
}

// demoIdle is after how many seconds without a touch the demo starts over.
const demoIdle = 90

// chapter is one step of the story and what it looks at.
type chapter struct {
	title, text string
	show        func(s *state.Store, v *state.View)
}

var story = []chapter{
	{"2,000 jobs want 100 processors",
		"Two weeks on a small cluster. Each job asks for processors and for time. Somebody has to say who goes first: that is the scheduler. Three of them have just run, in this browser.",
		func(_ *state.Store, v *state.View) {
			v.Tab, v.A, v.B, v.Baseline, v.From, v.To, v.Job = "overview", 1, 0, 0, 0, 0, -1
		}},
	{"First come, first served leaves holes",
		"A job that needs many processors stands first in the queue and waits until enough are free. Everybody behind it waits, too: the empty gaps are processors that nobody uses.",
		func(s *state.Store, v *state.View) {
			v.Tab, v.A, v.B, v.Job = "gantt", 0, 1, -1
			v.From, v.To = busiest(s, 0)
		}},
	{"Backfilling fills them",
		"EASY promises the first job its start and lets later jobs jump ahead wherever they do not delay it. The same jobs on the same machine: the gaps close.",
		func(s *state.Store, v *state.View) {
			v.Tab, v.A, v.B, v.Job = "gantt", 1, 0, -1
			v.From, v.To = busiest(s, 0)
		}},
	{"Who gains, and who pays",
		"Means hide people. How long jobs wait, as a curve: the further left, the better. Small jobs gain most; look at the far end of the curve to see what it costs the widest.",
		func(_ *state.Store, v *state.View) {
			v.Tab, v.A, v.B, v.From, v.To, v.Job = "distributions", 1, 0, 0, 0, -1
		}},
	{"Every number can be had again",
		"Five repetitions each, with intervals. Share makes a link that holds all settings and the fingerprint of every schedule: whoever opens it is told whether the same came out. Nothing is uploaded.",
		func(_ *state.Store, v *state.View) {
			v.Tab, v.A, v.B, v.Baseline, v.From, v.To, v.Job = "overview", 2, 1, 1, 0, 0, -1
		}},
}

// busiest is the day around the time at which most jobs wait in scheduler i's
// run; everything while there is none.
func busiest(s *state.Store, i int) (from, to model.Time) {
	r := s.Finished(i)
	if r == nil || r.Result == nil {
		return 0, 0
	}
	series := &r.Result.Series
	at, most := model.Time(0), int32(-1)
	for k, n := range series.Waiting {
		if n > most {
			at, most = series.At[k], n
		}
	}
	const half = 12 * 3600
	return at - half, at + half
}

func (c *Demo) chapter() *chapter { return &story[max(1, min(c.P.Demo, len(story)))-1] }

func (c *Demo) title() string { return c.chapter().title }

func (c *Demo) text() string { return c.chapter().text }

func (c *Demo) count() string {
	return strconv.Itoa(c.P.Demo) + " of " + strconv.Itoa(len(story))
}

func (c *Demo) next() string { return either(c.P.Demo < len(story), "Next", "From the start") }

// startDemo begins the story with the default preset.
func (p *Page) startDemo() {
	p.Menu, p.Dialog = "", ""
	p.Drawer = false
	p.Hint = len(hints)
	if p.S.Preset == "" || p.S.Edited() || p.S.Ran == nil {
		p.S.OpenPreset("")
	}
	p.tell(1)
}

// restartDemo goes back to the first step, unless it stands there untouched.
func (p *Page) restartDemo() {
	if p.Demo > 1 || p.Dialog != "" || p.Menu != "" || p.S.Edited() || p.S.View.Tab != "overview" {
		p.startDemo()
	}
}

// tell shows a step.
func (p *Page) tell(step int) {
	p.Demo = max(1, min(step, len(story)))
	p.S.Look(func(v *state.View) { story[p.Demo-1].show(p.S, v) })
}

// leaveDemo shows the page as it is otherwise.
func (p *Page) leaveDemo() {
	p.Demo = 0
	p.Host.ShowHash(p.Host.Address())
	p.S.Look(func(*state.View) {})
}

// demoKey handles the keys of the story, which are those of a presenter; it
// reports whether it did.
func (p *Page) demoKey(name string) bool {
	switch {
	case p.Demo == 0 || p.Dialog != "" || p.Menu != "":
		return false
	case name == "PageDown":
		p.tell(p.Demo%len(story) + 1)
	case name == "PageUp":
		p.tell(p.Demo - 1)
	default:
		return false
	}
	return true
}
