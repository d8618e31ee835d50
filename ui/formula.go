package ui

import (
	"cmp"
	"strings"

	"github.com/vugu/vugu"

	"batchlab/core/catalog"
	"batchlab/core/report"
	"batchlab/ui/result"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// explain opens what a measure is: its formula and source.
func (p *Page) explain(key string) {
	if catalog.FindMetric(key) != nil {
		p.Metric = key
		p.openDialog("metric")
	}
}

// explainAt opens the measure of a row of the table that was pressed.
func (p *Page) explainAt(e vugu.DOMEvent) {
	if key := e.PropString("target", "value"); key != "" {
		p.explain(key)
	}
}

// measure is the measure that is explained; never nil.
func (p *Page) measure() *catalog.Metric {
	if row := catalog.FindMetric(p.Metric); row != nil {
		return row
	}
	return &catalog.Metrics[0]
}

// better says which way a measure is good.
func better(row *catalog.Metric) string {
	switch {
	case row.Better < 0:
		return "smaller is better"
	case row.Better > 0:
		return "larger is better"
	}
	return "neither way is better"
}

// unitOf writes a measure's unit.
func unitOf(row *catalog.Metric) string {
	switch {
	case row.Key == "utilization":
		return "share of 1, shown in per cent"
	case row.Unit == "":
		return "none (a ratio)"
	case row.Unit == "s":
		return "seconds"
	}
	return row.Unit
}

// valuesOf lists a measure's values by scheduler, with every repeat.
func (p *Page) valuesOf(row *catalog.Metric) vugu.HTML {
	s := p.S
	if s.Ran == nil || !s.Some() {
		return ""
	}
	base := s.Baseline()
	mean, of := "Mean", "95 % interval"
	if s.Phases() > 0 {
		mean, of = "Median", "Band over phases"
	}
	var b strings.Builder
	b.WriteString(`<table class="plain"><thead><tr><th scope="col">Scheduler</th><th scope="col" class="num">` + mean + `</th><th scope="col" class="num">` + of + `</th><th scope="col" class="num">Different runs</th>`)
	if base >= 0 {
		b.WriteString(`<th scope="col" class="num">Minus ` + words.Letter(base) + `, paired</th>`)
	}
	b.WriteString(`</tr></thead><tbody>`)
	for i := range s.Ran.Schedulers {
		sp := s.Measure(i, row.Key)
		if sp.N == 0 {
			continue
		}
		b.WriteString(`<tr><th scope="row"><b class="letter">` + words.Letter(i) + `</b> ` + escape(s.Label(i)) + `</th><td class="num">` + result.ValueText(row, sp.Mean) +
			`</td><td class="num">` + cmp.Or(result.SpanText(row, sp), words.None) + `</td><td class="num">` + words.Int(sp.N) + `</td>`)
		if base >= 0 {
			b.WriteString(`<td class="num">` + paired(s, row, i, base) + `</td>`)
		}
		b.WriteString(`</tr>`)
	}
	b.WriteString(`</tbody></table>`)
	return vugu.HTML(b.String())
}

// paired writes the mean difference of scheduler i to another over the
// repetitions of both, with its interval and whether that leaves out zero.
func paired(s *state.Store, row *catalog.Metric, i, base int) string {
	d := s.Compare(i, base, row.Key)
	switch {
	case i == base:
		return `<span class="faint">baseline</span>`
	case d.N == 0:
		return `<span class="faint">not comparable</span>`
	case d.Same:
		return `<span class="faint">` + report.VerdictSame + `</span>`
	}
	text := result.GapText(row, d)
	switch {
	case d.N < 2 && !d.Has():
		return text + ` <span class="faint">one workload</span>`
	case !d.Sure && d.Band:
		return `<span class="faint">` + text + `, ` + report.VerdictBand + `</span>`
	case !d.Sure && d.Has():
		return `<span class="faint" title="The 95 % interval holds no difference">` + text + `, no clear difference</span>`
	case !d.Sure:
		return `<span class="faint" title="` + escape(d.Why) + `">` + text + `, no interval</span>`
	}
	return `<span class="` + diffClass(d, row) + `">` + text + `</span>`
}
