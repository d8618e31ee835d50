package experiment

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"batchlab/core/catalog"
)

// MaxInteger is the greatest whole number in a document, 2^53 − 1: beyond it,
// JSON readers that know only float64 disagree.
const MaxInteger = 1<<53 - 1

// mode is what a codec does while it walks the document.
type mode uint8

const (
	reading    mode = iota // tree → Experiment, defaults filled in
	writing                // Experiment → tree
	checking               // Experiment alone
	describing             // which fields there are, see Fields
)

// codec walks an Experiment by its one description (schema.go). Reading and
// checking collect faults; writing cannot fail.
type codec struct {
	mode mode
	full bool // writing: write what is at its default, too
	jobs bool // there may be no schedulers
	// places, when not nil, takes the paths of everything that the description asks for.
	places map[string]bool
	// Of describing: the path of what is wanted, "" all; found is what there is.
	want   string
	schema bool // what is not there as well
	found  []Place
	wants  List // the list at the path
	faults
}

// group is one object of the document during a walk.
type group struct {
	c     *codec
	path  string
	in    *node    // reading
	out   *node    // writing
	known []string // keys that the description asked for
	must  string   // the required key that is visited: it is written whatever its value
	said  bool     // something in it is not at its default
}

// checks reports whether a walk looks for faults.
func (g *group) checks() bool { return g.c.mode == reading || g.c.mode == checking }

// walk visits one object: in is its tree when reading; the tree is returned
// when writing. Keys that visit did not ask for are faults.
func (c *codec) walk(path string, in *node, visit func(*group)) *node {
	g := &group{c: c, path: path, in: in}
	switch c.mode {
	case describing:
		if !c.near(path) {
			return nil
		}
	case reading:
		if in != nil && in.kind != objectKind {
			c.add(in.at, path, "must be an object, not "+in.kind.String())
			return nil
		}
		if in == nil {
			g.in = &node{kind: objectKind}
		}
	case writing:
		g.out = &node{kind: objectKind}
	}
	visit(g)
	if c.places != nil {
		for _, key := range g.known {
			c.places[join(path, key)] = true
		}
	}
	if c.mode == reading {
		for i, key := range g.in.keys {
			switch {
			case slices.Contains(g.known, key):
			case len(c.list) == maxErrors:
				c.more++ // no more messages: a hostile document may have thousands
			default:
				c.add(g.in.keyPlace(i), join(path, key), "unknown key"+catalog.DidYouMean(key, g.known))
			}
		}
	}
	return g.out
}

// ask notes that the description knows key and returns its value when reading;
// nil means that it is not there.
func (g *group) ask(key string) *node {
	g.known = append(g.known, key)
	if g.c.mode != reading {
		return nil
	}
	return g.in.get(key)
}

// at is where faults of the whole object stand in the text.
func (g *group) at() int {
	if g.in == nil {
		return 0
	}
	return g.in.at
}

// fault reports a fault at a key, or at the object itself when key is "".
func (g *group) fault(key, message string) {
	path, at := g.path, g.at()
	if key != "" {
		path = join(path, key)
		if g.in != nil {
			if v := g.in.get(key); v != nil {
				at = v.at
			}
		}
	}
	g.c.add(at, path, message)
}

// typed returns the value of key if it is of kind k; a fault otherwise.
func (g *group) typed(key string, k kind) *node {
	n := g.ask(key)
	if n != nil && n.kind != k {
		g.fault(key, "must be "+k.String()+", not "+n.kind.String())
		return nil
	}
	return n
}

// put writes a value unless it is at its default and defaults are left out.
func (g *group) put(key string, isDefault bool, v *node) {
	g.said = g.said || !isDefault
	if g.c.mode == writing && (g.c.full || !isDefault || key == g.must) {
		g.out.set(key, v)
	}
}

// missing reports whether a required key is not there, which is a fault.
func (g *group) missing(key string) bool {
	g.known, g.must = append(g.known, key), key
	if g.c.mode == reading && g.in.get(key) == nil {
		g.fault(key, "missing")
		return true
	}
	return false
}

// span is an inclusive range of whole numbers.
type span struct{ min, max int64 }

// integer visits a whole number with a default.
func (g *group) integer(key string, p *int64, def int64, in span) {
	if g.c.mode == reading {
		*p = def
	}
	if n := g.typed(key, numberKind); n != nil {
		g.readInteger(key, n, p, in)
	} else if g.c.mode == checking {
		g.checkInteger(key, *p, in)
	}
	g.put(key, *p == def, integerNode(*p))
}

// optional visits a whole number that may be null, which is its default.
func (g *group) optional(key string, p **int64, in span) {
	if g.c.mode == reading {
		*p = nil
	}
	switch n := g.ask(key); {
	case n != nil && n.kind == numberKind:
		v := int64(0)
		if g.readInteger(key, n, &v, in) {
			*p = &v
		}
	case n != nil && n.kind != nullKind:
		g.fault(key, "must be a number or null, not "+n.kind.String())
	case g.c.mode == checking && *p != nil:
		g.checkInteger(key, **p, in)
	}
	if *p == nil {
		g.put(key, true, &node{kind: nullKind})
	} else {
		g.put(key, false, integerNode(**p))
	}
}

func (g *group) readInteger(key string, n *node, p *int64, in span) bool {
	if strings.ContainsAny(n.text, ".eE") {
		g.fault(key, "must be a whole number without point or exponent, not "+shorten(n.text))
		return false
	}
	v, err := strconv.ParseInt(n.text, 10, 64)
	if err != nil || v < in.min || v > in.max {
		g.fault(key, fmt.Sprintf("must be between %d and %d, not %s", in.min, in.max, shorten(n.text)))
		return false
	}
	*p = v
	return true
}

func (g *group) checkInteger(key string, v int64, in span) {
	if v < in.min || v > in.max {
		g.fault(key, fmt.Sprintf("must be between %d and %d, not %d", in.min, in.max, v))
	}
}

// real visits a finite number with a default.
func (g *group) real(key string, p *float64, def, least, most float64) {
	if g.c.mode == reading {
		*p = def
	}
	if n := g.typed(key, numberKind); n != nil {
		if v, ok := g.readReal(key, n, least, most); ok {
			*p = v
		}
	} else if g.c.mode == checking {
		g.checkReal(key, *p, least, most)
	}
	g.put(key, *p == def, realNode(*p))
}

func (g *group) readReal(key string, n *node, least, most float64) (float64, bool) {
	v, err := strconv.ParseFloat(n.text, 64)
	if err != nil {
		g.fault(key, "must be a finite number, not "+shorten(n.text))
		return 0, false
	}
	return v + 0, g.checkReal(key, v, least, most) // minus zero becomes zero
}

func (g *group) checkReal(key string, v, least, most float64) bool {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		g.fault(key, "must be a finite number")
	case v < least || v > most:
		g.fault(key, fmt.Sprintf("must be between %s and %s, not %s", writeReal(least), writeReal(most), writeReal(v)))
	default:
		return true
	}
	return false
}

func writeReal(v float64) string { return string(appendNumber(nil, v)) }

// word visits a text with a default, of at most so many characters.
func (g *group) word(key string, p *string, def string, most int) {
	if g.c.mode == reading {
		*p = def
	}
	if n := g.typed(key, textKind); n != nil {
		*p = n.text
	}
	if g.checks() {
		switch n := utf8.RuneCountInString(*p); {
		case !utf8.ValidString(*p):
			g.fault(key, "is not valid UTF-8")
		case n > most:
			g.fault(key, fmt.Sprintf("must have at most %d characters, not %d", most, n))
		case strings.ContainsFunc(*p, unicode.IsControl):
			g.fault(key, "must not hold control characters")
		}
	}
	g.put(key, *p == def, textNode(*p))
}

// choice visits a text that is one of a list; def "" means that it is required.
func (g *group) choice(key string, p *string, def, what string, of []string) bool {
	switch g.c.mode {
	case describing:
		g.field(p, row{Key: key, Type: catalog.Enum, Required: true, Noun: what})
		return true
	case reading:
		*p = def
	}
	n := g.typed(key, textKind)
	if n != nil {
		*p = n.text
	}
	g.put(key, def != "" && *p == def, textNode(*p))
	switch {
	case g.c.mode == writing || slices.Contains(of, *p):
		return true
	case g.c.mode == reading && def == "" && g.missing(key):
	case g.c.mode == reading && n == nil: // of the wrong type, already reported
	default:
		g.fault(key, "unknown "+what+" "+quote(*p)+oneOf(*p, of))
	}
	return false
}

// oneOf continues a message about an unknown word: what was probably meant,
// else all that there is, as far as a line or some take it.
func oneOf(word string, of []string) string {
	all := strings.Join(of, ", ")
	if s := catalog.DidYouMean(word, of); s != "" || len(all) > 1000 {
		return s
	}
	return "; it is one of " + all
}

// optionalReal visits a finite number that may be null, which is its default.
func (g *group) optionalReal(key string, p **float64, least, most float64) {
	if g.c.mode == reading {
		*p = nil
	}
	switch n := g.ask(key); {
	case n != nil && n.kind == numberKind:
		if v, ok := g.readReal(key, n, least, most); ok {
			*p = &v
		}
	case n != nil && n.kind != nullKind:
		g.fault(key, "must be a number or null, not "+n.kind.String())
	case g.c.mode == checking && *p != nil:
		g.checkReal(key, **p, least, most)
	}
	if *p != nil {
		g.put(key, false, realNode(**p))
	} else {
		g.put(key, true, &node{kind: nullKind})
	}
}

// hash visits a required SHA-256 as 64 lower-case hexadecimal digits.
func (g *group) hash(key string, p *string) {
	n := g.typed(key, textKind)
	if n != nil {
		*p = n.text
	}
	switch {
	case g.c.mode == describing:
		g.field(p, row{Key: key, Type: catalog.Hash, Required: true})
		return
	case g.c.mode == reading && n == nil:
		g.missing(key)
	case g.checks() && !isHash(*p):
		g.fault(key, "must be a SHA-256: 64 hexadecimal digits in lower case")
	}
	g.put(key, false, textNode(*p))
}

func isHash(s string) bool {
	return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
}

// integers visits a list of whole numbers, empty by default.
func (g *group) integers(key string, p *[]int64, most int, in span) {
	if g.c.mode == reading {
		*p = nil
	}
	out := &node{kind: arrayKind}
	if n := g.typed(key, arrayKind); n != nil {
		g.checkCount(key, len(n.items), 0, most)
		for i, item := range n.items[:min(len(n.items), most)] {
			place := group{c: g.c, path: index(join(g.path, key), i), in: item}
			v := int64(0)
			if item.kind != numberKind {
				place.fault("", "must be a number, not "+item.kind.String())
			} else if place.readInteger("", item, &v, in) {
				*p = append(*p, v)
			}
		}
	} else if g.c.mode == checking {
		g.checkCount(key, len(*p), 0, most)
		for i, v := range *p {
			place := group{c: g.c, path: index(join(g.path, key), i)}
			place.checkInteger("", v, in)
		}
	}
	for _, v := range *p {
		out.items = append(out.items, integerNode(v))
	}
	g.put(key, len(*p) == 0, out)
}

func (g *group) checkCount(key string, n, least, most int) {
	if n < least || n > most {
		g.fault(key, fmt.Sprintf("must have %d to %d entries, not %d", least, most, n))
	}
}

// child visits an object that is left out when everything in it is at its
// default.
func (g *group) child(key string, visit func(*group)) {
	in, said := g.ask(key), false
	out := g.c.walk(join(g.path, key), in, func(inner *group) {
		visit(inner)
		said = inner.said
	})
	if g.c.mode == writing {
		g.put(key, len(out.keys) == 0, out)
		g.said = g.said || said
	}
}

func integerNode(v int64) *node {
	return &node{kind: numberKind, text: strconv.FormatInt(v, 10)}
}

func realNode(v float64) *node { return &node{kind: numberKind, text: writeReal(v)} }

func textNode(s string) *node { return &node{kind: textKind, text: s} }
