package bench

import (
	"fmt"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
)

// generated returns jobs of the daily generator at its default load, on one
// machine whatever their number.
func generated(b *testing.B, jobs int) (*model.Workload, *model.Platform) {
	e := experiment.New()
	g, err := experiment.NewGenerator("daily")
	if err == nil {
		err = g.SetParam("jobs", int64(jobs))
	}
	if err != nil {
		b.Fatal(err)
	}
	e.Workload.Source.Generator = g
	if _, err := e.Add("fcfs"); err != nil {
		b.Fatal(err)
	}
	p, err := lab.Prepare(e, lab.Env{})
	if err != nil {
		b.Fatal(err)
	}
	w, _, err := p.Workload(0)
	if err != nil {
		b.Fatal(err)
	}
	return w, model.OneCluster(w.Processors)
}

// Ten times the jobs at the same load: how many times the time? "x-tenth" is
// the time as a multiple of that of a tenth of the jobs.
func BenchmarkTenTimesTheJobs(b *testing.B) {
	for _, s := range []struct {
		name string
		make func() sim.CountedScheduler
	}{
		{"fcfs", func() sim.CountedScheduler { return &policy.CountedFCFS{} }},
		{"easy-fcfs", func() sim.CountedScheduler { return &policy.CountedEASY{} }},
		{"easy-lexp", func() sim.CountedScheduler { return &policy.CountedEASY{Order: policy.LEXP, Backfill: policy.SPF} }},
	} {
		tenth := 0.0
		for _, n := range []int{10000, 100000, 1000000} {
			b.Run(fmt.Sprint(s.name, "/", n), func(b *testing.B) {
				w, p := generated(b, n)
				t := measure(b, w, p, s.make())
				if tenth > 0 {
					b.ReportMetric(t/tenth, "x-tenth")
				}
				tenth = t
			})
		}
	}
}

// backlog makes a workload that truly holds its backlog under EASY: depth jobs
// are there from the start, and from then on one job is submitted a second
// after each start, until all jobs are. Jobs are narrow and wide, short and
// long, as in a log.
func backlog(b *testing.B, depth, jobs, procs int) *model.Workload {
	r := model.Stream(1, "bench/backlog", 0)
	w := &model.Workload{Processors: procs}
	for i := range depth + jobs {
		limit := model.Time(600 * (1 + r.IntN(60)))
		submit := model.Time(0)
		if i >= depth {
			submit = 1 << 40 // not yet: feeder says when
		}
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: submit, Limit: limit, Procs: 1 << r.IntN(6), User: -1, Record: -1})
		w.Truth = append(w.Truth, model.Truth{Run: max(1, limit*model.Time(1+r.IntN(100))/100)})
	}
	var m sim.CountedSimulator
	if _, err := m.Run(w, model.OneCluster(procs), &feeder{jobs: w.Jobs, next: depth}, sim.Options{}); err != nil {
		b.Fatal(err)
	}
	return w
}

// feeder is EASY that submits a job for each that it starts.
type feeder struct {
	policy.CountedEASY
	jobs []model.Job
	next int
}

func (f *feeder) Pass(v *sim.CountedView, starts []model.JobID) []model.JobID {
	starts = f.CountedEASY.Pass(v, starts)
	for range starts {
		if f.next < len(f.jobs) {
			f.jobs[f.next].Submit = v.Now + 1
			f.next++
		}
	}
	return starts
}

// depthOf returns the mean number of waiting jobs over the submissions that
// follow the first depth jobs.
func depthOf(s *model.Schedule, depth int) float64 {
	starts := make([]model.Time, 0, len(s.Executions))
	for i := range s.Executions {
		starts = append(starts, s.Executions[i].Start)
	}
	var h sim.Heap
	started, sum := 0, 0.0
	for _, t := range starts {
		h.Push(uint64(t))
	}
	for i := depth; i < len(s.Executions); i++ {
		for len(h) > 0 && model.Time(h[0]) <= s.Executions[i].Submit {
			h.Pop()
			started++
		}
		sum += float64(i + 1 - started)
	}
	return sum / float64(len(s.Executions)-depth)
}

// EASY with a backlog of 100 and of 10,000 waiting jobs: "waiting" is the
// backlog that was really held, "x-100" the time per job as a multiple of the
// first. The jobs that only drain the backlog at the end are measured too.
func BenchmarkBacklog(b *testing.B) {
	const procs, jobs = 128, 100000
	first := 0.0
	for _, depth := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(depth), func(b *testing.B) {
			w := backlog(b, depth, jobs, procs)
			p := model.OneCluster(procs)
			var m sim.CountedSimulator
			s, err := m.Run(w, p, &policy.CountedEASY{}, sim.Options{})
			if err != nil {
				b.Fatal(err)
			}
			waiting := depthOf(s, depth)
			t := measure(b, w, p, &policy.CountedEASY{}) / float64(len(w.Jobs))
			if first == 0 {
				first = t
			}
			b.ReportMetric(waiting, "waiting")
			b.ReportMetric(t*1e9, "ns/job")
			b.ReportMetric(t/first, "x-100")
		})
	}
}
