package gantt

import (
	"slices"
	"strconv"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Subject is a run as the card of a job sees it.
type Subject struct {
	Title string // "B Conservative"
	Cols  *report.Columns
	Site  *report.Site  // for names of licences, nil unknown
	Notes []report.Note // what a program has said of jobs, in order
	Basis *report.Basis // what the prediction of the card's job came from, nil not known
	Limit string        // the limit that held the card's job longest, in words; "" not known, or none
}

// shownNotes is how many notes a card shows.
const shownNotes = 3

// said lists what a program has said of a job last, each text once, in order.
func (s *Subject) said(number int64) (list []report.Note) {
	for i := len(s.Notes) - 1; i >= 0 && len(list) < shownNotes; i-- {
		n := s.Notes[i]
		if n.Number == number && !slices.ContainsFunc(list, func(m report.Note) bool { return m.Text == n.Text }) {
			list = append(list, n)
		}
	}
	slices.Reverse(list)
	return list
}

// Card writes what is known of a job as HTML: how long it waited and why, what
// it asked for, how it fared in the other run. note stands in for the reasons
// while they are being computed, or says why they are missing; waited is the
// strip of reasons over time (WaitHTML).
func Card(c draw.Clock, jobs *report.Jobs, job int, this Subject, other *Subject, note string, waited draw.Markup) draw.Markup {
	var b draw.Writer
	cols := this.Cols
	submit, start, end := cols.Submitted(jobs)[job], cols.Start[job], cols.End[job]
	b.Put(`<h3>Job {}`, strconv.FormatInt(jobs.Number[job], 10))
	if u := jobs.User[job]; u >= 0 {
		b.Put(`<span class="mut">user {}</span>`, int(u))
	}
	var why *report.Why
	if job < len(cols.Why) {
		why = &cols.Why[job]
	}
	if why != nil && draw.Backfilled(why) {
		b.Add(`<span class="bl-tag">backfilled</span>`)
	}
	b.Add(`</h3>`)
	asked := words.Count(jobs.Procs[job], "processor", "processors")
	if start < submit {
		b.Put(`<p class="why">Never started</p><p class="sec">It was rejected.</p><dl><dt>Submitted</dt><dd>{}</dd><dt>Asked for</dt><dd>{} × {}</dd>{}</dl>`, c.When(submit), asked, words.Dur(float64(jobs.Limit[job])), draw.NeedRows(c, jobs, job, cols, this.Site))
		return b.Markup()
	}
	wait := start - cols.Asked(jobs)[job]
	switch {
	case wait == 0 && len(cols.Eligible) > 0 && start > submit:
		b.Put(`<p class="why">Started as it became eligible</p>{}`, waited)
	case wait == 0 && start > submit:
		b.Add(`<p class="why">Started as reserved</p><p class="sec">A reservation does not wait before the time from which it wants its processors.</p>`)
	case wait == 0:
		b.Add(`<p class="why">Started at once</p>`)
		if why != nil {
			b.Put(`<p class="sec">{}</p>`, draw.Decision(why))
		}
	default:
		b.Put(`<p class="why">Waited {}</p>`, words.Dur(float64(wait)))
		switch {
		case why != nil:
			rs := draw.Reasons(why)
			because := draw.Because(why, jobs, job)
			if this.Limit != "" && len(rs) > 0 && rs[0].Class == draw.ReasonNames[report.WaitLimit].Class {
				because = "because of a limit: " + this.Limit
			}
			b.Put(`<p class="sec">{}</p>{}<div class="rl">`, because,
				draw.ReasonsBar(rs, "rb"))
			for _, r := range rs {
				b.Put(`<i class="dot {}"></i><span>{}</span><span class="num">{}</span><span class="mut num">{}{}%</span>`, r.Class, draw.ReasonName(r, jobs, job), words.Dur(float64(r.Seconds)),
					words.Number(r.Share*100, 0), words.NB)
			}
			b.Put(`</div>{}`, waited)
		case note != "":
			b.Put(`<p class="sec">{}</p>`, note)
		}
	}
	for _, n := range this.said(jobs.Number[job]) {
		b.Put(`<p class="sec">“{}” <span class="mut">noted {}</span></p>`, n.Text, c.When(n.At))
	}
	b.Put(`<dl><dt>Submitted, started</dt><dd>{}</dd>`, c.Between(submit, start))
	if job < len(cols.Eligible) && cols.Eligible[job] > submit {
		b.Put(`<dt>Eligible</dt><dd>{}`, c.When(cols.Eligible[job]))
		if text := jobs.AfterText(job); text != "" {
			b.Put(` <span class="mut">after {}</span>`, text)
		}
		b.Add(`</dd>`)
	}
	b.Put(`<dt>Asked for</dt><dd>{} × {}</dd>{}<dt>Ran</dt><dd>{}`, asked, words.Dur(float64(jobs.Limit[job])), draw.NeedRows(c, jobs, job, cols, this.Site),
		words.Dur(float64(end-start)))
	if l := jobs.Limit[job]; l > 0 {
		b.Put(` <span class="mut">{}{}% of it</span>`, words.Number(float64(end-start)/float64(l)*100, 0), words.NB)
	}
	b.Add(`</dd>`)
	if job < len(cols.Foretold) && cols.Foretold[job] > 0 {
		b.Put(`<dt>Foretold</dt><dd>{}`, words.Dur(float64(cols.Foretold[job])))
		if last := cols.Retold[job]; last > 0 && last != cols.Foretold[job] {
			b.Put(` <span class="mut">{} at its start</span>`, words.Dur(float64(last)))
		}
		b.Add(`</dd>`)
	}
	if why != nil && wait > 0 {
		b.Put(`<dt>Then started</dt><dd>{}</dd>`, draw.Decision(why))
	}
	if other != nil && job < len(other.Cols.Start) {
		b.Put(`<dt>In {}</dt><dd>{}</dd>`, other.Title, Compared(wait, other.Cols.Start[job]-other.Cols.Asked(jobs)[job]))
	}
	b.Add(`</dl>`)
	if this.Basis != nil {
		span := func(t model.Time) string { return words.Dur(float64(t)) }
		b.Put(`<p class="sec">The prediction at its start, {}, {}.</p>`, span(this.Basis.Predicts), draw.BasisWords(this.Basis, span))
	}
	return b.Markup()
}

// Compared says when the other run started a job.
func Compared(start, other model.Time) string {
	switch d := other - start; {
	case other < 0 && start >= 0:
		return "never started"
	case d == 0:
		return "same start"
	case d > 0:
		return words.Dur(float64(d)) + " later"
	default:
		return words.Dur(float64(-d)) + " earlier"
	}
}

// Speech is what a screen reader says of a job.
func Speech(c draw.Clock, jobs *report.Jobs, job int, this Subject) string {
	s := "Job " + strconv.FormatInt(jobs.Number[job], 10) + " in " + this.Title + ": " + words.Count(jobs.Procs[job], "processor", "processors")
	cols := this.Cols
	submit, start := cols.Submitted(jobs)[job], cols.Start[job]
	if start < submit {
		return s + ", never started."
	}
	if w := jobs.Want(job); draw.WantText(&w) != "" {
		s += " on machines with " + draw.WantText(&w)
	}
	if draw.Missed(jobs, cols, job) {
		s += ", missed its deadline"
	}
	wait := start - cols.Asked(jobs)[job]
	s += ", submitted " + c.When(submit) + ", waited " + words.Dur(float64(wait)) + ", ran " + words.Dur(float64(cols.End[job]-start)) + "."
	if job < len(cols.Why) && wait > 0 {
		s += " It waited " + draw.Because(&cols.Why[job], jobs, job) + "."
	}
	for _, n := range this.said(jobs.Number[job]) {
		s += " Noted " + c.When(n.At) + ": " + n.Text + "."
	}
	return s
}
