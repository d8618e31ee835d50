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
func NeedRows(c Clock, jobs *report.Jobs, job int, cols *report.Columns, site *report.Site) string {
	s := ""
	if list := jobs.NeedsOf(job); len(list) > 0 {
		s += `<dt>Licences</dt><dd>` + Escape(licenceNames(list, site)) + `</dd>`
	}
	w := jobs.Want(job)
	if text := WantText(&w); text != "" {
		s += `<dt>On each machine</dt><dd>` + text + `</dd>`
	}
	if w.Weight != 0 && w.Weight != 1 {
		s += `<dt>Weight</dt><dd>` + words.Plain(w.Weight) + `</dd>`
	}
	if w.Setup > 0 {
		s += `<dt>Set-up</dt><dd>` + words.Dur(float64(w.Setup)) + ` <span class="mut">of run and request</span></dd>`
	}
	if at, ok := cols.Due(jobs, job); ok {
		said := `<span class="bl-met">met</span>`
		switch d := cols.End[job] - at; {
		case cols.Start[job] < cols.Submitted(jobs)[job]:
			said = `<b class="bl-late">never ran</b>`
		case d > 0:
			said = `<b class="bl-late">missed by ` + words.Dur(float64(d)) + `</b>`
		case d < 0:
			said = `<span class="bl-met">met, ` + words.Dur(float64(-d)) + ` early</span>`
		}
		s += `<dt>Deadline</dt><dd>` + Escape(c.When(at)) + `, ` + said + `</dd>`
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
