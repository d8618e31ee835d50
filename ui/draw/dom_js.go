//go:build js

package draw

import (
	"strconv"
	"syscall/js"
)

var (
	Global = js.Global()
	Doc    = Global.Get("document")
)

// scope collects what must be undone when an island goes.
type scope struct{ Undo []func() }

func (s *scope) release() {
	for _, f := range s.Undo {
		f()
	}
	s.Undo = nil
}

// Listen calls f for an event until the scope is released.
func (s *scope) Listen(el js.Value, event string, f func(ev js.Value)) {
	s.on(el, event, f, map[string]any{})
}

// ListenActive is listen for events whose default may be prevented.
func (s *scope) ListenActive(el js.Value, event string, f func(ev js.Value)) {
	s.on(el, event, f, map[string]any{"passive": false})
}

// Listen calls f for an event for as long as the page lives.
func Listen(el js.Value, event string, f func(ev js.Value)) { (&scope{}).Listen(el, event, f) }

// Func is f for JavaScript until the scope is released.
func (s *scope) Func(f func(args []js.Value) any) js.Func {
	fn := js.FuncOf(func(_ js.Value, args []js.Value) any { return f(args) })
	s.Undo = append(s.Undo, fn.Release)
	return fn
}

func (s *scope) on(el js.Value, event string, f func(ev js.Value), options map[string]any) {
	fn := js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	})
	el.Call("addEventListener", event, fn, options)
	s.Undo = append(s.Undo, func() {
		el.Call("removeEventListener", event, fn, options)
		fn.Release()
	})
}

func Find(root js.Value, selector string) js.Value { return root.Call("querySelector", selector) }

// Attr sets attributes given as name, value pairs.
func Attr(el js.Value, pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		el.Call("setAttribute", pairs[i], pairs[i+1])
	}
}

func Style(el js.Value, property, value string) {
	el.Get("style").Call("setProperty", property, value)
}

func Px(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) + "px" }

// Frame calls f in the next animation frame.
func Frame(f func()) {
	var fn js.Func
	fn = js.FuncOf(func(_ js.Value, at []js.Value) any {
		fn.Release()
		frame = at[0].Float()
		f()
		return nil
	})
	Global.Call("requestAnimationFrame", fn)
}

// frame is the time of the animation frame under way, the same for all that is
// called in it; busy is the one in which half of FrameBudget has gone into drawing.
var frame, busy float64

// roomy calls f in the next animation frame that is not busy: what draws in steps
// must not add up to a long task with what else does.
func roomy(f func()) {
	Frame(func() {
		if busy == frame {
			roomy(f)
			return
		}
		f()
	})
}

// drew notes that something has drawn since a time, and says whether the rest is to
// be left to the next frame.
func drew(began float64) (full bool) {
	took := Now() - began
	if took > FrameBudget/2 {
		busy = frame
	}
	return took > FrameBudget
}

// Later calls f after some milliseconds and returns what cancels it.
func Later(ms int, f func()) (cancel func()) {
	var fn js.Func
	done := false
	fn = js.FuncOf(func(js.Value, []js.Value) any {
		if !done {
			done = true
			fn.Release()
			f()
		}
		return nil
	})
	id := Global.Call("setTimeout", fn, ms)
	return func() {
		if !done {
			done = true
			Global.Call("clearTimeout", id)
			fn.Release()
		}
	}
}

// resting are the views' changes that wait for the reader to pause.
var resting = map[int]func(){}

// AtRest calls f after some milliseconds, or at once when the page is left, and
// returns what cancels it.
func AtRest(ms int, f func()) (cancel func()) {
	id := 0
	for resting[id] != nil {
		id++
	}
	var off func()
	now := func() {
		delete(resting, id)
		off()
		f()
	}
	resting[id], off = now, Later(ms, now)
	return func() {
		delete(resting, id)
		off()
	}
}

// Hurry does what AtRest still waits with.
func Hurry() {
	for _, now := range resting {
		now()
	}
}

// Await calls f with a promise's value, or not at all when it fails.
func Await(promise js.Value, f func(js.Value)) {
	var ok, bad js.Func
	free := func() { ok.Release(); bad.Release() }
	ok = js.FuncOf(func(_ js.Value, args []js.Value) any { free(); f(args[0]); return nil })
	bad = js.FuncOf(func(js.Value, []js.Value) any { free(); return nil })
	promise.Call("then", ok, bad)
}

// ReadText reads a dropped or chosen file as text; what cannot be read is left alone.
func ReadText(file js.Value, f func(text string)) {
	Await(file.Call("text"), func(text js.Value) { f(text.String()) })
}

// BytesToJS copies bytes into a new Uint8Array.
func BytesToJS(b []byte) js.Value {
	a := Global.Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(a, b)
	return a
}

// Save offers data as a download.
func Save(name, mime string, data []byte) {
	SaveBlob(name, Global.Get("Blob").New([]any{BytesToJS(data)}, map[string]any{"type": mime}))
}

func SaveBlob(name string, blob js.Value) {
	url := Global.Get("URL").Call("createObjectURL", blob)
	a := Node(`<a></a>`)
	a.Set("href", url)
	a.Set("download", name)
	a.Call("click")
	Later(10_000, func() { Global.Get("URL").Call("revokeObjectURL", url) })
}

// savePNG turns an SVG file into a PNG of twice its size.
func savePNG(name, svg string, w, h float64) {
	blob := Global.Get("Blob").New([]any{svg}, map[string]any{"type": "image/svg+xml"})
	url := Global.Get("URL").Call("createObjectURL", blob)
	img := Global.Get("Image").New()
	img.Set("src", url)
	Await(img.Call("decode"), func(js.Value) {
		c := Node(`<canvas></canvas>`)
		c.Set("width", int(2*w))
		c.Set("height", int(2*h))
		c.Call("getContext", "2d").Call("drawImage", img, 0, 0, 2*w, 2*h)
		Global.Get("URL").Call("revokeObjectURL", url)
		SaveCanvas(name, c)
	})
}

func SaveCanvas(name string, canvas js.Value) {
	var fn js.Func
	fn = js.FuncOf(func(_ js.Value, args []js.Value) any {
		fn.Release()
		SaveBlob(name, args[0])
		return nil
	})
	canvas.Call("toBlob", fn, "image/png")
}

// Typing says whether keys belong to an input just now.
func Typing(ev js.Value) bool {
	t := ev.Get("target")
	if !t.Truthy() || t.Get("tagName").Type() != js.TypeString {
		return false
	}
	switch t.Get("tagName").String() {
	case "INPUT":
		switch t.Get("type").String() {
		case "checkbox", "radio", "button":
			return false
		}
		return true
	case "TEXTAREA", "SELECT":
		return true
	}
	return t.Get("isContentEditable").Truthy()
}

func Modified(ev js.Value) bool {
	return ev.Get("ctrlKey").Bool() || ev.Get("metaKey").Bool() || ev.Get("altKey").Bool()
}

// Show takes an element out of the page or puts it back.
func Show(el js.Value, shown bool) {
	if shown {
		el.Get("style").Call("removeProperty", "display")
	} else {
		Style(el, "display", "none")
	}
}

var performance = Global.Get("performance")

// Now is the page's clock in milliseconds.
func Now() float64 { return performance.Call("now").Float() }

// InTurns calls step until there is no more, with room for others in between,
// and then done.
func InTurns(step func() (more bool), done func()) {
	for stop := Now() + FrameBudget; step(); {
		if Now() > stop {
			Later(0, func() { InTurns(step, done) })
			return
		}
	}
	Later(0, done)
}

func At(ev js.Value) (x, y float64) {
	return ev.Get("offsetX").Float(), ev.Get("offsetY").Float()
}
