// Package snapshot keeps what a computation remembers at several points, so that it
// can go on from any of them: of a simulation all that its engine, its scheduler,
// its users and its random numbers go by, whatever they are made of. Nobody has to
// write down what belongs to a state: it is what can be reached from it in memory.
//
// What an Album takes is bounded by what changes. Long arrays, in which a simulation
// has a place for every job, are kept as the pieces that have changed since the
// picture before; the rest, which depends on what waits and runs, is copied.
//
// A function that was bound to its receiver still means the receiver of which a copy
// was made: see Binder. What lies outside the program cannot be kept.
package snapshot

import (
	"reflect"
	"unsafe"
)

// Binder is part of a state that holds functions bound to itself. Bind is called on
// each copy, and binds them again.
type Binder interface{ Bind() }

// Album holds pictures of one state as it changes. A picture is made while nothing
// else changes the state.
type Album struct {
	Long  int // bytes from which on an array is a column
	Piece int // elements of a piece of a column

	// Reuse lets each call of Picture write its columns into the arrays of the one
	// before, whose copy is then of no use any more. Else a state with a place for each
	// of a million jobs takes new memory for all of them, again and again.
	Reuse bool

	layouts map[reflect.Type]*layout
	flat    map[reflect.Type]bool
	shared  []block
	states  []any // roots of copies, whose columns are still those of the state
	columns []*column
	size    int
}

// column is a long array that holds no references.
type column struct {
	block               // the array, which keeps its place as long as it is held
	parts [][]piece     // what it held, by place
	last  reflect.Value // the array of the last copy, with Album.Reuse
}

// piece is what stood in one place of a column from a picture on.
type piece struct {
	picture int
	data    unsafe.Pointer
}

// New returns an empty album. What can be reached from shared is never changed: no
// copies are made of it. Nor of what values of the types of flat refer to.
func New(shared []any, flat ...any) *Album {
	a := &Album{Long: 1 << 14, Piece: 128, layouts: map[reflect.Type]*layout{}, flat: map[reflect.Type]bool{}}
	for _, f := range flat {
		a.flat[reflect.TypeOf(f)] = true
	}
	s := newScan(a)
	s.whole = true
	s.value(reflect.ValueOf(shared))
	s.finish()
	a.shared = s.blocks
	return a
}

// Len returns how many pictures there are.
func (a *Album) Len() int { return len(a.states) }

// Size returns about how many bytes the pictures take.
func (a *Album) Size() int { return a.size }

// Keep makes a picture of what can be reached from a pointer. Of columns that were
// made for n elements only those of [from, to) have changed since the last picture.
func (a *Album) Keep(state any, n, from, to int) {
	s := newScan(a)
	s.value(reflect.ValueOf(&state))
	s.finish()
	for _, b := range s.long {
		c := a.columnOf(b.at)
		if c == nil {
			c = &column{block: b}
			a.columns = append(a.columns, c)
			a.keep(c, 0, c.n)
			continue
		}
		width, at := c.elem.Size(), uintptr(b.at)-uintptr(c.at)
		first, end := int(at/width), int((at+b.size()+width-1)/width) // b may be a part of an element
		c.n = max(c.n, end)                                           // it has grown in its place
		if b.n == n && b.cap == n {
			a.keep(c, first+from, first+to)
		} else {
			a.keep(c, first, end)
		}
	}
	r := copier{a: a, blocks: s.blocks}
	r.copy()
	r.maps = map[unsafe.Pointer]reflect.Value{}
	r.fix()
	out := reflect.New(reflect.TypeFor[any]()).Elem()
	out.Set(reflect.ValueOf(&state).Elem())
	r.ref(out.Addr().UnsafePointer(), out.Type())
	a.states = append(a.states, out.Interface())
	for i := range s.blocks {
		a.size += int(s.blocks[i].size())
	}
}

// keep takes up what has changed of a column.
func (a *Album) keep(c *column, lo, hi int) {
	width := c.elem.Size()
	for len(c.parts)*a.Piece < c.n {
		c.parts = append(c.parts, nil)
	}
	for k := lo / a.Piece; k*a.Piece < hi; k++ {
		n := min(a.Piece, c.n-k*a.Piece)
		at := unsafe.Add(c.at, uintptr(k*a.Piece)*width)
		if list := c.parts[k]; len(list) > 0 && same(list[len(list)-1].data, at, uintptr(n)*width) {
			continue
		}
		data := reflect.MakeSlice(reflect.SliceOf(c.elem), a.Piece, a.Piece)
		reflect.Copy(data, reflect.SliceAt(c.elem, at, n))
		c.parts[k] = append(c.parts[k], piece{len(a.states), data.UnsafePointer()})
		a.size += a.Piece*int(width) + 16
	}
}

func same(a, b unsafe.Pointer, n uintptr) bool {
	return unsafe.String((*byte)(a), n) == unsafe.String((*byte)(b), n)
}

func (a *Album) columnOf(at unsafe.Pointer) *column {
	for _, c := range a.columns {
		if c.holds(at) {
			return c
		}
	}
	return nil
}

// Picture returns a new copy of the state as it was in a picture.
func (a *Album) Picture(i int) any {
	state := a.states[i]
	s := newScan(a)
	s.value(reflect.ValueOf(&state))
	s.finish()
	r := copier{a: a, blocks: s.blocks}
	r.copy()
	for _, b := range s.long {
		if c := a.columnOf(b.at); r.find(c.at) == nil {
			r.blocks = append(r.blocks, c.as(i, a.Piece, a.Reuse))
			sortBlocks(r.blocks)
		}
	}
	r.maps = map[unsafe.Pointer]reflect.Value{}
	r.fix()
	r.ref(reflect.ValueOf(&state).UnsafePointer(), reflect.TypeFor[any]())
	for i := range r.blocks {
		r.blocks[i].bind()
	}
	return state
}

// as fills an array, a new one or with reuse that of the last time, with what a column
// held in a picture.
func (c *column) as(picture, size int, reuse bool) block {
	b := c.block
	out := c.last
	if again := reuse && out.IsValid() && out.Len() == b.n; !again {
		out = reflect.MakeSlice(reflect.SliceOf(c.elem), b.n, b.n)
	}
	if reuse {
		c.last = out
	}
	b.to, b.long = out.UnsafePointer(), true
	for k, list := range c.parts {
		i := len(list) - 1
		for i >= 0 && list[i].picture > picture {
			i--
		}
		n := min(size, b.n-k*size)
		if part := out.Slice(k*size, k*size+n); i >= 0 {
			reflect.Copy(part, reflect.SliceAt(c.elem, list[i].data, n))
		} else { // it was not there yet
			part.Clear()
		}
	}
	return b
}

// Halve forgets every second picture, and keeps those with even numbers.
func (a *Album) Halve() {
	kept := 0
	a.size = 0
	for i := 0; i < len(a.states); i += 2 {
		a.states[kept] = a.states[i]
		kept++
	}
	clear(a.states[kept:])
	a.states = a.states[:kept]
	for _, c := range a.columns {
		for k, list := range c.parts {
			out := list[:0]
			for _, p := range list {
				if p.picture = (p.picture + 1) / 2; p.picture >= kept {
					break
				}
				if n := len(out); n > 0 && out[n-1].picture == p.picture {
					out[n-1] = p
				} else {
					out = append(out, p)
				}
			}
			clear(list[len(out):])
			c.parts[k] = out
			a.size += len(out) * (a.Piece*int(c.elem.Size()) + 16)
		}
	}
	for _, state := range a.states {
		s := newScan(a)
		s.value(reflect.ValueOf(&state))
		s.finish()
		for i := range s.blocks {
			a.size += int(s.blocks[i].size())
		}
	}
}
