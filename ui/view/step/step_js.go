//go:build js

package step

import (
	_ "embed"
	"slices"
	"strings"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/core/tell"
	"batchlab/ui/draw"
	"batchlab/ui/engine"
	"batchlab/ui/instant"
	"batchlab/ui/look"
	"batchlab/ui/result"
)

//go:embed step.css
var styles string

func init() {
	Room.Islands = map[string]draw.Maker{"step": newStep}
	Room.Styles = instant.Styles + styles
}

// pane is one run that is stepped through.
type pane struct {
	scheduler    int
	run          *result.Run
	index        int // of state.Store.Runs
	got          *tell.Step
	fault        string
	busy         bool
	scene        *instant.Scene
	box          js.Value
	title, mark  js.Value
	verdict, svg js.Value
	said, list   js.Value
}

// step is the mode of the Gantt chart in which one instant is shown.
type step struct {
	*draw.Host
	panes  [2]*pane
	wrote  [2]int // Told and Chosen of the view as this wrote them
	linked bool   // the view says which decision of the next instant is looked at
	ask    engine.StepAsk
	at     model.Time // the view's instant as it was last seen or set
	clock  model.Time // time that is shown: between two instants of the first run where something happens under the other
	toward int        // two are to be stepped on together: 1 forth, −1 back; 0 not
	of     *result.Run
	reach  int // decisions told
	chosen int
	land   int // where to stand in the next step's decisions: −1 at the first, 0 at the last
	now    *tell.Step
	nowOf  *result.Run
	speed  string
	play   func() // cancels the next tick; nil: it does not play
	later  func() // cancels the next look ahead
	spoken string

	bar, where, playButton, goTo, truthBox, twoButton      js.Value
	press                                                  func(string)
	differs, before, next, tags                            js.Value
	body, pictures, queue, queueSub, track, news, newsHead js.Value
	decisions, count, message, say, table                  js.Value
	dragging                                               bool
}

const defs draw.Markup = `<svg width="0" height="0" aria-hidden="true" class="bl-defs"><defs><pattern id="step-dots" width="4" height="4" patternUnits="userSpaceOnUse"><rect width="4" height="4" fill="var(--step-t4)"/><circle cx="2" cy="2" r=".9" fill="var(--panel)"/></pattern></defs></svg>`

var speeds = map[string]int{"slow": 2200, "normal": 1000, "fast": 300}

func newStep(h *draw.Host) draw.Island {
	s := &step{Host: h, chosen: -1, speed: "normal"}
	h.Root.Get("classList").Call("add", "bl-instant")
	card := func(class draw.Markup, title string) draw.Markup {
		return draw.HTML(`<section class="bl-card {}"><div class="step-head"><h3>{}</h3><span class="mut"></span></div><div class="step-scroll"></div></section>`, class, title)
	}
	buttons := draw.Markup("")
	for _, b := range transport {
		buttons += draw.HTML(`<button type="button" class="bl-btn bl-ico" id="step-{}" aria-label="{}" title="{} ({})">{}</button>`, b.id, b.label, b.label, b.keys, draw.Icon(b.icon))
	}
	part := draw.Build(h.Root, draw.HTML(`{}<div class="step-bar bl-card" role="toolbar" aria-label="Steps" data-part="bar"><span class="step-transport">{}</span><span class="step-where" id="step-where" data-part="where"></span><span class="step-more"><span data-part="speeds"></span><span class="slot"><label class="step-goto"><span>Go to</span><input class="bl-seek" id="step-goto" autocomplete="off" spellcheck="false" title="A time such as 14:40, a time since the beginning such as 2 h, or a job such as job 5 (G)" data-part="goto"></label><label class="bl-tog" title="What the scheduler does not know: when jobs really end (T)"><input class="bl-chk" type="checkbox" id="step-truth" data-part="truth">Show the truth</label><button type="button" class="bl-btn" aria-pressed="false" id="step-two" data-part="two">Two side by side</button><button type="button" class="bl-btn" id="step-whole" title="Close the steps (Esc)" data-part="whole">Whole schedule</button></span></span></div><div class="step-differs bl-card" data-part="differs"><span class="grow" data-part="tags"></span><button type="button" class="bl-btn" data-part="before">Difference before</button><button type="button" class="bl-btn step-pri" data-part="next">Next difference <kbd>X</kbd></button></div>
<p class="step-message bl-card" role="status" data-part="message"></p>
<div class="step-body" data-part="body"><div class="step-left"><div class="step-pictures" data-part="pictures">{}</div><div class="step-table bl-card" data-part="table"></div>{}<div class="step-track bl-card" data-part="track"></div></div><div class="step-right">{}{}<p class="step-keys"><span><kbd>←</kbd><kbd>→</kbd> instant</span> <span><kbd>↑</kbd><kbd>↓</kbd> decision</span> <span><kbd>Space</kbd> play</span> <span><kbd>N</kbd> next about the job</span> <span><kbd>G</kbd> go to</span> <span><kbd>X</kbd> difference</span> <span><kbd>T</kbd> truth</span> <span><kbd>Esc</kbd> whole schedule</span></p></div></div>
<p class="bl-vh" aria-live="polite" id="step-say" data-part="say"></p>`, defs, buttons, paneHTML+paneHTML, card("step-queue", "Queue"), card("step-news", "Just now"), card("step-decisions", "Decisions")))
	s.bar, s.differs, s.tags, s.before, s.next, s.message = part("bar"), part("differs"), part("tags"), part("before"), part("next"), part("message")
	s.where, s.goTo, s.truthBox, s.twoButton, s.playButton = part("where"), part("goto"), part("truth"), part("two"), draw.Find(s.bar, "#step-play")
	s.body, s.pictures, s.table, s.track, s.say = part("body"), part("pictures"), part("table"), part("track"), part("say")
	of := func(card string) (sub, body js.Value) {
		c := draw.Find(s.body, ".bl-card."+card)
		return draw.Find(c, ".mut"), draw.Find(c, ".step-scroll")
	}
	s.queueSub, s.queue = of("step-queue")
	s.newsHead, s.news = of("step-news")
	s.count, s.decisions = of("step-decisions")
	draw.Attr(s.queue, "tabindex", "0", "role", "region", "aria-label", "Queue")
	for i := range s.panes {
		s.panes[i] = newPane(s.pictures.Get("children").Index(i))
	}
	for _, b := range transport {
		h.Scope.Listen(draw.Find(s.bar, "#step-"+b.id), "click", func(js.Value) { b.do(s) })
	}
	s.press = h.Scope.Segments(part("speeds"), "Speed", []string{"slow", "normal", "fast"}, []string{"slow", "normal", "fast"}, func(k string) {
		s.speed = k
		s.press(k)
	})
	s.press(s.speed)
	h.Scope.Listen(s.goTo, "change", func(js.Value) { s.typed() })
	h.Scope.Listen(s.truthBox, "change", func(js.Value) { s.tell(s.truthBox.Get("checked").Bool()) })
	h.Scope.Listen(s.twoButton, "click", func(js.Value) {
		s.Store.Look(func(v *look.View) { v.Pair = !v.Pair })
		s.Again()
	})
	h.Scope.Listen(part("whole"), "click", func(js.Value) { s.leave() })
	h.Scope.Listen(s.before, "click", func(js.Value) { s.difference(-1) })
	h.Scope.Listen(s.next, "click", func(js.Value) { s.difference(1) })
	s.listen()
	return s
}

// transport are the buttons that move through the instants and their decisions.
var transport = []struct {
	icon, label, keys, id string
	do                    func(*step)
}{
	{"first", "Instant before", "←", "back", func(s *step) { s.by(-1, 0) }},
	{"up", "Decision before", "↑", "up", func(s *step) { s.decide(-1) }},
	{"play", "Play", "Space", "play", (*step).toggle},
	{"down", "Next decision", "↓", "down", func(s *step) { s.decide(1) }},
	{"last", "Next instant", "→", "next", func(s *step) { s.by(1, 0) }},
}

// paneHTML is the place of one scheduler.
const paneHTML draw.Markup = `<section class="bl-card step-pane"><div class="step-head"><h3 data-part="title"></h3><span data-part="mark"></span><span class="step-verdict" data-part="verdict"></span></div><div class="step-svg" role="img" data-part="svg"></div><p class="step-said" data-part="said"></p><div class="step-scroll step-decisions" data-part="list"></div></section>`

func newPane(box js.Value) *pane {
	part := draw.Parts(box)
	return &pane{box: box, title: part("title"), mark: part("mark"), verdict: part("verdict"), svg: part("svg"), said: part("said"), list: part("list")}
}

func (s *step) Release() {
	if s.play != nil {
		s.play()
	}
	if s.later != nil {
		s.later()
	}
}

// pick returns the run that is stepped through, and the one beside it.
func (s *step) pick() (a, b *result.Run) {
	a = s.Store.Finished(s.Store.View.A)
	other := s.Store.View.B
	if other < 0 || other == s.Store.View.A {
		other = (s.Store.View.A + 1) % max(1, s.Store.Schedulers())
	}
	if other != s.Store.View.A {
		b = s.Store.Finished(other)
	}
	return a, b
}

// Draw brings everything up to date.
func (s *step) Draw() {
	v := &s.Store.View
	if !v.Step {
		s.stop()
		return
	}
	a, b := s.pick()
	if !s.two() {
		b = nil
	}
	s.panes[0].run, s.panes[1].run = a, b
	draw.Show(s.panes[1].box, s.two())
	if a == nil || a.Result == nil {
		s.tellMessage("Run the experiment first: then its instants can be stepped through.")
		return
	}
	for _, p := range s.panes {
		if p.run != nil {
			p.scheduler, p.index = p.run.Scheduler, slices.Index(s.Store.Runs, p.run)
		}
	}
	s.truthBox.Set("checked", v.Truth)
	s.ask.Truth = v.Truth
	says := [2]int{v.Told, v.Chosen} != s.wrote
	if s.of != a || s.at != v.Instant || says || s.now == nil && s.ask == (engine.StepAsk{Truth: v.Truth}) { // a link, another tab, another run
		s.linked = says
		s.of, s.at, s.wrote = a, v.Instant, [2]int{v.Told, v.Chosen}
		s.ask = engine.StepAsk{Index: -1, At: v.Instant, About: -1, Truth: s.truth()}
		if v.Instant == 0 && len(a.Result.Columns.Full.At) > 0 {
			s.ask.At = max(0, a.Result.Columns.Full.At[0])
		}
	}
	first := s.panes[0]
	want := s.Store.WantStep(first.index, s.ask, false)
	if !s.take(first, want) {
		return
	}
	if first.busy && s.nowOf != s.of { // what stands there stays as it is, for a moment
		draw.Later(300, func() {
			if first.busy && s.nowOf != s.of {
				s.tellMessage(working)
			}
		})
		return
	}
	if s.two() && b != nil && b.Result != nil {
		other := s.panes[1]
		s.take(other, s.Store.WantStep(other.index, engine.StepAsk{Index: -1, At: s.clock, About: -1, Truth: s.truth()}, true))
		if !first.busy && !other.busy && other.got != nil {
			s.clock = min(s.clock, max(s.now.Now, other.got.Now))
			if s.toward != 0 {
				s.together()
			}
		}
	}
	s.looks()
	s.render()
	s.ahead()
}

// take takes over an instant that has come; false while there is nothing to show.
func (s *step) take(p *pane, want *result.Stepped) bool {
	main := p == s.panes[0]
	p.busy = want == nil || !want.Done
	switch {
	case want == nil:
		return false
	case want.Error != "":
		p.fault = strings.ToUpper(want.Error[:1]) + want.Error[1:] + "."
		if main {
			s.tellMessage(p.fault)
			return false
		}
	case !want.Done:
		if main && s.now == nil {
			s.tellMessage(working)
			return false
		}
	case want.Got == nil: // nothing more is decided about the job
		s.say.Set("textContent", "Nothing more is decided about this job.")
		s.ask = engine.StepAsk{Index: s.now.Index, About: -1, Truth: s.truth()}
	default:
		p.got, p.fault = want.Got, ""
		if main && (s.now != want.Got || s.two() && s.ask.Index < 0 && s.ask.About < 0 && s.ask.At != s.clock) {
			s.arrive(want.Got)
		}
	}
	return !main || s.now != nil
}

// arrive stands at an instant.
func (s *step) arrive(got *tell.Step) {
	same := s.now != nil && s.nowOf == s.of && s.now.Now == got.Now && s.now.Index == got.Index
	s.now, s.nowOf = got, s.of
	n := len(got.Decisions)
	switch v := &s.Store.View; {
	case s.linked:
		if s.reach = n; v.Told > 0 {
			s.reach = min(n, v.Told)
		}
		if s.chosen = s.reach - 1; v.Chosen != 0 {
			s.chosen = min(n, max(0, v.Chosen)) - 1
		}
	case same: // with the truth, or without
	case s.land == -1 && n > 0:
		s.chosen, s.reach = 0, 1
	default:
		s.chosen, s.reach = n-1, n
		for k := range got.Decisions {
			if s.land > 0 && int(got.Decisions[k].Job) == s.land-1 {
				s.chosen, s.reach = k, k+1
				break
			}
		}
	}
	s.land, s.linked = 0, false
	if s.clock = got.Now; s.two() && s.ask.Index < 0 && s.ask.About < 0 && s.ask.At > got.Now {
		s.clock = s.ask.At // something happens under the other one, perhaps
		s.note()
		return
	}
	s.ask = engine.StepAsk{Index: got.Index, About: -1, Truth: s.truth()}
	s.note()
}

// looks writes the time that is shown into the view.
func (s *step) looks() {
	if s.at = s.clock; s.Store.View.Instant != s.clock {
		s.Store.Look(func(v *look.View) { v.Instant = s.clock })
	}
}

// note writes into the view, and so into links, how much has been told.
func (s *step) note() {
	told, chosen := 0, s.chosen+1
	if s.reach < len(s.now.Decisions) {
		told = s.reach
	}
	switch {
	case s.chosen == s.reach-1:
		chosen = 0
	case s.chosen < 0:
		chosen = -1
	}
	if s.wrote = [2]int{told, chosen}; s.wrote != [2]int{s.Store.View.Told, s.Store.View.Chosen} {
		s.Store.Look(func(v *look.View) { v.Told, v.Chosen = told, chosen })
	}
}

// ahead asks for the instants around, one after the other, while nothing else is
// wanted.
func (s *step) ahead() {
	if s.later != nil {
		s.later()
	}
	for _, p := range s.panes {
		if p.run != nil && p.busy {
			return
		}
	}
	s.later = draw.Later(40, func() {
		s.later = nil
		if s.now == nil || s.El.Get("clientWidth").Int() == 0 {
			return
		}
		for _, by := range [...]int{1, -1, 2} {
			if index := s.now.Index + by; index >= 0 && index < s.now.Total {
				if t := s.Store.WantStep(s.panes[0].index, engine.StepAsk{Index: index, About: -1, Truth: s.truth()}, true); t != nil && !t.Done {
					return // the next one when this has come
				}
			}
		}
	})
}

const working = "Preparing steps …"

func (s *step) tellMessage(text string) {
	s.message.Set("textContent", text)
	draw.Show(s.message, true)
	draw.Show(s.body, false)
	draw.Show(s.differs, false)
	draw.Attr(s.Root, "data-step", "")
}
