package lesson

import (
	"fmt"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/draw"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// What the page shows on which a lesson is written.

// writeHead stands above it.
const writeHead draw.Markup = `<nav class="lesson-top"><button type="button" class="link-button" data-do="list">All lessons</button><button type="button" class="link-button" data-do="class">Hand out a lesson</button><button type="button" class="link-button" data-do="mark">Mark answers</button></nav><header class="lesson-head"><h2>Write a lesson</h2><p class="soft">Walk through a run, and ask where it is interesting. You write no answers: the run gives them.</p></header>`

// form writes labelled fields.
type form struct{ draw.Writer }

func (b *form) field(key, name, value, hint string) {
	b.Put(`<label>{} <input class="input" id="write-{}" data-w="{}" data-value="{}" placeholder="{}" autocomplete="off"></label>`, name, strings.ReplaceAll(key, ".", "-"), key, value, hint)
}

func (b *form) area(key, name, value string, rows int) {
	b.Put(`<label>{} <textarea class="input" id="write-{}" data-w="{}" rows="{}" data-value="{}"></textarea></label>`, name, key, key, rows, value)
}

func (b *form) choose(key, name, value string, list [][2]string) {
	b.Put(`<label>{} <select class="input" id="write-{}" data-w="{}" data-value="{}">`, name, strings.ReplaceAll(key, ".", "-"), key, value)
	for _, o := range list {
		b.Put(`<option value="{}">{}</option>`, o[0], o[1])
	}
	b.Add(`</select></label>`)
}

// text is a number in its unit, "" where there is none.
func text(p *int64, unit float64) string {
	if p == nil {
		return ""
	}
	return strconv.FormatFloat(float64(*p)/unit, 'f', -1, 64)
}

// FormHTML are the fields of the lesson and of the step on show.
func (w *Writing) FormHTML() draw.Markup {
	var b form
	b.Add(`<div class="lesson-form">`)
	b.field("title", "Title", w.Lesson.Title, "")
	b.field("summary", "Summary", w.Lesson.Summary, "one sentence for the list")
	b.Add(`</div><nav class="lesson-steps" aria-label="Steps">`)
	for i := range w.Lesson.Steps {
		ask, here := draw.Markup(""), draw.Markup("")
		if w.Lesson.Steps[i].Ask != nil {
			ask = `<span aria-label=", asks a question"> ?</span>`
		}
		if i == w.At {
			here = ` aria-current="step"`
		}
		b.Put(`<button type="button" class="btn" data-step="{}"{}>Step {}{}</button>`, i+1, here, i+1, ask)
	}
	last := len(w.Lesson.Steps) - 1
	b.Put(`<button type="button" class="btn" data-do="add-step"{}>Add a step</button></nav><div class="lesson-steps">`, off(last+1 == experiment.MaxSteps))
	b.Put(`<button type="button" class="link-button" data-do="step-earlier"{}>Move it forward</button><button type="button" class="link-button" data-do="step-later"{}>Move it back</button><button type="button" class="link-button" data-do="remove-step"{}>Remove this step</button></div><div class="lesson-form">`, off(w.At == 0), off(w.At == last), off(last == 0))
	s := w.Step()
	b.area("text", "Text", s.Text, 4)
	w.source(&b, s)
	b.choose("look.view", "Beside it", orElse(s.Look.View, "schedule"), [][2]string{{"schedule", "the schedule"}, {"overview", "measures, for many jobs"}})
	if e := w.Lesson.Of(w.At); e != nil && s.Look.View != "overview" {
		b.choose("look.scheduler", "Scheduler", strconv.FormatInt(s.Look.Scheduler, 10), schedulers(e))
		w.jobs(&b, "look.job", "Job outlined", s.Look.Job, "none")
	}
	kind := noAsking
	if s.Ask != nil {
		kind = s.Ask.Kind
	}
	b.choose("kind", "Question", kind, [][2]string{{noAsking, "none"}, {experiment.AskTime, "when a job starts or ends"}, {experiment.AskJob, "which job"}, {experiment.AskScheduler, "which scheduler"}, {experiment.AskApart, "whether two schedulers differ"}})
	if s.Ask != nil {
		w.question(&b, s.Ask)
	}
	b.Add(`</div>`)
	if d := w.Lesson.Draw; d != nil {
		b.Put(`<p class="faint">This lesson has other numbers by a seed, written in its file: {}. <button type="button" class="link-button" data-do="no-draw">Leave them out</button></p>`, words.Count(len(d.Set), "place", "places"))
	}
	return b.Markup()
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// source chooses what machine and jobs stand beside a step.
func (w *Writing) source(b *form, s *experiment.Step) {
	var list [][2]string
	from := s.Case
	if w.At > 0 {
		list = append(list, [2]string{"", "as in the step before"})
	}
	if s.Experiment != nil {
		from = fromOwn
		list = append(list, [2]string{fromOwn, "taken from the laboratory"})
	}
	list = append(list, [2]string{fromLab, "take those of the laboratory now"})
	for i := range catalog.Cases {
		list = append(list, [2]string{catalog.Cases[i].Key, "case: " + catalog.Cases[i].Name})
	}
	b.choose("from", "Machine and jobs", from, list)
}

func schedulers(e *experiment.Experiment) (list [][2]string) {
	for i := range e.Schedulers {
		list = append(list, [2]string{strconv.Itoa(i), result.ShortName(e, i)})
	}
	return list
}

// mostListed jobs stand in a menu; of more the number is typed.
const mostListed = 60

// jobs chooses a job.
func (w *Writing) jobs(b *form, key, name string, value *int64, none string) {
	a := w.background()
	if a == nil || a.Jobs[0] == nil || len(a.Jobs[0].Number) > mostListed {
		b.field(key, name, text(value, 1), "number of a job")
		return
	}
	list := [][2]string{{"", none}}
	for i, n := range a.Jobs[0].Number {
		list = append(list, [2]string{strconv.FormatInt(n, 10), fmt.Sprintf("job %d: %s, asks for %s", n, words.Count(int(a.Jobs[0].Procs[i]), "processor", "processors"), words.Minutes(int64(a.Jobs[0].Limit[i])))})
	}
	b.choose(key, name, text(value, 1), list)
}

// question are the fields of a question.
func (w *Writing) question(b *form, q *experiment.Question) {
	b.area("prompt", "In words", q.Prompt, 2)
	of := [][2]string{{"start", "its start"}, {"end", "its end"}}
	switch q.Kind {
	case experiment.AskJob:
		of = append(of, [2]string{"wait", "its wait"})
	case experiment.AskScheduler, experiment.AskApart:
		if of = nil; q.Kind == experiment.AskScheduler {
			of = [][2]string{{"start", "start of a job"}, {"end", "end of a job"}, {"wait", "wait of a job"}}
		}
		for i := range catalog.Metrics {
			if m := &catalog.Metrics[i]; m.Needs == "" && m.Same == "" {
				of = append(of, [2]string{m.Key, m.Name})
			}
		}
	}
	b.choose("of", "About", q.Of, of)
	e := w.Lesson.Of(w.At)
	if e != nil && q.Kind != experiment.AskScheduler {
		b.choose("scheduler", "Under", strconv.FormatInt(q.Scheduler, 10), schedulers(e))
	}
	if e != nil && q.Kind == experiment.AskApart {
		b.choose("against", "Against", text(q.Against, 1), schedulers(e))
	}
	if q.Kind == experiment.AskTime || q.Kind == experiment.AskScheduler && catalog.FindMetric(q.Of) == nil {
		w.jobs(b, "job", "Job", q.Job, "choose one")
	}
	if q.Kind != experiment.AskTime {
		b.choose("most", "Asked for", strconv.FormatBool(q.Most), [][2]string{{"false", "the least"}, {"true", "the most"}})
	}
	if q.Kind == experiment.AskTime || q.Kind == experiment.AskJob {
		var options []string
		for _, v := range q.Options {
			options = append(options, text(&v, w.unit()))
		}
		b.field("options", map[bool]string{true: "Options, in min", false: "Options, jobs"}[w.unit() == 60], strings.Join(options, ", "), "two to six, with commas")
	}
	b.Put(`<p class="lesson-known" id="write-known" role="status">{}</p>`, w.Known())
	b.area("after", "Said afterwards", q.After, 2)
}

// SideHTML stands beside the form: the run at the step, and the way through it.
func (w *Writing) SideHTML(width float64) draw.Markup {
	s := w.Step()
	if w.Lesson.Of(w.At) == nil {
		return `<p class="soft">Choose a machine and jobs.</p>`
	}
	head := draw.Markup("")
	if s.Look.View != "overview" {
		at := "the whole schedule"
		if s.Look.At != nil {
			at = "time stands still at " + words.Minutes(*s.Look.At)
		}
		ready := off(len(w.Instants()) == 0)
		head = draw.HTML(`<p class="lesson-walk"><button type="button" class="btn" data-do="walk-back"{}>‹ Earlier</button> <button type="button" class="btn" data-do="walk-on"{}>Later ›</button> <button type="button" class="btn" data-do="walk-all"{}>Whole schedule</button> <span role="status">{}</span> <button type="button" class="btn" data-do="ask-here"{}>Ask here</button></p>`, ready, ready, off(s.Look.At == nil), at,
			off(s.Look.At == nil || s.Ask != nil))
	}
	return head + w.Board().PictureHTML(width)
}

// AskHere asks at this instant when the job starts that is outlined, or the first that
// waits.
func (w *Writing) AskHere() {
	a, s := w.background(), w.Step()
	if a == nil || s.Look.At == nil || a.Jobs[0] == nil {
		return
	}
	if s.Look.Job == nil {
		for _, n := range a.Jobs[0].Number {
			if submit, start, _, ok := a.Job(int(s.Look.Scheduler), n); ok && int64(submit) <= *s.Look.At && int64(start) >= *s.Look.At {
				s.Look.Job = &n
				break
			}
		}
	}
	w.ask(experiment.AskTime)
}

// StateHTML says what is wrong with the lesson, how far its questions are tried, and what
// the laboratory answers; with nothing wrong it can be handed on.
func (w *Writing) StateHTML(p *Player, err error, left int, faults []string) draw.Markup {
	list := func(head string, faults []string) draw.Markup {
		return draw.HTML(`<div class="fault-text" role="alert"><p>{}</p><ul>{}</ul></div>`, head, lines(faults))
	}
	switch {
	case err != nil:
		var lines []string
		for _, f := range experiment.Faults(err) {
			lines = append(lines, inWords(f.Path)+f.Message)
		}
		return list("To put right:", lines)
	case left > 0:
		return draw.HTML(`<p class="soft" role="status">Trying the questions: {} still to run …</p>`, words.Count(left, "experiment", "experiments"))
	case len(faults) > 0:
		return list("The run does not decide every question:", faults)
	}
	said := draw.Markup("No question yet: it can be read, and asks nothing.")
	if steps := p.questions(); len(steps) > 0 {
		said = "<b>Every question has one answer.</b>"
		for _, i := range steps {
			if a, _ := p.Answer(i); a != nil {
				said += draw.HTML(` Step {}: {}.`, i+1, p.option(i, a.Options[a.Right].Value))
			}
		}
	}
	return `<p class="lesson-proof" role="status">` + said + `</p><p class="lesson-steps"><button type="button" class="btn primary" data-do="write-out">Hand it out</button><button type="button" class="btn" data-do="write-read">Read it</button><button type="button" class="btn" data-do="write-link">Copy a link</button><button type="button" class="btn" data-do="write-file">Save as a file</button><span class="faint" id="write-said" role="status"></span></p>`
}

// inWords is the place of a fault as the form names it: "Step 2, ask.options: ".
func inWords(path string) string {
	rest, ok := strings.CutPrefix(path, "steps[")
	number, key, closed := strings.Cut(rest, "]")
	n, err := strconv.Atoi(number)
	if !ok || !closed || err != nil {
		if path == "" {
			return ""
		}
		return path + ": "
	}
	text := fmt.Sprintf("Step %d", n+1)
	if key = strings.TrimPrefix(key, "."); key != "" {
		for _, name := range [][2]string{{"ask.prompt", "the question in words"}, {"ask.options", "options"}, {"ask.job", "job"}, {"ask.after", "what is said afterwards"}, {"ask", "question"}, {"text", "text"}} {
			if key == name[0] {
				key = name[1]
			}
		}
		text += ", " + key
	}
	return text + ": "
}
