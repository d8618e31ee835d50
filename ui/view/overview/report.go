package overview

import (
	"cmp"
	"strings"

	"batchlab/core/experiment"
	"batchlab/ui/draw"
	"batchlab/ui/engine"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// reportStyle is the style sheet of a report: for paper and screen, light.
const reportStyle draw.Markup = `body{font:15px/1.5 "Segoe UI",-apple-system,Roboto,"Helvetica Neue",Arial,"Liberation Sans",sans-serif;color:#1b1f26;background:#fff;max-width:980px;margin:2em auto;padding:0 1em}` +
	`h1{font-size:1.5em;overflow-wrap:anywhere}h2{font-size:1.1em;margin-top:2em}.line{font-size:1.2em}.soft,small,.faint{color:#59616e}svg{max-width:100%;height:auto}` +
	`table{border-collapse:collapse;font-size:.87em}td,th{padding:.25em .7em;border-bottom:1px solid #d8dce2;text-align:left;font-weight:400;vertical-align:top}thead th,.family th{font-weight:600}` +
	`td.num,th.num{text-align:right;white-space:nowrap}td small,th small{display:block}.wide{overflow-x:auto}pre{font-size:.8em;background:#f4f5f7;padding:1em;white-space:pre-wrap;overflow-wrap:anywhere}code{overflow-wrap:anywhere}.good{color:#1c6b3c}.bad{color:#a3271f}th svg{display:none}`

// Report writes the sentence, the cards, the charts, all measures, and what makes
// them again, as one HTML file without a script. Whatever has a name stands in it
// as text; charts are SVG, whose names are text, too.
func Report(s *state.Store, title string, charts []engine.File) draw.Markup {
	c, doc := &Panel{Store: s, Still: true}, s.RanDocument()
	if doc.Title != "" {
		title = doc.Title
	}
	var w draw.Writer
	para := func(class, text string) {
		if text != "" {
			w.Put("<p class=\"{}\">{}</p>\n", class, text)
		}
	}
	w.Put(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>{}</title><style>{}</style></head><body>
<h1>{}</h1>
`, title, reportStyle, title)
	found := c.Finding()
	para("", strings.Join(found.First, " "))
	para("line", found.Line)
	para("", found.More)
	para("", found.Tail)
	if part := s.MeasuredPart(); part != "" {
		para("soft", "Measured: "+part)
	}
	para("soft", c.sampled())
	w.Put("<h2>{} {}</h2>\n<table><tbody>\n", words.Letter(s.View.A), s.Label(s.View.A))
	for _, row := range c.Cards() {
		w.Put(`<tr><th scope="row">{} <small>{}</small></th><td class="num">{} {}</td><td><span class="{}">{}</span> {} <span class="faint">{}</span></td></tr>
`, row.Name, c.Note(row), c.Value(row), c.span(row), c.DiffClass(row), c.DiffText(row), c.diffRange(row), c.against(row))
	}
	w.Add("</tbody></table>\n<h2>Charts</h2>\n")
	for _, f := range charts {
		w.Put("<figure>{}</figure>\n", draw.FileMarkup(f))
	}
	w.Add("<h2>All measures</h2>\n")
	para("soft", c.tableNote())
	w.Put("<div class=\"wide\">{}{}</div>\n<h2>To run it again</h2>\n", c.Table(), c.ranWith())
	para("", "In "+experiment.ThisBuild().String()+": open this experiment, or hand it to batchlab run.")
	para("soft", "To cite: "+experiment.Cite()+", experiment "+doc.Identity()+".")
	if l := doc.Workload.Source.Log; l != nil {
		para("", "The log is not in here: "+l.Name+", SHA-256 "+l.SHA256)
	}
	if s.Modified != "" {
		para("", "Modified: "+s.Modified)
	}
	w.Put("<p>Digest of all schedules: <code id=\"digest\">{}</code></p>\n<pre id=\"experiment\">{}</pre>\n</body></html>\n", cmp.Or(s.Digest, "none: not all runs are done"), string(experiment.Encode(doc)))
	return w.Markup()
}
