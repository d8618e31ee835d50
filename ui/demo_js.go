//go:build js

package ui

import (
	"strings"
	"syscall/js"

	"batchlab/ui/look"
	"batchlab/ui/state"
)

const demoHash = "#demo"

// listenDemo starts the steps when the address says #demo and lets them go on by
// themselves; when somebody has touched the page, after a while from the start.
func (b *browser) listenDemo() {
	now := func() float64 { return window.Get("Date").Call("now").Float() }
	touched := 0.0
	for _, event := range []string{"pointerdown", "pointermove", "keydown", "wheel", "touchstart"} {
		document.Call("addEventListener", event, b.fn(func([]js.Value) { touched = now() }), map[string]any{"capture": true, "passive": true})
	}
	document.Call("addEventListener", "keydown", b.fn(func(args []js.Value) {
		if !typing(document.Get("activeElement")) && b.p.demoKey(args[0].Get("key").String()) {
			args[0].Call("preventDefault")
			b.ask()
		}
	}))
	begin := func() {
		if window.Get("location").Get("hash").String() == demoHash && b.p.Demo == 0 {
			b.p.startDemo()
			if b.p.scenes == nil {
				b.fetchScenes()
			}
		}
	}
	window.Call("addEventListener", "hashchange", b.fn(func([]js.Value) { begin() }))
	p := pointer{}
	rests, step, since := false, 0, now()
	window.Call("setInterval", b.fn(func([]js.Value) {
		p.follow(b.p)
		if b.p.Demo != step {
			step, since = b.p.Demo, now()
		}
		switch {
		case !b.p.Auto || b.p.S.Active() || b.p.S.Loading:
			return
		case b.p.opens:
			b.p.opens = false
			b.p.show()
		case now()-touched < demoIdle*1000:
			rests = true
			return
		case rests:
			rests = false
			b.p.startDemo()
		case now()-since >= demoTurn*1000:
			b.p.turn()
		default:
			return
		}
		step, since = b.p.Demo, now()
		b.ask()
	}), 500)
	begin()
}

// fetchScenes brings what #demo shows of a cluster: its files, and what is said of them.
// Without it (the server is gone) the demo has its first steps.
func (b *browser) fetchScenes() {
	came := once(func(args []js.Value) {
		all := js.Global().Get("JSON").Call("parse", args[0])
		list, files := all.Get("scenes"), all.Get("files")
		b.p.scenes = make([]chapter, list.Length())
		for i := range b.p.scenes {
			c := list.Index(i)
			key, _, asks := strings.Cut(c.Get("tab").String(), ".")
			b.p.scenes[i] = chapter{c.Get("title").String(), c.Get("text").String(), c.Get("at").String(), func(s *state.Store, v *look.View) {
				if v.Tab = key; key == "gantt" {
					v.From, v.To = busiest(s, v.A)
				}
				if asks {
					v.Annex = c.Get("tab").String()
				}
			}, c.Get("files").Int()}
		}
		b.p.cluster = func() []state.Dropped {
			made := make([]state.Dropped, files.Length())
			for i := range made {
				name, text := files.Index(i).Get("name").String(), files.Index(i).Get("text")
				file := window.Get("File").New([]any{text}, name)
				file.Set("passing", true) // it is not kept among the visitor's logs
				made[i] = state.Dropped{Name: name, Size: int64(file.Get("size").Int()), File: file}
			}
			return made
		}
		b.ask()
	})
	window.Get("batchlabBoot").Call("papers", "demo").Call("then", came, once(func([]js.Value) {}))
}

// pointer is the frame around what a step speaks of. It lies above the page, beside
// everything that is drawn anew, and lets every press through.
type pointer struct {
	frame js.Value
	at    string // what it points at
	place string
}

func (p *pointer) follow(page *Page) {
	place := ""
	if page.Demo > 0 && page.Dialog == "" && page.Menu == "" {
		c := page.pointing()
		for list, i := document.Call("querySelectorAll", c.at), 0; i < list.Length(); i++ {
			e := list.Index(i)
			if !e.Call("checkVisibility").Bool() {
				continue
			}
			if p.at != c.at && !page.S.Active() {
				p.at = c.at
				e.Call("scrollIntoView", map[string]any{"block": "nearest"})
			}
			place = around(e.Call("getBoundingClientRect"))
			break
		}
	} else {
		p.at = ""
	}
	if place == p.place {
		return
	}
	if p.place = place; !p.frame.Truthy() {
		p.frame = document.Call("createElement", "div")
		p.frame.Set("className", "story-frame")
		p.frame.Call("setAttribute", "aria-hidden", "true")
		document.Get("body").Call("append", p.frame)
	}
	p.frame.Set("hidden", place == "")
	p.frame.Get("style").Set("cssText", place)
}

// around is the place of a frame around a box, as far as it is in the window; "" nowhere.
func around(box js.Value) string {
	edge := func(name string) float64 { return box.Get(name).Float() }
	left, top := max(edge("left")-4, 2), max(edge("top")-4, 2)
	right := min(edge("right")+4, window.Get("innerWidth").Float()-2)
	bottom := min(edge("bottom")+4, window.Get("innerHeight").Float()-2)
	if right-left < 12 || bottom-top < 12 {
		return ""
	}
	px := func(name string, x float64) string { return name + ":" + plain(float64(int(x))) + "px;" }
	return strings.Join([]string{px("left", left), px("top", top), px("width", right-left), px("height", bottom-top)}, "")
}
