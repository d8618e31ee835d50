package lab

import (
	"fmt"
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/expr"
	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/sim"
)

// countedForms binds the keys of schedulers that have a form for one machine
// whose processors are only counted: faster, and job for job the same as the one
// in constructors. The lab takes it wherever platform and jobs allow. A test
// proves that the catalog says the same (Scheduler.Counted).
var countedForms = map[string]func(p experiment.Params) (sim.CountedScheduler, error){
	"fcfs":         newFCFS,
	"easy":         newEASY,
	"conservative": func(experiment.Params) (sim.CountedScheduler, error) { return &policy.CountedConservative{}, nil },
}

func newFCFS(p experiment.Params) (sim.CountedScheduler, error) {
	return &policy.CountedFCFS{Newest: p.Text("ties") == "newest"}, nil
}

func newEASY(p experiment.Params) (sim.CountedScheduler, error) {
	order, err := queueOrder(p)
	if err != nil {
		return nil, err
	}
	backfill, err := policy.ParseOrder(p.Text("backfill"))
	if err != nil {
		return nil, err
	}
	threshold, use := p.Int("threshold")
	e := &policy.CountedEASY{
		Order: order.Order, Weights: order.Weights, Scales: order.Scales, Formula: order.Formula,
		Backfill: backfill, Newest: order.Newest,
		UseThreshold: use, Threshold: model.Time(threshold),
	}
	err = score(&e.BackfillWeights, &e.BackfillScales, &e.BackfillFormula, backfill, p, "backfill-")
	return e, err
}

// queueOrder reads the order of the queue.
func queueOrder(p experiment.Params) (q policy.QueueOrder, err error) {
	q.Newest = p.Text("ties") == "newest"
	if q.Order, err = policy.ParseOrder(p.Text("order")); err == nil {
		err = score(&q.Weights, &q.Scales, &q.Formula, q.Order, p, "")
	}
	return q, err
}

// score reads what an order by score needs, from the parameters that begin with
// prefix.
func score(w *policy.Weights, s *policy.Scales, f **expr.Program, o policy.Order, p experiment.Params, prefix string) (err error) {
	switch o {
	case policy.Mixed:
		copy(s[:], p.Numbers(prefix+"scales"))
		*w, err = policy.NewWeights(p.Numbers(prefix + "weights"))
	case policy.Formula:
		*f, err = policy.NewFormula(p.Text(prefix + "formula"))
	}
	return err
}

// buildCounted makes the counted form of one line of an experiment.
func buildCounted(s *experiment.Scheduler) (sim.CountedScheduler, error) {
	c, ok := countedForms[s.Key]
	if !ok {
		return nil, fmt.Errorf("lab: %s has no form that counts processors", s.Key)
	}
	return c(s.Params)
}

// form is how a line of an experiment runs on a repetition.
type form uint8

const (
	general form = iota // on the engine of clusters, machines, licences and calendars
	counted             // on that of one machine whose processors are counted
	logged              // nothing is decided
)

// form says how scheduler i runs on a repetition: by counts wherever that is
// enough for what is asked, and the scheduler knows how.
func (p *Prepared) form(r *prepared, i int) form {
	switch {
	case catalog.FindScheduler(p.doc.Schedulers[i].Key).Logged:
		return logged
	case p.counts(i) && r.countable():
		return counted
	}
	return general
}

// counts says whether scheduler i has a form by counts for what is asked of it.
func (p *Prepared) counts(i int) bool {
	s := &p.doc.Schedulers[i]
	row := catalog.FindScheduler(s.Key)
	return row.Counted && !p.generally && !s.General() && (!row.Foretells || p.doc.Foretells(i).Key == catalog.DefaultPredictor)
}

// countable says whether counting the processors of one machine is enough for
// a repetition: one cluster of interchangeable processors, always there and free
// to all, and jobs that ask for processors and time, may be late, and stay in the queue.
func (r *prepared) countable() bool { return r.uniform() && !r.ahead() }

// uniform is countable, whatever is reserved or taken away.
func (r *prepared) uniform() bool {
	if p := r.platform; p != nil && (len(p.Clusters) != 1 || p.Clusters[0].Packing != model.PackProcessors ||
		len(p.Licences) > 0 || !p.Limits.None() || p.PowerScales) || r.withdraws {
		return false
	}
	return !slices.ContainsFunc(r.workload.Demands, func(d model.Demand) bool {
		return d.OnDue != model.DueCount || d.GPUsPerNode > 0 || len(d.Licences) > 0 ||
			d.On != nil && !slices.Contains(d.On, 0) || len(d.Eligible) > 0 && !slices.Contains(d.Eligible, 0)
	})
}

// ahead says whether anything is reserved or taken away in a repetition.
func (r *prepared) ahead() bool {
	return r.platform != nil && len(r.platform.Calendar) > 0 || slices.ContainsFunc(r.workload.Demands, func(d model.Demand) bool { return d.Reservation != nil })
}
