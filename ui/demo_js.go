//go:build js

package ui

import (
	"syscall/js"
)

const demoHash = "#demo"

// listenDemo starts the story when the address says #demo, and again when
// nobody has touched the page for a while.
func (b *browser) listenDemo() {
	now := func() float64 { return window.Get("Date").Call("now").Float() }
	touched := now()
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
		}
	}
	window.Call("addEventListener", "hashchange", b.fn(func([]js.Value) { begin() }))
	window.Call("setInterval", b.fn(func([]js.Value) {
		if b.p.Demo > 0 && now()-touched > demoIdle*1000 {
			touched = now()
			b.p.restartDemo()
			b.ask()
		}
	}), 1000)
	begin()
}
