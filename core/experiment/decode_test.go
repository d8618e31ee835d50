package experiment

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
)

// hash is some SHA-256.
const hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// minimal is the shortest kind of valid document.
const minimal = `{"batchlab":1,"workload":{"source":{"bundled":"demo"}},"schedulers":[{"key":"easy"}]}`

// everything sets every key of the document to something else than its default.
const everything = `{"batchlab": 1, "title": "All keys", "seed": 9007199254740991,
"workload": {
  "source": {"log": {"name": "KTH-SP2.swf", "sha256": "` + hash + `", "size": 123456789012}},
  "clean": {"overrun": "extend", "oversize": "clamp"},
  "filter": {"users": [1, 2], "exclude_users": [-1], "min_procs": 2, "max_procs": 64, "min_run": 60, "max_run": 86400},
  "window": {"from": -5, "to": 604800},
  "scale": {"load": 1.25, "time": 0.5}},
"platform": {"processors": 128},
"schedulers": [
  {"key": "easy", "label": "Ours", "params": {"order": "saf", "backfill": "spf", "ties": "newest", "threshold": 200000}, "repeat": 3},
  {"key": "fcfs", "params": {"ties": "newest"}},
  {"key": "conservative"}, {"key": "as-logged"}],
"measures": {"tau": 60, "from": 0, "to": 100},
"expect": {"digest": "` + hash + `"}}`

func mustDecode(t testing.TB, text string) *Experiment {
	t.Helper()
	e, err := Decode([]byte(text))
	if err != nil {
		t.Fatalf("%v\nin %s", err, text)
	}
	return e
}

// comesBack checks that an experiment is the same after a link, and after a file.
func comesBack(t *testing.T, e *Experiment) {
	t.Helper()
	if link, err := DecodeLink(EncodeLink(e)); err != nil || !reflect.DeepEqual(link, e) {
		t.Errorf("link: %+v, %v", link, err)
	}
	if got := mustDecode(t, string(Encode(e))); !reflect.DeepEqual(got, e) {
		t.Errorf("file: %+v", got)
	}
}

// eachCounts checks that each change of a document, "old|new", makes another
// experiment than the document and all changes before it.
func eachCounts(t *testing.T, text string, changes ...string) {
	t.Helper()
	seen := map[string]bool{mustDecode(t, text).Identity(): true}
	for _, change := range changes {
		old, with, _ := strings.Cut(change, "|")
		id := mustDecode(t, strings.Replace(text, old, with, 1)).Identity()
		if seen[id] {
			t.Errorf("%s changes nothing", change)
		}
		seen[id] = true
	}
}

// A minimal document gets the defaults that version 1 promises.
func TestDefaults(t *testing.T) {
	want := New()
	want.Workload.Source.Bundled = "demo"
	want.Schedulers = []Scheduler{{Key: "easy", Repeat: 1, Params: Params{
		{"order", "fcfs"}, {"backfill", "fcfs"}, {"ties", "oldest"}, {"threshold", nil}, {"weights", nil}, {"scales", nil}, {"formula", nil}, {"backfill-weights", nil}, {"backfill-scales", nil}, {"backfill-formula", nil}, {"orders-by", "request"}, {"backfill-by", "request"}}}}
	if got := mustDecode(t, minimal); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

// Every key of a document reaches its field, integers to the last digit.
func TestEveryKey(t *testing.T) {
	number := func(v int64) *int64 { return &v }
	want := &Experiment{
		Title: "All keys", Seed: MaxInteger, Expect: hash,
		Workload: Workload{
			Source: Source{Log: &Log{Name: "KTH-SP2.swf", SHA256: hash, Size: 123456789012}},
			Clean:  Clean{Overrun: "extend", Oversize: "clamp"},
			Filter: Filter{Users: []int64{1, 2}, ExcludeUsers: []int64{-1}, MinProcs: 2, MaxProcs: 64, MinRun: 60, MaxRun: 86400},
			Window: Window{From: number(-5), To: number(604800)},
			Scale:  Scale{1.25, 0.5, 0}, Annotate: New().Workload.Annotate,
		},
		Platform: Platform{Processors: 128},
		Schedulers: []Scheduler{
			{Key: "easy", Label: "Ours", Repeat: 3, Params: Params{{"order", "saf"}, {"backfill", "spf"}, {"ties", "newest"}, {"threshold", int64(200000)}, {"weights", nil}, {"scales", nil}, {"formula", nil}, {"backfill-weights", nil}, {"backfill-scales", nil}, {"backfill-formula", nil}, {"orders-by", "request"}, {"backfill-by", "request"}}},
			{Key: "fcfs", Repeat: 1, Params: Params{{"ties", "newest"}}},
			{Key: "conservative", Repeat: 1, Params: Params{{"order", "fcfs"}, {"ties", "oldest"}, {"weights", nil}, {"scales", nil}, {"formula", nil}, {"orders-by", "request"}, {"depth", nil}, {"plan-by", "request"}}},
			{Key: "as-logged", Repeat: 1, Params: Params{}},
		},
		Measures: Measures{Tau: 60, From: number(0), To: number(100)},
	}
	if got := mustDecode(t, everything); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

// Each fault is named with its path, and says what is wanted.
func TestFaults(t *testing.T) {
	with := func(part string) string { // a valid document with one more part
		return strings.Replace(minimal, `"batchlab":1,`, `"batchlab":1,`+part+`,`, 1)
	}
	scheduler := func(s string) string { return strings.Replace(minimal, `{"key":"easy"}`, s, 1) }
	source := func(s string) string { return strings.Replace(minimal, `{"bundled":"demo"}`, s, 1) }
	workload := func(s string) string { return strings.Replace(minimal, `"workload":{`, `"workload":{`+s+`,`, 1) }
	for _, c := range []struct{ text, want string }{
		{`{"batchlab":1,"schedulers":[{"key":"fcfs"},{"key":"fcfs"},{"key":"easy","params":{"ordr":"saf"}}],"workload":{"source":{"bundled":"demo"}}}`,
			`schedulers[2].params.ordr: unknown key; did you mean "order"?`},
		{with(`"sede":1`), `sede: unknown key; did you mean "seed"?`},
		{with(`"nonsense":1`), `nonsense: unknown key`},
		{with(`"we ird":1`), `["we ird"]: unknown key`},
		{with(`"seed":1,"seed":2`), `seed: duplicate key`},
		{with(`"seed":1,"\u0073eed":2`), `seed: duplicate key`},
		{with(`"seed":"1"`), `seed: must be a number, not a string`},
		{with(`"seed":null`), `seed: must be a number, not null`},
		{with(`"seed":1.0`), `seed: must be a whole number without point or exponent, not 1.0`},
		{with(`"seed":-1`), `seed: must be between 0 and 9007199254740991, not -1`},
		{with(`"seed":9007199254740992`), `seed: must be between 0 and 9007199254740991, not 9007199254740992`},
		{with(`"seed":99999999999999999999`), `seed: must be between 0 and 9007199254740991, not 99999999999999999999`},
		{with(`"title":5`), `title: must be a string, not a number`},
		{with(`"title":"a\u0000b"`), `title: must not hold control characters`},
		{with(`"title":"` + strings.Repeat("ä", 201) + `"`), `title: must have at most 200 characters, not 201`},
		{with(`"title":"\ud800"`), `title: the text holds half a surrogate pair (\ud800 … \udfff), which is not valid Unicode`},
		{with(`"measures":{"tau":0}`), `measures.tau: must be between 1 and 1000000000, not 0`},
		{with(`"measures":{"from":10,"to":10}`), `measures.to: must be later than from, 10`},
		{with(`"measures":[]`), `measures: must be an object, not an array`},
		{with(`"platform":{"processors":-4}`), `platform.processors: must be between 0 and 100000000, not -4`},
		{with(`"expect":{}`), `expect.digest: missing`},
		{with(`"expect":{"digest":"abc"}`), `expect.digest: must be a SHA-256: 64 hexadecimal digits in lower case`},
		{`{"batchlab":1,"schedulers":[{"key":"easy"}]}`, `workload: missing`},
		{`{"batchlab":1,"workload":{"source":{"bundled":"demo"}}}`, `schedulers: missing`},
		{`{"batchlab":1,"schedulers":[{"key":"easy"}],"workload":{}}`, `workload.source: missing`},
		{source(`{}`), `workload.source: must hold exactly one of log, bundled, generator and inline`},
		{source(`{"bundled":"demo","log":{}}`), `workload.source: must hold exactly one of log, bundled, generator and inline`},
		{source(`{"bundled":"demmo"}`), `workload.source.bundled: unknown bundled workload "demmo"; did you mean "demo"?`},
		{source(`{"generator":{"key":"dayly"}}`), `workload.source.generator.key: unknown generator "dayly"; did you mean "daily"?`},
		{source(`{"generator":{"key":"daily","params":{"jobs":0}}}`), `workload.source.generator.params.jobs: must be between 1 and 1000000, not 0`},
		{source(`{"generator":{"key":"daily","params":{"load":"much"}}}`), `workload.source.generator.params.load: must be a number`},
		{source(`{"generator":{}}`), `workload.source.generator.key: missing`},
		{source(`{"log":{"sha256":"` + hash + `","size":1}}`), `workload.source.log.name: missing`},
		{source(`{"log":{"name":"","sha256":"` + hash + `","size":1}}`), `workload.source.log.name: must be a text that is not empty`},
		{source(`{"log":{"name":"a","size":1}}`), `workload.source.log.sha256: missing`},
		{source(`{"log":{"name":"a","sha256":"` + strings.ToUpper(hash) + `","size":1}}`), `workload.source.log.sha256: must be a SHA-256: 64 hexadecimal digits in lower case`},
		{source(`{"log":{"name":"a","sha256":"` + hash + `"}}`), `workload.source.log.size: missing`},
		{source(`{"log":{"name":"a","sha256":"` + hash + `","size":0}}`), `workload.source.log.size: must be between 1 and 1099511627776, not 0`},
		{workload(`"clean":{"overrun":"stop"}`), `workload.clean.overrun: unknown rule "stop"`},
		{workload(`"clean":{"oversize":true}`), `workload.clean.oversize: must be a string, not true or false`},
		{workload(`"filter":{"users":[1,"2"]}`), `workload.filter.users[1]: must be a number, not a string`},
		{workload(`"filter":{"users":[1,2.5]}`), `workload.filter.users[1]: must be a whole number without point or exponent, not 2.5`},
		{workload(`"filter":{"exclude_users":{}}`), `workload.filter.exclude_users: must be an array, not an object`},
		{workload(`"filter":{"min_procs":8,"max_procs":4}`), `workload.filter.max_procs: must be 0 (no bound) or at least 8, not 4`},
		{workload(`"filter":{"min_run":-1}`), `workload.filter.min_run: must be between 0 and 9007199254740991, not -1`},
		{workload(`"window":{"from":"monday"}`), `workload.window.from: must be a number or null, not a string`},
		{workload(`"window":{"from":5,"to":5}`), `workload.window.to: must be later than from, 5`},
		{workload(`"scale":{"load":0}`), `workload.scale.load: must be between 0.01 and 100, not 0`},
		{workload(`"scale":{"time":1e999}`), `workload.scale.time: must be a finite number, not 1e999`},
		{scheduler(`{"key":"eesy"}`), `schedulers[0].key: unknown scheduler "eesy"; did you mean "easy"?`},
		{scheduler(`{}`), `schedulers[0].key: missing`},
		{scheduler(`5`), `schedulers[0]: must be an object, not a number`},
		{scheduler(`{"key":"easy","params":{"order":"sav"}}`), `schedulers[0].params.order: unknown value "sav"; did you mean "saf"?`},
		{scheduler(`{"key":"easy","params":{"order":null}}`), `schedulers[0].params.order: must be a string, not null`},
		{scheduler(`{"key":"easy","params":{"order":"mixed"}}`), `schedulers[0].params.weights: must be an array of 3 or 6 numbers: order "mixed" needs it`},
		{scheduler(`{"key":"easy","params":{"order":"formula","formula":null}}`), `schedulers[0].params.formula: must be a formula: order "formula" needs it`},
		{scheduler(`{"key":"easy","params":{"order":"mixed","weights":[0,0,0]}}`), `schedulers[0].params.weights: must not all be 0`},
		{scheduler(`{"key":"easy","params":{"order":"mixed","weights":[1,2]}}`), `schedulers[0].params.weights: must have 3 numbers (q, p, wait) or 6 (q, p, wait, rho, exp, a), not 2`},
		{scheduler(`{"key":"easy","params":{"order":"mixed","weights":[1,2,3,4,5,6,7]}}`), `schedulers[0].params.weights: must have 3 numbers`},
		{scheduler(`{"key":"easy","params":{"order":"mixed","weights":[1,"2",3]}}`), `schedulers[0].params.weights[1]: must be a number, not a string`},
		{scheduler(`{"key":"easy","params":{"order":"mixed","weights":[1,1e999,3]}}`), `schedulers[0].params.weights[1]: must be a finite number`},
		{scheduler(`{"key":"easy","params":{"order":"mixed","weights":"1,2,3"}}`), `schedulers[0].params.weights: must be an array of 3 or 6 numbers or null`},
		{scheduler(`{"key":"easy","params":{"order":"mixed","weights":[1,2,3],"scales":[1,0,1]}}`), `schedulers[0].params.scales: number 2 must be between 1e-12 and`},
		{scheduler(`{"key":"easy","params":{"order":"formula","formula":"q / 0"}}`), `schedulers[0].params.formula: column 3: division by zero`},
		{scheduler(`{"key":"easy","params":{"order":"formula","formula":"q + runtime"}}`), `schedulers[0].params.formula: column 5: unknown name "runtime"`},
		{scheduler(`{"key":"easy","params":{"order":"formula","formula":5}}`), `schedulers[0].params.formula: must be a formula or null, not a number`},
		{scheduler(`{"key":"easy","params":{"backfill":"mixed"}}`), `schedulers[0].params.backfill-weights: must be an array of 3 or 6 numbers: backfill "mixed" needs it`},
		{scheduler(`{"key":"easy","params":{"backfill":"formula","formula":"q"}}`), `schedulers[0].params.backfill-formula: must be a formula: backfill "formula" needs it`},
		{scheduler(`{"key":"easy","params":{"backfill":"slowest"}}`), `schedulers[0].params.backfill: unknown value "slowest"`},
		{scheduler(`{"key":"easy","params":{"threshold":-1}}`), `schedulers[0].params.threshold: must be between 0 and`},
		{scheduler(`{"key":"easy","params":{"threshold":"12h"}}`), `schedulers[0].params.threshold: must be a whole number of seconds or null`},
		{scheduler(`{"key":"easy","params":{"threshold":[]}}`), `schedulers[0].params.threshold: must be a whole number of seconds or null, not an array`},
		{scheduler(`{"key":"conservative","params":{"backfill":"spf"}}`), `schedulers[0].params.backfill: unknown key`},
		{scheduler(`{"key":"as-logged","params":{"ties":"newest"}}`), `schedulers[0].params.ties: unknown key`},
		{scheduler(`{"key":"easy","repeat":1001}`), `schedulers[0].repeat: must be between 1 and 1000, not 1001`},
		{scheduler(`{"key":"easy","label":"` + strings.Repeat("x", 61) + `"}`), `schedulers[0].label: must have at most 60 characters, not 61`},
		{scheduler(``), `schedulers: must have 1 to 64 entries, not 0`},
		{scheduler(`{"key":"easy"}` + strings.Repeat(`,{"key":"easy"}`, 64)), `schedulers: must have 1 to 64 entries, not 65`},
	} {
		_, err := Decode([]byte(c.text))
		var errs Errors
		if !errors.As(err, &errs) {
			t.Errorf("%s\nis accepted (%v)", c.text, err)
			continue
		}
		if len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), c.want) {
			t.Errorf("%s\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

// All faults of a document are reported together, in its order, with lines.
func TestAllFaultsTogether(t *testing.T) {
	_, err := Decode([]byte(`{"batchlab": 1,
 "seed": -1,
 "workload": {"source": {"bundled": "demo"},
   "window": {"form": 3}},
 "schedulers": [
   {"key": "easy", "params": {"order": "x1"}},
   {"key": "fcfs", "repeat": 0}]}`))
	errs, _ := err.(Errors)
	var got []string
	for _, e := range errs {
		got = append(got, fmt.Sprintf("%d %s", e.Line, e.Path))
	}
	want := []string{"2 seed", "4 workload.window.form", "6 schedulers[0].params.order", "7 schedulers[1].repeat"}
	if !slices.Equal(got, want) {
		t.Errorf("%v\nwant %v\n%v", got, want, err)
	}
	if e := errs.At("schedulers[1].repeat"); e == nil || e.Message != "must be between 1 and 1000, not 0" {
		t.Errorf("at the field: %v", e)
	}
	if errs.At("title") != nil {
		t.Error("a fault where there is none")
	}
}

// What is not an experiment at all is refused with line and column, or with
// what it is.
func TestNotADocument(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", ``, `line 1, column 1: the document ends too early`},
		{"cut off", "{\"batchlab\":1,\n\"seed\":", `line 2, column 8: the document ends too early`},
		{"not JSON", "{\"batchlab\":1,\n  seed:1}", `line 2, column 3: not JSON: invalid character 's'`},
		{"comma too many", `{"batchlab":1,}`, `line 1, column 15: not JSON`},
		{"trailing data", minimal + "\n\n 5", `line 3, column 2: something follows the end of the document`},
		{"two documents", minimal + minimal, `something follows`},
		{"array", `[1]`, `a document is an object, not an array`},
		{"null", `null`, `a document is an object, not null`},
		{"other object", `{"a":1}`, `batchlab: missing: this is not an experiment of Batchlab`},
		{"version of the wrong type", `{"batchlab":"1"}`, `batchlab: must be the document's version`},
		{"version 0", `{"batchlab":0}`, `batchlab: must be the document's version`},
		{"newer version", `{"batchlab":7,"new":true}`, `batchlab: this experiment was written by a newer Batchlab (version 7 of the document; this one reads up to 1)`},
		{"invalid UTF-8", "{\"batchlab\":1,\n\"title\":\"a\xffb\"}", `line 2, column 11: the text is not valid UTF-8`},
		{"NaN", `{"batchlab":1,"seed":NaN}`, `line 1, column 22: not JSON`},
		{"too large", strings.Repeat(" ", MaxFile) + minimal, `the document has 4194389 bytes; at most 4194304 are read`},
	} {
		_, err := Decode([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	if _, err := Decode([]byte("\ufeff" + minimal)); err != nil {
		t.Errorf("a byte order mark: %v", err)
	}
}

// Hostile documents end in a message, and a short one.
func TestHostileDocuments(t *testing.T) {
	many := strings.Builder{}
	for i := 0; many.Len() < MaxBytes-100; i++ {
		fmt.Fprintf(&many, `"x%d":1,`, i)
	}
	for _, c := range []struct{ name, text, want string }{
		{"nested arrays", strings.Repeat("[", 10000) + strings.Repeat("]", 10000), "more than 32 objects and arrays within each other"},
		{"nested arrays, open", strings.Repeat("[", 60000), "more than 32"},
		{"nested in a document", `{"batchlab":1,"title":` + strings.Repeat("[", 10000) + strings.Repeat("]", 10000) + `}`, "line 1, column 54: more than 32"},
		{"nested objects", strings.Repeat(`{"a":`, 10000) + "1" + strings.Repeat("}", 10000), "more than 32"},
		{"many unknown keys", `{` + many.String() + `"batchlab":1}`, "more errors"},
		{"many duplicates", `{"batchlab":1` + strings.Repeat(`,"a":1`, 10000) + `}`, "more errors"},
		{"many schedulers", `{"batchlab":1,"schedulers":[` + strings.Repeat(`{},`, 20000) + `{}]}`, "must have 1 to 64 entries, not 20001"},
		{"many users", `{"batchlab":1,"workload":{"filter":{"users":[` + strings.Repeat(`1,`, 30000) + `1]}}}`, "must have 0 to 500 entries, not 30001"},
		{"long number", `{"batchlab":1,"seed":` + strings.Repeat("9", 60000) + `}`, "must be between 0 and 9007199254740991, not 999"},
		{"long key", `{"batchlab":1,"` + strings.Repeat("k", 60000) + `":1}`, "unknown key"},
	} {
		_, err := Decode([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.300v, want %s", c.name, err, c.want)
		}
		if err != nil && len(err.Error()) > 20000 {
			t.Errorf("%s: the message has %d bytes", c.name, len(err.Error()))
		}
	}
}

// A program's experiment gets the same errors as its document would.
func TestValidate(t *testing.T) {
	valid := func() *Experiment { return mustDecode(t, everything) }
	if err := valid().Validate(); err != nil {
		t.Fatal(err)
	}
	number := func(v int64) *int64 { return &v }
	for _, c := range []struct {
		want  string
		spoil func(e *Experiment)
	}{
		{"seed: must be between 0 and 9007199254740991", func(e *Experiment) { e.Seed = math.MaxUint64 }},
		{"title: is not valid UTF-8", func(e *Experiment) { e.Title = "a\xff" }},
		{"workload.source: must hold exactly one of", func(e *Experiment) { e.Workload.Source.Bundled = "demo" }},
		{"workload.source: must hold exactly one of", func(e *Experiment) { e.Workload.Source = Source{} }},
		{"workload.source.log.sha256: must be a SHA-256", func(e *Experiment) { e.Workload.Source.Log.SHA256 = "" }},
		{"workload.source.log.size: must be between 1", func(e *Experiment) { e.Workload.Source.Log.Size = 0 }},
		{`workload.clean.overrun: unknown rule ""`, func(e *Experiment) { e.Workload.Clean.Overrun = "" }},
		{"workload.filter.users[1]: must be between", func(e *Experiment) { e.Workload.Filter.Users[1] = math.MaxInt64 }},
		{"workload.filter.users: must have 0 to 500", func(e *Experiment) { e.Workload.Filter.Users = make([]int64, 501) }},
		{"workload.filter.max_run: must be 0", func(e *Experiment) { e.Workload.Filter.MaxRun = 1 }},
		{"workload.window.to: must be later", func(e *Experiment) { e.Workload.Window.To = number(-9) }},
		{"workload.scale.load: must be a finite number", func(e *Experiment) { e.Workload.Scale.Load = math.NaN() }},
		{"workload.scale.time: must be between", func(e *Experiment) { e.Workload.Scale.Time = 0 }},
		{"schedulers: must have 1 to 64 entries, not 0", func(e *Experiment) { e.Schedulers = nil }},
		{`schedulers[1].key: unknown scheduler "fcsf"; did you mean "fcfs"?`, func(e *Experiment) { e.Schedulers[1].Key = "fcsf" }},
		{"schedulers[0].repeat: must be between 1", func(e *Experiment) { e.Schedulers[0].Repeat = 0 }},
		{`schedulers[0].params.order: unknown value "q"`, func(e *Experiment) { e.Schedulers[0].Params[0].Value = "q" }},
		{"schedulers[0].params.threshold: must be a whole number of seconds or null", func(e *Experiment) { e.Schedulers[0].Params[3].Value = 7 }},
		{"schedulers[0].params.threshold: missing", func(e *Experiment) { e.Schedulers[0].Params = e.Schedulers[0].Params[:3] }},
		{"schedulers[3].params.x: unknown key", func(e *Experiment) { e.Schedulers[3].Params = Params{{"x", nil}} }},
		{"measures.tau: must be between 1", func(e *Experiment) { e.Measures.Tau = 0 }},
		{"expect.digest: must be a SHA-256", func(e *Experiment) { e.Expect = "x" }},
	} {
		e := valid()
		c.spoil(e)
		before := e.Clone()
		err := e.Validate()
		if errs, _ := err.(Errors); len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
		if !reflect.DeepEqual(e, before) && !math.IsNaN(e.Workload.Scale.Load) {
			t.Errorf("%s: checking changed the experiment", c.want)
		}
	}
}

// Every preset of the catalog is a valid experiment, and the default runs what
// the first visit promises.
func TestPresets(t *testing.T) {
	for _, key := range catalog.PresetKeys() {
		if _, err := Preset(key); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
	if _, err := Preset("dmeo"); err == nil || !strings.Contains(err.Error(), `did you mean "demo"?`) {
		t.Errorf("%v", err)
	}
	e, _ := Preset("demo")
	jobs, _ := e.Workload.Source.Generator.Params.Int("jobs")
	if jobs != 2000 || e.Platform.Processors != 100 || len(e.Schedulers) != 3 || e.Schedulers[0].Repeat != 5 || e.Measures.Tau != 10 {
		t.Errorf("%+v", e)
	}
}

// A clone shares nothing with its original.
func TestClone(t *testing.T) {
	e := mustDecode(t, everything)
	c := e.Clone()
	if !reflect.DeepEqual(c, e) {
		t.Fatalf("%+v\nwant %+v", c, e)
	}
	c.Workload.Source.Log.Name = "other"
	c.Workload.Filter.Users[0], c.Workload.Filter.ExcludeUsers[0] = 99, 99
	*c.Workload.Window.From, *c.Measures.To = -99, 9999
	c.Schedulers[0].Params[0].Value = "lqf"
	if !reflect.DeepEqual(e, mustDecode(t, everything)) {
		t.Error("changing the clone changed the original")
	}
}

// There is one upgrader for every step from version 1 to this one.
func TestUpgraders(t *testing.T) {
	if len(upgraders) != Version-1 {
		t.Errorf("%d upgraders up to version %d", len(upgraders), Version)
	}
}

// One machine may have as many processors as a platform that is given by their
// number alone; more, or more together than can be counted, are refused with words.
func TestProcessorsOfAGroup(t *testing.T) {
	platform := func(groups string) string {
		return strings.Replace(minimal, `"schedulers"`, `"platform":{"clusters":[{"name":"a","groups":[`+groups+`]}]},"schedulers"`, 1)
	}
	alone := mustDecode(t, strings.Replace(minimal, `"schedulers"`, `"platform":{"processors":100000000},"schedulers"`, 1))
	if e := mustDecode(t, platform(`{"processors":100000000}`)); e.Platform.Clusters[0].Groups[0].Processors != alone.Platform.Processors {
		t.Error(e.Platform)
	}
	for groups, want := range map[string]string{
		`{"processors":100000001}`:               "platform.clusters[0].groups[0].processors: must be between 1 and 100000000, not 100000001",
		`{"count":10000,"processors":100000000}`: "platform.clusters: must have at most 2147483647 processors together, not 1000000000000",
	} {
		if _, err := Decode([]byte(platform(groups))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", groups, err)
		}
	}
}

// Intent: how a log's file is to be read is kept through link and text, is part of the
// identity where it is said, and changes no canonical form where it is not; a format
// that nobody reads is a fault, and files beside a log have none.
func TestReadingOfLog(t *testing.T) {
	text := func(more string) string {
		return `{"batchlab":1,"workload":{"source":{"log":{"name":"jobs.psv","sha256":"` + hash + `","size":9` + more + `}}},"schedulers":[{"key":"fcfs"}]}`
	}
	plain, said := mustDecode(t, text("")), mustDecode(t, text(`,"format":"sacct","zone":"Europe/Prague"`))
	if l := said.Workload.Source.Log; l.Format != "sacct" || l.Zone != "Europe/Prague" {
		t.Errorf("%+v", l)
	}
	if back, err := DecodeLink(EncodeLink(said)); err != nil || !reflect.DeepEqual(back, said) {
		t.Errorf("%v %+v", err, back)
	}
	if a, b := string(plain.Canonical()), string(said.Canonical()); strings.Contains(a, "format") || strings.Contains(a, "zone") || !strings.Contains(b, `"format":"sacct"`) || !strings.Contains(b, `"zone":"Europe/Prague"`) {
		t.Errorf("%s\n%s", a, b)
	}
	told := mustDecode(t, text(`,"columns":{"submit":"asked at","job":"n"}`))
	if l := told.Workload.Source.Log; fmt.Sprint(l.ColumnMap()) != "map[job:n submit:asked at]" || plain.Workload.Source.Log.ColumnMap() != nil {
		t.Errorf("%+v", l)
	}
	if again := mustDecode(t, string(told.Canonical())); !reflect.DeepEqual(again, told) || strings.Contains(string(plain.Canonical()), "columns") {
		t.Errorf("%s", told.Canonical())
	}
	if _, err := Decode([]byte(text(`,"columns":{"submitted":"asked at"}`))); err == nil || !strings.Contains(err.Error(), "workload.source.log.columns.submitted: unknown key") {
		t.Error(err)
	}
	if _, err := Decode([]byte(text(`,"format":"sact"`))); err == nil || !strings.Contains(err.Error(), `workload.source.log.format: unknown format of a log "sact"; did you mean "sacct"?`) {
		t.Error(err)
	}
	if _, err := Decode([]byte(`{"batchlab":1,"workload":{"source":{"bundled":"demo"},"annotate":{"file":{"name":"a.csv","sha256":"` + hash + `","size":9,"zone":"UTC"}}},"schedulers":[{"key":"fcfs"}]}`)); err == nil {
		t.Error("a file of annotations has a zone")
	}
}
