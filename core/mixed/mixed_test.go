package mixed

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"batchlab/core/metric"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
)

// random makes n jobs over a number of windows of 1,000 s, on 16 processors.
func random(seed uint64, n, windows int) *model.Workload {
	r := rand.New(rand.NewPCG(seed, 1))
	w := &model.Workload{Processors: 16}
	var submits []model.Time
	for range n {
		submits = append(submits, model.Time(r.IntN(1000*windows)))
	}
	slices.Sort(submits)
	for i, at := range submits {
		limit := model.Time(1 + r.IntN(300))
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: at, Limit: limit, Procs: int32(1 + r.IntN(8))})
		w.Truth = append(w.Truth, model.Truth{Run: 1 + model.Time(r.IntN(int(limit)))})
	}
	return w
}

// settings for windows of 1,000 s.
func small() Settings {
	s := Paper()
	threshold := int64(400)
	s.Length, s.Threshold, s.Tau = 1000, &threshold, 10
	return s
}

func newLab(t *testing.T, w *model.Workload, s Settings) *Lab {
	t.Helper()
	l, err := New(w, s)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A value is the measure that a simulation of the window by itself gives,
// for mixed and pure orders of 3 and 6 features.
func TestValuesAreMeasures(t *testing.T) {
	w := random(1, 600, 6)
	r := rand.New(rand.NewPCG(2, 2))
	var m sim.CountedSimulator
	var meter metric.Meter
	for _, ties := range []string{"newest", "oldest"} {
		s := small()
		s.Ties, s.Features = ties, 6
		l := newLab(t, w, s)
		for i := range l.Weeks() {
			for round := range 20 {
				easy := policy.CountedEASY{Backfill: policy.SPF, Newest: ties == "newest", UseThreshold: true, Threshold: 400}
				var got float64
				var err error
				if round < 12 {
					easy.Order = policy.Pure()[round]
					got, err = l.Pure(i, easy.Order)
				} else {
					raw := make([]float64, 6)
					for k := range raw {
						raw[k] = r.Float64() - 0.5
					}
					easy.Order = policy.Mixed
					easy.Weights, _ = policy.NewWeights(raw)
					got, err = l.Mixed(i, easy.Weights)
				}
				if err != nil {
					t.Fatal(err)
				}
				schedule, err := m.Run(&l.windows[i].Workload, model.OneCluster(16), &easy, sim.Options{})
				if err != nil {
					t.Fatal(err)
				}
				values, _, _, _ := meter.Measure(schedule, metric.Options{Tau: 10})
				for _, v := range values {
					if v.Key == "mean-bounded-slowdown" && math.Abs(v.Value/got-1) > 1e-12 {
						t.Fatalf("window %d, %v: %v, the measure is %v", i, easy.Order, got, v.Value)
					}
				}
			}
		}
	}
}

// Evaluating a window again allocates nothing.
func TestEvaluatorAllocatesNothing(t *testing.T) {
	l := newLab(t, random(3, 500, 3), small())
	for _, w := range []policy.Weights{{0.5, -0.3, 0.2}, {0.2, -0.2, 0.2, 0.1, 0.2, -0.1}} {
		run := func() {
			for i := range 3 {
				if _, err := l.Mixed(i, w); err != nil {
					t.Fatal(err)
				}
			}
		}
		run()
		if n := testing.AllocsPerRun(10, run); n > 0 {
			t.Errorf("%v: %v allocations", w, n)
		}
	}
}

// However a coverage is cut into chunks, and whoever does them in whatever
// order, its values are the same; they are those of the vectors themselves.
func TestChunksMerge(t *testing.T) {
	w := random(4, 400, 5)
	l := newLab(t, w, small())
	cover, err := l.Coverage(12)
	if err != nil || cover.Len() != 146 {
		t.Fatal(cover, err)
	}
	want := make([][]float64, 5)
	for i := range want {
		for k := range cover.Len() {
			v, err := l.Value(i, Vector(cover, k))
			if err != nil {
				t.Fatal(err)
			}
			want[i] = append(want[i], v)
		}
	}
	for _, size := range []int{1, 7, 50, 1000} {
		chunks, err := l.Chunks(12, size)
		if err != nil {
			t.Fatal(err)
		}
		rand.New(rand.NewPCG(5, uint64(size))).Shuffle(len(chunks), func(a, b int) { chunks[a], chunks[b] = chunks[b], chunks[a] })
		workers := []*Lab{newLab(t, w, small()), newLab(t, w, small()), l}
		got := make([][]float64, 5)
		for i := range got {
			got[i] = make([]float64, cover.Len())
		}
		for n, c := range chunks {
			a, err := workers[n%3].Do(c, nil)
			if err != nil || len(a.Values) != c.To-c.From {
				t.Fatal(err, len(a.Values))
			}
			copy(got[c.Week][c.From:], a.Values)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("chunks of %d give other values", size)
		}
	}
	a, err := l.Do(Chunk{Kind: KindVectors, Week: 2, Vectors: [][]float64{{1, 0, 0}, {2, -2, 0}}}, nil)
	b, err2 := l.Do(Chunk{Kind: KindPure, Week: 2, From: int(policy.LQF), To: int(policy.LQF) + 1}, nil)
	if err != nil || err2 != nil || a.Values[0] != b.Values[0] {
		t.Errorf("weight 1 on q gives %v, LQF %v (%v, %v)", a.Values, b.Values, err, err2)
	}
	hits := l.Hits
	if again, _ := l.Do(Chunk{Kind: KindVectors, Week: 2, Vectors: [][]float64{{1, 0, 0}, {0.5, -0.5, 0}}}, nil); !slices.Equal(again.Values, a.Values) || l.Hits != hits+2 {
		t.Errorf("the cache answers %v, %d times", again.Values, l.Hits-hits)
	}
}

// A search is the same for a seed on any worker, stays within its budget,
// never says better than what its weights give, and hardly loses against a
// coverage on a small problem.
func TestFind(t *testing.T) {
	w := random(6, 500, 3)
	l, other := newLab(t, w, small()), newLab(t, w, small())
	for week := range 3 {
		s := Search{Budget: 400, Seed: 9, Lambda: DefaultLambda}
		a, err := l.Find([]int{week}, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := other.Do(Chunk{Kind: KindXNES, Week: week, Search: &s}, nil)
		if err != nil || !reflect.DeepEqual(a, b.Found) {
			t.Fatalf("%+v, then %+v (%v)", a, b.Found, err)
		}
		weights, err := policy.NewWeights(a.Weights)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := l.Mixed(week, weights); err != nil || v != a.Value || a.Evaluations > 400 || a.Evaluations < 200 || len(a.Weights) != 3 {
			t.Errorf("%+v is really %v (%v)", a, v, err)
		}
		cover, _ := l.Coverage(40)
		best := math.Inf(1)
		for k := range cover.Len() {
			v, _ := l.Mixed(week, Vector(cover, k))
			best = min(best, v)
		}
		if a.Value > 1.1*best {
			t.Errorf("week %d: the search finds %v, the coverage %v", week, a.Value, best)
		}
		last := math.Inf(1)
		for _, step := range a.Trace {
			if step.Value >= last || step.Evaluations > 400 {
				t.Errorf("trace %v", a.Trace)
			}
			last = step.Value
		}
	}
	six := small()
	six.Features = 6
	found, err := newLab(t, w, six).Find([]int{0, 1, 2}, Search{Budget: 50, Seed: 1}, nil)
	if err != nil || len(found.Weights) != 6 || found.Evaluations != 50 {
		t.Errorf("%+v, %v", found, err)
	}
}

// Cancelling keeps what was found.
func TestCancel(t *testing.T) {
	l := newLab(t, random(7, 300, 3), small())
	stop := func(done, total int) bool { return done < 10 }
	a, err := l.Do(Chunk{Kind: KindCoverage, Points: 12, From: 20, To: 146}, stop)
	if !errors.Is(err, ErrCancelled) || len(a.Values) != 10 {
		t.Errorf("%d values, %v", len(a.Values), err)
	}
	b, err := l.Do(Chunk{Kind: KindXNES, Search: &Search{Budget: 1000, Seed: 1}}, stop)
	if !errors.Is(err, ErrCancelled) || b.Found == nil || b.Found.Evaluations != 10 || b.Found.Value < 1 {
		t.Errorf("%+v, %v", b.Found, err)
	}
}

// What cannot be studied is refused in words: a window without jobs, a log
// shorter than two windows, weights of zeros, settings and chunks that make no
// sense.
func TestRefusals(t *testing.T) {
	w := random(8, 300, 4)
	gap := &model.Workload{Processors: 16}
	for i, j := range w.Jobs {
		if j.Submit/1000 != 1 {
			gap.Jobs, gap.Truth = append(gap.Jobs, j), append(gap.Truth, w.Truth[i])
		}
	}
	l := newLab(t, gap, small())
	if weeks := l.Weeks(); len(weeks) != 4 || weeks[1].Jobs != 0 || weeks[1].Number != 2 {
		t.Errorf("%+v", weeks)
	}
	if chunks, err := l.Chunks(12, 1000); err != nil || len(chunks) != 3 {
		t.Errorf("%d chunks, %v", len(chunks), err)
	}
	for _, c := range []struct {
		chunk Chunk
		want  string
	}{
		{Chunk{Kind: KindCoverage, Points: 12, Week: 1, To: 5}, "window 1, from 1000 s to 2000 s, has no jobs"},
		{Chunk{Kind: KindXNES, Week: 1, Search: &Search{Budget: 5}}, "has no jobs"},
		{Chunk{Kind: KindPure, Week: 1, To: 12}, "has no jobs"},
		{Chunk{Kind: KindVectors, Vectors: [][]float64{{0, 0, 0}}}, "all weights are 0"},
		{Chunk{Kind: KindVectors, Vectors: [][]float64{{0, math.NaN(), 0}}}, "not a finite number"},
		{Chunk{Kind: KindVectors, Vectors: [][]float64{{1}}}, "3 weights"},
		{Chunk{Kind: KindPure, Week: 4}, "no week 4"}, {Chunk{Kind: KindPure, Week: -1}, "no week -1"},
		{Chunk{Kind: KindPure, To: 13}, "no orders"}, {Chunk{Kind: KindCoverage, Points: 1}, "at least 2 points"},
		{Chunk{Kind: KindCoverage, Points: 12, From: 100, To: 147}, "146 vectors"}, {Chunk{Kind: "guess"}, `"guess"`},
		{Chunk{Kind: KindXNES}, "parameters"}, {Chunk{Kind: KindXNES, Search: &Search{}}, "0 evaluations"},
	} {
		if _, err := l.Do(c.chunk, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.chunk, err, c.want)
		}
	}
	change := func(f func(*Settings)) Settings { s := small(); f(&s); return s }
	negative := int64(-1)
	for i, s := range []Settings{
		change(func(s *Settings) { s.Length = 0 }), change(func(s *Settings) { s.Length = 100000 }), change(func(s *Settings) { s.First = 4 }),
		change(func(s *Settings) { s.First = 3 }), change(func(s *Settings) { s.Count = 5 }), change(func(s *Settings) { s.Features = 4 }),
		change(func(s *Settings) { s.Tau = 0 }), change(func(s *Settings) { s.Backfill = "mixed" }), change(func(s *Settings) { s.Backfill = "best" }),
		change(func(s *Settings) { s.Ties = "random" }), change(func(s *Settings) { s.Threshold = &negative }), change(func(s *Settings) { s.Scales = []float64{1, 0, 1} }),
		change(func(s *Settings) { s.Scales = []float64{1, 1} }), change(func(s *Settings) { s.Origin = 1 << 40 }), change(func(s *Settings) { s.First = -1 }),
		change(func(s *Settings) { s.Count = 1 }),
	} {
		_, err := New(w, s)
		if err == nil || err.Error() == "" || strings.Contains(err.Error(), "NaN") {
			t.Errorf("settings %d: %v", i, err)
		}
		if short := i == 1 || i == 2 || i == 4; short != errors.Is(err, ErrShort) {
			t.Errorf("settings %d: short %v, %v", i, short, err)
		}
	}
}

func ExampleLab_Do() {
	l, err := New(random(1, 100, 2), Settings{Length: 1000, Features: 3, Tau: 10, Backfill: "spf", Ties: "oldest"})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := l.Do(Chunk{Kind: KindVectors, Week: 0, Vectors: [][]float64{{0, 0, 1}}}, nil) // FCFS
	b, err2 := l.Do(Chunk{Kind: KindPure, Week: 0, From: 0, To: 1}, nil)
	fmt.Println(a.Values[0] == b.Values[0], err, err2)
	// Output: true <nil> <nil>
}
