package overview

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// BarKeys are the measures that the bars can show, with the word on the
// button.
var BarKeys = []struct{ Key, Word string }{
	{"mean-bounded-slowdown", "Slowdown"}, {"mean-wait", "Wait"}, {"mean-turnaround", "Turnaround"},
}

// Scales are the lengths that bars can have, with the word on the button:
// state.Scales.
var Scales = []struct{ Key, Word, Help string }{
	{"", "Close", "The axis ends above those that are close to each other; bars far off are cut"},
	{"whole", "Whole", "Every bar in full"}, {"log", "Log", "Every bar on a logarithmic axis"},
}

// farOff is how many times the next smaller value one must be to stand far off.
const farOff = 4

// closeOnes returns how many of the values, smallest first, are near each other
// when all others are far off: at least two. It is all of them when none is far,
// or when there are no two close ones to tell apart.
func closeOnes(means []float64) int {
	for n := 2; n < len(means); n++ {
		if near := means[n-1]; near > 0 && means[n] >= farOff*near && near < farOff*means[0] {
			return n
		}
	}
	return len(means)
}

// Cuts reports whether some of the values are so far off that the usual scale
// cuts their bars.
func Cuts(means []float64) bool {
	means = slices.Clone(means)
	slices.Sort(means)
	return closeOnes(means) < len(means)
}

// Bars draws one measure by scheduler: bars sorted by value, whiskers for the
// 95 % interval, of phases a band with a dot at the median, the value to the right. With scale "" the axis ends above those
// that are close to each other, and bars that are far off are cut, with their
// value and how many times the others it is; "whole" and "log" cut none.
func Bars(d *draw.Data, key, scale string, w, h float64) draw.Drawing {
	out := draw.Drawing{W: w, H: h}
	est := d.Estimates(key)
	if len(est) == 0 {
		out.Empty = d.Nothing()
		return out
	}
	unit, name := draw.UnitOf(key)
	seconds := unit == "s"
	show := words.Plain
	if seconds {
		show = words.Dur
	}
	whole := len(est)
	if scale == "" {
		means := make([]float64, len(est))
		for k := range est {
			means[k] = est[k].Mean
		}
		whole = closeOnes(means)
	}
	limit, least, longest, repeats, phases, whiskers := 0.0, math.Inf(1), 0.0, 0, 0, false
	for k, e := range est {
		if e.Mean > 0 {
			least = min(least, e.Mean)
		}
		if k < whole {
			limit = max(limit, e.Mean)
		}
		if !math.IsNaN(e.Low) {
			if k < whole {
				limit = max(limit, e.High)
			}
			whiskers = whiskers || !e.Band
		}
		if e.Band {
			phases = e.N
		}
		longest = max(longest, draw.TextWidth(d.Name(e.Scheduler)))
		repeats = max(repeats, e.N)
	}
	if limit == 0 {
		limit = 1
	}
	left := min(max(96, longest+36), w*.36)
	right, top, foot := 72.0, 10.0, 36.0
	logarithmic := scale == "log" && least < limit
	limit *= 1.04
	if whole < len(est) {
		limit *= 1.1 // room for the cut
	}
	x := func(v float64) float64 { return left + max(0, min(1, v/limit))*(w-left-right) }
	if logarithmic {
		from := math.Log(least / 2)
		x = func(v float64) float64 {
			return left + max(0, (math.Log(max(v, least/2))-from)/(math.Log(limit)-from))*(w-left-right)
		}
	}
	rowH := min(64, (h-top-foot)/float64(len(est)))
	base := h - foot
	var p draw.Pen
	ticks := draw.LinearTicks(limit, int(max(2, (w-left-right)/64)))
	if seconds {
		ticks = draw.DurationTicks(limit, int(max(2, (w-left-right)/72)))
	}
	if logarithmic {
		ticks = logTicks(least/2, limit, seconds, show, (w-left-right)/64)
	}
	for i, t := range ticks {
		colour := "grid"
		if i == 0 && !logarithmic {
			colour = "line-3"
		}
		p.Line(draw.Crisp(x(t.At)), top, draw.Crisp(x(t.At)), base, colour)
		p.Text(x(t.At), base+15, t.Label, "middle", "")
	}
	note := "one workload: no interval"
	if repeats > 1 {
		note = "mean of " + words.Int(repeats) + " repeats"
	}
	tau := ""
	if strings.Contains(key, "bounded-slowdown") {
		tau = ", τ" + words.NB + words.Int(d.Tau) + words.NB + "s"
	}
	note += tau
	var cut []string
	for _, e := range est[whole:] {
		cut = append(cut, d.Name(e.Scheduler))
	}
	cutting := ""
	switch {
	case len(cut) == 1:
		cutting = " · " + cut[0] + " is cut"
	case len(cut) > 1:
		cutting = " · " + words.Int(len(cut)) + " are cut"
	case logarithmic:
		cutting = " · lengths are logarithmic"
	}
	notes := []string{note + cutting}
	if whiskers { // where there is little room, what misleads if it is not said stays
		notes = []string{note + " · whiskers: 95" + words.NB + "% interval" + cutting, note + " · whiskers: 95" + words.NB + "%" + cutting, note + cutting}
	}
	if phases > 0 {
		over := "band over " + words.Count(phases, "phase", "phases")
		short := over
		if whiskers {
			short += " · whiskers: 95" + words.NB + "%"
		}
		notes = []string{draw.BandOver(phases) + strings.TrimPrefix(short, over) + tau + cutting, short + cutting}
	}
	p.Text(14, h-6, draw.Note(w-20, notes...), "", "")
	out.Data = draw.Grid{Head: []string{"Scheduler", name, "95 % interval", "Different runs"}, Left: 1, Units: []string{"scheduler", key, key + "-low-95", key + "-high-95", "repeats"}}
	if phases > 0 { // its median, and no interval
		out.Data.Head = append(out.Data.Head, "Band over phases")
		out.Data.Units = append(out.Data.Units, key+"-least", key+"-greatest")
	}
	var said []string
	for i, e := range est {
		y := top + float64(i)*rowH + rowH*.2
		bh := rowH * .6
		mid := y + bh/2
		n := e.Scheduler
		p.Raw(left-12, mid+4, draw.HTML(`<tspan class="b">{}</tspan> {}`, words.Letter(n), draw.Clip(d.Name(n), left-34)), "end", "k l")
		stroke := draw.Markup(`rx="1.5"`)
		if n == 7 || n == 5 {
			stroke += ` stroke="var(--ink-2)"`
		}
		end := x(e.Mean)
		if i >= whole {
			cutBar(&p, n, left+.5, y, w-right-left+10, bh)
			end = w - right + 12
		} else {
			p.Rect(left+.5, y, end-left, bh, draw.SeriesVar(n), stroke)
			if dc := draw.Decal(n); dc != "" {
				p.Rect(left+.5, y, end-left, bh, dc, `rx="1.5"`)
			}
		}
		if e.High > e.Low && i < whole {
			a, b := x(e.Low), x(e.High)
			if e.Band {
				p.Band(a, mid, b, mid, x(e.Mean), mid, n)
			} else {
				whisker(&p, a, b, mid)
			}
			end = b
		}
		if i >= whole {
			ref := est[0]
			for _, c := range est[:whole] {
				if c.Scheduler == d.A {
					ref = c
				}
			}
			p.Text(end+4, mid-3, show(e.Mean), "", "k b l")
			p.Text(end+4, mid+11, times(e.Mean/ref.Mean)+words.NB+"×"+words.NB+words.Letter(ref.Scheduler), "", "")
		} else {
			p.Text(end+8, mid+4, show(e.Mean), "", "k b l")
		}
		span, ends, none := []string{words.None, words.None}, []float64{e.Low, e.High, math.NaN(), math.NaN()}, 0
		if e.Band {
			none, ends = 1, []float64{math.NaN(), math.NaN(), e.Low, e.High}
		}
		if !math.IsNaN(e.Low) {
			span[none] = show(e.Low) + " to " + show(e.High)
		}
		cells := []string{d.Title(n), show(e.Mean), span[0], words.Int(e.N)}
		raw := []string{d.Title(n), draw.PlainNumber(e.Mean), draw.PlainNumber(ends[0]), draw.PlainNumber(ends[1]), strconv.Itoa(e.N)}
		if phases > 0 {
			cells, raw = append(cells, span[1]), append(raw, draw.PlainNumber(ends[2]), draw.PlainNumber(ends[3]))
		}
		out.Data.Cells, out.Data.Raw = append(out.Data.Cells, cells), append(out.Data.Raw, raw)
		said = append(said, d.Name(n)+" "+show(e.Mean))
	}
	out.SVG = p.Markup()
	out.Aria = name + " by scheduler, smallest first: " + strings.Join(said, ", ") + "."
	return out
}

// whisker draws an interval over a bar.
func whisker(p *draw.Pen, a, b, mid float64) {
	n := draw.Num
	p.Path("M"+n(a)+" "+n(mid)+"H"+n(b)+"M"+n(a)+" "+n(mid-5)+"v10M"+n(b)+" "+n(mid-5)+"v10", "var(--panel)", "4", "", "none", "")
	p.Path("M"+n(a)+" "+n(mid)+"H"+n(b)+"M"+n(a)+" "+n(mid-4)+"v8M"+n(b)+" "+n(mid-4)+"v8", "var(--ink)", "1.5", "", "none", "")
}

// times writes how many times something is.
func times(v float64) string {
	if v < 10 {
		return words.Number(v, 1)
	}
	return words.Number(v, 0)
}

// cutBar draws a bar that goes on beyond the axis: a gap in it, and an arrow head
// at its end.
func cutBar(p *draw.Pen, series int, x, y, w, h float64) {
	n := draw.Num
	gap, tip := x+w-26, x+w
	zig := func(x float64, down float64) string { // from (x, y) to (x, y + h), or back
		return "l4 " + n(down*h/3) + "l-8 " + n(down*h/3) + "l4 " + n(down*h/3)
	}
	body := "M" + n(x) + " " + n(y) + "H" + n(gap) + zig(gap, 1) + "H" + n(x) + "Z"
	head := "M" + n(gap+5) + " " + n(y) + "H" + n(tip-9) + "L" + n(tip) + " " + n(y+h/2) + "L" + n(tip-9) + " " + n(y+h) + "H" + n(gap+5) + zig(gap+5, -1) + "Z"
	for _, fill := range []string{draw.SeriesVar(series), draw.Decal(series)} {
		if fill != "" {
			p.Path(body+head, "none", "0", "", fill, "")
		}
	}
}

// logTicks are ticks at 1, 2 and 5 times powers of ten, or at round durations, as
// many as have room.
func logTicks(from, to float64, seconds bool, show func(float64) string, room float64) (ticks []draw.Tick) {
	if seconds {
		ticks = draw.LogDurationTicks(from, to)
	} else {
		for p := math.Pow(10, math.Floor(math.Log10(from))); p <= to; p *= 10 {
			for _, m := range [...]float64{1, 2, 5} {
				if v := m * p; v >= from && v <= to {
					ticks = append(ticks, draw.Tick{At: v, Label: show(v)})
				}
			}
		}
	}
	every := int(math.Ceil(float64(len(ticks)) / max(2, room)))
	kept := ticks[:0]
	for i, t := range ticks {
		if i%max(1, every) == 0 {
			kept = append(kept, t)
		}
	}
	return kept
}
