package experiment

import (
	"strings"
	"testing"
)

// Intent: places that go along with an axis take their values with it, and what
// is wrong with them is said at their place.
func TestAlong(t *testing.T) {
	with := func(vary string) string {
		return `{"batchlab": 1, "workload": {"source": {"bundled": "demo"}}, "schedulers": [{"key": "easy"}, {"key": "fcfs"}],` + "\n" + `"vary": [` + vary + `]}`
	}
	text := with(`{"path": "seed", "values": [1, 1, 2], "names": ["a", "b", "c"], "with": [{"path": "workload.react", "values": [null, {}, {"rhythm": "daily"}]}, {"path": "schedulers[1].repeat", "values": [1, 2, 3]}]},
		{"path": "measures.tau", "values": [10, 60]}`)
	e := mustDecode(t, text)
	checkStable(t, e)
	p := e.Points()
	if p.Len() != 6 || p.Name(3) != "b, measures.tau = 60" {
		t.Fatalf("%d points, %s", p.Len(), p.Name(3))
	}
	for i, want := range []struct {
		seed   uint64
		reacts bool
		repeat int64
		tau    int64
	}{{1, false, 1, 10}, {1, false, 1, 60}, {1, true, 2, 10}, {1, true, 2, 60}, {2, true, 3, 10}, {2, true, 3, 60}} {
		got, err := p.At(i)
		if err != nil || got.Seed != want.seed || (got.Workload.React != nil) != want.reacts || got.Schedulers[1].Repeat != want.repeat || got.Measures.Tau != want.tau {
			t.Errorf("point %d: %v, %s", i, err, Encode(got))
		}
	}
	if items, err := p.Items(); err != nil || items.Uniform() || items.Len() != 2*(2+3+4) {
		t.Errorf("items: %v", err)
	}
	if c := string(mustDecode(t, with(`{"path": "seed", "values": [1]}`)).Canonical()); strings.Contains(c, "with") || strings.Contains(c, "names") {
		t.Error("what is not there stands in the canonical form")
	}
	for _, c := range []struct{ vary, path, message string }{
		{`{"path": "seed", "values": [1, 2], "with": [{"path": "measures.tau", "values": [1]}]}`, "vary[0].with[0].values", "as many entries as the axis, 2, not 1"},
		{`{"path": "seed", "values": [1, 2], "with": [{"path": "measures.tua", "values": [1, 2]}]}`, "vary[0].with[0].path", `did you mean "measures.tau"?`},
		{`{"path": "seed", "values": [1, 2], "with": [{"path": "measures.tau", "values": [1, "x"]}]}`, "vary[0].with[0].values[1]", "measures.tau: must be a number, not a string"},
		{`{"path": "seed", "values": [1, 2], "with": [{"path": "measures.tau", "values": ["x", 1]}]}`, "vary[0].with[0].values[0]", "measures.tau: must be a number, not a string"},
		{`{"path": "seed", "values": [1, 2], "with": [{"path": "seed", "values": [1, 2]}]}`, "vary[0].with[0].path", "varies already, in vary[0].path"},
		{`{"path": "seed", "values": [1, 1], "with": [{"path": "measures.tau", "values": [5, 5]}]}`, "vary[0].values[1]", "is there already"},
		{`{"path": "seed", "values": [1, 2], "names": ["a"]}`, "vary[0].names", "as many entries as values, 2, not 1"},
		{`{"path": "seed", "values": [1, 2], "names": ["a", "a"]}`, "vary[0].names[1]", "is there already"},
		{`{"path": "seed", "values": [1, 2], "names": ["a", ""]}`, "vary[0].names[1]", "a name of 1 to"},
		{`{"path": "seed", "values": [1, 2], "names": ["a", 2]}`, "vary[0].names[1]", "must be a string"},
		{`{"path": "seed", "values": [1, 2], "with": [{"path": "measures.tau", "values": [1, 2], "names": ["a", "b"]}]}`, "vary[0].with[0].names", "unknown key"},
	} {
		_, err := Decode([]byte(with(c.vary)))
		list, ok := err.(Errors)
		if !ok || len(list) == 0 {
			t.Errorf("%s: accepted: %v", c.vary, err)
		} else if list[0].Path != c.path || !strings.Contains(list[0].Message, c.message) || list[0].Line != 2 {
			t.Errorf("%s:\n%s: %s (line %d)\nwant %s: %s", c.vary, list[0].Path, list[0].Message, list[0].Line, c.path, c.message)
		}
	}
}

// Intent: one document stands for experiments that differ anywhere, and its
// points are these; what it cannot say is an error.
func TestTogether(t *testing.T) {
	var list []*Experiment
	for _, text := range []string{
		`{"batchlab": 1, "title": "x", "seed": 4, "workload": {"source": {"bundled": "demo"}}, "schedulers": [{"key": "easy", "params": {"order": "mixed", "weights": [1, 2, 3]}}, {"key": "fcfs"}]}`,
		`{"batchlab": 1, "seed": 4, "workload": {"source": {"bundled": "demo"}, "react": {}, "scale": {"time": 2}}, "schedulers": [{"key": "easy", "params": {"order": "mixed", "weights": [1, 2, 5]}}, {"key": "fcfs", "repeat": 3}]}`,
		`{"batchlab": 1, "seed": 4, "workload": {"source": {"bundled": "overload"}}, "platform": {"outages": []}, "schedulers": [{"key": "easy", "params": {"order": "saf"}}, {"key": "conservative"}]}`,
	} {
		list = append(list, mustDecode(t, text))
	}
	for n := 1; n <= len(list); n++ {
		names := []string{"a", "b", "c"}[:n]
		doc, err := Together("T", list[:n], names)
		if err != nil {
			t.Fatal(err)
		}
		checkStable(t, doc)
		p := doc.Points()
		if p.Len() != n || doc.Title != "T" {
			t.Fatalf("%d points of %q", p.Len(), doc.Title)
		}
		for i := range n {
			if e, err := p.At(i); err != nil || e.Identity() != list[i].Identity() || n > 1 && p.Name(i) != names[i] {
				t.Errorf("point %d: %v", i, err)
			}
		}
	}
	if _, err := Together("", []*Experiment{list[0], list[0]}, []string{"a", "b"}); err == nil {
		t.Error("the same twice is a sweep")
	}
	if _, err := Together("", list, []string{"a"}); err == nil {
		t.Error("points without names")
	}
}
