package chart

import (
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// due returns a job's deadline; ok is false for one that has none.
func due(jobs *report.Jobs, job int) (at model.Time, ok bool) {
	if job >= len(jobs.Due) || jobs.Due[job] == 0 {
		return 0, false
	}
	return jobs.Due[job], true
}

// Missed says whether a job with a deadline ended after it, or never ran.
func Missed(jobs *report.Jobs, c *report.Columns, job int) bool {
	at, ok := due(jobs, job)
	return ok && job < len(c.End) && (c.Start[job] < jobs.Submit[job] || c.End[job] > at)
}

// deadlineColors colours jobs by whether they met their deadlines.
func (t *Theme) deadlineColors(jobs *report.Jobs, c *report.Columns, out []Color) Legend {
	none, met, missed := Mix(t.Line2, t.Side, .35), t.Tide(.42), t.Late()
	for j := range out {
		switch _, has := due(jobs, j); {
		case !has:
			out[j] = none
		case Missed(jobs, c, j):
			out[j] = missed
		default:
			out[j] = met
		}
	}
	return Legend{Swatches: []Swatch{{"in time", met}, {"deadline missed", missed}, {"no deadline", none}}}
}

// Late is the colour of what missed a deadline.
func (t *Theme) Late() Color { return t.Diverging(.82) }

// mostLate bounds how many missed deadlines are marked in one view.
const mostLate = 4000

// deadlines marks the jobs that missed their deadlines by a strong right edge,
// and where in them the deadline lay.
func (g *Gantt) deadlines(s *Scene, i int) {
	p, b, t := &g.Panes[i], g.Layout.Panes[i].Jobs, g.Theme
	if p.Index == nil || p.Cols == nil || g.Jobs == nil || len(g.Jobs.Due) == 0 {
		return
	}
	per := b.H / float64(max(1, p.Procs))
	lo, hi := p.Index.Range(g.From, g.To)
	var edges, ticks path
	for k, drawn := lo, 0; k < hi && drawn < mostLate; k++ {
		j := int(p.Index.rects[k].job)
		if j >= len(g.Jobs.Due) || p.Index.rects[k].end <= g.From || !Missed(g.Jobs, p.Cols, j) {
			continue
		}
		x0, x1 := g.X(p.Index.rects[k].start), g.X(p.Index.rects[k].end)
		if x1-x0 < narrow {
			continue
		}
		drawn++
		y, h := b.Bottom()-float64(p.Index.rects[k].first+p.Index.rects[k].count)*per, max(1, float64(p.Index.rects[k].count)*per-.8)
		edges.rect(Box{x1 - 2.5, y, 2.5, h})
		if x := g.X(g.Jobs.Due[j]); x > x0+2 && x < x1-4 {
			ticks.rect(Box{x - .75, y, 1.5, h})
		}
	}
	if len(edges.b) == 0 {
		return
	}
	s.clip(b)
	s.fill(string(edges.b), t.SeriesColor(1), 1)
	s.fill(string(ticks.b), t.Ink, .75)
	s.unclip()
}

// flag marks the deadline of the job that is looked at: a line at it, and a
// dotted one to it from the job's end.
func (g *Gantt) flag(s *Scene, i, job int, mid float64) {
	at, ok := due(g.Jobs, job)
	b, t := g.Layout.Panes[i].Jobs, g.Theme
	if !ok || at < g.From || at > g.To {
		return
	}
	x, end := g.X(at), g.X(g.Panes[i].Cols.End[job])
	col := t.Good
	if Missed(g.Jobs, g.Panes[i].Cols, job) {
		col = t.Bad
	}
	line := "M" + num(x) + " " + num(max(b.Y, mid-14)) + "V" + num(min(b.Bottom(), mid+14))
	if x > end+3 {
		line += "M" + num(max(end, b.X)) + " " + num(mid) + "H" + num(x)
	}
	s.stroke(line, t.Panel, 4.5, "")
	s.stroke(line, col, 2, "")
	s.fill("M"+num(x)+" "+num(max(b.Y, mid-14))+"h8l-2.5 3.500l2.5 3.500h-8z", col, 1)
}

// needRows are the rows of a job's card about what it
// needs and when it is due.
func needRows(c Clock, jobs *report.Jobs, job int, cols *report.Columns, site *report.Site) string {
	s := ""
	if list := jobs.NeedsOf(job); len(list) > 0 {
		s += `<dt>Licences</dt><dd>` + Escape(licenceNames(list, site)) + `</dd>`
	}
	w := jobs.Want(job)
	if text := wantText(&w); text != "" {
		s += `<dt>On each machine</dt><dd>` + text + `</dd>`
	}
	if w.Weight != 0 && w.Weight != 1 {
		s += `<dt>Weight</dt><dd>` + words.Plain(w.Weight) + `</dd>`
	}
	if w.Setup > 0 {
		s += `<dt>Set-up</dt><dd>` + words.Dur(float64(w.Setup)) + ` <span class="mut">of run and request</span></dd>`
	}
	if at, ok := due(jobs, job); ok {
		said := `<span class="bl-met">met</span>`
		switch d := cols.End[job] - at; {
		case cols.Start[job] < jobs.Submit[job]:
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

// wantText is what a job asks of each machine that it runs on: "2 GPUs, 8 GB of
// memory"; "" nothing.
func wantText(w *report.Want) string {
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
