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
	W, H  int
	Pix   []uint32 // RGBA, little-endian, row by row
	cov   []uint32 // what covers each pixel, column by column: most rectangles are higher than wide
	best  []uint64 // what the job that covers most of it covers << 32 | that job; means nothing while cov is 0
	edges []int32  // by processor: its lower edge in 1/256 pixel, of the top the last
	marks []mark

	// The drawing under way: see Begin.
	ix        *Index
	view      View
	paint     *Paint
	next, end int
	drawn     Drawn
	done      bool

	// See set. Widths in 1/65536 of a pixel, heights in 1/256.
	perSecond, right, least, notchFrom       float64
	gapFrom, gap, slitFrom, slit             float64
	rowGapFrom, rowGap, rowSlitFrom, rowSlit int32
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

// At returns the job that dominates a device pixel, −1 where none is and while
// the picture is not finished. Index.Job says which attempt it is.
func (r *Raster) At(x, y int) int {
	if !r.done || x < 0 || y < 0 || x >= r.W || y >= r.H {
		return -1
	}
	if at := x*r.H + y; r.cov[at] > 0 {
		return int(int32(uint32(r.best[at])))
	}
	return -1
}

func (r *Raster) reset(w, h int) {
	n := w * h
	if cap(r.Pix) < n {
		r.Pix, r.cov, r.best = make([]uint32, n), make([]uint32, n), make([]uint64, n)
	}
	r.W, r.H = w, h
	r.Pix, r.cov, r.best = r.Pix[:n], r.cov[:n], r.best[:n]
	clear(r.cov)
	clear(r.best)
	r.marks = r.marks[:0]
}

// box is a rectangle on the raster: x in 1/65536, y in 1/256 of a pixel.
type box struct{ x0, x1, y0, y1 int32 }

// set prepares where times and processors stand: processor 0 at the bottom.
func (r *Raster) set(procs int, v View) {
	r.view = v
	r.perSecond = float64(v.W) / float64(max(1, v.To-v.From)) * 65536
	r.right = float64(v.W) * 65536
	r.gapFrom, r.gap = 3*v.Scale*65536, v.Scale*65536
	r.slitFrom, r.slit = 1.5*v.Scale*65536, .4*v.Scale*65536
	r.least = 0
	r.notchFrom = notchWidth * v.Scale * 65536
	r.rowGapFrom, r.rowGap = int32(2.4*256*v.Scale), int32(.8*256*v.Scale)
	r.rowSlitFrom, r.rowSlit = int32(1.4*256*v.Scale), int32(.35*256*v.Scale)
	if cap(r.edges) <= procs {
		r.edges = make([]int32, procs+1)
	}
	r.edges = r.edges[:procs+1]
	for p := range r.edges {
		r.edges[p] = int32(int64(procs-p) * int64(v.H) * 256 / int64(procs))
	}
}

// across places a rectangle in time, in 1/65536 of a pixel: a gap of about a
// page pixel is left to its right where there is room, and nothing is thinner
// than can be seen unless coverage is what is shown. wide is the width that it
// has without gap and cut.
func (r *Raster) across(start, end model.Time) (x0, x1 int32, wide float64) {
	left, right := float64(start-r.view.From)*r.perSecond, float64(end-r.view.From)*r.perSecond
	wide = right - left
	// Plain comparisons: max and min of floats are slow in wasm.
	if wide > r.slitFrom {
		if wide > r.gapFrom {
			right -= r.gap
		} else {
			right -= r.slit
		}
	} else if wide < r.least {
		right = left + r.least
	}
	if left < 0 {
		left = 0
	}
	if right > r.right {
		right = r.right
	}
	return int32(left), int32(right), wide
}

// down places processors, in 1/256 of a pixel, with a gap below them where
// there is room.
func (r *Raster) down(first, count int32) (y0, y1 int32) {
	end := first + count
	if top := int32(len(r.edges) - 1); end > top {
		end, first = top, min(first, top)
	}
	y0, y1 = r.edges[end], r.edges[first]
	if high := y1 - y0; high > r.rowSlitFrom {
		if high > r.rowGapFrom {
			return y0, y1 - r.rowGap
		}
		return y0, y1 - r.rowSlit
	}
	return y0, y1
}

// boxOf places rectangle i.
func (r *Raster) boxOf(ix *Index, i int) box {
	var b box
	b.x0, b.x1, _ = r.across(ix.start[i], ix.end[i])
	b.y0, b.y1 = r.down(ix.first[i], ix.count[i])
	return b
}

// Draw draws the pane. Every pixel takes the colour of the job that covers
// most of it, mixed with the ground by how much of the pixel all jobs cover;
// so one rule serves single jobs and thousands on a pixel.
func (r *Raster) Draw(ix *Index, v View, p *Paint) Drawn {
	r.Begin(ix, v, p)
	for !r.Step(1 << 30) {
	}
	return r.Drawn()
}

// Begin begins what Draw does in one go; Step goes on with it. Until it is
// finished Pix and At do not hold.
func (r *Raster) Begin(ix *Index, v View, p *Paint) {
	r.reset(v.W, v.H)
	r.ix, r.view, r.paint, r.done = ix, v, p, false
	r.next, r.end, r.drawn = 0, 0, Drawn{}
	if v.To <= v.From || v.W <= 0 || v.H <= 0 || ix.Procs < 1 {
		return
	}
	r.set(ix.Procs, v)
	r.next, r.end = ix.Range(v.From, v.To)
	r.drawn.Density = ix.density(r.next, r.end, v, r.perSecond/65536)
	if !r.drawn.Density {
		r.least = leastWidth * v.Scale * 65536
	}
}

// Drawn says what the finished picture shows.
func (r *Raster) Drawn() Drawn { return r.drawn }

// Step draws about most rectangles more and says whether the picture is
// finished.
func (r *Raster) Step(most int) bool {
	if r.done {
		return true
	}
	ix, v, p, d := r.ix, r.view, r.paint, &r.drawn
	last := r.end
	if most < last-r.next {
		last = r.next + most
	}
	start, end := ix.start[:last], ix.end[:last]
	first, count, jobs := ix.first[:last], ix.count[:last], ix.job[:last]
	high := r.H
	for i := r.next; i < len(start); i++ {
		if end[i] <= v.From {
			continue
		}
		d.Rects++
		x0, x1, wide := r.across(start[i], end[i])
		y0, y1 := r.down(first[i], count[i])
		if x1 <= x0 || y1 <= y0 {
			continue
		}
		if c := x0 >> 16; (x1-1)>>16 == c && y0>>8 != (y1-1)>>8 {
			// Nearly all rectangles of a density view: within one column.
			job, part := jobs[i], uint32(x1-x0)
			r0, r1 := y0>>8, (y1-1)>>8
			from, to := int(c)*high+int(r0), int(c)*high+int(r1)
			r.cover(from, part*uint32((r0+1)<<8-y0), job)
			cover(r.cov[from+1:to], r.best[from+1:to], part<<8, job)
			r.cover(to, part*uint32(y1-r1<<8), job)
		} else {
			r.add(box{x0, x1, y0, y1}, jobs[i])
		}
		if wide < r.notchFrom || !ix.main[i] {
			continue
		}
		x, y := float64(x0)/65536, float64(y0)/256
		w, h := float64(x1-x0)/65536, float64(y1-y0)/256
		if p.marked(jobs[i]) && h > notchHeight*v.Scale && start[i] >= v.From {
			r.marks = append(r.marks, mark{int(x + .5), int(y + .5), jobs[i]})
		}
		if w >= labelWidth*v.Scale && h >= labelHeight*v.Scale && int(jobs[i]) < len(ix.columns.Start) {
			d.Labels = append(d.Labels, Label{x, y, w, h, jobs[i]})
		}
	}
	r.next = last
	if last < r.end {
		return false
	}
	r.finish(p)
	r.done = true
	r.notches(p, int(notchSize*v.Scale+.5))
	return true
}

// marked says whether a job has a corner notch.
func (p *Paint) marked(job int32) bool {
	return int(job) < len(p.Backfilled) && p.Backfilled[job]
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
		from, to := int(c)*r.H+int(r0), int(c)*r.H+int(r1)
		r.cover(from, wide*top, job)
		if bottom == 0 {
			continue
		}
		r.cover(to, wide*bottom, job)
		if wide == 65536 {
			cov, best := r.cov[from+1:to], r.best[from+1:to]
			for i := range cov {
				cov[i], best[i] = full, uint64(full)<<32|uint64(uint32(job))
			}
			continue
		}
		cover(r.cov[from+1:to], r.best[from+1:to], wide<<8, job)
	}
}

// cover adds c to what is covered of a pixel; the job that covers most is kept,
// of equals the later one.
func (r *Raster) cover(at int, c uint32, job int32) {
	cover(r.cov[at:at+1], r.best[at:at+1], c, job)
}

// cover adds c to what is covered of pixels.
func cover(cov []uint32, best []uint64, c uint32, job int32) {
	key := uint64(c)<<32 | uint64(uint32(job))
	best = best[:len(cov)]
	for i := range cov {
		n := cov[i] + c
		if n > full {
			n = full
		}
		cov[i] = n
		if key > best[i] {
			best[i] = key
		}
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
		cov, best := r.cov[x*h:(x+1)*h], r.best[x*h:(x+1)*h]
		ground, idle := p.Ground[x].pixel(), p.Idle != nil && p.Idle[x]
		for y, c := range cov {
			at := y*w + x
			switch {
			case c == 0:
				r.Pix[at] = ground
				if idle && (x+y)&7 < 2 {
					r.Pix[at] = hatch
				}
			case c >= full:
				r.Pix[at] = p.Jobs[uint32(best[y])].pixel()
			default:
				r.Pix[at] = blend(ground, p.Jobs[uint32(best[y])].pixel(), c>>16)
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
