package resource

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
)

// cellSpace is the plain twin of Space: one Pool a second.
type cellSpace []*Pool

// during returns what is free throughout [from, to).
func (s cellSpace) during(from, to model.Time) *Pool {
	p := s[from].site.NewPool()
	p.CopyFrom(s[from])
	for t := from + 1; t < to; t++ {
		p.Min(s[t])
	}
	return p
}

func (s cellSpace) move(n *Need, c model.Claim, from, to model.Time, sign int32) {
	for t := from; t < to; t++ {
		s[t].move(n, c, sign)
	}
}

// someSite draws a site of up to three clusters of all packings, with licences
// and limits.
func someSite(r *rand.Rand) *Site {
	p := &model.Platform{Licences: []model.Licence{{Name: "a", Copies: 1 + r.Int32N(3)}, {Name: "b"}}}
	for c := range 1 + r.IntN(3) {
		cluster := model.Cluster{Name: fmt.Sprint(c), Packing: model.Packing(r.IntN(3))}
		for range 1 + r.IntN(2) {
			g := model.NodeGroup{Count: 1 + r.Int32N(3), Procs: 1 + r.Int32N(6), Speed: float64(1+r.IntN(3)) / 2, Licences: []string{"a", "b"}[r.IntN(2):]}
			if r.IntN(2) == 0 {
				g.Mem, g.GPUs = 8, r.Int32N(3)
			}
			cluster.Groups = append(cluster.Groups, g)
		}
		p.Clusters = append(p.Clusters, cluster)
	}
	if r.IntN(2) == 0 {
		p.Limits.UserProcs = 2 + r.Int32N(6)
		p.Limits.Classes = []model.LimitClass{{LongerThan: 10, Share: 0.5}, {LongerThan: 20, Share: 0.8}}
	}
	s, err := NewSite(p)
	if err != nil {
		panic(err)
	}
	return s
}

// someNeed draws what a job could ask of a site.
func someNeed(r *rand.Rand, s *Site) Need {
	job := model.Job{Procs: 1 + r.Int32N(8), User: r.Int32N(3), Limit: 1 + model.Time(r.IntN(30))}
	var d model.Demand
	if r.IntN(3) == 0 {
		d.Nodes, d.PerNode = 1+r.Int32N(2), 1+r.Int32N(3)
		job.Procs = d.Nodes * d.PerNode
	}
	if r.IntN(3) == 0 {
		d.MemPerNode, d.GPUsPerNode = int64(r.IntN(6)), r.Int32N(2)
	}
	if r.IntN(3) == 0 {
		d.Licences = []model.LicenceNeed{{Licence: r.Int32N(2), Copies: 1}}
	}
	return s.Need(&job, &d)
}

// Intent: what a Space says of a stretch of time is what the pools of its seconds
// say together, through random bookings, partial returns and advances, on all
// packings, with licences and limits: where a job can start, and when first.
func TestSpaceAgreesWithPools(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	const horizon = 240
	placed, sought, windows := 0, 0, 0
	for range 250 {
		s := someSite(r)
		p := s.NewSpace(0, false)
		twin := make(cellSpace, 2*horizon)
		for i := range twin {
			twin[i] = s.NewPool()
		}
		type booked struct {
			n        *Need
			c        model.Claim
			from, to model.Time
		}
		var list []booked
		now := model.Time(0)
		for range 30 {
			n := someNeed(r, s)
			from := now + model.Time(r.IntN(20))
			length := 1 + model.Time(r.IntN(30))
			switch r.IntN(6) {
			case 0:
				now += model.Time(r.IntN(8))
				p.Advance(now)
			case 1:
				if len(list) > 0 {
					k := r.IntN(len(list))
					b := list[k]
					list = slices.Delete(list, k, k+1)
					p.Unbook(b.n, b.c, max(now, b.from), b.to, nil)
					twin.move(b.n, b.c, max(now, b.from), b.to, 1)
				}
			case 2:
				at, claim, ok := p.Earliest(&n, length, from)
				var want model.Claim
				found := false
				begin := from
				for ; begin < from+horizon/2 && !found; begin++ {
					want, found = twin.during(begin, begin+length).Place(&n)
				}
				if begin--; ok != found || ok && (at != begin || !same(claim, want)) {
					t.Fatalf("%+v for %d s from %d: %d %v %v instead of %d %v %v", n, length, from, at, claim, ok, begin, want, found)
				}
				sought++
			case 3:
				c := r.Int32N(int32(len(s.Platform.Clusters)))
				one := s.On(&n, c)
				only := &one
				at, claim, ok := p.FitOn(c, &n, length, from, from+30)
				var want model.Claim
				found := false
				begin := from
				for ; begin < from+30 && !found; begin++ {
					want, found = twin.during(begin, begin+length).Place(only)
				}
				if begin--; ok != found || ok && (at != begin || !same(claim, want)) {
					t.Fatalf("cluster %d, %+v for %d s from %d: %d %v %v instead of %d %v %v", c, n, length, from, at, claim, ok, begin, want, found)
				}
				deadline := from + length + 25
				var starts []Starts
				for at := from; at+length <= deadline; at++ {
					if _, ok := twin.during(at, at+length).Place(only); !ok {
						continue
					}
					if k := len(starts); k > 0 && starts[k-1].To == at-1 {
						starts[k-1].To = at
					} else {
						starts = append(starts, Starts{at, at})
					}
				}
				var got []Starts
				p.Feasible(c, &n, length, from, deadline, func(w Starts) bool { got = append(got, w); return true })
				if !slices.Equal(got, starts) {
					t.Fatalf("cluster %d, %+v for %d s in [%d, %d]: %v, not %v", c, n, length, from, deadline, got, starts)
				}
				windows += len(starts)
			default:
				claim, ok := p.Place(&n, from, from+length)
				want, fits := twin.during(from, from+length).Place(&n)
				if ok != fits || ok && !same(claim, want) {
					t.Fatalf("%+v in [%d, %d): %v %v instead of %v %v", n, from, from+length, claim, ok, want, fits)
				}
				if ok {
					if !p.Holds(&n, claim, from, from+length) {
						t.Fatal("what can be placed cannot be held")
					}
					if p.Book(&n, claim, from, from+length); p.Total(claim.Cluster) == nil {
						t.Fatal("no total")
					}
					twin.move(&n, claim, from, from+length, -1)
					list = append(list, booked{&n, claim, from, from + length})
					placed++
				}
			}
			if r.IntN(4) == 0 { // a trial leaves nothing behind
				rises := p.Rises(-1)
				p.Try()
				for range 4 {
					if mark := p.Mark(); len(list) > 0 && r.IntN(2) == 0 {
						b := list[r.IntN(len(list))]
						p.Unbook(b.n, b.c, max(now, b.from), b.to, nil)
						p.Back(mark)
					}
					m := someNeed(r, s)
					if claim, ok := p.Place(&m, from, from+length); ok {
						p.Book(&m, claim, from, from+length)
					}
				}
				if k := len(list); k > 0 {
					b := list[k-1]
					p.Unbook(b.n, b.c, max(now, b.from), b.to, nil)
				}
				if p.End(); p.Mark() != 0 || p.Rises(-1) < rises {
					t.Fatal("a trial has not ended")
				}
			}
			if r.IntN(8) == 0 { // a copy is as good
				q := s.NewSpace(0, false)
				q.CopyFrom(p)
				p = q
			}
		}
	}
	if placed < 1000 || sought < 500 || windows < 400 {
		t.Errorf("only %d jobs were placed, %d sought and %d windows found", placed, sought, windows)
	}
}

func same(a, b model.Claim) bool { return a.Cluster == b.Cluster && slices.Equal(a.Parts, b.Parts) }

// Intent: what the calendar takes is not free, entries may overlap, and with named
// processors a booking keeps its own while others come and go.
func TestSpaceAwayAndNamed(t *testing.T) {
	p := &model.Platform{Clusters: []model.Cluster{
		{Name: "c", Groups: []model.NodeGroup{{Count: 8, Procs: 1, Speed: 1}}},
		{Name: "n", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 2, Procs: 4, Speed: 1}}},
	}}
	s, err := NewSite(p)
	if err != nil {
		t.Fatal(err)
	}
	space := s.NewSpace(0, true)
	space.Away(&model.CalendarEntry{From: 10, To: 20, Cluster: 0, Procs: 5}, 0)
	space.Away(&model.CalendarEntry{From: 15, To: 30, Nodes: []int32{1, 2}}, 0)
	space.Away(&model.CalendarEntry{From: 12, To: 18, Nodes: []int32{1}}, 0)
	four := s.Need(&model.Job{Procs: 4, Limit: 100}, &model.Demand{Eligible: []int32{0}})
	if at, _, ok := space.Earliest(&four, 11, 0); !ok || at != 20 {
		t.Errorf("beside 5 of 8 taken during [10, 20), 4 start at %d", at)
	}
	eight := s.Need(&model.Job{Procs: 8, Limit: 100}, &model.Demand{Eligible: []int32{1}})
	if at, _, ok := space.Earliest(&eight, 13, 0); !ok || at != 30 {
		t.Errorf("between overlapping entries, both nodes are free for 13 s at %d", at)
	}
	// Processors 0-3 until 8, 4-7 until 4, then 0-3 are not those that are free.
	if which := space.Book(&four, model.Claim{Parts: []model.Part{{Procs: 4}}}, 0, 8); which[0] != 0x0f {
		t.Errorf("bound to %b", which[0])
	}
	other := space.Book(&four, model.Claim{Parts: []model.Part{{Procs: 4}}}, 0, 4)
	if other[0] != 0xf0 {
		t.Errorf("bound to %b", other[0])
	}
	three := s.Need(&model.Job{Procs: 3, Limit: 100}, &model.Demand{Eligible: []int32{0}})
	if at, _, ok := space.Earliest(&three, 7, 4); !ok || at != 8 { // 4-7 are away from 10 on
		t.Errorf("3 named processors for 7 s start at %d", at)
	}
	space.Try() // the four of the second job are given back and taken by another
	space.Unbook(&four, model.Claim{Parts: []model.Part{{Procs: 4}}}, 0, 4, other)
	if which := space.Book(&three, model.Claim{Parts: []model.Part{{Procs: 3}}}, 0, 9); which[0] != 0x70 {
		t.Errorf("in a trial bound to %b", which[0])
	}
	space.End()
	if _, _, ok := space.FitOn(0, &three, 4, 0, 1); ok {
		t.Error("after the trial, named processors are free that the second job has again")
	}
	space.Unbook(&four, model.Claim{Parts: []model.Part{{Procs: 4}}}, 2, 4, other)
	if got := space.Total(0); !got.Free(2, 4, 4) || got.Free(0, 2, 1) {
		t.Error("what was given back is not free")
	}
}
