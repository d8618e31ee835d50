package draft

import (
	"fmt"
	"slices"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// OpenPlatform takes what a file says of machines, outages, failures and limits
// into the settings: a platform of a document by itself. What it does not speak
// of stays.
func (s *Draft) OpenPlatform(name string, data []byte) {
	doc, err := s.Settings.WithPlatform(data)
	if err != nil {
		s.board.Tell(fmt.Sprintf("%s could not be used: %v", name, err))
		return
	}
	s.forgetMachines()
	for _, prefix := range []string{"outages.", "classes.", "limit.", "fail.", "bookings."} {
		s.Forget(prefix)
	}
	s.board.Note("Platform: %s", name)
	s.Change(func(e *experiment.Experiment) { e.Platform = doc.Platform })
}

// imports are the tables that a CSV file fills, each with the column that such
// a file must have beside others of the table.
var imports = []struct{ sheet, key string }{
	{"outages", "to"}, {"groups", "count"}, {"classes", "longer_than"}, {"licences", "copies"}, {"clusters", "packing"},
}

// TableFor returns the table that a file with this first line fills, "" none.
func (s *Draft) TableFor(head []string) string {
	for _, in := range imports {
		t, ok := s.Sheet(in.sheet)
		if !ok || !slices.Contains(head, in.key) {
			continue
		}
		if !slices.ContainsFunc(head, func(key string) bool { return !t.has(key) && !known(in.sheet, key) }) {
			return in.sheet
		}
	}
	return ""
}

// known are columns that stand in a table only on some platforms.
func known(sheet, key string) bool {
	switch sheet {
	case "outages":
		return key == "cluster" || key == "nodes" || key == "processors"
	case "groups":
		return key == "cluster" || key == "gpus" || key == "disk" || key == "properties"
	}
	return false
}

func (t *Sheet) has(key string) bool {
	return slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Key == key })
}

// ImportTable puts the rows of a CSV file into a table in the place of those
// that it has; the first line names the columns by the document's keys. It is
// one step of the settings; what cannot be used stays at its cell with a message.
func (s *Draft) ImportTable(id, name string, lines [][]string) {
	t := findSheet(id)
	if t == nil || len(lines) < 2 {
		s.board.Tell(name + " has no rows below its first line.")
		return
	}
	if id == "groups" || id == "clusters" {
		s.SetMachines("list")
	}
	s.Forget(id + ".")
	if id == "groups" {
		s.details = true
	}
	left := 0
	s.Change(func(e *experiment.Experiment) {
		for t.len(e) > 1 {
			t.delete(e, t.len(e)-1)
		}
		for row, fields := range lines[1:] {
			if row >= t.len(e) {
				if t.len(e) >= t.most {
					left++
					continue
				}
				t.append(s, e)
			}
			// The cluster first: machines are named by it.
			for _, first := range []bool{true, false} {
				for k, key := range lines[0] {
					if k < len(fields) && first == (key == "cluster") {
						s.importCell(t, e, row, key, fields[k])
					}
				}
			}
		}
	})
	if left > 0 {
		s.board.Tell(fmt.Sprintf("%s has more rows than the table holds: %s left out.", name, words.Count(left, "row is", "rows are")))
	}
}

func (s *Draft) importCell(t *sheet, e *experiment.Experiment, row int, key, text string) {
	for _, c := range t.all() {
		if c.Key != key {
			continue
		}
		if key == "announced" {
			switch strings.ToLower(text) {
			case "true", "yes", "1":
				text = "announced"
			case "false", "no", "0", "":
				text = "failure"
			}
		}
		v, err := t.read(e, row, &c, text)
		if err != nil {
			s.Fields[cellID(t.id, row, key)] = Field{Text: text, Error: err.Error()}
			return
		}
		t.set(e, row, key, v)
		return
	}
}

// all returns the columns that a table may have on any platform; those that are
// chosen from a list there are texts.
func (t *sheet) all() []Column {
	list := &Draft{details: true}
	list.Settings.Platform.Clusters = []experiment.Cluster{{Packing: "nodes"}, {Packing: "processors"}}
	columns := t.columns(list)
	for i := range columns {
		if columns[i].Key == "cluster" {
			columns[i].Type, columns[i].Options, columns[i].Empty = catalog.Words, nil, " "
		}
	}
	return columns
}

// ReadTable reads a CSV file: fields between commas, semicolons or tabs, in
// quotes where they hold one. Empty lines are left out. The first line is written
// in small letters.
func ReadTable(text string) [][]string {
	text = strings.TrimPrefix(text, "\ufeff")
	head, _, _ := strings.Cut(text, "\n")
	separator := byte(',')
	for _, c := range []byte{';', '\t'} {
		if strings.Count(head, string(c)) > strings.Count(head, string(separator)) {
			separator = c
		}
	}
	var lines [][]string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" {
			continue
		}
		var fields []string
		for rest, more := line, true; more; {
			var field string
			field, rest, more = cutField(rest, separator)
			if len(lines) == 0 {
				field = strings.ToLower(field)
			}
			fields = append(fields, strings.TrimSpace(field))
		}
		lines = append(lines, fields)
	}
	return lines
}

// cutField takes the first field of a line; more says that others follow.
func cutField(line string, separator byte) (field, rest string, more bool) {
	trimmed := strings.TrimLeft(line, " ")
	if !strings.HasPrefix(trimmed, `"`) {
		field, rest, more = strings.Cut(line, string(separator))
		return field, rest, more
	}
	var b strings.Builder
	for i := 1; i < len(trimmed); i++ {
		if trimmed[i] != '"' {
			b.WriteByte(trimmed[i])
			continue
		}
		if i+1 < len(trimmed) && trimmed[i+1] == '"' { // a quote within quotes
			b.WriteByte('"')
			i++
			continue
		}
		_, rest, more = strings.Cut(trimmed[i+1:], string(separator))
		return b.String(), rest, more
	}
	return b.String(), "", false
}
