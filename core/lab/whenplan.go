//go:build !small

package lab

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/policy"
	"batchlab/core/report"
	"batchlab/core/sim"
)

// promises are the planned starts of waiting jobs at instants of a run: what conservative
// backfilling remembers beside queue and machine.
type promises map[model.Time]map[int64]model.Time

func (p promises) any() bool { return len(p) > 0 }

// planned is the planned start of a waiting job at an instant, 0: none is kept.
func (q *queue) planned(at model.Time, job int32) model.Time {
	if q.start[job] == at { // its time has come
		return at
	}
	return q.promised[at][q.jobs[job].Number]
}

// promise keeps the plans of the instants that a question is about, if the scheduler is
// one that keeps what it has planned: when earlier jobs had waited so long, and now.
func (q *queue) promise(ask *Ask, list []int32, after model.Time) error {
	r := q.of
	if q.p.form(r, q.id.Scheduler) != counted {
		return nil
	}
	made, err := buildCounted(&q.p.doc.Schedulers[q.id.Scheduler])
	if err != nil {
		return err
	}
	c, ok := made.(*policy.CountedConservative)
	if !ok {
		return nil
	}
	if q.promised == nil {
		q.promised = promises{}
	}
	k := &planKeeper{CountedConservative: c, jobs: r.workload.Jobs, kept: q.promised}
	want := func(at model.Time) {
		if q.promised[at] == nil {
			k.at = append(k.at, at)
		}
	}
	for _, j := range list {
		want(q.jobs[j].Submit + after)
	}
	want(ask.At)
	if slices.Sort(k.at); len(k.at) == 0 {
		return nil
	}
	k.at = slices.Compact(k.at)
	var m sim.CountedSimulator
	_, err = m.Run(r.workload, r.machines(), k, sim.Options{})
	k.upTo(model.Never)
	return err
}

// planKeeper notes what conservative backfilling has planned at instants: as it stands
// after the last pass by then.
type planKeeper struct {
	*policy.CountedConservative
	jobs []model.Job
	at   []model.Time // ascending, those to come
	kept promises
}

func (k *planKeeper) upTo(now model.Time) {
	for ; len(k.at) > 0 && k.at[0] < now; k.at = k.at[1:] {
		plan := map[int64]model.Time{}
		k.Planned(func(j model.JobID, start model.Time) { plan[k.jobs[j].Number] = start })
		k.kept[k.at[0]] = plan
	}
}

// Pass notes what the instants before it saw, and goes on.
func (k *planKeeper) Pass(v *sim.CountedView, starts []model.JobID) []model.JobID {
	k.upTo(v.Now)
	return k.CountedConservative.Pass(v, starts)
}

// simulateFrom is simulate for a workload whose first jobs have planned starts already.
func (p *Prepared) simulateFrom(r *prepared, i int, plan []model.Time, o sim.Options, out *report.Run) (*model.Schedule, error) {
	if c, ok := p.schedulers[i].(*policy.CountedConservative); ok && plan != nil { // it has run before
		c.Given = plan
		defer func() { c.Given = nil }()
	}
	return p.simulate(r, i, o, out)
}
