package windows

import (
	"fmt"
	"math"
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/learn"
	"batchlab/core/order"
)

// Busy are the weeks with jobs, as places in Weeks.
func (r *Search) Busy() []int {
	var list []int
	for w := range r.Weeks {
		if r.Weeks[w].Jobs > 0 {
			list = append(list, w)
		}
	}
	return list
}

// Split returns the weeks on which weights are learned and those on which they
// are tested, only such with jobs.
func (r *Search) Split() (train, test []int) {
	from, mid, to := 0, len(r.Weeks)/2, len(r.Weeks)
	switch r.Doc.Search.Text("split") {
	case "28-64":
		from, mid, to = 27, 64, min(100, to)
	case "29-64":
		from, mid, to = 28, 64, min(100, to)
	}
	for _, w := range r.Busy() {
		switch {
		case w >= from && w < mid:
			train = append(train, w)
		case w >= mid && w < to:
			test = append(test, w)
		}
	}
	return train, test
}

// Known says whether all orders have been tried in a week, so that they can be
// compared there.
func (r *Search) Known(week int) bool {
	return r.Weeks[week].Jobs > 0 && r.Pure.Complete(week) && (r.Cover == nil || r.Cover.Complete(week)) &&
		(r.Found == nil || r.Found[week] != nil)
}

// Called is what a window of the search is: a week, a month, a day, or else a
// window.
func (r *Search) Called() string {
	switch r.Whole("length") {
	case 86400:
		return "day"
	case 604800:
		return "week"
	case 30 * 86400:
		return "month"
	}
	return "window"
}

// BestSoFar sums, over the weeks in which weights have been tried, the least
// value that any of them gave, and says in how many weeks that is.
func (r *Search) BestSoFar() (sum float64, weeks int) {
	best := r.Best()
	for w := range r.Weeks {
		least := math.Inf(1)
		if w < len(best) && best[w].Candidate >= 0 {
			least = best[w].Value
		}
		if r.Found != nil && r.Found[w] != nil {
			least = min(least, r.Found[w].Value)
		}
		if !math.IsInf(least, 1) {
			sum, weeks = sum+least, weeks+1
		}
	}
	return sum, weeks
}

// Strategy is one way of choosing the order of each week: a row of table 2.
type Strategy struct {
	Key    string    // best, train, greedy, sliding, leader, pure-leader, xnes…, or an order's key
	Name   string    // "w*", "SAF"
	Help   string    // one sentence
	Ours   bool      // not in the study
	Pure   bool      // one of the pure orders, or the own one
	Values []float64 // mean bounded slowdown by week, NaN unknown or none
	Train  float64   // sum over the training weeks that are known, NaN none
	Test   float64   // sum over the testing weeks that are known, NaN none
	None   int       // of these weeks, those without a choice
}

// results are computed once for each version of a search.
type results struct {
	version    int
	strategies []Strategy
	best       []learn.Choice // of the coverage by week
	purest     []int          // pure orders by sum over the known weeks
	sums       []float64

	followed int // version that strategies are of
}

// While a large search is under way its strategies are computed only after so
// many answers: to follow leaders takes a moment.
const (
	large       = 100_000 // values
	followEvery = 12
)

// results computes what the tables say.
func (r *Search) results() *results {
	if r.kept == nil || r.kept.version != r.Version {
		old := r.kept
		r.kept = &results{version: r.Version}
		if r.Pure != nil {
			r.workOut(r.kept, old)
		}
	}
	return r.kept
}

// Strategies are all ways of choosing orders, in the order of table 2: by their
// sum over the testing weeks.
func (r *Search) Strategies() []Strategy { return r.results().strategies }

// Best is the best vector of the coverage in each week; nil without a coverage.
func (r *Search) Best() []learn.Choice { return r.results().best }

// Sums are the sums of the pure orders over the weeks that are known, by their
// place in Orders, and Ranked those places, the least sum first.
func (r *Search) Sums() []float64 { return r.results().sums }

// Ranked is described at Sums.
func (r *Search) Ranked() []int { return r.results().purest }

// Counted are the weeks in which every pure order is known.
func (r *Search) Counted() []int {
	var list []int
	for w := range r.Weeks {
		if r.Pure != nil && r.Weeks[w].Jobs > 0 && r.Pure.Complete(w) {
			list = append(list, w)
		}
	}
	return list
}

func (r *Search) workOut(out, old *results) {
	counted := r.Counted()
	for c := range r.Orders {
		out.sums = append(out.sums, r.Pure.Sum(c, counted))
		out.purest = append(out.purest, c)
	}
	order.Stable(out.purest, func(a, b int) int {
		switch {
		case out.sums[a] < out.sums[b]:
			return -1
		case out.sums[a] > out.sums[b]:
			return 1
		}
		return 0
	})
	if r.Cover != nil {
		out.best = r.Cover.Best()
		if old != nil && r.UnderWay && len(old.strategies) > 0 && r.Version < old.followed+followEvery && r.Cover.Weeks()*r.Cover.Candidates() > large {
			out.strategies, out.followed = old.strategies, old.followed
			return
		}
	}
	out.followed = r.Version
	train, test := r.Split()
	known := func(weeks []int) []int {
		return slices.DeleteFunc(slices.Clone(weeks), func(w int) bool { return !r.Known(w) })
	}
	train, test = known(train), known(test)
	add := func(s Strategy) {
		sum := func(weeks []int) float64 {
			total, some := 0.0, false
			for _, w := range weeks {
				if v := s.Values[w]; math.IsNaN(v) {
					s.None++
				} else {
					total, some = total+v, true
				}
			}
			if !some {
				return math.NaN()
			}
			return total
		}
		s.Train, s.Test = sum(train), sum(test)
		out.strategies = append(out.strategies, s)
	}
	choices := func(list []learn.Choice) []float64 {
		v := unknown(len(list))
		for w, c := range list {
			if c.Candidate >= 0 {
				v[w] = c.Value
			}
		}
		return v
	}
	column := func(t *learn.Table, c int) []float64 {
		v := unknown(t.Weeks())
		for w := range v {
			v[w] = t.At(w, c)
		}
		return v
	}
	k := r.Whole("sliding")
	if r.Cover != nil {
		add(Strategy{Key: "best", Name: "w*", Help: "The best weights of each week, known only afterwards: nothing of the coverage can be better.", Values: choices(out.best)})
		if c := r.Cover.Train(train); c.Candidate >= 0 {
			add(Strategy{Key: "train", Name: "w train", Help: "The weights with the least sum over the training weeks (equation 5), in every week.", Values: column(r.Cover, c.Candidate)})
		}
		add(Strategy{Key: "greedy", Name: "w greedy", Help: "In each week the best weights of the week before.", Values: choices(r.Cover.Follow(1, nil))})
		add(Strategy{Key: "sliding", Name: "last " + plural(k, r.Called()), Ours: true,
			Help: "In each week the weights that were best over the last weeks together.", Values: choices(r.Cover.Follow(k, nil))})
		add(Strategy{Key: "leader", Name: "leader", Ours: true, Help: "In each week the weights that were best over all weeks before together (follow the leader).", Values: choices(r.Cover.Follow(0, nil))})
	}
	if r.Found != nil {
		best := unknown(len(r.Weeks))
		for w, f := range r.Found {
			if f != nil {
				best[w] = f.Value
			}
		}
		add(Strategy{Key: "xnes", Name: "w* xNES", Help: "The best weights that xNES found in each week.", Values: best})
		if r.Trained != nil {
			add(Strategy{Key: "xnes-train", Name: "w train xNES", Help: "The weights with the least sum over the training weeks that xNES found, in every week.", Values: r.Fixed})
		}
		add(Strategy{Key: "xnes-greedy", Name: "w greedy xNES", Help: "In each week what xNES found for the week before.", Values: r.After})
	}
	add(Strategy{Key: "pure-leader", Name: "leader, pure", Ours: true, Help: "In each week the pure order that was best over all weeks before together (follow the leader).",
		Values: choices(r.Pure.Follow(0, pureOnly()))})
	for c, name := range r.Orders {
		s := Strategy{Key: "own", Name: name, Pure: true, Help: "Your own order: " + r.Doc.Search.Text("formula"), Values: column(r.Pure, c)}
		if c < len(catalog.Orders) {
			s.Key, s.Help = catalog.Orders[c].Key, catalog.Orders[c].Title+": "+catalog.Orders[c].Score+"."
		}
		add(s)
	}
	order.Stable(out.strategies, func(a, b Strategy) int {
		x, y := a.Test, b.Test
		switch {
		case math.IsNaN(x) || math.IsNaN(y) || x == y:
			return 0
		case x < y:
			return -1
		}
		return 1
	})
}

// pureOnly are the pure orders without the own one.
func pureOnly() []int {
	list := make([]int, len(catalog.Orders))
	for i := range list {
		list[i] = i
	}
	return list
}

// Grid says which vector of a coverage stands where on a map: of the vectors
// over q, p̃ and wait alone, by (p̃, wait) and the sign of q.
type Grid struct {
	N    int        // steps from the middle to a corner
	At   [2][]int32 // q ≤ 0 and q ≥ 0: by row of p̃ from −N to N, then wait from −N to N; −1 outside
	Vecs [][]float64
}

// Grid returns the places of the coverage's vectors; nil without a coverage.
func (r *Search) Grid() *Grid {
	if r.Coverage == nil || r.grid != nil {
		return r.grid
	}
	n := r.Whole("points") / 2
	g := &Grid{N: n, Vecs: make([][]float64, r.Coverage.Len())}
	side := 2*n + 1
	for half := range g.At {
		g.At[half] = make([]int32, side*side)
		for i := range g.At[half] {
			g.At[half][i] = -1
		}
	}
	d := r.Coverage.Dimensions()
	flat := make([]float64, d*r.Coverage.Len())
	for i := range g.Vecs {
		v := flat[i*d : (i+1)*d : (i+1)*d]
		r.Coverage.At(i, v)
		g.Vecs[i] = v
		if slices.ContainsFunc(v[3:], func(x float64) bool { return x != 0 }) {
			continue
		}
		at := (int(math.Round(v[1]*float64(n)))+n)*side + int(math.Round(v[2]*float64(n))) + n
		if v[0] <= 0 {
			g.At[0][at] = int32(i)
		}
		if v[0] >= 0 {
			g.At[1][at] = int32(i)
		}
	}
	r.grid = g
	return g
}

// Fingerprint is a number that two searches share when all of their results are
// the same to the last bit; 0 while a search is under way.
func (r *Search) Fingerprint() uint64 {
	if r.UnderWay || r.Pure == nil {
		return 0
	}
	h := uint64(1469598103934665603)
	mix := func(v float64) {
		h = (h ^ math.Float64bits(v)) * 1099511628211
		h ^= h >> 29
	}
	tables := []*learn.Table{r.Pure}
	if r.Cover != nil {
		tables = append(tables, r.Cover)
	}
	for _, t := range tables {
		for w := range t.Weeks() {
			for _, v := range t.Row(w) {
				if math.IsNaN(v) {
					v = 0
				}
				mix(v)
			}
		}
	}
	for _, f := range append(slices.Clone(r.Found), r.Trained) {
		if f != nil {
			mix(f.Value)
			for _, x := range f.Weights {
				mix(x)
			}
		}
	}
	for _, list := range [][]float64{r.After, r.Fixed} {
		for _, v := range list {
			if math.IsNaN(v) {
				v = 0
			}
			mix(v)
		}
	}
	return h
}

// plural words a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprint(n, " ", thing, "s")
}
