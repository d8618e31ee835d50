//go:build js

package island

import (
	"math"
	"strconv"
	"strings"
	"syscall/js"

	"batchlab/ui/chart"
)

// canvas is a canvas element in page pixels.
type canvas struct {
	el, ctx js.Value
	w, h    float64
	scale   float64
}

func newCanvas(parent js.Value, class string) *canvas {
	el := add(parent, "canvas", class)
	return &canvas{el: el, ctx: el.Call("getContext", "2d")}
}

// resize gives the canvas w × h page pixels at the screen's resolution.
func (c *canvas) resize(w, h, scale float64) {
	if c.w == w && c.h == h && c.scale == scale {
		return
	}
	c.w, c.h, c.scale = w, h, scale
	c.el.Set("width", int(w*scale+.5))
	c.el.Set("height", int(h*scale+.5))
	style(c.el, "width", px(w))
	style(c.el, "height", px(h))
}

func (c *canvas) clear() {
	c.ctx.Call("setTransform", 1, 0, 0, 1, 0, 0)
	c.ctx.Call("clearRect", 0, 0, c.el.Get("width"), c.el.Get("height"))
}

func screenScale() float64 {
	s := global.Get("devicePixelRatio").Float()
	if math.IsNaN(s) || s <= 0 {
		return 1
	}
	return min(3, s)
}

// pixels is the picture of one pane on the browser's side, with a buffer that
// its raster is copied through.
type pixels struct {
	w, h        int
	bytes, data js.Value
	el, ctx     js.Value
	ready       bool // el shows something
}

// load copies a raster into the buffer; false when it is empty.
func (p *pixels) load(r *chart.Raster) bool {
	if r.W == 0 || r.H == 0 {
		return false
	}
	if p.w != r.W || p.h != r.H {
		p.w, p.h = r.W, r.H
		p.bytes = global.Get("Uint8ClampedArray").New(4 * r.W * r.H)
		p.data = global.Get("ImageData").New(p.bytes, r.W, r.H)
	}
	js.CopyBytesToJS(p.bytes, r.Bytes())
	return true
}

// paste copies a raster to a canvas with one copy and one putImageData.
func (p *pixels) paste(ctx js.Value, r *chart.Raster, x, y int) {
	if p.load(r) {
		ctx.Call("putImageData", p.data, x, y)
	}
}

// keep takes over a finished raster.
func (p *pixels) keep(r *chart.Raster) {
	if p.ready = p.load(r); !p.ready {
		return
	}
	if !p.el.Truthy() {
		p.el = create("canvas", "")
		p.ctx = p.el.Call("getContext", "2d")
	}
	if p.el.Get("width").Int() != r.W || p.el.Get("height").Int() != r.H {
		p.el.Set("width", r.W)
		p.el.Set("height", r.H)
	}
	p.ctx.Call("putImageData", p.data, 0, 0)
}

// put draws the picture, which shows view shown, into a box of the page for
// view wanted: as it is, or stretched and moved, with the ground where nothing
// is known yet.
func (p *pixels) put(ctx js.Value, b chart.Box, scale float64, shown, wanted chart.View, ground chart.Color) {
	x, y, w, h := float64(int(b.X*scale+.5)), float64(int(b.Y*scale+.5)), wanted.W, wanted.H
	if p.ready && shown == wanted {
		ctx.Call("drawImage", p.el, x, y)
		return
	}
	ctx.Set("fillStyle", ground.Hex())
	ctx.Call("fillRect", x, y, w, h)
	from, to := max(shown.From, wanted.From), min(shown.To, wanted.To)
	if !p.ready || to <= from {
		return
	}
	source := float64(p.w) / float64(shown.To-shown.From)
	target := float64(w) / float64(wanted.To-wanted.From)
	ctx.Call("drawImage", p.el, float64(from-shown.From)*source, 0, float64(to-from)*source, p.h,
		x+float64(from-wanted.From)*target, y, float64(to-from)*target, h)
}

// paint draws a scene; what the context was set to is kept between operations
// so that little crosses over to the browser.
func paint(ctx js.Value, scale float64, s *chart.Scene, family string) {
	ctx.Call("setTransform", scale, 0, 0, scale, 0, 0)
	ctx.Set("textBaseline", "middle")
	var fill, stroke, font, dash string
	var align byte
	width := -1.0
	ctx.Set("globalAlpha", 1)
	ctx.Call("setLineDash", []any{})
	path2D := global.Get("Path2D")
	reset := func() { fill, stroke, font, align, width, dash = "", "", "", 0, -1, "?" }
	for i := range s.Ops {
		o := &s.Ops[i]
		switch o.Kind {
		case chart.OpClip:
			ctx.Call("save")
			ctx.Call("beginPath")
			ctx.Call("rect", o.X, o.Y, o.W, o.H)
			ctx.Call("clip")
		case chart.OpUnclip:
			ctx.Call("restore")
			reset() // restore has set other values
		case chart.OpText:
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

// family is the page's font, for canvases.
func family() string {
	f := global.Call("getComputedStyle", doc.Get("documentElement")).Call("getPropertyValue", "--font")
	if s := strings.TrimSpace(f.String()); s != "" {
		return s
	}
	return "system-ui, sans-serif"
}
