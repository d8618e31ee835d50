package policy

import "batchlab/core/sim"

// EASY is EASY backfilling on any platform, with any order for the queue and for
// backfilling; with FCFS order it is the BF_FCFS of Techiouba et al. (2008,
// section 7).
type EASY struct {
	siteBackfill
	orders twoOrders
}

// NewEASY returns EASY for any platform with what o says: orders, ties and
// threshold.
func NewEASY(o *CountedEASY) *EASY {
	queue, backfill := o.orders()
	e := &EASY{orders: twoOrders{
		queue: Lineup{QueueOrder: queue}, backfill: Lineup{QueueOrder: backfill},
		UseThreshold: o.UseThreshold, Threshold: o.Threshold,
	}}
	e.rank = &e.orders
	return e
}

var _ sim.Explainer = (*EASY)(nil)
