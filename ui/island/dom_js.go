//go:build js

package island

import (
	"strconv"
	"syscall/js"
)

var (
	global = js.Global()
	doc    = global.Get("document")
)

// scope collects what must be undone when an island goes.
type scope struct{ undo []func() }

func (s *scope) release() {
	for _, f := range s.undo {
		f()
	}
	s.undo = nil
}

// listen calls f for an event until the scope is released.
func (s *scope) listen(el js.Value, event string, f func(ev js.Value)) {
	s.on(el, event, f, map[string]any{})
}

// listenActive is listen for events whose default may be prevented.
func (s *scope) listenActive(el js.Value, event string, f func(ev js.Value)) {
	s.on(el, event, f, map[string]any{"passive": false})
}

func (s *scope) on(el js.Value, event string, f func(ev js.Value), options map[string]any) {
	fn := js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	})
	el.Call("addEventListener", event, fn, options)
	s.undo = append(s.undo, func() {
		el.Call("removeEventListener", event, fn, options)
		fn.Release()
	})
}

// create makes an element with a class.
func create(tag, class string) js.Value {
	el := doc.Call("createElement", tag)
	if class != "" {
		el.Set("className", class)
	}
	return el
}

// add makes an element inside parent.
func add(parent js.Value, tag, class string) js.Value {
	el := create(tag, class)
	parent.Call("append", el)
	return el
}

func find(root js.Value, selector string) js.Value { return root.Call("querySelector", selector) }

// attr sets attributes given as name, value pairs.
func attr(el js.Value, pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		el.Call("setAttribute", pairs[i], pairs[i+1])
	}
}

func style(el js.Value, property, value string) {
	el.Get("style").Call("setProperty", property, value)
}

func px(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) + "px" }

// frame calls f in the next animation frame.
func frame(f func()) {
	var fn js.Func
	fn = js.FuncOf(func(js.Value, []js.Value) any {
		fn.Release()
		f()
		return nil
	})
	global.Call("requestAnimationFrame", fn)
}

// later calls f after some milliseconds and returns what cancels it.
func later(ms int, f func()) (cancel func()) {
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
	id := global.Call("setTimeout", fn, ms)
	return func() {
		if !done {
			done = true
			global.Call("clearTimeout", id)
			fn.Release()
		}
	}
}

// await calls f with a promise's value, or not at all when it fails.
func await(promise js.Value, f func(js.Value)) {
	var ok, bad js.Func
	free := func() { ok.Release(); bad.Release() }
	ok = js.FuncOf(func(_ js.Value, args []js.Value) any { free(); f(args[0]); return nil })
	bad = js.FuncOf(func(js.Value, []js.Value) any { free(); return nil })
	promise.Call("then", ok, bad)
}

// bytesToJS copies bytes into a new Uint8Array.
func bytesToJS(b []byte) js.Value {
	a := global.Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(a, b)
	return a
}

// save offers data as a download.
func save(name, mime string, data []byte) {
	saveBlob(name, global.Get("Blob").New([]any{bytesToJS(data)}, map[string]any{"type": mime}))
}

func saveBlob(name string, blob js.Value) {
	url := global.Get("URL").Call("createObjectURL", blob)
	a := create("a", "")
	a.Set("href", url)
	a.Set("download", name)
	a.Call("click")
	later(10_000, func() { global.Get("URL").Call("revokeObjectURL", url) })
}

// savePNG turns an SVG file into a PNG of twice its size.
func savePNG(name, svg string, w, h float64) {
	blob := global.Get("Blob").New([]any{svg}, map[string]any{"type": "image/svg+xml"})
	url := global.Get("URL").Call("createObjectURL", blob)
	img := global.Get("Image").New()
	img.Set("src", url)
	await(img.Call("decode"), func(js.Value) {
		c := create("canvas", "")
		c.Set("width", int(2*w))
		c.Set("height", int(2*h))
		c.Call("getContext", "2d").Call("drawImage", img, 0, 0, 2*w, 2*h)
		global.Get("URL").Call("revokeObjectURL", url)
		saveCanvas(name, c)
	})
}

func saveCanvas(name string, canvas js.Value) {
	var fn js.Func
	fn = js.FuncOf(func(_ js.Value, args []js.Value) any {
		fn.Release()
		saveBlob(name, args[0])
		return nil
	})
	canvas.Call("toBlob", fn, "image/png")
}

// typing says whether keys belong to an input just now.
func typing(ev js.Value) bool {
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

func modified(ev js.Value) bool {
	return ev.Get("ctrlKey").Bool() || ev.Get("metaKey").Bool() || ev.Get("altKey").Bool()
}
