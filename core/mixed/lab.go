package mixed

import (
	"errors"
	"fmt"
	"math"

	"batchlab/core/expr"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/search"
	"batchlab/core/workload"
)

// Settings say what is studied. All of it but the cleaning of the workload is
// here, so a worker needs an experiment's workload and these.
type Settings struct {
	Length    int64     `json:"length"`              // of a window in seconds: 604800 is a week
	Origin    int64     `json:"origin"`              // where window 0 begins, in the log's own seconds
	First     int       `json:"first"`               // index of the window that is called week 1
	Count     int       `json:"count"`               // of windows; 0: all up to the last with jobs
	Features  int       `json:"features"`            // 3: q, p̃, wait; 6: and ratio, expansion factor, area
	Tau       int64     `json:"tau"`                 // τ of the bounded slowdown in seconds
	Backfill  string    `json:"backfill"`            // a pure order
	Ties      string    `json:"ties"`                // "newest" or "oldest"
	Threshold *int64    `json:"threshold,omitempty"` // seconds; nil: none
	Scales    []float64 `json:"scales,omitempty"`    // 3 or 6; nil: the defaults
}

// Paper returns the settings of Legrand, Trystram and Zrigui (2018): weeks, 3
// features, τ 60 s (in its tables, although the text says 10), SPF
// backfilling, a threshold of 200,000 s, ties to the newest.
func Paper() Settings {
	threshold := int64(200000)
	return Settings{Length: int64(workload.Week), Features: 3, Tau: 60, Backfill: "spf", Ties: "newest", Threshold: &threshold}
}

// rules checks the settings and returns them as the evaluator wants them.
func (s *Settings) rules() (Rules, error) {
	r := Rules{Tau: model.Time(s.Tau), Newest: s.Ties == "newest"}
	var err error
	r.Backfill, err = policy.ParseOrder(s.Backfill)
	switch {
	case err != nil:
		return r, err
	case r.Backfill >= policy.Mixed:
		return r, fmt.Errorf("the backfill order %q is not one of the pure orders", s.Backfill)
	case s.Features != 3 && s.Features != policy.Features:
		return r, fmt.Errorf("%d features: 3 (q, p, wait) or 6 (and rho, exp, a) are expected", s.Features)
	case s.Tau < 1:
		return r, fmt.Errorf("τ is %d s: at least 1 is expected", s.Tau)
	case s.Ties != "newest" && s.Ties != "oldest":
		return r, fmt.Errorf("ties %q: newest or oldest is expected", s.Ties)
	case s.First < 0 || s.Count < 0:
		return r, fmt.Errorf("week 1 is window %d, and there are %d: neither may be negative", s.First, s.Count)
	case len(s.Scales) != 0 && len(s.Scales) != 3 && len(s.Scales) != policy.Features:
		return r, fmt.Errorf("%d scales: 3 or 6 are expected", len(s.Scales))
	}
	for i, x := range s.Scales {
		if !(x >= 1e-12 && x <= 1e12) {
			return r, fmt.Errorf("scale %d is %v: a number between 1e-12 and 1e12 is expected", i+1, x)
		}
		r.Scales[i] = x
	}
	if s.Threshold != nil {
		if *s.Threshold < 0 {
			return r, fmt.Errorf("the threshold is %d s: it may not be negative", *s.Threshold)
		}
		r.UseThreshold, r.Threshold = true, model.Time(*s.Threshold)
	}
	return r, nil
}

// Week describes one window of a study.
type Week struct {
	Number int        `json:"number"` // from 1
	Index  int        `json:"index"`  // of the window: ⌊(submit − origin) ÷ length⌋
	From   model.Time `json:"from"`
	To     model.Time `json:"to"`
	Jobs   int        `json:"jobs"` // 0: nothing can be compared there
}

// Lab is a workload cut into windows, ready to answer chunks. It holds memory
// and serves one call at a time; several workers have one each.
type Lab struct {
	settings Settings
	windows  []workload.Window
	*Evaluator
	covers map[int]*search.Coverage // by points
	cache  map[cacheKey]float64
	// Hits counts the evaluations that the cache answered.
	Hits int
}

// ErrShort means that a workload holds fewer than two windows with jobs, so
// that nothing can be learned from one for another.
var ErrShort = errors.New("the log is shorter than two windows")

// New cuts a workload, on the machine that it states, into the windows of a
// study, like NewOn.
func New(w *model.Workload, s Settings) (*Lab, error) {
	return NewOn(w, Ground{Platform: model.OneCluster(w.Processors), Counted: true}, s)
}

// NewOn cuts a workload into the windows of a study on a platform, on which every
// job must be able to run. It fails on settings that make no sense and on a
// workload with jobs in fewer than two of the windows.
func NewOn(w *model.Workload, g Ground, s Settings) (*Lab, error) {
	rules, err := s.rules()
	if err != nil {
		return nil, fmt.Errorf("mixed: %w", err)
	}
	if s.Length < 1 {
		return nil, fmt.Errorf("mixed: windows of %d s: at least 1 is expected", s.Length)
	}
	windows, _, err := workload.Cut(w, model.Time(s.Length), model.Time(s.Origin))
	if err != nil {
		return nil, err
	}
	all := len(windows)
	if s.Count == 1 {
		return nil, errors.New("mixed: at least two windows are needed, one to learn from for the other: not 1")
	}
	if s.First >= all {
		return nil, fmt.Errorf("mixed: week 1 would be window %d, but the log ends in window %d: %w", s.First, all-1, ErrShort)
	}
	windows = windows[s.First:]
	if s.Count > 0 {
		if s.Count > len(windows) {
			return nil, fmt.Errorf("mixed: %d windows are asked for, the log has %d: %w", s.Count, len(windows), ErrShort)
		}
		windows = windows[:s.Count]
	}
	busy := 0
	for i := range windows {
		if len(windows[i].Workload.Jobs) > 0 {
			busy++
		}
	}
	if busy < 2 && len(windows) < all {
		return nil, fmt.Errorf("mixed: jobs stand in %d of the %d windows that are asked for, from window %d on: at least two with jobs are needed", busy, len(windows), s.First)
	}
	if busy < 2 {
		return nil, fmt.Errorf("mixed: jobs stand in %d of %d windows of %d s: %w; shorter windows may help", busy, len(windows), s.Length, ErrShort)
	}
	return &Lab{
		settings: s, windows: windows, Evaluator: NewEvaluator(windows, g, rules),
		covers: map[int]*search.Coverage{}, cache: map[cacheKey]float64{},
	}, nil
}

// Settings returns what the lab was made with.
func (l *Lab) Settings() Settings { return l.settings }

// Weeks lists the windows, in order. A place in this list is what Chunk.Week
// and the rows of tables mean.
func (l *Lab) Weeks() []Week {
	weeks := make([]Week, len(l.windows))
	for i := range weeks {
		v := &l.windows[i]
		weeks[i] = Week{Number: i + 1, Index: v.Index, From: v.From, To: v.To, Jobs: len(v.Workload.Jobs)}
	}
	return weeks
}

// Coverage returns the coverage of the lab's features with so many grid points
// a dimension.
func (l *Lab) Coverage(points int) (*search.Coverage, error) {
	if c := l.covers[points]; c != nil {
		return c, nil
	}
	c, err := search.NewCoverage(l.settings.Features, points)
	if err == nil {
		l.covers[points] = c
	}
	return c, err
}

// Vector returns the weights of vector i of a coverage.
func Vector(c *search.Coverage, i int) (w policy.Weights) {
	c.At(i, w[:c.Dimensions()])
	return w
}

// cacheKey names an evaluation.
type cacheKey struct {
	week    int32
	weights policy.Weights
}

// maxCache bounds the number of values kept.
const maxCache = 200_000

// Value is Mixed with the lab's cache.
func (l *Lab) Value(week int, w policy.Weights) (float64, error) {
	key := cacheKey{int32(week), w}
	for i := range key.weights {
		key.weights[i] += 0 // −0 is 0
	}
	if v, ok := l.cache[key]; ok {
		l.Hits++
		return v, nil
	}
	v, err := l.Mixed(week, w)
	if err == nil && len(l.cache) < maxCache {
		l.cache[key] = v
	}
	return v, err
}

// Kinds of chunk.
const (
	KindPure     = "pure"     // the pure orders From … To − 1 of policy.Pure
	KindCoverage = "coverage" // the vectors From … To − 1 of a coverage with Points
	KindVectors  = "vectors"  // the vectors given
	KindFormula  = "formula"  // the order by Formula
	KindXNES     = "xnes"     // a search with Search
)

// Chunk is a piece of work: one week under some orders. A study is the sum of
// its chunks, in any order, on any number of workers.
type Chunk struct {
	Kind    string      `json:"kind"`
	Week    int         `json:"week"` // place in Lab.Weeks
	From    int         `json:"from,omitempty"`
	To      int         `json:"to,omitempty"`
	Points  int         `json:"points,omitempty"`  // coverage
	Vectors [][]float64 `json:"vectors,omitempty"` // of 3 or 6 weights
	Search  *Search     `json:"search,omitempty"`

	Formula *expr.Program `json:"-"`
}

// Answer is what a chunk gives.
type Answer struct {
	Values []float64 `json:"values,omitempty"` // one for each order, as the chunk lists them
	Found  *Found    `json:"found,omitempty"`  // of a search
}

// ErrCancelled means that progress asked to stop.
var ErrCancelled = errors.New("cancelled")

// Do does a chunk. Progress, when not nil, is called after each simulation with
// how many are done; it returns false to cancel, which gives ErrCancelled, and
// with it the values or the best that were found so far.
func (l *Lab) Do(c Chunk, progress func(done, total int) bool) (Answer, error) {
	if c.Week < 0 || c.Week >= len(l.windows) {
		return Answer{}, fmt.Errorf("mixed: there is no week %d: %d … %d are there", c.Week, 0, len(l.windows)-1)
	}
	if progress == nil {
		progress = func(int, int) bool { return true }
	}
	var count int
	var value func(i int) (float64, error)
	switch c.Kind {
	case KindPure:
		orders := policy.Pure()
		if c.From < 0 || c.To > len(orders) || c.From > c.To {
			return Answer{}, fmt.Errorf("mixed: there are no orders %d … %d", c.From, c.To-1)
		}
		count = c.To - c.From
		value = func(i int) (float64, error) { return l.Pure(c.Week, orders[c.From+i]) }
	case KindCoverage:
		cover, err := l.Coverage(c.Points)
		if err != nil {
			return Answer{}, err
		}
		if c.From < 0 || c.To > cover.Len() || c.From > c.To {
			return Answer{}, fmt.Errorf("mixed: a coverage of %d vectors has no %d … %d", cover.Len(), c.From, c.To-1)
		}
		count = c.To - c.From
		value = func(i int) (float64, error) { return l.Mixed(c.Week, Vector(cover, c.From+i)) }
	case KindVectors:
		count = len(c.Vectors)
		value = func(i int) (float64, error) {
			w, err := policy.NewWeights(c.Vectors[i])
			if err != nil {
				return math.NaN(), fmt.Errorf("mixed: vector %d: %w", i, err)
			}
			return l.Value(c.Week, w)
		}
	case KindFormula:
		if c.Formula == nil {
			return Answer{}, errors.New("mixed: an order by formula without its formula")
		}
		count = 1
		value = func(int) (float64, error) { return l.Formula(c.Week, c.Formula) }
	case KindXNES:
		if c.Search == nil {
			return Answer{}, errors.New("mixed: a search without its parameters")
		}
		found, err := l.Find([]int{c.Week}, *c.Search, progress)
		return Answer{Found: found}, err
	default:
		return Answer{}, fmt.Errorf("mixed: no chunk is called %q", c.Kind)
	}
	a := Answer{Values: make([]float64, 0, count)}
	for i := range count {
		if !l.ground.Counted { // elsewhere a simulation is over too soon to be watched
			l.going = func() bool { return progress(i, count) }
		}
		v, err := value(i)
		l.going = nil
		if errors.Is(err, ErrCancelled) {
			return a, err
		}
		if err != nil {
			return Answer{}, err
		}
		a.Values = append(a.Values, v)
		if !progress(i+1, count) {
			return a, ErrCancelled
		}
	}
	return a, nil
}

// Chunks splits a coverage with points a dimension over all weeks with jobs
// into pieces of about size simulations, in the order in which they are best
// handed out: week by week.
func (l *Lab) Chunks(points, size int) ([]Chunk, error) {
	cover, err := l.Coverage(points)
	if err != nil {
		return nil, err
	}
	var chunks []Chunk
	size = max(1, size)
	for w := range l.windows {
		if len(l.windows[w].Workload.Jobs) == 0 {
			continue
		}
		for from := 0; from < cover.Len(); from += size {
			chunks = append(chunks, Chunk{Kind: KindCoverage, Week: w, Points: points, From: from, To: min(from+size, cover.Len())})
		}
	}
	return chunks, nil
}
