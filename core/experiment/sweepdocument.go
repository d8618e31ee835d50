package experiment

import (
	"errors"
	"fmt"
	"slices"
)

// Together returns the one document that stands for several experiments: the
// first of them, with one axis along which every place changes in which they
// differ. Its points are the experiments in their order, called by their names,
// but for titles, which do not vary. It fails where a document cannot say how
// they differ.
func Together(title string, list []*Experiment, names []string) (*Experiment, error) {
	if len(list) == 0 || len(names) != len(list) {
		return nil, errors.New("experiment: as many names as experiments are wanted, at least one")
	}
	doc := list[0].Clone()
	doc.Title, doc.Expect, doc.Trace, doc.Vary = title, "", "", nil
	if len(list) == 1 {
		return doc, nil
	}
	full, short := make([]*node, len(list)), make([]*node, len(list))
	for i, e := range list {
		if len(e.Vary) > 0 {
			return nil, errors.New("experiment: " + names[i] + " varies already")
		}
		e = e.Clone()
		e.Title, e.Expect, e.Trace = title, "", ""
		full[i], short[i] = e.tree(true), e.tree(false)
	}
	var places []Along
	apart("", full, short, &places)
	if len(places) == 0 {
		return nil, errors.New("experiment: they are all the same")
	}
	// The axis itself is the first place at which no two are alike, so that its
	// values alone tell the points apart where that can be.
	for i, p := range places {
		if !slices.ContainsFunc(p.Values, func(v Value) bool { return slices.Index(p.Values, v) != lastIndex(p.Values, v) }) {
			places = slices.Insert(slices.Delete(places, i, i+1), 0, p)
			break
		}
	}
	doc.Vary = []Axis{{Path: places[0].Path, Values: places[0].Values, With: places[1:], Names: names}}
	if err := doc.Validate(); err != nil {
		return nil, err
	}
	points := doc.Points()
	for i := range list {
		e, err := points.At(i)
		if err != nil {
			return nil, err
		}
		if string(e.Canonical()) != string(list[i].Canonical()) {
			return nil, fmt.Errorf("experiment: %s cannot be said as a point of one document", names[i])
		}
	}
	return doc, nil
}

func lastIndex(list []Value, v Value) int {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == v {
			return i
		}
	}
	return -1
}

// apart collects the places in which trees differ, the innermost that all of
// them have. full are those with every default; values that are objects or lists
// are written without, as they stand in short, whose entries may be nil.
func apart(path string, full, short []*node, places *[]Along) {
	first := full[0]
	same, alike := true, true // equal; of the same shape
	for _, n := range full[1:] {
		same = same && sameNode(first, n)
		alike = alike && sameShape(first, n)
	}
	switch {
	case same:
	case alike && first != nil && first.kind == objectKind:
		for _, key := range allKeys(full) {
			inner, brief := each(full, short, func(n *node) *node { return n.get(key) })
			apart(join(path, key), inner, brief, places)
		}
	case alike && first != nil && first.kind == arrayKind:
		for i := range first.items {
			inner, brief := each(full, short, func(n *node) *node {
				if i < len(n.items) {
					return n.items[i]
				}
				return nil
			})
			apart(index(path, i), inner, brief, places)
		}
	default:
		place := Along{Path: path}
		for i, n := range full {
			switch {
			case n == nil:
				n = &node{kind: nullKind}
			case (n.kind == objectKind || n.kind == arrayKind) && short[i] != nil:
				n = short[i]
			}
			place.Values = append(place.Values, n.value())
		}
		*places = append(*places, place)
	}
}

// optionalKeys are sections that a document may be without, said as null.
var optionalKeys = []string{"resample", "react", "booking", "patience", "search"}

// allKeys are the keys that any of several objects has.
func allKeys(list []*node) []string {
	var keys []string
	for _, n := range list {
		for _, key := range n.keys {
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// each goes one step into all trees.
func each(full, short []*node, step func(*node) *node) (inner, brief []*node) {
	for i := range full {
		inner = append(inner, step(full[i]))
		if short[i] != nil {
			brief = append(brief, step(short[i]))
		} else {
			brief = append(brief, nil)
		}
	}
	return inner, brief
}

// sameShape reports whether one can go on into both trees: objects with the same
// keys, or lists of the same length that hold objects or lists.
func sameShape(a, b *node) bool {
	if a == nil || b == nil || a.kind != b.kind {
		return false
	}
	switch a.kind {
	case objectKind:
		missing := func(in *node) func(key string) bool {
			return func(key string) bool { return in.get(key) == nil && !slices.Contains(optionalKeys, key) }
		}
		return !slices.ContainsFunc(a.keys, missing(b)) && !slices.ContainsFunc(b.keys, missing(a))
	case arrayKind:
		return len(a.items) == len(b.items) && len(a.items) > 0
	}
	return false
}

func sameNode(a, b *node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return string(appendPlain(nil, a, "")) == string(appendPlain(nil, b, ""))
}
