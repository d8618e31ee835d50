//go:build js

package lesson

import (
	"strings"
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/ui/draw"
)

// marking is the page on which a lecturer marks what was handed in.
type marking struct {
	l               *Lectures
	root, text, out js.Value
	pile            *Submissions
}

// newMarking makes the page, with nothing in it.
func newMarking(l *Lectures) *marking {
	m := &marking{l: l, root: draw.Node(`<div class="lesson-marking"></div>`), pile: &Submissions{}}
	part := draw.Build(m.root, draw.HTML(`<div>{}</div><textarea class="input mono" id="mark-text" rows="6" spellcheck="false" aria-label="Links to answers" placeholder="…/#a=…" data-part="text"></textarea><div data-part="out"></div>`, MarkHead))
	m.text, m.out = part("text"), part("out")
	draw.Listen(m.root, "input", func(ev js.Value) {
		if ev.Get("target").Equal(m.text) {
			m.read()
		} else {
			m.fields()
			m.show()
		}
	})
	draw.Listen(m.root, "dragover", func(ev js.Value) { ev.Call("preventDefault"); ev.Call("stopPropagation") })
	draw.Listen(m.root, "drop", func(ev js.Value) {
		ev.Call("preventDefault")
		ev.Call("stopPropagation")
		files := ev.Get("dataTransfer").Get("files")
		for i := range files.Length() {
			draw.ReadText(files.Index(i), func(text string) { m.add(text) })
		}
		if files.Length() == 0 {
			m.add(ev.Get("dataTransfer").Call("getData", "text").String())
		}
	})
	return m
}

// add puts text behind what is there.
func (m *marking) add(text string) {
	m.text.Set("value", m.text.Get("value").String()+"\n"+text)
	m.read()
}

// read takes what stands in the field.
func (m *marking) read() {
	for _, c := range m.pile.Classes {
		for _, p := range c.boards {
			p.Stop()
		}
	}
	m.pile = ReadPile(m.text.Get("value").String())
	m.fields()
	m.show()
}

// fields takes the word and the phrase.
func (m *marking) fields() {
	field := func(id string) string { return strings.TrimSpace(draw.Find(m.root, id).Get("value").String()) }
	key := ""
	if phrase := field("#mark-phrase"); phrase != "" {
		key = experiment.SealKey(phrase)
	}
	m.pile.Check(field("#mark-word"), key)
}

// show judges, and shows how far that is.
func (m *marking) show() {
	draw.Put(m.out, m.pile.MarkHTML(m.pile.Judge(m.l.run(m.show))))
}

// save hands the marks over as a file.
func (m *marking) save() { draw.Save("marks.csv", "text/csv", m.pile.CSV()) }

// statistics hands over how the questions went.
func (m *marking) statistics() { draw.Save("questions.csv", "text/csv", m.pile.Statistics()) }
