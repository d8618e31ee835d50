package policy

import (
	"batchlab/core/model"
	"batchlab/core/sim"
)

// live gives jobs their rank in a static order as they are submitted, where
// users react and submissions are not known before. What jobs ask for is known,
// so all jobs with one key share an interval of ranks, in which they take their
// places in order of submission (ties by rule 6). Orders by submission need the
// instant alone: later ones stand behind it, or before it.
type live struct {
	order  Order
	newest bool
	total  int32
	class  []int32 // by index in the pool: first rank of the jobs with its key
	taken  []int32 // by first rank: how many of them have been submitted
	size   []int32 // by first rank: how many there are
}

// reset prepares for the jobs of a pool.
func (l *live) reset(r *ranker, pool []model.Job, o Order, newest bool) {
	n := len(pool)
	l.order, l.newest, l.total = o, newest, int32(n)
	if o == FCFSOrder || o == LCFS || n == 0 {
		return
	}
	l.class, l.taken, l.size = resize(l.class, n), resize(l.taken, n), resize(l.size, n)
	clear(l.taken)
	r.a, r.b = resize(r.a, n), resize(r.b, n)
	all, none := uint64(0), ^uint64(0)
	for i := range pool {
		k := o.key(&pool[i], 0)
		r.a[i] = keyed{k, model.JobID(i)}
		all, none = all|k, none&k
	}
	first := int32(0)
	sorted := r.radix(all &^ none)
	for i, k := range sorted {
		if k.key != sorted[first].key {
			first = int32(i)
		}
		l.class[k.job] = first
		l.size[first] = int32(i) + 1 - first
	}
}

// admit gives the jobs submitted now, [from, to), their ranks.
func (l *live) admit(ranks, origin []int32, from, to model.JobID) {
	for j := from; j < to; j++ {
		at := j // its place in order of submission, the oldest first
		if l.newest != (l.order == LCFS) {
			at = from + to - 1 - j
		}
		switch l.order {
		case FCFSOrder:
			ranks[j] = at
		case LCFS:
			ranks[j] = l.total - 1 - at
		default:
			first := l.class[origin[j]]
			place := l.taken[first]
			l.taken[first]++
			if l.newest {
				place = l.size[first] - 1 - place
			}
			ranks[j] = first + place
		}
	}
}

// admit ranks and scores the jobs that users have just submitted.
func (e *CountedEASY) admit(v *sim.CountedView) {
	e.liveRank.admit(e.rank, v.Origin, v.Arrived, v.Next)
	if e.own {
		e.livePrimary.admit(e.primary, v.Origin, v.Arrived, v.Next)
	}
	for j := v.Arrived; j < v.Next; j++ {
		if e.UseThreshold && e.Newest {
			e.age[v.Arrived+v.Next-1-j] = j
		}
		if e.byScore && e.scorer.formula == nil {
			e.scorer.admit(&v.Jobs[j], j)
		}
		if e.Backfill == Mixed {
			e.behind.admit(&v.Jobs[j], j)
		}
	}
}
