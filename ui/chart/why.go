package chart

import (
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// Reason is one part of a job's wait.
type Reason struct {
	Class   string // style of its mark: r-proc, r-order, r-shadow, r-plan
	Name    string
	Seconds model.Time
	Share   float64 // of the whole wait, 0–1
}

var reasonNames = [9]struct{ class, name string }{
	report.WaitProcessors: {"r-proc", "Processors busy"},
	report.WaitOrder:      {"r-order", "Earlier job first"},
	report.WaitShadow:     {"r-shadow", "Would delay the first job"},
	report.WaitPlan:       {"r-plan", "Planned for later"},
	report.WaitLicences:   {"r-licence", "No copy of a licence"},

	report.WaitReservation: {"r-booked", "Reserved or out of order"},
	report.WaitLimit:       {"r-limit", "A limit was reached"},
	report.WaitPriority:    {"r-order", "Higher priority first"},
}

// Reasons divides a wait, largest part first.
func Reasons(w *report.Why) []Reason {
	var sum model.Time
	for i := 1; i < len(w.Waited); i++ {
		sum += max(0, w.Waited[i])
	}
	var out []Reason
	for i := 1; i < len(w.Waited); i++ {
		if s := w.Waited[i]; s > 0 {
			out = append(out, Reason{reasonNames[i].class, reasonNames[i].name, s, float64(s) / float64(sum)})
		}
	}
	order.Stable(out, func(a, b Reason) int {
		switch {
		case a.Seconds > b.Seconds:
			return -1
		case a.Seconds < b.Seconds:
			return 1
		}
		return 0
	})
	return out
}

// reasonName is a reason's name for a job: where it asks for more than
// processors, these need not be what is short.
func reasonName(r Reason, jobs *report.Jobs, job int) string {
	if r.Class != reasonNames[report.WaitProcessors].class {
		return r.Name
	}
	if w := jobs.Want(job); wantText(&w) != "" {
		return "No such machine free"
	}
	return r.Name
}

// Because says in half a sentence what a job waited for most.
func Because(w *report.Why, jobs *report.Jobs, job int) string {
	most := report.WaitNone
	for i := range w.Waited {
		if report.Code(i) != report.WaitNone && w.Waited[i] > 0 && (most == report.WaitNone || w.Waited[i] > w.Waited[most]) {
			most = report.Code(i)
		}
	}
	head := "an earlier job"
	if w.Head >= 0 && int(w.Head) < len(jobs.Number) {
		head = "job" + words.NB + strconv.FormatInt(jobs.Number[w.Head], 10)
	}
	switch most {
	case report.WaitProcessors:
		if want := jobs.Want(job); wantText(&want) != "" {
			return "because too few processors were free on machines with " + wantText(&want) + " to spare"
		}
		return "because too few processors were free"
	case report.WaitOrder:
		return "because " + head + " stood before it"
	case report.WaitShadow:
		return "because it would have delayed " + head
	case report.WaitPlan:
		return "because its planned start lay in the future"
	case report.WaitReservation:
		return "because processors were kept for a reservation or out of order"
	case report.WaitLimit:
		return "because its user or its class had reached a limit"
	case report.WaitPriority:
		return "because " + head + " of higher priority stood before it"
	case report.WaitLicences:
		return "because every copy of a licence that it needs was in use"
	}
	return ""
}

// Backfilled says whether a job was started before its turn.
func Backfilled(w *report.Why) bool {
	return w.Decision == report.BackfilledBeforeShadow || w.Decision == report.BackfilledExtra
}

// Decision says what let a job start.
func Decision(w *report.Why) string {
	switch w.Decision {
	case report.BackfilledBeforeShadow:
		return "backfilled: asked to end before the first job could start"
	case report.BackfilledExtra:
		return "backfilled into processors the first job leaves over"
	case report.StartedAsPlanned:
		return "its planned time had come"
	case report.StartedAsLogged:
		return "as the log says"
	}
	return "it was its turn, and it fitted"
}

// ReasonsBar writes reasons as a bar whose parts have the widths of their
// shares.
func ReasonsBar(rs []Reason, class string) string {
	var b strings.Builder
	said := make([]string, len(rs))
	for i, r := range rs {
		said[i] = r.Name + " " + words.Number(r.Share*100, 0) + words.NB + "%"
	}
	b.WriteString(`<span class="` + class + `" role="img" aria-label="` + Escape(strings.Join(said, ", ")) + `">`)
	for _, r := range rs {
		b.WriteString(`<i class="` + r.Class + `" style="flex:` + strconv.FormatInt(int64(r.Seconds), 10) + `"></i>`)
	}
	b.WriteString(`</span>`)
	return b.String()
}

// Subject is a run as the card of a job sees it.
type Subject struct {
	Title string // "B Conservative"
	Cols  *report.Columns
	Site  *report.Site // for names of licences, nil unknown
}

// Card writes what is known of a job as HTML: how long it waited and why, what
// it asked for, how it fared in the other run. note stands in for the reasons
// while they are being computed, or says why they are missing; past is the
// strip of reasons over time (PastHTML).
func Card(c Clock, jobs *report.Jobs, job int, this Subject, other *Subject, note, past string) string {
	var b strings.Builder
	cols := this.Cols
	submit, start, end := cols.Submitted(jobs)[job], cols.Start[job], cols.End[job]
	b.WriteString(`<h4>Job ` + strconv.FormatInt(jobs.Number[job], 10))
	if u := jobs.User[job]; u >= 0 {
		b.WriteString(`<span class="mut">user ` + strconv.Itoa(int(u)) + `</span>`)
	}
	var why *report.Why
	if job < len(cols.Why) {
		why = &cols.Why[job]
	}
	if why != nil && Backfilled(why) {
		b.WriteString(`<span class="bl-tag">backfilled</span>`)
	}
	b.WriteString(`</h4>`)
	asked := words.Count(jobs.Procs[job], "processor", "processors")
	if start < submit {
		b.WriteString(`<p class="why">Never started</p><p class="sec">It was rejected.</p>`)
		b.WriteString(`<dl><dt>Submitted</dt><dd>` + Escape(c.When(submit)) + `</dd><dt>Asked for</dt><dd>` + asked + ` × ` + words.Dur(float64(jobs.Limit[job])) + `</dd>` + needRows(c, jobs, job, cols, this.Site) + `</dl>`)
		return b.String()
	}
	wait := start - cols.Asked(jobs)[job]
	switch {
	case wait == 0 && start > submit:
		b.WriteString(`<p class="why">Started as reserved</p><p class="sec">A reservation does not wait before the time from which it wants its processors.</p>`)
	case wait == 0:
		b.WriteString(`<p class="why">Started at once</p>`)
		if why != nil {
			b.WriteString(`<p class="sec">` + Escape(Decision(why)) + `</p>`)
		}
	default:
		b.WriteString(`<p class="why">Waited ` + words.Dur(float64(wait)) + `</p>`)
		switch {
		case why != nil:
			b.WriteString(`<p class="sec">` + Escape(Because(why, jobs, job)) + `</p>`)
			rs := Reasons(why)
			b.WriteString(ReasonsBar(rs, "rb") + `<div class="rl">`)
			for _, r := range rs {
				b.WriteString(`<i class="dot ` + r.Class + `"></i><span>` + reasonName(r, jobs, job) + `</span><span class="num">` + words.Dur(float64(r.Seconds)) +
					`</span><span class="mut num">` + words.Number(r.Share*100, 0) + words.NB + `%</span>`)
			}
			b.WriteString(`</div>` + past)
		case note != "":
			b.WriteString(`<p class="sec">` + Escape(note) + `</p>`)
		}
	}
	b.WriteString(`<dl><dt>Submitted, started</dt><dd>` + Escape(c.Between(submit, start)) + `</dd>`)
	b.WriteString(`<dt>Asked for</dt><dd>` + asked + ` × ` + words.Dur(float64(jobs.Limit[job])) + `</dd>` + needRows(c, jobs, job, cols, this.Site))
	b.WriteString(`<dt>Ran</dt><dd>` + words.Dur(float64(end-start)))
	if l := jobs.Limit[job]; l > 0 {
		b.WriteString(` <span class="mut">` + words.Number(float64(end-start)/float64(l)*100, 0) + words.NB + `% of it</span>`)
	}
	b.WriteString(`</dd>`)
	if why != nil && wait > 0 {
		b.WriteString(`<dt>Then started</dt><dd>` + Escape(Decision(why)) + `</dd>`)
	}
	if other != nil && job < len(other.Cols.Start) {
		b.WriteString(`<dt>In ` + Escape(other.Title) + `</dt><dd>` + Compared(wait, other.Cols.Start[job]-other.Cols.Asked(jobs)[job]) + `</dd>`)
	}
	b.WriteString(`</dl>`)
	return b.String()
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
func Speech(c Clock, jobs *report.Jobs, job int, this Subject) string {
	s := "Job " + strconv.FormatInt(jobs.Number[job], 10) + " in " + this.Title + ": " + words.Count(jobs.Procs[job], "processor", "processors")
	cols := this.Cols
	submit, start := cols.Submitted(jobs)[job], cols.Start[job]
	if start < submit {
		return s + ", never started."
	}
	if w := jobs.Want(job); wantText(&w) != "" {
		s += " on machines with " + wantText(&w)
	}
	if Missed(jobs, cols, job) {
		s += ", missed its deadline"
	}
	wait := start - cols.Asked(jobs)[job]
	s += ", submitted " + c.When(submit) + ", waited " + words.Dur(float64(wait)) + ", ran " + words.Dur(float64(cols.End[job]-start)) + "."
	if job < len(cols.Why) && wait > 0 {
		s += " It waited " + Because(&cols.Why[job], jobs, job) + "."
	}
	return s
}
