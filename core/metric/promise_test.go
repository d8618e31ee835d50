package metric_test

import (
	"math/rand/v2"
	"testing"

	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/report"
	"batchlab/core/sim"
)

// promised are the columns of a workload of a few jobs and of its schedule under EASY
// in an order.
func promised(t *testing.T, w *model.Workload, procs int, s sim.Scheduler) (*report.Jobs, *report.Columns) {
	t.Helper()
	jobs, c := &report.Jobs{}, &report.Columns{}
	for i := range w.Jobs {
		j := &w.Jobs[i]
		jobs.Number, jobs.Submit, jobs.Limit, jobs.Procs = append(jobs.Number, j.Number), append(jobs.Submit, j.Submit), append(jobs.Limit, j.Limit), append(jobs.Procs, j.Procs)
	}
	var m sim.Simulator
	schedule, err := m.Run(w, model.OneCluster(procs), s, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range schedule.Executions {
		c.Start, c.End = append(c.Start, schedule.Executions[i].Start), append(c.End, schedule.Executions[i].End)
	}
	return jobs, c
}

func drawn(r *rand.Rand, procs int) *model.Workload {
	w, at := &model.Workload{}, 0
	for i := range 1 + r.IntN(40) {
		at += r.IntN(8)
		limit := 1 + r.IntN(40)
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: model.Time(at), Limit: model.Time(limit), Procs: int32(1 + r.IntN(procs))})
		w.Truth = append(w.Truth, model.Truth{Run: model.Time(1 + r.IntN(limit+3))})
	}
	return w
}

// twinHeads is the promise to the head in the slow and obvious way: second by second.
func twinHeads(jobs *report.Jobs, c *report.Columns, procs int32) (of, broken int) {
	last := model.Time(0)
	for j := range c.Start {
		last = max(last, c.Start[j])
	}
	given := map[int]model.Time{}
	for now := model.Time(0); now <= last; now++ {
		head := -1
		for j := range c.Start {
			if jobs.Submit[j] <= now && c.Start[j] > now {
				head = j
				break
			}
		}
		if head < 0 {
			continue
		}
		if _, ok := given[head]; ok {
			continue
		}
		at := now
		for ; ; at++ {
			free := procs
			for k := range c.Start {
				if c.Start[k] <= now && c.End[k] > now && c.Start[k]+jobs.Limit[k] > at {
					free -= jobs.Procs[k]
				}
			}
			if free >= jobs.Procs[head] {
				break
			}
		}
		given[head] = at
	}
	for j, at := range given {
		if c.Start[j] > at {
			broken++
		}
	}
	return len(given), broken
}

// EASY in order of submission keeps its promise to the head, in other orders it
// breaks it now and then, and both are found out as the twin does.
func TestHeads(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	broke := 0
	for round := range 300 {
		procs := 2 + r.IntN(10)
		w := drawn(r, procs)
		for _, o := range []policy.Order{policy.FCFSOrder, policy.LPF} {
			jobs, c := promised(t, w, procs, policy.NewEASY(&policy.CountedEASY{Order: o, Backfill: o}))
			p := metric.Heads(jobs, c, procs)
			of, broken := twinHeads(jobs, c, int32(procs))
			if p.Of != of || p.Broken != broken || p.Holds != (broken == 0) {
				t.Fatalf("round %d: %+v, the twin %d of %d", round, p, broken, of)
			}
			if o == policy.FCFSOrder && !p.Holds {
				t.Fatalf("round %d: EASY delays a head: %+v", round, p)
			}
			broke += p.Broken
		}
	}
	if broke == 0 {
		t.Error("no order ever delays a head")
	}
}

// Two schedules part at the first time at which one starts what the other does not.
func TestApart(t *testing.T) {
	jobs := &report.Jobs{Number: []int64{1, 2, 3, 4}, Submit: []model.Time{0, 0, 1, 2}}
	a := &report.Columns{Start: []model.Time{0, 10, 20, -1}, End: []model.Time{10, 20, 30, -1}}
	b := &report.Columns{Start: []model.Time{0, 20, 10, 40}, End: []model.Time{10, 30, 20, 50}}
	d := metric.Apart(jobs, a, b)
	if d.Jobs != 4 || d.Different != 3 || d.First.Number != 2 || d.First.At != 10 || d.First.Starts != [2]model.Time{10, 20} {
		t.Errorf("%+v %+v", d, d.First)
	}
	if d := metric.Apart(jobs, a, a); d.Different != 0 || d.First != nil {
		t.Errorf("%+v", d)
	}
	if p := metric.Starve(jobs, b, a); p.Holds || p.Of != 4 || p.Broken != 2 || p.Worst != 4 || p.By != 38 || p.Other != 19 {
		t.Errorf("%+v", p)
	}
	if p := metric.Starve(jobs, a, b); !p.Holds || p.Of != 3 || p.By != 19 || p.Other != 38 {
		t.Errorf("%+v", p)
	}
	jobs.Reserved = []report.Reservation{{Job: 0, Ready: 0, Deadline: 10, Length: 10}, {Job: 1, Ready: 5, Deadline: 15, Length: 10}, {Job: 3, Ready: 1, Deadline: 3, Length: 1}}
	if p := metric.Reservations(jobs, a); p.Holds || p.Of != 2 || p.Broken != 1 || p.Worst != 2 || p.By != 5 {
		t.Errorf("%+v", p)
	}
}
