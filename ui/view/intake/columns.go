package intake

import (
	"fmt"
	"strings"

	"batchlab/core/report"
)

// asked are the first of what is wanted of a table: without them there is nothing to
// simulate, or little to see.
const asked = 8

// columns asks what the columns of a table hold, preset with what they seem to.
func (v *Seen) columns(b *strings.Builder) {
	t := v.Table
	if t == nil {
		return
	}
	what := "The table"
	if v.TableName != "" {
		what = "<b>" + esc(v.TableName) + "</b>"
	}
	b.WriteString(`<section class="bl-card intake-columns"><h3>What do its columns hold?</h3><p class="soft">` + what + ` has a header and a row for each job. Needed are when jobs were submitted, when they ended or how long they ran, and on how many processors or nodes; what else there is makes more visible. Dates, seconds since 1970 and seconds from any beginning are understood; durations are seconds, or as 1-02:03:04.` + some(v.More, " After this one %s more; those with the same columns are read with it, as one log.", "table", "tables") + `</p>`)
	if t.Why != "" {
		b.WriteString(`<p class="intake-fault" role="status">` + esc(first(t.Why)) + `.</p>`)
	}
	b.WriteString(`<div class="intake-map">`)
	for i, w := range t.Wanted {
		if i == asked {
			b.WriteString(`</div><details class="intake-unused"` + open(t.Wanted[i:]) + `><summary>Further columns</summary><div class="intake-map">`)
		}
		fmt.Fprintf(b, `<label>%s<select class="input" data-column="%s"><option value="">–</option>`, esc(w.What), w.Key)
		for k, c := range t.Columns {
			chosen := ""
			if k == w.Column {
				chosen = ` selected="selected"`
			}
			fmt.Fprintf(b, `<option value="%s"%s>%s</option>`, esc(c.Name), chosen, esc(c.Name+comma(c.Values[0])))
		}
		b.WriteString(`</select></label>`)
	}
	if len(t.Wanted) > asked {
		b.WriteString(`</div></details>`)
	} else {
		b.WriteString(`</div>`)
	}
	b.WriteString(`<p class="intake-chips"><button type="button" class="btn primary" data-do="columns" id="import-columns">Read it so</button><button type="button" class="btn" data-do="leave-columns">Leave it</button></p>`)
	var names []string
	for _, c := range t.Columns {
		names = append(names, esc(c.Name))
	}
	b.WriteString(table("Its first rows", names...))
	for i := range t.Columns[0].Values {
		b.WriteString(`<tr>`)
		for _, c := range t.Columns {
			b.WriteString(`<td>` + esc(c.Values[i]) + `</td>`)
		}
		b.WriteString(`</tr>`)
	}
	b.WriteString(`</tbody></table></div></section>`)
}

// open opens what would hide a guess.
func open(list []report.Wanted) string {
	for _, w := range list {
		if w.Column >= 0 {
			return ` open="open"`
		}
	}
	return ""
}
