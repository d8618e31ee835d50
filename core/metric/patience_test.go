package metric

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
)

// The acceptable wait is that of the study's formula, class by class, with the
// natural logarithm to within rounding to a second.
func TestAcceptableByHand(t *testing.T) {
	const h = 3600
	p := DefaultPatience()
	for _, c := range []struct {
		procs       int32
		limit, want model.Time
	}{
		{1, h, h},               // an hour on one processor: an hour
		{1, 3*h - 1, 3*h - 1},   // the last second of factor 1
		{1, 3 * h, 3 * h / 2},   // 3 h: factor 2
		{1, 7 * h, 7 * h / 3},   // 7 h: factor 3
		{1, 24 * h, 6 * h},      // a day: factor 4
		{1, 7 * 24 * h, 120960}, // a week: 168 h ÷ 5
		{64, h, 18572},          // (ln 64 + 1) · 3600 = 5.158883 · 3600 = 18571.98
		{1, 1, 1}, {2, 1, 2},    // (ln 2 + 1) · 1 = 1.69, rounded
		{1 << 30, 10, 218}, {0, 5, 5},
	} {
		if got := p.Acceptable(c.procs, c.limit); got != c.want {
			t.Errorf("%d processors for %d s: %d s, want %d", c.procs, c.limit, got, c.want)
		}
	}
	p.Floors = true // never less than what the end of the class before has
	for limit, want := range map[model.Time]model.Time{3 * h: 3 * h, 6 * h: 3 * h, 7 * h: 12600, 24 * h: 8 * h, 7 * 24 * h: 42 * h, h: h} {
		if got := p.Acceptable(1, limit); got != want {
			t.Errorf("with floors, %d s: %d s, want %d", limit, got, want)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		n := int32(1 + r.IntN(1<<(1+r.IntN(30))))
		if got, want := logarithm(n), math.Log(float64(n)); math.Abs(got-want) > 1e-14*max(1, want) {
			t.Fatalf("ln %d = %v, want %v", n, got, want)
		}
	}
}

// Three jobs of one user on one processor: the second waits within what is
// acceptable for both jobs in the system, the third no longer, since the first
// has ended by then.
//
//	job  submit  start  run  request  in the system          acceptable  wait
//	1      0       0    100    100    1                          100        0
//	2     10     100    100    100    1, 2                       200       90
//	3    100     400     10     50    2, 3 (1 ends at 100)       150      300
func TestComplaintsByHand(t *testing.T) {
	s := schedule(1, job{submit: 0, start: 0, run: 100, procs: 1, user: 4}, job{submit: 10, start: 100, run: 100, procs: 1, user: 4},
		job{submit: 100, start: 400, run: 10, procs: 1, user: 4, limit: 50}, job{submit: 100, start: 900, run: 1, procs: 1, user: -1})
	var m Meter
	values, _, _, _ := m.Measure(s, Options{Tau: 10})
	want := []report.Complaint{{Job: 2, User: 4, Wait: 300, Acceptable: 150, Level: 2}}
	if got := m.Complaints(); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, v := range values {
		if want, ok := map[string]float64{"complaints": 1, "complaint-share": 100.0 / 3, "complaining-users": 1, "mean-complaint": 2, "max-complaint": 2}[v.Key]; ok && (!v.Valid || !near(v.Value, want)) {
			t.Errorf("%s = %v (%v), want %v", v.Key, v.Value, v.Valid, want)
		}
	}
	alone := DefaultPatience()
	alone.Summed = false
	m.Measure(s, Options{Tau: 10, Patience: &alone})
	if got := m.Complaints(); len(got) != 1 || got[0].Acceptable != 50 || got[0].Level != 6 {
		t.Errorf("each job by itself: %+v", got)
	}
	for i := range s.Workload.Jobs {
		s.Workload.Jobs[i].User = -1
	}
	values, _, _, _ = m.Measure(s, Options{Tau: 10})
	for _, v := range values {
		if v.Key == "complaints" && v.Valid {
			t.Error("complaints of nobody")
		}
	}
}

// Complaints agree with a twin that looks at every pair of jobs.
func TestComplaintsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var m Meter
	found := 0
	for round := range 200 {
		s := random(r, 1+r.IntN(60))
		p := DefaultPatience()
		p.From, p.Factor[0] = [4]model.Time{5, 20, 50, 100}, 1+10*r.Float64()
		p.Floors, p.Summed = r.IntN(2) == 0, r.IntN(2) == 0
		from := model.Time(r.IntN(50))
		o := Options{Tau: 10, From: &from, Patience: &p}
		m.Measure(s, o)
		var want []report.Complaint
		for i := range s.Executions {
			e := &s.Executions[i]
			j := &s.Workload.Jobs[e.Job]
			if j.User < 0 || e.Reason == model.EndRejected || j.Submit < from {
				continue
			}
			acceptable := p.Acceptable(j.Procs, j.Limit)
			for k := range i {
				other := &s.Executions[k]
				if o := &s.Workload.Jobs[other.Job]; p.Summed && o.User == j.User && other.Reason != model.EndRejected && other.End > j.Submit {
					acceptable += p.Acceptable(o.Procs, o.Limit)
				}
			}
			if wait := e.Start - j.Submit; wait > acceptable {
				want = append(want, report.Complaint{Job: e.Job, User: j.User, Wait: wait, Acceptable: acceptable, Level: float64(wait) / float64(acceptable)})
			}
		}
		slices.SortStableFunc(want, func(a, b report.Complaint) int {
			if a.Level > b.Level {
				return -1
			} else if a.Level < b.Level {
				return 1
			}
			return 0
		})
		if got := m.Complaints(); !slices.Equal(got, want) {
			t.Fatalf("round %d: %+v\nwant %+v", round, got, want)
		}
		found += len(want)
	}
	if found < 100 {
		t.Errorf("only %d complaints in all: this proves little", found)
	}
}
