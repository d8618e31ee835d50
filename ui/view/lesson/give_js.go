//go:build js

package lesson

import (
	"strings"
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/ui/draw"
)

// giving is the page on which a lesson is handed out.
type giving struct {
	l         *Lectures
	root, out js.Value
	offer     Offer
	own       *experiment.Lesson // that the place was opened with; nil: none
}

func newGiving(l *Lectures, mine *experiment.Lesson) *giving {
	g := &giving{l: l, own: mine, root: draw.Create("div", "lesson-marking")}
	form := draw.Add(g.root, "div", "")
	form.Set("innerHTML", GiveHTML(g.own))
	g.out = draw.Add(g.root, "div", "")
	g.offer.Numbers = experiment.NumbersSame
	if g.offer.Lesson = g.own; g.own == nil {
		g.offer.Key = list()[0].Key
	}
	draw.Listen(form, "input", func(ev js.Value) { g.take(ev.Get("target")) })
	return g
}

// take takes what a field says; what was proved before is so no longer.
func (g *giving) take(field js.Value) {
	text := strings.TrimSpace(field.Get("value").String())
	o := &g.offer
	switch field.Get("dataset").Get("give").String() {
	case "key":
		o.Key, o.Lesson, o.Proof = text, nil, nil
		if text == "" {
			o.Lesson = g.own
		}
	case "numbers":
		o.ByName, o.Proof = text == experiment.NumbersName, nil
	case "course":
		o.Course = text
	case "due":
		o.Due = text
	case "word":
		o.Word = text
	case "phrase":
		if o.Seal = ""; text != "" {
			o.Seal = experiment.SealKey(text)
		}
	}
	g.show()
}

// prove solves all boards.
func (g *giving) prove() {
	g.offer.Prove()
	g.show()
}

func (g *giving) show() {
	link := ""
	if f := g.offer.Proof; f != nil && f.Go(g.l.run(g.show)) && len(f.Faults) == 0 {
		link, _, _ = strings.Cut(js.Global().Get("location").Get("href").String(), "#")
		link += experiment.EncodeAssignmentLink(&g.offer.Assignment)
	}
	draw.Put(g.out, g.offer.HTML(link), "do")
}

func (g *giving) copy() {
	draw.CopyLink(experiment.EncodeAssignmentLink(&g.offer.Assignment))
}
