package paper

import (
	"fmt"
	"math"
	"slices"

	"batchlab/core/experiment"
	"batchlab/core/learn"
	"batchlab/core/mixed"
	"batchlab/core/policy"
	"batchlab/core/workload"
)

// span is a set of weeks with a name.
type span struct {
	column string
	weeks  []int
}

// legrandTrain and legrandTest are the training and testing weeks of the paper.
func legrandTrain() span { return span{"training, weeks 28 to 64", numbers(28, 64)} }

func legrandTest() span { return span{"testing, weeks 65 to 100", numbers(65, 100)} }

// spans are the training and testing weeks: those of the paper, by equation 5
// and as halves, where there are 100; halves of all otherwise, and on SDSC-BLUE, of which
// section 9 says "half of the used weeks".
func (r *legrandRun) spans() (train, test span, others []span) {
	n := len(r.labs[0].Weeks())
	if n >= 100 && r.name != "SDSC-BLUE" && r.settings.Length == int64(workload.Week) {
		return legrandTrain(), legrandTest(),
			[]span{{"training, weeks 29 to 64", numbers(29, 64)}}
	}
	what := "weeks"
	if r.settings.Length == int64(workload.Month) {
		what = "months"
	}
	half := n / 2
	return span{fmt.Sprintf("training, %s 1 to %d", what, half), numbers(1, half)},
		span{fmt.Sprintf("testing, %s %d to %d", what, half+1, n), numbers(half+1, n)}, nil
}

// learned are the policies that learn, and one that cannot exist.
type learned struct {
	name    string
	choices []learn.Choice
}

// learn computes what the learning policies choose over a coverage.
func (r *legrandRun) learn(t *learn.Table, train span) ([]learned, error) {
	one := t.Train(train.weeks)
	trained := make([]learn.Choice, t.Weeks())
	for w := range trained {
		trained[w] = learn.Choice{Candidate: -1}
		if !t.Empty(w) && one.Candidate >= 0 {
			trained[w] = learn.Choice{Candidate: one.Candidate, Value: t.At(w, one.Candidate)}
		}
	}
	list := []learned{
		{"w*", t.Best()}, {"w_train", trained}, {"w_greedy", t.Follow(1, nil)},
		{"sliding window of 4 (ours)", t.Follow(4, nil)}, {"follow the leader (ours)", t.Follow(0, nil)},
	}
	for _, l := range list {
		if err := r.digestChoices(l.choices); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// learntThere is what table 2 prints of a policy in a span, 0 where it prints nothing.
func (r *legrandRun) learntThere(name string, s span) float64 {
	if v := printed("legrand2018-table2", name, s.column); v != nil && r.name == "SDSC-SP2" {
		return *v
	}
	return 0
}

// legrandTable2 sums what was learned over training and testing weeks.
func legrandTable2(r *legrandRun) error {
	pure, err := r.pure()
	if err != nil {
		return err
	}
	t, err := r.coverage()
	if err != nil {
		return err
	}
	train, test, others := r.spans()
	list, err := r.learn(t, train)
	if err != nil {
		return err
	}
	r.note("%d vectors cover the mixed orders over q, p and wait", t.Candidates())
	if r.settings.Length == int64(workload.Week) {
		r.flat(pure, t)
	}
	for _, s := range append([]span{train, test}, others...) {
		for _, l := range list {
			sum, missing := learn.SumChoices(l.choices, s.weeks)
			for _, w := range s.weeks {
				if t.Empty(w) {
					missing--
				}
			}
			column := s.column
			if missing > 0 {
				column += fmt.Sprintf(", %d without a choice", missing)
			}
			r.add(l.name, column, sum, r.learntThere(l.name, s))
		}
		for o, order := range policy.Pure() {
			r.add(orderName(order), s.column, pure.Sum(o, s.weeks), r.learntThere(orderName(order), s))
		}
		r.against(pure, t, list, s)
	}
	return nil
}

// against sets what was learned, and the other pure orders, beside SAF over the weeks
// of a span; those of which nothing was learned count for neither.
func (r *legrandRun) against(pure, t *learn.Table, list []learned, s span) {
	saf := int(policy.SAF)
	for _, l := range list {
		var x, y []float64
		above, below := 0, 0
		for _, w := range s.weeks {
			if t.Empty(w) || l.choices[w].Candidate < 0 {
				continue
			}
			a, b := l.choices[w].Value, pure.At(w, saf)
			x, y = append(x, a), append(y, b)
			above, below = above+btoi(a > 1.05*b), below+btoi(a < b/1.05)
		}
		if len(x) == 0 {
			continue
		}
		r.quotient(l.name+" ÷ SAF", s.column, x, y)
		r.add(l.name, "weeks more than 5 % above SAF, "+s.column, float64(above), 0)
		r.add(l.name, "weeks more than 5 % below SAF, "+s.column, float64(below), 0)
		r.add(l.name, "weeks, "+s.column, float64(len(x)), 0)
	}
	for o, order := range policy.Pure() {
		if o == saf {
			continue
		}
		var x, y []float64
		for _, w := range s.weeks {
			if !pure.Empty(w) {
				x, y = append(x, pure.At(w, o)), append(y, pure.At(w, saf))
			}
		}
		r.quotient(orderName(order)+" ÷ SAF", s.column, x, y)
	}
	trained, missing := learn.SumChoices(list[1].choices, s.weeks)
	if missing > 0 {
		return
	}
	place := 1
	for o := range policy.Pure() {
		place += btoi(pure.Sum(o, s.weeks) < trained)
	}
	if greedy, missing := learn.SumChoices(list[2].choices, s.weeks); missing == 0 {
		place += btoi(greedy < trained)
	}
	r.add("place of w_train", s.column, float64(place), 0)
}

// flat counts the weeks in which there is nothing to gain, and says how much
// there is in the others.
func (r *legrandRun) flat(pure, t *learn.Table) {
	best, close, near, twice, most, mostPure := t.Best(), 0, 0, 0, 0.0, 0.0
	for _, w := range r.busy() {
		saf, fcfs, least := pure.At(w, int(policy.SAF)), pure.At(w, int(policy.FCFSOrder)), best[w].Value
		close += btoi(max(saf, fcfs) <= 1.05*least)
		near += btoi(max(saf, fcfs) <= least+5)
		most = max(most, saf/least)
		q := pure.Best()[w].Value / least
		mostPure = max(mostPure, q)
		twice += btoi(q >= 2)
	}
	for _, x := range []struct {
		column string
		ours   float64
		unit   string // so that they do not stand beside slowdowns in a chart
	}{{"weeks", float64(len(r.busy())), "weeks"}, {"weeks in which SAF and FCFS are within 5 % of w*", float64(close), "weeks"},
		{"weeks in which SAF and FCFS are at most 5 above w*", float64(near), "weeks"},
		{"weeks in which the best pure order is at least twice w*", float64(twice), "weeks"},
		{"greatest SAF ÷ w* of a week", most, "times"}, {"greatest best pure order ÷ w* of a week", mostPure, "times"}} {
		r.out.Rows = append(r.out.Rows, Row{Label: "all weeks", Column: x.column, Ours: x.ours, Unit: x.unit})
	}
}

func (r *legrandRun) note(format string, args ...any) {
	r.out.Notes = append(r.out.Notes, fmt.Sprintf(format, args...))
}

// legrandLearning is figures 3, 7, 10 and 13.
func legrandLearning(r *legrandRun) error {
	_, err := r.learning()
	return err
}

// learning adds what FCFS, SAF and the learning policies give in each window.
func (r *legrandRun) learning() ([]learned, error) {
	pure, err := r.pure()
	if err != nil {
		return nil, err
	}
	t, err := r.coverage()
	if err != nil {
		return nil, err
	}
	train, _, _ := r.spans()
	list, err := r.learn(t, train)
	if err != nil {
		return nil, err
	}
	for _, o := range []policy.Order{policy.SAF, policy.FCFSOrder} {
		fixed := learned{name: orderName(o), choices: make([]learn.Choice, t.Weeks())}
		for w := range fixed.choices {
			fixed.choices[w] = learn.Choice{Candidate: -1}
			if !pure.Empty(w) {
				fixed.choices[w] = learn.Choice{Candidate: int(o), Value: pure.At(w, int(o))}
			}
		}
		list = append([]learned{fixed}, list...)
	}
	r.flat(pure, t)
	r.note("%d vectors cover the mixed orders over q, p and wait; w_train is the best of %s", t.Candidates(), train.column)
	for _, w := range r.busy() {
		for _, l := range list {
			if c := l.choices[w]; c.Candidate >= 0 {
				r.add(r.week(w), l.name, c.Value, 0)
			}
		}
	}
	return list, nil
}

// legrandMonths is figure 15, with the sums of both halves.
func legrandMonths(r *legrandRun) error {
	if err := r.open(workload.Month); err != nil {
		return err
	}
	list, err := r.learning()
	if err != nil {
		return err
	}
	train, test, _ := r.spans()
	for _, s := range []span{train, test} {
		for _, l := range list {
			sum, _ := learn.SumChoices(l.choices, s.weeks)
			r.add("sum of "+s.column, l.name, sum, 0)
			if l.name == "SAF" {
				continue
			}
			var x, y []float64
			for _, w := range s.weeks {
				if saf := list[1].choices[w]; l.choices[w].Candidate >= 0 && saf.Candidate >= 0 {
					x, y = append(x, l.choices[w].Value), append(y, saf.Value)
				}
			}
			r.quotient("sum of "+s.column+", ÷ SAF", l.name, x, y)
		}
	}
	return nil
}

// legrandMonthsSmall is figure 15 over a coverage of 402 vectors.
func legrandMonthsSmall(r *legrandRun) error {
	if !r.in.Quick && r.in.Points == 0 {
		r.in.Points = 20
	}
	return legrandMonths(r)
}

// legrandMaps is figure 4: four weeks in a row, 70 to 73 where there are so
// many, the last four otherwise.
func legrandMaps(r *legrandRun) error {
	r.coarse = true
	weeks := len(r.labs[0].Weeks())
	first := 70
	if weeks < 73 {
		first = max(1, weeks-3)
	}
	first, weeks = first-1, min(4, weeks-first+1)
	if err := r.reopen(func(s *mixed.Settings) { s.First, s.Count = s.First+first, weeks }); err != nil {
		return err
	}
	r.skipped = first
	t, err := r.coverage()
	if err != nil {
		return err
	}
	cover, err := r.labs[0].Coverage(r.points())
	if err != nil {
		return err
	}
	best := t.Best()
	if err := r.digestChoices(best); err != nil {
		return err
	}
	for w, b := range best {
		if b.Candidate < 0 {
			continue
		}
		v := mixed.Vector(cover, b.Candidate)
		for i, column := range []string{"q", "p", "wait"} {
			r.add("optimum of "+r.week(w), column, v[i], 0)
		}
		r.add("optimum of "+r.week(w), "mean bounded slowdown", b.Value, 0)
		for c := range cover.Len() {
			v := mixed.Vector(cover, c)
			r.add(fmt.Sprintf("q %.4g, p %.4g, wait %.4g", v[0], v[1], v[2]), r.week(w), t.At(w, c), 0)
		}
	}
	for w, b := range best {
		if b.Candidate < 0 {
			continue
		}
		for side, label := range []string{"half where q ≤ 0", "half where q ≥ 0"} {
			var values []float64
			for c := range cover.Len() {
				if q := mixed.Vector(cover, c)[0]; side == 0 && q <= 0 || side == 1 && q >= 0 {
					values = append(values, t.At(w, c))
				}
			}
			slices.Sort(values)
			r.add(label, "median of "+r.week(w), (values[(len(values)-1)/2]+values[len(values)/2])/2, 0)
		}
		if w > 0 && best[w-1].Candidate >= 0 {
			last := t.At(w, best[w-1].Candidate)
			better := 0
			for c := range cover.Len() {
				better += btoi(t.At(w, c) < last)
			}
			r.add("best of the week before", r.week(w), last, 0)
			r.out.Rows = append(r.out.Rows, Row{Label: "vectors better than the best of the week before", Column: r.week(w), Ours: 100 * float64(better) / float64(cover.Len()), Unit: "%"})
		}
	}
	return nil
}

// legrandSearches is figures 5, 8, 11 and 14.
func legrandSearches(r *legrandRun) error {
	t, err := r.coverage()
	if err != nil {
		return err
	}
	budget := max(100, t.Candidates()/5)
	best := t.Best()
	if err := r.digestChoices(best); err != nil {
		return err
	}
	busy := r.busy()
	values := [2][]float64{}
	for k, features := range []int{3, policy.Features} {
		if err := r.reopen(func(s *mixed.Settings) { s.Features = features }); err != nil {
			return err
		}
		values[k] = make([]float64, len(best))
		found := make([]*mixed.Found, len(best))
		err := r.in.each(len(busy), func(worker, i int) error {
			a, err := r.labs[worker].Do(mixed.Chunk{Kind: mixed.KindXNES, Week: busy[i], Search: &mixed.Search{Budget: budget, Seed: 1, Lambda: mixed.DefaultLambda}}, r.in.Watch)
			found[busy[i]] = a.Found
			return err
		}, func(i int) any { return &found[busy[i]] })
		if err != nil {
			return err
		}
		var rows []experiment.DigestRow
		for _, w := range busy {
			weights, err := policy.NewWeights(found[w].Weights)
			if err != nil {
				return err
			}
			if values[k][w], err = r.labs[0].Mixed(w, weights); err != nil {
				return err
			}
			rows = appendRows(rows, r.labs[0].Schedule())
		}
		r.digest.add(rows)
	}
	r.note("each search may evaluate %d vectors, seed 1; w*_3 is the best of a coverage of %d", budget, t.Candidates())
	sums := [3]float64{}
	columns := [3]string{"w*_3", "xnes3", "xnes6"}
	for _, w := range busy {
		for i, v := range [3]float64{best[w].Value, values[0][w], values[1][w]} {
			if !math.IsNaN(v) {
				r.add(r.week(w), columns[i], v, 0)
				sums[i] += v
			}
		}
	}
	for i, v := range sums {
		r.add("sum of all weeks", columns[i], v, 0)
	}
	return nil
}
