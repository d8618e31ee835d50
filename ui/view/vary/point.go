package vary

import (
	"batchlab/ui/draw"
	"batchlab/ui/result"
	"batchlab/ui/words"
)

// tip says what stands at a horizontal place.
func (p *Plot) tip(x float64) draw.Markup {
	k := p.Near(x)
	if k < 0 {
		return ""
	}
	d := p.d
	point := d.With(d.Over, k)
	var t draw.Tip
	for i := range d.Measures {
		m := &d.Measures[i]
		for s := range d.Names {
			v, low, high := m.Mean(d, point, s)
			if v != v {
				continue
			}
			text := result.ValueText(m.Row, v)
			if of := result.SpanText(m.Row, result.Spread{Low: low, High: high}); of != "" {
				text += " (" + of + ")"
			}
			name := draw.HTML(`{} <b>{}</b>`, draw.Mark(s), words.Letter(s))
			if len(d.Measures) > 1 && s == 0 {
				name = draw.HTML(`{} {}`, m.Row.Name, name)
			}
			t.Row(name, text)
		}
	}
	if diff := d.Measures[0].Diff(point); diff.N > 0 {
		t.Row(draw.HTML(`{} − {}`, words.Letter(d.A), words.Letter(d.B)), d.gap(&d.Measures[0], &diff))
	}
	title := axisWord(&d.Axes[d.Over]) + " " + d.Axes[d.Over].Value(k)
	if !d.Begun(point) {
		return draw.HTML(`<b>{}</b><br>not computed yet`, title)
	}
	return t.HTML(title)
}

// speech says in a sentence what stands at a point, for screen readers.
func (d *Shown) speech(point int) string {
	text := d.pointName(point)
	if !d.Begun(point) {
		return text + ": not computed yet"
	}
	m := &d.Measures[0]
	text += ". " + m.Row.Name
	for s := range d.Names {
		if v, _, _ := m.Mean(d, point, s); v == v {
			text += ", " + d.Names[s] + " " + result.ValueText(m.Row, v)
		}
	}
	if diff := m.Diff(point); diff.N > 0 {
		text += "; " + words.Letter(d.A) + " against " + words.Letter(d.B) + ": " + d.gap(m, &diff)
	}
	return text
}

// choiceOf is which value each axis has at a point.
func (d *Shown) choiceOf(point int) []int {
	choice := make([]int, len(d.Axes))
	for k := len(choice) - 1; k >= 0; k-- {
		choice[k], point = point%d.Axes[k].N, point/d.Axes[k].N
	}
	return choice
}

// Step is the point to which an arrow key leads: along an axis by one value.
func (d *Shown) Step(axis, by int) int {
	if axis < 0 || axis >= len(d.Axes) {
		return d.Point
	}
	a := &d.Axes[axis]
	at := 0
	for i, k := range a.Order {
		if k == d.Choice[axis] {
			at = i
		}
	}
	return d.With(axis, a.Order[max(0, min(a.N-1, at+by))])
}

// pointName says which point it is: "load 0.9, starvation bound 5d".
func (d *Shown) pointName(point int) string {
	text := ""
	for k, c := range d.choiceOf(point) {
		if k > 0 {
			text += ", "
		}
		text += axisWord(&d.Axes[k]) + " " + d.Axes[k].Value(c)
	}
	return text
}
