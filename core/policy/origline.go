package policy

import (
	"cmp"
	"slices"

	"batchlab/core/model"
	"batchlab/core/resource"
	"batchlab/core/sim"
)

// origLine holds the waiting jobs of each user, and of each queue where queues
// come first. A pass goes through them in the order of what users have consumed,
// only as far as it needs to.
type origLine struct {
	groups []origGroup
	index  map[uint64]int32
	turn   []int32 // groups with jobs, in the order of this pass
	from   int     // of turn: groups that stand before have been gone through
	to     int     // of turn: groups up to here have consumed the same
}

type origGroup struct {
	queue, user int32
	used        float64
	jobs        []model.JobID // ascending
	at          int           // the next of this pass
}

func (l *origLine) reset() {
	l.groups, l.index = l.groups[:0], map[uint64]int32{}
}

func (l *origLine) group(queue, user int32) *origGroup {
	key := uint64(queue)<<32 | uint64(user)
	at, ok := l.index[key]
	if !ok {
		at = int32(len(l.groups))
		l.index[key] = at
		l.groups = append(l.groups, origGroup{queue: queue, user: user})
	}
	return &l.groups[at]
}

func (l *origLine) add(j model.JobID, queue, user int32) {
	g := l.group(queue, user)
	at, _ := slices.BinarySearch(g.jobs, j)
	g.jobs = slices.Insert(g.jobs, at, j)
}

func (l *origLine) remove(j model.JobID, queue, user int32) {
	g := l.group(queue, user)
	at, _ := slices.BinarySearch(g.jobs, j)
	g.jobs = slices.Delete(g.jobs, at, at+1)
}

// begin puts the groups into the order of a pass: queues where they come first,
// then the least consumption.
func (l *origLine) begin(used func(user int32) float64) {
	l.turn, l.from, l.to = l.turn[:0], 0, 0
	for i := range l.groups {
		if g := &l.groups[i]; len(g.jobs) > 0 {
			g.used, g.at = used(g.user), 0
			l.turn = append(l.turn, int32(i))
		}
	}
	slices.SortFunc(l.turn, func(a, b int32) int {
		x, y := &l.groups[a], &l.groups[b]
		return cmp.Or(cmp.Compare(x.queue, y.queue), cmp.Compare(x.used, y.used))
	})
}

// next returns the next job of the pass; there is one. Of groups that have
// consumed the same the job submitted first comes.
func (l *origLine) next() model.JobID {
	for {
		if l.from == l.to {
			first := &l.groups[l.turn[l.to]]
			for l.to < len(l.turn) && l.groups[l.turn[l.to]].queue == first.queue && l.groups[l.turn[l.to]].used == first.used {
				l.to++
			}
		}
		best := -1
		for k := l.from; k < l.to; k++ {
			g := &l.groups[l.turn[k]]
			if g.at == len(g.jobs) { // gone through
				l.turn[k] = l.turn[l.from]
				l.from++
				if best == l.from-1 {
					best = k
				}
				continue
			}
			if best < 0 || g.jobs[g.at] < l.groups[l.turn[best]].jobs[l.groups[l.turn[best]].at] {
				best = k
			}
		}
		if best < 0 {
			continue
		}
		g := &l.groups[l.turn[best]]
		g.at++
		return g.jobs[g.at-1]
	}
}

// origKinds count the waiting jobs that ask for the same counted processors, and
// say of which kinds any could start now.
type origKinds struct {
	ids  map[origKind]int32
	list []origKind
	n    []int32 // waiting, by kind
	seen []int32 // of them gone through in this pass
	can  []int32 // kinds of which one that was not gone through could start now
	open []bool  // by kind: it is among can
	left int     // jobs of can

	foretold bool
}

type origKind struct {
	limit model.Time
	procs int32
}

// clear forgets all kinds.
func (k *origKinds) clear() {
	clear(k.ids)
	k.list, k.n, k.seen, k.can, k.open = k.list[:0], k.n[:0], k.seen[:0], k.can[:0], k.open[:0]
}

func (k *origKinds) reset() {
	*k = origKinds{ids: map[origKind]int32{}, list: k.list[:0], n: k.n[:0], seen: k.seen[:0], can: k.can[:0], open: k.open[:0]}
}

// of returns the kind of a job.
func (k *origKinds) of(v *sim.View, j model.JobID) int32 {
	is := origKind{asks(v, j, k.foretold), v.Needs[j].Procs}
	id, ok := k.ids[is]
	if !ok {
		id = int32(len(k.list))
		k.ids[is] = id
		k.list, k.n, k.seen, k.open = append(k.list, is), append(k.n, 0), append(k.seen, 0), append(k.open, false)
	}
	return id
}

// begin lists what fits into so many processors.
func (k *origKinds) begin(free int32) {
	k.can, k.left = k.can[:0], 0
	for id := range k.list {
		if k.seen[id], k.open[id] = 0, false; k.n[id] > 0 && k.list[id].procs <= free {
			k.can, k.open[id] = append(k.can, int32(id)), true
			k.left += int(k.n[id])
		}
	}
}

// visit notes that a job is gone through, and reports whether it could start now.
func (k *origKinds) visit(id int32) bool {
	k.seen[id]++
	if k.open[id] {
		k.left--
	}
	return k.open[id]
}

// narrow leaves out the kinds that no longer fit from now on beside what is planned.
func (k *origKinds) narrow(free int32, plan *resource.Long, now model.Time) {
	kept := k.can[:0]
	for _, id := range k.can {
		is := &k.list[id]
		if k.n[id] > k.seen[id] && is.procs <= free && plan.Free(now, now+is.limit, is.procs) {
			kept = append(kept, id)
		} else if k.open[id] = false; k.n[id] > k.seen[id] {
			k.left -= int(k.n[id] - k.seen[id])
		}
	}
	k.can = kept
}
