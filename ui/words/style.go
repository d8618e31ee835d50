package words

import (
	"strconv"
	"strings"
)

// style is how numbers are written: the reader's choice, the same everywhere on
// the page. Files (CSV, JSON, links) never use it.
var style = struct {
	unit           string // of durations, "" as fits
	group, decimal string
	version        int
}{group: ",", decimal: "."}

// unitSize are the units that durations can be shown in, and how many digits
// after the point each has.
var unitSize = map[string]struct {
	seconds float64
	digits  int
}{"s": {1, 0}, "min": {60, 1}, "h": {3600, 2}, "d": {86400, 2}}

// SetUnit sets the unit in which Dur writes durations: "s", "min", "h", "d", or
// "" for the two largest that fit.
func SetUnit(unit string) {
	if _, ok := unitSize[unit]; !ok {
		unit = ""
	}
	style.unit = unit
	style.version++
}

// SetSeparators sets what stands between thousands and before decimals; empty
// texts mean "," and ".".
func SetSeparators(thousands, decimal string) {
	if decimal == "" {
		thousands, decimal = ",", "."
	}
	style.group, style.decimal = thousands, decimal
	style.version++
}

// Version grows whenever the same number would be written in another way.
func Version() int { return style.version }

// group separates the thousands of a text of digits.
func group(digits string) string { return groupBy(digits, style.group) }

func groupBy(digits, separator string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + separator + digits[i:]
	}
	return digits
}

// Typing turns a number that somebody typed in the reader's style, or that an
// input showed, into one with a point and without separators. A comma with three
// digits behind each stands between thousands, any other one before decimals, as a
// single point does in either style; what can be neither is left as it is, which no
// number is.
func Typing(text string) string {
	return points(strings.NewReplacer(NB, "", "\u202f", "", " ", "", "'", "", "’", "", Minus, "-").Replace(text))
}

// points writes all numbers of a text with a point and without separators.
func points(text string) string {
	var b strings.Builder
	numeral := func(r rune) bool { return r >= '0' && r <= '9' || r == '.' || r == ',' }
	for text != "" {
		n := len(text) - len(strings.TrimLeftFunc(text, numeral))
		b.WriteString(point(strings.TrimRight(text[:n], ",")))
		text = text[n:]
		n = len(text) - len(strings.TrimLeftFunc(text, func(r rune) bool { return !numeral(r) }))
		b.WriteString(text[:n])
		text = text[n:]
	}
	return b.String()
}

// point is points for one number.
func point(n string) string {
	whole, part, _ := strings.Cut(n, ",")
	switch {
	case whole == n:
		return n
	case style.decimal == ",":
		return strings.ReplaceAll(whole, ".", "") + "." + strings.ReplaceAll(part, ",", ".")
	case thousands(n):
		return strings.ReplaceAll(n, ",", "")
	case strings.ContainsAny(part, ",.") || strings.Contains(whole, "."):
		return n
	}
	return whole + "." + part
}

// thousands reports whether the commas of a number stand where they stand between
// thousands.
func thousands(n string) bool {
	whole, _, _ := strings.Cut(n, ".")
	groups := strings.Split(whole, ",")
	for _, g := range groups[1:] {
		if len(g) != 3 {
			return false
		}
	}
	return len(groups[0]) > 0 && len(groups[0]) < 4 && groups[0][0] != '0' && strings.Count(n, ",") == len(groups)-1
}

// Shown writes a number of an input, given with a point and without separators,
// in the reader's style; Typing reads it back.
func Shown(text string) string { return strings.Replace(text, ".", style.decimal, 1) }

// Whole writes a whole number for an input: with commas, or where the comma
// stands before decimals with no-break spaces, which nobody can misread.
func Whole[T ~int | ~int32 | ~int64](n T) string {
	digits, sign := strconv.FormatInt(int64(n), 10), ""
	if n < 0 {
		digits, sign = digits[1:], Minus
	}
	if style.decimal == "," {
		return sign + groupBy(digits, NB)
	}
	return sign + groupBy(digits, ",")
}
