package state

import (
	"fmt"
	"slices"
	"strings"

	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/engine"
	"batchlab/ui/look"
	"batchlab/ui/words"
)

// Whoever brings their own cluster drops its jobs, and beside them what describes it.

// Dropped is a file that was dropped together with others.
type Dropped struct {
	Name string
	Size int64
	File any
	log  *experiment.Log // how it is to be read, nil where the file tells
}

// OpenFiles opens files that were dropped together, one after the other, as OpenFile
// does. The smallest come first: what describes a cluster is there before its jobs are
// run. Files of jobs of one kind, such as those of several months, become one log.
func (s *Store) OpenFiles(files []Dropped) {
	s.queued = slices.Clone(files)
	slices.SortStableFunc(s.queued, func(a, b Dropped) int { return int(min(max(a.Size-b.Size, -1), 1)) })
	s.openNext()
}

func (s *Store) openNext() {
	if len(s.queued) == 0 {
		s.joinParts()
		return
	}
	next := s.queued[0]
	s.queued = s.queued[1:]
	if next.log != nil {
		s.openLog(*next.log, next.File)
		return
	}
	s.OpenFile(next.Name, next.File)
}

// isPart keeps a file of jobs that was dropped with others until all have been read.
func (s *Store) isPart(p *Pending) bool {
	if p.Preview.Import == nil || len(s.queued)+len(s.parts) == 0 || len(s.parts) > 0 && s.parts[0].Preview.Import.Format != p.Preview.Import.Format {
		return false
	}
	s.parts = append(s.parts, p)
	return true
}

// joinParts opens what was kept: one file as it is, several as one, in the order of their
// names, so that whoever drops the same files has the same log.
func (s *Store) joinParts() {
	parts := s.parts
	s.parts = nil
	if len(parts) == 0 {
		return
	}
	e, ok := s.engine.(engine.ClusterReader)
	log := experiment.Log{Name: parts[0].Name, Columns: parts[0].doc.Workload.Source.Log.Columns}
	if len(parts) == 1 || !ok {
		s.openLog(log, parts[0].file)
		return
	}
	slices.SortStableFunc(parts, func(a, b *Pending) int { return strings.Compare(a.Name, b.Name) })
	var files []any
	for _, p := range parts {
		files = append(files, p.file)
	}
	log.Name = fmt.Sprintf("%s and %d more", parts[0].Name, len(parts)-1)
	s.openLog(log, e.Join(files))
}

// openMachine reads a file that describes a cluster together with those that were
// dropped before, and makes the machine that they tell the platform.
func (s *Store) openMachine(name string, file any) {
	confs := slices.DeleteFunc(slices.Clone(s.confs), func(d Dropped) bool { return d.Name == name })
	confs = append(confs, Dropped{Name: name, File: file})
	s.survey(confs, func(m *report.Conf, err error) {
		defer s.openNext()
		if err != nil {
			s.LoadError = name + ": " + strings.TrimPrefix(err.Error(), "intake: ")
			s.Note("Reading failed: %s", s.LoadError)
			return
		}
		s.Machine, s.confs = m, confs
		s.Note("Read %s: %s, %s", name, words.Count(int(m.Nodes), "node", "nodes"), words.Count(int(m.Processors), "processor", "processors"))
		if m.Platform != nil {
			s.OpenPlatform(name, m.Platform)
			s.numberShares()
		}
		s.ShowTab(look.ImportTab)
	})
	s.Touch()
}

// survey has files read that describe a cluster, beside the log.
func (s *Store) survey(confs []Dropped, done func(*report.Conf, error)) {
	e, ok := s.engine.(engine.ClusterReader)
	if !ok {
		return
	}
	var files []any
	for _, d := range confs {
		files = append(files, d.File)
	}
	s.Loading = true
	e.Machine(s.Settings, files, func(m *report.Conf, err error) {
		s.Loading = false
		done(m, err)
		s.runIfDue()
		s.Touch()
	})
}

// matchNames gives the platform what only a log can tell of files that were read before
// it: the numbers of partitions and QOS, and the accounts.
func (s *Store) matchNames() {
	s.numberShares()
	if s.confs == nil || s.Preview.Import == nil || s.Machine == nil || len(s.Machine.Accounts) == 0 {
		return
	}
	number := s.loads
	s.survey(s.confs, func(m *report.Conf, err error) {
		if err != nil || number != s.loads {
			return
		}
		s.Machine = m
		if next, err := s.Settings.WithPlatform(m.Platform); err == nil {
			s.Change(func(e *experiment.Experiment) { e.Platform.Accounts = next.Platform.Accounts })
		}
	})
}

// numberShares gives partitions and QOS the numbers by which the jobs of the log name
// them; others get numbers behind these.
func (s *Store) numberShares() {
	if s.Preview == nil || s.Preview.Import == nil {
		return
	}
	known := s.Preview.Import
	parts, qos, last := map[string]int64{}, map[string]int64{}, int64(0)
	for _, p := range known.Partitions {
		parts[p.Name], last = int64(p.Number), max(last, int64(p.Number))
	}
	for _, q := range known.QOS {
		qos[q.Name], last = q.Number, max(last, q.Number)
	}
	number := func(of map[string]int64, name string, i int) int64 {
		if n := of[name]; n > 0 {
			return n
		}
		return last + 1 + int64(i)
	}
	next := s.Settings.Clone()
	changed := false
	for i := range next.Platform.Partitions {
		p := &next.Platform.Partitions[i]
		n := number(parts, p.Name, i)
		p.Number, changed = n, changed || p.Number != n
	}
	for i := range next.Platform.QOS {
		q := &next.Platform.QOS[i]
		n := number(qos, q.Name, i)
		q.Number, changed = n, changed || q.Number != n
	}
	if changed {
		s.Change(func(e *experiment.Experiment) {
			e.Platform.Partitions, e.Platform.QOS = next.Platform.Partitions, next.Platform.QOS
		})
	}
}

// SetLogZone says in which zone the times of the log's file are that state none: an
// offset, an IANA name, or "" for UTC. It is one step of the settings.
func (s *Store) SetLogZone(zone string) {
	s.Change(func(e *experiment.Experiment) {
		if l := e.Workload.Source.Log; l != nil {
			next := *l
			next.Zone = zone
			e.Workload.Source.Log = &next
		}
	})
}

// MakeOutages makes pauses of the log outages of the machine that everybody knows of
// in advance, since nothing ran into them. Those that are there already stay. It is
// one step of the settings.
func (s *Store) MakeOutages(pauses []report.Pause) {
	s.Forget("outages.")
	s.Change(func(e *experiment.Experiment) {
		for i, p := range pauses {
			one := experiment.Outage{Name: fmt.Sprintf("pause %d", i+1), From: p.From, To: p.To, Announced: true}
			if !s.isOutage(e, p) {
				e.Platform.Outages = append(slices.Clip(e.Platform.Outages), one)
			}
		}
	})
}

// IsOutage reports whether a pause of the log is an outage already.
func (s *Store) IsOutage(p report.Pause) bool { return s.isOutage(&s.Settings, p) }

func (s *Store) isOutage(e *experiment.Experiment, p report.Pause) bool {
	return slices.ContainsFunc(e.Platform.Outages, func(o experiment.Outage) bool { return o.From == p.From && o.To == p.To })
}
