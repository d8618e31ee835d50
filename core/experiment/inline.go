package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/expr"
)

// Limits of jobs written by hand.
const (
	MaxRows     = 1000    // jobs
	maxSubmit   = 1 << 40 // seconds, as in a log
	maxSpan     = 1<<31 - 1
	unknownCell = -1 // as in a log: unknown
)

// Inline is a table of jobs written by hand, which stands in the document and
// so in links. Jobs are numbered from 1 in the order of rows and go through
// cleaning like those of a log.
type Inline struct {
	Processors int64     // of the machine that the rows are written for; 0: not stated
	Columns    []string  // keys of Columns, in any order, no two alike
	Rows       [][]int64 // 1 … MaxRows, each with a number for each column; −1 is unknown
	Texts      []string  // what cells of columns that hold text say: such a cell is an index here; −2 − index of a list
}

// Column is one of what a row of Inline may say of its job: a field of a log.
type Column struct {
	Key      string
	Field    int   // of the Standard Workload Format, from 1; 0: it has no field for that
	Required bool  // a table without it has no meaning
	Most     int64 // largest value; the smallest is −1, unknown
	Text     bool  // what jobs a job waits for, as a text (expr.ParseAfter)
	List     bool  // may hold several numbers, as a text with commas
}

// Columns are the columns that a table of jobs may have, in the order in which
// the page shows them. Without requested the run time is what was requested.
var Columns = []Column{
	{"submit", 2, true, maxSubmit, false, false},
	{"procs", 8, true, maxSpan, false, false},
	{"requested", 9, false, maxSpan, false, false},
	{"run", 4, true, maxSpan, false, false},
	{"user", 12, false, maxSpan, false, false},
	{"wait", 3, false, maxSpan, false, false},
	{"status", 11, false, 5, false, false},
	{"after", 0, false, 0, true, false},
	{"begin", 0, false, maxSubmit, false, false},
	{"withdrawn", 0, false, maxSubmit, false, false},
	{"array", 0, false, maxSpan, false, false},
	{"array_limit", 0, false, maxSpan, false, false},
	{"het", 0, false, maxSpan, false, false},
	{"partition", 0, false, maxSpan, false, true},
	{"qos", 0, false, maxSpan, false, false},
	{"account", 0, false, maxSpan, false, false},
}

// FindColumn returns the column with a key, nil when there is none.
func FindColumn(key string) *Column {
	for i := range Columns {
		if Columns[i].Key == key {
			return &Columns[i]
		}
	}
	return nil
}

// Fields returns the fields of the Standard Workload Format that the columns
// of a valid table stand for.
func (t *Inline) Fields() []int {
	fields := make([]int, len(t.Columns))
	for i, key := range t.Columns {
		fields[i] = FindColumn(key).Field
	}
	return fields
}

func columnKeys() []string {
	keys := make([]string, len(Columns))
	for i := range Columns {
		keys[i] = Columns[i].Key
	}
	return keys
}

// Clone returns a deep copy.
func (t *Inline) Clone() *Inline {
	c := &Inline{Processors: t.Processors, Columns: slices.Clone(t.Columns), Rows: slices.Clone(t.Rows), Texts: slices.Clone(t.Texts)}
	for i := range c.Rows {
		c.Rows[i] = slices.Clone(c.Rows[i])
	}
	return c
}

// Put returns what a cell of a column of text holds that says a text, and why it cannot
// say it.
func (t *Inline) Put(text string) (int64, error) {
	after, err := expr.ParseAfter(text)
	if err != nil || len(after.Terms) == 0 {
		return unknownCell, err
	}
	return t.text(after.String()), nil
}

// PutList returns what a cell of a column of lists holds that says some numbers, apart by
// commas, and why it cannot say them.
func (t *Inline) PutList(text string) (int64, error) {
	parts := strings.Split(text, ",")
	for i, part := range parts {
		parts[i] = strings.TrimSpace(part)
		if v, err := strconv.ParseInt(parts[i], 10, 32); err != nil || v < 1 || slices.Contains(parts[:i], parts[i]) || parts[i][0] == '0' || parts[i][0] == '+' {
			return 0, errors.New(quote(text) + " is no list of different whole numbers, apart by commas")
		}
	}
	if len(parts) == 1 {
		return strconv.ParseInt(parts[0], 10, 32)
	}
	if len(parts) > MaxPartitions {
		return 0, fmt.Errorf("at most %d numbers", MaxPartitions)
	}
	return unknownCell - 1 - t.text(strings.Join(parts, ",")), nil
}

// List are the numbers of a cell of a column of lists.
func (t *Inline) List(cell int64) (list []int32) {
	if cell >= 0 {
		return []int32{int32(cell)}
	}
	if text := t.Said(cell); text != "" {
		for _, part := range strings.Split(text, ",") {
			v, _ := strconv.ParseInt(part, 10, 32)
			list = append(list, int32(v))
		}
	}
	return list
}

// text returns the place of a text, which is put there where it is new.
func (t *Inline) text(text string) int64 {
	if i := slices.Index(t.Texts, text); i >= 0 {
		return int64(i)
	}
	t.Texts = append(t.Texts, text)
	return int64(len(t.Texts)) - 1
}

// Remove takes out a row. Jobs are numbered by their rows, so what others wait for is
// numbered anew with them; the job that is gone counts as over, as one that is not
// simulated does.
func (t *Inline) Remove(row int) {
	t.Rows = slices.Delete(t.Rows, row, row+1)
	for k, key := range t.Columns {
		if c := FindColumn(key); c == nil || !c.Text {
			continue
		}
		for i := range t.Rows {
			after, err := expr.ParseAfter(t.Said(t.Rows[i][k]))
			if err != nil || len(after.Terms) == 0 {
				continue
			}
			t.Rows[i] = slices.Clone(t.Rows[i])
			t.Rows[i][k], _ = t.Put(after.Without(int64(row) + 1).String())
		}
	}
}

// Said is the text of a cell of a column of text or of lists, "" none.
func (t *Inline) Said(cell int64) string {
	if cell < unknownCell {
		cell = unknownCell - 1 - cell
	}
	if cell < 0 || cell >= int64(len(t.Texts)) {
		return ""
	}
	return t.Texts[cell]
}

// of returns the column at a place of a row, nil for one that is not known.
func (t *Inline) of(place int) *Column {
	if place >= len(t.Columns) {
		return nil
	}
	return FindColumn(t.Columns[place])
}

func (t *Inline) visit(g *group) {
	g.field(&t.Processors, row{Key: "processors", Max: MaxProcessors, Help: "The machine that the rows are written for; 0: platform says it."})
	g.names("columns", &t.Columns, len(Columns))
	if g.checks() {
		t.checkColumns(g)
	}
	t.visitRows(g)
}

func (t *Inline) checkColumns(g *group) {
	for i, key := range t.Columns {
		if FindColumn(key) == nil {
			g.c.add(g.at(), index(join(g.path, "columns"), i), "there is no column "+quote(key)+oneOf(key, columnKeys()))
		}
	}
	for _, c := range Columns {
		if c.Required && !slices.Contains(t.Columns, c.Key) {
			g.fault("columns", fmt.Sprintf("%q is missing; %s are what every table of jobs needs", c.Key, "submit, procs and run"))
		}
	}
}

// visitRows visits the rows; a cell's place is "rows[3][1]", both from 0.
func (t *Inline) visitRows(g *group) {
	in := g.typed("rows", arrayKind)
	if g.c.mode == reading {
		t.Rows, t.Texts = nil, nil
		if in != nil {
			for i, item := range in.items[:min(len(in.items), MaxRows)] {
				t.Rows = append(t.Rows, t.readRow(g, i, item))
			}
		}
	}
	if g.checks() {
		count := len(t.Rows)
		if in != nil {
			count = len(in.items)
		}
		g.checkCount("rows", count, 1, MaxRows)
		for i, row := range t.Rows {
			if row != nil {
				t.checkRow(g, in, i, row)
			}
		}
	}
	out := &node{kind: arrayKind}
	for _, row := range t.Rows {
		line := &node{kind: arrayKind}
		for k, v := range row {
			if c := t.of(k); c != nil && (c.Text && v >= 0 || c.List && v < unknownCell) {
				line.items = append(line.items, textNode(t.Said(v)))
				continue
			}
			line.items = append(line.items, integerNode(v))
		}
		out.items = append(out.items, line)
	}
	g.put("rows", false, out)
}

// readRow reads row i; nil after a fault.
func (t *Inline) readRow(g *group, i int, item *node) []int64 {
	place := group{c: g.c, path: index(join(g.path, "rows"), i), in: item}
	if item.kind != arrayKind {
		place.fault("", "must be a list of numbers, not "+item.kind.String())
		return nil
	}
	row, good := make([]int64, 0, len(t.Columns)), true
	for k, cell := range item.items[:min(len(item.items), len(Columns)+1)] {
		at := group{c: g.c, path: index(place.path, k), in: cell}
		v := int64(0)
		c := t.of(k)
		if c != nil && c.Text && (cell.kind == textKind || cell.kind == numberKind && cell.text != "-1") {
			var err error
			if v, err = t.Put(cell.text); err != nil {
				at.fault("", c.Key+": "+err.Error())
				good = false
			}
		} else if c != nil && c.List && cell.kind == textKind {
			var err error
			if v, err = t.PutList(cell.text); err != nil {
				at.fault("", c.Key+": "+err.Error())
				good = false
			}
		} else if cell.kind != numberKind {
			at.fault("", "must be a number, not "+cell.kind.String())
			good = false
		} else if !at.readInteger("", cell, &v, anyTime) {
			good = false
		} else if c != nil && c.List && v < unknownCell {
			at.fault("", outOfRange(c, v))
			good = false
		}
		row = append(row, v)
	}
	if !good {
		return nil
	}
	return row
}

// checkRow holds a row against the columns. A text has places, a program none.
func (t *Inline) checkRow(g *group, in *node, i int, row []int64) {
	place := group{c: g.c, path: index(join(g.path, "rows"), i)}
	if in != nil {
		place.in = in.items[i]
	}
	if len(row) != len(t.Columns) {
		n := len(row)
		if in != nil {
			n = len(in.items[i].items)
		}
		place.fault("", fmt.Sprintf("must have %d numbers, one for each column (%s), not %d", len(t.Columns), strings.Join(t.Columns, ", "), n))
		return
	}
	for k, v := range row {
		c := FindColumn(t.Columns[k])
		if c == nil || v >= unknownCell && v <= c.Most || (c.Text && v >= 0 || c.List && v < unknownCell) && t.Said(v) != "" {
			continue
		}
		at := group{c: g.c, path: index(place.path, k)}
		if in != nil {
			at.in = in.items[i].items[k]
		}
		at.fault("", outOfRange(c, v))
	}
}

func outOfRange(c *Column, v int64) string {
	return fmt.Sprintf("%s must be from %d (unknown) to %d, not %d", c.Key, unknownCell, c.Most, v)
}

// checkInline says where a table of jobs needs what the document does not give.
func (e *Experiment) checkInline(g *group) {
	if t := e.Workload.Source.Inline; t != nil && g.checks() && t.Processors == 0 &&
		e.Platform.Processors == 0 && len(e.Platform.Clusters) == 0 && e.Platform.Generator == nil {
		g.c.add(g.at(), "workload.source.inline.processors", "nobody says how large the machine is: give processors here or in platform")
	}
}
