package state

import (
	"slices"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
)

// MaxSchedulers is how many schedulers have a letter, a colour and a dash.
const MaxSchedulers = 8

// Tabs are the keys of all tabs in their order. Package ui fills it from its
// views.
var Tabs []string

// ShowTab opens a tab; an unknown key changes nothing.
func (s *Store) ShowTab(key string) {
	if slices.Contains(Tabs, key) {
		s.View.Tab = key
		s.touch()
	}
}

// Look changes what is looked at; it changes no number.
func (s *Store) Look(f func(*View)) {
	was := s.View.Repetition
	f(&s.View)
	s.clampView()
	if s.View.Repetition != was {
		s.recall()
	}
	s.touch()
}

// Pick selects scheduler i; the one selected before becomes the other pane,
// unless i was that already.
func (s *Store) Pick(i int) {
	s.Look(func(v *View) {
		if v.A != i {
			if v.B == i || v.B >= 0 {
				v.B = v.A
			}
			v.A = i
		}
	})
}

// CompareTwo shows only the scheduler looked at and the one that it stands
// against, or all of them again.
func (s *Store) CompareTwo(on bool) {
	s.Look(func(v *View) {
		b := s.Against()
		if v.Two = on && b >= 0; v.Two {
			v.Baseline, v.B, v.More = b, b, [2]int{}
		}
	})
}

// PickOne answers a press on scheduler i in the tray: of two that are compared,
// one that is not among them takes the place of the second, and the second that of
// the first.
func (s *Store) PickOne(i int) {
	if !s.View.Two {
		s.Pick(i)
		return
	}
	s.Look(func(v *View) {
		b := s.Against()
		if i == v.A {
			return
		}
		if i == b {
			v.A, i = i, v.A
		}
		v.Baseline, v.B = i, i
	})
}

// Shows reports whether scheduler i is shown in charts of all schedulers.
func (s *Store) Shows(i int) bool { return !s.View.Two || i == s.View.A || i == s.Against() }

// Scales are the keys of how long the bars are drawn: the usual one shows
// differences between close ones and cuts those far off.
var Scales = []string{"", "whole", "log"}

// MaxPanes is how many runs the Gantt chart shows at a time.
const MaxPanes = 4

// Panes are the schedulers that the Gantt chart shows, from top to bottom.
func (v *View) Panes() []int {
	list := []int{v.A}
	for _, i := range [...]int{v.B, v.More[0] - 1, v.More[1] - 1} {
		if i >= 0 && !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	return list
}

// setPanes shows these, at most MaxPanes and at least one.
func (v *View) setPanes(list []int) {
	v.B, v.More = -1, [2]int{}
	for k, i := range list {
		switch k {
		case 0:
			v.A = i
		case 1:
			v.B = i
		case 2, 3:
			v.More[k-2] = i + 1
		}
	}
}

// TogglePane shows scheduler i in the Gantt chart, below those that are there,
// or takes it away. The last one stays; a fifth takes the place of the fourth.
func (s *Store) TogglePane(i int) {
	s.Look(func(v *View) {
		list := v.Panes()
		switch k := slices.Index(list, i); {
		case k < 0:
			v.setPanes(append(list[:min(len(list), MaxPanes-1)], i))
		case len(list) > 1:
			v.setPanes(slices.Delete(list, k, k+1))
		}
	})
}

// Pin makes scheduler i the baseline of all differences; pinning it again
// goes back to none.
func (s *Store) Pin(i int) {
	s.Look(func(v *View) {
		if v.Baseline == i {
			i = -1
		}
		v.Baseline = i
	})
}

// firstView looks at the second scheduler against the first one: documents
// list the reference first.
func (s *Store) firstView() {
	s.fresh = false
	v := &s.View
	v.A, v.B, v.Baseline, v.Repetition, v.More = 0, -1, -1, 0, [2]int{}
	v.Planned, v.Instant, v.Two = false, 0, false
	if len(s.Ran.Schedulers) > 1 {
		v.A, v.B, v.Baseline = 1, 0, 0
	}
}

// Baseline is the scheduler that differences refer to: the pinned one, or the
// first one that is not selected; −1 when there is only one.
func (s *Store) Baseline() int {
	if b := s.View.Baseline; b >= 0 {
		return b
	}
	switch {
	case s.Schedulers() < 2:
		return -1
	case s.View.A == 0:
		return 1
	}
	return 0
}

// Schedulers is how many schedulers the view can refer to: those of the
// results, or of the settings while nothing has run.
func (s *Store) Schedulers() int {
	switch {
	case s.View.Tab == "vary" && s.swept != nil:
		return s.swept.Schedulers()
	case s.Ran != nil:
		return len(s.Ran.Schedulers)
	}
	return len(s.Settings.Schedulers)
}

// clampView keeps the view inside what there is.
func (s *Store) clampView() {
	n := s.Schedulers()
	v := &s.View
	v.A = max(0, min(v.A, n-1))
	if v.B >= n || v.B == v.A {
		v.B = -1
		if n > 1 {
			v.B = (v.A + 1) % n
		}
	}
	for k := range v.More {
		if v.More[k] < 0 || v.More[k] > n {
			v.More[k] = 0
		}
	}
	if v.Baseline >= n {
		v.Baseline = -1
	}
	v.Repetition = max(0, min(v.Repetition, s.repetitions()-1))
	v.Two = v.Two && n > 2
}

// MeasureWindow sets the measuring window: only jobs submitted in [from, to)
// count. Nil leaves a side open. It is one change of the settings, to be undone
// like any other.
func (s *Store) MeasureWindow(from, to *int64) {
	s.forget("measure-")
	s.Change(func(e *experiment.Experiment) { e.Measures.From, e.Measures.To = from, to })
}

// AddScheduler appends a scheduler with its defaults. At most MaxSchedulers.
func (s *Store) AddScheduler(key string) {
	row := catalog.FindScheduler(key)
	if row == nil || s.Full() {
		return
	}
	if one := (experiment.Scheduler{Key: key}); one.Program() != "" {
		s.allow([]string{one.Program()}, false)
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
func (s *Store) CopyScheduler(i int) {
	if i < 0 || i >= len(s.Settings.Schedulers) || s.Full() {
		return
	}
	s.forget("sched.")
	s.Change(func(e *experiment.Experiment) {
		c := e.Schedulers[i]
		c.Params, c.Label = slices.Clone(c.Params), ""
		e.Schedulers = append(e.Schedulers, c)
	})
}

// RemoveScheduler takes scheduler i out. The last one stays.
func (s *Store) RemoveScheduler(i int) {
	if i < 0 || i >= len(s.Settings.Schedulers) || len(s.Settings.Schedulers) == 1 {
		return
	}
	s.forget("sched.")
	s.Change(func(e *experiment.Experiment) {
		e.Schedulers = slices.Delete(e.Schedulers, i, i+1)
		s.lost(moveAxes(e, i, -1))
	})
}

// UseBundled makes a bundled workload the source.
func (s *Store) UseBundled(key string) {
	s.source(experiment.Source{Bundled: key})
}

// UseGenerator makes a generator with its defaults the source.
func (s *Store) UseGenerator(key string) {
	if row := catalog.FindGenerator(key); row != nil {
		s.source(experiment.Source{Generator: &experiment.Generator{Key: key, Params: experiment.Defaults(row.Params)}})
	}
}

func (s *Store) source(src experiment.Source) {
	s.Pending, s.Wanted, s.Other, s.LoadError = nil, nil, nil, ""
	s.Fields = map[string]Field{}
	next := s.current()
	next.doc = forLog(next.doc)
	next.doc.Workload.Source = src
	next.preset = ""
	s.lost(fitAxes(&next.doc))
	if s.put(next) {
		s.reload()
	}
	s.touch()
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
			if v.Key != p.Key || typed(p.Type, v.Value) == typed(p.Type, p.Default) {
				continue
			}
			text := typed(p.Type, v.Value)
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

// Edited reports whether the settings differ from the document they came from.
func (s *Store) Edited() bool { return s.opened != nil && !same(s.opened, &s.Settings) }
