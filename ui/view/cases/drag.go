package cases

import (
	"fmt"
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/ui/instant"
	"batchlab/ui/words"
)

// Jobs are changed by hand in the drawing: a value of a row at a time, within what
// the table and the machine allow.

// Hold makes all changes until Release one, as far as Undo is concerned.
func (t *Table) Hold() { t.held, t.kept = true, false }

// Release ends what Hold began.
func (t *Table) Release() { t.held = false }

// Value is what stands in a row's column: where a job states no request, the run
// time is it.
func (t *Table) Value(row int, column string) int64 {
	in := t.inline()
	if k := slices.Index(in.Columns, column); k >= 0 && in.Rows[row][k] >= 0 {
		return in.Rows[row][k]
	}
	if column == "requested" {
		return t.Value(row, "run")
	}
	return 0
}

// Drag gives a row's column a value, cut to what is possible; a job that asks for
// just as long as it runs goes on doing so when it runs for longer or shorter. It
// reports whether anything has changed.
func (t *Table) Drag(row int, column string, v int64, processors int) bool {
	in := t.inline()
	k := slices.Index(in.Columns, column)
	c := experiment.FindColumn(column)
	if k < 0 || c == nil || row < 0 || row >= len(in.Rows) {
		return false
	}
	least, most := int64(1), c.Most
	switch column {
	case "submit":
		least = 0
	case "procs":
		most = min(most, int64(max(1, processors)))
	}
	v = min(max(v, least), most)
	if in.Rows[row][k] == v {
		return false
	}
	t.keep()
	in = t.inline()
	if r := slices.Index(in.Columns, "requested"); column == "run" && r >= 0 && in.Rows[row][r] == in.Rows[row][k] {
		in.Rows[row][r] = v
		t.forget(row, r)
	}
	in.Rows[row][k] = v
	t.forget(row, k)
	return true
}

// forget takes back what was typed into a field and could not be used.
func (t *Table) forget(row, column int) {
	delete(t.Faults, cell(row, column))
	delete(t.Typed, cell(row, column))
}

// Grips say which numbers of a row can be taken hold of in the drawing.
func (t *Table) Grips(board, row int) *instant.Grips {
	g := &instant.Grips{Board: board, Run: true}
	if row >= 0 && row < t.Rows() && slices.Contains(t.Columns(), "requested") {
		g.Requested = t.Value(row, "requested") != t.Value(row, "run")
	}
	return g
}

// Said says what a row has come to, for a reader of the screen.
func (t *Table) Said(row int, column string) string {
	v := t.Value(row, column)
	what := words.Minutes(v)
	switch column {
	case "submit":
		what = "is submitted at " + what
	case "procs":
		what = "needs " + words.Count(int(v), "processor", "processors")
	case "requested":
		what = "asks for " + what
	default:
		what = "runs for " + what
	}
	return fmt.Sprintf("Job %d %s.", row+1, what)
}

// DraggedNumber is a number of a row that a pointer has taken hold of.
type DraggedNumber struct {
	Row        int
	Column     string
	From       int64      // what it was
	X, Y       float64    // where it was taken, in pixels
	Per        float64    // seconds a pixel
	Height     float64    // pixels a processor
	Grain      model.Time // seconds that times are rounded to
	Processors int
	Until      model.Time // end of the boards' axis then: it does not shrink under the hand
	Moved      bool
}

// At is the value at another place of the pointer.
func (g *DraggedNumber) At(x, y float64) int64 {
	if g.Column == "procs" {
		return g.From + round((g.Y-y)/max(1, g.Height), 1)
	}
	grain := int64(max(1, g.Grain))
	return max(least(g.Column, grain), round(float64(g.From)+(x-g.X)*g.Per, grain))
}

// Key is the value after an arrow key: a grain more or less, or a fine step, which
// is a fifth of it.
func (g *DraggedNumber) Key(by int64, fine bool) int64 {
	if g.Column == "procs" {
		return g.From + by
	}
	grain := int64(max(1, g.Grain))
	if fine {
		grain = max(1, grain/5)
	}
	return max(least(g.Column, grain), g.From+by*grain)
}

// least is the smallest time that dragging leads to: nobody runs for no time.
func least(column string, grain int64) int64 {
	if column == "submit" {
		return 0
	}
	return grain
}

// round rounds to whole multiples.
func round(v float64, of int64) int64 {
	f := v/float64(of) + .5
	n := int64(f)
	if float64(n) > f {
		n--
	}
	return n * of
}

// Random is a case drawn from a seed: one wide job that leaves a hole, a wider one
// that waits for it, and small ones that come meanwhile; the same for everyone.
func Random(seed uint64) *Table {
	r := model.Stream(seed, "random case", 0)
	procs := 4 + r.IntN(5)
	in := &experiment.Inline{Processors: int64(procs), Columns: []string{"submit", "procs", "requested", "run"}}
	add := func(submit, width, minutes int) {
		in.Rows = append(in.Rows, []int64{int64(60 * submit), int64(width), int64(60 * minutes), int64(60 * minutes)})
	}
	add(0, procs-1-r.IntN(procs/2), 10*(3+r.IntN(6)))
	add(5, procs-r.IntN(procs/3+1), 10*(2+r.IntN(7)))
	at := 5
	for range 3 + r.IntN(5) {
		at += 5 * (1 + r.IntN(3))
		add(at, 1+r.IntN(procs-1), 10*(1+r.IntN(10)))
	}
	t := &Table{Seed: seed}
	t.Doc = experiment.New()
	t.Doc.Seed, t.Doc.Title = seed, fmt.Sprintf("Random case %d", seed)
	t.Doc.Workload.Source = experiment.Source{Inline: in}
	t.Doc.Schedulers = t.Rivals().Schedulers
	t.clean()
	return t
}
