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
func CDF(d *draw.Data, w, h float64) draw.Drawing {
	out := draw.Drawing{W: w, H: h}
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
		out.Empty = d.Nothing()
		return out
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
	x0, x1 := math.Log(draw.LeastWait), math.Log(most*1.15)
	x := func(v float64) float64 { return left + (math.Log(max(draw.LeastWait, v))-x0)/(x1-x0)*(w-left-right) }
	y := func(share float64) float64 { return base - share*(base-top) }
	var p draw.Pen
	for _, s := range [...]float64{0, .25, .5, .75, 1} {
		colour, label := "grid", words.Number(s*100, 0)
		if s == 0 {
			colour = "line-3"
		}
		if s == 1 {
			label += words.NB + "%"
		}
		p.Line(left, draw.Crisp(y(s)), w-right, draw.Crisp(y(s)), colour)
		p.Text(left-8, y(s)+4, label, "end", "")
	}
	before := -100.0
	for _, t := range draw.LogDurationTicks(draw.LeastWait, most*1.15) {
		p.Line(draw.Crisp(x(t.At)), top, draw.Crisp(x(t.At)), base, "grid")
		half := draw.TextWidth(t.Label) / 2
		if x(t.At)-half > before && x(t.At) < w-right+16 {
			p.Text(x(t.At), base+15, t.Label, "middle", "")
			before = x(t.At) + half + 4
		}
	}
	notes := []string{"wait, log scale · left edge: under 30" + words.NB + "s", "left edge: under 30" + words.NB + "s"}
	if d.Pooled != "" {
		notes = []string{"wait, log scale · " + d.Pooled + "; medians: means over them", d.Pooled + "; medians: means over them", d.Pooled}
	}
	p.Text(left, base+30, draw.Note(w-left-4, notes...), "", "")
	for k := len(curves) - 1; k >= 0; k-- {
		c := curves[k]
		var q draw.Path
		const n = 200
		for i := 0; i <= n; i++ {
			v := math.Exp(x0 + (x1-x0)*float64(i)/n)
			cmd := byte('L')
			if i == 0 {
				cmd = 'M'
			}
			q.Cmd(cmd, x(v), y(c.c.Of(v)))
		}
		p.Path(string(q.B), draw.SeriesVar(c.i), "2", draw.Dash(c.i), "none", "")
	}
	// The legend is a table beside the curves; under them where it is narrow.
	lx, ly, step := 14.0, base+52, 20.0
	xm, xq := w-92, w-14
	if big {
		lx, ly, step, xm = w-right+20, top+12, 26, w-78
	}
	p.Text(xm, ly, "median", "end", "")
	p.Text(xq, ly, "9 of 10", "end", "")
	out.Data = draw.Grid{Head: []string{"Scheduler", "Median wait", "9 of 10 waited at most", "Longest wait"}, Left: 1, Units: []string{"scheduler", "wait_s", "share_of_jobs"}}
	var said []string
	for k, c := range curves {
		yy := ly + 22 + float64(k)*step
		if big {
			p.Line(lx, draw.Crisp(yy-17), xq, draw.Crisp(yy-17), "line")
		}
		p.Path("M"+draw.Num(lx)+" "+draw.Num(yy-4)+"h20", draw.SeriesVar(c.i), "2.4", draw.Dash(c.i), "none", "")
		p.Raw(lx+27, yy, draw.HTML(`<tspan class="b">{}</tspan> {}`, words.Letter(c.i), draw.Clip(d.Name(c.i), xm-median-8-lx-41)), "", "k")
		p.Text(xm, yy, words.Dur(c.median), "end", "k2")
		p.Text(xq, yy, words.Dur(c.p90), "end", "k2")
		out.Data.Cells = append(out.Data.Cells, []string{d.Title(c.i), words.Dur(c.median), words.Dur(c.p90), words.Dur(c.c.At[len(c.c.At)-1])})
		for i := range c.c.At {
			out.Data.Raw = append(out.Data.Raw, []string{d.Title(c.i), draw.PlainNumber(c.c.At[i]), draw.PlainNumber(c.c.Share[i])})
		}
		said = append(said, d.Name(c.i)+" "+words.Dur(c.p90))
	}
	out.SVG, out.Top, out.Foot = p.Markup(), top, base
	out.Say = func(px float64) draw.Markup {
		if px < left || px > w-right {
			return ""
		}
		v := math.Exp(x0 + (px-left)/(w-left-right)*(x1-x0))
		rows := draw.Markup("")
		for _, c := range curves {
			rows += draw.HTML(`<tr><td>{}{}</td><td>{}</td></tr>`, draw.Mark(c.i), d.Title(c.i), words.Percent(c.c.Of(v)))
		}
		return draw.HTML(`<b>up to {}</b><table class="bl-tip">{}</table>`, words.Dur(v), rows)
	}
	out.Aria = "Nine of ten jobs waited at most: " + strings.Join(said, ", ") + "."
	return out
}
