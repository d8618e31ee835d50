package ui

import (
	"strconv"

	"batchlab/core/model"
	"batchlab/ui/look"
	"batchlab/ui/state"
)

// Demo is a tour in six steps over the results that are there. #demo tells the same
// steps in large type, by itself, over the default preset, and goes on with the scenes of
// static/demo.json: a made-up cluster, read from its own files.
type Demo struct {
	P *Page
}

const (
	demoTurn = 20 // seconds that a step of #demo stands
	demoIdle = 90 // seconds without a touch after which #demo goes on by itself, from the start
)

// chapter is one step: what it says, which element it points at (a CSS selector), and
// what it looks at. Its words hold whatever the numbers.
type chapter struct {
	title, text, at string
	show            func(s *state.Store, v *look.View)
	files           int // of the cluster, from the first on: 0 the default preset
}

// tab is a step that looks at a tab.
func tab(key string) func(*state.Store, *look.View) {
	return func(_ *state.Store, v *look.View) { v.Tab = key }
}

var story = []chapter{
	{"A scheduler decides who waits",
		"Each job asks for processors and for time, and a scheduler decides which one starts when. The same jobs ran under each of the schedulers above, in this browser. The framed sentence says which of them made jobs wait less; the numbers are below it.",
		"#finding", tab("overview"), 0},
	{"What backfilling is",
		"The oldest job needs more processors than are free. First come, first served leaves the free ones empty until there are enough. EASY promises that job its start, and lets later jobs pass that do not break the promise: they fill the hole from behind.",
		".first-story", tab("overview"), 0},
	{"A schedule is a picture",
		"Time goes to the right, processors upwards, and each box is a job, coloured by how long it waited. This is the day around the longest queue of the chosen scheduler. Press on a box to see why it waited, or on empty space to see why nothing ran there.",
		"#panel-gantt canvas.bl-top", func(s *state.Store, v *look.View) {
			v.Tab, v.Colour = "gantt", "wait"
			v.From, v.To = busiest(s, v.A)
		}, 0},
	{"See it decide",
		"Instant by instant, with only what the scheduler knows then: what has just happened, the queue in its own order, and each decision as a sentence. The arrow keys move on.",
		"#panel-gantt .step-decisions", func(s *state.Store, v *look.View) {
			v.Tab, v.Step = "gantt", true
			if from, to := busiest(s, v.A); from < to {
				v.Instant = (from + to) / 2
			}
		}, 0},
	{"Means hide people",
		"Each curve says which share of the jobs waited at most that long: the higher it is, the more of them have started. Where two curves cross, one scheduler serves some jobs sooner, and the other the rest.",
		"#panel-distributions .bl-card", tab("distributions"), 0},
	{"Every result can be checked",
		"Share makes a link that holds all settings and a fingerprint of every schedule: whoever opens it is told whether the same came out. Your turn: drop a log on the page, which stays on this computer, or change something on the left and run it again.",
		"#open-share", tab("overview"), 0},
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

// tale reports whether the story of a small machine is on show: on a first visit, and
// where a tour says what backfilling is.
func (p *Page) tale() bool { return p.first() || p.Demo == taleChapter }

// taleChapter is the step of the tour that the story stands beside.
const taleChapter = 2

// chapters are the steps that there are: those of a cluster are #demo's alone.
func (p *Page) chapters() []chapter {
	if p.Auto {
		return append(story[:len(story):len(story)], p.scenes...)
	}
	return story
}

func (c *Demo) chapter() *chapter { return c.P.pointing() }

// pointing is the step on show.
func (p *Page) pointing() *chapter {
	list := p.chapters()
	return &list[max(1, min(p.Demo, len(list)))-1]
}

func (c *Demo) title() string { return c.chapter().title }

func (c *Demo) text() string { return c.chapter().text }

func (c *Demo) count() string {
	return strconv.Itoa(c.P.Demo) + " of " + strconv.Itoa(len(c.P.chapters()))
}

// last reports whether a tour is at its end, where the next press leaves it.
func (c *Demo) last() bool { return c.P.Demo == len(story) && !c.P.Auto }

func (c *Demo) next() string {
	return either(c.P.Demo < len(c.P.chapters()), "Next", either(c.last(), "Done", "From the start"))
}

func (c *Demo) goOn() {
	if c.last() {
		c.P.leaveDemo()
	} else {
		c.P.turn()
	}
}

func (c *Demo) leaveText() string { return either(c.P.Auto, "Leave the demo", "Leave the tour") }

// startTour shows the steps over what is on show; over the default preset while
// nothing has run.
func (p *Page) startTour() {
	p.Menu, p.Dialog, p.Drawer = "", "", false
	p.dropOffer()
	p.S.LeavePlace()
	if !p.S.Some() {
		p.S.OpenPreset("")
	}
	if p.Demo == 0 {
		p.before, p.beforeOf = p.S.View, p.S.Ran
	}
	p.tell(1)
	p.Host.Focus("demo-next")
}

// startDemo begins the steps with the default preset.
func (p *Page) startDemo() {
	p.Menu, p.Dialog, p.Drawer = "", "", false
	p.Auto, p.Offer, p.clustered = true, false, 0
	if p.S.Preset == "" || p.S.Edited() || p.S.Ran == nil {
		p.S.OpenPreset("")
	}
	p.S.LeavePlace()
	p.tell(1)
}

// tell shows a step.
func (p *Page) tell(step int) {
	list := p.chapters()
	p.Demo = max(1, min(step, len(list)))
	if n := list[p.Demo-1].files; n != p.clustered {
		if p.clustered = n; n > 0 {
			p.S.OpenFiles(p.cluster()[:n])
			p.opens = true
		} else {
			p.S.OpenPreset("")
		}
	}
	p.show()
}

// show looks at what the step on show speaks of.
func (p *Page) show() {
	p.S.Look(func(v *look.View) {
		v.From, v.To, v.Low, v.High, v.Job, v.Step, v.Annex = 0, 0, 0, 0, -1, false, ""
		if p.Auto {
			v.A, v.B, v.Baseline, v.Two, v.Repetition = 1, 0, 0, false, 0
		}
		p.pointing().show(p.S, v)
	})
}

// turn goes to the next step of #demo, behind the last to the first.
func (p *Page) turn() { p.tell(p.Demo%len(p.chapters()) + 1) }

// leaveDemo shows the page as it is otherwise: what the steps of a tour have changed
// of the view is as it was before.
func (p *Page) leaveDemo() {
	tour := !p.Auto
	if p.Auto {
		p.Host.ShowHash(p.Host.Address())
	}
	p.Demo, p.Auto = 0, false
	p.S.Look(func(v *look.View) {
		if !tour {
			return
		}
		was := &p.before
		v.Tab, v.Colour, v.Step = was.Tab, was.Colour, was.Step
		if p.S.Ran == p.beforeOf && v.Repetition == was.Repetition { // else times and jobs are those of others
			v.From, v.To, v.Low, v.High, v.Job, v.Instant, v.Told, v.Chosen = was.From, was.To, was.Low, was.High, was.Job, was.Instant, was.Told, was.Chosen
		}
	})
	p.focusShown()
}

// demoKey handles the keys of the story, which are those of a presenter; it
// reports whether it did.
func (p *Page) demoKey(name string) bool {
	switch {
	case p.Demo == 0 || p.Dialog != "" || p.Menu != "":
		return false
	case name == "PageDown":
		p.turn()
	case name == "PageUp":
		p.tell(p.Demo - 1)
	default:
		return false
	}
	return true
}
