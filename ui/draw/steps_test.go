package draw

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"batchlab/core/model"
)

func randomSteps(r *rand.Rand, n int) (*Steps, []model.Time, []int32) {
	at, v := make([]model.Time, n), make([]int32, n)
	t := model.Time(r.IntN(100))
	for i := range at {
		at[i], v[i] = t, int32(r.IntN(50))
		t += 1 + model.Time(r.IntN(20))
	}
	return NewSteps(at, v), at, v
}

// valueAt is the plain twin: look at every step.
func valueAt(at []model.Time, v []int32, t model.Time) int32 {
	out := int32(0)
	for i := range at {
		if at[i] <= t {
			out = v[i]
		}
	}
	return out
}

// Means, maxima and columns of a step function agree with adding up and
// comparing second by second.
func TestStepsAgreeWithSeconds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	s, at, v := randomSteps(r, 60)
	last := at[len(at)-1]
	for range 300 {
		from := model.Time(r.IntN(int(last)+50)) - 20
		to := from + 1 + model.Time(r.IntN(200))
		sum, most := 0.0, int32(0)
		for x := from; x < to; x++ {
			sum += float64(valueAt(at, v, x))
			most = max(most, valueAt(at, v, x))
		}
		if got, want := s.Mean(float64(from), float64(to)), sum/float64(to-from); math.Abs(got-want) > 1e-9 {
			t.Fatalf("mean of [%d, %d) = %g, want %g", from, to, got, want)
		}
		if got := s.Max(from, to); got != most {
			t.Fatalf("max of [%d, %d) = %d, want %d", from, to, got, most)
		}
		n := 1 + r.IntN(9)
		for i, got := range s.Columns(from, from+model.Time(n)*7, n) {
			want := 0.0
			for x := range model.Time(7) {
				want += float64(valueAt(at, v, from+model.Time(i)*7+x))
			}
			if math.Abs(got-want/7) > 1e-9 {
				t.Fatalf("column %d = %g, want %g", i, got, want/7)
			}
		}
	}
}

// M4 keeps the first, least, greatest and last value of every pixel column,
// adds nothing, and never has more than four points a column.
func TestM4KeepsExtremes(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	reduced := 0
	for range 60 {
		s, at, v := randomSteps(r, 2+r.IntN(800))
		from, to := at[0]-model.Time(r.IntN(30)), at[len(at)-1]+1+model.Time(r.IntN(30))
		n := 1 + r.IntN(40)
		x, y := s.M4(from, to, n)
		if len(x) > 4*n+2 {
			t.Fatalf("%d points for %d columns", len(x), n)
		}
		if !slices.IsSorted(x) || x[0] != float64(from) || x[len(x)-1] != float64(to) {
			t.Fatalf("points out of order, or ends missing: %v … %v for [%d, %d)", x[0], x[len(x)-1], from, to)
		}
		if len(at) > 4*n {
			reduced++
		}
		for c := range n {
			lo, hi := int32(math.MaxInt32), int32(-1)
			for i := range at {
				if at[i] > from && at[i] < to && int64(at[i]-from)*int64(n)/int64(to-from) == int64(c) {
					lo, hi = min(lo, v[i]), max(hi, v[i])
				}
			}
			glo, ghi := int32(math.MaxInt32), int32(-1)
			for i := 1; i < len(x)-1; i++ {
				if (int64(x[i])-int64(from))*int64(n)/int64(to-from) == int64(c) {
					glo, ghi = min(glo, int32(y[i])), max(ghi, int32(y[i]))
				}
				if y[i] != float64(valueAt(at, v, model.Time(x[i]))) {
					t.Fatalf("point %d is not on the line", i)
				}
			}
			if lo != glo || hi != ghi {
				t.Fatalf("column %d: %d to %d, reduced %d to %d", c, lo, hi, glo, ghi)
			}
		}
	}
	if reduced < 10 {
		t.Fatal("hardly anything was reduced: the test tests nothing")
	}
}

// An empty series is 0 everywhere and draws no path.
func TestNoSteps(t *testing.T) {
	s := NewSteps(nil, nil)
	if s.Mean(0, 10) != 0 || s.Max(0, 10) != 0 || s.Value(3) != 0 {
		t.Error("an empty series is not 0")
	}
	if x, y := s.M4(0, 10, 5); len(x) != 2 || y[0] != 0 {
		t.Errorf("M4 of nothing: %v %v", x, y)
	}
	if line, area := StripPaths(nil, 1, 0, 0, 10, 10); line+area != "" {
		t.Error("a path of nothing")
	}
}

// Radix sorting gives the order of a stable comparison sort, for integers and
// floats of either sign.
func TestSortedByAgreesWithComparing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		n := r.IntN(300)
		keys, floats := make([]uint64, n), make([]float64, n)
		bits := 1 + r.IntN(64)
		for i := range keys {
			if floats[i] = float64(r.IntN(50)-25) / 4; r.IntN(20) == 0 {
				floats[i] = math.NaN()
			}
			if keys[i] = FloatKey(floats[i]); bits%2 == 0 {
				keys[i] = r.Uint64() >> (64 - bits)
			}
		}
		want := make([]int32, n)
		for i := range want {
			want[i] = int32(i)
		}
		slices.SortStableFunc(want, func(a, b int32) int {
			if bits%2 == 1 { // compare the numbers themselves, NaN last
				x, y := floats[a], floats[b]
				switch {
				case math.IsNaN(x) && math.IsNaN(y):
					return 0
				case math.IsNaN(x) || x > y:
					return 1
				case math.IsNaN(y) || x < y:
					return -1
				}
				return 0
			}
			switch {
			case keys[a] < keys[b]:
				return -1
			case keys[a] > keys[b]:
				return 1
			}
			return 0
		})
		if got := SortedBy(keys); !slices.Equal(got, want) {
			t.Fatalf("%d keys of %d bits: %v, want %v", n, bits, got, want)
		}
	}
	if IntKey(-3) >= IntKey(2) || IntKey(math.MinInt64) != 0 {
		t.Error("integers of different sign are out of order")
	}
}
