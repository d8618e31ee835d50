package overview

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// OverTime draws busy processors and waiting jobs of A and of the baseline.
func OverTime(d *draw.Data, w, h float64) draw.Figure {
	from, to, ok := d.Span()
	a := d.RunOf(d.A)
	if !ok || a == nil {
		return draw.Figure{W: w, H: h, Empty: d.Nothing()}
	}
	n := int(max(20, w/5))
	type curve struct {
		i             int
		used, waiting []float64
	}
	var curves []curve
	var layers [2][]draw.Layer
	most := 1.0
	for _, i := range []int{beside(d), d.A} {
		r := d.RunOf(i)
		if r == nil {
			continue
		}
		c := curve{i: i}
		for g, v := range [2][]int32{r.Series.Used, r.Series.Waiting} {
			l := draw.Layer{Shape: draw.Line, Panel: g, Series: i, Name: d.Title(i), Width: 1.3, Steps: true, Area: g == 1 || i == d.A, Opacity: .16}
			l.X, l.Y = draw.NewSteps(r.Series.At, v).Means(from, to, n)
			layers[g] = append(layers[g], l)
			*[2]*[]float64{&c.used, &c.waiting}[g] = l.Y
		}
		most = max(most, slices.Max(c.waiting))
		curves = append(curves, c)
	}
	f := draw.Usage(d, from, to, float64(a.Processors), most, w, h)
	f.Layers = slices.Concat(f.Layers, layers[0], layers[1])
	f.Say = func(x float64, _, _ int) draw.Markup {
		t := draw.Tip{Head: [2]string{"busy", "waiting"}}
		k := min(n-1, int((x-float64(from))/float64(to-from)*float64(n)))
		for _, c := range slices.Backward(curves) {
			t.Row(draw.HTML(`{}{}`, draw.Mark(c.i), d.Title(c.i)), words.Plain(c.used[k]), words.Plain(c.waiting[k]))
		}
		return t.HTML(d.Clock.When(model.Time(x)))
	}
	f.Fill = func() draw.Grid {
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
	f.Aria = "Busy processors and waiting jobs of " + d.Title(d.A) + " from " + d.Clock.When(from) + " to " + d.Clock.When(to) +
		": on average " + words.Plain(draw.NewSteps(a.Series.At, a.Series.Used).Mean(float64(from), float64(to))) + " of " + words.Int(a.Processors) +
		" busy, at most " + words.Int(draw.NewSteps(a.Series.At, a.Series.Waiting).Max(from, to)) + " waiting."
	return f
}

// beside is the run whose curves stand beside A's: the baseline, else the other one.
func beside(d *draw.Data) int {
	if d.Base != d.A && d.RunOf(d.Base) != nil {
		return d.Base
	}
	return d.Other()
}

// OverTimeSub says whose curves OverTime draws.
func OverTimeSub(d *draw.Data) string {
	s := "busy processors and waiting jobs, " + words.Letter(d.A)
	if base := beside(d); d.RunOf(base) != nil {
		s += " and " + words.Letter(base)
	}
	return s
}

// Spark draws a small line of a measure over time: A solid, the baseline
// dashed. Measures that have no value over time have no line.
func Spark(d *draw.Data, key string, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	a := d.RunOf(d.A)
	from, to, ok := d.Span()
	if !ok || a == nil {
		return f
	}
	n := int(min(40, max(8, int64(to-from)/draw.Day)))
	va := overTime(d, key, a, from, to, n)
	if va == nil {
		return f
	}
	var vb []float64
	if b := d.RunOf(d.Base); b != nil && d.Base != d.A {
		vb = overTime(d, key, b, from, to, n)
	}
	lo, hi := 0.0, 0.0
	if key == "utilization" {
		lo = math.Inf(1)
	}
	for _, v := range slices.Concat(va, vb) {
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
	f.Panels = []draw.Panel{{Box: draw.Box{X: 2, Y: 3, W: w - 6, H: h - 5}, X: draw.Axis{Min: float64(from), Max: float64(to), Hidden: true, Unit: "at_s"}, Y: draw.Axis{Min: lo, Max: hi * 1.05, Hidden: true}}}
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(from) + float64(to-from)*float64(i)/float64(n-1)
	}
	if vb != nil {
		f.Layers = append(f.Layers, draw.Layer{Shape: draw.Line, Series: 1, X: x, Y: vb, Fill: "var(--line-3)", Width: 1.2})
	}
	last := n - 1
	for last > 0 && math.IsNaN(va[last]) {
		last--
	}
	f.Layers = append(f.Layers, draw.Layer{Shape: draw.Line, Fill: draw.SeriesVar(d.A), X: x, Y: va, Width: 1.8}, draw.Layer{Shape: draw.Dots, Series: d.A, X: x[last : last+1], Y: va[last : last+1], Size: 4.8})
	_, name := draw.UnitOf(key)
	f.Aria = name + " over time, " + d.Title(d.A)
	if vb != nil {
		f.Aria += " and, dashed, " + d.Title(d.Base)
	}
	return f
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
