package lesson

import (
	"fmt"

	"batchlab/core/experiment"
	"batchlab/ui/draw"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// FromAssignment is the lesson as it was given out, for a reader of that name.
func FromAssignment(a *experiment.Assignment, name string, recall func(string) Progress) (*Player, string) {
	whole := a.Lesson
	if whole == nil {
		if whole = own(a.Key); whole == nil {
			return nil, "This assignment is a lesson that this page does not have: " + a.Key + "."
		}
	}
	seed := a.Seed
	if a.Personal() && whole.Draw != nil {
		seed = experiment.BoardOf(name)
	}
	one, err := whole.With(seed)
	if err != nil {
		return nil, "The numbers of this assignment cannot be drawn: " + err.Error() + "."
	}
	if a.Course != "" || a.Due != "" {
		one.Course, one.Due = a.Course, a.Due
	}
	p := NewPlayer(a.Key, one, Progress{})
	p.Whole, p.Seed, p.Given, p.Name, p.rule = whole, seed, a, name, a.Numbers
	p.Progress = NewPlayer(a.Key, one, recall(p.kept())).Progress
	p.deal()
	return p, ""
}

// NameHTML asks for the name that the numbers follow from.
func NameHTML(a *experiment.Assignment) draw.Markup {
	title := ""
	if l := a.Lesson; l != nil {
		title = l.Title
	} else if l := own(a.Key); l != nil {
		title = l.Title
	}
	return draw.HTML(`<header class="lesson-head"><p class="lesson-course">{} <span>{}</span></p><h2>{}</h2></header><div class="lesson-hand"><label>Your name or number <input class="input" id="lesson-who" maxlength="60" autocomplete="off"></label><button type="button" class="btn primary" data-do="begin">Begin</button></div><p class="faint">The numbers of your questions follow from it. It is in the link that you hand in at the end, and nowhere else.</p>`, a.Course, a.Due, title)

}

// Offer is what a lecturer hands out, while it is put together.
type Offer struct {
	experiment.Assignment
	Rule  string                      // experiment.NumbersName or NumbersTry, where the lesson has other numbers; else NumbersSame
	Other int64                       // seed of the numbers that all get; 0: as they are written
	QR    func(id string) draw.Markup // the link as a code; nil: none
	Proof *Proof                      // nil: not asked for yet
}

// Prove begins to solve the boards.
func (o *Offer) Prove() {
	o.Numbers, o.Seed = experiment.NumbersSame, 0
	switch {
	case !o.draws():
	case o.Rule == experiment.NumbersName || o.Rule == experiment.NumbersTry:
		o.Numbers = o.Rule
	default:
		o.Seed = o.Other
	}
	o.Proof = NewProof(&o.Assignment)
}

// draws reports whether the lesson has other numbers.
func (o *Offer) draws() bool {
	l := o.Lesson
	if l == nil {
		l = own(o.Key)
	}
	return l != nil && l.Draw != nil
}

// Proof is how far all boards of an assignment have been solved.
type Proof struct {
	Done, All int
	Faults    []string

	whole *experiment.Lesson
	seeds []int64
	now   *Player
}

// NewProof is a proof of the boards that an assignment may give.
func NewProof(a *experiment.Assignment) *Proof {
	f := &Proof{whole: a.Lesson, seeds: []int64{a.Seed}}
	if f.whole == nil {
		f.whole = own(a.Key)
	}
	if a.Personal() && f.whole != nil && f.whole.Draw != nil {
		f.seeds = f.seeds[:0]
		for i := range int64(experiment.Boards) {
			f.seeds = append(f.seeds, i+1)
		}
	}
	f.All = len(f.seeds)
	return f
}

// mostFaults are named; a lesson that has more has the same one again and again.
const mostFaults = 5

// Go solves on, one board after the other, as far as results are there; it reports
// whether all are solved. Then an assignment is proved where there are no faults.
func (f *Proof) Go(begin func(*experiment.Experiment) *result.Background) bool {
	for f.Done < f.All && len(f.Faults) < mostFaults {
		seed := f.seeds[f.Done]
		if f.now == nil {
			one, err := f.whole.With(seed)
			if err != nil {
				f.Faults, f.Done = append(f.Faults, err.Error()), f.Done+1
				continue
			}
			f.now = NewPlayer("", one, Progress{})
		}
		left, faults := f.now.Try(begin)
		if left > 0 {
			return false
		}
		for _, text := range faults {
			if seed > 0 {
				text = fmt.Sprintf("Numbers %d: %s", seed, text)
			}
			f.Faults = append(f.Faults, text)
		}
		f.now = nil
		f.Done++
	}
	return true
}

// GiveHTML is the page on which a lecturer puts an assignment together; its fields are
// filled in once.
func GiveHTML(mine *experiment.Lesson) draw.Markup {
	var b draw.Writer
	b.Add(`<nav class="lesson-top"><button type="button" class="link-button" data-do="list">All lessons</button><button type="button" class="link-button" data-do="mark">Mark answers</button></nav><header class="lesson-head"><h2>Hand out a lesson</h2><p class="soft">An assignment is a link. No server: links go out, links come back, and nothing is stored but in the browsers.</p></header><div class="lesson-form"><label>Lesson <select class="input" data-give="key">`)
	if mine != nil {
		b.Put(`<option value="">{}</option>`, mine.Title)
	}
	for _, r := range list() {
		b.Put(`<option value="{}">{}</option>`, r.Key, r.Title)
	}
	b.Add(`</select></label><p class="faint">One of your own: open it, and choose <i>Hand it out</i> there.</p>`)
	field := func(key, name, hint string) {
		b.Put(`<label>{} <input class="input" data-give="{}" maxlength="60" autocomplete="off"></label>`, name, key)
		if hint != "" {
			b.Put(`<p class="faint">{}</p>`, hint)
		}
	}
	choice := func(key, name string, options ...string) {
		b.Put(`<label>{} <select class="input" data-give="{}">`, name, key)
		for i := 0; i < len(options); i += 2 {
			b.Put(`<option value="{}">{}</option>`, options[i], options[i+1])
		}
		b.Add(`</select></label>`)
	}
	field("course", "Heading", "")
	field("due", "Due", "A word for your students. A link cannot close.")
	choice("numbers", "Numbers", "same", "the same for all, as they are written", "seed", "other numbers, the same for all", "name", "other numbers for each student, from the name they type", "try", "other numbers for each student and each try")
	b.Put(`<label id="give-seed" style="display:none">Seed <input class="input" data-give="seed" type="number" min="1" max="{}" value="1" inputmode="numeric"></label>`, words.Int(experiment.Boards))
	choice("tries", "Tries", "1", "one: then what happens is shown", "2", "two", "3", "three", "0", "until right")
	b.Add(`<p class="faint">A wrong answer says what it would break, and not what is right, while there is another try. How many were made stands in the answers.</p>`)
	field("word", "Word of this link", "Stands in every answer made with this link. Hand out a link with another word after the deadline, and you see which one an answer came from. It is no clock: whoever keeps the first link can still answer with it.")
	field("phrase", "Phrase for seals", "Each answer is sealed when it is made; marking with the same phrase shows what was changed later. Keep it: it is not in the link.")
	b.Add(`</div>`)
	return b.Markup()
}

// HTML is what stands below the fields: the proof, the link, and what it can show.
func (o *Offer) HTML(link string) draw.Markup {
	f := o.Proof
	text := draw.Markup("")
	if (o.Rule == experiment.NumbersName || o.Rule == experiment.NumbersTry || o.Other > 0) && !o.draws() {
		text = `<p class="faint">This lesson has the same numbers for everybody.</p>`
	}
	if f != nil && f.Done < f.All && len(f.Faults) < mostFaults {
		return text + draw.HTML(`<p class="soft" role="status">{} of {} solved …</p>`, f.Done, words.Count(f.All, "board", "boards"))
	}
	switch {
	case f == nil:
		text += `<p><button type="button" class="btn primary" data-do="prove">Solve all its boards, and make the link</button></p>`
	case len(f.Faults) > 0:
		return draw.HTML(`<div class="fault-text" role="alert"><p>There is no link, since the results do not decide every question:</p><ul>{}</ul></div>`, lines(f.Faults))
	default:
		said := "The board was solved"
		if f.All > 1 {
			said = fmt.Sprintf("All %d boards were solved", f.All)
		}
		text += draw.HTML(`<p class="lesson-proof" role="status"><b>Every question has one answer.</b> {}.</p><p class="lesson-link"><input class="input mono" readonly id="given-link" aria-label="Link of the assignment" value="{}"> <button type="button" class="btn primary" data-do="given">Copy</button></p><p class="faint">{}. It holds the lesson, the heading{}{}. <a class="link-button" href="{}" target="_blank" rel="noopener">Try it as a student</a> <button type="button" class="btn" data-do="wall">A page to project</button></p>{}`, said, link,
			words.Count(len(link), "character", "characters"), map[bool]string{true: ", the word"}[o.Word != ""], map[bool]string{true: ", the rule for the numbers and the key of the seals, but not your phrase", false: " and the rule for the numbers"}[o.Seal != ""], link, o.code("given-qr"))
	}
	return text + `<h3>What a seal can show, and what not</h3><ul class="list"><li>✓ that an answer, the name or the word was changed after it was sealed</li><li>✓ that an answer was sealed with your phrase’s key, which is in your links</li><li>✗ who sat at the keyboard, or whether two worked side by side</li><li>✗ somebody who takes the page apart: the key is in the link, since the seal is made in the student’s browser, and whoever reads it there can seal anything. Fit for exercises, not for examinations.</li></ul>`
}

// code is the link as a QR code of its own name, "" without one.
func (o *Offer) code(id string) draw.Markup {
	if o.QR == nil {
		return ""
	}
	return o.QR(id)
}
