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
			if total != 2 || done != min(2, 1+(calls-1)/200) {
				t.Errorf("call %d: %d of %d", calls, done, total)
			}
			return calls < stop
		}})
		if cancelled := errors.Is(err, ErrCancelled); b.done != want || cancelled != (want < 4) || err != nil && !cancelled {
			t.Errorf("stopped at call %d: %d passes, %v", stop, b.done, err)
		}
	}
	last := 0
	falls := newPulse(&Options{Progress: func(done, _ int) bool { last = done; return true }}, 9)
	for _, done := range []int{3, 5, 4, 6} { // a failure sends jobs back to wait
		falls.done = done
		if falls.Beat(pulseSteps); last < done || last < 5 && done == 4 {
			t.Errorf("%d of 9 is told as %d", done, last)
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
