// Package glance draws a workload before anything runs: its arrivals, and six small charts
// of bars. Each says in its label what it shows, and in its caption what stands out.
package glance

import (
	"strconv"

	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// spot is one bar of a small chart.
type spot struct {
	name  string // for the tooltip
	value float64
	text  string // the value in words
}

// small is one small chart.
type small struct {
	title, caption string
	ends           [2]string // below the first and the last bar
	spots          []spot
}

// glances are the charts of a workload, nil without one.
func glances(p *report.Preview) []small {
	if p == nil || p.Jobs == 0 {
		return nil
	}
	s := &p.Shape
	return []small{hoursChart(s), daysChart(s), sizesChart(s), runsChart(s), accuracyChart(p), usersChart(p)}
}

func jobs(n int) string { return words.Count(n, "job", "jobs") }

var dayNames = [...]string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}

func hoursChart(s *report.Shape) small {
	c := small{title: "Arrivals by hour", ends: [2]string{"0 h", "23 h"}}
	best := 0
	for h, n := range s.Hours {
		c.spots = append(c.spots, spot{strconv.Itoa(h) + " to " + strconv.Itoa(h+1) + " h", float64(n), jobs(n)})
		if n > s.Hours[best] {
			best = h
		}
	}
	c.caption = "most from " + strconv.Itoa(best) + " to " + strconv.Itoa(best+1) + " h"
	if !s.Calendar {
		c.caption += " after the log's time 0"
	}
	return c
}

func daysChart(s *report.Shape) small {
	c := small{title: "By weekday", ends: [2]string{"Mon", "Sun"}}
	best := 0
	for d, n := range s.Days {
		name := dayNames[d]
		if !s.Calendar {
			name = "Day " + strconv.Itoa(d+1) + " of each week"
		}
		c.spots = append(c.spots, spot{name, float64(n), jobs(n)})
		if n > s.Days[best] {
			best = d
		}
	}
	c.caption = "most on " + dayNames[best]
	if !s.Calendar {
		c.ends = [2]string{"day 1", "day 7"}
		c.caption = "the log names no start"
	}
	return c
}

func between(from, to string) string {
	if from == to {
		return from
	}
	return from + " to " + to
}

func sizesChart(s *report.Shape) small {
	c := small{title: "Sizes"}
	total := 0
	for _, b := range s.Sizes {
		total += b.Jobs
		c.spots = append(c.spots, spot{between(words.Int(b.From), words.Int(b.To)) + " processors", float64(b.Jobs), jobs(b.Jobs)})
	}
	if n := len(s.Sizes); n > 0 {
		c.ends = [2]string{"1", "≤" + words.NB + words.Int(s.Sizes[n-1].To)}
		c.caption = words.Percent(float64(s.Sizes[0].Jobs)/float64(max(1, total))) + " on one processor"
	}
	return c
}

func runsChart(s *report.Shape) small {
	c := small{title: "Run times", ends: [2]string{"≤" + words.NB + "10" + words.NB + "s", ">" + words.NB + "1" + words.NB + "d"}}
	total, short := 0, 0
	for i, b := range s.Runs {
		total += b.Jobs
		name := "up to " + words.Dur(float64(b.To))
		if b.Open() {
			name = "more than " + words.Dur(float64(b.From-1))
		}
		if i < 2 {
			short += b.Jobs
		}
		c.spots = append(c.spots, spot{name, float64(b.Jobs), jobs(b.Jobs)})
	}
	c.caption = words.Percent(float64(short)/float64(max(1, total))) + " within a minute"
	return c
}

func accuracyChart(p *report.Preview) small {
	s := &p.Shape
	c := small{title: "Used of the request", ends: [2]string{"0" + words.NB + "%", "100" + words.NB + "%"}}
	asked, low := 0, 0
	for i, n := range s.Accuracy {
		asked += n
		if i < 5 {
			low += n
		}
		c.spots = append(c.spots, spot{strconv.Itoa(10*i) + " to " + strconv.Itoa(10*i+10) + words.NB + "% of the requested time", float64(n), jobs(n)})
	}
	switch {
	case asked == 0:
		c.spots = nil
		c.caption = "This log names no requested times: the run time stands in."
	default:
		c.caption = words.Percent(float64(low)/float64(asked)) + " use less than half"
	}
	return c
}

func usersChart(p *report.Preview) small {
	s := &p.Shape
	c := small{title: "Users by work", ends: [2]string{"most", "12th"}}
	if s.Named == 0 {
		c.caption = "This log names no users: field 12 is " + words.Minus + "1 in all " + jobs(p.Jobs) + "."
		return c
	}
	three := 0.0
	for i, u := range s.Users {
		if i < 3 {
			three += u.Area
		}
		c.spots = append(c.spots, spot{"User " + strconv.Itoa(int(u.User)), u.Area, words.Percent(u.Area) + " of the work, " + jobs(u.Jobs)})
	}
	if n := len(s.Users); n < 12 {
		c.ends[1] = strconv.Itoa(n) + "th"
	}
	if len(s.Users) < 4 {
		c.ends[1] = "least"
	}
	c.caption = words.Count(p.Users, "user", "users") + "; three bring " + words.Percent(three)
	return c
}

// Charts are the small charts of a workload, one after the other.
func Charts(p *report.Preview) draw.Markup {
	var w draw.Writer
	for _, c := range glances(p) {
		w.Put(`<figure class="glance"><figcaption>{}</figcaption>{}<p class="faint">{}</p></figure>`, c.title, c.draw(), c.caption)
	}
	return w.Markup()
}

// draw is the bars as one drawing of 100 × 36 units, stretched to its place.
func (c *small) draw() draw.Markup {
	if len(c.spots) == 0 {
		return ""
	}
	most := 0.0
	for _, s := range c.spots {
		most = max(most, s.value)
	}
	const height = 36.0
	var w draw.Writer
	w.Put(`<svg role="img" preserveAspectRatio="none" viewBox="0 0 100 37" aria-label="{}: {}">`, c.title, c.caption)
	step := 100 / float64(len(c.spots))
	for i, s := range c.spots {
		h, x := 0.0, float64(i)*step
		if s.value > 0 {
			h = max(1, height*s.value/most)
		}
		// The whole column answers the pointer, however small its bar is.
		w.Put(`<g><title>{}: {}</title><rect class="reach" x="{}" width="{}" height="36"/><rect x="{}" y="{}" width="{}" height="{}"/></g>`, s.name, s.text, x, step, x, height-h, step*.8, h)
	}
	w.Put(`<path class="base" d="M0 36.500H100"/></svg><p class="ends faint" aria-hidden="true"><span>{}</span><span>{}</span></p>`, c.ends[0], c.ends[1])
	return w.Markup()
}

// Tables are the same numbers, for reading aloud.
func Tables(p *report.Preview) draw.Markup {
	var w draw.Writer
	for _, c := range glances(p) {
		if len(c.spots) == 0 {
			continue
		}
		w.Put(`<table class="plain"><caption>{}</caption><tbody>`, c.title)
		for _, s := range c.spots {
			w.Put(`<tr><th scope="row">{}</th><td class="num">{}</td></tr>`, s.name, s.text)
		}
		w.Add(`</tbody></table>`)
	}
	return w.Markup()
}

// Arrivals draws jobs submitted over the span of a workload as small bars.
func Arrivals(counts []int) draw.Markup {
	most, total := 0, 0
	for _, n := range counts {
		most = max(most, n)
		total += n
	}
	if most == 0 {
		return ""
	}
	const height = 26.0
	var w draw.Writer
	w.Put(`<svg class="arrivals" role="img" preserveAspectRatio="none" viewBox="0 0 {} 27" aria-label="Arrivals over time: at most {} of {} jobs in one of {} parts"><path d="`, 4*len(counts), words.Int(most), words.Int(total), len(counts))
	for i, n := range counts {
		if n > 0 {
			h := max(1, float64(int(height*float64(n)/float64(most)*10+.5))/10)
			w.Put(`M{} {}h3v-{}h-3z`, 4*i, height, h)
		}
	}
	w.Put(`"/><path class="base" d="M0 26.500H{}"/></svg>`, 4*len(counts))
	return w.Markup()
}
