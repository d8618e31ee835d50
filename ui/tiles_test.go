package ui

import (
	"slices"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/swf"
	"batchlab/ui/state"
)

// Intent: where jobs are reserved, batch jobs and reservations have tiles of their
// own, and none mixes a reservation's time before its start into a wait; where
// there are none, no tile speaks of them.
func TestTilesOfReservations(t *testing.T) {
	tiles := func(annotate string) (keys []string) {
		e, err := experiment.Decode([]byte(`{"batchlab":1,"workload":{"source":{"generator":{"key":"daily","params":{"jobs":60,"processors":32}}}` + annotate + `},"schedulers":[{"key":"fcfs"},{"key":"easy"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		g := &atOnce{logs: map[string]*swf.Log{}}
		s := state.New(g)
		root := NewRoot(s)
		s.Start(experiment.EncodeLink(e))
		if g.work(); !s.Some() {
			t.Fatalf("did not run: %s", s.LoadError)
		}
		c := &Overview{P: root.P}
		for _, row := range c.cards() {
			if keys = append(keys, row.Key); c.value(row) == "" {
				t.Errorf("%s: no value", row.Key)
			}
		}
		return keys
	}
	dated := tiles(`,"annotate":{"reservations":{"share":0.4,"ready":"drawn","lead_min":600,"lead_max":20000}}`)
	for _, key := range []string{"batch-wait", "batch-flow", "reservation-tardiness", "rejected-reservations"} {
		if !slices.Contains(dated, key) {
			t.Errorf("with reservations there is no tile %s: %v", key, dated)
		}
	}
	plain := tiles("")
	for _, key := range []string{"mean-wait", "mean-bounded-slowdown"} {
		if slices.Contains(dated, key) || !slices.Contains(plain, key) {
			t.Errorf("%s: with reservations %v, without %v", key, dated, plain)
		}
	}
	for _, key := range dated {
		if key != "mean-flow" && slices.Contains(plain, key) {
			t.Errorf("without reservations there is a tile %s", key)
		}
	}
}
