package lesson

import (
	"slices"
	"strings"

	"batchlab/core/experiment"
	grade "batchlab/core/lesson"
	"batchlab/ui/draw"
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
func (w *Wall) HTML(width float64) draw.Markup {
	p, step := w.board()
	m := w.Class.Questions()[w.Question]
	q := p.Lesson.Steps[step].Ask
	answer, _ := p.Answer(step)
	var b draw.Writer
	others, numbers := p.Seed == 0 && (len(w.Class.boards) > 1 || w.Class.fresh()), ""
	if others {
		numbers = ", each to other numbers; here they are as the lesson is written"
	}
	b.Put(`<header><p class="soft">{} · question {} of {} · {}{}</p><h2 tabindex="-1">{}</h2></header><div class="wall-two"><div class="wall-answers" role="group" aria-label="First answers">`, p.Lesson.Title, w.Question+1, len(p.questions()), words.Count(len(w.Class.Handed), "answer", "answers"), numbers, q.Prompt)
	options := grade.Options(q, len(p.Lesson.Of(step).Schedulers))
	bar := func(n, count int, name string, right bool) {
		all := max(1, len(w.Class.Handed))
		class, mark, share := "wall-answer", "", (100*count+all/2)/all
		if right {
			class, mark = class+" right", " ✓ what happens"
		}
		open, shut := draw.HTML(`<div class="{}">`, class), draw.Markup(`</div>`)
		if n >= 0 && !w.Shown {
			open = draw.HTML(`<div><button type="button" class="{}" data-say="{}" aria-pressed="{}">`, class, n, n == w.Said)
			shut = `</button></div>`
		}
		b.Put(`{}<span>{}<em>{}</em></span><b>{} %</b><i style="--share:{}%"></i>{}`, open, name, mark, share, share, shut)
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
	b.Add(`<div role="status">`)
	switch text, _ := p.broken(step); {
	case w.Shown && answer != nil:
		b.Put(`<p>{}</p><p class="soft">Right at once {}, right in the end {}, of {}.</p>`, grade.Said(q, len(p.Lesson.Of(step).Schedulers), answer, p.background(step)), words.Int(m.AtOnce), words.Int(m.Right), words.Int(len(w.Class.Handed)))
	case w.Said >= 0 && answer != nil && w.Said != answer.Right && text != "":
		b.Put(`<p>{}</p>`, text)
	}
	b.Put(`</div></div><div class="wall-board">{}</div></div><footer><button type="button" class="btn" data-turn="-1"{}>Back</button><button type="button" class="btn primary" data-reveal="1">{}</button><button type="button" class="btn" data-turn="1"{}>Next question</button><button type="button" class="btn" data-close="1">Close<kbd>Esc</kbd></button></footer>`, p.PictureHTML(width), off(w.Question == 0),
		map[bool]string{true: "Hide what happens", false: "Show what happens"}[w.Shown], off(w.Question == len(p.questions())-1))
	return b.Markup()
}

// WallHTML is the page with which an assignment is handed out in a room.
func (o *Offer) WallHTML(link string) draw.Markup {
	l := o.Lesson
	if l == nil {
		l = own(o.Key)
	}
	var b draw.Writer
	b.Add(`<header>`)
	if o.Course != "" || o.Due != "" {
		b.Put(`<p class="soft">{}`, o.Course)
		if o.Due != "" {
			b.Put(` <span>due {}</span>`, o.Due)
		}
		b.Add(`</p>`)
	}
	b.Put(`<h2 tabindex="-1">{}</h2></header><div class="wall-two">{}<ol class="wall-todo"><li>Open the link: point your camera at the code, or click it where your course has it.</li>`, l.Title, o.code("wall-qr"))
	if o.Personal() {
		b.Add(`<li>Type your name or number; nobody signs in.</li>`)
	}
	b.Add(`<li>Answer each question; the page explains each one at once.</li><li>Copy the link to your answers at the end, and hand it in.</li></ol></div>`)
	if o.QR == nil {
		b.Put(`<p class="soft">The link has {}, too many for a code: put it where your class finds it.</p>`, words.Count(len(link), "character", "characters"))
	}
	b.Add(`<footer><button type="button" class="btn" data-close="1">Close<kbd>Esc</kbd></button></footer>`)
	return b.Markup()
}
