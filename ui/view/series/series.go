package series

import (
	"math"
	"strings"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/ui/draw"
	"batchlab/ui/words"
)

// Series plots busy processors and waiting jobs of all shown runs over
// [from, to], reduced to what w pixels can show: step lines of at most four
// points a pixel column; where those would fill the plot, means, with the band
// from the least to the greatest value of A.
func Series(d *draw.Data, from, to model.Time, steps map[*report.Run][2]*draw.Steps, w, h float64) draw.Figure {
	var f draw.Figure
	var keys []draw.Key
	most, procs := 1.0, 1
	type curve struct {
		i  int
		of [2]*draw.Steps // busy, waiting
	}
	var curves []curve
	for i, r := range d.Shown {
		if r == nil || steps[r][0] == nil {
			continue
		}
		curves = append(curves, curve{i, steps[r]})
		keys = append(keys, d.Key(i))
		most = max(most, float64(steps[r][1].Max(from, to)))
		procs = max(procs, r.Processors)
	}
	if len(curves) == 0 || to <= from {
		return draw.Figure{W: w, H: h, Empty: d.Nothing()}
	}
	f = draw.Usage(d, from, to, float64(procs), most, w, h)
	f.Keys, f.Zoom = keys, true
	columns := int(max(50, f.Panels[0].Box.W))
	for g := range f.Panels {
		lines, way := make([]draw.Layer, len(curves)), 0.0 // of the line that goes up and down most, in page pixels
		for k, c := range curves {
			l := draw.Layer{Shape: draw.Line, Panel: g, Series: c.i, Name: d.Title(c.i), Width: 1.4, Steps: true, Area: c.i == d.A}
			l.X, l.Y = c.of[g].M4(from, to, columns)
			sum := 0.0
			for i := 1; i < len(l.Y); i++ {
				sum += math.Abs(l.Y[i] - l.Y[i-1])
			}
			way = max(way, sum/f.Panels[g].Y.Max*f.Panels[g].Box.H)
			lines[k] = l
		}
		if way > 12*float64(columns) {
			// Lines that fill the plot from top to bottom say nothing.
			n := columns / 4
			f.Note = "means of " + words.Dur(float64(to-from)/float64(n)) + " each; the band spans the smallest to the largest value of " + words.Letter(d.A)
			for k, c := range curves {
				l := &lines[k]
				if c.i == d.A {
					band := draw.Layer{Shape: draw.Band, Panel: g, Series: c.i, Name: l.Name}
					band.X, band.Low, band.High = bandOf(l.X, l.Y, float64(from), float64(to), columns)
					f.Layers = append(f.Layers, band)
				}
				l.Area = false
				l.X, l.Y = c.of[g].Means(from, to, n)
			}
		}
		f.Layers = append(f.Layers, lines...)
	}
	f.Say = func(x float64, _, _ int) draw.Markup {
		t := draw.Tip{Head: [2]string{"busy", "waiting"}}
		for _, c := range curves {
			t.Row(draw.HTML(`{}{}`, draw.Mark(c.i), d.Title(c.i)), words.Int(c.of[0].Value(model.Time(x))), words.Int(c.of[1].Value(model.Time(x))))
		}
		return t.HTML(d.Clock.When(model.Time(x)))
	}
	f.Table = draw.Grid{Head: []string{"Scheduler", "Mean busy", "Most waiting", "Mean waiting"}, Left: 1}
	var said []string
	for _, c := range curves {
		busy := words.Percent(c.of[0].Mean(float64(from), float64(to)) / float64(procs))
		q := words.Int(c.of[1].Max(from, to))
		f.Table.Cells = append(f.Table.Cells, []string{d.Title(c.i), busy, q, words.Plain(c.of[1].Mean(float64(from), float64(to)))})
		said = append(said, d.Name(c.i)+" "+busy+" busy, at most "+q+" waiting")
	}
	f.Aria = "From " + d.Clock.When(from) + " to " + d.Clock.When(to) + ": " + strings.Join(said, "; ") + "."
	return f
}

// bandOf returns what a step line covers: its least and greatest value in each
// of n columns of [from, to], the value that it comes with included, at the
// columns' edges.
func bandOf(x, y []float64, from, to float64, n int) (at, low, high []float64) {
	if len(x) == 0 || to <= from {
		return nil, nil, nil
	}
	wide := (to - from) / float64(n)
	add := func(a, b, lo, hi float64) {
		at, low, high = append(at, a, b), append(low, lo, lo), append(high, hi, hi)
	}
	value, done := y[0], 0
	for i := 0; i < len(x); {
		c := min(n-1, max(done, int((x[i]-from)/wide)))
		if c > done {
			add(from+float64(done)*wide, from+float64(c)*wide, value, value)
		}
		lo, hi := value, value
		for ; i < len(x) && int((x[i]-from)/wide) <= c || i < len(x) && c == n-1; i++ {
			value = y[i]
			lo, hi = min(lo, value), max(hi, value)
		}
		add(from+float64(c)*wide, from+float64(c+1)*wide, lo, hi)
		done = c + 1
	}
	if done < n {
		add(from+float64(done)*wide, to, value, value)
	}
	return at, low, high
}
