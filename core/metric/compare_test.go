package metric

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"batchlab/core/catalog"
	"batchlab/core/report"
)

// runsOf makes runs with one measure, over workload w of each repetition.
func runsOf(values ...float64) (runs []*report.Run) {
	for r, v := range values {
		runs = append(runs, &report.Run{Repetition: r, Workload: string(rune('a' + r)), Metrics: []report.Value{{Key: "mean-wait", Value: v, Valid: true}}})
	}
	return runs
}

// copyAll marks all runs but the first as copies of it.
func copyAll(runs []*report.Run) []*report.Run {
	for i, r := range runs {
		r.Workload, r.Copy = "a", i > 0
	}
	return runs
}

// Intent: one and the same run five times is one value and one pair, without an
// interval, whatever it differs by; five different ones are five.
func TestCopiesCountOnce(t *testing.T) {
	row := catalog.FindMetric("mean-wait")
	a, b := copyAll(runsOf(7, 7, 7, 7, 7)), copyAll(runsOf(10, 10, 10, 10, 10))
	if v, s := Values(Measured(a, "mean-wait")); len(v) != 1 || s != (Sample{}) {
		t.Errorf("%v of %+v", v, s)
	}
	d := CompareRuns(a, b, row)
	if d.N != 1 || d.Mean != -3 || d.Has() || d.Verdict(row) != report.VerdictSingle {
		t.Errorf("copies: %+v, %s", d, d.Verdict(row))
	}
	// One that draws differs at every repetition from one that does not.
	drawn := runsOf(7, 8, 7, 9, 7)
	for _, r := range drawn {
		r.Workload = "a"
	}
	if d := CompareRuns(drawn, b, row); d.N != 5 || !d.Has() {
		t.Errorf("drawn against copies: %+v", d)
	}
	if d := CompareRuns(b, drawn, row); d.N != 5 {
		t.Errorf("copies against drawn: %+v", d)
	}
	if d := CompareRuns(runsOf(7, 7.1, 7, 7, 7), runsOf(10, 10, 10, 10, 10), row); d.N != 5 || d.Verdict(row) != report.VerdictBetter {
		t.Errorf("five workloads: %+v", d)
	}
	if d := CompareRuns(b, b, row); d.Verdict(row) != report.VerdictSame {
		t.Errorf("the same: %s", d.Verdict(row))
	}
	if d := CompareRuns(runsOf(7), copyAll(runsOf(1))[1:], row); d.N != 0 || d.Verdict(row) != "" {
		t.Errorf("nothing to pair with: %+v", d)
	}
}

// Intent: intervals of one log by hand, on the logarithm. x of the log is ln 2, of the
// draws ln 2 + {0.1, 0.3, 0.5}: s² = 0.04, b = 0.3. From five pieces and three draws
// there are 1 ÷ (1/4 + 1/2) = 4/3 degrees of freedom.
func TestIntervalsOfOneLog(t *testing.T) {
	var a, b []float64
	for _, by := range []float64{0, 0.1, 0.3, 0.5} {
		a, b = append(a, 200*math.Exp(by)), append(b, 100)
	}
	near := func(what string, got, want float64) {
		if !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	wait, slow := catalog.FindMetric("mean-wait"), catalog.FindMetric("mean-bounded-slowdown")
	for _, c := range []struct {
		row  *catalog.Metric
		s    Sample
		half float64
		how  string
	}{
		{wait, Sample{By: "users", Pieces: 5, Log: true}, 1.25 * studentT(4.0/3) * math.Sqrt(0.04*5/4+0.09), report.ByUsers},
		{slow, Sample{By: "users", Pieces: 5, Log: true}, 1.5 * studentT(4.0/3) * math.Sqrt(0.04*5/4+0.09), report.ByUsers},
		{wait, Sample{By: "weeks", Pieces: 5, Log: true, Own: Own{Known: true, Days: 0.01}}, studentT(4.0/3) * math.Sqrt(0.04*5/4+0.01), report.ByWeeks},
		{slow, Sample{By: "weeks", Pieces: 400, Log: true, Own: Own{Known: true, Days: 0.01}}, 1.25 * studentT(1/(1.0/399+0.5)) * math.Sqrt(0.04*400/399+0.01), report.ByWeeks},
	} {
		d := c.s.Compare(a, b, c.row)
		near(c.how+", value", d.Relative, 1)
		near(c.how+", low", d.Low, 2*math.Exp(-c.half)-1)
		near(c.how+", high", d.High, 2*math.Exp(c.half)-1)
		if low, high := d.Ends(); d.How != c.how || d.Mean != 100 || math.Abs(low-100*d.Low) > 1e-9 || math.Abs(high-100*d.High) > 1e-9 {
			t.Errorf("%+v from %v to %v", d, low, high)
		}
	}
	// Many draws of many weeks: t is 3.5 at least.
	x, y := []float64{200}, []float64{100}
	for i := range 40 {
		x, y = append(x, 200*math.Exp(0.1*float64(i%2))), append(y, 100)
	}
	d := Sample{By: "weeks", Pieces: 100, Log: true, Own: Own{Known: true}}.Compare(x, y, wait)
	near("weeks", math.Log((1+d.High)/2), 3.5*math.Sqrt(40*0.0025/39*100/99))
	// One log: users' variance 0.02 and days' 0.005.
	d = Sample{Own: Own{Known: true, Users: 0.02, Days: 0.005, Alike: 30}}.Compare(a[:1], b[:1], wait)
	near("one log", math.Log((1+d.High)/2), 2.78*math.Sqrt(0.025))
	d = Sample{Own: Own{Known: true, Users: 0.02, Days: 0.005, Alike: 30}}.Compare(a[:1], b[:1], slow)
	near("one log, slowdown", math.Log((1+d.High)/2), 1.5*2.78*math.Sqrt(0.025))
}

// Intent: "better" is said where the whole interval leaves "no difference" out, "probably
// better" where only its narrow form does, and of one log alone never more than probably.
func TestWordsOfSurety(t *testing.T) {
	row := catalog.FindMetric("mean-wait")
	s := Sample{By: "users", Pieces: 20, Log: true}
	draws := []float64{1, 1.1, 0.9, 1.05, 0.95, 1.02, 0.98}
	word := func(times float64) string {
		var a, b []float64
		for _, v := range draws {
			a, b = append(a, times*v), append(b, 1)
		}
		d := s.Compare(a, b, row)
		if beyond := d.Low > 0 || d.High < 0; beyond != (d.Certainty == Surely) {
			t.Errorf("× %v: %+v", times, d)
		}
		return d.Verdict(row)
	}
	x := make([]float64, len(draws))
	for i, v := range draws {
		x[i] = math.Log(v)
	}
	half := s.width(x)
	for _, c := range []struct {
		at   float64
		want string
	}{{-1.3, "better"}, {-1.1, "probably better"}, {-0.9, "no clear difference"}, {0.9, "no clear difference"}, {1.1, "probably worse"}, {1.3, "worse"}} {
		if got := word(math.Exp(c.at * half)); got != c.want {
			t.Errorf("at %v of the narrow interval: %s, want %s", c.at, got, c.want)
		}
	}
	if d := (Sample{Own: Own{Known: true, Users: 1e-6, Days: 1e-6, Alike: 40}}).Compare([]float64{1}, []float64{2}, row); d.Verdict(row) != "probably better" {
		t.Errorf("one log: %+v", d)
	}
}

// Intent: what has no interval that holds has none and says why: utilization and the
// longest wait by draws, percentiles by draws of weeks, what is zero, a log of one user.
func TestNoInterval(t *testing.T) {
	users, weeks := Sample{By: "users", Pieces: 20, Log: true}, Sample{By: "weeks", Pieces: 9, Log: true, Own: Own{Known: true}}
	some, more := []float64{.5, .6, .7, .65}, []float64{.6, .65, .75, .6}
	for _, c := range []struct {
		s    Sample
		key  string
		a, b []float64
	}{
		{users, "utilization", some, more}, {users, "makespan", some, more}, {users, "max-wait", some, more},
		{weeks, "utilization", some, more}, {weeks, "p95-wait", some, more}, {weeks, "mean-turnaround", some, more},
		{Sample{By: "weeks", Pieces: 9, Log: true}, "mean-wait", some, more},
		{Sample{By: "users", Pieces: 1.9, Log: true}, "mean-wait", some, more},
		{Sample{By: "weeks", Pieces: 1.9, Log: true, Own: Own{Known: true}}, "mean-wait", some, more},
		{users, "mean-wait", []float64{0, 1, 2, 3}, more}, {users, "mean-wait", some[:2], more[:2]},
		{Sample{Own: Own{Known: true, Users: 1, Days: 1, Alike: 1.9}}, "mean-wait", some[:1], more[:1]}, {Sample{Own: Own{Known: true, Days: 1, Lacks: "no users"}}, "mean-wait", some[:1], more[:1]}, {Sample{}, "mean-wait", some[:1], more[:1]}, {Sample{}, "mean-wait", some[:2], more[:2]},
	} {
		row := catalog.FindMetric(c.key)
		d := c.s.Compare(c.a, c.b, row)
		if d.Has() || d.Why == "" || d.Certainty != NoInterval {
			t.Errorf("%+v, %s: %+v", c.s, c.key, d)
		}
		if word := d.Verdict(row); word != report.VerdictNone && word != report.VerdictSingle {
			t.Errorf("%s: %q", c.key, word)
		}
	}
}

// Intent: more draws do not make the interval of draws go to nothing, as they do
// that of independent workloads, since the log is still one log.
func TestDrawsAreNoNewLogs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, 2001)
	for i := range values {
		values[i] = 100 * math.Exp(0.1*r.NormFloat64())
	}
	row := catalog.FindMetric("mean-wait")
	independent, draws := Sample{}.Estimate(values, row), Sample{By: "users", Pieces: 30, Log: true}.Estimate(values, row)
	if independent.High-independent.Low > 2 || draws.High-draws.Low < 30 || draws.Value != values[0] {
		t.Errorf("2,000 values with a deviation of 10: %+v, and of draws %+v", independent, draws)
	}
}

// Intent: the value of the log itself lies in its interval, however small: ends are bounded
// where exponentials of them would be nothing, and rounded.
func TestIntervalHoldsItsValue(t *testing.T) {
	row := catalog.FindMetric("mean-wait")
	s := Sample{By: "users", Pieces: 2.5, Log: true}
	for _, a := range [][]float64{{9.1e-305, 1, 1}, {9.1e304, 1, 1}, {0.1, 0.1, 0.1}} {
		if e := s.Estimate(a, row); e.Low > e.Value || e.High < e.Value {
			t.Errorf("%v: %+v", a, e)
		}
	}
}

// Intent: no interval reaches what cannot be, however much values differ: a wait is not
// below zero, no slowdown below one, no job waits less by more than all of it, no share is
// above one.
func TestIntervalsStayPossible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		row := catalog.FindMetric(rapid.SampledFrom([]string{"mean-wait", "mean-bounded-slowdown", "p95-slowdown", "std-slowdown", "utilization", "complaint-share"}).Draw(t, "row"))
		value := rapid.Float64Range(row.Least(), row.Least()+1)
		a := rapid.SliceOfN(value, 1, 12).Draw(t, "a")
		b := rapid.SliceOfN(value, len(a), len(a)).Draw(t, "b")
		s := rapid.SampledFrom([]Sample{{}, {By: "users", Pieces: 2.5, Log: true}, {By: "weeks", Pieces: 2.5, Log: true, Own: Own{Known: true, Users: 1, Days: 2, Alike: 3}}, {Own: Own{Known: true, Users: 1, Days: 2, Alike: 3}}}).Draw(t, "s")
		d := s.Compare(a, b, row)
		if low, high := d.Ends(); d.Has() && (low < row.Least()-d.Base || low > high || d.Quotient && d.Low < -1) {
			t.Fatalf("%+v from %v to %v", d, low, high)
		}
		if row.Points() && d.Has() && !d.Quotient && d.High > 100 {
			t.Fatalf("%+v", d)
		}
		if e := s.Estimate(a, row); e.Low < row.Least() || e.Low > e.Value || e.High < e.Value || row.Key == "utilization" && e.High > 1 {
			t.Fatalf("%+v", e)
		}
	})
}

// Intent: quotients do not depend on the unit, and an interval's ends are the reciprocals
// of each other's when the schedulers change places; what is a times as much in every
// pair is so surely.
func TestQuotients(t *testing.T) {
	row := catalog.FindMetric("mean-wait")
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Float64Range(0.5, 1e6)
		a := rapid.SliceOfN(value, 3, 20).Draw(t, "a")
		b := rapid.SliceOfN(value, len(a), len(a)).Draw(t, "b")
		s := rapid.SampledFrom([]Sample{{}, {By: "users", Pieces: 7, Log: true}, {By: "weeks", Pieces: 3, Log: true, Own: Own{Known: true, Users: 1, Days: 2, Alike: 3}}}).Draw(t, "s")
		d, back := s.Compare(a, b, row), s.Compare(b, a, row)
		near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-8*(math.Abs(x)+1) }
		if !d.Same && (d.Low > -0.9999 && !near((1+d.Low)*(1+back.High), 1) || !near((1+d.Relative)*(1+back.Relative), 1) || d.Certainty != back.Certainty) {
			t.Fatalf("%+v, the other way round %+v", d, back)
		}
		k := rapid.SampledFrom([]float64{0.25, 2, 3600}).Draw(t, "k")
		scaled := func(v []float64) (out []float64) {
			for _, x := range v {
				out = append(out, x*k)
			}
			return out
		}
		if e := s.Compare(scaled(a), scaled(b), row); !near(d.Relative, e.Relative) || !d.Same && (!near(d.Low, e.Low) || !near(d.Mean*k, e.Mean)) {
			t.Fatalf("× %v: %+v, %+v", k, d, e)
		}
		if s.By == "weeks" {
			return
		}
		if e := s.Compare(scaled(a), a, row); !near(e.Relative, k-1) || e.Certainty != Surely || e.High-e.Low > 1e-6*k {
			t.Fatalf("%v times as much: %+v", k, e)
		}
	})
}
