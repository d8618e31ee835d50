package lesson

import (
	"fmt"
	"slices"
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/tell"
	"batchlab/ui/draw"
	"batchlab/ui/instant"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// A wrong answer says what it would break, and may be followed by another one; each is
// counted.

// question is which question of the lesson that of a step is, from 0.
func (p *Player) question(step int) int64 { return int64(slices.Index(p.questions(), step)) }

// misses are the wrong answers to a step's question after which another was, or may be,
// given.
func (p *Player) misses(step int) (list []experiment.Miss) {
	k := p.question(step)
	for _, m := range p.Missed {
		if m.Question == k {
			list = append(list, m)
		}
	}
	return list
}

// tries is how many answers a question takes before it shows what happens.
func (p *Player) tries() int {
	if p.Given == nil || p.Given.Tries == 0 {
		return experiment.MostTries
	}
	return int(p.Given.Tries)
}

// missed reports whether what is chosen at a step was just said to be wrong.
func (p *Player) missed(step int) bool {
	list := p.misses(step)
	if len(list) == 0 || !p.open(step) {
		return false
	}
	if p.fresh() { // the same option may come again, with other numbers
		return p.Waits
	}
	m := list[len(list)-1]
	return int(m.Choice) == p.Picked[step] && m.Time == p.Times[step]
}

// tried reports whether a choice was said to be wrong before.
func (p *Player) tried(step int, choice, time int64) bool {
	return !p.fresh() && slices.ContainsFunc(p.misses(step), func(m experiment.Miss) bool { return m.Choice == choice && m.Time == time })
}

// miss takes the wrong answer to the question on show, and reports whether another one
// may follow: not where the tries are over, nor where one option is left.
func (p *Player) miss() bool {
	list := p.misses(p.At)
	left := len(p.options())
	for _, m := range append(list, experiment.Miss{Choice: int64(p.Picked[p.At])}) {
		if m.Choice != experiment.OwnTime && !p.fresh() {
			left--
		}
	}
	if len(list)+1 >= p.tries() || left < 2 {
		return false
	}
	p.Missed = append(p.Missed, experiment.Miss{Question: p.question(p.At), Choice: int64(p.Picked[p.At]), Time: p.Times[p.At]})
	p.Waits = true
	return true
}

// Retry lets the reader answer once more.
func (p *Player) Retry() {
	if p.Open() && p.missed(p.At) {
		p.Picked[p.At], p.Times[p.At], p.Waits = -1, -1, false
		p.deal()
	}
}

// wrong reports whether an answer that was shown at a step is not the right one.
func (p *Player) wrong(step int) bool {
	a, _ := p.Answer(step)
	return a != nil && p.Shown[step] == 1 && p.Picked[step] != a.Right
}

// missHTML says of a wrong answer what it would break; "" where the answer is right or
// not shown.
func (p *Player) missHTML() draw.Markup {
	if !p.missed(p.At) && !p.wrong(p.At) {
		return ""
	}
	text, _ := p.broken(p.At)
	if text == "" {
		text = "That is not what happens."
	}
	said := p.chosen(p.At)
	if p.Step().Ask.Kind == experiment.AskTime {
		said = strings.ToLower(said[:1]) + said[1:]
	}
	return draw.HTML(`<div class="lesson-broke" role="status"><p><span class="lesson-chip">You said {}</span></p><p>{}</p></div>`, said, text)
}

// triesHTML says which try it is, where there may be several and one has been made, or
// they are few.
func (p *Player) triesHTML() draw.Markup {
	n := len(p.misses(p.At)) + 1
	switch {
	case p.missed(p.At):
		n--
	case !p.Open():
		return ""
	}
	other := ""
	if p.fresh() && n > 1 {
		other = ", with other numbers"
	}
	switch {
	case p.tries() < experiment.MostTries && p.tries() > 1:
		return draw.HTML(`<p class="faint">Try {} of {}{}</p>`, n, p.tries(), other)
	case n > 1:
		return draw.HTML(`<p class="faint">Try {}{}</p>`, n, other)
	}
	return ""
}

// broken says what would come of the wrong answer to a step's question: in words, and
// as the decision that shows it in the picture, nil where there is none.
func (p *Player) broken(step int) (string, *tell.Decision) {
	s, a := &p.Lesson.Steps[step], p.background(step)
	q := s.Ask
	answer, _ := p.Answer(step)
	switch {
	case answer == nil:
		return "", nil
	case q.Kind != experiment.AskTime:
		if n := p.Picked[step]; n >= 0 && n < len(answer.Options) {
			if text := p.figure(q, &answer.Options[n]); text != "" {
				return "That comes to " + text + ", which is not the " + map[bool]string{true: "most.", false: "least."}[q.Most], nil
			}
		}
		return "", nil
	case q.Of != "start" || s.Look.At == nil || q.Scheduler != s.Look.Scheduler:
		return "", nil
	}
	job, ok := a.Index(*q.Job)
	now := a.Step(int(q.Scheduler), model.Time(*s.Look.At))
	if !ok || now == nil {
		return "", nil
	}
	w := start{a: a, scheduler: int(q.Scheduler), job: job, step: instant.After(now, model.Time(*s.Look.At)), at: model.Time(p.said(step))}
	return w.breaks(model.Time(answer.Options[answer.Right].Value))
}

// start is a start that somebody says a job has.
type start struct {
	a              *result.Background
	scheduler, job int
	step           *tell.Step // the instant at which it was asked for
	at             model.Time
}

// breaks says what such a start would break, where the job really starts at right: too
// little is free, a promise or a planned start of another job, or its turn.
func (w *start) breaks(right model.Time) (string, *tell.Decision) {
	name, number := w.a.Name(w.scheduler), w.a.Jobs[0].Number[w.job]
	at := words.Minutes(int64(w.at))
	switch {
	case w.at < w.a.Jobs[0].Submit[w.job]:
		return fmt.Sprintf("Job %d has not come at %s.", number, at), nil
	case w.at > right:
		return fmt.Sprintf("Under %s job %d starts before %s: what it needs is free by then, and the rule lets the job have it.", name, number, at), nil
	case slices.ContainsFunc(w.step.Held, func(h tell.Held) bool { return int(h.Job) == w.job }):
		return fmt.Sprintf("Job %d is not eligible at %s: what it waits for has not come.", number, at), nil
	}
	if d := w.decided(); d != nil {
		return d.Sentence(instant.Minutes), d
	}
	if text, d := w.promise(); d != nil {
		return text, d
	}
	if text := w.full(); text != "" {
		return text, nil
	}
	for i := range w.step.Queue {
		switch q := &w.step.Queue[i]; {
		case int(q.Job) == w.job:
			return "", nil
		case w.a.Shown(w.scheduler).Columns.Start[q.Job] > w.at:
			return fmt.Sprintf("Then it would pass job %d, which stands before it and still waits: the rule of %s does not let it.", q.Number, name), nil
		}
	}
	return "", nil
}

// decided is what the scheduler decided about the job at the instant, where that start
// is the one that is asked about and the decision says why not; nil otherwise. Of the head it
// says no more than that it does not fit: its promise would be the answer.
func (w *start) decided() *tell.Decision {
	if w.at != w.step.Now {
		return nil
	}
	for _, d := range w.step.Decisions {
		if int(d.Job) != w.job {
			continue
		}
		switch d.Kind {
		case tell.Head:
			if d.Kind = d.Why; d.Kind == "" {
				d.Kind = tell.TooWide
			}
			d.Why, d.At, d.Until = "", model.Never, nil
			return &d
		case tell.TooWide, tell.Apart, tell.Delays, tell.Turn, tell.Licence, tell.Limit, tell.Kept, tell.Stops:
			return &d
		}
	}
	return nil
}

// promise is the first promised or planned start of another job at which, by requests,
// too little would be free beside the job: whose, and by how much it would be late.
func (w *start) promise() (string, *tell.Decision) {
	jobs := w.a.Jobs[0]
	end := w.at + jobs.Limit[w.job]
	var first *tell.Waiting
	for i := range w.step.Queue {
		q := &w.step.Queue[i]
		if int(q.Job) != w.job && q.At < model.Never && q.At >= w.at && q.At < end && (first == nil || q.At < first.At) && w.over(q) {
			first = q
		}
	}
	if first == nil {
		return "", nil
	}
	d := tell.Decide(tell.Delays, model.JobID(w.job))
	d.Number, d.Needs, d.Limit, d.Ends, d.At, d.Head, d.Late, d.Was = jobs.Number[w.job], jobs.Procs[w.job], jobs.Limit[w.job], end, first.At, first.Number, end-first.At, w.at
	has := "has a planned start"
	if w.step.Head == first.Job {
		has = "was promised its start"
	}
	return fmt.Sprintf("Then job %d could run until %s. But job %d, which needs %d, %s at %s: it would start %s late.",
		d.Number, words.Minutes(int64(end)), first.Number, first.Procs, has, words.Minutes(int64(first.At)), words.Minutes(int64(d.Late))), &d
}

// over reports whether, by requests, what runs and what is planned at the start of a
// waiting job leaves too little for it beside the job.
func (w *start) over(q *tell.Waiting) bool {
	needs := w.a.Jobs[0].Procs[w.job] + q.Procs
	for i := range w.step.Runs {
		if r := &w.step.Runs[i]; r.Until > q.At {
			needs += r.Procs
		}
	}
	for i := range w.step.Decisions {
		if d := &w.step.Decisions[i]; d.Kind.Begins() && d.Ends > q.At && int(d.Job) != w.job {
			needs += d.Needs
		}
	}
	for i := range w.step.Queue {
		if o := &w.step.Queue[i]; o.Job != q.Job && int(o.Job) != w.job && !o.Kind.Begins() && o.At <= q.At && o.At+o.Limit > q.At {
			needs += o.Procs
		}
	}
	return needs > w.step.Procs
}

// full says that too little is free at the time, as the run went, or will be while the
// job may run; "" where it is not so.
func (w *start) full() string {
	r := w.a.Shown(w.scheduler)
	free, by := int32(r.Processors), []string{}
	for i, from := range r.Columns.Start {
		if i != w.job && from >= 0 && from <= w.at && r.Columns.End[i] > w.at {
			free -= w.a.Jobs[0].Procs[i]
			by = append(by, words.Int(w.a.Jobs[0].Number[i]))
		}
	}
	needs, end := w.a.Jobs[0].Procs[w.job], w.at+w.a.Jobs[0].Limit[w.job]
	for i := range r.Columns.Away {
		switch b := &r.Columns.Away[i]; {
		case b.From <= w.at && b.To > w.at:
			free -= b.Count
		case b.From > w.at && b.From < end && int32(r.Processors)-b.Count < needs:
			return fmt.Sprintf("Then job %d could run until %s, and from %s on %s not there for it.", w.a.Jobs[0].Number[w.job], words.Minutes(int64(end)), words.Minutes(int64(b.From)), words.Count(b.Count, "processor is", "processors are"))
		}
	}
	if free >= needs || len(by) == 0 {
		return ""
	}
	jobs := "job " + by[0]
	if n := min(len(by), 4); n > 1 {
		jobs = "jobs " + strings.Join(by[:n-1], ", ") + " and " + by[n-1]
	}
	are := "no processor is"
	if free > 0 {
		are = words.Count(free, "processor is", "processors are")
	}
	return fmt.Sprintf("At %s %s free, and job %d needs %d: %s %s then.", words.Minutes(int64(w.at)), are, w.a.Jobs[0].Number[w.job], needs,
		jobs, map[bool]string{true: "run", false: "runs"}[len(by) > 1])
}
