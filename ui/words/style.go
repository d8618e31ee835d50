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
// input showed, into one with a point and without separators. Where the comma
// stands before decimals a single point is read as one, too.
func Typing(text string) string {
	text = strings.NewReplacer(NB, "", "\u202f", "", " ", "", "'", "", "’", "", Minus, "-").Replace(text)
	if style.decimal != "," {
		return strings.ReplaceAll(text, ",", "")
	}
	if strings.Contains(text, ",") {
		text = strings.ReplaceAll(text, ".", "")
	}
	return strings.ReplaceAll(text, ",", ".")
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
