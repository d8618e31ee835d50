package state

import (
	"fmt"
	"strings"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// offered is how many draws the page offers at once.
const offeredDraws = 20

// sameJobs is the choice of no resampling.
const sameJobs = "same"

// questions are what draws answer, in a student's words.
var questions = map[string]string{
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
	if by == sameJobs || by == "" {
		e.Workload.Resample = nil
		return
	}
	if e.Workload.Resample == nil {
		e.Workload.Resample = experiment.Defaults(catalog.ResampleParams)
	}
	for i := range e.Workload.Resample {
		if e.Workload.Resample[i].Key == "by" {
			e.Workload.Resample[i].Value = by
		}
	}
	for i := range e.Schedulers {
		if repeats(e.Schedulers[i].Repeat) == 1 {
			e.Schedulers[i].Repeat = offeredDraws + 1
		}
	}
}

// bindDraw binds the choice of what repeats are (""), and its parameters.
func bindDraw(key string) (binding, bool) {
	if key != "" {
		return param(catalog.ResampleParams, key, func(e *experiment.Experiment) *experiment.Params { return &e.Workload.Resample })
	}
	by := catalog.FindParam(catalog.ResampleParams, "by")
	return binding{
		name: "Each repeat has", help: "What the repeats of a log are. The first is always the log as it came.",
		options: append([]catalog.Option{{Key: sameJobs, Name: "the same jobs", Help: "The log as it came: one run, however often it is repeated"}}, by.Options...),
		get: func(e *experiment.Experiment) string {
			if e.Workload.Resample == nil {
				return sameJobs
			}
			return e.Workload.Resample.Text("by")
		},
		set: func(e *experiment.Experiment, t string) error {
			setDraw(e, t)
			return nil
		},
	}, true
}

// DrawFields are the inputs of what repeats are, beside their number.
func (s *Store) DrawFields() []string {
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

// wholeWeeks are those of the log's span.
func (s *Store) wholeWeeks() int {
	span := float64(s.Preview.Last-s.Preview.First) * s.Settings.Workload.Scale.Load
	return int((span + 1) / (7 * 86400))
}

// DrawFault says why the workload cannot be drawn from as it is set; "" when it
// can or need not.
func (s *Store) DrawFault() string {
	if p := s.Settings.Workload.Resample; p != nil {
		return s.drawFault(p.Text("by"))
	}
	return ""
}

func (s *Store) drawFault(by string) string {
	switch {
	case s.Preview == nil:
	case by == "weeks" && s.wholeWeeks() < 2:
		return fmt.Sprintf("This log is too short: it has %s, other weeks are drawn from at least two. Try other users, or other minutes.", words.Count(s.wholeWeeks(), "whole week", "whole weeks"))
	case by == "users" && s.Preview.Users < 2:
		return fmt.Sprintf("This log names %s: other users are drawn from at least two. Try other weeks.", words.Count(s.Preview.Users, "user", "users"))
	}
	return ""
}

// DrawHint says what the repeats are, and what their intervals lack.
func (s *Store) DrawHint() string {
	e := &s.Settings
	switch {
	case e.Workload.Source.Generator != nil:
		return "Each repeat has other jobs of the generator."
	case e.Workload.React != nil || e.Workload.Resample == nil:
		return ""
	}
	by := e.Workload.Resample.Text("by")
	text := questions[by] + " The first repeat is the log as it came."
	if s.Preview == nil || s.drawFault(by) != "" {
		return text
	}
	d := report.Draws{By: by, Pieces: float64(s.Preview.Users)}
	if by == "weeks" {
		block, _ := e.Workload.Resample.Int("block")
		d.Pieces = float64(s.wholeWeeks()) / float64(max(1, block))
	}
	if d.Held() != "" {
		text += " In a study, " + d.Held() + "."
	}
	if by != "shake" && d.Lacks() != "" {
		text += " Careful: " + d.Lacks() + "."
	}
	return text
}

// Offer is what the page offers where there is one workload: a question, what
// would be drawn, and how many runs that is. by is "" where nothing can be.
func (s *Store) Offer() (by, question string, runs int) {
	if s.Ran == nil || s.Stale() || !Draws(s.Ran) || s.Ran.Workload.Resample != nil || s.Preview == nil {
		return "", "", 0
	}
	switch {
	case s.wholeWeeks() >= report.Fewest:
		by = "weeks"
	case s.Preview.Users >= report.Fewest:
		by = "users"
	case s.wholeWeeks() >= 2:
		by = "weeks"
	case s.Preview.Users >= 2:
		by = "users"
	default:
		by = "shake"
	}
	return by, questions[by], len(s.Ran.Schedulers) * (offeredDraws + 1)
}

// TakeOffer draws as Offer says and runs.
func (s *Store) TakeOffer() {
	by, _, _ := s.Offer()
	if by == "" {
		return
	}
	s.forget("draw")
	s.Change(func(e *experiment.Experiment) {
		for i := range e.Schedulers {
			e.Schedulers[i].Repeat = offeredDraws + 1
		}
		setDraw(e, by)
	})
	s.Run()
}

// BackToLog takes the draws away again and runs the log as it came, once.
func (s *Store) BackToLog() {
	s.forget("draw")
	s.Change(func(e *experiment.Experiment) {
		setDraw(e, sameJobs)
		for i := range e.Schedulers {
			e.Schedulers[i].Repeat = 1
		}
	})
	s.Run()
}

// draws says what the results were drawn from; nil where they were not.
func (s *Store) draws() *report.Draws {
	for _, r := range s.Runs {
		if r.Result != nil && r.Result.Draws != nil {
			return r.Result.Draws
		}
	}
	return nil
}

// Different is how many different repeats the results have, at most: copies of a
// run count once.
func (s *Store) Different() int {
	most := 0
	for _, r := range s.Runs {
		if r.Result != nil && !r.Result.Copy {
			most = max(most, r.Repetition+1)
		}
	}
	return most
}

// RepeatName says which repeat a repetition is: "repeat 2", "draw 3", "the log as
// it came".
func (s *Store) RepeatName(repetition int) string {
	switch {
	case s.Ran == nil || s.Ran.Workload.Resample == nil:
		return "repeat " + words.Int(repetition+1)
	case repetition == 0:
		return "the log as it came"
	}
	return "draw " + words.Int(repetition)
}

// Which says which repeat charts of a single run show, "" where there is one
// only.
func (s *Store) Which() string {
	if s.Different() < 2 {
		return ""
	}
	return s.RepeatName(s.View.Repetition)
}

// Pooled says over what charts of all runs go, "" where there is one only.
func (s *Store) Pooled() string {
	switch n := s.Different(); {
	case n < 2:
		return ""
	case s.draws() != nil:
		return "the log and " + words.Count(n-1, "draw", "draws") + " together"
	default:
		return "all " + words.Count(n, "repeat", "repeats") + " together"
	}
}

// Sampled says what the numbers are of: "one workload", "5 repeats", "20 draws of
// 46 weeks, paired".
func (s *Store) Sampled() string {
	n := s.Different()
	d := s.draws()
	switch {
	case n < 2:
		return "One workload: no interval"
	case d == nil:
		return words.Count(n, "repeat", "repeats") + ", paired"
	case d.By == "shake":
		return words.Count(n-1, "shaken copy", "shaken copies") + " of the log, paired"
	case d.By == "users":
		return words.Count(n-1, "draw", "draws") + " of " + words.Count(s.preview().Users, "user", "users") + ", paired"
	}
	return words.Count(n-1, "draw", "draws") + " of " + strings.TrimSuffix(words.Number(d.Pieces, 1), ".0") + " weeks, paired"
}

// preview is the preview, or an empty one.
func (s *Store) preview() *report.Preview {
	if s.Preview == nil {
		return &report.Preview{}
	}
	return s.Preview
}
