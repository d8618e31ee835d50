package chart

import (
	"slices"
	"unsafe"

	"batchlab/core/model"
)

// View is the window of a Gantt pane: a span of time over all processors, on a
// raster of W × H device pixels.
type View struct {
	From, To model.Time
	W, H     int
	Scale    float64 // device pixels per page pixel
}

// Paint says how a pane is coloured.
type Paint struct {
	Jobs       []Color // by job
	Ground     []Color // by pixel column: where nothing runs
	Idle       []bool  // by pixel column: hatch what is idle; nil: nowhere
	Hatch      Color
	Backfilled []bool // by job: mark with a corner notch; nil: none
}

// Label is a rectangle large enough to carry its job's number, in device
// pixels. The part outside the raster is cut off.
type Label struct {
	X, Y, W, H float64
	Job        int32
}

// Drawn says what a drawing shows.
type Drawn struct {
	Density bool // most jobs are narrower than 2 px: coverage × dominant colour
	Rects   int  // rectangles in view
	Labels  []Label
}

// Raster is the picture of a Gantt pane: one colour and one job a pixel.
type Raster struct {
	W, H      int
	Pix       []uint32 // RGBA, little-endian, row by row
	cells     []cell   // column by column: most rectangles are higher than wide
	rows      []rowsOf // by rectangle, for the three below
	rowsFor   *Index
	rowsH     int
	rowsScale float64
	marks     []mark
}

// cell collects what covers a pixel.
type cell struct {
	cov  uint32 // by all jobs together
	best uint32 // by the job that covers most of it
	job  int32  // that job; means nothing while cov is 0
}

// Sizes in page pixels.
const (
	densityBelow        = 2.0
	labelWidth          = 34.0
	labelHeight         = 13.0
	notchWidth          = 9.0
	notchHeight         = 7.0
	notchSize           = 5.0
	leastWidth          = .6
	full         uint32 = 1 << 24 // a pixel that is covered wholly: 2^16 across × 2^8 down
)

type mark struct {
	x, y int
	job  int32
}

// Bytes returns the pixels as RGBA bytes without copying.
func (r *Raster) Bytes() []byte {
	if len(r.Pix) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&r.Pix[0])), 4*len(r.Pix))
}

// At returns the job that dominates a device pixel, −1 where none is.
func (r *Raster) At(x, y int) int {
	if x < 0 || y < 0 || x >= r.W || y >= r.H {
		return -1
	}
	if c := &r.cells[x*r.H+y]; c.cov > 0 {
		return int(c.job)
	}
	return -1
}

func (r *Raster) reset(w, h int) {
	n := w * h
	if cap(r.Pix) < n {
		r.Pix, r.cells = make([]uint32, n), make([]cell, n)
	}
	r.W, r.H = w, h
	r.Pix, r.cells = r.Pix[:n], r.cells[:n]
	clear(r.cells)
	r.marks = r.marks[:0]
}

// box is a rectangle on the raster: x in 1/65536, y in 1/256 of a pixel.
type box struct{ x0, x1, y0, y1 int32 }

// boxOf places rectangle i: gaps of about a page pixel are left to its right
// and below where there is room, and nothing is thinner than can be seen
// unless coverage is what is shown.
func (r *Raster) boxOf(ix *Index, i int, v View, perSecond float64, density bool) (b box, wide float64) {
	left, right := float64(ix.start[i]-v.From)*perSecond, float64(ix.end[i]-v.From)*perSecond
	wide = right - left
	right -= gapOf(wide, v.Scale)
	if !density && wide < leastWidth*v.Scale {
		right = left + leastWidth*v.Scale
	}
	// Plain comparisons: max and min of floats are slow in wasm.
	if left < 0 {
		left = 0
	}
	if w := float64(v.W); right > w {
		right = w
	}
	b.x0, b.x1 = int32(left*65536), int32(right*65536)
	b.y0, b.y1 = r.rows[i].y0, r.rows[i].y1
	return b, wide
}

// gapOf is what a rectangle leaves free to its right.
func gapOf(wide, scale float64) float64 {
	switch {
	case wide > 3*scale:
		return scale
	case wide > 1.5*scale:
		return .4 * scale
	}
	return 0
}

// rowsOf is where a rectangle lies vertically.
type rowsOf struct{ y0, y1 int32 }

// setRows places all rectangles vertically, processor 0 at the bottom. That
// stays the same while the reader zooms, so it is worked out once.
func (r *Raster) setRows(ix *Index, h int, scale float64) {
	if r.rowsFor == ix && r.rowsH == h && r.rowsScale == scale {
		return
	}
	r.rowsFor, r.rowsH, r.rowsScale = ix, h, scale
	r.rows = append(r.rows[:0], make([]rowsOf, ix.Len())...)
	edge := func(p int32) int32 {
		return int32(int64(ix.Procs-min(int(p), ix.Procs)) * int64(h) * 256 / int64(ix.Procs))
	}
	for i := range r.rows {
		q := rowsOf{edge(ix.first[i] + ix.count[i]), edge(ix.first[i])}
		switch high := float64(q.y1-q.y0) / 256; {
		case high > 2.4*scale:
			q.y1 -= int32(.8 * scale * 256)
		case high > 1.4*scale:
			q.y1 -= int32(.35 * scale * 256)
		}
		r.rows[i] = q
	}
}

// Draw draws the pane. Every pixel takes the colour of the job that covers
// most of it, mixed with the ground by how much of the pixel all jobs cover;
// so one rule serves single jobs and thousands on a pixel.
func (r *Raster) Draw(ix *Index, v View, p *Paint) Drawn {
	r.reset(v.W, v.H)
	if v.To <= v.From || v.W <= 0 || v.H <= 0 || ix.Procs < 1 {
		r.finish(p)
		return Drawn{}
	}
	r.setRows(ix, v.H, v.Scale)
	perSecond := float64(v.W) / float64(v.To-v.From)
	lo, hi := ix.Range(v.From, v.To)
	d := Drawn{Density: ix.density(lo, hi, v, perSecond)}
	for i := lo; i < hi; i++ {
		if ix.end[i] <= v.From {
			continue
		}
		d.Rects++
		b, wide := r.boxOf(ix, i, v, perSecond, d.Density)
		if b.x1 <= b.x0 || b.y1 <= b.y0 {
			continue
		}
		r.add(b, ix.job[i])
		if wide < notchWidth*v.Scale || !ix.main[i] {
			continue
		}
		x, y := float64(b.x0)/65536, float64(b.y0)/256
		w, h := float64(b.x1-b.x0)/65536, float64(b.y1-b.y0)/256
		if p.Backfilled != nil && p.Backfilled[ix.job[i]] && h > notchHeight*v.Scale && ix.start[i] >= v.From {
			r.marks = append(r.marks, mark{int(x + .5), int(y + .5), ix.job[i]})
		}
		if w >= labelWidth*v.Scale && h >= labelHeight*v.Scale {
			d.Labels = append(d.Labels, Label{x, y, w, h, ix.job[i]})
		}
	}
	r.finish(p)
	r.notches(p, int(notchSize*v.Scale+.5))
	return d
}

// density says whether the median job in view is narrower than 2 px, judged
// by at most 511 rectangles at equal distances.
func (ix *Index) density(lo, hi int, v View, perSecond float64) bool {
	step := max(1, (hi-lo)/511)
	var w []float64
	for i := lo; i < hi; i += step {
		if ix.end[i] > v.From {
			w = append(w, float64(ix.end[i]-ix.start[i])*perSecond)
		}
	}
	if len(w) == 0 {
		return false
	}
	slices.Sort(w)
	return w[len(w)/2] < densityBelow*v.Scale
}

// add lets job cover box b: pixels inside are set, pixels at the edges
// collect how much of them is covered.
func (r *Raster) add(b box, job int32) {
	r0, r1 := b.y0>>8, (b.y1-1)>>8 // first and last row
	top, bottom := uint32((r0+1)<<8-b.y0), uint32(b.y1-r1<<8)
	if r0 == r1 {
		top, bottom = uint32(b.y1-b.y0), 0
	}
	for c := b.x0 >> 16; c<<16 < b.x1; c++ {
		x0, x1 := c<<16, (c+1)<<16
		if x0 < b.x0 {
			x0 = b.x0
		}
		if x1 > b.x1 {
			x1 = b.x1
		}
		wide := uint32(x1 - x0)
		column := r.cells[int(c)*r.H+int(r0) : int(c)*r.H+int(r1)+1]
		column[0].cover(wide*top, job)
		if bottom == 0 {
			continue
		}
		last := len(column) - 1
		column[last].cover(wide*bottom, job)
		inside := column[1:last]
		if wide == 65536 {
			for i := range inside {
				inside[i] = cell{full, full, job}
			}
			continue
		}
		for i := range inside {
			inside[i].cover(wide<<8, job)
		}
	}
}

// cover adds c to what is covered; the job that covers most is kept.
func (x *cell) cover(c uint32, job int32) {
	if x.cov += c; x.cov > full {
		x.cov = full
	}
	if c > x.best || c == full {
		x.best, x.job = c, job
	}
}

// finish turns coverage into colours.
func (r *Raster) finish(p *Paint) {
	w, h := r.W, r.H
	if len(p.Ground) < w {
		return
	}
	hatch := p.Hatch.pixel()
	for x := range w {
		column := r.cells[x*h : (x+1)*h]
		ground, idle := p.Ground[x].pixel(), p.Idle != nil && p.Idle[x]
		for y := range column {
			c := &column[y]
			at := y*w + x
			switch {
			case c.cov == 0:
				r.Pix[at] = ground
				if idle && (x+y)&7 < 2 {
					r.Pix[at] = hatch
				}
			case c.cov >= full:
				r.Pix[at] = p.Jobs[c.job].pixel()
			default:
				r.Pix[at] = blend(ground, p.Jobs[c.job].pixel(), c.cov>>16)
			}
		}
	}
}

// blend mixes two pixels; t runs from 0 to 256.
func blend(a, b, t uint32) uint32 {
	const odd = 0xff00ff
	lo := (a&odd*(256-t) + b&odd*t) >> 8 & odd
	g := (a>>8&0xff*(256-t) + b>>8&0xff*t) >> 8
	return 0xff000000 | lo | g<<8
}

// notches draws the corner marks of backfilled jobs.
func (r *Raster) notches(p *Paint, size int) {
	for _, m := range r.marks {
		c := p.Jobs[m.job]
		col := Mix(c, Ink(c), .8).pixel()
		for y := 0; y < size; y++ {
			for x := 0; x < size-y; x++ {
				if px, py := m.x+x, m.y+y; px < r.W && r.At(px, py) == int(m.job) {
					r.Pix[py*r.W+px] = col
				}
			}
		}
	}
}
