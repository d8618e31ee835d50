package draw

import (
	"math"
	"strconv"

	"batchlab/ui/words"
)

// Color is 0xRRGGBB.
type Color uint32

// Hex returns the colour as "#rrggbb".
func (c Color) Hex() string {
	s := strconv.FormatUint(uint64(c)|1<<24, 16)
	return "#" + s[1:]
}

// Pixel returns the colour as one opaque RGBA pixel, little-endian.
func (c Color) Pixel() uint32 {
	return 0xff000000 | uint32(c&0xff)<<16 | uint32(c&0xff00) | uint32(c>>16)
}

// Mix returns a at t = 0, b at t = 1, and what lies between.
func Mix(a, b Color, t float64) Color {
	t = min(1, max(0, t))
	ch := func(s uint) Color {
		x, y := float64(a>>s&255), float64(b>>s&255)
		return Color(x+(y-x)*t+.5) << s
	}
	return ch(16) | ch(8) | ch(0)
}

// Ink returns black or white, whichever contrasts more with c.
func Ink(c Color) Color {
	lin := func(s uint) float64 {
		v := float64(c>>s&255) / 255
		if v <= .04045 {
			return v / 12.92
		}
		return math.Pow((v+.055)/1.055, 2.4)
	}
	if .2126*lin(16)+.7152*lin(8)+.0722*lin(0) > .179 {
		return 0x000000
	}
	return 0xffffff
}

// Theme holds the colours of one theme that canvases and exported drawings
// need; the page itself takes them from its style sheet.
type Theme struct {
	Dark                                        bool
	Bg, Side, Panel, Sunken, Hover              Color
	Line, Line2, Line3, Grid                    Color
	Ink, Ink2, Ink3                             Color
	Accent, AccentSoft, Good, Bad, Warn, WarnBg Color
	Hatch, HatchBg                              Color
	Series                                      [8]Color // schedulers A to H
	tide                                        [6]Color
	diverging                                   [7]Color
}

var light = Theme{
	Bg: 0xf5f6f8, Side: 0xfafbfc, Panel: 0xffffff, Sunken: 0xeef0f3, Hover: 0xeef0f4,
	Line: 0xe4e7eb, Line2: 0xcfd4db, Line3: 0x858e9b, Grid: 0xeceef1,
	Ink: 0x171b21, Ink2: 0x48505c, Ink3: 0x606976,
	Accent: 0x4a43c4, AccentSoft: 0xecebfb, Good: 0x0a6a4e, Bad: 0xad3610, Warn: 0x7d5200, WarnBg: 0xfdf3dc,
	Hatch: 0x8a93a0, HatchBg: 0xf0f2f5,
	Series:    [8]Color{0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xc98600, 0x56b4e9, 0x171b21, 0xf0e442},
	tide:      [6]Color{0xdbe6ec, 0xa9cbdb, 0x6ba6c5, 0x3d7bac, 0x2a5490, 0x243472},
	diverging: [7]Color{0x0b4f7d, 0x3f86b5, 0xa3c8de, 0xf1f2f4, 0xf0c19d, 0xd77b33, 0x8f3d05},
}

var dark = Theme{
	Dark: true,
	Bg:   0x0e1115, Side: 0x12161b, Panel: 0x161a20, Sunken: 0x1f252d, Hover: 0x20262f,
	Line: 0x262c35, Line2: 0x3a424e, Line3: 0x727c8b, Grid: 0x20262e,
	Ink: 0xe7eaee, Ink2: 0xb3bbc6, Ink3: 0x929ba9,
	Accent: 0xaaa6ff, AccentSoft: 0x25244a, Good: 0x4fc79c, Bad: 0xff9268, Warn: 0xe6b24d, WarnBg: 0x2e230d,
	Hatch: 0x5d6776, HatchBg: 0x1b2027,
	Series:    [8]Color{0x3c9bd9, 0xe8752a, 0x1db58a, 0xdb93bb, 0xe69f00, 0x8fd0f4, 0xe7eaee, 0xf0e442},
	tide:      [6]Color{0x27313b, 0x28475c, 0x2b6382, 0x3583a6, 0x58a6c2, 0x9fd3de},
	diverging: [7]Color{0x7cc4f2, 0x3d86b8, 0x214c69, 0x20262e, 0x61401f, 0xb5672a, 0xffab6b},
}

// Colours returns the theme for light or dark.
func Colours(isDark bool) *Theme {
	if isDark {
		return &dark
	}
	return &light
}

// Tide is the sequential scale: 0 nearly melts into the ground, 1 stands out.
func (t *Theme) Tide(v float64) Color { return ramp(t.tide[:], v) }

// Diverging is the scale of differences, −1 to 1; −1 (blue) means that the
// first run is better.
func (t *Theme) Diverging(v float64) Color { return ramp(t.diverging[:], (v+1)/2) }

func ramp(stops []Color, v float64) Color {
	if !(v > 0) { // NaN too
		return stops[0]
	}
	if v >= 1 {
		return stops[len(stops)-1]
	}
	v *= float64(len(stops) - 1)
	i := int(v)
	return Mix(stops[i], stops[i+1], v-float64(i))
}

// Categorical returns a muted colour for the i-th group of many; neighbours
// in i lie far apart, violet (the selection) does not occur. Negative i: grey.
func (t *Theme) Categorical(i int) Color {
	if i < 0 {
		return Mix(t.Line3, t.Panel, .4)
	}
	// Golden-angle steps through the 255 degrees of hue that are far from violet;
	// each round of nine differs in lightness.
	h := math.Mod(float64(i)*.61803398875, 1)*255 - 5
	l := .72 - .09*float64(i/9%3)
	if t.Dark {
		l = .50 + .10*float64(i/9%3)
	}
	return oklch(l, .105, h)
}

// oklch converts lightness, chroma and hue in degrees to sRGB (Ottosson 2020).
func oklch(l, c, h float64) Color {
	sin, cos := math.Sincos(h * math.Pi / 180)
	a, b := c*cos, c*sin
	cube := func(x float64) float64 { return x * x * x }
	L, M, S := cube(l+.3963377774*a+.2158037573*b), cube(l-.1055613458*a-.0638541728*b), cube(l-.0894841775*a-1.2914855480*b)
	gamma := func(x float64) Color {
		if x <= .0031308 {
			x *= 12.92
		} else {
			x = 1.055*math.Pow(x, 1/2.4) - .055
		}
		return Color(min(255, max(0, x*255+.5)))
	}
	return gamma(4.0767416621*L-3.3077115913*M+.2309699292*S)<<16 |
		gamma(-1.2684380046*L+2.6097574011*M-.3413193965*S)<<8 |
		gamma(-.0041960863*L-.7034186147*M+1.7076147010*S)
}

// Dash returns the line dash of scheduler i as an SVG dash array; "" is solid.
func Dash(i int) string {
	return [...]string{"", "7 3", "2 2.5", "8 2.5 2 2.5", "12 3", "4 4", "1 3", "10 2 2 2 2 2"}[words.Place(i)&7]
}

// SeriesVar returns the style-sheet colour of scheduler i; beyond eight, grey.
func SeriesVar(i int) string { return PlaceVar(words.Place(i)) }

// PlaceVar is the style-sheet colour of a letter's place.
func PlaceVar(place int) string {
	if place > 7 {
		return "var(--line-3)"
	}
	return "var(--s" + strconv.Itoa(place+1) + ")"
}

// SeriesColor returns the colour of scheduler i; beyond eight, grey.
func (t *Theme) SeriesColor(i int) Color {
	if i = words.Place(i); i > 7 {
		return t.Line3
	}
	return t.Series[i]
}
