package vary

import (
	"math"
	"slices"
	"strconv"

	"batchlab/core/catalog"
	"batchlab/core/metric"
	"batchlab/core/order"
	"batchlab/ui/result"
	"batchlab/ui/state"
	"batchlab/ui/words"
)

// Axis is what the values of one axis look like.
type Axis struct {
	Name, Unit string
	N          int
	Text       func(k int) string
	At         []float64 // where each stands on a line of numbers; nil: they are choices, side by side
	Order      []int     // places of the values from left to right
	Durations  bool      // they are seconds
	Draws      bool      // each is other random numbers: none is before another, and nothing lies between two
	Log        bool      // they stand at equal quotients
}

// Measure is a measure at all points.
type Measure struct {
	Row  *catalog.Metric
	Sums *result.Sums
	Gaps *result.Gaps // of A against B
}

// Shown is what the view shows of an experiment that varies.
type Shown struct {
	Axes     []Axis
	Over     int   // the axis that lines go over
	Under    int   // the other axis of the map, −1 none
	Choice   []int // of the point that is looked at, by axis
	Point    int
	Points   int
	Done     int // complete points
	Running  bool
	Names    []string
	A, B     int // compared: A against B; B −1 with nothing
	Measures []Measure
	Begun    func(point int) bool // some run of it is there
	Whole    func(point int) bool // all are
	Repeats  int                  // the most pairs of A and B at a point; without B the most different runs
	Drawn    string               // what repetitions were drawn by, "" not
	Partial  bool                 // the sums of some points are not computed yet
}

// sumsAtATime bounds how many points are summed up in one go.
const sumsAtATime = 4000

// Gather collects what the view shows from the page's state; nil when there is
// nothing. Where very many points have come at once only some are summed up, and
// Partial says so: it is to be called again then.
func Gather(s *state.Store) *Shown {
	w := s.SweepNow()
	if w == nil {
		return nil
	}
	d := &Shown{Point: max(0, min(s.View.VaryPoint, w.Points.Len()-1)), Points: w.Points.Len(), Done: w.PointsDone(), Running: s.Sweeping(), Under: -1, Begun: w.Begun, Whole: w.Complete, Names: w.Ran.Labels()}
	d.Axes = axes(s, w)
	d.Choice = w.Points.Choice(d.Point)
	if d.Over = max(0, min(s.View.VaryOver, len(d.Axes)-1)); len(d.Axes) > 1 {
		if d.Under = 0; d.Over == 0 {
			d.Under = 1
		}
	}
	d.A, d.B = s.View.A, s.Baseline()
	if n := len(d.Names); d.A >= n {
		d.A = 0
	}
	if d.B >= len(d.Names) || d.B == d.A {
		d.B = -1
	}
	for _, key := range s.Measures() {
		row := catalog.FindMetric(key)
		if row == nil {
			continue
		}
		m := Measure{Row: row}
		var rest bool
		m.Sums, rest = w.Sums(key, sumsAtATime)
		d.Partial = d.Partial || rest
		if d.B >= 0 {
			m.Gaps, rest = w.Gaps(key, d.A, d.B, sumsAtATime)
			d.Partial = d.Partial || rest
		}
		d.Measures = append(d.Measures, m)
	}
	if len(d.Measures) > 0 {
		if m := &d.Measures[0]; m.Gaps != nil {
			for i := range m.Gaps.Diffs {
				d.Repeats = max(d.Repeats, m.Gaps.Diffs[i].N)
			}
		} else {
			for _, n := range m.Sums.N {
				d.Repeats = max(d.Repeats, int(n))
			}
		}
	}
	if p := w.Ran.Workload.Resample; p != nil {
		d.Drawn = p.Text("by")
	}
	return d
}

// known are the axes of the experiment that was looked at last: working out how
// they are written takes a while.
var known struct {
	of    *result.Sweep
	style int
	axes  []Axis
}

func axes(s *state.Store, w *result.Sweep) (list []Axis) {
	if known.of == w && known.style == words.Version() {
		return known.axes
	}
	for i := range w.Ran.Vary {
		a := &w.Ran.Vary[i]
		x := Axis{Name: s.AxisName(w.Ran, a.Path), Unit: s.AxisUnit(w.Ran, a.Path), N: len(a.Values), Text: s.AxisTexts(w.Ran, a), Durations: s.AxisDurations(w.Ran, a.Path)}
		if x.Draws = a.Path == "seed"; a.Names == nil && !x.Draws {
			x.At = make([]float64, len(a.Values))
			for k, v := range a.Values {
				f, err := strconv.ParseFloat(string(v), 64)
				if err != nil {
					x.At = nil
					break
				}
				x.At[k] = f
			}
		}
		x.arrange()
		list = append(list, x)
	}
	known.of, known.style, known.axes = w, words.Version(), list
	return list
}

// arrange puts the values in order and finds whether they stand at equal
// quotients.
func (a *Axis) arrange() {
	a.Order = make([]int, a.N)
	for k := range a.Order {
		a.Order[k] = k
	}
	if a.At == nil {
		return
	}
	order.Stable(a.Order, func(x, y int) int {
		switch {
		case a.At[x] < a.At[y]:
			return -1
		case a.At[x] > a.At[y]:
			return 1
		}
		return 0
	})
	first, last := a.At[a.Order[0]], a.At[a.Order[a.N-1]]
	if a.N < 4 || first <= 0 || last/first < 15 {
		return
	}
	each := math.Log(last/first) / float64(a.N-1)
	for i := 1; i < a.N; i++ {
		if q := math.Log(a.At[a.Order[i]] / a.At[a.Order[i-1]]); q > 2.5*each {
			return
		}
	}
	a.Log = true
}

// place is where value k stands from 0 to 1.
func (a *Axis) place(k int) float64 {
	if a.At == nil {
		return (float64(k) + .5) / float64(a.N)
	}
	first, last := a.At[a.Order[0]], a.At[a.Order[a.N-1]]
	switch {
	case a.N < 2 || last == first:
		return .5
	case a.Log:
		return math.Log(a.At[k]/first) / math.Log(last/first)
	}
	return (a.At[k] - first) / (last - first)
}

// PointOf is the point with a choice.
func (d *Shown) PointOf(choice []int) int {
	p := 0
	for k, c := range choice {
		p = p*d.Axes[k].N + c
	}
	return p
}

// With is the point that is looked at with another value of an axis.
func (d *Shown) With(axis, value int) int {
	choice := slices.Clone(d.Choice)
	choice[axis] = value
	return d.PointOf(choice)
}

// Value is value k of an axis with its unit.
func (a *Axis) Value(k int) string {
	text := a.Text(k)
	if a.Unit != "" {
		text += " " + a.Unit
	}
	return text
}

// Mean is the mean of a scheduler at a point and the ends of its interval; NaN where
// there is none.
func (m *Measure) Mean(d *Shown, point, scheduler int) (mean, low, high float64) {
	at := point*len(d.Names) + scheduler
	return m.Sums.Mean[at], m.Sums.Low[at], m.Sums.High[at]
}

// band reports whether a scheduler's values at a point are of phases.
func (m *Measure) band(d *Shown, point, scheduler int) bool {
	return m.Sums.Band != nil && m.Sums.Band[point*len(d.Names)+scheduler]
}

// Phases is the most phases that a band is over, 0 without one.
func (d *Shown) Phases() (most int) {
	if len(d.Measures) > 0 {
		for at, band := range d.Measures[0].Sums.Band {
			if band {
				most = max(most, int(d.Measures[0].Sums.N[at]))
			}
		}
	}
	return most
}

// Diff is how A compares with B at a point.
func (m *Measure) Diff(point int) result.Diff {
	if m.Gaps == nil {
		return result.Diff{}
	}
	return m.Gaps.Diffs[point]
}

// apart reports whether a difference is told: by its interval or, where there is
// one workload at every point, as what these runs gave.
func (d *Shown) apart(diff *result.Diff) bool {
	return diff.N > 0 && !diff.Same && (diff.Certainty == metric.Surely || d.Repeats < 2)
}
