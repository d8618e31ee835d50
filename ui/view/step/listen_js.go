//go:build js

package step

import (
	"strconv"
	"syscall/js"

	"batchlab/ui/draw"
	"batchlab/ui/look"
)

// What pointers, fingers and keys do.

func (s *step) listen() {
	h := s.Host
	pick := func(ev js.Value) {
		t := ev.Get("target")
		if b := t.Call("closest", "button[data-d]"); b.Truthy() && !s.panes[1].box.Call("contains", b).Bool() {
			k, _ := strconv.Atoi(b.Get("dataset").Get("d").String())
			s.reach = max(s.reach, k+1)
			if s.chosen = k; k+1 > s.reach {
				s.reach = k + 1
			}
			s.note()
			s.Again()
			return
		}
		if at := t.Call("closest", "[data-j]"); at.Truthy() {
			s.selects(draw.Number(at, "j") - 1)
		}
	}
	h.Scope.Listen(s.body, "click", pick)
	hover := func(ev js.Value) {
		at := ev.Get("target").Call("closest", "[data-j]")
		job := ""
		if at.Truthy() {
			job = at.Get("dataset").Get("j").String()
		}
		all := s.body.Call("querySelectorAll", ".hov")
		for i := range all.Length() {
			all.Index(i).Get("classList").Call("remove", "hov")
		}
		if job != "" && job != "0" {
			all = s.body.Call("querySelectorAll", string(draw.HTML(`[data-j="{}"]`, job)))
			for i := range all.Length() {
				all.Index(i).Get("classList").Call("add", "hov")
			}
		}
	}
	h.Scope.Listen(s.body, "pointerover", hover)
	h.Scope.Listen(s.body, "focusin", hover)
	drag := func(el js.Value, near bool) {
		h.Scope.ListenActive(el, "pointerdown", func(ev js.Value) {
			sc := s.panes[0].scene
			if sc == nil || ev.Get("button").Int() > 0 {
				return
			}
			x := ev.Get("clientX").Float() - el.Call("getBoundingClientRect").Get("left").Float()
			f := sc.Frame()
			if d := x - f.Cut(s.clock); near && (d > 9 || d < -9) {
				return
			}
			ev.Call("preventDefault")
			el.Call("setPointerCapture", ev.Get("pointerId"))
			s.dragging = true
			s.stop()
			if !near {
				s.goAt(f.Near(x))
			}
		})
		h.Scope.Listen(el, "pointermove", func(ev js.Value) {
			if sc := s.panes[0].scene; s.dragging && sc != nil {
				x := ev.Get("clientX").Float() - el.Call("getBoundingClientRect").Get("left").Float()
				f := sc.Frame()
				s.goAt(f.Near(x))
			}
		})
		end := func(js.Value) { s.dragging = false }
		h.Scope.Listen(el, "pointerup", end)
		h.Scope.Listen(el, "pointercancel", end)
	}
	drag(s.panes[0].svg, true)
	drag(s.track, false)
	on := js.FuncOf(func(_ js.Value, args []js.Value) any {
		s.key(args[0])
		return nil
	})
	draw.Doc.Call("addEventListener", "keydown", on, true)
	h.Scope.Undo = append(h.Scope.Undo, func() {
		draw.Doc.Call("removeEventListener", "keydown", on, true)
		on.Release()
	})
}

// selects selects a job, and its decision where it has one that has been told.
func (s *step) selects(job int) {
	if job < 0 || s.now == nil {
		return
	}
	found := false
	for k := range s.now.Decisions {
		if int(s.now.Decisions[k].Job) == job && k < s.reach {
			s.chosen, found = k, true
		}
	}
	if !found {
		s.chosen = -1
	}
	s.Store.Look(func(v *look.View) { v.Job = job })
	s.note()
	s.Again()
}

// key serves the keys of the steps wherever the focus is, unless someone is typing.
func (s *step) key(ev js.Value) {
	if s.El.Get("clientWidth").Int() == 0 || draw.Typing(ev) || draw.Modified(ev) || s.now == nil || draw.Doc.Call("querySelector", "[role=dialog][aria-modal=true], .bl-menu, .popover").Truthy() {
		return
	}
	target := ev.Get("target")
	inside := func(selector string) bool {
		return target.Get("closest").Truthy() && target.Call("closest", selector).Truthy()
	}
	done := true
	switch k := ev.Get("key").String(); k {
	case "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown":
		if inside("[role=tablist], .popover") {
			return
		}
		switch k {
		case "ArrowLeft":
			s.by(-1, 0)
		case "ArrowRight":
			s.by(1, 0)
		case "ArrowUp":
			s.decide(-1)
		default:
			s.decide(1)
		}
	case " ":
		if inside("button, a, input, summary, [role=button]") && !s.playButton.Equal(target) {
			return
		}
		s.toggle()
	case "n", "N":
		s.about()
	case "g", "G":
		s.goTo.Call("focus")
		s.goTo.Call("select")
	case "x", "X":
		s.difference(1)
	case "t", "T":
		s.tell(!s.truth())
	case "Escape":
		s.leave()
	default:
		done = false
	}
	if done {
		ev.Call("preventDefault")
		ev.Call("stopPropagation")
	}
}
