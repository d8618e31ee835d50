//go:build js

package island

import (
	"math"
	"strconv"
	"syscall/js"

	"batchlab/ui/chart"
)

// card is a chart with a head: title, what is plotted, and actions (the
// numbers as a table, files).
type card struct {
	*host
	file         string // for names of files
	head, sub    js.Value
	title, extra js.Value
	toggle       js.Value
	body         js.Value
	tip, hair    js.Value
	asTable      bool
	last         chart.Drawing
	paint        func(d *chart.Data, w, h float64) chart.Drawing
	svgFile      func() string // nil: this card is no picture
	link         *linked       // with other charts over time, nil where paint is nil
}

const (
	iconTable   = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M2.5 3h11v10h-11zM2.5 6.300h11M2.5 9.700h11M6.5 6.300V13"/></svg>`
	iconMore    = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M3.5 8h.01M8 8h.01M12.5 8h.01" stroke-width="2"/></svg>`
	iconMinus   = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M3.2 8h9.6"/></svg>`
	iconPlus    = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 3.2v9.6M3.2 8h9.6"/></svg>`
	iconFit     = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M2.5 5.500v-3h3M10.5 2.500h3v3M13.5 10.500v3h-3M5.5 13.500h-3v-3"/></svg>`
	iconFind    = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><circle cx="7" cy="7" r="4.2"/><path d="m10.2 10.2 3.4 3.4"/></svg>`
	iconX       = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="m4.3 4.3 7.4 7.400m0-7.4-7.4 7.4"/></svg>`
	iconDown    = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M4.3 6.3 8 10l3.7-3.7"/></svg>`
	iconUp      = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M4.3 9.7 8 6l3.7 3.7"/></svg>`
	iconSave    = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 2.4V10M5.2 7.4 8 10.2l2.8-2.8M2.8 11v2.6h10.4V11"/></svg>`
	iconReserve = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><rect x="2.500" y="4.500" width="11" height="7"/><path d="M4 11.500l7-7M8 11.500l5.500-5.500M2.500 9l4.500-4.500"/></svg>`
	iconBox     = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M2.5 4.500v-2h2M7 2.500h2M11.500 2.500h2v2M13.500 7v2M13.500 11.500v2h-2M9 13.500H7M4.500 13.500h-2v-2M2.500 9V7"/></svg>`
)

// newCard makes the card of a drawing that a function works out.
func newCard(h *host, file, title string, paint func(*chart.Data, float64, float64) chart.Drawing) *card {
	c := &card{host: h, file: file, paint: paint}
	if paint != nil {
		c.svgFile = func() string { return c.theme().File(&c.last, c.title.Get("textContent").String()) }
		c.link = h.scope.link(&linked{el: h.root, follow: c.follow})
	}
	if !h.el.Call("closest", ".panel").Truthy() {
		h.root.Get("classList").Call("add", "bl-card")
	}
	if before := h.el.Get("previousElementSibling"); before.Truthy() && before.Get("classList").Call("contains", "panel-head").Bool() {
		h.root.Get("classList").Call("add", "bl-bare") // the shell wrote title and choices
	}
	c.head = add(h.root, "div", "bl-ph")
	c.title = add(c.head, "h3", "")
	c.title.Set("textContent", title)
	c.sub = add(c.head, "span", "bl-sub")
	more := add(c.head, "span", "bl-more")
	c.extra = add(more, "span", "bl-extra")
	c.toggle = iconButton(more, iconTable, "Show as table")
	attr(c.toggle, "aria-pressed", "false")
	h.scope.listen(c.toggle, "click", func(js.Value) {
		c.asTable = !c.asTable
		attr(c.toggle, "aria-pressed", strconv.FormatBool(c.asTable))
		h.again()
	})
	button := iconButton(more, iconMore, "Save this chart")
	h.scope.menu(button, func() []item {
		var items []item
		if c.svgFile != nil && c.last.Empty == "" && !c.asTable {
			items = []item{
				{"SVG", func() { save(c.name(".svg"), "image/svg+xml", []byte(c.svgFile())) }},
				{"PNG, twice the size", func() {
					svg := c.svgFile() // may make the picture higher
					savePNG(c.name(".png"), svg, c.last.W, c.last.H)
				}},
			}
		}
		return append(items, item{"CSV", func() { save(c.name(".csv"), "text/csv", c.csv()) }})
	})
	c.body = add(h.root, "div", "bl-chart")
	c.tip = create("div", "bl-tipbox")
	c.hair = create("div", "bl-hair")
	h.scope.listen(c.body, "pointermove", func(ev js.Value) {
		c.reads(ev.Get("clientX").Float() - c.body.Call("getBoundingClientRect").Get("left").Float())
	})
	h.scope.listen(c.body, "pointerleave", func(js.Value) { c.reads(-1) })
	return c
}

// reads is called when the reader points at a place of the picture.
func (c *card) reads(x float64) {
	c.point(x)
	if c.link == nil || c.last.Time.W <= 0 {
		return
	}
	at, ok := c.last.Time.At(x)
	if !ok {
		at = math.NaN()
	}
	c.link.point(at)
}

// follow says what stands at the time that the reader points at in another chart.
func (c *card) follow(at float64) {
	if c.last.Time.W <= 0 {
		return
	}
	x, ok := c.last.Time.Place(at)
	if !ok {
		x = -1
	}
	c.point(x)
}

// point says what stands at a horizontal place of the picture.
func (c *card) point(x float64) {
	if c.last.Say == nil {
		return
	}
	html := ""
	if x >= 0 && !c.asTable && c.last.Empty == "" {
		html = c.last.Say(x)
	}
	show := map[bool]string{true: "none", false: "block"}[html == ""]
	style(c.tip, "display", show)
	style(c.hair, "display", show)
	if html == "" {
		return
	}
	if !c.tip.Get("isConnected").Bool() {
		c.body.Call("append", c.hair, c.tip)
	}
	c.tip.Set("innerHTML", html)
	style(c.hair, "left", px(x))
	style(c.hair, "top", px(c.last.Top))
	style(c.hair, "height", px(c.last.Foot-c.last.Top))
	placeTip(c.tip, x, c.last.W)
}

// placeTip puts words beside a place in a chart of width w.
func placeTip(tip js.Value, x, w float64) {
	left := x + 14
	if tw := tip.Get("offsetWidth").Float(); left+tw > w-4 {
		left = max(4, x-14-tw)
	}
	style(tip, "left", px(left))
	style(tip, "top", "14px")
}

func (c *card) name(suffix string) string { return c.fileName(c.file, suffix) }

func (c *card) csv() []byte {
	g := c.last.Grid()
	return []byte(g.CSV())
}

func (c *card) draw() {
	w, h := c.body.Get("clientWidth").Float(), c.body.Get("clientHeight").Float()
	c.last = c.paint(c.data(), w, h)
	c.show()
}

// show puts the last drawing on the screen: picture, table or sentence.
func (c *card) show() {
	style(c.toggle, "visibility", visible(c.last.Empty == ""))
	switch {
	case c.last.Empty != "":
		c.body.Set("innerHTML", `<p class="bl-empty">`+chart.Escape(c.last.Empty)+`</p>`)
	case c.asTable:
		g := c.last.Grid()
		c.body.Set("innerHTML", `<div class="bl-scroll" tabindex="0" role="region" aria-label="Numbers of this chart">`+g.HTML()+`</div>`)
	default:
		size := strconv.FormatFloat(c.last.W, 'f', 1, 64) + " " + strconv.FormatFloat(c.last.H, 'f', 1, 64)
		c.body.Set("innerHTML", `<svg viewBox="0 0 `+size+`" role="img" aria-label="`+chart.Escape(c.last.Aria)+`">`+c.last.SVG+`</svg>`)
	}
}

func (c *card) release() {}

func visible(on bool) string {
	if on {
		return "visible"
	}
	return "hidden"
}

// iconButton adds a quiet button that shows only an icon.
func iconButton(parent js.Value, icon, label string) js.Value {
	b := add(parent, "button", "bl-btn bl-ico")
	b.Set("innerHTML", icon)
	attr(b, "type", "button", "aria-label", label, "title", label)
	return b
}

// item is one line of a menu.
type item struct {
	label string
	do    func()
}

// menu opens a small menu under a button.
func (s *scope) menu(button js.Value, items func() []item) {
	attr(button, "aria-haspopup", "menu", "aria-expanded", "false")
	var close func()
	s.listen(button, "click", func(ev js.Value) {
		if close != nil {
			close()
			return
		}
		m := create("div", "bl-menu")
		attr(m, "role", "menu")
		var inner scope
		closed := false
		close = func() {
			if closed {
				return
			}
			closed = true
			close = nil
			attr(button, "aria-expanded", "false")
			m.Call("remove")
			later(0, inner.release) // after the event that closes it
		}
		shut := close
		for _, it := range items() {
			b := add(m, "button", "")
			b.Set("textContent", it.label)
			attr(b, "type", "button", "role", "menuitem")
			inner.listen(b, "click", func(js.Value) { shut(); button.Call("focus"); it.do() })
		}
		inner.listen(m, "keydown", func(ev js.Value) {
			k := ev.Get("key").String()
			now := doc.Get("activeElement")
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
		inner.listen(doc, "pointerdown", func(ev js.Value) {
			if !m.Call("contains", ev.Get("target")).Bool() && !button.Call("contains", ev.Get("target")).Bool() {
				shut()
			}
		})
		doc.Get("body").Call("append", m)
		r := button.Call("getBoundingClientRect")
		style(m, "top", px(r.Get("bottom").Float()+4))
		style(m, "right", px(max(4, global.Get("innerWidth").Float()-r.Get("right").Float())))
		attr(button, "aria-expanded", "true")
		m.Get("firstChild").Call("focus")
	})
	s.undo = append(s.undo, func() {
		if close != nil {
			close()
		}
	})
}

// segments adds a row of buttons of which one is pressed.
func (s *scope) segments(parent js.Value, label string, keys, names []string, pick func(key string)) (press func(key string)) {
	seg := add(parent, "span", "bl-seg")
	attr(seg, "role", "group", "aria-label", label)
	buttons := make([]js.Value, len(keys))
	for i, k := range keys {
		b := add(seg, "button", "")
		b.Set("textContent", names[i])
		attr(b, "type", "button", "aria-pressed", "false")
		s.listen(b, "click", func(js.Value) { pick(k) })
		buttons[i] = b
	}
	return func(key string) {
		for i, k := range keys {
			attr(buttons[i], "aria-pressed", strconv.FormatBool(k == key))
		}
	}
}
