package draw

// OpKind is what an Op draws.
type OpKind uint8

// Kinds of drawing operation.
const (
	OpPath OpKind = iota // Path, filled or stroked
	OpText               // Text at X, Y; Y is the middle of the line
	OpClip               // until OpUnclip, only inside the box X, Y, W, H
	OpUnclip
)

// Op is one drawing operation. A canvas and an SVG file are made from the same
// list, so they cannot differ.
type Op struct {
	Kind       OpKind
	X, Y, W, H float64
	Path       string // in SVG's notation
	Text       string
	Align      byte // 'l', 'c', 'r'
	Bold       bool
	Size       float64 // of the font, 0 means 11
	Fill       Color
	Filled     bool
	Alpha      float64 // of the fill, 0 means 1
	Stroke     Color
	Width      float64 // of the stroke, 0: none
	Dash       string
}

// Scene is a list of operations, built by its methods.
type Scene struct{ Ops []Op }

func (s *Scene) Stroke(d string, c Color, width float64, dash string) {
	if d != "" {
		s.Ops = append(s.Ops, Op{Kind: OpPath, Path: d, Stroke: c, Width: width, Dash: dash})
	}
}

func (s *Scene) Fill(d string, c Color, alpha float64) {
	if d != "" {
		s.Ops = append(s.Ops, Op{Kind: OpPath, Path: d, Fill: c, Filled: true, Alpha: alpha})
	}
}

func (s *Scene) HLine(x0, x1, y float64, c Color) {
	y = Crisp(y)
	s.Stroke("M"+Num(x0)+" "+Num(y)+"H"+Num(x1), c, 1, "")
}

func (s *Scene) Text(x, y float64, t string, align byte, c Color, bold bool) {
	s.Ops = append(s.Ops, Op{Kind: OpText, X: x, Y: y, Text: t, Align: align, Fill: c, Filled: true, Bold: bold})
}

func (s *Scene) Clip(b Box) {
	s.Ops = append(s.Ops, Op{Kind: OpClip, X: b.X, Y: b.Y, W: b.W, H: b.H})
}

func (s *Scene) Unclip() { s.Ops = append(s.Ops, Op{Kind: OpUnclip}) }

// BoxPath is a rectangle as a path.
func BoxPath(b Box) string {
	return "M" + Num(b.X) + " " + Num(b.Y) + "h" + Num(b.W) + "v" + Num(b.H) + "h" + Num(-b.W) + "z"
}

// Pill is a rectangle with round corners as a path.
func Pill(b Box, r float64) string {
	a := "a" + Num(r) + " " + Num(r) + " 0 0 1 "
	return "M" + Num(b.X+r) + " " + Num(b.Y) + "h" + Num(b.W-2*r) + a + Num(r) + " " + Num(r) + "v" + Num(b.H-2*r) + a + Num(-r) + " " + Num(r) +
		"h" + Num(-(b.W - 2*r)) + a + Num(-r) + " " + Num(-r) + "v" + Num(-(b.H - 2*r)) + a + Num(r) + " " + Num(-r) + "z"
}

// Circle is a disc as a path.
func Circle(x, y, r float64) string {
	a := "a" + Num(r) + " " + Num(r) + " 0 1 0 "
	return "M" + Num(x-r) + " " + Num(y) + a + Num(2*r) + " 0" + a + Num(-2*r) + " 0z"
}

// SVG writes the scene as SVG elements. prefix makes the ids of its clips
// unlike those of other scenes in the same file.
func (s *Scene) SVG(prefix string) Markup {
	var b Writer
	clips := 0
	for _, o := range s.Ops {
		switch o.Kind {
		case OpClip:
			clips++
			id := prefix + Num(float64(clips))
			b.Put(`<clipPath id="{}"><path d="{}"/></clipPath><g clip-path="url(#{})">`, id, BoxPath(Box{o.X, o.Y, o.W, o.H}), id)
		case OpUnclip:
			b.Add(`</g>`)
		case OpText:
			anchor := map[byte]string{'l': "start", 'c': "middle", 'r': "end"}[o.Align]
			b.Put(`<text x="{}" y="{}" text-anchor="{}" style="fill:{};font-size:{}px`, o.X, o.Y+4, anchor, o.Fill.Hex(), o.fontSize())
			if o.Bold {
				b.Add(`;font-weight:600`)
			}
			b.Put(`">{}</text>`, o.Text)
		default:
			b.Put(`<path d="{}" fill="`, o.Path)
			if o.Filled {
				b.Put(`{}"`, o.Fill.Hex())
				if o.Alpha > 0 && o.Alpha < 1 {
					b.Put(` fill-opacity="{}"`, o.Alpha)
				}
			} else {
				b.Add(`none"`)
			}
			if o.Width > 0 {
				b.Put(` stroke="{}" stroke-width="{}"`, o.Stroke.Hex(), o.Width)
				if o.Dash != "" {
					b.Put(` stroke-dasharray="{}"`, o.Dash)
				}
			}
			b.Add(`/>`)
		}
	}
	return b.Markup()
}

func (o *Op) fontSize() float64 {
	if o.Size == 0 {
		return 11
	}
	return o.Size
}

// Font returns the size in page pixels.
func (o *Op) Font() float64 { return o.fontSize() }
