//go:build js

package lesson

import (
	_ "embed"
	"encoding/json"
	"strings"
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/ui/draw"
	"batchlab/ui/look"
	"batchlab/ui/result"
	"batchlab/ui/state"
)

//go:embed lesson.css
var styles string

func init() {
	Room.Islands = map[string]draw.Maker{"lesson": newView}
	Room.Styles = styles
}

// view is the place on the screen.
type view struct {
	*draw.Host
	main, text, picture, hand js.Value
	player, before            *Player  // before: of the visit before this one
	came                      bool     // a visit has begun, and what it opens is not on the screen yet
	visit, wished             int      // of the store's Place; wished: of the page for lecturers
	lectures                  js.Value // the element of the pages for lecturers
	document                  js.Func  // the experiment of the laboratory, for them
	name                      string   // of the reader, where the numbers follow from it
	held                      bool     // the lesson is not open yet: its programs wait for the reader's word, or its questions are being tried
}

func newView(h *draw.Host) draw.Island {
	v := &view{Host: h}
	part := draw.Build(h.Root, `<div class="lesson" data-part="main"><section class="lesson-left" data-part="text"></section><section class="lesson-right" aria-label="Picture" data-part="picture"></section></div>`)
	v.main, v.text, v.picture = part("main"), part("text"), part("picture")
	v.hand, v.lectures = draw.Node(`<div class="lesson-end"></div>`), draw.Node(`<div class="lesson-lectures"></div>`)
	v.document = js.FuncOf(func(js.Value, []js.Value) any { return string(h.Store.Document(false)) })
	h.Scope.Listen(h.Root, "click", func(ev js.Value) {
		button := ev.Get("target").Call("closest", "button")
		if !button.Truthy() {
			return
		}
		data := button.Get("dataset")
		switch {
		case data.Get("open").Truthy():
			h.Store.ShowPlace(look.Place{Key: "lessons", Item: data.Get("open").String()})
		case data.Get("pick").Truthy():
			v.do(func(p *Player) { p.Pick(draw.Number(button, "pick")) }, false)
		case data.Get("jump").Truthy():
			v.do(func(p *Player) { p.Jump(draw.Number(button, "jump")) }, true)
		case data.Get("do").Truthy():
			v.act(data.Get("do").String())
		}
	})
	v.hands()
	h.Scope.ListenActive(js.Global().Get("document"), "keydown", func(ev js.Value) {
		if v.player == nil || v.held || h.Store.Place.Key != "lessons" || draw.Typing(ev) || draw.Modified(ev) {
			return
		}
		key := ev.Get("key").String()
		if way := map[string]int64{"ArrowLeft": -1, "ArrowRight": 1, " ": 0}; ev.Get("target").Get("dataset").Get("place").Truthy() {
			if by, ok := way[key]; ok {
				v.do(func(p *Player) { p.Move(by) }, false)
				ev.Call("preventDefault")
				ev.Call("stopPropagation")
				return
			}
		}
		onButton := ev.Get("target").Get("tagName").String() == "BUTTON"
		switch {
		case len(key) == 1 && key >= "1" && key <= "6":
			v.do(func(p *Player) { p.Pick(int(key[0] - '1')) }, false)
		case key == "ArrowRight":
			v.act("next")
		case key == "ArrowLeft":
			v.act("back")
		case key == "Enter" && !onButton:
			v.act(map[bool]string{true: "show", false: "next"}[v.player.Open()])
		case key == "Enter" && v.player.Open() && v.player.Picked[v.player.At] >= 0 && ev.Get("target").Get("dataset").Get("pick").Truthy():
			v.act("show")
		default:
			return
		}
		ev.Call("preventDefault")
		ev.Call("stopPropagation")
	})
	h.Scope.Listen(v.hand, "input", func(ev js.Value) {
		if v.player != nil {
			v.player.Name = strings.TrimSpace(ev.Get("target").Get("value").String())
		}
	})
	return v
}

// act does what a button says.
func (v *view) act(what string) {
	switch what {
	case "allow":
		v.Store.Allow(v.player.Lesson.Programs())
	case "list", "out":
		v.Store.ShowPlace(look.Place{Key: "lessons"})
	case "other":
		v.other()
	case "placing", "choosing":
		v.do(func(p *Player) { p.Placing = what == "placing" }, false)
	case "class", "write":
		place := look.Place{Key: "lessons", Item: map[string]string{"class": giveItem, "write": writeItem}[what]}
		if v.player != nil && v.player.Key == "" {
			place.Lesson = v.player.Whole
		}
		v.Store.ShowPlace(place)
	case "begin":
		v.name = strings.TrimSpace(draw.Find(v.Root, "#lesson-who").Get("value").String())
		v.player = v.begin(&v.Store.Place)
		v.Draw()
	case "mark":
		v.Store.ShowPlace(look.Place{Key: "lessons", Item: markItem})
	case "back":
		v.do(func(p *Player) { p.Go(-1) }, true)
	case "next":
		v.do(func(p *Player) { p.Go(1) }, true)
	case "show":
		v.do((*Player).Show, false)
	case "retry":
		v.do((*Player).Retry, false)
	case "again":
		v.do((*Player).Again, true)
	case "copy":
		v.copy(experiment.EncodeSheetLink(v.player.Sheet()), "The link to your answers is copied.")
	case "link":
		link := experiment.EncodeLessonLink(v.player.Whole)
		if p := v.player; p.Seed > 0 {
			link = experiment.EncodeAssignmentLink(&experiment.Assignment{Lesson: p.Whole, Course: p.Lesson.Course, Due: p.Lesson.Due, Numbers: experiment.NumbersSame, Seed: p.Seed})
		}
		v.copy(link, "The link to this lesson is copied.")
	}
}

// copy puts a link into the clipboard.
func (v *view) copy(hash, said string) {
	draw.CopyLink(hash)
	if out := draw.Find(v.Root, "#lesson-said"); out.Truthy() {
		out.Set("textContent", said)
	}
}

// do changes where the reader is and keeps it; moved puts the focus on the new
// text.
func (v *view) do(change func(*Player), moved bool) {
	if v.player == nil {
		return
	}
	change(v.player)
	keep(v.player.kept(), v.player.Progress)
	v.Draw()
	if moved {
		if text := draw.Find(v.Root, "#lesson-text"); text.Truthy() {
			text.Call("focus", map[string]any{"preventScroll": true})
		}
		v.Root.Set("scrollTop", 0)
	}
}

// Draw brings the place up to date.
func (v *view) Draw() {
	place := &v.Store.Place
	if place.Key != "lessons" {
		return
	}
	if place.Count != v.visit {
		v.visit, v.name = place.Count, ""
		if v.before, v.came = v.player, true; v.player != nil {
			v.player.Stop()
		}
		v.player = v.begin(place)
	}
	v.held = false
	defer func() {
		if v.came && !v.held {
			v.came = false
			v.arrive(v.before)
		}
	}()
	if v.lecture(place) {
		return
	}
	if a := place.Given; a != nil && v.player == nil && a.Personal() && v.name == "" {
		v.put(NameHTML(a))
		v.alone(true)
		return
	}
	if v.player == nil {
		v.put(ListHTML(recall))
		v.alone(true)
		return
	}
	p := v.player
	if list := v.Store.Unread(p.Lesson.Programs()); p.Key == "" && len(list) > 0 {
		v.held = true
		v.put(draw.Unread(state.Holds("This lesson", len(list)), list, "Do not open"))
		v.alone(true)
		return
	}
	extra := draw.Markup(`<nav class="lesson-top"><button type="button" class="link-button" data-do="list">All lessons</button>`)
	if (p.Key == "" || p.Seed > 0) && !p.fresh() { // nobody has tried it yet
		if left, faults := p.Try(v.run); left > 0 || len(faults) > 0 {
			v.held = true
			v.put(extra + `</nav>` + p.TryHTML(left, faults))
			v.alone(true)
			return
		}
	}
	if p.At >= len(p.Lesson.Steps) { // all answers are judged
		for _, i := range p.questions() {
			p.Run(i, v.run)
		}
	}
	p.Run(p.At, v.run)
	v.alone(p.At >= len(p.Lesson.Steps))
	if p.Whole.Draw != nil && p.Given == nil && !p.Sent {
		extra += ` <button type="button" class="link-button" data-do="other" id="other-numbers">Other numbers</button>`
	}
	if p.Key == "" {
		extra += ` <button type="button" class="link-button" data-do="link">Copy a link to this lesson</button> <button type="button" class="link-button" data-do="class">Hand it out</button> <button type="button" class="link-button" data-do="write">Change it</button><span class="faint" id="lesson-said" role="status"></span>`
	}
	v.put(extra + `</nav>` + p.TextHTML())
	if p.At < len(p.Lesson.Steps) {
		width := min(760, max(280, v.picture.Get("clientWidth").Float()))
		draw.Put(v.picture, p.PictureHTML(width))
	}
}

// lecture shows a page for lecturers, which the second program draws, or takes it away.
func (v *view) lecture(place *look.Place) bool {
	yes := lecturing(place.Item)
	draw.Show(v.text, !yes)
	if !yes {
		v.lectures.Call("remove")
		v.wished = 0
		return false
	}
	if v.wished == place.Count {
		return true
	}
	v.wished = place.Count
	v.alone(true)
	v.main.Call("prepend", v.lectures)
	text := ""
	if place.Lesson != nil {
		text = string(place.Lesson.Encode())
	}
	js.Global().Get("batchlabBoot").Call("annex", map[string]any{"key": Room.Key, "root": v.lectures, "item": place.Item, "lesson": text, "document": v.document})
	return true
}

// arrive puts the focus where a visit begins: on the text of a lesson, and in the
// list on the lesson that was read before.
func (v *view) arrive(before *Player) {
	at := js.Null()
	switch {
	case v.player != nil:
		at = draw.Find(v.Root, "#lesson-text")
	case before != nil && before.Key != "":
		at = draw.Find(v.Root, "#lesson-"+before.Key)
	}
	if at.Truthy() {
		at.Call("focus", map[string]any{"preventScroll": v.player != nil})
	}
}

// alone says whether there is no picture.
func (v *view) alone(yes bool) { v.main.Get("classList").Call("toggle", "alone", yes) }

// put shows the text, and below the last page what hands the answers in.
func (v *view) put(html draw.Markup) {
	draw.Put(v.text, html)
	p := v.player
	if p == nil || v.held || p.At < len(p.Lesson.Steps) || v.Store.Place.Sheet != nil || v.text.Call("contains", v.hand).Bool() {
		return
	}
	if !v.hand.Get("firstChild").Truthy() {
		draw.Put(v.hand, HandIn(p))
	}
	v.text.Call("append", v.hand)
}

// begin opens what the place holds; nil: the list.
func (v *view) begin(place *look.Place) *Player {
	draw.Put(v.hand, "")
	switch {
	case lecturing(place.Item):
		return nil
	case place.Sheet != nil:
		p, why := FromSheet(place.Sheet)
		if p == nil {
			v.Store.Tell(why)
		}
		return p
	case place.Given != nil:
		if place.Given.Personal() && v.name == "" {
			return nil
		}
		return v.told(FromAssignment(place.Given, v.name, recall))
	case place.Lesson != nil:
		return v.told(With("", place.Lesson, 0, recall))
	case place.Item != "":
		key, seed := fromItem(place.Item)
		if l := own(key); l != nil {
			return v.told(With(key, l, seed, recall))
		}
	}
	return nil
}

// told passes a lesson on, or says why there is none.
func (v *view) told(p *Player, why string) *Player {
	if why != "" {
		v.Store.Tell(why)
	}
	return p
}

// other goes on to the same lesson with other numbers.
func (v *view) other() {
	p := v.player
	seed := p.Seed%experiment.Boards + 1
	if p.Key != "" {
		v.Store.ShowPlace(look.Place{Key: "lessons", Item: item(p.Key, seed)})
		return
	}
	v.Store.ShowPlace(look.Place{Key: "lessons", Given: &experiment.Assignment{Lesson: p.Whole, Course: p.Lesson.Course, Due: p.Lesson.Due, Numbers: experiment.NumbersSame, Seed: seed}})
}

// hands lets the reader place a job by hand, or type its time.
func (v *view) hands() {
	held := false
	at := func(ev js.Value) {
		svg := draw.Find(v.picture, "svg.step-g")
		if v.player == nil || !svg.Truthy() {
			return
		}
		box := svg.Call("getBoundingClientRect")
		x := (ev.Get("clientX").Float() - box.Get("left").Float()) * svg.Get("viewBox").Get("baseVal").Get("width").Float() / max(1, box.Get("width").Float())
		v.do(func(p *Player) { p.Drop(x) }, false)
	}
	v.Scope.Listen(v.picture, "pointerdown", func(ev js.Value) {
		if held = ev.Get("target").Call("closest", "[data-place]").Truthy(); held {
			ev.Call("preventDefault")
			v.picture.Call("setPointerCapture", ev.Get("pointerId"))
		}
	})
	v.Scope.Listen(v.picture, "pointermove", func(ev js.Value) {
		if held {
			at(ev)
		}
	})
	for _, end := range []string{"pointerup", "pointercancel"} {
		v.Scope.Listen(v.picture, end, func(ev js.Value) {
			if held && end == "pointerup" {
				at(ev)
			}
			held = false
		})
	}
	v.Scope.Listen(v.text, "change", func(ev js.Value) {
		if t := ev.Get("target"); t.Get("id").String() == "lesson-time" {
			if n := t.Get("valueAsNumber").Float(); n >= 0 && n < 1e6 {
				v.do(func(p *Player) { p.Say(int64(n*60 + 0.5)) }, false)
			}
		}
	})
}

// run begins an experiment beside the laboratory's.
func (v *view) run(e *experiment.Experiment) *result.Background {
	return v.Store.RunInBackground(e, v.Draw)
}

// Release implements draw.Island.
func (v *view) Release() {
	if v.player != nil {
		v.player.Stop()
	}
}

const kept = "batchlab.lesson."

// recall reads how far the reader is in a lesson.
func recall(key string) (p Progress) {
	defer func() { _ = recover() }() // storage may be refused
	if text := js.Global().Get("localStorage").Call("getItem", kept+key); text.Type() == js.TypeString {
		if json.Unmarshal([]byte(text.String()), &p) != nil {
			return Progress{}
		}
	}
	return p
}

// keep writes how far the reader is.
func keep(key string, p Progress) {
	defer func() { _ = recover() }()
	text, err := json.Marshal(p)
	if err == nil {
		js.Global().Get("localStorage").Call("setItem", kept+key, string(text))
	}
}
