package draft

import (
	"slices"
	"strings"

	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// casesSection is what the left column says of experiments that are set beside each
// other: each with what it sets, and a way to take them out.
func casesSection(s *Draft) Section {
	out := Section{Key: "cases", Title: "Cases"}
	for i := range s.Settings.Vary {
		a := &s.Settings.Vary[i]
		for _, c := range a.Cases {
			out.Items = append(out.Items, Item{Text: c.Name + ": " + s.setsOf(&c)})
		}
		if a.Cases != nil {
			out.Sum = words.Count(len(a.Cases), "case", "cases")
			if fault := s.AxisFault(i); fault != "" {
				out.Items = append(out.Items, Item{Fault: fault})
			}
		}
	}
	if out.Items != nil {
		out.Items = append(out.Items, Item{Acts: []Act{{Key: "cases.off", Name: "Take the cases out", Help: "Only the experiment as it stands here is left"}}})
	}
	return out
}

// setsOf says what a case sets: "processors 128, order SAF".
func (s *Draft) setsOf(c *experiment.Case) string {
	var list []string
	for _, one := range c.Set {
		text := s.AxisText(&s.Settings, one.Path, one.Value)
		if r := []rune(text); len(r) > 60 {
			text = string(r[:60]) + "…"
		}
		list = append(list, s.AxisName(&s.Settings, one.Path)+" "+text)
	}
	if list == nil {
		return "as it stands here"
	}
	return strings.Join(list, ", ")
}

// dropCases takes all lists of cases out of the settings.
func (s *Draft) dropCases() {
	s.Change(func(e *experiment.Experiment) {
		e.Vary = slices.DeleteFunc(slices.Clone(e.Vary), func(a experiment.Axis) bool { return a.Cases != nil })
	})
}
