package draw

import (
	"batchlab/ui/words"
)

// Mark is a short piece of a scheduler's line, for legends.
func Mark(i int) Markup {
	return HTML(`<svg class="bl-mark" width="20" height="8" aria-hidden="true"><path d="M0 4H20" stroke="{}" stroke-width="2.4" stroke-dasharray="{}"/></svg>`, SeriesVar(i), Dash(i))
}

// swatch is a box of a colour or pattern, or without one Mark.
func swatch(i int, fill string) Markup {
	if fill == "" {
		return Mark(i)
	}
	return HTML(`<svg class="bl-mark" width="20" height="8" aria-hidden="true"><rect width="20" height="8" fill="{}"/></svg>`, fill)
}

func (d *Data) Key(i int) Key { return Key{Series: i, Letter: words.Letter(i), Name: d.Name(i)} }

// LegendOf is a legend as HTML, "" without entries.
func LegendOf(keys []Key) Markup {
	var b Writer
	for _, k := range keys {
		b.Put(`<span>{}`, swatch(k.Series, k.Fill))
		if k.Letter != "" {
			b.Put(`<b>{}</b> `, k.Letter)
		}
		b.Put(`{}</span>`, k.Name)
	}
	return b.Markup()
}

// Tip is what is said beside the pointer: a heading, and lines of a name and
// one or two values.
type Tip struct {
	Head [2]string // over two columns of values
	rows Writer
}

// Row adds a line; name is HTML, values are not.
func (t *Tip) Row(name Markup, values ...string) {
	t.rows.Put(`<tr><td>{}</td>`, name)
	for _, v := range values {
		t.rows.Put(`<td>{}</td>`, v)
	}
	t.rows.Add(`</tr>`)
}

func (t *Tip) HTML(title string) Markup {
	head := Markup("")
	if t.Head[0] != "" {
		head = HTML(`<tr><th></th><th>{}</th><th>{}</th></tr>`, t.Head[0], t.Head[1])
	}
	return HTML(`<b>{}</b><table class="bl-tip">{}{}</table>`, title, head, t.rows.Markup())
}
