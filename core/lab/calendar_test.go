//go:build !small

package lab

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/report"
	"batchlab/core/sim"
)

// What the calendar takes, and attempts that were stopped, stand on processors
// of their own: drawn on paper.
func TestPlacesByHand(t *testing.T) {
	p := &model.Platform{
		Clusters: []model.Cluster{
			{Name: "counted", Groups: []model.NodeGroup{{Count: 6, Procs: 1}}},
			{Name: "named", Packing: model.PackMachine, Groups: []model.NodeGroup{{Count: 3, Procs: 2}}},
		},
		Calendar: []model.CalendarEntry{
			{Kind: model.KindReservation, Name: "AR1", From: 5, To: 12, Procs: 3},
			{Kind: model.KindOutage, From: 4, To: 8, Cluster: 1, Nodes: []int32{3, 2}},
			{Kind: model.KindReservation, From: 6, To: 7, Procs: 9}, // more than is left
		},
	}
	s := &model.Schedule{Workload: &model.Workload{Jobs: make([]model.Job, 3)}, Platform: p, Claims: []model.Claim{
		{Parts: []model.Part{{Node: 0, Procs: 4}}}, {Parts: []model.Part{{Node: 0, Procs: 2}}}, {Cluster: 1, Parts: []model.Part{{Node: 1, Procs: 1}}},
	}}
	for i, e := range []struct {
		job        int32
		attempt    int32
		start, end model.Time
		claim      int32
		reason     model.EndReason
	}{{0, 0, 0, 5, 1, 0}, {1, 0, 5, 9, 2, 0}, {2, 0, 1, 4, 3, model.EndOutage}, {2, 1, 8, 10, 3, 0}} {
		s.Workload.Jobs[e.job].Number = int64(i + 1)
		s.Executions = append(s.Executions, model.Execution{Job: e.job, Attempt: e.attempt, Start: e.start, End: e.end, Claim: e.claim, Procs: 2, Reason: e.reason})
	}
	spans, before, away, _ := places(s)
	if want := []report.Span{{Job: 0, First: 0, Count: 4}, {Job: 1, First: 0, Count: 2}, {Job: 2, First: 6, Count: 1}}; !slices.Equal(spans, want) {
		t.Errorf("spans %v, want %v", spans, want)
	}
	if want := []report.Piece{{Start: 1, End: 4, Job: 2, First: 6, Count: 1, Reason: int32(model.EndOutage)}}; !slices.Equal(before, want) {
		t.Errorf("attempts %v, want %v", before, want)
	}
	want := []report.Away{
		{From: 4, To: 8, Entry: 1, Kind: int32(model.KindOutage), First: 8, Count: 4},
		{From: 5, To: 12, Entry: 0, First: 3, Count: 3},
		{From: 6, To: 7, Entry: 2, First: 2, Count: 1},
	}
	if !slices.Equal(away, want) {
		t.Errorf("calendar %v, want %v", away, want)
	}
}

// On random sites with random calendars no processor is drawn twice at one
// time, every job has what it asked for, and entries what they take.
func TestPlacesStandApart(t *testing.T) {
	drawn := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 5))
		p := &model.Platform{Clusters: []model.Cluster{
			{Name: "counted", Groups: []model.NodeGroup{{Count: 8 + r.Int32N(8), Procs: 1}}},
			{Name: "named", Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 1 + r.Int32N(6), Procs: 2}}},
		}}
		nodes := p.Nodes()
		at := model.Time(0)
		for i := range 6 { // one after the other: the counts of an entry are free then
			e := model.CalendarEntry{Kind: model.CalendarKind(i % 2), Name: fmt.Sprint(i), From: at + model.Time(r.IntN(60))}
			e.To = e.From + 1 + model.Time(r.IntN(90))
			if r.IntN(2) == 0 {
				e.Procs = 1 + r.Int32N(8)
			} else {
				e.Cluster, e.Nodes = 1, []int32{1 + r.Int32N(int32(len(nodes)-1))}
			}
			at = e.To
			p.Calendar = append(p.Calendar, e)
		}
		w := &model.Workload{Processors: p.Procs()}
		submit := model.Time(0)
		for i := range 80 {
			submit += model.Time(r.IntN(12))
			run := 1 + model.Time(r.IntN(60))
			w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: submit, Limit: run + model.Time(r.IntN(20)), Procs: 1 + r.Int32N(8)})
			w.Truth = append(w.Truth, model.Truth{Run: run, LoggedWait: -1})
		}
		s, err := new(sim.Simulator).Run(w, p, policy.NewEASY(&policy.CountedEASY{}), sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		type piece struct {
			from, to     model.Time
			first, count int32
		}
		var all []piece
		spans, _, away, _ := places(s)
		held, taken := make([]int32, len(w.Jobs)), make([]int32, len(p.Calendar))
		for _, q := range spans {
			e := &s.Executions[q.Job]
			all = append(all, piece{e.Start, e.End, q.First, q.Count})
			held[q.Job] += q.Count
		}
		for _, a := range away {
			all = append(all, piece{a.From, a.To, a.First, a.Count})
			taken[a.Entry] += a.Count
			drawn++
		}
		for i, a := range all {
			for _, b := range all[:i] {
				if a.from < b.to && b.from < a.to && a.first < b.first+b.count && b.first < a.first+a.count {
					t.Fatalf("seed %d: %v and %v are drawn on the same processors", seed, a, b)
				}
			}
		}
		for j := range held {
			if held[j] != w.Jobs[j].Procs {
				t.Fatalf("seed %d: job %d is drawn on %d of %d processors", seed, j, held[j], w.Jobs[j].Procs)
			}
		}
		for i := range taken {
			e := &p.Calendar[i]
			if want := e.Procs + 2*int32(len(e.Nodes)); taken[i] != want {
				t.Fatalf("seed %d: entry %d is drawn on %d of %d processors", seed, i, taken[i], want)
			}
		}
	}
	if drawn < 200 {
		t.Errorf("only %d entries drawn", drawn)
	}
}
