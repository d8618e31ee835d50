package whatif

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/report"
	"batchlab/ui/annex"
	"batchlab/ui/words"
)

const (
	counted  = `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":400,"processors":64}}}},"platform":{"processors":64},"schedulers":[{"key":"as-logged"},{"key":"easy","repeat":5},{"key":"fcfs"}]}`
	machines = `{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":200,"processors":64}}}},
"platform":{"clusters":[{"name":"main","packing":"nodes","groups":[{"count":10,"processors":4},{"count":6,"processors":4,"gpus":2}]}],
"partitions":[{"name":"cpu","nodes":[{"group":0}]},{"name":"gpu","nodes":[{"first":10,"count":6}]},{"name":"all"}],
"reservations":[{"name":"course","processors":8,"from":40000,"to":60000},{"processors":4,"from":90000,"to":97200}]},
"schedulers":[{"key":"easy","repeat":2}]}`
)

// asking is a view over a document whose questions lab answers at once, or, while it is
// held, when a test lets them.
type asking struct {
	*View
	held  bool
	wait  []func()
	drawn int
}

func ask(t *testing.T, text string) *asking {
	t.Helper()
	a := &asking{View: &View{}}
	a.Page = &annex.Page{Query: func(doc *experiment.Experiment, what string, in []byte, progress func(int, int), done func([]byte, error)) func() {
		var id lab.RunID
		if what != "pays" || json.Unmarshal(in, &id) != nil {
			t.Fatalf("%s %s is asked", what, in)
		}
		answer := func() {
			progress(1, 2)
			p, err := lab.Prepare(doc, lab.Env{})
			var got *report.PaidRun
			if err == nil {
				got, err = p.PaidOf(id, func(int, int) bool { return true })
			}
			if err != nil {
				done(nil, err)
				return
			}
			out, err := json.Marshal(got)
			done(out, err)
		}
		if a.held {
			a.wait = append(a.wait, answer)
		} else {
			answer()
		}
		return func() {}
	}}
	if err := a.Page.Tell(annex.Facts{Document: text, Workers: 2, Preview: &report.Preview{Processors: 64, First: 0, Last: 600000, Users: 5}}); err != nil {
		t.Fatal(err)
	}
	a.Follow(func() { a.drawn++ })
	return a
}

// run asks the question and gives what came of it.
func (a *asking) run(t *testing.T) *Answer {
	t.Helper()
	a.Run()
	if a.Failed != "" || a.Running {
		t.Fatalf("%s: %q, running %v", a.Question, a.Failed, a.Running)
	}
	return a.Answer()
}

// Intent: a question with nothing changed says that nothing changes, exactly, whatever is
// asked; no number moves, nothing costs.
func TestNothingChanged(t *testing.T) {
	for _, one := range []struct{ question, key, value string }{
		{"nodes", "count", "0"}, {"load", "load", "1"}, {"limit", "to.user", "0"}, {"rule", "value.order", "fcfs"},
	} {
		v := ask(t, counted)
		v.Question = one.question
		v.Put(one.key, one.value)
		a := v.run(t)
		if text := strings.ReplaceAll(a.Headline(), words.NB, " "); !a.main().Nothing || !strings.Contains(text, "nothing changes, exactly: in 5 pairs of runs every job starts and ends at the same second") {
			t.Errorf("%s: %s", one.question, text)
		}
		if a.CostLine() != "" || a.main().Cost != nil || len(a.Payers().Cells) > 0 || v.Others().Cells[0][2] != "nothing changes" {
			t.Errorf("%s: nothing costs %q", one.question, a.CostLine())
		}
		for _, tile := range a.Tiles() {
			if tile.Was != "as before" && tile.Was != "0"+words.NB+"earlier" && tile.Was != "0 earlier" {
				t.Errorf("%s: %+v", one.question, tile)
			}
		}
	}
}

// Intent: each question is a document with cases that runs, whose digest is that of the
// same document run from one end to the other; its sentence, charts, tables and the page to
// print hold words and finite numbers alone.
func TestEveryQuestion(t *testing.T) {
	odd := regexp.MustCompile(`NaN|Inf|%!|undefined`)
	for _, text := range []string{counted, machines} {
		for i := range questions {
			v := ask(t, text)
			v.Question, v.Several = questions[i].key, true
			a := v.run(t)
			doc := a.Plan.Doc
			again, err := experiment.Decode(experiment.Encode(doc))
			if err != nil || again.Identity() != doc.Identity() || len(doc.Vary) != 1 || len(doc.Schedulers) != 1 {
				t.Fatalf("%s: %v", v.Question, err)
			}
			if want := summed(t, again); a.Digest != want {
				t.Errorf("%s: digest %s, want %s", v.Question, a.Digest, want)
			}
			all := a.Headline() + a.CostLine() + string(a.Sheet(false, "M0 0", 20))
			for _, w := range []float64{330, 700} {
				for _, relative := range []bool{false, true} {
					for _, weeks := range []bool{false, true} {
						d := a.WhoChart(w, relative, weeks)
						all += string(d.SVG()) + d.Aria + d.Empty
					}
				}
			}
			if a.Plan.Sizes != nil {
				d := a.HowMany(400, 260)
				all += string(d.SVG()) + d.Aria
			}
			for _, g := range [][][]string{a.table().Cells, a.table().Raw, v.Others().Cells, a.Payers().Cells} {
				for _, row := range g {
					all += strings.Join(row, " ")
				}
			}
			if found := odd.FindString(all); found != "" {
				at := strings.Index(all, found)
				t.Errorf("%s says %q: …%s", v.Question, found, all[max(0, at-80):at+20])
			}
		}
	}
}

// summed is the digest of a document by a loop over its points.
func summed(t *testing.T, doc *experiment.Experiment) string {
	t.Helper()
	sum, points := experiment.NewDigester(), doc.Points()
	for i := range points.Len() {
		one, err := points.At(i)
		if err != nil {
			t.Fatal(err)
		}
		p, err := lab.Prepare(one, lab.Env{})
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range p.Runs() {
			got, err := p.Run(id, lab.Options{})
			if err != nil {
				t.Fatal(err)
			}
			sum.Add(got.Block)
		}
	}
	return sum.Sum()
}

// Intent: machines that are added take nobody's number, and belong to the partitions that
// have all of their like.
func TestMachinesAreAdded(t *testing.T) {
	v := ask(t, machines)
	v.Put("count", "2")
	p, err := v.Make()
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "2 GPU machines more" {
		t.Error(p.Name)
	}
	e := p.points[p.Main]
	c := &e.Platform.Clusters[0]
	if len(c.Groups) != 3 || c.Groups[2].Count != 2 || c.Groups[2].GPUs != 2 || c.Groups[1].Count != 6 {
		t.Errorf("%+v", c.Groups)
	}
	for i, want := range []int{1, 2, 0} {
		if n := len(e.Platform.Partitions[i].Nodes); n != want {
			t.Errorf("partition %d has %d spans", i, n)
		}
	}
	if s := e.Platform.Partitions[1].Nodes[1]; s.First != 16 || s.Count != 2 {
		t.Errorf("%+v", s)
	}
	v.Put("like", "0.0")
	if p, err = v.Make(); err != nil || p.points[1].Platform.Partitions[0].Nodes[1].Group == nil || len(p.points[1].Platform.Partitions[1].Nodes) != 1 {
		t.Errorf("%v", err)
	}
	v.Put("count", "-1")
	if _, err := v.Make(); err == nil {
		t.Error("machines that have numbers are taken away")
	}
}

// Intent: who pays for a reservation that is there: without it is before, with it after;
// what it takes is its cost.
func TestSeeWhoPays(t *testing.T) {
	v := ask(t, machines)
	v.restore("book.0..0.go")
	a := v.run(t)
	if a.Plan.Cases[0].Name != "without course" || a.Plan.Cases[1].Name != "with course" || a.Plan.Cases[1].Set != nil {
		t.Errorf("%+v", a.Plan.Cases)
	}
	if c := a.main().Cost; c == nil || c.Taken != 8*20000./3600 || !strings.Contains(strings.ReplaceAll(a.CostLine(), words.NB, " "), "44 processor hours are taken") {
		t.Errorf("%+v %s", c, a.CostLine())
	}
	if n := len(a.Plan.points[0].Platform.Reservations); n != 1 {
		t.Errorf("%d reservations are left without one of two", n)
	}
}

// Intent: two questions together are each alone and both; what cannot be combined is said
// at its field.
func TestCombined(t *testing.T) {
	v := ask(t, counted)
	v.Question = "both"
	p, err := v.Make()
	if err != nil || len(p.Cases) != 4 || p.Main != 3 || len(p.Cases[3].Set) != len(p.Cases[1].Set)+len(p.Cases[2].Set) {
		t.Fatalf("%+v, %v", p, err)
	}
	v.Put("two", "nodes")
	var f fault
	if _, err := v.Make(); !errors.As(err, &f) || f.field != "two" {
		t.Error(err)
	}
}

// Intent: what is typed wrong is said at its field, and asks nothing.
func TestWrongFields(t *testing.T) {
	for _, one := range []struct{ question, key, value string }{
		{"nodes", "count", "four"}, {"nodes", "count", "-64"}, {"load", "load", "0"}, {"load", "load", "x"}, {"outage", "for", "soon"},
		{"outage", "count", "65"}, {"outage", "day", "0"}, {"limit", "to.user", "-1"}, {"book", "hour", "24"}, {"rule", "value.threshold", "a while"},
	} {
		v := ask(t, counted)
		if v.Question = one.question; one.question == "rule" {
			v.Put("what", "threshold")
		}
		v.Put(one.key, one.value)
		var f fault
		if _, err := v.Make(); !errors.As(err, &f) || f.field != one.key || f.text == "" {
			t.Errorf("%v: %v", one, err)
		}
		if v.Run(); v.Failed == "" || v.Running {
			t.Errorf("%v is asked", one)
		}
	}
	v := ask(t, strings.Replace(counted, `{"key":"easy","repeat":5},{"key":"fcfs"}`, `{"key":"as-logged"}`, 1))
	if _, err := v.Make(); err == nil || !strings.Contains(err.Error(), "log's own schedule") {
		t.Error(err)
	}
	v = ask(t, counted)
	v.Draws = "0"
	var f fault
	if _, err := v.Make(); !errors.As(err, &f) || f.field != "draws" {
		t.Error(err)
	}
}

// Intent: what a link says of a question comes back, field by field; what it does not know
// changes nothing.
func TestState(t *testing.T) {
	v := ask(t, counted)
	v.Question, v.Scheduler, v.Draws = "outage", 2, "7"
	v.Put("count", "20")
	v.Put("for", "2d")
	v.Put("known", "false")
	state := v.state()
	w := ask(t, counted)
	w.restore(state)
	if w.state() != state || w.Get("count") != "20" || w.Get("for") != "2d" || w.Get("known") != "false" || w.Scheduler != 2 || w.Draws != "7" {
		t.Errorf("%s: %s", state, w.state())
	}
	v.Question = "load"
	v.Put("load", "1.25")
	if w.restore(v.state()); w.Get("load") != "1.25" {
		t.Error(w.Get("load"))
	}
	before := w.state()
	for _, text := range []string{"", "x", "elsewhere.0.1", "load..", "load.9.1.", "load.-1."} {
		if w.restore(text); w.Question != "load" || w.Get("load") != "1.25" {
			t.Errorf("%q: %s, was %s", text, w.state(), before)
		}
	}
}

// Intent: runs that are there already are not done again; what is stopped keeps what it
// has; an error ends it with a message; another document forgets it all.
func TestRunStopAndGoOn(t *testing.T) {
	v := ask(t, counted)
	v.held, v.Several = true, false
	v.Run()
	if len(v.wait) != 2 { // as many as workers
		t.Fatalf("%d runs at a time", len(v.wait))
	}
	for len(v.wait) > 0 && len(v.runs) < 7 {
		next := v.wait[0]
		v.wait = v.wait[1:]
		next()
	}
	if done, of := v.Done(); of != 10 || int(done) != 7 || v.Answer() == nil || v.Answer().Digest != "" || v.drawn == 0 {
		t.Errorf("%v of %d runs", done, of)
	}
	late := v.wait
	v.Stop()
	if v.Running || len(v.Asked) != 1 || v.Asked[0].main().Rows[0].Pairs != 2 {
		t.Errorf("stopped: %d answers", len(v.Asked))
	}
	for _, answer := range late {
		answer()
	}
	if len(v.runs) != 7 {
		t.Error("a late answer changes something")
	}
	v.held, v.wait = false, nil
	v.Run()
	if done, of := v.Done(); int(done) != of || v.Answer().Digest == "" || len(v.Asked) != 1 || v.Asked[0].main().Rows[0].Pairs != 5 {
		t.Errorf("gone on: %v of %d", done, of)
	}
	v.Page.Query = func(_ *experiment.Experiment, _ string, _ []byte, _ func(int, int), done func([]byte, error)) func() {
		done(nil, errors.New("the log is gone"))
		return func() {}
	}
	v.Put("count", "9")
	if v.Run(); v.Running || v.Failed != "the log is gone" {
		t.Errorf("%q", v.Failed)
	}
	if err := v.Page.Tell(annex.Facts{Document: machines}); err != nil {
		t.Fatal(err)
	}
	if v.Follow(func() {}); v.Plan != nil || v.Asked != nil || v.Failed != "" || v.Answer() != nil {
		t.Error("another document is answered by the last one's answers")
	}
	if v.Page.Tell(annex.Facts{Document: machines, State: "load.0.3.2.go"}); !v.Follow(func() {}) || v.Question != "load" || v.Get("load") != "2" {
		t.Error("a question of a link is not asked")
	}
	if v.Follow(func() {}) {
		t.Error("it is asked twice")
	}
}
