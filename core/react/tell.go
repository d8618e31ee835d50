package react

import (
	"batchlab/core/model"
	"batchlab/core/sim"
)

var _ sim.UserTeller = (*Agents)(nil)

// TellUsers says of each user who is to submit more, after the submissions of now,
// what comes in between: jobs that have to end first, as indices in the pool, at
// most 4, or time to think, since when, and until when, which only the simulator
// knows. Who goes on while jobs of theirs have not ended does not think about
// results: then these jobs are told, at most 4. Users who have not come yet, and jobs
// without a user, are left out.
func (a *Agents) TellUsers(_ model.Time, ended func(job int32) bool, visit func(user int32, since model.Time, waits, open []int32, until model.Time)) {
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
			last, open := a.submitted(u, k, ended)
			if last > since || len(open) > 0 { // they have submitted more since then
				since = model.Never
			}
			visit(u.id, since, nil, open, c.release)
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
		visit(u.id, model.Never, waits, nil, model.Never)
	}
}

// submitted returns when a user submitted last, up to a batch, and the first 4 jobs of
// theirs that have not ended.
func (a *Agents) submitted(u *user, to int32, ended func(job int32) bool) (last model.Time, open []int32) {
	last = -model.Never
	for k := u.from; k <= to; k++ {
		for i := a.b.batches[k].from; i < a.state[k].cursor; i++ {
			last = max(last, a.state[k].release+a.turns[i].offset)
			if j := a.turns[i].job; len(open) < 4 && !ended(j) {
				open = append(open, j)
			}
		}
	}
	return last, open
}
