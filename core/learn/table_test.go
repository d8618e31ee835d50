package learn

import (
	"math"
	"math/rand/v2"
	"testing"
)

// plain is a table as the definitions read: every sum is added up on its own.
type plain [][]float64

func (p plain) empty(w int) bool {
	for _, v := range p[w] {
		if !math.IsNaN(v) {
			return false
		}
	}
	return true
}

func (p plain) train(weeks, among []int) Choice {
	best := Choice{-1, math.NaN()}
	for c := range p[0] {
		allowed := among == nil
		for _, a := range among {
			allowed = allowed || a == c
		}
		sum, some := 0.0, false
		for _, w := range weeks {
			if !p.empty(w) {
				sum, some = sum+p[w][c], true
			}
		}
		if allowed && some && !math.IsNaN(sum) && (best.Candidate < 0 || sum < best.Value) {
			best = Choice{c, sum}
		}
	}
	return best
}

func (p plain) follow(k int, among []int) []Choice {
	out := make([]Choice, len(p))
	for w := range p {
		var before []int
		for b := w - 1; b >= 0 && (k == 0 || len(before) < k); b-- {
			if !p.empty(b) {
				before = append([]int{b}, before...)
			}
		}
		out[w] = Choice{-1, math.NaN()}
		if c := p.train(before, among); c.Candidate >= 0 && !p.empty(w) {
			out[w] = Choice{c.Candidate, p[w][c.Candidate]}
		}
	}
	return out
}

func same(a, b Choice) bool {
	return a.Candidate == b.Candidate && math.Float64bits(a.Value) == math.Float64bits(b.Value)
}

// Intent: on random tables with empty weeks, holes and equal values, filled in
// any order, all choices are those of the definitions, to the last bit.
func TestChoicesAgreeWithDefinitions(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		weeks, candidates := 2+rng.IntN(12), 1+rng.IntN(8)
		p, table := make(plain, weeks), NewTable(weeks, candidates)
		for w := range p {
			p[w] = make([]float64, candidates)
			empty := rng.IntN(4) == 0
			for c := range p[w] {
				p[w][c] = 1 + float64(rng.IntN(20))/7
				if empty || seed%3 == 0 && rng.IntN(20) == 0 {
					p[w][c] = math.NaN()
				}
			}
		}
		for _, i := range rng.Perm(weeks * candidates) {
			if v := p[i/candidates][i%candidates]; !math.IsNaN(v) {
				if err := table.Put(i/candidates, i%candidates, []float64{v}); err != nil {
					t.Fatal(err)
				}
			}
		}
		var among []int
		for c := range candidates {
			if rng.IntN(2) == 0 {
				among = append(among, c)
			}
		}
		some := []int{0, weeks / 2, weeks - 1}
		if got, want := table.Train(some), p.train(some, nil); !same(got, want) {
			t.Fatalf("seed %d: trained %+v, want %+v", seed, got, want)
		}
		for k := range 4 {
			for _, a := range [][]int{nil, among} {
				got, want := table.Follow(k, a), p.follow(k, a)
				for w := range want {
					if !same(got[w], want[w]) && !(len(a) == 0 && a != nil) {
						t.Fatalf("seed %d, k %d, week %d: %+v, want %+v", seed, k, w, got[w], want[w])
					}
				}
			}
		}
		for w, got := range table.Best() {
			best := Choice{-1, math.NaN()}
			for c, v := range p[w] {
				if v < best.Value || best.Candidate < 0 && !math.IsNaN(v) {
					best = Choice{c, v}
				}
			}
			if !same(got, best) {
				t.Fatalf("seed %d, week %d: best %+v, want %+v", seed, w, got, best)
			}
		}
	}
}

// Intent: what is no slowdown, or stands outside, is refused; sums count weeks
// without choice apart.
func TestTableRefusesAndSums(t *testing.T) {
	table := NewTable(2, 3)
	for _, bad := range []func() error{
		func() error { return table.Put(2, 0, []float64{1}) },
		func() error { return table.Put(0, 2, []float64{1, 1}) },
		func() error { return table.Put(0, -1, []float64{1}) },
		func() error { return table.Put(0, 0, []float64{0.5}) },
		func() error { return table.Put(0, 0, []float64{math.NaN()}) },
		func() error { return table.Put(0, 0, []float64{math.Inf(1)}) },
	} {
		if bad() == nil {
			t.Error("accepted")
		}
	}
	table.Put(0, 0, []float64{1, 1.04, 1.05})
	table.Put(1, 0, []float64{3, 2, 9})
	if !table.Flat(0) || table.Flat(1) || !table.Complete(1) || table.Missing() != 0 {
		t.Error("flat, complete or missing is wrong")
	}
	if sum, missing := SumChoices(table.Follow(1, nil), []int{0, 1}); sum != 3 || missing != 1 {
		t.Errorf("greedy: %v, %d missing", sum, missing)
	}
	if v := table.Sum(1, []int{0, 1}); v != 3.04 {
		t.Errorf("sum %v", v)
	}
}
