package experiment

import "testing"

// Intent: a new field is one row of the description: with it the field is read, checked
// in memory, and named with its place where it is wrong; it is written for files, stays
// out of the canonical form while it is at its default, and may vary.
func TestAFieldIsOneRow(t *testing.T) {
	pause := int64(-1)
	row := func(g *group) { g.integer("pause", &pause, 30, span{0, 600}) }
	read := func(text string) (string, map[string]bool) {
		t.Helper()
		c := codec{mode: reading, places: map[string]bool{}}
		in, err := parse([]byte(text), &c.faults)
		if err != nil {
			t.Fatal(err)
		}
		c.walk("measures", in, row)
		if err := c.err(nil); err != nil {
			return err.Error(), c.places
		}
		return "", c.places
	}
	written := func(full bool) string {
		c := codec{mode: writing, full: full}
		return string(appendCanonical(nil, c.walk("measures", nil, row)))
	}
	if fault, places := read(`{}`); fault != "" || pause != 30 || !places["measures.pause"] {
		t.Errorf("%d, %q, %v", pause, fault, places)
	}
	if written(false) != `{}` || written(true) != `{"pause":30}` {
		t.Errorf("at its default: %s, for a file %s", written(false), written(true))
	}
	if fault, _ := read(`{"pause": 45}`); fault != "" || pause != 45 || written(false) != `{"pause":45}` {
		t.Errorf("%d, %q, %s", pause, fault, written(false))
	}
	for text, want := range map[string]string{
		`{"pause": 601}`:    "measures.pause: must be between 0 and 600, not 601",
		`{"pause": "long"}`: "measures.pause: must be a number, not a string",
		`{"paus": 4}`:       "measures.paus: unknown key; did you mean \"pause\"?",
	} {
		if fault, _ := read(text); fault != want {
			t.Errorf("%s: %q, want %q", text, fault, want)
		}
	}
	pause = 700
	if c := (codec{mode: checking}); c.walk("measures", nil, row) != nil || len(c.list) != 1 || c.list[0].Path != "measures.pause" {
		t.Errorf("in memory: %v", c.list)
	}
}
