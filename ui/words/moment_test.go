package words

import (
	"testing"
	"time"
	_ "time/tzdata" // also on computers without zone data
)

// Intent: a day of the week and a date are the times that a calendar has for them,
// also across a change of the clocks; without a calendar nothing is guessed.
func TestMoment(t *testing.T) {
	defer SetCalendar(0, nil)
	zone, err := time.LoadLocation("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	offset := func(unix int64) int64 { _, s := time.Unix(unix, 0).In(zone).Zone(); return int64(s) }
	begin := time.Date(2002, 3, 27, 14, 30, 0, 0, zone) // a Wednesday; clocks go on at the 31st
	SetCalendar(begin.Unix(), offset)
	for text, want := range map[string]time.Time{
		"Thu":               time.Date(2002, 3, 28, 0, 0, 0, 0, zone),
		"next Tuesday 9:00": time.Date(2002, 4, 2, 9, 0, 0, 0, zone),
		"wed 15:00":         time.Date(2002, 3, 27, 15, 0, 0, 0, zone),
		"Wed 14:00":         time.Date(2002, 4, 3, 14, 0, 0, 0, zone),
		"Mon, 08:15":        time.Date(2002, 4, 1, 8, 15, 0, 0, zone),
		"2002-10-28 09:00":  time.Date(2002, 10, 28, 9, 0, 0, 0, zone),
		"2002-12-24":        time.Date(2002, 12, 24, 0, 0, 0, 0, zone),
		"8d":                begin.Add(8 * 24 * time.Hour),
		"1:30":              begin.Add(90 * time.Minute),
		"90 min":            begin.Add(90 * time.Minute),
	} {
		if got, err := Moment(text); err != nil || got != want.Unix()-begin.Unix() {
			t.Errorf("%s: %d, %v; want %d", text, got, err, want.Unix()-begin.Unix())
		}
	}
	for _, text := range []string{"Tue 25:00", "Tue nine", "2002-03-26", "someday", "2002-13-01", "-3d"} {
		if got, err := Moment(text); err == nil {
			t.Errorf("%s is read as %d", text, got)
		}
	}
	SetCalendar(0, nil)
	for text, ok := range map[string]bool{"Tue 09:00": false, "2002-12-24": false, "2d 3h": true} {
		if _, err := Moment(text); (err == nil) != ok {
			t.Errorf("%s without a calendar: %v", text, err)
		}
	}
}
