package experiment

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"batchlab/core/order"
)

// Error is one fault of a document, at a place in it.
type Error struct {
	Path    string // "schedulers[2].params.order"; "" for the document as a whole
	Message string // what is wrong, without the path
	Line    int    // line of the text, from 1; 0 when there is no text
	Code    Code   // of a refusal; "" where the message is all there is
}

// Error returns "path: message".
func (e Error) Error() string {
	if e.Path == "" {
		return e.Message
	}
	return e.Path + ": " + e.Message
}

// Errors are all faults of a document, in the order in which they stand in it.
type Errors []Error

// maxErrors bounds how many faults are reported of one document.
const maxErrors = 100

// Error returns one line per fault.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i := range e {
		lines[i] = e[i].Error()
	}
	return strings.Join(lines, "\n")
}

// Faults returns the faults that an error is made of, each with its place and
// code; nil for an error that is none of this package.
func Faults(err error) []Error {
	var list Errors
	var one Error
	switch {
	case errors.As(err, &list):
		return list
	case errors.As(err, &one):
		return []Error{one}
	}
	return nil
}

// At returns the first fault at the path, or nil: forms show it at its field.
func (e Errors) At(path string) *Error {
	if i := slices.IndexFunc(e, func(f Error) bool { return f.Path == path }); i >= 0 {
		return &e[i]
	}
	return nil
}

// fault is an error under construction, which still knows its byte offset.
type fault struct {
	Error
	at int
}

// faults collects errors; past the limit it only counts.
type faults struct {
	list []fault
	more int
}

func (f *faults) add(at int, path, message string) {
	if len(f.list) == maxErrors {
		f.more++
		return
	}
	f.list = append(f.list, fault{Error{Path: path, Message: message}, at})
}

// err returns the collected errors in order of place, with the lines of data,
// or nil when there are none. data may be nil.
func (f *faults) err(data []byte) error {
	if len(f.list) == 0 {
		return nil
	}
	order.Stable(f.list, func(a, b fault) int { return a.at - b.at })
	errs := make(Errors, 0, len(f.list)+1)
	line, from := 1, 0
	for _, e := range f.list {
		if data != nil {
			at := min(max(e.at, from), len(data))
			line += strings.Count(string(data[from:at]), "\n")
			from, e.Line = at, line
		}
		errs = append(errs, e.Error)
	}
	if f.more > 0 {
		errs = append(errs, Error{Message: "and " + strconv.Itoa(f.more) + " more errors"})
	}
	return errs
}

// join appends a key to a path.
func join(path, key string) string {
	if !plainKey(key) {
		return path + "[" + quote(key) + "]"
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// plainKey reports whether a key reads well in a path without quotes.
func plainKey(key string) bool {
	for _, c := range []byte(key) {
		if !(c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return false
		}
	}
	return key != "" && len(key) <= 40
}

// index appends a position to a path.
func index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// quote returns s in quotes, shortened to what a message can hold.
func quote(s string) string { return strconv.Quote(shorten(s)) }

// shorten cuts s to 40 characters.
func shorten(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
