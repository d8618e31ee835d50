package intake

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/tidwall/gjson"
)

// maxDepth bounds how deep arrays and objects of a JSON file may be nested.
const maxDepth = 64

var (
	errJSON = errors.New("this is no valid JSON: the file may be cut off")
	errDeep = fmt.Errorf("arrays or objects are nested deeper than %d", maxDepth)
)

// CheckJSON refuses what is no JSON, and before a parser that calls itself looks at
// it, what is nested deeper than so many brackets outside of texts.
func CheckJSON(data []byte, most int) error {
	depth, inText := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			if depth++; depth > most {
				return fmt.Errorf("arrays or objects are nested deeper than %d", most)
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	if !gjson.ValidBytes(data) {
		return errJSON
	}
	return nil
}

// jsonFile reads a file of JSON value by value, so that of a list of jobs one is held at
// a time. All that it gives is valid JSON.
type jsonFile struct {
	*source
	line int // of what is next, from 1
}

// next returns the next byte that is no blank, and takes none; 0 at the end.
func (f *jsonFile) next() byte {
	for {
		for i, c := range f.Data {
			switch c {
			case '\n':
				f.line++
			case ' ', '\t', '\r':
			default:
				f.Data = f.Data[i:]
				return c
			}
		}
		f.Data = nil
		if !f.More() {
			return 0
		}
	}
}

// take takes a byte, if it is next.
func (f *jsonFile) take(c byte) bool {
	if f.next() != c {
		return false
	}
	f.Data = f.Data[1:]
	return true
}

// value takes the next value, which stands in so many lists and objects. It is there until
// the next call.
func (f *jsonFile) value(depth int) ([]byte, error) {
	f.next()
	for {
		switch end := endOfValue(f.Data, maxDepth-depth); {
		case end == tooDeep:
			return nil, errDeep
		case end == wrong:
			return nil, errJSON
		case end == len(f.Data) || end == cutOff: // a number may go on
			if f.More() {
				continue
			}
			if end == cutOff {
				return nil, errJSON
			}
			fallthrough
		default:
			raw := f.Data[:end]
			f.Data = f.Data[end:]
			f.line += bytes.Count(raw, []byte{'\n'})
			return raw, nil
		}
	}
}

// list calls each for every value of the list that is next.
func (f *jsonFile) list(depth int, each func(raw []byte, line int) error) error {
	f.take('[')
	if f.take(']') {
		return nil
	}
	for {
		f.next()
		line := f.line
		raw, err := f.value(depth + 1)
		if err == nil {
			err = each(raw, line)
		}
		if err != nil {
			return err
		}
		if !f.take(',') {
			break
		}
	}
	if !f.take(']') {
		return errJSON
	}
	return nil
}

// object calls each for every member of the object that is next; it has to take the value.
func (f *jsonFile) object(depth int, each func(name string) error) error {
	f.take('{')
	if f.take('}') {
		return nil
	}
	for {
		if f.next() != '"' {
			return errJSON
		}
		raw, err := f.value(depth)
		if err != nil {
			return err
		}
		name := gjson.ParseBytes(raw).Str
		if !f.take(':') {
			return errJSON
		}
		if err := each(name); err != nil {
			return err
		}
		if !f.take(',') {
			break
		}
	}
	if !f.take('}') {
		return errJSON
	}
	return nil
}

// What endOfValue says where it finds no end.
const (
	cutOff  = -1 // more may follow
	wrong   = -2
	tooDeep = -3
)

// endOfValue returns where the JSON value ends that data begins with, if it is valid and
// opens no more than so many brackets in each other.
func endOfValue(data []byte, most int) int {
	objects, depth := uint64(0), 0 // what is open, the innermost in the lowest bit: 1 an object
	for i := 0; ; {
		if depth > 0 && objects&1 == 1 {
			if i = endOfName(data, i); i < 0 {
				return i
			}
		}
		if i >= len(data) {
			return cutOff
		}
		opened := false
		switch c := data[i]; {
		case c == '{' || c == '[':
			if depth++; depth > most {
				return tooDeep
			}
			objects <<= 1
			if c == '{' {
				objects |= 1
			}
			i = behindBlanks(data, i+1)
			opened = i >= len(data) || data[i] != c+2 // } and ] stand two behind { and [
		case c == '"':
			i = endOfText(data, i)
		case c == '-' || c-'0' <= 9:
			i = endOfNumber(data, i)
		default:
			i = endOfWord(data, i)
		}
		if i < 0 {
			return i
		}
		for !opened { // what ends here may end what it stands in
			if depth == 0 {
				return i
			}
			if i = behindBlanks(data, i); i >= len(data) {
				return cutOff
			}
			if data[i] == ',' {
				i = behindBlanks(data, i+1)
				break
			}
			if data[i] != ']'+byte(objects&1)*('}'-']') {
				return wrong
			}
			i, objects, depth = i+1, objects>>1, depth-1
		}
	}
}

// behindBlanks is the first place from one on that is no blank.
func behindBlanks(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\n' || data[i] == '\t' || data[i] == '\r') {
		i++
	}
	return i
}

// endOfName returns where the value begins of a member whose name begins at a place.
func endOfName(data []byte, i int) int {
	if i >= len(data) {
		return cutOff
	}
	if data[i] != '"' {
		return wrong
	}
	if i = endOfText(data, i); i < 0 {
		return i
	}
	if i = behindBlanks(data, i); i >= len(data) {
		return cutOff
	}
	if data[i] != ':' {
		return wrong
	}
	return behindBlanks(data, i+1)
}

// endOfText returns where a text in quotes ends.
func endOfText(data []byte, i int) int {
	for i++; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			return i + 1
		case c < ' ':
			return wrong
		case c == '\\':
			if i++; i >= len(data) {
				return cutOff
			}
			if data[i] == 'u' {
				for k := i + 1; k <= i+4; k++ {
					if k >= len(data) {
						return cutOff
					}
					if bytes.IndexByte([]byte("0123456789abcdefABCDEF"), data[k]) < 0 {
						return wrong
					}
				}
				i += 4
			} else if bytes.IndexByte([]byte(`"\/bfnrt`), data[i]) < 0 {
				return wrong
			}
		}
	}
	return cutOff
}

// endOfNumber returns where a number ends.
func endOfNumber(data []byte, i int) int {
	digits := func() bool {
		from := i
		for i < len(data) && data[i]-'0' <= 9 {
			i++
		}
		return i > from
	}
	if data[i] == '-' {
		i++
	}
	ok := true
	if i < len(data) && data[i] == '0' {
		i++
	} else {
		ok = digits()
	}
	if ok && i < len(data) && data[i] == '.' {
		i++
		ok = digits()
	}
	if ok && i < len(data) && data[i]|' ' == 'e' {
		if i++; i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		ok = digits()
	}
	switch {
	case ok:
		return i
	case i >= len(data):
		return cutOff
	}
	return wrong
}

// endOfWord returns where true, false or null ends.
func endOfWord(data []byte, i int) int {
	for _, word := range []string{"true", "false", "null"} {
		if rest := data[i:min(len(data), i+len(word))]; string(rest) == word {
			return i + len(word)
		} else if string(rest) == word[:len(rest)] {
			return cutOff
		}
	}
	return wrong
}

// cursor goes through a valid JSON value:
//
//	for more := c.enter('{'); more; more = c.another() {
//		switch string(c.name()) { … one of whole, text, enter, skip … }
//	}
type cursor struct {
	data []byte
	at   int
}

// enter goes into an object or list, by its bracket, and says whether there is something
// in it; what is none is passed over.
func (c *cursor) enter(bracket byte) bool {
	if c.data[c.at] != bracket {
		c.skip()
		return false
	}
	c.at = behindBlanks(c.data, c.at+1)
	if c.data[c.at] == bracket+2 {
		c.at++
		return false
	}
	return true
}

// another goes on behind a value, and says whether there is another one; else it leaves
// the object or list.
func (c *cursor) another() bool {
	c.at = behindBlanks(c.data, c.at)
	more := c.data[c.at] == ','
	if c.at++; more {
		c.at = behindBlanks(c.data, c.at)
	}
	return more
}

// name is that of the next member.
func (c *cursor) name() []byte {
	name := c.text()
	c.at = behindBlanks(c.data, behindBlanks(c.data, c.at)+1)
	return name
}

// down goes down members by their names and has f take the value at the end.
func (c *cursor) down(names []string, f func()) {
	for more := c.enter('{'); more; more = c.another() {
		switch {
		case string(c.name()) != names[0]:
			c.skip()
		case len(names) == 1:
			f()
		default:
			c.down(names[1:], f)
		}
	}
}

// member is a member of an object, and where its value goes: a number or a text.
type member struct {
	name  string
	whole *int64
	text  *[]byte
}

// members takes those of an object, and passes others over.
func (c *cursor) members(list ...member) {
	for more := c.enter('{'); more; more = c.another() {
		name, known := c.name(), false
		for i := range list {
			if m := &list[i]; string(name) == m.name {
				if known = true; m.whole != nil {
					*m.whole, _ = c.whole()
				} else {
					*m.text = c.text()
				}
				break
			}
		}
		if !known {
			c.skip()
		}
	}
}

// raw takes a value as it stands.
func (c *cursor) raw() []byte {
	from := c.at
	c.skip()
	return c.data[from:c.at]
}

// skip passes a value over.
func (c *cursor) skip() {
	d, i, depth := c.data, c.at, 0
	for ; i < len(d); i++ {
		switch d[i] {
		case '"':
			for i++; d[i] != '"'; i++ {
				if d[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		case ',', ' ', '\n', '\t', '\r', ':':
			continue
		default:
			for i+1 < len(d) && (d[i+1] > ',' && d[i+1] != ']' && d[i+1] != '}' && d[i+1] != ':' || d[i+1] == '+') {
				i++
			}
		}
		if depth == 0 {
			i++
			break
		}
	}
	c.at = i
}

// text takes a text, nil for a value of another kind.
func (c *cursor) text() []byte {
	if c.data[c.at] != '"' {
		c.skip()
		return nil
	}
	for i := c.at + 1; ; i++ {
		switch c.data[i] {
		case '"':
			s := c.data[c.at+1 : i]
			c.at = i + 1
			return s
		case '\\':
			return []byte(gjson.ParseBytes(c.raw()).Str)
		}
	}
}

// word takes a text, or another value as a text.
func (c *cursor) word() []byte {
	if c.data[c.at] == '"' {
		return c.text()
	}
	return []byte(gjson.ParseBytes(c.raw()).String())
}

// whole takes a number: plain, as a text, or as {set, infinite, number}; none for
// what is no number of accounting. unlimited says that it has none on purpose.
func (c *cursor) whole() (n int64, unlimited bool) {
	if c.data[c.at] != '{' {
		return wholeNumber(c.raw())
	}
	set, infinite, n := false, false, int64(none)
	for more := c.enter('{'); more; more = c.another() {
		switch string(c.name()) {
		case "set":
			set = isTrue(c.raw())
		case "infinite":
			infinite = isTrue(c.raw())
		case "number":
			n, unlimited = wholeNumber(c.raw())
		default:
			c.skip()
		}
	}
	if infinite || !set {
		return none, infinite
	}
	return n, unlimited
}

// isTrue is how gjson takes a value for true.
func isTrue(raw []byte) bool {
	return raw[0] == 't' || raw[0] != 'f' && gjson.ParseBytes(raw).Bool()
}

// wholeNumber reads a number of sacct --json that is no object.
func wholeNumber(raw []byte) (n int64, unlimited bool) {
	if n, ok := short(raw); ok {
		return n, false
	}
	if n, ok := unixTime(raw); ok && n < 1<<32-2 {
		return n, false
	}
	v := gjson.ParseBytes(raw)
	if v.Type == gjson.String {
		v = gjson.Parse(v.Str)
	}
	if v.Type != gjson.Number || v.Num < 0 || v.Num > 1<<50 {
		return none, false
	}
	if v.Num >= 1<<32-2 && v.Num <= 1<<32-1 { // Slurm's INFINITE and NO_VAL
		return none, true
	}
	return v.Int(), false
}
