package result

import (
	"math"
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/metric"
	"batchlab/core/report"
	"batchlab/ui/engine"
)

// Sweep is an experiment and what has come of its runs. Of one that does not vary, which
// is a sweep of one point, they are kept whole; of each point of another their measures
// and nothing else. The page reads it; a Tray's methods write it.
type Sweep struct {
	Work
	Ran    *experiment.Experiment // nil: none; results are stale when it differs from the settings
	Digest string                 // of all runs, once all are there
	// NoDigest is why there is none although they are, or not yet (engine.DigestComes).
	NoDigest string

	Runs  []*Run               // of one point: scheduler-major, then repetition
	Jobs  map[int]*report.Jobs // by repetition
	Sites map[int]*report.Site // by repetition: machines, licences, calendar

	Points  *experiment.Points // of several
	Items   *experiment.Items
	Refused []RefusedPoint
	Version int // grows with what has come
	Opened  int // the point that is looked at in all views, −1 none

	all     engine.Runs    // of one point
	control engine.Control // of several
	keys    map[string]int // place of each measure
	width   int
	runs    [][]report.Swept // in pieces of chunkRuns, made when they are needed
	values  [][]float64
	have    []uint8 // by item: 0 not there, 1 done, 2 refused
	count   []int32 // by point: items that are there
	sums    map[string]*Sums
	gaps    map[gapKey]*Gaps
}

// RefusedPoint is a point of which a run cannot be, and why.
type RefusedPoint struct {
	Point int
	Text  string
}

// maxRefused bounds Sweep.Refused.
const maxRefused = 100

const chunkRuns = 1024

func newSweep(doc *experiment.Experiment) (*Sweep, error) {
	w := &Sweep{Ran: doc.Clone(), Opened: -1, keys: map[string]int{}, sums: map[string]*Sums{}, gaps: map[gapKey]*Gaps{}}
	w.Status, w.Points = engine.Running, doc.Points()
	var err error
	if w.Items, err = w.Points.Items(); err != nil {
		return nil, err
	}
	w.Total = w.Items.Len()
	for i, key := range catalog.MetricKeys() {
		w.keys[key] = i
	}
	w.width = len(w.keys)
	w.have, w.count = make([]uint8, w.Total), make([]int32, w.Points.Len())
	n := (w.Total + chunkRuns - 1) / chunkRuns
	w.runs, w.values = make([][]report.Swept, n), make([][]float64, n)
	return w, nil
}

// Schedulers is how many schedulers the experiment compares at its points.
func (w *Sweep) Schedulers() int { return len(w.Ran.Schedulers) }

// take keeps what has come.
func (w *Sweep) take(part *engine.SweepPart) {
	if part.Error != "" {
		w.mark(part.From, 2)
		if point, _ := w.Items.Point(part.From); len(w.Refused) < maxRefused && (len(w.Refused) == 0 || w.Refused[len(w.Refused)-1].Point != point) {
			w.Refused = append(w.Refused, RefusedPoint{point, part.Error})
		}
	}
	for i, r := range part.Runs {
		item := part.From + i
		if item >= w.Total || len(part.Values) < (i+1)*w.width {
			return
		}
		chunk, at := item/chunkRuns, item%chunkRuns
		if w.runs[chunk] == nil {
			size := min(chunkRuns, w.Total-chunk*chunkRuns)
			w.runs[chunk], w.values[chunk] = make([]report.Swept, size), make([]float64, size*w.width)
		}
		w.runs[chunk][at] = r
		copy(w.values[chunk][at*w.width:(at+1)*w.width], part.Values[i*w.width:])
		if r.Refused != 0 {
			w.mark(item, 2)
		} else {
			w.mark(item, 1)
		}
	}
}

func (w *Sweep) mark(item int, how uint8) {
	if w.have[item] == 0 {
		point, _ := w.Items.Point(item)
		w.count[point]++
	}
	w.have[item] = how
}

// Complete reports whether all runs of a point are there, or cannot be.
func (w *Sweep) Complete(point int) bool { return int(w.count[point]) == w.Items.Count(point) }

// Begun reports whether some run of a point is there.
func (w *Sweep) Begun(point int) bool { return w.count[point] > 0 }

// Run returns a run and its measures in order of catalog.MetricKeys, nil while it
// is not there. They belong to the sweep.
func (w *Sweep) Run(item int) (*report.Swept, []float64) {
	if w.have[item] != 1 {
		return nil, nil
	}
	chunk, at := item/chunkRuns, item%chunkRuns
	return &w.runs[chunk][at], w.values[chunk][at*w.width : (at+1)*w.width]
}

// PointsDone is how many points are complete.
func (w *Sweep) PointsDone() int {
	n := 0
	for p := range w.count {
		if w.Complete(p) {
			n++
		}
	}
	return n
}

// Sums are a measure of all schedulers at all points. NaN is what is not there.
type Sums struct {
	Mean, Low, High []float64 // by point × schedulers + scheduler; Low and High of the interval, or the band
	N               []int32   // different runs
	Band            []bool    // over phases; nil: none is
	at              []int32   // by point: how many items were there
}

// Gaps are how one scheduler compares with another at all points. N is 0 where
// there is no pair.
type Gaps struct {
	Diffs []Diff // by point
	at    []int32
}

type gapKey struct {
	metric string
	a, b   int
}

// maxKept bounds how many measures the sums of are kept.
const maxKept = 12

// Sums returns a measure of all schedulers at all points, brought up to date at
// most most points; rest says whether some are left.
func (w *Sweep) Sums(key string, most int) (s *Sums, rest bool) {
	n := w.Schedulers()
	if s = w.sums[key]; s == nil {
		if len(w.sums) >= maxKept {
			clear(w.sums)
		}
		size := n * w.Points.Len()
		s = &Sums{Mean: nans(size), Low: nans(size), High: nans(size), N: make([]int32, size), at: make([]int32, w.Points.Len())}
		w.sums[key] = s
	}
	k, known := w.keys[key]
	if !known {
		return s, false
	}
	return s, w.behind(s.at, most, func(p int) {
		for i := range n {
			at, e := p*n+i, spread(w.of(p, i, k), key)
			if s.Mean[at], s.Low[at], s.High[at], s.N[at] = e.Mean, e.Low, e.High, int32(e.N); e.N == 0 {
				s.Mean[at] = math.NaN()
			}
			if e.Band && s.Band == nil {
				s.Band = make([]bool, len(s.Mean))
			}
			if s.Band != nil {
				s.Band[at] = e.Band
			}
		}
	})
}

// of is a measure, by its place, of a scheduler's runs at a point, in order of repetition.
func (w *Sweep) of(point, scheduler, k int) (list []metric.Of) {
	first := w.Items.First(point)
	for item := first; item < first+w.Items.Count(point); item++ {
		if r, values := w.Run(item); r != nil && int(r.Scheduler) == scheduler {
			list = append(list, metric.Of{Swept: *r, Value: values[k]})
		}
	}
	return list
}

// behind calls do for points of which more runs are done than at says, most of
// them at once, and notes them there; rest says whether some are left.
func (w *Sweep) behind(at []int32, most int, do func(point int)) (rest bool) {
	for p, count := range w.count {
		if at[p] == count {
			continue
		}
		if most--; most < 0 {
			return true
		}
		at[p] = count
		do(p)
	}
	return false
}

// Gaps returns how scheduler a compares with b in a measure at all points,
// brought up to date at most most points; rest says whether some are left.
func (w *Sweep) Gaps(key string, a, b, most int) (g *Gaps, rest bool) {
	at := gapKey{key, a, b}
	if g = w.gaps[at]; g == nil {
		if len(w.gaps) >= maxKept {
			clear(w.gaps)
		}
		g = &Gaps{Diffs: make([]Diff, w.Points.Len()), at: make([]int32, w.Points.Len())}
		w.gaps[at] = g
	}
	row := catalog.FindMetric(key)
	if row == nil || a == b || a < 0 || b < 0 {
		return g, false
	}
	return g, w.behind(g.at, most, func(p int) { g.Diffs[p] = w.Compare(p, a, b, row) })
}

// Compare says how scheduler a compares with scheduler b at a point, repetition
// by repetition over the same jobs.
func (w *Sweep) Compare(point, a, b int, row *catalog.Metric) Diff {
	k, known := w.keys[row.Key]
	if !known {
		return Diff{}
	}
	mine, base := w.of(point, a, k), w.of(point, b, k)
	x, y, sample := metric.Pairs(mine, base)
	for _, r := range mine {
		if slices.ContainsFunc(base, func(o metric.Of) bool { return o.Repetition == r.Repetition && o.Workload != r.Workload }) {
			return Diff{} // they had different jobs
		}
	}
	if len(x) == 0 {
		return Diff{}
	}
	sample.Own = w.own(point, mine[0], base[0], row.Key)
	return judged(row, sample.Compare(x, y, row))
}

// own is what the days of the log say (metric.OfDays): a sweep keeps nothing of users.
func (w *Sweep) own(point int, mine, base metric.Of, key string) metric.Own {
	all := func(key string) float64 { return w.of(point, int(mine.Scheduler), w.keys[key])[0].Value }
	jobs := all("jobs")
	switch {
	case mine.Repetition+base.Repetition > 0 || mine.Days == 0 || mine.Days != base.Days || !math.IsNaN(all("rejected-reservations")): // not all of them have waits
	case key == "mean-wait":
		return metric.OfDays(mine.Wait, base.Wait, mine.Value*jobs, base.Value*jobs)
	case key == "mean-bounded-slowdown":
		return metric.OfDays(mine.Slowdown, base.Slowdown, mine.Value*jobs, base.Value*jobs)
	}
	return metric.Own{}
}

// judged says what a difference in a measure comes to.
func judged(row *catalog.Metric, found metric.Difference) Diff {
	d := Diff{Difference: found}
	switch {
	case d.N == 0 || d.Same || row.Better == 0:
	case d.Less() == (row.Better < 0):
		d.Better = 1
	default:
		d.Better = -1
	}
	d.Sure = d.Certainty >= metric.Probably
	return d
}

func nans(n int) []float64 { return slices.Repeat([]float64{math.NaN()}, n) }

// Spread summarises a measure of a scheduler at a point. N is 0 when there is
// none.
func (w *Sweep) Spread(point, scheduler int, key string) Spread {
	k, known := w.keys[key]
	if !known || scheduler < 0 || scheduler >= w.Schedulers() {
		return spread(nil, key)
	}
	return spread(w.of(point, scheduler, k), key)
}
