package bench

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
	"batchlab/core/swf"
	"batchlab/core/workload"
)

// load reads a real log from the folder BATCHLAB_LOGS.
func load(b testing.TB, name string) (*model.Workload, *model.Platform) {
	w := cleaned(b, name, workload.Options{})
	return w, model.OneCluster(w.Processors)
}

// withoutOverruns reads a log as legrand2018 does: overruns and jobs without a request are
// left out.
func withoutOverruns(b testing.TB, name string) *model.Workload {
	return cleaned(b, name, workload.Options{Overrun: workload.OverrunDrop, NoRequest: workload.NoRequestDrop})
}

func cleaned(b testing.TB, name string, o workload.Options) *model.Workload {
	dir := os.Getenv("BATCHLAB_LOGS")
	if dir == "" {
		b.Skip("BATCHLAB_LOGS is not set: no real logs to measure with")
	}
	packed, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		b.Fatal(err)
	}
	data, err := swf.Gunzip(packed, 1<<30)
	if err != nil {
		b.Fatal(err)
	}
	log, err := swf.Parse(data)
	if err != nil {
		b.Fatal(err)
	}
	if strings.HasPrefix(name, "CERIT-SC") { // which states no size: 20 machines of 80 and 48 of 12
		o.Processors = 2176
	}
	w, _, err := workload.FromLog(log, o)
	if err != nil && o.NoRequest != "" { // it states none: run times stand for them
		o.NoRequest = ""
		w, _, err = workload.FromLog(log, o)
	}
	if err != nil {
		b.Fatal(err)
	}
	return w
}

// floor starts jobs at given times: the same events through the same heap,
// with no decision taken.
type floor struct {
	start []model.Time
	order []model.JobID
	next  int
}

func newFloor(s *model.Schedule) *floor {
	f := &floor{}
	for i := range s.Executions {
		f.start = append(f.start, s.Executions[i].Start)
		f.order = append(f.order, model.JobID(i))
	}
	slices.SortStableFunc(f.order, func(a, b model.JobID) int { return int(f.start[a] - f.start[b]) })
	return f
}

func (f *floor) Reset(*sim.CountedView) { f.next = 0 }

func (f *floor) Pass(v *sim.CountedView, starts []model.JobID) []model.JobID {
	for f.next < len(f.order) && f.start[f.order[f.next]] == v.Now {
		starts = append(starts, f.order[f.next])
		f.next++
	}
	return starts
}

// The schedulers that are measured.
var schedulers = []struct {
	name string
	make func() sim.CountedScheduler
}{
	{"fcfs", func() sim.CountedScheduler { return &policy.CountedFCFS{} }},
	{"easy-fcfs-fcfs", func() sim.CountedScheduler { return &policy.CountedEASY{} }},
	{"easy-saf-spf", func() sim.CountedScheduler { return &policy.CountedEASY{Order: policy.SAF, Backfill: policy.SPF} }},
	{"easy-lexp-spf", func() sim.CountedScheduler { return &policy.CountedEASY{Order: policy.LEXP, Backfill: policy.SPF} }},
	{"conservative", func() sim.CountedScheduler { return &policy.CountedConservative{} }},
}

var logs = []struct{ name, file string }{
	{"SDSC-SP2", "SDSC-SP2-1998-4.2-cln.swf.gz"},
	{"KTH-SP2", "KTH-SP2-1996-2.1-cln.swf.gz"},
	{"HPC2N", "HPC2N-2002-2.2-cln.swf.gz"},
}

// best runs f again and again, at least five times, and returns the shortest
// time in seconds: what the machine can do when nothing else disturbs it.
func best(b *testing.B, f func()) float64 {
	f() // warm
	shortest := math.Inf(1)
	for n := 0; n < 5 || b.Loop(); n++ {
		began := time.Now()
		f()
		shortest = min(shortest, time.Since(began).Seconds())
	}
	return shortest
}

// measure reports millions of jobs a second, and returns seconds.
func measure(b *testing.B, w *model.Workload, p *model.Platform, s sim.CountedScheduler) float64 {
	var m sim.CountedSimulator
	t := best(b, func() {
		if _, err := m.Run(w, p, s, sim.Options{}); err != nil {
			b.Fatal(err)
		}
	})
	b.ReportMetric(float64(len(w.Jobs))/t/1e6, "Mjobs/s")
	b.ReportMetric(0, "ns/op")
	return t
}

// Each scheduler on each log, as a multiple of the event floor of EASY's
// schedule.
func BenchmarkScheduler(b *testing.B) {
	for _, l := range logs {
		b.Run(l.name, func(b *testing.B) {
			w, p := load(b, l.file)
			var m sim.CountedSimulator
			s, err := m.Run(w, p, &policy.CountedEASY{}, sim.Options{})
			if err != nil {
				b.Fatal(err)
			}
			f := newFloor(s)
			var floor float64
			b.Run("floor", func(b *testing.B) { floor = measure(b, w, p, f) })
			for _, s := range schedulers {
				b.Run(s.name, func(b *testing.B) {
					b.ReportMetric(measure(b, w, p, s.make())/floor, "x-floor")
				})
			}
		})
	}
}
