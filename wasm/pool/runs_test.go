package pool

import (
	"math"
	"slices"
	"testing"

	"batchlab/core/experiment"
	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

// Intent: tens of thousands of runs are begun and stopped by as much work on the
// page's thread as a few are: only those that are next become tasks, in order.
// Each still ends once.
func TestManyRunsAreHandedInAsWorkersComeFree(t *testing.T) {
	b := &browser{t: t}
	b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
		if q.Kind == bridge.Run && q.Repetition < 5 {
			simulate(w, q, buffers, file)
		}
	}
	p := New(b, 2)
	e := three()
	for i := range e.Schedulers {
		e.Schedulers[i].Repeat = 1000
	}
	ends, done := map[int]int{}, 0
	all := p.Run(e, func(ev engine.Event) {
		if ev.Status >= engine.Done {
			ends[ev.Run]++
		}
		if ev.Status == engine.Done {
			done++
		}
	})
	if len(p.queue) > 4 || len(b.later) > 5 { // two for each worker
		t.Fatalf("at the beginning %d tasks and %d calls wait", len(p.queue), len(b.later))
	}
	b.run(1e6)
	if done != 5 || len(p.queue) > 2 {
		t.Fatalf("%d done, %d tasks wait", done, len(p.queue))
	}
	all.StopOne(2500)
	all.Stop()
	if len(b.later) > 20 {
		t.Errorf("stopping is %d calls", len(b.later))
	}
	b.run(1e9)
	for i := range 3000 {
		if ends[i] != 1 {
			t.Fatalf("run %d ended %d times", i, ends[i])
		}
	}
}

// Intent: runs that are held back do not begin; those that have begun end, and
// all go on when they are let.
func TestHold(t *testing.T) {
	b := &browser{t: t, work: simulate}
	p := New(b, 1)
	var y tally
	var all engine.Runs
	all = p.Run(three(), func(ev engine.Event) {
		if y.event(ev); ev.Status == engine.Done && ev.Run == 0 {
			all.Hold(true)
		}
	})
	b.run(1e8)
	if n := y.count(engine.Done); n < 1 || n > 3 {
		t.Errorf("%d runs ended while they were held", n)
	}
	all.Hold(false)
	b.run(1e9)
	if y.count(engine.Done) != 6 || y.digest != "a0a1b0b1c0c1" {
		t.Errorf("%d done, digest %q", y.count(engine.Done), y.digest)
	}
}

// Intent: runs that are stopped while they are held are not held when they are done again.
func TestStopWhileHeld(t *testing.T) {
	b := &browser{t: t, work: simulate}
	p := New(b, 1)
	var y tally
	all := p.Run(three(), y.take)
	all.Hold(true)
	b.run(1e8)
	all.Stop()
	b.run(2e8)
	if y.count(engine.Done) > 2 || y.count(engine.Cancelled) < 4 {
		t.Fatalf("%d done, %d cancelled", y.count(engine.Done), y.count(engine.Cancelled))
	}
	all.Again([]int{4, 5})
	b.run(3e8)
	if y.last[4].Status != engine.Done || y.last[5].Status != engine.Done {
		t.Errorf("done again: %+v", y.last)
	}
}

// Intent: when the studies' program cannot be had it is asked for once, however
// many runs wait for it, and all of them say why they do not run.
func TestManyRunsWithoutTheStudies(t *testing.T) {
	b := &browser{t: t, work: simulate, offline: errShort}
	p := New(b, 2)
	e := three()
	plan, err := experiment.NewScheduler("plan-rs")
	if err != nil {
		t.Fatal(err)
	}
	plan.Repeat = 500
	e.Schedulers[2] = plan
	var y tally
	p.Run(e, y.event)
	b.run(1e9)
	if y.count(engine.Failed) != 504 || b.fetches != 1 {
		t.Errorf("%d failed, the program was asked for %d times", y.count(engine.Failed), b.fetches)
	}
}

// Intent: what a worker tells of a run is a share of its time: the time left follows
// from it, also where more turns out to be left than was thought, while the bar, which
// nobody likes to see fall, stands still. What is read before the run counts for nothing.
func TestTimeLeftFollowsTheShare(t *testing.T) {
	b := &browser{t: t}
	b.work = func(w *fakeWorker, q bridge.Request, buffers []Buffer, file any) {
		for i, percent := range []int{1, 10, 20, 30, 15, 20} {
			b.After(4000+1000*i, func() {
				w.reply(bridge.Reply{Kind: bridge.Progress, ID: q.ID, Done: percent, Total: 100})
			})
		}
	}
	p := New(b, 1)
	var left, bar []float64
	p.Run(three(), func(ev engine.Event) {
		if ev.Run == 0 && ev.Status == engine.Running {
			left, bar = append(left, math.Round(ev.Left)), append(bar, ev.Progress)
		}
	})
	b.run(1e5)
	if want := []float64{0, 0, 9, 8, 7, 23, 20}; !slices.Equal(left, want) {
		t.Errorf("%v s are left, want %v", left, want)
	}
	if want := []float64{0, .01, .1, .2, .3, .3, .3}; !slices.Equal(bar, want) {
		t.Errorf("the bar stands at %v, want %v", bar, want)
	}
}
