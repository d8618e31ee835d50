package metric

import (
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"sort"
	"testing"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/report"
)

// random returns a schedule of n jobs in order of submission that need not
// fit: measures do not ask.
func random(rng *rand.Rand, n int) *model.Schedule {
	spread := []int64{10, 1000, 1 << 20, 1 << 31}[rng.IntN(4)]
	jobs := make([]job, n)
	for i := range jobs {
		j := &jobs[i]
		j.submit = model.Time(rng.Int64N(spread))
		j.start = j.submit
		if rng.IntN(3) > 0 {
			j.start += model.Time(rng.Int64N(spread))
		}
		j.run = 1 + model.Time(rng.Int64N(min(spread, 1<<18)))
		j.limit = j.run * model.Time(1+rng.IntN(3))
		j.procs = 1 + int32(rng.IntN(1<<(1+rng.IntN(10))))
		j.user = int32(rng.IntN(6)) - 1
		j.reason = []model.EndReason{model.EndCompleted, model.EndCompleted, model.EndKilled, model.EndRejected}[rng.IntN(4)]
	}
	slices.SortStableFunc(jobs, func(a, b job) int { return int(a.submit - b.submit) })
	return schedule(1+rng.IntN(2000), jobs...)
}

// plain measures a quantity the obvious way.
func plain(values []float64) map[string]float64 {
	n := len(values)
	mean, square := new(big.Rat), new(big.Rat)
	for _, v := range values {
		mean.Add(mean, new(big.Rat).SetFloat64(v))
	}
	mean.Quo(mean, big.NewRat(int64(n), 1))
	for _, v := range values {
		d := new(big.Rat).Sub(new(big.Rat).SetFloat64(v), mean)
		square.Add(square, d.Mul(d, d))
	}
	square.Quo(square, big.NewRat(int64(n), 1))
	sorted := slices.Clone(values)
	sort.Float64s(sorted)
	percentile := func(p int) float64 {
		for i, v := range sorted {
			if 100*(i+1) >= p*n {
				return v
			}
		}
		return math.NaN()
	}
	m, _ := mean.Float64()
	s, _ := square.Float64()
	median := sorted[n/2]
	if n%2 == 0 {
		median = (sorted[n/2-1] + sorted[n/2]) / 2
	}
	return map[string]float64{"mean": m, "std": math.Sqrt(s), "median": median, "p90": percentile(90), "p95": percentile(95), "p99": percentile(99), "max": sorted[n-1]}
}

// Every measure equals its plain definition on random schedules: means of
// whole numbers to the last digit, sums of quotients within rounding.
func TestPlainTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var meter Meter // reused, so that nothing is left over from one to the next
	for round := range 300 {
		n := 1 + rng.IntN(40)
		if round%30 == 0 {
			n = 600 + rng.IntN(900) // above the threshold of the radix sort
		}
		s := random(rng, n)
		o := Options{Tau: model.Time(1 + rng.IntN(100))}
		list, waits, classes, users := meter.Measure(s, o)
		got := map[string]report.Value{}
		for _, v := range list {
			got[v.Key] = v
		}
		quantities := map[string][]float64{}
		var first, last, area float64
		measured := 0
		for i := range s.Executions {
			e := &s.Executions[i]
			if e.Reason == model.EndRejected {
				continue
			}
			wait, run, procs := float64(e.Start-e.Submit), float64(e.End-e.Start), float64(e.Procs)
			if measured == 0 {
				first, last = float64(e.Submit), float64(e.End)
			}
			measured++
			first, last = min(first, float64(e.Submit)), max(last, float64(e.End))
			area += procs * run
			add := func(key string, v float64) { quantities[key] = append(quantities[key], v) }
			add("wait", wait)
			add("turnaround", wait+run)
			add("slowdown", (wait+run)/run)
			add("bounded-slowdown", max(1, (wait+run)/max(run, float64(o.Tau))))
			add("per-proc-bounded-slowdown", max(1, (wait+run)/(procs*max(run, float64(o.Tau)))))
		}
		if measured == 0 {
			continue
		}
		for name, values := range quantities {
			for statistic, want := range plain(values) {
				g := got[statistic+"-"+name]
				exact := statistic != "std" && (statistic != "mean" || name == "wait" || name == "turnaround")
				if !g.Valid || exact && g.Value != want || !exact && math.Abs(g.Value-want) > 1e-9*max(1, want) {
					t.Fatalf("round %d: %s-%s = %v, want %v", round, statistic, name, g.Value, want)
				}
			}
		}
		for key, want := range map[string]float64{"makespan": last - first, "area": area, "jobs": float64(measured),
			"utilization": area / (float64(s.Platform.Procs()) * (last - first)), "rejected": float64(len(s.Executions) - measured)} {
			if got[key].Value != want {
				t.Fatalf("round %d: %s = %v, want %v", round, key, got[key].Value, want)
			}
		}
		if a, b := MeanBoundedSlowdown(s, o), got["mean-bounded-slowdown"].Value; a != b {
			t.Fatalf("mean bounded slowdown %v alone, %v among all", a, b)
		}
		if a, b := MeanWait(s, o), got["mean-wait"].Value; a != b {
			t.Fatalf("mean wait %v alone, %v among all", a, b)
		}
		var longest int32
		for _, q := range new(Meter).Series(s, 0).Waiting {
			longest = max(longest, q)
		}
		if got["max-queue-length"].Value != float64(longest) {
			t.Fatalf("round %d: longest queue %v, in the series %v", round, got["max-queue-length"].Value, longest)
		}
		checkParts(t, measured, got, classes, users)
		checkCDF(t, quantities["wait"], waits, maxCDF)
	}
}

// checkParts: classes and users each divide all jobs, and their means weighted
// by jobs give the mean of all.
func checkParts(t *testing.T, measured int, got map[string]report.Value, classes []report.Class, users []report.UserRow) {
	t.Helper()
	var jobs int
	var wait, slowdown, area float64
	for _, c := range classes {
		jobs += c.Jobs
		wait += c.MeanWait * float64(c.Jobs)
		slowdown += c.MeanSlowdown * float64(c.Jobs)
	}
	n := float64(measured)
	if jobs != measured || math.Abs(wait/n-got["mean-wait"].Value) > 1e-6 || math.Abs(slowdown/n-got["mean-bounded-slowdown"].Value) > 1e-6 {
		t.Fatalf("classes: %d of %d jobs, mean wait %v of %v", jobs, measured, wait/n, got["mean-wait"].Value)
	}
	jobs, wait = 0, 0
	for i, u := range users {
		jobs += u.Jobs
		wait += u.MeanWait * float64(u.Jobs)
		area += float64(u.Area)
		if i > 0 && users[i-1].Area < u.Area {
			t.Fatalf("users are not in order of area")
		}
	}
	if jobs != measured || math.Abs(wait/n-got["mean-wait"].Value) > 1e-6 || area != got["area"].Value {
		t.Fatalf("users: %d of %d jobs, area %v of %v", jobs, measured, area, got["area"].Value)
	}
}

// checkCDF: a distribution's points lie on the plain empirical distribution,
// in order, with first and last, and between two of them the share grows by no
// more than the reduction allows.
func checkCDF(t *testing.T, values []float64, c report.CDF, points int) {
	t.Helper()
	sorted := slices.Clone(values)
	sort.Float64s(sorted)
	n := len(sorted)
	if len(c.At) > points || len(c.At) != len(c.Share) || c.At[0] != sorted[0] || c.At[len(c.At)-1] != sorted[n-1] || c.Share[len(c.Share)-1] != 1 {
		t.Fatalf("distribution of %d values has %d points from %v to %v", n, len(c.At), c.At[0], c.At[len(c.At)-1])
	}
	for i := range c.At {
		at := sort.SearchFloat64s(sorted, c.At[i]+0.5) // whole numbers
		if c.Share[i] != float64(at)/float64(n) {
			t.Fatalf("share at %v is %v, want %v", c.At[i], c.Share[i], float64(at)/float64(n))
		}
		if i == 0 {
			continue
		}
		below := float64(sort.SearchFloat64s(sorted, c.At[i])) / float64(n) // just before the point
		if c.At[i] <= c.At[i-1] || below-c.Share[i-1] > 1/float64(points-1)+1e-12 {
			t.Fatalf("point %d: from %v (%v) to %v (%v)", i, c.At[i-1], c.Share[i-1], c.At[i], c.Share[i])
		}
	}
}

// Reducing a distribution keeps its shape for any number of values and points,
// heavy ties included.
func TestCDFReduction(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		n, points := 1+rng.IntN(3000), 2+rng.IntN(200)
		values, keys := make([]float64, n), make([]uint64, n)
		most := int64(1) << rng.IntN(30)
		for i := range values {
			v := rng.Int64N(most)
			if rng.IntN(2) == 0 {
				v = 0
			}
			values[i], keys[i] = float64(v), uint64(v)^signBit
		}
		slices.Sort(keys)
		checkCDF(t, values, cdf(keys, points), points)
	}
}

// The packed series equals the plain one, and is what adding up the running
// and waiting jobs at each of its instants gives.
func TestSeriesTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		s := random(rng, 1+rng.IntN(60))
		a, b := new(Meter).Series(s, 0), plainSeries(s)
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("packed %v\nplain %v", a, b)
		}
		for i, at := range a.At {
			var used, waiting int32
			for _, e := range s.Executions {
				if e.Reason == model.EndRejected {
					continue
				}
				if e.Start <= at && at < e.End {
					used += e.Procs
				}
				if e.Submit <= at && at < e.Start {
					waiting++
				}
			}
			if a.Used[i] != used || a.Waiting[i] != waiting {
				t.Fatalf("at %d: %d used and %d waiting, want %d and %d", at, a.Used[i], a.Waiting[i], used, waiting)
			}
		}
	}
}

// A schedule longer than 272 years, and executions that are submitted out of
// order, go through the same series.
func TestSeriesOfAnyLength(t *testing.T) {
	s := schedule(4, job{submit: 0, start: 1 << 40, run: 5, procs: 3})
	want := report.Series{At: []model.Time{0, 1 << 40, 1<<40 + 5}, Used: []int32{0, 3, 0}, Waiting: []int32{1, 0, 0}}
	if got := new(Meter).Series(s, 0); !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	rng := rand.New(rand.NewPCG(7, 8))
	s = random(rng, 2000)
	rng.Shuffle(len(s.Executions), func(i, j int) { s.Executions[i], s.Executions[j] = s.Executions[j], s.Executions[i] })
	if a, b := new(Meter).Series(s, 0), plainSeries(s); !reflect.DeepEqual(a, b) {
		t.Error("series of shuffled executions differ")
	}
}

// Reduced to a width, a series has few points and, column by column, the same
// least and greatest values, first and last point of both curves.
func TestReduce(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	s := new(Meter).Series(random(rng, 5000), 0)
	for _, width := range []int{1, 7, 100, 1000} {
		r := Reduce(s, width)
		if len(r.At) > 6*width && len(r.At) != len(s.At) {
			t.Errorf("width %d: %d points", width, len(r.At))
		}
		type extremes struct{ first, last, least, most, shortest, longest [2]int64 }
		columns := func(s report.Series) map[int]extremes {
			m := map[int]extremes{}
			span := float64(s.At[len(s.At)-1] - s.At[0])
			for i := range s.At {
				c := min(int(float64(s.At[i]-s.At[0])/span*float64(width)), width-1)
				u, w := [2]int64{int64(s.Used[i])}, [2]int64{int64(s.Waiting[i])}
				point := [2]int64{int64(s.At[i]), u[0]<<32 | w[0]}
				e, ok := m[c]
				if !ok {
					e = extremes{point, point, u, u, w, w}
				}
				e.last = point
				if u[0] < e.least[0] {
					e.least = u
				}
				if u[0] > e.most[0] {
					e.most = u
				}
				if w[0] < e.shortest[0] {
					e.shortest = w
				}
				if w[0] > e.longest[0] {
					e.longest = w
				}
				m[c] = e
			}
			return m
		}
		if !reflect.DeepEqual(columns(s), columns(r)) {
			t.Errorf("width %d: a column looks different", width)
		}
		if !slices.IsSorted(r.At) {
			t.Errorf("width %d: out of order", width)
		}
	}
	far, mixed := random(rng, 60), random(rng, 3000)
	far.Executions[59].Start, far.Executions[59].End = 1<<40, 1<<40+5
	rng.Shuffle(3000, func(i, j int) { mixed.Executions[i], mixed.Executions[j] = mixed.Executions[j], mixed.Executions[i] })
	for _, one := range []*model.Schedule{random(rng, 5000), random(rng, 40), far, mixed} {
		var m Meter
		for _, width := range []int{1, 7, 100, 1000} {
			if got, want := m.Series(one, width), Reduce(m.Series(one, 0), width); !reflect.DeepEqual(got, want) {
				t.Errorf("width %d: reduced as it comes, a series has %d points instead of %d, or others", width, len(got.At), len(want.At))
			}
		}
	}
	if r := Reduce(report.Series{}, 10); len(r.At) != 0 {
		t.Error("an empty series grew")
	}
}

// The radix sort sorts like the standard library, and from a bit on it is
// stable.
func TestSortKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 60 {
		n := rng.IntN(3000)
		keys := make([]uint64, n)
		shift := rng.IntN(64)
		for i := range keys {
			keys[i] = rng.Uint64() >> shift
			if rng.IntN(4) == 0 {
				keys[i] |= 1 << 63
			}
		}
		want := slices.Clone(keys)
		slices.Sort(want)
		if got, _ := order.Keys(slices.Clone(keys), make([]uint64, n), 0); !slices.Equal(got, want) {
			t.Fatalf("%d keys out of order", n)
		}
		got, _ := order.Keys(slices.Clone(keys), make([]uint64, n), procsBits)
		for i := 1; i < n; i++ {
			if got[i-1]>>procsBits > got[i]>>procsBits {
				t.Fatalf("%d keys out of order from bit %d", n, procsBits)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatal("keys were lost")
		}
	}
}

// Sums are exact beyond 63 bits, with either sign.
func TestSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	var s sum
	want := new(big.Int)
	for range 2000 {
		v := rng.Int64() - math.MaxInt64/3
		s.add(v)
		want.Add(want, big.NewInt(v))
		a, b := rng.Int64N(1<<40), rng.Int64N(1<<60)
		s.addProduct(a, b)
		want.Add(want, new(big.Int).Mul(big.NewInt(a), big.NewInt(b)))
		got := new(big.Int).Lsh(big.NewInt(int64(s.hi)), 64)
		got.Add(got, new(big.Int).SetUint64(s.lo))
		if got.Cmp(want) != 0 {
			t.Fatalf("%v, want %v", got, want)
		}
	}
	f, _ := new(big.Float).SetInt(want).Float64()
	if math.Abs(s.float()-f) > 1e-15*math.Abs(f) {
		t.Errorf("%v, want %v", s.float(), f)
	}
	if s = (sum{}); true {
		s.add(-5)
		if s.float() != -5 {
			t.Errorf("%v", s.float())
		}
	}
}
