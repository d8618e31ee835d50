package metric

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"batchlab/core/model"
)

// All times k times as long, τ included, leave every slowdown as it is.
func TestScalingTimeKeepsSlowdowns(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	for range 50 {
		s := random(rng, 1+rng.IntN(50))
		before := values(s, Options{Tau: 10})
		for i := range s.Executions {
			s.Workload.Jobs[i].Submit *= 8
			e := &s.Executions[i]
			e.Submit, e.Start, e.End = e.Submit*8, e.Start*8, e.End*8
		}
		after := values(s, Options{Tau: 80})
		for _, key := range []string{"mean-slowdown", "p95-bounded-slowdown", "mean-bounded-slowdown", "mean-per-proc-bounded-slowdown", "utilization", "mean-queue-length", "max-queue-length"} {
			if before[key] != after[key] {
				t.Fatalf("%s was %v, is %v", key, before[key], after[key])
			}
		}
		for _, key := range []string{"mean-wait", "max-turnaround", "makespan", "std-wait"} {
			if !near(8*before[key], after[key]) {
				t.Fatalf("%s was %v, is %v", key, before[key], after[key])
			}
		}
	}
}

// Slowdowns are at least 1, a larger τ never raises the bounded one, and the
// order of the percentiles is that of their ranks.
func TestBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	for range 100 {
		s := random(rng, 1+rng.IntN(50))
		a, b := values(s, Options{Tau: 5}), values(s, Options{Tau: 50})
		if a["jobs"] == 0 {
			continue
		}
		if b["mean-bounded-slowdown"] > a["mean-bounded-slowdown"] || a["mean-bounded-slowdown"] > a["mean-slowdown"] || b["mean-bounded-slowdown"] < 1 {
			t.Fatalf("bounded slowdown %v with τ 5, %v with τ 50, unbounded %v", a["mean-bounded-slowdown"], b["mean-bounded-slowdown"], a["mean-slowdown"])
		}
		if a["mean-per-proc-bounded-slowdown"] > a["mean-bounded-slowdown"] || a["mean-per-proc-bounded-slowdown"] < 1 {
			t.Fatalf("per processor %v", a["mean-per-proc-bounded-slowdown"])
		}
		for _, q := range []string{"wait", "turnaround", "slowdown", "bounded-slowdown", "per-proc-bounded-slowdown"} {
			if !(a["median-"+q] <= a["p90-"+q] && a["p90-"+q] <= a["p95-"+q] && a["p95-"+q] <= a["p99-"+q] && a["p99-"+q] <= a["max-"+q] && a["mean-"+q] <= a["max-"+q]*(1+1e-12)) {
				t.Fatalf("%s: percentiles out of order in %v", q, a)
			}
		}
	}
}

// A meter that is used again gives what a new one gives.
func TestMeterReuse(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 1))
	var m Meter
	for range 40 {
		s := random(rng, rng.IntN(1000))
		a, ac, al, au := m.Measure(s, Options{Tau: 10})
		b, bc, bl, bu := new(Meter).Measure(s, Options{Tau: 10})
		if !reflect.DeepEqual(a, b) || !reflect.DeepEqual(ac, bc) || !reflect.DeepEqual(al, bl) || !reflect.DeepEqual(au, bu) {
			t.Fatal("a used meter measures differently")
		}
	}
}

// What a search asks for at every step allocates nothing.
func TestMeansAllocateNothing(t *testing.T) {
	s := random(rand.New(rand.NewPCG(24, 1)), 500)
	from := model.Time(3)
	if n := testing.AllocsPerRun(100, func() {
		MeanBoundedSlowdown(s, Options{Tau: 10, From: &from})
		MeanWait(s, Options{})
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Confidence intervals of a few numbers, computed by hand.
func TestIntervals(t *testing.T) {
	mean, half, n := MeanCI([]float64{1, 2, 3, 4, 5}) // s = √2.5, t(4) = 2.776445
	if mean != 3 || n != 5 || math.Abs(half-2.776445*math.Sqrt(2.5/5)) > 1e-6 {
		t.Errorf("%v ± %v of %d", mean, half, n)
	}
	mean, half, n = Paired([]float64{10, 20, 30}, []float64{8, 17, 26, 99}) // differences 2, 3, 4
	if mean != 3 || n != 3 || math.Abs(half-4.302653/math.Sqrt(3)) > 1e-6 {
		t.Errorf("%v ± %v of %d", mean, half, n)
	}
	if mean, half, n = MeanCI([]float64{7}); mean != 7 || !math.IsNaN(half) || n != 1 {
		t.Errorf("one value: %v ± %v of %d", mean, half, n)
	}
	if mean, half, n = MeanCI(nil); !math.IsNaN(mean) || !math.IsNaN(half) || n != 0 {
		t.Errorf("no value: %v ± %v of %d", mean, half, n)
	}
	if mean, half, _ = Paired([]float64{5, 5}, []float64{5, 5}); mean != 0 || half != 0 {
		t.Errorf("equal: %v ± %v", mean, half)
	}
}

// big returns a schedule of the size of the largest logs.
func big450(b *testing.B) *model.Schedule {
	rng := rand.New(rand.NewPCG(25, 1))
	jobs := make([]job, 450_000)
	at := model.Time(0)
	for i := range jobs {
		at += model.Time(rng.Int64N(400))
		jobs[i] = job{submit: at, start: at + model.Time(rng.ExpFloat64()*20000), run: 1 + model.Time(rng.ExpFloat64()*6000),
			procs: 1 + int32(rng.IntN(128)), user: int32(rng.IntN(400))}
	}
	return schedule(1024, jobs...)
}

// The whole measure of 450,000 jobs.
func BenchmarkMeasure450k(b *testing.B) {
	s := big450(b)
	var m Meter
	b.ReportAllocs()
	for b.Loop() {
		m.Measure(s, Options{Tau: 10})
	}
}

// The whole series of 450,000 jobs.
func BenchmarkSeries450k(b *testing.B) {
	s := big450(b)
	b.ReportAllocs()
	for b.Loop() {
		new(Meter).Series(s, 0)
	}
}

// The one number that a search wants, of 450,000 jobs.
func BenchmarkMeanBoundedSlowdown450k(b *testing.B) {
	s := big450(b)
	b.ReportAllocs()
	for b.Loop() {
		MeanBoundedSlowdown(s, Options{Tau: 10})
	}
}
