package series

import (
	"math"
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/ui/draw"
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
func HasLicences(d *draw.Data) bool {
	r := d.RunOf(d.A)
	return r != nil && len(r.Licences) > 0
}

// LicencesHeight is how high the drawing of the licences wants to be.
func LicencesHeight(d *draw.Data) float64 {
	if !HasLicences(d) {
		return 120
	}
	return laneTop + laneFoot + laneHeight*float64(len(d.RunOf(d.A).Licences))
}

// lane is one licence over time.
type lane struct {
	*report.Licence
	used, blocked *draw.Steps
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
func Licences(d *draw.Data, from, to model.Time, w, h float64) draw.Drawing {
	out := draw.Drawing{W: w, H: h}
	a := d.RunOf(d.A)
	first, last, ok := d.Span()
	if !ok || a == nil {
		out.Empty = d.Nothing()
		return out
	}
	if len(a.Licences) == 0 {
		out.Empty = "The platform of this run has no licences."
		return out
	}
	if to <= from {
		from, to = first, last
	}
	lanes, most := lanes(d, a, from, to)
	left, right := 92.0, 92.0
	if w < 500 {
		left, right = 60, 54
	}
	for _, l := range lanes { // names have room, up to a third
		left = max(left, min(draw.TextWidth(l.Name)+14, w/3))
	}
	wide := max(20, w-left-right)
	x := func(t float64) float64 { return left + (t-float64(from))/float64(to-from)*wide }
	foot := laneTop + laneHeight*float64(len(lanes))
	var p draw.Pen
	for _, band := range draw.Weekends(d.Clock, from, to) {
		p.Rect(x(float64(band[0])), laneTop, x(float64(band[1]))-x(float64(band[0])), foot-laneTop, "var(--sunken)", `opacity=".55"`)
	}
	ticks := draw.TimeTicks(d.Clock, from, to, int(max(2, wide/72)))
	for _, t := range ticks {
		p.Line(draw.Crisp(x(t.At)), laneTop, draw.Crisp(x(t.At)), foot, "grid")
	}
	n := int(max(20, wide/2))
	for i, l := range lanes {
		y := laneTop + laneHeight*float64(i)
		p.Text(left-8, y+14, draw.Clip(l.Name, left-12), "end", "k")
		note := "node-locked"
		scale := float64(max(1, l.used.Max(from, to)))
		if l.Copies > 0 {
			note, scale = words.Count(l.Copies, "copy", "copies"), float64(l.Copies)
		}
		if w >= 500 {
			p.Text(left-8, y+28, note, "end", "")
		}
		p.Line(left, draw.Crisp(y+2), w-right, draw.Crisp(y+2), "grid")
		line, area := draw.StripPaths(l.used.Columns(from, to, n), scale, left, y+2, wide, laneUsed)
		p.Path(area, "", "", "", draw.SeriesVar(d.A), `opacity=".28"`)
		p.Path(line, draw.SeriesVar(d.A), "1.2", "", "none", "")
		p.Line(left, draw.Crisp(y+2+laneUsed), w-right, draw.Crisp(y+2+laneUsed), "line-3")
		// Blocked jobs hang below the line: what is in use stands on it.
		if l.blocked.Max(from, to) > 0 {
			var hang draw.Path
			for k, v := range l.blocked.Columns(from, to, n) {
				if v <= 0 {
					continue
				}
				x0 := left + wide*float64(k)/float64(n)
				hang.Rect(draw.Box{X: x0, Y: y + 3 + laneUsed, W: wide/float64(n) + .3, H: max(1, math.Sqrt(v/most)*laneBlocked)})
			}
			p.Path(string(hang.B), "", "", "", "var(--s2)", "")
		}
		p.Text(w-right+8, y+14, l.usage(), "", "k2")
		if b := l.blocked.Max(from, to); b > 0 && w >= 500 {
			p.Text(w-right+8, y+28+laneBlocked/2, "max "+words.Int(b)+" wait", "", "")
		}
	}
	for _, t := range ticks {
		if xx := x(t.At); xx > left+14 && xx < w-right-8 {
			class := ""
			if t.Bold {
				class = "k b"
			}
			p.Text(xx, foot+14, t.Label, "middle", class)
		}
	}
	caption := "above the line: copies in use · below: jobs that wait for a copy (square root, at most " + words.Int(int(most)) + ")"
	if w < 500 {
		caption = "above: in use · below: waiting, at most " + words.Int(int(most))
	}
	p.Text(left, foot+32, caption, "", "")
	out.SVG, out.Top, out.Foot = p.Markup(), laneTop, foot
	out.Time = draw.Timeline{X: left, W: wide, From: float64(from), To: float64(to)}
	out.Say = func(px float64) draw.Markup {
		if px < left || px > left+wide {
			return ""
		}
		t := from + model.Time(float64(to-from)*(px-left)/wide)
		s := draw.HTML(`<b>{}</b><table class="bl-tip"><tr><th></th><th>in use</th><th>blocked</th></tr>`, d.Clock.When(t))
		for _, l := range lanes {
			of := ""
			if l.Copies > 0 {
				of = " of " + words.Int(l.Copies)
			}
			s += draw.HTML(`<tr><td>{}</td><td>{}{}</td><td>{}</td></tr>`, l.Name, words.Int(l.used.Value(t)), of, words.Int(l.blocked.Value(t)))
		}
		return s + `</table>`
	}
	out.Aria = licencesSaid(d.Title(d.A), lanes)
	out.Fill = func() draw.Grid { return licenceGrid(lanes, from, to) }
	return out
}

// lanes are the licences of a run, the most waited for first, and the most
// blocked jobs at a time.
func lanes(d *draw.Data, r *report.Run, from, to model.Time) (list []lane, most float64) {
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
func stepsFrom(at []model.Time, v []int32) *draw.Steps {
	if len(at) == 0 {
		return draw.NewSteps([]model.Time{0}, []int32{0})
	}
	return draw.NewSteps(append([]model.Time{at[0] - 1}, at...), append([]int32{0}, v...))
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

func licenceGrid(lanes []lane, from, to model.Time) draw.Grid {
	g := draw.Grid{Left: 1, Head: []string{"Licence", "Copies", "Usage", "Most in use", "Mean blocked", "Most blocked"}, Units: []string{"licence", "copies", "at_s", "copies_in_use", "blocked_jobs"}}
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
func LicencesSub(d *draw.Data) string {
	return strings.Join([]string{d.Title(d.A), "most waited for first"}, ", ")
}
