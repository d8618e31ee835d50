package experiment

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"batchlab/core/catalog"
)

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

// farmText is a document with an entry in every list of machines and what is said of jobs.
const farmText = `{"batchlab":1,"schedulers":[{"key":"easy"}],"workload":{"source":{"generator":{"key":"node-jobs","params":{"jobs":60,"interarrival":60,"nodes-max":2,"ppn-max":4}}},"dependencies":"keep","withdrawn":"keep",
	"annotate":{"deadlines":{"share":0.5,"on_due":"kill"},"reservations":{"share":0.1,"ready":"drawn"},"weights":{"min":1,"max":3},"setup":{"min":0,"max":60},"eligible":[{"on":["big"],"share":0.2}],
	"needs":[{"share":0.1,"memory":1000000000}],"licences":[{"licence":"*","share":0.1}],"jobs":[{"job":3,"due":90000,"licences":[],"weight":2}]}},
	"platform":{"clusters":[{"name":"big","packing":"nodes","groups":[{"count":4,"processors":4,"memory":64000000000,"gpus":1,"licences":["L1"]}]},{"name":"small","packing":"processors","groups":[{"count":1,"processors":16}]}],"licences":[{"name":"L1","copies":2}],
	"outages":[{"from":600,"to":3600,"cluster":"big","nodes":[0,1]},{"name":"x","from":700,"to":3600,"cluster":"small","processors":3,"announced":true}],"failures":{"key":"exponential"},
	"limits":{"user_processors":16,"classes":[{"longer_than":600,"share":0.75}]},"reservations":[{"name":"R1","processors":2,"from":5000,"to":9000,"length":300,"effort":"time"}]}}`

// drawnValue is a value that a row allows.
func drawnValue(rng *rand.Rand, r *catalog.Param, now any) any {
	if r.Optional && rng.IntN(3) == 0 {
		return nil
	}
	whole := func() int64 {
		in := integerSpan(r)
		return []int64{in.min, in.max, in.min + rng.Int64N(min(1000, in.max-in.min+1))}[rng.IntN(3)]
	}
	names := func() (list []string) {
		for i := range 1 + rng.IntN(3) {
			list = append(list, fmt.Sprintf("n%d", i))
		}
		return list
	}
	switch r.Type {
	case catalog.Number:
		return []float64{r.Min, r.Max, r.Min + (r.Max-r.Min)*float64(rng.IntN(1000))/1000}[rng.IntN(3)]
	case catalog.Bool:
		return rng.IntN(2) == 0
	case catalog.Enum:
		if len(r.Options) == 0 {
			return now // of the catalog, with parameters of its own
		}
		return r.Options[rng.IntN(len(r.Options))].Key
	case catalog.Words:
		return strings.Repeat("ä", 1+rng.IntN(r.Most))
	case catalog.Names:
		return names()
	case catalog.Ints:
		return []int64{whole()}
	case catalog.Hash:
		return strings.Repeat("0123456789abcdef", 4)
	}
	return whole()
}

// refused is a value that a row refuses, nil where it takes all of its type.
func refused(r *catalog.Param) any {
	switch r.Type {
	case catalog.Number:
		return r.Max + 1
	case catalog.Enum:
		return "no such thing"
	case catalog.Words:
		return strings.Repeat("x", r.Most+1)
	case catalog.Hash:
		return "0123"
	case catalog.Names:
		return []string{""}
	case catalog.Ints:
		return []int64{MaxInteger + 1}
	case catalog.Bool:
		return nil
	}
	return integerSpan(r).max + 1
}

// Intent: what a row says of a field holds in reader, check and writer, for every row
// there is: a value that it allows survives file, link and canonical form, or the check
// names a contradiction; one that it refuses is a fault at the field's own place.
func TestRowsHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(26, 6))
	seen := map[string]bool{}
	for _, text := range []string{everything, shared, farmText, inlineText} {
		e := mustDecode(t, text)
		for _, p := range Schema() {
			path := strings.ReplaceAll(p.Path, "[]", "[0]")
			at, ok := e.At(path)
			if !ok || seen[p.Path] {
				continue
			}
			seen[p.Path] = true
			for range 2 {
				c := e.Clone()
				at, _ = c.At(path)
				v := drawnValue(rng, &at.Param, at.Get())
				at.Set(v)
				if !reflect.DeepEqual(at.Get(), v) && fmt.Sprint(at.Get()) != fmt.Sprint(v) {
					t.Errorf("%s: %v put, %v got", path, v, at.Get())
				}
				if c.Validate() == nil {
					checkStable(t, c)
				}
			}
			v := refused(&at.Param)
			if v == nil {
				continue
			}
			c := e.Clone()
			at, _ = c.At(path)
			at.Set(v)
			if !slices.ContainsFunc(Faults(c.Validate()), func(f Error) bool { return strings.HasPrefix(f.Path, path) }) {
				t.Errorf("%s: %v is no fault there: %v", path, v, c.Validate())
			}
		}
	}
	for _, p := range Schema() {
		if !seen[p.Path] && p.Name != "" {
			t.Errorf("no document of the tests has %s", p.Path)
		}
	}
}

// Whatever values the rows allow, together they make a stable experiment, or one that
// is refused with words.
func FuzzRows(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 6))
		e := mustDecode(t, []string{everything, shared, farmText}[rng.IntN(3)])
		list := e.Fields("")
		for range 1 + rng.IntN(8) {
			at := &list[rng.IntN(len(list))]
			if _, param := at.at.(paramAt); !param { // the catalog's have tests of their own
				at.Set(drawnValue(rng, &at.Param, at.Get()))
			}
		}
		if err := e.Validate(); err == nil {
			checkStable(t, e)
		} else if err.Error() == "" {
			t.Fatal("no message")
		}
	})
}
