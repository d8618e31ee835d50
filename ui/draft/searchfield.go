package draft

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/windows"
)

// cleanings are the ways of cleaning that a search offers: that of the study
// also leaves out jobs that state no request.
var cleanings = []catalog.Option{
	{Key: "kill", Name: "stop at the request", Help: "Jobs that ran too long are stopped at their requested time."},
	{Key: "extend", Name: "extend the request", Help: "Jobs that ran too long are taken to have asked for their run time."},
	{Key: "drop", Name: "leave out, as in the study", Help: "Jobs that ran longer than requested, or that state no request, are left out."},
}

// cleaning is how a search cleans, which holds for runs as well.
var cleaning = binding{
	row:     catalog.Param{Name: "Ran too long", Help: "What happens to jobs whose run time is above the requested time. It holds for runs as well."},
	options: cleanings,
	get:     func(e *experiment.Experiment) string { return or(e.Workload.Clean.Overrun, "kill") },
	set: func(e *experiment.Experiment, t string) error {
		e.Workload.Clean.Overrun, e.Workload.Clean.NoRequest = t, ""
		if t == "drop" {
			e.Workload.Clean.NoRequest = "drop"
		}
		return nil
	},
}

// searched gives an input of a search what is its own: it begins with what the search
// takes where the document says nothing, and its origin may be a date.
func (s *Draft) searched(key string, b *binding) {
	set, row := b.set, &b.row
	b.set = func(e *experiment.Experiment, text string) error {
		e.Search = slices.Clone(windows.Params(e))
		if key == "origin" && dated(text) {
			seconds, err := s.onDate(text)
			if err != nil {
				return err
			}
			text = fmt.Sprint(seconds)
		}
		if err := set(e, text); err != nil {
			return err
		}
		value, _ := e.Search.Get(key)
		return experiment.CheckParam(row, value)
	}
	switch key {
	case "count":
		b.empty = "all"
		get := b.get
		b.get = func(e *experiment.Experiment) string { return strings.TrimSuffix(" "+get(e), " 0") }
		b.set = emptyIsZero(b.set)
	case "scales":
		b.empty = "q by P, times by a day"
	case "formula":
		b.empty = "q * p / (1 + wait)"
	}
}

// emptyIsZero takes an empty text for 0.
func emptyIsZero(set func(*experiment.Experiment, string) error) func(*experiment.Experiment, string) error {
	return func(e *experiment.Experiment, t string) error { return set(e, or(t, "0")) }
}

// dated says whether a text is meant as a date: digits and two dashes, the
// first after a year of four digits.
func dated(text string) bool {
	return len(text) > 4 && text[4] == '-' && strings.Count(text, "-") == 2 && strings.Trim(text, "0123456789-") == ""
}

// onDate returns the log's second at midnight UTC of a date.
func (s *Draft) onDate(text string) (int64, error) {
	day, err := time.Parse("2006-1-2", text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s is not a date such as 1998-05-04", text)
	case s.Preview == nil || s.Preview.UnixStart == 0:
		return 0, errors.New("this workload does not say when it began: give seconds instead of a date")
	}
	seconds := day.Unix() - s.Preview.UnixStart
	if seconds < 0 {
		return 0, fmt.Errorf("a date stands for midnight UTC, and the log begins later: %s UTC", time.Unix(s.Preview.UnixStart, 0).UTC().Format("2006-01-02 15:04"))
	}
	return seconds, nil
}

// studied are the weeks of the study (Legrand, Trystram and Zrigui 2018) by the
// beginning of a log's name: the window that it calls week 1, and how many.
var studied = []struct {
	log          string
	first, count int64
}{{"SDSC-SP2", 3, 100}, {"KTH-SP2", 2, 45}, {"CTC-SP2", 2, 45}, {"SDSC-BLUE", 1, 100}}

// AsStudied sets the rules of the study: weeks, its cleaning, τ 60 s (as in its
// tables), SPF backfilling, a threshold of 200,000 s, ties to the newest, and on
// its logs its weeks. How the space is searched stays.
func (s *Draft) AsStudied() {
	s.Forget("search.")
	s.Change(func(e *experiment.Experiment) {
		e.Workload.Clean.Overrun, e.Workload.Clean.NoRequest = "drop", "drop"
		e.Measures.Tau = 60
		e.Search = slices.Clone(windows.Params(e))
		first, count := int64(0), int64(0)
		if l := e.Workload.Source.Log; l != nil {
			for _, k := range studied {
				if strings.HasPrefix(strings.ToUpper(l.Name), k.log) {
					first, count = k.first, k.count
				}
			}
		}
		for i := range e.Search {
			switch v := &e.Search[i]; v.Key {
			case "length", "origin", "backfill", "ties", "threshold", "scales":
				v.Value = catalog.SearchParams[i].Default
			case "first":
				v.Value = first
			case "count":
				v.Value = count
			}
		}
	})
}
