package state

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/metric"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// varyFake is an engine that runs sweeps as a test tells it.
type varyFake struct {
	*fake
	doc  experiment.Experiment
	news func(SweepNews)
	did  []string
}

func (f *varyFake) Sweep(e experiment.Experiment, news func(SweepNews)) SweepControl {
	f.doc, f.news = e, news
	f.did = append(f.did, "run")
	return f
}
func (f *varyFake) Stop() { f.did = append(f.did, "stop") }
func (f *varyFake) GoOn() { f.did = append(f.did, "go on") }
func (f *varyFake) Drop() { f.did = append(f.did, "drop") }

// varying is a store with the default preset loaded and run.
func varying(t *testing.T) (*Store, *varyFake) {
	f := &varyFake{fake: &fake{t: t}}
	s := New(f)
	s.Start("")
	f.answer(&report.Preview{Name: "daily", Jobs: 2000, Processors: 100}, nil)
	return s, f
}

// Intent: the place of an input in the document is where setting it changes the
// document: its text put in by the input, and its value put in by its place,
// give the same experiment. Every number, choice and switch has one.
func TestVaryPaths(t *testing.T) {
	s, _ := varying(t)
	s.Change(func(e *experiment.Experiment) {
		e.Workload.Source = experiment.Source{Generator: &experiment.Generator{Key: "daily", Params: experiment.Defaults(catalog.FindGenerator("daily").Params)}}
		e.Platform.Failures = &experiment.Generator{Key: catalog.Failures[0].Key, Params: experiment.Defaults(catalog.Failures[0].Params)}
		e.Schedulers = nil
		for _, row := range catalog.Schedulers {
			if _, err := e.Add(row.Key); err != nil {
				t.Fatal(err)
			}
			if one := clone(e); one.Validate() != nil {
				e.Schedulers = e.Schedulers[:len(e.Schedulers)-1]
			}
		}
	})
	var ids []string
	for id := range bindings {
		ids = append(ids, id)
	}
	add := func(prefix string, rows []catalog.Param) {
		for _, p := range rows {
			ids = append(ids, prefix+p.Key)
		}
	}
	add("gen.", catalog.FindGenerator("daily").Params)
	add("fail.", catalog.Failures[0].Params)
	add("patience.", catalog.PatienceParams)
	for _, in := range bookInputs {
		ids = append(ids, "book."+in.key)
	}
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
			typed := clone(&s.Settings)
			value, err := b.valueOf(&s.Settings, path, text)
			if b.set(&typed, text) != nil || err != nil || typed.Validate() != nil {
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
	s, _ := varying(t)
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
		{id: "load", values: "0.5, 1, 0.5", fault: "values: 0.5 stands there twice"},
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
	s, _ := varying(t)
	ids := []string{"seed", "tau", "processors", "load", "time", "overrun", "min-procs", "max-run", "from", "measure-from", "due.share", "weights.max", "setup.max", "limit.user", "book.share"}
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
	s, _ := varying(t)
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
	s, _ := varying(t)
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
	if got := paths(); len(got) != 1 || !strings.Contains(strings.Join(s.Log, "\n"), "workload.source.generator.params.jobs does not vary any more") {
		t.Error(got)
	}
}

// part makes the runs of all items from … to − 1: scheduler i has the mean wait
// 10 · point + i + repetition ÷ 10.
func part(w *Sweep, from, to int) SweepPart {
	p := SweepPart{From: from}
	for item := from; item < to; item++ {
		point, within := w.Items.Point(item)
		runs, _ := w.Items.Of(nil)
		id := runs[within]
		p.Runs = append(p.Runs, report.Swept{Workload: int64(point*100 + id.Repetition), Scheduler: int32(id.Scheduler), Repetition: int32(id.Repetition)})
		for _, key := range catalog.MetricKeys() {
			v := math.NaN()
			if key == "mean-wait" {
				v = float64(10*point+id.Scheduler) + float64(id.Repetition)/10
			}
			p.Values = append(p.Values, v)
		}
	}
	return p
}

// Intent: a sweep from the popover to the point and back: what has come stays
// when it is stopped, going on asks for the rest, a point opens as an experiment
// of its own, and the way back finds the results as they were. Links hold all.
func TestSweepStory(t *testing.T) {
	digest := strings.Repeat("0123456789abcdef", 4)
	s, f := varying(t)
	s.SetField("repeats", "2")
	s.VaryInput("load")
	s.VaryAs(false, false)
	s.VaryText("values", "0.5, 0.7, 0.9, 1.1")
	s.KeepVarying()
	if !s.Varies() || !s.Stale() {
		t.Error("the results on show are not those of settings that vary")
	}
	s.Run()
	w := s.SweepNow()
	if w == nil || s.View.Tab != "vary" || !s.Sweeping() || w.Total != 4*3*2 || len(f.doc.Vary) != 1 {
		t.Fatalf("%+v", w)
	}
	f.news(SweepNews{Parts: []SweepPart{part(w, 0, 9)}, Done: 9, Seconds: 3})
	if w.Left != 5 || !w.Complete(0) || w.Complete(1) || !w.Begun(1) || w.PointsDone() != 1 {
		t.Errorf("%v s left, %d points", w.Left, w.PointsDone())
	}
	s.StopSweep()
	f.news(SweepNews{Parts: []SweepPart{part(w, 9, 12)}, Done: 12, Seconds: 3.5, Over: true})
	if w.Status != Cancelled || w.PointsDone() != 2 || !s.SweepHalted() {
		t.Errorf("stopped: %+v", w.Status)
	}
	s.Run()
	if s.SweepNow() != w || w.Status != Running {
		t.Error("going on begins anew")
	}
	f.news(SweepNews{Parts: []SweepPart{part(w, 12, 24)}, Done: 24, Seconds: 6, Digest: digest, Over: true})
	if w.Status != Done || w.Digest != digest || !slices.Equal(f.did, []string{"run", "stop", "go on"}) {
		t.Errorf("done: %v, %v", w.Status, f.did)
	}
	sums, rest := w.Sums("mean-wait", 1000)
	if rest || math.Abs(sums.Mean[3*2+1]-21.05) > 1e-9 || sums.N[7] != 2 {
		t.Errorf("B at point 2 waits %v", sums.Mean[3*2+1])
	}
	gaps, _ := w.Gaps("mean-wait", 1, 0, 1000)
	if d := gaps.Diffs[3]; math.Abs(d.Mean-1) > 1e-9 || d.N != 2 || !d.Sure || d.Better != -1 {
		t.Errorf("B against A at point 3: %+v", d)
	}
	link := s.LinkHash(true)
	opened, err := experiment.DecodeLink(link)
	if err != nil || len(opened.Vary) != 1 || opened.Expect != digest {
		t.Errorf("the link holds %+v, %v", opened, err)
	}

	before := string(s.Document(false))
	runs := len(f.runs)
	s.OpenPoint(2)
	if s.Varies() || s.Settings.Workload.Scale.Load != 0.9 || len(f.runs) != runs+1 || s.View.Tab != "overview" || !s.AtPoint() || !s.ShowsPoint() || s.Stale() || s.SweepStale() {
		t.Errorf("the point: %+v", s.Settings.Workload.Scale)
	}
	if name := s.PointName(2); name != "Load × 0.9" {
		t.Errorf("the point is called %q", name)
	}
	s.SetField("tau", "20")
	if s.AtPoint() || !s.SweepStale() {
		t.Error("another τ is still that point")
	}
	s.BackToSweep()
	if string(s.Document(false)) != before || s.View.Tab != "vary" || s.SweepStale() || s.Stale() || s.SweepNow() != w {
		t.Error("the way back leads elsewhere")
	}
	s.SetField("tau", "30")
	if !s.SweepStale() || !s.Stale() {
		t.Error("results of another τ are not stale")
	}
	s.Run()
	if s.SweepNow() == w || f.did[len(f.did)-1] != "run" || f.did[len(f.did)-2] != "drop" {
		t.Errorf("%v", f.did)
	}

	// The link in a fresh page.
	s, f = varying(t)
	s.FollowLink(link)
	f.answer(&report.Preview{Name: "daily", Jobs: 2000, Processors: 100}, nil)
	if w := s.SweepNow(); w == nil || s.View.Tab != "vary" {
		t.Fatal("the link does not run")
	}
	f.news(SweepNews{Parts: []SweepPart{part(s.SweepNow(), 0, 24)}, Done: 24, Seconds: 6, Digest: digest, Over: true})
	if s.SweepVerdict() != "reproduced" {
		t.Errorf("verdict %q", s.SweepVerdict())
	}
}

// Intent: more than 2,000 runs are asked about; a point that cannot run is
// named, and a sweep that cannot go on says why and can be tried again.
func TestSweepAsksAndFails(t *testing.T) {
	s, f := varying(t)
	s.Change(func(e *experiment.Experiment) {
		e.Vary = []experiment.Axis{{Path: "workload.scale.load"}}
		for i := range 1000 {
			e.Vary[0].Values = append(e.Vary[0].Values, experiment.NumberValue(float64(i+1)/100))
		}
	})
	s.Run()
	if s.Much == nil || s.Much.Runs != 3000*int(s.Settings.Schedulers[0].Repeat) || s.SweepNow() != nil {
		t.Fatalf("it does not ask: %+v", s.Much)
	}
	s.Agree()
	w := s.SweepNow()
	f.news(SweepNews{Parts: []SweepPart{{From: 4, Error: "point 2 of 1000: too large"}}, Done: 1, Err: errors.New("gone"), Over: true})
	if w.Status != Failed || w.Error != "gone" || len(w.Refused) != 1 || w.Refused[0].Point != 4/(3*int(s.Settings.Schedulers[0].Repeat)) {
		t.Errorf("%+v", w.Refused)
	}
	s.Run()
	if s.SweepNow() != w || f.did[len(f.did)-1] != "go on" {
		t.Errorf("%v", f.did)
	}
}

// Intent: means, intervals and differences of a sweep are those that the plain
// comparison of runs gives, copies and draws included.
func TestSweepAgreesWithRuns(t *testing.T) {
	s, _ := varying(t)
	rapid.Check(t, func(t *rapid.T) {
		repeat := rapid.IntRange(1, 5).Draw(t, "repeat")
		doc := clone(&s.Settings)
		for i := range doc.Schedulers {
			doc.Schedulers[i].Repeat = int64(repeat)
		}
		doc.Vary = []experiment.Axis{{Path: "workload.scale.load", Values: []experiment.Value{"1", "2"}}}
		w, err := newSweep(&doc)
		if err != nil {
			t.Fatal(err)
		}
		drawn, copies := rapid.Bool().Draw(t, "drawn"), rapid.Bool().Draw(t, "copies")
		ids, _ := w.Items.Of(nil)
		p := SweepPart{From: w.Items.First(1)}
		var plain []*report.Run
		for _, id := range ids {
			one := &report.Run{Scheduler: id.Scheduler, Repetition: id.Repetition, Workload: fmt.Sprint(id.Repetition), Copy: copies && id.Repetition > 0}
			if drawn && !copies {
				one.Draws = &report.Draws{By: "weeks", Pieces: 30}
			}
			for _, key := range catalog.MetricKeys() {
				one.Metrics = append(one.Metrics, report.Value{Key: key, Value: float64(rapid.IntRange(0, 5).Draw(t, "v")), Valid: rapid.IntRange(0, 9).Draw(t, "valid") > 0})
				if one.Copy {
					first := plain[slices.IndexFunc(plain, func(r *report.Run) bool { return r.Scheduler == id.Scheduler })]
					one.Metrics[len(one.Metrics)-1] = first.Metrics[len(one.Metrics)-1]
				}
			}
			var swept report.Swept
			swept, p.Values = report.NewSwept(one, p.Values)
			p.Runs = append(p.Runs, swept)
			plain = append(plain, one)
		}
		w.take(&p)
		of := func(i int) (list []*report.Run) {
			for _, r := range plain {
				if r.Scheduler == i {
					list = append(list, r)
				}
			}
			return list
		}
		near := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		for _, row := range catalog.Metrics[:8] {
			sums, _ := w.Sums(row.Key, 10)
			for i := range doc.Schedulers {
				values, sample := metric.Values(of(i), row.Key)
				at := len(doc.Schedulers) + i
				mean, half := math.NaN(), math.NaN()
				if len(values) > 0 {
					mean, half, _ = sample.Interval(values)
				}
				if !near(sums.Mean[at], mean) || !near(sums.Half[at], half) || int(sums.N[at]) != len(values) {
					t.Fatalf("%s of %d: %v ± %v of %d, want %v ± %v of %d", row.Key, i, sums.Mean[at], sums.Half[at], sums.N[at], mean, half, len(values))
				}
			}
			gaps, _ := w.Gaps(row.Key, 1, 0, 10)
			if want := judged(&row, metric.CompareRuns(of(1), of(0), row.Key)); !reflect.DeepEqual(fmt.Sprint(gaps.Diffs[1]), fmt.Sprint(want)) && want.N > 0 {
				t.Fatalf("%s: %+v, want %+v", row.Key, gaps.Diffs[1], want)
			}
		}
	})
}

// Intent: 10,000 points of 3 schedulers take the memory of their measures and
// little more, and no call works out more points than it may.
func TestMemoryOfLargeSweeps(t *testing.T) {
	values := make([]string, 10_000)
	for i := range values {
		values[i] = strconv.Itoa(i + 1)
	}
	doc, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"fcfs"},{"key":"easy"},{"key":"conservative"}],
		"vary":[{"path":"seed","values":[` + strings.Join(values, ",") + `]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	w, err := newSweep(doc)
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < w.Total; from += 300 {
		p := part(w, from, min(w.Total, from+300))
		w.take(&p)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if w.PointsDone() != 10_000 {
		t.Fatalf("%d points", w.PointsDone())
	}
	kept, measures := after.HeapAlloc-before.HeapAlloc, uint64(w.Total*w.width*8)
	if kept > measures*5/4+8<<20 {
		t.Errorf("%d MB are kept for %d MB of measures", kept>>20, measures>>20)
	}
	calls, rest := 0, true
	for rest {
		sums := (*Sums)(nil)
		if sums, rest = w.Sums("mean-wait", 1000); sums == nil {
			t.Fatal("no sums")
		}
		calls++
	}
	if calls != 10 && calls != 11 {
		t.Errorf("10,000 points are summed up in %d calls of 1,000", calls)
	}
}
