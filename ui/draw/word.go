package draw

import (
	"strconv"
	"strings"

	"batchlab/ui/words"
)

func UserName(u int32) string {
	if u < 0 {
		return "unknown"
	}
	return strconv.Itoa(int(u))
}

// HourMin writes seconds as h:min, rounded to the minute: "16:37", "−0:12".
func HourMin(seconds int64) string {
	neg := seconds < 0
	if neg {
		seconds = -seconds
	}
	m := (seconds + 30) / 60
	s := words.Int(m/60) + ":" + Pad2(m%60)
	if neg && m != 0 {
		s = words.Minus + s
	}
	return s
}

func Pad2(n int64) string {
	return string([]byte{byte('0' + n/10%10), byte('0' + n%10)})
}

// Signed puts a plus sign before what has no minus sign.
func Signed(s string) string {
	if strings.HasPrefix(s, words.Minus) {
		return s
	}
	return "+" + s
}

// Escape makes s safe inside XML text and attributes.
func Escape(s string) string {
	return escaper.Replace(strings.Map(func(r rune) rune { // damaged UTF-8 comes as U+FFFD
		if r < ' ' && r != '\n' && r != '\t' {
			return '\ufffd'
		}
		return r
	}, s))
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")
