package bench

import (
	"fmt"
	"testing"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// costly adds to a scheduler's passes what they cost on a clock of the test: something
// for each pass, and something for each job that waits, in a power of their number.
type costly struct {
	sim.CountedScheduler
	clock   *float64
	power   int
	each    float64 // of a pass, against all the waiting jobs of a long queue
	waiting int
}

func (c *costly) Pass(v *sim.CountedView, starts []model.JobID) []model.JobID {
	c.waiting += int(v.Next - v.Arrived)
	cost := c.each
	for q, k := 1.0, 0; ; k++ {
		if k == c.power {
			cost += q
			break
		}
		q *= float64(c.waiting) / 1000
	}
	*c.clock += cost
	starts = c.CountedScheduler.Pass(v, starts)
	c.waiting -= len(starts)
	return starts
}

// Whoever waits is never told less than half of what is left for longer than a second:
// on logs like RICC's, where tens of thousands of jobs wait at times and a start
// then costs a hundred times what it costs in quiet months. Neither is it told so much
// more that the words mean nothing. There is no clock here: time is what is counted, as
// the searches of conservative backfilling count themselves, and as passes cost that
// grow with the queue. Each run is stretched to the ten seconds that it takes on RICC, under
// conservative backfilling and Orig-BF to a minute, too.
func TestTimeLeftIsNotPromisedAway(t *testing.T) {
	for _, seed := range []uint64{1, 2, 3, 5} {
		w, p := bursts(28_000, 512, seed)
		var clock float64
		var tally int64
		counted := func() float64 { return float64(tally) }
		run := func(s sim.CountedScheduler, o sim.Options) error {
			_, err := new(sim.CountedSimulator).Run(w, p, s, o)
			return err
		}
		easy := func(power int, each float64) (func() float64, func(sim.Options) error) {
			return func() float64 { return clock }, func(o sim.Options) error {
				return run(&costly{CountedScheduler: &policy.CountedEASY{}, clock: &clock, power: power, each: each}, o)
			}
		}
		type way struct {
			now func() float64
			run func(sim.Options) error
		}
		of := func(now func() float64, run func(sim.Options) error) way { return way{now, run} }
		for name, how := range map[string]way{
			"conservative": {counted, func(o sim.Options) error { return run(&policy.CountedConservative{}, o) }},
			"Orig-BF": {counted, func(o sim.Options) error {
				_, err := new(sim.Simulator).Run(w, p, policy.NewOrigBF(), o)
				return err
			}},
			"EASY, passes that all cost the same": of(easy(0, 0)),
			"EASY, by the queue":                  of(easy(1, .2)),
			"EASY, by the queue alone":            of(easy(1, .01)),
			"EASY, by the queue's square":         of(easy(2, .1)),
		} {
			clock, tally = 0, 0
			now := how.now
			lengths := []float64{10}
			if name == "conservative" || name == "Orig-BF" {
				lengths = append(lengths, 60)
				resource.Tally = &tally
			}
			type look struct{ spent, share float64 }
			var looks []look
			err := how.run(sim.Options{Now: now, Progress: func(done, total int) bool {
				looks = append(looks, look{now(), float64(done) / float64(total)})
				return true
			}})
			resource.Tally = nil
			if err != nil {
				t.Fatal(err)
			}
			whole := now()
			for _, seconds := range lengths {
				second := whole / seconds
				from, worst, much, unknown := -1.0, 0.0, 0, 0
				for _, l := range looks {
					left := whole - l.spent
					if l.share == 0 {
						unknown++
						from = -1
						continue
					}
					said := l.spent * (1 - l.share) / l.share
					if said > 8*left && left > second {
						much++
					}
					if said >= left/2 {
						from = -1
						continue
					}
					if from < 0 {
						from = l.spent
					}
					worst = max(worst, (l.spent-from)/second)
				}
				text := fmt.Sprintf("seed %d, %s, a run of %.0f s: %d looks", seed, name, seconds, len(looks))
				if worst > 1 {
					t.Errorf("%s: less than half of what is left is told for %.1f s", text, worst)
				}
				if len(looks) < 50 || much*5 > len(looks) || unknown*20 > len(looks) {
					t.Errorf("%s: %d times nothing is told, %d times eight times what is left", text, unknown, much)
				}
			}
		}
	}
}
