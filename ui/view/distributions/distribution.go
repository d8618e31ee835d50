package distributions

import (
	"math"
	"slices"
	"strings"

	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

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
	jobs   []int32 // whose values they are
}

// Distribute sorts a measure of the jobs that ran. Where there are reservations it is of
// batch jobs, as all measures of waits are.
func Distribute(of string, jobs *report.Jobs, c *report.Columns, tau int64) *Distribution {
	values, ran := make([]float64, 0, len(c.Start)), make([]int32, 0, len(c.Start))
	submit, reserved := c.Submitted(jobs), jobs.Reserved // in order of jobs
	for j := range c.Start {
		if len(reserved) > 0 && int(reserved[0].Job) == j {
			reserved = reserved[1:]
			continue
		}
		if c.Start[j] < submit[j] {
			continue
		}
		v := float64(c.Start[j] - submit[j])
		run := float64(c.End[j] - c.Start[j])
		switch of {
		case OfTurnaround:
			v += run
		case OfSlowdown:
			v = max(1, (v+run)/max(run, float64(tau), 1))
		}
		values, ran = append(values, v), append(ran, int32(j))
	}
	keys := make([]uint64, len(values))
	for i, v := range values {
		keys[i] = draw.FloatKey(v)
	}
	d := &Distribution{Sorted: make([]float64, len(values)), Mean: math.NaN(), jobs: make([]int32, len(values))}
	sum := 0.0
	for i, o := range draw.SortedBy(keys) {
		d.Sorted[i], d.jobs[i] = values[o], ran[o]
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
func scaleOf(of string, most float64) (least float64, show func(float64) string, ticks []draw.Tick, name string) {
	if of == OfSlowdown {
		for v := 1.0; v <= most*1.2; v *= 10 {
			ticks = append(ticks, draw.Tick{At: v, Label: words.Int(int64(v))})
		}
		return 1, words.Plain, ticks, "bounded slowdown, log scale"
	}
	return draw.LeastWait, words.Dur, draw.LogDurationTicks(draw.LeastWait, most*1.2), of + ", log scale · left edge: under 30 s"
}

// Distributions plots distribution functions of a measure; dist has one of each
// scheduler, nil where there is none.
func Distributions(d *draw.Data, of string, dist []*Distribution, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	if !anyOf(dist) {
		f.Empty = d.Nothing()
		return f
	}
	most := 3600.0
	if of == OfSlowdown {
		most = 10
	}
	for _, x := range dist {
		if x != nil && len(x.Sorted) > 0 {
			most = max(most, x.Sorted[len(x.Sorted)-1])
		}
	}
	least, show, ticks, name := scaleOf(of, most)
	p := draw.Panel{Box: draw.Box{X: 48, Y: 12, W: max(10, w-64), H: h - 54}, X: draw.Axis{Min: least, Max: most * 1.1, Log: true, Ticks: ticks, Unit: of}, Y: draw.Axis{Max: 1, Ticks: shareTicks(), Unit: "share_of_jobs"}}
	if of != OfSlowdown {
		p.X.Unit += "_s"
	}
	p.Thin(33, w)
	f.Panels = []draw.Panel{p}
	f.Text(p.Box.X, h-13, name, 'l', draw.ToneAxis)
	f.Table = draw.Grid{Head: []string{"Scheduler", "Mean", "Median", "9 of 10", "99 of 100", "Largest"}, Left: 1}
	const points = 400
	var said []string
	for i, x := range dist {
		if x == nil || len(x.Sorted) == 0 {
			continue
		}
		l := draw.Layer{Shape: draw.Line, Series: i, Name: d.Title(i), Width: 2}
		for k := range points + 1 {
			v := least * math.Pow(most*1.1/least, float64(k)/points)
			l.X, l.Y = append(l.X, v), append(l.Y, x.Share(v))
		}
		f.Layers = append(f.Layers, l)
		f.Keys = append(f.Keys, d.Key(i))
		f.Table.Cells = append(f.Table.Cells, []string{d.Title(i), show(x.Mean), show(x.Quantile(.5)), show(x.Quantile(.9)), show(x.Quantile(.99)), show(x.Sorted[len(x.Sorted)-1])})
		said = append(said, d.Name(i)+" "+show(x.Quantile(.9)))
	}
	slices.Reverse(f.Layers) // the first scheduler in front
	f.Aria = "Distribution of " + of + ". Nine of ten jobs have at most: " + strings.Join(said, ", ") + "."
	f.Say = func(v float64, _, _ int) draw.Markup {
		var t draw.Tip
		for i, x := range dist {
			if x != nil {
				t.Row(draw.HTML(`{}{}`, draw.Mark(i), d.Title(i)), words.Percent(x.Share(v)))
			}
		}
		return t.HTML("up to " + show(v))
	}
	return f
}

// shareTicks are quarters as per cent.
func shareTicks() []draw.Tick {
	return []draw.Tick{{At: 0, Label: "0"}, {At: .25, Label: "25"}, {At: .5, Label: "50"}, {At: .75, Label: "75"}, {At: 1, Label: "100" + words.NB + "%"}}
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

// shorter takes from the name of a class what a narrow axis has no room for.
var shorter = strings.NewReplacer("≤ ", "", " min", "m", " h", "h", " d", "d")

// Histogram shows the share of jobs in each class of a measure as bars, side by
// side.
func Histogram(d *draw.Data, of string, dist []*Distribution, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	if !anyOf(dist) {
		f.Empty = d.Nothing()
		return f
	}
	ends, names := bins(of)
	most := 0.0
	var all []draw.Layer
	f.Table = draw.Grid{Head: []string{"Class"}, Left: 1, Units: []string{"class"}}
	for i, x := range dist {
		if x == nil || len(x.Sorted) == 0 {
			continue
		}
		l := draw.Layer{Shape: draw.Columns, Series: i, Name: d.Title(i), Y: make([]float64, len(names))}
		before := 0.0
		for k := range names {
			upTo := 1.0
			if k < len(ends) {
				upTo = x.Share(ends[k])
			}
			l.Y[k] = upTo - before
			before = upTo
			most = max(most, l.Y[k])
		}
		all = append(all, l)
		f.Keys = append(f.Keys, d.Key(i))
		f.Table.Head, f.Table.Units = append(f.Table.Head, l.Name), append(f.Table.Units, l.Name+" share")
	}
	f.Layers = all
	most = max(.1, min(1, math.Ceil(most*10)/10))
	ticks := draw.LinearTicks(most*100, 4)
	for i := range ticks {
		ticks[i].At /= 100
	}
	ticks[len(ticks)-1].Label += words.NB + "%"
	box := draw.Box{X: 48, Y: 12, W: max(10, w-62), H: h - 48}
	caption, short := "share of jobs by "+of, names
	if box.W < 52*float64(len(names)) { // "≤ 10 min" beside each other would touch
		short = make([]string, len(names))
		for i, name := range names {
			short[i] = shorter.Replace(name)
		}
		caption += ", each class up to"
	}
	f.Panels = []draw.Panel{{Box: box, X: draw.Axis{Names: short}, Y: draw.Axis{Max: most, Ticks: ticks}}}
	f.Text(48, h-8, caption, 'l', draw.ToneAxis)
	for k, name := range names {
		cells, raw := []string{name}, []string{name}
		for _, l := range all {
			cells, raw = append(cells, words.Percent(l.Y[k])), append(raw, draw.PlainNumber(l.Y[k]))
		}
		f.Table.Cells, f.Table.Raw = append(f.Table.Cells, cells), append(f.Table.Raw, raw)
	}
	f.Aria = "Share of jobs by " + of + " in " + words.Int(len(names)) + " classes, for " + words.Count(len(all), "scheduler", "schedulers") + "."
	f.Say = func(k float64, _, _ int) draw.Markup {
		var t draw.Tip
		for _, l := range all {
			t.Row(draw.HTML(`{}{}`, draw.Mark(l.Series), l.Name), words.Percent(l.Y[int(k)]))
		}
		return t.HTML(names[int(k)])
	}
	return f
}
