package policy

// EASY is EASY backfilling on any platform, with any order for the queue and for
// backfilling; with FCFS order it is the BF_FCFS of Techiouba et al. (2008,
// section 7).
type EASY struct {
	backfiller
}

// NewEASY returns EASY for any platform with what o says: orders, ties and
// threshold.
func NewEASY(o *CountedEASY) *EASY {
	e := &EASY{}
	queue, backfill := o.orders()
	first := &Lineup{QueueOrder: queue}
	e.first, e.behind = first, first
	if backfill.Order != queue.Order || queue.Order.Scored() {
		e.behind = &Lineup{QueueOrder: backfill}
	}
	e.useThreshold, e.threshold, e.newest = o.UseThreshold, o.Threshold, o.Newest
	return e
}
