package draft

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
)

// Column is one column of a sheet: the row of a field, whose Key is its path below that
// of the sheet's row.
type Column struct {
	catalog.Param
	Wide bool // stands on a line of its own below the others
	Half bool // of Wide: two that follow each other share a line
}

// Chosen reports whether its cells are one of Options.
func (c *Column) Chosen() bool { return c.Type == catalog.Enum || c.Type == catalog.Bool }

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

// sheet is a table of a list of the document, whose rows say what its columns are. A new
// one is a value of this type in sheets, and an Item of a section that shows it.
type sheet struct {
	id, name, help, noun, none string
	list                       string // its path
	most                       int
	shows                      string                                                          // keys of the columns in their order; * is wide, + half; further fields come last
	column                     func(s *Draft, c *Column) bool                                  // what a column is on this platform; false: not there
	own                        map[string]cells                                                // columns that are not just a field
	path                       func(e *experiment.Experiment, row int) string                  // of a row; nil: of an entry of the list
	rows                       func(e *experiment.Experiment) int                              // nil: entries of the list
	add                        func(s *Draft, e *experiment.Experiment)                        // nil: an entry with every default
	remove                     func(e *experiment.Experiment, row int)                         // nil: the entry goes
	check                      func(e *experiment.Experiment, row int, c *Column, v any) error // what cannot be used; nil: all can
	closed                     func(s *Draft) string                                           // why a row would be a fault now, "" it would not; nil: never
}

// cells are how a column reads and writes the settings; nil: by its field.
type cells struct {
	get func(e *experiment.Experiment, row int) any
	set func(e *experiment.Experiment, row int, v any)
}

func (t *sheet) pathAt(e *experiment.Experiment, row int) string {
	if t.path != nil {
		return t.path(e, row)
	}
	return t.list + "[" + strconv.Itoa(row) + "]"
}

func (t *sheet) len(e *experiment.Experiment) int {
	if t.rows != nil {
		return t.rows(e)
	}
	return e.List(t.list).Len()
}

// columns are those that the platform of the settings asks for.
func (t *sheet) columns(s *Draft) (list []Column) {
	fields := map[string]catalog.Param{}
	keys := strings.Fields(t.shows)
	for _, p := range s.Settings.Fields(t.list + "[]") {
		p.Key = strings.TrimPrefix(p.Path, t.list+"[].")
		if fields[p.Key] = p.Param; p.Name != "" && !slices.ContainsFunc(keys, func(key string) bool { return strings.TrimRight(key, "*+") == p.Key }) {
			keys = append(keys, p.Key+"*")
		}
	}
	for _, key := range keys {
		name := strings.TrimRight(key, "*+")
		c := Column{Param: fields[name], Wide: name != key, Half: strings.HasSuffix(key, "+")}
		if c.Key = name; t.column == nil || t.column(s, &c) {
			list = append(list, c)
		}
	}
	return list
}

// get returns what stands in the cells of a row, by the keys of their columns.
func (t *sheet) get(e *experiment.Experiment, row int) func(key string) any {
	path := t.pathAt(e, row)
	fields := e.Fields(path)
	return func(key string) any {
		if own := t.own[key]; own.get != nil {
			return own.get(e, row)
		}
		for i := range fields {
			if fields[i].Path[len(path)+1:] == key {
				return fields[i].Get()
			}
		}
		return nil
	}
}

func (t *sheet) set(e *experiment.Experiment, row int, key string, v any) {
	if own := t.own[key]; own.set != nil {
		own.set(e, row, v)
	} else if at, ok := e.At(t.pathAt(e, row) + "." + key); ok {
		at.Set(v)
	}
}

func (t *sheet) append(s *Draft, e *experiment.Experiment) {
	if t.add != nil {
		t.add(s, e)
	} else {
		e.List(t.list).Append()
	}
}

func (t *sheet) delete(e *experiment.Experiment, row int) {
	if t.remove != nil {
		t.remove(e, row)
	} else {
		e.List(t.list).Delete(row)
	}
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
	rows := t.len(&s.Settings)
	out.More = max(0, rows-shownRows)
	for row := range rows - out.More {
		cells, get, path := make([]Cell, len(out.Columns)), t.get(&s.Settings, row), t.pathAt(&s.Settings, row)
		for k := range out.Columns {
			c := &out.Columns[k]
			cells[k].Text = typed(&c.Param, get(c.Key))
			if f, bad := s.Fields[cellID(id, row, c.Key)]; bad {
				cells[k] = Cell(f)
			} else {
				cells[k].Error = s.faultIn(path + "." + c.Key)
			}
		}
		if len(cells) > 0 && cells[0].Error == "" {
			cells[0].Error = s.faultAt(path)
		}
		out.Cells = append(out.Cells, cells)
	}
	return out, true
}

// full says why no row can be added, "" when one can.
func (t *sheet) full(s *Draft) string {
	if t.len(&s.Settings) >= min(t.most, shownRows) {
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
	if t == nil || row < 0 || row >= t.len(&s.Settings) {
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
	s.Change(func(e *experiment.Experiment) { t.append(s, e) })
	return t.len(&s.Settings) - 1
}

// RemoveRow takes a row out.
func (s *Draft) RemoveRow(id string, row int) {
	t := findSheet(id)
	if t == nil || row < 0 || row >= t.len(&s.Settings) {
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
	s.Change(func(e *experiment.Experiment) { t.delete(e, row) })
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
			for at >= t.len(e) && t.len(e) < t.most {
				t.append(s, e)
			}
			if at >= t.len(e) {
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
func (t *sheet) read(e *experiment.Experiment, row int, c *Column, text string) (any, error) {
	v, err := Parse(&c.Param, strings.TrimSpace(text))
	if err == nil && t.check != nil {
		err = t.check(e, row, c, v)
	}
	return v, err
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

// found is Faults, computed.
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
