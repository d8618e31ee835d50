package overview

import (
	"cmp"

	"batchlab/core/catalog"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/result"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// Formula explains a measure: what it is, its formula and source, and the values of the
// schedulers.
func Formula(s *state.Store, row *catalog.Metric) draw.Markup {
	return draw.HTML(`<p>{}</p><dl class="facts"><div><dt>Formula</dt><dd class="mono">{}</dd></div><div><dt>Unit</dt><dd>{}, {}</dd></div><div><dt>Source</dt><dd>{}</dd></div></dl>
<div class="table-at" tabindex="0" role="region" aria-label="Values of the schedulers">{}</div>
<p class="faint">Intervals are those of the mean at 95 % by Student's t. Differences are taken repeat by repeat, each pair on the same jobs. A band over phases is no interval: it is what the scheduler itself leaves open.</p>`,
		row.Help, row.Formula, unitOf(row), better(row), row.Source, valuesOf(s, row))
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
func valuesOf(s *state.Store, row *catalog.Metric) draw.Markup {
	if s.Ran == nil || !s.Some() {
		return ""
	}
	base := s.Baseline()
	mean, of := "Mean", "95 % interval"
	if s.Phases() > 0 {
		mean, of = "Median", "Band over phases"
	}
	var w draw.Writer
	w.Put(`<table class="plain"><thead><tr><th scope="col">Scheduler</th><th scope="col" class="num">{}</th><th scope="col" class="num">{}</th><th scope="col" class="num">Different runs</th>`, mean, of)
	if base >= 0 {
		w.Put(`<th scope="col" class="num">Minus {}, paired</th>`, words.Letter(base))
	}
	w.Add(`</tr></thead><tbody>`)
	for i := range s.Ran.Schedulers {
		sp := s.Measure(i, row.Key)
		if sp.N == 0 {
			continue
		}
		w.Put(`<tr><th scope="row"><b class="letter">{}</b> {}</th><td class="num">{}</td><td class="num">{}</td><td class="num">{}</td>`,
			words.Letter(i), s.Label(i), result.ValueText(row, sp.Mean), cmp.Or(result.SpanText(row, sp), words.None), words.Int(sp.N))
		if base >= 0 {
			w.Put(`<td class="num">{}</td>`, paired(s, row, i, base))
		}
		w.Add(`</tr>`)
	}
	w.Add(`</tbody></table>`)
	return w.Markup()
}

// paired writes the mean difference of scheduler i to another over the
// repetitions of both, with its interval and whether that leaves out zero.
func paired(s *state.Store, row *catalog.Metric, i, base int) draw.Markup {
	d := s.Compare(i, base, row.Key)
	text := result.GapText(row, d)
	switch {
	case i == base:
		return `<span class="faint">baseline</span>`
	case d.N == 0:
		return `<span class="faint">not comparable</span>`
	case d.Same:
		return draw.HTML(`<span class="faint">{}</span>`, report.VerdictSame)
	case d.N < 2 && !d.Has():
		return draw.HTML(`{} <span class="faint">one workload</span>`, text)
	case !d.Sure && d.Band:
		return draw.HTML(`<span class="faint">{}, {}</span>`, text, report.VerdictBand)
	case !d.Sure && d.Has():
		return draw.HTML(`<span class="faint" title="The 95 % interval holds no difference">{}, no clear difference</span>`, text)
	case !d.Sure:
		return draw.HTML(`<span class="faint" title="{}">{}, no interval</span>`, d.Why, text)
	}
	return draw.HTML(`<span class="{}">{}</span>`, diffClass(d, row), text)
}
