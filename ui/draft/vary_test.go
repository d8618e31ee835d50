package draft

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/words"
)

// Intent: the place of an input in the document is where setting it changes the
// document: its text put in by the input, and its value put in by its place,
// give the same experiment. Every number, choice and switch has one.
func TestVaryPaths(t *testing.T) {
	s, _ := opened(t)
	s.Change(func(e *experiment.Experiment) {
		e.Workload.Source = experiment.Source{Generator: &experiment.Generator{Key: "daily", Params: experiment.Defaults(catalog.FindGenerator("daily").Params)}}
		e.Platform.Failures = &experiment.Generator{Key: catalog.Failures[0].Key, Params: experiment.Defaults(catalog.Failures[0].Params)}
		e.Schedulers = nil
		for _, row := range catalog.Schedulers {
			if _, err := e.Add(row.Key); err != nil {
				t.Fatal(err)
			}
			if one := *e.Clone(); one.Validate() != nil {
				e.Schedulers = e.Schedulers[:len(e.Schedulers)-1]
			}
		}
	})
	ids := append(fieldIDs(), "repeats")
	add := func(prefix string, rows []catalog.Param) {
		for _, p := range rows {
			ids = append(ids, prefix+p.Key)
		}
	}
	add("gen.", catalog.FindGenerator("daily").Params)
	add("fail.", catalog.Failures[0].Params)
	add("patience.", catalog.PatienceParams)
	for i := range s.Settings.Schedulers {
		add(fmt.Sprintf("sched.%d.", i), catalog.FindScheduler(s.Settings.Schedulers[i].Key).Params)
	}
	slices.Sort(ids)
	lists := []string{"users", "exclude-users", "repeats"}
	tried := 0
	for _, id := range ids {
		b, ok := s.bind(id)
		if !ok {
			t.Errorf("%s: no input", id)
			continue
		}
		path := s.VaryPath(id)
		if path == "" {
			if !b.list && !slices.Contains(lists, id) {
				t.Errorf("%s cannot vary", id)
			}
			continue
		}
		if inputAt(path) != id {
			t.Errorf("%s stands at %s, where %q stands", id, path, inputAt(path))
		}
		texts := []string{"0.5", "2", "3", "7", "1h", "50", "2000"}
		if b.check {
			texts = []string{"", "true"}
		}
		for _, o := range b.options {
			texts = append([]string{o.Key}, texts...)
		}
		for _, text := range texts {
			typed := *s.Settings.Clone()
			value, err := b.valueOf(&s.Settings, path, text)
			if b.set(&typed, text) != nil || err != nil || typed.Validate() != nil {
				if b.check && err != nil {
					t.Errorf("%s: the switch does not vary to %q: %v", id, text, err)
				}
				continue
			}
			put, err := s.Settings.With(path, value)
			if err != nil || string(experiment.Encode(put)) != string(experiment.Encode(&typed)) {
				t.Errorf("%s = %s: the value %s at %s gives another experiment (%v)", id, text, value, path, err)
			}
			tried++
		}
	}
	if tried < 100 {
		t.Errorf("only %d values were tried", tried)
	}
}

func texts(list []experiment.Value) string {
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = string(v)
	}
	return strings.Join(parts, " ")
}

// Intent: lists and ranges become the values that a reader expects, without
// digits that nobody wrote, and what is wrong stands at its place.
func TestVaryValues(t *testing.T) {
	s, _ := opened(t)
	for _, c := range []struct {
		id                           string
		log                          bool
		values, from, to, step, want string
		fault                        string
	}{
		{id: "load", from: "0.5", to: "1.1", step: "0.1", want: "0.5 0.6 0.7 0.8 0.9 1 1.1"},
		{id: "load", from: "0.5", to: "1.08", step: "0.1", want: "0.5 0.6 0.7 0.8 0.9 1"},
		{id: "load", log: true, from: "0.1", to: "10", step: "5", want: "0.1 0.316 1 3.16 10"},
		{id: "load", values: "0.5, 0.7; 1", fault: "values: 0.5, 0.7: "},
		{id: "load", values: "0.5, 0.7, 1", want: "0.5 0.7 1"},
		{id: "load", values: "0.5 0.7 1", want: "0.5 0.7 1"},
		{id: "load", values: "0.5, 0.5", want: "0.5"},
		{id: "load", values: "0.5, 1, 0.5", fault: "values: 0.5 appears twice"},
		{id: "load", values: "0, 1", fault: "values: 0: between 0.01 and 100"},
		{id: "load", values: "a", fault: "values: a: a is not a number"},
		{id: "load", values: " ", fault: "values: at least one value"},
		{id: "load", from: "1", to: "0.5", step: "0.1", fault: "to: must be above from"},
		{id: "load", from: "0.5", to: "1", step: "-1", fault: "step: must be above 0"},
		{id: "load", from: "0.5", to: "90", step: "0.001", fault: "step: makes 89,501 values; at most 10,000"},
		{id: "load", from: "x", to: "1", step: "1", fault: "from: x is not a number"},
		{id: "load", log: true, from: "0.1", to: "10", step: "1", fault: "count: a whole number from 2 on"},
		{id: "processors", from: "64", to: "256", step: "64", want: "64 128 192 256"},
		{id: "processors", from: "64", to: "256", step: "0.5", fault: "step: must be whole: the setting takes whole numbers"},
		{id: "processors", log: true, from: "1", to: "4", step: "9", want: "1 2 3 4"},
		{id: "processors", values: "1,000, 2,000", want: "1000 2000"},
		{id: "sched.2.threshold", values: "none; 1h; 2d 3h", want: "null 3600 183600"},
		{id: "min-run", from: "1h", to: "1d", step: "5h", want: "3600 21600 39600 57600 75600"},
	} {
		if strings.HasPrefix(c.id, "sched") && s.VaryPath(c.id) == "" {
			c.id = "sched.1.threshold"
		}
		s.VaryInput(c.id)
		v := s.VaryNow()
		if v == nil {
			t.Fatalf("%s cannot vary", c.id)
		}
		s.VaryAs(c.values == "", c.log)
		for key, text := range map[string]string{"values": c.values, "from": c.from, "to": c.to, "step": c.step, "count": c.step} {
			s.VaryText(key, text)
		}
		said := ""
		for key, fault := range v.Faults {
			said += key + ": " + fault
		}
		if got := texts(v.Values); got != c.want || !strings.HasPrefix(said, c.fault) || (said != "") != (c.fault != "") {
			t.Errorf("%+v: %s, said %q", c, got, said)
		}
	}
}

// Intent: what the popover proposes is accepted as it stands, for every input
// of the default preset that can vary.
func TestVaryProposes(t *testing.T) {
	s, _ := opened(t)
	ids := []string{"seed", "tau", "processors", "load", "time", "known", "overrun", "min-procs", "max-run", "from", "measure-from", "due.share", "weights.max", "setup.max", "limit.user", "book.share"}
	for i := range s.Settings.Schedulers {
		for _, p := range catalog.FindScheduler(s.Settings.Schedulers[i].Key).Params {
			if id := fmt.Sprintf("sched.%d.%s", i, p.Key); s.VaryPath(id) != "" {
				ids = append(ids, id)
			}
		}
	}
	if g := s.Settings.Workload.Source.Generator; g != nil {
		for _, p := range catalog.FindGenerator(g.Key).Params {
			ids = append(ids, "gen."+p.Key)
		}
	}
	for _, id := range ids {
		if s.VaryInput(id); len(s.VaryNow().Faults) > 0 || len(s.VaryNow().Values) < 2 {
			t.Errorf("%s: proposes %+v: %v", id, s.VaryNow().Texts, s.VaryNow().Faults)
		}
	}
	s.CloseVarying()
	if s.Varies() || s.VaryNow() != nil {
		t.Error("closing the popover makes something vary")
	}
}

// Intent: a value that one input takes may not go with the rest of the document;
// too many points or runs are said where they are made; a fourth axis is not.
func TestVaryTooMuch(t *testing.T) {
	s, _ := opened(t)
	vary := func(id, from, to, step string) string {
		s.VaryInput(id)
		s.VaryAs(true, false)
		s.VaryText("from", from)
		s.VaryText("to", to)
		s.VaryText("step", step)
		return strings.ReplaceAll(fmt.Sprint(s.VaryNow().Faults), words.NB, " ")
	}
	if said := vary("load", "0.01", "10", "0.01"); said != "map[]" {
		t.Fatal(said)
	}
	s.KeepVarying()
	if n := len(s.Settings.Schedulers); n != 3 {
		t.Fatalf("%d schedulers", n)
	}
	if points, runs := s.VaryRuns(); points != 1000 || runs != 1000*3*int(s.Settings.Schedulers[0].Repeat) {
		t.Errorf("%d points, %d runs", points, runs)
	}
	if said := vary("time", "0.01", "10", "0.01"); !strings.Contains(said, "makes 1,000,000 points; at most 100,000 are run") {
		t.Error(said)
	}
	if said := vary("time", "0.1", "2", "0.1"); !strings.Contains(said, "the page runs at most 200,000, the command line (batchlab run, batchlab slurm) more") {
		t.Error(said)
	}
	vary("time", "1", "2", "1")
	s.KeepVarying()
	vary("tau", "10", "20", "10")
	s.KeepVarying()
	s.VaryInput("processors")
	if said := s.VaryNow().Faults["axis"]; said != "at most 3 settings vary together" {
		t.Error(said)
	}
	s.KeepVarying()
	if len(s.Settings.Vary) != 3 {
		t.Errorf("%d axes", len(s.Settings.Vary))
	}
	if text, n := s.Varied("load"); text != "0.01 … 10" || n != 1000 {
		t.Errorf("the input says %q, %d values", text, n)
	}
	s.DropAxis(0)
	if text, n := s.Varied("load"); text != "" || n != 0 || len(s.Settings.Vary) != 2 {
		t.Errorf("dropped: %q, %d", text, n)
	}
}

// Intent: what varies follows its scheduler when others come or go, and goes with
// it; a setting that is no place of the document any more does not vary.
func TestAxesFollow(t *testing.T) {
	s, _ := opened(t)
	s.Change(func(e *experiment.Experiment) {
		e.Schedulers = nil
		for range 3 {
			if _, err := e.Add("easy"); err != nil {
				t.Fatal(err)
			}
		}
		e.Vary = []experiment.Axis{{Path: "schedulers[1].params.threshold", Values: []experiment.Value{"1", "2"}}, {Path: "schedulers[2].params.threshold", Values: []experiment.Value{"1", "2"}}}
	})
	paths := func() (list []string) {
		for _, a := range s.Settings.Vary {
			list = append(list, a.Path)
		}
		return list
	}
	s.SwitchOff(0)
	if got := paths(); !slices.Equal(got, []string{"schedulers[0].params.threshold", "schedulers[1].params.threshold"}) {
		t.Error(got)
	}
	s.SwitchOn(0)
	if got := paths(); !slices.Equal(got, []string{"schedulers[1].params.threshold", "schedulers[2].params.threshold"}) {
		t.Error(got)
	}
	s.RemoveScheduler(1)
	if got := paths(); !slices.Equal(got, []string{"schedulers[1].params.threshold"}) {
		t.Error(got)
	}
	s.UseGenerator("daily")
	s.Change(func(e *experiment.Experiment) {
		e.Vary = append(e.Vary, experiment.Axis{Path: "workload.source.generator.params.jobs", Values: []experiment.Value{"10", "20"}})
	})
	s.UseBundled("demo")
	if got := paths(); len(got) != 1 || !strings.Contains(strings.Join(s.board.Log, "\n"), "workload.source.generator.params.jobs no longer varies") {
		t.Error(got)
	}
}

// Intent: the wave beside each setting of Slurm proposes values around the one that holds
// while it is not set, all of which the document takes, and each is another experiment; so
// do its switches, and "none" is one of the values that can be typed.
func TestVarySlurm(t *testing.T) {
	s, _ := opened(t)
	e, err := experiment.Preset("small-slurm")
	if err != nil {
		t.Fatal(err)
	}
	s.Change(func(x *experiment.Experiment) { *x = *e.Clone() })
	proposed := map[string]string{
		"phase": "0 5 10 15 20 25", "bf_interval": "3 15 30 60 300", "bf_resolution": "6 30 60 120 600", "bf_window": "144 720 1440 2880 14400", "bf_max_job_test": "50 250 500 1000 5000",
		"default_queue_depth": "10 50 100 200 1000", "batch_sched_delay": "0 1 3 6 30", "bf_max_job_user": "0 10 100 1000 10000", "bf_window_linear": "10 100 1000 10000",
		"PriorityWeightAge": "0 10 100 1000 10000", "PriorityWeightJobSize": "0 10 100 1000 10000", "PriorityWeightPartition": "0 10 100 1000 10000",
		"PriorityWeightQOS": "0 10 100 1000 10000", "PriorityWeightFairshare": "0 10 100 1000 10000",
		"PriorityMaxAge": "60480 302400 604800 1209600 6048000", "PriorityCalcPeriod": "30 150 300 600 3000", "defer": "false true", "PriorityFavorSmall": "false true",
	}
	for _, p := range catalog.FindScheduler("slurm").Params {
		id := "sched.0." + p.Key
		s.VaryInput(id)
		v := s.VaryNow()
		if v == nil {
			t.Errorf("%s has no wave", p.Key)
			continue
		}
		if want := proposed[p.Key]; want != "" && texts(v.Values) != want {
			t.Errorf("%s: %s is proposed, want %s", p.Key, texts(v.Values), want)
		}
		delete(proposed, p.Key)
		if len(v.Values) < 2 || len(v.Faults) > 0 {
			t.Errorf("%s: %s is proposed, %v", p.Key, texts(v.Values), v.Faults)
		}
		if p.Optional {
			s.VaryText("values", "none; "+v.Texts["values"])
			if len(v.Faults) > 0 || s.VaryNow().Values[0] != "null" {
				t.Errorf("%s: none is no value: %v", p.Key, s.VaryNow().Faults)
			}
		}
		s.KeepVarying()
		points := s.Settings.Points()
		seen := map[string]bool{}
		for i := range points.Len() {
			one, err := points.At(i)
			if err != nil {
				t.Fatal(p.Key, err)
			}
			seen[one.Identity()] = true
		}
		if len(seen) != points.Len() || points.Len() < 2 {
			t.Errorf("%s: %d points are %d experiments", p.Key, points.Len(), len(seen))
		}
		for len(s.Settings.Vary) > 0 {
			s.DropAxis(0)
		}
	}
	if len(proposed) > 0 {
		t.Errorf("no such settings: %v", proposed)
	}
}
