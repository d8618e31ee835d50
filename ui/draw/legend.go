package draw

import (
	"strings"

	"batchlab/ui/words"
)

// Mark is a short piece of a scheduler's line, for legends.
func Mark(i int) string {
	return `<svg class="bl-mark" width="20" height="8" aria-hidden="true"><path d="M0 4H20" stroke="` + SeriesVar(i) + `" stroke-width="2.4" stroke-dasharray="` + Dash(i) + `"/></svg>`
}

// swatch is a box of a colour or pattern, or without one Mark.
func swatch(i int, fill string) string {
	if fill == "" {
		return Mark(i)
	}
	return `<svg class="bl-mark" width="20" height="8" aria-hidden="true"><rect width="20" height="8" fill="` + fill + `"/></svg>`
}

func (d *Data) Key(i int) Key { return Key{Series: i, Letter: words.Letter(i), Name: d.Name(i)} }

// LegendOf is a legend as HTML, "" without entries.
func LegendOf(keys []Key) string {
	var b strings.Builder
	for _, k := range keys {
		b.WriteString(`<span>` + swatch(k.Series, k.Fill))
		if k.Letter != "" {
			b.WriteString(`<b>` + k.Letter + `</b> `)
		}
		b.WriteString(Escape(k.Name) + `</span>`)
	}
	return b.String()
}

// Tip is what is said beside the pointer: a heading, and lines of a name and
// one or two values.
type Tip struct {
	Head [2]string // over two columns of values
	rows strings.Builder
}

// Row adds a line; name is HTML, values are not.
func (t *Tip) Row(name string, values ...string) {
	t.rows.WriteString(`<tr><td>` + name + `</td>`)
	for _, v := range values {
		t.rows.WriteString(`<td>` + Escape(v) + `</td>`)
	}
	t.rows.WriteString(`</tr>`)
}

func (t *Tip) HTML(title string) string {
	head := ""
	if t.Head[0] != "" {
		head = `<tr><th></th><th>` + t.Head[0] + `</th><th>` + t.Head[1] + `</th></tr>`
	}
	return `<b>` + Escape(title) + `</b><table class="bl-tip">` + head + t.rows.String() + `</table>`
}
