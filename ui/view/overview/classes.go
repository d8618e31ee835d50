package overview

import (
	"math"
	"slices"
	"strconv"

	"batchlab/core/model"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// few is the number of jobs below which a class says nothing.
const few = 4

// ClassesTitle names the heat map: the difference of two runs, or one run.
func ClassesTitle(d *draw.Data) (title, sub string) {
	if o := d.Other(); o >= 0 {
		return "Who gains, who pays", "mean wait, " + words.Letter(d.A) + " minus " + words.Letter(o)
	}
	return "Who waits", "mean wait by size of job"
}

// Classes draws mean waits by processors and requested time: how much more or
// less jobs of a class wait in A than in the other run.
func Classes(d *draw.Data, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	o := d.Other()
	if d.A < 0 || d.A >= len(d.Runs) || len(d.Runs[d.A]) == 0 || o >= 0 && len(d.Runs[o]) == 0 {
		f.Empty = d.Nothing()
		if o >= 0 && d.A >= 0 && d.A < len(d.Runs) && (len(d.Runs[d.A]) > 0 || len(d.Runs[o]) > 0) {
			f.Empty = "Both " + d.Title(d.A) + " and " + d.Title(o) + " must have finished to be compared."
		}
		return f
	}
	a := draw.ClassSums(d.Runs[d.A])
	var b map[draw.ClassKey]*draw.ClassSum
	if o >= 0 {
		b = draw.ClassSums(d.Runs[o])
	}
	var procs []int32
	var limits []model.Time
	value := func(k draw.ClassKey) (v float64, jobs int, ok bool) {
		x := a[k]
		if x == nil || x.Jobs == 0 {
			return 0, 0, false
		}
		v = x.Wait / float64(x.Jobs)
		if o >= 0 {
			y := b[k]
			if y == nil || y.Jobs == 0 {
				return 0, 0, false
			}
			v -= y.Wait / float64(y.Jobs)
		}
		return v, x.Jobs, x.Jobs >= few
	}
	most := 60.0
	for k := range a {
		procs, limits = append(procs, k.Procs), append(limits, k.Limit)
		if v, _, ok := value(k); ok {
			most = max(most, math.Abs(v))
		}
	}
	slices.Sort(procs)
	slices.Sort(limits)
	procs, limits = slices.Compact(procs), slices.Compact(limits)
	if len(procs) == 0 {
		f.Empty = "There are no jobs to divide into classes."
		return f
	}
	names := map[int32]string{} // of classes of processors
	longest := 0
	for _, c := range a {
		name := words.Int(c.ProcsFrom)
		if c.ProcsTo > c.ProcsFrom {
			name += "–" + words.Int(c.ProcsTo)
		}
		if c.ProcsTo == math.MaxInt32 {
			name = "≥ " + words.Int(c.ProcsFrom)
		}
		names[c.ProcsFrom] = name
		longest = max(longest, len([]rune(name)))
	}
	limitName := func(l model.Time) string {
		for _, c := range a {
			if c.LimitFrom == l {
				if c.LimitTo >= model.Never {
					return "> " + words.Dur(float64(c.LimitFrom))
				}
				return "≤ " + words.Dur(float64(c.LimitTo))
			}
		}
		return ""
	}
	f.Table = draw.Grid{Head: []string{"Processors", "Requested time", "Jobs", "Mean wait"}, Left: 2, Units: []string{"processors", "requested_time", "jobs", "mean_wait_s"}}
	if o >= 0 {
		f.Table.Head[3], f.Table.Units[3] = "Mean wait, "+words.Letter(d.A)+" − "+words.Letter(o), "mean_wait_difference_s"
	}
	left, top, foot, right := max(62, 6.6*float64(longest)+18), 8.0, 36.0, 14.0
	p := draw.Panel{Box: draw.Box{X: left, Y: top, W: w - left - right, H: h - top - foot}, Hold: true}
	for _, l := range limits {
		p.X.Names = append(p.X.Names, limitName(l))
	}
	for _, q := range procs {
		p.Y.Names = append(p.Y.Names, names[q])
	}
	cells := draw.Layer{Shape: draw.Cells, Series: -1}
	var says []string // of cells
	gain, pay := 0, 0
	for i, q := range slices.Backward(procs) {
		for j, l := range limits {
			v, jobs, ok := value(draw.ClassKey{Procs: q, Limit: l})
			c, label := d.Theme.Tide(math.Sqrt(v/most)), words.Dur(v)
			switch {
			case !ok && jobs > 0:
				c, label = d.Theme.Sunken, "few"
			case !ok:
				c, label = d.Theme.Sunken, "none"
			case o >= 0:
				c, label = d.Theme.Diverging(draw.Root(v/most)), cellDuration(v)
				gain, pay = gain+one(v < 0), pay+one(v > 0)
			}
			cells.X, cells.Y, cells.Low = append(cells.X, float64(j)), append(cells.Y, float64(i)), append(cells.Low, v)
			cells.Colors, cells.Words = append(cells.Colors, c), append(cells.Words, label)
			says = append(says, names[q]+" processors, requested "+p.X.Names[j]+": "+words.Count(jobs, "job", "jobs"))
			if ok {
				f.Table.Cells = append(f.Table.Cells, []string{names[q], p.X.Names[j], words.Int(jobs), label})
				f.Table.Raw = append(f.Table.Raw, []string{names[q], p.X.Names[j], strconv.Itoa(jobs), draw.PlainNumber(v)})
			}
		}
	}
	f.Panels, f.Layers = []draw.Panel{p}, []draw.Layer{cells}
	f.Say = func(_ float64, layer, item int) draw.Markup {
		if layer != 0 {
			return ""
		}
		return draw.HTML(`<b>{}</b>{}`, cells.Words[item], says[item])
	}
	f.Text(left, h-10, "requested time → · processors ↑", 'l', draw.ToneAxis)
	f.Aria = "Mean wait of " + d.Title(d.A) + " by processors and requested time, at most " + words.Dur(most) + "."
	if o >= 0 {
		f.Aria = "Mean wait by size of job, " + d.Title(d.A) + " minus " + d.Title(o) + ": shorter in " + words.Count(gain, "class", "classes") + ", longer in " + words.Count(pay, "class", "classes") + "."
	}
	if o >= 0 && w > 420 {
		f.Scale(draw.Box{X: w - right - 106, Y: h - 13, W: 60, H: 7}, func(v float64) draw.Color { return d.Theme.Diverging(2*v - 1) }, words.Letter(d.A)+" shorter", "longer")
	}
	return f
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// cellDuration writes a difference so that it fits a cell: minutes below an
// hour, hours and days with a decimal above.
func cellDuration(v float64) string {
	a := math.Abs(v)
	var s string
	switch {
	case a < .5:
		return "0" + words.NB + "s"
	case a < 60:
		s = words.Number(a, 0) + words.NB + "s"
	case a < 3570:
		s = words.Number(a/60, 0) + words.NB + "min"
	case a < 47.5*3600:
		s = words.Number(a/3600, 1) + words.NB + "h"
	default:
		s = words.Number(a/86400, 1) + words.NB + "d"
	}
	if v < 0 {
		return words.Minus + s
	}
	return "+" + s
}
