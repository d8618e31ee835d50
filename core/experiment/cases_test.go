package experiment

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const withCases = `{"batchlab": 1, "title": "T", "workload": {"source": {"generator": {"key": "daily", "params": {"jobs": 50}}}},
"platform": {"clusters": [{"name": "main", "groups": [{"count": 4, "processors": 8}, {"count": 2, "processors": 8, "gpus": 4}]}]},
"schedulers": [{"key": "fcfs"}, {"key": "easy"}],
"vary": [
 {"cases": [{"name": "as it is"}, {"name": "two GPU nodes more", "set": {"platform.clusters[0].groups[1].count": 4}},
  {"name": "users react, SAF", "set": {"workload.react": {}, "schedulers[1].params.order": "saf"}}]},
 {"path": "seed", "values": [1, 2]}
]}`

// Intent: a point of a case is the document that one would have written by hand:
// several places changed at once, places that are not there made, and the document
// itself where a case sets nothing.
func TestCases(t *testing.T) {
	e := mustDecode(t, withCases)
	p := e.Points()
	if p.Len() != 6 {
		t.Fatalf("%d points", p.Len())
	}
	plain := withCases[:strings.Index(withCases, `,
"vary"`)] + `, "seed": SEED}`
	for i, edit := range []*strings.Replacer{
		strings.NewReplacer("SEED", "1"), strings.NewReplacer("SEED", "2"),
		strings.NewReplacer("SEED", "1", `"count": 2`, `"count": 4`), strings.NewReplacer("SEED", "2", `"count": 2`, `"count": 4`),
		strings.NewReplacer("SEED", "1", `"schedulers"`, `"x"`), nil,
	} {
		got, err := p.At(i)
		if err != nil {
			t.Fatal(err)
		}
		if i < 4 {
			if want := mustDecode(t, edit.Replace(plain)); !reflect.DeepEqual(got, want) {
				t.Errorf("point %d: %s\nwant %s", i, Encode(got), Encode(want))
			}
		} else if got.Workload.React == nil || got.Schedulers[1].Params.Text("order") != "saf" || got.Platform.Clusters[0].Groups[1].Count != 2 {
			t.Errorf("point %d: %s", i, Encode(got))
		}
	}
	if name := p.Name(3); name != "two GPU nodes more, seed = 2" {
		t.Errorf("point 3 is called %s", name)
	}
	if v := p.Values(4); v[0].String() != "users react, SAF" || v[1] != "1" {
		t.Errorf("values of point 4: %v", v)
	}
	if got := strings.Join(e.Columns(), "; "); got != "case; seed" {
		t.Errorf("columns: %s", got)
	}
	one := mustDecode(t, strings.Replace(plain, "SEED", `1, "vary": [{"cases": [{"name": "alone"}]}]`, 1))
	at, err := one.Points().At(0)
	one.Vary = nil
	if err != nil || string(at.Canonical()) != string(one.Canonical()) {
		t.Errorf("a case that sets nothing is not the plain document: %v", err)
	}
}

// Intent: cases go through files, links and the canonical form; the order of what a
// case sets is none of its meaning, the order and the names of cases are.
func TestCasesTravel(t *testing.T) {
	text := withCases
	e := mustDecode(t, text)
	checkStable(t, e)
	if c := string(e.Canonical()); !strings.Contains(c, `"vary":[{"cases":[{"name":"as it is"},{"name":"two GPU nodes more","set":{"platform.clusters[0].groups[1].count":4}},`) {
		t.Errorf("canonical form: %s", c)
	}
	turned := mustDecode(t, strings.Replace(text, `{"workload.react": {}, "schedulers[1].params.order": "saf"}`, `{"schedulers[1].params.order": "saf", "workload.react": {}}`, 1))
	empty := mustDecode(t, strings.Replace(text, `{"name": "as it is"}`, `{"set": {}, "name": "as it is"}`, 1))
	if turned.Identity() != e.Identity() || empty.Identity() != e.Identity() {
		t.Error("how a case is written changes the identity")
	}
	if other := mustDecode(t, strings.Replace(text, "as it is", "before", 1)); other.Identity() == e.Identity() {
		t.Error("names are no part of the identity")
	}
	c := e.Clone()
	c.Vary[0].Cases[1].Set[0].Value = "3"
	if string(e.Vary[0].Cases[1].Set[0].Value) != "4" {
		t.Error("a clone shares what cases set")
	}
	made := e.Clone()
	made.Vary[0] = CasesAxis(e.Vary[0].Cases...)
	if made.Validate() != nil || made.Identity() != e.Identity() {
		t.Error("an axis of cases that a program makes is another one")
	}
	made.Vary[0].Values[1] = TextValue("else")
	if made.Validate() == nil {
		t.Error("values that are not the names are accepted")
	}
}

// Intent: whatever is wrong with a case is said with the case, the place and what was
// probably meant.
func TestCasesFaults(t *testing.T) {
	with := func(vary string) string {
		return `{"batchlab": 1, "workload": {"source": {"bundled": "demo"}}, "schedulers": [{"key": "easy"}, {"key": "fcfs"}],` + "\n" + `"vary": ` + vary + `}`
	}
	var many []string
	for i := range 65 {
		many = append(many, fmt.Sprintf(`{"name": "%d", "set": {"schedulers[0].params.p%d": 1}}`, i, i))
	}
	for _, c := range []struct{ vary, path, message string }{
		{`[{"cases": []}]`, "vary[0].cases", "must have 1 to 10000 entries, not 0"},
		{`[{"cases": {}}]`, "vary[0].cases", "must be an array, not an object"},
		{`[{"cases": [{}]}]`, "vary[0].cases[0].name", "missing"},
		{`[{"cases": [{"name": ""}]}]`, "vary[0].cases[0].name", "1 to 100 characters"},
		{`[{"cases": [{"name": "a\u0007"}]}]`, "vary[0].cases[0].name", "control characters"},
		{`[{"cases": [{"name": "` + strings.Repeat("a", 101) + `"}]}]`, "vary[0].cases[0].name", "at most 100"},
		{`[{"cases": [{"name": "a"}, {"name": "a", "set": {"seed": 2}}]}]`, "vary[0].cases[1].name", `"a" is there already`},
		{`[{"cases": [{"name": "a"}, {"name": "b"}]}]`, "vary[0].cases[1]", "is there already, as vary[0].cases[0]"},
		{`[{"cases": [{"name": "a", "set": {"seed": 2}}, {"name": "b", "set": {"seed": 2.0}}]}]`, "vary[0].cases[1].set.seed", "is there already, as vary[0].cases[0].set.seed"},
		{`[{"cases": [{"name": "a", "sets": {}}]}]`, "vary[0].cases[0].sets", `did you mean "set"?`},
		{`[{"cases": [{"name": "a", "set": []}]}]`, "vary[0].cases[0].set", "must be an object"},
		{`[{"cases": [{"name": "a"}], "path": "seed"}]`, "vary[0].path", "does not go with cases"},
		{`[{"path": "seed", "values": [1], "cases": [{"name": "a"}]}]`, "vary[0].path", "does not go with cases"},
		{`[{"case": [{"name": "a"}]}]`, "vary[0].path", "missing"},
		{`[{"cases": [{"name": "a"}, {"name": "b", "set": {"workload.scale.laod": 2}}]}]`, "vary[0].cases[1].set", `"workload.scale.laod" is no place of this document; did you mean "workload.scale.load"?`},
		{`[{"cases": [{"name": "a"}, {"name": "b", "set": {"schedulers.0.key": "fcfs"}}]}]`, "vary[0].cases[1].set", `did you mean "schedulers[0].key"?`},
		{`[{"cases": [{"name": "a", "set": {"title": "x"}}]}]`, "vary[0].cases[0].set", "cannot vary"},
		{`[{"cases": [{"name": "a", "set": {"": 1}}]}]`, "vary[0].cases[0].set", "is no path"},
		{`[{"cases": [{"name": "a", "set": {"schedulers[2].key": "easy"}}]}]`, "vary[0].cases[0].set", "schedulers has 2 entries, counted from 0"},
		{`[{"cases": [{"name": "a"}, {"name": "b", "set": {"workload.scale.load": 1000}}]}]`, `vary[0].cases[1].set["workload.scale.load"]`, "refused: workload.scale.load: must be between 0.01 and 100, not 1000"},
		{`[{"cases": [{"name": "a", "set": {"workload.scale.load": 1000}}]}]`, `vary[0].cases[0].set["workload.scale.load"]`, "must be between 0.01 and 100"},
		{`[{"cases": [{"name": "a"}, {"name": "b", "set": {"workload.scale": {}, "workload.scale.load": 2}}]}]`, "vary[0].cases[1].set", "is set already"},
		{`[{"path": "seed", "values": [1, 2]}, {"cases": [{"name": "a"}, {"name": "b", "set": {"seed": 2}}]}]`, "vary[1].cases[1].set", `"seed" varies already, in vary[0].path`},
		{`[{"cases": [{"name": "a"}, {"name": "b", "set": {"workload.scale": {"load": 2}}}]}, {"cases": [{"name": "a"}, {"name": "b", "set": {"workload.scale.time": 2}}]}]`, "vary[1].cases[1].set", "varies already"},
		{`[{"cases": [` + strings.Join(many, ",") + `]}]`, "vary[0].cases", "set 65 different places; at most 64"},
	} {
		_, err := Decode([]byte(with(c.vary)))
		list, ok := err.(Errors)
		if !ok || len(list) == 0 {
			t.Errorf("%.200s: accepted: %v", c.vary, err)
			continue
		}
		if list[0].Path != c.path || !strings.Contains(list[0].Message, c.message) || list[0].Line != 2 {
			t.Errorf("%.200s:\n%s: %s (line %d)\nwant %s: %s", c.vary, list[0].Path, list[0].Message, list[0].Line, c.path, c.message)
		}
	}
	// Different cases may set a section and a part of it.
	mustDecode(t, with(`[{"cases": [{"name": "a", "set": {"workload.scale": {"load": 2}}}, {"name": "b", "set": {"workload.scale.load": 3}}]}]`))
}

// Intent: points of random cases are those that the obvious way gives, which puts
// each value into the document as any JSON reader sees it.
func TestCasesTwin(t *testing.T) {
	places := map[string]*rapid.Generator[any]{
		"seed":                       rapid.Map(rapid.IntRange(0, 5), func(n int) any { return float64(n) }),
		"workload.scale.load":        rapid.Map(rapid.IntRange(1, 4), func(n int) any { return float64(n) }),
		"workload.window":            rapid.Just[any](map[string]any{"from": float64(5)}),
		"schedulers[1].params.order": rapid.SampledFrom([]any{"saf", "spf", "fcfs"}),
		"schedulers[0].repeat":       rapid.Map(rapid.IntRange(1, 3), func(n int) any { return float64(n) }),
		"measures.patience":          rapid.SampledFrom([]any{nil, map[string]any{}}),
		"platform.outages":           rapid.SampledFrom([]any{[]any{}, []any{map[string]any{"from": float64(10), "to": float64(20), "processors": float64(3)}}}),
		"schedulers[1].params.ties":  rapid.SampledFrom([]any{"oldest", "newest"}),
		"workload.filter.min_procs":  rapid.Map(rapid.IntRange(0, 3), func(n int) any { return float64(n) }),
	}
	var keys []string
	for key := range places {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	const base = `{"batchlab": 1, "workload": {"source": {"bundled": "demo"}}, "platform": {}, "measures": {}, "schedulers": [{"key": "easy", "params": {}}, {"key": "easy", "params": {}}]}`
	rapid.Check(t, func(t *rapid.T) {
		var doc map[string]any
		json.Unmarshal([]byte(base), &doc)
		var cases []any
		seen := map[string]bool{}
		for i := range rapid.IntRange(1, 4).Draw(t, "cases") {
			set := map[string]any{}
			for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom(keys), 0, 4, rapid.ID).Draw(t, "set") {
				set[key] = places[key].Draw(t, "value")
			}
			if text, _ := json.Marshal(set); seen[string(text)] {
				continue
			} else {
				seen[string(text)] = true
			}
			cases = append(cases, map[string]any{"name": fmt.Sprint("case ", i), "set": set})
		}
		doc["vary"] = []any{map[string]any{"cases": cases}}
		text, _ := json.Marshal(doc)
		e, err := Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range cases {
			var plain map[string]any
			json.Unmarshal([]byte(base), &plain)
			for path, v := range c.(map[string]any)["set"].(map[string]any) {
				putPlain(plain, path, v)
			}
			text, _ := json.Marshal(plain)
			want, err := Decode(text)
			if err != nil {
				t.Fatal(err)
			}
			got, err := e.Points().At(i)
			if err != nil || string(got.Canonical()) != string(want.Canonical()) {
				t.Fatalf("%v: %s\nwant %s", err, got.Canonical(), want.Canonical())
			}
		}
	})
}

// putPlain puts a value at a place: keys apart by points, with an index in brackets.
func putPlain(at map[string]any, path string, v any) {
	list := strings.Split(path, ".")
	for _, key := range list[:len(list)-1] {
		name, at0, ok := strings.Cut(key, "[")
		if ok {
			at = at[name].([]any)[at0[0]-'0'].(map[string]any)
			continue
		}
		if at[name] == nil {
			at[name] = map[string]any{}
		}
		at = at[name].(map[string]any)
	}
	at[list[len(list)-1]] = v
}
