package react

import (
	"slices"

	"batchlab/core/model"
	"batchlab/core/order"
	"batchlab/core/sim"
)

// Extract divides the jobs of a workload into batches and sessions by user, and
// finds what each batch depends on: the jobs of its user that ended since the
// batch before it began, or the one job that the log states. Jobs stand in
// order of (submission, number), and keep that order within their user.
func Extract(w *model.Workload, e Evidence, p Params) *Behaviour {
	b := &Behaviour{pool: w, params: p}
	x := extraction{Behaviour: b, end: e.End, preceding: e.Preceding}
	if !p.Stated {
		x.preceding = nil
	}
	for _, u := range byUser(w) {
		if u.id < 0 {
			x.silent(u.jobs)
		} else {
			x.user(u.id, u.jobs)
		}
	}
	x.link()
	x.describe(e.Preceding != nil)
	return b
}

// jobsOf are one user's jobs.
type jobsOf struct {
	id   int32
	jobs []int32
}

// byUser divides the jobs by user, in order of user, those without one first.
func byUser(w *model.Workload) []jobsOf {
	index := make([]int32, len(w.Jobs))
	for i := range index {
		index[i] = int32(i)
	}
	order.Stable(index, func(a, b int32) int {
		return int(max(-1, w.Jobs[a].User)) - int(max(-1, w.Jobs[b].User))
	})
	var list []jobsOf
	for from := 0; from < len(index); {
		id, to := max(-1, w.Jobs[index[from]].User), from
		for to < len(index) && max(-1, w.Jobs[index[to]].User) == id {
			to++
		}
		list = append(list, jobsOf{id, index[from:to]})
		from = to
	}
	return list
}

// extraction is the work of Extract.
type extraction struct {
	*Behaviour
	end       []model.Time
	preceding []int32
	links     []link

	pending  sim.Heap // ends of the user's jobs that no batch depends on yet, with their place among them
	sessions []session
	noEnd    int
	stated   int // preceding jobs stated
	used     int
}

// link says that a batch depends on a job.
type link struct{ job, batch int32 }

// session is a user's visit.
type session struct {
	jobs        int32
	first, last model.Time // submissions
}

// silent keeps the submissions of jobs whose user nobody knows.
func (x *extraction) silent(jobs []int32) {
	x.users = append(x.users, user{id: -1, from: int32(len(x.batches)), to: int32(len(x.batches)) + 1})
	x.open(jobs, 0, len(jobs))
}

// open adds the batch of jobs[from:to].
func (x *extraction) open(jobs []int32, from, to int) *batch {
	at := int32(len(x.order))
	start := x.pool.Jobs[jobs[from]].Submit
	for _, j := range jobs[from:to] {
		x.order = append(x.order, j)
		x.offset = append(x.offset, x.pool.Jobs[j].Submit-start)
	}
	x.batches = append(x.batches, batch{from: at, to: at + int32(to-from), user: int32(len(x.users)) - 1, start: start})
	return &x.batches[len(x.batches)-1]
}

// user finds the batches of one user.
func (x *extraction) user(id int32, jobs []int32) {
	u := user{id: id, from: int32(len(x.batches))}
	x.users = append(x.users, u)
	all := x.pool.Jobs
	base := all[jobs[0]].Submit
	shift := 0
	for len(jobs)>>shift > 0 {
		shift++
	}
	x.pending = x.pending[:0]
	from := 0
	gap, parents, fresh := model.Time(0), int32(0), false
	latest := -model.Never // known end of all jobs so far
	visit := session{first: base}
	for k := 1; k <= len(jobs); k++ {
		before := jobs[k-1]
		if x.end[before] == model.Never {
			x.noEnd++
		} else {
			x.pending.Push(uint64(x.end[before]-base)<<shift | uint64(k-1))
			latest = max(latest, x.end[before])
		}
		visit.jobs++
		visit.last = all[before].Submit
		after, depends := int32(-1), false
		if k < len(jobs) {
			now := all[jobs[k]].Submit
			if after = x.statedBefore(jobs[k]); after >= 0 {
				depends = true
			} else if x.params.Batches == Max {
				depends = latest <= now && len(x.pending) > 0
			} else {
				depends = x.end[before] <= now
			}
			if !depends {
				if x.params.Sessions == ByArrival && now-visit.last > x.params.ArrivalGap {
					x.sessions = append(x.sessions, visit)
					visit = session{first: now}
				}
				continue
			}
		}
		b := x.open(jobs, from, k)
		b.parents, b.gap = parents, gap
		b.session = from == 0 || fresh
		if from > 0 && all[jobs[from]].Submit > all[jobs[from-1]].Submit {
			b.after = 1
		}
		if k == len(jobs) {
			break
		}
		// The batch to come: what it depends on, and whether it begins a session.
		from = k
		now := all[jobs[k]].Submit
		next := int32(len(x.batches))
		last := -model.Never
		parents = 0
		if after >= 0 {
			x.links = append(x.links, link{after, next})
			last, parents = x.end[after], 1
		} else {
			for len(x.pending) > 0 && base+model.Time(x.pending[0]>>shift) <= now {
				job := jobs[x.pending[0]&(1<<shift-1)]
				x.pending.Pop()
				x.links = append(x.links, link{job, next})
				last, parents = x.end[job], parents+1
			}
		}
		gap = now - last
		if x.params.Sessions == ByArrival {
			fresh = now-visit.last > x.params.ArrivalGap
		} else {
			fresh = gap > x.params.ThinkGap
		}
		if fresh {
			x.sessions = append(x.sessions, visit)
			visit = session{first: now}
		}
	}
	x.sessions = append(x.sessions, visit)
	x.users[len(x.users)-1].to = int32(len(x.batches))
	x.hours(&x.users[len(x.users)-1])
}

// statedBefore returns the job after whose end the log says that a job was
// submitted, −1 if it says nothing that its own times bear out: the preceding
// job must be another that was submitted before and had ended.
func (x *extraction) statedBefore(job int32) int32 {
	if x.preceding == nil || x.preceding[job] < 0 {
		return -1
	}
	x.stated++
	p := x.preceding[job]
	if p >= job || x.end[p] > x.pool.Jobs[job].Submit {
		return -1
	}
	x.used++
	return p
}

// hours notes in which hours of the day and on which days of the week a user
// begins batches. An hour has its neighbours with it.
func (x *extraction) hours(u *user) {
	for k := u.from; k < u.to; k++ {
		h := hourOf(x.batches[k].start)
		u.hours |= 1<<h | 1<<((h+1)%24) | 1<<((h+23)%24)
		u.days |= 1 << dayOf(x.batches[k].start)
	}
}

const (
	hour = 3600
	day  = 24 * hour
	week = 7 * day
)

// hourOf and dayOf count from the log's time 0.
func hourOf(t model.Time) int { return int(modulo(t, day) / hour) }
func dayOf(t model.Time) int  { return int(modulo(t, week) / day) }

func modulo(t, m model.Time) model.Time {
	if t %= m; t < 0 {
		t += m
	}
	return t
}

// link sorts the dependencies by job.
func (x *extraction) link() {
	n := len(x.pool.Jobs)
	x.child = make([]int32, n+1)
	for _, l := range x.links {
		x.child[l.job+1]++
	}
	for i := range n {
		x.child[i+1] += x.child[i]
	}
	x.edges = make([]int32, len(x.links))
	at := slices.Clone(x.child[:n])
	for _, l := range x.links {
		x.edges[at[l.job]] = l.batch
		at[l.job]++
	}
}
