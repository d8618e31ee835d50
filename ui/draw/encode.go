package draw

import (
	"math"
	"strconv"
)

// Encode writes the figure for the page's chart library (wasm/charts): what to
// draw as JSON, and all numbers of the layers one after the other, so that they
// cross over in one copy. In the JSON, "at":[first,count] is a layer's part of
// the numbers, in tuples:
//
//	line       x, y
//	dots       x, y, diameter
//	bars       y
//	boxes      place, least, lower quartile, median, upper quartile, greatest
//	band       x, low, high
//	spans      low, high
//	whiskers   x, low, high
//	levels     x, y
//	cells      column, row, colour, colour of the words
func (f *Figure) Encode() (text string, numbers []float64) {
	var e encoder
	e.object(func() {
		e.number("w", f.W)
		e.number("h", f.H)
		e.list("panels", len(f.Panels), func(i int) {
			p := &f.Panels[i]
			e.object(func() {
				e.number("left", p.Box.X)
				e.number("top", p.Box.Y)
				e.number("width", p.Box.W)
				e.number("height", p.Box.H)
				e.axis("x", &p.X)
				e.axis("y", &p.Y)
			})
		})
		e.list("layers", len(f.Layers), func(i int) {
			m := &f.Layers[i]
			first := len(numbers)
			numbers = m.tuples(numbers)
			e.object(func() {
				e.string("shape", string(m.Shape))
				e.number("panel", float64(m.Panel))
				e.key("series")
				e.value(float64(m.Series))
				e.string("name", m.Name)
				e.key("at")
				e.b = append(e.b, '[')
				e.b = strconv.AppendInt(e.b, int64(first), 10)
				e.b = append(e.b, ',')
				e.b = strconv.AppendInt(e.b, int64(len(numbers)-first), 10)
				e.b = append(e.b, ']')
				e.flag("steps", m.Steps)
				e.flag("area", m.Area)
				e.flag("ink", m.Ink)
				e.flag("diamond", m.Diamond)
				e.flag("flat", m.Flat)
				e.number("width", m.Width)
				e.number("size", m.Size)
				e.number("shift", m.Shift)
				if m.Words != nil {
					e.list("words", len(m.Words), func(i int) { e.quote(m.Words[i]) })
				}
			})
		})
		e.list("texts", len(f.Texts), func(i int) {
			t := &f.Texts[i]
			e.object(func() {
				e.number("x", t.X)
				e.number("y", t.Y)
				e.string("text", t.Text)
				e.string("align", map[byte]string{'c': "center", 'r': "right"}[t.Align])
				e.number("tone", float64(t.Tone))
				e.key("series")
				e.value(float64(t.Series))
			})
		})
	})
	return string(e.b), numbers
}

// tuples appends a layer's numbers.
func (m *Layer) tuples(to []float64) []float64 {
	switch m.Shape {
	case Columns:
		return append(to, m.Y...)
	case Boxes:
		for i := range m.Fives {
			to = append(append(to, m.X[i]), m.Fives[i][:]...)
		}
	case Spans:
		for i := range m.Low {
			to = append(to, m.Low[i], m.High[i])
		}
	case Band, Whiskers:
		for i := range m.X {
			to = append(to, m.X[i], m.Low[i], m.High[i])
		}
	case Cells:
		for i := range m.X {
			to = append(to, m.X[i], m.Y[i], float64(m.Colors[i]), float64(Ink(m.Colors[i])))
		}
	case Dots:
		for i := range m.X {
			size := m.Size
			if m.Sizes != nil {
				size = m.Sizes[i]
			}
			to = append(to, m.X[i], m.Y[i], size)
		}
	default:
		for i := range m.X {
			to = append(to, m.X[i], m.Y[i])
		}
	}
	return to
}

// encoder writes JSON. Flags that are off and numbers that are 0 are left out.
type encoder struct{ b []byte }

func (e *encoder) object(fill func()) {
	e.b = append(e.b, '{')
	fill()
	e.b = append(e.b, '}')
}

// key begins a member; the comma before it is there unless it is the first.
func (e *encoder) key(name string) {
	if e.b[len(e.b)-1] != '{' {
		e.b = append(e.b, ',')
	}
	e.quote(name)
	e.b = append(e.b, ':')
}

func (e *encoder) number(name string, v float64) {
	if v != 0 {
		e.key(name)
		e.value(v)
	}
}

// value writes a number; JSON has no infinite ones and no NaN.
func (e *encoder) value(v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		v = 0
	}
	e.b = strconv.AppendFloat(e.b, v, 'g', -1, 64)
}

func (e *encoder) string(name, v string) {
	if v != "" {
		e.key(name)
		e.quote(v)
	}
}

func (e *encoder) flag(name string, on bool) {
	if on {
		e.key(name)
		e.b = append(e.b, "true"...)
	}
}

func (e *encoder) list(name string, n int, each func(i int)) {
	e.key(name)
	e.b = append(e.b, '[')
	for i := range n {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		each(i)
	}
	e.b = append(e.b, ']')
}

func (e *encoder) quote(s string) {
	e.b = append(e.b, '"')
	for _, r := range s { // damaged UTF-8 becomes U+FFFD
		switch {
		case r == '"' || r == '\\':
			e.b = append(e.b, '\\', byte(r))
		case r < ' ':
			e.b = append(e.b, `\u00`...)
			e.b = append(e.b, "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
		default:
			e.b = append(e.b, string(r)...)
		}
	}
	e.b = append(e.b, '"')
}

func (e *encoder) axis(name string, a *Axis) {
	e.key(name)
	e.object(func() {
		e.number("min", a.Min)
		e.number("max", a.Max)
		e.flag("log", a.Log)
		e.flag("inverse", a.Inverse)
		e.flag("hidden", a.Hidden)
		e.flag("plain", a.Plain)
		e.flag("base", a.Base)
		if a.Names != nil {
			e.number("bold", float64(a.Bold))
			e.list("names", len(a.Names), func(i int) { e.quote(a.Names[i]) })
		}
		e.list("ticks", len(a.Ticks), func(i int) {
			t := &a.Ticks[i]
			e.b = append(e.b, '[')
			e.value(t.At)
			e.b = append(e.b, ',')
			e.quote(t.Label)
			if t.Bold {
				e.b = append(e.b, ",1"...)
			}
			e.b = append(e.b, ']')
		})
	})
}
