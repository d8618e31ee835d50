package gantt

import (
	"math"

	"batchlab/core/model"
)

// JobAt finds the job that stands at a point of the page, and in which pane: the
// one whose rectangle holds the point, else one within a pixel of it beside; −1
// none. It asks the schedule for the span on show, not the picture, which may lag
// behind while the reader moves.
func (g *Gantt) JobAt(x, y float64) (job, pane int) {
	for i := range g.Panes {
		p, b := &g.Panes[i], g.Layout.Panes[i].Jobs
		if p.Index == nil || !b.Inside(x, y) {
			continue
		}
		f := g.frame(i)
		processor := f.Processor(y)
		for _, beside := range [...]float64{0, 1, -1} {
			at := float64(g.From) + (x+beside-b.X)/b.W*float64(g.To-g.From)
			from := model.Time(math.Floor(at))
			lo, hi := p.Index.Range(from, from+1)
			for k := hi - 1; k >= lo; k-- { // the one that started last, of any that meet there
				if r := &p.Index.All[k]; float64(r.Start) <= at && at < float64(r.End) && r.First <= processor && processor < r.First+r.Count {
					job, _ := p.Index.Job(int(r.Job))
					return job, i
				}
			}
		}
	}
	return -1, 0
}
