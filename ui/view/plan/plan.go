package plan

import (
	"math"
	"slices"
	"strconv"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/scene"
	"batchlab/ui/words"
)

// PlanSpan is the time that the drawing of a plan covers: as far ahead as the
// plan reaches, and half as far back.
func PlanSpan(p *report.Plan) (from, to model.Time) {
	from, to = p.At, p.At+60
	for i := range p.Bars {
		from, to = min(from, p.Bars[i].Start), max(to, p.Bars[i].End)
	}
	return max(from, p.At-max(3600, (to-p.At)/2)), to
}

// Plan draws the Gantt chart of the future beside the past at one instant, with
// the gap list and the limits list below. Rectangles carry data-j: 1 + the index
// of their job.
func Plan(d *draw.Data, p *report.Plan, job int, w, h float64) draw.Figure {
	out := draw.Figure{W: w, H: h}
	if p == nil {
		out.Empty = d.Nothing()
		return out
	}
	const left, right, top, foot, strip = 70.0, 14.0, 22.0, 24.0, 38.0
	lists := append(slices.Clone(p.Gaps), p.Limits...)
	lists = lists[:min(len(lists), max(1, int((h-top-foot)*.45/strip)))]
	from, to := PlanSpan(p)
	body := max(40, h-top-foot-strip*float64(len(lists)))
	f := scene.Frame{Axis: scene.Axis{From: from, To: to, Left: left, Right: w - right}, Top: top, Bottom: h - foot, Lanes: []scene.Lane{{Count: int32(p.Procs), Y: top, H: body}}}
	whole := draw.Panel{Box: draw.Box{X: left, Y: top, W: w - left - right, H: h - top - foot}, Y: draw.Axis{Hidden: true},
		X: draw.Axis{Min: float64(from), Max: float64(to), Ticks: f.Ticks(d.Clock, 76), Unit: "at_s"}}
	whole.Thin(0, w)
	out.Panels = []draw.Panel{whole}
	var g draw.Pen
	for _, a := range p.Away {
		f.Fill(&g, a.First, a.Count, a.From, a.To, "var(--line-3)", `opacity=".45"`)
	}
	for i := range p.Bars {
		planBar(d, &g, &p.Bars[i], p.At, job, &f)
	}
	now := f.X(p.At)
	g.Rect(left, top, now-left, h-top-foot, "var(--sunken)", `opacity=".25" pointer-events="none"`)
	g.Line(draw.Crisp(now), top-8, draw.Crisp(now), h-foot, "ink")
	out.Art = g.Markup()
	out.Text(left-8, top+5, words.Int(p.Procs), 'r', draw.ToneAxis)
	out.Text(left-8, top+body/2, "processors", 'r', draw.ToneLabel)
	out.Text(now-6, top-12, "past", 'r', draw.ToneLabel)
	out.Text(now+6, top-12, "planned", 'l', draw.ToneLabel)
	for k := range lists {
		l, name, fill := &lists[k], "gaps ", ""
		if k >= len(p.Gaps) {
			name, fill = "limit ", "var(--warn)"
		}
		y := top + body + strip*float64(k) + 6
		free(&out, l.At, l.Free, l.Most, p.At, draw.Box{X: left, Y: y, W: whole.Box.W, H: strip - 10}, draw.Layer{Series: d.A, Fill: fill, Opacity: .18})
		out.Text(left+6, y+5, name+l.Name, 'l', draw.ToneLabel)
		out.Text(left-8, y+5, words.Int(l.Most), 'r', draw.ToneAxis)
	}
	out.Say = func(v float64, _, _ int) draw.Markup {
		var t draw.Tip
		at := model.Time(v)
		if at >= p.At {
			for _, l := range lists {
				t.Row(draw.HTML(`{}`, planList(&l)), words.Int(stepAt(&l, at))+" of "+words.Int(l.Most)+" free")
			}
		}
		return t.HTML(d.Clock.When(at))
	}
	out.Aria = "Plan at " + d.Clock.When(p.At) + ": " + words.Count(p.Total, "job waits", "jobs wait") + ", planned up to " + d.Clock.When(to) + "."
	out.Table = PlanGrid(d, p)
	return out
}

// free adds a panel with what is free over time, of most, from a time on; its times are
// those of the first panel.
func free(f *draw.Figure, at []model.Time, level []int32, most int32, from model.Time, box draw.Box, l draw.Layer) {
	p := draw.Panel{Box: box, X: draw.Axis{Hidden: true}, Y: draw.Axis{Max: float64(max(1, most)), Hidden: true}}
	p.X.Min, p.X.Max = f.Panels[0].X.Min, f.Panels[0].X.Max
	l.Shape, l.Panel, l.Steps, l.Area, l.Width = draw.Line, len(f.Panels), true, true, 1
	for i := 0; i < len(at) && float64(at[i]) <= p.X.Max; i++ {
		l.X, l.Y = append(l.X, float64(max(at[i], from))), append(l.Y, float64(max(0, level[i])))
	}
	if n := len(l.Y); n > 0 {
		l.X, l.Y = append(l.X, p.X.Max), append(l.Y, l.Y[n-1])
	}
	f.Panels, f.Layers = append(f.Panels, p), append(f.Layers, l)
}

func planBar(d *draw.Data, g *draw.Pen, b *report.PlanBar, now model.Time, job int, f *scene.Frame) {
	fill, more := "var(--line-3)", draw.Markup("")
	switch b.State {
	case report.BarRuns:
		fill, more = "var(--ink-3)", `opacity=".55"`
	case report.BarPlanned:
		fill, more = draw.SeriesVar(d.A), `opacity=".7"`
	}
	if int(b.Job) == job {
		fill, more = "var(--accent-fill)", ""
	}
	which := draw.HTML(` data-j="{}"`, int(b.Job)+1)
	for _, s := range b.Spans {
		box := f.Box(s.First, s.Count, b.Start, b.End)
		if box.H > 3 {
			box.H -= .6
		}
		wide := max(.7, box.W-.6)
		if b.State == report.BarRuns { // what it may take, and what it has run
			past := f.Cut(now) - box.X
			g.Rect(box.X+past, box.Y, wide-past, box.H, fill, `opacity=".3"`+which)
			wide = past
		}
		g.Rect(box.X, box.Y, wide, box.H, fill, more+which)
	}
}

// planList names a gap list or limits list.
func planList(l *report.PlanSteps) string {
	if l.Name == "" {
		return "gaps"
	}
	return l.Name
}

func stepAt(l *report.PlanSteps, at model.Time) int32 {
	i, found := slices.BinarySearch(l.At, at)
	if !found {
		i--
	}
	if i < 0 || len(l.Free) == 0 {
		return 0
	}
	return l.Free[i]
}

// PlanGrid lists the waiting jobs: expected start, cluster and nodes.
func PlanGrid(d *draw.Data, p *report.Plan) draw.Grid {
	g := draw.Grid{Head: []string{"Job", "User", "Processors", "Expected start", "in", "Expected end", "Wait", "Cluster", "Nodes"},
		Units: []string{"job", "user", "processors", "expected_start", "seconds_to_start", "expected_end", "expected_wait_s", "cluster", "nodes"}}
	for i := range p.Bars {
		b := &p.Bars[i]
		if b.State != report.BarPlanned {
			continue
		}
		nodes := ""
		for k, n := range b.Nodes {
			if k > 0 {
				nodes += " "
			}
			nodes += strconv.Itoa(int(n))
		}
		cluster := ""
		if int(b.Cluster) < len(p.Gaps) {
			cluster = p.Gaps[b.Cluster].Name
		}
		in := int64(b.Start - p.At)
		g.Raw = append(g.Raw, []string{strconv.FormatInt(b.Number, 10), strconv.Itoa(int(b.User)), strconv.Itoa(int(b.Procs)), strconv.FormatInt(int64(b.Start), 10),
			strconv.FormatInt(in, 10), strconv.FormatInt(int64(b.End), 10), strconv.FormatInt(int64(b.Start-b.Submit), 10), cluster, nodes})
		g.Cells = append(g.Cells, []string{words.Whole(b.Number), draw.UserName(b.User), words.Int(b.Procs), d.Clock.When(b.Start), words.Dur(float64(in)),
			d.Clock.When(b.End), draw.HourMin(int64(b.Start - b.Submit)), cluster, draw.Clip(nodes, 160)})
	}
	return g
}

// PlanHistory draws how the predicted start of a job moved until it started.
func PlanHistory(d *draw.Data, p *report.Plan, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	if p == nil || p.Job < 0 {
		f.Empty = "Choose a planned job in the drawing or by its number to see how its predicted start moved."
		return f
	}
	if len(p.History) == 0 {
		f.Empty = "Job " + words.Whole(p.Number) + " had not been planned in the part of the run that is shown."
		return f
	}
	l := draw.Layer{Shape: draw.Line, Series: d.A, Name: "predicted start of job " + words.Whole(p.Number), Steps: true, Size: 3}
	lo, hi := p.History[0].Start, p.History[0].Start
	for _, t := range p.History {
		l.X, l.Y = append(l.X, float64(t.At)), append(l.Y, float64(t.Start))
		lo, hi = min(lo, t.Start), max(hi, t.Start)
	}
	first, last := p.History[0].At, p.History[len(p.History)-1].At
	if p.Started != model.Never {
		last = p.Started
		l.X, l.Y = append(l.X, float64(last)), append(l.Y, float64(p.Started))
	}
	if last == first {
		last++
	}
	pad := max(60, (hi-lo)/12)
	lo, hi = lo-pad, hi+pad
	box := draw.Box{X: 92, Y: 14, W: max(10, w-110), H: h - 56}
	f.Panels = []draw.Panel{{Box: box,
		X: draw.Axis{Min: float64(first), Max: float64(last), Ticks: draw.TimeTicks(d.Clock, first, last, int(max(2, box.W/76))), Unit: "at_s"},
		Y: draw.Axis{Min: float64(lo), Max: float64(hi), Ticks: draw.TimeTicks(d.Clock, lo, hi, int(max(2, box.H/40))), Unit: "predicted_start_s"}}}
	f.Layers = []draw.Layer{l}
	f.Text(box.X, h-13, "time of the prediction", 'l', draw.ToneAxis)
	f.Say = func(v float64, _, _ int) draw.Markup {
		i, found := slices.BinarySearchFunc(p.History, model.Time(v), func(t report.PlannedTime, at model.Time) int { return int(min(1, max(-1, t.At-at))) })
		if !found {
			i--
		}
		if i < 0 {
			return ""
		}
		var t draw.Tip
		t.Row("predicted start", d.Clock.When(p.History[i].Start))
		if p.Started != model.Never {
			t.Row("too early by", words.Signed(float64(p.Started-p.History[i].Start), words.Dur))
		}
		return t.HTML(d.Clock.When(model.Time(v)))
	}
	f.Table = draw.Grid{Head: []string{"From", "Predicted start"}, Left: 2}
	for _, t := range p.History {
		f.Table.Cells = append(f.Table.Cells, []string{d.Clock.When(t.At), d.Clock.When(t.Start)})
	}
	moves := words.Count(len(p.History)-1, "move", "moves")
	f.Aria = "Predicted start of job " + words.Whole(p.Number) + ": " + moves + " until it started."
	f.Note = moves
	return f
}

// PlanTrace draws the accepted improvements over time, criterion by criterion, as
// figure 4 of the study does.
func PlanTrace(d *draw.Data, s *report.Foresight, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	if s == nil || len(s.Trace) == 0 {
		f.Empty = "No improvement was accepted: the plan was not optimised."
		return f
	}
	first, last := s.Trace[0].At, s.Trace[len(s.Trace)-1].At+1
	high := (h - 44) / 3
	for k, name := range []string{"wait", "slowdown", "fairness"} {
		l := draw.Layer{Shape: draw.Dots, Panel: k, Series: k, Name: name, Size: 3.5}
		var sizes []float64
		for i := range s.Trace {
			t := &s.Trace[i]
			v := 100 * [3]float64{t.Wait, t.Slowdown, t.Fairness}[k]
			l.X, l.Y = append(l.X, float64(t.At)), append(l.Y, v)
			sizes = append(sizes, math.Abs(v))
		}
		slices.Sort(sizes)
		most := max(.01, sizes[int(float64(len(sizes)-1)*.98)]) // a few large ones are cut off, as in the figure
		for i, v := range l.Y {
			l.Y[i] = max(-most, min(most, v))
		}
		box := draw.Box{X: 60, Y: 16 + high*float64(k), W: max(10, w-76), H: high - 22}
		a := draw.Axis{Min: float64(first), Max: float64(last), Hidden: k < 2, Unit: "at_s"}
		a.Ticks = draw.TimeTicks(d.Clock, first, last, int(max(2, box.W/76)))
		up := draw.LinearTicks(most, 3) // round numbers, the same to both sides
		top := up[len(up)-1]
		ticks := []draw.Tick{{At: -top.At, Label: words.Minus + top.Label}, {At: 0, Label: "0"}, top}
		f.Panels = append(f.Panels, draw.Panel{Box: box, X: a, Y: draw.Axis{Min: -most * 1.05, Max: most * 1.05, Ticks: ticks, Unit: name + "_percent"}, Hold: true})
		f.Layers = append(f.Layers, l)
		f.Text(box.X+4, box.Y-6, name+", % better", 'l', draw.ToneLabel)
	}
	f.Say = func(_ float64, layer, i int) draw.Markup {
		t := &s.Trace[i]
		var out draw.Tip
		out.Row("wait", words.Signed(100*t.Wait, func(v float64) string { return words.Number(v, 3) + " %" }))
		out.Row("slowdown", words.Signed(100*t.Slowdown, func(v float64) string { return words.Number(v, 3) + " %" }))
		out.Row("fairness", words.Signed(100*t.Fairness, func(v float64) string { return words.Number(v, 3) + " %" }))
		out.Row("iteration", words.Int(t.Iteration))
		return out.HTML(d.Clock.When(t.At))
	}
	f.Table = draw.Grid{Head: []string{"Time", "Iteration", "Wait, %", "Slowdown, %", "Fairness, %"}, Left: 1}
	for i := range s.Trace {
		t := &s.Trace[i]
		f.Table.Cells = append(f.Table.Cells, []string{d.Clock.When(t.At), strconv.Itoa(t.Iteration), draw.PlainNumber(100 * t.Wait), draw.PlainNumber(100 * t.Slowdown), draw.PlainNumber(100 * t.Fairness)})
	}
	f.Aria = words.Count(s.Accepted, "accepted improvement", "accepted improvements") + " over time, by wait, slowdown and fairness."
	return f
}

// PlanAccuracy draws how far predictions were off by the time that was left.
func PlanAccuracy(d *draw.Data, s *report.Foresight, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	if s == nil || len(s.Accuracy) == 0 {
		f.Empty = "No job waited long enough for its prediction to be judged."
		return f
	}
	mean, median := draw.Layer{Shape: draw.Columns, Series: d.A, Name: "mean"}, draw.Layer{Shape: draw.Columns, Series: -1, Name: "median"}
	var names []string
	most := 60.0
	f.Table = draw.Grid{Head: []string{"Before the start", "Jobs", "Mean error", "Median error", "Bias", "Exact"}, Left: 1}
	for _, a := range s.Accuracy {
		names = append(names, words.Dur(float64(a.Lead)))
		mean.Y, median.Y = append(mean.Y, a.Absolute), append(median.Y, a.Median)
		most = max(most, a.Absolute, a.Median)
		f.Table.Cells = append(f.Table.Cells, []string{words.Dur(float64(a.Lead)), words.Int(a.Jobs), words.Dur(a.Absolute), words.Dur(a.Median), words.Signed(a.Error, words.Dur), words.Percent(a.Unchanged)})
	}
	f.Panels = []draw.Panel{{Box: draw.Box{X: 60, Y: 16, W: max(10, w-76), H: h - 62}, X: draw.Axis{Names: names}, Y: draw.Axis{Max: most * 1.05, Ticks: draw.DurationTicks(most*1.05, 5), Base: true}}}
	f.Layers = []draw.Layer{mean, median}
	f.Text(60, h-12, "time left to the start · mean and median absolute error of the predicted start", 'l', draw.ToneAxis)
	f.Say = func(v float64, _, i int) draw.Markup {
		if i < 0 {
			i = int(v + .5)
		}
		if i < 0 || i >= len(s.Accuracy) {
			return ""
		}
		a := &s.Accuracy[i]
		var t draw.Tip
		t.Row("jobs", words.Int(a.Jobs))
		t.Row("mean error", words.Dur(a.Absolute))
		t.Row("median error", words.Dur(a.Median))
		t.Row("bias", words.Signed(a.Error, words.Dur))
		t.Row("exact", words.Percent(a.Unchanged))
		return t.HTML(words.Dur(float64(a.Lead)) + " before")
	}
	f.Aria = "Error of predicted starts by the time that was left to them, over " + words.Count(s.Jobs, "job", "jobs") + "."
	return f
}
