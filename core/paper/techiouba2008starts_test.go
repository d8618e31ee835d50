package paper

import (
	"bytes"
	"testing"

	"batchlab/core/lab"
)

// Intent: the preset that asks how well starts can be told simulates the study's farm as
// everything else does, so that noting what is told changes no start; under BF_UNMOD
// nobody loses a reservation or starts later than told, under BF_MOD somebody does.
func TestFarmStarts(t *testing.T) {
	p, err := farmPoint("test", 6, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	e := p.Experiment
	e.Schedulers = e.Schedulers[1:]
	prepared, err := lab.Prepare(e, lab.Env{})
	if err != nil {
		t.Fatal(err)
	}
	lost := [3]int{}
	for s := range e.Schedulers {
		for repetition := range 2 {
			got, err := farmTell(e, s, repetition)
			if err != nil {
				t.Fatal(err)
			}
			run, err := prepared.Run(lab.RunID{Scheduler: s, Repetition: repetition}, lab.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Block, run.Block) {
				t.Errorf("%s, repetition %d: other starts than in the lab", e.Schedulers[s].Key, repetition)
			}
			if lost[s] += got.Lost + got.Later; got.Held == 0 {
				t.Errorf("%s, repetition %d: nobody ever holds the reservation", e.Schedulers[s].Key, repetition)
			}
		}
	}
	if lost[1] != 0 || lost[2] == 0 {
		t.Errorf("%d reservations were lost or late under BF_UNMOD, %d under BF_MOD", lost[1], lost[2])
	}
}
