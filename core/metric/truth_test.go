package metric

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
)

// Intent: how near simulated waits come to logged ones is what a plain reading of each
// measure gives, ties and empty lists included.
func TestNearIsAsPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 1))
	for range 400 {
		n := random.IntN(40)
		spread := []int64{1, 5, 200, 100_000}[random.IntN(4)]
		s, l := make([]model.Time, n), make([]model.Time, n)
		for i := range s {
			s[i], l[i] = model.Time(random.Int64N(spread)), model.Time(random.Int64N(spread))
		}
		got := Near(s, l)
		if got.Jobs != n {
			t.Fatalf("%d jobs of %d", got.Jobs, n)
		}
		if n == 0 {
			continue
		}
		var off []float64
		sumS, sumL, minute, hour, tenth := 0.0, 0.0, 0.0, 0.0, 0.0
		for i := range s {
			d := math.Abs(float64(s[i] - l[i]))
			off = append(off, d)
			sumS, sumL = sumS+float64(s[i]), sumL+float64(l[i])
			if d <= 60 {
				minute++
			}
			if d <= 3600 {
				hour++
			}
			if 10*d <= float64(l[i]) {
				tenth++
			}
		}
		slices.Sort(off)
		f := float64(n)
		for _, one := range []struct {
			name      string
			got, want float64
		}{
			{"mean", got.MeanWait, sumS / f}, {"logged mean", got.LoggedWait, sumL / f}, {"bias", got.Bias, sumS/f - sumL/f},
			{"median error", got.MedianError, (off[(n-1)/2] + off[n/2]) / 2}, {"minute", got.Minute, minute / f}, {"hour", got.Hour, hour / f}, {"tenth", got.Tenth, tenth / f},
		} {
			if one.got != one.want {
				t.Fatalf("%s: %v, plainly %v\n%v\n%v", one.name, one.got, one.want, s, l)
			}
		}
		if (got.Ratio != nil) != (sumL > 0) || got.Ratio != nil && *got.Ratio != (sumS/f)/(sumL/f) {
			t.Fatalf("ratio %v of %v and %v", got.Ratio, sumS, sumL)
		}
		want, known := plainSpearman(s, l)
		if (got.Rank != nil) != known || known && math.Abs(*got.Rank-want) > 1e-9 {
			t.Fatalf("rank correlation %v, plainly %v (%v)\n%v\n%v", got.Rank, want, known, s, l)
		}
	}
}

// plainSpearman is Pearson's correlation of ranks that are counted.
func plainSpearman(a, b []model.Time) (rho float64, known bool) {
	rank := func(list []model.Time, i int) float64 {
		below, same := 0, 0
		for _, v := range list {
			if v < list[i] {
				below++
			} else if v == list[i] {
				same++
			}
		}
		return float64(below) + float64(same+1)/2
	}
	var x, y []float64
	mx, my := 0.0, 0.0
	for i := range a {
		x, y = append(x, rank(a, i)), append(y, rank(b, i))
		mx, my = mx+x[i]/float64(len(a)), my+y[i]/float64(len(a))
	}
	var xx, yy, xy float64
	for i := range x {
		xx, yy, xy = xx+(x[i]-mx)*(x[i]-mx), yy+(y[i]-my)*(y[i]-my), xy+(x[i]-mx)*(y[i]-my)
	}
	if slices.Min(a) == slices.Max(a) || slices.Min(b) == slices.Max(b) {
		return 0, false
	}
	return xy / math.Sqrt(xx*yy), true
}

// Intent: each job lies in the hexagon whose middle is nearest of all, by a search through
// them; waits beyond the end lie at the edge; all jobs are counted.
func TestDensity(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var simulated, logged []model.Time
	for range 500 {
		simulated, logged = append(simulated, model.Time(r.IntN(9000))), append(logged, model.Time(r.IntN(7000)))
	}
	top := densityTop(logged)
	if top != 7200 || densityTop(nil) != 600 {
		t.Fatal(top)
	}
	n := 0
	for _, c := range density(simulated, logged, top) {
		n += c.Jobs
	}
	if n != len(logged) {
		t.Errorf("%d jobs of %d", n, len(logged))
	}
	for i := range logged {
		x, y := densityPlace(logged[i], top), densityPlace(simulated[i], top)
		got, best := hexagon(x, y), math.Inf(1)
		far := func(row, column int) float64 {
			return math.Hypot(x-float64(column)-float64(row%2)/2, y-float64(row)*math.Sqrt(3)/2)
		}
		for row := range 26 {
			for column := -1; column < 23; column++ {
				best = min(best, far(row, column))
			}
		}
		if far(got[0], got[1]) > best+1e-9 {
			t.Fatalf("%v, %v lies in %v", x, y, got)
		}
	}
	if at := worst([]model.Time{5, 100, 0, 100}, []model.Time{0, 0, 100, 95}); !slices.Equal(at, []int{1, 2, 0, 3}) {
		t.Error(at)
	}
}
