package draw

// Timeline is the place of a horizontal time axis in a picture: From stands at X,
// To at X + W page pixels. Without a width there is no such axis.
type Timeline struct{ X, W, From, To float64 }

// At is the time at a place of the picture; ok is false outside.
func (t *Timeline) At(x float64) (at float64, ok bool) {
	if t.W <= 0 || x < t.X || x > t.X+t.W {
		return 0, false
	}
	return t.From + (x-t.X)/t.W*(t.To-t.From), true
}

// Place is where a time stands; ok is false outside.
func (t *Timeline) Place(at float64) (x float64, ok bool) {
	if t.W <= 0 || t.To <= t.From || !(at >= t.From && at <= t.To) {
		return 0, false
	}
	return t.X + (at-t.From)/(t.To-t.From)*t.W, true
}

// Timeline is that of the first panel, if its axis is one of time.
func (f *Figure) Timeline() Timeline {
	if len(f.Panels) == 0 || f.Panels[0].X.Unit != "at_s" {
		return Timeline{}
	}
	p := &f.Panels[0]
	return Timeline{p.Box.X, p.Box.W, p.X.Min, p.X.Max}
}
