package plan

import (
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
	"batchlab/core/predict"
	"batchlab/core/sim"
)

// literal is conservative backfilling on predictions by the words of the rule, on one
// counted cluster: every fit is looked for second by second.
type literal struct {
	waits, runs []literalJob
	procs       int32
}

type literalJob struct {
	job        model.JobID
	procs      int32
	start, end model.Time
}

func (l *literal) Reset(v *sim.View) { l.waits, l.runs, l.procs = nil, nil, v.Site.Procs() }

// Wake returns the next planned start.
func (l *literal) Wake() model.Time {
	wake := model.Never
	for _, w := range l.waits {
		wake = min(wake, w.start)
	}
	return wake
}

// earliest looks from a time on for a start beside others.
func (l *literal) earliest(procs int32, length, from model.Time, others ...[]literalJob) model.Time {
	for at := from; ; at++ {
		fits := true
		for t := at; t < at+length && fits; t++ {
			free := l.procs
			for _, list := range others {
				for i := range list {
					if list[i].start <= t && t < list[i].end {
						free -= list[i].procs
					}
				}
			}
			fits = free >= procs
		}
		if fits {
			return at
		}
	}
}

func (l *literal) sort() {
	slices.SortFunc(l.waits, func(a, b literalJob) int {
		if a.start != b.start {
			return int(a.start - b.start)
		}
		return int(a.job - b.job)
	})
}

func (l *literal) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	freed := len(v.Ended) > 0
	l.runs = slices.DeleteFunc(l.runs, func(r literalJob) bool { return slices.Contains(v.Ended, r.job) })
	broken := false
	for i := range l.runs {
		if l.runs[i].end <= v.Now {
			l.runs[i].end, broken = v.Lasts(l.runs[i].job), true
		}
	}
	l.sort()
	for i := range l.waits {
		w := &l.waits[i]
		length := v.Foretold(w.job)
		broken = broken || length > w.end-w.start
		w.end = w.start + length
	}
	switch {
	case broken:
		all := l.waits
		l.waits = nil
		for _, w := range all {
			length := w.end - w.start
			w.start = l.earliest(w.procs, length, v.Now, l.runs, l.waits)
			w.end = w.start + length
			l.waits = append(l.waits, w)
		}
	case freed:
		for i := range l.waits {
			w := l.waits[i]
			length := w.end - w.start
			at := l.earliest(w.procs, length, v.Now, l.runs, l.waits[:i], l.waits[i+1:])
			l.waits[i].start, l.waits[i].end = at, at+length
		}
	}
	for _, j := range v.New {
		length := v.Foretold(j)
		at := l.earliest(v.Needs[j].Procs, length, v.Now, l.runs, l.waits)
		l.waits = append(l.waits, literalJob{j, v.Needs[j].Procs, at, at + length})
	}
	l.sort()
	for len(l.waits) > 0 && l.waits[0].start == v.Now {
		w := l.waits[0]
		l.waits, l.runs = l.waits[1:], append(l.runs, w)
		claim, _ := v.Free.Place(&v.Needs[w.job])
		out = append(out, sim.Decision{Job: w.job, Claim: claim})
	}
	return out
}

// Intent: conservative backfilling on predictions, which keeps profiles and moves
// what it must, starts every job when the plain words of the rule do, with
// predictions that are too short and too long, fixed and rebuilt; on one named
// machine, too, where times at which nothing is thought to end are not looked at.
func TestForetoldConservativeEqualsWords(t *testing.T) {
	rounds := uint64(24)
	if testing.Short() {
		rounds = 6
	}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(seed, 7))
		w := &model.Workload{Processors: 8}
		at := model.Time(0)
		said := []model.Time{}
		for i := range 60 {
			at += model.Time(r.IntN(14))
			limit := 1 + model.Time(r.IntN(90))
			w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: at, Limit: limit, Procs: 1 + int32(r.IntN(8)), User: int32(r.IntN(3))})
			w.Truth = append(w.Truth, model.Truth{Run: 1 + model.Time(r.IntN(int(limit))), LoggedWait: -1})
			said = append(said, 1+model.Time(r.IntN(int(limit))))
		}
		for name, make := range map[string]func() predict.Predictor{
			"given":       func() predict.Predictor { return &predict.Known{Seconds: said} },
			"user-median": func() predict.Predictor { return &predict.UserMedian{Window: 5} },
		} {
			var starts [3][]model.Time
			for k, s := range []sim.Scheduler{&literal{}, New(Options{Replan: true, Foretold: true}), New(Options{Replan: true, Foretold: true})} {
				p := model.OneCluster(w.Processors)
				if k == 2 {
					p.Clusters[0] = model.Cluster{Packing: model.PackNodes, Groups: []model.NodeGroup{{Count: 1, Procs: int32(w.Processors)}}}
				}
				schedule, err := new(sim.Simulator).Run(w, p, s, sim.Options{Book: &predict.Book{Predictor: make()}})
				if err != nil {
					t.Fatalf("seed %d, %s: %v", seed, name, err)
				}
				if err := schedule.Check(); err != nil {
					t.Fatalf("seed %d, %s: %v", seed, name, err)
				}
				for i := range schedule.Executions {
					starts[k] = append(starts[k], schedule.Executions[i].Start)
				}
			}
			for i := range starts[0] {
				if starts[1][i] != starts[0][i] || starts[2][i] != starts[0][i] {
					t.Fatalf("seed %d, %s: job %d starts at %d, on a named machine at %d, by the words at %d", seed, name, i+1, starts[1][i], starts[2][i], starts[0][i])
				}
			}
		}
	}
}

// short foretells one second for every job.
type short struct{ predict.Predictor }

func (short) Reset(*predict.Work)                   {}
func (short) Submit(model.JobID)                    {}
func (short) Start(model.JobID)                     {}
func (short) End(model.JobID, model.Time)           {}
func (short) Estimate(model.JobID) predict.Estimate { return predict.Estimate{} }

// Intent: a job that has outlasted its prediction is thought to run until it is stopped at its
// due time, if that comes before the end of its request: who waits for it is planned for then.
func TestOutlastedUntilDue(t *testing.T) {
	w := &model.Workload{
		Jobs:    []model.Job{{Number: 1, Limit: 100, Procs: 1, Demand: 1}, {Number: 2, Submit: 5, Limit: 100, Procs: 1}},
		Truth:   []model.Truth{{Run: 100}, {Run: 1}},
		Demands: []model.Demand{{Due: 20, OnDue: model.DueKill}},
	}
	s, planned := New(Options{Foretold: true, Replan: true}), model.Time(-1)
	s.Watch(Watch{Pass: func(v *sim.View, s *Scheduler) {
		if v.Now == 5 {
			s.Plan().Planned(func(_ model.JobID, start model.Time, _ int32) { planned = start })
		}
	}})
	var m sim.Simulator
	if _, err := m.Run(w, model.OneCluster(1), s, sim.Options{Book: &predict.Book{Predictor: short{}}}); err != nil || planned != 20 {
		t.Errorf("planned for %d, want 20: %v", planned, err)
	}
}
