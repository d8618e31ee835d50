// Package tour shows the page in six steps over the results that are there. #demo tells the
// same steps in large type, by itself, over the default preset, and goes on with the scenes
// of static/demo.json: a made-up cluster, read from its own files.
package tour

import (
	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/ui/draw"
	"batchlab/ui/look"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// Tour is where a tour is. It neither opens nor closes what the shell has.
type Tour struct {
	S    *state.Store
	Step int  // from 1; 0: none is under way
	Auto bool // it goes on by itself, in large type: #demo

	scenes    []chapter              // the steps of #demo that show a cluster
	cluster   func() []state.Dropped // its files, as if they had been dropped
	clustered int                    // so many of them are open
	opens     bool                   // and are being read, which shows how they were understood
	before    look.View              // as it was before the tour
	beforeOf  *experiment.Experiment // what had run then
}

const (
	turn = 20 // seconds that a step of #demo stands
	idle = 90 // seconds without a touch after which #demo goes on by itself, from the start
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

// Steps are the titles of a tour's steps.
var Steps = titles()

func titles() (list []string) {
	for _, c := range story {
		list = append(list, c.title)
	}
	return list
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

// Tale reports whether the step on show says what backfilling is: the story of a small
// machine stands beside it.
func (t *Tour) Tale() bool { return t.Step == 2 }

// chapters are the steps that there are: those of a cluster are #demo's alone.
func (t *Tour) chapters() []chapter {
	if t.Auto {
		return append(story[:len(story):len(story)], t.scenes...)
	}
	return story
}

// chapter is the step on show.
func (t *Tour) chapter() *chapter {
	list := t.chapters()
	return &list[max(1, min(t.Step, len(list)))-1]
}

// last reports whether a tour is at its end, where the next press leaves it.
func (t *Tour) last() bool { return t.Step == len(story) && !t.Auto }

// Markup is the box that tells the step, "" without one.
func (t *Tour) Markup() draw.Markup {
	if t.Step == 0 {
		return ""
	}
	c, n := t.chapter(), len(t.chapters())
	next := words.Either(t.Step < n, "Next", words.Either(t.last(), "Done", "From the start"))
	return draw.HTML(`<section class="story" id="story" aria-label="Tour"><p class="story-step">{} of {}</p><h2 aria-live="polite">{}</h2><p class="story-text">{}</p>
<div class="acts"><button type="button" class="btn" id="demo-back"{} data-act="tour-back">Back</button><button type="button" class="btn primary" id="demo-next" data-act="{}">{}</button><button type="button" class="btn quiet last" id="demo-leave" data-act="tour-leave">Leave the {}</button></div></section>`,
		t.Step, n, c.title, c.text, draw.When(t.Step == 1, " disabled"), words.Either(t.last(), "tour-leave", "tour-next"), next, words.Either(t.Auto, "demo", "tour"))
}

// Start shows the steps over what is on show; over the default preset while nothing has
// run, and always by itself.
func (t *Tour) Start(auto bool) {
	if auto {
		t.Auto, t.clustered = true, 0
	}
	if auto && (t.S.Preset == "" || t.S.Edited() || t.S.Ran == nil) || !auto && !t.S.Some() {
		t.S.OpenPreset("")
	}
	t.S.LeavePlace()
	if !auto && t.Step == 0 {
		t.before, t.beforeOf = t.S.View, t.S.Ran
	}
	t.Tell(1)
}

// Tell shows a step.
func (t *Tour) Tell(step int) {
	list := t.chapters()
	t.Step = max(1, min(step, len(list)))
	if n := list[t.Step-1].files; n != t.clustered {
		if t.clustered = n; n > 0 {
			t.S.OpenFiles(t.cluster()[:n])
			t.opens = true
		} else {
			t.S.OpenPreset("")
		}
	}
	t.show()
}

// show looks at what the step on show speaks of.
func (t *Tour) show() {
	t.S.Look(func(v *look.View) {
		v.From, v.To, v.Low, v.High, v.Job, v.Step, v.Annex = 0, 0, 0, 0, -1, false, ""
		if t.Auto {
			v.A, v.B, v.Baseline, v.Two, v.Repetition = 1, 0, 0, false, 0
		}
		t.chapter().show(t.S, v)
	})
}

// Turn goes to the next step, behind the last to the first.
func (t *Tour) Turn() { t.Tell(t.Step%len(t.chapters()) + 1) }

// Leave shows the page as it is otherwise: what the steps of a tour have changed
// of the view is as it was before.
func (t *Tour) Leave() {
	tour := !t.Auto
	t.Step, t.Auto = 0, false
	t.S.Look(func(v *look.View) {
		if !tour {
			return
		}
		was := &t.before
		v.Tab, v.Colour, v.Step = was.Tab, was.Colour, was.Step
		if t.S.Ran == t.beforeOf && v.Repetition == was.Repetition { // else times and jobs are those of others
			v.From, v.To, v.Low, v.High, v.Job, v.Instant, v.Told, v.Chosen = was.From, was.To, was.Low, was.High, was.Job, was.Instant, was.Told, was.Chosen
		}
	})
}

// Key does what a presenter's key says, and reports whether it is one.
func (t *Tour) Key(name string) bool {
	switch {
	case t.Step == 0:
		return false
	case name == "PageDown":
		t.Turn()
	case name == "PageUp":
		t.Tell(t.Step - 1)
	default:
		return false
	}
	return true
}
