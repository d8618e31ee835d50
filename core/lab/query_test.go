//go:build !small

package lab

import (
	"math/rand/v2"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/model"
	"batchlab/core/report"
)

// askedDocument is a small grid with reservations.
func askedDocument(t *testing.T, params map[string]any) *experiment.Experiment {
	t.Helper()
	e, err := experiment.Decode([]byte(`{"batchlab": 1,
		"workload": {"source": {"generator": {"key": "two-level", "params": {"jobs": 120, "interarrival": 500, "procs-max": 16, "procs-mean": 6}}},
			"clean": {"oversize": "clamp"}, "annotate": {"reservations": {"share": 0.4, "ready": "drawn", "lead_min": 600, "lead_max": 20000}}},
		"platform": {"clusters": [{"name": "North", "groups": [{"processors": 16}]}, {"name": "South", "groups": [{"processors": 12}]}]},
		"schedulers": [{"key": "grid", "params": {"mode": "reject"}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for key, v := range params {
		if err := e.Schedulers[0].SetParam(key, v); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// What a query answers is what a reservation gets that is added with the time of
// the query as its submission: in the interval where there are feasible starts, at the first of
// them; and at no other time are there any. So with dynamic and static binding, slots
// and an off-line period.
func TestQueryIsKept(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	had, none := 0, 0
	for round := range 48 {
		params := []map[string]any{
			{}, {"local": "easy", "binding": "static"}, {"slot": 600, "local": "conservative"}, {"delta": 1800, "local": "lsf"},
			{"running": "suspend"}, {"unused": "hold", "turn": "fcfs"},
		}[round%6]
		e := askedDocument(t, params)
		e.Seed = uint64(round)
		p, err := Prepare(e, Env{})
		if err != nil {
			t.Fatal(err)
		}
		w, _, err := p.Workload(0)
		if err != nil {
			t.Fatal(err)
		}
		first, last := w.Span()
		at := first + model.Time(r.Int64N(int64(last-first)))
		from := at + 1800 + model.Time(r.IntN(20000))
		ask := report.Ask{At: at, From: from, Length: model.Time(60 + r.IntN(8000)), Procs: 1 + r.Int32N(16), Cluster: -1}
		ask.To = from + ask.Length + model.Time(r.IntN(12000))
		answer, err := p.Query(RunID{}, ask, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(answer.Providers) != 2 || answer.Served < at {
			t.Fatalf("round %d: %+v", round, answer)
		}
		var best *report.Window
		for i := range answer.Providers {
			a := &answer.Providers[i]
			for k := range a.Windows {
				v := &a.Windows[k]
				if v.From < from || v.To+ask.Length > ask.To || v.To < v.From || k > 0 && v.From <= a.Windows[k-1].To {
					t.Fatalf("round %d: windows %+v of %+v", round, a.Windows, ask)
				}
			}
			if len(a.Windows) > 0 && (best == nil || a.Windows[0].From < best.From) {
				best = &a.Windows[0]
			}
			if len(a.Windows) > 0 && (a.Most < ask.Procs || a.Longest < ask.Length) {
				t.Fatalf("round %d: %+v is less than what is feasible", round, a)
			}
		}
		submit := int64(at)
		e.Platform.Reservations = append(e.Platform.Reservations, experiment.ReservationRequest{
			Name: "asked", Processors: int64(ask.Procs), From: int64(ask.From), To: int64(ask.To), Length: int64(ask.Length), Submit: &submit, Effort: "exact"})
		q, err := Prepare(e, Env{})
		if err != nil {
			t.Fatal(err)
		}
		result, err := q.Run(RunID{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := model.Time(-1)
		if best != nil {
			want = best.From
			had++
		} else {
			none++
		}
		for i := range result.Schedule.Executions {
			x := &result.Schedule.Executions[i]
			if j := &result.Schedule.Workload.Jobs[x.Job]; x.Attempt == 0 && j.Record < 0 && x.Start != want {
				t.Fatalf("round %d, %+v: the query offers %d, the reservation gets %d", round, ask, want, x.Start)
			}
		}
	}
	if had < 12 || none < 5 {
		t.Errorf("%d questions had an answer, %d not: the test is one-sided", had, none)
	}
}

// A question that makes no sense is named.
func TestQueryFaults(t *testing.T) {
	p, err := Prepare(askedDocument(t, nil), Env{})
	if err != nil {
		t.Fatal(err)
	}
	for want, ask := range map[string]report.Ask{
		"largest provider":            {At: 9000, From: 9000, To: 19000, Length: 60, Procs: 17, Cluster: -1},
		"that may be asked has 12":    {At: 9000, From: 9000, To: 19000, Length: 60, Procs: 13, Cluster: 1},
		"not after its start":         {At: 9000, From: 9000, To: 9000, Length: 60, Procs: 1, Cluster: -1},
		"do not fit":                  {At: 9000, From: 9000, To: 9060, Length: 61, Procs: 1, Cluster: -1},
		"in the past":                 {At: 9000, From: 8000, To: 19000, Length: 60, Procs: 1, Cluster: -1},
		"before the first submission": {At: -1, From: 9000, To: 19000, Length: 60, Procs: 1, Cluster: -1},
		"at least a second":           {At: 9000, From: 9000, To: 19000, Procs: 1, Cluster: -1},
		"no provider 2":               {At: 9000, From: 9000, To: 19000, Length: 60, Procs: 1, Cluster: 2},
	} {
		if _, err := p.Query(RunID{}, ask, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", ask, err, want)
		}
	}
	if a, err := p.Query(RunID{}, report.Ask{At: 1 << 30, From: 1 << 30, To: 1<<30 + 7200, Length: 3600, Procs: 16, Cluster: -1}, nil); err != nil || len(a.Providers[0].Windows) != 1 || a.Providers[1].Windows != nil {
		t.Errorf("after the end: %+v, %v", a, err)
	}
}
