//go:build js

package start

import (
	_ "embed"
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
	bold, plain := s.story.End()
	var moments draw.Writer
	for i := range s.buttons {
		name, text := s.story.Caption(i + 1)
		moments.Put(`<button type="button" id="start-{}" class="start-moment"><span class="n">{}</span><span><b>{}</b><span class="start-text">{}</span></span></button>`, i+1, i+1, name, text)
	}
	part := draw.Build(h.Root, draw.HTML(`<div class="start-head"><h3>{} jobs, {} processors</h3><span class="start-sub">a run under EASY</span><div class="start-acts"><button type="button" class="bl-btn" id="start-again">Play again</button><button type="button" class="bl-btn" id="start-steps">Step through it</button></div></div>
<div class="start-body"><div class="start-queue"><p class="start-label">Waiting, oldest first</p><div data-part="queue"></div></div><div class="start-scene" role="img" data-part="scene"></div><div class="start-told">{}<p class="start-end" data-part="end"><b>{}</b><span> {}</span></p></div></div>`,
		len(s.story.Plain), s.story.Procs, moments.Markup(), bold, plain))
	s.queue, s.scene, s.end = part("queue"), part("scene"), part("end")
	press := func(id string, do func()) js.Value {
		b := draw.Find(h.Root, "#start-"+id)
		h.Scope.Listen(b, "click", func(js.Value) { do() })
		return b
	}
	press("again", s.play)
	press("steps", func() { draw.Global.Get("location").Set("hash", s.story.Link()) })
	for i := range s.buttons {
		s.buttons[i] = press(strconv.Itoa(i+1), func() { s.halt(); s.at(i + 1) })
		s.texts[i] = draw.Find(s.buttons[i], ".start-text")
	}
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
	draw.Put(s.scene, scene.Picture())
	draw.Put(s.queue, s.story.QueueSVG(s.moment, 1.5, 17))
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
