package ui

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"batchlab/core/catalog"
	"batchlab/ui/draft"
	"batchlab/ui/words"
)

// What the left column holds below the schedulers is data (draft.Section), and so
// are lists of inputs: both are written here as text and put into
// <div data-sections="WHAT">, which Vugu leaves alone; panel_js.go does that and
// listens. One writer serves every table and every input: a component of its own
// for each would cost many times the download.

// panel writes the rows of the left column, or "fields ID ID …" the inputs of these ids.
func (p *Page) panel(what string) string {
	var b strings.Builder
	if ids, ok := strings.CutPrefix(what, "fields "); ok {
		for id := range strings.FieldsSeq(ids) {
			p.item(&b, &draft.Item{Field: id})
		}
		return b.String()
	}
	if _, section, group := p.S.FaultField(); group != "" { // what is wrong is not put away
		p.Shut[group], p.Shut[section] = false, false
	}
	for _, g := range p.S.Folds() {
		open := p.folded(&b, "group", "h2", &g)
		if open {
			b.WriteString(`<div class="body">`)
			p.items(&b, &g, open)
		}
		for _, one := range p.S.Sections(g.Key) {
			if !open && !slices.ContainsFunc(one.Items, fault) {
				continue
			}
			open := p.folded(&b, "sub", "h3", &one)
			p.items(&b, &one, open)
			b.WriteString(`</section>`)
		}
		b.WriteString(when(open, `</div>`) + `</section>`)
	}
	return b.String()
}

// folded begins a row that opens, and reports whether it is open.
func (p *Page) folded(b *strings.Builder, class, heading string, s *draft.Section) bool {
	open := !p.Shut[s.Key]
	b.WriteString(`<section class="` + class + `"><` + heading + `><button type="button" id="section-` + s.Key + `" data-toggle="` + s.Key + `" aria-expanded="` + flag(open) + `"><i class="chevron">` +
		string(icon("chevron")) + `</i>` + escape(s.Title) + `<span class="sum` + when(s.Varies, " accent") + `" title="` + escape(s.Sum) + `">` + escape(s.Sum) + `</span></button></` + heading + `>`)
	return open
}

// items writes what a row holds; of a closed one what is wrong, which is not put away.
func (p *Page) items(b *strings.Builder, s *draft.Section, open bool) {
	if !open && !slices.ContainsFunc(s.Items, fault) {
		return
	}
	b.WriteString(`<div class="fields">`)
	for i := range s.Items {
		if open || fault(s.Items[i]) {
			p.item(b, &s.Items[i])
		}
	}
	b.WriteString(`</div>`)
}

// fault reports whether an item says what is wrong.
func fault(it draft.Item) bool { return it.Fault != "" }

func (p *Page) item(b *strings.Builder, it *draft.Item) {
	switch {
	case it.Field != "":
		if in, ok := p.S.Input(it.Field); ok {
			field(b, &in)
		}
	case it.Sheet != "":
		if t, ok := p.S.Sheet(it.Sheet); ok {
			sheet(b, &t)
		}
	case it.Text != "":
		b.WriteString(`<p class="hint">` + escape(it.Text) + `</p>`)
	case it.Fault != "":
		b.WriteString(`<p class="fault-text" role="alert">` + escape(it.Fault) + `</p>`)
	case it.Choices != nil:
		if len(it.Choices) > 3 { // too many for a row
			b.WriteString(`<div><div class="generators segments wrap" role="group" aria-label="` + escape(it.Label) + `">`)
		} else {
			b.WriteString(`<div class="source"><span class="label">` + escape(it.Label) + `</span><div class="segments" role="group" aria-label="` + escape(it.Label) + `">`)
		}
		for _, a := range it.Choices {
			b.WriteString(`<button type="button" id="act-` + a.Key + `" data-act="` + a.Key + `" title="` + escape(a.Help) + `" aria-pressed="` + flag(a.Pressed) + `">` + escape(a.Name) + `</button>`)
		}
		b.WriteString(`</div></div>`)
	default:
		b.WriteString(`<div class="acts">`)
		for _, a := range it.Acts {
			b.WriteString(`<button type="button" class="btn small" id="act-` + a.Key + `" data-act="` + a.Key + `" title="` + escape(a.Help) + `"` + when(a.Disabled, " disabled") + `>` + escape(a.Name) + `</button>`)
		}
		b.WriteString(`</div>`)
	}
}

// field writes a labelled input, bound to the settings by its id.
func field(b *strings.Builder, in *draft.Input) {
	id, title := escape(in.ID), escape(in.Help)
	b.WriteString(`<div class="field` + when(in.Error != "", " wrong") + when(in.Varies, " waves") + `"><label for="` + id + `" title="` + title + `">` + escape(in.Name) + `</label>`)
	common := ` id="` + id + `" data-field="` + id + `" title="` + title + `"`
	switch {
	case in.Values > 0:
		b.WriteString(`<button type="button" class="varied" id="` + id + `" data-wave="` + id + `" aria-label="` + escape(variedLabel(in)) + `">` + string(variedText(in)) + `</button>`)
	case len(in.Options) > 0:
		selectInput(b, common, "input", in.Text, in.Options)
	case in.Check:
		b.WriteString(`<input type="checkbox" class="check"` + common + ` data-checked="` + flag(in.Text == "true") + `">`)
	default:
		b.WriteString(`<span class="unit">`)
		textInput(b, common, "input"+when(wordy(in.ID), " words"), in.Text, in.Empty, in.Error, in.ID+"-error")
		b.WriteString(`<em>` + escape(unit(in)) + `</em></span>`)
		if sl := in.Slide; sl.Most > 0 {
			b.WriteString(`<input type="range" class="slide" id="` + id + `-slide" data-slide="` + id + `" data-value="` + plain(sl.At) + `" min="` + plain(sl.Least) + `" max="` + plain(sl.Most) + `" step="` + plain(sl.Step) +
				`" aria-label="` + escape(in.Name) + `" title="` + title + `">`)
		}
	}
	if in.Varies {
		b.WriteString(`<button type="button" class="wave" id="wave-` + id + `" data-wave="` + id + `" aria-label="` + escape(waveLabel(in)) + `" title="` + escape(waveLabel(in)) + `" aria-pressed="` + flag(in.Values > 0) + `">` + string(icon("wave")) + `</button>`)
	}
	if in.Error != "" {
		b.WriteString(`<p class="field-error" role="alert" id="` + id + `-error">` + escape(in.Error) + `</p>`)
	}
	b.WriteString(`</div>`)
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

func textInput(b *strings.Builder, common, class, text, empty, fault, faultID string) {
	b.WriteString(`<input type="text" autocomplete="off" spellcheck="false" class="` + class + `"` + common + ` data-value="` + escape(text) + `" placeholder="` + escape(empty) + `"`)
	if fault != "" {
		b.WriteString(` aria-invalid="true" aria-describedby="` + escape(faultID) + `"`)
	}
	b.WriteString(`>`)
}

func selectInput(b *strings.Builder, common, class, text string, options []catalog.Option) {
	b.WriteString(`<select class="` + class + `"` + common + ` data-value="` + escape(text) + `">`)
	for _, o := range options {
		b.WriteString(`<option value="` + escape(o.Key) + `" title="` + escape(o.Help) + `">` + escape(o.Name) + `</option>`)
	}
	b.WriteString(`</select>`)
}

// sheet writes a table: a body for each row, its wide cells and faults on
// lines of their own below it.
func sheet(b *strings.Builder, t *draft.Sheet) {
	id := escape(t.ID)
	b.WriteString(`<div class="sheet" role="group" aria-label="` + escape(t.Name) + `"><div class="sheet-head"><b title="` + escape(t.Help) + `">` + escape(t.Name) +
		`</b><button type="button" class="btn quiet square small" id="` + id + `.add" data-add="` + id + `" aria-label="Add ` + oneOf(t.Noun) + `" title="` +
		either(t.Full != "", escape(t.Full), "Add "+oneOf(t.Noun)) + `"` + when(t.Full != "", " disabled") + `>` + string(icon("plus")) + `</button></div>`)
	if len(t.Cells) == 0 {
		b.WriteString(`<p class="hint">` + escape(t.None) + `</p></div>`)
		return
	}
	span := 1
	b.WriteString(`<table><thead><tr>`)
	for i := range t.Columns {
		if c := &t.Columns[i]; !c.Wide {
			span++
			b.WriteString(`<th scope="col" class="` + alignment(c) + `" title="` + escape(c.Help) + `">` + escape(c.Name) + `</th>`)
		}
	}
	b.WriteString(`<th scope="col"><span class="visually-hidden">Remove</span></th></tr></thead>`)
	colspan := ` colspan="` + strconv.Itoa(span) + `"`
	for row, cells := range t.Cells {
		number := strconv.Itoa(row + 1)
		b.WriteString(`<tbody><tr>`)
		for i := range t.Columns {
			if c := &t.Columns[i]; !c.Wide {
				b.WriteString(`<td>`)
				cell(b, t, row, c, &cells[i])
				b.WriteString(`</td>`)
			}
		}
		b.WriteString(`<td class="sheet-x"><button type="button" class="btn quiet square small" id="` + id + `.` + strconv.Itoa(row) + `.remove" data-remove="` + id + `/` + strconv.Itoa(row) +
			`" aria-label="Remove ` + escape(t.Noun) + ` ` + number + `" title="Remove">` + string(icon("close")) + `</button></td></tr>`)
		half := false // the line has room for another half
		for i := range t.Columns {
			c := &t.Columns[i]
			if c.Wide {
				if !half {
					b.WriteString(`<tr class="sheet-wide"><td` + colspan + `><div>`)
				}
				b.WriteString(`<label><span title="` + escape(c.Help) + `">` + escape(c.Name) + `</span>`)
				cell(b, t, row, c, &cells[i])
				b.WriteString(`</label>`)
				if half = c.Half && !half && i+1 < len(t.Columns) && t.Columns[i+1].Half; half {
					continue
				}
				b.WriteString(`</div></td></tr>`)
			}
		}
		for i := range t.Columns {
			c := &t.Columns[i]
			if fault := cells[i].Error; fault != "" {
				b.WriteString(`<tr><td` + colspan + ` class="field-error" role="alert" id="` + cellID(t, row, c) + `-error">` + escape(c.Name) + `: ` + escape(fault) + `</td></tr>`)
			}
		}
		b.WriteString(`</tbody>`)
	}
	b.WriteString(`</table>`)
	if t.More > 0 {
		b.WriteString(`<p class="hint">and ` + words.Int(t.More) + ` more, which stand in the file (<i>Save as .json</i>); a file dropped on the page changes them</p>`)
	}
	b.WriteString(`</div>`)
}

// oneOf is a noun, escaped, with its article.
func oneOf(noun string) string {
	return either(strings.ContainsAny(noun[:1], "aeiou"), "an ", "a ") + escape(noun)
}

func cellID(t *draft.Sheet, row int, c *draft.Column) string {
	return escape(t.ID + "." + strconv.Itoa(row) + "." + c.Key)
}

// alignment sets numbers right, words left.
func alignment(c *draft.Column) string {
	switch c.Kind {
	case draft.Whole, draft.Real, draft.Duration:
		return "num"
	}
	return ""
}

func cell(b *strings.Builder, t *draft.Sheet, row int, c *draft.Column, v *draft.Cell) {
	id := cellID(t, row, c)
	common := ` id="` + id + `" data-cell="` + escape(t.ID+"/"+strconv.Itoa(row)+"/"+c.Key) + `" aria-label="` + escape(c.Name) + `, ` + escape(t.Noun) + ` ` + strconv.Itoa(row+1) + `" title="` + escape(either(c.Help != "", c.Help, v.Text)) + `"`
	class := "input " + alignment(c) + when(v.Error != "", " wrong")
	if c.Kind == draft.Choice {
		selectInput(b, common, class, v.Text, c.Options)
		return
	}
	textInput(b, common, class, v.Text, c.Empty, v.Error, id+"-error")
}
