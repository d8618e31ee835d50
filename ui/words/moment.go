package words

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// calendar is the workload's: where its time 0 lies.
var calendar struct {
	unix   int64 // 0: not known
	offset func(unix int64) int64
}

// SetCalendar says when time 0 of the workload is, in Unix time (0: not known), and
// how many seconds east of Greenwich its clocks stand at an instant (nil: none).
func SetCalendar(unix int64, offset func(unix int64) int64) {
	calendar.unix, calendar.offset = unix, offset
}

var weekdays = [...]string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

// Moment reads a time since the beginning of the workload: a duration as Seconds
// does, or where the calendar is known a day of the week, "Tue 09:00", which is the
// first one, or a date, "2004-03-05 09:00". Without a clock time the day's beginning
// is meant.
func Moment(text string) (int64, error) {
	t := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), "next ")
	day, at, _ := strings.Cut(t, " ")
	weekday := -1
	for i, name := range weekdays {
		if len(day) >= 2 && strings.HasPrefix(name, strings.TrimSuffix(day, ",")) {
			weekday = i
		}
	}
	local, dated := dateOf(day)
	if weekday < 0 && !dated {
		return Seconds(text)
	}
	if calendar.unix == 0 {
		return 0, errors.New("this workload does not say when it began; write for example 8d 9h, counted from its beginning")
	}
	clockTime := int64(0)
	if at = strings.TrimSpace(at); at != "" {
		if !strings.Contains(at, ":") {
			return 0, errors.New(at + " is not a time of the day; write for example 09:00")
		}
		var err error
		if clockTime, err = Seconds(at); err != nil || clockTime >= 86400 {
			return 0, errors.New(at + " is not a time of the day; write for example 09:00")
		}
	}
	offset := func(unix int64) int64 {
		if calendar.offset == nil {
			return 0
		}
		return calendar.offset(unix)
	}
	const length = 86400
	begin := calendar.unix + offset(calendar.unix) // as clocks there show it
	local += clockTime
	if weekday >= 0 {
		first := begin - (begin%length+length)%length
		today := int64(time.Unix(begin, 0).UTC().Weekday())
		if local = first + (int64(weekday)-today+7)%7*length + clockTime; local < begin {
			local += 7 * length
		}
	}
	unix := local - offset(local-offset(calendar.unix))
	if unix < calendar.unix {
		return 0, errors.New(strings.TrimSpace(text) + " is before the workload begins")
	}
	return bounded(text, float64(unix-calendar.unix))
}

// dateOf reads "2004-03-05" as the Unix time of its beginning in Greenwich.
func dateOf(text string) (unix int64, ok bool) {
	if len(text) != 10 || text[4] != '-' || text[7] != '-' {
		return 0, false
	}
	year, e1 := strconv.Atoi(text[:4])
	month, e2 := strconv.Atoi(text[5:7])
	day, e3 := strconv.Atoi(text[8:])
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return t.Unix(), e1 == nil && e2 == nil && e3 == nil && int(t.Month()) == month && t.Day() == day
}
