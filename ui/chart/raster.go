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
	Pix       []uint32 // RGBA, little-endian
	Job       []int32  // job that dominates the pixel, −1 none
	cov, best []uint32
	rowEdge   []int32
	marks     []mark
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

// At returns the job under a device pixel, −1 where none is.
func (r *Raster) At(x, y int) int {
	if x < 0 || y < 0 || x >= r.W || y >= r.H {
		return -1
	}
	return int(r.Job[y*r.W+x])
}

func (r *Raster) reset(w, h int) {
	n := w * h
	if cap(r.Pix) < n {
		r.Pix, r.Job, r.cov, r.best = make([]uint32, n), make([]int32, n), make([]uint32, n), make([]uint32, n)
	}
	r.W, r.H = w, h
	r.Pix, r.Job, r.cov, r.best = r.Pix[:n], r.Job[:n], r.cov[:n], r.best[:n]
	clear(r.cov)
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
	switch s := v.Scale; {
	case wide > 3*s:
		right -= s
	case wide > 1.5*s:
		right -= .4 * s
	case !density && wide < leastWidth*s:
		right = left + leastWidth*s
	}
	left, right = max(0, left), min(float64(v.W), right)
	b.x0, b.x1 = int32(left*65536), int32(right*65536)
	p := min(int(ix.first[i]), ix.Procs)
	q := min(int(ix.first[i]+ix.count[i]), ix.Procs)
	b.y0, b.y1 = r.rowEdge[q], r.rowEdge[p]
	switch high, s := float64(b.y1-b.y0)/256, v.Scale; {
	case high > 2.4*s:
		b.y1 -= int32(.8 * s * 256)
	case high > 1.4*s:
		b.y1 -= int32(.35 * s * 256)
	}
	return b, wide
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
	r.setRows(ix.Procs, v.H)
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

// setRows notes where each processor begins; processor 0 stands at the bottom.
func (r *Raster) setRows(procs, h int) {
	r.rowEdge = r.rowEdge[:0]
	for q := 0; q <= procs; q++ {
		r.rowEdge = append(r.rowEdge, int32(int64(procs-q)*int64(h)*256/int64(procs)))
	}
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
	w := int32(r.W)
	c0, c1 := b.x0>>16, (b.x1-1)>>16
	first, last := uint32((c0+1)<<16-b.x0), uint32(b.x1-c1<<16)
	if c0 == c1 {
		first = uint32(b.x1 - b.x0)
	}
	for row := b.y0 >> 8; row<<8 < b.y1; row++ {
		high := uint32(min(b.y1, (row+1)<<8) - max(b.y0, row<<8))
		at := row * w
		if c0 == c1 && first < 65536 {
			r.cover(at+c0, first*high, job)
			continue
		}
		in0, in1 := at+c0, at+c1+1
		if first < 65536 {
			r.cover(in0, first*high, job)
			in0++
		}
		if last < 65536 {
			in1--
			r.cover(in1, last*high, job)
		}
		if high < 256 {
			for i := in0; i < in1; i++ {
				r.cover(i, 65536*high, job)
			}
			continue
		}
		cov, best, jobs := r.cov[in0:in1], r.best[in0:in1], r.Job[in0:in1]
		for i := range cov {
			cov[i] = full
		}
		for i := range best {
			best[i] = full
		}
		for i := range jobs {
			jobs[i] = job
		}
	}
}

func (r *Raster) cover(i int32, c uint32, job int32) {
	have := r.cov[i]
	r.cov[i] = min(full, have+c)
	if have == 0 || c > r.best[i] {
		r.best[i], r.Job[i] = c, job
	}
}

// finish turns coverage into colours.
func (r *Raster) finish(p *Paint) {
	w := r.W
	if len(p.Ground) < w {
		return
	}
	ground := make([]uint32, w)
	for x := range ground {
		ground[x] = p.Ground[x].pixel()
	}
	hatch := p.Hatch.pixel()
	for y := 0; y < r.H; y++ {
		cov, pix, jobs := r.cov[y*w:(y+1)*w], r.Pix[y*w:(y+1)*w], r.Job[y*w:(y+1)*w]
		for x, c := range cov {
			switch {
			case c == 0:
				jobs[x] = -1
				pix[x] = ground[x]
				if p.Idle != nil && p.Idle[x] && (x+y)&7 < 2 {
					pix[x] = hatch
				}
			case c >= full:
				pix[x] = p.Jobs[jobs[x]].pixel()
			default:
				pix[x] = blend(ground[x], p.Jobs[jobs[x]].pixel(), c>>16)
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
				if px, py := m.x+x, m.y+y; px < r.W && py < r.H && r.Job[py*r.W+px] == m.job {
					r.Pix[py*r.W+px] = col
				}
			}
		}
	}
}
