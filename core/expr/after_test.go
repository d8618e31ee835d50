package expr

import (
	"reflect"
	"strings"
	"testing"
)

// Intent: what a job waits for is read as it is written; a reader that mixed up the
// events, or "all" and "any", would start jobs too early.
func TestParseAfter(t *testing.T) {
	for _, c := range []struct {
		text string
		want After
	}{
		{"", After{}},
		{"3", After{Terms: []Term{{3, Ended, 0}}}},
		{" 3:any ", After{Terms: []Term{{3, Ended, 0}}}},
		{"3:ok,4:notok", After{Terms: []Term{{3, Succeeded, 0}, {4, Failed, 0}}}},
		{"3:start+60?4", After{Any: true, Terms: []Term{{3, Started, 60}, {4, Ended, 0}}}},
		{"17+5", After{Terms: []Term{{17, Ended, 5}}}},
	} {
		got, err := ParseAfter(c.text)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %+v, %v", c.text, got, err)
		}
	}
	for text, want := range map[string]string{
		"3:bad": `there is no "bad"`, "x": "no predecessor", "3,4?5": "both", "3,": "no predecessor", "-1": "no predecessor",
		"3+x": "whole seconds", "3:start+-1": "whole seconds", "3:start+99999999999999": "whole seconds",
		strings.Repeat("1,", MaxTerms) + "1": "more than 1000",
	} {
		if _, err := ParseAfter(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %s", text, err, want)
		}
	}
}

// Intent: whatever is read is written and read again as the same; no text panics.
func FuzzParseAfter(f *testing.F) {
	for _, text := range []string{"3", "3:ok,4:notok+7", "3:start+60?4", "3,,", "?", "3:", "+", "99999999999999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAfter(text)
		if err != nil {
			return
		}
		again, err := ParseAfter(a.String())
		if err != nil || !reflect.DeepEqual(a, again) {
			t.Fatalf("%q: %+v is written as %q and read as %+v, %v", text, a, a.String(), again, err)
		}
	})
}
