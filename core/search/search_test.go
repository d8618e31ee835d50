package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// A coverage holds every whole-number point of its L1 sphere once, in order.
func TestCoverage(t *testing.T) {
	for _, c := range []struct{ d, points int }{{1, 10}, {2, 7}, {3, 12}, {3, 21}, {4, 8}, {6, 6}} {
		cover, err := NewCoverage(c.d, c.points)
		if err != nil {
			t.Fatal(err)
		}
		n := c.points / 2
		want := map[string]bool{} // by going through the whole cube
		z := make([]int, c.d)
		for i := range z {
			z[i] = -n
		}
		for at := 0; at < c.d; {
			norm := 0
			for _, v := range z {
				norm += abs(v)
			}
			if norm == n {
				want[fmt.Sprint(z)] = true
			}
			for at = 0; at < c.d; at++ {
				if z[at]++; z[at] <= n {
					break
				}
				z[at] = -n
			}
		}
		if cover.Len() != len(want) {
			t.Fatalf("%v: %d points, want %d", c, cover.Len(), len(want))
		}
		w, last := make([]float64, c.d), []float64(nil)
		for i := range cover.Len() {
			cover.At(i, w)
			norm := 0.0
			for k := range w {
				norm += math.Abs(w[k])
				z[k] = int(math.Round(w[k] * float64(n)))
				if math.Signbit(w[k]) && w[k] == 0 {
					t.Fatalf("%v: point %d is %v", c, i, w)
				}
			}
			if !want[fmt.Sprint(z)] || math.Abs(norm-1) > 1e-12 {
				t.Fatalf("%v: point %d is %v", c, i, w)
			}
			delete(want, fmt.Sprint(z))
			for k := range last {
				if w[k] != last[k] {
					if w[k] < last[k] {
						t.Fatalf("%v: point %d, %v, stands behind %v", c, i, w, last)
					}
					break
				}
			}
			last = append(last[:0], w...)
		}
	}
	for points, want := range map[int]int{12: 146, 40: 1602, 41: 1602, 72: 5186, 100: 10002} {
		if c, err := NewCoverage(3, points); err != nil || c.Len() != want {
			t.Errorf("%d points: %d vectors, %v, want %d", points, c.Len(), err, want)
		}
	}
	for _, c := range [][2]int{{3, 1}, {0, 10}, {17, 10}, {6, 400}, {16, 1000}} {
		if _, err := NewCoverage(c[0], c[1]); err == nil {
			t.Errorf("%v is covered", c)
		}
	}
}

// Exp is eˣ, and never differs from the standard library by more than a few
// units in the last place.
func TestExp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100000 {
		x := 1400*r.Float64() - 700
		if got, want := Exp(x), math.Exp(x); math.Abs(got/want-1) > 1e-15 {
			t.Fatalf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	if Exp(0) != 1 || Exp(-1000) != 0 || !math.IsInf(Exp(1000), 1) || !math.IsNaN(Exp(math.NaN())) {
		t.Error("special values")
	}
	if math.Float64bits(Exp(1.5)) != 0x4011ed3fe64fc541 {
		t.Errorf("exp(1.5) has the bits %#x", math.Float64bits(Exp(1.5)))
	}
}

// The exponential of a symmetric matrix has the eigenvalues' exponentials:
// checked on matrices made from a rotation.
func TestExponential(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 1000 {
		a, x, y := r.Float64()*7, 8*r.Float64()-4, 8*r.Float64()-4
		c, s := math.Cos(a), math.Sin(a)
		make2 := func(x, y float64) []float64 {
			return []float64{c*c*x + s*s*y, c * s * (x - y), c * s * (x - y), s*s*x + c*c*y}
		}
		m, want := make2(x, y), make2(math.Exp(x), math.Exp(y))
		e, p, q := make([]float64, 4), make([]float64, 4), make([]float64, 4)
		exponential(e, m, p, q, 2)
		for i := range e {
			if math.Abs(e[i]-want[i]) > 1e-12*(math.Exp(x)+math.Exp(y)) {
				t.Fatalf("%v, want %v", e, want)
			}
		}
	}
}

func minimise(t *testing.T, d int, seed uint64, evaluations int, f func([]float64) float64) float64 {
	t.Helper()
	mean := make([]float64, d)
	for i := range mean {
		mean[i] = 1.5
	}
	x, err := NewXNES(mean, 1, 0, rand.New(rand.NewPCG(seed, 0)))
	if err != nil {
		t.Fatal(err)
	}
	best, p, values := math.Inf(1), make([]float64, d), make([]float64, x.Population())
	for range evaluations / x.Population() {
		for i := range values {
			x.Ask(i, p)
			values[i] = f(p)
			best = min(best, values[i])
		}
		x.Tell(values)
	}
	return best
}

// xNES finds the minimum of standard functions to many digits: the sphere, an
// ill-conditioned ellipsoid in turned coordinates, and Rosenbrock's valley.
func TestXNESFindsMinima(t *testing.T) {
	for _, d := range []int{2, 3, 6} {
		for seed := range uint64(5) {
			sphere := func(p []float64) (s float64) {
				for _, v := range p {
					s += v * v
				}
				return s
			}
			if got := minimise(t, d, seed, 600*d, sphere); got > 1e-10 {
				t.Errorf("sphere, d = %d, seed %d: %v", d, seed, got)
			}
			turned := func(p []float64) (s float64) {
				for i := range p {
					v := p[i] + 0.5*p[(i+1)%len(p)]
					s += math.Pow(1000, float64(i)/float64(len(p)-1)) * v * v
				}
				return s
			}
			if got := minimise(t, d, seed, 3000*d, turned); got > 1e-8 {
				t.Errorf("ellipsoid, d = %d, seed %d: %v", d, seed, got)
			}
			valley := func(p []float64) (s float64) {
				for i := 1; i < len(p); i++ {
					a, b := p[i]-p[i-1]*p[i-1], 1-p[i-1]
					s += 100*a*a + b*b
				}
				return s
			}
			if got := minimise(t, d, seed, 8000*d, valley); got > 1e-6 && d < 6 {
				t.Errorf("Rosenbrock, d = %d, seed %d: %v", d, seed, got)
			}
		}
	}
}

// The same seed gives the same search to the last bit, another seed another.
func TestXNESIsDeterministic(t *testing.T) {
	f := func(p []float64) float64 { return p[0]*p[0] + math.Abs(p[1]-p[2]) }
	a, b, c := minimise(t, 3, 7, 500, f), minimise(t, 3, 7, 500, f), minimise(t, 3, 8, 500, f)
	if a != b || a == c {
		t.Errorf("%v, %v, %v", a, b, c)
	}
}

// Defaults are those of the paper, and nonsense is refused.
func TestXNESDefaults(t *testing.T) {
	for d, want := range map[int]int{1: 4, 2: 6, 3: 7, 6: 9, 10: 10} {
		if got := DefaultPopulation(d); got != want {
			t.Errorf("d = %d: %d, want %d", d, got, want)
		}
	}
	x, err := NewXNES(make([]float64, 3), 1, 0, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, u := range x.utility {
		sum += u
	}
	if math.Abs(sum) > 1e-12 || x.utility[0] <= x.utility[1] || x.utility[6] != -1/7.0 || math.Abs(x.etaB-3*(3+math.Log(3))/(15*math.Sqrt(3))) > 1e-15 {
		t.Errorf("utilities %v, rate %v", x.utility, x.etaB)
	}
	for _, sigma := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := NewXNES(make([]float64, 3), sigma, 0, nil); err == nil {
			t.Errorf("step size %v is accepted", sigma)
		}
	}
	if _, err := NewXNES(nil, 1, 0, nil); err == nil {
		t.Error("no dimensions are accepted")
	}
}
