package draft

import (
	"fmt"
	"slices"
	"strings"

	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// Varying is what is being made up of an input that is to vary, while its
// popover is open.
type Varying struct {
	ID   string // of the input; "" of an axis that no input stands for
	Path string
	Name string
	Help string
	Unit string

	Along int // places that change along with it: its values stay as the document has them

	Choices []VaryChoice // of a choice or switch; else what is typed:
	Range   bool         // from, to instead of a list
	Log     bool         // of a range: logarithmic
	Texts   map[string]string
	Faults  map[string]string // by what they belong to: "values", "from", "to", "step", "count", "axis"

	Values []experiment.Value // what comes of it, nil while there is a fault

	seconds bool // its input takes durations
}

// VaryChoice is one value of a choice.
type VaryChoice struct {
	Key, Name, Help string
	On              bool
	value           experiment.Value
}

// Limits of what the page runs.
const (
	// MaxSweepRuns is how many runs of an experiment that varies the page keeps
	// the measures of.
	MaxSweepRuns = 200_000

	checkedValues = 200 // of a long list that are checked while one types
)

// VaryNow is the input that is being made to vary, nil none.
func (s *Draft) VaryNow() *Varying { return s.varying }

// Varied says what an input holds that varies: the text that stands in it and
// the number of its values; n is 0 when it does not vary.
func (s *Draft) Varied(id string) (text string, n int) {
	if len(s.Settings.Vary) == 0 {
		return "", 0
	}
	path := s.VaryPath(id)
	i := s.axisOf(path)
	if path == "" || i < 0 {
		return "", 0
	}
	return s.AxisSpan(&s.Settings, &s.Settings.Vary[i]), len(s.Settings.Vary[i].Values)
}

// AxisSpan writes the values of an axis in short: "0.5 … 1.1", "EASY, FCFS".
func (s *Draft) AxisSpan(e *experiment.Experiment, a *experiment.Axis) string {
	n := len(a.Values)
	if n == 0 {
		return ""
	}
	text := func(i int) string { return s.PointText(e, a, i) }
	switch n {
	case 1:
		return text(0)
	case 2:
		return text(0) + ", " + text(1)
	}
	return text(0) + " … " + text(n-1)
}

// axisOf is the axis of the settings at a place, −1 none.
func (s *Draft) axisOf(path string) int {
	return slices.IndexFunc(s.Settings.Vary, func(a experiment.Axis) bool { return a.Path == path })
}

// VaryInput opens the popover of an input. One that varies already shows its
// values, another a proposal.
func (s *Draft) VaryInput(id string) {
	b, ok := s.bind(id)
	path := ""
	if ok {
		path = s.varyPath(id, &b)
	}
	if path == "" {
		return
	}
	v := &Varying{ID: id, Path: path, Name: s.AxisName(&s.Settings, path), Help: b.row.Help, Unit: b.row.Unit, Texts: map[string]string{}, Faults: map[string]string{}}
	v.seconds = b.durations(&s.Settings, path)
	var has []experiment.Value
	if i := s.axisOf(path); i >= 0 {
		has = s.Settings.Vary[i].Values
		v.Along = len(s.Settings.Vary[i].With)
	}
	switch {
	case !b.numeric():
		s.choices(v, &b, has)
	case has != nil:
		s.typeValues(v, has)
	default:
		s.propose(v, &b)
	}
	s.varying = v
	s.work()
	s.board.Touch()
}

// VaryText takes what was typed in the popover: "values", "from", "to", "step"
// or "count".
func (s *Draft) VaryText(key, text string) {
	if s.varying != nil {
		s.varying.Texts[key] = text
		s.work()
		s.board.Touch()
	}
}

// VaryAs chooses between a list and a range, and of a range its kind.
func (s *Draft) VaryAs(isRange, log bool) {
	if v := s.varying; v != nil {
		if isRange && v.Texts["from"] == "" && len(v.Values) > 0 {
			s.counted(v, v.Values)
		}
		if !isRange && v.Range && len(v.Values) > 0 && len(v.Values) <= 100 {
			var list []string
			for _, x := range v.Values {
				list = append(list, s.AxisText(&s.Settings, v.Path, x))
			}
			v.Texts["values"] = strings.Join(list, "; ")
		}
		v.Range, v.Log = isRange, log
		s.work()
		s.board.Touch()
	}
}

// VaryChoose takes a value of a choice, or leaves it out.
func (s *Draft) VaryChoose(key string, on bool) {
	if v := s.varying; v != nil {
		for i := range v.Choices {
			if v.Choices[i].Key == key {
				v.Choices[i].On = on
			}
		}
		s.work()
		s.board.Touch()
	}
}

// work finds the values of the popover and what is wrong with them.
func (s *Draft) work() {
	v := s.varying
	v.Faults, v.Values = map[string]string{}, nil
	if v.Along > 0 {
		v.Faults["axis"] = "It varies together with " + words.Count(v.Along, "other place", "other places") + " of the document, where its values stand."
		return
	}
	b, ok := s.bind(v.ID)
	if !ok {
		return
	}
	var list []experiment.Value
	at := "values"
	switch {
	case v.Choices != nil:
		for _, c := range v.Choices {
			if c.On {
				list = append(list, c.value)
			}
		}
	case v.Range:
		if at = "step"; v.Log {
			at = "count"
		}
		list = s.steps(v, &b)
	default:
		list = s.typed(v, &b)
	}
	if len(v.Faults) > 0 {
		return
	}
	var without []experiment.Value
	for _, x := range list {
		if n := len(without); n == 0 || without[n-1] != x {
			without = append(without, x)
		}
	}
	switch list = without; {
	case len(list) == 0:
		v.Faults[at] = "at least one value"
		return
	case len(list) > experiment.MaxValues:
		v.Faults[at] = "makes " + words.Count(len(list), "value", "values") + "; at most " + words.Int(experiment.MaxValues)
		return
	}
	if v.Choices == nil {
		seen := map[experiment.Value]bool{}
		for _, x := range list {
			if seen[x] {
				v.Faults[at] = s.AxisText(&s.Settings, v.Path, x) + " appears twice"
				return
			}
			seen[x] = true
		}
	}
	every := max(1, len(list)/checkedValues)
	for i := 0; i < len(list); i += every {
		if _, err := s.Settings.With(v.Path, list[i]); err != nil {
			v.Faults[at] = s.refusedValue(&s.Settings, v.Path, list[i], err)
			return
		}
	}
	doc := s.withAxis(v.Path, list)
	if doc == nil {
		v.Faults["axis"] = fmt.Sprintf("at most %d settings vary together", experiment.MaxAxes)
		return
	}
	if fault := tooMany(doc); fault != "" {
		v.Faults[at] = fault
		return
	}
	v.Values = list
}

// withAxis is the settings with values at a place, nil when too many vary.
func (s *Draft) withAxis(path string, values []experiment.Value) *experiment.Experiment {
	doc := *s.Settings.Clone()
	doc.Expect = ""
	if i := s.axisOf(path); i >= 0 {
		doc.Vary[i].Values, doc.Vary[i].Names = values, nil
	} else if len(doc.Vary) == experiment.MaxAxes {
		return nil
	} else {
		doc.Vary = append(doc.Vary, experiment.Axis{Path: path, Values: values})
	}
	return &doc
}

// VaryOthers are the axes of the settings beside the one that is made up.
func (s *Draft) VaryOthers() (list []int) {
	for i := range s.Settings.Vary {
		if s.varying == nil || s.Settings.Vary[i].Path != s.varying.Path {
			list = append(list, i)
		}
	}
	return list
}

// VaryRuns is how many points and runs the settings make, with what the popover
// holds.
func (s *Draft) VaryRuns() (points, runs int) {
	doc := &s.Settings
	if v := s.varying; v != nil && v.Values != nil {
		if doc = s.withAxis(v.Path, v.Values); doc == nil {
			return 0, 0
		}
	}
	points = 1
	for _, a := range doc.Vary {
		points *= len(a.Values)
	}
	for i := range doc.Schedulers {
		runs += points * int(max(1, doc.Schedulers[i].Repeat))
	}
	return points, runs
}

// KeepVarying makes the values of the popover vary, and closes it.
func (s *Draft) KeepVarying() {
	v := s.varying
	if v == nil || v.Values == nil {
		return
	}
	doc := s.withAxis(v.Path, v.Values)
	s.varying = nil
	s.Forget(v.ID)
	s.Change(func(e *experiment.Experiment) { e.Vary = doc.Vary })
}

// CloseVarying closes the popover; what was made up in it goes.
func (s *Draft) CloseVarying() {
	if s.varying != nil {
		s.varying = nil
		s.board.Touch()
	}
}

// DropAxis makes a setting hold one value again: that of the document. Axes are
// told by their place in the settings.
func (s *Draft) DropAxis(i int) {
	if i < 0 || i >= len(s.Settings.Vary) {
		return
	}
	if v := s.varying; v != nil && v.Path == s.Settings.Vary[i].Path {
		s.varying = nil
	}
	s.Change(func(e *experiment.Experiment) { e.Vary = slices.Delete(e.Vary, i, i+1) })
	if s.varying != nil {
		s.work()
	}
}

// AxisFault is what is wrong with axis i of the settings, "" nothing.
func (s *Draft) AxisFault(i int) string {
	prefix := fmt.Sprintf("vary[%d]", i)
	for _, f := range s.Faults() {
		if f.Path == prefix || strings.HasPrefix(f.Path, prefix+".") {
			return f.Path + ": " + f.Message
		}
	}
	return ""
}

// VaryFault is what is wrong with what varies as a whole, "" nothing.
func (s *Draft) VaryFault() string {
	if len(s.Settings.Vary) == 0 {
		return ""
	}
	for _, f := range s.Faults() {
		if f.Path == "vary" {
			return f.Message
		}
	}
	return tooMany(&s.Settings)
}
