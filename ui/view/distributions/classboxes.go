package distributions

import (
	"math"
	"math/bits"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Classes of jobs that a measure can be divided by.
const (
	BySize  = "size"  // requested processors
	ByRun   = "run"   // executed time
	ByLimit = "limit" // requested time (walltime)
)

// ClassKinds are the classes of jobs to choose from.
var ClassKinds = []struct{ Key, Name string }{{BySize, "Processors"}, {ByRun, "Run time"}, {ByLimit, "Requested time"}}

// timeEdges are the upper ends of the classes of times in seconds, those of the
// table of classes; the last class is open.
var timeEdges = [...]model.Time{600, 3600, 6 * 3600, 86400}

var timeClasses = [...]string{"≤ 10" + words.NB + "min", "≤ 1" + words.NB + "h", "≤ 6" + words.NB + "h", "≤ 1" + words.NB + "d", "> 1" + words.NB + "d"}

// classOf is the class of a job: 1, 2–4, 5–16, 17–64 … processors, or times up
// to one of timeEdges.
func classOf(by string, procs int32, run, limit model.Time) int {
	if by == BySize {
		return (bits.Len32(uint32(max(1, procs)-1)) + 1) / 2
	}
	t := run
	if by == ByLimit {
		t = limit
	}
	for k, edge := range timeEdges {
		if t <= edge {
			return k
		}
	}
	return len(timeEdges)
}

// className names a class, on a machine of that many processors: no class goes
// beyond it. 0: not known.
func className(by string, k, procs int) string {
	if by != BySize {
		return timeClasses[min(k, len(timeClasses)-1)]
	}
	if k == 0 {
		return "1"
	}
	from, to := int64(1)<<(2*k-2)+1, int64(1)<<(2*k)
	if procs > 0 {
		to = min(to, int64(procs))
	}
	if to <= from {
		return words.Int(from)
	}
	return words.Int(from) + "–" + words.Int(to)
}

// ClassBox is a measure of the jobs of one class in one run.
type ClassBox struct {
	Class          int
	Jobs           int
	Five           [5]float64 // end of the whisker, lower quartile, median, upper quartile, end of the whisker
	Mean, Greatest float64
}

// Boxes divides a distribution by classes of jobs; classes without jobs are left
// out. Quartiles lie between neighbours, whiskers end at the outermost values
// within 1.5 times the box (Tukey).
func (x *Distribution) Boxes(by string, jobs *report.Jobs, c *report.Columns) []ClassBox {
	const most = 17 // of 32-bit numbers of processors
	var from [most + 1]int
	class := func(j int32) int { return classOf(by, jobs.Procs[j], c.End[j]-c.Start[j], jobs.Limit[j]) }
	kinds := make([]uint8, len(x.jobs))
	for i, j := range x.jobs {
		k := class(j)
		kinds[i] = uint8(k)
		from[k+1]++
	}
	for k := range most {
		from[k+1] += from[k]
	}
	values, at := make([]float64, len(x.Sorted)), from
	for i, v := range x.Sorted { // so each class is sorted, too
		k := kinds[i]
		values[at[k]] = v
		at[k]++
	}
	var out []ClassBox
	for k := range most {
		if v := values[from[k]:from[k+1]]; len(v) > 0 {
			b := ClassBox{Class: k, Jobs: len(v), Greatest: v[len(v)-1]}
			for _, y := range v {
				b.Mean += y
			}
			b.Mean /= float64(len(v))
			b.Five = fiveOf(v)
			out = append(out, b)
		}
	}
	return out
}

// fiveOf are the numbers of a box plot of sorted values.
func fiveOf(v []float64) [5]float64 {
	quantile := func(p float64) float64 {
		k := p * float64(len(v)-1)
		i := int(k)
		if i+1 == len(v) {
			return v[i]
		}
		return v[i] + float64((v[i+1]-v[i])*(k-float64(i)))
	}
	q1, q3 := quantile(.25), quantile(.75)
	reach := 1.5 * (q3 - q1)
	low, high := 0, len(v)-1
	for v[low] < q1-reach {
		low++
	}
	for v[high] > q3+reach {
		high--
	}
	return [5]float64{min(v[low], q1), q1, quantile(.5), q3, max(v[high], q3)}
}

// MeasureTitle names a measure of single jobs in a sentence: "bounded slowdown".
func MeasureTitle(of string) string {
	if of == OfSlowdown {
		return "bounded slowdown"
	}
	return of
}

// ByClass shows a measure as box plots by class of jobs; boxes has those of each
// scheduler, nil where there are none yet. A dot stands at the greatest value
// where it lies beyond the whisker.
func ByClass(d *draw.Data, of, by string, boxes [][]ClassBox, w, h float64) draw.Figure {
	f := draw.Figure{W: w, H: h}
	first, last, most, shown := math.MaxInt, -1, 0.0, 0
	for _, list := range boxes {
		for _, b := range list {
			first, last, most = min(first, b.Class), max(last, b.Class), max(most, b.Greatest)
		}
		if len(list) > 0 {
			shown++
		}
	}
	if last < 0 {
		f.Empty = d.Nothing()
		return f
	}
	kind := ClassKinds[0]
	for _, k := range ClassKinds {
		if k.Key == by {
			kind = k
		}
	}
	what := "processors"
	switch by {
	case ByRun:
		what = "run time"
	case ByLimit:
		what = "requested time"
	}
	least, show, _, _ := scaleOf(of, most)
	most = max(most, 10*least)
	_, _, ticks, _ := scaleOf(of, most)
	foot := what + " → · " + MeasureTitle(of) + " ↑, log scale"
	if of != OfSlowdown && w > 460 {
		foot += " · lower edge: under 30" + words.NB + "s"
	}
	procs := 0
	for _, runs := range d.Runs {
		for _, r := range runs {
			procs = max(procs, r.Processors)
		}
	}
	names := make([]string, last-first+1)
	for k := range names {
		names[k] = className(by, first+k, procs)
	}
	p := draw.Panel{
		Box: draw.Box{X: 62, Y: 12, W: max(10, w-78), H: max(10, h-54)},
		X:   draw.Axis{Names: names, Unit: what},
		Y:   draw.Axis{Min: least, Max: most * 1.25, Log: true, Ticks: ticks, Unit: of},
	}
	p.ThinY()
	f.Panels = []draw.Panel{p}
	f.Text(p.Box.X, h-10, draw.Clip(foot, w-p.Box.X-4), 'l', draw.ToneAxis)
	unit := of
	if of != OfSlowdown {
		unit += "_s"
	}
	f.Table = draw.Grid{
		Head:  []string{"Scheduler", kind.Name, "Jobs", "Median", "Middle half of the jobs", "Mean", "Greatest"},
		Left:  2,
		Units: []string{"scheduler", by, "jobs", "whisker_low_" + unit, "q1_" + unit, "median_" + unit, "q3_" + unit, "whisker_high_" + unit, "mean_" + unit, "greatest_" + unit},
	}
	width, shift := draw.Slots(p.Box.W/float64(len(names)), shown)
	k, worst, where := 0, -1.0, ""
	for i, list := range boxes {
		if len(list) == 0 {
			continue
		}
		box := draw.Layer{Shape: draw.Boxes, Series: i, Name: d.Title(i), Width: width, Shift: shift(k)}
		dots := draw.Layer{Shape: draw.Dots, Series: i, Name: d.Title(i), Size: 4, Shift: shift(k), Unlisted: true}
		k++
		for _, b := range list {
			at, name, five := float64(b.Class-first), names[b.Class-first], b.Five
			raw := []string{d.Title(i), name, draw.Itoa(b.Jobs)}
			for q, v := range five {
				raw = append(raw, draw.PlainNumber(v))
				five[q] = max(v, least)
			}
			box.X, box.Fives = append(box.X, at), append(box.Fives, five)
			if b.Greatest > b.Five[4] && b.Greatest > least {
				dots.X, dots.Y = append(dots.X, at), append(dots.Y, b.Greatest)
			}
			f.Table.Cells = append(f.Table.Cells, []string{d.Title(i), name, words.Int(b.Jobs), show(b.Five[2]), show(b.Five[1]) + " – " + show(b.Five[3]), show(b.Mean), show(b.Greatest)})
			f.Table.Raw = append(f.Table.Raw, append(raw, draw.PlainNumber(b.Mean), draw.PlainNumber(b.Greatest)))
			if b.Five[2] > worst {
				worst, where = b.Five[2], d.Title(i)+", "+what+" "+name
			}
		}
		f.Layers = append(f.Layers, box, dots)
		f.Keys = append(f.Keys, d.Key(i))
	}
	f.Say = func(x float64, _, _ int) draw.Markup {
		class := first + int(x)
		t := draw.Tip{Head: [2]string{"median", "half of the jobs"}}
		jobs := 0
		for i, list := range boxes {
			for _, b := range list {
				if b.Class == class {
					t.Row(draw.HTML(`{}{}`, draw.Mark(i), d.Title(i)), show(b.Five[2]), show(b.Five[1])+" – "+show(b.Five[3]))
					jobs = max(jobs, b.Jobs)
				}
			}
		}
		return t.HTML(what + " " + names[class-first] + ": " + words.Count(jobs, "job", "jobs"))
	}
	f.Aria = "Box plots of " + MeasureTitle(of) + " by " + what + " in " + words.Count(len(names), "class", "classes") + ", for " +
		words.Count(shown, "scheduler", "schedulers") + ". Greatest median: " + show(worst) + " (" + where + ")."
	return f
}
