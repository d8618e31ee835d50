package truth

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// ratioTicks are where axes of ratios have marks.
var ratioTicks = []struct {
	at   float64
	name string
}{{1.0 / 64, "1⁄64"}, {1.0 / 16, "1⁄16"}, {.25, "¼"}, {.5, "½"}, {1, "1"}, {2, "2"}, {4, "4"}, {16, "16"}, {64, "64"}}

// ratioAxis is a logarithmic axis that holds 1, half and twice, and some values.
func ratioAxis(values []float64) draw.Axis {
	low, high := .4, 2.5
	for _, v := range values {
		if v > 0 {
			low, high = min(low, v*.55), max(high, v*1.8)
		}
	}
	a := draw.Axis{Min: max(low, 1.0/200), Max: min(high, 200), Log: true, Unit: "ratio"}
	wide := a.Max/a.Min > 40
	for _, t := range ratioTicks {
		if t.at > a.Min && t.at < a.Max && !(wide && (t.at == .5 || t.at == 2)) {
			a.Ticks = append(a.Ticks, draw.Tick{At: t.at, Label: t.name, Bold: t.at == 1})
		}
	}
	return a
}

// near is ± 10 %, as a layer, and the line at 1.
func near(p *draw.Panel) []draw.Layer {
	return []draw.Layer{
		{Shape: draw.Spans, Series: -1, Low: []float64{.9}, High: []float64{1.1}, Unlisted: true},
		{Shape: draw.Levels, Series: -1, X: []float64{float64(len(p.Y.Names)-1) / 2}, Y: []float64{1}, Width: p.Box.H, Flat: true, Ink: true, Unlisted: true},
	}
}

func ratioText(n *report.Nearness) string {
	if n.Ratio == nil {
		return "–"
	}
	return words.Number(*n.Ratio, 2)
}

func rankText(n *report.Nearness) string {
	if n.Rank == nil {
		return "–"
	}
	return words.Number(*n.Rank, 2)
}

// hours is the share of jobs within an hour, as a whole number of 100.
func hours(n *report.Nearness) string { return words.Number(math.Round(n.Hour*100), 0) }

// edge is how far words stay away from the edges of a card.
const edge = 14

// narrow is the width below which numbers beside a chart have no room.
const narrow = 560

// Ranking is how near each scheduler comes: the ratio of mean waits on an axis on which
// half and twice look equally wrong, and the other measures beside it.
func (v *View) Ranking(d *draw.Data, w, h float64) draw.Figure {
	list := v.ranked()
	if len(list) == 0 {
		return draw.Figure{Empty: v.nothing()}
	}
	f := draw.Figure{W: w, H: h, Table: v.Table()}
	left, right := 164.0, 344.0
	if w < narrow {
		left, right = 132, 62
	}
	var values []float64
	p := draw.Panel{Box: draw.Box{X: left, Y: 40, W: max(60, w-left-right), H: max(40, h-66)}, Hold: true}
	for _, r := range list {
		low, high := r.ratios()
		values = append(values, low, high)
		p.Y.Names = append(p.Y.Names, "")
	}
	p.X, p.Y.Inverse, p.Y.Hidden, p.Y.Plain = ratioAxis(values), true, true, true
	p.X.Unit = "mean_wait_ratio"
	n := len(list)
	if own := v.itself(); own != nil {
		p.Y.Names = append(p.Y.Names, "")
		n++
	}
	f.Panels = []draw.Panel{p}
	f.Layers = near(&p)
	says := []string{}
	for k, r := range list {
		m, y := r.mean(), p.PY(float64(k))
		f.Texts = append(f.Texts, draw.Text{X: edge, Y: y, Text: short(words.Letter(r.Scheduler)+" "+r.Label, left-38), Align: 'l', Tone: draw.ToneLabel, Series: r.Scheduler})
		low, high := r.ratios()
		if low == 0 {
			f.Text(p.Box.X+4, y, "← "+ratioText(m), 'l', draw.ToneValue) // farther than the axis goes
		} else {
			x := math.Sqrt(float64(low * high))
			dot := draw.Layer{Shape: draw.Dots, Series: r.Scheduler, Name: r.Label, X: []float64{x}, Y: []float64{float64(k)}, Size: 9}
			reach := draw.Layer{Shape: draw.Line, Series: r.Scheduler, X: []float64{1, x}, Y: []float64{float64(k), float64(k)}, Width: 1.2, Unlisted: true}
			if high > low {
				f.Layers = append(f.Layers, draw.Layer{Shape: draw.Whiskers, Series: r.Scheduler, X: []float64{float64(k)}, Low: []float64{low}, High: []float64{high}, Flat: true, Unlisted: true})
			}
			f.Layers = append(f.Layers, reach, dot)
			at, align := p.PX(x)+8, byte('l')
			switch {
			case w < narrow && x < 1: // across the line, where there is room
				at = p.PX(1) + 8
			case w < narrow:
				at, align = p.PX(1)-8, 'r'
			case x < 1:
				at, align = p.PX(x)-8, 'r'
			}
			f.Text(at, y, ratioText(m), align, draw.ToneValue)
		}
		says = append(says, fmt.Sprintf("%s %s of the logged mean wait, median error %s", r.Label, ratioText(m), words.Dur(m.MedianError)))
		columns(&f, w, y, m)
	}
	if own := v.itself(); own != nil {
		y := p.PY(float64(n - 1))
		f.Text(edge, y, "against itself", 'l', draw.ToneAxis)
		f.Text(p.PX(1)+8, y, "the most that can be asked", 'l', draw.ToneAxis)
		columns(&f, w, y, own)
	}
	if w >= narrow {
		for i, t := range []string{"median error", "rank correlation", "within 1 h"} {
			f.Text(w-edge-float64(212-106*i), 16, t, 'r', draw.ToneAxis)
		}
	} else {
		f.Text(w-edge, 16, "within 1 h", 'r', draw.ToneAxis)
	}
	f.Text(p.Box.X, 16, "mean wait ÷ logged", 'l', draw.ToneAxis)
	f.Aria = "How near each scheduler comes to the log: " + strings.Join(says, "; ") + "."
	return f
}

// columns are the measures beside the axis.
func columns(f *draw.Figure, w, y float64, n *report.Nearness) {
	if w < narrow {
		f.Text(w-edge, y, hours(n)+words.NB+"%", 'r', draw.ToneValue)
		return
	}
	for i, t := range []string{words.Dur(n.MedianError), rankText(n), hours(n) + words.NB + "%"} {
		f.Text(w-edge-float64(212-106*i), y, t, 'r', draw.ToneValue)
	}
}

// short cuts a text that is wider than a place.
func short(s string, w float64) string {
	if r := []rune(s); float64(len(r))*6.6 > w {
		return string(r[:max(1, int(w/6.6)-1)]) + "…"
	}
	return s
}

// itself is how near the scheduler that is looked at comes to itself; nil: it decides the
// same each time.
func (v *View) itself() *report.Nearness {
	if r := v.main(); r != nil {
		return r.Got.Itself
	}
	return nil
}

// Table is the same as numbers.
func (v *View) Table() draw.Grid {
	g := draw.Grid{Head: []string{"Scheduler", "Runs", "Jobs", "Mean wait", "Logged", "÷ logged", "Median error", "Rank correlation", "Within 1 min", "Within 1 h", "Within twofold", "Within 10 %"}, Left: 1,
		Units: []string{"scheduler", "runs", "jobs", "mean_wait_s", "logged_mean_wait_s", "ratio", "median_error_s", "rank_correlation", "within_a_minute", "within_an_hour", "within_twofold", "within_a_tenth"}}
	row := func(label string, runs int, n *report.Nearness) {
		g.Cells = append(g.Cells, []string{label, words.Int(runs), words.Int(n.Jobs), words.Dur(n.MeanWait), words.Dur(n.LoggedWait), ratioText(n), words.Dur(n.MedianError), rankText(n), words.Percent(n.Minute), words.Percent(n.Hour), words.Percent(n.Twofold), words.Percent(n.Tenth)})
		g.Raw = append(g.Raw, []string{label, strconv.Itoa(runs), strconv.Itoa(n.Jobs), draw.PlainNumber(n.MeanWait), draw.PlainNumber(n.LoggedWait), maybe(n.Ratio), draw.PlainNumber(n.MedianError), maybe(n.Rank), draw.PlainNumber(n.Minute), draw.PlainNumber(n.Hour), draw.PlainNumber(n.Twofold), draw.PlainNumber(n.Tenth)})
	}
	for _, r := range v.ranked() {
		row(r.Label, len(r.Got.Runs), r.mean())
		if own := r.Got.Itself; own != nil {
			row(r.Label+" against itself", len(r.Got.Runs)-1, own)
		}
	}
	return g
}

func maybe(v *float64) string {
	if v == nil {
		return ""
	}
	return draw.PlainNumber(*v)
}

// dense are the schedulers whose squares stand beside each other: the one that is looked
// at, and the nearest of the others.
func (v *View) dense() (list []*Row) {
	m := v.main()
	if m == nil {
		return nil
	}
	list = append(list, m)
	for _, r := range v.ranked() {
		if r != m {
			return append(list, r)
		}
	}
	return list
}

// Density is simulated against logged waits: where the jobs lie, by hexagons on a
// logarithm of their number, as two squares with the same axes.
func (v *View) Density(d *draw.Data, w, h float64) draw.Figure {
	list := v.dense()
	if len(list) == 0 {
		return draw.Figure{Empty: v.nothing()}
	}
	most := 1
	for _, r := range list {
		for _, c := range r.first().Density {
			most = max(most, c.Jobs)
		}
	}
	f := draw.Figure{W: w, H: h}
	across := w >= narrow-120 && len(list) > 1
	side, high := min(w-56, h-64), h
	if across {
		side = min((w-24)/2-48, h-70)
	} else if len(list) > 1 {
		high = (h - 30) / 2
		side = min(w-56, high-64)
	}
	says := []string{}
	f.Table = draw.Grid{Head: []string{"Scheduler", "Logged wait", "Simulated wait", "Jobs"}, Left: 1, Units: []string{"scheduler", "logged_wait_s", "wait_s", "jobs"}}
	for k, r := range list {
		x, y := 44.0, 26.0
		if across {
			x += float64(k) * w / 2
		} else {
			y += float64(k) * high
		}
		t := r.first()
		square(&f, d, r, t, draw.Box{X: x, Y: y, W: max(20, side), H: max(20, side)}, most)
		says = append(says, fmt.Sprintf("%s: %s of 100 jobs within twofold", r.Label, words.Number(math.Round(t.Twofold*100), 0)))
	}
	note := "line: as logged · dashed: twice and half · "
	if !across {
		note = ""
	}
	f.Text(44, h-12, note+"stronger: more jobs, up to "+words.Int(most)+" a hexagon", 'l', draw.ToneLabel)
	f.Say = func(_ float64, layer, item int) draw.Markup {
		if layer < 0 {
			return ""
		}
		for _, r := range list {
			if f.Layers[layer].Name == r.Label {
				t := r.first()
				c := &t.Density[item]
				l, s := waits(c, t.Top)
				return draw.HTML(`<b>{}</b>logged {}, simulated {}`, words.Count(c.Jobs, "job", "jobs"), words.Dur(l), words.Dur(s))
			}
		}
		return ""
	}
	f.Aria = "Simulated against logged waits. " + strings.Join(says, "; ") + "."
	return f
}

// middle is where a hexagon lies, in hexagons.
func middle(c *report.TruthCell) (x, y float64) {
	return float64(c.Column) + float64(c.Row%2)/2, float64(c.Row) * math.Sqrt(3) / 2
}

// back is the wait at a place of a side.
func back(at float64, top int64) float64 {
	share := max(0, at) / report.DensityCells
	return float64(share*share) * float64(top)
}

// waits are the logged and the simulated wait in the middle of a hexagon.
func waits(c *report.TruthCell, top int64) (logged, simulated float64) {
	x, y := middle(c)
	return back(x, top), back(y, top)
}

// square draws one of the squares. Both axes are the root of waits, as a share of the
// longest.
func square(f *draw.Figure, d *draw.Data, r *Row, t *report.Truth, b draw.Box, most int) {
	p := draw.Panel{Box: b, X: draw.Axis{Max: 1, Plain: true}, Y: draw.Axis{Max: 1, Plain: true}, Hold: true}
	for _, tick := range draw.DurationTicks(float64(t.Top), 4) {
		if tick.At < 0 || tick.At > float64(t.Top) {
			continue
		}
		one := draw.Tick{At: math.Sqrt(tick.At / float64(t.Top)), Label: tick.Label}
		if one.At == 0 || one.At*b.W > 30 {
			p.X.Ticks = append(p.X.Ticks, one)
		}
		if one.At == 0 || one.At*b.H > 8 {
			p.Y.Ticks = append(p.Y.Ticks, one)
		}
	}
	f.Text(b.X, b.Y-14, short(words.Letter(r.Scheduler)+" "+r.Label, b.W-110), 'l', draw.ToneBold)
	f.Text(b.Right(), b.Y-14, "within twofold "+words.Number(math.Round(t.Twofold*100), 0)+words.NB+"%", 'r', draw.ToneLabel)
	k := len(f.Panels)
	f.Panels = append(f.Panels, p)
	cells := draw.Layer{Shape: draw.Tiles, Panel: k, Series: -1, Name: r.Label, Size: b.W / report.DensityCells * .98}
	for i := range t.Density {
		c := &t.Density[i]
		x, y := middle(c)
		cells.X, cells.Y = append(cells.X, x/report.DensityCells), append(cells.Y, y/report.DensityCells)
		cells.Colors = append(cells.Colors, d.Theme.Tide(.18+.82*math.Log(float64(c.Jobs))/math.Log(float64(max(2, most)))))
		l, s := waits(c, t.Top)
		f.Table.Cells = append(f.Table.Cells, []string{r.Label, words.Dur(l), words.Dur(s), words.Int(c.Jobs)})
		f.Table.Raw = append(f.Table.Raw, []string{r.Label, draw.PlainNumber(math.Round(l)), draw.PlainNumber(math.Round(s)), strconv.Itoa(c.Jobs)})
	}
	line := func(series int, ink string, width, factor float64) draw.Layer {
		return draw.Layer{Shape: draw.Line, Panel: k, Series: series, Fill: ink, Width: width, X: []float64{0, min(1, 1/math.Sqrt(factor))}, Y: []float64{0, min(1, math.Sqrt(factor))}}
	}
	f.Layers = append(f.Layers, draw.Layer{Shape: draw.Spans, Panel: k, Low: []float64{0}, High: []float64{1}, Opacity: 1}, cells,
		line(0, "var(--ink)", 1.4, 1), line(5, "var(--ink-2)", 1, 2), line(5, "var(--ink-2)", 1, .5))
	f.Text(b.Right(), b.Bottom()+29, "logged wait →", 'r', draw.ToneLabel)
	f.Text(b.X-6, b.Bottom()+29, "↑ simulated", 'l', draw.ToneLabel)
}
