package intake

import (
	"bytes"
	"fmt"
)

// none stands for a time or number that is not there.
const none = -1

// isAbsent knows the words by which accounting says that there is no value.
func isAbsent(s []byte) bool {
	switch string(s) {
	case "", "None", "Unknown", "N/A", "NULL", "null", "none", "nan", "NaN", "INVALID", "-":
		return true
	}
	return false
}

// trim is a cell without the blanks around it.
func trim(s []byte) []byte {
	if n := len(s); n == 0 || s[0]-'!' < 0x7f-'!' && s[n-1]-'!' < 0x7f-'!' {
		return s
	}
	return bytes.TrimSpace(s)
}

// zones counts how stamps said where they were taken.
type zones struct {
	wall, offset, unix int
}

// day is a date, and what its clocks show.
type day struct {
	date   [10]byte // 2026-11-23
	begins int64    // seconds from 1970-01-01 to it, on its own clocks
	ahead  int64    // seconds that its clocks are ahead of UTC
	even   bool     // all day
}

// wallTime reads 2026-11-23T08:20:47, as nearly all accounting has it, of a day that may
// be known already. What is written in any other way, or is no time, is left to stamp.
func (b *builder) wallTime(s []byte) (int64, bool) {
	if len(s) != 19 || s[10] != 'T' && s[10] != ' ' || s[13] != ':' || s[16] != ':' {
		return 0, false
	}
	h1, h2, m1, m2, s1, s2 := s[11]-'0', s[12]-'0', s[14]-'0', s[15]-'0', s[17]-'0', s[18]-'0'
	hour, minute, second := h1*10+h2, m1*10+m2, s1*10+s2
	if max(h1, h2, m1, m2, s1, s2) > 9 || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	d := &b.days[(s[9]-'0'+(s[8]-'0')*10+s[6]*32)%64]
	if d.begins == 0 || string(d.date[:]) != string(s[:10]) {
		day, rest, ok := calendarDay(s[:10])
		if !ok || len(rest) > 0 || day < days(1971, 1, 1) || s[4] != '-' || s[7] != '-' {
			return 0, false
		}
		d.date, d.begins = [10]byte(s[:10]), day*86400
		d.ahead, d.even = 0, true
		if b.o.Offset != nil {
			d.ahead = b.o.Offset(d.begins)
			for at := d.begins + 3600; at < d.begins+86400; at += 3600 {
				d.even = d.even && b.o.Offset(at) == d.ahead
			}
			d.even = d.even && b.o.Offset(d.begins+86399) == d.ahead
		}
	}
	b.zones.wall++
	at := d.begins + int64(hour)*3600 + int64(minute)*60 + int64(second)
	if !d.even {
		return at - b.o.Offset(at), true
	}
	return at - d.ahead, true
}

// unixTime reads ten digits.
func unixTime(s []byte) (n int64, ok bool) {
	if len(s) != 10 || s[0] == '0' {
		return 0, false
	}
	for _, c := range s {
		if c -= '0'; c > 9 {
			return 0, false
		}
		n = n*10 + int64(c)
	}
	return n, true
}

// stamp reads a time: Unix seconds (a fraction is cut off), or a date and time with
// or without an offset, as 2026-11-23T08:20:47, 2026-11-23 08:20:47.5+01:00,
// 11/23/2026 08:20:47. What says that there is no time is none, as is the year 1970,
// which stands for it in some accounting.
func (b *builder) stamp(s []byte) (int64, bool) {
	if at, ok := b.wallTime(s); ok {
		return at, true
	}
	if n, ok := unixTime(s); ok {
		b.zones.unix++
		return n, true
	}
	s = bytes.TrimSpace(s)
	if isAbsent(s) {
		return none, true
	}
	if n, rest, ok := number(s); ok && (len(rest) == 0 || rest[0] == '.' && digitsOnly(rest[1:])) {
		if n <= 0 {
			return none, true
		}
		b.zones.unix++
		return n, n < 1<<40
	}
	day, rest, ok := calendarDay(s)
	if !ok {
		return none, false
	}
	var clock int64
	if len(rest) > 0 {
		if rest[0] != 'T' && rest[0] != ' ' {
			return none, false
		}
		if clock, rest, ok = clockTime(rest[1:]); !ok {
			return none, false
		}
	}
	at := day*86400 + clock
	rest = bytes.TrimSpace(rest)
	if len(rest) == 0 {
		if day <= 1 { // 1970-01-02
			return none, true
		}
		b.zones.wall++
		if b.o.Offset != nil {
			return at - b.o.Offset(at), true
		}
		return at, true
	}
	offset, ok := utcOffset(rest)
	if !ok {
		return none, false
	}
	b.zones.offset++
	return at - offset, true
}

// calendarDay reads 2026-11-23, or 11/23/2026 as PBS writes it, as days since 1970-01-01,
// and returns what follows.
func calendarDay(s []byte) (day int64, rest []byte, ok bool) {
	y, rest, ok := number(s)
	if !ok || len(rest) == 0 || rest[0] != '-' && rest[0] != '/' {
		return 0, nil, false
	}
	mark := rest[0]
	m, rest, ok := number(rest[1:])
	if !ok || len(rest) == 0 || rest[0] != mark {
		return 0, nil, false
	}
	d, rest, ok := number(rest[1:])
	if mark == '/' { // month first
		y, m, d = d, y, m
	}
	if !ok || y < 1970 || y > 9999 || m < 1 || m > 12 || d < 1 || d > days(y, m+1, 1)-days(y, m, 1) {
		return 0, nil, false
	}
	return days(y, m, d), rest, true
}

// clockTime reads 08:20 or 08:20:47 or 08:20:47.5 and returns what follows.
func clockTime(s []byte) (seconds int64, rest []byte, ok bool) {
	h, rest, ok := number(s)
	if !ok || h > 24 || len(rest) == 0 || rest[0] != ':' {
		return 0, nil, false
	}
	m, rest, ok := number(rest[1:])
	if !ok || m > 59 {
		return 0, nil, false
	}
	var sec int64
	if len(rest) > 0 && rest[0] == ':' {
		if sec, rest, ok = number(rest[1:]); !ok || sec > 60 {
			return 0, nil, false
		}
		if len(rest) > 0 && rest[0] == '.' {
			for rest = rest[1:]; len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9'; rest = rest[1:] {
			}
		}
	}
	return h*3600 + m*60 + sec, rest, true
}

// utcOffset reads Z, +01:00, -0700, +08 or UTC.
func utcOffset(s []byte) (int64, bool) {
	if len(s) == 1 && (s[0] == 'Z' || s[0] == 'z') || string(s) == "UTC" || string(s) == "GMT" {
		return 0, true
	}
	if s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	digits := make([]byte, 0, 4)
	for _, c := range s[1:] {
		if c == ':' {
			continue
		}
		if c < '0' || c > '9' || len(digits) == 4 {
			return 0, false
		}
		digits = append(digits, c)
	}
	if len(digits) == 2 {
		digits = append(digits, '0', '0')
	}
	if len(digits) != 4 {
		return 0, false
	}
	h, m := int64(digits[0]-'0')*10+int64(digits[1]-'0'), int64(digits[2]-'0')*10+int64(digits[3]-'0')
	if h > 15 || m > 59 {
		return 0, false
	}
	if at := h*3600 + m*60; s[0] == '+' {
		return at, true
	} else {
		return -at, true
	}
}

// Offset turns a zone into the seconds that its clocks are ahead of UTC when they show
// a time, as Options takes it; nil for "". zones knows names; it may be nil.
func Offset(zone string, zones func(name string) func(unix int64) int64) (func(wall int64) int64, error) {
	if zone == "" {
		return nil, nil
	}
	if ahead, ok := utcOffset([]byte(zone)); ok {
		return func(int64) int64 { return ahead }, nil
	}
	if zones != nil {
		if of := zones(zone); of != nil {
			return func(wall int64) int64 { return of(wall - of(wall)) }, nil
		}
	}
	return nil, fmt.Errorf("%q is no zone: +01:00, UTC or a name such as Europe/Prague is expected", zone)
}

// days counts the days from 1970-01-01 to a date of the Gregorian calendar.
func days(y, m, d int64) int64 {
	switch {
	case m <= 2:
		y--
		m += 12
	case m > 14: // a month behind December
		y++
		m -= 12
	}
	return 365*y + y/4 - y/100 + y/400 + (153*(m-3)+2)/5 + d - 719469
}

// short reads a number of up to nine digits and nothing else.
func short(s []byte) (n int64, ok bool) {
	if uint(len(s)-1) > 8 {
		return 0, false
	}
	v := uint32(0)
	for _, c := range s {
		if c -= '0'; c > 9 {
			return 0, false
		}
		v = v*10 + uint32(c)
	}
	return int64(v), true
}

// number reads the digits that s begins with; it does not accept more than 15.
func number(s []byte) (n int64, rest []byte, ok bool) {
	i := 0
	for i < len(s) && i < 15 && s[i] >= '0' && s[i] <= '9' {
		n = n*10 + int64(s[i]-'0')
		i++
	}
	return n, s[i:], i > 0 && (i == len(s) || s[i] < '0' || s[i] > '9')
}

func digitsOnly(s []byte) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// duration reads 3-04:05:06, 04:05:06, 05:06 or plain seconds, with a fraction that
// is cut off.
func duration(s []byte) (int64, bool) {
	if n, ok := short(s); ok {
		return n, true
	}
	s = trim(s)
	day := int64(0)
	if n, rest, ok := number(s); ok && len(rest) > 1 && rest[0] == '-' {
		day, s = n, rest[1:]
	}
	total, parts := int64(0), 0
	for {
		n, rest, ok := number(s)
		if !ok || parts > 2 || n > 1<<40 {
			return none, false
		}
		total = total*60 + n
		parts++
		if len(rest) > 0 && rest[0] == ':' {
			s = rest[1:]
			continue
		}
		if len(rest) > 0 && (rest[0] != '.' || !digitsOnly(rest[1:])) {
			return none, false
		}
		break
	}
	if day > 0 { // days-hours, days-hours:minutes, days-hours:minutes:seconds
		for ; parts < 3; parts++ {
			total *= 60
		}
	}
	if day > 1<<20 {
		return none, false
	}
	return day*86400 + total, true
}

// count reads a whole number; a fraction is cut off. What says that there is none
// is none.
func count(s []byte) (int64, bool) {
	if n, ok := short(s); ok {
		return n, true
	}
	s = trim(s)
	if isAbsent(s) {
		return none, true
	}
	n, rest, ok := number(s)
	if !ok || len(rest) > 0 && (rest[0] != '.' || !digitsOnly(rest[1:])) {
		return none, false
	}
	return n, true
}

// kilobytes reads 1000M, 4G, 16384 (megabytes, where no unit stands).
func kilobytes(s []byte) (int64, bool) {
	n, rest, ok := number(s)
	if !ok {
		return none, false
	}
	fraction := int64(0) // thousandths
	if len(rest) > 0 && rest[0] == '.' {
		scale := int64(100)
		for rest = rest[1:]; len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9'; rest = rest[1:] {
			fraction += int64(rest[0]-'0') * scale
			scale /= 10
		}
	}
	unit := int64(1 << 10)
	if len(rest) > 0 {
		switch rest[0] {
		case 'K', 'k':
			unit = 1
		case 'M', 'm':
		case 'G', 'g':
			unit = 1 << 20
		case 'T', 't':
			unit = 1 << 30
		case 'P', 'p':
			unit = 1 << 40
		default:
			return none, false
		}
		if rest = rest[1:]; len(rest) > 0 && !(len(rest) == 1 && (rest[0] == 'b' || rest[0] == 'B')) {
			return none, false
		}
	}
	if n > (1<<50)/unit {
		return none, false
	}
	return n*unit + fraction*unit/1000, true
}
