package experiment

import (
	"fmt"
	"slices"
	"strings"

	"batchlab/core/order"
)

// A document that varies stands for points, which are made when asked for. The runs of
// all points are items; lab.Sweep runs any item on any worker. The page keeps their
// measures and nothing else. On the command line a run leaves a record, and one
// assembler puts records together in order, wherever they come from: one core, many
// cores and merged shards give the same bytes.

// RunID names one run: a scheduler over a repetition of the workload.
type RunID struct {
	Scheduler  int // index into the experiment's schedulers
	Repetition int // from 0
}

// Runs lists the runs of an experiment that does not vary in the order of its
// digest: by scheduler, then by repetition.
func (e *Experiment) Runs() []RunID {
	var ids []RunID
	for s := range e.Schedulers {
		for r := range int(max(1, e.Schedulers[s].Repeat)) {
			ids = append(ids, RunID{s, r})
		}
	}
	return ids
}

// Points are the experiments that a document stands for: the cross product of
// its axes, the first axis slowest, or the one experiment of a document that
// does not vary. They are made when they are asked for, so that a list of any
// length takes no more memory than its axes. All methods may be called by
// several workers at once.
type Points struct {
	axes   []Axis
	places [][]variedPlace // by axis
	base   *node           // the document without what varies and without what is at its default
	full   *node           // with every default
}

// variedPlace is a place of the document that varies.
type variedPlace struct {
	path   string
	at     []step  // nil: not a path
	values []*node // by value of the axis; nil: the document's own
}

// Points returns the experiments that a valid document stands for.
func (e *Experiment) Points() *Points {
	plain := *e
	plain.Vary, plain.Expect, plain.Trace = nil, "", ""
	p := &Points{axes: e.Vary, base: plain.tree(false), full: plain.tree(true)}
	for i := range e.Vary {
		var places []variedPlace
		for _, a := range e.Vary[i].places() {
			v := variedPlace{path: a.Path}
			v.at, _ = steps(a.Path)
			for _, value := range a.Values {
				n, _ := value.node() // of a valid document
				v.values = append(v.values, n)
			}
			places = append(places, v)
		}
		p.places = append(p.places, places)
	}
	return p
}

// Axes are what varies; empty for a document that does not.
func (p *Points) Axes() []Axis { return p.axes }

// Len is the number of points, at least 1.
func (p *Points) Len() int {
	n := 1
	for _, a := range p.axes {
		n *= len(a.Values)
	}
	return n
}

// Choice returns which value each axis has at point i, by its place.
func (p *Points) Choice(i int) []int {
	choice := make([]int, len(p.axes))
	for k := len(choice) - 1; k >= 0; k-- {
		n := len(p.axes[k].Values)
		choice[k], i = i%n, i/n
	}
	return choice
}

// Values returns the values of the axes at point i.
func (p *Points) Values(i int) []Value {
	values := make([]Value, len(p.axes))
	for k, c := range p.Choice(i) {
		values[k] = p.axes[k].Values[c]
	}
	return values
}

// Name words what point i is, by the names of its axes or, where they have none,
// their values: "workload.scale.load = 0.8, platform.processors = 64".
func (p *Points) Name(i int) string {
	var b strings.Builder
	for k, c := range p.Choice(i) {
		if k > 0 {
			b.WriteString(", ")
		}
		if a := &p.axes[k]; a.Called(c) != "" {
			b.WriteString(a.Called(c))
		} else {
			b.WriteString(a.Path + " = " + shorten(a.Values[c].String()))
		}
	}
	return b.String()
}

// At returns the experiment of point i, checked like any document. Errors are
// Errors, and say which point it is.
func (p *Points) At(i int) (*Experiment, error) {
	e, list := p.read(p.Choice(i), nil)
	if len(list) == 0 {
		return e, nil
	}
	if len(p.axes) == 0 {
		return nil, Errors{list[0].Error}
	}
	return nil, p.Fault(i, list[0].Error)
}

// Fault is an error of point i, with its values.
func (p *Points) Fault(i int, err error) error {
	if len(p.axes) == 0 {
		return err
	}
	return fmt.Errorf("point %d of %d (%s): %w", i+1, p.Len(), p.Name(i), err)
}

// read reads the document with chosen values; places, when not nil, takes all
// places that were asked for.
func (p *Points) read(choice []int, places map[string]bool) (*Experiment, []fault) {
	root := p.base
	for k, v := range choice {
		for _, place := range p.places[k] {
			if place.values[v] == nil {
				continue
			}
			if root = put(root, p.full, place.at, place.values[v]); root == nil {
				return nil, []fault{{Error: Error{Path: place.path, Message: "is no place of this document"}}}
			}
		}
	}
	e, c := &Experiment{}, codec{mode: reading, places: places}
	c.walk("", root, e.visit)
	return e, c.list
}

// check returns the places of the document with chosen values, and its faults.
func (p *Points) check(choice []int) (map[string]bool, []fault) {
	places := map[string]bool{}
	_, list := p.read(choice, places)
	return places, list
}

// Items are the runs of all points in the order in which work is shared out:
// by point, repetition, scheduler, so that neighbours have their workload in
// common. The digest goes by point, scheduler, repetition.
type Items struct {
	points *Points
	runs   []RunID // of every point, where no axis changes how many there are
	place  []int   // of each of runs in the order of the digest
	first  []int   // else: the first item of each point, and behind it the number of all
}

// Items lists the runs of all points. It fails on more than MaxRuns, and, where
// an axis changes how many runs there are, on a refused point that it looks at.
func (p *Points) Items() (*Items, error) {
	t := &Items{points: p}
	if !slices.ContainsFunc(p.places, concernsRuns) {
		e, err := p.At(0)
		if err != nil {
			return nil, err
		}
		t.runs, t.place = itemsOf(e)
		return t, nil
	}
	// How many runs a point has hangs on the axes that concern schedulers alone:
	// one experiment for each choice of theirs is made, with the values of the
	// others that come first.
	counts := map[int]int{}
	total := 0
	for i := range p.Len() {
		of, scale := 0, 1
		for k, c := range p.Choice(i) {
			if concernsRuns(p.places[k]) {
				of += c * scale
				scale *= len(p.axes[k].Values)
			}
		}
		n, known := counts[of]
		if !known {
			e, err := p.At(i)
			if err != nil {
				return nil, err
			}
			n = len(e.Runs())
			counts[of] = n
		}
		t.first = append(t.first, total)
		if total += n; total > MaxRuns {
			return nil, Error{Path: "vary", Message: fmt.Sprintf("makes more than %d runs, which is the most that are run", MaxRuns)}
		}
	}
	t.first = append(t.first, total)
	return t, nil
}

// concernsRuns reports whether an axis may change how many runs there are.
func concernsRuns(places []variedPlace) bool {
	return slices.ContainsFunc(places, func(v variedPlace) bool {
		return bare(v.path) == "schedulers" || strings.HasSuffix(v.path, ".repeat")
	})
}

// itemsOf lists the runs of one point by repetition, and the place of each in
// the digest.
func itemsOf(e *Experiment) (runs []RunID, place []int) {
	all := e.Runs()
	place = make([]int, len(all))
	for i := range place {
		place[i] = i
	}
	order.Stable(place, func(a, b int) int { return all[a].Repetition - all[b].Repetition })
	for _, k := range place {
		runs = append(runs, all[k])
	}
	return runs, place
}

// Len is the number of items.
func (t *Items) Len() int {
	if t.first != nil {
		return t.first[len(t.first)-1]
	}
	return len(t.runs) * t.points.Len()
}

// Point returns the point of an item, and its number among the point's items.
func (t *Items) Point(item int) (point, within int) {
	if t.first == nil {
		return item / len(t.runs), item % len(t.runs)
	}
	point, found := slices.BinarySearch(t.first, item)
	if !found {
		point--
	}
	return point, item - t.first[point]
}

// First is the first item of a point.
func (t *Items) First(point int) int {
	if t.first == nil {
		return point * len(t.runs)
	}
	return t.first[point]
}

// Count is the number of items of a point.
func (t *Items) Count(point int) int { return t.First(point+1) - t.First(point) }

// Uniform reports whether all points have the same runs: then Of asks for no
// experiment.
func (t *Items) Uniform() bool { return t.first == nil }

// Of lists the runs of a point, whose experiment is e, in order of the items,
// and the place of each in the digest.
func (t *Items) Of(e *Experiment) (runs []RunID, place []int) {
	if t.first == nil {
		return t.runs, t.place
	}
	return itemsOf(e)
}

// ValueAt returns what stands at a place of a valid document, its default where
// nothing is written; ok is false where there is no such place.
func (e *Experiment) ValueAt(path string) (v Value, ok bool) {
	at, ok := steps(path)
	if !ok {
		return "", false
	}
	plain := *e
	plain.Vary = nil
	n := plain.tree(true)
	for _, s := range at {
		switch {
		case n == nil:
			return "", false
		case s.key != "":
			n = n.get(s.key)
		case n.kind == arrayKind && s.index < len(n.items):
			n = n.items[s.index]
		default:
			return "", false
		}
	}
	if n == nil {
		return "", false
	}
	return n.value(), true
}

// With returns the document with a value at a place, without what varies in it,
// and checked like any document. Errors are Errors.
func (e *Experiment) With(path string, v Value) (*Experiment, error) {
	if at, ok := steps(path); !ok || at[0].key == "vary" {
		return nil, Errors{{Path: path, Message: "is no place of this document"}}
	}
	if _, err := v.node(); err != nil {
		return nil, Errors{{Path: path, Message: err.Error()}}
	}
	one := *e
	one.Vary = []Axis{{Path: path, Values: []Value{v}}}
	got, list := one.Points().read([]int{0}, nil)
	if len(list) > 0 {
		return nil, Errors{list[0].Error}
	}
	return got, nil
}
