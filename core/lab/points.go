package lab

import (
	"reflect"
	"slices"

	"batchlab/core/experiment"
)

// Sweep is an experiment ready to run whether it varies or not: its points, and
// the runs of all of them as items (experiment.Items). It serves several
// workers at once, each with a Worker of its own.
type Sweep struct {
	Points *experiment.Points
	Items  *experiment.Items
	env    Env
}

// NewSweep checks an experiment that may vary; its points are checked when they
// are prepared, or by Check.
func NewSweep(doc *experiment.Experiment, env Env) (*Sweep, error) {
	if err := doc.Validate(); err != nil {
		return nil, err
	}
	s := &Sweep{Points: doc.Points(), env: env}
	var err error
	s.Items, err = s.Points.Items()
	return s, err
}

// Check says what a point is refused for before its workload is known, naming
// its values; nil when nothing is.
func (s *Sweep) Check(point int) error {
	_, err := s.prepare(point)
	return err
}

func (s *Sweep) prepare(point int) (*Prepared, error) {
	doc, err := s.Points.At(point)
	if err != nil {
		return nil, err
	}
	p, err := Prepare(doc, s.env)
	if err != nil {
		return nil, s.Points.Fault(point, err)
	}
	return p, nil
}

// SweepWorker runs items of a sweep, one at a time. It keeps the point that it
// was at last, and the workloads where only schedulers or measures differ.
type SweepWorker struct {
	sweep    *Sweep
	point    int // −1 none
	prepared *Prepared
	runs     []RunID
	place    []int
	first    map[int]*Result // by scheduler: runs of the point that others are copies of
}

// Worker returns a worker that has run nothing.
func (s *Sweep) Worker() *SweepWorker { return &SweepWorker{sweep: s, point: -1} }

// At goes to the point of an item, and returns its experiment, the run that the
// item is, and the place of the run in the point's digest.
func (w *SweepWorker) At(item int) (p *Prepared, id RunID, place int, err error) {
	point, within := w.sweep.Items.Point(item)
	if point != w.point {
		next, err := w.sweep.prepare(point)
		if err != nil {
			return nil, RunID{}, 0, err
		}
		if w.prepared != nil {
			next.inherit(w.prepared)
		}
		w.prepared, w.point, w.first = next, point, map[int]*Result{}
		w.runs, w.place = w.sweep.Items.Of(next.doc)
	}
	return w.prepared, w.runs[within], w.place[within], nil
}

// Run runs an item, unless this worker has run what it is a copy of. Errors name
// the point.
func (w *SweepWorker) Run(item int, o Options) (*Result, error) {
	p, id, _, err := w.At(item)
	if err != nil {
		return nil, err
	}
	copied := p.doc.Schedulers[id.Scheduler].Repeat > 1 && p.doc.First(id.Scheduler, 1) == 0
	if first := w.first[id.Scheduler]; first != nil {
		return first.copied(id.Repetition, p.doc.First(id.Scheduler, id.Repetition) != id.Repetition), nil
	}
	r, err := p.Run(id, o)
	if err != nil {
		return nil, w.sweep.Points.Fault(w.point, err)
	}
	if copied {
		kept, schedule := *r, *r.Schedule // which the next run would take
		schedule.Executions = slices.Clone(schedule.Executions)
		kept.Schedule = &schedule
		w.first[id.Scheduler] = &kept
	}
	return r, nil
}

// inherit takes over what an experiment before made that this one would make
// alike: the log, and the workloads where nothing differs that they depend on.
// Nothing else may use the other one any more.
func (p *Prepared) inherit(from *Prepared) {
	a, b := p.doc.Workload.Source, from.doc.Workload.Source
	if a.Generator == nil && b.Generator == nil && reflect.DeepEqual(a, b) {
		p.log = from.log
	}
	if p.doc.Workload.React == nil && p.doc.Seed == from.doc.Seed && reflect.DeepEqual(p.doc.Workload, from.doc.Workload) && reflect.DeepEqual(p.doc.Platform, from.doc.Platform) {
		p.cache = from.cache // but not where users react, who belong to their runs
		for i := range p.cache {
			p.cache[i].suited = false
		}
	}
}
