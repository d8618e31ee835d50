//go:build js

package lesson

import (
	_ "embed"
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/ui/draw"
	"batchlab/ui/engine"
	"batchlab/ui/result"
)

//go:embed lecture.css
var lectureStyles string

// Lectures are the pages for lecturers: they live beside the page's own program, in
// the second one, and keep what was put into them.
type Lectures struct {
	by    engine.Engine
	page  js.Value // what the page wishes, and offers
	give  *giving
	marks *marking
	write *writing
}

// NewLectures makes them, with an engine of their own.
func NewLectures(by engine.Engine) *Lectures {
	draw.AddStyles(lectureStyles)
	return &Lectures{by: by}
}

// Show shows what is wished: item is the page, lesson the text of the lesson that it
// was opened with, root the element that it stands in, document gives the experiment of
// the laboratory as text.
func (l *Lectures) Show(wish js.Value) {
	l.page = wish
	var mine *experiment.Lesson
	if text := wish.Get("lesson").String(); text != "" {
		mine, _ = experiment.DecodeLesson([]byte(text)) // which the page has read before
	}
	root := js.Null()
	switch wish.Get("item").String() {
	case giveItem:
		if l.give == nil || mine != nil && (l.give.own == nil || l.give.own.Identity() != mine.Identity()) {
			l.give = newGiving(l, mine)
			l.onClick(l.give.root)
		}
		root = l.give.root
		l.give.show()
	case markItem:
		if l.marks == nil {
			l.marks = newMarking(l)
			l.onClick(l.marks.root)
		}
		root = l.marks.root
		l.marks.show()
	case writeItem:
		if l.write == nil || mine != nil && (l.write.given == nil || l.write.given.Identity() != mine.Identity()) {
			l.write = newWriting(l, mine)
			l.onClick(l.write.root)
		}
		root = l.write.root
	}
	wish.Get("root").Call("replaceChildren", root)
	if l.write != nil && root.Equal(l.write.root) {
		l.write.show() // as wide as it is now
	}
}

// onClick hands on what buttons say. Those that lead elsewhere are the page's.
func (l *Lectures) onClick(root js.Value) {
	draw.Listen(root, "click", func(ev js.Value) {
		button := ev.Get("target").Call("closest", "button[data-do]")
		if !button.Truthy() {
			return
		}
		switch what := button.Get("dataset").Get("do").String(); what {
		case "prove":
			l.give.prove()
		case "given":
			l.give.copy()
		case "marks":
			l.marks.save()
		case "wall":
			l.give.wall()
		case "project":
			l.marks.wall(draw.Number(button, "class"), draw.Number(button, "question"))
		case "statistics":
			l.marks.statistics()
		case "list", "class", "mark": // the page's
		default:
			if l.write != nil && root.Equal(l.write.root) {
				l.write.act(what)
			}
		}
	})
}

// run begins experiments; told is called as they end.
func (l *Lectures) run(told func()) func(*experiment.Experiment) *result.Background {
	return func(e *experiment.Experiment) *result.Background { return result.RunInBackground(l.by, e, told) }
}
