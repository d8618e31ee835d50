package state

import (
	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/look"
)

// Whoever brings a table says what its columns hold, where their names do not tell.

// Mapping is a table whose columns are asked for. Name is "" for that of the workload,
// which is read anew; another one is opened when they are known.
type Mapping struct {
	*report.Table
	Name string
	file any
}

// askColumns asks what the columns of a file hold that could not be read without.
func (s *Store) askColumns(name string, file any, t *report.Table) {
	s.Mapping = &Mapping{Table: t, Name: name, file: file}
	s.Note("%s is a table: %s", name, t.Why)
	s.ShowTab(look.ImportTab)
}

// AskColumns asks for the columns of the workload's table, preset with what they are
// taken to hold.
func (s *Store) AskColumns() {
	if p := s.Preview; p != nil && p.Table != nil {
		s.Mapping = &Mapping{Table: p.Table}
		s.Touch()
	}
}

// LeaveColumns takes the question back.
func (s *Store) LeaveColumns() {
	s.Mapping = nil
	s.Touch()
}

// SetColumns reads the table by the columns that are named, by keys of
// catalog.LogColumns. Of the workload it is one step of the settings.
func (s *Store) SetColumns(of map[string]string) {
	m := s.Mapping
	if m == nil {
		return
	}
	log := experiment.Log{Name: m.Name, SHA256: m.SHA256, Size: m.Size}
	if m.Name == "" {
		log = *s.Settings.Workload.Source.Log
	}
	for i, key := range catalog.LogColumns {
		log.Columns[i] = of[key]
	}
	if m.Name == "" {
		s.Mapping = nil
		s.Change(func(e *experiment.Experiment) { e.Workload.Source.Log = &log })
		s.Touch()
		return
	}
	s.openLog(log, m.file)
}
