package ui

import (
	"strings"

	"batchlab/core/experiment"
	"batchlab/ui/engine"
	"batchlab/ui/words"
)

// reportStyle is the style sheet of a report: for paper and screen, light.
const reportStyle = `body{font:15px/1.5 "Segoe UI",-apple-system,Roboto,"Helvetica Neue",Arial,"Liberation Sans",sans-serif;color:#1b1f26;background:#fff;max-width:980px;margin:2em auto;padding:0 1em}` +
	`h1{font-size:1.5em;overflow-wrap:anywhere}h2{font-size:1.1em;margin-top:2em}.line{font-size:1.2em}.soft,small,.faint{color:#59616e}svg{max-width:100%;height:auto}` +
	`table{border-collapse:collapse;font-size:.87em}td,th{padding:.25em .7em;border-bottom:1px solid #d8dce2;text-align:left;font-weight:400;vertical-align:top}thead th,.family th{font-weight:600}` +
	`td.num,th.num{text-align:right;white-space:nowrap}td small,th small{display:block}.wide{overflow-x:auto}pre{font-size:.8em;background:#f4f5f7;padding:1em;white-space:pre-wrap;overflow-wrap:anywhere}code{overflow-wrap:anywhere}.good{color:#1c6b3c}.bad{color:#a3271f}th svg{display:none}`

// saveReport downloads what came out as a page that needs nothing else.
func (p *Page) saveReport() {
	p.Menu = ""
	var charts []engine.File
	if h, ok := p.Host.(Packer); ok {
		charts = h.Charts()
	}
	p.Host.Save(fileName(p.title(), ".html"), "text/html", []byte(p.report(charts)))
}

// report writes the sentence, the cards, the charts, all measures, and what makes
// them again, as one HTML file without a script. Whatever has a name stands in it
// as text; charts are SVG, whose names are text, too.
func (p *Page) report(charts []engine.File) string {
	c, s := &Overview{P: p, still: true}, p.S
	doc := s.RanDocument()
	title := doc.Title
	if title == "" {
		title = p.title()
	}
	var b strings.Builder
	para := func(class, text string) {
		if text != "" {
			b.WriteString(`<p class="` + class + `">` + escape(text) + "</p>\n")
		}
	}
	b.WriteString("<!doctype html>\n" + `<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
		`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">` +
		`<title>` + escape(title) + `</title><style>` + reportStyle + "</style></head><body>\n<h1>" + escape(title) + "</h1>\n")
	found := c.finding()
	para("", strings.Join(found.First, " "))
	para("line", found.Line)
	para("", found.More)
	para("", found.Tail)
	if part := s.MeasuredPart(); part != "" {
		para("soft", "Measured: "+part)
	}
	para("soft", c.sampled())
	b.WriteString("<h2>" + escape(words.Letter(s.View.A)+" "+s.Label(s.View.A)) + "</h2>\n<table><tbody>\n")
	for _, row := range c.cards() {
		b.WriteString(`<tr><th scope="row">` + escape(row.Name) + ` <small>` + escape(c.note(row)) + `</small></th><td class="num">` + escape(c.value(row)+" "+c.span(row)) + `</td><td><span class="` + c.diffClass(row) + `">` +
			escape(c.diffText(row)) + `</span> ` + escape(c.diffRange(row)) + ` <span class="faint">` + escape(c.against(row)) + "</span></td></tr>\n")
	}
	b.WriteString("</tbody></table>\n<h2>Charts</h2>\n")
	for _, f := range charts {
		b.WriteString("<figure>" + string(f.Data) + "</figure>\n")
	}
	b.WriteString("<h2>All measures</h2>\n")
	para("soft", c.tableNote())
	b.WriteString(`<div class="wide">` + string(c.table()) + string(c.ranWith()) + "</div>\n<h2>To run it again</h2>\n")
	para("", "In "+experiment.ThisBuild().String()+": open this experiment, or hand it to batchlab run.")
	para("soft", "To cite: "+experiment.Cite()+", experiment "+doc.Identity()+".")
	if l := doc.Workload.Source.Log; l != nil {
		para("", "The log is not in here: "+l.Name+", SHA-256 "+l.SHA256)
	}
	if s.Modified != "" {
		para("", "Modified: "+s.Modified)
	}
	digest := s.Digest
	if digest == "" {
		digest = "none: not all runs are done"
	}
	b.WriteString(`<p>Digest of all schedules: <code id="digest">` + escape(digest) + `</code></p>` + "\n" + `<pre id="experiment">` + escape(string(experiment.Encode(doc))) + "</pre>\n</body></html>\n")
	return b.String()
}
