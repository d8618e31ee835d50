package result

import (
	"slices"
	"strings"

	"batchlab/core/metric"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// Caveats says what voids or limits a comparison of schedulers a and b, worst first.
func (s *Tray) Caveats(a, b int) []report.Caveat {
	if a == b || b < 0 {
		return metric.Caveats(s.finished(a))
	}
	return metric.Caveats(slices.Concat(s.finished(a), s.finished(b)))
}

// Void reports whether a comparison of a and b is not worth much whatever its numbers,
// and why.
func (s *Tray) Void(a, b int) (why string) {
	for _, c := range s.Caveats(a, b) {
		if c.Void {
			return c.Text
		}
	}
	return ""
}

// tooFew names the sizes of jobs of which some repeat has too few for ForWhom, "" none.
func (s *Tray) tooFew(a, b int) string {
	mine := s.finished(a)
	if b < 0 || len(mine) == 0 || mine[0].Jobs < metric.ClassJobs {
		return ""
	}
	var list []string
	for _, c := range sizes(mine) {
		fewest := c.Jobs // of a repeat
		for _, r := range mine {
			n := 0
			for _, one := range r.Classes {
				if one.ProcsFrom == c.ProcsFrom {
					n += one.Jobs
				}
			}
			fewest = min(fewest, n)
		}
		if c.Jobs > 0 && fewest < metric.ClassJobs {
			size := words.Count(c.ProcsFrom, "processor", "processors")
			if c.ProcsTo != c.ProcsFrom {
				size = words.Int(c.ProcsFrom) + " to " + words.Int(c.ProcsTo) + words.NB + "processors"
			}
			list = append(list, size+" ("+words.Int(fewest)+")")
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "Too few jobs in a run to say anything of: " + strings.Join(list, ", ") + "."
}

// joined puts sentences one behind the other.
func joined(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(text string) bool { return text == "" }), " ")
}
