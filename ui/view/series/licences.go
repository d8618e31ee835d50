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
func Licences(d *draw.Data, from, to model.Time, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	a := d.RunOf(d.A)
	first, last, ok := d.Span()
	if !ok || a == nil {
		f.Empty = d.Nothing()
		return f
	}
	if len(a.Licences) == 0 {
		f.Empty = "The platform of this run has no licences."
		return f
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
	x := draw.Axis{Min: float64(from), Max: float64(to), Unit: "at_s", Hidden: true}
	n := int(max(20, wide/2))
	strip := func(y, high float64, s *draw.Steps, axis draw.Axis, fill string, opacity float64, of func(float64) float64) {
		f.Panels = append(f.Panels, draw.Panel{Box: draw.Box{X: left, Y: y, W: wide, H: high}, X: x, Y: axis})
		f.Panels[len(f.Panels)-1].X.Plain = axis.Inverse // it hangs from the line of the one above
		f.Spans(len(f.Panels)-1, draw.Weekends(d.Clock, from, to))
		l := draw.Layer{Shape: draw.Line, Panel: len(f.Panels) - 1, Fill: fill, Width: 1.2, Steps: true, Area: true, Opacity: opacity}
		l.X, l.Y = s.Means(from, to, n)
		for i, v := range l.Y {
			l.Y[i] = of(v)
		}
		f.Layers = append(f.Layers, l)
	}
	for i, l := range lanes {
		y := laneTop + laneHeight*float64(i)
		f.Text(left-8, y+10, draw.Clip(l.Name, left-12), 'r', draw.ToneValue)
		note := "node-locked"
		scale := float64(max(1, l.used.Max(from, to)))
		if l.Copies > 0 {
			note, scale = words.Count(l.Copies, "copy", "copies"), float64(l.Copies)
		}
		strip(y+2, laneUsed, l.used, draw.Axis{Max: scale, Hidden: true}, draw.SeriesVar(d.A), .28, func(v float64) float64 { return v })
		// Blocked jobs hang below the line: what is in use stands on it.
		f.Text(w-right+8, y+10, l.usage(), 'l', draw.ToneLabel)
		b := l.blocked.Max(from, to)
		if b > 0 {
			strip(y+3+laneUsed, laneBlocked, l.blocked, draw.Axis{Max: math.Sqrt(most), Hidden: true, Inverse: true}, "var(--s2)", .8, math.Sqrt)
		}
		if w >= 500 {
			f.Text(left-8, y+24, note, 'r', draw.ToneAxis)
		}
		if b > 0 && w >= 500 {
			f.Text(w-right+8, y+24+laneBlocked/2, "max "+words.Int(b)+" wait", 'l', draw.ToneAxis)
		}
	}
	foot := laneTop + laneHeight*float64(len(lanes))
	axis := draw.Panel{Box: draw.Box{X: left, Y: laneTop, W: wide, H: foot - laneTop}, X: x, Y: draw.Axis{Max: 1}}
	axis.X.Hidden, axis.X.Ticks = false, draw.TimeTicks(d.Clock, from, to, int(max(2, wide/72)))
	axis.Thin(35, w-8)
	f.Panels = append(f.Panels, axis)
	caption := "above the line: copies in use · below: jobs that wait for a copy (square root, at most " + words.Int(int(most)) + ")"
	if w < 500 {
		caption = "above: in use · below: waiting, at most " + words.Int(int(most))
	}
	f.Text(left, foot+32, caption, 'l', draw.ToneAxis)
	f.Say = func(x float64, _, _ int) draw.Markup {
		t := draw.Tip{Head: [2]string{"in use", "blocked"}}
		for _, l := range lanes {
			of := ""
			if l.Copies > 0 {
				of = " of " + words.Int(l.Copies)
			}
			t.Row(draw.HTML(`{}`, l.Name), words.Int(l.used.Value(model.Time(x)))+of, words.Int(l.blocked.Value(model.Time(x))))
		}
		return t.HTML(d.Clock.When(model.Time(x)))
	}
	f.Aria = licencesSaid(d.Title(d.A), lanes)
	f.Fill = func() draw.Grid { return licenceGrid(lanes, from, to) }
	return f
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
