package policy

import (
	"cmp"
	"math"
	"slices"
)

// twinJob is a job as the plain form of foresight sees it.
type twinJob struct {
	number             int64
	submit, limit, run int64
	procs              int32
	user, exe          int32

	id         int
	start, end int64 // −1: not yet
	s          [4]float64
	lnP        float64 // of p̂
	e, lnG, w  float64
	keys       [6]int64 // of the five candidates, and of backfilling
	g0, sigma0 float64  // as it started
}

// twinPast is a completed job.
type twinPast struct {
	end  int64
	j    *twinJob
	long int64 // how long it ran
}

type twinMean struct {
	n float64
	m [3]float64
}

func (t *twinMean) add(y [3]float64) {
	t.n++
	for i := range y {
		t.m[i] += (y[i] - t.m[i]) / min(t.n, 200)
	}
}

func (t *twinMean) shrunk(to [3]float64) (out [3]float64) {
	n := min(t.n, 200)
	for i := range out {
		out[i] = (n*t.m[i] + 5*to[i]) / (n + 5)
	}
	return out
}

// twinVariant are readings that were tried.
type twinVariant struct {
	rollouts bool
	salt     uint64
	truth    bool
}

// twin is foresight in plain form, after its definition alone.
type twin struct {
	v       twinVariant
	past    map[int32][]twinPast
	buckets map[int]*twinMean
	all     twinMean

	choice  int
	chosen  int64
	never   bool
	choices [5]int
}

func (t *twin) ended(p twinPast) {
	j := p.j
	t.past[j.user] = append(t.past[j.user], p)
	run, limit := float64(p.long), float64(j.limit)
	y := [3]float64{run / limit, math.Log(run / limit), limit / max(run, 60)}
	b := int(math.Floor(math.Log2(limit)))
	if t.buckets[b] == nil {
		t.buckets[b] = &twinMean{}
	}
	t.buckets[b].add(y)
	t.all.add(y)
}

func (t *twin) sample(j *twinJob, p twinPast, r int, s *[4]float64) {
	x := p.j
	v := min(max(float64(p.long)*float64(j.limit)/float64(x.limit), 1), float64(j.limit))
	k := math.Exp(-float64(r)/8) * math.Exp(-0.5*math.Abs(math.Log2(float64(x.procs)/float64(j.procs)))-0.3*math.Abs(math.Log2(float64(x.limit)/float64(j.limit))))
	if x.exe != j.exe {
		k *= 0.3
	}
	if k < 1e-4 {
		return
	}
	s[0] += k
	s[1] += k * v
	s[2] += k * math.Log(v)
	s[3] += k / max(v, 60)
}

func (t *twin) submitted(j *twinJob) {
	list := t.past[j.user]
	j.s = [4]float64{}
	for r := 0; r < 60 && r < len(list); r++ {
		t.sample(j, list[len(list)-1-r], r, &j.s)
	}
	t.predict(j)
}

func (t *twin) again(j *twinJob, p twinPast) {
	for i := range j.s {
		j.s[i] *= math.Exp(-1.0 / 8)
	}
	t.sample(j, p, 0, &j.s)
	t.predict(j)
}

func (t *twin) predict(j *twinJob) {
	prior := t.all.shrunk([3]float64{0.5, -1, 2})
	var b twinMean
	if found := t.buckets[int(math.Floor(math.Log2(float64(j.limit))))]; found != nil {
		b = *found
	}
	abc := b.shrunk(prior)
	l := float64(j.limit)
	s := j.s
	j.e = (0.3*abc[0]*l + s[1]) / (0.3 + s[0])
	j.lnG = (0.3*(abc[1]+math.Log(l)) + s[2]) / (0.3 + s[0])
	j.w = (0.3*abc[2]/l + s[3]) / (0.3 + s[0])
	j.lnP = (math.Log(l) + math.Log(j.e) + j.lnG - math.Log(j.w)) / 4
	if t.v.truth {
		j.lnP = math.Log(float64(min(j.run, j.limit)))
	}
	q := math.Log(float64(j.procs))
	step := func(x float64) int64 { return int64(math.Floor(x/0.02 + 0.5)) }
	j.keys = [6]int64{step(j.lnP + q), step(j.lnP + q/2), step(j.lnP + 1.5*q), step(j.lnP), step(math.Log(j.e) - math.Log(j.w) + q), step(j.lnP)}
}

func (j *twinJob) sigma() float64 { return math.Sqrt(2 * max(0, math.Log(j.e)-j.lnG)) }

// twinHash is splitmix64.
func twinHash(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// twinNormal is a standard normal number of (j, s), by the polar method.
func twinNormal(number int64, s int, salt uint64) float64 {
	h := twinHash(twinHash(uint64(number)+salt<<40) + uint64(s))
	for {
		u := 2*float64(h>>11)/(1<<53) - 1
		h = twinHash(h)
		v := 2*float64(h>>11)/(1<<53) - 1
		h = twinHash(h)
		if r := u*u + v*v; r > 0 && r < 1 {
			return u * math.Sqrt(-2*math.Log(r)/r)
		}
	}
}

const twinThreshold = 200000

// order sorts by a key, newest first among equals; late jobs first where asked.
func twinOrder(list []*twinJob, key int, now int64, late bool) []*twinJob {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b *twinJob) int {
		if late {
			x, y := now-a.submit > twinThreshold, now-b.submit > twinThreshold
			if x != y {
				if x {
					return -1
				}
				return 1
			}
			if x {
				return cmp.Or(cmp.Compare(a.submit, b.submit), cmp.Compare(b.number, a.number))
			}
		}
		return cmp.Or(cmp.Compare(a.keys[key], b.keys[key]), cmp.Compare(b.submit, a.submit), cmp.Compare(b.number, a.number))
	})
	return list
}

// easy decides one pass: which of the waiting jobs start now.
func twinEASY(waiting, running []*twinJob, free int32, now int64, key int, asOf int64) []*twinJob {
	var starts []*twinJob
	queue := twinOrder(waiting, key, asOf, true)
	gone := map[*twinJob]bool{}
	ends := slices.Clone(running)
	head := (*twinJob)(nil)
	begin := func(j *twinJob) {
		starts = append(starts, j)
		gone[j] = true
		free -= j.procs
		j.start = now
		ends = append(ends, j)
	}
	for _, j := range queue {
		if j.procs > free {
			head = j
			break
		}
		begin(j)
	}
	if head == nil {
		return starts
	}
	slices.SortFunc(ends, func(a, b *twinJob) int { return cmp.Compare(a.start+a.limit, b.start+b.limit) })
	shadow, extra := int64(0), free
	for i := 0; i < len(ends); i++ {
		if extra >= head.procs && ends[i].start+ends[i].limit > shadow {
			break
		}
		shadow = ends[i].start + ends[i].limit
		extra += ends[i].procs
	}
	extra -= head.procs
	for _, j := range twinOrder(queue, 5, now, false) {
		if gone[j] || j == head || j.procs > free {
			continue
		}
		if now+j.limit <= shadow {
			begin(j)
		} else if j.procs <= extra {
			extra -= j.procs
			begin(j)
		}
	}
	return starts
}

// rollout returns the cost of a candidate.
func (t *twin) rollout(waiting, running []*twinJob, free int32, now int64, key int) float64 {
	queue := waiting
	if len(queue) > 100 {
		queue = twinOrder(waiting, 0, now, true)[:100]
	}
	total := 0.0
	for s := range 8 {
		run := slices.Clone(running)
		end := map[*twinJob]int64{}
		for _, j := range run {
			age := float64(now - j.start)
			z := twinNormal(j.number, s, t.v.salt)
			d := min(max(math.Exp(j.g0+j.sigma0*z), 1), float64(j.limit))
			if age >= d {
				z = twinNormal(j.number, s+8, t.v.salt)
				d = min(age*(1+0.7*math.Abs(z)), float64(j.limit))
			}
			end[j] = j.start + int64(math.Floor(d+0.5))
			end[j] = max(end[j], now+1)
		}
		q := slices.Clone(queue)
		f, at := free, now
		for {
			started := twinEASY(q, run, f, at, key, now)
			for _, j := range started {
				f -= j.procs
				total += j.w * float64(at-now)
				d := min(max(math.Exp(j.lnG+j.sigma()*twinNormal(j.number, s, t.v.salt)), 1), float64(j.limit))
				end[j] = at + max(1, int64(math.Floor(d+0.5)))
				run = append(run, j)
			}
			q = slices.DeleteFunc(q, func(j *twinJob) bool { return slices.Contains(started, j) })
			if len(q) == 0 {
				break
			}
			next := int64(math.MaxInt64)
			for _, j := range run {
				next = min(next, end[j])
			}
			at = next
			run = slices.DeleteFunc(run, func(j *twinJob) bool {
				if end[j] == at {
					f += j.procs
					return true
				}
				return false
			})
		}
		for _, j := range queue {
			j.start = -1
		}
	}
	return total / 8
}

// simulate runs jobs, in order of submission and number, from an empty machine.
func (t *twin) simulate(jobs []*twinJob, procs int32, past []twinPast) {
	t.past, t.buckets, t.all = map[int32][]twinPast{}, map[int]*twinMean{}, twinMean{}
	t.choice, t.never = 0, true
	for _, p := range past {
		t.ended(p)
	}
	var waiting, running []*twinJob
	free, next := procs, 0
	for next < len(jobs) || len(waiting)+len(running) > 0 {
		now := int64(math.MaxInt64)
		if next < len(jobs) {
			now = jobs[next].submit
		}
		for _, j := range running {
			now = min(now, j.end)
		}
		var done []*twinJob
		for _, j := range running {
			if j.end == now {
				done = append(done, j)
			}
		}
		slices.SortFunc(done, func(a, b *twinJob) int {
			return cmp.Or(cmp.Compare(a.submit, b.submit), cmp.Compare(a.number, b.number))
		})
		for _, x := range done {
			free += x.procs
			running = slices.DeleteFunc(running, func(j *twinJob) bool { return j == x })
			p := twinPast{now, x, now - x.start}
			t.ended(p)
			for _, j := range waiting {
				if j.user == x.user {
					t.again(j, p)
				}
			}
		}
		for next < len(jobs) && jobs[next].submit == now {
			t.submitted(jobs[next])
			waiting = append(waiting, jobs[next])
			next++
		}
		if t.v.rollouts && len(waiting) >= 2 && (t.never || now-t.chosen >= 600) &&
			slices.ContainsFunc(waiting, func(j *twinJob) bool { return j.procs <= free }) {
			t.never, t.chosen = false, now
			best := t.rollout(waiting, running, free, now, 0)
			first := best
			t.choice = 0
			for c := 1; c < 5; c++ {
				if cost := t.rollout(waiting, running, free, now, c); cost < best && cost < 0.99*first {
					best, t.choice = cost, c
				}
			}
			t.choices[t.choice]++
		}
		for _, j := range twinEASY(waiting, running, free, now, t.choice, now) {
			free -= j.procs
			j.end = now + min(j.run, j.limit)
			j.g0, j.sigma0 = j.lnG, j.sigma()
			running = append(running, j)
		}
		waiting = slices.DeleteFunc(waiting, func(j *twinJob) bool { return j.start >= 0 })
	}
}
