package chart

// Box is a rectangle in page pixels.
type Box struct{ X, Y, W, H float64 }

// Inside says whether a point lies in the box.
func (b Box) Inside(x, y float64) bool {
	return x >= b.X && x < b.X+b.W && y >= b.Y && y < b.Y+b.H
}

// Right and Bottom are the far edges.
func (b Box) Right() float64  { return b.X + b.W }
func (b Box) Bottom() float64 { return b.Y + b.H }

// Pane is where one run stands in the Gantt chart.
type Pane struct {
	Jobs, Busy, Waiting Box
}

// Layout is where everything stands in the Gantt chart: the time axis on top,
// panes below it with a strip for busy processors and one for waiting jobs,
// and with two panes a strip for the difference of their busy processors.
type Layout struct {
	W, H   float64
	Small  bool    // reading mode: no names in the gutter, no right margin
	Axis   float64 // height of the axis
	Panes  []Pane
	Diff   Box       // height 0 with one pane
	Breaks []float64 // hairlines between panes
}

// Plot edges of the Gantt chart in page pixels.
const (
	gutterWide, gutterSmall = 136.0, 44.0
	marginWide, marginSmall = 64.0, 10.0
	axisHeight              = 28.0
	stripHeight, stripGap   = 26.0, 6.0
	diffHeight              = 34.0
)

// NewLayout lays the chart out in w × h page pixels.
func NewLayout(w, h float64, panes int) Layout {
	l := Layout{W: w, H: h, Small: w < 560, Axis: axisHeight}
	left, right := gutterWide, marginWide
	if l.Small {
		left, right = gutterSmall, marginSmall
	}
	width := max(20, w-left-right)
	rest := h - axisHeight - 8 - float64(panes)*(2*(stripHeight+stripGap)+14)
	if panes > 1 {
		rest -= diffHeight + 8 + float64(panes-1)*2
	}
	each := max(40, float64(int(rest/float64(panes))))
	y := axisHeight + 8
	for i := range panes {
		p := Pane{Jobs: Box{left, y, width, each}}
		p.Busy = Box{left, y + each + stripGap, width, stripHeight}
		p.Waiting = Box{left, p.Busy.Bottom() + stripGap, width, stripHeight}
		l.Panes = append(l.Panes, p)
		y = p.Waiting.Bottom() + 14
		if i < panes-1 || panes > 1 {
			l.Breaks = append(l.Breaks, y-6)
		}
		if i < panes-1 {
			y += 2
		}
	}
	if panes > 1 {
		l.Diff = Box{left, y, width, diffHeight}
	}
	return l
}

// Bottom is where the lowest box ends.
func (l *Layout) Bottom() float64 {
	if l.Diff.H > 0 {
		return l.Diff.Bottom()
	}
	return l.Panes[len(l.Panes)-1].Waiting.Bottom()
}

// BesideBox places a card of w × h beside a box, within bounds: to its right,
// to its left, below or above, the first of these where it covers nothing of
// the box; where none has room, in the corner of bounds that covers least.
func BesideBox(box, bounds Box, w, h float64) (x, y float64) {
	yy := min(max(bounds.Y, box.Y+box.H/2-70), bounds.Bottom()-h)
	xx := min(max(bounds.X, box.X+box.W/2-w/2), bounds.Right()-w)
	switch {
	case box.Right()+14+w <= bounds.Right():
		return box.Right() + 14, yy
	case box.X-16-w >= bounds.X:
		return box.X - 16 - w, yy
	case box.Bottom()+12+h <= bounds.Bottom():
		return xx, box.Bottom() + 12
	case box.Y-12-h >= bounds.Y:
		return xx, box.Y - 12 - h
	}
	right, below := bounds.Right()-w, bounds.Bottom()-h
	least := -1.0
	for _, p := range [...][2]float64{{right, below}, {right, bounds.Y}, {bounds.X, below}, {bounds.X, bounds.Y}} {
		over := max(0, min(p[0]+w, box.Right())-max(p[0], box.X)) * max(0, min(p[1]+h, box.Bottom())-max(p[1], box.Y))
		if least < 0 || over < least {
			least, x, y = over, p[0], p[1]
		}
	}
	return x, y
}
