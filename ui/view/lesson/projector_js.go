//go:build js

package lesson

import (
	"syscall/js"

	"batchlab/ui/draw"
)

// wallWidth is how wide a board is drawn that is projected, in pixels before it is scaled.
const wallWidth = 520

// project opens a page over the whole window; act takes presses of its buttons and keys,
// and says what stands there then: "" nothing new.
func (l *Lectures) project(root js.Value, html draw.Markup, act func(say, turn, reveal string) draw.Markup) {
	wall := draw.Node(`<dialog class="lesson-wall" aria-label="Page to project"></dialog>`)
	put := func(html draw.Markup) {
		if html != "" {
			draw.Put(wall, html)
		}
	}
	draw.Listen(wall, "click", func(ev js.Value) {
		button := ev.Get("target").Call("closest", "button")
		if !button.Truthy() {
			return
		}
		data := func(key string) string {
			if v := button.Get("dataset").Get(key); v.Truthy() {
				return v.String()
			}
			return ""
		}
		if data("close") != "" {
			wall.Call("close")
		} else {
			put(act(data("say"), data("turn"), data("reveal")))
		}
	})
	draw.Listen(wall, "keydown", func(ev js.Value) {
		ev.Call("stopPropagation") // the page has keys of its own
		if turn := map[string]string{"ArrowRight": "1", "PageDown": "1", "ArrowLeft": "-1", "PageUp": "-1"}[ev.Get("key").String()]; turn != "" {
			ev.Call("preventDefault")
			put(act("", turn, ""))
		}
	})
	draw.Listen(wall, "close", func(js.Value) { wall.Call("remove") })
	root.Call("append", wall)
	put(html)
	wall.Call("showModal")
	draw.Find(wall, "h2").Call("focus")
}

// wall projects a question of a class.
func (m *marking) wall(class, question int) {
	if class >= len(m.pile.Classes) {
		return
	}
	w := &Wall{Class: m.pile.Classes[class], Question: question, Said: -1}
	m.l.project(m.root, w.HTML(wallWidth), func(say, turn, reveal string) draw.Markup {
		switch {
		case say != "":
			n := int(say[0] - '0')
			if w.Said = n; w.Shown {
				w.Said = -1
			}
		case reveal != "":
			w.Shown, w.Said = !w.Shown, -1
		case turn == "1" && !w.Turn(1), turn == "-1" && !w.Turn(-1), turn == "":
			return ""
		}
		return w.HTML(wallWidth)
	})
}

// wall projects the code of the assignment.
func (g *giving) wall() {
	g.l.project(g.root, g.offer.WallHTML(g.coded), func(string, string, string) draw.Markup { return "" })
}
