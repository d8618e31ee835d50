//go:build js

package start

import (
	_ "embed"
	"fmt"
	"strconv"
	"syscall/js"

	"batchlab/ui/draw"
)

//go:embed start.css
var styles string

func init() {
	Room.Islands = map[string]draw.Maker{"start": newStart}
	Room.Styles = styles
}

// pace is how long a moment stands while the story plays, in milliseconds.
const pace = 2200

// start is the story: it plays once, and stands at its end for who prefers less motion.
type start struct {
	*draw.Host
	story        *Story
	moment       int
	played       bool
	next         func() // cancels the next moment; nil: it stands
	queue, scene js.Value
	buttons      [Moments]js.Value
	texts        [Moments]js.Value
	end          js.Value
}

func newStart(h *draw.Host) draw.Island {
	s := &start{Host: h, story: Read(), moment: 1}
	h.Root.Get("classList").Call("add", "bl-instant")
	head := draw.Add(h.Root, "div", "start-head")
	draw.Add(head, "h3", "").Set("textContent", fmt.Sprintf("%d jobs, %d processors", len(s.story.Plain), s.story.Procs))
	draw.Add(head, "span", "start-sub").Set("textContent", "a run under EASY")
	acts := draw.Add(head, "div", "start-acts")
	button := func(parent js.Value, id, text string, press func()) js.Value {
		b := draw.Add(parent, "button", "bl-btn")
		draw.Attr(b, "type", "button", "id", id)
		b.Set("textContent", text)
		h.Scope.Listen(b, "click", func(js.Value) { press() })
		return b
	}
	button(acts, "start-again", "Play again", s.play)
	button(acts, "start-steps", "Step through it", func() { draw.Global.Get("location").Set("hash", s.story.Link()) })
	body := draw.Add(h.Root, "div", "start-body")
	left := draw.Add(body, "div", "start-queue")
	draw.Add(left, "p", "start-label").Set("textContent", "Waiting, oldest first")
	s.queue = draw.Add(left, "div", "")
	s.scene = draw.Add(body, "div", "start-scene")
	draw.Attr(s.scene, "role", "img")
	right := draw.Add(body, "div", "start-told")
	for i := range s.buttons {
		name, text := s.story.Caption(i + 1)
		b := button(right, "start-"+strconv.Itoa(i+1), "", func() { s.halt(); s.at(i + 1) })
		b.Set("className", "start-moment")
		draw.Add(b, "span", "n").Set("textContent", strconv.Itoa(i+1))
		words := draw.Add(b, "span", "")
		draw.Add(words, "b", "").Set("textContent", name)
		s.texts[i] = draw.Add(words, "span", "start-text")
		s.texts[i].Set("textContent", text)
		s.buttons[i] = b
	}
	s.end = draw.Add(right, "p", "start-end")
	bold, plain := s.story.End()
	draw.Add(s.end, "b", "").Set("textContent", bold)
	draw.Add(s.end, "span", "").Set("textContent", " "+plain)
	return s
}

// Draw implements draw.Island.
func (s *start) Draw() {
	if !s.played {
		s.played = true
		if draw.Global.Call("matchMedia", "(prefers-reduced-motion: reduce)").Get("matches").Bool() {
			s.moment = Moments
		} else {
			s.play()
			return
		}
	}
	s.show()
}

// Release implements draw.Island.
func (s *start) Release() { s.halt() }

func (s *start) halt() {
	if s.next != nil {
		s.next()
		s.next = nil
	}
}

// play tells the story from its beginning, once.
func (s *start) play() {
	s.halt()
	s.at(1)
	s.tick()
}

func (s *start) tick() {
	s.next = draw.Later(pace, func() {
		s.next = nil
		if s.moment < Moments {
			s.at(s.moment + 1)
			s.tick()
		}
	})
}

func (s *start) at(moment int) {
	s.moment = moment
	s.show()
}

// show draws the moment.
func (s *start) show() {
	w := s.scene.Get("clientWidth").Float()
	if w < 20 {
		return
	}
	small := s.Root.Get("clientWidth").Float() < 620
	scene := s.story.Scene(s.moment, w, small)
	draw.Write(s.scene, draw.HTML(`<svg class="step-g" width="{}" height="{}" viewBox="0 0 {} {}">{}</svg>`, scene.W, scene.H, scene.W, scene.H, scene.SVG()))
	draw.Write(s.queue, s.story.QueueSVG(s.moment, 1.5, 17))
	_, text := s.story.Caption(s.moment)
	draw.Attr(s.scene, "aria-label", text)
	for i, b := range s.buttons {
		here := i+1 == s.moment
		draw.Attr(b, "aria-pressed", strconv.FormatBool(here))
		draw.Show(s.texts[i], here)
	}
	s.end.Get("style").Set("visibility", map[bool]string{true: "visible", false: "hidden"}[s.moment == Moments])
	draw.Attr(s.Root, "data-moment", strconv.Itoa(s.moment))
}
