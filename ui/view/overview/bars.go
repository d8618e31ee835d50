package overview

import (
	"math"
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

// Bars draws one measure by scheduler: bars sorted by value, whiskers for the
// 95 % interval, the value to the right.
func Bars(d *draw.Data, key string, w, h float64) draw.Drawing {
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
	limit, longest, repeats, whiskers := 0.0, 0, 0, false
	for _, e := range est {
		limit = max(limit, e.Mean)
		if !math.IsNaN(e.Half) {
			limit = max(limit, e.Mean+e.Half)
			whiskers = true
		}
		longest = max(longest, len([]rune(d.Name(e.Scheduler)))+2)
		repeats = max(repeats, e.N)
	}
	if limit == 0 {
		limit = 1
	}
	left := min(max(96, float64(longest)*6.5+26), w*.36)
	right, top, foot := 72.0, 10.0, 36.0
	limit *= 1.04
	x := func(v float64) float64 { return left + v/limit*(w-left-right) }
	rowH := min(64, (h-top-foot)/float64(len(est)))
	base := h - foot
	var p draw.Pen
	ticks := draw.LinearTicks(limit, int(max(2, (w-left-right)/64)))
	if seconds {
		ticks = draw.DurationTicks(limit, int(max(2, (w-left-right)/72)))
	}
	for i, t := range ticks {
		colour := "grid"
		if i == 0 {
			colour = "line-3"
		}
		p.Line(draw.Crisp(x(t.At)), top, draw.Crisp(x(t.At)), base, colour)
		p.Text(x(t.At), base+15, t.Label, "middle", "")
	}
	note := "one workload: no interval"
	if repeats > 1 {
		note = "mean of " + words.Int(repeats) + " repeats"
	}
	if strings.Contains(key, "bounded-slowdown") {
		note += ", τ" + words.NB + words.Int(d.Tau) + words.NB + "s"
	}
	if whiskers {
		note += " · whiskers: 95" + words.NB + "% interval"
	}
	p.Text(14, h-6, note, "", "")
	out.Data = draw.Grid{Head: []string{"Scheduler", name, "95 % interval", "Different runs"}, Left: 1, Units: []string{"scheduler", key, key + "-half-interval-95", "repeats"}}
	var said []string
	for i, e := range est {
		y := top + float64(i)*rowH + rowH*.2
		bh := rowH * .6
		mid := y + bh/2
		n := e.Scheduler
		p.Raw(left-12, mid+4, `<tspan class="b">`+draw.Escape(words.Letter(n))+`</tspan> `+draw.Escape(draw.Clip(d.Name(n), left-34)), "end", "k l")
		stroke := `rx="1.5"`
		if n == 7 || n == 5 {
			stroke += ` stroke="var(--ink-2)"`
		}
		p.Rect(left+.5, y, x(e.Mean)-left, bh, draw.SeriesVar(n), stroke)
		if dc := draw.Decal(n); dc != "" {
			p.Rect(left+.5, y, x(e.Mean)-left, bh, dc, `rx="1.5"`)
		}
		end := x(e.Mean)
		if e.Half > 0 {
			a, b := x(max(0, e.Mean-e.Half)), x(e.Mean+e.Half)
			p.Path("M"+draw.Num(a)+" "+draw.Num(mid)+"H"+draw.Num(b)+"M"+draw.Num(a)+" "+draw.Num(mid-5)+"v10M"+draw.Num(b)+" "+draw.Num(mid-5)+"v10", "var(--panel)", "4", "", "none", "")
			p.Path("M"+draw.Num(a)+" "+draw.Num(mid)+"H"+draw.Num(b)+"M"+draw.Num(a)+" "+draw.Num(mid-4)+"v8M"+draw.Num(b)+" "+draw.Num(mid-4)+"v8", "var(--ink)", "1.5", "", "none", "")
			end = b
		}
		p.Text(end+8, mid+4, show(e.Mean), "", "k b l")
		half := words.None
		if !math.IsNaN(e.Half) {
			half = "±" + words.NB + show(e.Half)
		}
		out.Data.Cells = append(out.Data.Cells, []string{d.Title(n), show(e.Mean), half, words.Int(e.N)})
		out.Data.Raw = append(out.Data.Raw, []string{d.Title(n), draw.PlainNumber(e.Mean), draw.PlainNumber(e.Half), strconv.Itoa(e.N)})
		said = append(said, d.Name(n)+" "+show(e.Mean))
	}
	out.SVG = p.String()
	out.Aria = name + " by scheduler, smallest first: " + strings.Join(said, ", ") + "."
	return out
}
