package lesson

import (
	"fmt"
	"slices"
	"strings"

	"batchlab/core/experiment"
	grade "batchlab/core/lesson"
	"batchlab/ui/words"
)

// What a lecturer projects: the link of an assignment as a code that the last row can
// read, and a question of a class with its board and what was answered at first, before
// and after it is shown what happens.

// Wall is a question of a judged class as it is projected.
type Wall struct {
	Class    *Class
	Question int  // of the lesson, from 0
	Shown    bool // what happens
	Said     int  // option whose board is drawn, −1: the board as it was asked about
}

// Turn goes on by some questions; it reports whether there is one.
func (w *Wall) Turn(by int) bool {
	n := w.Question + by
	if n < 0 || n >= len(w.Class.Player.questions()) {
		return false
	}
	*w = Wall{Class: w.Class, Question: n, Said: -1}
	return true
}

// board is the lesson with the numbers that all had, else as it is written, at the
// question: with what is projected chosen.
func (w *Wall) board() (p *Player, step int) {
	from := w.Class.Player
	if all := w.Class.Handed; len(all) > 0 && !slices.ContainsFunc(all, func(h *Handed) bool { return h.player != all[0].player }) {
		from = all[0].player
	}
	p = NewPlayer(from.Key, from.base, Progress{})
	p.runs, p.Whole, p.Seed = from.runs, from.Whole, from.Seed
	step = p.questions()[w.Question]
	p.At = step
	switch answer, _ := p.Answer(step); {
	case w.Shown && answer != nil:
		p.Picked[step], p.Shown[step] = answer.Right, 1
	case w.Said >= 0:
		p.Picked[step] = w.Said
		p.Missed = []experiment.Miss{{Question: int64(w.Question), Choice: int64(w.Said), Time: -1}}
	}
	return p, step
}

// HTML is the page; its picture is drawn so wide and scaled.
func (w *Wall) HTML(width float64) string {
	p, step := w.board()
	m := w.Class.Questions()[w.Question]
	q := p.Lesson.Steps[step].Ask
	answer, _ := p.Answer(step)
	var b strings.Builder
	others, numbers := p.Seed == 0 && (len(w.Class.boards) > 1 || w.Class.fresh()), ""
	if others {
		numbers = ", each to other numbers; here they are as the lesson is written"
	}
	fmt.Fprintf(&b, `<header><p class="soft">%s · question %d of %d · %s%s</p><h2 tabindex="-1">%s</h2></header><div class="wall-two"><div class="wall-answers" role="group" aria-label="First answers">`, esc(p.Lesson.Title), w.Question+1, len(p.questions()), words.Count(len(w.Class.Handed), "answer", "answers"), numbers, esc(q.Prompt))
	options := grade.Options(q, len(p.Lesson.Of(step).Schedulers))
	bar := func(n, count int, name string, right bool) {
		all := max(1, len(w.Class.Handed))
		class, mark, share := "wall-answer", "", (100*count+all/2)/all
		if right {
			class, mark = class+" right", " ✓ what happens"
		}
		open, shut := `<div class="`+class+`">`, `</div>`
		if n >= 0 && !w.Shown {
			open = fmt.Sprintf(`<div><button type="button" class="%s" data-say="%d" aria-pressed="%t">`, class, n, n == w.Said)
			shut = `</button></div>`
		}
		fmt.Fprintf(&b, `%s<span>%s<em>%s</em></span><b>%d %%</b><i style="--share:%d%%"></i>%s`, open, esc(name), mark, share, share, shut)
	}
	for n, v := range options {
		count, right := m.counts[q.Written(n)], answer != nil && n == answer.Right
		if right {
			count = m.AtOnce
		}
		name := p.option(step, v)
		if means := p.Whole.Means(step, q.Written(n)); means != "" && others {
			name = means + " (" + strings.ToLower(name[:1]) + name[1:] + ")"
		}
		bar(n, count, name, right && w.Shown)
	}
	if n := m.counts[len(options)]; n > 0 {
		bar(-1, n, "another time", false)
	}
	b.WriteString(`<div role="status">`)
	switch text, _ := p.broken(step); {
	case w.Shown && answer != nil:
		b.WriteString(`<p>` + esc(grade.Said(q, len(p.Lesson.Of(step).Schedulers), answer, p.background(step))) + `</p><p class="soft">Right at once ` + words.Int(m.AtOnce) + `, right in the end ` + words.Int(m.Right) + `, of ` + words.Int(len(w.Class.Handed)) + `.</p>`)
	case w.Said >= 0 && answer != nil && w.Said != answer.Right && text != "":
		b.WriteString(`<p>` + esc(text) + `</p>`)
	}
	b.WriteString(`</div></div><div class="wall-board">` + p.PictureHTML(width) + `</div></div><footer><button type="button" class="btn" data-turn="-1"` + off(w.Question == 0) + `>Back</button><button type="button" class="btn primary" data-reveal="1">` +
		map[bool]string{true: "Hide what happens", false: "Show what happens"}[w.Shown] + `</button><button type="button" class="btn" data-turn="1"` + off(w.Question == len(p.questions())-1) + `>Next question</button><button type="button" class="btn" data-close="1">Close<kbd>Esc</kbd></button></footer>`)
	return b.String()
}

// WallHTML is the page with which an assignment is handed out in a room.
func (o *Offer) WallHTML(link string) string {
	l := o.Lesson
	if l == nil {
		l = own(o.Key)
	}
	var b strings.Builder
	b.WriteString(`<header>`)
	if o.Course != "" || o.Due != "" {
		b.WriteString(`<p class="soft">` + esc(o.Course))
		if o.Due != "" {
			b.WriteString(` <span>due ` + esc(o.Due) + `</span>`)
		}
		b.WriteString(`</p>`)
	}
	b.WriteString(`<h2 tabindex="-1">` + esc(l.Title) + `</h2></header><div class="wall-two">` + strings.ReplaceAll(o.QR, "given-qr", "wall-qr") + `<ol class="wall-todo"><li>Open the link: point your camera at the code, or click it where your course has it.</li>`)
	if o.Personal() {
		b.WriteString(`<li>Type your name or number; nobody signs in.</li>`)
	}
	b.WriteString(`<li>Answer each question; the page explains each one at once.</li><li>Copy the link to your answers at the end, and hand it in.</li></ol></div>`)
	if o.QR == "" {
		b.WriteString(`<p class="soft">The link has ` + words.Count(len(link), "character", "characters") + `, too many for a code: put it where your class finds it.</p>`)
	}
	b.WriteString(`<footer><button type="button" class="btn" data-close="1">Close<kbd>Esc</kbd></button></footer>`)
	return b.String()
}
