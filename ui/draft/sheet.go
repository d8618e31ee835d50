package draft

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// Kind says what stands in a column of a sheet.
type Kind uint8

// Kinds of columns.
const (
	Whole    Kind = iota // a whole number: Value.Int
	Real                 // a number: Value.Real
	Text                 // Value.Text
	Choice               // the key of one of Options: Value.Text
	List                 // words with spaces or commas between them: Value.List
	Duration             // seconds, also typed as "2h 30m": Value.Int
)

// Column is one column of a sheet.
type Column struct {
	Key      string // the document's, which faults name
	Name     string
	Help     string // one sentence, for a tooltip
	Unit     string
	Kind     Kind
	Min, Max float64 // of numbers, inclusive; both 0: not bounded
	Options  []catalog.Option
	Optional bool   // may be empty: Value.Unset
	Empty    string // placeholder of an empty cell
	Wide     bool   // stands on a line of its own below the others
	Half     bool   // of Wide: two that follow each other share a line
	Moment   bool   // a Duration from the start of the log: days of the week and dates are understood
}

// Value is what stands in a cell; which field counts is the column's Kind.
type Value struct {
	Int   int64
	Real  float64
	Text  string
	List  []string
	Unset bool
}

// Cell is one cell as it is shown.
type Cell struct{ Text, Error string }

// Sheet is a table of settings as it is shown: a list of the document, a row
// an entry.
type Sheet struct {
	ID      string // inputs are called "ID.ROW.KEY", rows count from 0
	Name    string
	Help    string
	Noun    string // what one row is: "group"
	None    string // said while there are no rows
	Columns []Column
	Cells   [][]Cell
	More    int    // rows that are not shown: a file may bring very many
	Full    string // why no row can be added, "" one can
}

// shownRows is how many rows of a table are shown: beyond, each change of the
// page would take long.
const shownRows = 1000

// sheet is how a table reads and writes the settings. A new one is a value of
// this type in sheets, and an Item of a section that shows it.
type sheet struct {
	id, name, help, noun, none string
	path                       func(e *experiment.Experiment, row int) string // of a row in the document: faults of PATH.KEY stand at its cells
	most                       int
	columns                    func(s *Draft) []Column
	rows                       func(e *experiment.Experiment) int
	get                        func(e *experiment.Experiment, row int, key string) Value
	set                        func(e *experiment.Experiment, row int, key string, v Value)
	add                        func(s *Draft, e *experiment.Experiment)
	remove                     func(e *experiment.Experiment, row int)
	check                      func(e *experiment.Experiment, row int, key string, v Value) error // what set cannot use; nil: it takes all
	closed                     func(s *Draft) string                                              // why a row would be a fault now, "" it would not; nil: never
}

func findSheet(id string) *sheet {
	if i := slices.IndexFunc(sheets, func(t *sheet) bool { return t.id == id }); i >= 0 {
		return sheets[i]
	}
	return nil
}

// Sheet returns the table with an id; ok is false when there is none.
func (s *Draft) Sheet(id string) (out Sheet, ok bool) {
	t := findSheet(id)
	if t == nil {
		return Sheet{}, false
	}
	out = Sheet{ID: id, Name: t.name, Help: t.help, Noun: t.noun, None: t.none, Columns: t.columns(s), Full: t.full(s)}
	out.More = max(0, t.rows(&s.Settings)-shownRows)
	for row := range t.rows(&s.Settings) - out.More {
		cells := make([]Cell, len(out.Columns))
		for k := range out.Columns {
			c := &out.Columns[k]
			cells[k].Text = show(c, t.get(&s.Settings, row, c.Key))
			if f, bad := s.Fields[cellID(id, row, c.Key)]; bad {
				cells[k] = Cell(f)
			} else {
				cells[k].Error = s.faultIn(t.path(&s.Settings, row) + "." + c.Key)
			}
		}
		if len(cells) > 0 && cells[0].Error == "" {
			cells[0].Error = s.faultAt(t.path(&s.Settings, row))
		}
		out.Cells = append(out.Cells, cells)
	}
	return out, true
}

// full says why no row can be added, "" when one can.
func (t *sheet) full(s *Draft) string {
	if t.rows(&s.Settings) >= min(t.most, shownRows) {
		return "No further row fits"
	}
	if t.closed != nil {
		return t.closed(s)
	}
	return ""
}

func cellID(id string, row int, key string) string {
	return id + "." + strconv.Itoa(row) + "." + key
}

// SetCell takes what was typed or chosen in a cell, as SetField does.
func (s *Draft) SetCell(id string, row int, key, text string) {
	t := findSheet(id)
	if t == nil || row < 0 || row >= t.rows(&s.Settings) {
		return
	}
	columns := t.columns(s)
	k := slices.IndexFunc(columns, func(c Column) bool { return c.Key == key })
	if k < 0 {
		return
	}
	v, err := t.read(&s.Settings, row, &columns[k], text)
	if err != nil {
		s.Fields[cellID(id, row, key)] = Field{Text: text, Error: err.Error()}
		s.board.Touch()
		return
	}
	delete(s.Fields, cellID(id, row, key))
	s.Change(func(e *experiment.Experiment) { t.set(e, row, key, v) })
}

// AddRow appends a row and returns its place, −1 when there is no room.
func (s *Draft) AddRow(id string) int {
	t := findSheet(id)
	if t == nil || t.full(s) != "" {
		return -1
	}
	s.Change(func(e *experiment.Experiment) { t.add(s, e) })
	return t.rows(&s.Settings) - 1
}

// RemoveRow takes a row out.
func (s *Draft) RemoveRow(id string, row int) {
	t := findSheet(id)
	if t == nil || row < 0 || row >= t.rows(&s.Settings) {
		return
	}
	// Messages of rows below move up with them.
	moved := map[string]Field{}
	for at, f := range s.Fields {
		rest, mine := strings.CutPrefix(at, id+".")
		number, key, ok := strings.Cut(rest, ".")
		n, err := strconv.Atoi(number)
		switch {
		case !mine || !ok || err != nil || n < row:
			moved[at] = f
		case n > row:
			moved[cellID(id, n-1, key)] = f
		}
	}
	s.Fields = moved
	s.Change(func(e *experiment.Experiment) { t.remove(e, row) })
}

// Paste puts the cells of a spreadsheet (lines of fields) into a table from a
// cell on, and appends rows while there is room. It is one step of the
// settings; what cannot be used stays at its cell with a message.
func (s *Draft) Paste(id string, row int, key string, lines [][]string) {
	t := findSheet(id)
	if t == nil || row < 0 {
		return
	}
	columns := t.columns(s)
	from := slices.IndexFunc(columns, func(c Column) bool { return c.Key == key })
	if from < 0 {
		return
	}
	s.Change(func(e *experiment.Experiment) {
		for i, fields := range lines {
			at := row + i
			for at >= t.rows(e) && t.rows(e) < t.most {
				t.add(s, e)
			}
			if at >= t.rows(e) {
				return
			}
			for k, text := range fields[:min(len(fields), len(columns)-from)] {
				c := &columns[from+k]
				if v, err := t.read(e, at, c, text); err == nil {
					delete(s.Fields, cellID(id, at, c.Key))
					t.set(e, at, c.Key, v)
				} else {
					s.Fields[cellID(id, at, c.Key)] = Field{Text: text, Error: err.Error()}
				}
			}
		}
	})
}

// read reads what was typed into a cell.
func (t *sheet) read(e *experiment.Experiment, row int, c *Column, text string) (Value, error) {
	v, err := read(c, strings.TrimSpace(text))
	if err == nil && t.check != nil {
		err = t.check(e, row, c.Key, v)
	}
	return v, err
}

// show writes a value as its column shows it.
func show(c *Column, v Value) string {
	switch {
	case v.Unset:
		return ""
	case c.Kind == Whole:
		return words.Whole(v.Int)
	case c.Kind == Real:
		return words.Shown(strconv.FormatFloat(v.Real, 'g', -1, 64))
	case c.Kind == List:
		return strings.Join(v.List, ", ")
	case c.Kind == Duration:
		return words.Typed(v.Int)
	}
	return v.Text
}

// read reads what was typed into a column.
func read(c *Column, text string) (v Value, err error) {
	if text == "" && (c.Optional || c.Kind == List) {
		return Value{Unset: true}, nil
	}
	at := 0.0
	switch c.Kind {
	case Whole:
		v.Int, err = whole(text)
		at = float64(v.Int)
	case Duration:
		if c.Moment {
			v.Int, err = words.Moment(text)
		} else {
			v.Int, err = words.Seconds(text)
		}
		at = float64(v.Int)
	case Real:
		v.Real, err = number(text)
		at = v.Real
	case List:
		v.List = once(strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == ' ' || r == '\n' }))
		return v, nil
	case Choice:
		v.Text = text
		if catalog.FindOption(c.Options, text) == nil {
			err = fmt.Errorf("%s is not one of the choices", text)
		}
		return v, err
	default:
		if v.Text = text; text == "" {
			err = errors.New("a name is missing")
		}
		return v, err
	}
	if err == nil && (c.Min != 0 || c.Max != 0) && (at < c.Min || at > c.Max) {
		write := func(x float64) string {
			if c.Kind == Duration {
				return words.Dur(x)
			}
			return words.Number(x, digits(x))
		}
		err = fmt.Errorf("between %s and %s", write(c.Min), write(c.Max))
	}
	return v, err
}

// rowOf is the path of a row of a list that stands at a place of its own.
func rowOf(path string) func(*experiment.Experiment, int) string {
	return func(_ *experiment.Experiment, row int) string { return path + "[" + strconv.Itoa(row) + "]" }
}

// faultAt returns what is wrong with the settings at a path of the document, ""
// nothing: faults of the document as it stands, and what reading it said.
func (s *Draft) faultAt(path string) string {
	for _, f := range s.Faults() {
		if f.Path == path {
			return f.Message
		}
	}
	return ""
}

// faultIn is faultAt of a path or of an entry of the list that stands there.
func (s *Draft) faultIn(path string) string {
	if said := s.faultAt(path); said != "" {
		return said
	}
	for _, f := range s.Faults() {
		if strings.HasPrefix(f.Path, path+"[") {
			return f.Message
		}
	}
	return ""
}

// Faults are what is wrong with the settings, each with its place: in the
// document as it stands, and in what reading the workload said.
func (s *Draft) Faults() []experiment.Error {
	if !s.faultsKnown || s.faultsSaid != s.LoadError {
		s.faultsKnown, s.faultsSaid = true, s.LoadError
		s.faults = s.worded(s.found())
	}
	return s.faults
}

// found is Faults, worked out.
func (s *Draft) found() (faults []experiment.Error) {
	var list experiment.Errors
	if s.invalid = errors.As(s.Settings.Validate(), &list); s.invalid {
		faults = list
	} else {
		for i := range s.Settings.Schedulers {
			if f := s.Settings.Unsuited(i); f != nil {
				faults = append(faults, *f)
			}
		}
	}
	if len(s.Said) > 0 && s.Unreadable && s.LoadError != "" {
		return append(faults, s.Said...)
	}
	for line := range strings.SplitSeq(s.LoadError, "\n") {
		if path, message, ok := strings.Cut(line, ": "); ok {
			faults = append(faults, experiment.Error{Path: path, Message: message})
		}
	}
	return faults
}

// SchedulerFault says why scheduler i cannot run on these jobs and this
// platform, and at which of its inputs that stands, "" at none; text is "" when
// it can.
func (s *Draft) SchedulerFault(i int) (text, id string) {
	path := "schedulers[" + strconv.Itoa(i) + "]"
	for _, f := range s.Faults() {
		rest, ok := strings.CutPrefix(f.Path, path)
		if !ok || rest != "" && rest[0] != '.' {
			continue
		}
		if key, ok := strings.CutPrefix(rest, ".params."); ok {
			id = "sched." + strconv.Itoa(i) + "." + key
		}
		return f.Message, id
	}
	return "", ""
}

// Faulty reports whether the settings are no valid document.
func (s *Draft) Faulty() bool {
	s.Faults()
	return s.invalid
}
