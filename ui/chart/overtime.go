package chart

import (
	"math"
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// Span returns the time from the first submission to the last end of the
// shown runs; ok is false while nothing has run.
func (d *Data) Span() (from, to model.Time, ok bool) {
	for _, r := range d.Shown {
		if r == nil || len(r.Series.At) == 0 {
			continue
		}
		a, b := r.Series.At[0], r.Series.At[len(r.Series.At)-1]
		if !ok {
			from, to, ok = a, b, true
		}
		from, to = min(from, a), max(to, b)
	}
	return from, to, ok && to > from
}

// OverTime draws busy processors and waiting jobs of A and of the baseline.
func (d *Data) OverTime(w, h float64) Drawing {
	out := Drawing{W: w, H: h}
	from, to, ok := d.Span()
	a := d.shown(d.A)
	if !ok || a == nil {
		out.Empty = d.nothing()
		return out
	}
	left, right, top, foot := 52.0, 16.0, 14.0, 26.0
	half := (h - top - foot - 18) / 2
	x := func(t float64) float64 { return left + (t-float64(from))/float64(to-from)*(w-left-right) }
	var p pen
	for _, band := range Weekends(d.Clock, from, to) {
		p.rect(x(float64(band[0])), top, x(float64(band[1]))-x(float64(band[0])), h-top-foot, "var(--sunken)", `opacity=".55"`)
	}
	ticks := TimeTicks(d.Clock, from, to, int(max(2, (w-left-right)/58)))
	for _, t := range ticks {
		p.line(crisp(x(t.At)), top, crisp(x(t.At)), h-foot, "grid")
	}
	type curve struct {
		i             int
		used, waiting []float64
	}
	n := int(max(20, (w-left-right)/5))
	var curves []curve
	base := d.Base
	if base == d.A || d.shown(base) == nil {
		base = -1
		if o := d.other(); d.shown(o) != nil {
			base = o
		}
	}
	for _, i := range []int{base, d.A} {
		if r := d.shown(i); r != nil {
			u, q := NewSteps(r.Series.At, r.Series.Used), NewSteps(r.Series.At, r.Series.Waiting)
			curves = append(curves, curve{i, u.Columns(from, to, n), q.Columns(from, to, n)})
		}
	}
	most := 1.0
	for _, c := range curves {
		for _, v := range c.waiting {
			most = max(most, v)
		}
	}
	if t := LinearTicks(most, 4); len(t) > 1 {
		most = math.Ceil(most/t[1].At) * t[1].At
	}
	strip := func(name string, y, limit float64, values func(curve) []float64) {
		p.line(left, crisp(y), w-right, crisp(y), "grid")
		p.line(left, crisp(y+half), w-right, crisp(y+half), "line-3")
		p.text(left-8, y+8, words.Int(int64(limit+.5)), "end", "")
		p.text(left-8, y+half, "0", "end", "")
		p.text(left-8, y+half/2+4, name, "end", "k2")
		for k, c := range curves {
			line, area := StripPaths(values(c), limit, left, y, w-left-right, half)
			if k == len(curves)-1 || name != "busy" {
				p.path(area, "", "", "", SeriesVar(c.i), `opacity=".16"`)
			}
			dash := ""
			if k < len(curves)-1 {
				dash = Dash(c.i)
			}
			p.path(line, SeriesVar(c.i), "1.3", dash, "none", "")
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
			p.text(xx, h-8, t.Label, "middle", class)
		}
	}
	out.SVG, out.Top, out.Foot = p.String(), top, h-foot
	out.Time = Timeline{left, w - left - right, float64(from), float64(to)}
	out.Say = func(px float64) string {
		k := int((px - left) / (w - left - right) * float64(n))
		if px < left || k < 0 || k >= n {
			return ""
		}
		rows := ""
		for i := len(curves) - 1; i >= 0; i-- {
			c := curves[i]
			rows += `<tr><td>` + Mark(c.i) + Escape(d.Title(c.i)) + `</td><td>` + words.Plain(c.used[k]) + `</td><td>` + words.Plain(c.waiting[k]) + `</td></tr>`
		}
		t := from + model.Time(float64(to-from)*(px-left)/(w-left-right))
		return `<b>` + d.Clock.When(t) + `</b><table class="bl-tip"><tr><th></th><th>busy</th><th>waiting</th></tr>` + rows + `</table>`
	}
	out.Fill = func() Grid {
		g := Grid{Head: []string{"From"}, Left: 1, Units: []string{"from_s"}}
		for _, c := range curves {
			g.Head = append(g.Head, words.Letter(c.i)+" busy", words.Letter(c.i)+" waiting")
			g.Units = append(g.Units, d.Title(c.i)+" mean_busy_processors", d.Title(c.i)+" mean_waiting_jobs")
		}
		for k := range n {
			t := from + (to-from)*model.Time(k)/model.Time(n)
			cells, raw := []string{d.Clock.When(t)}, []string{strconv.FormatInt(int64(t), 10)}
			for _, c := range curves {
				cells = append(cells, words.Plain(c.used[k]), words.Plain(c.waiting[k]))
				raw = append(raw, plainNumber(c.used[k]), plainNumber(c.waiting[k]))
			}
			g.Cells, g.Raw = append(g.Cells, cells), append(g.Raw, raw)
		}
		return g
	}
	q := NewSteps(a.Series.At, a.Series.Waiting)
	out.Aria = "Busy processors and waiting jobs of " + d.Title(d.A) + " from " + d.Clock.When(from) + " to " + d.Clock.When(to) +
		": on average " + words.Plain(NewSteps(a.Series.At, a.Series.Used).Mean(float64(from), float64(to))) + " of " + words.Int(a.Processors) +
		" busy, at most " + words.Int(q.Max(from, to)) + " waiting."
	return out
}

// Memo keeps what sparks were worked out from, by run and measure.
type Memo map[memoKey][]float64

type memoKey struct {
	run      *report.Run
	key      string
	from, to model.Time
	n        int
}

// OverTimeSub says whose curves OverTime draws.
func (d *Data) OverTimeSub() string {
	s := "busy processors and waiting jobs, " + words.Letter(d.A)
	base := d.Base
	if base == d.A || d.shown(base) == nil {
		base = d.other()
	}
	if d.shown(base) != nil {
		s += " and " + words.Letter(base)
	}
	return s
}

// Spark draws a small line of a measure over time: A solid, the baseline
// dashed. Measures that have no value over time have no line.
func (d *Data) Spark(key string, w, h float64) Drawing {
	out := Drawing{W: w, H: h}
	a := d.shown(d.A)
	from, to, ok := d.Span()
	if !ok || a == nil {
		return out
	}
	n := int(min(40, max(8, int64(to-from)/day)))
	va := d.overTime(key, a, from, to, n)
	if va == nil {
		return out
	}
	var vb []float64
	if b := d.shown(d.Base); b != nil && d.Base != d.A {
		vb = d.overTime(key, b, from, to, n)
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
		var q path
		cmd := byte('M')
		for i, s := range v {
			if math.IsNaN(s) {
				continue
			}
			q.cmd(cmd, x(i), y(s))
			cmd = 'L'
		}
		return string(q.b)
	}
	var p pen
	p.line(0, h-.5, w, h-.5, "line")
	if vb != nil {
		p.path(line(vb), "var(--line-3)", "1.2", "3 2", "none", "")
	}
	p.path(line(va), SeriesVar(d.A), "1.8", "", "none", "")
	for i := n - 1; i >= 0; i-- {
		if !math.IsNaN(va[i]) {
			p.WriteString(`<circle cx="` + num(x(i)) + `" cy="` + num(y(va[i])) + `" r="2.4" fill="` + SeriesVar(d.A) + `"/>`)
			break
		}
	}
	out.SVG = p.String()
	out.Time = Timeline{2, w - 6, float64(from), float64(to)}
	_, name := unitOf(key)
	out.Aria = name + " over time, " + d.Title(d.A)
	if vb != nil {
		out.Aria += " and, dashed, " + d.Title(d.Base)
	}
	return out
}

// overTime returns a measure in n equal parts of a span; jobs count where they
// were submitted. NaN where a part has no jobs, nil where the measure has no
// such values.
func (d *Data) overTime(key string, r *report.Run, from, to model.Time, n int) []float64 {
	if d.Memo == nil {
		return d.parts(key, r, from, to, n)
	}
	k := memoKey{r, key, from, to, n}
	v, ok := d.Memo[k]
	if !ok {
		v = d.parts(key, r, from, to, n)
		d.Memo[k] = v
	}
	return v
}

func (d *Data) parts(key string, r *report.Run, from, to model.Time, n int) []float64 {
	switch key {
	case "utilization", "mean-queue-length", "max-queue-length":
		v, scale := r.Series.Used, float64(r.Processors)
		if key != "utilization" {
			v, scale = r.Series.Waiting, 1
		}
		out := NewSteps(r.Series.At, v).Columns(from, to, n)
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
	asked := c.Asked(jobs)
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
		if c.Start[j] < submit || k < 0 || k >= n {
			continue // rejected, or outside
		}
		v, run := float64(c.Start[j]-asked[j]), float64(c.End[j]-c.Start[j])
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
