package draw

import (
	"strconv"

	"batchlab/core/model"
	"batchlab/ui/words"
)

const (
	Minute = 60
	Hour   = 3600
	Day    = 86400
)

// Clock turns times of the workload into words. Without a known origin it
// counts days: "day 3 06:00".
type Clock struct {
	Unix   int64                  // Unix time of time 0; 0 unknown
	Offset func(unix int64) int64 // seconds east of Greenwich at an instant; nil: none
	Long   Length                 // how long the workload is: what a date needs to be clear
}

// Length says how much of a date must be written to be clear.
type Length uint8

// Lengths of workloads.
const (
	Weeks  Length = iota // "Thu 5"
	Months               // "Thu 5 Mar"
	Years                // "5 Mar 2004"
)

// LengthOf returns the length of a span.
func LengthOf(span model.Time) Length {
	switch {
	case span > 330*Day:
		return Years
	case span > 26*Day:
		return Months
	}
	return Weeks
}

// Calendar says whether dates and weekdays are known.
func (c Clock) Calendar() bool { return c.Unix != 0 }

// Local returns seconds since a midnight: of 1 January 1970 local time, or of
// the workload's first day.
func (c Clock) Local(t model.Time) int64 {
	if !c.Calendar() {
		return int64(t)
	}
	u := c.Unix + int64(t)
	if c.Offset != nil {
		u += c.Offset(u)
	}
	return u
}

// at is the inverse of local.
func (c Clock) at(local int64) model.Time {
	if !c.Calendar() {
		return model.Time(local)
	}
	u := local
	if c.Offset != nil {
		u = local - c.Offset(local)
		u = local - c.Offset(u) // once more, across a change of clocks
	}
	return model.Time(u - c.Unix)
}

// Midnight is the beginning of the day that a time lies in.
func (c Clock) Midnight(t model.Time) model.Time { return c.at(floorDiv(c.Local(t), Day) * Day) }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

var weekdays = [...]string{"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"} // 1 January 1970 was a Thursday

var months = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

func weekday(localDay int64) int { return int(((localDay % 7) + 7) % 7) }

// civil returns the date of a day counted from 1 January 1970 (proleptic
// Gregorian, by eras of 400 years).
func civil(z int64) (y int64, m, d int) {
	z += 719468
	era := floorDiv(z, 146097)
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	d = int(doy - (153*mp+2)/5 + 1)
	m = int(mp + 3)
	if m > 12 {
		m -= 12
	}
	y = yoe + era*400
	if m <= 2 {
		y++
	}
	return y, m, d
}

// Day names the day of t: "Thu 5 Mar" or "day 3".
func (c Clock) Day(t model.Time) string { return c.dayName(floorDiv(c.Local(t), Day), true) }

// FullDay is the day of t with its year: "Thu 13 Feb 1997", or "day 3".
func (c Clock) FullDay(t model.Time) string {
	day := c.Day(t)
	if c.Calendar() {
		y, _, _ := civil(floorDiv(c.Local(t), Day))
		day += words.NB + strconv.FormatInt(y, 10)
	}
	return day
}

// ShortDay is the day of t in as few words as are clear: "Thu 5", "Thu 5 Mar",
// "5 Mar 2004" or "day 3".
func (c Clock) ShortDay(t model.Time) string {
	d := floorDiv(c.Local(t), Day)
	if c.Calendar() && c.Long == Years {
		y, m, dd := civil(d)
		return strconv.Itoa(dd) + words.NB + months[m-1] + words.NB + strconv.FormatInt(y, 10)
	}
	return c.dayName(d, c.Long == Months)
}

func (c Clock) dayName(d int64, month bool) string {
	if !c.Calendar() {
		return "day" + words.NB + strconv.FormatInt(d+1, 10)
	}
	_, m, dd := civil(d)
	s := weekdays[weekday(d)] + words.NB + strconv.Itoa(dd)
	if month {
		s += words.NB + months[m-1]
	}
	return s
}

// Hour writes the time of day: "06:00".
func (c Clock) Hour(t model.Time) string {
	l := c.Local(t)
	l -= floorDiv(l, Day) * Day
	return Pad2(l/Hour) + ":" + Pad2(l%Hour/Minute)
}

// When writes day and time: "Thu 5 Mar 10:31", "5 Mar 2004 10:31", "day 3 06:00".
func (c Clock) When(t model.Time) string {
	if c.Long == Years {
		return c.ShortDay(t) + words.NB + c.Hour(t)
	}
	return c.Day(t) + words.NB + c.Hour(t)
}

// Date writes t for files: "1996-03-05 10:31:00", or plain seconds without a
// calendar.
func (c Clock) Date(t model.Time) string {
	if !c.Calendar() {
		return strconv.FormatInt(int64(t), 10)
	}
	l := c.Local(t)
	d := floorDiv(l, Day)
	y, m, dd := civil(d)
	s := l - d*Day
	return strconv.FormatInt(y, 10) + "-" + Pad2(int64(m)) + "-" + Pad2(int64(dd)) + " " +
		Pad2(s/Hour) + ":" + Pad2(s%Hour/Minute) + ":" + Pad2(s%Minute)
}

// Between writes two instants with the second day left out when it is the same.
func (c Clock) Between(a, b model.Time) string {
	s := c.ShortDay(a) + words.NB + c.Hour(a) + ", "
	if floorDiv(c.Local(a), Day) != floorDiv(c.Local(b), Day) {
		s += c.ShortDay(b) + words.NB
	}
	return s + c.Hour(b)
}
