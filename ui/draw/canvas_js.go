//go:build js

package draw

import (
	"math"
	"strconv"
	"strings"
	"syscall/js"
)

// Canvas is a canvas element in page pixels. Its upper left corner may stand
// elsewhere than that of what is drawn: at ox, oy in device pixels.
type Canvas struct {
	El, Ctx js.Value
	W, H    float64
	Scale   float64
	ox, oy  int
}

func NewCanvas(parent js.Value, class string) *Canvas {
	el := add(parent, HTML(`<canvas class="{}"></canvas>`, class))
	return &Canvas{El: el, Ctx: el.Call("getContext", "2d")}
}

// Resize gives the canvas w × h page pixels at the screen's resolution, and
// says whether it is another size than before, and so empty.
func (c *Canvas) Resize(w, h, scale float64) bool {
	if c.W == w && c.H == h && c.Scale == scale {
		return false
	}
	c.W, c.H, c.Scale = w, h, scale
	c.El.Set("width", int(w*scale+.5))
	c.El.Set("height", int(h*scale+.5))
	Style(c.El, "width", Px(w))
	Style(c.El, "height", Px(h))
	return true
}

// Cover lets the canvas show a box of a drawing that is wide page pixels wide,
// and says whether it is another one than before, and so empty. Print fits the
// drawing to its page by the parts of it that --x, --y and --w say.
func (c *Canvas) Cover(b Box, wide, scale float64) bool {
	x, y, right, bottom := snap(b, scale)
	moved := x != c.ox || y != c.oy
	if moved {
		c.ox, c.oy = x, y
		Style(c.El, "left", Px(float64(x)/scale))
		Style(c.El, "top", Px(float64(y)/scale))
	}
	if !c.Resize(float64(right-x)/scale, float64(bottom-y)/scale, scale) && !moved {
		return false
	}
	for i, name := range [...]string{"--x", "--y", "--w"} {
		part := [...]float64{float64(x) / scale, float64(y) / scale, c.W}[i] / wide
		Style(c.El, name, strconv.FormatFloat(100*part, 'f', 3, 64)+"%")
	}
	return true
}

// Clear empties the canvas, which then takes device pixels.
func (c *Canvas) Clear() {
	c.Ctx.Call("setTransform", 1, 0, 0, 1, 0, 0)
	c.Ctx.Call("clearRect", 0, 0, int(c.W*c.Scale+.5), int(c.H*c.Scale+.5))
}

// Paint draws a scene over what is there.
func (c *Canvas) Paint(s *Scene) {
	c.Ctx.Call("setTransform", c.Scale, 0, 0, c.Scale, -c.ox, -c.oy)
	paint(c.Ctx, s, family())
}

// Corner is the upper left corner of a box on the canvas, in device pixels.
func (c *Canvas) Corner(b Box) (x, y int) {
	x, y, _, _ = snap(b, c.Scale)
	return x - c.ox, y - c.oy
}

// snap returns the device pixels of a box: neighbours share no pixel.
func snap(b Box, scale float64) (x, y, right, bottom int) {
	return int(b.X*scale + .5), int(b.Y*scale + .5), int(b.Right()*scale + .5), int(b.Bottom()*scale + .5)
}

func ScreenScale() float64 {
	s := Global.Get("devicePixelRatio").Float()
	if math.IsNaN(s) || s <= 0 {
		return 1
	}
	return min(3, s)
}

// Pixels is a picture on the browser's side, with a buffer that a bitmap is
// copied through.
type Pixels struct {
	w, h        int
	bytes, data js.Value
	ready       bool     // data shows something
	el, ctx     js.Value // a canvas of it, to be stretched
	current     bool     // el shows what data does
}

// Load copies a bitmap into the buffer; false when it is empty.
func (p *Pixels) Load(m *Bitmap) bool {
	p.current, p.ready = false, m.W > 0 && m.H > 0
	if !p.ready {
		return false
	}
	if p.w != m.W || p.h != m.H {
		p.w, p.h = m.W, m.H
		p.bytes = Global.Get("Uint8ClampedArray").New(4 * m.W * m.H)
		p.data = Global.Get("ImageData").New(p.bytes, m.W, m.H)
	}
	js.CopyBytesToJS(p.bytes, m.Bytes())
	return true
}

// Put puts the picture to a place in device pixels, in place of what is there.
func (p *Pixels) Put(ctx js.Value, x, y int) {
	if p.ready {
		ctx.Call("putImageData", p.data, x, y)
	}
}

// Paste copies a bitmap to a canvas with one copy and one putImageData.
func (p *Pixels) Paste(ctx js.Value, m *Bitmap, x, y int) {
	if p.Load(m) {
		p.Put(ctx, x, y)
	}
}

// Stretch draws the picture, which shows view shown, into a box of the page for
// view wanted: moved and stretched, with nothing where nothing is known yet.
func (p *Pixels) Stretch(c *Canvas, b Box, shown, wanted View) {
	from, to := max(shown.From, wanted.From), min(shown.To, wanted.To)
	if !p.ready || to <= from {
		return
	}
	if !p.el.Truthy() {
		p.el = Node(`<canvas></canvas>`)
		p.ctx = p.el.Call("getContext", "2d")
	}
	if !p.current {
		if p.el.Get("width").Int() != p.w || p.el.Get("height").Int() != p.h {
			p.el.Set("width", p.w)
			p.el.Set("height", p.h)
		}
		p.Put(p.ctx, 0, 0)
		p.current = true
	}
	x, y := c.Corner(b)
	source := float64(p.w) / float64(shown.To-shown.From)
	target := float64(wanted.W) / float64(wanted.To-wanted.From)
	c.Ctx.Call("drawImage", p.el, float64(from-shown.From)*source, 0, float64(to-from)*source, p.h,
		float64(x)+float64(from-wanted.From)*target, y, float64(to-from)*target, wanted.H)
}

var path2D = Global.Get("Path2D")

// paint draws a scene; what the context was set to is kept between operations
// so that little crosses over to the browser.
func paint(ctx js.Value, s *Scene, family string) {
	ctx.Set("textBaseline", "middle")
	var fill, stroke, font, dash string
	var align byte
	width := -1.0
	ctx.Set("globalAlpha", 1)
	ctx.Call("setLineDash", []any{})
	reset := func() { fill, stroke, font, align, width, dash = "", "", "", 0, -1, "?" }
	for i := range s.Ops {
		o := &s.Ops[i]
		switch o.Kind {
		case OpClip:
			ctx.Call("save")
			ctx.Call("beginPath")
			ctx.Call("rect", o.X, o.Y, o.W, o.H)
			ctx.Call("clip")
		case OpUnclip:
			ctx.Call("restore")
			reset() // restore has set other values
		case OpText:
			f := strconv.FormatFloat(o.Font(), 'f', -1, 64) + "px " + family
			if o.Bold {
				f = "600 " + f
			}
			if f != font {
				font = f
				ctx.Set("font", f)
			}
			if o.Align != align {
				align = o.Align
				ctx.Set("textAlign", map[byte]string{'l': "left", 'c': "center", 'r': "right"}[o.Align])
			}
			if c := o.Fill.Hex(); c != fill {
				fill = c
				ctx.Set("fillStyle", c)
			}
			ctx.Call("fillText", o.Text, o.X, o.Y)
		default:
			p := path2D.New(o.Path)
			if o.Filled {
				if c := o.Fill.Hex(); c != fill {
					fill = c
					ctx.Set("fillStyle", c)
				}
				if a := o.Alpha; a > 0 && a < 1 {
					ctx.Set("globalAlpha", a)
					ctx.Call("fill", p)
					ctx.Set("globalAlpha", 1)
				} else {
					ctx.Call("fill", p)
				}
			}
			if o.Width > 0 {
				if c := o.Stroke.Hex(); c != stroke {
					stroke = c
					ctx.Set("strokeStyle", c)
				}
				if o.Width != width {
					width = o.Width
					ctx.Set("lineWidth", width)
				}
				if o.Dash != dash {
					dash = o.Dash
					ctx.Call("setLineDash", dashes(dash))
				}
				ctx.Call("stroke", p)
			}
		}
	}
}

func dashes(s string) []any {
	out := []any{}
	for _, f := range strings.Fields(s) {
		v, _ := strconv.ParseFloat(f, 64)
		out = append(out, v)
	}
	return out
}

var pageFont string

// family is the page's font, for canvases. It is read once: each look at a
// computed style makes the browser bring all of them up to date.
func family() string {
	if pageFont == "" {
		f := Global.Call("getComputedStyle", Doc.Get("documentElement")).Call("getPropertyValue", "--font")
		if pageFont = strings.TrimSpace(f.String()); pageFont == "" {
			pageFont = "system-ui, sans-serif"
		}
	}
	return pageFont
}
