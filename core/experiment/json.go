package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of a document. They bound the work that a hostile one can cause.
const (
	MaxBytes = 64 << 10 // size of the text in a link, or behind a short one
	MaxFile  = 4 << 20  // size of the text of a file
	MaxDepth = 32       // objects and arrays within each other
)

// kind is the type of a JSON value.
type kind uint8

const (
	nullKind kind = iota
	boolKind
	numberKind
	textKind
	arrayKind
	objectKind
)

func (k kind) String() string {
	return [...]string{"null", "true or false", "a number", "a string", "an array", "an object"}[k]
}

// node is a JSON value as it stands in the text: numbers keep their digits.
type node struct {
	kind  kind
	text  string   // a number's digits, or a string's value
	truth bool     // a boolean's value
	keys  []string // an object's keys, in order
	items []*node  // an object's values, parallel to keys, or an array's
	at    int      // byte offset behind the value's first token
	keyAt []int    // byte offsets behind keys
}

// get returns the value of an object's key, or nil.
func (n *node) get(key string) *node {
	for i, k := range n.keys {
		if k == key {
			return n.items[i]
		}
	}
	return nil
}

// keyPlace is the byte offset behind key i, 0 in a tree that was not read.
func (n *node) keyPlace(i int) int {
	if i < len(n.keyAt) {
		return n.keyAt[i]
	}
	return 0
}

// set gives an object's key a value.
func (n *node) set(key string, v *node) {
	for i, k := range n.keys {
		if k == key {
			n.items[i] = v
			return
		}
	}
	n.keys = append(n.keys, key)
	n.items = append(n.items, v)
}

// remove takes a key out of an object.
func (n *node) remove(key string) {
	for i, k := range n.keys {
		if k == key {
			n.keys = append(n.keys[:i:i], n.keys[i+1:]...)
			n.items = append(n.items[:i:i], n.items[i+1:]...)
			return
		}
	}
}

// parser reads one JSON text into a tree within the limits.
type parser struct {
	data  []byte
	dec   *json.Decoder
	depth int
	faults
}

// stop is the panic with which the parser leaves a text that is not JSON; it
// never leaves this file.
type stop struct{ Error }

// parse reads data. Duplicate keys and broken escapes go to the faults, and
// reading goes on; what is not JSON at all is returned as an error.
func parse(data []byte, f *faults) (root *node, err error) {
	if len(data) > MaxFile {
		return nil, Errors{{Message: fmt.Sprintf("the document has %d bytes; at most %d are read", len(data), MaxFile)}}
	}
	if !utf8.Valid(data) {
		at := 0
		for r, size := utf8.DecodeRune(data); r != utf8.RuneError || size > 1; r, size = utf8.DecodeRune(data[at:]) {
			at += size
		}
		return nil, Errors{place(data, at, "the text is not valid UTF-8")}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // some editors begin a file with this mark
	p := &parser{data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	p.dec.UseNumber()
	defer func() {
		if r := recover(); r != nil {
			s, ours := r.(stop)
			if !ours {
				panic(r)
			}
			root, err = nil, Errors{s.Error}
		}
	}()
	root = p.value("", p.token())
	end := int(p.dec.InputOffset())
	if rest := bytes.TrimLeft(data[end:], " \t\r\n"); len(rest) > 0 {
		p.stop(len(data)-len(rest), "something follows the end of the document")
	}
	f.list, f.more = p.list, p.more
	return root, nil
}

// place returns an error with line and column of a byte offset.
func place(data []byte, at int, message string) Error {
	at = min(max(at, 0), len(data))
	before := data[:at]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return Error{Message: fmt.Sprintf("line %d, column %d: %s", line, column, message), Line: line}
}

func (p *parser) stop(at int, message string) {
	panic(stop{place(p.data, at, message)})
}

// token returns the next token; a text that ends or is not JSON stops.
func (p *parser) token() json.Token {
	t, err := p.dec.Token()
	if err == nil {
		return t
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		p.stop(len(p.data), "the document ends too early")
	}
	// The decoder of tokens is vague about places; that of whole texts is not.
	at, syntax := int(p.dec.InputOffset()), (*json.SyntaxError)(nil)
	if whole := json.Unmarshal(p.data, new(json.RawMessage)); errors.As(whole, &syntax) {
		at, err = int(syntax.Offset)-1, whole
	}
	p.stop(at, "not JSON: "+err.Error())
	return nil
}

// value turns the token and what belongs to it into a node.
func (p *parser) value(path string, t json.Token) *node {
	n := &node{at: int(p.dec.InputOffset())}
	switch t := t.(type) {
	case nil:
		n.kind = nullKind
	case bool:
		n.kind, n.truth = boolKind, t
	case json.Number:
		n.kind, n.text = numberKind, string(t)
	case string:
		n.kind, n.text = textKind, t
		p.checkString(path, t)
	case json.Delim:
		if p.depth++; p.depth > MaxDepth {
			p.stop(n.at-1, "more than "+strconv.Itoa(MaxDepth)+" objects and arrays within each other")
		}
		if t == '[' {
			n.kind = arrayKind
			for p.dec.More() {
				n.items = append(n.items, p.value(index(path, len(n.items)), p.token()))
			}
		} else {
			n.kind = objectKind
			p.members(path, n)
		}
		p.token() // the closing bracket
		p.depth--
	}
	return n
}

// members reads an object's keys and values. Of a duplicate key the first
// value stays.
func (p *parser) members(path string, n *node) {
	seen := map[string]bool{}
	for p.dec.More() {
		key, _ := p.token().(string)
		at := int(p.dec.InputOffset())
		where := join(path, key)
		p.checkString(where, key)
		v := p.value(where, p.token())
		if seen[key] {
			p.add(at, where, "duplicate key")
			continue
		}
		seen[key] = true
		n.keys, n.keyAt, n.items = append(n.keys, key), append(n.keyAt, at), append(n.items, v)
	}
}

// checkString refuses escapes of half a surrogate pair in the string just
// read: they are no text, and the decoder would replace them silently.
func (p *parser) checkString(path, value string) {
	if !strings.ContainsRune(value, utf8.RuneError) {
		return
	}
	end := int(p.dec.InputOffset())
	from := end - 2 // walk back over the raw string to its opening quote
	for from > 0 && !(p.data[from] == '"' && !escaped(p.data, from)) {
		from--
	}
	if loneSurrogate(p.data[from:end]) {
		p.add(end, path, "the text holds half a surrogate pair (\\ud800 … \\udfff), which is not valid Unicode")
	}
}

// escaped reports whether an odd number of backslashes stands before data[at].
func escaped(data []byte, at int) bool {
	n := 0
	for at-1-n >= 0 && data[at-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// loneSurrogate reports whether a raw JSON string escapes a surrogate that has
// no partner.
func loneSurrogate(raw []byte) bool {
	unit := func(i int) uint64 { // the escaped UTF-16 unit at i, 0 if none
		if i+6 > len(raw) || raw[i] != '\\' || raw[i+1] != 'u' {
			return 0
		}
		v, _ := strconv.ParseUint(string(raw[i+2:i+6]), 16, 16)
		return v
	}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		switch u := unit(i); {
		case u >= 0xd800 && u < 0xdc00 && unit(i+6) >= 0xdc00 && unit(i+6) < 0xe000:
			i += 11
		case u >= 0xd800 && u < 0xe000:
			return true
		default:
			i++ // the escaped character is no backslash of its own
		}
	}
	return false
}
