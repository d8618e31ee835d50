package state

import (
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/look"
)

// Whoever brings a table says what its columns hold, where their names do not tell.

// Mapping is a table whose columns are asked for. Name is "" for that of the workload,
// which is read again; another one is opened when they are known.
type Mapping struct {
	*report.Table
	Name string
	file any
}

// askColumns asks what the columns of a file hold that could not be read without. Of
// several such files each is asked about, one after the other.
func (s *Store) askColumns(name string, file any, t *report.Table) {
	m := &Mapping{Table: t, Name: name, file: file}
	s.answering = nil
	if i := slices.IndexFunc(s.tables, func(o *Mapping) bool { return o.Name == name }); i >= 0 {
		s.tables[i] = m
	} else if s.Mapping != nil && s.Mapping.Name != "" && s.Mapping.Name != name {
		s.tables = append(s.tables, m)
	} else {
		s.Mapping = m
	}
	s.Note("%s is a table: %s", name, t.Why)
	s.ShowTab(look.ImportTab)
}

// MoreTables is how many tables are asked about after the one that is.
func (s *Store) MoreTables() int { return len(s.tables) }

// answered takes back the questions about tables that have been read, and that about the
// workload's, which is another one now.
func (s *Store) answered() {
	done := func(m *Mapping) bool { return m.Name == "" || slices.Contains(s.answering, m) }
	s.tables = slices.DeleteFunc(s.tables, done)
	if s.Mapping != nil && done(s.Mapping) {
		s.LeaveColumns()
	}
	s.answering = nil
}

// AskColumns asks for the columns of the workload's table, preset with what they are
// taken to hold.
func (s *Store) AskColumns() {
	if p := s.Preview; p != nil && p.Table != nil {
		s.Mapping = &Mapping{Table: p.Table}
		s.Touch()
	}
}

// LeaveColumns takes the question back, and asks about the next table.
func (s *Store) LeaveColumns() {
	s.Mapping = nil
	if len(s.tables) > 0 {
		s.Mapping, s.tables = s.tables[0], s.tables[1:]
	}
	s.Touch()
}

// SetColumns reads the table by the columns that are named, by keys of
// catalog.LogColumns, and with it those that have the same columns. Of the workload it is one step of the settings.
func (s *Store) SetColumns(of map[string]string) {
	m := s.Mapping
	if m == nil {
		return
	}
	as := func(log experiment.Log) experiment.Log {
		for i, key := range catalog.LogColumns {
			log.Columns[i] = of[key]
		}
		return log
	}
	if m.Name == "" {
		log := as(*s.Settings.Workload.Source.Log)
		s.Mapping = nil
		s.Change(func(e *experiment.Experiment) { e.Workload.Source.Log = &log })
		s.Touch()
		return
	}
	s.answering = []*Mapping{m}
	for _, o := range s.tables { // those with the same columns, such as those of several months, are read in the same way
		if slices.EqualFunc(m.Columns, o.Columns, func(a, b report.TableColumn) bool { return a.Name == b.Name }) {
			s.answering = append(s.answering, o)
		}
	}
	for i, o := range s.answering {
		log := as(experiment.Log{Name: o.Name, SHA256: o.SHA256, Size: o.Size})
		s.queued = slices.Insert(s.queued, i, Dropped{Name: o.Name, File: o.file, log: &log})
	}
	s.openNext()
}
