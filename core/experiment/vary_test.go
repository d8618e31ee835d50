package experiment

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// varied is a document with three axes, of a number, a choice and a whole
// object.
const varied = `{"batchlab": 1, "title": "T", "workload": {"source": {"generator": {"key": "daily", "params": {"jobs": 50}}}},
"schedulers": [{"key": "fcfs"}, {"key": "easy", "params": {"order": "mixed", "weights": [1, 2, 3]}}],
"vary": [
 {"path": "workload.scale.load", "values": [0.8, 1, 1.2]},
 {"path": "schedulers[1].params.weights[2]", "values": [0, 0.5]},
 {"path": "workload.source.generator.params", "values": [{"jobs": 40}, {"jobs": 60}]}
]}`

// plainAt is the document at a point in the obvious way: the text as any JSON
// reader sees it, with the values put in by hand.
func plainAt(t testing.TB, load, weight float64, jobs int) *Experiment {
	t.Helper()
	return mustDecode(t, fmt.Sprintf(`{"batchlab": 1, "title": "T",
	"workload": {"source": {"generator": {"key": "daily", "params": {"jobs": %d}}}, "scale": {"load": %v}},
	"schedulers": [{"key": "fcfs"}, {"key": "easy", "params": {"order": "mixed", "weights": [1, 2, %v]}}]}`, jobs, load, weight))
}

// Intent: the points are the cross product with the first axis slowest, each
// the document with the values put in and vary taken out, and nothing of the
// document changes by asking for one.
func TestPoints(t *testing.T) {
	e := mustDecode(t, varied)
	before := string(Encode(e))
	p := e.Points()
	if p.Len() != 12 || len(p.Axes()) != 3 {
		t.Fatalf("%d points", p.Len())
	}
	i := 0
	for _, load := range []float64{0.8, 1, 1.2} {
		for _, weight := range []float64{0, 0.5} {
			for _, jobs := range []int{40, 60} {
				got, err := p.At(i)
				if err != nil {
					t.Fatal(err)
				}
				if want := plainAt(t, load, weight, jobs); !reflect.DeepEqual(got, want) {
					t.Errorf("point %d: %s\nwant %s", i, Encode(got), Encode(want))
				}
				name := fmt.Sprintf(`workload.scale.load = %v, schedulers[1].params.weights[2] = %v, workload.source.generator.params = {"jobs":%d}`, load, weight, jobs)
				if p.Name(i) != name {
					t.Errorf("point %d is called %s, want %s", i, p.Name(i), name)
				}
				i++
			}
		}
	}
	if string(Encode(e)) != before {
		t.Error("asking for points changed the document")
	}
	plain := mustDecode(t, minimal)
	if one, err := plain.Points().At(0); plain.Points().Len() != 1 || err != nil || !reflect.DeepEqual(one, plain) {
		t.Errorf("a document that does not vary is one point, itself: %v", err)
	}
}

// Intent: a document that varies goes through files, links and the canonical
// form unchanged, is another experiment than without, and what is written of
// documents that do not vary holds nothing of it.
func TestVaryTravels(t *testing.T) {
	e := mustDecode(t, varied)
	checkStable(t, e)
	plain := e.Clone()
	plain.Vary = nil
	if plain.Identity() == e.Identity() || strings.Contains(string(Encode(plain)), "vary") {
		t.Error("vary is no part of the identity, or stands where nothing varies")
	}
	spaced := mustDecode(t, strings.NewReplacer("0.8, 1, 1.2", "8e-1,1.0 , 1.20", `{"jobs": 40}`, `{ "jobs":40 }`).Replace(varied))
	if spaced.Identity() != e.Identity() {
		t.Error("how values are written changes the identity")
	}
	turned := mustDecode(t, strings.Replace(varied, "0.8, 1, 1.2", "1, 0.8, 1.2", 1))
	if turned.Identity() == e.Identity() {
		t.Error("the order of values is not part of the identity")
	}
	if c := string(e.Canonical()); !strings.Contains(c, `"vary":[{"path":"workload.scale.load","values":[0.8,1,1.2]}`) {
		t.Errorf("canonical form: %s", c)
	}
}

// Intent: whatever is wrong is said with the axis, the value and the path, and
// a wrong path with the nearest that is there.
func TestVaryFaults(t *testing.T) {
	with := func(vary string) string {
		return `{"batchlab": 1, "workload": {"source": {"bundled": "demo"}}, "schedulers": [{"key": "easy"}, {"key": "fcfs"}],` + "\n" + `"vary": ` + vary + `}`
	}
	many := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprint(i)
		}
		return strings.Join(list, ",")
	}
	for _, c := range []struct{ vary, path, message string }{
		{`[{"path": "workload.scale.laod", "values": [1]}]`, "vary[0].path", `"workload.scale.laod" is no place of this document; did you mean "workload.scale.load"?`},
		{`[{"path": "laod", "values": [1]}]`, "vary[0].path", `"laod" is no place of this document; did you mean "workload.scale.load"?`},
		{`[{"path": "scale.laod", "values": [1]}]`, "vary[0].path", `"scale.laod" is no place of this document; did you mean "workload.scale.load"?`},
		{`[{"path": "scale.load", "values": [1]}]`, "vary[0].path", `did you mean "workload.scale.load"?`},
		{`[{"path": "workload.annotate.reservations.shar", "values": [1]}]`, "vary[0].path", `did you mean "workload.annotate.reservations.share"?`},
		{`[{"path": "schedulers[0].params.ordr", "values": ["saf"]}]`, "vary[0].path", `did you mean "schedulers[0].params.order"?`},
		{`[{"path": "schedulers.0.key", "values": ["easy"]}]`, "vary[0].path", `"schedulers.0.key" is no place of this document; did you mean "schedulers[0].key"?`},
		{`[{"path": "schedulers.1.params.ordr", "values": ["saf"]}]`, "vary[0].path", `did you mean "schedulers[1].params.ordr"?`},
		{`[{"path": "schedulers.2.key", "values": ["easy"]}]`, "vary[0].path", "schedulers has 2 entries, counted from 0"},
		{`[{"path": "schedulers[2].repeat", "values": [1]}]`, "vary[0].path", "schedulers has 2 entries, counted from 0"},
		{`[{"path": "schedulers[x]", "values": [1]}]`, "vary[0].path", "is no path"},
		{`[{"path": "", "values": [1]}]`, "vary[0].path", "is no path"},
		{`[{"path": ".seed", "values": [1]}]`, "vary[0].path", "is no path"},
		{`[{"path": "seed.", "values": [1]}]`, "vary[0].path", "is no path"},
		{`[{"path": "seed.x", "values": [1]}]`, "vary[0].path", "is no place"},
		{`[{"path": "seed[0]", "values": [1]}]`, "vary[0].path", "there is no list"},
		{`[{"path": "title", "values": ["a"]}]`, "vary[0].path", "cannot vary"},
		{`[{"path": "vary[0].values", "values": [1]}]`, "vary[0].path", "cannot vary"},
		{`[{"path": "workload.scale.load", "values": [1, 2, 1000]}]`, "vary[0].values[2]", "workload.scale.load: must be between 0.01 and 100, not 1000"},
		{`[{"path": "workload.scale.load", "values": [1000]}]`, "vary[0].values[0]", "workload.scale.load: must be between 0.01 and 100, not 1000"},
		{`[{"path": "seed", "values": [1]}, {"path": "schedulers[0].key", "values": ["easy", "eazy"]}]`, "vary[1].values[1]", `did you mean "easy"?`},
		{`[{"path": "seed", "values": [1, "x"]}]`, "vary[0].values[1]", "seed: must be a number, not a string"},
		{`[{"path": "workload.window", "values": [{"from": 3, "to": 2}]}]`, "vary[0].values[0]", "workload.window.to: must be later than from, 3"},
		{`[{"path": "workload.window.from", "values": [5]}, {"path": "workload.window.to", "values": [9, 4]}]`, "vary[1].values[1]", "must be later than from, 5"},
		{`[{"path": "seed", "values": [1, 2, 1.0]}]`, "vary[0].values[2]", "is there already, as vary[0].values[0]"},
		{`[{"path": "seed", "values": [1]}, {"path": "seed", "values": [2]}]`, "vary[1].path", "varies already, in vary[0].path"},
		{`[{"path": "workload.scale", "values": [{}]}, {"path": "workload.scale.load", "values": [2]}]`, "vary[1].path", "varies already"},
		{`[{"path": "seed", "values": []}]`, "vary[0].values", "must have 1 to 10000 entries, not 0"},
		{`[{"path": "seed"}]`, "vary[0].values", "missing"},
		{`[{"values": [1]}]`, "vary[0].path", "missing"},
		{`[{"path": "seed", "values": [1], "step": 1}]`, "vary[0].step", "unknown key"},
		{`{"path": "seed", "values": [1]}`, "vary", "must be an array, not an object"},
		{`[{"path":"seed","values":[1]},{"path":"measures.tau","values":[1]},{"path":"platform.processors","values":[1]},{"path":"workload.scale.load","values":[1]}]`, "vary", "must have 0 to 3 entries, not 4"},
		{`[{"path": "seed", "values": [` + many(1000) + `]}, {"path": "workload.filter.min_procs", "values": [` + many(101) + `]}]`, "vary", "makes 101000 points; at most 100000 are run"},
		{`[{"path": "seed", "values": [` + many(100) + `]}, {"path": "schedulers[0].params", "values": [{"order": "saf"}, {"ordr": "saf"}]}]`, "vary[1].values[1]", `did you mean "order"?`},
	} {
		_, err := Decode([]byte(with(c.vary)))
		list, ok := err.(Errors)
		if !ok || len(list) == 0 {
			t.Errorf("%s: accepted: %v", c.vary, err)
			continue
		}
		if list[0].Path != c.path || !strings.Contains(list[0].Message, c.message) || list[0].Line != 2 {
			t.Errorf("%.200s:\n%s: %s (line %d)\nwant %s: %s", c.vary, list[0].Path, list[0].Message, list[0].Line, c.path, c.message)
		}
	}
	// A combination that only one point has is found when it is made.
	e := mustDecode(t, with(`[{"path": "workload.window.from", "values": [0, 5]}, {"path": "workload.window.to", "values": [6, 4]}]`))
	if _, err := e.Points().At(2); err != nil {
		t.Errorf("point 3: %v", err)
	}
	_, err := e.Points().At(3)
	if want := "point 4 of 4 (workload.window.from = 5, workload.window.to = 4): workload.window.to: must be later than from, 5"; err == nil || err.Error() != want {
		t.Errorf("point 4: %v", err)
	}
	e = mustDecode(t, with(`[{"path": "seed", "values": [1]}]`))
	e.Vary[0].Values = append(e.Vary[0].Values, "{")
	if err := e.Validate(); err == nil {
		t.Error("a program's value that is no JSON is accepted")
	}
}

// Intent: items go by point, repetition, scheduler, each exactly once, and
// their places are those of the digest, also where an axis changes how many
// runs a point has.
func TestItems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		repeats := rapid.SliceOfN(rapid.IntRange(1, 3), 1, 3).Draw(t, "repeats")
		var lines []string
		for _, r := range repeats {
			lines = append(lines, fmt.Sprintf(`{"key": "easy", "repeat": %d}`, r))
		}
		axis := rapid.SampledFrom([]string{
			`{"path": "seed", "values": [1, 2]}`, `{"path": "schedulers[0].repeat", "values": [3, 1, 2]}`, `{"path": "schedulers", "values": [[{"key": "fcfs"}], [{"key": "fcfs"}, {"key": "easy", "repeat": 2}]]}`,
		}).Draw(t, "axis")
		e, err := Decode([]byte(`{"batchlab": 1, "workload": {"source": {"bundled": "demo"}}, "schedulers": [` + strings.Join(lines, ",") + `], "vary": [` + axis + `, {"path": "measures.tau", "values": [1, 2]}]}`))
		if err != nil {
			t.Fatal(err)
		}
		p := e.Points()
		items, err := p.Items()
		if err != nil {
			t.Fatal(err)
		}
		k := 0
		for i := range p.Len() {
			one, err := p.At(i)
			if err != nil {
				t.Fatal(err)
			}
			runs, place := items.Of(one)
			most := 0
			for _, s := range one.Schedulers {
				most = max(most, int(s.Repeat))
			}
			n := 0
			for r := range most {
				for s := range one.Schedulers {
					if int(one.Schedulers[s].Repeat) <= r {
						continue
					}
					if want := (RunID{s, r}); runs[n] != want || one.Runs()[place[n]] != want {
						t.Fatalf("point %d, item %d: %v at %d", i, n, runs[n], place[n])
					}
					if point, within := items.Point(k); point != i || within != n {
						t.Fatalf("item %d: point %d, %d, want %d, %d", k, point, within, i, n)
					}
					n, k = n+1, k+1
				}
			}
			if items.Count(i) != n || items.First(i) != k-n {
				t.Fatalf("point %d: %d items from %d", i, items.Count(i), items.First(i))
			}
		}
		if items.Len() != k {
			t.Fatalf("%d items, want %d", items.Len(), k)
		}
	})
}

// Intent: a value is JSON of any type, written in one line, and put into JSON
// as it is.
func TestValue(t *testing.T) {
	for text, want := range map[string]string{`"a\u0022b"`: `"a\"b"`, " 1.50 ": "1.50", "[1, null ,{\"a\": true}]": `[1,null,{"a":true}]`} {
		n, err := Value(text).node()
		if err != nil || string(n.value()) != want {
			t.Fatalf("%s: %v, %v", text, n, err)
		}
		if got, err := json.Marshal([]Value{n.value()}); err != nil || string(got) != "["+want+"]" {
			t.Errorf("%s in JSON: %s, %v", text, got, err)
		}
	}
	if _, err := Value("[1").node(); err == nil {
		t.Error("half an array is a value")
	}
	if TextValue("a\"b").String() != `a"b` || NumberValue(0.1).String() != "0.1" {
		t.Error("values for people")
	}
}

// Intent: what is not checked when a long list is read is checked when its point
// is made, so that nothing that is refused ever runs.
func TestLongLists(t *testing.T) {
	values := make([]string, 3000)
	for i := range values {
		values[i] = fmt.Sprint(i)
	}
	values[2900] = `"late"`
	text := `{"batchlab": 1, "workload": {"source": {"bundled": "demo"}}, "schedulers": [{"key": "easy"}], "vary": [{"path": "seed", "values": [` + strings.Join(values, ",") + `]}]}`
	e := mustDecode(t, text)
	if _, err := e.Points().At(2899); err != nil {
		t.Error(err)
	}
	if _, err := e.Points().At(2900); err == nil || err.Error() != "point 2901 of 3000 (seed = late): seed: must be a number, not a string" {
		t.Errorf("a late fault: %v", err)
	}
}

// Intent: what stands at a place can be asked for, defaults included, and put
// back; a place that is not there or a value that it refuses is named.
func TestValueAtAndWith(t *testing.T) {
	e := mustDecode(t, varied)
	for path, want := range map[string]Value{
		"workload.scale.load": "1", "workload.source.generator.params.jobs": "50", "schedulers[1].params.weights": "[1,2,3]",
		"schedulers[1].params.weights[2]": "3", "schedulers[0].key": `"fcfs"`, "schedulers[1].params.threshold": "null",
		"schedulers[2].key": "", "workload.scale.lod": "", "workload..scale": "", "seed[0]": "",
	} {
		if got, ok := e.ValueAt(path); got != want || ok != (want != "") {
			t.Errorf("%s: %s, %v, want %s", path, got, ok, want)
		}
	}
	got, err := e.With("workload.scale.load", "1.5")
	if err != nil || got.Workload.Scale.Load != 1.5 || len(got.Vary) != 0 || e.Workload.Scale.Load != 1 {
		t.Errorf("with another load: %+v, %v", got, err)
	}
	for path, value := range map[string]Value{"workload.scale.load": "-1", "workload.scale.lod": "1", "schedulers[9].repeat": "1", "tau": "", "vary": "[]"} {
		if _, err := e.With(path, value); err == nil || len(Faults(err)) != 1 {
			t.Errorf("%s = %s: %v", path, value, err)
		}
	}
}

// Intent: counting the runs of very many points looks at each choice of
// schedulers once, whatever else varies, and agrees with looking at all.
func TestItemsOfManyPoints(t *testing.T) {
	var loads []string
	for i := range 500 {
		loads = append(loads, fmt.Sprint(float64(i+1)/100))
	}
	e := mustDecode(t, `{"batchlab": 1, "workload": {"source": {"generator": {"key": "daily"}}}, "schedulers": [{"key": "fcfs"}, {"key": "easy"}],
	"vary": [{"path": "workload.scale.load", "values": [`+strings.Join(loads, ",")+`]}, {"path": "schedulers[1].repeat", "values": [1, 2, 3]},
	{"path": "schedulers[0].repeat", "values": [2, 1]}]}`)
	items, err := e.Points().Items()
	if err != nil || items.Uniform() || items.Len() != 500*(3*3+2*6) {
		t.Fatalf("%d items, %v", items.Len(), err)
	}
	for i := 0; i < 3000; i += 7 {
		one, err := e.Points().At(i)
		if err != nil || items.Count(i) != len(one.Runs()) {
			t.Errorf("point %d: %d items, %d runs, %v", i, items.Count(i), len(one.Runs()), err)
		}
	}
}
