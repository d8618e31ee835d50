package draw

import (
	"math"
	"strconv"

	"batchlab/core/model"
	"batchlab/ui/words"
)

// Tick is one mark of an axis.
type Tick struct {
	At    float64
	Label string
	Bold  bool // midnight on a time axis
}

var timeSteps = [...]int64{
	1, 2, 5, 10, 30, Minute, 2 * Minute, 5 * Minute, 10 * Minute, 15 * Minute, 30 * Minute,
	Hour, 2 * Hour, 3 * Hour, 6 * Hour, 12 * Hour, Day, 2 * Day, 4 * Day, 7 * Day, 14 * Day,
}

// TimeTicks returns at most n ticks at round times of [from, to]. Midnights
// are bold and carry the date; steps of a month and more stand at the first
// of a month.
func TimeTicks(c Clock, from, to model.Time, n int) []Tick {
	span := int64(to - from)
	if span <= 0 || n < 1 {
		return nil
	}
	for _, s := range timeSteps {
		if span/s < int64(n) {
			return c.stepTicks(from, to, s)
		}
	}
	if !c.Calendar() {
		s := int64(28 * Day)
		for _, m := range [...]int64{1, 2, 5, 10, 20, 50, 100} {
			if span/(s*m) < int64(n) {
				return c.stepTicks(from, to, s*m)
			}
		}
		return nil
	}
	for _, m := range [...]int64{1, 2, 3, 6, 12, 24, 60, 120} {
		if span/(m*30*Day) < int64(n) {
			return c.monthTicks(from, to, int(m))
		}
	}
	return nil
}

func (c Clock) stepTicks(from, to model.Time, step int64) []Tick {
	var out []Tick
	origin := int64(0)
	if step >= 7*Day && c.Calendar() {
		origin = 4 * Day // weeks begin on a Monday
	}
	for l := origin + -floorDiv(-(c.Local(from)-origin), step)*step; ; l += step {
		t := c.at(l)
		if t > to {
			return out
		}
		if t < from {
			continue
		}
		k := Tick{At: float64(t)}
		switch {
		case l%Day == 0:
			k.Bold = step < Day
			k.Label = c.dayName(floorDiv(l, Day), step < Day || step > 2*Day)
		case step < Minute:
			k.Label = c.Hour(t) + ":" + Pad2((l%Minute+Minute)%Minute)
		default:
			k.Label = c.Hour(t)
		}
		out = append(out, k)
	}
}

func (c Clock) monthTicks(from, to model.Time, months1 int) []Tick {
	var out []Tick
	y, _, _ := civil(floorDiv(c.Local(from), Day))
	for m := 0; ; m += months1 {
		yy, mm := y+int64(m/12), m%12
		t := c.at(daysTo(yy, mm+1) * Day)
		if t > to {
			return out
		}
		if t < from {
			continue
		}
		label := months[mm] + words.NB + strconv.FormatInt(yy, 10)
		if months1 >= 12 {
			label = strconv.FormatInt(yy, 10)
		} else if mm != 0 {
			label = months[mm]
		}
		out = append(out, Tick{At: float64(t), Label: label, Bold: mm == 0 && months1 < 12})
	}
}

// daysTo returns the days from 1 January 1970 to the first of a month.
func daysTo(y int64, m int) int64 {
	if m <= 2 {
		y--
	}
	era := floorDiv(y, 400)
	yoe := y - era*400
	mp := int64((m + 9) % 12)
	doy := (153*mp + 2) / 5
	return era*146097 + yoe*365 + yoe/4 - yoe/100 + doy - 719468
}

// Weekends returns the weekends of [from, to] as pairs of times. It is empty
// without a calendar, and when the span is longer than two years: bands of
// less than a pixel say nothing.
func Weekends(c Clock, from, to model.Time) [][2]model.Time {
	if !c.Calendar() || to-from > 2*366*Day || to <= from {
		return nil
	}
	var out [][2]model.Time
	l := floorDiv(c.Local(from), Day)
	l -= int64(weekday(l)+5) % 7 // back to a Saturday (weekday 2)
	for ; ; l += 7 {
		a, b := c.at(l*Day), c.at((l+2)*Day)
		if a >= to {
			return out
		}
		if b > from {
			out = append(out, [2]model.Time{max(a, from), min(b, to)})
		}
	}
}

// LinearTicks returns about n round values from 0 to limit, 0 included.
func LinearTicks(limit float64, n int) []Tick {
	if !(limit > 0) || math.IsInf(limit, 0) || n < 1 {
		return []Tick{{At: 0, Label: "0"}}
	}
	mag := math.Pow(10, math.Floor(math.Log10(limit/float64(n))))
	step := mag
	for _, m := range [...]float64{1, 2, 2.5, 5, 10} {
		if m == 2.5 && mag < 10 {
			continue
		}
		if step = m * mag; limit/step <= float64(n) {
			break
		}
	}
	dec := max(0, int(-math.Floor(math.Log10(step)+1e-9)))
	var out []Tick
	for i := 0; ; i++ {
		v := float64(i) * step
		if v > limit*(1+1e-9) {
			return out
		}
		label := strconv.FormatFloat(v, 'f', dec, 64)
		if dec == 0 {
			label = words.Int(int64(v + .5))
		}
		out = append(out, Tick{At: v, Label: label})
	}
}

// DurationTicks returns round durations from 0 to limit seconds.
func DurationTicks(limit float64, n int) []Tick {
	if !(limit > 0) || n < 1 {
		return []Tick{{At: 0, Label: "0"}}
	}
	step := RoundDuration(limit / float64(n))
	out := []Tick{{At: 0, Label: "0"}}
	for v := step; v <= limit*(1+1e-9); v += step {
		out = append(out, Tick{At: v, Label: words.Dur(v)})
	}
	return out
}

// RoundDuration is a round number of seconds of at least least: one second or more.
func RoundDuration(least float64) float64 {
	step := float64(1)
	for _, step = range [...]float64{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 14400, 21600, 43200, 86400, 172800, 432000, 864000, 1728000, 4320000} {
		if step >= least {
			return step
		}
	}
	for step < least {
		step *= 2
	}
	return step
}

// RoundUp is a round number of at least v: 1, 2 or 5 times a power of ten; 1 where
// v is not above 0.
func RoundUp(v float64) float64 {
	if !(v > 0) {
		return 1
	}
	ten := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range [...]float64{1, 2, 5} {
		if m*ten >= v*(1-1e-9) {
			return m * ten
		}
	}
	return 10 * ten
}

// LogDurationTicks returns well-known durations within [from, to] seconds for
// a logarithmic axis.
func LogDurationTicks(from, to float64) []Tick {
	var out []Tick
	for _, k := range [...]Tick{{At: 1, Label: "1 s"}, {At: 10, Label: "10 s"}, {At: 60, Label: "1 min"}, {At: 600, Label: "10 min"}, {At: 3600, Label: "1 h"},
		{At: 4 * 3600, Label: "4 h"}, {At: 12 * 3600, Label: "12 h"}, {At: 86400, Label: "1 day"}, {At: 7 * 86400, Label: "7 days"}, {At: 30 * 86400, Label: "30 days"}, {At: 365 * 86400, Label: "1 year"}} {
		if k.At >= from && k.At <= to {
			out = append(out, k)
		}
	}
	return out
}
