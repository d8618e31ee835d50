package lesson

import (
	"fmt"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	grade "batchlab/core/lesson"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/instant"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// lines are the items of a list.
func lines(list []string) draw.Markup {
	var w draw.Writer
	for _, text := range list {
		w.Put(`<li>{}</li>`, text)
	}
	return w.Markup()
}

// ListHTML is the list of lessons; done says how much of each is answered.
func ListHTML(done func(key string) Progress) draw.Markup {
	var b draw.Writer
	b.Add(`<header class="lesson-head"><h2>Lessons</h2><p class="soft">Small machines and a few jobs. Say what will happen, then see it: answers are computed, not written down.</p></header><div class="lesson-list">`)
	for i, r := range list() {
		said := words.Int(r.Steps) + " steps"
		if kept := done(r.Key); len(kept.Picked) > 0 { // only what somebody has begun is read: all at once take too long
			p := NewPlayer(r.Key, own(r.Key), kept)
			switch n := len(p.questions()); {
			case p.reached() == len(p.Lesson.Steps):
				said = "done"
			case p.answered() > 0:
				said = fmt.Sprintf("%d of %d answered", p.answered(), n)
			}
		}
		b.Put(`<button type="button" class="lesson-card" data-open="{}" id="lesson-{}"><span class="lesson-number">{}</span><b>{}</b><span class="soft">{}</span><span class="faint">{}</span></button>`, r.Key, r.Key, i+1, r.Title, r.Summary, said)
	}
	b.Add(`</div><p class="soft lesson-own">For a class: <button type="button" class="link-button" data-do="class" id="hand-out">Hand out a lesson</button> <button type="button" class="link-button" data-do="mark" id="mark-answers">Mark answers</button> <button type="button" class="link-button" data-do="write" id="write-lesson">Write a lesson</button>. A lesson that you have as a file opens when it is dropped here.</p>`)
	return b.Markup()
}

// TryHTML stands where a lesson of somebody's own would, while its questions are
// tried and where the results do not decide them all.
func (p *Player) TryHTML(left int, faults []string) draw.Markup {
	head := draw.HTML(`<header class="lesson-head"><h2>{}</h2></header>`, p.Lesson.Title)
	if left > 0 {
		return draw.HTML(`{}<p class="soft" role="status">Trying the questions of this lesson: {} still to run …</p>`, head, words.Count(left, "experiment", "experiments"))
	}
	return draw.HTML(`{}<div class="fault-text" role="alert"><p>This lesson cannot be opened, since its results do not decide what it asks:</p><ul>{}</ul></div>`, head,
		lines(faults))
}

func (p *Player) answered() (n int) {
	for _, shown := range p.Shown {
		n += shown
	}
	return n
}

// TextHTML is the text of the step on show, with its question; at the end, what
// was answered.
func (p *Player) TextHTML() draw.Markup {
	var b draw.Writer
	b.Add(`<header class="lesson-head">`)
	if p.Lesson.Course != "" || p.Lesson.Due != "" || p.Seed > 0 {
		b.Put(`<p class="lesson-course">{}`, p.Lesson.Course)
		if p.Lesson.Due != "" {
			b.Put(` <span>due {}</span>`, p.Lesson.Due)
		}
		if p.Seed > 0 {
			b.Put(` <span>numbers {} of {}</span>`, p.seedHere(), experiment.Boards)
		}
		b.Add(`</p>`)
	}
	b.Put(`<h2>{}</h2>`, p.Lesson.Title)
	p.dots(&b)
	b.Add(`</header>`)
	s := p.Step()
	if s == nil {
		p.end(&b)
		return b.Markup()
	}
	b.Put(`<p class="lesson-text" id="lesson-text" tabindex="-1">{}</p>`, s.Text)
	if s.Ask != nil {
		p.asks(&b, s.Ask)
	}
	b.Put(`<div class="lesson-move"><button type="button" class="btn" data-do="back"{}>Back</button>`, off(p.At == 0))
	if p.missed(p.At) {
		b.Add(`<span class="row"><button type="button" class="btn" data-do="show">Show the answer<kbd>↵</kbd></button> <button type="button" class="btn primary" data-do="retry">Try once more</button></span>`)
	} else if p.Open() {
		b.Put(`<button type="button" class="btn primary" data-do="show"{}>Show what happens<kbd>↵</kbd></button>`, off(p.Picked[p.At] < 0 || p.background(p.At) == nil || !p.background(p.At).Ready()))
	} else {
		b.Put(`<button type="button" class="btn primary" data-do="next">{}<kbd>→</kbd></button>`, map[bool]string{true: "My answers", false: "Next"}[p.At == len(p.Lesson.Steps)-1])
	}
	b.Add(`</div>`)
	return b.Markup()
}

func off(yes bool) draw.Markup {
	if yes {
		return ` disabled`
	}
	return ""
}

// dots are the steps: round for text, square for a question, a ring for here.
func (p *Player) dots(b *draw.Writer) {
	b.Add(`<nav class="lesson-dots" aria-label="Steps">`)
	far := p.reached()
	for i := range p.Lesson.Steps {
		class, what := "", "text"
		if p.Lesson.Steps[i].Ask != nil {
			class, what = " ask", "question"
			if p.Shown[i] == 1 {
				class, what = " ask known", "question, answered"
			}
		}
		here := draw.Markup("")
		if i == p.At {
			here = ` aria-current="step"`
		}
		b.Put(`<button type="button" class="lesson-dot{}" data-jump="{}" aria-label="Step {}, {}"{}{}></button>`, class, i, i+1, what, here, off(i > far))
	}
	b.Add(`</nav>`)
}

func (p *Player) asks(b *draw.Writer, q *experiment.Question) {
	answer, err := p.Answer(p.At)
	b.Put(`<fieldset class="lesson-ask"><legend>{}</legend>`, q.Prompt)
	shown := p.Shown[p.At] == 1
	options := p.options()
	by := p.Placing && p.places(p.At)
	if by {
		p.placeHTML(b)
		options = nil
	}
	for i, v := range options {
		class, mark := "lesson-option", ""
		off := off(shown)
		switch {
		case p.Picked[p.At] == i:
			class += " picked"
			mark = "your answer"
		case !shown && p.tried(p.At, int64(i), -1):
			off, mark = ` disabled`, "tried"
		}
		figure := ""
		if shown && answer != nil {
			if i == answer.Right {
				class += " right"
				mark = map[bool]string{true: "right, your answer", false: "what happens"}[p.Picked[p.At] == i]
			}
			figure = p.figure(q, &answer.Options[i])
		}
		b.Put(`<button type="button" class="{}" data-pick="{}" aria-pressed="{}"{}><kbd>{}</kbd>{}<span class="lesson-what">{}</span><span class="lesson-figure">{}</span><em>{}</em></button>`, class, i, p.Picked[p.At] == i, off, i+1, p.small(i), p.option(p.At, v), figure, mark)
	}
	if p.Picked[p.At] == experiment.OwnTime && !by {
		b.Put(`<p class="lesson-option picked"><span></span><span class="lesson-what">{}</span><em>your answer</em></p>`, p.chosen(p.At))
	}
	b.Put(`</fieldset>{}{}`, p.missHTML(), p.triesHTML())
	if p.places(p.At) && !p.missed(p.At) {
		p.howHTML(b)
	}
	switch {
	case err != nil:
		b.Put(`<p class="fault-text" role="alert">This question cannot be asked: {}.</p>`, err.Error())
	case shown && answer != nil:
		said := ""
		if a := p.background(p.At); a != nil && q.Kind == experiment.AskApart {
			first, second := int(q.Scheduler), int(*q.Against)
			text, verdict := a.Gap(second, first, q.Of)
			said = catalog.FindMetric(q.Of).Name + ", " + a.Name(second) + " against " + a.Name(first) + ": " + text + ", " + verdict + ". "
		}
		b.Put(`<p class="lesson-after" role="status">{}</p>`, said+grade.Said(q, len(p.Lesson.Of(p.At).Schedulers), answer, p.background(p.At)))
	}
}

// option is what stands on an option.
func (p *Player) option(step int, v int64) string {
	q := p.Lesson.Steps[step].Ask
	switch {
	case q.Kind == experiment.AskTime:
		return "At " + words.Minutes(v)
	case q.Kind == experiment.AskJob:
		text := "Job " + words.Int(v)
		if a := p.background(step); a != nil {
			if i, ok := a.Index(v); ok {
				text += ": " + words.Count(int(a.Jobs[0].Procs[i]), "processor", "processors") + ", asks for " + words.Minutes(int64(a.Jobs[0].Limit[i]))
			}
		}
		return text
	case v < 0:
		return strings.ToUpper(report.VerdictUnknown[:1]) + report.VerdictUnknown[1:]
	}
	return result.ShortName(p.Lesson.Of(step), int(v))
}

// figure says what an option came to.
func (p *Player) figure(q *experiment.Question, o *grade.Outcome) string {
	if !o.Known || q.Kind == experiment.AskTime {
		return ""
	}
	row := catalog.FindMetric(q.Of)
	switch {
	case row != nil:
		return result.ValueText(row, o.Figure)
	case q.Against != nil:
		if o.Figure == 0 {
			return "no change"
		}
		return words.Signed(o.Figure, func(v float64) string { return words.Minutes(int64(v)) })
	}
	return words.Minutes(int64(o.Figure))
}

// end is the last page: what was answered, and how to hand it in.
func (p *Player) end(b *draw.Writer) {
	steps := p.questions()
	right, known := 0, 0
	rows := draw.Markup("")
	for _, i := range steps {
		q := p.Lesson.Steps[i].Ask
		a, err := p.Answer(i)
		mine, theirs, mark := "not answered", "", "–"
		if c := p.chosen(i); p.Shown[i] == 1 && c != "" {
			mine = c
		}
		switch {
		case err != nil:
			theirs = err.Error()
		case a == nil:
			theirs = "being computed"
		default:
			known++
			theirs = p.option(i, a.Options[a.Right].Value)
			if mark = "differs"; p.Shown[i] == 0 {
				mark = "–"
			} else if p.Picked[i] == a.Right {
				mark = "right"
				if n := len(p.misses(i)); n > 0 {
					mark = fmt.Sprintf("right at try %d", n+1)
				}
				right++
			}
		}
		rows += draw.HTML(`<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>`, i+1, q.Prompt, mine, theirs, mark)
	}
	said := fmt.Sprintf("%d of %d agree with what the laboratory computed.", right, len(steps))
	if known < len(steps) {
		said = "The laboratory computes the answers …"
	}
	b.Add(`<p class="lesson-text" id="lesson-text" tabindex="-1">`)
	if p.Name != "" {
		b.Put(`<b>{}:</b> `, p.Name)
	}
	b.Put(`{}</p><div class="lesson-table" tabindex="0" role="region" aria-label="Answers"><table class="numbers"><thead><tr><th>Step</th><th>Question</th><th>Answer</th><th>What happens</th><th></th></tr></thead><tbody>{}</tbody></table></div>`, said, rows)
	if p.Sent {
		b.Add(`<p class="faint">The choices come from the link and are judged here again. The link's checksum shows that it was not damaged on its way; it does not show who made it.</p>`)
	}
}

// HandIn is the part of the last page with which a reader hands answers in.
func HandIn(p *Player) draw.Markup {
	fixed, seal := draw.Markup(""), "It is not signed: it does not prove who answered."
	if p.Given != nil && p.Given.Personal() {
		fixed = draw.HTML(` readonly value="{}"`, p.Name)
	}
	if p.Given != nil && p.Given.Seal != "" {
		seal = "Each answer was sealed when it was made: your lecturer can see whether one was changed later. It does not prove who answered."
	}
	if p.Begun > 0 {
		seal += " It says that the lesson was begun again, and how often."
	}
	return draw.HTML(`<div class="lesson-hand"><label>Name, if your lecturer wants it <input class="input" id="lesson-name" maxlength="60" autocomplete="off"{}></label><button type="button" class="btn" data-do="copy">Copy the answers as a link</button><button type="button" class="btn" data-do="again">Begin again</button><span class="faint" id="lesson-said" role="status"></span></div><p class="faint">The link holds what you chose, and leaves the browser only when you send it. Whoever opens it sees them judged again. {}</p>`, fixed,

		seal)
}

// PictureHTML is what stands beside the text, so many pixels wide.
func (p *Player) PictureHTML(width float64) draw.Markup {
	step := min(p.At, len(p.Lesson.Steps)-1)
	a := p.background(step)
	e := p.Lesson.Of(step)
	switch {
	case a == nil || !a.Ready() && a.Error == "":
		return draw.HTML(`<p class="soft" role="status">Running {} …</p>`, words.Count(len(e.Schedulers), "scheduler", "schedulers"))
	case a.Error != "":
		return draw.HTML(`<p class="fault-text" role="alert">{}</p>`, a.Error)
	}
	s := &p.Lesson.Steps[step]
	if s.Look.View == "overview" {
		return p.measures(a, step)
	}
	if p.open(step) && s.Look.At == nil {
		return jobsHTML(a)
	}
	return p.board(a, s, step, width)
}

// board draws the schedule of the step. Until the question is answered it shows
// nothing later than the instant.
func (p *Player) board(a *result.Background, s *experiment.Step, step int, width float64) draw.Markup {
	shown := s.Ask == nil || p.Shown[step] == 1
	at := (*model.Time)(nil)
	if s.Look.At != nil {
		t := model.Time(*s.Look.At)
		at = &t
	}
	job := -1
	if s.Look.Job != nil {
		if i, ok := a.Index(*s.Look.Job); ok {
			job = i
		}
	}
	var b draw.Writer
	one := func(scheduler int, at *model.Time) {
		r := a.Shown(scheduler)
		if r == nil {
			return
		}
		board := instant.Board{Jobs: a.Jobs[0], Run: &r.Columns, Processors: r.Processors, At: at, Before: !shown && s.Ask.Of == "start", Job: job, Name: a.Name(scheduler), Until: a.Until()}
		b.Put(`<figure class="lesson-board"><figcaption><b>{}</b>`, board.Name)
		if at == nil {
			b.Add(` <span class="soft">the whole schedule</span>`)
		}
		b.Put(`</figcaption>{}`, p.picture(&board, a, scheduler, step, width))
		if list := board.Waiting(); at != nil {
			b.Add(`<p class="lesson-queue"><b>Waiting</b> `)
			if len(list) == 0 {
				b.Add(`<span class="soft">nobody</span>`)
			}
			for k, i := range list {
				if k == 8 {
					b.Put(`<span class="soft">and {} more</span>`, len(list)-k)
					break
				}
				b.Put(`<span class="lesson-waits{}">Job {}: {}, asks for {}</span>`, map[bool]string{true: " here"}[i == job], a.Jobs[0].Number[i],
					words.Count(int(a.Jobs[0].Procs[i]), "processor", "processors"), words.Minutes(int64(a.Jobs[0].Limit[i])))
			}
			b.Add(`</p>`)
		}
		b.Add(`</figure>`)
	}
	main := int(s.Look.Scheduler)
	if at != nil && shown && s.Ask != nil { // the reveal
		if s.Ask.Kind != experiment.AskScheduler && s.Ask.Against == nil {
			one(main, p.until(step, *at))
			return b.Markup()
		}
		at = nil // whole schedules beside each other
	}
	one(main, at)
	if at == nil {
		for i := range a.Ran.Schedulers {
			if i != main && i < 3 {
				one(i, nil)
			}
		}
	}
	return b.Markup()
}

// until is the instant to which the reveal of a step goes on from at: that of the
// time that was asked for, since what comes later may be the next question; nil:
// the whole schedule.
func (p *Player) until(step int, at model.Time) *model.Time {
	q := p.Lesson.Steps[step].Ask
	answer, err := p.Answer(step)
	if err != nil || answer == nil || q.Kind != experiment.AskTime || q.Of == "wait" || q.Scheduler != p.Lesson.Steps[step].Look.Scheduler {
		return nil
	}
	t := max(at, model.Time(answer.Options[answer.Right].Value))
	return &t
}

// shownMeasures stand beside the text where an experiment has many jobs.
var shownMeasures = []string{"mean-wait", "mean-bounded-slowdown", "max-wait", "makespan", "utilization", "complaints"}

// measures is a table of what came out, without what is still asked for: of this
// step, and of later ones beside the same experiment.
func (p *Player) measures(a *result.Background, step int) draw.Markup {
	var b draw.Writer
	asked := map[string]bool{}
	for _, i := range p.questions() {
		if q := p.Lesson.Steps[i].Ask; p.Shown[i] == 0 && p.background(i) == a {
			asked[q.Of] = true
		}
	}
	asked["utilization"] = asked["utilization"] || asked["makespan"] // which is the same work, divided by it
	cell := func(key, text string) {
		switch {
		case asked[key]:
			text = "?"
		case text == "":
			text = "–"
		}
		b.Put(`<td>{}</td>`, text)
	}
	n := len(a.RunsOf(0))
	gap := n > 1 && len(a.Ran.Schedulers) == 2
	b.Add(`<div class="lesson-table"><table class="numbers"><thead><tr><th></th>`)
	for i := range a.Ran.Schedulers {
		b.Put(`<th>{}</th>`, a.Name(i))
	}
	if gap {
		b.Put(`<th>{} against {}</th>`, a.Name(1), a.Name(0))
	}
	b.Add(`</tr></thead><tbody>`)
	for _, key := range shownMeasures {
		row := catalog.FindMetric(key)
		if _, ok := a.Measure(0, key); !ok || row == nil {
			continue
		}
		b.Put(`<tr><th>{}</th>`, row.Name)
		for i := range a.Ran.Schedulers {
			text := ""
			if v, ok := a.Measure(i, key); ok {
				text = result.ValueText(row, v)
			}
			cell(key, text)
		}
		if gap {
			text, verdict := a.Gap(1, 0, key)
			cell(key, text+": "+verdict)
		}
		b.Add(`</tr>`)
	}
	b.Put(`</tbody></table></div><p class="faint">{}`, words.Count(len(a.Jobs[0].Number), "job", "jobs"))
	switch d := a.Shown(0).Draws; {
	case n == 1:
		b.Add(`, one workload: no interval`)
	case d != nil && d.By == report.ByPhases:
		b.Put(`, {}`, draw.BandOver(n))
	default:
		b.Put(` each in {}, with 95{}% intervals of the differences`, words.Count(n, "workload", "workloads"), words.NB)
	}
	b.Add(`</p>`)
	return b.Markup()
}
