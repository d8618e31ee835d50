package words

import (
	"errors"
	"strconv"
	"strings"
)

// maxSeconds bounds a typed duration: 100 years.
const maxSeconds = 100 * 366 * 86400

var unitSeconds = map[string]int64{
	"s": 1, "sec": 1, "second": 1, "seconds": 1,
	"m": 60, "min": 60, "minute": 60, "minutes": 60,
	"h": 3600, "hour": 3600, "hours": 3600,
	"d": 86400, "day": 86400, "days": 86400,
	"w": 604800, "week": 604800, "weeks": 604800,
}

// Seconds reads a typed duration: a bare number is seconds, otherwise numbers
// with units as in "12h", "2d 3h", "1.5 h", "90 min", or "1:30:00". Numbers are read
// as Typing reads them. The result is a whole number of seconds; negative durations
// are refused.
func Seconds(text string) (int64, error) {
	t := strings.ToLower(strings.TrimSpace(typingSpaced(text)))
	if t == "" {
		return 0, errors.New("a duration is missing, for example 12h or 2d 3h")
	}
	if strings.HasPrefix(t, "-") || strings.HasPrefix(t, Minus) {
		return 0, errors.New("a duration cannot be negative")
	}
	if strings.Contains(t, ":") {
		return clock(text, t)
	}
	if n, err := strconv.ParseInt(t, 10, 64); err == nil {
		return bounded(text, float64(n))
	}
	total := 0.0
	for t != "" {
		i := strings.IndexFunc(t, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
		if i <= 0 {
			return 0, notDuration(text)
		}
		n, err := strconv.ParseFloat(t[:i], 64)
		if err != nil {
			return 0, notDuration(text)
		}
		t = strings.TrimLeft(t[i:], " ")
		j := strings.IndexFunc(t, func(r rune) bool { return r < 'a' || r > 'z' })
		if j < 0 {
			j = len(t)
		}
		unit, ok := unitSeconds[t[:j]]
		if !ok {
			return 0, notDuration(text)
		}
		total += float64(n * float64(unit))
		t = strings.TrimLeft(t[j:], " ")
	}
	return bounded(text, total)
}

// typingSpaced is Typing with single blanks left between words.
func typingSpaced(text string) string {
	text = strings.ReplaceAll(text, NB, " ")
	if style.decimal == "," {
		for i := 1; i+3 < len(text); i++ { // "200 000" is one number
			if text[i] == ' ' && isDigit(text[i-1]) && isDigit(text[i+1]) && isDigit(text[i+2]) && isDigit(text[i+3]) {
				text = text[:i] + text[i+1:]
			}
		}
	}
	return points(text)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// clock reads "h:mm" and "h:mm:ss".
func clock(text, t string) (int64, error) {
	parts := strings.Split(t, ":")
	if len(parts) > 3 {
		return 0, notDuration(text)
	}
	total, unit := 0.0, int64(3600)
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 40)
		if err != nil || i > 0 && n > 59 {
			return 0, notDuration(text)
		}
		total += float64(int64(n) * unit)
		unit /= 60
	}
	return bounded(text, total)
}

func bounded(text string, v float64) (int64, error) {
	if v > maxSeconds {
		return 0, errors.New(strings.TrimSpace(text) + " is more than 100 years")
	}
	if v != float64(int64(v)) {
		return 0, errors.New(strings.TrimSpace(text) + " is not a whole number of seconds")
	}
	return int64(v), nil
}

func notDuration(text string) error {
	return errors.New(strings.TrimSpace(text) + " is not a duration; write for example 90 min, 12h or 2d 3h")
}

// Typed writes seconds as an input shows them, in a form that Seconds reads
// back to the same number: "200,000", "12h", "2d 3h".
func Typed(seconds int64) string {
	if seconds == 0 || seconds%60 != 0 || seconds < 0 {
		return Whole(seconds)
	}
	var parts []string
	for _, u := range []struct {
		name string
		n    int64
	}{{"d", 86400}, {"h", 3600}, {"m", 60}} {
		if k := seconds / u.n; k > 0 {
			parts = append(parts, strconv.FormatInt(k, 10)+u.name)
			seconds %= u.n
		}
	}
	return strings.Join(parts, " ")
}
