package experiment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CasesPath stands as the path of an axis of cases, in tables and where axes are
// named; it is no place of a document.
const CasesPath = "case"

// Case is one experiment of several that are set beside each other: the document
// with some places set to other values. One that sets nothing is the document.
type Case struct {
	Name string // 1 to 100 characters; no two cases of an axis have the same
	Set  []Setting
}

// Setting is a place of the document, written as in messages, and what is put there.
type Setting struct {
	Path  string
	Value Value
}

// CasesAxis returns the axis along which the document changes from case to case.
// Its values are the names of the cases.
func CasesAxis(list ...Case) Axis {
	a := Axis{Path: CasesPath, Cases: list}
	for _, c := range list {
		a.Values = append(a.Values, TextValue(c.Name))
	}
	return a
}

// Called is what people call the k-th point along the axis: its name, or that of the
// case; "" where points are called by their values.
func (a *Axis) Called(k int) string {
	switch {
	case a.Cases != nil:
		return a.Cases[k].Name
	case a.Names != nil:
		return a.Names[k]
	}
	return ""
}

// Concerns reports whether a place that changes along the axis begins like this:
// "schedulers", "schedulers[1].".
func (a *Axis) Concerns(prefix string) bool {
	return slices.ContainsFunc(a.places(), func(p Along) bool { return strings.HasPrefix(p.Path, prefix) })
}

// Columns are the headings of the axes in tables: their paths, of cases "case", and
// from the second list of cases on "case 2" and so on.
func (e *Experiment) Columns() (list []string) {
	for i := range e.Vary {
		name := e.Vary[i].Path
		for n := 2; slices.Contains(list, name); n++ {
			name = e.Vary[i].Path + " " + strconv.Itoa(n)
		}
		list = append(list, name)
	}
	return list
}

// casePlaces are the places that any of the cases sets, in order of appearance, with
// the value of each case, "" where it leaves the document as it is.
func casePlaces(list []Case) (places []Along) {
	at := map[string]int{}
	for k, c := range list {
		for _, s := range c.Set {
			i, known := at[s.Path]
			if !known {
				i = len(places)
				at[s.Path] = i
				places = append(places, Along{s.Path, make([]Value, len(list))})
			}
			places[i].Values[k] = s.Value
		}
	}
	return places
}

// visitCases visits an axis that is a list of cases.
func (a *Axis) visitCases(g *group, in *node) {
	for _, key := range []string{"path", "values", "with", "names"} {
		if g.ask(key) != nil {
			g.fault(key, "does not go with cases: each says itself what it sets")
		}
	}
	list := a.Cases
	if g.c.mode == reading {
		if list = nil; in.kind != arrayKind {
			g.fault("cases", "must be an array, not "+in.kind.String())
		} else {
			g.checkCount("cases", len(in.items), 1, MaxValues)
			list = make([]Case, min(len(in.items), MaxValues))
		}
	}
	out, seen := &node{kind: arrayKind}, map[string]bool{}
	for i := range list {
		var item *node
		if in != nil {
			item = in.items[i]
		}
		out.items = append(out.items, g.c.walk(index(join(g.path, "cases"), i), item, func(g *group) {
			list[i].visit(g)
			if name := list[i].Name; seen[name] && g.checks() {
				g.fault("name", quote(name)+" is there already")
			}
			seen[list[i].Name] = true
		}))
	}
	if g.put("cases", false, out); g.c.mode == reading {
		*a = CasesAxis(list...)
		a.Cases = list // also when there are none: then they are too few
	} else if g.c.mode == checking {
		g.checkCount("cases", len(list), 1, MaxValues)
		if whole := CasesAxis(list...); a.Path != CasesPath || !slices.Equal(a.Values, whole.Values) || a.With != nil || a.Names != nil {
			g.fault("cases", "must be the only thing that the axis says")
		}
	}
	paths := map[string]bool{}
	for _, c := range list {
		for _, s := range c.Set {
			paths[s.Path] = true
		}
	}
	if n := len(paths); n > MaxAlong && g.checks() {
		g.fault("cases", fmt.Sprintf("set %d different places; at most %d", n, MaxAlong))
	}
}

func (c *Case) visit(g *group) {
	if !g.missing("name") {
		g.word("name", &c.Name, "", maxName)
		if c.Name == "" && g.checks() {
			g.fault("name", fmt.Sprintf("must be a name of 1 to %d characters", maxName))
		}
	}
	in, out := g.typed("set", objectKind), &node{kind: objectKind}
	if g.c.mode == reading {
		if c.Set = nil; in == nil {
			return
		}
		for i, key := range in.keys {
			c.Set = append(c.Set, Setting{key, in.items[i].value()})
		}
	}
	for i, s := range c.Set {
		n, err := s.Value.node()
		switch {
		case !g.checks():
			if err == nil {
				out.set(s.Path, n)
			}
			continue
		case err != nil:
			g.c.add(0, join(join(g.path, "set"), s.Path), err.Error())
		case utf8.RuneCountInString(s.Path) > maxPlace || strings.ContainsFunc(s.Path, unicode.IsControl):
			g.fault("set", fmt.Sprintf("a path has at most %d characters, and no control characters", maxPlace))
		}
		for _, other := range c.Set[:min(i, MaxAlong)] { // of more it is said that they are too many
			if within(s.Path, other.Path) || within(other.Path, s.Path) {
				g.fault("set", quote(s.Path)+" is set already, by "+quote(other.Path))
			}
		}
	}
	if len(c.Set) > 0 {
		g.put("set", false, out)
	}
}

// varyAt knows where things of the axes stand, in messages and in the text.
type varyAt struct {
	vary   []Axis
	places [][]Along // by axis
	in     *node     // the list in the text, nil without one
}

// setter is the first case of an axis that sets a place; the axis must be one of cases.
func (v *varyAt) setter(axis, place int) int {
	if place >= len(v.places[axis]) {
		return 0
	}
	return max(0, slices.IndexFunc(v.places[axis][place].Values, func(x Value) bool { return x != "" }))
}

// name is a place of an axis in messages.
func (v *varyAt) name(axis, place int) string {
	if place == 0 {
		return index("vary", axis)
	}
	return index(join(index("vary", axis), "with"), place-1)
}

// path is where a place's path is written.
func (v *varyAt) path(axis, place int) string {
	if v.vary[axis].Cases != nil {
		return join(v.ofCase(axis, v.setter(axis, place)), "set")
	}
	return join(v.name(axis, place), "path")
}

func (v *varyAt) ofCase(axis, k int) string { return index(join(index("vary", axis), "cases"), k) }

// value is where the k-th value of a place is written.
func (v *varyAt) value(axis, place, k int) string {
	if v.vary[axis].Cases == nil {
		return index(join(v.name(axis, place), "values"), k)
	}
	if list := v.places[axis]; place < len(list) && list[place].Values[k] != "" {
		return join(join(v.ofCase(axis, k), "set"), list[place].Path)
	}
	return v.ofCase(axis, k)
}

// at is where the k-th value of a place stands in the text, with k −1 its path; 0 unknown.
func (v *varyAt) at(axis, place, k int) int {
	if v.in == nil {
		return 0
	}
	n := v.in.items[axis]
	if v.vary[axis].Cases != nil {
		if k < 0 {
			k = v.setter(axis, place)
		}
		one := n.get("cases").items[k]
		if place < len(v.places[axis]) {
			if set := one.get("set"); set != nil && set.get(v.places[axis][place].Path) != nil {
				return set.get(v.places[axis][place].Path).at
			}
		}
		return one.at
	}
	if place > 0 {
		n = n.get("with").items[place-1]
	}
	if k < 0 {
		return n.get("path").at
	}
	return n.get("values").items[k].at
}
