package experiment

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

// Parameters are read by type; what is not set or not there says so.
func TestParams(t *testing.T) {
	p := Params{{"a", int64(5)}, {"b", 2.5}, {"c", true}, {"d", "word"}, {"e", nil}}
	if v, ok := p.Int("a"); v != 5 || !ok {
		t.Error("Int")
	}
	if v, ok := p.Number("b"); v != 2.5 || !ok {
		t.Error("Number")
	}
	if !p.Bool("c") || p.Text("d") != "word" {
		t.Error("Bool or Text")
	}
	if _, ok := p.Int("e"); ok {
		t.Error("null is a number")
	}
	if v, ok := p.Get("e"); v != nil || !ok {
		t.Error("null is not there")
	}
	if _, ok := p.Get("z"); ok || p.Bool("z") || p.Text("z") != "" {
		t.Error("what is not there has a value")
	}
}

// Setting a parameter checks it against the catalog; a wrong value changes
// nothing and is reported at its field.
func TestSetParam(t *testing.T) {
	s, err := NewScheduler("easy")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		key   string
		value any
		want  string
	}{
		{"order", "saf", ""}, {"threshold", 3600, ""}, {"threshold", int64(7200), ""}, {"threshold", nil, ""}, {"ties", "newest", ""},
		{"order", "sav", `params.order: unknown value "sav"; did you mean "saf"?`},
		{"ordr", "saf", `params.ordr: unknown key; did you mean "order"?`},
		{"order", nil, "params.order: must be a string, not null"},
		{"order", 5, "params.order: must be a string"},
		{"threshold", -1, "params.threshold: must be between 0 and"},
		{"threshold", 2.5, "params.threshold: must be a whole number of seconds or null"},
		{"threshold", "1h", "params.threshold: must be a whole number of seconds or null"},
	} {
		before := append(Params{}, s.Params...)
		err := s.SetParam(c.key, c.value)
		if c.want == "" {
			want := c.value
			if v, ok := want.(int); ok {
				want = int64(v)
			}
			if v, _ := s.Params.Get(c.key); err != nil || v != want {
				t.Errorf("%s = %v: %v, %v", c.key, c.value, v, err)
			}
			continue
		}
		var e Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s = %v: %v, want %s", c.key, c.value, err, c.want)
		}
		if !reflect.DeepEqual(s.Params, before) {
			t.Errorf("%s = %v is refused, but changed something", c.key, c.value)
		}
	}
	g, err := NewGenerator("daily")
	if err != nil {
		t.Fatal(err)
	}
	if err := g.SetParam("load", 1); err != nil { // a whole number is a number, too
		t.Error(err)
	}
	if v, ok := g.Params.Number("load"); v != 1 || !ok {
		t.Errorf("load %v", v)
	}
	if err := g.SetParam("load", math.NaN()); err == nil {
		t.Error("NaN is accepted")
	}
	if err := (&Scheduler{Key: "eesy"}).SetParam("order", "saf"); err == nil || err.Error() != `key: unknown scheduler "eesy"; did you mean "easy"?` {
		t.Errorf("%v", err)
	}
	if err := (&Generator{Key: "dail"}).SetParam("jobs", 5); err == nil || err.Error() != `key: unknown generator "dail"; did you mean "daily"?` {
		t.Errorf("%v", err)
	}
}

// An experiment is put together from New and Add, and is then valid.
func TestBuild(t *testing.T) {
	e := New()
	e.Workload.Source.Bundled = "demo"
	s, err := e.Add("easy")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetParam("backfill", "spf"); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Add("nothing-like-it"); err == nil || !strings.Contains(err.Error(), "it is one of as-logged, fcfs") {
		t.Errorf("%v", err)
	}
	if err := e.Validate(); err != nil {
		t.Error(err)
	}
	want := mustDecode(t, strings.Replace(minimal, `"easy"`, `"easy","params":{"backfill":"spf"}`, 1))
	if !reflect.DeepEqual(e, want) {
		t.Errorf("%+v\nwant %+v", e, want)
	}
}

// Labels are short, say what is not at its default, and no two of an
// experiment are equal.
func TestLabels(t *testing.T) {
	for _, c := range []struct{ scheduler, want string }{
		{`{"key":"easy"}`, "EASY"},
		{`{"key":"fcfs"}`, "FCFS"},
		{`{"key":"conservative"}`, "Conservative"},
		{`{"key":"conservative","params":{"order":"saf","ties":"newest"}}`, "Conservative SAF, newest first"},
		{`{"key":"conservative","params":{"order":"formula","formula":"-due"}}`, "Conservative formula, -due"},
		{`{"key":"as-logged"}`, "As logged"},
		{`{"key":"easy","params":{"order":"saf","backfill":"spf"}}`, "EASY SAF/SPF"},
		{`{"key":"easy","params":{"backfill":"spf"}}`, "EASY FCFS/SPF"},
		{`{"key":"easy","params":{"ties":"newest"}}`, "EASY, newest first"},
		{`{"key":"easy","params":{"order":"lexp","threshold":3600}}`, "EASY LEXP/FCFS, threshold 3600 s"},
		{`{"key":"easy","label":"Mine","params":{"order":"lexp"}}`, "Mine"},
	} {
		e := mustDecode(t, strings.Replace(minimal, `{"key":"easy"}`, c.scheduler, 1))
		if got := Label(e.Schedulers[0]); got != c.want {
			t.Errorf("%s is called %q, want %q", c.scheduler, got, c.want)
		}
	}
	if got := Label(Scheduler{Key: "unknown"}); got != "unknown" {
		t.Errorf("%q", got)
	}
	e := mustDecode(t, strings.Replace(minimal, `{"key":"easy"}`,
		`{"key":"easy"},{"key":"easy"},{"key":"fcfs","label":"EASY"},{"key":"easy","label":"EASY (2)"},{"key":"fcfs","label":"EASY"},{"key":"fcfs"}`, 1))
	got := strings.Join(e.Labels(), "|")
	if want := "EASY (3)|EASY (4)|EASY|EASY (2)|EASY (5)|FCFS"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Parameters that came after version 1 leave the canonical form of documents
// that do not use them as it was; those that do read back what they say.
func TestLaterParams(t *testing.T) {
	old := mustDecode(t, strings.Replace(minimal, `{"key":"easy"}`, `{"key":"easy"},{"key":"conservative","params":{"order":"fcfs","ties":"oldest"}}`, 1))
	if text := string(old.Canonical()); !strings.Contains(text, `{"key":"conservative","label":"","params":{},"repeat":1}`) {
		t.Errorf("the canonical form of conservative has new keys: %s", text)
	}
	if text := string(old.Canonical()); strings.Contains(text, "weights") || strings.Contains(text, "formula") {
		t.Errorf("the canonical form of an old document has new keys: %s", text)
	}
	e := New()
	e.Workload.Source.Bundled = "demo"
	s, err := e.Add("easy")
	if err == nil {
		err = errors.Join(s.SetParam("order", "mixed"), s.SetParam("weights", []float64{0.5, -0.1, 0.4}), s.SetParam("scales", []float64{1, 1, 1}))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetParam("weights", []float64{0, 0, 0}); err == nil || !strings.Contains(err.Error(), "all be 0") {
		t.Error(err)
	}
	s2, _ := e.Add("easy")
	if err := errors.Join(s2.SetParam("order", "formula"), s2.SetParam("formula", "q * p / (1 + wait)")); err != nil {
		t.Fatal(err)
	}
	if err := s2.SetParam("formula", "q *"); err == nil || err.Error() != "params.formula: column 4: the end, where a number, a variable, a function or ( is expected" {
		t.Error(err)
	}
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	if text := string(e.Canonical()); !strings.Contains(text, `"weights":[0.5,-0.1,0.4]`) || strings.Contains(text, `"formula":null`) {
		t.Error(text)
	}
	checkStable(t, e)
	if labels := e.Labels(); labels[0] != "EASY mixed/FCFS (0.5, -0.1, 0.4), scales (1, 1, 1)" || labels[1] != "EASY formula/FCFS, q * p / (1 + wait)" {
		t.Error(labels)
	}
	err = errors.Join(s2.SetParam("backfill", "formula"), s2.SetParam("backfill-formula", "-due"), e.Schedulers[0].SetParam("backfill", "mixed"), e.Schedulers[0].SetParam("backfill-weights", []float64{0, 0, -1}))
	if labels := e.Labels(); err != nil || labels[0] != "EASY mixed/mixed (0.5, -0.1, 0.4), scales (1, 1, 1), backfill-weights (0, 0, -1)" || labels[1] != "EASY formula/formula, q * p / (1 + wait), backfill-formula -due" {
		t.Error(err, labels)
	}
	checkStable(t, e)
	if back := mustDecode(t, string(Encode(e))); !reflect.DeepEqual(back.Schedulers[0].Params.Numbers("weights"), []float64{0.5, -0.1, 0.4}) {
		t.Error(back.Schedulers[0].Params)
	}
}

// A rule for jobs without a request came after version 1: the default stays
// out of the document, the other reads back.
func TestNoRequest(t *testing.T) {
	e := mustDecode(t, strings.Replace(minimal, `"workload":{`, `"workload":{"clean":{"no_request":"drop"},`, 1))
	if e.Workload.Clean.NoRequest != "drop" || !strings.Contains(string(e.Canonical()), `"no_request":"drop"`) {
		t.Errorf("%+v", e.Workload.Clean)
	}
	checkStable(t, e)
	e = mustDecode(t, strings.Replace(minimal, `"workload":{`, `"workload":{"clean":{"no_request":"run"},`, 1))
	if e.Identity() != mustDecode(t, minimal).Identity() {
		t.Error("a default that is written out makes another identity")
	}
	if e.Workload.Clean.NoRequest = "later"; e.Validate() == nil {
		t.Error("no_request \"later\" is accepted")
	}
}

// All keys are told to whoever names one that is not like any, however many there
// are of a catalog that grows; only lists that would fill a page are left out.
func TestOneOfMany(t *testing.T) {
	keys := make([]string, 40)
	for i := range keys {
		keys[i] = "scheduler-" + string(rune('a'+i%26)) + string(rune('a'+i/26))
	}
	if got := oneOf("gurobi", keys); !strings.HasPrefix(got, "; it is one of scheduler-aa, ") || !strings.HasSuffix(got, keys[39]) {
		t.Error(got)
	}
	for len(strings.Join(keys, ", ")) <= 1000 {
		keys = append(keys, keys...)
	}
	if got := oneOf("gurobi", keys); got != "" {
		t.Error(got)
	}
}
