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
// conservative backfilling to a minute, too.
func TestTimeLeftIsNotPromisedAway(t *testing.T) {
	for _, seed := range []uint64{1, 3, 5} {
		w, p := bursts(28_000, 512, seed)
		var clock float64
		var tally int64
		easy := func(power int, each float64) func() (sim.CountedScheduler, func() float64) {
			return func() (sim.CountedScheduler, func() float64) {
				return &costly{CountedScheduler: &policy.CountedEASY{}, clock: &clock, power: power, each: each}, func() float64 { return clock }
			}
		}
		for name, make := range map[string]func() (sim.CountedScheduler, func() float64){
			"conservative": func() (sim.CountedScheduler, func() float64) {
				return &policy.CountedConservative{}, func() float64 { return float64(tally) }
			},
			"EASY, passes that all cost the same": easy(0, 0),
			"EASY, by the queue":                  easy(1, .2),
			"EASY, by the queue alone":            easy(1, .01),
			"EASY, by the queue's square":         easy(2, .1),
		} {
			clock, tally = 0, 0
			scheduler, now := make()
			lengths := []float64{10}
			if name == "conservative" {
				lengths = append(lengths, 60)
				resource.Tally(&tally)
			}
			type look struct{ spent, share float64 }
			var looks []look
			_, err := new(sim.CountedSimulator).Run(w, p, scheduler, sim.Options{Now: now, Progress: func(done, total int) bool {
				looks = append(looks, look{now(), float64(done) / float64(total)})
				return true
			}})
			resource.Tally(nil)
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
