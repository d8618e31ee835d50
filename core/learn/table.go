// Package learn says which of a list of candidates, such as queue orders, was
// best in each week, and what would have come of following those that were best
// before (Legrand, Trystram and Zrigui 2018, section 7.2). It knows nothing of
// jobs: a Table of values is all that it looks at, so that the command line and
// the page use the same one.
package learn

import (
	"fmt"
	"math"
)

// Table holds the value, a mean bounded slowdown of 1 or more, of each week
// under each candidate: the smaller the better. Parts of it may come from
// several workers in any order; what it says then is the same.
type Table struct {
	weeks, candidates int
	values            []float64 // by week, then candidate; NaN: not known
	known             []int     // values known, by week
	missing           int
}

// NewTable returns an empty table.
func NewTable(weeks, candidates int) *Table {
	t := &Table{weeks: weeks, candidates: candidates, values: make([]float64, weeks*candidates), known: make([]int, weeks), missing: weeks * candidates}
	for i := range t.values {
		t.values[i] = math.NaN()
	}
	return t
}

// Weeks returns the number of weeks.
func (t *Table) Weeks() int { return t.weeks }

// Candidates returns the number of candidates.
func (t *Table) Candidates() int { return t.candidates }

// Put enters the values of candidates from, from + 1, … in a week. It fails
// outside the table and on what is no slowdown.
func (t *Table) Put(week, from int, values []float64) error {
	if week < 0 || week >= t.weeks || from < 0 || from+len(values) > t.candidates {
		return fmt.Errorf("learn: week %d, candidates %d … %d do not stand in a table of %d weeks and %d candidates", week, from, from+len(values)-1, t.weeks, t.candidates)
	}
	for i, v := range values {
		if !(v >= 1) || math.IsInf(v, 0) {
			return fmt.Errorf("learn: week %d, candidate %d: %v is no mean bounded slowdown", week, from+i, v)
		}
		at := &t.values[week*t.candidates+from+i]
		if math.IsNaN(*at) {
			t.missing--
			t.known[week]++
		}
		*at = v
	}
	return nil
}

// Missing returns how many values are not known yet, those of weeks without
// jobs included.
func (t *Table) Missing() int { return t.missing }

// At returns a value, NaN where it is not known.
func (t *Table) At(week, candidate int) float64 { return t.values[week*t.candidates+candidate] }

// Row returns the values of a week by candidate, NaN where one is not known. It
// must not be changed.
func (t *Table) Row(week int) []float64 {
	return t.values[week*t.candidates : (week+1)*t.candidates]
}

// Known returns how many values of a week are known.
func (t *Table) Known(week int) int { return t.known[week] }

// Complete says that every value of a week is known.
func (t *Table) Complete(week int) bool { return t.known[week] == t.candidates }

// Empty says that nothing is known of a week.
func (t *Table) Empty(week int) bool { return t.known[week] == 0 }

// Choice is a candidate chosen for a week, or for several, with the value it
// gives there. A candidate −1 means that there was nothing to choose by.
type Choice struct {
	Candidate int
	Value     float64 // mean bounded slowdown; of several weeks the sum
}

// none is the choice where nothing is known.
var none = Choice{-1, math.NaN()}

// Best returns the best candidate of each week, w*; of equals the first.
func (t *Table) Best() []Choice {
	choices := make([]Choice, t.weeks)
	for w := range choices {
		choices[w] = none
		if t.Empty(w) {
			continue
		}
		for c, v := range t.Row(w) {
			if best := &choices[w]; best.Candidate < 0 && !math.IsNaN(v) || v < best.Value {
				*best = Choice{c, v}
			}
		}
	}
	return choices
}

// Train returns the candidate with the least sum over the weeks given (equation
// 5), and that sum; of equals the first. Weeks of which nothing is known do not
// count, and a candidate that is not known in every other week is not chosen.
func (t *Table) Train(weeks []int) Choice {
	sums := make([]float64, t.candidates)
	if !t.add(sums, weeks) {
		return none
	}
	return least(sums, nil)
}

// add adds the values of weeks to the sums of the candidates, in the order of
// the weeks, and reports whether anything is known of one.
func (t *Table) add(sums []float64, weeks []int) (some bool) {
	for _, w := range weeks {
		if t.Empty(w) {
			continue
		}
		some = true
		for c, v := range t.Row(w) {
			sums[c] += v
		}
	}
	return some
}

// least returns the candidate with the least sum, NaN left out.
func least(sums []float64, among []int) Choice {
	best := none
	look := func(c int) {
		if v := sums[c]; best.Candidate < 0 && !math.IsNaN(v) || v < best.Value {
			best = Choice{c, v}
		}
	}
	if among == nil {
		for c := range sums {
			look(c)
		}
	}
	for _, c := range among {
		look(c)
	}
	return best
}

// Follow chooses for each week the candidate that was best over the k weeks
// before it, and says what it gives: k = 1 is the paper's w_greedy. A larger k
// is a sliding window and k = 0 stands for all weeks before
// (follow-the-leader); both are ours. among restricts the candidates; nil
// leaves all. The first week has no choice; a week of which nothing is known is
// passed over by those behind it.
func (t *Table) Follow(k int, among []int) []Choice {
	choices := make([]Choice, t.weeks)
	var before []int // weeks of which something is known
	sums := make([]float64, t.candidates)
	for w := range choices {
		choices[w] = none
		if t.Empty(w) {
			continue
		}
		switch {
		case k == 0 && len(before) > 0:
			t.add(sums, before[len(before)-1:])
		case k > 0: // added again each time, so that rounding depends on nothing else
			clear(sums)
			t.add(sums, before[max(0, len(before)-k):])
		}
		if len(before) > 0 {
			if c := least(sums, among); c.Candidate >= 0 {
				choices[w] = Choice{c.Candidate, t.At(w, c.Candidate)}
			}
		}
		before = append(before, w)
	}
	return choices
}

// Sum adds the values of a candidate over weeks; those of which nothing is
// known count 0.
func (t *Table) Sum(candidate int, weeks []int) float64 {
	sum := 0.0
	for _, w := range weeks {
		if !t.Empty(w) {
			sum += t.At(w, candidate)
		}
	}
	return sum
}

// SumChoices adds the values of choices over weeks. Weeks without a choice
// count 0; missing says how many they are.
func SumChoices(choices []Choice, weeks []int) (sum float64, missing int) {
	for _, w := range weeks {
		if choices[w].Candidate < 0 {
			missing++
			continue
		}
		sum += choices[w].Value
	}
	return sum, missing
}

// Flat says whether a week's worst candidate is within 5 % of its best: there
// is nothing to search for.
func (t *Table) Flat(week int) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range t.Row(week) {
		if !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	return high <= 1.05*low
}
