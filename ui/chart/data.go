package chart

import (
	"math"
	"slices"
	"sort"

	"batchlab/core/catalog"
	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
	"batchlab/ui/words"
)

// Data is what the drawings of one experiment read.
type Data struct {
	Names      []string        // label by scheduler
	Runs       [][]*report.Run // finished runs by scheduler, in order of repetition
	Shown      []*report.Run   // by scheduler: the run that is looked at, nil while none is done
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
func (d *Data) Title(i int) string { return words.Letter(i) + " " + d.name(i) }

func (d *Data) name(i int) string {
	if i < 0 || i >= len(d.Names) {
		return ""
	}
	return d.Names[i]
}

func (d *Data) shown(i int) *report.Run {
	if i < 0 || i >= len(d.Shown) {
		return nil
	}
	return d.Shown[i]
}

// other is the run that A is compared with: the baseline, else B.
func (d *Data) other() int {
	if d.Base >= 0 && d.Base != d.A {
		return d.Base
	}
	if d.B >= 0 && d.B != d.A {
		return d.B
	}
	return -1
}

func (d *Data) nothing() string {
	if d.Busy != "" {
		return d.Busy
	}
	return "Nothing has run yet."
}

// Estimate is the mean of one measure over the different runs of a scheduler.
type Estimate struct {
	Scheduler int
	Mean      float64
	Half      float64 // half the width of the 95 % interval, NaN below 3 repeats
	N         int
}

// Estimates returns the measure of every scheduler that has finished runs, in
// ascending order of their means.
func (d *Data) Estimates(key string) []Estimate {
	var out []Estimate
	for i, runs := range d.Runs {
		values, sample := metric.Values(runs, key)
		if len(values) == 0 {
			continue
		}
		mean, half, n := sample.Interval(values)
		if n < 3 {
			half = math.NaN()
		}
		out = append(out, Estimate{i, mean, half, n})
	}
	order.Stable(out, func(a, b Estimate) int {
		switch {
		case a.Mean < b.Mean:
			return -1
		case a.Mean > b.Mean:
			return 1
		}
		return a.Scheduler - b.Scheduler
	})
	return out
}

// mean returns the mean of a measure over a scheduler's different runs, NaN where
// it does not exist: the number that stands under the measure's name everywhere.
func (d *Data) mean(i int, key string) float64 {
	values, sample := metric.Values(d.Runs[i], key)
	mean, _, _ := sample.Interval(values)
	return mean
}

// unitOf returns the unit of a measure by its catalog key.
func unitOf(key string) (unit, name string) {
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

// plainNumber writes v for files.
func plainNumber(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return formatFloat(v)
}
