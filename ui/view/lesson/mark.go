package lesson

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/experiment"
	grade "batchlab/core/lesson"
	"batchlab/core/order"
	"batchlab/ui/draw"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// Handed is what one person handed in.
type Handed struct {
	Sheet   *experiment.Sheet
	Name    string
	Choices []int64
	Times   int    // the same link was in the pile so often
	Right   []bool // by question, once it is judged
	Note    string // what a lecturer should look at; "" nothing
	Seal    string // "as made", "changed"; "" not asked for

	player *Player // with the numbers that this one had
}

// Points are the questions answered rightly.
func (h *Handed) Points() (n int) {
	for _, right := range h.Right {
		if right {
			n++
		}
	}
	return n
}

// Class is what was handed in to one lesson, in the order of the pile.
type Class struct {
	Player *Player // of the lesson as it is written
	Handed []*Handed

	boards map[int64]*Player // by seed
	judged bool
}

// Fault is a link that cannot be judged.
type Fault struct{ Link, Why string }

// Submissions is all that a lecturer pasted or dropped.
type Submissions struct {
	Classes []*Class
	Faults  []Fault
	Word    string // of the link that was in time; "" any
	Key     string // of the seals; "" not asked for
}

// answerLinks are the links to answers in a text, from "#a=" to the first letter that
// no such link has.
func answerLinks(text string) (list []string) {
	for {
		_, rest, ok := strings.Cut(text, "#a=")
		if !ok {
			return list
		}
		n := len(rest) - len(strings.TrimLeft(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"))
		if text = rest[n:]; n > 0 {
			list = append(list, "#a="+rest[:n])
		}
	}
}

// ReadPile finds all links to answers in a text, whatever stands around them.
func ReadPile(text string) *Submissions {
	pile, seen := &Submissions{}, map[string]*Handed{}
	for _, link := range answerLinks(text) {
		if h := seen[link]; h != nil {
			h.Times++
			continue
		}
		short := link
		if len(short) > 24 {
			short = short[:24] + "…"
		}
		sheet, err := experiment.DecodeSheetLink(link)
		if err != nil {
			pile.Faults = append(pile.Faults, Fault{short, err.Error()})
			continue
		}
		p, why := FromSheet(sheet)
		if p == nil {
			pile.Faults = append(pile.Faults, Fault{short, why})
			continue
		}
		i := slices.IndexFunc(pile.Classes, func(c *Class) bool { return c.Player.Lesson.Identity() == p.Whole.Identity() })
		if i < 0 {
			i = len(pile.Classes)
			plain, _ := With(p.Key, p.Whole, 0, func(string) Progress { return Progress{} })
			pile.Classes = append(pile.Classes, &Class{Player: plain, boards: map[int64]*Player{0: plain}})
		}
		c := pile.Classes[i]
		p.runs = c.Player.runs // what several had is run once
		if c.boards[p.Seed] == nil && !p.fresh() {
			c.boards[p.Seed] = p
		}
		h := &Handed{Sheet: sheet, Name: sheet.Name, Choices: sheet.Choices, Times: 1, player: p}
		if !p.fresh() {
			h.player = c.boards[p.Seed]
		}
		pile.Classes[i].Handed = append(pile.Classes[i].Handed, h)
		seen[link] = h
	}
	return pile
}

// Judge has the laboratory answer the questions of all lessons and marks what was
// handed in; left is how many lessons still wait for it.
func (pile *Submissions) Judge(begin func(*experiment.Experiment) *result.Background) (left int) {
	for _, c := range pile.Classes {
		if !c.judge(pile, begin) {
			left++
		}
	}
	return left
}

func (c *Class) judge(pile *Submissions, begin func(*experiment.Experiment) *result.Background) bool {
	if c.judged {
		return true
	}
	questions := c.Player.questions()
	solve := func(p *Player) bool {
		for _, i := range questions {
			p.Run(i, begin)
			if a := p.background(i); !a.Ready() && a.Error == "" {
				return false
			}
		}
		return true
	}
	if !solve(c.Player) {
		return false
	}
	for _, h := range c.Handed {
		if !solve(h.player) {
			return false
		}
		h.Right = make([]bool, len(questions))
		for k, i := range questions {
			a, _ := h.player.Answer(i) // nil: it is not decided, and nobody is right
			h.Right[k] = a != nil && h.Choices[k] == int64(a.Right)
		}
	}
	c.note(pile)
	c.judged = true
	return true
}

// Check holds what was handed in against a word and the key of the seals.
func (pile *Submissions) Check(word, key string) {
	pile.Word, pile.Key = word, key
	for _, c := range pile.Classes {
		if c.judged {
			c.note(pile)
		}
	}
}

// alikeFrom is how many wrong answers two people must have in common before it is said
// that they are alike: one may be the lesson's fault.
const alikeFrom = 2

// note says what a lecturer should look at: the same name or the same link again, and
// answers that are alike in what is wrong.
func (c *Class) note(pile *Submissions) {
	for i, h := range c.Handed {
		var notes []string
		if h.Times > 1 {
			notes = append(notes, fmt.Sprintf("the same link %d times", h.Times))
		}
		if n := h.Sheet.Again; n > 0 {
			notes = append(notes, "began again "+map[bool]string{true: "once", false: strconv.FormatInt(n, 10) + " times"}[n == 1]+", after answers had been given")
		}
		notes = append(notes, h.check(pile)...)
		wrong, twice := 0, false
		for k, right := range h.Right {
			if !right && h.Choices[k] >= 0 {
				wrong++
			}
		}
		var alike []string
		for j, other := range c.Handed {
			switch {
			case i == j:
			case h.Name != "" && strings.EqualFold(h.Name, other.Name):
				twice = true
			case wrong >= alikeFrom && h.Sheet.Seed == other.Sheet.Seed && slices.Equal(h.Choices, other.Choices) && slices.Equal(h.Sheet.Times, other.Sheet.Times):
				alike = append(alike, named(other, j))
			}
		}
		if twice {
			notes = append(notes, "this name handed in more than once, with different answers")
		}
		if len(alike) > 0 {
			notes = append(notes, fmt.Sprintf("the same %d wrong answers as %s", wrong, strings.Join(alike[:min(3, len(alike))], ", ")))
		}
		h.Note = strings.Join(notes, "; ")
	}
}

// check says what of an answer does not fit its word, its numbers or its seals.
func (h *Handed) check(pile *Submissions) (notes []string) {
	s := h.Sheet
	if pile.Word != "" && !strings.EqualFold(pile.Word, s.Word) {
		notes = append(notes, "the word is “"+cmp.Or(s.Word, "none")+"”: made with another link, or too late")
	}
	if s.Numbers != "" && s.Seed > 0 && s.Seed != experiment.BoardOf(s.Name) {
		notes = append(notes, "the numbers are not those of this name")
	}
	if h.Seal = ""; pile.Key != "" {
		h.Seal = "as made"
		if list := s.Changed(pile.Key); len(list) > 0 {
			h.Seal = "changed"
			notes = append(notes, list...)
		}
	}
	return notes
}

func named(h *Handed, i int) string {
	if h.Name == "" {
		return "no. " + strconv.Itoa(i+1)
	}
	return h.Name
}

// chosen is what somebody chose at question k, in words.
func (h *Handed) chosen(k, step int) string {
	m := experiment.Miss{Choice: h.Choices[k], Time: -1}
	if k < len(h.Sheet.Times) {
		m.Time = h.Sheet.Times[k]
	}
	return h.said(k, step, len(h.Sheet.MissedAt(k)), m)
}

// said is the answer to question k, which a step asks, after so many wrong ones, in words.
func (h *Handed) said(k, step, misses int, m experiment.Miss) string {
	p := h.asked(k, misses)
	options := grade.Options(p.Lesson.Steps[step].Ask, len(p.Lesson.Of(step).Schedulers))
	switch n := m.Choice; {
	case n == experiment.OwnTime && m.Time >= 0:
		return p.option(step, m.Time)
	case n >= 0 && int(n) < len(options):
		return p.option(step, options[n])
	}
	return ""
}

// asked is the lesson with the numbers that somebody had at question k after so many
// wrong answers to it.
func (h *Handed) asked(k, misses int) *Player {
	p := h.player
	if !p.fresh() || misses == len(h.Sheet.MissedAt(k)) {
		return p
	}
	l := p.asking(p.boardAt(int64(k), misses))
	if l == nil {
		return p
	}
	other := NewPlayer(p.Key, l, Progress{})
	other.runs = p.runs
	return other
}

// happens is what is right for somebody at a step, in words.
func (h *Handed) happens(step int) string {
	a, _ := h.player.Answer(step)
	if a == nil {
		return ""
	}
	return h.player.option(step, a.Options[a.Right].Value)
}

// HTML is a judged class, the at-th of its pile from 0: its sentence, its questions, and who handed in.
func (c *Class) HTML(at int) draw.Markup {
	var b draw.Writer
	questions := c.Questions()
	b.Put(`<section class="lesson-class"><h3>{}</h3><p>{}</p><div class="lesson-table" tabindex="0" role="region" aria-label="Questions"><table class="numbers"><thead><tr><th>Step</th><th>Question</th><th>What happens</th><th>right at once</th><th>later</th><th>wrong</th><th>none</th><th>{}</th><th>First answers that were wrong</th></tr></thead><tbody>`, c.Player.Lesson.Title, c.sentence(questions), TellsApart)
	for i := range questions {
		m := &questions[i]
		share := func(n int) int { return 100 * n / max(1, len(c.Handed)) }
		b.Put(`<tr><td>{}</td><td>{}<br><button type="button" class="btn" data-do="project" data-class="{}" data-question="{}">Project</button></td><td>{}</td><td><span class="lesson-share" style="--share:{}%;--later:{}%">{}</span></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>`, m.Step+1, m.Prompt, at, i, m.Answer,
			share(m.AtOnce), share(m.Right), m.AtOnce, m.Right-m.AtOnce, m.Wrong, m.None, m.apart(), strings.Join(m.Mistakes, ", "))
	}
	b.Put(`</tbody></table></div><p class="faint">{}</p><div class="lesson-table" tabindex="0" role="region" aria-label="Who handed in"><table class="numbers"><thead><tr><th>Name</th><th>right</th>`, apartHelp)
	for i := range questions {
		b.Put(`<th>{}</th>`, questions[i].Step+1)
	}
	b.Add(`<th>numbers</th><th>word</th><th>seal</th><th>To look at</th></tr></thead><tbody>`)
	list := slices.Clone(c.Handed)
	order.Stable(list, func(a, b *Handed) int {
		return cmp.Or(cmp.Compare(b2i(a.Note == ""), b2i(b.Note == "")), cmp.Compare(a.Points(), b.Points()))
	})
	for _, h := range list {
		b.Put(`<tr><td>{}</td><td>{} of {}</td>`, cmp.Or(h.Name, "not said"), h.Points(), len(questions))
		for k, right := range h.Right {
			mark, what := "✓", "right"
			switch {
			case h.Choices[k] < 0:
				mark, what = "–", "not answered"
			case !right:
				mark, what = "✗", "wrong"
			case h.tries(k) > 1:
				what = fmt.Sprintf("right at try %d", h.tries(k))
				mark = strconv.Itoa(h.tries(k)) + map[int]string{2: "nd", 3: "rd"}[h.tries(k)]
				if h.tries(k) > 3 {
					mark += "th"
				}
			}
			b.Put(`<td><span aria-label="{}">{}</span></td>`, what, mark)
		}
		numbers := "–"
		if h.Sheet.Seed > 0 {
			numbers = words.Int(int(h.Sheet.Seed))
		}
		b.Put(`<td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>`, numbers, cmp.Or(h.Sheet.Word, "–"), cmp.Or(h.Seal, "–"), h.Note)
	}
	b.Add(`</tbody></table></div></section>`)
	return b.Markup()
}

func b2i(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// CSV is a judged pile as a table: one line for each answer that was handed in.
func (pile *Submissions) CSV() []byte {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"lesson", "name", "right", "of", "step", "question", "chosen", "what_happens", "is_right", "to_look_at", "numbers", "word", "seal", "means", "tries", "first_chosen", "begun_again"}) // a Builder takes all
	for _, c := range pile.Classes {
		questions := c.Questions()
		for _, h := range c.Handed {
			for k := range questions {
				m := &questions[k]
				kind := ""
				if n := h.Choices[k]; n >= 0 && int(n) < len(m.options)-1 {
					kind = c.Player.Whole.Means(m.Step, h.player.Lesson.Steps[m.Step].Ask.Written(int(n)))
				}
				_ = w.Write([]string{plain(c.Player.Lesson.Title), plain(h.Name), strconv.Itoa(h.Points()), strconv.Itoa(len(questions)), strconv.Itoa(m.Step + 1), plain(m.Prompt), plain(h.chosen(k, m.Step)), plain(h.happens(m.Step)), strconv.FormatBool(h.Right[k]), plain(h.Note), strconv.FormatInt(h.Sheet.Seed, 10), plain(h.Sheet.Word), h.Seal, plain(kind), strconv.Itoa(h.tries(k)), plain(h.said(k, m.Step, 0, h.first(k))), strconv.FormatInt(h.Sheet.Again, 10)})
			}
		}
	}
	w.Flush()
	return []byte(b.String())
}

// plain is text as a spreadsheet takes it: what others wrote is no formula.
func plain(s string) string {
	s = strings.ReplaceAll(s, words.NB, " ")
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// MarkHTML is what stands below the field that takes the links.
func (pile *Submissions) MarkHTML(left int) draw.Markup {
	switch {
	case len(pile.Classes) == 0 && len(pile.Faults) == 0:
		return `<p class="faint" role="status">No link to answers yet.</p>`
	case left > 0:
		return draw.HTML(`<p class="soft" role="status">The laboratory answers the questions of {} …</p>`, words.Count(left, "lesson", "lessons"))
	}
	text := draw.Markup("")
	for at, c := range pile.Classes {
		text += c.HTML(at)
	}
	if len(pile.Classes) > 0 {
		text += `<p><button type="button" class="btn" data-do="marks">Save as .csv</button> <button type="button" class="btn" data-do="statistics">Statistics of questions as .csv</button></p>`
	}
	if n := len(pile.Faults); n > 0 {
		text += draw.HTML(`<p role="alert">{} cannot be judged:</p><ul class="list">`, words.Count(n, "link that", "links that"))
		for _, f := range pile.Faults {
			text += draw.HTML(`<li><span class="mono">{}</span> {}</li>`, f.Link, f.Why)
		}
		text += `</ul>`
	}
	return text + `<p class="faint">A checksum shows that a link was not damaged; it does not show who made it. “As made” says that what was answered and the name fit the seals that the student’s browser made, not who sat there; whoever takes the page apart can seal anything. A word says which link an answer came from, not when. The same wrong answers are a reason to ask, no proof. Fit for exercises, not for examinations.</p>`
}

// MarkHead stands above the field.
const MarkHead draw.Markup = `<nav class="lesson-top"><button type="button" class="link-button" data-do="list">All lessons</button></nav><header class="lesson-head"><h2>Mark answers</h2><p class="soft">Paste, or drop as text files, whatever holds the links that were handed in: mails, a list, a page of your course. The laboratory judges each one again, here in the browser; nothing is sent anywhere.</p></header><div class="lesson-hand"><label>Word of the link, if it had one <input class="input" id="mark-word" maxlength="60" autocomplete="off"></label><label>Phrase, if answers were sealed <input class="input" id="mark-phrase" maxlength="60" autocomplete="off"></label></div>`
