package overview

import (
	"math"
	"strings"

	"batchlab/core/order"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// CDFHeight is how high the drawing must be for its curves and the table of n
// schedulers, in pixels.
func CDFHeight(w float64, n int) float64 {
	const usual = 252
	if w > cdfBeside {
		return max(usual, 60+26*float64(n))
	}
	return max(usual, 202+20*float64(n))
}

// cdfBeside is the width from which on the table stands beside the curves.
const cdfBeside = 520

// CDF draws the distribution functions of waits with a table of medians
// beside them, in the order of the curves.
func CDF(d *draw.Data, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	type curve struct {
		i           int
		c           draw.CDF
		median, p90 float64
	}
	var curves []curve
	most := 3600.0
	for i, runs := range d.Runs {
		c := draw.MergeCDF(runs)
		if len(c.At) == 0 {
			continue
		}
		one := curve{i, c, c.Quantile(.5), c.Quantile(.9)}
		if v := d.Mean(i, "median-wait"); !math.IsNaN(v) { // one name, one number
			one.median = v
		}
		if v := d.Mean(i, "p90-wait"); !math.IsNaN(v) {
			one.p90 = v
		}
		curves = append(curves, one)
		most = max(most, c.At[len(c.At)-1])
	}
	if len(curves) == 0 {
		f.Empty = d.Nothing()
		return f
	}
	order.Stable(curves, func(a, b curve) int {
		switch {
		case a.p90 < b.p90 || a.p90 == b.p90 && a.median < b.median:
			return -1
		case a.p90 > b.p90 || a.median > b.median:
			return 1
		}
		return a.i - b.i
	})
	big, name, median := w > cdfBeside, 0.0, 38.0
	for _, c := range curves {
		name, median = max(name, draw.TextWidth(d.Name(c.i))), max(median, draw.TextWidth(words.Dur(c.median)))
	}
	left, top := 46.0, 12.0
	right, foot := 16.0, 62.0+20*float64(len(curves))
	if big { // as wide as the longest name wants, up to a half
		right, foot = min(max(238, name+median+148), max(238, w*.5)), 36
	}
	base := h - foot
	p := draw.Panel{Box: draw.Box{X: left, Y: top, W: w - left - right, H: base - top}, X: draw.Axis{Min: draw.LeastWait, Max: most * 1.15, Log: true, Unit: "wait_s"}, Y: draw.Axis{Max: 1, Unit: "share_of_jobs"}}
	for _, s := range [...]float64{0, .25, .5, .75, 1} {
		p.Y.Ticks = append(p.Y.Ticks, draw.Tick{At: s, Label: words.Number(s*100, 0)})
	}
	p.Y.Ticks[4].Label += words.NB + "%"
	p.X.Ticks = draw.LogDurationTicks(draw.LeastWait, most*1.15)
	p.Thin(46, p.Box.Right()+16)
	f.Panels = []draw.Panel{p}
	notes := []string{"wait, log scale · left edge: under 30" + words.NB + "s", "left edge: under 30" + words.NB + "s"}
	if d.Pooled != "" {
		notes = []string{"wait, log scale · " + d.Pooled + "; medians: means over them", d.Pooled + "; medians: means over them", d.Pooled}
	}
	f.Text(left, base+32, draw.Note(w-left-4, notes...), 'l', draw.ToneAxis)
	// The legend is a table beside the curves; under them where it is narrow.
	lx, ly, step := 14.0, base+50, 20.0
	xm, xq := w-92, w-14
	if big {
		lx, ly, step, xm = w-right+20, top+8, 26, w-78
	}
	f.Text(xm, ly, "median", 'r', draw.ToneAxis)
	f.Text(xq, ly, "9 of 10", 'r', draw.ToneAxis)
	f.Table = draw.Grid{Head: []string{"Scheduler", "Median wait", "9 of 10 waited at most", "Longest wait"}, Left: 1, Units: []string{"scheduler", "wait_s", "share_of_jobs"}}
	var said []string
	for k, c := range curves {
		l := draw.Layer{Shape: draw.Line, Series: c.i, Name: d.Title(c.i)}
		const n = 200
		for i := range n + 1 {
			v := draw.LeastWait * math.Pow(p.X.Max/draw.LeastWait, float64(i)/n)
			l.X, l.Y = append(l.X, v), append(l.Y, c.c.Of(v))
		}
		f.Layers = append([]draw.Layer{l}, f.Layers...) // the first above all
		y := ly + 22 + float64(k)*step
		f.Scheduler(c.i, d.Name(c.i), lx, y, xm-median-8-lx-41, 'l')
		f.Text(xm, y, words.Dur(c.median), 'r', draw.ToneLabel)
		f.Text(xq, y, words.Dur(c.p90), 'r', draw.ToneLabel)
		f.Table.Cells = append(f.Table.Cells, []string{d.Title(c.i), words.Dur(c.median), words.Dur(c.p90), words.Dur(c.c.At[len(c.c.At)-1])})
		said = append(said, d.Name(c.i)+" "+words.Dur(c.p90))
	}
	table := f.Table
	f.Fill = func() draw.Grid { // each wait of each scheduler: far more than is drawn
		for _, c := range curves {
			for i := range c.c.At {
				table.Raw = append(table.Raw, []string{d.Title(c.i), draw.PlainNumber(c.c.At[i]), draw.PlainNumber(c.c.Share[i])})
			}
		}
		return table
	}
	f.Say = func(v float64, _, _ int) draw.Markup {
		var t draw.Tip
		for _, c := range curves {
			t.Row(draw.HTML(`{}{}`, draw.Mark(c.i), d.Title(c.i)), words.Percent(c.c.Of(v)))
		}
		return t.HTML("up to " + words.Dur(v))
	}
	f.Aria = "Nine of ten jobs waited at most: " + strings.Join(said, ", ") + "."
	return f
}
