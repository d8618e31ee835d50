package sim

import (
	"errors"
	"testing"

	"batchlab/core/model"
)

// brooder starts everything in order and broods over each pass.
type brooder struct{ asked, done int }

func (b *brooder) Reset(*CountedView) {}

func (b *brooder) Pass(v *CountedView, starts []model.JobID) []model.JobID {
	for range 100 {
		b.asked++
		if !v.Pulse.Beat(pulseSteps) {
			return append(starts, 1<<20) // counts for nothing: it would be refused
		}
	}
	b.done++
	for j := v.Arrived; j < v.Next; j++ {
		starts = append(starts, j)
	}
	return starts
}

// A pass that broods is heard of on the way, and a cancel ends it there; a
// queue that is long is looked at after fewer instants than a short one.
func TestPulse(t *testing.T) {
	w := &model.Workload{Jobs: []model.Job{{Number: 1, Procs: 1, Limit: 5}, {Number: 2, Submit: 9, Procs: 1, Limit: 5}}, Truth: []model.Truth{{Run: 5}, {Run: 5}}}
	for stop, want := range map[int]int{1: 0, 150: 1, 1 << 20: 4} {
		var b brooder
		calls := 0
		_, err := new(CountedSimulator).Run(w, model.OneCluster(2), &b, Options{Progress: func(done, total int) bool {
			calls++
			if done < 0 || done > total || (done > 0) != (calls > 100) { // nothing is known before a job has started
				t.Errorf("call %d: %d of %d", calls, done, total)
			}
			return calls < stop
		}})
		if cancelled := errors.Is(err, ErrCancelled); b.done != want || cancelled != (want < 4) || err != nil && !cancelled {
			t.Errorf("stopped at call %d: %d passes, %v", stop, b.done, err)
		}
	}
	var none *Pulse
	if !none.Beat(1 << 40) {
		t.Error("no pulse stops nothing")
	}
	if few, many := waitingSteps(0), waitingSteps(10_000); few*10 > many || pulseSteps/many < 1 {
		t.Errorf("%d and %d steps", few, many)
	}
}

// Progress says what is left on the clock that it was given: even work to the second,
// but for the doubt at the beginning, and more and more while nothing moves on.
func TestCourse(t *testing.T) {
	w := &model.Workload{Jobs: make([]model.Job, 1000), Truth: make([]model.Truth, 1000)}
	for i := range w.Jobs {
		w.Jobs[i] = model.Job{Number: int64(i + 1), Submit: model.Time(10 * i), Procs: 1, Limit: 5}
		w.Truth[i].Run = 5
	}
	c := course{w: w, procs: 1, began: 7}
	left := func(now float64) float64 {
		share := float64(c.share(7+now)) / courseTotal
		return now * (1 - share) / share
	}
	for k := 1; k <= 1000; k++ {
		c.next = k
		now, true := float64(k)/10, float64(1000-k)/10
		if got := left(now); got < .99*true-.01 || got > 1.01*true*(1+courseDoubt*true/100)+.01 {
			t.Fatalf("at %.1f s %.2f s are left, not %.1f", now, got, true)
		}
		if k == 500 {
			c.next, c.waiting = 520, 20
			for last := 0.0; now < 120; now += .5 {
				if got := left(now); got <= last {
					t.Fatalf("nothing moves, and at %.1f s %.2f s are left after %.2f", now, got, last)
				} else {
					last = got
				}
			}
			c = course{w: w, procs: 1, began: 7, started: 500, queued: 500}
		}
	}
}
