package grid

import (
	"slices"

	"batchlab/core/sim"
	"batchlab/core/tell"
)

var (
	_ sim.Teller = (*Scheduler)(nil)
	_ sim.Teller = (*Broker)(nil)
)

// Tell says which job waits at which provider. Whom it asked for reservations and
// where it sent jobs was noted as it did so.
func (s *Scheduler) Tell(v *sim.View, decided []sim.Decision, f *tell.Facts) {
	for _, d := range decided {
		if d.Verb == sim.Start {
			f.Order = append(f.Order, d.Job)
		}
	}
	for i := range s.providers {
		p := &s.providers[i]
		name := v.Site.Platform.Clusters[p.cluster].Name
		p.queue.each(func(w *waiting) {
			f.Sent = append(f.Sent, tell.Sent{Job: w.job, Name: name})
			f.Order = append(f.Order, w.job)
		})
	}
	for _, j := range s.queue {
		f.Sent = append(f.Sent, tell.Sent{Job: j, Name: ""})
		f.Order = append(f.Order, j)
	}
	ahead := 0
	for i := range s.providers {
		ahead += s.providers[i].ahead
	}
	for j := 0; ahead > 0 && j < int(v.Next); j++ {
		if b := &s.jobs[j]; b.state == accepted {
			f.Bookings = append(f.Bookings, tell.Booking{Number: v.Jobs[j].Number, Procs: b.booked.Procs, From: b.booked.From, To: b.booked.To, Cluster: b.booked.Cluster})
			ahead--
		}
	}
	f.Ready = "provider by provider"
}

// Tell says the same of a grid of providers of any packing.
func (b *Broker) Tell(v *sim.View, decided []sim.Decision, f *tell.Facts) {
	starts := make([]int32, 0, len(decided))
	for _, d := range decided {
		if d.Verb == sim.Start {
			starts = append(starts, d.Job)
		}
	}
	f.Order = append(f.Order, starts...)
	for j := int32(0); j < v.Next; j++ {
		if b.at[j] < 0 || !b.batch[j] || !v.Waits(j) || slices.Contains(starts, j) {
			continue
		}
		f.Sent = append(f.Sent, tell.Sent{Job: j, Name: v.Site.Platform.Clusters[b.at[j]].Name})
		f.Order = append(f.Order, j)
	}
	for _, j := range b.queue {
		f.Sent = append(f.Sent, tell.Sent{Job: j, Name: ""})
		f.Order = append(f.Order, j)
	}
	f.Ready = "in order of submission"
}
