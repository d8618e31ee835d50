//go:build js

package ui

import (
	"strings"
	"syscall/js"

	"batchlab/ui/look"
)

// listen attaches the page's own listeners, once: keys, dropped files, links.
func (b *browser) listen() {
	on := func(target js.Value, event string, capture bool, f func(e js.Value)) {
		target.Call("addEventListener", event, b.fn(func(args []js.Value) { f(args[0]) }), map[string]any{"capture": capture})
	}
	on(document, "change", true, func(e js.Value) {
		if b.rendering {
			e.Call("stopImmediatePropagation")
		}
	})
	on(document, "keydown", false, b.key)
	on(document, "dragover", false, func(e js.Value) {
		e.Call("preventDefault")
		document.Get("documentElement").Get("classList").Call("add", "dropping")
	})
	on(document, "dragleave", false, func(e js.Value) {
		if !e.Get("relatedTarget").Truthy() {
			document.Get("documentElement").Get("classList").Call("remove", "dropping")
		}
	})
	on(document, "drop", false, func(e js.Value) {
		e.Call("preventDefault")
		document.Get("documentElement").Get("classList").Call("remove", "dropping")
		b.openAll(e.Get("dataTransfer").Get("files"))
	})
	on(document, "paste", false, func(e js.Value) {
		target := e.Get("target")
		inside := target.Get("closest").Truthy() && target.Call("closest", ".cm-editor, [role=dialog]").Truthy()
		if inside || typing(target) || b.p.Dialog != "" || b.p.Tour.Step != 0 {
			return // it is meant for what is there
		}
		text := e.Get("clipboardData").Call("getData", "text").String()
		if b.p.S.Place.Key == "" && strings.ContainsAny(strings.TrimSpace(text), "\t\n") {
			b.p.paste(text)
			b.ask()
		}
	})
	on(window, "hashchange", false, func(e js.Value) {
		hash := window.Get("location").Get("hash").String()
		if u := e.Get("newURL"); u.Type() == js.TypeString && u.String() != "" {
			_, rest, _ := strings.Cut(u.String(), "#")
			hash = "#" + rest
		}
		b.followHash(hash)
	})
}

// typing reports whether keys belong to the focused element.
func typing(el js.Value) bool {
	if !el.Truthy() || !el.Get("tagName").Truthy() {
		return false
	}
	switch el.Get("tagName").String() {
	case "INPUT":
		t := el.Get("type").String()
		return t != "checkbox" && t != "radio"
	case "TEXTAREA", "SELECT":
		return true
	}
	return el.Get("isContentEditable").Truthy() // which SVG does not know
}

// key handles the keys of the whole page. Those of an island are its own.
func (b *browser) key(e js.Value) {
	if e.Get("defaultPrevented").Bool() || e.Get("isComposing").Bool() {
		return
	}
	name := e.Get("key").String()
	ctrl := e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool()
	active := document.Get("activeElement")
	done := func() {
		e.Call("preventDefault")
		b.ask()
	}
	switch {
	case ctrl && name == "Enter":
		if typing(active) {
			active.Call("blur") // takes over what was typed
		}
		b.p.closeAll()
		b.p.run()
		done()
	case ctrl && (name == "o" || name == "O"):
		b.ChooseFile()
		done()
	case ctrl && !typing(active) && (name == "z" || name == "Z" || name == "y"):
		if name == "z" && !e.Get("shiftKey").Bool() {
			b.p.undo()
		} else {
			b.p.redo()
		}
		done()
	case ctrl || e.Get("altKey").Bool():
	case name == "Escape":
		if typing(active) && b.p.Dialog == "" && b.p.S.VaryNow() == nil {
			active.Call("blur")
			return
		}
		if b.p.Escape() {
			done()
		} else if b.p.S.View.Two { // unless a chart has a use for the key, which hears of it after the page
			window.Call("setTimeout", once(func([]js.Value) {
				if !e.Get("defaultPrevented").Bool() {
					b.p.S.CompareTwo(false)
					b.ask()
				}
			}), 0)
		}
	case typing(active):
	case name == "ArrowDown" || name == "ArrowUp":
		if b.step(active, ".popover", "button:not([disabled])", name == "ArrowDown") {
			done()
		}
	case name == "ArrowRight" || name == "ArrowLeft":
		if b.step(active, "[role=tablist]", "[role=tab]", name == "ArrowRight") {
			document.Get("activeElement").Call("click")
			done()
		}
	case b.p.Dialog != "":
	case name == "?":
		b.p.openDialog("help")
		done()
	case name == "c" || name == "C":
		b.p.S.CompareTwo(!b.p.S.View.Two)
		done()
	case name == "l" || name == "L":
		b.p.S.Look(func(v *look.View) { v.Large = !v.Large })
		done()
	case name == "/":
		if b.find() {
			done()
		}
	case len(name) == 1 && name[0] >= '1' && name[0] <= '9':
		if v := b.p.numbered(int(name[0] - '0')); v != nil {
			b.p.S.ShowTab(v.Key)
			done()
		}
	}
}

// step moves the focus to the next or previous of a group's elements.
func (b *browser) step(active js.Value, group, each string, forward bool) bool {
	if !active.Truthy() || !active.Get("closest").Truthy() {
		return false
	}
	box := active.Call("closest", group)
	if !box.Truthy() {
		return false
	}
	list := box.Call("querySelectorAll", each)
	n := list.Length()
	for i := range n {
		if list.Index(i).Equal(active) {
			next := i + n - 1
			if forward {
				next = i + 1
			}
			list.Index(next % n).Call("focus")
			return true
		}
	}
	return false
}

// find goes to the search field of the tab, opening the table where a tab has
// none.
func (b *browser) find() bool {
	field := document.Call("querySelector", "[role=tabpanel]:not([hidden]) input[type=search], [role=tabpanel]:not([hidden]) [data-find]")
	if field.Truthy() {
		field.Call("focus")
		return true
	}
	b.p.S.ShowTab("table")
	findInTable(100)
	return true
}

// findInTable goes to the search field of the table once it is drawn, which is
// looked for so many times.
func findInTable(times int) {
	window.Call("setTimeout", once(func([]js.Value) {
		if f := document.Call("querySelector", "#panel-table:not([hidden]) :is(input[type=search], [data-find])"); f.Truthy() {
			f.Call("focus")
		} else if times > 1 {
			findInTable(times - 1)
		}
	}), 20)
}

// closeAll closes menus, dialogs and the drawer.
func (p *Page) closeAll() { p.Menu, p.Dialog, p.Drawer = "", "", false }
