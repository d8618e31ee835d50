package overview

import (
	"strconv"

	"batchlab/core/catalog"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/result"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// written is the table of all measures that was written last, and what it depends on: its
// hundreds of cells are not computed at each event.
var written struct {
	key   tableKey
	table draw.Markup
}

type tableKey struct {
	of                        *state.Store
	results, base, style, two int // two: 1 + the one looked at, of two that are compared
	differ, still             bool
}

// Table is every measure of every scheduler.
func (c *Panel) Table() draw.Markup {
	if c.Ran == nil || !c.Some() {
		return ""
	}
	key := tableKey{of: c.Store, results: c.Results, base: c.Baseline(), style: words.Version(), differ: c.View.Differ, still: c.Still}
	if c.View.Two {
		key.two = 1 + c.View.A
	}
	if key != written.key {
		written.key, written.table = key, c.writeTable(key.base)
	}
	return written.table
}

func (c *Panel) writeTable(base int) draw.Markup {
	labels := c.Ran.Labels()
	var w draw.Writer
	w.Add(`<table class="plain measures"><thead><tr><th scope="col">Measure</th>`)
	for i, label := range labels {
		if c.Shows(i) {
			w.Put(`<th scope="col" class="num"><span class="letter">{}</span> {}{}{}</th>`, words.Letter(i), label, draw.Swatch(i), draw.When(i == base, `<small>baseline</small>`))
		}
	}
	w.Add(`</tr></thead>`)
	for _, family := range catalog.Families {
		var rows draw.Writer
		for k := range catalog.Metrics {
			if row := &catalog.Metrics[k]; row.Family == family.Key && row.Same == "" {
				c.tableRow(&rows, row, len(labels), base)
			}
		}
		if rows.Len() > 0 {
			w.Put(`<tbody><tr class="family"><th scope="rowgroup" colspan="{}" title="{}">{}</th></tr>{}</tbody>`, len(labels)+1, family.Help, family.Name, rows.Markup())
		}
	}
	w.Add(`</table>`)
	return w.Markup()
}

// tableRow writes a measure, unless no scheduler has it.
func (c *Panel) tableRow(w *draw.Writer, row *catalog.Metric, n, base int) {
	var cells draw.Writer
	any := false
	for i := range n {
		if !c.Shows(i) {
			continue
		}
		sp := c.Measure(i, row.Key)
		switch {
		case sp.N == 0:
			cells.Put(`<td class="num faint">{}</td>`, words.None)
			continue
		case c.View.Differ:
			cells.Put(`<td class="num">{}</td>`, paired(c.Store, row, i, base))
		case i != base && base >= 0:
			d := c.Compare(i, base, row.Key)
			cells.Put(`<td class="num">{}<small class="{}">{}</small></td>`, result.ValueText(row, sp.Mean), c.judgedClass(d, row, i, base), words.Either(d.Same, report.VerdictSame, arrow(d, row)))
		default:
			cells.Put(`<td class="num">{}</td>`, result.ValueText(row, sp.Mean))
		}
		any = true
	}
	if !any {
		return
	}
	name := draw.HTML(`{}`, row.Name)
	if !c.Still {
		name = draw.HTML(`<button type="button" class="explain" data-act="explain:{}" title="{}">{}</button>`, row.Key, row.Formula, row.Name)
	}
	w.Put(`<tr><th scope="row">{}</th>{}</tr>`, name, cells.Markup())
}

// ranWith lists the parameters of schedulers that have more of them than a
// name can hold: weights are part of a result.
func (c *Panel) ranWith() draw.Markup {
	if c.Ran == nil {
		return ""
	}
	var w draw.Writer
	labels := c.Ran.Labels()
	for i, sch := range c.Ran.Schedulers {
		row := catalog.FindScheduler(sch.Key)
		if row == nil || len(row.Params) < 5 || row.Params[0].Slide == 0 {
			continue
		}
		w.Put(`<p><b class="letter">{}</b> {}: <span class="soft">`, words.Letter(i), labels[i])
		for k, p := range row.Params {
			v, _ := sch.Params.Number(p.Key)
			w.Put(`{}{}{}{}`, draw.When(k > 0, ", "), p.Key, words.NB, strconv.FormatFloat(v, 'g', -1, 64))
		}
		w.Add(`</span></p>`)
	}
	return w.Markup()
}

// tableNote says what the numbers are.
func (c *Panel) tableNote() string {
	_, text := c.Comparable()
	if c.View.Differ && c.Baseline() >= 0 && c.Phases() > 0 {
		return "median of the differences to " + words.Letter(c.Baseline()) + ", phase by phase, with their band. " + text
	}
	if c.View.Differ && c.Baseline() >= 0 {
		return "mean of the paired differences to " + words.Letter(c.Baseline()) + " with its 95" + words.NB + "% interval. " + text
	}
	if c.Baseline() >= 0 {
		text += "; small: difference to " + words.Letter(c.Baseline())
	}
	if over := c.Phases(); over > 0 {
		return "medians over " + words.Count(over, "phase", "phases") + ". " + text
	}
	if over := c.Different(); over > 1 {
		return "means over " + words.Count(over, "repeat", "repeats") + ". " + text
	}
	return text
}
