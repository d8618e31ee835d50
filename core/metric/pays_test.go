package metric

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
	"batchlab/core/report"
)

// madeUp is a schedule of random jobs with random waits.
func madeUp(random *rand.Rand, n int, waits func() model.Time) *model.Schedule {
	w := &model.Workload{Processors: 64, Jobs: make([]model.Job, n), Truth: make([]model.Truth, n)}
	s := &model.Schedule{Workload: w, Platform: model.OneCluster(64)}
	for i := range n {
		w.Jobs[i] = model.Job{Number: int64(i + 1), Submit: model.Time(i * 4000), Limit: 500, Procs: 1 + random.Int32N(40), User: random.Int32N(6), Group: random.Int32N(3), Queue: random.Int32N(2), Record: -1}
		w.Truth[i] = model.Truth{Run: 10, LoggedWait: model.Time(random.IntN(50) - 1)}
	}
	for i := range w.Jobs {
		start := w.Jobs[i].Submit + waits()
		s.Executions = append(s.Executions, model.Execution{Job: model.JobID(i), Submit: w.Jobs[i].Submit, Start: start, End: start + 1 + model.Time(random.IntN(400)), Procs: w.Jobs[i].Procs})
	}
	return s
}

// Intent: the parts of a run are sums that a plain loop over its jobs gives, each job being
// in one part of every kind.
func TestPartsArePlainSums(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 3))
	for range 30 {
		s := madeUp(random, 1+random.IntN(400), func() model.Time { return model.Time(random.IntN(3000)) })
		var m Meter
		m.Measure(s, Options{})
		got := m.Parts(s, func(j model.JobID) int32 { return int32(j) % 3 }, true)
		jobs := map[string]int{}
		known, logged := 0, int64(0)
		for j := range s.Workload.Truth {
			if l := s.Workload.Truth[j].LoggedWait; l >= 0 {
				known, logged = known+1, logged+int64(l)
			}
		}
		if got.Known != known || got.LoggedWait != logged {
			t.Fatalf("%d jobs with %d s logged, plainly %d, %d", got.Known, got.LoggedWait, known, logged)
		}
		for _, p := range got.List {
			n, wait, work, users := 0, int64(0), int64(0), map[int32]bool{}
			for i := range s.Executions {
				e, job := &s.Executions[i], &s.Workload.Jobs[i]
				at := map[string]int64{"": 0, "partition": int64(i % 3), "queue": int64(job.Queue), "size": int64(job.Procs), "group": int64(job.Group), "week": int64(job.Submit) / 604800}[p.By]
				if p.From <= at && at <= p.To {
					n, wait, work = n+1, wait+int64(e.Start-e.Submit), work+int64(e.Procs)*int64(e.End-e.Start)
					users[job.User] = true
				}
			}
			sums := [3]int64{}
			for _, u := range p.Users {
				sums[0], sums[1], sums[2] = sums[0]+u[1], sums[1]+u[2], sums[2]+u[3]
			}
			if p.Jobs != n || p.Wait != wait || p.Work != work || len(p.Users) != len(users) || sums != [3]int64{int64(n), work, wait} {
				t.Fatalf("%s %d–%d: %+v, plainly %d jobs, %d s, %d", p.By, p.From, p.To, p, n, wait, work)
			}
			jobs[p.By] += n
		}
		for by, n := range jobs {
			if n != len(s.Workload.Jobs) {
				t.Fatalf("parts by %s hold %d jobs of %d", by, n, len(s.Workload.Jobs))
			}
		}
	}
}

// Intent: a change that changes nothing says so, exactly; one that lets all wait twice as
// long is told of every large enough part, with its means; parts below thirty jobs are
// left out; repetitions pair although the machines differ, copies once.
func TestPays(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 4))
	var before, after, again []Paid
	for r := range 6 {
		waits := []model.Time{}
		s := madeUp(random, 300, func() model.Time {
			waits = append(waits, 100+model.Time(random.IntN(900)))
			return waits[len(waits)-1]
		})
		var m Meter
		paid := func(mark string) Paid {
			m.Measure(s, Options{})
			return Paid{Run: &report.Run{Repetition: r, Workload: mark}, Parts: m.Parts(s, func(model.JobID) int32 { return -1 }, r == 0)}
		}
		before, again = append(before, paid("a")), append(again, paid("b"))
		for i := range s.Executions {
			e := &s.Executions[i]
			e.Start, e.End = e.Start+waits[i], e.End+waits[i]
		}
		after = append(after, paid("c"))
	}
	same := Pays(before, again)
	if !same.Nothing || !same.Alike || same.Within || len(same.Rows) < 8 {
		t.Fatalf("nothing changed: %+v", same)
	}
	for _, r := range same.Rows {
		if r.Difference != 0 || r.Told || r.Verdict != report.VerdictSame || r.Low != nil {
			t.Errorf("nothing changed: %+v", r)
		}
	}
	got := Pays(before, after)
	if got.Nothing || !got.Alike || got.Error == nil {
		t.Fatalf("%+v", got)
	}
	kinds := map[string]bool{}
	for _, r := range got.Rows {
		kinds[r.By] = true
		if !r.Told || r.Verdict != report.VerdictWorse || r.Pairs != 6 || r.After < 1.99*r.Before || r.After > 2.01*r.Before || r.Jobs < ClassJobs || *r.Low > r.Difference || *r.High < r.Difference {
			t.Errorf("all wait twice as long: %+v", r)
		}
	}
	if want := map[string]bool{"": true, "queue": true, "size": true, "group": true, "week": true}; fmt.Sprint(kinds) != fmt.Sprint(want) {
		t.Errorf("parts by %v", kinds)
	}
	for i := range before {
		before[i].Run.Draws, after[i].Run.Draws = &report.Draws{By: report.ByPhases}, &report.Draws{By: report.ByPhases}
	}
	if r := Pays(before, after).Rows[0]; r.Interval != report.ByPhases || !r.Told || *r.Low > r.Difference || *r.High < r.Difference || r.Before <= 0 || r.After <= r.Before {
		t.Errorf("over phases: %+v", r)
	}
	for i := range before[1:] {
		before[i+1].Run.Copy, after[i+1].Run.Copy = true, true
	}
	if once := Pays(before, after); once.Rows[0].Pairs != 1 {
		t.Errorf("copies count %d times", once.Rows[0].Pairs)
	}
	if none := Pays(before, nil); none.Rows != nil {
		t.Error("no pair gives rows")
	}
}

// Intent: shifts count who starts later and earlier, with the six that pay most, and are
// what a plain loop gives; jobs that stand on one side only are not compared.
func TestShifts(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 5))
	for range 200 {
		var before, after []report.Started
		later, earlier, as, delay, worst := 0, 0, 0, int64(0), model.Time(0)
		for i := range random.IntN(30) {
			b, a := model.Time(random.IntN(20)-1), model.Time(random.IntN(20)-1)
			if random.IntN(9) > 0 {
				before = append(before, report.Started{Number: int64(i), Start: b})
			} else {
				b = -1
			}
			after = append(after, report.Started{Number: int64(i), Start: a})
			switch {
			case b < 0 || a < 0:
			case a > b:
				later, delay, worst = later+1, delay+int64(a-b), max(worst, a-b)
			case a < b:
				earlier++
			default:
				as++
			}
		}
		got := shifts(before, after)
		if got.Later != later || got.Earlier != earlier || got.As != as || got.Delay != delay || len(got.Most) != min(6, later) || later > 0 && got.Most[0].After-got.Most[0].Before != worst {
			t.Fatalf("%+v, plainly %d later, %d earlier, %d s", got, later, earlier, delay)
		}
	}
}

// Intent: what a change costs is added capacity times the time before it, and what
// reservations take; a change that costs nothing has no cost.
func TestCost(t *testing.T) {
	run := func(procs int) *report.Run {
		return &report.Run{Processors: procs, Metrics: []report.Value{{Key: "makespan", Value: 7200, Valid: true}}}
	}
	before := Paid{Run: run(100), Parts: &report.Parts{Nodes: 25, Taken: 3}}
	if c := cost(&before, &Paid{Run: run(100), Parts: &report.Parts{Nodes: 25, Taken: 3}}); c != nil {
		t.Errorf("nothing costs %+v", c)
	}
	c := cost(&before, &Paid{Run: run(108), Parts: &report.Parts{Nodes: 27, Taken: 5}})
	if c.Hours != 2 || *c.Nodes != 2 || *c.NodeHours != 4 || c.Processors != 8 || c.ProcHours != 16 || c.Taken != 2 {
		t.Errorf("%+v", c)
	}
}
