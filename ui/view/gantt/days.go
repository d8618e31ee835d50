package gantt

import (
	"math"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// longLog is the span from which on the chart opens on a single day, in seconds: a
// year of jobs is noise.
const longLog = 28 * draw.Day

// Day is a day of the log's own time zone, and how much two runs differ on it.
type Day struct {
	From, To model.Time
	Jobs     int     // that start on it in the one run or the other, at different times
	Apart    float64 // by how much, summed, in seconds; of one run alone: how long its jobs waited
}

// Days divides a run, or two over the same jobs, into days: a job counts on the day
// of its earlier start. b is nil for one run, whose waits then take the place of
// differences.
func Days(c draw.Clock, jobs *report.Jobs, a, b *report.Columns) []Day {
	var days []Day
	first, last := model.Never, model.Time(math.MinInt64)
	var asked []model.Time
	if b == nil {
		asked = a.Asked(jobs)
	}
	early := func(j int) (at model.Time, apart float64, ok bool) {
		s := a.Start[j]
		if b == nil {
			return s, float64(s - asked[j]), s >= 0
		}
		t := b.Start[j]
		return min(s, t), math.Abs(float64(s - t)), s >= 0 && t >= 0
	}
	for j := range a.Start {
		if at, _, ok := early(j); ok {
			first, last = min(first, at), max(last, at)
		}
	}
	if first > last {
		return nil
	}
	for at := c.Midnight(first); at <= last; {
		next := c.Midnight(at + 36*3600) // a day may have 23 or 25 hours
		days = append(days, Day{From: at, To: next})
		at = next
	}
	for j := range a.Start {
		at, apart, ok := early(j)
		if !ok || apart == 0 {
			continue
		}
		k := min(len(days)-1, int(int64(at-days[0].From)/draw.Day)) // changes of clocks move it by one
		for days[k].From > at {
			k--
		}
		for days[k].To <= at {
			k++
		}
		days[k].Jobs++
		days[k].Apart += apart
	}
	return days
}

// Ranked are the places of the days with a difference, the largest first, earlier
// ones before later ones.
func Ranked(days []Day) []int {
	var list []int
	for i := range days {
		if days[i].Jobs > 0 {
			list = append(list, i)
		}
	}
	order.Stable(list, func(a, b int) int {
		switch {
		case days[a].Apart > days[b].Apart:
			return -1
		case days[a].Apart < days[b].Apart:
			return 1
		}
		return a - b
	})
	return list
}

// Booking is the first reservation or outage that an experiment asks for within a span:
// its name, and when it was to be; "" where there is none.
func Booking(of *experiment.Experiment, span [2]model.Time) (name string, from, to model.Time) {
	from = model.Never
	first := func(its, kind string, a, b int64) {
		if at := model.Time(a); at < from && at < span[1] && model.Time(b) > span[0] {
			if name = its; name == "" {
				name = "the first " + kind
			}
			from, to = at, model.Time(b)
		}
	}
	for i := range of.Platform.Reservations {
		r := &of.Platform.Reservations[i]
		first(r.Name, "reservation", r.From, r.To)
	}
	for i := range of.Platform.Outages {
		o := &of.Platform.Outages[i]
		first(o.Name, "outage", o.From, o.To)
	}
	return name, from, to
}

// Say tells a day's place among all: "differs most: 139 jobs start 907 h apart in
// sum".
func (d *Day) Say(rank int, two bool) string {
	if d.Jobs == 0 {
		return words.Either(two, "no job starts at another time", "no job waits")
	}
	place := "most"
	if rank > 0 {
		place = ordinal(rank+1) + " most"
	}
	hours := words.Number(d.Apart/3600, words.Either(d.Apart < 36000, 1, 0)) + words.NB + "h"
	if two {
		return "differs " + place + ": " + words.Count(d.Jobs, "job starts", "jobs start") + " " + hours + " apart" + words.Either(d.Jobs > 1, " in total", "")
	}
	return "waits " + place + ": " + words.Count(d.Jobs, "job", "jobs") + ", " + hours + words.Either(d.Jobs > 1, " in total", "")
}
