package draft

import (
	"fmt"
	"strconv"
	"strings"

	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// VaryPath is the place in the document of an input that can vary: a number, a
// choice or a switch; "" for any other.
func (s *Draft) VaryPath(id string) string {
	b, ok := s.bind(id)
	if !ok {
		return ""
	}
	return s.varyPath(id, &b)
}

func (s *Draft) varyPath(id string, b *binding) string {
	if b.list || strings.HasPrefix(id, "search.") {
		return ""
	}
	return b.path
}

// AxisName names what an axis of an experiment varies, as people say it:
// "load ×", "threshold of B EASY", or its path.
func (s *Draft) AxisName(e *experiment.Experiment, path string) string {
	switch path {
	case "workload.source":
		return "Workload"
	case experiment.CasesPath:
		return "Case"
	}
	id := inputAt(path)
	b, ok := s.bindFor(e, id)
	if !ok || b.list {
		return path
	}
	name := b.row.Name
	if rest, ok := strings.CutPrefix(id, "sched."); ok {
		number, _, _ := strings.Cut(rest, ".")
		i, _ := strconv.Atoi(number)
		letter := words.Letter(i)
		if e == &s.Settings && i < len(s.places) {
			letter = words.LetterAt(s.places[i])
		}
		name += " of " + letter
	}
	return name
}

// AxisUnit is the unit that stands behind the values of an axis, "" none.
func (s *Draft) AxisUnit(e *experiment.Experiment, path string) string {
	b, ok := s.bindFor(e, inputAt(path))
	if !ok || strings.EqualFold(b.row.Unit, b.row.Name) || b.row.Unit == "s" {
		return ""
	}
	return b.row.Unit
}

// PointText writes value k of an axis: by its name, or as its input would show it.
func (s *Draft) PointText(e *experiment.Experiment, a *experiment.Axis, k int) string {
	return s.AxisTexts(e, a)(k)
}

// AxisTexts returns what writes the values of an axis by their place, as
// PointText does, at little cost for each.
func (s *Draft) AxisTexts(e *experiment.Experiment, a *experiment.Axis) func(k int) string {
	if a.Names != nil || a.Cases != nil {
		return a.Called
	}
	write := s.writer(e, a.Path)
	return func(k int) string { return write(a.Values[k]) }
}

// AxisText writes a value of a place as its input would show it.
func (s *Draft) AxisText(e *experiment.Experiment, path string, v experiment.Value) string {
	return s.writer(e, path)(v)
}

// AxisDurations reports whether the values of a place are seconds.
func (s *Draft) AxisDurations(e *experiment.Experiment, path string) bool {
	b, ok := s.bindFor(e, inputAt(path))
	return ok && !b.list && b.durations(e, path)
}

// durations reports whether an input takes durations.
func (b *binding) durations(e *experiment.Experiment, path string) bool {
	if !b.numeric() {
		return false
	}
	hour, ok := b.shown(e, path, "3600")
	return ok && hour == words.Typed(3600)
}

// writer writes values of a place as its input would show them.
func (s *Draft) writer(e *experiment.Experiment, path string) func(experiment.Value) string {
	b, ok := s.bindFor(e, inputAt(path))
	ok = ok && !b.list
	durations := ok && b.durations(e, path)
	return func(v experiment.Value) string {
		text := v.String()
		f, err := strconv.ParseFloat(text, 64)
		switch {
		case err == nil && durations && f != 0:
			return words.Typed(int64(f))
		case err == nil && (!ok || f != 0):
			return words.Shown(strconv.FormatFloat(f, 'f', -1, 64))
		case ok:
			if shown, there := b.shown(e, path, v); there {
				return shown
			}
		}
		if path == "workload.source" {
			if one, err := e.With(path, v); err == nil {
				text = sourceName(&one.Workload.Source, text)
			}
		}
		if r := []rune(text); len(r) > 24 {
			text = string(r[:23]) + "…"
		}
		return text
	}
}

// sourceName is what people call a source of jobs; text where it has no name.
func sourceName(s *experiment.Source, text string) string {
	switch {
	case s.Log != nil:
		return s.Log.Name
	case s.Generator != nil:
		return s.Generator.Key
	case s.Inline != nil:
		return "a table of jobs"
	}
	return or(s.Bundled, text)
}

// shown writes a value at a place as the input shows it.
func (b *binding) shown(e *experiment.Experiment, path string, v experiment.Value) (string, bool) {
	one, err := e.With(path, v)
	if err != nil {
		return "", false
	}
	text := b.get(one)
	switch {
	case b.check && text == "true":
		return "on", true
	case b.check:
		return "off", true
	case text == "" && b.empty != "":
		return b.empty, true
	case text == "":
		return "none", true
	}
	for _, o := range b.options {
		if o.Key == text {
			return o.Name, true
		}
	}
	return text, true
}

// bindFor is bind for another experiment than the settings.
func (s *Draft) bindFor(e *experiment.Experiment, id string) (binding, bool) {
	if id == "" {
		return binding{}, false
	}
	if e == &s.Settings {
		return s.bind(id)
	}
	other := Draft{Settings: *e}
	return other.bind(id)
}

// valueOf is what an input's text puts at its place in the document.
func (b *binding) valueOf(e *experiment.Experiment, path, text string) (experiment.Value, error) {
	trial := *e.Clone()
	trial.Vary, trial.Expect = nil, ""
	if err := b.set(&trial, text); err != nil {
		return "", err
	}
	v, ok := trial.ValueAt(path)
	if !ok { // at its default, which is not written
		n, err := words.Seconds(text)
		f, bad := number(text)
		switch {
		case b.check:
			v = "false"
		case b.empty != "" && (text == b.empty || text == ""):
			v = "null"
		case bad == nil:
			v = experiment.NumberValue(f)
		case err == nil:
			v = experiment.NumberValue(float64(n))
		default:
			v = experiment.TextValue(text)
		}
	}
	if _, err := e.With(path, v); err != nil {
		return "", fmt.Errorf("%s", experiment.Faults(err)[0].Message)
	}
	return v, nil
}

// numeric reports whether an input takes numbers.
func (b *binding) numeric() bool { return len(b.options) == 0 && !b.check }

// fitAxes takes the axes out of a document that lead nowhere any more, and
// returns their paths.
func fitAxes(e *experiment.Experiment) (gone []string) {
	if len(e.Vary) == 0 {
		return nil
	}
	lost := map[int]bool{}
	for _, f := range experiment.Faults(e.Validate()) {
		rest, ok := strings.CutPrefix(f.Path, "vary[")
		number, key, _ := strings.Cut(rest, "]")
		if i, err := strconv.Atoi(number); ok && err == nil && (strings.HasSuffix(key, ".path") || strings.HasSuffix(key, ".set")) {
			lost[i] = true
		}
	}
	return TakeAxes(e, func(i int) bool { return lost[i] })
}

// TakeAxes takes axes out of a document and returns their paths.
func TakeAxes(e *experiment.Experiment, lost func(i int) bool) (gone []string) {
	var keep []experiment.Axis
	for i, a := range e.Vary {
		if lost(i) {
			gone = append(gone, a.Path)
		} else {
			keep = append(keep, a)
		}
	}
	if gone != nil {
		e.Vary = keep
	}
	return gone
}

// MoveAxes renumbers the places of schedulers that vary after one has gone from
// place at (by −1), or come to it (by 1). What varies of one that has gone does
// so no longer; the paths are returned.
func MoveAxes(e *experiment.Experiment, at, by int) (gone []string) {
	moved := func(path string) (string, bool) {
		rest, ok := strings.CutPrefix(path, "schedulers[")
		number, key, _ := strings.Cut(rest, "]")
		i, err := strconv.Atoi(number)
		if !ok || err != nil || i < at {
			return path, true
		}
		return "schedulers[" + strconv.Itoa(i+by) + "]" + key, i > at || by > 0
	}
	lost := map[int]bool{}
	for i := range e.Vary {
		a := &e.Vary[i]
		path, stays := moved(a.Path)
		for k := range a.With {
			along, too := moved(a.With[k].Path)
			a.With[k].Path, stays = along, stays && too
		}
		for k := range a.Cases {
			for j := range a.Cases[k].Set {
				one := &a.Cases[k].Set[j]
				at, too := moved(one.Path)
				one.Path, stays = at, stays && too
			}
		}
		if lost[i] = !stays; stays {
			a.Path = path
		}
	}
	return TakeAxes(e, func(i int) bool { return lost[i] })
}
