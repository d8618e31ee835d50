package policy_test

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"batchlab/core/model"
	"batchlab/core/policy"
)

// The twin is a plain reference simulator, written from the rules alone: at
// each instant it re-sorts everything and re-scans everything. It shares no
// code with the schedulers or the simulator that it checks.
type twin struct {
	w         *model.Workload
	procs     int32
	order     policy.Order
	backfill  policy.Order
	newest    bool
	threshold model.Time // −1: none
	queue     twinScore  // of the orders mixed and formula
	behind    twinScore

	now     model.Time
	start   []model.Time // −1: not yet
	waiting []int
	running []int
	planned map[int]model.Time
}

// twinScore is what an order by score needs.
type twinScore struct {
	weights []float64
	scales  []float64 // nil: the defaults
	formula func(known) float64
}

// known is what a formula may use.
type known struct{ q, p, wait, rho, exp, a, submit, user, due float64 }

func newTwin(w *model.Workload, procs int) *twin {
	t := &twin{w: w, procs: int32(procs), threshold: -1, planned: map[int]model.Time{}}
	for range w.Jobs {
		t.start = append(t.start, -1)
	}
	return t
}

// run replays the workload; decide is called once at each instant.
func (t *twin) run(decide func(endedEarly bool, arrived []int)) []model.Time {
	next := 0
	for next < len(t.w.Jobs) || len(t.running) > 0 || len(t.waiting) > 0 {
		t.now = model.Never
		if next < len(t.w.Jobs) {
			t.now = t.w.Jobs[next].Submit
		}
		for _, j := range t.running {
			t.now = min(t.now, t.end(j))
		}
		for _, at := range t.planned {
			t.now = min(t.now, at)
		}
		early := false
		var still, arrived []int
		for _, j := range t.running {
			if t.end(j) == t.now {
				early = early || t.end(j) < t.start[j]+t.w.Jobs[j].Limit
			} else {
				still = append(still, j)
			}
		}
		t.running = still
		for ; next < len(t.w.Jobs) && t.w.Jobs[next].Submit == t.now; next++ {
			arrived = append(arrived, next)
		}
		t.waiting = append(t.waiting, arrived...)
		decide(early, arrived)
	}
	return t.start
}

func (t *twin) end(j int) model.Time {
	return t.start[j] + min(t.w.Truth[j].Run, t.w.Jobs[j].Limit)
}

func (t *twin) free() int32 {
	free := t.procs
	for _, j := range t.running {
		free -= t.w.Jobs[j].Procs
	}
	return free
}

func (t *twin) begin(j int) {
	t.start[j] = t.now
	t.running = append(t.running, j)
	t.waiting = slices.DeleteFunc(t.waiting, func(k int) bool { return k == j })
}

// compare puts jobs in an order, ties by rule 6.
func (t *twin) compare(o policy.Order, s *twinScore, a, b int) int {
	x, y := &t.w.Jobs[a], &t.w.Jobs[b]
	c := 0
	switch o {
	case policy.FCFSOrder:
		c = cmp.Compare(x.Submit, y.Submit)
	case policy.LCFS:
		c = cmp.Compare(y.Submit, x.Submit)
	case policy.SPF:
		c = cmp.Compare(x.Limit, y.Limit)
	case policy.LPF:
		c = cmp.Compare(y.Limit, x.Limit)
	case policy.SQF:
		c = cmp.Compare(x.Procs, y.Procs)
	case policy.LQF:
		c = cmp.Compare(y.Procs, x.Procs)
	case policy.SAF, policy.LAF:
		c = cmp.Compare(int64(x.Limit)*int64(x.Procs), int64(y.Limit)*int64(y.Procs))
	case policy.SEXP, policy.LEXP:
		c = cmp.Compare(float64(t.now-x.Submit+x.Limit)/float64(x.Limit), float64(t.now-y.Submit+y.Limit)/float64(y.Limit))
	case policy.SRF, policy.LRF:
		c = cmp.Compare(float64(x.Limit)/float64(x.Procs), float64(y.Limit)/float64(y.Procs))
	}
	if o == policy.Mixed || o == policy.Formula {
		c = cmp.Compare(t.score(o, s, a), t.score(o, s, b))
	}
	if o == policy.LAF || o == policy.LEXP || o == policy.LRF || o == policy.Mixed || o == policy.Formula {
		c = -c
	}
	if c == 0 {
		c = cmp.Compare(x.Submit, y.Submit)
		if c == 0 {
			c = cmp.Compare(x.Number, y.Number)
		}
		if t.newest {
			c = -c
		}
	}
	return c
}

// score is rule 1's mixed score, or the value of a formula: the highest first.
func (t *twin) score(o policy.Order, s *twinScore, i int) float64 {
	j := &t.w.Jobs[i]
	q, p, wait := float64(j.Procs), float64(j.Limit), float64(t.now-j.Submit)
	if o == policy.Formula {
		k := known{q, p, wait, p / q, (wait + p) / p, p * q, float64(j.Submit), float64(j.User), 1e15}
		if d := t.w.Demand(model.JobID(i)); d != nil && d.Due > 0 {
			k.due = float64(d.Due)
		}
		return s.formula(k)
	}
	const day = 86400
	c := s.scales
	if c == nil {
		c = []float64{float64(t.procs), day, day, day, 1, day * float64(t.procs)}
	}
	x := []float64{q / c[0], p / c[1], float64(-j.Submit) / c[2], p / (q * c[3]), (wait + p) / (p * c[4]), p * q / c[5]}
	sum := 0.0
	for i, w := range s.weights {
		product := w * x[i]
		sum += product
	}
	return sum
}

// sorted returns the waiting jobs in an order, those past the threshold first.
func (t *twin) sorted(o policy.Order, by *twinScore, threshold bool) []int {
	s := slices.Clone(t.waiting)
	past := func(j int) bool { return threshold && t.threshold >= 0 && t.now-t.w.Jobs[j].Submit > t.threshold }
	slices.SortFunc(s, func(a, b int) int {
		switch pa, pb := past(a), past(b); {
		case pa && !pb:
			return -1
		case pb && !pa:
			return 1
		case pa && pb:
			return t.compare(policy.FCFSOrder, nil, a, b)
		}
		return t.compare(o, by, a, b)
	})
	return s
}

// fcfs is rule 7.
func (t *twin) fcfs(bool, []int) {
	for _, j := range t.sorted(policy.FCFSOrder, nil, false) {
		if t.w.Jobs[j].Procs > t.free() {
			return
		}
		t.begin(j)
	}
}

// easy is rule 8.
func (t *twin) easy(bool, []int) {
	head := -1
	for _, j := range t.sorted(t.order, &t.queue, true) {
		if t.w.Jobs[j].Procs > t.free() {
			head = j
			break
		}
		t.begin(j)
	}
	if head < 0 {
		return
	}
	var ends []model.Time
	for _, j := range t.running {
		ends = append(ends, t.start[j]+t.w.Jobs[j].Limit)
	}
	slices.Sort(ends)
	var shadow model.Time
	var extra int32
	for _, shadow = range ends {
		free := t.free()
		for _, j := range t.running {
			if t.start[j]+t.w.Jobs[j].Limit <= shadow {
				free += t.w.Jobs[j].Procs
			}
		}
		if free >= t.w.Jobs[head].Procs {
			extra = free - t.w.Jobs[head].Procs
			break
		}
	}
	for _, j := range t.sorted(t.backfill, &t.behind, false) {
		job := &t.w.Jobs[j]
		switch {
		case j == head || job.Procs > t.free():
		case t.now+job.Limit <= shadow:
			t.begin(j)
		case job.Procs <= extra:
			extra -= job.Procs
			t.begin(j)
		}
	}
}

// usage returns the processors in use at a time by running jobs (until their
// requested ends) and by the planned jobs given.
func (t *twin) usage(at model.Time, planned []int) int32 {
	var used int32
	for _, j := range t.running {
		if at < t.start[j]+t.w.Jobs[j].Limit {
			used += t.w.Jobs[j].Procs
		}
	}
	for _, j := range planned {
		if s := t.planned[j]; s <= at && at < s+t.w.Jobs[j].Limit {
			used += t.w.Jobs[j].Procs
		}
	}
	return used
}

// earliest returns the earliest fit of a job beside the planned jobs given:
// now, or a time at which something ends.
func (t *twin) earliest(j int, planned []int) model.Time {
	job := &t.w.Jobs[j]
	times := []model.Time{t.now}
	changes := []model.Time{}
	for _, r := range t.running {
		times = append(times, t.start[r]+t.w.Jobs[r].Limit)
	}
	for _, p := range planned {
		times = append(times, t.planned[p]+t.w.Jobs[p].Limit)
		changes = append(changes, t.planned[p])
	}
	slices.Sort(times)
	for _, at := range times {
		ok := t.usage(at, planned)+job.Procs <= t.procs
		for _, c := range changes {
			if c > at && c < at+job.Limit {
				ok = ok && t.usage(c, planned)+job.Procs <= t.procs
			}
		}
		if ok {
			return at
		}
	}
	panic("no fit")
}

// conservative is rule 9.
func (t *twin) conservative(endedEarly bool, arrived []int) {
	var order []int
	for j := range t.planned {
		order = append(order, j)
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(t.planned[a], t.planned[b]), cmp.Compare(a, b))
	})
	var placed []int
	if endedEarly {
		for _, j := range order {
			old := t.planned[j]
			if t.planned[j] = t.earliest(j, placed); t.planned[j] > old {
				panic("a planned start moved later")
			}
			placed = append(placed, j)
		}
	} else {
		placed = order
	}
	for _, j := range arrived {
		t.planned[j] = t.earliest(j, placed)
		placed = append(placed, j)
	}
	for _, j := range placed {
		if t.planned[j] == t.now {
			t.begin(j)
			delete(t.planned, j)
		}
	}
}

// conservativeIn is rule 9 with an order of its own: whenever a job has ended
// early, the waiting jobs are tried in the order, each at its earliest fit beside
// all others as they stand, until none moves; arrivals come in the order, too.
func (t *twin) conservativeIn(endedEarly bool, arrived []int) {
	in := func(jobs []int) []int {
		s := slices.Clone(jobs)
		slices.SortFunc(s, func(a, b int) int {
			if t.order != policy.FCFSOrder {
				return t.compare(t.order, &t.queue, a, b)
			}
			c := cmp.Compare(a, b) // by submission, then number
			if t.newest {
				c = -c
			}
			return cmp.Or(cmp.Compare(t.planned[a], t.planned[b]), c) // arrivals have no plan: 0 and 0
		})
		return s
	}
	var waiting []int
	for j := range t.planned {
		waiting = append(waiting, j)
	}
	slices.Sort(waiting)
	for again := endedEarly; again; {
		again = false
		for _, j := range in(waiting) {
			old := t.planned[j]
			others := slices.DeleteFunc(slices.Clone(waiting), func(k int) bool { return k == j })
			if t.planned[j] = t.earliest(j, others); t.planned[j] > old {
				panic("a planned start moved later")
			}
			again = again || t.planned[j] < old
		}
	}
	for _, j := range in(arrived) {
		t.planned[j] = t.earliest(j, waiting)
		waiting = append(waiting, j)
	}
	for _, j := range waiting {
		if t.planned[j] == t.now {
			t.begin(j)
			delete(t.planned, j)
		}
	}
}

// randomWorkload makes n jobs for a machine of procs processors: bursts, many
// ties, requests that are met, missed and overrun, narrow and wide jobs.
func randomWorkload(r *rand.Rand, n, procs int) *model.Workload {
	w := &model.Workload{Processors: procs}
	var at model.Time
	gap, longest := 1+r.IntN(60), 1+r.IntN(300)
	widest := 1 + r.IntN(procs)
	for i := range n {
		if r.IntN(3) > 0 {
			at += model.Time(r.IntN(gap))
		}
		limit := model.Time(1 + r.IntN(longest))
		if r.IntN(2) == 0 {
			limit = (limit + 49) / 50 * 50
		}
		run := limit
		if r.IntN(4) > 0 {
			run = model.Time(1 + r.IntN(int(limit)+limit2(r)))
		}
		w.Jobs = append(w.Jobs, model.Job{Number: int64(i + 1), Submit: at, Limit: limit, Procs: int32(1 + r.IntN(widest)), User: int32(r.IntN(5)), Record: -1})
		w.Truth = append(w.Truth, model.Truth{Run: run, LoggedWait: -1})
		if i%3 == 1 {
			w.Demands = append(w.Demands, model.Demand{Due: at + 1 + model.Time(i*37%200)})
			w.Jobs[i].Demand = int32(len(w.Demands))
		}
	}
	return w
}

// limit2 sometimes lets a job overrun its request.
func limit2(r *rand.Rand) int { return r.IntN(2) * r.IntN(20) }
