//go:build js

package ui

import (
	"strconv"
	"syscall/js"
)

// syncVary brings the popover of what varies up to date, beside its input. It
// stands in an element of Vugu's that has no children there: each drawing would
// take away what is put among Vugu's own, and with it the focus of who types.
func (b *browser) syncVary() {
	pop := document.Call("getElementById", "vary-pop")
	v := b.p.S.VaryNow()
	if v == nil {
		if pop.Truthy() {
			document.Call("getElementById", "vary-behind").Call("remove")
			pop.Call("remove")
		}
		return
	}
	fresh := !pop.Truthy()
	if fresh {
		behind := document.Call("createElement", "div")
		behind.Set("id", "vary-behind")
		behind.Set("className", "behind")
		pop = document.Call("createElement", "div")
		pop.Set("id", "vary-pop")
		pop.Set("className", "vary-pop")
		pop.Call("setAttribute", "role", "dialog")
		pop.Call("setAttribute", "aria-labelledby", "vary-title")
		document.Call("getElementById", "vary-beside").Call("append", behind, pop)
	}
	b.fill(pop, b.p.varyHTML())
	if at := document.Call("getElementById", "wave-"+v.ID); at.Truthy() && (fresh || pop.Get("dataset").Get("of").String() != v.ID) {
		r := at.Call("getBoundingClientRect")
		top := min(r.Get("top").Float()-14, window.Get("innerHeight").Float()-pop.Get("offsetHeight").Float()-70)
		pop.Get("style").Call("setProperty", "--top", strconv.Itoa(int(max(8, top)))+"px")
		pop.Get("style").Call("setProperty", "--left", strconv.Itoa(int(r.Get("right").Float()+10))+"px")
	}
	pop.Get("dataset").Set("of", v.ID)
}

// listenVary attaches the listeners of waves and of the popover, once.
func (b *browser) listenVary() {
	on := func(event string, f func(e, el js.Value)) {
		document.Call("addEventListener", event, b.fn(func(args []js.Value) {
			if el := args[0].Get("target"); !b.morphing && !b.rendering && el.Truthy() && el.Get("closest").Truthy() {
				f(args[0], el)
			}
		}))
	}
	on("click", func(e, el js.Value) {
		if wave := el.Call("closest", "[data-wave]"); wave.Truthy() {
			b.p.varyAbove(wave.Get("dataset").Get("wave").String())
			b.ask()
			return
		}
		if el.Get("id").String() == "vary-behind" {
			b.p.varyDo("close")
			return
		}
		if button := el.Call("closest", "[data-vary]"); button.Truthy() {
			b.p.varyDo(button.Get("dataset").Get("vary").String())
			b.ask()
			return
		}
		if button := el.Call("closest", "[data-vary-drop]"); button.Truthy() {
			if i, err := strconv.Atoi(button.Get("dataset").Get("varyDrop").String()); err == nil {
				b.p.S.DropAxis(i)
			}
		}
	})
	on("input", func(e, el js.Value) {
		if key := el.Get("dataset").Get("varyText"); key.Truthy() {
			b.p.S.VaryText(key.String(), el.Get("value").String())
		}
	})
	on("change", func(e, el js.Value) {
		if key := el.Get("dataset").Get("varyChoice"); key.Type() == js.TypeString {
			b.p.S.VaryChoose(key.String(), el.Get("checked").Bool())
		}
	})
	on("keydown", func(e, el js.Value) {
		if e.Get("key").String() == "Enter" && !e.Get("ctrlKey").Bool() && el.Get("dataset").Get("varyText").Truthy() {
			b.p.varyDo("keep")
			e.Call("preventDefault")
			b.ask()
		}
	})
}

// sweepProgress writes how far a sweep is, in the run bar.
func (b *browser) sweepProgress() {
	el := document.Call("getElementById", "run-sweep")
	if !el.Truthy() || !b.p.S.Sweeping() {
		return
	}
	setBar(el, sweepPercent(b.p.S))
	el.Call("querySelector", ".percent").Set("textContent", sweepDone(b.p.S))
	el.Call("querySelector", ".left").Set("textContent", sweepLeft(b.p.S))
	b.sweepFlags(document.Get("documentElement").Get("dataset"))
}

// sweepFlags says on <html> how an experiment that varies stands, for whoever
// drives the page from outside: data-sweep is running, done, cancelled or failed,
// data-swept how many runs are there, data-sweep-digest the digest of all.
func (b *browser) sweepFlags(data js.Value) {
	w := b.p.S.SweepNow()
	if w == nil {
		data.Set("sweep", "none")
		return
	}
	data.Set("sweep", [...]string{"queued", "running", "done", "cancelled", "failed"}[w.Status])
	data.Set("swept", strconv.Itoa(int(w.Done)))
	data.Set("sweepDigest", w.Digest)
}
