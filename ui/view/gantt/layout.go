package gantt

import (
	"batchlab/ui/draw"
	"batchlab/ui/scene"
)

// Pane is where one run stands in the Gantt chart.
type Pane struct {
	Jobs, Busy, Waiting draw.Box     // Jobs: those of the processors in view
	Whole               draw.Box     // Jobs with all bands
	Bands               []scene.Lane // closed rows, lowest processors first
}

// Layout is where everything stands in the Gantt chart: the time axis on top,
// up to four panes below it with a strip for busy processors and one for
// waiting jobs, and below them, for each pane but the first, a strip for the
// difference of the first pane's busy processors to its own.
type Layout struct {
	W, H   float64
	Small  bool    // reading mode: no names in the gutter, no right margin
	Axis   float64 // height of the axis
	Panes  []Pane
	Diffs  []draw.Box // of panes 1, 2, …
	Breaks []float64  // hairlines between panes
}

// Plot edges of the Gantt chart in page pixels.
const (
	gutterWide, gutterSmall = 136.0, 44.0
	marginWide, marginSmall = 64.0, 10.0
	axisHeight              = 28.0
	headHeight              = 22.0 // of a pane's name, where there is room for one
	leastPane               = 40.0
	cosyPane                = 84.0
)

// measures of strips: with more than two panes they are lower.
type strips struct{ high, gap, foot, diff float64 }

func stripsOf(panes int) strips {
	if panes > 2 {
		return strips{16, 4, 9, 22}
	}
	return strips{26, 6, 14, 34}
}

// around is the height of everything but the panes' jobs.
func (s strips) around(panes int, head float64) float64 {
	h := axisHeight + 8 + float64(panes)*(head+2*(s.high+s.gap)+s.foot)
	if panes > 1 {
		h += float64(panes-1) * (s.diff + 8 + 2)
	}
	return h
}

// CosyHeight is the height below which panes become hard to read.
func CosyHeight(panes int) float64 {
	return stripsOf(panes).around(panes, headHeight) + float64(panes)*cosyPane
}

// NewLayout lays the chart out in w × h page pixels.
func NewLayout(w, h float64, panes int) Layout {
	l := Layout{W: w, H: h, Small: w < 560, Axis: axisHeight}
	left, right, head := gutterWide, marginWide, headHeight
	if l.Small {
		left, right, head = gutterSmall, marginSmall, 0
	}
	width := max(20, w-left-right)
	q := stripsOf(panes)
	each := max(leastPane, float64(int((h-q.around(panes, head))/float64(panes))))
	y := axisHeight + 8
	for i := range panes {
		y += head
		p := Pane{Jobs: draw.Box{X: left, Y: y, W: width, H: each}}
		p.Whole = p.Jobs
		p.Busy = draw.Box{X: left, Y: y + each + q.gap, W: width, H: q.high}
		p.Waiting = draw.Box{X: left, Y: p.Busy.Bottom() + q.gap, W: width, H: q.high}
		l.Panes = append(l.Panes, p)
		y = p.Waiting.Bottom() + q.foot
		if panes > 1 {
			l.Breaks = append(l.Breaks, y-6)
		}
		if i < panes-1 {
			y += 2
		}
	}
	for i := 1; i < panes; i++ {
		l.Diffs = append(l.Diffs, draw.Box{X: left, Y: y, W: width, H: q.diff})
		y += q.diff + 8
	}
	return l
}

// Bottom is where the lowest box ends.
func (l *Layout) Bottom() float64 {
	if n := len(l.Diffs); n > 0 {
		return l.Diffs[n-1].Bottom()
	}
	return l.Panes[len(l.Panes)-1].Waiting.Bottom()
}
