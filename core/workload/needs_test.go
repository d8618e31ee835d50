//go:build !small

package workload

import (
	"reflect"
	"strings"
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

// Weights, set-up times and machines go the same ways, in any order of columns.
func TestAttributesAlike(t *testing.T) {
	a, err := ParseNeeds("a", []byte("job,on,weight,setup\n5,zewura nfs4,2.5,60\n6,-,,\n"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := ParseNeeds("b", []byte(`[{"job":5,"on":["zewura","nfs4"],"weight":2.5,"setup":60},{"job":6,"on":[],"weight":null}]`))
	if err != nil {
		t.Fatal(err)
	}
	for i := range a {
		a[i].Where, b[i].Where = "", ""
	}
	if len(a) != 2 || !reflect.DeepEqual(a, b) || *a[0].Weight != 2.5 || *a[0].Setup != 60 || len(*a[1].On) != 0 {
		t.Errorf("%+v\n%+v", a, b)
	}
	for text, want := range map[string]string{
		"job,weight\n5,0\n":        `x: row 2: weight: "0" is not a number from 0.001`,
		"job,setup\n5,soon\n":      `x: row 2: setup: "soon" is not a number of seconds`,
		"job,due,due\n5,1,1\n":     `x: row 1: the first line must be job`,
		`[{"job":5,"weight":"2"}]`: `x: entry 1: weight: "2" is not a number`,
		`[{"job":5,"on":"a"}]`:     `x: entry 1: on: "a" is not a list of names`,
	} {
		if _, err := ParseNeeds("x", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
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
