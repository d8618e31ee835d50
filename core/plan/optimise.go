package plan

import (
	"batchlab/core/search"
	"batchlab/core/sim"
)

// steps estimates what the iterations between two questions of the optimiser
// cost, for sim.Pulse: a job's place is dearer where it is not counted.
func (t *tuner) steps() int {
	steps := 16 * (1 + t.p.Len())
	for c := range t.lanes {
		if !t.lanes[c].plain {
			return 64 * steps
		}
	}
	return steps
}

// optimise is one call of the optimiser (algorithm 3, or another).
func (s *Scheduler) optimise(v *sim.View) {
	t := &s.tuner
	t.begin(s, v.Now)
	run := search.Run{Weights: s.o.Weights, Iterations: s.o.Iterations}
	steps := t.steps()
	run.Stop = func() bool { return !v.Pulse.Beat(steps) }
	if s.Clocked() {
		until := s.clock() + s.o.Budget
		run.Stop = func() bool { return s.clock() >= until || !v.Pulse.Beat(steps) }
	}
	var told improved
	t.notes, t.trail = v.Facts != nil, t.trail[:0]
	if v.Facts != nil {
		told.draft = s.plan.tell(nil)
	}
	now := t.score(t.wait, t.slow)
	if s.watch.Moves != nil {
		s.moves.begin(t, now)
	}
	if s.watch.Accepted != nil || s.watch.Moves != nil || v.Facts != nil {
		run.Improved = func(iteration int, old, new search.Score) {
			told.add(v, t, iteration, old, new)
			s.moves.best = len(s.moves.list)
			if s.watch.Accepted != nil {
				s.watch.Accepted(v.Now, iteration, old, new)
			}
		}
	}
	result := s.o.Optimiser.Optimise(t, now, &run, s.rng)
	t.sync()
	s.count.Calls++
	s.count.Iterations += int64(result.Iterations)
	s.count.Accepted += int64(result.Improved)
	s.count.Placed, t.count = s.count.Placed+t.count, 0
	if v.Facts != nil {
		told.tell(v.Facts, result.Iterations)
	}
	if s.watch.Moves != nil {
		s.watch.Moves(s.moves.list[:s.moves.best])
	}
}
