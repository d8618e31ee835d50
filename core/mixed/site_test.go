package mixed

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
)

// Intent: a window has the same value on the general engine as by counts, to the
// last bits of its sum, under every pure order, mixed orders of 3 and 6
// features, and a formula.
func TestGeneralIsCounted(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	formula, err := policy.NewFormula("wait / p - q")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(6) {
		s := small()
		if s.Features = 3; seed%2 == 1 {
			s.Features, s.Ties = 6, "oldest"
		}
		counted, general := newLab(t, random(seed, 300, 4), s), newLab(t, random(seed, 300, 4), s)
		general.ground.Counted = false
		for week := range counted.Weeks() {
			check := func(name string, of func(l *Lab) (float64, error)) {
				t.Helper()
				want, err := of(counted)
				got, err2 := of(general)
				if err != nil || err2 != nil || abs(got/want-1) > 1e-12 {
					t.Fatalf("seed %d, week %d, %s: %v by counts, %v in general (%v, %v)", seed, week, name, want, got, err, err2)
				}
			}
			for _, o := range policy.Pure() {
				check(o.String(), func(l *Lab) (float64, error) { return l.Pure(week, o) })
			}
			check("formula", func(l *Lab) (float64, error) { return l.Formula(week, formula) })
			for range 5 {
				raw := make([]float64, s.Features)
				for i := range raw {
					raw[i] = r.Float64() - 0.5
				}
				w, err := policy.NewWeights(raw)
				if err != nil {
					t.Fatal(err)
				}
				check("mixed", func(l *Lab) (float64, error) { return l.Mixed(week, w) })
			}
		}
	}
}

func abs(x float64) float64 { return max(x, -x) }

// twoClusters is a platform of which counts of processors do not say all: two
// machines and two counted processors, one away for a while.
func twoClusters() *model.Platform {
	return &model.Platform{
		Clusters: []model.Cluster{
			{Name: "a", Packing: model.PackMachine, Groups: []model.NodeGroup{{Count: 2, Procs: 8, Speed: 1}}},
			{Name: "b", Groups: []model.NodeGroup{{Count: 2, Procs: 1, Speed: 1}}},
		},
		Calendar: []model.CalendarEntry{
			{Kind: model.KindOutage, From: 1200, To: 1500, Nodes: []int32{0}},
			{Kind: model.KindFailure, From: 2100, To: 2200, Cluster: 1, Procs: 1},
		},
	}
}

// Intent: a search on machines with outages and failures looks at as many orders
// as it was allowed to, finds one that is at least as good as the best of its own
// coverage, whose value is that of the schedule, and gives the same again.
func TestSearchOnMachines(t *testing.T) {
	w := random(9, 200, 3)
	s := small()
	lab := func() *Lab {
		l, err := NewOn(w, Ground{Platform: twoClusters()}, s)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	l, again := lab(), lab()
	for week := range l.Weeks() {
		search := Search{Budget: 60, Seed: 3, Lambda: DefaultLambda}
		found, err := l.Find([]int{week}, search, nil)
		other, err2 := again.Find([]int{week}, search, nil)
		if err != nil || err2 != nil || found.Value != other.Value || found.Evaluations != 60 {
			t.Fatalf("%+v, %+v: %v, %v", found, other, err, err2)
		}
		if got := fmt.Sprintf("%.17g by %.17g", found.Value, found.Weights); got != foundOnMachines[week] {
			t.Errorf("week %d: %s\nnatively it was %s", week, got, foundOnMachines[week])
		}
		v, err := policy.NewWeights(found.Weights)
		if err != nil {
			t.Fatal(err)
		}
		value, err := again.Mixed(week, v)
		if err != nil || value != found.Value {
			t.Fatalf("%v has the value %v, not %v (%v)", v, value, found.Value, err)
		}
		if err := again.Schedule().Check(); err != nil {
			t.Fatal(err)
		}
		for _, o := range policy.Pure()[:6] { // all the weight on one feature: the coarsest coverage
			if x, err := l.Pure(week, o); err != nil || x < found.Value {
				t.Errorf("week %d: %v gives %v, the search %v (%v)", week, o, x, found.Value, err)
			}
		}
	}
}

// foundOnMachines is what the search finds there, on every machine to the last
// digit.
var foundOnMachines = []string{
	"3.2136226828666432 by [-0.00050913646618662987 -0.78748571061116113 -0.21200515292265235]",
	"7.0724484222868425 by [0.17371901934893028 -0.70482546773783017 0.12145551291323954]",
	"10.296163044820464 by [0 -1 0]",
}

// Intent: a search on machines can be cancelled within one simulation, and what
// was found before stays.
func TestCancelOnMachines(t *testing.T) {
	w := random(11, 3000, 2)
	l, err := NewOn(w, Ground{Platform: twoClusters()}, small())
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	a, err := l.Do(Chunk{Kind: KindPure, To: 12}, func(done, total int) bool {
		calls++
		return done < 1 || calls < 40
	})
	if !errors.Is(err, ErrCancelled) || len(a.Values) == 0 || len(a.Values) == 12 {
		t.Errorf("%d values, %v", len(a.Values), err)
	}
}

// refusing is a desk that refuses every reservation.
type refusing struct{ refused *int }

func (refusing) Reset(*sim.View)  {}
func (refusing) Static() bool     { return false }
func (refusing) Wake() model.Time { return model.Never }
func (d refusing) Over(*sim.View) {}

func (d refusing) Serve(v *sim.View, r *sim.Requests) error {
	for _, j := range r.New {
		*d.refused++
		if err := v.Do(sim.Decision{Verb: sim.Reject, Job: j}); err != nil {
			return err
		}
	}
	return nil
}

// Intent: reservations of a window go to a desk of its own and not to EASY; who is
// refused there counts in no mean.
func TestReservationsGoToADesk(t *testing.T) {
	w := random(13, 120, 2)
	plain := *w
	plain.Jobs, plain.Truth = nil, nil
	for i := range w.Jobs {
		if i%5 == 2 {
			j := &w.Jobs[i]
			w.Demands = append(w.Demands, model.Demand{Reservation: &model.Reservation{Ready: j.Submit + 10, Deadline: j.Submit + 10 + j.Limit}})
			j.Demand = int32(len(w.Demands))
			continue
		}
		plain.Jobs, plain.Truth = append(plain.Jobs, w.Jobs[i]), append(plain.Truth, w.Truth[i])
	}
	refused := 0
	l, err := NewOn(w, Ground{Platform: model.OneCluster(16), Desk: func() sim.Desk { return refusing{&refused} }}, small())
	if err != nil {
		t.Fatal(err)
	}
	without := newLab(t, &plain, small())
	for week := range l.Weeks() {
		got, err := l.Pure(week, policy.SAF)
		want, err2 := without.Pure(week, policy.SAF)
		if err != nil || err2 != nil || abs(got/want-1) > 1e-12 {
			t.Errorf("week %d: %v, without the reservations %v (%v, %v)", week, got, want, err, err2)
		}
	}
	if refused != len(w.Demands) {
		t.Errorf("%d of %d reservations came to a desk", refused, len(w.Demands))
	}
}
