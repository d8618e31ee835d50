package forecast

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
)

// Intent: the distribution of drawn run times is that of the samples: each comes as often
// as it weighs, none is shorter than what has passed or longer than the request, and what
// nothing is known of comes as often as it should.
func TestDrawsFollowTheSamples(t *testing.T) {
	var p Past
	for i := range 300 {
		p.End(Done{Run: model.Time(100 + i%50), Limit: 1000, Procs: 4, User: int32(i % 3), Executable: 1})
	}
	s := p.Samples(1000, 4, 1, 1)
	if !slices.IsSorted(s.values) {
		t.Fatal("samples are not in order")
	}
	for _, elapsed := range []model.Time{0, 120, 300, 999} {
		const n = 20_000
		short := 0
		for k := range n {
			v := s.Draw(DrawStream{7}, 3, 1, k, elapsed)
			if v <= elapsed || v > 1000 {
				t.Fatalf("%d s drawn after %d of 1000", v, elapsed)
			}
			if v <= 170 {
				short++
			}
		}
		if got := float64(short) / n; elapsed == 0 && got < 0.95 || elapsed == 300 && short > 0 {
			t.Errorf("after %d s a share of %.3f ends by 170 s", elapsed, got)
		}
	}
	if a, b := s.Draw(DrawStream{7}, 3, 1, 5, 0), s.Draw(DrawStream{7}, 3, 1, 5, 0); a != b {
		t.Errorf("one draw, asked twice: %d and %d", a, b)
	}
}

// Intent: phi, exp and the logarithm are those of the standard library.
func TestFunctionsOfTheirOwn(t *testing.T) {
	for z := -6.0; z <= 6; z += 0.01 {
		if want := math.Erfc(-z/math.Sqrt2) / 2; math.Abs(phi(z)-want) > 1e-9 {
			t.Fatalf("phi(%v) is %v, not %v", z, phi(z), want)
		}
	}
	for _, w := range []model.Time{0, 1, 59, 60, 3600, 86400, 10_000_000} {
		if got := Wait(Scaled(w)); got != w {
			t.Errorf("a wait of %d s comes back as %d", w, got)
		}
		if want := math.Log1p(float64(w) / 60); math.Abs(Scaled(w)-want) > 1e-12 {
			t.Errorf("Scaled(%d) is %v, not %v", w, Scaled(w), want)
		}
	}
}

// Intent: a mixture's quantiles increase strictly, and Place is their inverse.
func TestPlaceIsTheInverse(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for range 200 {
		var draws, recent []float64
		for range 1 + random.IntN(60) {
			draws = append(draws, float64(random.IntN(8)))
		}
		for range random.IntN(30) {
			recent = append(recent, 9*random.Float64())
		}
		m := Mix(draws, recent)
		last := math.Inf(-1)
		for x := -11.0; x <= 11; x += 0.37 {
			y := m.Quantile(x)
			if y <= last {
				t.Fatalf("the quantile at %v is %v after %v", x, y, last)
			}
			if last = y; math.Abs(m.Place(y)-x) > 1e-6 {
				t.Fatalf("%v lies at %v, not at %v", y, m.Place(y), x)
			}
		}
	}
}

// plainAnswer is an answer and its scaled wait, as far as it is known.
type plainAnswer struct {
	Mixture *Mixture
	Known   float64
	Waiting bool
}

// plainRecalibrated estimates the distribution of x job by job, and reads quantiles off it.
func plainRecalibrated(m *Mixture, record []plainAnswer, levels []float64) []float64 {
	type one struct {
		x, w     float64
		censored bool
	}
	var list []one
	for i := range record {
		w := math.Exp(-math.Abs(record[i].Mixture.Median()-m.Median())/1.5) * math.Exp(-float64(len(record)-1-i)/400)
		list = append(list, one{record[i].Mixture.Place(record[i].Known), w, record[i].Waiting})
	}
	for k := range 40 {
		p := (float64(k) + 0.5) / 40
		list = append(list, one{math.Log(p / (1 - p)), 0.25, false})
	}
	var times []float64
	for _, o := range list {
		if !o.censored && !slices.Contains(times, o.x) {
			times = append(times, o.x)
		}
	}
	slices.Sort(times)
	stay := 1.0
	var f []float64
	for _, x := range times {
		risk, ends := 0.0, 0.0
		for _, o := range list {
			if o.x >= x {
				risk += o.w
			}
			if o.x == x && !o.censored {
				ends += o.w
			}
		}
		f = append(f, 1-stay*(1+1-ends/risk)/2)
		stay *= 1 - ends/risk
	}
	var out []float64
	for _, p := range levels {
		x := times[0]
		for i := range f {
			if f[i] <= p {
				x = times[i]
				if i+1 < len(f) {
					x += (times[i+1] - times[i]) * (p - f[i]) / (f[i+1] - f[i])
				} else if p > f[i] {
					x = max(x, math.Log(p/(1-p)))
				}
			}
		}
		out = append(out, max(0, m.Quantile(x)))
	}
	return out
}

// Intent: recalibration is the weighted Kaplan–Meier estimate that a plain reading gives,
// with answers that still wait among the record; without a record the mixture stays nearly
// as it is, and a record of answers that all came late moves it up.
func TestRecalibratedIsAsPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 2))
	levels := []float64{0.05, 0.25, 0.5, 0.75, 0.95}
	for range 100 {
		mix := func() *Mixture {
			var draws []float64
			for range 40 {
				draws = append(draws, 2+3*random.Float64())
			}
			return Mix(draws, nil)
		}
		var plain []plainAnswer
		var record []Answer
		for range random.IntN(80) {
			a := plainAnswer{mix(), 6 * random.Float64(), random.IntN(3) == 0}
			plain, record = append(plain, a), append(record, a.Mixture.Answered(a.Known, a.Waiting))
		}
		m := mix()
		got, want := Recalibrated(m, record).At(levels), plainRecalibrated(m, plain, levels)
		for i := range levels {
			if math.Abs(got[i]-want[i]) > 1e-6 {
				t.Fatalf("at %v: %v, plainly %v (%d answers)", levels[i], got[i], want[i], len(record))
			}
		}
	}
	m := Mix([]float64{1, 2, 3, 4, 5}, nil)
	for i, y := range Recalibrated(m, nil).At(levels) {
		if want := m.Quantile(logit(levels[i])); math.Abs(y-want) > 0.1 {
			t.Errorf("without a record the level %v is told as %v instead of %v", levels[i], y, want)
		}
	}
	var late []Answer
	for range 200 {
		late = append(late, m.Answered(6, false))
	}
	if y := Recalibrated(m, late).At([]float64{0.5})[0]; y < 5 {
		t.Errorf("all earlier answers came at 6, and the middle is told as %v", y)
	}
}

// Intent: the regression finds the quantiles of a line with noise that grows along it, and
// features that say nothing stay without weight.
func TestRegressionFindsTheLines(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	levels := []float64{0.1, 0.5, 0.9}
	r := NewRegression(3, levels)
	draw := func() ([]float64, float64) {
		x := 4 * random.Float64()
		return []float64{x, random.Float64(), 7}, 1 + 2*x + (1+x)*(random.Float64()-0.5)
	}
	for range 20_000 {
		r.Learn(draw())
	}
	var below [3]float64
	const n = 4000
	for range n {
		x, y := draw()
		told := r.Tell(x)
		for l := range levels {
			if y <= told[l] {
				below[l] += 1.0 / n
			}
		}
	}
	for l, p := range levels {
		if math.Abs(below[l]-p) > 0.03 {
			t.Errorf("%.2f lie below the level %v", below[l], p)
		}
		if want := 1 + 2*3 + (1+3)*(p-0.5); math.Abs(r.Tell([]float64{3, 0.5, 7})[l]-want) > 0.25 {
			t.Errorf("at 3 the level %v is %.2f, not %.2f", p, r.Tell([]float64{3, 0.5, 7})[l], want)
		}
	}
}

// Intent: levels of a list are read between its values; of a job that has waited, only
// waits that were longer count, and only what came after.
func TestLevelsOfWaits(t *testing.T) {
	if got := Quantiles([]float64{3, 1, 2, 4}, []float64{0.05, 0.25, 0.5, 1}); !slices.Equal(got, []float64{1, 1.5, 2.5, 4}) {
		t.Errorf("levels of 1 to 4: %v", got)
	}
	if got := Quantiles(nil, []float64{0.5}); got[0] != 0 {
		t.Errorf("nothing gives %v", got)
	}
	var p Past
	for i := range 30 {
		p.Start(4, model.Time(60*i))
	}
	if all, rest := p.Recent(4, 0), p.Recent(4, 600); len(all) != 30 || len(rest) != 19 || Wait(rest[0]) != 60 {
		t.Errorf("%d of 30 waits, %d beyond ten minutes, the first by %d s", len(all), len(rest), Wait(rest[0]))
	}
}
