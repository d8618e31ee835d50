//go:build js

package ui

import (
	"syscall/js"
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
		}
	}
	window.Call("addEventListener", "hashchange", b.fn(func([]js.Value) { begin() }))
	rests, step, since := false, 0, now()
	window.Call("setInterval", b.fn(func([]js.Value) {
		if b.p.Demo != step {
			step, since = b.p.Demo, now()
		}
		switch {
		case !b.p.Auto || b.p.S.Active():
			return
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
	}), 1000)
	begin()
}
