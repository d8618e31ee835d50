package cases

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// Table is a case under edit: an experiment whose jobs stand in it.
type Table struct {
	Key    string // of the case that it began as, "" none
	Seed   uint64 // that it was drawn from, 0 none
	Doc    *experiment.Experiment
	Faults map[string]string // by cell ("3/1": row and column, from 0): what is wrong with what was typed
	Typed  map[string]string // by cell: the text that could not be used
	past   []*experiment.Inline
	held   bool // changes belong together until Release
	kept   bool // and the first of them has been made
}

// Open returns a case of the catalog, to be changed; nil when there is none.
func Open(key string) *Table {
	c := catalog.FindCase(key)
	if c == nil {
		return nil
	}
	doc, err := experiment.Decode([]byte(c.Document))
	if err != nil {
		panic("cases: " + key + ": " + err.Error()) // a test decodes every case
	}
	t := &Table{Key: key, Doc: doc}
	t.clean()
	return t
}

// Of is a table over an experiment of somebody's own, whose jobs are a table.
func Of(doc *experiment.Experiment) *Table {
	t := &Table{Doc: doc.Clone()}
	t.clean()
	return t
}

func (t *Table) clean() { t.Faults, t.Typed = map[string]string{}, map[string]string{} }

func (t *Table) inline() *experiment.Inline { return t.Doc.Workload.Source.Inline }

// Columns are the keys of the table's columns.
func (t *Table) Columns() []string { return t.inline().Columns }

// Rows is how many jobs there are.
func (t *Table) Rows() int { return len(t.inline().Rows) }

// isTime reports whether a column holds seconds.
func isTime(column string) bool {
	return slices.Contains([]string{"submit", "requested", "run", "wait", "begin", "withdrawn"}, column)
}

// Cell is what stands in a field.
func (t *Table) Cell(row, column int) string {
	if text, ok := t.Typed[cell(row, column)]; ok {
		return text
	}
	v := t.inline().Rows[row][column]
	switch {
	case v == -1:
		return ""
	case v < -1 || experiment.FindColumn(t.Columns()[column]).Text:
		return t.inline().Said(v)
	case isTime(t.Columns()[column]):
		return words.Typed(v)
	}
	return strconv.FormatInt(v, 10)
}

func cell(row, column int) string { return strconv.Itoa(row) + "/" + strconv.Itoa(column) }

// read is the number that a text means in a column of a table; an empty one is unknown.
func read(in *experiment.Inline, column, text string) (int64, string) {
	text = strings.TrimSpace(text)
	if experiment.FindColumn(column).Text && text != "-1" {
		v, err := in.Put(text)
		if err != nil {
			return 0, err.Error()
		}
		return v, ""
	}
	if experiment.FindColumn(column).List && strings.Contains(text, ",") {
		v, err := in.PutList(text)
		if err != nil {
			return 0, err.Error()
		}
		return v, ""
	}
	if text == "" || text == "-1" {
		if c := experiment.FindColumn(column); c.Required {
			return 0, "a number is needed here"
		}
		return -1, ""
	}
	var v int64
	var err error
	if isTime(column) {
		v, err = words.Seconds(text)
	} else {
		v, err = strconv.ParseInt(words.Typing(text), 10, 64)
	}
	c := experiment.FindColumn(column)
	switch {
	case err != nil && isTime(column):
		return 0, err.Error()
	case err != nil:
		return 0, "“" + text + "” is no whole number"
	case v < 0 || v > c.Most:
		return 0, fmt.Sprintf("must be from 0 to %s", words.Int(c.Most))
	case column == "procs" && v == 0:
		return 0, "a job needs a processor"
	}
	return v, ""
}

// Set takes over what was typed into a field, and reports whether the jobs have
// changed. What cannot be used stays in the field with its fault.
func (t *Table) Set(row, column int, text string) bool {
	if row < 0 || row >= t.Rows() || column < 0 || column >= len(t.Columns()) {
		return false
	}
	at := cell(row, column)
	v, fault := read(t.inline(), t.Columns()[column], text)
	if fault != "" {
		t.Faults[at], t.Typed[at] = fault, text
		return false
	}
	delete(t.Faults, at)
	delete(t.Typed, at)
	if t.inline().Rows[row][column] == v {
		return false
	}
	t.keep()
	t.inline().Rows[row][column] = v
	return true
}

// keep remembers the jobs as they are, for Undo.
func (t *Table) keep() {
	if t.held && t.kept {
		return
	}
	t.kept = true
	if t.Key = ""; t.Seed != 0 {
		t.Seed, t.Doc.Title = 0, ""
	}
	t.past = append(t.past, t.inline().Clone())
	if len(t.past) > 100 {
		t.past = t.past[1:]
	}
}

// Undo takes the last change back; ok is false when there is none.
func (t *Table) Undo() (ok bool) {
	if len(t.past) == 0 {
		return false
	}
	last := len(t.past) - 1
	t.Doc.Workload.Source.Inline = t.past[last]
	t.past = t.past[:last]
	t.clean()
	return true
}

// Add appends a job like the last one, submitted five minutes later.
func (t *Table) Add() bool {
	if t.Rows() >= experiment.MaxRows {
		return false
	}
	t.keep()
	in := t.inline()
	row := slices.Clone(in.Rows[len(in.Rows)-1])
	row[slices.Index(in.Columns, "submit")] += 300
	in.Rows = append(in.Rows, row)
	return true
}

// Remove takes a job out; the last one stays. What the experiment says of single
// jobs by their number stays with the numbers, so only jobs behind may go while
// there is such.
func (t *Table) Remove(row int) bool {
	if t.Rows() < 2 || row < 0 || row >= t.Rows() {
		return false
	}
	t.keep()
	t.inline().Remove(row)
	t.clean()
	return true
}

// SetProcessors changes the machine, where the table says how large it is.
func (t *Table) SetProcessors(text string) string {
	v, err := strconv.ParseInt(words.Typing(text), 10, 64)
	if err != nil || v < 1 || v > 10_000 {
		return "a machine here has 1 to 10,000 processors"
	}
	if v != t.inline().Processors {
		t.keep()
		t.inline().Processors = v
	}
	return ""
}

// Paste takes a table in the place of the jobs: a job a line, columns apart by
// tabs, semicolons, commas or spaces; a first line may name them. It returns what
// is wrong with it, and then nothing has changed.
func (t *Table) Paste(text string) string {
	columns := []string{"submit", "procs", "requested", "run"}
	var rows [][]int64
	texts := experiment.Inline{}
	for n, line := range strings.Split(strings.ReplaceAll(text, "\r", ""), "\n") {
		parts := split(line)
		if len(parts) == 0 {
			continue
		}
		if len(rows) == 0 && strings.ContainsFunc(parts[0], func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }) && experiment.FindColumn(strings.ToLower(parts[0])) != nil {
			columns = nil
			for _, p := range parts {
				key := strings.ToLower(p)
				if experiment.FindColumn(key) == nil || slices.Contains(columns, key) {
					return fmt.Sprintf("line %d: “%s” is no column, or there twice: submit, procs, requested, run, user and wait are, and what jobs wait for", n+1, p)
				}
				columns = append(columns, key)
			}
			continue
		}
		if len(columns) == 4 && len(parts) == 3 && len(rows) == 0 && columns[2] == "requested" {
			columns = []string{"submit", "procs", "run"}
		}
		if len(parts) != len(columns) {
			return fmt.Sprintf("line %d: %d values, and %d columns (%s)", n+1, len(parts), len(columns), strings.Join(columns, ", "))
		}
		row := make([]int64, len(columns))
		for i, p := range parts {
			v, fault := read(&texts, columns[i], p)
			if fault != "" {
				return fmt.Sprintf("line %d, %s: %s", n+1, columns[i], fault)
			}
			row[i] = v
		}
		if rows = append(rows, row); len(rows) > experiment.MaxRows {
			return "more than " + words.Int(experiment.MaxRows) + " jobs: save them as a log, and drop that on the page"
		}
	}
	if len(rows) == 0 {
		return "there is no job in it"
	}
	for _, c := range experiment.Columns {
		if c.Required && !slices.Contains(columns, c.Key) {
			return "there is no column " + c.Key
		}
	}
	t.keep()
	in := t.inline()
	in.Columns, in.Rows, in.Texts = columns, rows, texts.Texts
	if p := slices.Index(columns, "procs"); in.Processors > 0 {
		for _, row := range rows {
			in.Processors = max(in.Processors, row[p])
		}
	}
	t.clean()
	return ""
}

// Pasted is a table of jobs that was pasted as text, for a machine as wide as its
// widest job; why says what is wrong with it.
func Pasted(text string) (in *experiment.Inline, why string) {
	t := Table{Doc: &experiment.Experiment{}}
	t.Doc.Workload.Source.Inline = &experiment.Inline{Processors: 1}
	if why = t.Paste(text); why != "" {
		return nil, why
	}
	return t.inline(), ""
}

// split takes a line apart at tabs; without any at semicolons, commas or blanks.
func split(line string) []string {
	if line = strings.TrimSpace(line); line == "" {
		return nil
	}
	if words := strings.Fields(line); len(words) > 2 && !strings.ContainsAny(line, "\t;") && decimals(line) {
		return words
	}
	for _, at := range []string{"\t", ";", ","} {
		if strings.Contains(line, at) {
			parts := strings.Split(line, at)
			for i := range parts {
				parts[i] = strings.TrimSpace(parts[i])
			}
			return parts
		}
	}
	return strings.Fields(line)
}

// decimals reports whether each comma of a line stands between two digits.
func decimals(line string) bool {
	digit := func(i int) bool { return i >= 0 && i < len(line) && line[i] >= '0' && line[i] <= '9' }
	for i := range len(line) {
		if line[i] == ',' && !(digit(i-1) && digit(i+1)) {
			return false
		}
	}
	return true
}
