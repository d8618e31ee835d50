package intake

import (
	"batchlab/core/report"
	"batchlab/ui/draw"
)

// asked are the first of what is wanted of a table: without them there is nothing to
// simulate, or little to see.
const asked = 8

// columns asks what the columns of a table hold, preset with what they seem to.
func (v *Seen) columns(b *draw.Writer) {
	t := v.Table
	if t == nil {
		return
	}
	what := draw.Markup("The table")
	if v.TableName != "" {
		what = draw.HTML(`<b>{}</b>`, v.TableName)
	}
	b.Put(`<section class="bl-card intake-columns"><h3>What do its columns hold?</h3><p class="soft">{} has a header and a row for each job. Needed are when jobs were submitted, when they ended or how long they ran, and on how many processors or nodes; what else there is makes more visible. Dates, seconds since 1970 and seconds from any beginning are understood; durations are seconds, or as 1-02:03:04.{}</p>`, what, some(v.More, " After this one %s more; those with the same columns are read with it, as one log.", "table", "tables"))
	if t.Why != "" {
		b.Put(`<p class="intake-fault" role="status">{}.</p>`, first(t.Why))
	}
	b.Add(`<div class="intake-map">`)
	for i, w := range t.Wanted {
		if i == asked {
			b.Put(`</div><details class="intake-unused"{}><summary>Further columns</summary><div class="intake-map">`, open(t.Wanted[i:]))
		}
		b.Put(`<label>{}<select class="input" data-column="{}"><option value="">–</option>`, w.What, w.Key)
		for k, c := range t.Columns {
			chosen := draw.Markup("")
			if k == w.Column {
				chosen = ` selected="selected"`
			}
			b.Put(`<option value="{}"{}>{}</option>`, c.Name, chosen, c.Name+comma(c.Values[0]))
		}
		b.Add(`</select></label>`)
	}
	if len(t.Wanted) > asked {
		b.Add(`</div></details>`)
	} else {
		b.Add(`</div>`)
	}
	b.Add(`<p class="intake-chips"><button type="button" class="btn primary" data-do="columns" id="import-columns">Read it so</button><button type="button" class="btn" data-do="leave-columns">Leave it</button></p>`)
	var names []string
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	b.Add(table("Its first rows", names...))
	for i := range t.Columns[0].Values {
		b.Add(`<tr>`)
		for _, c := range t.Columns {
			b.Put(`<td>{}</td>`, c.Values[i])
		}
		b.Add(`</tr>`)
	}
	b.Add(`</tbody></table></div></section>`)
}

// open opens what would hide a guess.
func open(list []report.Wanted) draw.Markup {
	for _, w := range list {
		if w.Column >= 0 {
			return ` open="open"`
		}
	}
	return ""
}
