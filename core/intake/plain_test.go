package intake

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Plain readers of single rows, by regular expressions and the standard library's
// calendar, to which the readers are held on rows with wrong bytes.

// plainRow is what a plain reader makes of a row; bad: it has to be left out and named.
type plainRow struct {
	submit, eligible, start, end, run, limit, wait, procs, asked int64
	state                                                        stateClass
	bad                                                          bool
}

func plainBlank() plainRow {
	return plainRow{submit: -1, eligible: -1, start: -1, end: -1, run: -1, limit: -1, wait: -1, procs: -1, asked: -1}
}

var (
	plainAbsent   = regexp.MustCompile(`^(|None|Unknown|N/A|NULL|null|none|nan|NaN|INVALID|-)$`)
	plainWhole    = regexp.MustCompile(`^(\d{1,15})(\.\d*)?$`)
	plainDate     = regexp.MustCompile(`^(?:(\d{1,15})-(\d{1,15})-(\d{1,15})|(\d{1,15})/(\d{1,15})/(\d{1,15}))(?:[T ](\d{1,15}):(\d{1,15})(?::(\d{1,15})(?:\.\d*)?)?\s*(Z|z|UTC|GMT|[+-][\d:]+)?)?$`)
	plainDuration = regexp.MustCompile(`^(?:(\d{1,15})-)?(\d{1,15})(?::(\d{1,15}))?(?::(\d{1,15}))?(\.\d*)?$`)
	plainScaled   = regexp.MustCompile(`^(\d{1,15})(?:\.(\d+))?([KkMm])$`)
)

func plainInt(s string) int64 { n, _ := strconv.ParseInt(s, 10, 64); return n }

// stampOf reads a time; relative times only in tables.
func (p *plainRow) stampOf(s string, table bool) int64 {
	s = strings.TrimSpace(s)
	if plainAbsent.MatchString(s) {
		return -1
	}
	if m := plainWhole.FindStringSubmatch(s); m != nil {
		switch n := plainInt(m[1]); {
		case table && n < relative:
			return n
		case n == 0:
			return -1
		default:
			p.bad = p.bad || n >= 1<<40
			return n
		}
	}
	m := plainDate.FindStringSubmatch(s)
	if m == nil {
		p.bad = true
		return -1
	}
	y, mo, d := plainInt(m[1]), plainInt(m[2]), plainInt(m[3])
	if m[4] != "" {
		mo, d, y = plainInt(m[4]), plainInt(m[5]), plainInt(m[6])
	}
	h, mi, sec := plainInt(m[7]), plainInt(m[8]), plainInt(m[9])
	if y < 1970 || y > 9999 || mo < 1 || mo > 12 || d < 1 || d > 31 || h > 24 || mi > 59 || sec > 60 {
		p.bad = true
		return -1
	}
	day := time.Date(int(y), time.Month(mo), int(d), 0, 0, 0, 0, time.UTC)
	if day.Day() != int(d) {
		p.bad = true
		return -1
	}
	at := day.Unix() + 3600*h + 60*mi + sec
	switch zone := m[10]; zone {
	case "":
		if y == 1970 && mo == 1 && d <= 2 {
			return -1
		}
		return at
	case "Z", "z", "UTC", "GMT":
		return at
	default:
		digits := strings.ReplaceAll(zone[1:], ":", "")
		if len(digits) == 2 {
			digits += "00"
		}
		if len(digits) != 4 || plainInt(digits[:2]) > 15 || plainInt(digits[2:]) > 59 {
			p.bad = true
			return -1
		}
		ahead := 3600*plainInt(digits[:2]) + 60*plainInt(digits[2:])
		if zone[0] == '-' {
			ahead = -ahead
		}
		return at - ahead
	}
}

func (p *plainRow) durationOf(s string) int64 {
	s = strings.TrimSpace(s)
	if plainAbsent.MatchString(s) {
		return -1
	}
	m := plainDuration.FindStringSubmatch(s)
	if m == nil {
		p.bad = true
		return -1
	}
	parts := []int64{plainInt(m[2])}
	for _, more := range m[3:5] {
		if more != "" {
			parts = append(parts, plainInt(more))
		}
	}
	if days := plainInt(m[1]); days > 0 {
		for len(parts) < 3 {
			parts = append(parts, 0)
		}
		p.bad = p.bad || days > 1<<20
	}
	total := int64(0)
	for _, n := range parts {
		p.bad = p.bad || n > 1<<40
		total = 60*total + n
	}
	return 86400*plainInt(m[1]) + total
}

func (p *plainRow) countOf(s string, scaled bool) int64 {
	s = strings.TrimSpace(s)
	if plainAbsent.MatchString(s) {
		return -1
	}
	if m := plainWhole.FindStringSubmatch(s); m != nil {
		return plainInt(m[1])
	}
	if m := plainScaled.FindStringSubmatch(s); m != nil && scaled && plainInt(m[1]) <= 1<<31 {
		zeros := map[string]int{"K": 3, "M": 6}[strings.ToUpper(m[3])]
		digits := (m[2] + "000000")[:zeros]
		return plainInt(m[1])*int64([]int{1, 1000, 1000000}[zeros/3]) + plainInt(digits)
	}
	p.bad = true
	return -1
}

func (p *plainRow) stateOf(s string) {
	word, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	p.state = states[strings.ToUpper(strings.TrimSuffix(word, "+"))]
	if word = strings.ToUpper(word); p.state == unsaid && len(word) > 5 && strings.HasSuffix(word, "+") {
		for long, class := range states {
			if strings.HasPrefix(long, strings.TrimSuffix(word, "+")) && len(long) > 9 {
				p.state = class
			}
		}
	}
}

// record says what the log must hold of the row: the fields, "" nothing.
func (p plainRow) record() string {
	if p.bad {
		return ""
	}
	for _, t := range []int64{p.eligible, p.start} {
		if p.submit < 0 {
			p.submit = t
		}
	}
	if p.submit < 0 {
		return ""
	}
	if p.start >= 0 && p.start < p.submit {
		if p.end >= 0 {
			p.end += p.submit - p.start
		}
		p.start = p.submit
	}
	if p.start >= 0 && p.end >= 0 && p.run < 0 {
		p.run = max(0, p.end-p.start)
	}
	wait := int64(-1)
	if p.start < 0 {
		p.run = -1
	} else {
		wait = p.start - p.submit
	}
	const span = 1<<31 - 1
	if p.submit > 1<<40 || wait > span || p.run > span || p.limit > span || p.procs > span || p.asked > span {
		return ""
	}
	status := map[stateClass]int{ended: 1, failed: 0, requeued: 0, cancelled: 5}
	s, ok := status[p.state]
	if !ok {
		s = -1
	}
	return fmt.Sprint(p.submit, wait, p.run, p.procs, p.asked, p.limit, s)
}
