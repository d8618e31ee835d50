// Package intake is the view that says how a cluster's own files were understood: what
// became of every row, what was assumed, what looks wrong, and the machine that its
// configuration tells. The second program draws it (ui/annex).
package intake

import (
	"fmt"
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/annex"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Seen is what the view shows.
type Seen struct {
	File       string         // name of the file with jobs
	Jobs       *report.Import // nil: none was read
	Clean      report.Cleaning
	Processors int64 // of the machine that is simulated, 0 unknown
	Machine    *report.Conf
	Table      *report.Table // of which the columns are asked for, nil none
	TableName  string        // "": that of the workload
	More       int           // tables that are asked about after it
	Clock      draw.Clock
	IsOutage   func(report.Pause) bool
}

// HTML is the whole view.
func HTML(v *Seen) draw.Markup {
	var b draw.Writer
	b.Add(`<div class="intake">`)
	v.columns(&b)
	if v.Jobs != nil || v.Machine != nil {
		v.head(&b)
	}
	if v.Jobs != nil {
		v.counts(&b)
		b.Add(`<div class="intake-two">`)
		v.rows(&b)
		v.partitions(&b)
		b.Add(`</div><div class="intake-three">`)
		v.checks(&b)
		v.assumed(&b)
		b.Add(`<div class="intake-column">`)
		v.problems(&b)
		v.out(&b)
		b.Add(`</div></div>`)
	}
	v.machine(&b)
	b.Add(`</div>`)
	return b.Markup()
}

// questions counts what was assumed and can be chosen, and pauses that nobody has made
// outages.
func (v *Seen) questions() (n int) {
	for _, a := range v.Jobs.Assumed {
		if a.Choice == "zone" || a.Choice == "processors" && v.Machine == nil {
			n++
		}
	}
	return n + v.open()
}

// open counts the pauses that are no outages.
func (v *Seen) open() (n int) {
	for _, p := range v.Jobs.Pauses {
		if !v.IsOutage(p) {
			n++
		}
	}
	return n
}

// Sentence says in one line what was read.
func (v *Seen) Sentence() string {
	if v.Jobs == nil {
		return fmt.Sprintf("A machine of %s, and no jobs of it yet.", words.Count(v.Machine.Processors, "processor", "processors"))
	}
	text := words.Count(v.Jobs.Jobs, "job", "jobs")
	if d := v.Jobs.BusyTo; d > 0 {
		text += " of " + words.Natural(float64(d))
	}
	if v.Clean.Malformed > 0 {
		text += ", read whole but for " + words.Count(v.Clean.Malformed, "row", "rows") + "."
	} else {
		text += ", read whole."
	}
	if n := len(v.Jobs.Pauses); n > 0 {
		text += " " + words.Count(n, "pause looks like an outage.", "pauses look like outages.")
	}
	return text
}

func (v *Seen) head(b *draw.Writer) {
	b.Put(`<section class="bl-card intake-head"><div class="grow"><h2>{}</h2>`, v.Sentence())
	switch {
	case v.Jobs == nil:
		b.Put(`<p class="soft">Drop its jobs, too: this command writes them.</p><pre class="mono" tabindex="0" aria-label="Command">{}</pre><button type="button" class="btn small" data-do="copy" id="import-copy">Copy the command</button>`, annex.Command("", ""))
	case v.Machine != nil && v.Machine.Nodes > 0:
		b.Put(`<p class="soft">On {} with {}{}, as the configuration says.</p>`, words.Count(v.Machine.Nodes, "node", "nodes"), words.Count(v.Machine.Processors, "processor", "processors"), some(v.Machine.GPUs, " and %s", "GPU", "GPUs"))
	default:
		b.Put(`<p class="soft">{}. Drop <b>slurm.conf</b> beside it, and the machine is known, too.</p>`, v.Jobs.Name)
	}
	b.Add(`<p class="intake-chips"><span class="verdict-chip good">Nothing left this computer: names are numbers now</span>`)
	if v.Jobs != nil {
		if n := v.questions(); n > 0 {
			b.Put(`<span class="verdict-chip warn">{} to answer</span>`, words.Int(n))
		}
	}
	b.Add(`</p></div>`)
	if v.Jobs != nil {
		b.Add(`<button type="button" class="btn primary" data-do="use" id="import-use">See the results</button>`)
	}
	b.Add(`</section>`)
}

// some writes a count into a text, nothing of none.
func some[T ~int | ~int64](n T, text, one, many string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(text, words.Count(n, one, many))
}

func (v *Seen) counts(b *draw.Writer) {
	r := v.Jobs
	share := func(n int) draw.Markup {
		if n == 0 || r.Jobs == 0 {
			return ""
		}
		return draw.HTML(` <small>{}</small>`, words.Percent(float64(n)/float64(r.Jobs)))
	}
	kinds := make([]string, 0, 4)
	for _, k := range []string{"afterok", "afterany", "after", "afternotok", "aftercorr", "singleton"} {
		if n := r.Dependencies[k]; n > 0 {
			kinds = append(kinds, k+" "+words.Int(n))
		}
	}
	b.Add(`<dl class="intake-counts">`)
	for _, c := range []struct {
		name string
		n    int
		part bool
		more string
	}{
		{"Jobs", r.Jobs, false, words.Count(r.Rows+v.Clean.Malformed, "row", "rows")},
		{"Further tries", r.Tries, true, "ran again under their number"},
		{"In arrays", r.InArrays, true, words.Count(r.Arrays, "array", "arrays")},
		{"With dependencies", r.Depending, true, strings.Join(kinds, ", ")},
		{"Cancelled waiting", r.Withdrawn, true, "kept in extra.csv: others saw them"},
		{"With GPUs", r.GPUs, true, "whole ones"},
	} {
		n := draw.HTML(`{}`, words.Int(c.n))
		if c.part {
			n += share(c.n)
		}
		b.Put(`<div class="bl-card"><dt>{}</dt><dd><b>{}</b><span>{}</span></dd></div>`, c.name, n, c.more)
	}
	b.Add(`</dl>`)
}

// rows shows what became of every row, as one bar that sums up to all, and the load.
func (v *Seen) rows(b *draw.Writer) {
	r := v.Jobs
	total := 0
	for _, f := range r.Became {
		total += f.Count
	}
	b.Put(`<section class="bl-card"><h3>What was in the file <small>{}</small></h3><div class="intake-bar" aria-hidden="true">`, words.Count(total, "row", "rows"))
	for i, f := range r.Became {
		b.Put(`<i class="{}" style="flex-grow:{}"></i>`, kind(f, i), f.Count)
	}
	b.Add(`</div><ul class="intake-legend">`)
	for i, f := range r.Became {
		b.Put(`<li><i class="{}"></i><b>{}</b> {}</li>`, kind(f, i), words.Int(f.Count), f.What)
	}
	b.Add(`</ul>`)
	v.load(b)
	b.Add(`</section>`)
}

// kind is the class of a part of the bar.
func kind(f report.OutcomeCount, i int) string {
	if f.Out {
		return "out"
	}
	return "k" + strconv.Itoa(i%4)
}

// load draws how much was in use over time, with pauses.
func (v *Seen) load(b *draw.Writer) {
	r := v.Jobs
	size := v.Processors
	if size <= 0 {
		size = r.PeakProcs
	}
	if len(r.Busy) == 0 || r.BusyTo <= 0 || size <= 0 {
		return
	}
	const w, h = 600.0, 110.0
	part := float64((r.BusyTo + int64(len(r.Busy)) - 1) / int64(len(r.Busy)))
	most := 1.0
	for _, x := range r.Busy {
		most = max(most, x/part/float64(size))
	}
	mean, peak := 0.0, 0.0
	b.Put(`<h4>Processors in use, of {}</h4><svg class="intake-load" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" aria-label="`, words.Int(size), fmt.Sprintf("%g", w), fmt.Sprintf("%g", h))
	for _, x := range r.Busy {
		mean += x / part / float64(size) / float64(len(r.Busy))
		peak = max(peak, x/part/float64(size))
	}
	b.Put(`Use over time: {} in the mean, at most {}; {}">`, words.Percent(mean), words.Percent(peak), words.Count(len(r.Pauses), "pause", "pauses"))
	for i, x := range r.Busy {
		y := h * x / part / float64(size) / most
		b.Put(`<rect class="busy" x="{}" y="{}" width="{}" height="{}"/>`, fmt.Sprintf("%.1f", w*float64(i)/float64(len(r.Busy))), fmt.Sprintf("%.1f", h-y), fmt.Sprintf("%.1f", w/float64(len(r.Busy))-1), fmt.Sprintf("%.1f", y))
	}
	b.Put(`<path class="full" d="M0 {}H{}"/>`, fmt.Sprintf("%.1f", h-h/most), fmt.Sprintf("%g", w))
	whole := part * float64(len(r.Busy))
	for _, p := range r.Pauses {
		b.Put(`<rect class="pause" x="{}" y="0" width="{}" height="{}"/>`, fmt.Sprintf("%.1f", w*float64(p.From)/whole), fmt.Sprintf("%.1f", max(2, w*float64(p.To-p.From)/whole)), fmt.Sprintf("%g", h))
	}
	b.Put(`</svg><p class="faint intake-span"><span>{}</span><span>{}</span></p>`, v.Clock.Date(0), v.Clock.Date(model.Time(r.BusyTo)))
}

func (v *Seen) partitions(b *draw.Writer) {
	r := v.Jobs
	b.Add(`<section class="bl-card intake-partitions"><h3>Partitions <small>as the file names them</small></h3>`)
	if len(r.Partitions) == 0 {
		b.Add(`<p class="soft">The file names none.</p></section>`)
		return
	}
	total, longest := 0.0, int64(1)
	for _, p := range r.Partitions {
		total += p.Work
		longest = max(longest, p.Asked, p.Used)
	}
	b.Add(`<div class="table-at" tabindex="0" role="region" aria-label="Partitions"><table class="plain"><thead><tr><th scope="col">partition</th><th scope="col" class="num">jobs</th><th scope="col" class="num">work</th><th scope="col" class="num">mean wait</th><th scope="col" class="num">median asked</th><th scope="col" class="num">used</th><td></td></tr></thead><tbody>`)
	for _, p := range r.Partitions {
		name := p.Name
		if name == "" {
			name = strconv.Itoa(p.Number)
		}
		b.Put(`<tr><th scope="row">{}</th><td class="num">{}</td><td class="num">{}</td><td class="num">{}</td><td class="num">{}</td><td class="num">{}</td><td class="intake-used"><span aria-hidden="true"><i style="width:{}%"></i><b style="width:{}%"></b></span></td></tr>`, name, words.Int(p.Jobs), words.Percent(p.Work/max(total, 1)), words.Dur(p.Wait), span(p.Asked), span(p.Used), 100*p.Asked/longest, 100*p.Used/longest)
	}
	b.Put(`</tbody></table></div><p class="faint">Bars: how long the median job asked for, as a frame, and ran, filled; the longest is {}.</p></section>`, span(longest))
}

// span writes seconds, – for none.
func span(seconds int64) string {
	if seconds <= 0 {
		return "–"
	}
	return words.Dur(float64(seconds))
}

const (
	good draw.Markup = `<span class="intake-mark good" role="img" aria-label="well">✓</span>`
	warn draw.Markup = `<span class="intake-mark warn" role="img" aria-label="look at this">!</span>`
)

func (v *Seen) checks(b *draw.Writer) {
	r := v.Jobs
	list := r.Checks
	if v.Processors > 0 {
		list = append([]report.Check{r.InUse(v.Processors)}, list...)
	}
	b.Put(`<section class="bl-card"><h3>Does it make sense? <small>{}</small></h3><ul class="intake-list">`, words.Count(len(list), "check", "checks"))
	for _, c := range list {
		mark, n, at := good, "", ""
		if c.Count > 0 {
			mark = warn
			if c.Key != "capacity" {
				n = words.Int(c.Count)
			}
			at = lines(c)
		}
		if c.Key == "pauses" && c.Count > 0 {
			v.pauses(b, n, c.What)
			continue
		}
		b.Put(`<li>{}<div>{}<span class="faint">{}</span></div><b>{}</b></li>`, mark, first(c.What), at, n)
	}
	b.Add(`</ul></section>`)
}

// first writes the first letter large.
func first(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// lines says where a check found something first.
func lines(c report.Check) string {
	if len(c.Lines) == 0 {
		return ""
	}
	text := "line "
	if len(c.Lines) > 1 {
		text = "lines "
	}
	for i, l := range c.Lines {
		if i > 0 {
			text += ", "
		}
		text += words.Int(l)
	}
	if len(c.Lines) < c.Count {
		text += ", …"
	}
	return text
}

// mostPauses is how many pauses are named one by one.
const mostPauses = 6

// pauses offers pauses as outages.
func (v *Seen) pauses(b *draw.Writer, n, what string) {
	b.Put(`<li>{}<div>{}`, map[bool]draw.Markup{true: good, false: warn}[v.open() == 0], first(what))
	for i, p := range v.Jobs.Pauses {
		if i == mostPauses {
			b.Put(`<span class="faint">and {} more</span>`, words.Int(len(v.Jobs.Pauses)-i))
			break
		}
		b.Put(`<span class="faint">{}, {}</span>`, v.Clock.When(model.Time(p.From))+" – "+v.Clock.When(model.Time(p.To)), words.Dur(float64(p.To-p.From)))
	}
	if v.open() > 0 {
		b.Put(`<button type="button" class="link-button" data-do="outages" id="import-outages">{}</button>`, map[bool]string{true: "Make it an outage", false: "Make them outages"}[v.open() == 1])
	} else {
		b.Add(`<span class="faint">Outages of the platform now</span>`)
	}
	b.Put(`</div><b>{}</b></li>`, n)
}

func (v *Seen) assumed(b *draw.Writer) {
	r := v.Jobs
	b.Add(`<section class="bl-card"><h3>What was assumed <small>and what it costs</small></h3><ul class="intake-list">`)
	zone := func(what, taken string, mark draw.Markup) {
		b.Put(`<li>{}<div><label for="import-zone">{}</label><span class="faint">{}</span><input id="import-zone" type="text" list="import-zones" autocomplete="off" spellcheck="false" value="{}" placeholder="UTC"><span class="intake-fault" id="import-zone-fault" role="alert"></span></div></li>`, mark, what, taken, r.Zone)
	}
	if r.Zone != "" {
		zone("The zone of times that state none", "as you said", good)
	}
	for _, a := range r.Assumed {
		switch {
		case a.Choice == "zone":
			zone("Which time zone does the cluster keep?", a.Taken+"; it matters for the hours of days and weeks in charts, and for outages", warn)
		case a.Choice == "processors" && v.Machine != nil && v.Machine.Processors > 0: // known by now
		case a.Choice == "processors":
			b.Put(`<li>{}<div>{}<span class="faint">{}; drop slurm.conf, or give the number under <i>Platform</i></span></div></li>`, warn, a.What, a.Taken)
		default:
			ask := draw.Markup("")
			if a.Choice == "columns" && v.Table == nil {
				ask = `<button type="button" class="link-button" data-do="ask-columns" id="import-ask-columns">Say otherwise</button>`
			}
			b.Put(`<li>{}<div>{}<span class="faint">{}</span>{}</div></li>`, good, a.What, a.Taken, ask)
		}
	}
	for _, m := range r.Missing {
		b.Put(`<li>{}<div>No {}<span class="faint">{}</span></div></li>`, warn, m.What, m.Costs)
	}
	b.Add(`</ul></section>`)
}

// mostProblems is how many rows that could not be read are shown.
const mostProblems = 5

func (v *Seen) problems(b *draw.Writer) {
	b.Add(`<section class="bl-card"><h3>What could not be read`)
	if n := v.Clean.Malformed; n > 0 {
		b.Put(` <small>{}</small>`, words.Count(n, "row", "rows"))
	}
	b.Add(`</h3>`)
	if v.Clean.Malformed == 0 {
		b.Add(`<p class="soft">Every row was read.</p></section>`)
		return
	}
	b.Put(`{}<p class="faint">All of them, and their lines: <i>Lines of the log</i> at the left.</p></section>`, problems(v.Clean.Problems, mostProblems))
}

// problems lists faults with their line, their column and the text that stands there.
func problems(list []report.Problem, most int) draw.Markup {
	var b draw.Writer
	b.Add(`<ul class="intake-faults">`)
	for i, p := range list {
		if i == most {
			b.Put(`<li class="faint">and {} more</li>`, words.Int(len(list)-i))
			break
		}
		b.Put(`<li><b>Line {}{}</b>`, words.Int(p.Line), comma(p.Name))
		if p.Text != "" {
			b.Put(`<code>{}<mark>{}</mark>{}</code>`, p.Before, p.Text, p.After)
		}
		b.Put(`<span>{}: {}.</span></li>`, first(p.What), p.Action)
	}
	b.Add(`</ul>`)
	return b.Markup()
}

// out offers the files that may go to others.
func (v *Seen) out(b *draw.Writer) {
	b.Add(`<section class="bl-card"><h3>What may go out <small>only if you save it</small></h3><p class="soft">The jobs as a log in the Standard Workload Format (log.swf), and what that has no field for (extra.csv): users, accounts and partitions are numbers in both.</p><label class="intake-shift"><input type="checkbox" class="check" id="import-shift"> Move all dates by whole weeks, to 2001</label><button type="button" class="btn" data-do="save" id="import-save">Anonymised log</button><span class="faint" id="import-saved" role="status"></span></section>`)
}

func comma(s string) string {
	if s == "" {
		return ""
	}
	return ", " + s
}
