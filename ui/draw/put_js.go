//go:build js

package draw

import (
	"strconv"
	"strings"
	"syscall/js"
)

// Putting is while Put changes a page: events that come of it are nobody's.
var Putting bool

// Put makes what stands in an element some markup, and says whether that was another. Nodes
// stay what they are as far as they can, so that focus, typed text and a press of the mouse
// survive; the focus goes along with what has it. Fields show what markup states
// (data-value, data-checked), but for one in which somebody types; islands and sections
// within keep what they hold. How is said where it is done, in wasm/page/boot.js.
func Put(el js.Value, html Markup) (changed bool) {
	was := Putting
	Putting = true
	changed = Global.Get("batchlabBoot").Call("put", el, string(html)).Bool()
	Putting = was
	return changed
}

// Build is Put for what stays: it returns the parts of an element by their data-part.
func Build(el js.Value, html Markup) (part func(name string) js.Value) {
	Put(el, html)
	return Parts(el)
}

// Parts returns the parts of an element by their data-part.
func Parts(el js.Value) (part func(name string) js.Value) {
	return func(name string) js.Value { return Find(el, "[data-part="+name+"]") }
}

// Node makes one element, which stands nowhere yet.
func Node(html Markup) js.Value {
	around := Doc.Call("createElement", "div")
	Put(around, html)
	return around.Get("firstChild")
}

// add puts one more element into another.
func add(parent js.Value, html Markup) js.Value {
	el := Node(html)
	parent.Call("append", el)
	return el
}

// Reveal scrolls a box so far that one of its elements is seen, and nothing around
// the box, so that no button moves away under the pointer.
func Reveal(box, el js.Value) {
	b, e := box.Call("getBoundingClientRect"), el.Call("getBoundingClientRect")
	edge := func(r js.Value, side string) float64 { return r.Get(side).Float() }
	by := min(0, edge(e, "top")-edge(b, "top"))
	if down := edge(e, "bottom") - edge(b, "bottom"); by == 0 && down > 0 {
		by = min(down, edge(e, "top")-edge(b, "top")) // taller than the box: from its beginning
	}
	if by != 0 {
		box.Set("scrollTop", box.Get("scrollTop").Float()+by)
	}
}

// Number is a data attribute of an element as a number, 0 where it has none.
func Number(el js.Value, key string) int {
	n, _ := strconv.Atoi(el.Get("dataset").Get(key).String())
	return n
}

// Copy puts a text into the clipboard and tells whether it is there: browsers have none
// for pages without TLS, and may refuse.
func Copy(text string, done func(ok bool)) {
	clipboard := Global.Get("navigator").Get("clipboard")
	if !clipboard.Truthy() {
		done(false)
		return
	}
	var yes, no js.Func
	end := func(ok bool) any {
		yes.Release()
		no.Release()
		done(ok)
		return nil
	}
	yes = js.FuncOf(func(js.Value, []js.Value) any { return end(true) })
	no = js.FuncOf(func(js.Value, []js.Value) any { return end(false) })
	clipboard.Call("writeText", text).Call("then", yes, no)
}

// CopyLink puts the address of this page with another hash into the clipboard, and
// shows it to be copied by hand where that is refused. It reports whether there is
// a clipboard.
func CopyLink(hash string) (there bool) {
	link, _, _ := strings.Cut(Global.Get("location").Get("href").String(), "#")
	link += hash
	Copy(link, func(ok bool) {
		if !ok {
			Global.Call("prompt", "Copy this link", link)
		}
	})
	return Global.Get("navigator").Get("clipboard").Truthy()
}
