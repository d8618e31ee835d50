package react

import (
	"batchlab/core/model"
	"batchlab/core/sim"
)

var _ sim.UserTeller = (*Agents)(nil)

// TellUsers says of each user who is to submit more, after the submissions of now,
// what comes in between: jobs that have to end first, as indices in the pool, at
// most 4, or time to think, since when, and until when, which only the simulator
// knows. Users who have not come yet, and jobs without a user, are left out.
func (a *Agents) TellUsers(_ model.Time, ended func(job int32) bool, visit func(user int32, since model.Time, waits []int32, until model.Time)) {
	b := a.b
	for i := range b.users {
		u := &b.users[i]
		k := u.from
		for k < u.to && a.state[k].cursor >= a.state[k].to {
			k++
		}
		if u.id < 0 || k == u.to || k == u.from && a.state[k].cursor == b.batches[k].from {
			continue
		}
		c := &a.state[k]
		if c.waits == 0 {
			since := c.ready
			if since == -model.Never { // nothing but the batch before it
				since = model.Never
			}
			visit(u.id, since, nil, c.release)
			continue
		}
		var waits []int32
		for _, j := range b.order[b.batches[u.from].from:b.batches[k].from] {
			for _, next := range b.edges[b.child[j]:b.child[j+1]] {
				if next == k && !ended(j) && len(waits) < 4 {
					waits = append(waits, j)
				}
			}
		}
		visit(u.id, model.Never, waits, model.Never)
	}
}
