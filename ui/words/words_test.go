package words

import (
	"math"
	"strings"
	"testing"
)

// Spaces in the tests stand for no-break spaces.
func nb(s string) string { return strings.ReplaceAll(s, " ", NB) }

// Durations are written in their two largest units, rounded so that no unit
// overflows into the next.
func TestDur(t *testing.T) {
	for _, c := range []struct {
		in   float64
		want string
	}{
		{0, "0 s"}, {0.4, "0.4 s"}, {12, "12 s"}, {99, "99 s"}, {100, "2 min"}, {3480, "58 min"},
		{3599, "1 h"}, {13500, "3 h 45 m"}, {86399, "1 d"}, {187200, "2 d 4 h"},
		{-3480, "−58 min"}, {math.NaN(), "–"},
	} {
		if got := Dur(c.in); got != nb(c.want) {
			t.Errorf("Dur(%v) = %q, want %q", c.in, got, c.want)
		}
	}
}

// Numbers carry thousands separators and a real minus sign, and a value that
// rounds to zero carries no sign.
func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Int(1987), "1,987"}, {Int(-1234567), "−1,234,567"}, {Int(12), "12"},
		{Number(-0.001, 1), "0.0"}, {Number(-1234.56, 1), "−1,234.6"},
		{Plain(4.61), "4.6"}, {Plain(167.2), "167"}, {Plain(0.25), "0.25"}, {Plain(0.012), "0.012"},
		{Percent(0.595), nb("59.5 %")}, {Value(3480, "s"), nb("58 min")}, {Value(12, "jobs"), nb("12.0 jobs")}, {Value(51.2, "%"), nb("51.2 %")}, {Value(0.5, "share"), nb("50.0 %")},
		{Bytes(61_000), nb("61 KB")}, {Bytes(12_300_000), nb("12.3 MB")}, {Bytes(999_600), nb("1.0 MB")},
		{Signed(-3, Plain), "−3.0"}, {Signed(3, Plain), "+3.0"},
		{Count(1, "job", "jobs"), nb("1 job")}, {Count(2000, "job", "jobs"), nb("2,000 jobs")},
		{Took(0.0312), nb("31 ms")}, {Took(0.0001), nb("1 ms")}, {Took(0.4), nb("0.4 s")}, {Took(0), nb("0 s")},
		{Hash("4be190c72a6d"), nb("4be1 90c7")}, {Letter(0), "A"}, {Letter(7), "H"}, {Letter(8), "9"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// What people type as a duration is read as whole seconds, or refused with a
// message that repeats it.
func TestSeconds(t *testing.T) {
	for in, want := range map[string]int64{
		"0": 0, "10": 10, "200,000": 200000, "12h": 43200, "2d 3h": 183600, "2d3h": 183600, "1.5 h": 5400,
		"90 min": 5400, "1:30": 5400, "1:00:05": 3605, " 1 week ": 604800, "2" + NB + "d": 172800,
	} {
		if got, err := Seconds(in); err != nil || got != want {
			t.Errorf("Seconds(%q) = %d, %v; want %d", in, got, err, want)
		}
	}
	for _, in := range []string{"", "h", "12x", "-5", "1:99", "1:2:3:4", "0.5", "1..5h", "9e9", "200 years", "99999999999999999999", "4000w w"} {
		if got, err := Seconds(in); err == nil {
			t.Errorf("Seconds(%q) = %d, want an error", in, got)
		}
	}
}

// Intent: a comma is what its digits make it: between thousands where three follow,
// before decimals otherwise; what is neither is refused, and nothing is ten times as
// much as was meant.
func TestCommas(t *testing.T) {
	defer SetSeparators(",", ".")
	for _, c := range []struct {
		style, in string
		want      int64 // −1: refused
	}{
		{".", "1,5h", 5400}, {".", "1,500", 1500}, {".", "1,500,000", 1500000}, {".", "0,5 h", 1800}, {".", "2d, 3h", 183600},
		{".", "1,25 min", 75}, {".", "0,500h", 1800}, {".", "12,34,567", -1}, {".", "1,5,2h", -1}, {".", "1.000,5h", -1}, {".", "1,5", -1},
		{",", "1,5h", 5400}, {",", "1.5h", 5400}, {",", "1,500h", 5400}, {",", "1.500,0s", 1500}, {",", "200 000", 200000}, {",", "1,500,000", -1}, {",", "1d 1,5h", 91800},
	} {
		if SetSeparators(",", "."); c.style == "," {
			SetSeparators(".", ",")
		}
		got, err := Seconds(c.in)
		if err != nil {
			got = -1
		}
		if got != c.want {
			t.Errorf("where %s stands before decimals %q is %d (%v), want %d", c.style, c.in, got, err, c.want)
		}
	}
	SetSeparators(",", ".")
	for in, want := range map[string]string{"1,5": "1.5", "1,500": "1500", "1,500.25": "1500.25", "12 345": "12345", "1,5,2": "1,5,2", "−3": "-3", "0,05": "0.05"} {
		if got := Typing(in); got != want {
			t.Errorf("Typing(%q) = %q, want %q", in, got, want)
		}
	}
	if got, err := ParseBytes("1,5 GB"); got != 15e8 {
		t.Errorf("1,5 GB: %d, %v", got, err)
	}
}

// An input shows what it would read back.
func TestTyped(t *testing.T) {
	for _, n := range []int64{0, 1, 59, 60, 61, 3600, 5400, 43200, 86400, 183600, 183660, 200000, 604800} {
		if got, err := Seconds(Typed(n)); err != nil || got != n {
			t.Errorf("Seconds(Typed(%d)) = %d, %v (typed %q)", n, got, err, Typed(n))
		}
	}
	if got := Typed(43200); got != "12h" {
		t.Errorf("Typed(43200) = %q, want 12h", got)
	}
}

// Bytes are read as they are written, in powers of a thousand.
func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{"500": 500, "8GB": 8e9, "1.5 tb": 15e11, "2,000 MB": 2e9, "10k": 10000, "0": 0} {
		if got, err := ParseBytes(text); err != nil || got != want {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "GB", "-1", "NaN", "1e300", "much"} {
		if got, err := ParseBytes(text); err == nil {
			t.Errorf("%q is read as %d", text, got)
		}
	}
}

// Nobody knows to the second how long a computation will still take, and no words say so.
func TestLeft(t *testing.T) {
	for seconds, want := range map[float64]string{.1: "a few seconds left", 4: "about 5 s left", 8: "about 8 s left", 23: "about 23 s left", 33: "about 35 s left", 68: "about 70 s left",
		200: "about 3 min left", 310: "about 5 min left", 1000: "about 17 min left", 1700: "about 30 min left", 4000: "about 1 h 10 m left", 20000: "about 6 h left"} {
		if got := strings.ReplaceAll(Left(seconds), NB, " "); got != want {
			t.Errorf("%v s: %q, want %q", seconds, got, want)
		}
	}
}
