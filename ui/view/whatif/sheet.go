package whatif

import (
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Sheet is the page to print, as HTML: it stands without the screen. qr is the data of an
// SVG path of so many modules a side, "" where the link is too long for a code.
func (a *Answer) Sheet(relative bool, qr string, side int) string {
	var b strings.Builder
	tag := func(name, text string) {
		if text != "" {
			b.WriteString("<" + name + ">" + draw.Escape(text) + "</" + name + ">")
		}
	}
	b.WriteString(`<header><div>`)
	tag("h1", "What if? "+sentence(a.Plan.Name))
	doc := a.Plan.Doc
	where := ""
	if l := doc.Workload.Source.Log; l != nil {
		where = ", jobs of " + l.Name
	} else if bundled := doc.Workload.Source.Bundled; bundled != "" {
		where = ", jobs of the bundled log " + bundled
	}
	tag("p", "Under "+doc.Labels()[0]+where+", "+words.Count(a.main().Rows[0].Jobs, "job", "jobs"))
	b.WriteString(`</div>`)
	if qr != "" {
		n := words.Whole(side)
		b.WriteString(`<svg class="whatif-qr" viewBox="0 0 ` + n + ` ` + n + `" role="img" aria-label="The link as a QR code" shape-rendering="crispEdges"><path d="` + qr + `" fill="#000"/></svg>`)
	}
	b.WriteString(`</header>`)
	tag("h2", a.Headline())
	tag("p", a.CostLine())
	b.WriteString(`<table><thead><tr><th scope="col">Mean wait</th><th scope="col">jobs</th><th scope="col">before</th><th scope="col">after</th><th scope="col">difference</th></tr></thead><tbody>`)
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
		b.WriteString(`<tr><th scope="row">` + draw.Escape(a.partName(r)) + `</th><td>` + words.Int(r.Jobs) + `</td><td>` + words.Dur(r.Before) + `</td><td>` + words.Dur(r.After) + `</td><td>` + draw.Escape(difference) + `</td></tr>`)
	}
	b.WriteString(`</tbody></table><div class="whatif-pictures">`)
	picture := func(title string, d draw.Drawing) {
		if d.SVG != "" {
			b.WriteString(`<figure class="bl"><figcaption>` + draw.Escape(title) + `</figcaption><svg class="bl-svg" viewBox="0 0 ` + draw.Num(d.W) + ` ` + draw.Num(d.H) + `" role="img" aria-label="` + draw.Escape(d.Aria) + `">` + d.SVG + `</svg></figure>`)
		}
	}
	if a.Plan.Sizes != nil {
		picture("How many?", a.HowMany(380, 260))
		picture("Who gains, who pays", a.WhoChart(420, relative, false))
	} else {
		picture("Who gains, who pays", a.WhoChart(720, relative, false))
	}
	b.WriteString(`</div><h3>How sure is this?</h3><ul>`)
	for _, c := range a.Chips() {
		tag("li", sentence(c.Text))
	}
	b.WriteString(`<li>Differences have 95 % intervals; hollow dots and “no clear difference” hold no difference as well.</li></ul><footer>`)
	tag("p", "Again: batchlab run what-if.json · experiment "+words.HashBegin(doc.Identity())+digest(a.Digest)+" · "+experiment.ThisBuild().String())
	tag("p", "Numbers stand in the place of names.")
	b.WriteString(`</footer>`)
	return b.String()
}

func digest(d string) string {
	if d == "" {
		return ""
	}
	return " · digest " + words.Hash(d)
}
