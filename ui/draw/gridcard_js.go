//go:build js

package draw

import (
	"syscall/js"
)

// GridCard is a card that shows a table only.
type GridCard struct {
	*Card
	Build func(*Data) Grid
	html  Markup // what stands in the body, or will
}

func NewGridCard(h *Host, file, title string, build func(*Data) Grid) *GridCard {
	g := &GridCard{Build: build}
	g.Card = NewCard(h, file, title)
	g.Toggle.Call("remove")
	return g
}

func (g *GridCard) Draw() {
	d := g.Data()
	grid := g.Build(d)
	g.Now = Figure{Table: grid}
	if len(grid.Cells) == 0 {
		text := d.Busy
		if text == "" {
			text = "Nothing has run yet."
		}
		g.Fill(HTML(`<p class="bl-empty">{}</p>`, text))
		return
	}
	if !g.Fill(`<div class="bl-wide">` + grid.HTML() + `</div>`) {
		return
	}
	Later(0, func() { // when it has been laid out: to ask now would do that twice
		wide := g.Body.Get("firstChild")
		if wide.Truthy() && (wide.Get("scrollHeight").Int() > wide.Get("clientHeight").Int() || wide.Get("scrollWidth").Int() > wide.Get("clientWidth").Int()) {
			Attr(wide, "tabindex", "0", "role", "region", "aria-label", g.Title.Get("textContent").String()) // scrolls by keys
		}
	})
}

// Fill writes the body and reports whether it is another than before: a table
// that stays is not laid out again, and stays where it was scrolled to.
func (g *GridCard) Fill(html Markup) bool {
	g.html = html
	return Put(g.Body, html)
}

// FillRows is Fill for a table that may be long: its rows stand between head and
// foot, and those that one frame has no time to lay out follow in the next ones.
func (g *GridCard) FillRows(head Markup, rows []Markup, foot Markup) {
	html := head + Join(rows) + foot
	if html == g.html {
		return
	}
	g.html = html
	list := Portions(rows)
	g.Body.Call("replaceChildren") // also rows that came later
	Put(g.Body, head+list[0]+foot)
	if len(list) > 1 {
		g.goOn(g.Body.Call("querySelector", "tbody"), list[1:])
	}
}

// goOn adds the next rows to a table in a frame of their own, until it is complete
// or another one stands there.
func (g *GridCard) goOn(body js.Value, rest []Markup) {
	Frame(func() {
		if !body.Get("isConnected").Bool() {
			return
		}
		body.Call("insertAdjacentHTML", "beforeend", string(rest[0]))
		if len(rest) > 1 {
			g.goOn(body, rest[1:])
		}
	})
}
