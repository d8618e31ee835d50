package draw

import (
	"sort"

	"batchlab/core/model"
	"batchlab/core/report"
)

// Steps answers for any span of time what the mean and the greatest number of
// busy processors or waiting jobs were: a step function with its running
// integral, so that a mean costs two binary searches.
type Steps struct {
	at    []model.Time
	value []int32
	sum   []int64 // integral from at[0] to at[i]
	most  []int32 // greatest value of each block of steps
}

// block is how many steps share one greatest value.
const block = 256

// NewSteps makes the step function that has value[i] from at[i] on and is 0
// before at[0]. It keeps the slices.
func NewSteps(at []model.Time, value []int32) *Steps {
	s := &Steps{at: at, value: value, sum: make([]int64, len(at)), most: make([]int32, (len(at)+block-1)/block)}
	for i, v := range value {
		if i%block == 0 || v > s.most[i/block] {
			s.most[i/block] = v
		}
	}
	for i := 1; i < len(at); i++ {
		s.sum[i] = s.sum[i-1] + int64(value[i-1])*int64(at[i]-at[i-1])
	}
	return s
}

// UsedAndWaiting returns the step functions of a run, from the whole series
// when the run carries it, else from the reduced one.
func UsedAndWaiting(r *report.Run) (used, waiting *Steps) {
	s := &r.Columns.Full
	if len(s.At) == 0 {
		s = &r.Series
	}
	return NewSteps(s.At, s.Used), NewSteps(s.At, s.Waiting)
}

// find returns the step that holds at t, −1 before the first.
func (s *Steps) find(t model.Time) int {
	return sort.Search(len(s.at), func(i int) bool { return s.at[i] > t }) - 1
}

// Value returns the value at t.
func (s *Steps) Value(t model.Time) int32 {
	if i := s.find(t); i >= 0 {
		return s.value[i]
	}
	return 0
}

// next is find for a time that is not before step i.
func (s *Steps) next(i int, t model.Time) int {
	by := 1
	for i+by < len(s.at) && s.at[i+by] <= t {
		i += by
		by *= 2
	}
	for by > 1 {
		if by /= 2; i+by < len(s.at) && s.at[i+by] <= t {
			i += by
		}
	}
	return i
}

func (s *Steps) integral(t float64) float64 { return s.integralAt(s.find(model.Time(t)), t) }

// integralAt is the integral to t, when step i holds at t.
func (s *Steps) integralAt(i int, t float64) float64 {
	if i < 0 {
		return 0
	}
	return float64(s.sum[i]) + float64(s.value[i])*(t-float64(s.at[i]))
}

// Mean returns the mean value over [from, to).
func (s *Steps) Mean(from, to float64) float64 {
	if to <= from {
		return float64(s.Value(model.Time(from)))
	}
	return (s.integral(to) - s.integral(from)) / (to - from)
}

// Max returns the greatest value that holds anywhere in [from, to).
func (s *Steps) Max(from, to model.Time) int32 {
	i := s.find(from)
	m := int32(0)
	if i >= 0 {
		m = s.value[i]
	}
	end := s.find(to-1) + 1
	for i++; i < end; i++ {
		if i%block == 0 && i+block <= end {
			m = max(m, s.most[i/block])
			i += block - 1
			continue
		}
		m = max(m, s.value[i])
	}
	return m
}

// Columns returns the mean value of each of n equal parts of [from, to).
func (s *Steps) Columns(from, to model.Time, n int) []float64 {
	out := make([]float64, n)
	step := float64(to-from) / float64(n)
	at := s.find(from)
	left := s.integralAt(at, float64(from))
	for i := range out {
		t := float64(from) + float64(i+1)*step
		at = s.next(at, model.Time(t))
		right := s.integralAt(at, t)
		if step > 0 {
			out[i] = (right - left) / step
		}
		left = right
	}
	return out
}

// M4 keeps of a step series at most four points of each of n equal parts of
// [from, to): the first, the least, the greatest and the last, so that the
// line looks the same on n pixels. The step that holds at from comes first,
// moved to from; the last one is repeated at to.
func (s *Steps) M4(from, to model.Time, n int) (at []float64, value []float64) {
	if n < 1 || to <= from {
		return nil, nil
	}
	i := s.find(from)
	add := func(t model.Time, v int32) { at, value = append(at, float64(t)), append(value, float64(v)) }
	last := int32(0)
	if i >= 0 {
		last = s.value[i]
	}
	add(from, last)
	i++
	for i < len(s.at) && s.at[i] < to {
		col := int64(s.at[i]-from) * int64(n) / int64(to-from)
		end := min(to, from+model.Time(((col+1)*int64(to-from)+int64(n)-1)/int64(n))) // where the next column begins
		j, lo, hi := i, i, i
		for ; j < len(s.at) && s.at[j] < end; j++ {
			if s.value[j] < s.value[lo] {
				lo = j
			}
			if s.value[j] > s.value[hi] {
				hi = j
			}
		}
		a, b := min(lo, hi), max(lo, hi)
		add(s.at[i], s.value[i])
		if a != i && a != j-1 {
			add(s.at[a], s.value[a])
		}
		if b != a && b != i && b != j-1 {
			add(s.at[b], s.value[b])
		}
		if j-1 != i {
			add(s.at[j-1], s.value[j-1])
		}
		last = s.value[j-1]
		i = j
	}
	add(to, last)
	return at, value
}

// StripPaths returns two SVG paths of a strip whose column i has value v[i]:
// the line, and the area under it. The strip spans [x, x+width] and hangs from
// top (limit) to top+height (0).
func StripPaths(v []float64, limit, x, top, width, height float64) (line, area string) {
	if len(v) == 0 || limit <= 0 {
		return "", ""
	}
	var p Path
	step := width / float64(len(v))
	var before float64
	for i, a := range v {
		y := top + height - min(1, a/limit)*height
		switch {
		case i == 0:
			p.Cmd('M', x, y)
		case y != before:
			p.Cmd('V', y)
		default:
			p.Cmd('H', x+float64(i+1)*step)
			before = y
			continue
		}
		p.Cmd('H', x+float64(i+1)*step)
		before = y
	}
	line = string(p.B)
	p.Cmd('V', top+height)
	p.Cmd('H', x)
	p.B = append(p.B, 'Z')
	return line, string(p.B)
}

// LeastBar is the height in page pixels below which a difference is not drawn.
const LeastBar = .2

// DifferencePaths returns the bars of a − b around a middle line: up where a
// is greater, down where b is. A value of limit fills half the height.
func DifferencePaths(a, b []float64, limit, x, top, width, height float64) (up, down string) {
	var u, d Path
	n := min(len(a), len(b))
	if n == 0 || limit <= 0 {
		return "", ""
	}
	step, mid := width/float64(n), top+height/2
	for i := range n {
		h := max(-1, min(1, (a[i]-b[i])/limit)) * height / 2
		p := &u
		if h < 0 {
			p = &d
		}
		if h*h < LeastBar*LeastBar {
			continue
		}
		p.Cmd('M', x+float64(i)*step, mid)
		p.Cmd('v', -h)
		p.Cmd('h', step)
		p.Cmd('v', h)
		p.B = append(p.B, 'z')
	}
	return string(u.B), string(d.B)
}
