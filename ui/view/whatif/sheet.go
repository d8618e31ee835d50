package whatif

import (
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Sheet is the page to print, as HTML: it stands without the screen. qr is the data of an
// SVG path of so many modules a side, "" where the link is too long for a code.
func (a *Answer) Sheet(relative bool, qr string, side int) draw.Markup {
	var b draw.Writer
	tag := func(name, text string) {
		if text != "" {
			b.Put(`<{}>{}</{}>`, name, text, name)
		}
	}
	b.Add(`<header><div>`)
	tag("h1", "What if? "+sentence(a.Plan.Name))
	doc := a.Plan.Doc
	where := ""
	if l := doc.Workload.Source.Log; l != nil {
		where = ", jobs of " + l.Name
	} else if bundled := doc.Workload.Source.Bundled; bundled != "" {
		where = ", jobs of the bundled log " + bundled
	}
	tag("p", "Under "+doc.Labels()[0]+where+", "+words.Count(a.main().Rows[0].Jobs, "job", "jobs"))
	b.Add(`</div>`)
	if qr != "" {
		n := words.Whole(side)
		b.Put(`<svg class="whatif-qr" viewBox="0 0 {} {}" role="img" aria-label="The link as a QR code" shape-rendering="crispEdges"><path d="{}" fill="#000"/></svg>`, n, n, qr)
	}
	b.Add(`</header>`)
	tag("h2", a.Headline())
	tag("p", a.CostLine())
	b.Add(`<table><thead><tr><th scope="col">Mean wait</th><th scope="col">jobs</th><th scope="col">before</th><th scope="col">after</th><th scope="col">difference</th></tr></thead><tbody>`)
	rows, _ := a.shown(false)
	rows = append([]*report.PaysRow{&a.main().Rows[0]}, rows...)
	for _, r := range rows[:min(len(rows), 12)] {
		difference := words.Signed(r.Difference, words.Dur)
		switch {
		case r.Verdict == report.VerdictSame:
			difference = "the same"
		case r.Low != nil && !r.Told:
			difference = "no clear difference"
		case r.Low != nil:
			difference += " (" + between(r) + ")"
		}
		b.Put(`<tr><th scope="row">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>`, a.partName(r), words.Int(r.Jobs), words.Dur(r.Before), words.Dur(r.After), difference)
	}
	b.Add(`</tbody></table><div class="whatif-pictures">`)
	picture := func(title string, d draw.Figure) {
		if len(d.Layers) > 0 {
			b.Put(`<figure class="bl"><figcaption>{}</figcaption>{}</figure>`, title, d.Picture("bl-svg"))
		}
	}
	if a.Plan.Sizes != nil {
		picture("How many?", a.HowMany(380, 260))
		picture("Who gains, who pays", a.WhoChart(420, relative, false))
	} else {
		picture("Who gains, who pays", a.WhoChart(720, relative, false))
	}
	b.Add(`</div><h3>How sure is this?</h3><ul>`)
	for _, c := range a.Chips() {
		tag("li", sentence(c.Text))
	}
	b.Add(`<li>Differences have 95 % intervals; hollow dots and “no clear difference” hold no difference as well.</li></ul><footer>`)
	tag("p", "Again: batchlab run what-if.json · experiment "+words.HashBegin(doc.Identity())+digest(a.Digest)+" · "+experiment.ThisBuild().String())
	tag("p", "Numbers stand in the place of names.")
	b.Add(`</footer>`)
	return b.Markup()
}

func digest(d string) string {
	if d == "" {
		return ""
	}
	return " · digest " + words.Hash(d)
}
