package swf

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"batchlab/core/report"
)

// leftOut is what happens to every line with a problem.
const leftOut = "line left out"

// readFields reads one job line the careful way, fills f and returns how many
// fields the line has. With a problem the record does not count; its texts
// are written only when wanted, since a binary file may have a million of them.
func readFields(line []byte, f *[Fields]int64, wanted bool) (n int, problem *report.Problem) {
	rest := line
	for {
		rest = bytes.TrimLeft(rest, " \t\v\f")
		if len(rest) == 0 {
			break
		}
		field := rest
		if i := bytes.IndexAny(rest, " \t\v\f"); i >= 0 {
			field, rest = rest[:i], rest[i:]
		} else {
			rest = nil
		}
		if n < Fields && problem == nil {
			v, what := readNumber(field, n)
			if what != nil {
				problem = &report.Problem{Field: n + 1, Name: fieldNames[n], Action: leftOut}
				if wanted {
					problem.Text = shorten(field)
					problem.What = what(problem.Text)
				}
			}
			f[n] = v
		}
		n++
	}
	if n < Fields {
		problem = &report.Problem{Action: leftOut}
		if wanted {
			problem.Text = shorten(line)
			problem.What = fmt.Sprintf("%d fields, %d expected", n, Fields)
			if n == 1 {
				problem.What = "1 field, 18 expected"
			}
		}
	}
	return n, problem
}

// behind looks at what stands behind the 18th field of a line, which has n. A
// remark after a semicolon may stand there, and what the Alea simulator adds;
// other fields are counted and not used. But where a whole job follows, a line
// end was lost, and reading the first would drop the second unsaid: the line is
// left out and named.
func (l *Log) behind(record int, rest []byte, line int32, n int, wanted bool) *report.Problem {
	rest = bytes.TrimLeft(rest, " \t\v\f")
	if holdsJob(rest) {
		p := &report.Problem{Action: leftOut}
		if wanted {
			p.Text = shorten(rest)
			p.What = fmt.Sprintf("%d fields, %d expected: another job stands behind the first one, as if a line end were lost", n, Fields)
		}
		return p
	}
	if a, ok := l.readAlea(rest); ok {
		l.keepAlea(record, a)
	} else if rest[0] != ';' {
		l.ExtraFields.add(line)
	}
	return nil
}

// holdsJob says whether somewhere 17 fields follow each other that are those of
// a job behind its number, which may have run together with what stood before.
func holdsJob(rest []byte) bool {
	fields := bytes.FieldsFunc(rest, func(r rune) bool { return r < utf8.RuneSelf && blank(byte(r)) })
	for ; len(fields) >= Fields-1; fields = fields[1:] {
		k := 1
		for ; k < Fields; k++ {
			if _, what := readNumber(fields[k-1], k); what != nil {
				break
			}
		}
		if k == Fields {
			return true
		}
	}
	return false
}

// complaint words what is wrong with a text.
type complaint func(text string) string

// readNumber reads one field, k from 0: an optional sign, digits, and perhaps
// a fraction, which is cut off. The complaint is nil when all is well.
func readNumber(s []byte, k int) (int64, complaint) {
	digits, negative := s, false
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		digits, negative = s[1:], s[0] == '-'
	}
	whole, fraction, dotted := bytes.Cut(digits, []byte{'.'})
	if len(whole)+len(fraction) == 0 || !allDigits(whole) || !allDigits(fraction) || dotted && len(whole) == 0 && len(fraction) == 0 {
		if exponent(digits) {
			return 0, func(text string) string {
				return text + " is written with an exponent: plain digits are expected"
			}
		}
		return 0, func(text string) string { return text + " is not a number" }
	}
	whole = bytes.TrimLeft(whole, "0")
	lowest, highest := limits(k)
	v := int64(0)
	if len(whole) > 18 {
		v = highest + 1
	} else {
		for _, c := range whole {
			v = v*10 + int64(c-'0')
		}
	}
	if negative {
		v = -v
	}
	switch {
	case v < lowest && lowest == Unknown:
		return 0, func(text string) string {
			return text + " is negative: only -1, for unknown, may stand below zero"
		}
	case v < lowest, v > highest:
		return 0, func(text string) string { return tooLarge(text, k) }
	}
	return v, nil
}

// limits returns the least and the greatest value of field k, from 0.
func limits(k int) (lowest, highest int64) {
	switch k + 1 {
	case 2:
		return Unknown, MaxSubmit
	case 3, 4, 9:
		return Unknown, MaxSpan
	case 5, 8:
		return Unknown, MaxProcs
	case 11, 12, 13, 14, 15, 16:
		return -maxID, maxID
	}
	return -maxOther, maxOther
}

func tooLarge(text string, k int) string {
	switch k + 1 {
	case 2:
		return text + " is too large: submit times end at 2^40 seconds"
	case 3, 4, 9:
		return text + " is too large: more than 2147483647 seconds (68 years)"
	case 5, 8:
		return text + " is too large: more than 2147483647 processors"
	}
	return text + " is too large"
}

func allDigits(s []byte) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// exponent recognises numbers such as 1e5 and 2.5E+03.
func exponent(s []byte) bool {
	i := bytes.IndexAny(s, "eE")
	if i <= 0 {
		return false
	}
	mantissa, power := s[:i], bytes.TrimLeft(s[i+1:], "+-")
	whole, fraction, _ := bytes.Cut(mantissa, []byte{'.'})
	return len(whole)+len(fraction) > 0 && len(power) > 0 &&
		allDigits(whole) && allDigits(fraction) && allDigits(power)
}

// shorten makes a text fit for a message: valid, printable, not long.
func shorten(s []byte) string {
	cut := len(s) > textBytes
	if cut {
		s = s[:textBytes]
		for len(s) > 0 && !utf8.RuneStart(s[len(s)-1]) { // not in the middle of a character
			s = s[:len(s)-1]
		}
		if len(s) > 0 && s[len(s)-1] >= utf8.RuneSelf {
			s = s[:len(s)-1]
		}
	}
	t := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '·'
	}, decode(s))
	if cut {
		t += "…"
	}
	return t
}

// decode turns bytes into text: UTF-8 if they are, else Latin-1.
func decode(s []byte) string {
	if utf8.Valid(s) {
		return string(s)
	}
	var b strings.Builder
	for _, c := range s {
		b.WriteRune(rune(c))
	}
	return b.String()
}
