package instant

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/tell"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Words say times as the clock of the day of an instant does, others with their
// day, and spans exactly.
func Words(c draw.Clock, now model.Time) *tell.Words {
	return &tell.Words{Span: tell.Span, Time: func(t model.Time) string {
		text := c.Hour(t)
		if s := ((c.Local(t) % 60) + 60) % 60; s != 0 {
			text += ":" + draw.Pad2(s)
		}
		if c.Day(t) != c.Day(now) {
			text = strings.ReplaceAll(c.ShortDay(t), words.NB, " ") + " " + text
		}
		return text
	}}
}

// DayAmong is the day of an instant, "" where a workload has no other: a time of
// day alone says where one is in a case of an afternoon, not in a log of a year.
func DayAmong(c draw.Clock, now, first, last model.Time) string {
	if c.Day(first) == c.Day(last) && c.Day(now) == c.Day(first) {
		return ""
	}
	return c.ShortDay(now)
}

// clockTime reads 14:40 or 14:40:05, as seconds from midnight.
func clockTime(text string) (seconds int64, ok bool) {
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	for i, most := range [...]int{23, 59, 59} {
		n := 0
		if i < len(parts) {
			var err error
			if n, err = strconv.Atoi(parts[i]); err != nil || n < 0 || n > most || len(parts[i]) > 2 || i > 0 && len(parts[i]) != 2 {
				return 0, false
			}
		}
		seconds = 60*seconds + int64(n)
	}
	return seconds, true
}

// Legend says what is drawn how.
func Legend(s *Scene) draw.Markup {
	text := draw.Markup(`<span class="step-lg"><i class="e"></i>ended</span><span class="step-lg"><i class="r"></i>runs, by request until</span><span class="step-lg hide-p"><i class="p"></i>promised or planned</span><span class="step-lg hide-p"><i class="o"></i>left over</span>`)
	if s.hatched() {
		text += `<span class="step-lg"><i class="h"></i>reserved or out of order</span>`
	}
	return text
}

// ParseJob reads the number of a job to go to: job 5, or #5.
func ParseJob(text string) (number int64, ok bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	rest, ok := strings.CutPrefix(text, "job")
	if !ok {
		rest, ok = strings.CutPrefix(text, "#")
	}
	number, err := strconv.ParseInt(strings.TrimSpace(rest), 10, 64)
	return number, ok && err == nil
}

// ParseTime reads a time to go to: 14:40 or 14:40:05 on the day of now, or a time
// since the beginning of the log, as durations are typed everywhere.
func ParseTime(text string, c draw.Clock, now model.Time) (model.Time, error) {
	text = strings.TrimSpace(text)
	if seconds, ok := clockTime(text); ok {
		local := c.Local(now)
		return now + model.Time(seconds-((local%draw.Day)+draw.Day)%draw.Day), nil
	}
	if strings.Contains(text, ":") {
		return 0, errors.New("14:40 is expected, or 14:40:05")
	}
	v, err := words.Seconds(text)
	if err != nil {
		return 0, errors.New("14:40 is expected, or a time since the beginning such as 2 h, or a job such as job 5")
	}
	return model.Time(v), nil
}

// bold writes a sentence with its subject in bold.
func bold(subject, sentence string) draw.Markup {
	if rest, ok := strings.CutPrefix(sentence, subject); ok && subject != "" {
		return draw.HTML(`<b>{}</b>{}`, subject, rest)
	}
	return draw.HTML(`{}`, sentence)
}

var newsIcons = map[string]draw.Markup{
	"ended": `<path d="M2 4h7v8H2zM13 3v10"/>`,
	"came":  `<path d="M8 2v8M5 7l3 3 3-3M3 13h10"/>`,
	"back":  `<path d="M12 5H5a3 3 0 000 6h4M9 2l3 3-3 3"/>`,
	"runs":  `<path d="M5 3l8 5-8 5z" fill="currentColor"/>`,
}

// NewsHTML says what has just happened.
func NewsHTML(s *tell.Step, w *tell.Words) draw.Markup {
	var b draw.Writer
	b.Add(`<ul>`)
	for _, n := range s.News(w) {
		b.Put(`<li><svg viewBox="0 0 16 16" aria-hidden="true">{}</svg><span>{}</span></li>`, newsIcons[n.What], bold(n.Subject, n.Subject+n.Rest))
	}
	for i := range s.Users {
		if i == 6 {
			b.Put(`<li class="mut"><span></span><span>and {} more users</span></li>`, len(s.Users)-i)
			break
		}
		b.Put(`<li class="sec"><svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="5" r="3"/><path d="M2 14c1-4 11-4 12 0"/></svg><span>{}</span></li>`, s.Users[i].Sentence(w))
	}
	return b.Markup() + "</ul>"
}

// Tag writes a verdict.
func Tag(text string, tone tell.Tone) draw.Markup {
	return draw.HTML(`<span class="bl-tag step-{}">{}</span>`, map[tell.Tone]string{tell.Plain: "plain", tell.Good: "good", tell.Bad: "bad", tell.Box: "box"}[tone], text)
}

// DecisionsHTML lists the decisions; those that have not been told yet stand there
// without what was decided.
func DecisionsHTML(s *tell.Step, reach, chosen int, w *tell.Words) draw.Markup {
	if len(s.Decisions) == 0 {
		if s.Waits > 0 {
			return `<p class="step-none mut">Nothing is decided here now.</p>`
		}
		return `<p class="step-none mut">Nobody waits: there is nothing to decide.</p>`
	}
	var b draw.Writer
	b.Add(`<ol>`)
	for i := range s.Decisions {
		d := &s.Decisions[i]
		class := draw.Markup("")
		if i >= reach {
			class = ` class="todo"`
		}
		current := draw.Markup("")
		if i == chosen {
			current = ` aria-current="true"`
		}
		b.Put(`<li><button type="button" data-d="{}" data-j="{}"{}{}><span class="n">{}</span><span class="t">`, i, int(d.Job+1), class, current, i+1)
		switch {
		case i == reach:
			b.Put(`{} comes next.`, d.Subject())
		case i > reach:
			b.Put(`{}: its turn is later.`, d.Subject())
		default:
			b.Add(bold(d.Subject(), d.Sentence(w)))
			text, tone := d.Verdict(w)
			b.Put(`<br>{}`, Tag(text, tone))
		}
		b.Add(`</span></button></li>`)
	}
	b.Add(`</ol>`)
	if s.Untold > 0 {
		b.Add(behind(s.Untold))
	}
	return b.Markup()
}

// QueueHTML lists the queue in the scheduler's order, with what has been told of
// each job.
func QueueHTML(s *tell.Step, reach, chosen int, w *tell.Words) draw.Markup {
	if len(s.Queue)+len(s.Held) == 0 {
		return `<p class="step-none mut">Nobody waits.</p>`
	}
	told := map[model.JobID]*tell.Decision{} // the last one
	open := map[model.JobID]bool{}
	for i := range s.Decisions {
		if i < reach {
			told[s.Decisions[i].Job] = &s.Decisions[i]
		} else {
			open[s.Decisions[i].Job] = true
		}
	}
	var terms []string
	for i := range s.Queue {
		if v := s.Queue[i].Value; v != nil {
			for _, t := range v.Terms {
				terms = append(terms, t.Name)
			}
			if len(v.Terms) != 1 {
				terms = append(terms, "value")
			}
			break
		}
	}
	var b draw.Writer
	b.Add(`<table><thead><tr><th class="hide-p"></th><th>job</th><th>asks for</th><th class="num hide-p">came</th><th class="num hide-p">has waited</th>`)
	for _, t := range terms {
		b.Put(`<th class="num hide-p">{}</th>`, t)
	}
	b.Add(`<th>state</th><th>because</th></tr></thead><tbody>`)
	for i := range s.Queue {
		q := &s.Queue[i]
		state, because, tone := q.Words(s, w)
		if d := told[q.Job]; open[q.Job] && d != nil { // more comes
			now := *q
			now.Kind, now.At, now.Was = d.Kind, d.At, d.Was
			state, because, tone = now.Words(s, w)
		} else if open[q.Job] {
			state, because, tone = "waits", "", tell.Plain
		}
		selected := draw.Markup("")
		if chosen >= 0 && chosen < len(s.Decisions) && s.Decisions[chosen].Job == q.Job {
			selected = ` aria-selected="true"`
		}
		waited := "just came"
		if q.Submit < s.Now {
			waited = w.Span(s.Now - q.Submit)
		}
		b.Put(`<tr data-j="{}"{}><td class="mut hide-p">{}</td><td><b>{}</b></td><td>{} × {}</td><td class="num hide-p">{}</td><td class="num hide-p">{}</td>`, int(q.Job+1), selected, i+1, q.Number, int(q.Procs), w.Span(q.Limit), w.Time(q.Submit), waited)
		for k, name := range terms {
			b.Put(`<td class="num hide-p">{}</td>`, value(q.Value, name, k))
		}
		b.Put(`<td>{}</td><td>{}</td></tr>`, Tag(state, tone), because)
	}
	for i := range s.Held {
		h := &s.Held[i]
		b.Put(`<tr class="held" data-j="{}"><td class="mut hide-p"></td><td><b>{}</b></td><td>{} × {}</td><td class="num hide-p">{}</td><td class="hide-p"></td>`, int(h.Job+1), h.Number, int(h.Procs), w.Span(h.Limit), w.Time(h.Submit))
		if len(terms) > 0 {
			b.Put(`<td class="hide-p" colspan="{}"></td>`, len(terms))
		}
		b.Put(`<td>{}</td><td>{}</td></tr>`, Tag("not eligible", tell.Box), tell.Fill(h.Text, w.Time))
	}
	b.Add(`</tbody></table>`)
	if n := s.Holds - len(s.Held); n > 0 {
		b.Put(`<p class="step-none mut">{} more are not eligible.</p>`, words.Int(n))
	}
	if text := from(s, chosen, w); text != "" {
		b.Put(`<p class="step-none mut">{}</p>`, text)
	}
	if n := s.Waits - len(s.Queue); n > 0 {
		b.Add(behind(n))
	}
	return b.Markup()
}

// behind says how many jobs are not listed.
//
//go:noinline
func behind(n int) draw.Markup {
	wait := " more wait"
	if n == 1 {
		wait += "s"
	}
	return draw.HTML(`<p class="step-none mut">{}{} behind them.</p>`, words.Int(n), wait)
}

// from says what the prediction of a job comes from: of the one that is decided
// about, or of the first that has any.
func from(s *tell.Step, chosen int, w *tell.Words) string {
	var of *tell.Waiting
	for i := range s.Queue {
		q := &s.Queue[i]
		if is := chosen >= 0 && chosen < len(s.Decisions) && s.Decisions[chosen].Job == q.Job; q.From != nil && (is || of == nil) {
			of = q
		}
	}
	if of == nil {
		return ""
	}
	return "The prediction of job " + strconv.FormatInt(of.Number, 10) + ", " + w.Span(of.From.Predicts) + ", " + draw.BasisWords(of.From, w.Span) + "."
}

// value writes a term of a job's value, or the sum.
func value(v *tell.Value, name string, k int) draw.Markup {
	switch {
	case v == nil:
		return ""
	case k < len(v.Terms) && v.Terms[k].Name == name:
		return draw.HTML(`{}`, score(v.Terms[k].Value))
	case k == len(v.Terms):
		return draw.HTML(`<b>{}</b>`, score(v.Sum))
	}
	return ""
}

// score writes a value with about four digits, and all of what is before the point.
func score(x float64) string {
	if size := math.Abs(x); size >= 1000 && size < 1e12 {
		return words.Number(x, 0)
	}
	return strings.Replace(strconv.FormatFloat(x, 'g', 4, 64), "-", words.Minus, 1)
}

// Spoken is what is read out at a step: the time, then the sentence.
func Spoken(s *tell.Step, chosen int, w *tell.Words) string {
	text := w.Time(s.Now) + ". "
	if chosen >= 0 && chosen < len(s.Decisions) {
		return text + s.Decisions[chosen].Sentence(w)
	}
	for _, n := range s.News(w) {
		text += n.Subject + n.Rest + " "
	}
	return strings.TrimSpace(text)
}

// Difference returns the first time after now, or the last before it, at which a job
// starts under one of two runs and not under the other, with the numbers of the jobs
// that differ then; ok is false where there is none.
func Difference(a, b []model.Time, numbers []int64, now model.Time, by int) (at model.Time, jobs []int64, ok bool) {
	for j := range a {
		if j >= len(b) || a[j] == b[j] {
			continue
		}
		t := a[j]
		if t < 0 || b[j] >= 0 && b[j] < t {
			t = b[j]
		}
		if by > 0 && t <= now || by < 0 && t >= now {
			continue
		}
		switch {
		case !ok || by > 0 && t < at || by < 0 && t > at:
			at, ok, jobs = t, true, jobs[:0]
			fallthrough
		case t == at:
			if len(jobs) < 12 && j < len(numbers) {
				jobs = append(jobs, numbers[j])
			}
		}
	}
	return at, jobs, ok
}

// Late returns the numbers of the jobs that start at a time under one of two runs and
// have started earlier under the other.
func Late(a, b []model.Time, numbers []int64, at model.Time) (jobs []int64) {
	for j := range min(len(a), len(b), len(numbers)) {
		if a[j] != b[j] && (a[j] == at && b[j] >= 0 && b[j] < at || b[j] == at && a[j] >= 0 && a[j] < at) {
			jobs = append(jobs, numbers[j])
		}
	}
	return jobs
}

// After is an instant of a run as it stands at a later time, before the next one:
// what started runs, and nothing is decided. At its own time it is the instant.
func After(s *tell.Step, at model.Time) *tell.Step {
	if at == s.Now {
		return s
	}
	later := *s
	later.Index = -1
	later.Now, later.Decisions, later.Untold, later.Starts = at, nil, 0, 0
	later.Ended, later.Came, later.Back, later.Arrived = nil, nil, nil, 0
	later.Queue, later.Runs = nil, slices.Clone(s.Runs)
	ends := map[model.JobID]model.Time{}
	for i := range s.Decisions {
		if d := &s.Decisions[i]; d.Kind.Begins() {
			ends[d.Job] = d.Ends
		}
	}
	later.Busy += len(ends)
	later.Free, later.Waits = Left(s)
	for _, q := range s.Queue {
		if until, began := ends[q.Job]; began {
			later.Runs = append(later.Runs, tell.Running{Job: q.Job, Number: q.Number, Procs: q.Procs, Start: s.Now, Until: until})
		} else {
			later.Queue = append(later.Queue, q)
		}
	}
	order.Stable(later.Runs, func(a, b tell.Running) int { return cmp.Compare(a.Until, b.Until) })
	return &later
}

// Left returns how many processors are free and how many jobs wait once all is done
// that was decided at an instant. A reservation that begins may run already.
func Left(s *tell.Step) (free int32, waits int) {
	free, waits = s.Free, s.Waits
	for i := range s.Decisions {
		d := &s.Decisions[i]
		if !d.Kind.Begins() {
			continue
		}
		if d.Kind != tell.Books {
			waits--
		}
		needs := d.Needs
		for k := range s.Runs {
			if s.Runs[k].Job == d.Job {
				needs = 0
			}
		}
		free -= needs
	}
	return free, waits
}

// Between says how two runs differ at an instant, each by its own step.
func Between(s *tell.Step) string {
	var starts []string
	for i := range s.Decisions {
		if d := &s.Decisions[i]; d.Kind.Begins() {
			starts = append(starts, strconv.FormatInt(d.Number, 10))
		}
	}
	switch n := len(starts); {
	case n == 0:
		return "starts none"
	case n > 6:
		return fmt.Sprintf("starts %d jobs", n)
	case n > 1:
		return "starts " + strings.Join(starts[:n-1], ", ") + " and " + starts[n-1]
	}
	return "starts " + starts[0]
}
