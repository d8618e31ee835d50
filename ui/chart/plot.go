package chart

import (
	"math"
	"strconv"
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// Plot is a chart that is zoomed and pointed at. Its scene is drawn on a
// canvas, and is the same in a file.
type Plot struct {
	Grids []PlotGrid
	X, Y  []PlotAxis // one a grid
	Lines []PlotLine
	Zoom  bool // the horizontal axes can be zoomed
	From  float64
	To    float64 // shown part of the horizontal axes, with Zoom
	Aria  string
	Note  string // what must be known to read the plot, "" nothing
	Empty string // one sentence instead of a plot
	Data  Grid
	Fill  func() Grid // works the whole of Data out when somebody asks; nil: it is there
	// Say answers with HTML when the reader points at x, or at a point of a
	// line of dots.
	Say func(x float64, line, point int) string
}

// PlotGrid is the place of a coordinate system in page pixels.
type PlotGrid struct{ Left, Right, Top, Height float64 }

// PlotAxis is one axis.
type PlotAxis struct {
	Min, Max float64
	Log      bool
	Hidden   bool // no labels
	Name     string
	Ticks    []Tick
}

// PlotLine is a line, a step line or a cloud of dots.
type PlotLine struct {
	Kind      string // "line", "steps", "dots", "band" (of a step line: least to greatest by pixel column)
	Grid      int
	Scheduler int
	Name      string
	X, Y      []float64
	Sizes     []float64 // of dots, page pixels
	Width     float64
	Area      bool
	Bands     [][2]model.Time // weekends behind the line
}

// Series plots busy processors and waiting jobs of all shown runs over
// [from, to], reduced to what w pixels can show.
func (d *Data) Series(from, to model.Time, whole [2]model.Time, steps map[*report.Run][2]*Steps, w, h float64) Plot {
	var p Plot
	left, right, top, gap, foot := 60.0, 16.0, 14.0, 22.0, 26.0
	high := (h - top - gap - foot) / 2
	p.Grids = []PlotGrid{{left, right, top, high}, {left, right, top + high + gap, high}}
	p.Zoom, p.From, p.To = true, float64(from), float64(to)
	most, procs := 1.0, 1
	columns := int(max(50, w-left-right))
	bands := Weekends(d.Clock, from, to)
	type curve struct {
		i             int
		used, waiting *Steps
	}
	var curves []curve
	for i, r := range d.Shown {
		if r == nil {
			continue
		}
		s := steps[r]
		if s[0] == nil {
			continue
		}
		curves = append(curves, curve{i, s[0], s[1]})
		most = max(most, float64(s[1].Max(from, to)))
		procs = max(procs, r.Processors)
	}
	if len(curves) == 0 || to <= from {
		p.Empty = d.nothing()
		return p
	}
	for grid := range 2 {
		limit := float64(procs)
		if grid == 1 {
			limit = most
		}
		of := func(c curve) *Steps {
			if grid == 1 {
				return c.waiting
			}
			return c.used
		}
		lines := make([]PlotLine, len(curves))
		way := 0.0 // of the line that goes up and down most, in page pixels
		for k, c := range curves {
			x, y := of(c).M4(from, to, columns)
			lines[k] = PlotLine{Kind: "steps", Grid: grid, Scheduler: c.i, Name: d.Title(c.i), X: x, Y: y, Width: 1.4, Area: c.i == d.A}
			sum := 0.0
			for i := 1; i < len(y); i++ {
				sum += math.Abs(y[i] - y[i-1])
			}
			way = max(way, sum/limit*high)
		}
		if way > 12*float64(columns) {
			// Lines that fill the plot from top to bottom say nothing: show
			// means, and the least and greatest of A behind them.
			n := columns / 4
			p.Note = "means of " + words.Dur(float64(to-from)/float64(n)) + " each; the band goes from the least to the greatest value of " + words.Letter(d.A)
			for k, c := range curves {
				if c.i == d.A {
					band := lines[k]
					band.Kind = "band"
					p.Lines = append(p.Lines, band)
				}
				lines[k].Area, lines[k].X, lines[k].Y = false, nil, nil
				for i, v := range of(c).Columns(from, to, n) {
					lines[k].X = append(lines[k].X, float64(from)+float64(to-from)*float64(i)/float64(n))
					lines[k].Y = append(lines[k].Y, v)
				}
				lines[k].X, lines[k].Y = append(lines[k].X, float64(to)), append(lines[k].Y, lines[k].Y[n-1])
			}
		}
		lines[0].Bands = bands
		p.Lines = append(p.Lines, lines...)
	}
	ticks := TimeTicks(d.Clock, from, to, int(max(2, (w-left-right)/80)))
	axis := PlotAxis{Min: float64(whole[0]), Max: float64(whole[1]), Ticks: ticks}
	hidden := axis
	hidden.Hidden = true
	p.X = []PlotAxis{hidden, axis}
	waits := LinearTicks(most, 4)
	if len(waits) > 1 {
		step := waits[1].At
		most = math.Ceil(most/step) * step
		waits = LinearTicks(most, 5)
	}
	p.Y = []PlotAxis{{Max: float64(procs), Ticks: LinearTicks(float64(procs), 4), Name: "busy"}, {Max: most, Ticks: waits, Name: "waiting"}}
	p.Say = func(x float64, _, _ int) string {
		var b strings.Builder
		b.WriteString(`<b>` + Escape(d.Clock.When(model.Time(x))) + `</b><table class="bl-tip"><tr><th></th><th>busy</th><th>waiting</th></tr>`)
		for _, c := range curves {
			b.WriteString(`<tr><td>` + Mark(c.i) + Escape(d.Title(c.i)) + `</td><td>` + words.Int(c.used.Value(model.Time(x))) + `</td><td>` + words.Int(c.waiting.Value(model.Time(x))) + `</td></tr>`)
		}
		b.WriteString(`</table>`)
		return b.String()
	}
	p.Data = Grid{Head: []string{"Scheduler", "Mean busy", "Most waiting", "Mean waiting"}, Left: 1, Units: []string{"scheduler", "at_s", "busy_processors", "waiting_jobs"}}
	var said []string
	for _, c := range curves {
		busy := c.used.Mean(float64(from), float64(to)) / float64(procs)
		q := c.waiting.Max(from, to)
		p.Data.Cells = append(p.Data.Cells, []string{d.Title(c.i), words.Percent(busy), words.Int(q), words.Plain(c.waiting.Mean(float64(from), float64(to)))})
		said = append(said, d.name(c.i)+" "+words.Percent(busy)+" busy, at most "+words.Int(q)+" waiting")
	}
	p.Fill = func() Grid {
		g := p.Data
		for _, c := range curves {
			x, y := c.used.M4(from, to, columns)
			for i := range x {
				at := model.Time(x[i])
				g.Raw = append(g.Raw, []string{d.Title(c.i), strconv.FormatInt(int64(at), 10), plainNumber(y[i]), strconv.Itoa(int(c.waiting.Value(at)))})
			}
		}
		return g
	}
	p.Aria = "From " + d.Clock.When(from) + " to " + d.Clock.When(to) + ": " + strings.Join(said, "; ") + "."
	return p
}

// Mark is a short piece of a scheduler's line, for legends.
func Mark(i int) string {
	return `<svg class="bl-mark" width="20" height="8" aria-hidden="true"><path d="M0 4H20" stroke="` + SeriesVar(i) + `" stroke-width="2.4" stroke-dasharray="` + Dash(i) + `"/></svg>`
}

// Measures of single jobs that can be distributed.
const (
	OfWait       = "wait"
	OfSlowdown   = "slowdown"
	OfTurnaround = "turnaround"
)

// Distribution is the sorted values of one measure of a run's jobs.
type Distribution struct {
	Sorted []float64
	Mean   float64
}

// Distribute sorts a measure of the jobs that ran.
func Distribute(of string, jobs *report.Jobs, c *report.Columns, tau int64) *Distribution {
	values := make([]float64, 0, len(c.Start))
	for j := range c.Start {
		if c.Start[j] < jobs.Submit[j] {
			continue
		}
		v := float64(c.Start[j] - jobs.Submit[j])
		run := float64(c.End[j] - c.Start[j])
		switch of {
		case OfTurnaround:
			v += run
		case OfSlowdown:
			v = max(1, (v+run)/max(run, float64(tau), 1))
		}
		values = append(values, v)
	}
	keys := make([]uint64, len(values))
	for i, v := range values {
		keys[i] = FloatKey(v)
	}
	d := &Distribution{Sorted: make([]float64, len(values)), Mean: math.NaN()}
	sum := 0.0
	for i, o := range SortedBy(keys) {
		d.Sorted[i] = values[o]
		sum += values[o]
	}
	if len(values) > 0 {
		d.Mean = sum / float64(len(values))
	}
	return d
}

// Share returns the share of values up to v.
func (d *Distribution) Share(v float64) float64 {
	lo, hi := 0, len(d.Sorted)
	for lo < hi {
		if mid := (lo + hi) / 2; d.Sorted[mid] <= v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return float64(lo) / float64(max(1, len(d.Sorted)))
}

// Quantile returns the least value that a share p of the jobs does not exceed.
func (d *Distribution) Quantile(p float64) float64 {
	n := len(d.Sorted)
	if n == 0 {
		return math.NaN()
	}
	return d.Sorted[min(n-1, max(0, int(math.Ceil(p*float64(n)-1e-9))-1))]
}

// Of a measure: where its axis begins, how its values are written, its ticks.
func scaleOf(of string, most float64) (least float64, show func(float64) string, ticks []Tick, name string) {
	if of == OfSlowdown {
		for v := 1.0; v <= most*1.2; v *= 10 {
			ticks = append(ticks, Tick{At: v, Label: words.Int(int64(v))})
		}
		return 1, words.Plain, ticks, "bounded slowdown, log scale"
	}
	return leastWait, words.Dur, LogDurationTicks(leastWait, most*1.2), of + ", log scale · left edge: under 30 s"
}

// DistributionPlot plots distribution functions of a measure.
func (d *Data) DistributionPlot(of string, dist []*Distribution, w, h float64) Plot {
	var p Plot
	most := 0.0
	for _, x := range dist {
		if x != nil && len(x.Sorted) > 0 {
			most = max(most, x.Sorted[len(x.Sorted)-1])
		}
	}
	if most == 0 && !anyOf(dist) {
		p.Empty = d.nothing()
		return p
	}
	if of == OfSlowdown {
		most = max(most, 10)
	} else {
		most = max(most, 3600)
	}
	least, show, ticks, name := scaleOf(of, most)
	p.Grids = []PlotGrid{{48, 16, 12, h - 12 - 42}}
	p.X = []PlotAxis{{Min: least, Max: most * 1.1, Log: true, Ticks: ticks, Name: name}}
	p.Y = []PlotAxis{{Max: 1, Ticks: []Tick{{At: 0, Label: "0"}, {At: .25, Label: "25"}, {At: .5, Label: "50"}, {At: .75, Label: "75"}, {At: 1, Label: "100" + words.NB + "%"}}}}
	p.Data = Grid{Head: []string{"Scheduler", "Mean", "Median", "9 of 10", "99 of 100", "Largest"}, Left: 1, Units: []string{"scheduler", of, "share_of_jobs"}}
	const points = 400
	var said []string
	for i, x := range dist {
		if x == nil || len(x.Sorted) == 0 {
			continue
		}
		l := PlotLine{Kind: "line", Scheduler: i, Name: d.Title(i), Width: 2}
		for k := range points + 1 {
			v := least * math.Pow(most*1.1/least, float64(k)/points)
			l.X, l.Y = append(l.X, v), append(l.Y, x.Share(v))
			p.Data.Raw = append(p.Data.Raw, []string{d.Title(i), plainNumber(v), plainNumber(x.Share(v))})
		}
		p.Lines = append(p.Lines, l)
		p.Data.Cells = append(p.Data.Cells, []string{d.Title(i), show(x.Mean), show(x.Quantile(.5)), show(x.Quantile(.9)), show(x.Quantile(.99)), show(x.Sorted[len(x.Sorted)-1])})
		said = append(said, d.name(i)+" "+show(x.Quantile(.9)))
	}
	p.Aria = "Distribution of " + of + ". Nine of ten jobs have at most: " + strings.Join(said, ", ") + "."
	p.Say = func(v float64, _, _ int) string {
		var b strings.Builder
		b.WriteString(`<b>up to ` + show(v) + `</b><table class="bl-tip">`)
		for i, x := range dist {
			if x != nil {
				b.WriteString(`<tr><td>` + Mark(i) + Escape(d.Title(i)) + `</td><td>` + words.Percent(x.Share(v)) + `</td></tr>`)
			}
		}
		b.WriteString(`</table>`)
		return b.String()
	}
	return p
}

func anyOf(dist []*Distribution) bool {
	for _, x := range dist {
		if x != nil {
			return true
		}
	}
	return false
}

// bins are the classes of the histogram by measure: their upper ends, the last
// one open.
func bins(of string) (ends []float64, names []string) {
	if of == OfSlowdown {
		ends = []float64{1, 2, 5, 10, 20, 50, 100, 1000}
		names = []string{"1", "≤ 2", "≤ 5", "≤ 10", "≤ 20", "≤ 50", "≤ 100", "≤ 1,000", "> 1,000"}
		return ends, names
	}
	ends = []float64{0, 60, 600, 3600, 4 * 3600, 12 * 3600, 86400, 7 * 86400}
	names = []string{"none", "≤ 1 min", "≤ 10 min", "≤ 1 h", "≤ 4 h", "≤ 12 h", "≤ 1 d", "≤ 7 d", "> 7 d"}
	return ends, names
}

// Histogram draws the share of jobs in each class of a measure as bars, side
// by side.
func (d *Data) Histogram(of string, dist []*Distribution, w, h float64) Drawing {
	out := Drawing{W: w, H: h}
	if !anyOf(dist) {
		out.Empty = d.nothing()
		return out
	}
	ends, names := bins(of)
	type bar struct {
		i     int
		share []float64
	}
	var all []bar
	most := 0.0
	for i, x := range dist {
		if x == nil || len(x.Sorted) == 0 {
			continue
		}
		b := bar{i, make([]float64, len(names))}
		before := 0.0
		for k := range names {
			upTo := 1.0
			if k < len(ends) {
				upTo = x.Share(ends[k])
			}
			b.share[k] = upTo - before
			before = upTo
			most = max(most, b.share[k])
		}
		all = append(all, b)
	}
	most = min(1, math.Ceil(most*10)/10)
	if most == 0 {
		most = .1
	}
	left, right, top, foot := 48.0, 14.0, 12.0, 36.0
	base := h - foot
	var p pen
	for _, t := range LinearTicks(most*100, 4) {
		y := base - t.At/100/most*(base-top)
		colour := "grid"
		if t.At == 0 {
			colour = "line-3"
		}
		p.line(left, crisp(y), w-right, crisp(y), colour)
		label := t.Label
		if t.At+1e-9 >= most*100*.75 && t.At > 0 {
			label += words.NB + "%"
		}
		p.text(left-8, y+4, label, "end", "")
	}
	slot := (w - left - right) / float64(len(names))
	bw := slot * .8 / float64(max(1, len(all)))
	out.Data = Grid{Head: []string{"Class"}, Left: 1, Units: []string{"class"}}
	for _, b := range all {
		out.Data.Head, out.Data.Units = append(out.Data.Head, d.Title(b.i)), append(out.Data.Units, d.Title(b.i)+" share")
	}
	for k, name := range names {
		x := left + slot*float64(k)
		cells, raw := []string{name}, []string{name}
		for q, b := range all {
			high := b.share[k] / most * (base - top)
			bx := x + slot*.1 + float64(q)*bw
			p.WriteString(`<g><title>` + Escape(d.Title(b.i)+", "+name+": "+words.Percent(b.share[k])) + `</title>`)
			more := `rx="1"`
			if b.i == 5 || b.i == 7 {
				more += ` stroke="var(--ink-2)"`
			}
			p.rect(bx, base-high, max(1, bw-1), high, SeriesVar(b.i), more)
			if dc := decal(b.i); dc != "" {
				p.rect(bx, base-high, max(1, bw-1), high, dc, "")
			}
			p.WriteString(`</g>`)
			cells, raw = append(cells, words.Percent(b.share[k])), append(raw, plainNumber(b.share[k]))
		}
		p.text(x+slot/2, base+15, name, "middle", "")
		out.Data.Cells, out.Data.Raw = append(out.Data.Cells, cells), append(out.Data.Raw, raw)
	}
	p.text(left, h-4, "share of jobs by "+of, "", "")
	out.SVG = p.String()
	out.Aria = "Share of jobs by " + of + " in " + words.Int(len(names)) + " classes, for " + words.Count(len(all), "scheduler", "schedulers") + "."
	return out
}
