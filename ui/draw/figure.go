package draw

import (
	"math"
	"slices"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/ui/words"
)

// Figure is a standard chart as plain data: panels with axes, and layers of
// marks in them. It says what is plotted and with which words; SVG draws it. All
// lengths are page pixels.
type Figure struct {
	W, H   float64
	Panels []Panel     // coordinate systems
	Layers []Layer     // what is drawn, from back to front
	Texts  []Text      // words at fixed places
	Art    Markup      // what is drawn between axes and layers by its own rules, such as a scene
	Keys   []Key       // the legend above the plot
	Zoom   bool        // the reader can zoom the horizontal axes, which are alike
	Aria   string      // one sentence that says what the picture says
	Note   string      // what must be known to read it, "" nothing
	Empty  string      // one sentence instead of a picture
	Table  Grid        // what "show as table" shows, and the file where it has Raw
	Fill   func() Grid // works Table out when somebody asks; nil: it is there
	// Say answers with HTML when the reader points at x of the first panel, or
	// at an item of a layer (−1: none). nil: nothing to say.
	Say func(x float64, layer, item int) Markup
}

// Panel is a coordinate system and its place.
type Panel struct {
	Box  Box
	X, Y Axis
	Hold bool // nothing is said of places in it, only of single marks
}

// Axis is one axis of a panel: of numbers, or of names.
type Axis struct {
	Min, Max float64
	Log      bool
	Names    []string // not nil: places 0, 1, … with names
	Bold     int      // so many of the first names matter
	Inverse  bool     // from right to left, or from top to bottom
	Hidden   bool     // no labels
	Plain    bool     // no grid lines
	Base     bool     // of a vertical axis: what lies begins at it, so it is the line that is drawn
	Ticks    []Tick
	Unit     string // of its values, as the column of a file is called: "at_s"
}

// Shape is the shape of a layer.
type Shape string

// Shapes, and which of a layer's lists they read.
const (
	Line     Shape = "line"     // X, Y; NaN leaves a gap
	Dots     Shape = "dots"     // X, Y and, if given, Sizes
	Columns  Shape = "bars"     // Y by name of the panel's axis of names, from Low if given: then they stand on those of the layers before; cut where they leave the axis
	Boxes    Shape = "boxes"    // X by name, Fives
	Band     Shape = "band"     // X, Low, High: the area between
	Spans    Shape = "spans"    // Low, High: parts of the horizontal axis
	Whiskers Shape = "whiskers" // X, Low, High: intervals; NaN: none
	Ranges   Shape = "ranges"   // X, Low, High, Y: what a scheduler itself leaves open, with a dot; never an interval, so without ends
	Levels   Shape = "levels"   // X, Y: short lines across
	Cells    Shape = "cells"    // X and Y by name, Colors, Words
	Tiles    Shape = "tiles"    // X, Y, Colors, Size: hexagons, or if so said diamonds, of this width
)

// Layer is one series of a figure.
type Layer struct {
	Shape     Shape
	Panel     int
	Series    int    // scheduler whose colour and dash it has, −1 grey
	Name      string // in files
	X, Y      []float64
	Low, High []float64    // of Cells, Low holds the values
	Sizes     []float64    // diameters of Dots
	Fives     [][5]float64 // least, lower quartile, median, upper quartile, greatest
	Colors    []Color      // of Cells and Tiles
	Words     []string     // in Cells, nil none
	Of        string       // what the values of Cells are, as the column of a file is called
	Steps     bool         // a Line holds its value up to the next point
	Area      bool         // a Line is filled down to 0
	Opacity   float64      // of an Area, a Band, Spans, or a Line without an area; 0: what is usual
	Ink       bool         // in ink instead of the series' colour
	Fill      string       // in this colour or pattern instead, "" none
	Width     float64      // of a Line, of Columns, Boxes and Levels; 0: what fits
	Size      float64      // of the points on a Line (0 none), of Dots without Sizes
	Diamond   bool         // Dots and Tiles are diamonds
	Merged    bool         // Cells and Tiles of one colour are one path, and nothing is said of them one by one
	Hollow    bool         // Dots have a rim only
	Shift     float64      // by so many pixels along the axis of names
	Flat      bool         // names are on the vertical axis
	Unlisted  bool         // what it shows stands in the file by another layer
}

// Key is an entry of a legend.
type Key struct {
	Series int
	Letter string // of a run, "" none
	Name   string
	Fill   string // a colour or pattern instead of the series' line, "" none
}

// Tone is how dark words are.
type Tone int

// Tones of words.
const (
	ToneAxis  Tone = iota // axes and units
	ToneLabel             // labels
	ToneValue             // values
	ToneBold              // values that matter
)

// Text is words at a place; Y is the middle of the line.
type Text struct {
	X, Y   float64
	Text   string
	Align  byte // 'l', 'c', 'r'
	Tone   Tone
	Series int    // a piece of this series' line stands before the words, −1 none
	Letter string // of a scheduler, bold before the words
}

// Text adds words.
func (f *Figure) Text(x, y float64, s string, align byte, tone Tone) {
	f.Texts = append(f.Texts, Text{X: x, Y: y, Text: s, Align: align, Tone: tone, Series: -1})
}

// Scheduler adds a scheduler's letter and name, with a piece of its line before them
// where they are not written up to a place; they are shortened to a width.
func (f *Figure) Scheduler(i int, name string, x, y, width float64, align byte) {
	t := Text{X: x, Y: y, Text: Clip(name, width), Align: align, Tone: ToneValue, Series: i, Letter: words.Letter(i)}
	if align == 'r' {
		t.Series = -1
	}
	f.Texts = append(f.Texts, t)
}

// Scale adds the colours of a map as a strip of page pixels, with words at both ends.
func (f *Figure) Scale(b Box, of func(share float64) Color, from, to string) {
	const n = 24
	l := Layer{Shape: Cells, Panel: len(f.Panels), Series: -1, Unlisted: true}
	for i := range n {
		l.X, l.Y, l.Colors = append(l.X, float64(i)), append(l.Y, 0), append(l.Colors, of(float64(i)/(n-1)))
	}
	f.Panels = append(f.Panels, Panel{Box: b, X: Axis{Names: make([]string, n), Hidden: true, Plain: true}, Y: Axis{Names: []string{""}, Hidden: true}})
	f.Layers = append(f.Layers, l)
	f.Text(b.X-6, b.Y+b.H/2, from, 'r', ToneAxis)
	f.Text(b.Right()+6, b.Y+b.H/2, to, 'l', ToneAxis)
}

// Spans adds parts of a panel's horizontal axis, such as weekends.
func (f *Figure) Spans(panel int, spans [][2]model.Time) {
	if spans == nil {
		return
	}
	l := Layer{Shape: Spans, Panel: panel}
	for _, b := range spans {
		l.Low, l.High = append(l.Low, float64(b[0])), append(l.High, float64(b[1]))
	}
	f.Layers = append(f.Layers, l)
}

func place(v, from, to float64, log bool) float64 {
	if log {
		v, from, to = math.Log(max(v, from)), math.Log(from), math.Log(to)
	}
	if to == from {
		return 0
	}
	return (v - from) / (to - from)
}

// PX is the horizontal place of a value in a panel.
func (p *Panel) PX(v float64) float64 { return p.Box.X + p.X.part(v)*p.Box.W }

// PY is the vertical place of a value in a panel.
func (p *Panel) PY(v float64) float64 { return p.Box.Bottom() - p.Y.part(v)*p.Box.H }

// Thin takes the words from ticks of the horizontal axis that would stand less
// than apart pixels behind the one before, or leave a figure of width w.
func (p *Panel) Thin(apart, w float64) {
	before := -apart
	for i := range p.X.Ticks {
		t := &p.X.Ticks[i]
		if x := p.PX(t.At); x-before < apart || x+wide(t.Label)/2 > w-1 {
			t.Label = ""
		} else {
			before = x
		}
	}
}

// wide is about how much room words need beside an axis.
func wide(s string) float64 { return 6 * float64(len([]rune(s))) }

// ThinY leaves out ticks of the vertical axis, with their lines, that would stand
// too close to the one below.
func (p *Panel) ThinY() {
	kept, before := p.Y.Ticks[:0], math.Inf(1)
	for _, t := range p.Y.Ticks {
		if y := p.PY(t.At); before-y >= 16 {
			kept, before = append(kept, t), y
		}
	}
	p.Y.Ticks = kept
}

// part is the place of a value as a part of the axis.
func (a *Axis) part(v float64) float64 {
	f := 0.0
	if a.Names != nil {
		f = (v + .5) / float64(max(1, len(a.Names)))
	} else {
		f = place(v, a.Min, a.Max, a.Log)
	}
	if a.Inverse {
		return 1 - f
	}
	return f
}

// At is the value of the first panel at a horizontal place, or the name's
// number; ok is false outside.
func (f *Figure) At(x float64) (v float64, ok bool) {
	if len(f.Panels) == 0 {
		return 0, false
	}
	p := &f.Panels[0]
	a, at := &p.X, (x-p.Box.X)/p.Box.W
	ok = at >= 0 && at <= 1
	switch {
	case a.Names != nil:
		return math.Floor(min(at, 1-1e-9) * float64(len(a.Names))), ok
	case a.Log:
		return math.Exp(math.Log(a.Min) + at*(math.Log(a.Max)-math.Log(a.Min))), ok
	}
	return a.Min + at*(a.Max-a.Min), ok
}

// Places says whether the reader can point at places between marks.
func (f *Figure) Places() bool { return len(f.Panels) > 0 && !f.Panels[0].Hold }

// File returns what is plotted as a table for files: the Raw of Table when it
// has one, else one line for each point of each layer, with the columns that any
// of them needs.
func (f *Figure) File() Grid {
	if f.Fill != nil {
		f.Table, f.Fill = f.Fill(), nil
	}
	if f.Table.Raw != nil || f.Layers == nil {
		return f.Table
	}
	g := Grid{Units: []string{"series"}}
	for k := range f.Layers {
		m := &f.Layers[k]
		if m.Shape == Spans || m.Unlisted {
			continue
		}
		columns, n := m.columns(&f.Panels[m.Panel])
		at := make([]int, len(columns))
		for c, col := range columns {
			if at[c] = slices.Index(g.Units, col.name); at[c] < 0 {
				at[c] = len(g.Units)
				g.Units = append(g.Units, col.name)
			}
		}
		for i := range n {
			row := make([]string, len(g.Units))
			row[0] = m.Name
			for c, col := range columns {
				row[at[c]] = col.of(i)
			}
			g.Raw = append(g.Raw, row)
		}
	}
	for i, r := range g.Raw {
		g.Raw[i] = append(r, make([]string, len(g.Units)-len(r))...)
	}
	return g
}

// Numbers returns the table with what is plotted as its Raw.
func (f *Figure) Numbers() Grid {
	raw := f.File()
	g := f.Table
	g.Units, g.Raw = raw.Units, raw.Raw
	return g
}

// column is one column of a layer in a file.
type column struct {
	name string
	of   func(i int) string
}

// columns are those of a layer, and its number of lines.
func (m *Layer) columns(p *Panel) (list []column, n int) {
	x, y := &p.X, &p.Y
	if m.Flat {
		x, y = y, x
	}
	along := func(a *Axis, v []float64) func(int) string {
		return func(i int) string {
			if v != nil {
				if a.Names == nil {
					return PlainNumber(v[i])
				}
				i = int(v[i])
			}
			if i < 0 || i >= len(a.Names) {
				return ""
			}
			return a.Names[i]
		}
	}
	list = append(list, column{x.unit("x"), along(x, m.X)})
	switch n = len(m.X); m.Shape {
	case Columns:
		n = len(m.Y)
		list = append(list, column{y.unit("y"), along(y, m.Y)})
	case Boxes:
		n = len(m.Fives)
		for q, name := range [...]string{"least", "lower_quartile", "median", "upper_quartile", "greatest"} {
			list = append(list, column{name, func(i int) string { return PlainNumber(m.Fives[i][q]) }})
		}
	case Band, Whiskers, Ranges:
		list = append(list, column{"low", along(&Axis{}, m.Low)}, column{"high", along(&Axis{}, m.High)})
	case Cells:
		list = append(list, column{y.unit("y"), along(y, m.Y)}, column{m.Of, along(&Axis{}, m.Low)})
	default:
		list = append(list, column{y.unit("y"), along(y, m.Y)})
	}
	return list, n
}

func (a *Axis) unit(or string) string {
	if a.Unit != "" {
		return a.Unit
	}
	return or
}

// EndLabels names the lines of a panel at their right ends, in the order of
// their last values, moved apart where they would overlap.
func (f *Figure) EndLabels(panel int, label func(*Layer) string) {
	p := &f.Panels[panel]
	type end struct {
		y     float64
		layer *Layer
	}
	var ends []end
	for k := range f.Layers {
		l := &f.Layers[k]
		if l.Panel != panel || l.Shape != Line {
			continue
		}
		for i := len(l.Y) - 1; i >= 0; i-- {
			if !math.IsNaN(l.Y[i]) {
				ends = append(ends, end{min(p.Box.Bottom(), max(p.Box.Y, p.PY(l.Y[i]))), l})
				break
			}
		}
	}
	order.Stable(ends, func(a, b end) int { return order.Floats(a.y, b.y) })
	ys := make([]float64, len(ends))
	for i := range ends {
		ys[i] = ends[i].y
	}
	Spread(ys, 14, p.Box.Bottom())
	for i, e := range ends {
		e.y = ys[i]
		t := Text{X: p.Box.Right() + 8, Y: e.y, Text: label(e.layer), Align: 'l', Tone: ToneValue, Series: e.layer.Series}
		if e.layer.Ink {
			t.Series, t.Tone = -1, ToneLabel
		}
		f.Texts = append(f.Texts, t)
	}
}

// Spread moves ascending places so far apart, none of them below bottom.
func Spread(ys []float64, apart, bottom float64) {
	for i := 1; i < len(ys); i++ {
		ys[i] = max(ys[i], ys[i-1]+apart)
	}
	for i, y := range slices.Backward(ys) {
		ys[i] = min(y, bottom)
		bottom = ys[i] - apart
	}
}
