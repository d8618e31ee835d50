//go:build js

package draw

import (
	"strconv"
	"strings"
	"syscall/js"
)

// Inner makes markup the inside of an element.
func Inner(el js.Value, html Markup) { el.Set("innerHTML", string(html)) }

// Build is Inner for what stays: it returns the parts of an element by their data-part.
func Build(el js.Value, html Markup) (part func(name string) js.Value) {
	Inner(el, html)
	return func(name string) js.Value { return Find(el, "[data-part="+name+"]") }
}

// Write changes an element's inside where it is another than the one written last.
func Write(el js.Value, html Markup) (changed bool) {
	if old := el.Get("batchlabHTML"); old.Type() == js.TypeString && old.String() == string(html) {
		return false
	}
	el.Set("batchlabHTML", string(html))
	Inner(el, html)
	return true
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

// Put is Write for what can have the focus: it stays on the element that has the
// same id, or the same value of one of the data attributes, and so does how far
// the reader has scrolled.
func Put(el js.Value, html Markup, keys ...string) {
	focus := ""
	if active := Doc.Get("activeElement"); active.Truthy() && el.Call("contains", active).Bool() {
		for _, key := range keys {
			if value := active.Get("dataset").Get(key); focus == "" && value.Truthy() {
				focus = `[data-` + key + `="` + value.String() + `"]`
			}
		}
		if id := active.Get("id"); focus == "" && id.Truthy() {
			focus = `[id="` + id.String() + `"]`
		}
	}
	top := el.Get("scrollTop")
	if !Write(el, html) {
		return
	}
	el.Set("scrollTop", top)
	if focus == "" {
		return
	}
	if f := Find(el, focus); f.Truthy() {
		f.Call("focus", map[string]any{"preventScroll": true})
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
