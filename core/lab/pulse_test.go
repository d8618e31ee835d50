//go:build !small

package lab

import (
	"errors"
	"slices"
	"testing"

	"batchlab/core/resource"
)

// burst is a log of jobs that are all submitted at once.
func burst(t *testing.T, count int) Env {
	jobs := make([]toldJob, count)
	for i := range jobs {
		run := 20 + i*37%400
		jobs[i] = toldJob{0, 1 + i*7%4, run + i*11%300, run, 1 + i%7, 1 + i%3}
	}
	return toldLog(t, jobs)
}

// Platforms and requests on which a queue is long.
var longQueues = [][2]string{{"counts", "plain"}, {"nodes", "plain"}, {"licences", "licences"}, {"counts", "user limit"}, {"grid", "reservations"}, {"nodes", "outage"}}

// Progress is told within decisions, too, whoever decides and however long the queue
// is: between two calls a run looks at no more than so many steps of profiles and
// nodes. No clock is asked: the work is counted. A run that is to stop does so
// before long, by the error of a cancel.
func TestLongQueueIsHeardOf(t *testing.T) {
	const (
		most   = 1 << 18 // steps between two calls, some milliseconds
		enough = 1 << 20 // after which a run is stopped
	)
	count, every := 5000, 3
	if testing.Short() {
		count, every = 1500, 9
	}
	defer func() { resource.Tally = nil }()
	env := burst(t, count)
	runs, told := 0, 0
	for n, pair := range longQueues {
		for k, scheduler := range everyScheduler() {
			if (n+k)%every != 0 {
				continue
			}
			p, err := Prepare(conforming(t, pair[0], pair[1], scheduler), env)
			if err != nil {
				continue // the platform does not suit it
			}
			var work, last, longest int64
			calls := 0
			resource.Tally = &work
			_, err = p.Run(RunID{}, Options{Progress: func(int, int) bool {
				longest, last = max(longest, work-last), work
				calls++
				return work < enough && calls < 100
			}})
			resource.Tally = nil
			if err != nil && !errors.Is(err, ErrCancelled) {
				continue // more than a program may do in one call
			}
			runs++
			told += calls
			if longest = max(longest, work-last); longest > most {
				t.Errorf("%v %.90s: %d steps without a call, %d calls in %d", pair, scheduler, longest, calls, work)
			}
			if err == nil && calls >= 100 {
				t.Errorf("%v %.90s: it was to stop, and went on to its end", pair, scheduler)
			}
		}
	}
	if t.Logf("%d runs, %d calls", runs, told); runs < count/60 {
		t.Error("too few runs for a test")
	}
}

// A run that was stopped in the middle of a decision leaves nothing behind: the same
// Prepared then gives the schedule that it gives anyway.
func TestStoppedWithinADecision(t *testing.T) {
	count, every := 200, 4
	if testing.Short() {
		count, every = 100, 12
	}
	env := burst(t, count)
	stopped := 0
	for n, pair := range longQueues {
		for k, scheduler := range everyScheduler() {
			if (n+k)%every != 0 {
				continue
			}
			doc := conforming(t, pair[0], pair[1], scheduler)
			p, err := Prepare(doc, env)
			if err != nil {
				continue
			}
			whole, err := p.Run(RunID{}, Options{})
			if err != nil {
				continue
			}
			want := slices.Clone(whole.Block)
			for _, at := range []int{1, 3, 10} {
				calls := 0
				_, err := p.Run(RunID{}, Options{Progress: func(int, int) bool {
					calls++
					return calls < at
				}})
				if calls < at {
					continue // it is over before
				}
				if stopped++; !errors.Is(err, ErrCancelled) || calls > at {
					t.Fatalf("%v %.90s: stopped at call %d of %d: %v", pair, scheduler, at, calls, err)
				}
			}
			again, err := p.Run(RunID{}, Options{})
			if err != nil || !slices.Equal(again.Block, want) {
				t.Fatalf("%v %.90s: after a cancel the run differs: %v", pair, scheduler, err)
			}
		}
	}
	if t.Logf("%d runs stopped", stopped); stopped < 20 {
		t.Error("too few runs for a test")
	}
}
