package draw

import (
	"strconv"
	"strings"

	"batchlab/ui/engine"
)

// Markup is HTML or SVG in which everything that came from outside is escaped. It is
// made by HTML and Writer; constants are markup as they stand (TestMarkupIsWritten holds
// that nothing else is).
type Markup string

// form is the text of markup with {} where its parts go. Outside this package only a
// constant fits: no name of a job or a file can become one.
type form string

// HTML puts parts into the places {} of a form, one by one. Texts are escaped, markup
// stands as it is, numbers are written as SVG takes them, booleans as true and false.
func HTML(f form, parts ...any) Markup {
	var w Writer
	w.Put(f, parts...)
	return w.Markup()
}

// Writer writes markup piece by piece.
type Writer struct{ b []byte }

// Put writes a form with its parts, see HTML.
func (w *Writer) Put(f form, parts ...any) {
	for _, part := range parts {
		before, rest, _ := strings.Cut(string(f), "{}")
		w.b, f = append(w.b, before...), form(rest)
		switch p := part.(type) {
		case Markup:
			w.b = append(w.b, p...)
		case string:
			w.b = append(w.b, Escape(p)...)
		case int:
			w.b = strconv.AppendInt(w.b, int64(p), 10)
		case int64:
			w.b = strconv.AppendInt(w.b, p, 10)
		case float64:
			w.b = append(w.b, Num(p)...)
		case bool:
			w.b = strconv.AppendBool(w.b, p)
		default:
			panic("draw: markup of a kind that nobody writes")
		}
	}
	w.b = append(w.b, f...)
}

// Add writes markup.
func (w *Writer) Add(m Markup) { w.b = append(w.b, m...) }

// Len is how many bytes have been written.
func (w *Writer) Len() int { return len(w.b) }

// Markup is what has been written.
func (w *Writer) Markup() Markup { return Markup(w.b) }

// FileMarkup is a chart's file (Theme.File, Figure.File) as markup: it was written by this kit.
func FileMarkup(f engine.File) Markup { return Markup(f.Data) }

// Join is one piece of markup behind the other.
func Join(list []Markup) Markup {
	var w Writer
	for _, m := range list {
		w.Add(m)
	}
	return w.Markup()
}

// When is markup where it is to stand, else nothing.
func When(on bool, m Markup) Markup {
	if on {
		return m
	}
	return ""
}
