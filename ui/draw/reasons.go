package draw

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

var ReasonNames = [10]struct{ Class, Name string }{
	report.WaitProcessors: {"r-proc", "Processors busy"},
	report.WaitOrder:      {"r-order", "Earlier job first"},
	report.WaitShadow:     {"r-shadow", "Would delay the first job"},
	report.WaitPlan:       {"r-plan", "Planned for later"},
	report.WaitLicences:   {"r-licence", "No copy of a licence"},

	report.WaitReservation: {"r-booked", "Reserved or out of order"},
	report.WaitLimit:       {"r-limit", "A limit was reached"},
	report.WaitPriority:    {"r-order", "Higher priority first"},
	report.WaitOthers:      {"r-others", "Not eligible yet"},
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
			out = append(out, Reason{ReasonNames[i].Class, ReasonNames[i].Name, s, float64(s) / float64(sum)})
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

// ReasonName is a reason's name for a job: where it asks for more than
// processors, these need not be what is short.
func ReasonName(r Reason, jobs *report.Jobs, job int) string {
	if r.Class != ReasonNames[report.WaitProcessors].Class {
		return r.Name
	}
	if w := jobs.Want(job); WantText(&w) != "" {
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
		if want := jobs.Want(job); WantText(&want) != "" {
			return "because too few processors were free on machines with " + WantText(&want) + " to spare"
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
func ReasonsBar(rs []Reason, class string) Markup {
	var b Writer
	said := make([]string, len(rs))
	for i, r := range rs {
		said[i] = r.Name + " " + words.Number(r.Share*100, 0) + words.NB + "%"
	}
	b.Put(`<span class="{}" role="img" aria-label="{}">`, class, strings.Join(said, ", "))
	for _, r := range rs {
		b.Put(`<i class="{}" style="flex:{}"></i>`, r.Class, strconv.FormatInt(int64(r.Seconds), 10))
	}
	b.Add(`</span>`)
	return b.Markup()
}
