package ui

import (
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"batchlab/core/report"
	"batchlab/ui/words"
)

// glance draws a workload before anything runs: six small charts of bars. Each
// says in its label what it shows, and in its caption what stands out.

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

// glanceHTML writes small charts one after the other.
func glanceHTML(charts []small) vugu.HTML {
	var b strings.Builder
	for _, c := range charts {
		b.WriteString(`<figure class="glance"><figcaption>` + escape(c.title) + `</figcaption>`)
		if len(c.spots) > 0 {
			c.draw(&b)
		}
		b.WriteString(`<p class="faint">` + escape(c.caption) + `</p></figure>`)
	}
	return vugu.HTML(b.String())
}

// draw writes the bars as one drawing of 100 × 36 units, stretched to its place.
func (c *small) draw(b *strings.Builder) {
	most := 0.0
	for _, s := range c.spots {
		most = max(most, s.value)
	}
	const height = 36.0
	label := c.title + ": " + c.caption
	b.WriteString(`<svg role="img" preserveAspectRatio="none" viewBox="0 0 100 37" aria-label="` + escape(label) + `">`)
	step := 100 / float64(len(c.spots))
	num := func(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }
	for i, s := range c.spots {
		h := 0.0
		if s.value > 0 {
			h = max(1, height*s.value/most)
		}
		x := num(float64(i) * step)
		w := num(step * .8)
		// The whole column answers the pointer, however small its bar is.
		b.WriteString(`<g><title>` + escape(s.name+": "+s.text) + `</title><rect class="reach" x="` + x + `" width="` + num(step) + `" height="36"/><rect x="` +
			x + `" y="` + num(height-h) + `" width="` + w + `" height="` + num(h) + `"/></g>`)
	}
	b.WriteString(`<path class="base" d="M0 36.500H100"/></svg><p class="ends faint" aria-hidden="true"><span>` + escape(c.ends[0]) + `</span><span>` + escape(c.ends[1]) + `</span></p>`)
}

// glanceTable writes the same numbers as a table, for reading aloud.
func glanceTable(charts []small) vugu.HTML {
	var b strings.Builder
	for _, c := range charts {
		if len(c.spots) == 0 {
			continue
		}
		b.WriteString(`<table class="plain"><caption>` + escape(c.title) + `</caption><tbody>`)
		for _, s := range c.spots {
			b.WriteString(`<tr><th scope="row">` + escape(s.name) + `</th><td class="num">` + escape(s.text) + `</td></tr>`)
		}
		b.WriteString(`</tbody></table>`)
	}
	return vugu.HTML(b.String())
}
