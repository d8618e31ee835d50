package draw

import (
	"strconv"
)

// Rule adds horizontal lines across a box, apart page pixels apart on one grid.
func (p *Path) Rule(b Box, apart float64) {
	for y := float64(int(b.Y/apart)+1) * apart; y < b.Bottom(); y += apart {
		p.Cmd('M', b.X, y)
		p.Cmd('L', b.Right(), y)
	}
}

// Rect adds a rectangle.
func (p *Path) Rect(b Box) {
	p.Cmd('M', b.X, b.Y)
	p.Cmd('h', b.W)
	p.Cmd('v', b.H)
	p.Cmd('h', -b.W)
	p.B = append(p.B, 'z')
}

// Hatch adds lines at 45° across a box, apart page pixels apart along its edge.
// They lie on one grid, so that neighbouring boxes look like one.
func (p *Path) Hatch(b Box, apart float64) {
	first := float64(int((b.X+b.Y)/apart)) * apart
	for c := first; c < b.Right()+b.Bottom(); c += apart { // the line x + y = c
		x0, x1 := max(b.X, c-b.Bottom()), min(b.Right(), c-b.Y)
		if x1-x0 > .5 {
			p.Cmd('M', x0, c-x0)
			p.Cmd('L', x1, c-x1)
		}
	}
}

// Cross adds the two diagonals of a box.
func (p *Path) Cross(b Box) {
	p.Cmd('M', b.X, b.Y)
	p.Cmd('L', b.Right(), b.Bottom())
	p.Cmd('M', b.X, b.Bottom())
	p.Cmd('L', b.Right(), b.Y)
}

// Path collects the text of an SVG path, which canvases accept as well.
type Path struct{ B []byte }

func (p *Path) Cmd(c byte, v ...float64) {
	p.B = append(p.B, c)
	for i, x := range v {
		if i > 0 {
			p.B = append(p.B, ' ')
		}
		p.B = appendNumber(p.B, x)
	}
}

// appendNumber writes x with at most two decimals.
func appendNumber(b []byte, x float64) []byte {
	n := len(b)
	b = strconv.AppendFloat(b, x, 'f', 2, 64)
	for len(b) > n && b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	if b[len(b)-1] == '.' {
		b = b[:len(b)-1]
	}
	if string(b[n:]) == "-0" {
		b = append(b[:n], '0')
	}
	return b
}

// Num writes x with at most two decimals.
func Num(x float64) string { return string(appendNumber(nil, x)) }
