//go:build !small

package lab

import (
	"math/rand/v2"
	"testing"

	"batchlab/core/model"
)

// What the history of a job says that it was promised is what the steps tell at
// every instant of its wait: a shadow time of EASY's head, a reservation of Orig-BF, a
// planned start; and nothing where nothing is promised.
func TestPromisedIsTold(t *testing.T) {
	random := rand.New(rand.NewPCG(16, 4))
	promised, moved := map[string]int{}, 0
	for _, scheduler := range []string{`{"key":"fcfs"}`, `{"key":"easy"}`, `{"key":"easy","params":{"order":"saf"}}`, `{"key":"bf-unmod"}`, `{"key":"bf-mod"}`, `{"key":"conservative"}`, `{"key":"conservative","params":{"order":"saf"}}`, `{"key":"orig-bf"}`, `{"key":"plan-rs"}`, `{"key":"hill-climbing"}`} {
		for _, pair := range [][2]string{{"counts", "plain"}, {"clusters", "plain"}, {"nodes", "plain"}} {
			p, err := crowded(t, random, 40, pair, scheduler)
			if err != nil {
				continue // the platform does not suit it
			}
			s, err := p.NewStepper(RunID{}, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			for number := int64(3); number <= 40; number += 9 {
				r, err := p.Run(RunID{}, Options{Why: true, Follow: &number})
				if err != nil {
					t.Fatal(err)
				}
				at := 0
				for i := range s.Times() {
					step, err := s.Step(i, nil)
					if err != nil {
						t.Fatal(err)
					}
					for _, q := range step.Queue {
						if q.Number != number || q.Kind.Begins() {
							continue
						}
						told := model.Time(0)
						if q.At < model.Never {
							told = q.At
						}
						for at+1 < len(r.History) && r.History[at+1].From <= step.Now {
							at++
						}
						if got := r.History[at].Promised; got != told {
							t.Fatalf("%s %v, job %d at %d: promised %d, told %d: %+v", scheduler, pair, number, step.Now, got, told, r.History)
						}
						if told > 0 {
							promised[scheduler]++
						}
					}
				}
				for i := 1; i < len(r.History); i++ {
					if a, b := r.History[i-1].Promised, r.History[i].Promised; a > 0 && b > 0 && a != b {
						moved++
					}
				}
			}
		}
		if promised[scheduler] == 0 != (scheduler == `{"key":"fcfs"}`) {
			t.Errorf("%s: %d promises", scheduler, promised[scheduler])
		}
	}
	if t.Logf("promises told: %v, of which %d moved", promised, moved); moved == 0 {
		t.Error("no promise moved")
	}
}
