package draw

// Box is a rectangle in page pixels.
type Box struct{ X, Y, W, H float64 }

// Inside says whether a point lies in the box.
func (b Box) Inside(x, y float64) bool {
	return x >= b.X && x < b.X+b.W && y >= b.Y && y < b.Y+b.H
}

// Right and Bottom are the far edges.
func (b Box) Right() float64 { return b.X + b.W }

func (b Box) Bottom() float64 { return b.Y + b.H }

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
