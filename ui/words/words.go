// Package words writes numbers, times and names as the page shows them: one
// place, so that a card, a chart and a table never disagree. It also reads the
// durations that people type. It knows no browser and no vugu.
//
// Conventions: no-break space before units, thousands with a comma, the minus
// sign U+2212, a dash for "none".
package words

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
)

// NB is the no-break space that stands before a unit.
const NB = "\u00a0"

// Minus is the minus sign of every number on the page.
const Minus = "\u2212"

// None stands where there is no value.
const None = "–"

// Int writes a whole number with thousands separated by commas.
func Int[T ~int | ~int32 | ~int64](n T) string {
	v := int64(n)
	if v < 0 {
		return Minus + Int(-v)
	}
	return group(strconv.FormatInt(v, 10))
}

// Count writes "1 job", "2,000 jobs".
func Count[T ~int | ~int32 | ~int64](n T, one, many string) string {
	if n == 1 {
		return "1" + NB + one
	}
	return Int(n) + NB + many
}

// Number writes v with the given digits after the point, thousands separated.
func Number(v float64, digits int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return None
	}
	s := strconv.FormatFloat(math.Abs(v), 'f', digits, 64)
	whole, frac, _ := strings.Cut(s, ".")
	whole = group(whole)
	if frac != "" {
		whole += style.decimal + frac
	}
	if v < 0 && strings.Trim(s, "0.") != "" {
		return Minus + whole
	}
	return whole
}

// Plain writes v with about three significant digits, as a card does: 4.6,
// 16.3, 167, 1,630.
func Plain(v float64) string {
	switch a := math.Abs(v); {
	case a == 0 || a >= 99.95:
		return Number(v, 0)
	case a < 0.095:
		return Number(v, 3)
	case a < 0.995:
		return Number(v, 2)
	}
	return Number(v, 1)
}

// Dur writes a span of seconds in its two largest units: "0 s", "45 s",
// "58 min", "3 h 45 m", "2 d 4 h"; or in the unit set by SetUnit.
func Dur(seconds float64) string {
	if u, ok := unitSize[style.unit]; ok && !math.IsNaN(seconds) && !math.IsInf(seconds, 0) {
		digits := u.digits
		if v := seconds / u.seconds; v == math.Trunc(v) {
			digits = 0
		} else if u.seconds == 1 && math.Abs(v) < 9.95 {
			digits = 1
		}
		return Number(seconds/u.seconds, digits) + NB + style.unit
	}
	return Natural(seconds)
}

// Minutes writes an instant or a span of a small case: whole minutes where it is
// that, else seconds.
func Minutes(seconds int64) string {
	if seconds%60 != 0 {
		return Int(seconds) + NB + "s"
	}
	return Int(seconds/60) + NB + "min"
}

// Natural is Dur in the units that fit, whatever unit is set: for how long the
// computer takes, not a workload.
func Natural(seconds float64) string {
	if math.IsNaN(seconds) || math.IsInf(seconds, 0) {
		return None
	}
	if seconds < 0 {
		return Minus + Natural(-seconds)
	}
	switch {
	case seconds == 0:
		return "0" + NB + "s"
	case seconds < 9.95 && seconds != math.Trunc(seconds):
		return Number(seconds, 1) + NB + "s"
	case seconds < 99.5:
		return Number(seconds, 0) + NB + "s"
	case seconds < 3570:
		return Number(seconds/60, 0) + NB + "min"
	case seconds < 86400-30:
		m := int64(math.Round(seconds / 60))
		return two(m/60, "h", m%60, "m")
	}
	h := int64(math.Round(seconds / 3600))
	return two(h/24, "d", h%24, "h")
}

// Left writes how long a computation will still take, as roughly as that is known:
// "a few seconds left", "about 20 s left", "about 8 min left".
func Left(seconds float64) string {
	if seconds < 4 {
		return "a few seconds left"
	}
	unit := 1.0
	for _, step := range []float64{5, 10, 60, 300, 600, 1800, 3600} { // an eighth to a quarter of what is left
		if seconds >= 5*step {
			unit = step
		}
	}
	return "about" + NB + Natural(max(5, math.Round(seconds/unit)*unit)) + " left"
}

// Took writes how long a computation took: "31 ms", "0.4 s", "2 min".
func Took(seconds float64) string {
	if seconds > 0 && seconds < 0.0995 {
		return Number(max(1, seconds*1000), 0) + NB + "ms"
	}
	return Natural(seconds)
}

func two(a int64, unitA string, b int64, unitB string) string {
	s := Int(a) + NB + unitA
	if b > 0 {
		s += NB + Int(b) + NB + unitB
	}
	return s
}

// Percent writes a share of 1: 0.595 is "59.5 %".
func Percent(share float64) string { return Number(share*100, 1) + NB + "%" }

// Signed writes v through write with an explicit sign.
func Signed(v float64, write func(float64) string) string {
	if v < 0 {
		return Minus + write(-v)
	}
	return "+" + write(v)
}

// Bytes writes a size: "61 KB", "12.3 MB".
func Bytes(n int64) string {
	switch {
	case n < 1000:
		return Int(n) + NB + "bytes"
	case n < 999_500:
		return Number(float64(n)/1000, 0) + NB + "KB"
	case n < 999_950_000:
		return Number(float64(n)/1e6, 1) + NB + "MB"
	}
	return Number(float64(n)/1e9, 1) + NB + "GB"
}

// ParseBytes reads a number of bytes: "500", "8GB", "1.5 TB" and the like, in
// powers of a thousand.
func ParseBytes(text string) (int64, error) {
	text = strings.ToLower(Typing(text))
	unit := 1.0
	text = strings.TrimSuffix(text, "b")
	for i, letter := range [...]string{"k", "m", "g", "t"} {
		if rest, ok := strings.CutSuffix(text, letter); ok {
			text, unit = strings.TrimSpace(rest), math.Pow10(3*(i+1))
			break
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v*unit >= 0 && v*unit < 1<<53) {
		return 0, errors.New("not a number of bytes")
	}
	return int64(math.Round(v * unit)), nil
}

// Value writes a measure by its catalog unit: spans of seconds as durations,
// shares of 1 as per cent, everything else with its unit behind.
func Value(v float64, unit string) string {
	switch unit {
	case "s":
		return Dur(v)
	case "%": // of 100
		return Number(v, 1) + NB + "%"
	case "share", "1":
		return Percent(v)
	case "":
		return Plain(v)
	}
	return Plain(v) + NB + unit
}

// Hash shortens a hash: "4be1 90c7".
func Hash(h string) string {
	if len(h) < 8 {
		return h
	}
	return h[:4] + NB + h[4:8]
}

// places are the letters' places of the schedulers of the results, see SetLetters.
var places []int

// SetLetters says which letter, colour and dash each scheduler of the results has, by
// place from 0: A, B and so on, unless others were taken out before it, for each keeps
// its own. The rest follow in their order.
func SetLetters(of []int) { places = slices.Clone(of) }

// Place is the place of the letter, colour and dash of scheduler i of the results.
func Place(i int) int {
	if i < 0 || len(places) == 0 {
		return i
	}
	if i < len(places) {
		return places[i]
	}
	at, left := -1, i-len(places)
	for ; left >= 0; left-- {
		for at++; slices.Contains(places, at); at++ {
		}
	}
	return at
}

// Letter names the run of scheduler i of the results: A, B, … H, then 9, 10, …
func Letter(i int) string { return LetterAt(Place(i)) }

// LetterAt is the letter at a place: A, B, … H, then 9, 10, …
func LetterAt(place int) string {
	if place >= 0 && place < 8 {
		return string(rune('A' + place))
	}
	return strconv.Itoa(place + 1)
}

// HashBegin is the beginning of a hash as it stands in a message, to be searched for.
func HashBegin(h string) string { return h[:min(len(h), 8)] }
