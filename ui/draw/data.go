package draw

import (
	"math"
	"slices"
	"sort"
	"strconv"

	"batchlab/core/catalog"
	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/ui/words"
)

func formatFloat(v float64) string { return strconv.FormatFloat(v, 'g', 10, 64) }

// LeastWait is where the logarithmic axis of waits begins, in seconds.
const LeastWait = 30.0

// Data is what the drawings of one experiment read.
type Data struct {
	Names      []string        // label by scheduler
	Runs       [][]*report.Run // finished runs by scheduler, in order of repetition
	Shown      []*report.Run   // by scheduler: the run that is looked at, nil while none is done
	Foretells  []bool          // by scheduler: run times are predicted for it
	Jobs       *report.Jobs    // of the repetition that is looked at, nil while unknown
	A, B, Base int             // schedulers looked at; −1 none
	Clock      Clock
	Tau        int64 // s
	Theme      *Theme
	Memo       Memo   // kept from drawing to drawing while the runs stay; may be nil
	Busy       string // why there is nothing yet: "" nothing has run

	Which  string // which repeat charts of single runs show: "repeat 1", "draw 3"; "" where there is one only
	Pooled string // over what charts of all runs go: "all 5 repeats together"; "" where there is one only

	Reaction   *report.Reaction                               // what was found of users who react; nil: submissions are replayed
	Acceptable func(procs int32, limit model.Time) model.Time // wait in seconds that is acceptable for a job by itself
}

// Title returns a scheduler's letter and name.
func (d *Data) Title(i int) string { return words.Letter(i) + " " + d.Name(i) }

func (d *Data) Name(i int) string {
	if i < 0 || i >= len(d.Names) {
		return ""
	}
	return d.Names[i]
}

func (d *Data) RunOf(i int) *report.Run {
	if i < 0 || i >= len(d.Shown) {
		return nil
	}
	return d.Shown[i]
}

// Other is the run that A is compared with: the baseline, else B.
func (d *Data) Other() int {
	if d.Base >= 0 && d.Base != d.A {
		return d.Base
	}
	if d.B >= 0 && d.B != d.A {
		return d.B
	}
	return -1
}

func (d *Data) Nothing() string {
	if d.Busy != "" {
		return d.Busy
	}
	return "Nothing has run yet."
}

// Estimate is the mean of one measure over the different runs of a scheduler; where they
// are of phases the median, with the least and the greatest.
type Estimate struct {
	Scheduler int
	Mean      float64
	Low, High float64 // ends of the 95 % interval, NaN where there is none
	N         int
	Band      bool
}

// Estimates returns the measure of every scheduler that has finished runs, in
// ascending order of their means.
func (d *Data) Estimates(key string) []Estimate {
	var out []Estimate
	for i, runs := range d.Runs {
		values, sample := metric.Values(metric.Measured(runs, key))
		if len(values) == 0 {
			continue
		}
		e := sample.Estimate(values, catalog.FindMetric(key))
		out = append(out, Estimate{i, e.Value, e.Low, e.High, e.N, e.Band})
	}
	order.Stable(out, func(a, b Estimate) int {
		if c := order.Floats(a.Mean, b.Mean); c != 0 {
			return c
		}
		return a.Scheduler - b.Scheduler
	})
	return out
}

// Mean returns the mean of a measure over a scheduler's different runs, NaN where
// it does not exist: the number that stands under the measure's name everywhere.
func (d *Data) Mean(i int, key string) float64 {
	values, sample := metric.Values(metric.Measured(d.Runs[i], key))
	if len(values) == 0 {
		return math.NaN()
	}
	return sample.Estimate(values, catalog.FindMetric(key)).Value
}

// UnitOf returns the unit of a measure by its catalog key.
func UnitOf(key string) (unit, name string) {
	for _, m := range catalog.Metrics {
		if m.Key == key {
			return m.Unit, m.Name
		}
	}
	return "", key
}

// CDF is a distribution function made of those of several repetitions, each
// with the same weight.
type CDF struct{ At, Share []float64 }

// MergeCDF averages the distribution functions of runs.
func MergeCDF(runs []*report.Run) CDF {
	var parts []report.CDF
	for _, r := range runs {
		if len(r.Waits.At) > 0 {
			parts = append(parts, r.Waits)
		}
	}
	if len(parts) == 1 {
		return CDF{parts[0].At, parts[0].Share}
	}
	var all []float64
	for _, p := range parts {
		all = append(all, p.At...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	c := CDF{At: all, Share: make([]float64, len(all))}
	for _, p := range parts {
		k, share := 0, 0.0
		for i, at := range all {
			for k < len(p.At) && p.At[k] <= at {
				share = p.Share[k]
				k++
			}
			c.Share[i] += share / float64(len(parts))
		}
	}
	return c
}

// Of returns the share of jobs that waited at most t seconds.
func (c *CDF) Of(t float64) float64 {
	i := sort.Search(len(c.At), func(i int) bool { return c.At[i] > t })
	if i == 0 {
		return 0
	}
	return c.Share[i-1]
}

// Quantile returns the least wait that a share p of the jobs does not exceed.
func (c *CDF) Quantile(p float64) float64 {
	i := sort.Search(len(c.Share), func(i int) bool { return c.Share[i] >= p-1e-9 })
	if i == len(c.At) {
		if i == 0 {
			return math.NaN()
		}
		i--
	}
	return c.At[i]
}

// PlainNumber writes v for files.
func PlainNumber(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return formatFloat(v)
}

// Root is the square root with the sign kept, within −1 … 1.
func Root(v float64) float64 {
	if v < 0 {
		return -math.Sqrt(min(1, -v))
	}
	return math.Sqrt(min(1, v))
}

// Span returns the time from the first submission to the last end of the
// shown runs; ok is false while nothing has run.
func (d *Data) Span() (from, to model.Time, ok bool) {
	for _, r := range d.Shown {
		if r == nil || len(r.Series.At) == 0 {
			continue
		}
		a, b := r.Series.At[0], r.Series.At[len(r.Series.At)-1]
		if !ok {
			from, to, ok = a, b, true
		}
		from, to = min(from, a), max(to, b)
	}
	return from, to, ok && to > from
}

// Memo keeps what sparks were computed from, by run and measure.
type Memo map[MemoKey][]float64

type MemoKey struct {
	Run      *report.Run
	Key      string
	From, To model.Time
	N        int
}
