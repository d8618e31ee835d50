package workload

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/swf"
)

func plainJobs(n int) *model.Workload {
	w := &model.Workload{}
	for i := range n {
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: model.Time(100 * i), Limit: model.Time(50 + i%7), Procs: 1, Record: -1})
		w.Truth = append(w.Truth, model.Truth{Run: model.Time(20 + i%11), LoggedWait: model.Time(i%5 - 1)})
	}
	return w
}

func reserved(w *model.Workload, r ReservationRule) map[int64]model.Reservation {
	out := Reserve(w, &r, func(name string) *rand.Rand { return model.Stream(3, name, 0) })
	list := map[int64]model.Reservation{}
	for j := range out.Jobs {
		if d := out.Demand(model.JobID(j)); d.Reservation != nil {
			list[out.Jobs[j].Number] = *d.Reservation
		}
	}
	return list
}

// A larger share adds reservations and changes none; fixed ones begin at
// submission + logged wait and last the requested time; the factor makes their
// intervals longer in each of its units, and the workload is not changed.
func TestReserve(t *testing.T) {
	w := plainJobs(2000)
	rule := ReservationRule{Share: 0.3, Part: 1, FactorMin: 1, FactorMax: 1, LeadMin: 10, LeadMax: 20, Unit: "length"}
	some := reserved(w, rule)
	rule.Share = 0.6
	more := reserved(w, rule)
	if len(some) < 500 || len(some) > 700 || len(more) < 1100 || len(more) > 1300 {
		t.Errorf("%d and %d of 2000 jobs are reservations", len(some), len(more))
	}
	for n, r := range some {
		j := &w.Jobs[n-1]
		if more[n] != r {
			t.Fatalf("job %d: another share changes %+v to %+v", n, r, more[n])
		}
		if lead := max(0, w.Truth[n-1].LoggedWait); r.Ready != j.Submit+lead || r.Deadline != r.Ready+j.Limit || r.Length != j.Limit {
			t.Fatalf("job %+v: %+v", j, r)
		}
	}
	for _, unit := range []string{"length", "wait", "hour"} {
		flexible := ReservationRule{Share: 0.6, Drawn: true, LeadMin: 10, LeadMax: 20, Run: true, Part: 0.5, FactorMin: 2, FactorMax: 4, Unit: unit}
		for n, r := range reserved(w, flexible) {
			lead, length := r.Ready-w.Jobs[n-1].Submit, (min(w.Truth[n-1].Run, w.Jobs[n-1].Limit)+1)/2
			if lead < 10 || lead > 20 || r.Length != length {
				t.Fatalf("job %d: lead %d, %+v", n, lead, r)
			}
			slack := r.Deadline - r.Ready - length
			bounds := map[string][2]model.Time{"length": {length, 3 * length}, "wait": {lead, 3 * lead}, "hour": {7200, 14400}}[unit]
			if slack < bounds[0] || slack > bounds[1] {
				t.Fatalf("unit %s: job %d has %d s to spare, want %d to %d", unit, n, slack, bounds[0], bounds[1])
			}
		}
	}
	// Enlarged ahead as well, a request comes later by the same factor.
	rule = ReservationRule{Share: 0.6, Drawn: true, LeadMin: 1000, LeadMax: 1000, Part: 1, FactorMin: 2, FactorMax: 4, Unit: "length"}
	plain := reserved(w, rule)
	rule.Ahead = true
	for n, r := range reserved(w, rule) {
		was := plain[n]
		factor := float64(was.Deadline-was.Ready) / float64(was.Length)
		lead := float64(r.Ready - w.Jobs[n-1].Submit)
		if r.Length != was.Length || r.Deadline-r.Ready != was.Deadline-was.Ready || lead < 2000 || lead > 4000 || math.Abs(lead-1000*factor) > 1000/float64(was.Length)+1 {
			t.Fatalf("job %d: lead %v for the factor %v; %+v, %+v", n, lead, factor, r, was)
		}
	}
	if len(w.Demands) != 0 {
		t.Error("the workload was changed")
	}
}

// Requests that contradict themselves or the platform are named, and the others
// kept, in order of submission.
func TestAddRequests(t *testing.T) {
	w := plainJobs(5)
	w.Demands = []model.Demand{{Weight: 2}}
	w.Jobs[4].Demand = 1
	p := &model.Platform{Clusters: []model.Cluster{{Name: "A", Groups: []model.NodeGroup{{Count: 8, Procs: 1}}}, {Name: "B", Groups: []model.NodeGroup{{Count: 4, Procs: 1}}}}}
	at := func(t int64) *int64 { return &t }
	l := &swf.Log{Records: []swf.Record{{JobNumber: 8}}} // of a job that was left out
	out, refused := AddRequests(w, l, p, []Request{
		{Name: "good", Procs: 8, From: 50, To: 80},
		{Name: "huge", Procs: 9, From: 50, To: 80},
		{Name: "wide", Procs: 5, From: 50, To: 80, Cluster: "B"},
		{Name: "back", Procs: 1, From: 80, To: 50},
		{Name: "past", Procs: 1, From: 50, To: 80, Submit: at(60)},
		{Procs: 1, From: 50, To: 80, Length: 31},
		{Name: "lost", Procs: 1, From: 50, To: 80, Cluster: "C"},
		{Name: "best", Procs: 99, From: 350, To: 400, Length: 10, Submit: at(250), Effort: model.EffortProcs, Run: 30},
	})
	for i, want := range []string{"huge wants 9 processors; the largest provider that it may use has 8", "wide wants 5", "back ends at 50, not after its start at 80",
		"past starts at 50, in the past: it is asked for at 60", "platform.reservations[5] lasts 31 s", `lost wants the provider "C"`} {
		if i >= len(refused) || !strings.Contains(refused[i], want) {
			t.Errorf("want %q in %q", want, refused)
		}
	}
	if len(refused) != 6 || len(out.Jobs) != 7 || len(w.Jobs) != 5 {
		t.Fatalf("%d refused, %d jobs", len(refused), len(out.Jobs))
	}
	good, best := out.Jobs[1], out.Jobs[4]
	if good.Number != 9 || good.Submit != 0 || good.Procs != 8 || good.Limit != 30 || best.Number != 10 || best.Procs != 8 || best.Limit != 30 || out.Truth[4].Run != 30 {
		t.Errorf("%+v %+v", good, best)
	}
	if r := out.Demand(4).Reservation; *r != (model.Reservation{Ready: 350, Deadline: 400, Length: 10, Effort: model.EffortProcs, Name: "best"}) {
		t.Errorf("%+v", r)
	}
}
