//go:build js

package draw

import "syscall/js"

// Morphing is while Morph changes a page: events that come of it are nobody's.
var Morphing bool

// Morph is Write for what is used while it changes: nodes stay what they are as far as
// they can, so that focus, typed text and a press of the mouse survive. Boxes that say so
// (data-checked) are checked; islands and sections within keep what they hold. How is
// said where it is done, in wasm/page/boot.js.
func Morph(el js.Value, html Markup) (changed bool) {
	Morphing = true
	changed = Global.Get("batchlabBoot").Call("morph", el, string(html)).Bool()
	Morphing = false
	return changed
}
