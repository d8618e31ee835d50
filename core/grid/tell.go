package grid

import (
	"slices"

	"batchlab/core/sim"
	"batchlab/core/tell"
)

var _ sim.Teller = (*Broker)(nil)

// Tell says which job waits at which provider. Whom it asked for reservations and
// where it sent jobs was noted as it did so.
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
