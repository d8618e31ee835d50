package reserve_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"batchlab/core/model"
	"batchlab/core/predict"
	"batchlab/core/reserve"
	"batchlab/core/sim"
)

// strict is FCFS in the plain way: jobs start in order while they are free of
// everything known for as long as they may run.
type strict struct{ queue []model.JobID }

func (s *strict) NeedsSpace()     {}
func (s *strict) Reset(*sim.View) { s.queue = s.queue[:0] }

func (s *strict) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	s.queue = append(append(s.queue, v.Back...), v.New...)
	slices.Sort(s.queue)
	free := v.Site.NewPool()
	free.CopyFrom(v.Free)
	for len(s.queue) > 0 {
		j := s.queue[0]
		need, end := &v.Needs[j], v.Now+v.Jobs[j].Limit-v.Done[j]
		if v.Kills(j) {
			if v.Due[j] <= v.Now {
				out = append(out, sim.Decision{Verb: sim.Reject, Job: j})
				s.queue = s.queue[1:]
				continue
			}
		}
		claim, ok := v.Space.Place(need, v.Now, end)
		if !ok || !free.Holds(need, claim) {
			break
		}
		free.Take(need, claim)
		defer v.Space.Unbook(need, claim, v.Now, end, v.Space.Book(need, claim, v.Now, end))
		out = append(out, sim.Decision{Job: j, Claim: claim})
		s.queue = s.queue[1:]
	}
	return out
}

// someJobs draws a workload of batch jobs and reservations of all kinds.
func someJobs(r *rand.Rand, n int, procs int32) *model.Workload {
	w := &model.Workload{Processors: int(procs)}
	at := model.Time(0)
	for i := range n {
		at += model.Time(r.IntN(30))
		limit := 1 + model.Time(r.IntN(100))
		j := model.Job{Number: int64(i + 1), Submit: at, Limit: limit, Procs: 1 + r.Int32N(procs), User: r.Int32N(4)}
		run := 1 + model.Time(r.IntN(int(limit)))
		if r.IntN(8) == 0 {
			run += limit
		}
		if r.IntN(3) == 0 {
			ready := at + model.Time(r.IntN(200)) - 10
			q := model.Reservation{Ready: ready, Deadline: ready + limit + model.Time(r.IntN(60)), Effort: model.Effort(r.IntN(3))}
			if r.IntN(3) == 0 {
				q.Length = 1 + model.Time(r.IntN(int(limit)))
			}
			w.Demands = append(w.Demands, model.Demand{Reservation: &q})
			j.Demand = int32(len(w.Demands))
		}
		w.Jobs, w.Truth = append(w.Jobs, j), append(w.Truth, model.Truth{Run: run, LoggedWait: -1})
	}
	return w
}

// plain is an execution without where its claim stands.
func plain(e model.Execution) model.Execution {
	e.Claim = 0
	return e
}

// somePlatform draws one of up to two clusters of any packing, with a licence,
// limits, outages and failures.
func somePlatform(r *rand.Rand) *model.Platform {
	p := &model.Platform{Licences: []model.Licence{{Name: "a", Copies: 1 + r.Int32N(2)}}}
	for c := range 1 + r.IntN(2) {
		p.Clusters = append(p.Clusters, model.Cluster{Name: fmt.Sprint(c), Packing: model.Packing(r.IntN(3)), Groups: []model.NodeGroup{
			{Count: 1 + r.Int32N(3), Procs: 4, Speed: 1, Mem: 8, Licences: []string{"a"}},
			{Count: 1, Procs: 8, Speed: 1, GPUs: 1},
		}})
	}
	if r.IntN(3) == 0 {
		p.Limits.UserProcs = 8
		p.Limits.Classes = []model.LimitClass{{LongerThan: 50, Share: 0.9}}
	}
	nodes := p.Nodes()
	for range r.IntN(3) {
		n := r.IntN(len(nodes))
		from := model.Time(r.IntN(600))
		c := model.CalendarEntry{Kind: model.KindOutage + model.CalendarKind(r.IntN(2)), From: from, To: from + 1 + model.Time(r.IntN(80)), Cluster: nodes[n].Cluster}
		if p.Clusters[c.Cluster].Packing == model.PackProcessors {
			c.Procs = 1 + r.Int32N(int32(p.Clusters[c.Cluster].Procs()))
		} else {
			c.Nodes = []int32{int32(n)}
		}
		p.Calendar = append(p.Calendar, c)
	}
	return p
}

// Intent: on every packing, with licences, limits, due times, outages and
// failures, what was accepted begins when it was promised, where it was promised,
// unless a failure is known by then; and the schedule is valid.
func TestAcceptedIsKept(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 4))
	kept, moved := 0, 0
	for round := range 3000 {
		p := somePlatform(r)
		w := someJobs(r, 1+r.IntN(30), 8)
		for i := range w.Jobs {
			j := &w.Jobs[i]
			var d model.Demand
			if own := w.Demand(model.JobID(i)); own != nil {
				d = *own
			}
			switch r.IntN(4) {
			case 0:
				d.Nodes, d.PerNode = 1, min(j.Procs, 4)
				j.Procs = d.PerNode
			case 1:
				j.Procs = min(j.Procs, 4)
				d.Licences = []model.LicenceNeed{{Licence: 0, Copies: 1}}
			case 2:
				if d.Reservation == nil {
					d.Due, d.OnDue = j.Submit+model.Time(r.IntN(200))+1, model.DueKill
				}
			}
			w.Demands = append(w.Demands, d)
			j.Demand = int32(len(w.Demands))
		}
		desk := &reserve.Desk{Options: reserve.Options{
			Slot: []model.Time{0, 30}[r.IntN(2)], AtEnd: reserve.AtEnd(r.IntN(3)), Hold: r.IntN(2) == 0, Suspend: r.IntN(3) == 0, Delta: []model.Time{0, 0, 40}[r.IntN(3)],
		}}
		var m sim.Simulator
		promised := map[model.JobID]reserve.Booked{}
		s, err := m.Run(w, p, &strict{}, sim.Options{Desk: desk, Watch: func(v *sim.View) bool {
			for _, b := range desk.Booked() {
				if old, ok := promised[b.Job]; ok && old.Start != b.Start {
					if !slices.ContainsFunc(p.Calendar, func(c model.CalendarEntry) bool { return c.Kind == model.KindFailure && c.From <= v.Now }) {
						t.Fatalf("round %d: job index %d was promised %d, then %d, and nothing has failed", round, b.Job, old.Start, b.Start)
					}
					moved++
				}
				promised[b.Job] = b
			}
			return true
		}})
		if err != nil {
			if impossible(err) {
				continue
			}
			t.Fatalf("round %d, %+v: %v", round, desk.Options, err)
		}
		if err := s.Check(); err != nil {
			t.Fatalf("round %d, %+v: %v", round, desk.Options, err)
		}
		for i := range s.Executions {
			e := &s.Executions[i]
			if b, ok := promised[e.Job]; ok && e.Attempt == 0 && e.Reason != model.EndRejected {
				if kept++; b.Start != e.Start && e.Reason.Final() && e.Reason != model.EndReserved {
					t.Fatalf("round %d: job index %d was promised %d and started at %d", round, e.Job, b.Start, e.Start)
				}
			}
		}
	}
	if kept < 5000 || moved < 20 {
		t.Errorf("too few cases: %d kept, %d moved", kept, moved)
	}
}

// impossible says whether a drawn job fits nowhere, or waits for ever behind one
// that limits keep out.
func impossible(err error) bool {
	return strings.Contains(err.Error(), "can never start") || strings.Contains(err.Error(), "waiting on an idle site")
}

// Intent: a reservation whose job has ended before it had to be stopped is over then: the time
// at which it would have been stopped is no instant, unless something is kept until then.
func TestOverIsOver(t *testing.T) {
	w := &model.Workload{
		Jobs:    []model.Job{{Number: 1, Limit: 20, Procs: 1, Demand: 1}, {Number: 2, Submit: 1, Limit: 20, Procs: 1}},
		Truth:   []model.Truth{{Run: 3}, {Run: 20}},
		Demands: []model.Demand{{Reservation: &model.Reservation{Ready: 0, Deadline: 100, Length: 10}}},
	}
	for hold, want := range map[bool][]model.Time{false: {0, 1, 3, 23}, true: {0, 1, 3, 10, 30}} {
		var got []model.Time
		var m sim.Simulator
		_, err := m.Run(w, model.OneCluster(1), &strict{}, sim.Options{Desk: &reserve.Desk{Options: reserve.Options{Hold: hold}}, Watch: func(v *sim.View) bool {
			got = append(got, v.Now)
			return true
		}})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("kept %v: instants %v, want %v: %v", hold, got, want, err)
		}
	}
}

// Intent: a reservation that a failure left too little for as it should begin is asked for again
// from the next second on; the slot that it then gets has begun, which makes no second pass at
// that instant.
func TestSlotOfWhoIsAskedAgain(t *testing.T) {
	p := model.OneCluster(1)
	p.Clusters = append(p.Clusters, model.OneCluster(4).Clusters[0])
	p.Calendar = []model.CalendarEntry{{Kind: model.KindFailure, From: 32, To: 35, Procs: 1}}
	w := &model.Workload{
		Jobs:    []model.Job{{Number: 1, Limit: 20, Procs: 1, Demand: 1}, {Number: 2, Submit: 30, Limit: 2, Procs: 4}},
		Truth:   []model.Truth{{Run: 2}, {Run: 2}},
		Demands: []model.Demand{{Reservation: &model.Reservation{Ready: 32, Deadline: 62}}},
	}
	var got []model.Time
	var m sim.Simulator
	s, err := m.Run(w, p, &strict{}, sim.Options{Desk: &reserve.Desk{Options: reserve.Options{Slot: 2}}, Watch: func(v *sim.View) bool {
		got = append(got, v.Now)
		return true
	}})
	if err != nil || s.Executions[0].Start != 33 || !slices.Equal(got, []model.Time{0, 30, 32, 33, 35}) {
		t.Errorf("instants %v: %v", got, err)
	}
}

// noted is a predictor that notes what it is told.
type noted struct{ calls []string }

func (n *noted) Reset(*predict.Work)                       { n.calls = nil }
func (n *noted) Submit(j model.JobID)                      { n.calls = append(n.calls, fmt.Sprint("submit ", j)) }
func (n *noted) Start(model.JobID)                         {}
func (n *noted) End(j model.JobID, _ model.Time)           { n.calls = append(n.calls, fmt.Sprint("end ", j)) }
func (n *noted) Estimate(model.JobID) (e predict.Estimate) { return e }

// Intent: a job that is suspended for a reservation is predicted again after the completions of
// that instant have been learnt from, as every job is.
func TestSuspendedIsPredictedLast(t *testing.T) {
	w := &model.Workload{
		Jobs:    []model.Job{{Number: 1, Limit: 10, Procs: 2}, {Number: 2, Limit: 50, Procs: 2}, {Number: 3, Limit: 5, Procs: 4, Demand: 1}},
		Truth:   []model.Truth{{Run: 10}, {Run: 50}, {Run: 5}},
		Demands: []model.Demand{{Reservation: &model.Reservation{Ready: 10, Deadline: 20}}},
	}
	var m sim.Simulator
	book := &noted{}
	_, err := m.Run(w, model.OneCluster(4), &strict{}, sim.Options{Desk: &reserve.Desk{Options: reserve.Options{Suspend: true}}, Book: &predict.Book{Predictor: book}})
	if want := []string{"submit 0", "submit 1", "end 0", "submit 1", "end 1"}; err != nil || !slices.Equal(book.calls, want) {
		t.Errorf("%v, want %v: %v", book.calls, want, err)
	}
}
