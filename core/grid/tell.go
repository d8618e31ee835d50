package grid

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/report"
	"batchlab/core/sim"
	"batchlab/core/tell"
)

var _ sim.Teller[*sim.View, []sim.Decision] = (*Broker)(nil)

// planner is a provider's scheduler that says when the jobs that wait will start.
type planner interface {
	sim.Teller[*sim.View, []sim.Decision]
	PlansAhead()
}

// facts is where a provider's scheduler notes what it plans, nil where nobody asks.
func (b *Broker) facts(v *sim.View, c int) *tell.Facts {
	if _, ok := b.Locals[c].(planner); !ok || v.Facts == nil {
		return nil
	}
	b.told[c].Reset()
	return &b.told[c]
}

// Tell says which job waits at which provider, and when it is to start where the
// provider plans. Whom it asked for reservations and where it sent jobs was noted as it
// did so.
func (b *Broker) Tell(v *sim.View, decided []sim.Decision, f *tell.Facts) {
	if f.Briefly() {
		b.brief(v, f)
		return
	}
	planned := map[model.JobID]bool{}
	for c, local := range b.Locals {
		p, ok := local.(planner)
		if !ok {
			continue
		}
		own := &b.told[c]
		p.Tell(&b.views[c], nil, own)
		if f.Plans = append(f.Plans, own.Plans...); !f.Ahead {
			f.Reserve = own.Reserve
		} else if f.Reserve != own.Reserve {
			f.Reserve = 0 // who waits for what is not the same everywhere
		}
		f.Ahead, f.Again = true, f.Again || own.Again
		for i := range own.Plans {
			planned[own.Plans[i].Job] = true
		}
	}
	starts := make([]int32, 0, len(decided))
	for _, d := range decided {
		if d.Verb == sim.Start {
			starts = append(starts, d.Job)
		}
	}
	for j := int32(0); j < v.Next; j++ {
		if b.at[j] >= 0 && b.batch[j] && v.Waits(j) && !slices.Contains(starts, j) && !planned[j] {
			f.Sent = append(f.Sent, tell.Sent{Job: j, Name: v.Site.Platform.Clusters[b.at[j]].Name})
		}
	}
	for _, j := range b.queue {
		f.Sent = append(f.Sent, tell.Sent{Job: j, Name: ""})
	}
	if f.Ready = "in order of submission"; f.Ahead {
		f.Ready = "by planned start"
		return
	}
	f.Order = append(f.Order, starts...)
	for _, s := range f.Sent {
		f.Order = append(f.Order, s.Job)
	}
}

// brief says why jobs wait at the providers; what was not sent yet waits for its turn.
func (b *Broker) brief(v *sim.View, f *tell.Facts) {
	for _, j := range b.queue {
		f.Note(j, report.WaitOrder, -1)
	}
	for c, local := range b.Locals {
		if t, ok := local.(sim.Teller[*sim.View, []sim.Decision]); ok {
			view := b.views[c]
			view.Free, view.Space = v.Free, v.Space
			view.Briefly(t, &b.told[c], !f.Unpromised, f.Note)
			f.Plans = append(f.Plans, b.told[c].Plans...)
		}
	}
}
