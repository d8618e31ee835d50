package sample

import (
	"encoding/xml"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var badNumber = regexp.MustCompile(`NaN|Inf|="-?\d+e`)

// WellFormed reads an SVG file as XML, and refuses numbers that are none and
// colours that were not written out.
func WellFormed(t *testing.T, name, file string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(file))
	for {
		if _, err := dec.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if m := badNumber.FindString(file); m != "" {
		t.Errorf("%s: %s in the drawing", name, m)
	}
	if i := strings.Index(file, "var("); i >= 0 {
		t.Errorf("%s: a colour is not written out: %s", name, file[i:min(len(file), i+30)])
	}
}

func Number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
