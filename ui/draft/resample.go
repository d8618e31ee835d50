package draft

import (
	"fmt"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// offered is how many draws the page offers at once.
const OfferedDraws = 20

// SameJobs is the choice of no resampling.
const SameJobs = "same"

// Questions are what draws answer, in a student's words.
var Questions = map[string]string{
	"weeks": "What if other weeks had come?",
	"users": "What if other users had come?",
	"shake": "What if everyone had come a little earlier or later?",
}

// Draws says whether the repeats of an experiment can be drawn from its workload:
// a generator makes other jobs anyway, and users who react have no fixed
// submissions.
func Draws(e *experiment.Experiment) bool {
	return e.Workload.Source.Generator == nil && e.Workload.React == nil
}

// setDraw changes what repeats are; none where it is unknown.
func setDraw(e *experiment.Experiment, by string) {
	if by == SameJobs || by == "" {
		e.Workload.Resample = nil
		return
	}
	fresh := e.Workload.Resample == nil
	if fresh {
		e.Workload.Resample = experiment.Defaults(catalog.ResampleParams)
	}
	for i := range e.Workload.Resample {
		switch p := &e.Workload.Resample[i]; {
		case p.Key == "by":
			p.Value = by
		case p.Key == "block" && fresh: // blocks whose intervals were tried
			p.Value = int64(report.BlockOfDraw)
		}
	}
	for i := range e.Schedulers {
		if max(1, e.Schedulers[i].Repeat) == 1 {
			e.Schedulers[i].Repeat = OfferedDraws + 1
		}
	}
}

// drawing is the choice of what repeats are.
var drawing = binding{
	row:     catalog.Param{Name: "Each repeat has", Help: "What each repeat of a log is. The first is always the log itself."},
	options: append([]catalog.Option{{Key: SameJobs, Name: "the same jobs", Help: "The log itself: one run, however many repeats"}}, catalog.ResampleParams[0].Options...),
	get: func(e *experiment.Experiment) string {
		if e.Workload.Resample == nil {
			return SameJobs
		}
		return e.Workload.Resample.Text("by")
	},
	set: func(e *experiment.Experiment, t string) error {
		setDraw(e, t)
		return nil
	},
}

// DrawFields are the inputs of what repeats are, beside their number.
func (s *Draft) DrawFields() []string {
	if !Draws(&s.Settings) {
		return nil
	}
	ids := []string{"draw"}
	if p := s.Settings.Workload.Resample; p != nil {
		for _, row := range catalog.ResampleParams {
			if row.When == "by" && row.Is == p.Text("by") {
				ids = append(ids, "draw."+row.Key)
			}
		}
	}
	return ids
}

// WholeWeeks are those of the log's span.
func (s *Draft) WholeWeeks() int {
	span := float64(s.Preview.Last-s.Preview.First) * s.Settings.Workload.Scale.Load
	return int((span + 1) / (7 * 86400))
}

// DrawFault says why the workload cannot be drawn from as it is set; "" when it
// can or need not.
func (s *Draft) DrawFault() string {
	if p := s.Settings.Workload.Resample; p != nil {
		return s.drawFault(p.Text("by"))
	}
	return ""
}

func (s *Draft) drawFault(by string) string {
	switch {
	case s.Preview == nil:
	case by == "weeks" && s.WholeWeeks() < 2:
		return fmt.Sprintf("This log is too short: it has %s, other weeks are drawn from at least two. Try other users, or other minutes.", words.Count(s.WholeWeeks(), "whole week", "whole weeks"))
	case by == "users" && s.Preview.Users < 2:
		return fmt.Sprintf("This log names %s: other users are drawn from at least two. Try other weeks.", words.Count(s.Preview.Users, "user", "users"))
	}
	return ""
}

// DrawHint says what the repeats are, and what their intervals lack.
func (s *Draft) DrawHint() string {
	e := &s.Settings
	switch {
	case e.Workload.Source.Generator != nil:
		return "Each repeat has other jobs of the generator."
	case e.Workload.React != nil || e.Workload.Resample == nil:
		return ""
	}
	by := e.Workload.Resample.Text("by")
	text := Questions[by] + " The first repeat is the log itself."
	if s.Preview == nil || s.drawFault(by) != "" {
		return text
	}
	d := report.Draws{By: by, Pieces: float64(s.Preview.Users)}
	if by == "weeks" {
		block, _ := e.Workload.Resample.Int("block")
		d.Pieces = float64(s.WholeWeeks()) / float64(max(1, block))
	}
	if d.Held() != "" {
		text += " In a study, " + d.Held() + "."
	}
	if by != "shake" && d.Lacks() != "" {
		text += " Careful: " + d.Lacks() + "."
	}
	return text
}

// Draw has so many repeats drawn from the log in one way.
func (s *Draft) Draw(by string, repeat int64) {
	s.Forget("draw")
	s.Change(func(e *experiment.Experiment) {
		for i := range e.Schedulers {
			e.Schedulers[i].Repeat = repeat
		}
		setDraw(e, by)
	})
}
