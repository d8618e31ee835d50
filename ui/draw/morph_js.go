//go:build js

package draw

import "syscall/js"

// Morphing is while Morph changes a page: events that come of it are nobody's.
var Morphing bool

// Morph is Write for what is used while it changes: nodes stay what they are as far as
// they can, so that focus, typed text and a press of the mouse survive. Boxes that say so
// (data-checked) are checked; islands and sections within keep what they hold.
func Morph(el js.Value, html Markup) (changed bool) {
	if old := el.Get("batchlabHTML"); old.Type() == js.TypeString && old.String() == string(html) {
		return false
	}
	el.Set("batchlabHTML", string(html))
	next := Create("div", "")
	Inner(next, html)
	Morphing = true
	morphChildren(el, next)
	Morphing = false
	checks := el.Call("querySelectorAll", "[data-checked]")
	for k := range checks.Length() {
		checks.Index(k).Set("checked", checks.Index(k).Get("dataset").Get("checked").String() == "true")
	}
	return true
}

// morph makes an element like another of the same kind.
func morph(from, to js.Value) {
	if from.Get("nodeType").Int() != 1 {
		if from.Get("nodeValue").String() != to.Get("nodeValue").String() {
			from.Set("nodeValue", to.Get("nodeValue"))
		}
		return
	}
	if from.Call("isEqualNode", to).Bool() {
		return
	}
	apart := from.Call("hasAttribute", "data-island").Bool() || from.Call("hasAttribute", "data-sections").Bool()
	old := from.Call("getAttributeNames")
	for i := range old.Length() {
		if !to.Call("hasAttribute", old.Index(i)).Bool() {
			from.Call("removeAttribute", old.Index(i))
		}
	}
	names := to.Call("getAttributeNames")
	for i := range names.Length() {
		name := names.Index(i)
		if v := to.Call("getAttribute", name).String(); !from.Call("hasAttribute", name).Bool() || from.Call("getAttribute", name).String() != v {
			from.Call("setAttribute", name, v)
		}
	}
	if !apart { // what stands in those is their own
		morphChildren(from, to)
	}
}

// morphChildren leaves what stays where it is, also when something comes in before
// it or goes away: a field that comes in must not take the place of the one in which
// somebody is.
func morphChildren(from, to js.Value) {
	a, b := from.Get("childNodes"), to.Get("childNodes")
	for i := 0; i < b.Length(); i++ {
		next := b.Index(i)
		for i < a.Length() && !alike(a.Index(i), next) && !standsIn(b, i+1, a.Index(i)) && standsIn(a, i+1, next) {
			from.Call("removeChild", a.Index(i))
		}
		if i >= a.Length() {
			from.Call("appendChild", next.Call("cloneNode", true))
			continue
		}
		now := a.Index(i)
		switch {
		case !alike(now, next) && standsIn(b, i+1, now):
			from.Call("insertBefore", next.Call("cloneNode", true), now)
		case now.Get("nodeName").String() == next.Get("nodeName").String():
			morph(now, next)
		default:
			from.Call("replaceChild", next.Call("cloneNode", true), now)
		}
	}
	for n := b.Length(); a.Length() > n; {
		from.Call("removeChild", a.Index(n))
	}
}

// standsIn reports whether a node with a name is among those of a list from i on.
func standsIn(list js.Value, i int, node js.Value) bool {
	if nameOf(node) == "" {
		return false
	}
	for ; i < list.Length(); i++ {
		if alike(list.Index(i), node) {
			return true
		}
	}
	return false
}

// alike reports whether two nodes are the same thing at two times.
func alike(a, b js.Value) bool {
	return a.Get("nodeName").String() == b.Get("nodeName").String() && nameOf(a) == nameOf(b)
}

// nameOf returns the id of an element, or else the first one within it; "" if there is none.
func nameOf(node js.Value) string {
	if node.Get("nodeType").Int() != 1 {
		return ""
	}
	if id := node.Get("id").String(); id != "" {
		return id
	}
	if named := node.Call("querySelector", "[id]"); named.Truthy() {
		return named.Get("id").String()
	}
	return ""
}
