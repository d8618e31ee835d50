package experiment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"batchlab/core/catalog"
	"batchlab/core/order"
)

// Limits of what varies in a document.
const (
	MaxAxes   = 3
	MaxValues = 10_000    // of one axis
	MaxPoints = 100_000   // of one document
	MaxRuns   = 1_000_000 // of all points together
	MaxAlong  = 64        // places that go along with an axis
	maxPlace  = 200       // characters of a path
	maxName   = 100       // characters of what a point is called

	// varyWork bounds how much of the values Decode and Validate look at, in
	// values × keys of the document, so that a hostile link cannot keep the page
	// busy. What is beyond it is checked when its point is made.
	varyWork = 50_000
)

// Axis is a place of the document that varies, and the values that it takes.
type Axis struct {
	Path   string  // as in messages: "workload.scale.load", "schedulers[1].params.threshold"
	Values []Value // at least one; no two alike, together with those of With
	// With are places that change with this one: as many values each, the k-th
	// going along with the k-th of Values.
	With []Along
	// Names say what people call the points along the axis, one for each value, no
	// two alike; nil: as their values.
	Names []string
	// Cases, when not nil, are the points along the axis instead, and all that it
	// says; Path is then CasesPath, and Values are their names (CasesAxis).
	Cases []Case
}

// Along is a place that changes along with an axis.
type Along struct {
	Path   string
	Values []Value
}

// places are those of the axis itself and all that go along with it, or those that
// its cases set. A value "" leaves the document as it is.
func (a *Axis) places() []Along {
	if a.Cases != nil {
		return casePlaces(a.Cases)
	}
	return append([]Along{{a.Path, a.Values}}, a.With...)
}

// Value is a JSON value as text, in one line: 0.8, "saf", null, [1,2,3]. Any
// type that the place takes.
type Value string

// TextValue returns the value that is this text.
func TextValue(s string) Value { return Value(appendString(nil, s)) }

// NumberValue returns the value that is this number; it must be finite.
func NumberValue(v float64) Value { return Value(appendNumber(nil, v)) }

// String returns the value for people: a text without its quotes.
func (v Value) String() string {
	if !v.holdsText() {
		return string(v)
	}
	if n, err := v.node(); err == nil && n.kind == textKind {
		return n.text
	}
	return string(v)
}

// holdsText reports whether there may be a text in the value. Most values are
// numbers, of which there are thousands: they need not be parsed to see that.
func (v Value) holdsText() bool { return strings.Contains(string(v), `"`) }

// MarshalJSON returns the value as it is.
func (v Value) MarshalJSON() ([]byte, error) { return []byte(v), nil }

// node parses the value.
func (v Value) node() (*node, error) {
	var f faults
	n, err := parse([]byte(v), &f)
	if err == nil {
		err = f.err(nil)
	}
	return n, err
}

// value is the text of a tree.
func (n *node) value() Value { return Value(appendPlain(nil, n, "")) }

func (a *Axis) visit(g *group) {
	if in := g.ask("cases"); in != nil || a.Cases != nil {
		a.visitCases(g, in)
		return
	}
	visitValues(g, &a.Path, &a.Values)
	visitList(g, "with", &a.With, MaxAlong, func(w *Along, g *group) {
		visitValues(g, &w.Path, &w.Values)
		if n := len(a.Values); g.checks() && len(w.Values) != n && n > 0 && len(w.Values) > 0 {
			g.fault("values", fmt.Sprintf("must have as many entries as the axis, %d, not %d", n, len(w.Values)))
		}
	})
	a.visitNames(g)
}

// visitNames visits what points are called, which stays out of documents that
// do not say it.
func (a *Axis) visitNames(g *group) {
	in := g.typed("names", arrayKind)
	if g.c.mode == reading {
		if a.Names = nil; in != nil {
			a.Names = make([]string, min(len(in.items), MaxValues))
		}
	}
	if a.Names == nil {
		return
	}
	if n := len(a.Values); len(a.Names) != n && n > 0 && g.checks() {
		g.fault("names", fmt.Sprintf("must have as many entries as values, %d, not %d", n, len(a.Names)))
	}
	out, seen := &node{kind: arrayKind}, map[string]bool{}
	for i := range a.Names {
		place := group{c: g.c, path: index(join(g.path, "names"), i)}
		if in != nil {
			if place.in = in.items[i]; place.in.kind != textKind {
				place.fault("", "must be a string, not "+place.in.kind.String())
				continue
			}
			a.Names[i] = place.in.text
		}
		name := a.Names[i]
		out.items = append(out.items, textNode(name))
		switch {
		case !g.checks():
		case name == "" || utf8.RuneCountInString(name) > maxName || strings.ContainsFunc(name, unicode.IsControl) || !utf8.ValidString(name):
			place.fault("", fmt.Sprintf("must be a name of 1 to %d characters", maxName))
		case seen[name]:
			place.fault("", quote(name)+" is there already")
		}
		seen[name] = true
	}
	g.put("names", false, out)
}

// visitValues visits a place and the values that it takes.
func visitValues(g *group, path *string, values *[]Value) {
	if !g.missing("path") {
		g.word("path", path, "", maxPlace)
	}
	in := g.typed("values", arrayKind)
	out := &node{kind: arrayKind}
	switch g.c.mode {
	case reading:
		if *values = nil; in == nil {
			g.missing("values")
			return
		}
		g.checkCount("values", len(in.items), 1, MaxValues)
		for _, item := range in.items[:min(len(in.items), MaxValues)] {
			*values = append(*values, item.value())
		}
	case checking:
		g.checkCount("values", len(*values), 1, MaxValues)
		for i, v := range *values {
			if _, err := v.node(); err != nil {
				g.c.add(0, index(join(g.path, "values"), i), err.Error())
			}
		}
	case writing:
		for _, v := range *values {
			if n, err := v.node(); err == nil { // of a valid experiment
				out.items = append(out.items, n)
			}
		}
	}
	g.put("values", false, out)
}

// checkVary checks what varies of an experiment that is valid without it. in is
// the list in the text, nil without one.
func (e *Experiment) checkVary(c *codec, in *node) {
	if len(e.Vary) == 0 {
		return
	}
	axes := make([][]Along, len(e.Vary))
	for i := range e.Vary {
		axes[i] = e.Vary[i].places()
	}
	v := varyAt{e.Vary, axes, in}
	at, path, value := v.at, v.path, v.value

	for i, places := range axes {
		for p, a := range places {
			for k := range i + 1 {
				for q, other := range axes[k] {
					if (k < i || q < p && e.Vary[i].Cases == nil) && (within(a.Path, other.Path) || within(other.Path, a.Path)) {
						c.add(at(i, p, -1), path(i, p), fmt.Sprintf("%s varies already, in %s", quote(a.Path), path(k, q)))
					}
				}
			}
		}
		seen := map[string]int{}
		for k, v := range e.Vary[i].Values {
			var key []byte
			for _, a := range places {
				if n, err := a.Values[k].node(); err == nil {
					key = appendCanonical(key, n)
				}
				key = append(key, '\n')
			}
			if first, twice := seen[string(key)]; twice {
				c.add(at(i, 0, k), value(i, 0, k), shorten(string(v))+" is there already, as "+value(i, 0, first))
			}
			seen[string(key)] = k
		}
	}
	if points, runs := e.size(); points > MaxPoints {
		c.add(at(0, 0, -1), "vary", fmt.Sprintf("makes %s; at most %d are run", manyPoints(points), MaxPoints))
	} else if runs > MaxRuns {
		c.add(at(0, 0, -1), "vary", fmt.Sprintf("makes %d runs at %d points; at most %d are run", runs, points, MaxRuns))
	}
	if len(c.list) > 0 {
		return
	}
	p := e.Points()
	for i := range axes {
		for k := range axes[i] {
			if fault := p.missing(i, k); fault != "" {
				c.add(at(i, k, -1), path(i, k), fault)
			}
		}
	}
	if len(c.list) > 0 {
		return
	}
	// All values of an axis, the others at their first one. A place that the first
	// case leaves alone is looked at in the first one that does not.
	places, first := p.check(make([]int, len(e.Vary)))
	looked := func(i, k int) (there map[string]bool, list []fault, n int) {
		if e.Vary[i].Cases != nil {
			n = v.setter(i, k)
		}
		if n == 0 {
			return places, first, 0
		}
		choice := make([]int, len(e.Vary))
		choice[i] = n
		there, list = p.check(choice)
		return there, list, n
	}
	for i := range axes {
	search:
		for k, a := range axes[i] {
			there, list, n := looked(i, k)
			for _, f := range list {
				if within(f.Path, a.Path) && there[bare(a.Path)] {
					c.add(at(i, k, n), value(i, k, n), "refused: "+f.Error.Error())
					break search
				}
			}
		}
	}
	for i := range axes {
		for k, a := range axes[i] {
			if there, _, _ := looked(i, k); len(c.list) == 0 && !there[bare(a.Path)] {
				c.add(at(i, k, -1), path(i, k), noPlace(a.Path, there))
			}
		}
	}
	if len(c.list) == 0 && len(first) > 0 {
		c.add(at(0, 0, -1), "vary", "the first point ("+p.Name(0)+") is refused: "+first[0].Error.Error())
	}
	if len(c.list) > 0 {
		return
	}
	work := varyWork / p.full.size()
	for i, a := range e.Vary {
		choice := make([]int, len(e.Vary))
		for k := 1; k < len(a.Values) && work > 0; k++ {
			choice[i] = k
			if _, list := p.check(choice); len(list) > 0 {
				c.add(at(i, blamed(axes[i], list[0]), k), value(i, blamed(axes[i], list[0]), k), "refused: "+list[0].Error.Error())
			}
			work--
		}
	}
}

// blamed is the place of an axis at which a fault is: the axis itself when it is
// at none.
func blamed(places []Along, f fault) int {
	for k, a := range places {
		if within(f.Path, a.Path) {
			return k
		}
	}
	return 0
}

// size is how many points and runs the document makes, the runs of each as they
// are without anything varied. It saturates instead of overflowing.
func (e *Experiment) size() (points, runs int64) {
	points = 1
	for _, a := range e.Vary {
		points *= int64(max(1, len(a.Values))) // at most MaxValues each
	}
	for i := range e.Schedulers {
		runs += e.Schedulers[i].Repeat
	}
	return points, runs * points
}

func manyPoints(n int64) string { return strconv.FormatInt(n, 10) + " points" }

// within reports whether a path is another one or a place inside of it.
func within(path, of string) bool {
	rest, ok := strings.CutPrefix(path, of)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// bare is a path without the indexes at its end: the list that it goes into.
func bare(path string) string {
	for strings.HasSuffix(path, "]") {
		path = path[:strings.LastIndexByte(path, '[')]
	}
	return path
}

// noPlace says that a path leads nowhere, with the nearest that is there.
func noPlace(path string, places map[string]bool) string {
	list := make([]string, 0, len(places))
	for p := range places {
		list = append(list, p)
	}
	order.Stable(list, func(a, b string) int { return compareUTF16(a, b) })
	message := quote(path) + " is no place of this document"
	for _, p := range list { // scale.load, or load alone
		if strings.HasSuffix(p, "."+path) {
			return message + "; did you mean " + strconv.Quote(p) + "?"
		}
	}
	if text := catalog.DidYouMean(path, list); text != "" {
		return message + text
	}
	for _, p := range list { // laod alone, or scale.laod
		tail := p
		for n := strings.Count(p, ".") - strings.Count(path, "."); n > 0; n-- {
			_, tail, _ = strings.Cut(tail, ".")
		}
		if catalog.DidYouMean(path, []string{tail}) != "" {
			return message + "; did you mean " + strconv.Quote(p) + "?"
		}
	}
	return message
}

// step is one step of a path: a key, or the index of an entry.
type step struct {
	key   string // "" an index
	index int
}

// steps takes a path apart; ok is false where it is none.
func steps(path string) (list []step, ok bool) {
	for rest := path; rest != ""; {
		if rest[0] == '[' {
			text, after, closed := strings.Cut(rest[1:], "]")
			n, err := strconv.Atoi(text)
			if !closed || err != nil || n < 0 || strconv.Itoa(n) != text {
				return nil, false
			}
			list, rest = append(list, step{index: n}), after
			continue
		}
		if rest = strings.TrimPrefix(rest, "."); len(list) == 0 && rest != path {
			return nil, false
		}
		end := strings.IndexAny(rest, ".[")
		if end < 0 {
			end = len(rest)
		}
		if !plainKey(rest[:end]) {
			return nil, false
		}
		list, rest = append(list, step{key: rest[:end]}), rest[end:]
		if rest == "." {
			return nil, false
		}
	}
	return list, len(list) > 0
}

// put returns a tree with a value at a place; what lies on the way is copied,
// everything else shared. Objects that are not there are made; full, the tree
// with all defaults, has the entries of lists that are not. Nil: there is no
// such place.
func put(n, full *node, at []step, value *node) *node {
	if len(at) == 0 {
		return value
	}
	if at[0].key == "" {
		if n == nil {
			n = full
		}
		if n == nil || n.kind != arrayKind || at[0].index >= len(n.items) {
			return nil
		}
		inner := (*node)(nil)
		if full != nil && full.kind == arrayKind && at[0].index < len(full.items) {
			inner = full.items[at[0].index]
		}
		c := *n
		c.items = slices.Clone(n.items)
		if c.items[at[0].index] = put(n.items[at[0].index], inner, at[1:], value); c.items[at[0].index] == nil {
			return nil
		}
		return &c
	}
	c := node{kind: objectKind}
	if n != nil {
		if n.kind != objectKind {
			return nil
		}
		c = *n
		c.keys, c.items = slices.Clone(n.keys), slices.Clone(n.items)
		c.keyAt = nil // places in a text that is not this one
	}
	inner := (*node)(nil)
	if full != nil && full.kind == objectKind {
		inner = full.get(at[0].key)
	}
	v := put(c.get(at[0].key), inner, at[1:], value)
	if v == nil {
		return nil
	}
	c.set(at[0].key, v)
	return &c
}

// missing says why a place of axis i leads nowhere, as far as that can be told
// without its values; "" when it cannot.
func (p *Points) missing(i, k int) string {
	path, at := p.places[i][k].path, p.places[i][k].at
	if at == nil {
		return quote(path) + " is no path, such as workload.scale.load or schedulers[1].params.threshold"
	}
	switch at[0].key {
	case "batchlab", "title", "expect", "vary":
		return quote(at[0].key) + " cannot vary: it decides nothing about the runs"
	}
	full, dotted := p.full, false
	for k, s := range at { // entries that a list does not have
		if full == nil {
			break
		}
		if n, err := strconv.Atoi(s.key); err == nil && n >= 0 && full.kind == arrayKind { // schedulers.0.key
			if !dotted {
				at, dotted = slices.Clone(at), true
			}
			s = step{index: n}
			at[k] = s
		}
		if s.key != "" {
			full = full.get(s.key)
			continue
		}
		if full.kind != arrayKind {
			return quote(path) + " is no place of this document: there is no list at " + quote(pathOf(at[:k]))
		}
		if s.index >= len(full.items) {
			return fmt.Sprintf("%s is no place of this document: %s has %d entries, counted from 0", quote(path), pathOf(at[:k]), len(full.items))
		}
		full = full.items[s.index]
	}
	if there := put(p.base, p.full, at, &node{}) != nil; there && dotted {
		return quote(path) + " is no place of this document; did you mean " + strconv.Quote(pathOf(at)) + "?"
	} else if !there {
		return quote(path) + " is no place of this document"
	}
	return ""
}

func pathOf(at []step) string {
	var path string
	for _, s := range at {
		if s.key != "" {
			path = join(path, s.key)
		} else {
			path = index(path, s.index)
		}
	}
	return path
}

// size counts the values of a tree.
func (n *node) size() int {
	count := 1
	for _, item := range n.items {
		count += item.size()
	}
	return count
}
