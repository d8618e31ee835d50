package draw

import (
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// Missed says whether a job with a deadline ended after it, or never ran.
func Missed(jobs *report.Jobs, c *report.Columns, job int) bool {
	at, ok := c.Due(jobs, job)
	return ok && job < len(c.End) && (c.Start[job] < c.Submitted(jobs)[job] || c.End[job] > at)
}

// NeedRows are the rows of a job's card about what it
// needs and when it is due.
func NeedRows(c Clock, jobs *report.Jobs, job int, cols *report.Columns, site *report.Site) Markup {
	s := Markup("")
	if list := jobs.NeedsOf(job); len(list) > 0 {
		s += HTML(`<dt>Licences</dt><dd>{}</dd>`, licenceNames(list, site))
	}
	w := jobs.Want(job)
	if text := WantText(&w); text != "" {
		s += HTML(`<dt>On each machine</dt><dd>{}</dd>`, text)
	}
	if w.Weight != 0 && w.Weight != 1 {
		s += HTML(`<dt>Weight</dt><dd>{}</dd>`, words.Plain(w.Weight))
	}
	if w.Setup > 0 {
		s += HTML(`<dt>Set-up</dt><dd>{} <span class="mut">of run and request</span></dd>`, words.Dur(float64(w.Setup)))
	}
	if at, ok := cols.Due(jobs, job); ok {
		said := Markup(`<span class="bl-met">met</span>`)
		switch d := cols.End[job] - at; {
		case cols.Start[job] < cols.Submitted(jobs)[job]:
			said = `<b class="bl-late">never ran</b>`
		case d > 0:
			said = HTML(`<b class="bl-late">missed by {}</b>`, words.Dur(float64(d)))
		case d < 0:
			said = HTML(`<span class="bl-met">met, {} early</span>`, words.Dur(float64(-d)))
		}
		s += HTML(`<dt>Deadline</dt><dd>{}, {}</dd>`, c.When(at), said)
	}
	return s
}

// WantText is what a job asks of each machine that it runs on: "2 GPUs, 8 GB of
// memory"; "" nothing.
func WantText(w *report.Want) string {
	var parts []string
	if w.GPUs > 0 {
		parts = append(parts, words.Count(w.GPUs, "GPU", "GPUs"))
	}
	if w.Mem > 0 {
		parts = append(parts, words.Bytes(w.Mem)+" of memory")
	}
	if w.Disk > 0 {
		parts = append(parts, words.Bytes(w.Disk)+" of disk")
	}
	return strings.Join(parts, ", ")
}

// licenceNames writes what a job needs: "cad, 2 mesh".
func licenceNames(list []model.LicenceNeed, site *report.Site) string {
	parts := make([]string, len(list))
	for i, n := range list {
		name := "licence " + strconv.Itoa(int(n.Licence)+1)
		if site != nil && int(n.Licence) < len(site.Licences) {
			name = site.Licences[n.Licence].Name
		}
		if n.Copies > 1 {
			name = strconv.Itoa(int(n.Copies)) + words.NB + name
		}
		parts[i] = name
	}
	return strings.Join(parts, ", ")
}
