//go:build js

package step

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall/js"

	"batchlab/core/model"
	"batchlab/core/tell"
	"batchlab/ui/draw"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

//go:embed step.css
var styles string

func init() {
	Room.Islands = map[string]draw.Maker{"step": newStep}
	Room.Styles = styles
}

// pane is one run that is stepped through.
type pane struct {
	scheduler    int
	run          *state.Run
	index        int // of state.Store.Runs
	got          *tell.Step
	fault        string
	busy         bool
	scene        *Scene
	box          js.Value
	title, mark  js.Value
	verdict, svg js.Value
	said, list   js.Value
}

// step is the mode of the Gantt chart in which one instant is shown.
type step struct {
	*draw.Host
	panes  [2]*pane
	two    bool
	truth  bool
	ask    state.StepAsk
	at     model.Time // the view's instant as it was last seen or set
	of     *state.Run
	reach  int // decisions told
	chosen int
	land   int // where to stand in the next step's decisions: −1 at the first, 0 at the last
	now    *tell.Step
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

// Icons of the transport.
const (
	iconFirst = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M3.5 3v10M12.500 3.500 6 8l6.500 4.500z"/></svg>`
	iconLast  = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M12.500 3v10M3.500 3.500 10 8l-6.500 4.500z"/></svg>`
	iconPlay  = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M5 3l8 5-8 5z" fill="currentColor"/></svg>`
	iconPause = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M5 3.500v9M11 3.500v9" stroke-width="2.500"/></svg>`
	defs      = `<svg width="0" height="0" aria-hidden="true" class="bl-defs"><defs><pattern id="step-breach" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="var(--bad-soft)"/><path d="M0 0V6" stroke="var(--bad)" stroke-width="1.4"/></pattern><pattern id="step-dots" width="4" height="4" patternUnits="userSpaceOnUse"><rect width="4" height="4" fill="var(--step-t4)"/><circle cx="2" cy="2" r=".9" fill="var(--panel)"/></pattern></defs></svg>`
)

var speeds = map[string]int{"slow": 2200, "normal": 1000, "fast": 300}

func newStep(h *draw.Host) draw.Island {
	s := &step{Host: h, chosen: -1, speed: "normal"}
	h.Root.Set("innerHTML", defs)
	s.transport()
	s.differs = draw.Add(h.Root, "div", "step-differs bl-card")
	s.tags = draw.Add(s.differs, "span", "grow")
	s.before = draw.Add(s.differs, "button", "bl-btn")
	s.before.Set("textContent", "Difference before")
	s.next = draw.Add(s.differs, "button", "bl-btn step-pri")
	s.next.Set("innerHTML", `Next difference <kbd>X</kbd>`)
	for _, b := range []js.Value{s.before, s.next} {
		draw.Attr(b, "type", "button")
	}
	h.Scope.Listen(s.before, "click", func(js.Value) { s.difference(-1) })
	h.Scope.Listen(s.next, "click", func(js.Value) { s.difference(1) })
	s.message = draw.Add(h.Root, "p", "step-message bl-card")
	draw.Attr(s.message, "role", "status")
	s.body = draw.Add(h.Root, "div", "step-body")
	left := draw.Add(s.body, "div", "step-left")
	s.pictures = draw.Add(left, "div", "step-pictures")
	for i := range s.panes {
		s.panes[i] = s.newPane(s.pictures)
	}
	s.table = draw.Add(left, "div", "step-table bl-card")
	right := draw.Add(s.body, "div", "step-right")
	card := func(parent js.Value, class, title string) (sub, body js.Value) {
		c := draw.Add(parent, "section", "bl-card "+class)
		head := draw.Add(c, "div", "step-head")
		draw.Add(head, "h3", "").Set("textContent", title)
		sub = draw.Add(head, "span", "mut")
		return sub, draw.Add(c, "div", "step-scroll")
	}
	s.queueSub, s.queue = card(left, "step-queue", "Queue")
	draw.Attr(s.queue, "tabindex", "0", "role", "region", "aria-label", "Queue")
	s.track = draw.Add(left, "div", "step-track bl-card")
	s.newsHead, s.news = card(right, "step-news", "Just now")
	s.count, s.decisions = card(right, "step-decisions", "Decisions")
	hint := draw.Add(right, "p", "step-keys")
	hint.Set("innerHTML", `<kbd>←</kbd> <kbd>→</kbd> instant <kbd>↑</kbd> <kbd>↓</kbd> decision <kbd>Space</kbd> play <kbd>N</kbd> next about the job <kbd>G</kbd> go to <kbd>X</kbd> difference <kbd>T</kbd> truth <kbd>Esc</kbd> whole schedule`)
	s.say = draw.Add(h.Root, "p", "bl-vh")
	draw.Attr(s.say, "aria-live", "polite", "id", "step-say")
	s.listen()
	return s
}

// transport builds the row of controls.
func (s *step) transport() {
	h := s.Host
	s.bar = draw.Add(h.Root, "div", "step-bar bl-card")
	draw.Attr(s.bar, "role", "toolbar", "aria-label", "Steps")
	group := draw.Add(s.bar, "span", "step-transport")
	button := func(icon, label, keys, id string, do func()) js.Value {
		b := draw.IconButton(group, icon, label)
		draw.Attr(b, "title", label+" ("+keys+")", "id", id)
		h.Scope.Listen(b, "click", func(js.Value) { do() })
		return b
	}
	button(iconFirst, "Instant before", "←", "step-back", func() { s.by(-1, 0) })
	button(draw.IconUp, "Decision before", "↑", "step-up", func() { s.decide(-1) })
	s.playButton = button(iconPlay, "Play", "Space", "step-play", s.toggle)
	button(draw.IconDown, "Next decision", "↓", "step-down", func() { s.decide(1) })
	button(iconLast, "Next instant", "→", "step-next", func() { s.by(1, 0) })
	s.where = draw.Add(s.bar, "span", "step-where")
	draw.Attr(s.where, "id", "step-where")
	draw.Add(s.bar, "span", "grow")
	s.press = h.Scope.Segments(s.bar, "Speed", []string{"slow", "normal", "fast"}, []string{"slow", "normal", "fast"}, func(k string) {
		s.speed = k
		s.press(k)
	})
	s.press(s.speed)
	label := draw.Add(s.bar, "label", "step-goto")
	draw.Add(label, "span", "").Set("textContent", "Go to")
	s.goTo = draw.Add(label, "input", "bl-seek")
	draw.Attr(s.goTo, "id", "step-goto", "autocomplete", "off", "spellcheck", "false", "title", "A time such as 14:40, or since the beginning such as 2 h (G)")
	h.Scope.Listen(s.goTo, "change", func(js.Value) { s.typed() })
	tog := draw.Add(s.bar, "label", "bl-tog")
	draw.Attr(tog, "title", "What the scheduler does not know: when jobs really end (T)")
	s.truthBox = draw.Add(tog, "input", "bl-chk")
	draw.Attr(s.truthBox, "type", "checkbox", "id", "step-truth")
	tog.Call("append", "Show the truth")
	h.Scope.Listen(s.truthBox, "change", func(js.Value) { s.tell(s.truthBox.Get("checked").Bool()) })
	s.twoButton = draw.Add(s.bar, "button", "bl-btn")
	s.twoButton.Set("textContent", "Two side by side")
	draw.Attr(s.twoButton, "type", "button", "aria-pressed", "false", "id", "step-two")
	h.Scope.Listen(s.twoButton, "click", func(js.Value) {
		s.two = !s.two
		s.Again()
	})
	whole := draw.Add(s.bar, "button", "bl-btn")
	whole.Set("textContent", "Whole schedule")
	draw.Attr(whole, "type", "button", "id", "step-whole", "title", "Leave the steps (Esc)")
	h.Scope.Listen(whole, "click", func(js.Value) { s.leave() })
}

func (s *step) newPane(parent js.Value) *pane {
	p := &pane{}
	p.box = draw.Add(parent, "section", "bl-card step-pane")
	head := draw.Add(p.box, "div", "step-head")
	p.title = draw.Add(head, "h3", "")
	p.mark = draw.Add(head, "span", "")
	p.verdict = draw.Add(head, "span", "step-verdict")
	p.verdict.Set("innerHTML", "")
	p.svg = draw.Add(p.box, "div", "step-svg")
	draw.Attr(p.svg, "role", "img")
	p.said = draw.Add(p.box, "p", "step-said")
	p.list = draw.Add(p.box, "div", "step-scroll step-decisions")
	return p
}

const legend = `<span class="step-lg"><i class="e"></i>ended</span><span class="step-lg"><i class="r"></i>runs, by request until</span><span class="step-lg hide-p"><i class="p"></i>promised or planned</span><span class="step-lg hide-p"><i class="o"></i>left over</span>`

func (s *step) Release() {
	if s.play != nil {
		s.play()
	}
	if s.later != nil {
		s.later()
	}
}

// leave shows the whole schedule again.
func (s *step) leave() {
	s.stop()
	s.Store.Look(func(v *state.View) { v.Step = false })
	draw.Refresh()
}

// tell shows the truth, or hides it.
func (s *step) tell(truth bool) {
	s.truth = truth
	s.truthBox.Set("checked", truth)
	s.ask.Truth = truth
	s.Again()
}

// by goes so many instants on; land says where to stand among its decisions.
func (s *step) by(n, land int) {
	if s.now == nil {
		return
	}
	index := min(max(0, s.now.Index+n), s.now.Total-1)
	if index == s.now.Index {
		s.stop()
		return
	}
	s.land = land
	s.ask = state.StepAsk{Index: index, About: -1, Truth: s.truth}
	s.Again()
}

// decide goes to the decision before or the next one, in the next instant where this
// one has no more.
func (s *step) decide(n int) {
	if s.now == nil {
		return
	}
	k := s.chosen + n
	switch {
	case k < 0:
		s.by(-1, 0)
	case k >= len(s.now.Decisions):
		s.by(1, -1)
	default:
		s.chosen, s.reach = k, k+1
		s.Again()
	}
}

// about goes to the next decision about the selected job.
func (s *step) about() {
	job := s.job()
	if s.now == nil || job < 0 {
		s.say.Set("textContent", "Choose a job first.")
		return
	}
	for k := s.chosen + 1; k < len(s.now.Decisions); k++ {
		if int(s.now.Decisions[k].Job) == job {
			s.decide(k - s.chosen)
			return
		}
	}
	s.land = job + 1
	s.ask = state.StepAsk{Index: min(s.now.Index+1, s.now.Total-1), About: job, Truth: s.truth}
	s.Again()
}

// job is the one that is looked at.
func (s *step) job() int {
	if s.now != nil && s.chosen >= 0 && s.chosen < len(s.now.Decisions) {
		if j := int(s.now.Decisions[s.chosen].Job); j >= 0 {
			return j
		}
	}
	return s.Store.View.Job
}

func (s *step) goAt(at model.Time) {
	s.land = 0
	s.ask = state.StepAsk{Index: -1, At: at, About: -1, Truth: s.truth}
	s.Again()
}

func (s *step) typed() {
	now := model.Time(0)
	if s.now != nil {
		now = s.now.Now
	}
	at, err := ParseTime(s.goTo.Get("value").String(), s.Clock(), now)
	draw.Attr(s.goTo, "aria-invalid", strconv.FormatBool(err != nil))
	if err != nil {
		s.say.Set("textContent", err.Error())
		return
	}
	s.goTo.Call("blur")
	s.goAt(at)
}

// difference goes to the next instant at which the two runs differ.
func (s *step) difference(by int) {
	if !s.two {
		s.two = true
		s.Again()
	}
	a, b := s.pick()
	if a == nil || b == nil || s.now == nil {
		s.say.Set("textContent", "There is no second scheduler to compare with.")
		return
	}
	jobs := s.Store.Jobs[s.Store.View.Repetition]
	at, _, ok := Difference(a.Result.Columns.Start, b.Result.Columns.Start, jobs.Number, s.now.Now, by)
	if !ok {
		s.say.Set("textContent", map[bool]string{true: "They do not differ after this instant.", false: "They do not differ before this instant."}[by > 0])
		s.tags.Set("textContent", s.say.Get("textContent").String())
		return
	}
	s.goAt(at)
}

// toggle plays, or stops.
func (s *step) toggle() {
	if s.play != nil {
		s.stop()
		return
	}
	s.tick()
}

func (s *step) stop() {
	if s.play != nil {
		s.play()
		s.play = nil
	}
	s.buttons()
}

func (s *step) tick() {
	s.play = draw.Later(speeds[s.speed], func() {
		s.play = nil
		switch {
		case s.El.Get("clientWidth").Int() == 0 || s.now == nil:
			s.buttons()
			return
		case s.panes[0].busy: // it comes
		case s.now.Index+1 >= s.now.Total && s.chosen+1 >= len(s.now.Decisions):
			s.buttons()
			return
		case s.speed == "fast":
			s.by(1, 0)
		default:
			s.decide(1)
		}
		s.tick()
	})
	s.buttons()
}

func (s *step) buttons() {
	on := s.play != nil
	s.playButton.Set("innerHTML", map[bool]string{true: iconPause + "<span>Pause</span>", false: iconPlay + "<span>Play</span>"}[on])
	draw.Attr(s.playButton, "aria-label", map[bool]string{true: "Pause", false: "Play"}[on], "aria-pressed", strconv.FormatBool(on))
}

// pick returns the run that is stepped through, and the one beside it.
func (s *step) pick() (a, b *state.Run) {
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
	if !s.two {
		b = nil
	}
	s.panes[0].run, s.panes[1].run = a, b
	draw.Show(s.panes[1].box, s.two)
	if a == nil || a.Result == nil {
		s.tellMessage("Run the experiment first: then its instants can be stepped through.")
		return
	}
	for _, p := range s.panes {
		if p.run != nil {
			p.scheduler, p.index = p.run.Scheduler, slices.Index(s.Store.Runs, p.run)
		}
	}
	if s.of != a || s.at != v.Instant || s.now == nil && s.ask == (state.StepAsk{}) { // a link, another tab, another run
		s.of, s.at = a, v.Instant
		s.ask = state.StepAsk{Index: -1, At: v.Instant, About: -1, Truth: s.truth}
		if v.Instant == 0 && len(a.Result.Columns.Full.At) > 0 {
			s.ask.At = max(0, a.Result.Columns.Full.At[0])
		}
	}
	first := s.panes[0]
	want := s.Store.WantStep(first.index, s.ask, false)
	if !s.take(first, want) {
		return
	}
	if s.two && b != nil && b.Result != nil {
		s.take(s.panes[1], s.Store.WantStep(s.panes[1].index, state.StepAsk{Index: -1, At: s.now.Now, About: -1, Truth: s.truth}, true))
	}
	s.render()
	s.ahead()
}

// take takes over an instant that has come; false while there is nothing to show.
func (s *step) take(p *pane, want *state.Stepped) bool {
	main := p == s.panes[0]
	p.busy = want == nil || !want.Done
	switch {
	case want == nil:
		return false
	case want.Error != "":
		p.fault = want.Error
		if main {
			s.tellMessage(want.Error)
			return false
		}
	case !want.Done:
		if main && s.now == nil {
			s.tellMessage("Working out the instants of this run …")
			return false
		}
	case want.Got == nil: // nothing more is decided about the job
		s.say.Set("textContent", "Nothing more is decided about this job.")
		s.ask = state.StepAsk{Index: s.now.Index, About: -1, Truth: s.truth}
	default:
		p.got, p.fault = want.Got, ""
		if main && (s.now != want.Got) {
			s.arrive(want.Got)
		}
	}
	return !main || s.now != nil
}

// arrive stands at an instant.
func (s *step) arrive(got *tell.Step) {
	same := s.now != nil && s.now.Now == got.Now && s.now.Index == got.Index
	s.now = got
	n := len(got.Decisions)
	switch {
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
	s.land = 0
	s.ask = state.StepAsk{Index: got.Index, About: -1, Truth: s.truth}
	if s.Store.View.Instant != got.Now {
		s.at = got.Now
		s.Store.Look(func(v *state.View) { v.Instant = got.Now })
	}
	s.at = got.Now
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
				if t := s.Store.WantStep(s.panes[0].index, state.StepAsk{Index: index, About: -1, Truth: s.truth}, true); t != nil && !t.Done {
					return // the next one when this has come
				}
			}
		}
	})
}

func (s *step) tellMessage(text string) {
	s.message.Set("textContent", text)
	draw.Show(s.message, true)
	draw.Show(s.body, false)
	draw.Show(s.differs, false)
	draw.Attr(s.Root, "data-step", "")
}

// render writes everything that stands on the screen.
func (s *step) render() {
	now, w := s.now, Words(s.Clock(), s.now.Now)
	draw.Show(s.message, false)
	draw.Show(s.body, true)
	draw.Attr(s.Root, "data-two", strconv.FormatBool(s.two))
	draw.Attr(s.twoButton, "aria-pressed", strconv.FormatBool(s.two))
	draw.Show(s.twoButton, s.Store.Schedulers() > 1)
	decision := fmt.Sprintf("decision %d of %d", s.reach, len(now.Decisions))
	if len(now.Decisions) == 0 {
		decision = "no decision"
	}
	s.where.Set("innerHTML", "<b>"+draw.Escape(w.Time(now.Now))+"</b> <span class=\"hide-p\">instant "+words.Int(now.Index+1)+" of "+words.Int(now.Total)+" · </span>"+decision)
	if !draw.Doc.Get("activeElement").Equal(s.goTo) {
		s.goTo.Set("value", w.Time(now.Now))
	}
	for _, p := range s.panes {
		if p.run != nil && p.got != nil {
			s.picture(p, w)
		}
	}
	s.pair(w)
	s.queueSub.Set("textContent", orderWords(now, s.Store.Label(s.panes[0].scheduler)))
	write(s.queue, QueueHTML(now, s.reach, s.chosen, w))
	s.newsHead.Set("textContent", w.Time(now.Now))
	write(s.news, NewsHTML(now, w))
	s.count.Set("textContent", fmt.Sprintf("%d of %d", s.reach, len(now.Decisions)))
	write(s.decisions, DecisionsHTML(now, s.reach, s.chosen, w))
	if c := draw.Find(s.decisions, "[aria-current]"); c.Truthy() {
		c.Call("scrollIntoView", map[string]any{"block": "nearest"})
	}
	s.tracks()
	s.buttons()
	if text := Spoken(now, s.chosen, w); text != s.spoken {
		s.spoken = text
		s.say.Set("textContent", text)
	}
	draw.Attr(s.Root, "data-step", strconv.FormatInt(int64(now.Now), 10), "data-index", strconv.Itoa(now.Index), "data-decision", strconv.Itoa(s.chosen))
}

func orderWords(now *tell.Step, name string) string {
	if now.Ready == "" {
		return ""
	}
	return "in " + name + "’s order, " + now.Ready
}

// write changes an element's inside where it is another.
func write(el js.Value, html string) {
	if old := el.Get("batchlabHTML"); old.Type() == js.TypeString && old.String() == html {
		return
	}
	el.Set("batchlabHTML", html)
	el.Set("innerHTML", html)
}

// picture draws one run's instant.
func (s *step) picture(p *pane, w *tell.Words) {
	r := p.run.Result
	main := p == s.panes[0]
	p.title.Set("textContent", s.Title(p.scheduler))
	small := s.Root.Get("clientWidth").Float() < 620
	scene := &Scene{
		Step: p.got, Reach: len(p.got.Decisions), Chosen: -1, Job: s.Store.View.Job, Truth: s.truth,
		Cols: &r.Columns, Jobs: s.Store.Jobs[p.run.Repetition], Site: s.Store.Sites[p.run.Repetition], Procs: r.Processors,
		Clock: s.Clock(), Words: w, Small: small, Quiet: s.two,
	}
	if main {
		scene.Reach, scene.Chosen = s.reach, s.chosen
	}
	if p.got.Now != s.now.Now { // it had its last instant before: nothing happens here now
		later := *p.got
		later.Now, later.Decisions = s.now.Now, nil
		scene.Step, scene.Reach = &later, 0
	}
	scene.Empty = s.two && len(scene.Step.Decisions) > 0 && scene.Step.Decisions[len(scene.Step.Decisions)-1].Kind == tell.Stops
	scene.From, scene.To = scene.Window()
	if s.two && !main && s.panes[0].scene != nil {
		scene.From, scene.To = s.panes[0].scene.From, s.panes[0].scene.To
	}
	p.scene = scene
	scene.W = p.svg.Get("clientWidth").Float()
	row := 26.0
	switch {
	case small:
		row = 17
	case s.two:
		row = 20
	}
	rows := min(max(float64(scene.Procs)*row, 120), 320)
	scene.H = scene.Height(rows)
	write(p.svg, fmt.Sprintf(`<svg class="step-g" width="%s" height="%s" viewBox="0 0 %s %s">%s</svg>`, draw.Num(scene.W), draw.Num(scene.H), draw.Num(scene.W), draw.Num(scene.H), scene.SVG()))
	draw.Attr(p.svg, "aria-label", s.Title(p.scheduler)+" at "+Spoken(scene.Step, scene.Chosen, w))
	if s.two {
		write(p.mark, "")
		write(p.verdict, tag(Between(scene.Step), map[bool]tell.Tone{true: tell.Good, false: tell.Plain}[scene.Step.Starts > 0]))
		write(p.list, DecisionsHTML(scene.Step, scene.Reach, scene.Chosen, w))
	} else {
		write(p.mark, legend)
		write(p.verdict, "")
		write(p.list, "")
	}
}

// pair says how two runs stand beside each other.
func (s *step) pair(w *tell.Words) {
	draw.Show(s.differs, s.two)
	draw.Show(s.table, s.two)
	if !s.two {
		return
	}
	a, b := s.panes[0], s.panes[1]
	if b.run == nil || b.run.Result == nil || b.got == nil {
		text := "Working out the other run …"
		if b.fault != "" {
			text = b.fault
		}
		s.tags.Set("textContent", text)
		return
	}
	jobs := s.Store.Jobs[s.Store.View.Repetition]
	at, list, ok := Difference(a.run.Result.Columns.Start, b.run.Result.Columns.Start, jobs.Number, s.now.Now-1, 1)
	html := "<b>" + draw.Escape(w.Time(s.now.Now)) + " under " + words.Letter(a.scheduler) + " and " + words.Letter(b.scheduler) + "</b> "
	if ok && at == s.now.Now {
		html += "they differ here: "
		for _, n := range list {
			html += `<span class="bl-tag">job ` + strconv.FormatInt(n, 10) + `</span> `
		}
	} else {
		html += "they start the same jobs here"
	}
	write(s.tags, html)
	var t strings.Builder
	t.WriteString(`<table><thead><tr><th>until now, ` + draw.Escape(w.Time(s.now.Now)) + `</th><th class="num">started</th><th class="num">waiting</th><th class="num">free processors</th></tr></thead><tbody>`)
	for _, p := range []*pane{a, b} {
		c := &p.run.Result.Columns
		started, waiting, busy := 0, 0, int32(0)
		submit := c.Submitted(jobs)
		for j, at := range c.Start {
			switch {
			case at >= 0 && at <= s.now.Now:
				if started++; c.End[j] > s.now.Now {
					busy += jobs.Procs[j]
				}
			case submit[j] <= s.now.Now && at >= 0:
				waiting++
			}
		}
		fmt.Fprintf(&t, `<tr><td><b>%s</b></td><td class="num">%s</td><td class="num">%s</td><td class="num">%s</td></tr>`, draw.Escape(s.Title(p.scheduler)), words.Int(started), words.Int(waiting), words.Int(int32(p.run.Result.Processors)-busy))
	}
	write(s.table, t.String()+`</tbody></table>`)
}

// tracks draws the steps up to now on the picture's axis.
func (s *step) tracks() {
	sc := s.panes[0].scene
	if sc == nil {
		return
	}
	write(s.track, Track(sc, s.track.Get("clientWidth").Float()))
}

// when is the time at a place on the axis.
func (s *Scene) when(x float64) model.Time {
	left, right := s.edges()
	return s.From + model.Time((min(max(x, left), right)-left)/max(1, right-left)*float64(s.To-s.From)+.5)
}

func (s *step) listen() {
	h := s.Host
	pick := func(ev js.Value) {
		t := ev.Get("target")
		if b := t.Call("closest", "button[data-d]"); b.Truthy() && !s.panes[1].box.Call("contains", b).Bool() {
			k, _ := strconv.Atoi(b.Get("dataset").Get("d").String())
			s.reach = max(s.reach, k+1)
			if s.chosen = k; k+1 > s.reach {
				s.reach = k + 1
			}
			s.Again()
			return
		}
		if at := t.Call("closest", "[data-j]"); at.Truthy() {
			j, _ := strconv.Atoi(at.Get("dataset").Get("j").String())
			s.selects(j - 1)
		}
	}
	h.Scope.Listen(s.body, "click", pick)
	hover := func(ev js.Value) {
		at := ev.Get("target").Call("closest", "[data-j]")
		job := ""
		if at.Truthy() {
			job = at.Get("dataset").Get("j").String()
		}
		all := s.body.Call("querySelectorAll", ".hov")
		for i := range all.Length() {
			all.Index(i).Get("classList").Call("remove", "hov")
		}
		if job != "" && job != "0" {
			all = s.body.Call("querySelectorAll", `[data-j="`+job+`"]`)
			for i := range all.Length() {
				all.Index(i).Get("classList").Call("add", "hov")
			}
		}
	}
	h.Scope.Listen(s.body, "pointerover", hover)
	h.Scope.Listen(s.body, "focusin", hover)
	drag := func(el js.Value, near bool) {
		h.Scope.ListenActive(el, "pointerdown", func(ev js.Value) {
			sc := s.panes[0].scene
			if sc == nil || ev.Get("button").Int() > 0 {
				return
			}
			x := ev.Get("clientX").Float() - el.Call("getBoundingClientRect").Get("left").Float()
			if d := x - sc.place(s.now.Now); near && (d > 9 || d < -9) {
				return
			}
			ev.Call("preventDefault")
			el.Call("setPointerCapture", ev.Get("pointerId"))
			s.dragging = true
			s.stop()
			if !near {
				s.goAt(sc.when(x))
			}
		})
		h.Scope.Listen(el, "pointermove", func(ev js.Value) {
			if sc := s.panes[0].scene; s.dragging && sc != nil {
				x := ev.Get("clientX").Float() - el.Call("getBoundingClientRect").Get("left").Float()
				s.goAt(sc.when(x))
			}
		})
		end := func(js.Value) { s.dragging = false }
		h.Scope.Listen(el, "pointerup", end)
		h.Scope.Listen(el, "pointercancel", end)
	}
	drag(s.panes[0].svg, true)
	drag(s.track, false)
	on := js.FuncOf(func(_ js.Value, args []js.Value) any {
		s.key(args[0])
		return nil
	})
	draw.Doc.Call("addEventListener", "keydown", on, true)
	h.Scope.Undo = append(h.Scope.Undo, func() {
		draw.Doc.Call("removeEventListener", "keydown", on, true)
		on.Release()
	})
}

// selects selects a job, and its decision where it has one that has been told.
func (s *step) selects(job int) {
	if job < 0 || s.now == nil {
		return
	}
	found := false
	for k := range s.now.Decisions {
		if int(s.now.Decisions[k].Job) == job && k < s.reach {
			s.chosen, found = k, true
		}
	}
	if !found {
		s.chosen = -1
	}
	s.Store.Look(func(v *state.View) { v.Job = job })
	s.Again()
}

// key serves the keys of the steps wherever the focus is, unless someone is typing.
func (s *step) key(ev js.Value) {
	if s.El.Get("clientWidth").Int() == 0 || draw.Typing(ev) || draw.Modified(ev) || s.now == nil || draw.Doc.Call("querySelector", "[role=dialog][aria-modal=true], .bl-menu").Truthy() {
		return
	}
	target := ev.Get("target")
	inside := func(selector string) bool {
		return target.Get("closest").Truthy() && target.Call("closest", selector).Truthy()
	}
	done := true
	switch k := ev.Get("key").String(); k {
	case "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown":
		if inside("[role=tablist], .popover") {
			return
		}
		switch k {
		case "ArrowLeft":
			s.by(-1, 0)
		case "ArrowRight":
			s.by(1, 0)
		case "ArrowUp":
			s.decide(-1)
		default:
			s.decide(1)
		}
	case " ":
		if inside("button, a, input, summary, [role=button]") && !s.playButton.Equal(target) {
			return
		}
		s.toggle()
	case "n", "N":
		s.about()
	case "g", "G":
		s.goTo.Call("focus")
		s.goTo.Call("select")
	case "x", "X":
		s.difference(1)
	case "t", "T":
		s.tell(!s.truth)
	case "Escape":
		s.leave()
	default:
		done = false
	}
	if done {
		ev.Call("preventDefault")
		ev.Call("stopPropagation")
	}
}
