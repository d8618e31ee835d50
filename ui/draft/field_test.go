package draft

import (
	"strings"
	"testing"

	"batchlab/core/catalog"
)

// Every input shows what it would read back: setting each to its own text
// changes nothing.
func TestInputsRoundTrip(t *testing.T) {
	s, _ := opened(t)
	s.AddScheduler("easy")
	list := append(fieldIDs(), "repeats", "draw")
	for _, p := range catalog.FindGenerator("daily").Params {
		list = append(list, "gen."+p.Key)
	}
	for _, p := range catalog.FindScheduler("easy").Params {
		list = append(list, "sched.3."+p.Key)
	}
	before := *s.Settings.Clone()
	for _, id := range list {
		in, ok := s.Input(id)
		if !ok || in.Name == "" || in.Help == "" {
			t.Errorf("%s: %+v, want a name and help", id, in)
		}
		s.SetField(id, in.Text)
		if f, bad := s.Fields[id]; bad {
			t.Errorf("%s: its own text %q is refused: %s", id, in.Text, f.Error)
		}
	}
	if !Same(&before, &s.Settings) {
		t.Errorf("settings changed:\n%+v\n%+v", before, s.Settings)
	}
	if err := s.Settings.Validate(); err != nil {
		t.Errorf("settings are not valid: %v", err)
	}
}

// What is typed is understood with units and separators, or refused at its
// field in words that help; the settings keep the value before.
func TestTypedValues(t *testing.T) {
	for _, c := range []struct{ id, text, shows, wrong string }{
		{"tau", "1 min", "1m", ""},
		{"tau", "0", "", "at least"},
		{"seed", "12,345", "12345", ""},
		{"seed", "-1", "", "between"},
		{"repeats", "101", "", "between 1 and 100"},
		{"load", "1,5", "1.5", ""},
		{"seed", "1,5", "", "1,5 is not a whole number"},
		{"tau", "1,5h", "1h 30m", ""},
		{"load", "0", "", "between 0.01 and 100"},
		{"time", "x", "", "x is not a number"},
		{"processors", "", "", ""},
		{"processors", "1.5", "", "not a whole number"},
		{"from", "2d 3h", "2d 3h", ""},
		{"users", "3, 5 7", "3, 5, 7", ""},
		{"users", "3, Anna", "", "Anna is not a user number"},
		{"overrun", "extend", "extend", ""},
		{"sched.1.threshold", "200,000", "200,000", ""},
		{"sched.1.threshold", "", "", ""},
		{"sched.1.threshold", "soon", "", "soon is not a duration"},
		{"sched.1.order", "saf", "saf", ""},
		{"sched.1.order", "best", "", "not one of the choices"},
	} {
		s, _ := opened(t)
		before := *s.Settings.Clone()
		s.SetField(c.id, c.text)
		in, _ := s.Input(c.id)
		if c.wrong == "" {
			if in.Error != "" || in.Text != c.shows {
				t.Errorf("%s = %q shows %q (%s), want %q", c.id, c.text, in.Text, in.Error, c.shows)
			}
			continue
		}
		if !strings.Contains(in.Error, c.wrong) || in.Text != c.text || !Same(&before, &s.Settings) {
			t.Errorf("%s = %q: error %q, shows %q", c.id, c.text, in.Error, in.Text)
		}
	}
}

// Schedulers can be added up to eight, duplicated with other parameters, and
// removed; an input of one that is gone does nothing.
func TestSchedulers(t *testing.T) {
	s, _ := opened(t)
	s.CopyScheduler(1)
	s.SetField("sched.3.order", "saf")
	if got := Options(s.Settings.Schedulers[3]); got != "SAF" || Options(s.Settings.Schedulers[1]) != "" {
		t.Errorf("options %q and %q", got, Options(s.Settings.Schedulers[1]))
	}
	if s.Settings.Schedulers[3].Repeat != 5 {
		t.Errorf("repeat %d", s.Settings.Schedulers[3].Repeat)
	}
	for range 9 {
		s.AddScheduler("easy")
	}
	if n := len(s.Settings.Schedulers); n != MaxSchedulers {
		t.Errorf("%d schedulers", n)
	}
	s.SetField("sched.7.threshold", "soon")
	s.RemoveScheduler(0)
	if len(s.Fields) != 0 {
		t.Error("the message of an input outlived its scheduler")
	}
	s.SetField("sched.7.order", "saf")
	if _, ok := s.Input("sched.7.order"); ok {
		t.Error("an eighth scheduler is still there")
	}
}
