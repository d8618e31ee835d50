package snapshot

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A state of everything that a scheduler may be made of: arrays that grow, lists,
// tables, references into the middle of others, functions bound to itself.
type world struct {
	one    *int64  // in the middle of jobs, and found before them
	jobs   []int64 // a column
	flags  []bool
	window []int64 // part of jobs
	list   *link
	last   **link // where the next link goes
	table  map[string]*link
	twice  map[string]*link // the same table
	any    any
	inner  part
	at     *int // into inner
	add    func(int)
	given  *[]int
}

type link struct {
	n    int
	next *link
}

type part struct{ n int }

func (w *world) grow(n int) { w.inner.n += n }
func (w *world) Bind()      { w.add = w.grow }

func (w *world) links() (list []int) {
	for l := w.list; l != nil; l = l.next {
		list = append(list, l.n)
	}
	return list
}

// text is all that a world holds.
func (w *world) text() string {
	if w.one != nil { // who writes there writes to jobs
		*w.one++
		defer func() { *w.one-- }()
	}
	keys := slices.Sorted(maps.Keys(w.table))
	out := fmt.Sprint(w.jobs, w.flags, w.window, w.links(), *w.at, w.inner, len(w.twice), *w.given)
	if pair, ok := w.any.([2]any); ok {
		out += fmt.Sprint(pair[0].(*link) == w.list, pair[1])
	}
	for _, k := range keys {
		out += fmt.Sprint(k, w.table[k].n)
	}
	return out
}

// change does something to a world, by a number, in which jobs [from, to) are live.
func (w *world) change(r, from, to int) {
	at := from + r%(to-from)
	switch r % 7 {
	case 0:
		w.jobs[at] += int64(r)
	case 1:
		w.flags = append(w.flags, r%2 == 0)
	case 2:
		l := &link{n: r}
		*w.last, w.last = l, &l.next
		w.table[fmt.Sprint(r%5)] = l
	case 3:
		if w.list != nil && w.list.next != nil {
			w.list = w.list.next
		}
	case 4:
		w.add(r)
	case 5:
		*w.at += 3
		w.one = &w.jobs[at]
		*w.one += 5
	case 6:
		w.window = w.jobs[at:to]
		w.any = [2]any{w.list, at}
	}
}

// Whatever is changed after a picture, a copy of it holds what the state held, goes on
// as the state did, and shares nothing with it.
func TestPictures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const jobs = 200
		given := []int{1, 2, 3}
		w := &world{jobs: make([]int64, jobs), table: map[string]*link{}, given: &given}
		w.one, w.twice, w.at, w.last = &w.jobs[7], w.table, &w.inner.n, &w.list
		w.Bind()
		a := New([]any{w.given})
		a.Long, a.Piece, a.Reuse = 256, 8, rapid.Bool().Draw(t, "reuse")
		var texts []string
		var moves [][3]int
		var from []int
		live := 0
		draw := rapid.IntRange(0, 1<<20)
		for range rapid.IntRange(1, 6).Draw(t, "pictures") {
			a.Keep(w, jobs, live, min(live+40, jobs))
			texts, from = append(texts, w.text()), append(from, len(moves))
			live = min(live+rapid.IntRange(0, 20).Draw(t, "over"), jobs-40)
			for range rapid.IntRange(0, 12).Draw(t, "changes") {
				m := [3]int{draw.Draw(t, "change"), live, live + 20}
				moves = append(moves, m)
				w.change(m[0], m[1], m[2])
			}
		}
		if rapid.Bool().Draw(t, "halve") {
			a.Halve()
			for i := range a.Len() {
				texts[i], from[i] = texts[2*i], from[2*i]
			}
		}
		end := w.text()
		for i := range a.Len() {
			one := a.Picture(i).(*world)
			if one.text() != texts[i] {
				t.Fatalf("picture %d holds\n%s\nand the state held\n%s", i, one.text(), texts[i])
			}
			if one == w || one.given != w.given {
				t.Fatal("the copy is the state, or has copied what never changes")
			}
			for _, m := range moves[from[i]:] {
				one.change(m[0], m[1], m[2])
			}
			if one.text() != end || w.text() != end {
				t.Fatalf("picture %d goes on to\n%s\nand the state to\n%s", i, one.text(), end)
			}
		}
		if a.Size() <= 0 {
			t.Fatal("an album takes room")
		}
	})
}
