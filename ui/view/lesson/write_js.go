//go:build js

package lesson

import (
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/ui/draw"
	"batchlab/ui/result"
)

// drafted is where the browser keeps the lesson that is written.
const drafted = "batchlab.lesson-draft"

// writing is the page on which a lesson is written, with the run at its side.
type writing struct {
	l                      *Lectures
	root, form, said, side js.Value
	w                      *Writing
	given                  *experiment.Lesson // that the page was opened with; nil: none
	ready                  *experiment.Lesson // what can be handed on; nil: not yet
	later                  func()             // cancels the next look at it
	wide                   float64            // that the side was drawn for, in page pixels
	listed                 *result.Background // whose jobs stand in the form's menus
}

func newWriting(l *Lectures, mine *experiment.Lesson) *writing {
	e := &writing{l: l, given: mine, root: draw.Node(`<div class="lesson-marking"></div>`)}
	part := draw.Build(e.root, draw.HTML(`<div>{}</div><div class="lesson-write"><div><div data-part="form"></div><div data-part="said"></div></div><section class="lesson-side" aria-label="The run at this step" data-part="side"></section></div>`, writeHead))
	e.form, e.said, e.side = part("form"), part("said"), part("side")
	from := mine
	if from == nil {
		from = recallDraft()
	}
	e.w = NewWriting(from, e.here())
	change := func(ev js.Value) {
		t := ev.Get("target")
		key := t.Get("dataset").Get("w")
		if isMenu := t.Get("tagName").String() == "SELECT"; !key.Truthy() || isMenu != (ev.Get("type").String() == "change") {
			return
		}
		if e.w.Set(key.String(), t.Get("value").String(), e.here) {
			e.show()
		} else {
			e.soon()
		}
	}
	js.Global().Get("ResizeObserver").New(js.FuncOf(func(js.Value, []js.Value) any {
		if e.wide > 0 && e.width() != e.wide {
			draw.Later(0, e.follow) // not while sizes are being told
		}
		return nil
	})).Call("observe", e.side)
	draw.Listen(e.form, "input", change)
	draw.Listen(e.form, "change", change)
	draw.Listen(e.form, "click", func(ev js.Value) {
		if b := ev.Get("target").Call("closest", "[data-step]"); b.Truthy() {
			e.w.At = draw.Number(b, "step") - 1
			e.show()
		}
	})
	return e
}

// here is the experiment as it stands in the laboratory, without what varies; nil and a
// word where it cannot be read.
func (e *writing) here() *experiment.Experiment {
	x, err := experiment.Decode([]byte(e.l.page.Call("document").String()))
	if err != nil {
		return nil
	}
	x.Vary, x.Search = nil, nil
	return x
}

// act does what a button says.
func (e *writing) act(what string) {
	w := e.w
	switch what {
	case "add-step":
		w.Add()
	case "remove-step":
		w.Remove()
	case "step-earlier":
		w.Move(-1)
	case "step-later":
		w.Move(1)
	case "walk-back":
		w.Walk(-1)
	case "walk-on":
		w.Walk(1)
	case "walk-all":
		w.Step().Look.At = nil
	case "ask-here":
		w.AskHere()
	case "no-draw":
		w.Lesson.Draw = nil
	default:
		e.hand(what)
		return
	}
	e.show()
}

// hand hands the lesson on, once nothing is wrong with it.
func (e *writing) hand(what string) {
	if e.ready == nil {
		return
	}
	switch what {
	case "write-link":
		draw.CopyLink(experiment.EncodeLessonLink(e.ready))
		draw.Find(e.said, "#write-said").Set("textContent", "The link to this lesson is copied.")
	case "write-file":
		draw.Save("lesson.json", "application/json", e.ready.Encode())
	case "write-read":
		js.Global().Get("location").Set("hash", experiment.EncodeLessonLink(e.ready))
	case "write-out":
		e.l.give = newGiving(e.l, e.ready)
		e.l.onClick(e.l.give.root)
		js.Global().Get("location").Set("hash", "#p=lessons."+giveItem)
	}
}

// soon shows what follows from a text once its writer rests.
func (e *writing) soon() {
	if e.later != nil {
		e.later()
	}
	e.later = draw.Later(400, e.follow)
}

// show shows the form, and what follows from it.
func (e *writing) show() {
	draw.Put(e.form, e.w.FormHTML())
	e.follow()
}

// width is how wide the picture of the run may be, in page pixels.
func (e *writing) width() float64 { return min(760, max(280, e.side.Get("clientWidth").Float())) }

// follow shows what follows from the fields: the run, the answer, and whether the lesson
// can be handed on.
func (e *writing) follow() {
	w := e.w
	begin := e.l.run(e.follow)
	if x := w.Lesson.Of(w.At); x != nil && w.runs[x.Identity()] == nil {
		w.runs[x.Identity()] = begin(x)
	}
	if a := w.background(); w.Seek() || a != nil && a.Ready() && a != e.listed {
		e.listed = a
		draw.Put(e.form, w.FormHTML())
	}
	if known := draw.Find(e.form, "#write-known"); known.Truthy() {
		known.Set("textContent", w.Known())
	}
	e.wide = e.width()
	draw.Put(e.side, w.SideHTML(e.wide))
	l, err := w.Check()
	e.ready = nil
	var p *Player
	left, faults := 0, []string(nil)
	if err == nil {
		p = w.player(l)
		if left, faults = p.Try(begin); left == 0 && len(faults) == 0 {
			e.ready = l
			keepDraft(l)
		}
	}
	draw.Put(e.said, w.StateHTML(p, err, left, faults))
}

// keepDraft keeps a lesson that can be handed on until another one is.
func keepDraft(l *experiment.Lesson) {
	defer func() { _ = recover() }() // storage may be refused
	js.Global().Get("localStorage").Call("setItem", drafted, string(l.Encode()))
}

func recallDraft() (l *experiment.Lesson) {
	defer func() { _ = recover() }()
	if text := js.Global().Get("localStorage").Call("getItem", drafted); text.Type() == js.TypeString {
		l, _ = experiment.DecodeLesson([]byte(text.String()))
	}
	return l
}
