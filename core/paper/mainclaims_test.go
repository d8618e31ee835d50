package paper

import (
	"strings"
	"testing"
)

// Intent: what a cell of the table of main claims says follows from its numbers by
// one rule: an interval on the claim's side of 0 is a yes, on the other a no, one
// that holds 0 says nothing; a number without an interval speaks for itself; a
// number that is missing is an error that names it, unless it may be.
func TestElsewhere(t *testing.T) {
	half, none := 2.0, 0.0
	rows := map[string]VerdictRow{
		"k@L|a|below": {Ours: -5, Half: &half, Unit: "s"}, "k@L|a|above": {Ours: 5, Half: &half, Unit: "s"}, "k@L|a|about": {Ours: -1, Half: &half, Unit: "s"}, "k@L|a|zero": {Ours: 0, Half: nil, Unit: "%"},
		"k@L|a|bare": {Ours: -0.5, Half: nil, Unit: "%"}, "k@L|a|drawn": {Ours: -0.5, Half: &none, Unit: "%"}, "k@L|b|base": {Ours: 4, Half: nil, Unit: "s"},
		"k@L|SPF|against": {Ours: -3, Half: nil, Unit: "%"}, "k@L|FCFS|against": {Ours: 7, Half: nil, Unit: "%"}, "k@L|w|weeks": {Ours: 9, Half: nil, Unit: ""}, "k@L|w|flat": {Ours: 9, Half: nil, Unit: ""},
	}
	at := func(key, place string) (VerdictRow, bool) { r, there := rows[key+"|"+place]; return r, there }
	claim := func(sign float64, columns ...string) tried {
		return tried{sign: sign, places: func(string) (list []triedAt) {
			for _, c := range columns {
				list = append(list, triedAt{place: "k@L|a|" + c})
			}
			return list
		}}
	}
	least := tried{sign: 1, least: true, places: onEach("k@{log}|FCFS|against", "k@{log}|SPF|against")}
	idle := least
	idle.idle = func(log string) [2]string { return [2]string{"k@" + log + "|w|weeks", "k@" + log + "|w|flat"} }
	minus := tried{sign: -1, places: func(string) []triedAt {
		return []triedAt{{place: "k@L|a|above", minus: "k@L|b|base"}, {place: "k@L|a|gone", minus: "k@L|b|base", maybe: true}}
	}}
	for want, c := range map[string]tried{
		"✓ −5.00 ± 2.00 s":                   claim(-1, "below"),
		"✗ 5.00 ± 2.00 s":                    claim(-1, "above"),
		"? −1.00 ± 2.00 s":                   claim(-1, "about"),
		"= 0 %":                              claim(-1, "zero"),
		"✓ −0.500 %, −0.500 %":               claim(-1, "bare", "drawn"),
		"✗ −5.00 ± 2.00 s, ✓ 5.00 ± 2.00 s":  claim(1, "below", "above"),
		"✓ −5.00 ± 2.00 s, ? −1.00 ± 2.00 s": claim(-1, "below", "about"),
		"✗ SPF −3 %":                         least,
		"nothing to gain":                    idle,
		"? 1.00 ± 2.00 s":                    minus,
	} {
		if got, err := c.on("L", at); err != nil || got != want {
			t.Errorf("%q (%v), want %q", got, err, want)
		}
	}
	gone := claim(-1, "gone")
	if _, err := gone.on("L", at); err == nil || !strings.Contains(err.Error(), "k@L|a|gone") {
		t.Errorf("a missing number: %v", err)
	}
	rows["k@L|b|base"] = VerdictRow{Ours: 4, Half: &half, Unit: "s"}
	if _, err := minus.on("L", at); err == nil {
		t.Error("the difference of two numbers with intervals of their own is taken")
	}
	for i := range triedElsewhere {
		c := &triedElsewhere[i]
		if c.sign != 1 && c.sign != -1 || !strings.Contains(c.study, "20") {
			t.Errorf("%+v is not complete", c)
		}
		for _, log := range elsewhere {
			for _, p := range c.places(log) {
				key, _, _ := strings.Cut(p.place, "|")
				if Find(presetOf(key)) == nil || !strings.HasPrefix(key, c.study) {
					t.Errorf("%s: there is no preset %s", c.says, key)
				}
			}
		}
	}
}
