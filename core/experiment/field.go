package experiment

import (
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
)

// row says all that is known of a field of the document: reader, canonical form, the
// page's inputs and tables, flags, what may vary, docs and the tests' random documents
// read it. Without a Name the page has no input for it. Later fields stay out of documents while they are at their default. An Enum
// without a Default is held as "" while it is at its first option.
type row = catalog.Param

// field visits the value that p points to.
func (g *group) field(p any, r row) {
	switch {
	case g.c.mode == describing:
		if at := join(g.path, r.Key); g.c.wanted(at) {
			g.c.found = append(g.c.found, Place{r, at, p})
		}
		return
	case g.c.mode == writing && r.Later && (&Place{Param: r, at: p}).AtFirst():
		return
	case r.Required && g.missing(r.Key):
		return
	}
	switch p := p.(type) {
	case *int64:
		def, _ := r.Default.(int64)
		g.integer(r.Key, p, def, integerSpan(&r))
	case **int64:
		g.optional(r.Key, p, integerSpan(&r))
	case *float64:
		def, _ := r.Default.(float64)
		g.real(r.Key, p, def, r.Min, r.Max)
	case **float64:
		g.optionalReal(r.Key, p, r.Min, r.Max)
	case *bool:
		g.flag(r.Key, p)
	case *[]int64:
		g.integers(r.Key, p, r.Most, integerSpan(&r))
	case *[]string:
		g.names(r.Key, p, r.Most)
	case **[]string:
		g.optionalNames(r.Key, p)
	case *string:
		g.words(p, &r)
	}
}

// words visits a text, or one of a list.
func (g *group) words(p *string, r *row) {
	if r.Type != catalog.Enum {
		g.word(r.Key, p, "", r.Most)
		if r.Required && *p == "" && g.checks() {
			g.fault(r.Key, "must be a text that is not empty")
		}
		return
	}
	first, value := r.First().(string), *p
	if value == "" && (r.Default == nil || r.Later) {
		value = first
	}
	g.choice(r.Key, &value, first, r.Noun, catalog.OptionKeys(r.Options))
	if g.c.mode == reading {
		if *p = value; r.Default == nil && value == first {
			*p = ""
		}
	}
}

// object visits an object that is there or not: it is not written while it is not.
func object[T any](g *group, key string, p **T, visit func(*T, *group)) {
	in := g.ask(key)
	if g.c.mode == reading {
		if *p = nil; in != nil {
			*p = new(T)
		}
	}
	if v := *p; v != nil {
		g.inner(key, in, func(g *group) { visit(v, g) })
	} else if g.c.schema {
		g.inner(key, in, func(g *group) { visit(new(T), g) })
	}
}

// inner visits an object that is written whatever is in it.
func (g *group) inner(key string, in *node, visit func(*group)) {
	if out := g.c.walk(join(g.path, key), in, visit); g.c.mode == writing {
		g.write(key, out)
	}
}

// later visits an object that is not written while all in it is at its default.
func (g *group) later(key string, visit func(*group)) {
	said := false
	out := g.c.walk(join(g.path, key), g.ask(key), func(inner *group) {
		visit(inner)
		said = inner.said
	})
	if g.c.mode == writing && said {
		g.write(key, out)
	}
}

// write writes a value that says something.
func (g *group) write(key string, v *node) {
	g.out.set(key, v)
	g.said = true
}

// keyed visits the key of a row of the catalog, and the parameters of that row.
func (g *group) keyed(key *string, p *Params, what string, keys []string, rows func(key string) ([]catalog.Param, bool)) {
	if g.choice("key", key, "", what, keys) {
		if list, ok := rows(*key); ok {
			g.params("params", list, p)
			return
		}
	}
	g.ask("params")
}

// Place is a field of a document: what its row says of it, and where it stands.
type Place struct {
	catalog.Param
	Path string // as in messages: "platform.outages[0].from"
	at   any    // pointer to the value, or a paramAt
}

// paramAt is a parameter of a row of the catalog.
type paramAt struct {
	params *Params
	rows   []catalog.Param
	key    string
}

// At returns the field at a path; ok is false where there is none, or the path is that
// of an object or a list.
func (e *Experiment) At(path string) (p Place, ok bool) {
	list := e.Fields(path)
	if len(list) != 1 || list[0].Path != path {
		return Place{}, false
	}
	return list[0], true
}

// Fields returns the fields of a document at a path and below, in its order. Of lists
// there are the entries that the path names by their index; "[]" is one that is new.
func (e *Experiment) Fields(path string) []Place {
	c := codec{mode: describing, want: path}
	c.walk("", nil, e.visit)
	return c.found
}

// List is a list of objects of a document.
type List interface {
	Len() int
	Delete(i int)
	Append() // an object that says nothing, with every default
}

// List returns the list at a path, nil where there is none.
func (e *Experiment) List(path string) List {
	c := codec{mode: describing, want: path}
	c.walk("", nil, e.visit)
	return c.wants
}

// items are a list that is visited.
type items interface {
	List
	make(n int)
	visit(i int, g *group) // −1: an entry that is in no list
}

// listOf is a list of a document, and how its entries are visited.
type listOf[T any] struct {
	p     *[]T
	entry func(*T, *group)
}

func (l listOf[T]) Len() int { return len(*l.p) }

func (l listOf[T]) Delete(i int) { *l.p = slices.Delete(slices.Clone(*l.p), i, i+1) }

func (l listOf[T]) Append() {
	*l.p = append(slices.Clip(*l.p), *new(T))
	c := codec{mode: reading}
	c.walk("", nil, func(g *group) { l.visit(len(*l.p)-1, g) })
}

func (l listOf[T]) make(n int) {
	if *l.p = nil; n >= 0 {
		*l.p = make([]T, n)
	}
}

func (l listOf[T]) visit(i int, g *group) {
	if i < 0 {
		l.entry(new(T), g)
	} else {
		l.entry(&(*l.p)[i], g)
	}
}

// list visits a list of objects.
func (g *group) list(key string, most int, list items) {
	at := join(g.path, key)
	if g.c.mode == describing {
		switch i, ok := g.c.entry(at); {
		case at == g.c.want:
			g.c.wants = list
		case ok && i < 0:
			g.c.walk(at+"[]", nil, func(g *group) { list.visit(-1, g) })
		case ok && i < list.Len():
			g.c.walk(index(at, i), nil, func(g *group) { list.visit(i, g) })
		}
		return
	}
	in := g.typed(key, arrayKind)
	if g.c.mode == reading {
		if list.make(-1); in != nil {
			g.checkCount(key, len(in.items), 0, most)
			list.make(min(len(in.items), most))
		}
	} else if g.c.mode == checking {
		g.checkCount(key, list.Len(), 0, most)
	}
	out := &node{kind: arrayKind}
	for i := range list.Len() {
		var item *node
		if in != nil {
			item = in.items[i]
		}
		out.items = append(out.items, g.c.walk(index(at, i), item, func(g *group) { list.visit(i, g) }))
	}
	if g.c.mode == writing && list.Len() > 0 {
		g.write(key, out)
	}
}

// Schema returns all fields that a document can have, entries of lists under "[]". Of
// what has parameters of the catalog those are not among them.
func Schema() []Place {
	c := codec{mode: describing, schema: true}
	c.walk("", nil, New().visit)
	return c.found
}

// wanted reports whether a field is among those that are described.
func (c *codec) wanted(path string) bool { return c.want == "" || within(path, c.want) }

// near reports whether a walk that describes has to go to an object.
func (c *codec) near(path string) bool {
	return c.want == "" || path == "" || within(path, c.want) || within(c.want, path)
}

// entry is the entry of a list at a path that is wanted, −1 a new one; ok is false
// where none is.
func (c *codec) entry(path string) (i int, ok bool) {
	rest, inside := strings.CutPrefix(c.want, path+"[")
	if !inside {
		return -1, c.schema
	}
	number, _, _ := strings.Cut(rest, "]")
	if number == "" {
		return -1, true
	}
	i, err := strconv.Atoi(number)
	return i, err == nil && i >= 0
}

// Get returns the value: nil, bool, int64, float64, string, []int64, []string or
// catalog.Numbers.
func (p *Place) Get() any {
	switch at := p.at.(type) {
	case *int64:
		return *at
	case **int64:
		if *at != nil {
			return **at
		}
	case *float64:
		return *at
	case **float64:
		if *at != nil {
			return **at
		}
	case *bool:
		return *at
	case *uint64:
		return int64(*at)
	case *[]int64:
		return *at
	case *[]string:
		return *at
	case **[]string:
		if *at != nil {
			return **at
		}
	case *string:
		if *at == "" {
			return p.First()
		}
		return *at
	case paramAt:
		if v, ok := at.params.Get(at.key); ok {
			return v
		}
		return p.First()
	}
	return nil
}

// Set puts a value of such a type; nil is the default, or none of what is optional. It
// is not checked.
func (p *Place) Set(v any) {
	if v == nil && !p.Optional {
		v = p.First()
	}
	switch at := p.at.(type) {
	case *int64:
		*at, _ = v.(int64)
	case **int64:
		*at = pointer[int64](v)
	case *float64:
		*at, _ = v.(float64)
	case **float64:
		*at = pointer[float64](v)
	case *bool:
		*at, _ = v.(bool)
	case *uint64:
		n, _ := v.(int64)
		*at = uint64(n)
	case *[]int64:
		*at, _ = v.([]int64)
	case *[]string:
		*at, _ = v.([]string)
	case **[]string:
		*at = pointer[[]string](v)
	case *string:
		if *at, _ = v.(string); p.Type == catalog.Enum && p.Default == nil && *at == p.First() {
			*at = ""
		}
	case paramAt:
		at.set(v)
	}
}

func pointer[T any](v any) *T {
	if v, ok := v.(T); ok {
		return &v
	}
	return nil
}

// set puts a parameter, beside the defaults of the others where there are none.
func (p paramAt) set(v any) {
	list := slices.Clone(*p.params)
	if list == nil {
		list = Defaults(p.rows)
	}
	i := slices.IndexFunc(list, func(have Param) bool { return have.Key == p.key })
	if i < 0 {
		i, list = len(list), append(list, Param{Key: p.key})
	}
	list[i].Value = v
	*p.params = list
}

// AtFirst reports whether the value is at its default.
func (p *Place) AtFirst() bool {
	switch v := p.Get().(type) {
	case []int64:
		return len(v) == 0
	case []string:
		return len(v) == 0 && !p.Optional
	default:
		return v == p.First()
	}
}
