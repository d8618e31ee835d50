package sim

import (
	"cmp"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/tell"
)

// How plans change, in the order in which they do: those who move and who come, the
// plan that an optimiser begins with, and what its moves have made of it.

// moved is how a job's planned start has changed; i is its place among what was
// decided, −1: it waits.
type moved struct {
	plan tell.Plan
	was  model.Time
	i    int
}

// moves returns how planned starts have changed since they were told last, in the
// order in which they stood then, or in that of the scheduler.
func (t *Telling) moves(plans []tell.Plan, i func(k int) int) (list []moved) {
	place := map[model.JobID]int{}
	for k, j := range t.facts.Order {
		place[j] = k
	}
	for k, p := range plans {
		was := model.Never
		if before, ok := t.planned[p.Job]; ok {
			was = before.At
		}
		list = append(list, moved{p, was, i(k)})
	}
	order.Stable(list, func(a, b moved) int {
		if len(place) > 0 {
			return cmp.Compare(place[a.plan.Job], place[b.plan.Job])
		}
		return cmp.Or(cmp.Compare(a.was, b.was), cmp.Compare(a.plan.Job, b.plan.Job))
	})
	return list
}

// change tells how the planned start of a job that waits has changed.
func (t *Telling) change(g ground, m *moved, stays bool, say func(tell.Decision), about func(tell.Kind, model.JobID, int) tell.Decision) {
	d := about("", m.plan.Job, -1)
	d.At, d.Was = m.plan.At, m.was
	switch {
	case m.plan.At == model.Never:
		d.Kind = tell.Outside
	case m.was == model.Never:
		d.Kind = tell.New
	case m.plan.At < m.was:
		d.Kind = tell.Earlier
	case m.plan.At > m.was:
		d.Kind = tell.Later
	default:
		d.Kind = tell.Stays
	}
	if d.Kind == tell.Outside {
		if now := d.Ends - d.Limit; t.facts.Reserve > 0 {
			if wait := now - g.job(d.Job).Submit; wait < t.facts.Reserve {
				d.Waited, d.Over = wait, t.facts.Reserve
			}
		}
	} else {
		d.Place, d.Parts = m.plan.Where.Cluster, g.parts(&m.plan.Where)
		if d.Kind != tell.Stays {
			d.Until = g.over(d.At, &m.plan.Where, false)
		}
	}
	if d.Kind != tell.Stays && d.Kind != tell.Outside || stays {
		say(d)
	}
}

// drafted tells how the plan came about that an optimiser begins with, and writes that
// plan into the decision that says so.
func (t *Telling) drafted(g ground, s *tell.Step, d *tell.Decision, say func(tell.Decision), about func(tell.Kind, model.JobID, int) tell.Decision) {
	draft := t.facts.Draft
	for _, m := range t.moves(draft, func(int) int { return -1 }) {
		t.change(g, &m, t.early, say, about)
	}
	order.Stable(draft, func(a, b tell.Plan) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Job, b.Job)) })
	clear(t.planned)
	for i, p := range draft {
		if t.planned[p.Job] = p; i < tell.MostListed {
			d.Plan.Starts = append(d.Plan.Starts, tell.Start{Job: p.Job, Number: g.job(p.Job).Number, At: p.At, Place: p.Where.Cluster, Parts: g.parts(&p.Where)})
		}
	}
	d.Plan.More = len(draft) - len(d.Plan.Starts)
}

// plans tells how planned starts have moved, and which jobs start.
func (t *Telling) plans(g ground, s *tell.Step, acts []act, started func(int, int32), say func(tell.Decision), about func(tell.Kind, model.JobID, int) tell.Decision) (queue []model.JobID) {
	f := &t.facts
	var plans []tell.Plan
	var which []int
	for i := range acts {
		if acts[i].verb == Start {
			plans, which = append(plans, tell.Plan{Job: acts[i].job, At: s.Now}), append(which, i)
		}
	}
	for _, p := range f.Plans {
		plans, which = append(plans, p), append(which, -1)
	}
	list := t.moves(plans, func(k int) int { return which[k] })
	for i := range list {
		if list[i].i >= 0 {
			started(list[i].i, -1)
		} else {
			t.change(g, &list[i], len(f.Draft) == 0 && (f.Again || t.early), say, about)
		}
	}
	if len(f.Order) == 0 {
		order.Stable(list, func(a, b moved) int {
			return cmp.Or(cmp.Compare(a.plan.At, b.plan.At), cmp.Compare(a.plan.Job, b.plan.Job))
		})
	}
	clear(t.planned)
	for _, p := range list {
		if queue = append(queue, p.plan.Job); p.i < 0 {
			t.planned[p.plan.Job] = p.plan
		}
	}
	return queue
}
