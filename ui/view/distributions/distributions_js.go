//go:build js

package distributions

import (
	"batchlab/core/report"
	"batchlab/ui/draw"
)

func init() { Room.Islands = map[string]draw.Maker{"dist": newDist} }

// newDist makes the tab of distributions: curves, classes of values, box plots
// by class of jobs, and the same as tables.
func newDist(h *draw.Host) draw.Island {
	s := &draw.Stack{Host: h}
	of := OfWait
	type key struct {
		run *report.Run
		of  string
	}
	kept := map[key]*Distribution{}
	made := false // in this frame
	dist := func(d *draw.Data) []*Distribution {
		live := map[key]*Distribution{}
		out := make([]*Distribution, len(d.Shown))
		for i, r := range d.Shown {
			if r == nil || d.Jobs == nil || len(r.Columns.Start) != len(d.Jobs.Submit) {
				continue
			}
			k := key{r, of}
			if out[i] = kept[k]; out[i] == nil {
				if made { // sorting takes a moment with many jobs: one a frame
					h.Again()
					continue
				}
				made = true
				out[i] = Distribute(of, d.Jobs, &r.Columns, d.Tau)
			}
			live[k] = out[i]
		}
		kept = live
		return out
	}
	upper := draw.Build(h.Root, `<div class="bl-pair" data-part="upper"></div>`)("upper")
	var press func(string)
	curves := draw.NewFigure(s.Part(upper, ""), "distribution", "Distribution", func(d *draw.Data, w, hh float64) draw.Figure {
		press(of)
		made = false
		return Distributions(d, of, dist(d), w, hh)
	})
	curves.Sub.Set("textContent", "share of jobs up to a value")
	press = h.Scope.Segments(curves.Extra, "Measure", []string{OfWait, OfSlowdown, OfTurnaround}, []string{"Wait", "Slowdown", "Turnaround"}, func(k string) {
		of = k
		h.Again()
	})
	bars := draw.NewFigure(s.Part(upper, ""), "histogram", "How many jobs", func(d *draw.Data, w, hh float64) draw.Figure { return Histogram(d, of, dist(d), w, hh) })
	bars.Sub.Set("textContent", "share of jobs in each class")
	by := BySize
	type boxKey struct {
		*Distribution
		by string
	}
	boxes := map[boxKey][]ClassBox{}
	var pressBy func(string)
	var boxed *draw.FigureCard
	boxed = draw.NewFigure(s.Part(h.Root, "bl-boxes"), "by-class", "By class of jobs", func(d *draw.Data, w, hh float64) draw.Figure {
		pressBy(by)
		boxed.Sub.Set("textContent", MeasureTitle(of)+", as chosen above · a box holds half of the jobs, a dot is the greatest")
		live := map[boxKey][]ClassBox{}
		list := make([][]ClassBox, len(d.Shown))
		for i, x := range dist(d) {
			if x == nil {
				continue
			}
			k := boxKey{x, by}
			if known, ok := boxes[k]; ok {
				live[k] = known
			} else if made { // as above: one a frame
				h.Again()
				continue
			} else {
				made = true
				live[k] = x.Boxes(by, d.Jobs, &d.Shown[i].Columns)
			}
			list[i] = live[k]
		}
		boxes = live
		return ByClass(d, of, by, list, w, hh)
	})
	var keys, names []string
	for _, k := range ClassKinds {
		keys, names = append(keys, k.Key), append(names, k.Name)
	}
	pressBy = h.Scope.Segments(boxed.Extra, "Classes by", keys, names, func(k string) {
		by = k
		h.Again()
	})
	figures := draw.NewGridCard(s.Part(h.Root, "bl-auto"), "figures", "In figures", func(d *draw.Data) draw.Grid {
		return Distributions(d, of, dist(d), 600, 300).Table
	})
	classes := draw.NewGridCard(s.Part(h.Root, "bl-auto"), "classes", "By size of job", func(d *draw.Data) draw.Grid { return ClassGrid(d) })
	classes.Sub.Set("textContent", "mean wait in h:min and mean bounded slowdown, all repeats")
	s.Parts = []draw.Island{curves, bars, boxed, figures, classes}
	return s
}
