package snapshot

import (
	"cmp"
	"reflect"
	"slices"
	"sort"
	"strings"
	"unsafe"
)

// layout says where a value of a type holds references.
type layout struct{ refs []ref }

type ref struct {
	offset uintptr
	t      reflect.Type // a pointer, slice, map or interface
}

// layout returns that of a type.
func (a *Album) layout(t reflect.Type) *layout {
	l, ok := a.layouts[t]
	if !ok {
		l = &layout{}
		a.layouts[t] = l
		if !a.flat[t] {
			a.refs(l, t, 0)
		}
	}
	return l
}

func (a *Album) refs(l *layout, t reflect.Type, at uintptr) {
	if a.flat[t] {
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		if !opaque(t.Elem()) {
			l.refs = append(l.refs, ref{at, t})
		}
	case reflect.Slice, reflect.Map, reflect.Interface:
		l.refs = append(l.refs, ref{at, t})
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			a.refs(l, f.Type, at+f.Offset)
		}
	case reflect.Array:
		for i := range t.Len() {
			a.refs(l, t.Elem(), at+uintptr(i)*t.Elem().Size())
		}
	}
}

// opaque says of what the language itself keeps, which has one place.
func opaque(t reflect.Type) bool {
	path := t.PkgPath()
	return path == "reflect" || path == "sync" || path == "runtime" || strings.HasPrefix(path, "internal/")
}

// block is a piece of memory: elements of a type.
type block struct {
	at   unsafe.Pointer
	to   unsafe.Pointer // its copy
	elem reflect.Type
	n    int
	cap  int  // of a slice
	long bool // a column: it holds no references
}

func (b *block) size() uintptr { return b.elem.Size() * uintptr(b.n) }

func (b *block) holds(p unsafe.Pointer) bool {
	return uintptr(p) >= uintptr(b.at) && uintptr(p) < uintptr(b.at)+b.size()
}

var binder = reflect.TypeFor[Binder]()

// bind calls Bind on a copy.
func (b *block) bind() {
	if b.n == 1 && reflect.PointerTo(b.elem).Implements(binder) {
		reflect.NewAt(b.elem, b.to).Interface().(Binder).Bind()
	}
}

// sortBlocks puts blocks in the order of their places, those that hold others first.
func sortBlocks(list []block) {
	slices.SortFunc(list, func(a, b block) int {
		return cmp.Or(cmp.Compare(uintptr(a.at), uintptr(b.at)), cmp.Compare(b.size(), a.size()))
	})
}

// within returns the block of a sorted list in which an address lies; nil: none.
func within(list []block, p unsafe.Pointer) *block {
	i := sort.Search(len(list), func(i int) bool { return uintptr(list[i].at) > uintptr(p) }) - 1
	if i < 0 || !list[i].holds(p) {
		return nil
	}
	return &list[i]
}

// scan finds the memory that can be reached.
type scan struct {
	a      *Album
	whole  bool    // long arrays are nothing special
	blocks []block // in the end: sorted, none within another
	long   []block // columns
	seen   map[seen]bool
	maps   map[unsafe.Pointer]bool
	next   []block
}

type seen struct {
	at unsafe.Pointer
	t  reflect.Type
	n  int
}

func newScan(a *Album) *scan {
	return &scan{a: a, seen: map[seen]bool{}, maps: map[unsafe.Pointer]bool{}}
}

// value looks into a value that has no place of its own.
func (s *scan) value(v reflect.Value) {
	if l := s.a.layout(v.Type()); len(l.refs) > 0 {
		temp := reflect.New(v.Type())
		temp.Elem().Set(v)
		s.inside(temp.UnsafePointer(), l)
	}
}

func (s *scan) inside(at unsafe.Pointer, l *layout) {
	for i := range l.refs {
		s.ref(unsafe.Add(at, l.refs[i].offset), l.refs[i].t)
	}
}

func (s *scan) ref(at unsafe.Pointer, t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer:
		s.add(*(*unsafe.Pointer)(at), t.Elem(), 1, 1)
	case reflect.Slice:
		h := (*header)(at)
		s.add(h.data, t.Elem(), h.len, h.cap)
	case reflect.Map:
		p := *(*unsafe.Pointer)(at)
		if p == nil || s.maps[p] {
			return
		}
		s.maps[p] = true
		for it := reflect.NewAt(t, at).Elem().MapRange(); it.Next(); {
			s.value(it.Key())
			s.value(it.Value())
		}
	case reflect.Interface:
		if v := reflect.NewAt(t, at).Elem().Elem(); v.IsValid() {
			s.value(v)
		}
	}
}

type header struct {
	data     unsafe.Pointer
	len, cap int
}

func (s *scan) add(at unsafe.Pointer, t reflect.Type, n, room int) {
	b := block{at: at, elem: t, n: n, cap: room}
	if at == nil || b.size() == 0 || within(s.a.shared, at) != nil {
		return
	}
	if key := (seen{at, t, n}); s.seen[key] {
		return
	} else {
		s.seen[key] = true
	}
	if !s.whole && len(s.a.layout(t).refs) == 0 && (int(b.size()) >= s.a.Long || s.a.columnOf(at) != nil) {
		s.long = append(s.long, b)
		return
	}
	s.blocks = append(s.blocks, b)
	s.next = append(s.next, b)
}

// finish goes through all that was found, and puts it in order.
func (s *scan) finish() {
	for len(s.next) > 0 {
		b := s.next[len(s.next)-1]
		s.next = s.next[:len(s.next)-1]
		if l := s.a.layout(b.elem); len(l.refs) > 0 {
			for i := range b.n {
				s.inside(unsafe.Add(b.at, uintptr(i)*b.elem.Size()), l)
			}
		}
	}
	sortBlocks(s.blocks)
	var fresh []block // columns of which nothing was known as what lies within them was found
	for _, b := range s.long {
		if s.a.columnOf(b.at) == nil {
			fresh = append(fresh, b)
		}
	}
	out := s.blocks[:0]
	for _, b := range s.blocks {
		if slices.ContainsFunc(fresh, func(c block) bool { return c.holds(b.at) && len(s.a.layout(b.elem).refs) == 0 }) {
			s.long = append(s.long, b)
			continue
		}
		if n := len(out); n == 0 || !out[n-1].holds(b.at) {
			out = append(out, b)
		} else if last := &out[n-1]; last.elem == b.elem { // it may reach further
			last.n = max(last.n, int((uintptr(b.at)-uintptr(last.at))/b.elem.Size())+b.n)
		}
	}
	s.blocks = out
}

// copier copies blocks and lets their references mean the copies.
type copier struct {
	a      *Album
	blocks []block
	maps   map[unsafe.Pointer]reflect.Value
}

func (r *copier) copy() {
	for i := range r.blocks {
		b := &r.blocks[i]
		out := reflect.MakeSlice(reflect.SliceOf(b.elem), b.n, b.n)
		reflect.Copy(out, reflect.SliceAt(b.elem, b.at, b.n))
		b.to = out.UnsafePointer()
	}
}

func (r *copier) fix() {
	for i := range r.blocks {
		b := &r.blocks[i]
		if l := r.a.layout(b.elem); !b.long && len(l.refs) > 0 {
			for k := range b.n {
				r.inside(unsafe.Add(b.to, uintptr(k)*b.elem.Size()), l)
			}
		}
	}
}

// find returns what an address means in the copy; nil: what it means anyway.
func (r *copier) find(p unsafe.Pointer) unsafe.Pointer {
	b := within(r.blocks, p)
	if b == nil {
		return nil
	}
	return unsafe.Add(b.to, uintptr(p)-uintptr(b.at))
}

func (r *copier) inside(at unsafe.Pointer, l *layout) {
	for i := range l.refs {
		r.ref(unsafe.Add(at, l.refs[i].offset), l.refs[i].t)
	}
}

func (r *copier) ref(at unsafe.Pointer, t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer:
		p := (*unsafe.Pointer)(at)
		if to := r.find(*p); to != nil {
			*p = to
		}
	case reflect.Slice:
		h := (*header)(at)
		if h.len == 0 {
			if h.data != nil {
				h.data, h.cap = unsafe.Pointer(&nothing), 0
			}
		} else if h.cap = h.len; true {
			if to := r.find(h.data); to != nil {
				h.data = to
			}
		}
	case reflect.Map:
		if *(*unsafe.Pointer)(at) != nil {
			m := reflect.NewAt(t, at).Elem()
			m.Set(r.table(*(*unsafe.Pointer)(at), m))
		}
	case reflect.Interface:
		if v := reflect.NewAt(t, at).Elem(); !v.IsNil() {
			v.Set(r.value(v.Elem()))
		}
	}
}

var nothing byte

// value returns what a value without a place of its own is in the copy.
func (r *copier) value(v reflect.Value) reflect.Value {
	l := r.a.layout(v.Type())
	if len(l.refs) == 0 {
		return v
	}
	out := reflect.New(v.Type())
	out.Elem().Set(v)
	r.inside(out.UnsafePointer(), l)
	return out.Elem()
}

func (r *copier) table(p unsafe.Pointer, m reflect.Value) reflect.Value {
	out, ok := r.maps[p]
	if !ok {
		out = reflect.MakeMapWithSize(m.Type(), m.Len())
		r.maps[p] = out
		for it := m.MapRange(); it.Next(); {
			out.SetMapIndex(r.value(it.Key()), r.value(it.Value()))
		}
	}
	return out
}
