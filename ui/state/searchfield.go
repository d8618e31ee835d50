package state

import (
	"errors"
	"fmt"
	"slices"

	"batchlab/core/experiment"
	"batchlab/ui/draft"
)

// UsePolicy makes weights of the search a scheduler, looks at one of its weeks
// alone, and runs that: the Gantt chart opens. A scheduler with these settings
// is not added twice. The error says why it cannot be added.
func (s *Store) UsePolicy(week int, weights []float64) error {
	r := s.search
	if r == nil || week < 0 || week >= len(r.Weeks) {
		return errors.New("there is no such week")
	}
	sch, err := experiment.NewScheduler("easy")
	if err != nil {
		return err
	}
	p := r.Doc.Search
	for _, key := range []string{"backfill", "ties", "threshold", "scales"} {
		value, _ := p.Get(key)
		if err := sch.SetParam(key, value); err != nil {
			return err
		}
	}
	if err := sch.SetParam("order", "mixed"); err != nil {
		return err
	}
	if err := sch.SetParam("weights", weights); err != nil {
		return err
	}
	return s.use(week, sch)
}

// use adds a scheduler unless it is there, and runs and shows a week under it.
func (s *Store) use(week int, sch experiment.Scheduler) error {
	w := s.search.Weeks[week]
	list := s.Settings.Schedulers
	at := slices.IndexFunc(list, func(o experiment.Scheduler) bool { return o.Key == sch.Key && slices.Equal(o.Params, sch.Params) })
	if at < 0 && s.Full() {
		return fmt.Errorf("there are %d schedulers already: remove one on the left first", draft.MaxSchedulers)
	}
	s.Change(func(e *experiment.Experiment) {
		from, to := int64(w.From), int64(w.To)
		e.Workload.Window = experiment.Window{From: &from, To: &to}
		if at < 0 {
			sch.Repeat = 1
			if len(e.Schedulers) > 0 {
				sch.Repeat = e.Schedulers[0].Repeat
			}
			e.Schedulers = append(e.Schedulers, sch)
			at = len(e.Schedulers) - 1
		}
	})
	s.shown = func() {
		if v := &s.View; at < s.Schedulers() {
			if v.A != at {
				v.B = v.A
			}
			v.A, v.Tab, v.Repetition = at, "gantt", 0
		}
	}
	s.Run()
	return nil
}
