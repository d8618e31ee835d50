package resource

import (
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
)

// grid is the plain twin of Nodes: one cell a node and second.
type grid [][]Amount

func (g grid) book(w *Want, parts []model.Part, from, to model.Time, sign int32) {
	a := w.Each
	for _, p := range parts {
		a.Procs = p.Procs
		for t := from; t < to; t++ {
			g[p.Node][t].Add(&a, sign)
		}
	}
}

// place finds nodes as the rule says: the first that suit throughout.
func (g grid) place(w *Want, from, to model.Time) ([]model.Part, bool) {
	var parts []model.Part
	left := w.Procs
	for n := range g {
		least := g[n][from]
		for t := from; t < to; t++ {
			c := g[n][t]
			least = Amount{min(least.Mem, c.Mem), min(least.Disk, c.Disk), min(least.Procs, c.Procs), min(least.GPUs, c.GPUs)}
		}
		if !w.Suits(n) || !least.Holds(&w.Each) || left == 0 || w.Parts > 0 && len(parts) == int(w.Parts) {
			continue
		}
		procs := w.Each.Procs
		if w.Parts == 0 {
			procs = min(left, least.Procs)
		}
		parts = append(parts, model.Part{Node: int32(n), Procs: procs})
		left -= procs
	}
	return parts, left == 0
}

// The profile of nodes agrees with one cell a node and second through random
// reservations, releases, blocked nodes, advances and searches, and on one node
// with the profile of counts.
func TestNodesAgreeWithCells(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	found := 0
	for range 300 {
		const horizon = 500
		have := make([]Amount, 1+r.IntN(5))
		sum := int32(0)
		for i := range have {
			have[i] = Amount{Mem: int64(50 + r.IntN(50)), Disk: Unlimited, Procs: 1 + r.Int32N(8), GPUs: r.Int32N(3)}
			sum += have[i].Procs
		}
		var p Nodes
		p.Reset(0, have)
		twin := make(grid, len(have))
		for i := range twin {
			twin[i] = slices.Repeat(have[i:i+1], 2*horizon)
		}
		type hold struct {
			w        Want
			parts    []model.Part
			from, to model.Time
		}
		var holds []hold
		now := model.Time(0)
		for range 40 {
			switch r.IntN(5) {
			case 0:
				now += model.Time(r.IntN(12))
				p.Advance(now)
			case 1:
				if len(holds) == 0 {
					continue
				}
				k := r.IntN(len(holds))
				h := holds[k]
				holds = slices.Delete(holds, k, k+1)
				if from := max(h.from, now); from < h.to {
					p.Release(&h.w, h.parts, from, h.to)
					twin.book(&h.w, h.parts, from, h.to, 1)
				}
			case 2:
				n, from := r.IntN(len(have)), now+model.Time(r.IntN(40))
				if r.IntN(4) > 0 {
					continue
				}
				to := from + 1 + model.Time(r.IntN(40))
				p.Block(n, have[n], from, to) // whatever stands there
				for s := from; s < to; s++ {
					twin[n][s].Add(&have[n], -1)
				}
			default:
				w := Want{Each: Amount{Mem: r.Int64N(60), Procs: 1, GPUs: r.Int32N(2)}, Procs: 1 + r.Int32N(sum)}
				if r.IntN(2) == 0 {
					w.Parts, w.Each.Procs = 1+r.Int32N(2), 1+r.Int32N(4)
					w.Procs = w.Parts * w.Each.Procs
				}
				if r.IntN(4) == 0 {
					w.Mask = []uint64{r.Uint64N(32)}
				}
				length, from := 1+model.Time(r.IntN(30)), now+model.Time(r.IntN(20))
				before := from + model.Time(r.IntN(300))
				at, parts, ok := p.Fit(&w, length, from, before, nil)
				want := from
				wantParts, fits := twin.place(&w, want, want+length)
				for !fits && want+1 < before {
					want++
					wantParts, fits = twin.place(&w, want, want+length)
				}
				if fits = fits && want < before; ok != fits || ok && (at != want || !slices.Equal(parts, wantParts)) {
					t.Fatalf("%+v for %d s in [%d, %d): %d %v %v instead of %d %v %v", w, length, from, before, at, parts, ok, want, wantParts, fits)
				}
				if !ok {
					continue
				}
				found++
				if !p.Held(&w, parts, at, at+length) {
					t.Fatal("what fits is not free")
				}
				p.Reserve(&w, parts, at, at+length)
				twin.book(&w, parts, at, at+length, -1)
				holds = append(holds, hold{w, parts, at, at + length})
			}
		}
		for i := range p.nodes {
			for k := p.nodes[i].lo + 1; k < len(p.nodes[i].steps); k++ {
				if p.nodes[i].steps[k].free == p.nodes[i].steps[k-1].free {
					t.Fatalf("node %d: steps %d and %d are alike", i, k-1, k)
				}
			}
		}
	}
	if found < 2000 {
		t.Errorf("only %d jobs were placed", found)
	}
}

// FitBetween agrees with one cell a second: the job itself stays in the resource.
func TestFitBetweenAgreesWithCells(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	moved := 0
	for range 3000 {
		const procs = 8
		var p Counts
		p.Reset(0, procs)
		twin := slices.Repeat(cells{procs}, 400)
		for range r.IntN(12) {
			from := model.Time(r.IntN(60))
			to, n := from+1+model.Time(r.IntN(30)), 1+r.Int32N(3)
			p.Add(from, to, -n)
			for s := from; s < to; s++ {
				twin[s] -= n
			}
		}
		need, length := 1+r.Int32N(4), 1+model.Time(r.IntN(30))
		start := twin.earliest(model.Time(r.IntN(80)), need, length)
		p.Add(start, start+length, -need)
		from := model.Time(r.IntN(40))
		want := start // without itself, the earliest from a point on
		for s := from; s < start; s++ {
			if twin.fits(need, s, length) {
				want = s
				break
			}
		}
		if from > start {
			from = start
		}
		if got := p.FitBetween(need, length, from, start); got != want {
			t.Fatalf("%d processors for %d s in [%d, %d): %d, not %d", need, length, from, start, got, want)
		}
		if want < start {
			moved++
		}
	}
	if moved < 300 {
		t.Errorf("only %d jobs could move", moved)
	}
}
