package draw

import (
	"math"
	"strings"

	"batchlab/ui/words"
)

// Slots divides the room of a name among n bars: their width, and how far the
// middle of the k-th is from the middle of the room.
func Slots(room float64, n int) (width float64, shift func(k int) float64) {
	const gap = .06
	width = min(44, room*.78/(float64(n)+float64(n-1)*gap))
	each := width * (1 + gap)
	return width, func(k int) float64 { return (float64(k) - float64(n-1)/2) * each }
}

// groups draws bars or boxes by name: upright, or lying where the names are too
// long to stand side by side.
func (r *Result) groups(f *Figure) {
	lo, hi := r.bounds()
	if len(r.Names) == 0 || !(lo <= hi) {
		return
	}
	if len(r.Sets) > 1 {
		f.keys(r.Sets)
	}
	zero := r.Shape == AsBars
	longest := room(r.Names, 0, 1e9)
	flat := longest > (f.W-60)/float64(len(r.Names))
	p := Panel{Hold: r.Shape == AsBoxes}
	if flat {
		left := min(longest+6, f.W*.4)
		names := make([]string, len(r.Names))
		for i, n := range r.Names {
			names[i] = Clip(n, left-14)
		}
		p.Box = Box{left, 10, max(10, f.W-left-22), max(10, f.H-10-42)}
		p.X, p.Y = r.Y.Axis(lo, hi, zero, max(2, int(p.Box.W/76))), Axis{Names: names, Inverse: true, Base: true}
		p.Thin(44, f.W)
		r.caption(f, left, r.Y.title())
		p.Hold = true
	} else {
		y := r.Y.Axis(lo, hi, zero, max(2, int(f.H/56)))
		left := tickRoom(&y)
		p.Box = Box{left, 24, max(10, f.W-left-18), max(10, f.H-24-46)}
		p.X, p.Y = Axis{Names: r.Names, Unit: r.X.Name}, y
		f.Text(12, 10, r.Y.title(), 'l', ToneAxis)
		r.caption(f, left, r.X.title())
	}
	p.ThinY()
	f.Panels = []Panel{p}
	space := p.Box.W / float64(len(r.Names))
	if flat {
		space = p.Box.H / float64(len(r.Names))
	}
	width, shift := Slots(space, len(r.Sets))
	if a := r.Y.Axis(lo, hi, zero, 2); a.Min < 0 && a.Max > 0 { // where bars begin
		l := Layer{Shape: Levels, X: []float64{float64(len(r.Names)-1) / 2}, Y: []float64{0}, Flat: flat, Unlisted: true, Width: p.Box.W}
		if flat {
			l.Width = p.Box.H
		}
		f.Layers = append(f.Layers, l)
	}
	unit := r.X.Name
	if unit == "" {
		unit = "name"
	}
	f.Table = Grid{Head: []string{"", r.X.Name, r.Y.Name}, Left: 2, Units: []string{"series", unit, r.Y.Axis(lo, hi, zero, 2).Unit}}
	if r.Shape == AsBoxes {
		r.boxes(f, width, shift, flat)
		return
	}
	var names []string
	for k := range r.Sets {
		s := &r.Sets[k]
		names = append(names, s.Name)
		f.Layers = append(f.Layers, Layer{Shape: Columns, Series: s.Series, Name: s.Name, Y: s.Y, Width: width, Flat: flat})
		f.rows(r, s, func(i int) (string, string) { return r.Names[i], r.Names[i] })
	}
	for k := range r.Sets { // above all bars
		for _, l := range r.Sets[k].extras(func(i int) float64 { return float64(i) }, shift(k), width, p.X.Log || p.Y.Log) {
			l.Flat, l.Ink = flat, true
			f.Layers = append(f.Layers, l)
		}
	}
	f.Say = func(x float64, layer, item int) string {
		if layer < 0 {
			item = int(x)
		} else if f.Layers[layer].Shape != Columns {
			return ""
		}
		return r.say(r.Names[item], func(*Set) int { return item })
	}
	f.Aria = r.Y.Name + " of " + strings.Join(names, ", ") + " by " + unit + ": " + r.Y.show(lo) + " to " + r.Y.show(hi) + "."
}

// boxes draws box plots of samples; whiskers reach to the outermost values
// within 1.5 heights of the box, what lies beyond is a dot.
func (r *Result) boxes(f *Figure, width float64, shift func(int) float64, flat bool) {
	log := f.Panels[0].X.Log || f.Panels[0].Y.Log
	f.Table = Grid{Head: []string{"", r.X.Name, "Median", "Half of the values", "Mean", "Values"}, Left: 2, Units: []string{"series", f.Table.Units[1], "mean", "whisker_low", "q1", "median", "q3", "whisker_high", "values"}}
	var said []string
	for k := range r.Sets {
		s := &r.Sets[k]
		box := Layer{Shape: Boxes, Series: s.Series, Name: s.Name, Width: width, Shift: shift(k), Flat: flat}
		out := Layer{Shape: Dots, Series: s.Series, Size: 3.6, Shift: shift(k), Flat: flat}
		middle := math.NaN()
		for i, values := range s.Samples {
			v := Summary(values)
			if v.N == 0 || i >= len(r.Names) {
				continue
			}
			if log {
				v.Low = max(v.Low, f.least())
			}
			box.X, box.Fives = append(box.X, float64(i)), append(box.Fives, [5]float64{v.Low, v.Q1, v.Median, v.Q3, v.High})
			for _, x := range v.Out {
				if flat {
					out.X, out.Y = append(out.X, x), append(out.Y, float64(i))
				} else {
					out.X, out.Y = append(out.X, float64(i)), append(out.Y, x)
				}
			}
			middle = v.Median
			f.Table.Cells = append(f.Table.Cells, []string{s.Name, r.Names[i], r.Y.show(v.Median), r.Y.show(v.Q1) + " – " + r.Y.show(v.Q3), r.Y.show(v.Mean), words.Int(v.N)})
			f.Table.Raw = append(f.Table.Raw, []string{s.Name, r.Names[i], PlainNumber(v.Mean), PlainNumber(v.Low), PlainNumber(v.Q1), PlainNumber(v.Median), PlainNumber(v.Q3), PlainNumber(v.High), Itoa(v.N)})
		}
		f.Layers = append(f.Layers, box, out)
		said = append(said, s.Name+" "+r.Y.show(middle))
	}
	f.Say = func(_ float64, layer, item int) string {
		l := &f.Layers[layer]
		if l.Shape != Boxes {
			return ""
		}
		five := l.Fives[item]
		var t Tip
		t.Row("median", r.Y.show(five[2]))
		t.Row("half of the values", r.Y.show(five[1])+" – "+r.Y.show(five[3]))
		t.Row("whiskers", r.Y.show(five[0])+" – "+r.Y.show(five[4]))
		return t.HTML(strings.TrimSpace(l.Name + " " + r.Names[int(l.X[item])]))
	}
	f.Aria = r.Y.Name + " as box plots over " + words.Count(len(r.Names), "class", "classes") + "; median in the last: " + strings.Join(said, ", ") + "."
}

// least is the least value of the axis of values.
func (f *Figure) least() float64 {
	if p := &f.Panels[0]; p.X.Names == nil {
		return p.X.Min
	}
	return f.Panels[0].Y.Min
}

// surface draws a map: a cell for each column and row, in viridis, bright for
// great values, with its scale below.
func (r *Result) surface(f *Figure) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range r.Z {
		if !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	columns, rows := len(r.Names), len(r.Rows)
	if !(lo <= hi) || columns*rows == 0 || len(r.Z) != columns*rows {
		return
	}
	shade := func(v float64) float64 {
		switch {
		case hi == lo:
			return .5
		case r.Value.Log && lo > 0:
			return math.Log(v/lo) / math.Log(hi/lo)
		}
		return (v - lo) / (hi - lo)
	}
	left := room(r.Rows, 34, f.W*.34)
	p := Panel{Box: Box{left, 24, max(10, f.W-left-18), max(10, f.H-24-46)}, X: Axis{Names: thinned(r.Names, (f.W-left-18)/float64(columns)), Unit: r.X.Name}, Y: Axis{Names: thinned(r.Rows, (f.H-70)/float64(rows)*3), Unit: r.Y.Name}, Hold: true}
	l := Layer{Shape: Cells, Of: r.Value.Name, Series: -1}
	words := p.Box.W/float64(columns) >= 40 && p.Box.H/float64(rows) >= 15
	f.Table = Grid{Head: []string{r.X.Name, r.Y.Name, r.Value.Name}, Left: 2, Units: []string{"x", "y", "value"}}
	for k, q := range [...]*Quantity{&r.X, &r.Y, &r.Value} {
		if q.Name != "" {
			f.Table.Units[k] = q.Name
		}
	}
	best := 0
	for i, v := range r.Z {
		if math.IsNaN(v) {
			continue
		}
		if !(v <= r.Z[best]) {
			best = i
		}
		x, y := i%columns, i/columns
		l.X, l.Y, l.Low = append(l.X, float64(x)), append(l.Y, float64(y)), append(l.Low, v)
		l.Colors = append(l.Colors, Viridis(shade(v)))
		if words {
			l.Words = append(l.Words, r.Value.show(v))
		}
		f.Table.Cells = append(f.Table.Cells, []string{r.Names[x], r.Rows[y], r.Value.show(v)})
		f.Table.Raw = append(f.Table.Raw, []string{r.Names[x], r.Rows[y], PlainNumber(v)})
	}
	f.Panels, f.Layers = []Panel{p}, []Layer{l}
	f.Text(12, 10, r.Y.title(), 'l', ToneAxis)
	// The scale, at the lower right.
	const shades, wide = 32, 120.0
	least, most := r.Value.show(lo), r.Value.show(hi)
	x := f.W - 18 - room([]string{most}, 0, 90) - wide
	scale := Panel{Box: Box{x, f.H - 13, wide, 8}, X: Axis{Names: make([]string, shades), Hidden: true}, Y: Axis{Names: []string{""}, Hidden: true, Base: true}}
	ramp := Layer{Shape: Cells, Panel: 1, Series: -1, Unlisted: true}
	for i := range shades {
		ramp.X, ramp.Y, ramp.Colors = append(ramp.X, float64(i)), append(ramp.Y, 0), append(ramp.Colors, Viridis((float64(i)+.5)/shades))
	}
	f.Panels, f.Layers = append(f.Panels, scale), append(f.Layers, ramp)
	f.Text(x-6, f.H-9, strings.TrimSpace(r.Value.title()+" "+least), 'r', ToneAxis)
	f.Text(x+wide+6, f.H-9, most, 'l', ToneAxis)
	if f.W > 560 {
		r.caption(f, left, r.X.title())
	}
	f.Say = func(_ float64, layer, item int) string {
		if layer != 0 {
			return ""
		}
		var t Tip
		t.Row(Escape(r.X.Name), r.Names[int(l.X[item])])
		t.Row(Escape(r.Y.Name), r.Rows[int(l.Y[item])])
		return t.HTML(r.Value.show(l.Low[item]))
	}
	f.Aria = r.Value.Name + " by " + r.X.Name + " and " + r.Y.Name + ", " + least + " to " + most + "; greatest at " + r.Names[best%columns] + ", " + r.Rows[best/columns] + "."
}

// thinned leaves out names that have no room.
func thinned(names []string, each float64) []string {
	need := room(names, 0, 1e9)
	step := max(1, int(math.Ceil(need/max(1, each))))
	out := make([]string, len(names))
	for i := 0; i < len(names); i += step {
		out[i] = names[i]
	}
	return out
}
