package draw

import (
	"slices"
	"unsafe"

	"batchlab/core/model"
)

// View is the window of a Gantt pane: a span of time over some processors or all, on
// a raster of W × H device pixels.
type View struct {
	From, To  model.Time
	Low, High int // the lowest processor and the one above the highest; equal: all
	W, H      int
	Scale     float64 // device pixels per page pixel
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

// Bitmap is a picture of W × H device pixels: RGBA, little-endian, row by row.
type Bitmap struct {
	W, H int
	Pix  []uint32
}

// Size makes room for w × h pixels, which hold anything.
func (m *Bitmap) Size(w, h int) {
	if cap(m.Pix) < w*h {
		m.Pix = make([]uint32, w*h)
	}
	m.W, m.H, m.Pix = w, h, m.Pix[:w*h]
}

// Bytes returns the pixels as RGBA bytes without copying.
func (m *Bitmap) Bytes() []byte {
	if len(m.Pix) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&m.Pix[0])), 4*len(m.Pix))
}

// Raster is the picture of a Gantt pane: one colour and one job a pixel.
type Raster struct {
	Bitmap

	// Column by column, since most rectangles are higher than wide; a column has
	// rows entries, two more than pixels, so that what ends at its foot fits.
	rows  int
	cov   []int64  // how much more is covered than of the pixel above
	best  []uint64 // what the job that covers most of it covers << 32 | that job; 0: nothing
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
	perSecond, right, least, notchFrom       int
	gapFrom, gap, slitFrom, slit             int
	rowGapFrom, rowGap, rowSlitFrom, rowSlit int
}

// Sizes in page pixels.
const (
	densityBelow = 2.0
	labelWidth   = 34.0
	labelHeight  = 13.0
	notchWidth   = 9.0
	notchHeight  = 7.0
	notchSize    = 5.0
	leastWidth   = .6
)

// Fixed points: a pixel is 2^16 wide and 2^8 high; what a second is wide has
// perBits more bits, so that products of at most three views' seconds fit.
const (
	full    = 1 << 24 // a pixel that is covered wholly
	perBits = 30
)

// lowRows is the height in pixels up to which a job is drawn without a loop.
const lowRows = 4

type mark struct {
	x, y int
	job  int32
}

// At returns the job that dominates a device pixel, −1 where none is and while
// the picture is not finished. Index.Job says which attempt it is.
func (r *Raster) At(x, y int) int {
	if !r.done || x < 0 || y < 0 || x >= r.W || y >= r.H {
		return -1
	}
	if k := r.best[x*r.rows+y]; k>>32 > 0 {
		return int(int32(uint32(k)))
	}
	return -1
}

func (r *Raster) reset(w, h int) {
	r.Size(w, h)
	r.rows = h + lowRows + 1
	n := w * r.rows
	if cap(r.best) < n {
		r.cov, r.best = make([]int64, n), make([]uint64, n)
	}
	r.cov, r.best = r.cov[:n], r.best[:n]
	clear(r.cov)
	clear(r.best)
	r.marks = r.marks[:0]
}

// box is a rectangle on the raster: x in 1/65536, y in 1/256 of a pixel.
type box struct{ X0, X1, Y0, Y1 int }

// Set prepares where times and processors stand: the lowest processor at the bottom,
// those that are not in view below or above everything.
func (r *Raster) Set(procs int, v View) {
	r.view = v
	wide := func(page float64) int { return int(page * v.Scale * 65536) }
	high := func(page float64) int { return int(page * v.Scale * 256) }
	r.perSecond = v.W << (16 + perBits) / max(1, int(v.To-v.From))
	r.right = v.W << 16
	r.gapFrom, r.gap = wide(3), wide(1)
	r.slitFrom, r.slit = wide(1.5), wide(.4)
	r.least, r.notchFrom = 0, wide(notchWidth)
	r.rowGapFrom, r.rowGap = high(2.4), high(.8)
	r.rowSlitFrom, r.rowSlit = high(1.4), high(.35)
	if cap(r.edges) <= procs {
		r.edges = make([]int32, procs+1)
	}
	r.edges = r.edges[:procs+1]
	from, to := v.Low, v.High
	if from >= to {
		from, to = 0, procs
	}
	for p := range r.edges {
		r.edges[p] = int32(int64(to-min(to, max(from, p))) * int64(v.H) * 256 / int64(to-from))
	}
}

// Seen keeps everything wide enough to be seen.
func (r *Raster) Seen() { r.least = int(leastWidth * 65536 * r.view.Scale) }

// across places a rectangle in time, in 1/65536 of a pixel: a gap of about a
// page pixel is left to its right where there is room, and nothing is thinner
// than can be seen unless coverage is what is shown. wide is the width that it
// has without gap and cut; what lies more than the view's width outside the
// view does not count.
func (r *Raster) across(start, end model.Time) (x0, x1, wide int) {
	v := &r.view
	span := v.To - v.From
	x0 = int(max(start-v.From, -span)) * r.perSecond >> perBits
	x1 = int(min(end-v.From, 2*span)) * r.perSecond >> perBits
	wide = x1 - x0
	switch {
	case wide > r.gapFrom:
		x1 -= r.gap
	case wide > r.slitFrom:
		x1 -= r.slit
	case wide < r.least:
		x1 = x0 + r.least
	}
	return max(x0, 0), min(x1, r.right), wide
}

// down places processors, in 1/256 of a pixel, with a gap below them where
// there is room.
func (r *Raster) down(first, count int32) (y0, y1 int) {
	end := first + count
	if top := int32(len(r.edges) - 1); end > top {
		end, first = top, min(first, top)
	}
	y0, y1 = int(r.edges[end]), int(r.edges[first])
	switch high := y1 - y0; {
	case high > r.rowGapFrom:
		y1 -= r.rowGap
	case high > r.rowSlitFrom:
		y1 -= r.rowSlit
	}
	return y0, y1
}

// BoxOf places rectangle i.
func (r *Raster) BoxOf(ix *Index, i int) box {
	var b box
	b.X0, b.X1, _ = r.across(ix.All[i].Start, ix.All[i].End)
	b.Y0, b.Y1 = r.down(ix.All[i].First, ix.All[i].Count)
	return b
}

// Draw draws the pane. Every pixel takes the colour of the job that covers
// most of it, mixed with the ground by how much of the pixel all jobs cover;
// so one rule serves single jobs and thousands on a pixel.
func (r *Raster) Draw(ix *Index, v View, p *Paint) Drawn {
	r.Begin(ix, v, p)
	for !r.PaintJobs(1 << 30) {
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
	r.Set(ix.Procs, v)
	r.next, r.end = ix.Range(v.From, v.To)
	r.drawn.Density = ix.density(r.next, r.end, v)
	if !r.drawn.Density {
		r.Seen()
	}
}

// Drawn says what the finished picture shows.
func (r *Raster) Drawn() Drawn { return r.drawn }

// PaintJobs draws about most rectangles more and says whether the picture is
// finished.
//
// The loop does what boxOf says, written out: in WebAssembly a call costs as
// much as the work in it, and so does every jump. What is covered is noted
// where it changes down a column and summed up in the end.
func (r *Raster) PaintJobs(most int) bool {
	if r.done {
		return true
	}
	ix, v, p, d := r.ix, r.view, r.paint, &r.drawn
	last := min(r.end, r.next+most)
	cov, best, edges, rows := r.cov, r.best, r.edges, r.rows
	from, span, perSecond, right := v.From, v.To-v.From, r.perSecond, r.right
	gapFrom, slitFrom, least, notchFrom := r.gapFrom, r.slitFrom, r.least, r.notchFrom
	rowGapFrom, rowGap, rowSlitFrom, rowSlit := r.rowGapFrom, r.rowGap, r.rowSlitFrom, r.rowSlit
	rects := 0
	all := ix.All[r.next:last]
	for i := range all {
		q := &all[i]
		if q.End <= from {
			continue
		}
		rects++
		x0 := int(max(q.Start-from, -span)) * perSecond >> perBits
		x1 := int(min(q.End-from, 2*span)) * perSecond >> perBits
		wide := x1 - x0
		if wide > slitFrom {
			if wide > gapFrom {
				x1 -= r.gap
			} else {
				x1 -= r.slit
			}
		} else {
			x1 = max(x1, x0+least)
		}
		x0, x1 = max(x0, 0), min(x1, right)

		low, high := int(q.First), int(q.First+q.Count)
		if high >= len(edges) {
			high = len(edges) - 1
			low = min(low, high)
		}
		y0, y1 := int(edges[high]), int(edges[low])
		gap := 0
		if y1-y0 > rowSlitFrom {
			gap = rowSlit
		}
		if y1-y0 > rowGapFrom {
			gap = rowGap
		}
		y1 -= gap
		if x1 <= x0 || y1 <= y0 {
			continue
		}
		r0, top := y0>>8, y0&255
		y1 -= r0 << 8
		n, bottom, job := y1>>8, y1&255, uint64(uint32(q.Job))
		at := x0>>16*rows + r0
		if n < lowRows && x1 <= x0&^65535+65536 {
			// Most are thin and low: rows that they do not reach are covered by 0.
			part := x1 - x0
			c := cov[at : at+lowRows+1]
			c[0] += int64(part * (256 - top))
			c[1] += int64(part * top)
			c[n] -= int64(part * (256 - bottom))
			c[n+1] -= int64(part * bottom)
			b := (*[lowRows]uint64)(best[at:])
			b[0] = max(b[0], uint64(part*(min(y1, 256)-top))<<32|job)
			b[1] = max(b[1], uint64(part*min(max(y1-256, 0), 256))<<32|job)
			b[2] = max(b[2], uint64(part*min(max(y1-512, 0), 256))<<32|job)
			b[3] = max(b[3], uint64(part*max(y1-768, 0))<<32|job)
			continue
		}
		for ; x0 < x1; at += rows {
			next := min(x1, x0&^65535+65536)
			part := next - x0
			x0 = next
			c := cov[at : at+n+2]
			c[0] += int64(part * (256 - top))
			c[1] += int64(part * top)
			c[n] -= int64(part * (256 - bottom))
			c[n+1] -= int64(part * bottom)
			b := best[at : at+n+1]
			b[0] = max(b[0], uint64(part*(min(y1, 256)-top))<<32|job)
			if n > 0 {
				b[n] = max(b[n], uint64(part*bottom)<<32|job)
				cover(b[1:n], uint64(part)<<40|job)
			}
		}
		if wide < notchFrom || !q.Main {
			continue
		}
		b := r.BoxOf(ix, r.next+i)
		x, y := float64(b.X0)/65536, float64(b.Y0)/256
		w, h := float64(b.X1-b.X0)/65536, float64(b.Y1-b.Y0)/256
		if p.marked(q.Job) && h > notchHeight*v.Scale && q.Start >= v.From {
			r.marks = append(r.marks, mark{int(x + .5), int(y + .5), q.Job})
		}
		if w >= labelWidth*v.Scale && h >= labelHeight*v.Scale && int(q.Job) < len(ix.columns.Start) {
			d.Labels = append(d.Labels, Label{x, y, w, h, q.Job})
		}
	}
	d.Rects += rects
	r.next = last
	if last < r.end {
		return false
	}
	r.finish(p)
	r.done = true
	r.notches(p, int(notchSize*v.Scale+.5))
	return true
}

// cover keeps the greater of key and what each pixel has: the job that covers
// most of it, of equals the later one. Eight at a time, without a jump.
func cover(best []uint64, key uint64) {
	for len(best) >= 8 {
		b := best[:8]
		b[0], b[1], b[2], b[3] = max(b[0], key), max(b[1], key), max(b[2], key), max(b[3], key)
		b[4], b[5], b[6], b[7] = max(b[4], key), max(b[5], key), max(b[6], key), max(b[7], key)
		best = best[8:]
	}
	for i := range best {
		best[i] = max(best[i], key)
	}
}

// marked says whether a job has a corner notch.
func (p *Paint) marked(job int32) bool {
	return int(job) < len(p.Backfilled) && p.Backfilled[job]
}

// density says whether the median job in view is narrower than 2 px, judged
// by at most 511 rectangles at equal distances.
func (ix *Index) density(lo, hi int, v View) bool {
	step := max(1, (hi-lo)/511)
	w := make([]model.Time, 0, min(hi-lo, 1024))
	for i := lo; i < hi; i += step {
		if q := &ix.All[i]; q.End > v.From && (v.Low >= v.High || int(q.First) < v.High && int(q.First+q.Count) > v.Low) {
			w = append(w, q.End-q.Start)
		}
	}
	if len(w) == 0 {
		return false
	}
	slices.Sort(w)
	return float64(w[len(w)/2])*float64(v.W)/float64(v.To-v.From) < densityBelow*v.Scale
}

// finish turns coverage into colours.
func (r *Raster) finish(p *Paint) {
	w, h := r.W, r.H
	if len(p.Ground) < w {
		return
	}
	jobs := p.Jobs
	if len(jobs) == 0 {
		jobs = []Color{0} // of pixels that nothing covers
	}
	for x := range w {
		cov, best := r.cov[x*r.rows:][:h], r.best[x*r.rows:][:h]
		ground := p.Ground[x].Pixel()
		sum, pix := int64(0), r.Pix[x:]
		for y, c := range cov {
			sum += c
			pix[y*w] = Blend(ground, jobs[uint32(best[y])].Pixel(), uint32(min(sum, full)>>16))
		}
		if p.Idle == nil || !p.Idle[x] {
			continue
		}
		for y, b := range best {
			if b>>32 == 0 && (x+y)&7 < 2 {
				pix[y*w] = p.Hatch.Pixel()
			}
		}
	}
}

// Blend mixes two pixels; t runs from 0 to 256.
func Blend(a, b, t uint32) uint32 {
	const odd = 0xff00ff
	lo := (a&odd*(256-t) + b&odd*t) >> 8 & odd
	g := (a>>8&0xff*(256-t) + b>>8&0xff*t) >> 8
	return 0xff000000 | lo | g<<8
}

// notches draws the corner marks of backfilled jobs.
func (r *Raster) notches(p *Paint, size int) {
	for _, m := range r.marks {
		c := p.Jobs[m.job]
		col := Mix(c, Ink(c), .8).Pixel()
		for y := 0; y < size; y++ {
			for x := 0; x < size-y; x++ {
				if px, py := m.x+x, m.y+y; px < r.W && r.At(px, py) == int(m.job) {
					r.Pix[py*r.W+px] = col
				}
			}
		}
	}
}
