//go:build js

package draw

import (
	"strconv"
	"syscall/js"
)

// Card is a chart with a head: title, what is plotted, and actions (the
// numbers as a table, files).
type Card struct {
	*Host
	file         string // for names of files
	head, Sub    js.Value
	Title, Extra js.Value
	Toggle       js.Value
	Body         js.Value
	Tip, hair    js.Value
	AsTable      bool
	Now          Figure                             // what is shown
	SvgFile      func() (file string, high float64) // nil: this card is no picture
}

// NewCard makes a card in which nothing is drawn yet.
func NewCard(h *Host, file, title string) *Card {
	c := &Card{Host: h, file: file}
	if !h.El.Call("closest", ".panel").Truthy() {
		h.Root.Get("classList").Call("add", "bl-card")
	}
	if before := h.El.Get("previousElementSibling"); before.Truthy() && before.Get("classList").Call("contains", "panel-head").Bool() {
		h.Root.Get("classList").Call("add", "bl-bare") // the shell wrote title and choices
	}
	c.head = add(h.Root, `<div class="bl-ph"></div>`)
	part := Build(c.head, HTML(`<h3 data-part="title">{}</h3><span class="bl-sub" data-part="sub"></span><span class="bl-more"><span class="bl-extra" data-part="extra"></span>{}{}</span>`,
		title, IconButton("table", "Show as table"), IconButton("more", "Save this chart")))
	c.Title, c.Sub, c.Extra, c.Toggle = part("title"), part("sub"), part("extra"), part("table")
	Attr(c.Toggle, "aria-pressed", "false")
	h.Scope.Listen(c.Toggle, "click", func(js.Value) {
		c.AsTable = !c.AsTable
		Attr(c.Toggle, "aria-pressed", strconv.FormatBool(c.AsTable))
		h.Again()
	})
	h.Scope.Menu(part("more"), func() []Item {
		var items []Item
		if c.SvgFile != nil && c.Now.Empty == "" && !c.AsTable {
			items = []Item{
				{"SVG", func() {
					svg, _ := c.SvgFile()
					Save(c.name(".svg"), "image/svg+xml", []byte(svg))
				}},
				{"PNG, twice the size", func() {
					svg, high := c.SvgFile()
					savePNG(c.name(".png"), svg, c.Now.W, high)
				}},
			}
		}
		return append(items, Item{"CSV", func() { Save(c.name(".csv"), "text/csv", c.csv()) }})
	})
	c.Body = add(h.Root, `<div class="bl-chart"></div>`)
	c.Tip, c.hair = Node(`<div class="bl-tipbox"></div>`), Node(`<div class="bl-hair"></div>`)
	return c
}

// PlaceTip puts words beside a place in a chart of width w.
func PlaceTip(tip js.Value, x, w float64) {
	left := x + 14
	if tw := tip.Get("offsetWidth").Float(); left+tw > w-4 {
		left = max(4, x-14-tw)
	}
	Style(tip, "left", Px(left))
	Style(tip, "top", "14px")
}

func (c *Card) name(suffix string) string { return c.FileName(c.file, suffix) }

func (c *Card) csv() []byte {
	g := c.Now.File()
	return []byte(g.CSV())
}

// Show puts what is no picture on the screen: the table, or a sentence.
func (c *Card) Show() {
	Style(c.Toggle, "visibility", visible(c.Now.Empty == ""))
	if c.Now.Empty != "" {
		Put(c.Body, HTML(`<p class="bl-empty">{}</p>`, c.Now.Empty))
		return
	}
	g := c.Now.Numbers()
	Put(c.Body, `<div class="bl-scroll" tabindex="0" role="region" aria-label="Numbers of this chart">`+g.HTML()+`</div>`)
}

func (c *Card) Release() {}

func visible(on bool) string {
	if on {
		return "visible"
	}
	return "hidden"
}

// IconButton is a quiet button that shows only an icon, by whose name it is found (Build).
func IconButton(icon, label string) Markup {
	return HTML(`<button type="button" class="bl-btn bl-ico" aria-label="{}" title="{}" data-part="{}">{}</button>`, label, label, icon, Icon(icon))
}

// Item is one line of a menu.
type Item struct {
	Label string
	Do    func()
}

// Menu opens a small menu under a button, or above it where the window ends.
func (s *scope) Menu(button js.Value, items func() []Item) {
	Attr(button, "aria-haspopup", "menu", "aria-expanded", "false")
	var close func()
	s.Listen(button, "click", func(ev js.Value) {
		if close != nil {
			close()
			return
		}
		var html Writer
		list := items()
		for _, it := range list {
			html.Put(`<button type="button" role="menuitem">{}</button>`, it.Label)
		}
		m := Node(HTML(`<div class="bl-menu" role="menu">{}</div>`, html.Markup()))
		var inner scope
		closed := false
		close = func() {
			if closed {
				return
			}
			closed = true
			close = nil
			Attr(button, "aria-expanded", "false")
			m.Call("remove")
			Later(0, inner.release) // after the event that closes it
		}
		shut := close
		for i, it := range list {
			inner.Listen(m.Get("children").Index(i), "click", func(js.Value) { shut(); button.Call("focus"); it.Do() })
		}
		inner.Listen(m, "keydown", func(ev js.Value) {
			k := ev.Get("key").String()
			now := Doc.Get("activeElement")
			switch k {
			case "Escape":
				ev.Call("stopPropagation")
				shut()
				button.Call("focus")
			case "ArrowDown", "ArrowUp":
				ev.Call("preventDefault")
				next := now.Get("nextElementSibling")
				if k == "ArrowUp" {
					next = now.Get("previousElementSibling")
				}
				if next.Truthy() {
					next.Call("focus")
				}
			case "Tab":
				shut()
			}
		})
		inner.Listen(Doc, "pointerdown", func(ev js.Value) {
			if !m.Call("contains", ev.Get("target")).Bool() && !button.Call("contains", ev.Get("target")).Bool() {
				shut()
			}
		})
		Doc.Get("body").Call("append", m)
		r := button.Call("getBoundingClientRect")
		top, high := r.Get("bottom").Float()+4, m.Get("offsetHeight").Float()
		if top+high > Global.Get("innerHeight").Float()-4 { // no room below the button
			top = max(4, r.Get("top").Float()-4-high)
		}
		Style(m, "top", Px(top))
		Style(m, "right", Px(max(4, Global.Get("innerWidth").Float()-r.Get("right").Float())))
		Attr(button, "aria-expanded", "true")
		m.Get("firstChild").Call("focus")
	})
	s.Undo = append(s.Undo, func() {
		if close != nil {
			close()
		}
	})
}

// Segments adds a row of buttons of which one is pressed.
func (s *scope) Segments(parent js.Value, label string, keys, names []string, pick func(key string)) (press func(key string)) {
	var html Writer
	for _, name := range names {
		html.Put(`<button type="button" aria-pressed="false">{}</button>`, name)
	}
	buttons := add(parent, HTML(`<span class="bl-seg" role="group" aria-label="{}">{}</span>`, label, html.Markup())).Get("children")
	for i, k := range keys {
		s.Listen(buttons.Index(i), "click", func(js.Value) { pick(k) })
	}
	return func(key string) {
		for i, k := range keys {
			Attr(buttons.Index(i), "aria-pressed", strconv.FormatBool(k == key))
		}
	}
}
