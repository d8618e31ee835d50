package draft

import (
	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// SetReact says whether users react. They begin with the defaults of the
// catalog and at the log's own load, which they then set themselves.
func (s *Draft) SetReact(on bool) {
	if on == (s.Settings.Workload.React != nil) {
		return
	}
	s.Forget("react.")
	s.Forget("load")
	s.Change(func(e *experiment.Experiment) {
		e.Workload.React = nil
		if on {
			e.Workload.React, e.Workload.Scale.Load = experiment.Defaults(catalog.ReactParams), 1
			e.Workload.Resample = nil // they have no fixed submissions
		}
	})
}

// reactSection is how submissions come about.
func reactSection(s *Draft) Section {
	p := s.Settings.Workload.React
	out := Section{Key: "react", Title: "Submissions", Sum: "as the log says"}
	out.Items = []Item{{Label: "Submissions", Choices: []Act{
		{Key: "react.off", Name: "Replay", Help: "Every job is submitted when the log says", Pressed: p == nil},
		{Key: "react.on", Name: "React", Help: "Users submit after what they waited for has ended, and after thinking", Pressed: p != nil},
	}}}
	if p == nil {
		return out
	}
	out.Sum = "users react"
	out.Items = append(out.Items, s.shown("workload.react")...)
	for _, f := range s.Faults() {
		if f.Path == "workload.react" {
			out.Items = append(out.Items, Item{Fault: f.Message})
		}
	}
	if s.Preview != nil && s.Preview.Reaction != nil {
		for _, text := range Reacting(s.Preview.Reaction) {
			out.Items = append(out.Items, Item{Text: text})
		}
	}
	return out
}

// Reacting says in sentences what was found of the users of a workload, what is
// missing first.
func Reacting(r *report.Reaction) []string {
	var out []string
	switch {
	case r.Users == 0:
		out = append(out, "This workload names no users: no user can react, and every job is submitted when the log says.")
	case !r.Reacts():
		out = append(out, "No user has more than one batch: nobody has anything to react to, and every job is submitted when the log says.")
	case r.Users == 1:
		out = append(out, "This workload has a single user: all of it waits for one person.")
	}
	if r.Silent > 0 && r.Users > 0 {
		out = append(out, words.Count(r.Silent, "job has", "jobs have")+" no user and keep the log's time.")
	}
	if r.Once > 0 && r.Users > r.Once {
		out = append(out, words.Count(r.Once, "user has", "users have")+" one job only.")
	}
	if r.Ends == "easy" {
		out = append(out, "When jobs ended is taken from a schedule by EASY, not from the log.")
	} else if r.NoEnd > 0 {
		out = append(out, "Of "+words.Count(r.NoEnd, "job", "jobs")+" it is unknown when they ended: nothing depends on them.")
	}
	if r.Stated > 0 {
		out = append(out, "The log states "+words.Count(r.Stated, "preceding job", "preceding jobs")+"; its times bear out "+words.Int(r.StatedUsed)+".")
	}
	if r.Users > 0 {
		text := words.Count(r.Users, "user", "users") + ", " + words.Count(r.Sessions, "session", "sessions") + ", " + words.Count(r.Batches, "batch", "batches") +
			", of which " + words.Int(r.Reacting) + " wait for something"
		if r.Think.Count > 0 {
			text += "; think time " + words.Dur(float64(r.Think.Median))
		}
		if r.Breaks.Count > 0 {
			text += "; break " + words.Dur(float64(r.Breaks.Median))
		}
		if r.Think.Count+r.Breaks.Count > 0 {
			text += " (median)"
		}
		out = append(out, text+".")
	}
	return out
}

// patienceSection is which waits users find acceptable.
func patienceSection(s *Draft) Section {
	out := Section{Key: "patience", Title: "Acceptable waits", Sum: "by size and request"}
	out.Items = append(out.Items, s.shown("measures.patience")...)
	for _, f := range s.Faults() {
		if f.Path == "measures.patience" {
			out.Items = append(out.Items, Item{Fault: f.Message})
		}
	}
	return out
}

// Acceptable returns the wait in seconds that users of the settings find
// acceptable for a job by itself.
func (s *Draft) Acceptable() func(procs int32, limit model.Time) model.Time {
	p := metric.DefaultPatience()
	if params := s.Settings.Measures.Patience; params != nil {
		p = metric.PatienceOf(params)
	}
	return p.Acceptable
}
