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
func Classes(d *draw.Data, w, h float64) draw.Drawing {
	out := draw.Drawing{W: w, H: h}
	o := d.Other()
	if d.A < 0 || d.A >= len(d.Runs) || len(d.Runs[d.A]) == 0 || o >= 0 && len(d.Runs[o]) == 0 {
		out.Empty = d.Nothing()
		if o >= 0 && d.A >= 0 && d.A < len(d.Runs) && (len(d.Runs[d.A]) > 0 || len(d.Runs[o]) > 0) {
			out.Empty = "Both " + d.Title(d.A) + " and " + d.Title(o) + " must have finished to be compared."
		}
		return out
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
		out.Empty = "There are no jobs to divide into classes."
		return out
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
	left, top, foot, right := max(62, 6.6*float64(longest)+18), 8.0, 36.0, 14.0
	cw, ch := (w-left-right)/float64(len(limits)), (h-top-foot)/float64(len(procs))
	var p draw.Pen
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
	out.Data = draw.Grid{Head: []string{"Processors", "Requested time", "Jobs", "Mean wait"}, Left: 2, Units: []string{"processors", "requested_time", "jobs", "mean_wait_s"}}
	if o >= 0 {
		out.Data.Head[3], out.Data.Units[3] = "Mean wait, "+words.Letter(d.A)+" − "+words.Letter(o), "mean_wait_difference_s"
	}
	gain, pay := 0, 0
	for i, q := range slices.Backward(procs) {
		row := len(procs) - 1 - i
		name := names[q]
		yy := top + float64(row)*ch
		p.Text(left-8, yy+ch/2+4, name, "end", "")
		for j, l := range limits {
			v, jobs, ok := value(draw.ClassKey{Procs: q, Limit: l})
			xx := left + float64(j)*cw
			if !ok {
				p.Rect(xx+1, yy+1, cw-2, ch-2, "var(--sunken)", `rx="2"`)
				label := "none"
				if jobs > 0 {
					label = "few"
				}
				p.Text(xx+cw/2, yy+ch/2+4, label, "middle", "")
				continue
			}
			c := d.Theme.Tide(math.Sqrt(v / most))
			label := words.Dur(v)
			if o >= 0 {
				c = d.Theme.Diverging(draw.Root(v / most))
				label = cellDuration(v)
				switch {
				case v < 0:
					gain++
				case v > 0:
					pay++
				}
			}
			ink := "on0"
			if draw.Ink(c) != 0 {
				ink = "on1"
			}
			p.Put(`<g><title>{}</title>`, name+" processors, requested "+limitName(l)+": "+words.Count(jobs, "job", "jobs"))
			p.Rect(xx+1, yy+1, cw-2, ch-2, c.Hex(), `rx="2"`)
			p.Text(xx+cw/2, yy+ch/2+4, label, "middle", ink)
			p.Add(`</g>`)
			out.Data.Cells = append(out.Data.Cells, []string{name, limitName(l), words.Int(jobs), label})
			out.Data.Raw = append(out.Data.Raw, []string{name, limitName(l), strconv.Itoa(jobs), draw.PlainNumber(v)})
		}
	}
	for j, l := range limits {
		p.Text(left+(float64(j)+.5)*cw, h-foot+15, limitName(l), "middle", "")
	}
	p.Text(left, h-6, "requested time → · processors ↑", "", "")
	if o >= 0 && w > 420 {
		gx := w - right - 150
		for i := range 24 {
			p.Rect(gx+44+float64(i)*2.5, h-13, 2.7, 7, d.Theme.Diverging(float64(i)/11.5-1).Hex(), "")
		}
		p.Text(gx+38, h-6, words.Letter(d.A)+" shorter", "end", "")
		p.Text(gx+110, h-6, "longer", "", "")
		out.Aria = "Mean wait by size of job, " + d.Title(d.A) + " minus " + d.Title(o) + ": shorter in " + words.Count(gain, "class", "classes") + ", longer in " + words.Count(pay, "class", "classes") + "."
	} else {
		out.Aria = "Mean wait of " + d.Title(d.A) + " by processors and requested time, at most " + words.Dur(most) + "."
	}
	if o >= 0 && out.Aria == "" {
		out.Aria = "Mean wait by size of job, " + d.Title(d.A) + " minus " + d.Title(o) + "."
	}
	out.SVG = p.Markup()
	return out
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
