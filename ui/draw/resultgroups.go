package draw

import (
	"strings"
)

// Slots divides the room of a name among n bars: their width, and how far the
// middle of the k-th is from the middle of the room.
func Slots(room float64, n int) (width float64, shift func(k int) float64) {
	const gap = .06
	width = min(44, room*.78/(float64(n)+float64(n-1)*gap))
	each := width * (1 + gap)
	return width, func(k int) float64 { return (float64(k) - float64(n-1)/2) * each }
}

// groups draws bars by name: upright, or lying where the names are too
// long to stand side by side.
func (r *Result) groups(f *Figure) {
	lo, hi := r.bounds()
	if len(r.Names) == 0 || !(lo <= hi) {
		return
	}
	if len(r.Sets) > 1 {
		f.keys(r.Sets)
	}
	longest := room(r.Names, 0, 1e9)
	flat := longest > (f.W-60)/float64(len(r.Names))
	p := Panel{}
	if flat {
		left := min(longest+6, f.W*.4)
		names := make([]string, len(r.Names))
		for i, n := range r.Names {
			names[i] = Clip(n, left-14)
		}
		p.Box = Box{left, 10, max(10, f.W-left-22), max(10, f.H-10-42)}
		p.X, p.Y = r.Y.Axis(lo, hi, true, max(2, int(p.Box.W/76))), Axis{Names: names, Inverse: true, Base: true}
		p.Thin(44, f.W)
		r.caption(f, left, r.Y.title())
		p.Hold = true
	} else {
		y := r.Y.Axis(lo, hi, true, max(2, int(f.H/56)))
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
	side := len(r.Sets) // by side
	if r.Stacked {
		side = 1
	}
	width, shift := Slots(space, side)
	if a := r.Y.Axis(lo, hi, true, 2); a.Min < 0 && a.Max > 0 { // where bars begin
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
	f.Table = Grid{Head: []string{"", r.X.Name, r.Y.Name}, Left: 2, Units: []string{"series", unit, r.Y.Axis(lo, hi, true, 2).Unit}}
	var names []string
	for k := range r.Sets {
		s := &r.Sets[k]
		names = append(names, s.Name)
		l := Layer{Shape: Columns, Series: s.Series, Fill: s.Fill, Name: s.Name, Y: s.Y, Width: width, Flat: flat}
		if r.Stacked {
			l.Low, l.Y = r.tops(k), r.tops(k+1)
		}
		f.Layers = append(f.Layers, l)
		f.rows(r, s, func(i int) (string, string) { return r.Names[i], r.Names[i] })
	}
	for k := range r.Sets { // above all bars
		for _, l := range r.Sets[k].extras(func(i int) float64 { return float64(i) }, shift(k), width, p.X.Log || p.Y.Log) {
			l.Flat, l.Ink = flat, true
			f.Layers = append(f.Layers, l)
		}
	}
	f.Say = func(x float64, layer, item int) Markup {
		if layer < 0 {
			item = int(x)
		} else if f.Layers[layer].Shape != Columns {
			return ""
		}
		return r.say(r.Names[item], func(*Set) int { return item })
	}
	f.Aria = r.Y.Name + " of " + strings.Join(names, ", ") + " by " + unit + ": " + r.Y.show(lo) + " to " + r.Y.show(hi) + "."
}
