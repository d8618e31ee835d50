package mixed

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"batchlab/core/policy"
)

// Every vector within the patch of another has its value: simulated, both give
// the same start for every job. Just beyond most faces the schedule differs, so
// patches are not smaller than they need be.
func TestPatch(t *testing.T) {
	l := patchLab(t)
	rng := rand.New(rand.NewPCG(1, 2))
	inside, beyond, differ := 0, 0, 0
	weights := 300
	if testing.Short() {
		weights = 60
	}
	for range weights {
		week := rng.IntN(len(l.windows))
		w := randomWeights(rng)
		value, err := l.Mixed(week, w)
		if err != nil {
			t.Fatal(err)
		}
		starts := startsOf(l)
		p, ok := l.patch(week, &w, value)
		if !ok {
			continue
		}
		if !p.holds(&w) {
			t.Fatalf("week %d: %v is not within its own patch", week, w)
		}
		for range 200 {
			v := w
			scale := math.Pow(10, -4*rng.Float64())
			for i := range 3 {
				v[i] += scale * (2*rng.Float64() - 1)
			}
			v, err = policy.NewWeights(v[:3])
			if err != nil || !p.holds(&v) {
				continue
			}
			inside++
			if _, err := l.Mixed(week, v); err != nil {
				t.Fatal(err)
			}
			if got := startsOf(l); got != starts {
				t.Fatalf("week %d: %v lies in the patch of %v, but the schedules differ", week, v, w)
			}
		}
		for _, g := range p.faces { // a little beyond the face, straight ahead
			at := dot(&g, &triple{w[0], w[1], w[2]})
			v := w
			for i := range 3 {
				v[i] -= 1.001 * at * g[i]
			}
			if v, err = policy.NewWeights(v[:3]); err != nil {
				continue
			}
			beyond++
			if _, err := l.Mixed(week, v); err != nil {
				t.Fatal(err)
			}
			if startsOf(l) != starts {
				differ++
			}
		}
	}
	t.Logf("%d vectors inside; %d of %d schedules beyond a face differ", inside, differ, beyond)
	if inside < 1000 || differ*2 < beyond {
		t.Errorf("%d vectors inside; only %d of %d schedules beyond a face differ", inside, differ, beyond)
	}
}

// patchLab is a laboratory of small windows in which jobs queue, with a
// threshold that some of them pass.
func patchLab(t *testing.T) *Lab {
	return newLab(t, random(7, 500, 8), small())
}

func randomWeights(rng *rand.Rand) policy.Weights {
	for {
		v, err := policy.NewWeights([]float64{2*rng.Float64() - 1, 2*rng.Float64() - 1, 2*rng.Float64() - 1})
		if err == nil {
			return v
		}
	}
}

// startsOf is the last schedule in a form that can be compared.
func startsOf(l *Lab) string {
	var b []byte
	for i := range l.Schedule().Executions {
		b = strconv.AppendInt(b, int64(l.Schedule().Executions[i].Start), 10)
		b = append(b, ' ')
	}
	return string(b)
}
