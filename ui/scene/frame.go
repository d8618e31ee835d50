// Package scene is the frame of all pictures of processors over time: time across,
// processors up in lanes, and what stands there. Steps, boards and plans are written in
// it as SVG; the Gantt chart, whose jobs a raster paints, places by it all that it draws
// beside and over them.
package scene

import (
	"math"

	"batchlab/core/model"
	"batchlab/ui/draw"
)

// Axis is time across a picture: From stands at Left, To at Right, in page pixels.
type Axis struct {
	From, To    model.Time
	Left, Right float64
}

// X is where a time stands, also outside the picture.
func (a Axis) X(t model.Time) float64 {
	return a.Left + float64(t-a.From)/float64(max(1, a.To-a.From))*(a.Right-a.Left)
}

// Cut is X, for times outside the nearer end.
func (a Axis) Cut(t model.Time) float64 { return a.X(min(max(t, a.From), a.To)) }

// At is the second in which a place lies, also outside the picture.
func (a Axis) At(x float64) model.Time {
	return a.From + model.Time(math.Floor((x-a.Left)/max(1, a.Right-a.Left)*float64(a.To-a.From)))
}

// Near is the whole second that is nearest to a place, in the picture.
func (a Axis) Near(x float64) model.Time {
	return a.From + model.Time((min(max(x, a.Left), a.Right)-a.Left)/max(1, a.Right-a.Left)*float64(a.To-a.From)+.5)
}

// Ticks are round times at least each page pixels apart.
func (a Axis) Ticks(c draw.Clock, each float64) []draw.Tick {
	return draw.TimeTicks(c, a.From, a.To, int(max(2, (a.Right-a.Left)/each)))
}

// Lane is processors [First, First+Count) that stand together, the lowest at the bottom
// of the Y to Y + H page pixels.
type Lane struct {
	Name         string
	First, Count int32
	Y, H         float64
}

// Level is the lower edge of a processor; of the one behind the last the upper edge of
// the lane.
func (l *Lane) Level(processor int32) float64 {
	return l.Y + l.H - float64(processor-l.First)/float64(max(1, l.Count))*l.H
}

// Frame is where times and processors stand. Processors in no lane stand where the first
// lane would have them.
type Frame struct {
	Axis
	Lanes       []Lane
	Top, Bottom float64 // of all lanes
}

// lane is the one in which a processor stands.
func (f *Frame) lane(processor int32) *Lane {
	for i := range f.Lanes {
		if l := &f.Lanes[i]; processor >= l.First && processor < l.First+l.Count {
			return l
		}
	}
	return &f.Lanes[0]
}

// Down is where processors stand: their upper edge and their height.
func (f *Frame) Down(first, count int32) (y, h float64) {
	y = f.lane(max(first, first+count-1)).Level(first + count)
	return y, f.lane(first).Level(first) - y
}

// Box is where processors stand from a time to another, cut to the time in the picture.
func (f *Frame) Box(first, count int32, from, to model.Time) draw.Box {
	y, h := f.Down(first, count)
	x := f.Cut(from)
	return draw.Box{X: x, Y: y, W: f.Cut(to) - x, H: h}
}

// Part is Box cut to another box and at least a pixel wide; ok is false where nothing of
// it is there.
func (f *Frame) Part(first, count int32, from, to model.Time, of draw.Box) (b draw.Box, ok bool) {
	y, h := f.Down(first, count)
	x, top, bottom := max(of.X, f.Cut(from)), max(y, of.Y), min(y+h, of.Bottom())
	return draw.Box{X: x, Y: top, W: max(1, min(of.Right(), f.Cut(to))-x), H: max(0, bottom-top)}, from < f.To && to > f.From && bottom > top
}

// Processor is the one at a height, counted as in the first lane.
func (f *Frame) Processor(y float64) int32 {
	l := &f.Lanes[0]
	return l.First + int32((l.Y+l.H-y)/l.H*float64(l.Count))
}

// Pieces calls visit with the parts of processors that stand in one lane each.
func (f *Frame) Pieces(first, count int32, visit func(first, count int32)) {
	for count > 0 {
		n := count
		if l := f.lane(first); first >= l.First && first < l.First+l.Count {
			n = min(n, l.First+l.Count-first)
		}
		visit(first, n)
		first, count = first+n, count-n
	}
}

// Fill writes processors from a time to another as a box in each lane.
func (f *Frame) Fill(p *draw.Pen, first, count int32, from, to model.Time, fill string, more draw.Markup) {
	f.Pieces(first, count, func(first, count int32) {
		b := f.Box(first, count, from, to)
		p.Rect(b.X, b.Y, b.W, b.H, fill, more)
	})
}

// Time writes the lines of ticks and, at a height, the labels for which there is room and
// that nothing hides; hides may be nil.
func (f *Frame) Time(p *draw.Pen, ticks []draw.Tick, y float64, hides func(x float64, label string) bool) {
	for _, t := range ticks {
		x := draw.Crisp(f.Cut(model.Time(t.At)))
		p.Line(x, f.Top, x, f.Bottom, "grid")
		if x > f.Left+8 && x < f.Right-14 && (hides == nil || !hides(x, t.Label)) {
			p.Text(x, y, t.Label, "middle", map[bool]string{true: "k b"}[t.Bold])
		}
	}
}

// Arrow is what leads from one job to another: its line, bent where the two do not stand
// at one height, and its head, in SVG's notation.
func Arrow(x0, y0, x1, y1, bend, head float64) (line, tip string) {
	n := draw.Num
	foot := x1 - head + 2
	return "M" + n(x0) + " " + n(y0) + "C" + n(x0+bend) + " " + n(y0) + " " + n(foot-bend) + " " + n(y1) + " " + n(foot) + " " + n(y1),
		"M" + n(x1) + " " + n(y1) + "l" + n(-head) + " " + n(-head/2) + "v" + n(head) + "z"
}
