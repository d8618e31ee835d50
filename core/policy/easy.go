package policy

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/sim"
)

// EASY is EASY on machines and licences, with the pure orders of EASY;
// with FCFS order it is the BF_FCFS of Techiouba et al. (2008, section 7).
type EASY struct {
	siteBackfill
	order siteOrder
}

// NewEASY returns EASY for machines with what o says: orders, ties and
// threshold.
func NewEASY(o *CountedEASY) *EASY {
	e := &EASY{order: siteOrder{Order: o.Order, Backfill: o.Backfill, Newest: o.Newest, UseThreshold: o.UseThreshold, Threshold: o.Threshold}}
	e.rank = &e.order
	return e
}

var _ sim.Explainer = (*EASY)(nil)

// siteOrder ranks by the pure orders (rules 6 and 8). The zero value is FCFS.
type siteOrder struct {
	Order, Backfill Order
	Newest          bool
	UseThreshold    bool
	Threshold       model.Time

	ranker             ranker
	primary, secondary []int32 // ranks by job, of orders that do not change with time

	livePrimary, liveSecondary live // where users react
}

func (o *siteOrder) reset(v *sim.View) {
	o.primary, o.secondary = o.ranks(v, o.primary, o.Order, &o.livePrimary), o.ranks(v, o.secondary, o.Backfill, &o.liveSecondary)
}

// admit ranks the jobs that users have just submitted.
func (o *siteOrder) admit(v *sim.View) {
	if o.Order.static() {
		o.livePrimary.admit(o.primary, v.Origin, v.Arrived, v.Next)
	}
	if o.Backfill.static() {
		o.liveSecondary.admit(o.secondary, v.Origin, v.Arrived, v.Next)
	}
}

func (o *siteOrder) ranks(v *sim.View, ranks []int32, by Order, l *live) []int32 {
	if !by.static() {
		return ranks
	}
	ranks = resize(ranks, len(v.Jobs))
	if v.Pool != nil {
		l.reset(&o.ranker, v.Pool, by, o.Newest)
		return ranks
	}
	o.ranker.rank(ranks, v.Jobs, by, o.Newest)
	return ranks
}

func (o *siteOrder) begin(*sim.View, []model.JobID) {}
func (o *siteOrder) started(model.JobID)            {}

// compare says whether a stands before b.
func (o *siteOrder) compare(v *sim.View, a, b model.JobID, by Order, ranks []int32) int {
	if !by.static() {
		x := expansion(v.Now, v.Jobs[a].Submit, v.Jobs[a].Limit)
		y := expansion(v.Now, v.Jobs[b].Submit, v.Jobs[b].Limit)
		if x != y {
			if x > y == (by == LEXP) {
				return -1
			}
			return 1
		}
		if o.Newest {
			return int(b - a)
		}
		return int(a - b)
	}
	return int(ranks[a] - ranks[b])
}

func (o *siteOrder) top(v *sim.View, waiting []model.JobID) int {
	if o.UseThreshold && v.Now-v.Jobs[waiting[0]].Submit > o.Threshold {
		at := 0 // the first submitted; of those submitted with it, by ties
		for o.Newest && at+1 < len(waiting) && v.Jobs[waiting[at+1]].Submit == v.Jobs[waiting[0]].Submit {
			at++
		}
		return at
	}
	best := 0
	for i := 1; i < len(waiting); i++ {
		if o.compare(v, waiting[i], waiting[best], o.Order, o.primary) < 0 {
			best = i
		}
		if o.Order == FCFSOrder && v.Jobs[waiting[i]].Submit > v.Jobs[waiting[0]].Submit {
			break
		}
	}
	return best
}

func (o *siteOrder) sort(v *sim.View, jobs []model.JobID) {
	slices.SortFunc(jobs, func(a, b model.JobID) int { return o.compare(v, a, b, o.Backfill, o.secondary) })
}
