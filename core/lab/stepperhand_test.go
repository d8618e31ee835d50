//go:build !small

package lab

import (
	"slices"
	"testing"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/model"
)

// byHand are instants of the catalog's cases, with what was decided then, derived by
// hand from the rules of simulation: case, index of the scheduler, minute, sentences.
var byHand = []struct {
	key       string
	scheduler int
	minute    model.Time
	want      []string
}{
	{"hole", 0, 0, []string{"Job 1 needs 3 processors; 4 are free. It starts."}},
	{"hole", 0, 5, []string{"Job 2 needs 4 processors; 1 is free. The queue stops here: nobody may pass, and 1 stays empty."}},
	{"hole", 0, 10, []string{"Job 2 needs 4 processors; 1 is free. The queue stops here: nobody may pass, and 1 stays empty."}},
	{"hole", 1, 5, []string{"Job 2 needs 4 processors; 1 is free. It is the head: at 01:00, when job 1 must have ended, 4 will be. None is left over then."}},
	{"hole", 1, 10, []string{
		"Job 2 needs 4 processors; 1 is free. It is the head: at 01:00, when job 1 must have ended, 4 will be. None is left over then.",
		"Job 3 needs 1; 1 is free. It must end by 00:40, before 01:00. It starts.",
	}},
	{"promise", 0, 10, []string{
		"Job 2 needs 4 processors; 1 is free. It is the head: at 01:00, when job 1 must have ended, 4 will be. None is left over then.",
		"Job 3 needs 1; 1 is free. But it may run until 01:40, past 01:00, and none is left over: job 2 would start 40 min later. It waits.",
	}},
	{"promise", 0, 15, []string{
		"Job 2 needs 4 processors; 1 is free. It is the head: at 01:00, when job 1 must have ended, 4 will be. None is left over then.",
		"Job 3 needs 1; 1 is free. But it may run until 01:45, past 01:00, and none is left over: job 2 would start 45 min later. It waits.",
		"Job 4 needs 1; 1 is free. It must end by 00:55, before 01:00. It starts.",
	}},
	{"promise", 1, 10, []string{
		"Job 2 needs 4; 1 is free. It waits.",
		"Job 3 needs 1; 1 is free. It passes those that do not fit, and starts.",
	}},
	{"beside", 1, 10, []string{
		"Job 2 needs 4 processors; 2 are free. It is the head: at 01:00, when job 1 must have ended, 6 will be. 2 are left over then.",
		"Job 3 needs 2; 2 are free. It may run until 02:10, past 01:00, but takes both left over. It starts; none is left over now.",
	}},
	{"beside", 1, 15, []string{
		"Job 2 needs 4 processors; 0 are free. It is the head: at 01:00, when job 1 must have ended, 4 will be. None is left over then.",
		"Job 4 needs 1; 0 are free. It waits.",
	}},
	{"everyone", 0, 15, []string{
		"Job 2 needs 3 processors; 2 are free. It is the head: at 01:00, when job 1 must have ended, 6 will be. 3 are left over then.",
		"Job 3 needs 5; 2 are free. It waits.",
		"Job 4 needs 2; 2 are free. It may run until 03:35, past 01:00, but takes 2 of the 3 left over. It starts; 1 is left over now.",
	}},
	{"everyone", 1, 5, []string{"Job 2 comes new. The earliest place for 3 processors × 1 h is 01:00."}},
	{"everyone", 1, 10, []string{"Job 3 comes new. The earliest place for 5 processors × 1 h is 02:00."}},
	{"everyone", 1, 15, []string{"Job 4 comes new. The earliest place for 2 processors × 3 h 20 min is 03:00."}},
	{"moves-up", 0, 30, []string{
		"Job 2 moves from 02:00 to now, 1 h 30 min earlier. It starts.",
		"Job 3 moves from 02:00 to now, 1 h 30 min earlier. It starts.",
		"Job 4 moves from 03:00 to 01:30, 1 h 30 min earlier.",
	}},
	{"estimates", 1, 10, []string{
		"Job 2 needs 4 processors; 1 is free. It is the head: at 02:00, when job 1 must have ended, 4 will be. None is left over then.",
		"Job 3 needs 1; 1 is free. It must end by 01:50, before 02:00. It starts.",
	}},
	{"estimates", 1, 20, []string{"Job 2 needs 4 processors; 3 are free. It is the head: at 01:50, when job 3 must have ended, 4 will be. None is left over then."}},
	{"overrun", 0, 60, []string{"Job 2 needs 4 processors; 4 are free. It starts."}},
	{"ties", 0, 30, []string{
		"Job 2 needs 2 processors; 4 are free. It starts.",
		"Job 3 needs 4 processors; 2 are free. The queue stops here: nobody may pass, and 2 stay empty.",
	}},
	{"ties", 1, 30, []string{
		"Job 2 needs 2 processors; 4 are free. It starts.",
		"Job 3 needs 4 processors; 2 are free. It is the head: at 01:30, when job 2 must have ended, 4 will be. None is left over then.",
		"Job 4 needs 2; 2 are free. It must end by 01:30, just when job 3 is to start. It starts.",
	}},
	{"orders", 1, 30, []string{
		"Job 4 needs 1 processor; 4 are free. It starts.",
		"Job 3 needs 2 processors; 3 are free. It starts.",
		"Job 5 needs 3 processors; 1 is free. It is the head: at 01:30, when jobs 4 and 3 must have ended, 4 will be. 1 is left over then.",
		"Job 2 needs 4; 1 is free. It waits.",
	}},
	{"threshold", 0, 90, []string{
		"Job 5 needs 4 processors; 4 are free. It starts.",
		"Job 2 needs 4 processors; 0 are free. It is the head: at 02:00, when job 5 must have ended, 4 will be. None is left over then.",
	}},
	{"threshold", 1, 90, []string{
		"Job 2 needs 4 processors; 4 are free. It starts.",
		"Job 5 needs 4 processors; 0 are free. It is the head: at 03:30, when job 2 must have ended, 4 will be. None is left over then.",
	}},
	{"fair", 1, 60, []string{
		"Job 6 needs 2 processors; 4 are free. It starts.",
		"Job 2 needs 2 processors; 2 are free. It starts.",
		"Job 3 needs 2; 0 are free. It waits.", "Job 4 needs 2; 0 are free. It waits.", "Job 5 needs 2; 0 are free. It waits.",
	}},
	{"plan", 0, 2, []string{"Job 3 comes new. The earliest place for 3 processors × 2 h is 02:00."}},
	{"outage", 1, 10, []string{"Job 2 needs 2 processors; 2 are free, but what it could use is reserved or out of order before it must have ended. It is the head: at 02:00 it can start."}},
	{"failure", 0, 30, []string{
		"Job 1 needs 4 processors; 0 are free. It is the head: at 00:40 it can start.",
		"Job 2 needs 2; 0 are free: the others are reserved or out of order. It waits.",
	}},
	{"licence", 0, 10, []string{"Job 2 needs 1 copy of cad; 0 of 1 are free. The queue stops here: nobody may pass."}},
	{"licence", 1, 10, []string{
		"Job 2 needs 1 copy of cad; 0 of 1 are free. It is the head: at 01:00, when job 1 must have ended, it can start.",
		"Job 3 needs 2; 6 are free. It must end by 00:40, before 01:00. It starts.",
	}},
	{"deadline", 1, 60, []string{
		"Job 3 needs 4 processors; 4 are free. It starts.",
		"Job 2 needs 4 processors; 0 are free. It is the head: at 02:00, when job 3 must have ended, it can start.",
	}},
	{"due-stop", 0, 60, []string{"Job 2 needs 4 processors; 4 are free. It starts."}},
	{"nodes", 0, 10, []string{"Job 3 needs 2 processors; 2 are free, but not together where it could run. It is the head: at 01:00, when job 1 must have ended, it can start."}},
	{"nodes", 0, 12, []string{
		"Job 3 needs 2 processors; 2 are free, but not together where it could run. It is the head: at 01:00, when job 1 must have ended, it can start.",
		"Job 4 needs 1; 2 are free. It must end by 00:42, before 01:00. It starts.",
	}},
	{"limit", 0, 10, []string{"Job 2 needs 4 processors; 4 are free, but a limit on its user or class is reached. The queue stops here: nobody may pass, and 4 stay empty."}},
	{"limit", 1, 10, []string{
		"Job 2 needs 4 processors; 4 are free, but a limit on its user or class is reached. It is the head: at 01:00, when job 1 must have ended, it can start.",
		"Job 3 needs 4; 4 are free. It may run until 01:10, past 01:00, but leaves job 2 what it needs then. It starts.",
	}},
	{"grid", 0, 0, []string{"Job 1 goes to South.", "Job 1 needs 4 processors; 10 are free. It starts."}},
	{"grid", 0, 5, []string{"Job 2 goes to North.", "Job 2 needs 4 processors; 6 are free. It starts."}},
}

// The sentences of small cases are what the rules say, word for word and number for
// number.
func TestToldByHand(t *testing.T) {
	for _, h := range byHand {
		at := slices.IndexFunc(catalog.Cases, func(c catalog.Case) bool { return c.Key == h.key })
		if at < 0 {
			t.Fatalf("no case %q", h.key)
		}
		doc, err := experiment.Decode([]byte(catalog.Cases[at].Document))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Prepare(doc, Env{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.NewStepper(RunID{Scheduler: h.scheduler}, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		step, err := s.Step(s.Find(60*h.minute), nil)
		if err != nil {
			t.Fatal(err)
		}
		if step.Now != 60*h.minute {
			t.Errorf("%s, scheduler %d: nothing happens at %d min", h.key, h.scheduler, h.minute)
			continue
		}
		var got []string
		for i := range step.Decisions {
			got = append(got, step.Decisions[i].Sentence(nil))
		}
		if !slices.Equal(got, h.want) {
			t.Errorf("%s, scheduler %d, %d min: told is\n%q\nwant\n%q", h.key, h.scheduler, h.minute, got, h.want)
		}
	}
}
