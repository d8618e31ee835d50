package ui

import (
	"math"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/draw"
	"batchlab/ui/state"
	"batchlab/ui/view/paper"
	"batchlab/ui/words"
)

// Studies is the dialog of the papers: their tables and figures as cards that
// run here.
type Studies struct {
	P *Page
}

func (c *Studies) s() *state.Store { return c.P.S }

func (c *Studies) st() *state.Studies { return &c.P.S.Studies }

// paperGroup is one study with its presets.
type paperGroup struct {
	*catalog.Study
	Cite   string
	Papers []state.Paper
}

// groups are the studies in the order of the catalog.
func (c *Studies) groups() []paperGroup {
	var list []paperGroup
	for i := range catalog.Studies {
		g := paperGroup{Study: &catalog.Studies[i]}
		for _, p := range c.st().Papers {
			if p.Study == g.Key {
				g.Cite = p.Cite
				g.Papers = append(g.Papers, p)
			}
		}
		if g.Papers != nil {
			list = append(list, g)
		}
	}
	return list
}

// openPapers opens the dialog of the studies at one of them.
func (p *Page) openPapers(study string) {
	p.S.ShowStudy(study)
	p.openDialog("studies")
}

// place is "figure 1(a)" of "figure 1(a): jobs out of their deadline".
func place(p *state.Paper) string {
	name, _, _ := strings.Cut(p.Shows, ":")
	return name
}

func (c *Studies) paper() *state.Paper { return c.s().Paper(c.st().Chosen) }

// tag says whether a preset can run now.
func (c *Studies) tag(p *state.Paper) string {
	switch log := c.s().PaperLog(p); {
	case c.st().Running == p.Key:
		return "running"
	case c.st().Results[p.Key] != nil:
		return "done"
	case log != nil || p.Log == "":
		return "runs now"
	case p.Needs:
		return "needs " + p.Log
	}
	return "on a stand-in"
}

func (c *Studies) tagClass(p *state.Paper) string {
	switch c.tag(p) {
	case "runs now", "done":
		return "tag good"
	}
	return "tag"
}

// logText says on what the preset would run.
func (c *Studies) logText(p *state.Paper) string {
	hash := ""
	if p.SHA256 != "" {
		hash = " (SHA-256 " + words.Hash(p.SHA256) + ")"
	}
	switch log := c.s().PaperLog(p); {
	case p.Log == "" && p.AnyLog && log == nil:
		return "It takes any log that names users; without one it runs on a bundled workload."
	case p.Log == "" && p.AnyLog:
		return "It runs on " + log.Name + "."
	case p.Log == "":
		return "It generates its own workload."
	case log != nil && len(p.Logs()) > 1 && p.Wants(log.Name):
		return "The paper used " + p.Log + hash + "; this runs on " + log.Name + "."
	case log != nil && (log.SHA256 == p.SHA256 || p.SHA256 == "" && p.Wants(log.Name)):
		return "The paper's log, " + log.Name + ", is here."
	case log != nil && p.Wants(log.Name):
		return "The paper used " + p.Log + hash + "; " + log.Name + " is another version of it."
	case log != nil:
		return "The paper used " + p.Log + hash + "; this runs on " + log.Name + ", so there is little to set beside."
	case p.Needs:
		return "It needs the log " + p.Log + hash + ": drop it on the page."
	}
	return "The paper used " + p.Log + hash + ". Drop " + either(len(p.Logs()) > 1, "one of these logs", "that log") + " on the page, or run on a generated stand-in, whose numbers differ from the paper's."
}

// onOptions are what the preset can run on.
func (c *Studies) onOptions(p *state.Paper) []experiment.Log { return c.s().PaperLogs(p) }

func (c *Studies) onNow(p *state.Paper) string {
	if log := c.s().PaperLog(p); log != nil {
		return log.SHA256
	}
	return "none"
}

func (c *Studies) canRun(p *state.Paper) bool {
	return c.st().Running == "" && (!p.Needs || c.s().PaperLog(p) != nil)
}

func (c *Studies) canOpen(p *state.Paper) bool {
	return c.st().Opening == "" && (!p.Needs || c.s().PaperLog(p) != nil)
}

func (c *Studies) open(key string) { c.s().ChoosePaper(key) }

func (c *Studies) result() *state.StudyResult { return c.st().Results[c.st().Chosen] }

func studyPercent(s *state.Store) string {
	return strconv.Itoa(int(s.Studies.News.Progress * 100))
}

// studyText is "14 of 100, about 9 s left".
func studyText(s *state.Store) string {
	st := &s.Studies
	n := &st.News
	switch {
	case st.Stopped:
		return "Stopping; what is complete stays"
	case s.Fetching.Active:
		return "Loading the simulator of the studies, " + fetchBytes(s)
	case n.Total == 0:
		return "Preparing"
	}
	text := words.Int(n.Done) + " of " + words.Int(n.Total) + " pieces"
	if n.Phase > 1 {
		text = "Part " + strconv.Itoa(n.Phase) + ": " + text
	}
	if n.Left > 0 {
		text += ", " + words.Natural(max(1, math.Round(n.Left))) + " left"
	}
	return text
}

// summary says in one line what came of the preset.
func (c *Studies) summary() string {
	r := c.result()
	if r == nil {
		return ""
	}
	text := words.Count(len(r.Rows), "row", "rows")
	if r.Log != "" {
		text += " on " + r.Log
	}
	if r.Quick {
		text += " · a smaller version for a first look, so numbers differ from the paper's"
	}
	if r.Partial {
		text += " · stopped: only what was complete by then"
	}
	return text
}

func (c *Studies) notes() vugu.HTML {
	r := c.result()
	if r == nil || len(r.Notes) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<ul>`)
	for _, n := range r.Notes {
		b.WriteString(`<li>` + escape(n) + `</li>`)
	}
	return vugu.HTML(b.String() + `</ul>`)
}

// mostStudyRows bounds the table on the page; the file holds all.
const mostStudyRows = 400

func (c *Studies) table() vugu.HTML {
	r := c.result()
	if r == nil || len(r.Rows) == 0 {
		return ""
	}
	rows := c.s().PaperRows()
	st := c.st()
	var b strings.Builder
	b.WriteString(`<table class="plain" aria-label="Our numbers beside the paper's"><thead><tr>`)
	for i, head := range [...]string{"Row", "Column", "Here", "Paper"} {
		sort, arrow := "none", ""
		if st.Sort == i+1 {
			sort, arrow = either(st.Down, "descending", "ascending"), either(st.Down, " ↓", " ↑")
		}
		b.WriteString(`<th scope="col" aria-sort="` + sort + `"` + when(i > 1, ` class="num"`) + `><button type="button" class="link-button" value="` + strconv.Itoa(i+1) + `">` + head + arrow + `</button></th>`)
	}
	b.WriteString(`</tr></thead><tbody>`)
	for i := range rows[:min(len(rows), mostStudyRows)] {
		row := &rows[i]
		b.WriteString(`<tr><td>` + escape(row.Label) + `</td><td>` + escape(row.Column) + `</td><td class="num">` + studyValue(row.Ours, row.Unit))
		if row.Half != nil {
			b.WriteString(` <span class="faint">±` + words.NB + words.Plain(*row.Half) + `</span>`)
		}
		b.WriteString(`</td><td class="num">` + studyValue(row.Paper, row.Unit) + `</td></tr>`)
	}
	b.WriteString(`</tbody></table>`)
	if len(rows) > mostStudyRows {
		b.WriteString(`<p class="faint more-rows">` + words.Int(len(rows)-mostStudyRows) + ` more rows stand in the file.</p>`)
	}
	return vugu.HTML(b.String())
}

func studyValue(v *float64, unit string) string {
	if v == nil {
		return words.None
	}
	text := words.Plain(*v)
	if unit != "" {
		text += words.NB + escape(unit)
	}
	return text
}

// chart draws a figure; "" for tables.
func (c *Studies) chart() vugu.HTML {
	r := c.result()
	if r == nil || !strings.Contains(r.Key, "-figure") && !strings.HasSuffix(r.Key, "-tradeoff") {
		return ""
	}
	points := make([]paper.StudyPoint, 0, len(r.Rows))
	var out strings.Builder
	or := func(v *float64) float64 {
		if v == nil {
			return math.NaN()
		}
		return *v
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		points = append(points, paper.StudyPoint{Label: row.Label, Column: row.Column, Value: or(row.Ours), Half: or(row.Half), Paper: or(row.Paper), Unit: row.Unit})
	}
	draw := func(d draw.Drawing, title string) {
		if d.Empty != "" {
			return
		}
		if title != "" {
			out.WriteString(`<h4>` + escape(title) + `</h4>`)
		}
		out.WriteString(`<svg class="study-chart" viewBox="0 0 ` + words.Plain(d.W) + ` ` + words.Plain(d.H) + `" role="img" aria-label="` + escape(d.Aria) + `">` + d.SVG + `</svg>`)
	}
	switch strings.TrimPrefix(r.Key, "kurowski2011-") {
	case "legrand2018-figure4":
		draw(paper.StudyMaps(points, 640), "")
	case "tradeoff", "figure17", "figure18", "figure19":
		draw(paper.TradeOff(points, 760, 560), "")
	default:
		for _, g := range paper.StudyGroups(points) {
			draw(paper.Study(g.Points, g.Unit, 640, 280), g.Title)
		}
	}
	return vugu.HTML(out.String())
}

// sortStudy sorts the table by the column whose head was pressed.
func (p *Page) sortStudy(event vugu.DOMEvent) {
	if n, err := strconv.Atoi(event.PropString("target", "value")); err == nil && event.PropString("target", "tagName") == "BUTTON" {
		p.S.SortPaper(n)
	}
}

// saveStudy downloads the rows.
func (p *Page) saveStudy() {
	p.Host.Save(p.S.Studies.Chosen+".csv", "text/csv", p.S.PaperCSV())
}

// copyStudy copies the rows.
func (p *Page) copyStudy() {
	p.Host.Copy(string(p.S.PaperCSV()), func(ok bool) { p.Said = either(ok, "Rows copied", "The rows could not be copied") })
}

// openDocument opens the experiment behind the preset that is looked at.
func (p *Page) openDocument() {
	p.S.OpenStudy(func() { p.closeDialog() })
}

// openTip says what the experiment behind a preset is.
func (c *Studies) openTip() string {
	if c.paper().Whole {
		return "All of it as one experiment, to look into and change; run, it gives the digest of this table or figure"
	}
	return "It is computed in steps of its own (searches, or plans looked at from within); this opens an experiment with its jobs"
}

// openStudy opens an experiment of the study on the page.
func (p *Page) openStudy(i int) {
	p.closeDialog()
	p.S.OpenPaper(i)
}
