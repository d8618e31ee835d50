package ui

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"batchlab/core/catalog"
	"batchlab/ui/draft"
	"batchlab/ui/draw"
	"batchlab/ui/look"
	"batchlab/ui/view/vary"
	"batchlab/ui/words"
)

// What the left column holds below the schedulers is data (draft.Section), and so
// are lists of inputs, and the panels of views: they are written as markup and put into
// <div data-sections="WHAT">, which Vugu leaves alone; panel_js.go does that and
// listens. One writer serves every table and every input: a component of its own
// for each would cost many times the download.

// section writes what stands in an element: the rows of the left column, "fields ID ID …"
// the inputs of these ids, "view KEY" the panel of a view, or what its name says.
func (p *Page) section(what string) draw.Markup {
	p.S.Shell = look.Shell{First: p.first(), Tale: p.first() || p.Tour.Tale(), Shut: p.Shut, Act: p.act, Focus: p.Host.Focus}
	if p.again() {
		p.S.Shell.Left = p.lastSaid
	}
	switch kind, arg, _ := strings.Cut(what, " "); kind {
	case "fields":
		var w draw.Writer
		for id := range strings.FieldsSeq(arg) {
			p.item(&w, &draft.Item{Field: id})
		}
		return w.Markup()
	case "view":
		for _, v := range views {
			if v.Key == arg {
				return v.Markup(p.S)
			}
		}
	case "share":
		return p.Share.Markup((&Main{p}).tabName(), p.Offline == "file")
	case "vary":
		return vary.Popover(p.S)
	case "tour":
		return p.Tour.Markup()
	}
	return p.rows()
}

// rows writes the rows of the left column.
func (p *Page) rows() draw.Markup {
	var w draw.Writer
	if _, section, group := p.S.FaultField(); group != "" { // what is wrong is not put away
		p.Shut[group], p.Shut[section] = false, false
	}
	for _, g := range p.S.Folds() {
		open := p.folded(&w, "group", "h2", &g)
		if open {
			w.Add(`<div class="body">`)
			p.items(&w, &g, open)
		}
		for _, one := range p.S.Sections(g.Key) {
			if !open && !slices.ContainsFunc(one.Items, fault) {
				continue
			}
			open := p.folded(&w, "sub", "h3", &one)
			p.items(&w, &one, open)
			w.Add(`</section>`)
		}
		w.Add(draw.When(open, `</div>`) + `</section>`)
	}
	return w.Markup()
}

// folded begins a row that opens, and reports whether it is open.
func (p *Page) folded(w *draw.Writer, class, heading draw.Markup, s *draft.Section) bool {
	open := !p.Shut[s.Key]
	w.Put(`<section class="{}"><{}><button type="button" id="section-{}" data-toggle="{}" aria-expanded="{}"><i class="chevron">{}</i>{}<span class="sum{}" title="{}">{}</span></button></{}>`,
		class, heading, s.Key, s.Key, open, draw.Icon("chevron"), s.Title, draw.When(s.Varies, " accent"), s.Sum, s.Sum, heading)
	return open
}

// items writes what a row holds; of a closed one what is wrong, which is not put away.
func (p *Page) items(w *draw.Writer, s *draft.Section, open bool) {
	if !open && !slices.ContainsFunc(s.Items, fault) {
		return
	}
	w.Add(`<div class="fields">`)
	for i := range s.Items {
		if open || fault(s.Items[i]) {
			p.item(w, &s.Items[i])
		}
	}
	w.Add(`</div>`)
}

// fault reports whether an item says what is wrong.
func fault(it draft.Item) bool { return it.Fault != "" }

func (p *Page) item(w *draw.Writer, it *draft.Item) {
	switch {
	case it.Field != "":
		if in, ok := p.S.Input(it.Field); ok {
			field(w, &in)
		}
	case it.Sheet != "":
		if t, ok := p.S.Sheet(it.Sheet); ok {
			sheet(w, &t)
		}
	case it.Text != "":
		w.Put(`<p class="hint">{}</p>`, it.Text)
	case it.Fault != "":
		w.Put(`<p class="fault-text" role="alert">{}</p>`, it.Fault)
	case it.Choices != nil:
		if len(it.Choices) > 3 { // too many for a row
			w.Put(`<div><div class="generators segments wrap" role="group" aria-label="{}">`, it.Label)
		} else {
			w.Put(`<div class="source"><span class="label">{}</span><div class="segments" role="group" aria-label="{}">`, it.Label, it.Label)
		}
		for _, a := range it.Choices {
			w.Put(`<button type="button" id="act-{}" data-act="{}" title="{}" aria-pressed="{}">{}</button>`, a.Key, a.Key, a.Help, a.Pressed, a.Name)
		}
		w.Add(`</div></div>`)
	default:
		w.Add(`<div class="acts">`)
		for _, a := range it.Acts {
			w.Put(`<button type="button" class="btn small" id="act-{}" data-act="{}" title="{}"{}>{}</button>`, a.Key, a.Key, a.Help, draw.When(a.Disabled, " disabled"), a.Name)
		}
		w.Add(`</div>`)
	}
}

// field writes a labelled input, bound to the settings by its id.
func field(w *draw.Writer, in *draft.Input) {
	w.Put(`<div class="field{}{}"><label for="{}" title="{}">{}</label>`, draw.When(in.Error != "", " wrong"), draw.When(in.Varies, " waves"), in.ID, in.Help, in.Name)
	common := draw.HTML(` id="{}" data-field="{}" title="{}"`, in.ID, in.ID, in.Help)
	switch {
	case in.Values > 0:
		w.Put(`<button type="button" class="varied" id="{}" data-wave="{}" aria-label="{}">{}</button>`, in.ID, in.ID, variedLabel(in), variedText(in))
	case len(in.Options) > 0:
		selectInput(w, common, "input", in.Text, in.Options)
	case in.Check:
		w.Put(`<input type="checkbox" class="check"{} data-checked="{}">`, common, in.Text == "true")
	default:
		w.Add(`<span class="unit">`)
		textInput(w, common, "input"+when(wordy(in.ID), " words"), in.Text, in.Empty, in.Error, in.ID+"-error")
		w.Put(`<em>{}</em></span>`, unit(in))
		if sl := in.Slide; sl.Most > 0 {
			w.Put(`<input type="range" class="slide" id="{}-slide" data-slide="{}" data-value="{}" min="{}" max="{}" step="{}" aria-label="{}" title="{}">`,
				in.ID, in.ID, plain(sl.At), plain(sl.Least), plain(sl.Most), plain(sl.Step), in.Name, in.Help)
		}
	}
	if in.Varies {
		w.Put(`<button type="button" class="wave" id="wave-{}" data-wave="{}" aria-label="{}" title="{}" aria-pressed="{}">{}</button>`, in.ID, in.ID, waveLabel(in), waveLabel(in), in.Values > 0, draw.Icon("wave"))
	}
	if in.Error != "" {
		w.Put(`<p class="field-error" role="alert" id="{}-error">{}</p>`, in.ID, in.Error)
	}
	w.Add(`</div>`)
}

// variedText stands in an input that varies: "0.5 … 1.1  13 values".
func variedText(in *draft.Input) draw.Markup {
	return draw.HTML(`<span class="cut" title="{}">{}</span><span class="faint">{}</span>`, in.Span, in.Span, words.Count(in.Values, "value", "values"))
}

func variedLabel(in *draft.Input) string {
	return in.Name + " varies: " + in.Span + ", " + words.Count(in.Values, "value", "values")
}

func waveLabel(in *draft.Input) string {
	if in.Values > 0 {
		return "Values of " + in.Name
	}
	return "Vary " + in.Name
}

// plain writes a number for the browser.
func plain(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// unit stands behind the number, unless the label says it already, or the text
// does: 7d.
func unit(in *draft.Input) string {
	if strings.EqualFold(in.Unit, in.Name) || in.Unit == "s" && strings.ContainsFunc(in.Text, unicode.IsLetter) {
		return ""
	}
	return in.Unit
}

// wordy reports whether an input takes words and lists, not one number.
func wordy(id string) bool {
	return strings.HasSuffix(id, ".label") || strings.HasSuffix(id, ".formula") || strings.HasSuffix(id, ".scales") || strings.HasSuffix(id, "users")
}

func textInput(w *draw.Writer, common draw.Markup, class, text, empty, fault, faultID string) {
	w.Put(`<input type="text" autocomplete="off" spellcheck="false" class="{}"{} data-value="{}" placeholder="{}"{}>`, class, common, text, empty,
		draw.When(fault != "", draw.HTML(` aria-invalid="true" aria-describedby="{}"`, faultID)))
}

func selectInput(w *draw.Writer, common draw.Markup, class, text string, options []catalog.Option) {
	w.Put(`<select class="{}"{} data-value="{}">`, class, common, text)
	for _, o := range options {
		w.Put(`<option value="{}" title="{}">{}</option>`, o.Key, o.Help, o.Name)
	}
	w.Add(`</select>`)
}

// sheet writes a table: a body for each row, its wide cells and faults on
// lines of their own below it.
func sheet(w *draw.Writer, t *draft.Sheet) {
	one := either(strings.ContainsAny(t.Noun[:1], "aeiou"), "an ", "a ") + t.Noun
	w.Put(`<div class="sheet" role="group" aria-label="{}"><div class="sheet-head"><b title="{}">{}</b><button type="button" class="btn quiet square small" id="{}.add" data-add="{}" aria-label="Add {}" title="{}"{}>{}</button></div>`,
		t.Name, t.Help, t.Name, t.ID, t.ID, one, either(t.Full != "", t.Full, "Add "+one), draw.When(t.Full != "", " disabled"), draw.Icon("plus"))
	if len(t.Cells) == 0 {
		w.Put(`<p class="hint">{}</p></div>`, t.None)
		return
	}
	span := 1
	w.Add(`<table><thead><tr>`)
	for i := range t.Columns {
		if c := &t.Columns[i]; !c.Wide {
			span++
			w.Put(`<th scope="col" class="{}" title="{}">{}</th>`, alignment(c), c.Help, c.Name)
		}
	}
	w.Add(`<th scope="col"><span class="visually-hidden">Remove</span></th></tr></thead>`)
	for row, cells := range t.Cells {
		w.Add(`<tbody><tr>`)
		for i := range t.Columns {
			if c := &t.Columns[i]; !c.Wide {
				w.Put(`<td>{}</td>`, cell(t, row, c, &cells[i]))
			}
		}
		w.Put(`<td class="sheet-x"><button type="button" class="btn quiet square small" id="{}.{}.remove" data-remove="{}/{}" aria-label="Remove {} {}" title="Remove">{}</button></td></tr>`, t.ID, row, t.ID, row, t.Noun, row+1, draw.Icon("close"))
		half := false // the line has room for another half
		for i := range t.Columns {
			c := &t.Columns[i]
			if !c.Wide {
				continue
			}
			if !half {
				w.Put(`<tr class="sheet-wide"><td colspan="{}"><div>`, span)
			}
			w.Put(`<label><span title="{}">{}</span>{}</label>`, c.Help, c.Name, cell(t, row, c, &cells[i]))
			if half = c.Half && !half && i+1 < len(t.Columns) && t.Columns[i+1].Half; !half {
				w.Add(`</div></td></tr>`)
			}
		}
		for i := range t.Columns {
			if fault := cells[i].Error; fault != "" {
				w.Put(`<tr><td colspan="{}" class="field-error" role="alert" id="{}-error">{}: {}</td></tr>`, span, cellID(t, row, &t.Columns[i]), t.Columns[i].Name, fault)
			}
		}
		w.Add(`</tbody>`)
	}
	w.Add(`</table>`)
	if t.More > 0 {
		w.Put(`<p class="hint">and {} more, which stand in the file (<i>Save as .json</i>); a file dropped on the page changes them</p>`, words.Int(t.More))
	}
	w.Add(`</div>`)
}

func cellID(t *draft.Sheet, row int, c *draft.Column) string {
	return t.ID + "." + strconv.Itoa(row) + "." + c.Key
}

// alignment sets numbers right, words left.
func alignment(c *draft.Column) string {
	switch c.Type {
	case catalog.Int, catalog.Number, catalog.Bytes, catalog.Seconds, catalog.Moment:
		return "num"
	}
	return ""
}

func cell(t *draft.Sheet, row int, c *draft.Column, v *draft.Cell) draw.Markup {
	var w draw.Writer
	id := cellID(t, row, c)
	common := draw.HTML(` id="{}" data-cell="{}/{}/{}" aria-label="{}, {} {}" title="{}"`, id, t.ID, row, c.Key, c.Name, t.Noun, row+1, either(c.Help != "", c.Help, v.Text))
	class := "input " + alignment(c) + when(v.Error != "", " wrong")
	if c.Chosen() {
		selectInput(&w, common, class, v.Text, c.Options)
	} else {
		textInput(&w, common, class, v.Text, c.Empty, v.Error, id+"-error")
	}
	return w.Markup()
}
