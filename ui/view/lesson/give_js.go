//go:build js

package lesson

import (
	"strconv"
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
	coded     string             // the link that the offer's QR code shows
}

func newGiving(l *Lectures, mine *experiment.Lesson) *giving {
	g := &giving{l: l, own: mine, root: draw.Node(`<div class="lesson-marking lesson-give"></div>`)}
	part := draw.Build(g.root, draw.HTML(`<div data-part="form">{}</div><div data-part="out"></div>`, GiveHTML(g.own)))
	g.out = part("out")
	g.offer.Numbers, g.offer.Tries = experiment.NumbersSame, 1
	if g.offer.Lesson = g.own; g.own == nil {
		g.offer.Key = list()[0].Key
	}
	draw.Listen(part("form"), "input", func(ev js.Value) { g.take(ev.Get("target")) })
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
	case "numbers", "seed":
		rule := draw.Find(g.root, "[data-give=numbers]").Get("value").String()
		o.Rule, o.Other, o.Proof = rule, 0, nil
		if seed := draw.Find(g.root, "#give-seed"); rule == "seed" {
			n, _ := strconv.ParseInt(strings.TrimSpace(draw.Find(seed, "input").Get("value").String()), 10, 64)
			o.Other = min(max(1, n), experiment.Boards)
		}
		draw.Show(draw.Find(g.root, "#give-seed"), rule == "seed")
	case "tries":
		o.Tries, _ = strconv.ParseInt(text, 10, 64)
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
		g.code(link)
	}
	draw.Put(g.out, g.offer.HTML(link))
}

// code draws the link as a QR code, dark on white whatever the theme, where it is short
// enough; it may come later.
func (g *giving) code(link string) {
	if link == g.coded {
		return
	}
	g.coded, g.offer.QR = link, nil
	if len(link) > draw.LongestQR {
		return
	}
	draw.QR(link, func(path string, size int) {
		if size > 0 && link == g.coded {
			g.offer.QR = func(id string) draw.Markup { return draw.QRImage(path, size, id) }
			g.show()
		}
	})
}

func (g *giving) copy() {
	draw.CopyLink(experiment.EncodeAssignmentLink(&g.offer.Assignment))
}
