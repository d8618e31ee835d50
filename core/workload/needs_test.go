//go:build !small

package workload

import (
	"reflect"
	"testing"
)

// The same needs written as CSV and as JSON are read alike.
func TestNeedsAlike(t *testing.T) {
	a, err := ParseNeeds("a", []byte("\ufeffjob,due,licences\n5,,cad:2 mesh\n6,90000,-\n7,1,\n"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := ParseNeeds("b", []byte("\ufeff [{\"job\":5,\"due\":null,\"licences\":[\"cad:2\",\"mesh\"]},\n{\"job\":6,\"due\":90000,\"licences\":[]},{\"job\":7,\"due\":1}]"))
	if err != nil {
		t.Fatal(err)
	}
	if b[1].Where != "b: entry 2" || a[1].Where != "a: row 3" {
		t.Errorf("%s, %s", a[1].Where, b[1].Where)
	}
	for i := range a {
		a[i].Where, b[i].Where = "", ""
	}
	if len(a) != 3 || !reflect.DeepEqual(a, b) {
		t.Errorf("%+v\n%+v", a, b)
	}
}

// FuzzParseNeeds: no file makes the reader panic, and what it accepts names a
// place for each entry.
func FuzzParseNeeds(f *testing.F) {
	f.Add([]byte("job,due,licences\n5,,cad:2\n"))
	f.Add([]byte(`[{"job":5,"licences":["cad"]}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ParseNeeds("x", data)
		for i := range list {
			if err == nil && list[i].Where == "" {
				t.Error("an entry without a place")
			}
		}
	})
}
