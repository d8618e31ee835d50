package overview

import (
	"math"
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// OverTime draws busy processors and waiting jobs of A and of the baseline.
func OverTime(d *draw.Data, w, h float64) draw.Drawing {
	out := draw.Drawing{W: w, H: h}
	from, to, ok := d.Span()
	a := d.RunOf(d.A)
	if !ok || a == nil {
		out.Empty = d.Nothing()
		return out
	}
	left, right, top, foot := 52.0, 16.0, 14.0, 26.0
	half := (h - top - foot - 18) / 2
	x := func(t float64) float64 { return left + (t-float64(from))/float64(to-from)*(w-left-right) }
	var p draw.Pen
	for _, band := range draw.Weekends(d.Clock, from, to) {
		p.Rect(x(float64(band[0])), top, x(float64(band[1]))-x(float64(band[0])), h-top-foot, "var(--sunken)", `opacity=".55"`)
	}
	ticks := draw.TimeTicks(d.Clock, from, to, int(max(2, (w-left-right)/58)))
	for _, t := range ticks {
		p.Line(draw.Crisp(x(t.At)), top, draw.Crisp(x(t.At)), h-foot, "grid")
	}
	type curve struct {
		i             int
		used, waiting []float64
	}
	n := int(max(20, (w-left-right)/5))
	var curves []curve
	base := d.Base
	if base == d.A || d.RunOf(base) == nil {
		base = -1
		if o := d.Other(); d.RunOf(o) != nil {
			base = o
		}
	}
	for _, i := range []int{base, d.A} {
		if r := d.RunOf(i); r != nil {
			u, q := draw.NewSteps(r.Series.At, r.Series.Used), draw.NewSteps(r.Series.At, r.Series.Waiting)
			curves = append(curves, curve{i, u.Columns(from, to, n), q.Columns(from, to, n)})
		}
	}
	most := 1.0
	for _, c := range curves {
		for _, v := range c.waiting {
			most = max(most, v)
		}
	}
	if t := draw.LinearTicks(most, 4); len(t) > 1 {
		most = math.Ceil(most/t[1].At) * t[1].At
	}
	strip := func(name string, y, limit float64, values func(curve) []float64) {
		p.Line(left, draw.Crisp(y), w-right, draw.Crisp(y), "grid")
		p.Line(left, draw.Crisp(y+half), w-right, draw.Crisp(y+half), "line-3")
		p.Text(left-8, y+8, words.Int(int64(limit+.5)), "end", "")
		p.Text(left-8, y+half, "0", "end", "")
		p.Text(left-8, y+half/2+4, name, "end", "k2")
		for k, c := range curves {
			line, area := draw.StripPaths(values(c), limit, left, y, w-left-right, half)
			if k == len(curves)-1 || name != "busy" {
				p.Path(area, "", "", "", draw.SeriesVar(c.i), `opacity=".16"`)
			}
			dash := ""
			if k < len(curves)-1 {
				dash = draw.Dash(c.i)
			}
			p.Path(line, draw.SeriesVar(c.i), "1.3", dash, "none", "")
		}
	}
	strip("busy", top, float64(a.Processors), func(c curve) []float64 { return c.used })
	strip("waiting", top+half+18, most, func(c curve) []float64 { return c.waiting })
	for _, t := range ticks {
		if xx := x(t.At); xx > left+14 && xx < w-right-14 {
			class := ""
			if t.Bold {
				class = "k b"
			}
			p.Text(xx, h-8, t.Label, "middle", class)
		}
	}
	out.SVG, out.Top, out.Foot = p.Markup(), top, h-foot
	out.Time = draw.Timeline{X: left, W: w - left - right, From: float64(from), To: float64(to)}
	out.Say = func(px float64) draw.Markup {
		k := int((px - left) / (w - left - right) * float64(n))
		if px < left || k < 0 || k >= n {
			return ""
		}
		rows := draw.Markup("")
		for i := len(curves) - 1; i >= 0; i-- {
			c := curves[i]
			rows += draw.HTML(`<tr><td>{}{}</td><td>{}</td><td>{}</td></tr>`, draw.Mark(c.i), d.Title(c.i), words.Plain(c.used[k]), words.Plain(c.waiting[k]))
		}
		t := from + model.Time(float64(to-from)*(px-left)/(w-left-right))
		return draw.HTML(`<b>{}</b><table class="bl-tip"><tr><th></th><th>busy</th><th>waiting</th></tr>{}</table>`, d.Clock.When(t), rows)
	}
	out.Fill = func() draw.Grid {
		g := draw.Grid{Head: []string{"From"}, Left: 1, Units: []string{"from_s"}}
		for _, c := range curves {
			g.Head = append(g.Head, words.Letter(c.i)+" busy", words.Letter(c.i)+" waiting")
			g.Units = append(g.Units, d.Title(c.i)+" mean_busy_processors", d.Title(c.i)+" mean_waiting_jobs")
		}
		for k := range n {
			t := from + (to-from)*model.Time(k)/model.Time(n)
			cells, raw := []string{d.Clock.When(t)}, []string{strconv.FormatInt(int64(t), 10)}
			for _, c := range curves {
				cells = append(cells, words.Plain(c.used[k]), words.Plain(c.waiting[k]))
				raw = append(raw, draw.PlainNumber(c.used[k]), draw.PlainNumber(c.waiting[k]))
			}
			g.Cells, g.Raw = append(g.Cells, cells), append(g.Raw, raw)
		}
		return g
	}
	q := draw.NewSteps(a.Series.At, a.Series.Waiting)
	out.Aria = "Busy processors and waiting jobs of " + d.Title(d.A) + " from " + d.Clock.When(from) + " to " + d.Clock.When(to) +
		": on average " + words.Plain(draw.NewSteps(a.Series.At, a.Series.Used).Mean(float64(from), float64(to))) + " of " + words.Int(a.Processors) +
		" busy, at most " + words.Int(q.Max(from, to)) + " waiting."
	return out
}

// OverTimeSub says whose curves OverTime draws.
func OverTimeSub(d *draw.Data) string {
	s := "busy processors and waiting jobs, " + words.Letter(d.A)
	base := d.Base
	if base == d.A || d.RunOf(base) == nil {
		base = d.Other()
	}
	if d.RunOf(base) != nil {
		s += " and " + words.Letter(base)
	}
	return s
}

// Spark draws a small line of a measure over time: A solid, the baseline
// dashed. Measures that have no value over time have no line.
func Spark(d *draw.Data, key string, w, h float64) draw.Drawing {
	out := draw.Drawing{W: w, H: h}
	a := d.RunOf(d.A)
	from, to, ok := d.Span()
	if !ok || a == nil {
		return out
	}
	n := int(min(40, max(8, int64(to-from)/draw.Day)))
	va := overTime(d, key, a, from, to, n)
	if va == nil {
		return out
	}
	var vb []float64
	if b := d.RunOf(d.Base); b != nil && d.Base != d.A {
		vb = overTime(d, key, b, from, to, n)
	}
	lo, hi := 0.0, 0.0
	if key == "utilization" {
		lo = math.Inf(1)
	}
	for _, v := range append(append([]float64(nil), va...), vb...) {
		if !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if key == "utilization" {
		lo *= .9
	}
	if hi <= lo {
		hi = lo + 1
	}
	hi *= 1.05
	x := func(i int) float64 { return float64(i)/float64(n-1)*(w-6) + 2 }
	y := func(v float64) float64 { return h - 2 - (v-lo)/(hi-lo)*(h-5) }
	line := func(v []float64) string {
		var q draw.Path
		cmd := byte('M')
		for i, s := range v {
			if math.IsNaN(s) {
				continue
			}
			q.Cmd(cmd, x(i), y(s))
			cmd = 'L'
		}
		return string(q.B)
	}
	var p draw.Pen
	p.Line(0, h-.5, w, h-.5, "line")
	if vb != nil {
		p.Path(line(vb), "var(--line-3)", "1.2", "3 2", "none", "")
	}
	p.Path(line(va), draw.SeriesVar(d.A), "1.8", "", "none", "")
	for i := n - 1; i >= 0; i-- {
		if !math.IsNaN(va[i]) {
			p.Put(`<circle cx="{}" cy="{}" r="2.4" fill="{}"/>`, x(i), y(va[i]), draw.SeriesVar(d.A))
			break
		}
	}
	out.SVG = p.Markup()
	out.Time = draw.Timeline{X: 2, W: w - 6, From: float64(from), To: float64(to)}
	_, name := draw.UnitOf(key)
	out.Aria = name + " over time, " + d.Title(d.A)
	if vb != nil {
		out.Aria += " and, dashed, " + d.Title(d.Base)
	}
	return out
}

// overTime returns a measure in n equal parts of a span; jobs count where they
// were submitted. NaN where a part has no jobs, nil where the measure has no
// such values.
func overTime(d *draw.Data, key string, r *report.Run, from, to model.Time, n int) []float64 {
	if d.Memo == nil {
		return parts(d, key, r, from, to, n)
	}
	k := draw.MemoKey{Run: r, Key: key, From: from, To: to, N: n}
	v, ok := d.Memo[k]
	if !ok {
		v = parts(d, key, r, from, to, n)
		d.Memo[k] = v
	}
	return v
}

func parts(d *draw.Data, key string, r *report.Run, from, to model.Time, n int) []float64 {
	switch key {
	case "utilization", "mean-queue-length", "max-queue-length":
		v, scale := r.Series.Used, float64(r.Processors)
		if key != "utilization" {
			v, scale = r.Series.Waiting, 1
		}
		out := draw.NewSteps(r.Series.At, v).Columns(from, to, n)
		for i := range out {
			out[i] /= scale
		}
		return out
	}
	jobs, c := d.Jobs, &r.Columns
	if jobs == nil || len(c.Start) != len(jobs.Submit) || len(c.Start) == 0 {
		return nil
	}
	kind, tau := 0, float64(max(1, d.Tau))
	for i, suffix := range [...]string{"-wait", "-turnaround", "per-proc-bounded-slowdown", "-bounded-slowdown", "-slowdown"} {
		if kind == 0 && strings.HasSuffix(key, suffix) {
			kind = i + 1
		}
	}
	if kind == 0 {
		return nil
	}
	out, count := make([]float64, n), make([]int, n)
	k, end := -1, from // part, and where the next one begins: jobs stand in order of submission
	reacting := len(c.Submit) > 0
	reserved := jobs.Reserved // in order of jobs; no wait of theirs counts
	for j, submit := range c.Submitted(jobs) {
		if reacting { // in any order
			k = -1
			if submit >= from && submit < to {
				k = min(n-1, int(int64(submit-from)*int64(n)/int64(to-from)))
			}
		}
		for !reacting && submit >= end && k < n {
			k++
			end = from + model.Time((int64(k+1)*int64(to-from)+int64(n)-1)/int64(n))
		}
		if len(reserved) > 0 && int(reserved[0].Job) == j {
			reserved = reserved[1:]
			continue
		}
		if c.Start[j] < submit || k < 0 || k >= n {
			continue // rejected, or outside
		}
		v, run := float64(c.Start[j]-submit), float64(c.End[j]-c.Start[j])
		switch kind {
		case 2:
			v += run
		case 3:
			v = atLeast(1, (v+run)/(float64(jobs.Procs[j])*atLeast(tau, run)))
		case 4:
			v = atLeast(1, (v+run)/atLeast(tau, run))
		case 5:
			v = (v + run) / atLeast(1, run)
		}
		out[k] += v
		count[k]++
	}
	for i := range out {
		if count[i] == 0 {
			out[i] = math.NaN()
		} else {
			out[i] /= float64(count[i])
		}
	}
	return out
}

// atLeast is max without its care for NaN, which costs much in wasm.
func atLeast(least, v float64) float64 {
	if v < least {
		return least
	}
	return v
}
