package draw

import (
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/ui/sample"
	"batchlab/ui/words"
)

func labels(ticks []Tick) string {
	var s []string
	for _, k := range ticks {
		l := strings.ReplaceAll(k.Label, words.NB, " ")
		if k.Bold {
			l = "*" + l
		}
		s = append(s, l)
	}
	return strings.Join(s, "|")
}

// Ticks stand at round local times; midnights are bold and carry the date, and
// without an origin days are counted.
func TestTimeTicks(t *testing.T) {
	utc := Clock{Unix: sample.March5}
	for _, c := range []struct {
		clock    Clock
		from, to model.Time
		n        int
		want     string
	}{
		{utc, 2 * Hour, 29 * Hour, 10, "03:00|06:00|09:00|12:00|15:00|18:00|21:00|*Fri 6 Mar|03:00"},
		{Clock{}, 0, 2 * Day, 5, "*day 1|12:00|*day 2|12:00|*day 3"},
		{utc, 0, 3 * Day, 4, "Thu 5|Fri 6|Sat 7|Sun 8"},
		{utc, 10, 70, 7, "00:00:10|00:00:20|00:00:30|00:00:40|00:00:50|00:01:00|00:01:10"},
		{utc, 0, 300 * Day, 12, "Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"},
		{utc, 0, 1000 * Day, 12, "Apr|Jul|Oct|*Jan 2027|Apr|Jul|Oct|*Jan 2028|Apr|Jul|Oct"},
		{utc, 0, 40 * Day, 6, "Mon 9 Mar|Mon 16 Mar|Mon 23 Mar|Mon 30 Mar|Mon 6 Apr|Mon 13 Apr"},
		{utc, 5, 5, 6, ""},
	} {
		if got := labels(TimeTicks(c.clock, c.from, c.to, c.n)); got != c.want {
			t.Errorf("[%d, %d] in %d: %s\nwant %s", c.from, c.to, c.n, got, c.want)
		}
	}
}

// Where clocks change, midnights stay midnights: in the night to 29 March
// 2026 Stockholm loses an hour.
func TestTicksAcrossAChangeOfClocks(t *testing.T) {
	change := int64(1774746000) // 29 March 2026 01:00 UTC
	c := Clock{Unix: sample.March5, Offset: func(u int64) int64 {
		if u >= change {
			return 2 * Hour
		}
		return Hour
	}}
	from := model.Time(change - sample.March5 - 30*Hour)
	ticks := TimeTicks(c, from, from+3*Day, 4)
	if got := labels(ticks); got != "Sat 28|Sun 29|Mon 30" {
		t.Fatal(got)
	}
	if d := ticks[2].At - ticks[1].At; d != 23*Hour {
		t.Errorf("Sunday has %g hours", d/Hour)
	}
	for _, k := range ticks {
		if h := c.Hour(model.Time(k.At)); h != "00:00" {
			t.Errorf("tick at %s", h)
		}
	}
}

// Weekends are whole Saturdays and Sundays of the local calendar, cut to the
// view; an unknown calendar and very long views have none.
func TestWeekends(t *testing.T) {
	c := Clock{Unix: sample.March5}
	got := Weekends(c, 0, 11*Day)
	want := [][2]model.Time{{2 * Day, 4 * Day}, {9 * Day, 11 * Day}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%v, want %v", got, want)
	}
	if w := Weekends(c, 3*Day, 3*Day+Hour); len(w) != 1 || w[0] != [2]model.Time{3 * Day, 3*Day + Hour} {
		t.Errorf("within a Sunday: %v", w)
	}
	if Weekends(Clock{}, 0, 20*Day) != nil || Weekends(c, 0, 3000*Day) != nil {
		t.Error("weekends where there should be none")
	}
}

// Days and dates agree with the calendar, leap days and times before 1970
// included.
func TestDates(t *testing.T) {
	for unix, want := range map[int64]string{
		sample.March5: "2026-03-05 00:00:00",
		951782400:     "2000-02-29 00:00:00",
		4107542399:    "2100-02-28 23:59:59",
		-86400:        "1969-12-31 00:00:00",
		-1:            "1969-12-31 23:59:59",
	} {
		if got := (Clock{Unix: 1}).Date(model.Time(unix - 1)); got != want {
			t.Errorf("%d: %s, want %s", unix, got, want)
		}
		y, m, d := civil(floorDiv(unix, Day))
		if d == 1 && daysTo(y, m) != floorDiv(unix, Day) {
			t.Errorf("%d: daysTo is not the inverse of civil", unix)
		}
	}
	for m := 1; m <= 12; m++ {
		if y, mm, d := civil(daysTo(2024, m)); y != 2024 || mm != m || d != 1 {
			t.Errorf("month %d: %d-%d-%d", m, y, mm, d)
		}
	}
	c := Clock{Unix: sample.March5}
	words := func(s string) string { return strings.ReplaceAll(s, "\u00a0", " ") }
	if got := words(c.Between(10*Hour+31*Minute, 15*Hour)); got != "Thu 5 10:31, 15:00" {
		t.Error(got)
	}
	if got := words((Clock{}).When(2*Day + 6*Hour)); got != "day 3 06:00" {
		t.Error(got)
	}
	c.Long = Years
	if got := words(c.When(Hour)); got != "5 Mar 2026 01:00" {
		t.Error(got)
	}
}

// Axes of numbers and durations begin at 0, have round steps and stay within
// the number asked for.
func TestNumberTicks(t *testing.T) {
	for _, c := range []struct {
		limit float64
		n     int
		want  string
	}{{16.3, 5, "0|5|10|15"}, {1, 4, "0.0|0.5|1.0"}, {100, 4, "0|25|50|75|100"}, {1234, 4, "0|500|1,000"}, {0, 4, "0"}} {
		if got := labels(LinearTicks(c.limit, c.n)); got != c.want {
			t.Errorf("%g in %d: %s, want %s", c.limit, c.n, got, c.want)
		}
	}
	if got := labels(DurationTicks(10000, 4)); got != "0|1 h|2 h" {
		t.Error(got)
	}
	for limit := 1.0; limit < 1e10; limit *= 1.7 {
		if k := len(DurationTicks(limit, 5)); k < 2 || k > 6 {
			t.Errorf("%g s: %d ticks", limit, k)
		}
	}
	if got := labels(LogDurationTicks(30, 50000)); got != "1 min|10 min|1 h|4 h|12 h" {
		t.Error(got)
	}
}
