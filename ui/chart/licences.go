package chart

import (
	"math"
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// Sizes of the licences' lanes in page pixels.
const (
	laneHeight  = 46.0
	laneUsed    = 24.0 // strip of copies in use
	laneBlocked = 10.0 // strip of blocked jobs below it
	laneTop     = 6.0
	laneFoot    = 40.0
)

// HasLicences says whether the run looked at has time lines of licences.
func (d *Data) HasLicences() bool {
	r := d.shown(d.A)
	return r != nil && len(r.Licences) > 0
}

// LicencesHeight is how high the drawing of the licences wants to be.
func (d *Data) LicencesHeight() float64 {
	if !d.HasLicences() {
		return 120
	}
	return laneTop + laneFoot + laneHeight*float64(len(d.shown(d.A).Licences))
}

// lane is one licence over time.
type lane struct {
	*report.Licence
	used, blocked *Steps
	waits         float64 // mean number of blocked jobs
}

// usage writes how much of a licence is in use on average: nothing of one that
// belongs to machines, which has no number of copies.
func (l *lane) usage() string {
	if l.Copies == 0 {
		return words.None
	}
	return words.Percent(l.Usage)
}

// Licences draws, for each licence, the copies in use and the jobs that wait
// for more than are free, in the run of A, over a span of time; the most
// waited for first. An empty span is the whole.
func (d *Data) Licences(from, to model.Time, w, h float64) Drawing {
	out := Drawing{W: w, H: h}
	a := d.shown(d.A)
	first, last, ok := d.Span()
	if !ok || a == nil {
		out.Empty = d.nothing()
		return out
	}
	if len(a.Licences) == 0 {
		out.Empty = "The platform of this run has no licences."
		return out
	}
	if to <= from {
		from, to = first, last
	}
	lanes, most := d.lanes(a, from, to)
	left, right := 92.0, 92.0
	if w < 500 {
		left, right = 60, 54
	}
	wide := max(20, w-left-right)
	x := func(t float64) float64 { return left + (t-float64(from))/float64(to-from)*wide }
	foot := laneTop + laneHeight*float64(len(lanes))
	var p pen
	for _, band := range Weekends(d.Clock, from, to) {
		p.rect(x(float64(band[0])), laneTop, x(float64(band[1]))-x(float64(band[0])), foot-laneTop, "var(--sunken)", `opacity=".55"`)
	}
	ticks := TimeTicks(d.Clock, from, to, int(max(2, wide/72)))
	for _, t := range ticks {
		p.line(crisp(x(t.At)), laneTop, crisp(x(t.At)), foot, "grid")
	}
	n := int(max(20, wide/2))
	for i, l := range lanes {
		y := laneTop + laneHeight*float64(i)
		p.text(left-8, y+14, l.Name, "end", "k")
		note := "node-locked"
		scale := float64(max(1, l.used.Max(from, to)))
		if l.Copies > 0 {
			note, scale = words.Count(l.Copies, "copy", "copies"), float64(l.Copies)
		}
		if w >= 500 {
			p.text(left-8, y+28, note, "end", "")
		}
		p.line(left, crisp(y+2), w-right, crisp(y+2), "grid")
		line, area := StripPaths(l.used.Columns(from, to, n), scale, left, y+2, wide, laneUsed)
		p.path(area, "", "", "", SeriesVar(d.A), `opacity=".28"`)
		p.path(line, SeriesVar(d.A), "1.2", "", "none", "")
		p.line(left, crisp(y+2+laneUsed), w-right, crisp(y+2+laneUsed), "line-3")
		// Blocked jobs hang below the line: what is in use stands on it.
		if l.blocked.Max(from, to) > 0 {
			var hang path
			for k, v := range l.blocked.Columns(from, to, n) {
				if v <= 0 {
					continue
				}
				x0 := left + wide*float64(k)/float64(n)
				hang.rect(Box{x0, y + 3 + laneUsed, wide/float64(n) + .3, max(1, math.Sqrt(v/most)*laneBlocked)})
			}
			p.path(string(hang.b), "", "", "", "var(--s2)", "")
		}
		p.text(w-right+8, y+14, l.usage(), "", "k2")
		if b := l.blocked.Max(from, to); b > 0 && w >= 500 {
			p.text(w-right+8, y+28+laneBlocked/2, "max "+words.Int(b)+" wait", "", "")
		}
	}
	for _, t := range ticks {
		if xx := x(t.At); xx > left+14 && xx < w-right-8 {
			class := ""
			if t.Bold {
				class = "k b"
			}
			p.text(xx, foot+14, t.Label, "middle", class)
		}
	}
	caption := "above the line: copies in use · below: jobs that wait for a copy (square root, at most " + words.Int(int(most)) + ")"
	if w < 500 {
		caption = "above: in use · below: waiting, at most " + words.Int(int(most))
	}
	p.text(left, foot+32, caption, "", "")
	out.SVG, out.Top, out.Foot = p.String(), laneTop, foot
	out.Time = Timeline{left, wide, float64(from), float64(to)}
	out.Say = func(px float64) string {
		if px < left || px > left+wide {
			return ""
		}
		t := from + model.Time(float64(to-from)*(px-left)/wide)
		s := `<b>` + Escape(d.Clock.When(t)) + `</b><table class="bl-tip"><tr><th></th><th>in use</th><th>blocked</th></tr>`
		for _, l := range lanes {
			of := ""
			if l.Copies > 0 {
				of = " of " + words.Int(l.Copies)
			}
			s += `<tr><td>` + Escape(l.Name) + `</td><td>` + words.Int(l.used.Value(t)) + of + `</td><td>` + words.Int(l.blocked.Value(t)) + `</td></tr>`
		}
		return s + `</table>`
	}
	out.Aria = licencesSaid(d.Title(d.A), lanes)
	out.Fill = func() Grid { return licenceGrid(lanes, from, to) }
	return out
}

// lanes are the licences of a run, the most waited for first, and the most
// blocked jobs at a time.
func (d *Data) lanes(r *report.Run, from, to model.Time) (list []lane, most float64) {
	for i := range r.Licences {
		l := &r.Licences[i]
		one := lane{Licence: l, used: stepsFrom(l.At, l.Used), blocked: stepsFrom(l.At, l.Blocked)}
		one.waits = one.blocked.Mean(float64(from), float64(to))
		most = max(most, float64(one.blocked.Max(from, to)))
		list = append(list, one)
	}
	order.Stable(list, func(a, b lane) int {
		switch {
		case a.waits > b.waits:
			return -1
		case a.waits < b.waits:
			return 1
		}
		return 0
	})
	return list, most
}

// stepsFrom is NewSteps of a function that is 0 before its first change.
func stepsFrom(at []model.Time, v []int32) *Steps {
	if len(at) == 0 {
		return NewSteps([]model.Time{0}, []int32{0})
	}
	return NewSteps(append([]model.Time{at[0] - 1}, at...), append([]int32{0}, v...))
}

func licencesSaid(title string, lanes []lane) string {
	busy, blocked := 0, 0
	for i := range lanes {
		if lanes[i].Usage > lanes[busy].Usage {
			busy = i
		}
		if lanes[i].waits > 0 {
			blocked++
		}
	}
	s := "Licences in " + title + ": "
	if lanes[busy].Copies > 0 {
		s += "of " + lanes[busy].Name + " most is in use, " + words.Percent(lanes[busy].Usage) + " of its copies on average; "
	}
	if blocked == 0 {
		return s + "no job waited for a licence."
	}
	return s + "jobs waited for copies of " + words.Int(blocked) + " of " + words.Count(len(lanes), "licence", "licences") + ", most of all for " + lanes[0].Name + ", " +
		words.Plain(lanes[0].waits) + " at a time on average."
}

func licenceGrid(lanes []lane, from, to model.Time) Grid {
	g := Grid{Left: 1, Head: []string{"Licence", "Copies", "Usage", "Most in use", "Mean blocked", "Most blocked"}, Units: []string{"licence", "copies", "at_s", "copies_in_use", "blocked_jobs"}}
	for _, l := range lanes {
		copies := words.None
		if l.Copies > 0 {
			copies = words.Int(l.Copies)
		}
		g.Cells = append(g.Cells, []string{l.Name, copies, l.usage(), words.Int(l.used.Max(from, to)), words.Plain(l.waits), words.Int(l.blocked.Max(from, to))})
		for i, at := range l.At {
			if at >= from && at <= to {
				g.Raw = append(g.Raw, []string{l.Name, strconv.Itoa(int(l.Copies)), strconv.FormatInt(int64(at), 10), strconv.Itoa(int(l.Used[i])), strconv.Itoa(int(l.Blocked[i]))})
			}
		}
	}
	return g
}

// LicencesSub says what the drawing of the licences shows.
func (d *Data) LicencesSub() string {
	return strings.Join([]string{d.Title(d.A), "most waited for first"}, ", ")
}
