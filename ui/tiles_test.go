package ui

import (
	"slices"
	"strings"
	"testing"

	"batchlab/core/experiment"
	"batchlab/core/swf"
	"batchlab/ui/state"
	"batchlab/ui/view/overview"
)

// Intent: where jobs are reserved, batch jobs and reservations have tiles of their
// own, and none mixes a reservation's time before its start into a wait; where
// there are none, no tile speaks of them.
func TestTilesOfReservations(t *testing.T) {
	tiles := func(annotate string) (keys []string, notes string) {
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
		c := &overview.Panel{Store: root.P.S}
		for _, row := range c.Cards() {
			if keys = append(keys, row.Key); c.Value(row) == "" {
				t.Errorf("%s: no value", row.Key)
			}
			notes += c.Note(row) + "\n"
		}
		return keys, notes
	}
	dated, said := tiles(`,"annotate":{"reservations":{"share":0.4,"ready":"drawn","lead_min":600,"lead_max":20000}}`)
	for _, key := range []string{"mean-wait", "mean-turnaround", "reservation-tardiness", "rejected-reservations"} {
		if !slices.Contains(dated, key) {
			t.Errorf("with reservations there is no tile %s: %v", key, dated)
		}
	}
	due, _ := tiles(`,"annotate":{"reservations":{"share":0.4},"deadlines":{"share":0.5}}`)
	if !slices.Contains(due, "out-of-deadline") || slices.Contains(dated, "out-of-deadline") || len(due) != 5 {
		t.Errorf("missed deadlines stand among tiles where there are deadlines, and only there: %v, without %v", due, dated)
	}
	plain, silent := tiles("")
	if !slices.Contains(plain, "mean-wait") || !slices.Contains(plain, "mean-bounded-slowdown") || strings.Contains(silent, "batch") {
		t.Errorf("without reservations: %v, %q", plain, silent)
	}
	if strings.Count(said, "batch jobs") != 2 {
		t.Errorf("wait and turnaround do not say that they are of batch jobs: %q", said)
	}
	for _, key := range []string{"reservation-tardiness", "rejected-reservations", "mean-flow"} {
		if slices.Contains(plain, key) {
			t.Errorf("without reservations there is a tile %s", key)
		}
	}
}
