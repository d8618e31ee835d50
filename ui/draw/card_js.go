//go:build js

package draw

import (
	"math"
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
	Last         Drawing
	paint        func(d *Data, w, h float64) Drawing
	SvgFile      func() string // nil: this card is no picture
	Link         *Linked       // with other charts over time, nil where paint is nil
}

const (
	IconTable   Markup = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M2.5 3h11v10h-11zM2.5 6.300h11M2.5 9.700h11M6.5 6.300V13"/></svg>`
	IconMore    Markup = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M3.5 8h.01M8 8h.01M12.5 8h.01" stroke-width="2"/></svg>`
	IconMinus   Markup = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M3.2 8h9.6"/></svg>`
	IconPlus    Markup = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 3.2v9.6M3.2 8h9.6"/></svg>`
	IconFit     Markup = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M2.5 5.500v-3h3M10.5 2.500h3v3M13.5 10.500v3h-3M5.5 13.500h-3v-3"/></svg>`
	IconFind    Markup = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><circle cx="7" cy="7" r="4.2"/><path d="m10.2 10.2 3.4 3.4"/></svg>`
	IconClose   Markup = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="m4.3 4.3 7.4 7.400m0-7.4-7.4 7.4"/></svg>`
	IconDown    Markup = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M4.3 6.3 8 10l3.7-3.7"/></svg>`
	IconLeft    Markup = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M9.7 4.3 6 8l3.7 3.7"/></svg>`
	IconRight   Markup = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M6.3 4.3 10 8l-3.7 3.7"/></svg>`
	IconUp      Markup = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M4.3 9.7 8 6l3.7 3.7"/></svg>`
	IconSave    Markup = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 2.4V10M5.2 7.4 8 10.2l2.8-2.8M2.8 11v2.6h10.4V11"/></svg>`
	IconReserve Markup = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><rect x="2.500" y="4.500" width="11" height="7"/><path d="M4 11.500l7-7M8 11.500l5.500-5.500M2.500 9l4.500-4.500"/></svg>`
	IconBox     Markup = `<svg class="bl-i" viewBox="0 0 16 16" aria-hidden="true"><path d="M2.5 4.500v-2h2M7 2.500h2M11.500 2.500h2v2M13.500 7v2M13.500 11.500v2h-2M9 13.500H7M4.500 13.500h-2v-2M2.500 9V7"/></svg>`
)

// NewCard makes the card of a drawing that a function computes.
func NewCard(h *Host, file, title string, paint func(*Data, float64, float64) Drawing) *Card {
	c := &Card{Host: h, file: file, paint: paint}
	if paint != nil {
		c.SvgFile = func() string { return c.Theme().File(&c.Last, c.Title.Get("textContent").String()) }
		c.Link = h.Scope.Link(&Linked{El: h.Root, Follow: c.follow})
	}
	if !h.El.Call("closest", ".panel").Truthy() {
		h.Root.Get("classList").Call("add", "bl-card")
	}
	if before := h.El.Get("previousElementSibling"); before.Truthy() && before.Get("classList").Call("contains", "panel-head").Bool() {
		h.Root.Get("classList").Call("add", "bl-bare") // the shell wrote title and choices
	}
	c.head = Add(h.Root, "div", "bl-ph")
	c.Title = Add(c.head, "h3", "")
	c.Title.Set("textContent", title)
	c.Sub = Add(c.head, "span", "bl-sub")
	more := Add(c.head, "span", "bl-more")
	c.Extra = Add(more, "span", "bl-extra")
	c.Toggle = IconButton(more, IconTable, "Show as table")
	Attr(c.Toggle, "aria-pressed", "false")
	h.Scope.Listen(c.Toggle, "click", func(js.Value) {
		c.AsTable = !c.AsTable
		Attr(c.Toggle, "aria-pressed", strconv.FormatBool(c.AsTable))
		h.Again()
	})
	button := IconButton(more, IconMore, "Save this chart")
	h.Scope.Menu(button, func() []Item {
		var items []Item
		if c.SvgFile != nil && c.Last.Empty == "" && !c.AsTable {
			items = []Item{
				{"SVG", func() { Save(c.name(".svg"), "image/svg+xml", []byte(c.SvgFile())) }},
				{"PNG, twice the size", func() {
					svg := c.SvgFile() // may make the picture higher
					savePNG(c.name(".png"), svg, c.Last.W, c.Last.H)
				}},
			}
		}
		return append(items, Item{"CSV", func() { Save(c.name(".csv"), "text/csv", c.csv()) }})
	})
	c.Body = Add(h.Root, "div", "bl-chart")
	c.Tip = Create("div", "bl-tipbox")
	c.hair = Create("div", "bl-hair")
	h.Scope.Listen(c.Body, "pointermove", func(ev js.Value) {
		c.reads(ev.Get("clientX").Float() - c.Body.Call("getBoundingClientRect").Get("left").Float())
	})
	h.Scope.Listen(c.Body, "pointerleave", func(js.Value) { c.reads(-1) })
	return c
}

// reads is called when the reader points at a place of the picture.
func (c *Card) reads(x float64) {
	c.point(x)
	if c.Link == nil || c.Last.Time.W <= 0 {
		return
	}
	at, ok := c.Last.Time.At(x)
	if !ok {
		at = math.NaN()
	}
	c.Link.point(at)
}

// follow says what stands at the time that the reader points at in another chart.
func (c *Card) follow(at float64) {
	if c.Last.Time.W <= 0 {
		return
	}
	x, ok := c.Last.Time.Place(at)
	if !ok {
		x = -1
	}
	c.point(x)
}

// point says what stands at a horizontal place of the picture.
func (c *Card) point(x float64) {
	if c.Last.Say == nil {
		return
	}
	html := Markup("")
	if x >= 0 && !c.AsTable && c.Last.Empty == "" {
		html = c.Last.Say(x)
	}
	show := map[bool]string{true: "none", false: "block"}[html == ""]
	Style(c.Tip, "display", show)
	Style(c.hair, "display", show)
	if html == "" {
		return
	}
	if !c.Tip.Get("isConnected").Bool() {
		c.Body.Call("append", c.hair, c.Tip)
	}
	Inner(c.Tip, html)
	Style(c.hair, "left", Px(x))
	Style(c.hair, "top", Px(c.Last.Top))
	Style(c.hair, "height", Px(c.Last.Foot-c.Last.Top))
	PlaceTip(c.Tip, x, c.Last.W)
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
	g := c.Last.Grid()
	return []byte(g.CSV())
}

func (c *Card) Draw() {
	w, h := c.Body.Get("clientWidth").Float(), c.Body.Get("clientHeight").Float()
	c.Last = c.paint(c.Data(), w, h)
	c.Show()
}

// Show puts the last drawing on the screen: picture, table or sentence.
func (c *Card) Show() {
	Style(c.Toggle, "visibility", visible(c.Last.Empty == ""))
	switch {
	case c.Last.Empty != "":
		Inner(c.Body, HTML(`<p class="bl-empty">{}</p>`, c.Last.Empty))
	case c.AsTable:
		g := c.Last.Grid()
		Inner(c.Body, `<div class="bl-scroll" tabindex="0" role="region" aria-label="Numbers of this chart">`+g.HTML()+`</div>`)
	default:
		size := strconv.FormatFloat(c.Last.W, 'f', 1, 64) + " " + strconv.FormatFloat(c.Last.H, 'f', 1, 64)
		Inner(c.Body, HTML(`<svg viewBox="0 0 {}" role="img" aria-label="{}">{}</svg>`, size, c.Last.Aria, c.Last.SVG))
	}
}

func (c *Card) Release() {}

func visible(on bool) string {
	if on {
		return "visible"
	}
	return "hidden"
}

// IconButton adds a quiet button that shows only an icon.
func IconButton(parent js.Value, icon Markup, label string) js.Value {
	b := Add(parent, "button", "bl-btn bl-ico")
	Inner(b, icon)
	Attr(b, "type", "button", "aria-label", label, "title", label)
	return b
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
		m := Create("div", "bl-menu")
		Attr(m, "role", "menu")
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
		for _, it := range items() {
			b := Add(m, "button", "")
			b.Set("textContent", it.Label)
			Attr(b, "type", "button", "role", "menuitem")
			inner.Listen(b, "click", func(js.Value) { shut(); button.Call("focus"); it.Do() })
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
	seg := Add(parent, "span", "bl-seg")
	Attr(seg, "role", "group", "aria-label", label)
	buttons := make([]js.Value, len(keys))
	for i, k := range keys {
		b := Add(seg, "button", "")
		b.Set("textContent", names[i])
		Attr(b, "type", "button", "aria-pressed", "false")
		s.Listen(b, "click", func(js.Value) { pick(k) })
		buttons[i] = b
	}
	return func(key string) {
		for i, k := range keys {
			Attr(buttons[i], "aria-pressed", strconv.FormatBool(k == key))
		}
	}
}
