//go:build js

package tour

import (
	"strconv"
	"strings"
	"syscall/js"

	"batchlab/ui/draw"
	"batchlab/ui/look"
	"batchlab/ui/state"
)

const hash = "#demo"

// Shell is what the tour asks of the page around it, in a browser.
type Shell struct {
	Begin func()      // starts #demo with nothing open
	Busy  func() bool // a dialog or a menu is open
	Ask   func()      // draws the page again
}

// Listen starts the steps when the address says #demo and lets them go on by
// themselves; when somebody has touched the page, after a while from the start.
func (t *Tour) Listen(shell Shell) {
	now := func() float64 { return draw.Global.Get("Date").Call("now").Float() }
	touched := 0.0
	for _, event := range []string{"pointerdown", "pointermove", "keydown", "wheel", "touchstart"} {
		touch := js.FuncOf(func(js.Value, []js.Value) any { touched = now(); return nil })
		draw.Doc.Call("addEventListener", event, touch, map[string]any{"capture": true, "passive": true})
	}
	draw.Listen(draw.Doc, "keydown", func(ev js.Value) {
		if !draw.Typing(ev) && !shell.Busy() && t.Key(ev.Get("key").String()) {
			ev.Call("preventDefault")
			shell.Ask()
		}
	})
	begin := func() {
		if draw.Global.Get("location").Get("hash").String() == hash && t.Step == 0 {
			shell.Begin()
			if t.scenes == nil {
				t.fetch(shell.Ask)
			}
		}
	}
	draw.Listen(draw.Global, "hashchange", func(js.Value) { begin() })
	p := pointer{}
	rests, step, since := false, 0, now()
	tick := js.FuncOf(func(js.Value, []js.Value) any {
		p.follow(t, shell.Busy())
		if t.Step != step {
			step, since = t.Step, now()
		}
		switch {
		case !t.Auto || t.S.Active() || t.S.Loading:
			return nil
		case t.opens:
			t.opens = false
			t.show()
		case now()-touched < idle*1000:
			rests = true
			return nil
		case rests:
			rests = false
			shell.Begin()
		case now()-since >= turn*1000:
			t.Turn()
		default:
			return nil
		}
		step, since = t.Step, now()
		shell.Ask()
		return nil
	})
	draw.Global.Call("setInterval", tick, 500)
	begin()
}

// fetch brings what #demo shows of a cluster: its files, and what is said of them.
// Without it (the server is gone) the demo has its first steps.
func (t *Tour) fetch(done func()) {
	came := func(text js.Value) {
		all := draw.Global.Get("JSON").Call("parse", text)
		list, files := all.Get("scenes"), all.Get("files")
		t.scenes = make([]chapter, list.Length())
		for i := range t.scenes {
			c := list.Index(i)
			key, _, asks := strings.Cut(c.Get("tab").String(), ".")
			t.scenes[i] = chapter{c.Get("title").String(), c.Get("text").String(), c.Get("at").String(), func(s *state.Store, v *look.View) {
				if v.Tab = key; key == "gantt" {
					v.From, v.To = busiest(s, v.A)
				}
				if asks {
					v.Annex = c.Get("tab").String()
				}
			}, c.Get("files").Int()}
		}
		t.cluster = func() []state.Dropped {
			made := make([]state.Dropped, files.Length())
			for i := range made {
				name, text := files.Index(i).Get("name").String(), files.Index(i).Get("text")
				file := draw.Global.Get("File").New([]any{text}, name)
				file.Set("passing", true) // it is not kept among the visitor's logs
				made[i] = state.Dropped{Name: name, Size: int64(file.Get("size").Int()), File: file}
			}
			return made
		}
		done()
	}
	draw.Await(draw.Global.Get("batchlabBoot").Call("papers", "demo"), came)
}

// pointer is the frame around what a step speaks of. It lies above the page, beside
// everything that is drawn again, and lets every press through.
type pointer struct {
	frame js.Value
	at    string // what it points at
	place string
}

func (p *pointer) follow(t *Tour, busy bool) {
	place := ""
	if t.Step > 0 && !busy {
		c := t.chapter()
		for list, i := draw.Doc.Call("querySelectorAll", c.at), 0; i < list.Length(); i++ {
			e := list.Index(i)
			if !e.Call("checkVisibility").Bool() {
				continue
			}
			if p.at != c.at && !t.S.Active() {
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
		p.frame = draw.Node(`<div class="story-frame" aria-hidden="true"></div>`)
		draw.Doc.Get("body").Call("append", p.frame)
	}
	p.frame.Set("hidden", place == "")
	p.frame.Get("style").Set("cssText", place)
}

// around is the place of a frame around a box, as far as it is in the window; "" nowhere.
func around(box js.Value) string {
	edge := func(name string) float64 { return box.Get(name).Float() }
	left, top := max(edge("left")-4, 2), max(edge("top")-4, 2)
	right := min(edge("right")+4, draw.Global.Get("innerWidth").Float()-2)
	bottom := min(edge("bottom")+4, draw.Global.Get("innerHeight").Float()-2)
	if right-left < 12 || bottom-top < 12 {
		return ""
	}
	px := func(name string, x float64) string { return name + ":" + strconv.Itoa(int(x)) + "px;" }
	return strings.Join([]string{px("left", left), px("top", top), px("width", right-left), px("height", bottom-top)}, "")
}
