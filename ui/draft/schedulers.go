package draft

import (
	"slices"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
)

// ForLog is doc with everything reset that belonged to another workload. A log
// is the same at each repetition, so one run each is enough.
func ForLog(doc experiment.Experiment) experiment.Experiment {
	doc.Title, doc.Expect = "", ""
	doc.Workload.Annotate.Jobs, doc.Workload.Annotate.File = nil, nil
	doc.Workload.Filter, doc.Workload.Window = experiment.Filter{}, experiment.Window{}
	doc.Workload.Scale, doc.Workload.Resample = experiment.Scale{Load: 1, Time: 1}, nil
	doc.Platform.Processors = 0
	doc.Measures.From, doc.Measures.To = nil, nil
	for i := range doc.Schedulers {
		doc.Schedulers[i].Repeat = 1
	}
	return doc
}

// MaxSchedulers is how many schedulers have a letter, a colour and a dash.
const MaxSchedulers = 8

// MeasureWindow sets the measuring window: only jobs submitted in [from, to)
// count. Nil leaves a side open. It is one change of the settings, to be undone
// like any other.
func (s *Draft) MeasureWindow(from, to *int64) {
	s.Forget("measure-")
	s.Change(func(e *experiment.Experiment) { e.Measures.From, e.Measures.To = from, to })
}

// AddScheduler appends a scheduler with its defaults. At most MaxSchedulers.
func (s *Draft) AddScheduler(key string) {
	row := catalog.FindScheduler(key)
	if row == nil || s.Full() {
		return
	}
	if one := (experiment.Scheduler{Key: key}); one.Program() != "" {
		s.host.Admit([]string{one.Program()}, false)
	}
	s.Change(func(e *experiment.Experiment) {
		repeat := int64(1)
		if len(e.Schedulers) > 0 {
			repeat = e.Schedulers[0].Repeat
		}
		e.Schedulers = append(e.Schedulers, experiment.Scheduler{Key: key, Params: experiment.Defaults(row.Params), Repeat: repeat})
	})
}

// CopyScheduler appends a copy of scheduler i, to be given other parameters.
func (s *Draft) CopyScheduler(i int) {
	if i < 0 || i >= len(s.Settings.Schedulers) || s.Full() {
		return
	}
	s.Forget("sched.")
	s.Change(func(e *experiment.Experiment) {
		c := e.Schedulers[i]
		c.Params, c.Label = slices.Clone(c.Params), ""
		e.Schedulers = append(e.Schedulers, c)
	})
}

// RemoveScheduler takes scheduler i out. The last one stays.
func (s *Draft) RemoveScheduler(i int) {
	if i < 0 || i >= len(s.Settings.Schedulers) || len(s.Settings.Schedulers) == 1 {
		return
	}
	s.Forget("sched.")
	next := s.current()
	s.without(&next, i)
	s.put(next)
	s.board.Touch()
}

// UseBundled makes a bundled workload the source.
func (s *Draft) UseBundled(key string) {
	s.source(experiment.Source{Bundled: key})
}

// UseGenerator makes a generator with its defaults the source.
func (s *Draft) UseGenerator(key string) {
	if row := catalog.FindGenerator(key); row != nil {
		s.source(experiment.Source{Generator: &experiment.Generator{Key: key, Params: experiment.Defaults(row.Params)}})
	}
}

func (s *Draft) source(src experiment.Source) {
	s.host.Settle()
	s.Fields = map[string]Field{}
	next := s.current()
	next.doc = ForLog(next.doc)
	next.doc.Workload.Source = src
	next.preset = ""
	s.Lost(fitAxes(&next.doc))
	if s.put(next) {
		s.host.Reload()
	}
	s.board.Touch()
}

// Options writes the parameters that differ from their defaults in short,
// "" when none does.
func Options(sch experiment.Scheduler) string {
	row := catalog.FindScheduler(sch.Key)
	if row == nil {
		return ""
	}
	var parts []string
	for _, p := range row.Params {
		for _, v := range sch.Params {
			if v.Key != p.Key || typed(&p, v.Value) == typed(&p, p.Default) {
				continue
			}
			text := typed(&p, v.Value)
			for _, o := range p.Options {
				if o.Key == text {
					text = o.Name
				}
			}
			if p.Unit != "" && strings.IndexFunc(text, func(r rune) bool { return r >= 'a' }) < 0 {
				text += " " + p.Unit
			}
			switch {
			case p.Type == catalog.Bool && text == "true":
				text = p.Key
			case p.Key != "order":
				text = p.Key + " " + text
			}
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}
