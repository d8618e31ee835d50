package ui

import (
	"slices"
	"strings"

	"github.com/vugu/vugu"

	"batchlab/core/catalog"
	"batchlab/core/report"
	"batchlab/ui/look"
	"batchlab/ui/result"
	"batchlab/ui/state"
	"batchlab/ui/view/overview"
	"batchlab/ui/words"
)

// Overview is the first tab: cards, four charts, the table of all measures.
type Overview struct {
	P *Page

	still bool     // it stands in a file, where nothing can be pressed
	kept  tableKey // what html was written for
	html  vugu.HTML
}

// tableKey is what the table of all measures depends on.
type tableKey struct {
	results, base, style, two int // two: 1 + the one looked at, of two that are compared
	differ                    bool
}

func (c *Overview) s() *state.Store { return c.P.S }

// wanted are measures that stand before the headlines' last ones where a run
// has them: what jobs with deadlines and licences are about.
var wanted = []string{"out-of-deadline", "mean-tardiness", "licence-usage"}

// reserved are the cards where there are reservations: batch jobs and
// reservations by themselves, and both together.
var reserved = []string{"mean-wait", "mean-turnaround", "reservation-tardiness", "rejected-reservations", "mean-flow"}

// filling are the measures that fill the row of cards behind the headlines.
var filling = []string{"mean-turnaround", "p95-wait", "max-queue-length"}

// cards are the measures shown as cards, five at most: missed deadlines always where there
// are deadlines.
func (c *Overview) cards() []*catalog.Metric {
	var rows []*catalog.Metric
	for i := range catalog.Metrics {
		if catalog.Metrics[i].Headline {
			rows = append(rows, &catalog.Metrics[i])
		}
	}
	if c.s().Measure(c.s().View.A, reserved[0]).N > 0 && c.s().Reserves(c.s().View.A) {
		rows = rows[:0]
		for _, key := range reserved {
			if key == "mean-turnaround" && c.s().Measure(c.s().View.A, wanted[0]).N > 0 {
				key = wanted[0]
			}
			rows = append(rows, catalog.FindMetric(key))
		}
		return rows
	}
	for _, key := range wanted {
		if row := catalog.FindMetric(key); row != nil && c.s().Measure(c.s().View.A, key).N > 0 {
			if len(rows) == 5 {
				rows = slices.DeleteFunc(rows, func(r *catalog.Metric) bool { return r.Key == "utilization" })
			}
			rows = append(rows, row)
		}
	}
	for _, key := range filling {
		if row := catalog.FindMetric(key); row != nil && !row.Headline && len(rows) < 5 {
			rows = append(rows, row)
		}
	}
	return rows[:min(5, len(rows))]
}

// verdict: a sentence, how sure, then the picture.

func (c *Overview) judged() bool {
	return c.comparing() || c.s().Some() && (c.finding().Line != "" || c.s().MeasuredPart() != "" || c.sampled() != "")
}

// comparing reports whether a sentence is still to come: its place is kept, so that
// nothing moves when it does.
func (c *Overview) comparing() bool {
	return c.s().Ran != nil && c.s().Active() && len(c.s().Ran.Schedulers) > 1 && c.finding().Line == ""
}

func (c *Overview) finding() result.Finding { return c.s().Finding() }

// sampled says what the numbers are of.
func (c *Overview) sampled() string {
	if c.s().Ran == nil || c.s().Active() {
		return ""
	}
	return c.s().Sampled()
}

func (c *Overview) sampledClass() string {
	return "verdict-chip " + either(c.s().Workloads() > 1, "good", "warn")
}

// offer is the question that the button asks, "" without a button.
func (c *Overview) offer() string {
	if c.s().Active() || c.s().Workloads() > 1 {
		return ""
	}
	_, question, _ := c.s().Offer()
	return question
}

func (c *Overview) offerRuns() string {
	_, _, runs := c.s().Offer()
	return words.Count(runs, "run", "runs")
}

func (c *Overview) drawn() bool {
	return c.s().Ran != nil && c.s().Ran.Workload.Resample != nil && !c.s().Active()
}

// note stands behind a card's name.
func (c *Overview) note(row *catalog.Metric) string {
	if strings.Contains(row.Key, "bounded-slowdown") && c.s().Ran != nil {
		return "τ" + words.NB + words.Dur(float64(c.s().Ran.Measures.Tau))
	}
	switch row.Key {
	case "mean-wait", "mean-turnaround":
		if c.s().Reserves(c.s().View.A) {
			return "batch jobs"
		}
	case "mean-flow":
		return "F"
	case "reservation-tardiness":
		return "D"
	}
	return ""
}

func (c *Overview) value(row *catalog.Metric) string {
	sp := c.s().Measure(c.s().View.A, row.Key)
	if sp.N == 0 {
		return words.None
	}
	return result.ValueText(row, sp.Mean)
}

// span is the 95 % interval of a card's value: "1 h 2 min to 2 h", "" without one.
func (c *Overview) span(row *catalog.Metric) string {
	sp := c.s().Measure(c.s().View.A, row.Key)
	text := result.SpanText(row, sp)
	if sp.Band && text != "" {
		text += " over " + words.Count(sp.N, "phase", "phases")
	}
	return text
}

func (c *Overview) diff(row *catalog.Metric) result.Diff {
	return c.s().Compare(c.s().View.A, c.s().Baseline(), row.Key)
}

func (c *Overview) diffClass(row *catalog.Metric) string {
	return c.judgedClass(c.diff(row), row, c.s().View.A, c.s().Baseline())
}

// judgedClass is the colour of a difference: none where what is compared is void.
func (c *Overview) judgedClass(d result.Diff, row *catalog.Metric, a, b int) string {
	if c.s().Void(a, b) != "" {
		return "faint"
	}
	return diffClass(d, row)
}

func diffClass(d result.Diff, row *catalog.Metric) string {
	switch {
	case d.N == 0 || d.Same || d.Better == 0 || d.Open() || result.DiffText(row, d) == result.Nearly:
		return "faint"
	case d.Better > 0:
		return "good"
	}
	return "bad"
}

// diffText is "▼ −69 %"; the word "better" or "worse" goes to the tooltip and
// to screen readers.
func (c *Overview) diffText(row *catalog.Metric) string { return arrow(c.diff(row), row) }

func arrow(d result.Diff, row *catalog.Metric) string {
	text := result.DiffText(row, d)
	switch {
	case d.N == 0 || d.Same:
		return ""
	case text == result.Nearly:
		return text
	case d.Less():
		return "▼ " + text
	}
	return "▲ " + text
}

// diffRange is the 95 % interval of the difference.
func (c *Overview) diffRange(row *catalog.Metric) string { return result.RangeText(row, c.diff(row)) }

// against names the baseline behind a difference.
func (c *Overview) against(row *catalog.Metric) string {
	s := c.s()
	b := s.Baseline()
	d := c.diff(row)
	switch {
	case s.Ran == nil: // a link names a log that is not there yet
		return ""
	case b < 0 && len(s.Ran.Schedulers) > 1:
		return ""
	case b < 0:
		return "nothing to compare with"
	case b == s.View.A:
		return "the baseline itself"
	case d.N == 0:
		return ""
	case d.Same:
		return report.VerdictSame + " as " + words.Letter(b) + words.NB + s.Label(b)
	}
	if untold := result.Untold(&d); untold != "" {
		return untold
	}
	return "against " + words.Letter(b)
}

func (c *Overview) verdict(row *catalog.Metric) string {
	d := c.diff(row)
	if void := c.s().Void(c.s().View.A, c.s().Baseline()); void != "" {
		return void + " " + row.Help
	}
	if d.N == 0 || d.Same || d.Better == 0 {
		return row.Help
	}
	better, than := either(d.Better > 0, "better", "worse"), " than "+c.s().Label(c.s().Baseline())
	switch {
	case d.Sure:
		return d.Probably() + better + than + ", " + report.How(d.How) + ". " + row.Help
	case d.Band:
		return report.VerdictBand + ": over phases it is now below and now above " + c.s().Label(c.s().Baseline()) + ". " + row.Help
	case d.Has():
		return "No clear difference to " + c.s().Label(c.s().Baseline()) + ": the 95 % interval, " + report.How(d.How) + ", holds none. " + row.Help
	case d.Why != "":
		return better + than + " here; no interval: " + d.Why + ". " + row.Help
	}
	return better + than + " here. " + row.Help
}

// Bars

// bars are the measures that the bars can show.
func (c *Overview) bars() []bar {
	return []bar{{"mean-bounded-slowdown", "Slowdown"}, {"mean-wait", "Wait"}, {"mean-turnaround", "Turnaround"}}
}

type bar struct{ key, name string }

func (c *Overview) shows(key string) bool {
	b := c.s().View.Bars
	return b == key || b == "" && key == "mean-bounded-slowdown"
}

func (c *Overview) show(key string) {
	c.s().Look(func(v *look.View) { v.Bars = key })
}

// cuts says whether some bars are so long that the usual scale cuts them.
func (c *Overview) cuts() bool {
	key := c.s().View.Bars
	if key == "" {
		key = "mean-bounded-slowdown"
	}
	var means []float64
	for i := range c.s().Schedulers() {
		if m := c.s().Measure(i, key); m.N > 0 && c.s().Shows(i) {
			means = append(means, m.Mean)
		}
	}
	return overview.Cuts(means)
}

func (c *Overview) scale(key string) {
	c.s().Look(func(v *look.View) { v.Scale = key })
}

// pair is "A minus B" of the two schedulers that the size classes compare.
func (c *Overview) pair() string {
	b, over := c.s().Baseline(), c.s().Pooled()
	if over != "" {
		over = "; " + over
	}
	if b < 0 || b == c.s().View.A {
		return "mean wait" + over
	}
	return "mean wait, " + words.Letter(c.s().View.A) + " minus " + words.Letter(b) + over
}

func (c *Overview) both() string {
	b, which := c.s().Baseline(), c.s().Which()
	if which != "" {
		which = "; " + which
	}
	if b < 0 || b == c.s().View.A {
		return "busy processors and waiting jobs, " + words.Letter(c.s().View.A) + which
	}
	return "busy processors and waiting jobs, " + words.Letter(c.s().View.A) + " and " + words.Letter(b) + which
}

// What to look for

// preset is the row of the preset that the results are of, nil for others.
func (c *Overview) preset() *catalog.Preset {
	if c.s().Stale() || c.s().Edited() {
		return nil
	}
	return catalog.FindPreset(c.s().Preset)
}

func (c *Overview) lookFor() string {
	if row := c.preset(); row != nil {
		return row.LookFor
	}
	return ""
}

func (c *Overview) presetName() string {
	if row := c.preset(); row != nil {
		return row.Name
	}
	return ""
}

func (c *Overview) cite() string {
	if row := c.preset(); row != nil {
		return row.Cite
	}
	return ""
}

// grid says whether a run has several providers.
func (c *Overview) grid() bool {
	for _, r := range c.s().Runs {
		if r.Result != nil && len(r.Result.Providers) > 0 {
			return true
		}
	}
	return false
}

// Table of all measures

// table writes every measure of every scheduler. It is one string, since
// hundreds of cells would be hundreds of nodes at each render.
func (c *Overview) table() vugu.HTML {
	s := c.s()
	if s.Ran == nil || !s.Some() {
		return ""
	}
	base := s.Baseline()
	two := 0
	if s.View.Two {
		two = 1 + s.View.A
	}
	if key := (tableKey{s.Results, base, words.Version(), two, c.P.Differ}); key != c.kept {
		c.kept, c.html = key, c.writeTable(base)
	}
	return c.html
}

func (c *Overview) writeTable(base int) vugu.HTML {
	labels := c.s().Ran.Labels()
	var b strings.Builder
	b.WriteString(`<table class="plain measures"><thead><tr><th scope="col">Measure</th>`)
	for i := range labels {
		if !c.s().Shows(i) {
			continue
		}
		b.WriteString(`<th scope="col" class="num"><span class="letter">` + words.Letter(i) + `</span> ` + escape(labels[i]) + string(swatch(i)) +
			when(i == base, `<small>baseline</small>`) + `</th>`)
	}
	b.WriteString(`</tr></thead>`)
	for _, family := range catalog.Families {
		var rows strings.Builder
		for k := range catalog.Metrics {
			if row := &catalog.Metrics[k]; row.Family == family.Key && row.Same == "" {
				c.tableRow(&rows, row, labels, base)
			}
		}
		if rows.Len() > 0 {
			b.WriteString(`<tbody><tr class="family"><th scope="rowgroup" colspan="` + words.Int(len(labels)+1) + `" title="` + escape(family.Help) + `">` +
				escape(family.Name) + `</th></tr>` + rows.String() + `</tbody>`)
		}
	}
	b.WriteString(`</table>`)
	return vugu.HTML(b.String())
}

func (c *Overview) tableRow(b *strings.Builder, row *catalog.Metric, labels []string, base int) {
	cells, any := "", false
	for i := range labels {
		if !c.s().Shows(i) {
			continue
		}
		sp := c.s().Measure(i, row.Key)
		if sp.N == 0 {
			cells += `<td class="num faint">` + words.None + `</td>`
			continue
		}
		any = true
		if c.P.Differ {
			cells += `<td class="num">` + paired(c.s(), row, i, base) + `</td>`
			continue
		}
		cells += `<td class="num">` + result.ValueText(row, sp.Mean)
		if i != base && base >= 0 {
			d := c.s().Compare(i, base, row.Key)
			cells += `<small class="` + c.judgedClass(d, row, i, base) + `">` + either(d.Same, report.VerdictSame, arrow(d, row)) + `</small>`
		}
		cells += `</td>`
	}
	if any {
		name := escape(row.Name)
		if !c.still {
			name = `<button type="button" class="explain" value="` + row.Key + `" title="` + escape(row.Formula) + `">` + name + `</button>`
		}
		b.WriteString(`<tr><th scope="row">` + name + `</th>` + cells + `</tr>`)
	}
}

// ranWith lists the parameters of schedulers that have more of them than a
// name can hold: weights are part of a result.
func (c *Overview) ranWith() vugu.HTML {
	s := c.s()
	if s.Ran == nil {
		return ""
	}
	var b strings.Builder
	labels := s.Ran.Labels()
	for i, sch := range s.Ran.Schedulers {
		row := catalog.FindScheduler(sch.Key)
		if row == nil || len(row.Params) < 5 || row.Params[0].Slide == 0 {
			continue
		}
		b.WriteString(`<p><b class="letter">` + words.Letter(i) + `</b> ` + escape(labels[i]) + `: <span class="soft">`)
		for k, p := range row.Params {
			v, _ := sch.Params.Number(p.Key)
			b.WriteString(when(k > 0, ", ") + p.Key + words.NB + plain(v))
		}
		b.WriteString(`</span></p>`)
	}
	return vugu.HTML(b.String())
}

// tableNote says what the numbers are.
func (c *Overview) tableNote() string {
	_, text := c.s().Comparable()
	if c.P.Differ && c.s().Baseline() >= 0 && c.s().Phases() > 0 {
		return "median of the differences to " + words.Letter(c.s().Baseline()) + ", phase by phase, with their band. " + text
	}
	if c.P.Differ && c.s().Baseline() >= 0 {
		return "mean of the paired differences to " + words.Letter(c.s().Baseline()) + " with its 95" + words.NB + "% interval. " + text
	}
	if c.s().Baseline() >= 0 {
		text += "; small: difference to " + words.Letter(c.s().Baseline())
	}
	if over := c.s().Phases(); over > 0 {
		return "medians over " + words.Count(over, "phase", "phases") + ". " + text
	}
	if over := c.s().Different(); over > 1 {
		return "means over " + words.Count(over, "repeat", "repeats") + ". " + text
	}
	return text
}
