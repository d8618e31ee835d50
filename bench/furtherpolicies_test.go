package bench

import (
	"math"
	"math/rand/v2"
	"slices"

	"batchlab/core/model"
	"batchlab/core/predict"
	"batchlab/core/sim"
)

// What was tried beyond foresight (docs/foresight.md): policies written plainly, to
// find out whether they are worth more. None is a scheduler of the lab.

// sorted is EASY backfilling on one counted machine with the queue in any order and
// the backfill order p̂; threshold, reservation and the right to backfill go by
// requests, as in foresight.
type sorted struct {
	// score says where a job stands, ascending; nil: p̂ q.
	score func(v *sim.CountedView, j model.JobID) float64
	// moves is how many changes of the queue order a choice tries by rollouts, each
	// in so many scenarios; 0: none.
	moves, scenarios int
	// ended is told of completions, submitted of submissions; nil: nobody is.
	ended     func(v *sim.CountedView, j model.JobID)
	submitted func(v *sim.CountedView, j model.JobID)

	waits, line []model.JobID
	runs        []oneRun
	rng         *rand.Rand
	last        model.Time
	z           map[model.JobID][]float64
}

type oneRun struct {
	job        model.JobID
	procs      int32
	until      model.Time // by request
	geo, sigma float64    // as it started
}

const threshold = 200000

func (s *sorted) Reset(*sim.CountedView) {
	s.waits, s.line, s.runs = s.waits[:0], s.line[:0], s.runs[:0]
	s.rng, s.last, s.z = rand.New(rand.NewPCG(1, 2)), -model.Never, map[model.JobID][]float64{}
}

// area is ln(p̂ q), rounded.
func area(v *sim.CountedView, j model.JobID) float64 {
	e := v.Book.Estimate(j)
	return math.Floor((e.Ln+predict.Log(float64(v.Jobs[j].Procs)))/0.02 + 0.5)
}

// sortBy sorts by score, newest first; with late, jobs past the threshold stand
// first by submission.
func sortBy(v *sim.CountedView, jobs []model.JobID, late bool, score func(*sim.CountedView, model.JobID) float64) []model.JobID {
	scores := map[model.JobID]float64{}
	for _, j := range jobs {
		scores[j] = score(v, j)
		if late && v.Now-v.Jobs[j].Submit > threshold {
			scores[j] = -1e18 + float64(v.Jobs[j].Submit)
		}
	}
	out := slices.Clone(jobs)
	slices.SortFunc(out, func(a, b model.JobID) int {
		if x, y := scores[a], scores[b]; x != y {
			return int(math.Copysign(1, x-y))
		}
		return int(b - a)
	})
	return out
}

func (s *sorted) Pass(v *sim.CountedView, starts []model.JobID) []model.JobID {
	for _, j := range v.Ended {
		s.runs = slices.DeleteFunc(s.runs, func(r oneRun) bool { return r.job == j })
		if s.ended != nil {
			s.ended(v, j)
		}
	}
	for j := v.Arrived; j < v.Next; j++ {
		s.waits = append(s.waits, j)
		if s.submitted != nil {
			s.submitted(v, j)
		}
	}
	free := v.Free
	if len(s.waits) == 0 || free == 0 || !slices.ContainsFunc(s.waits, func(j model.JobID) bool { return v.Jobs[j].Procs <= free }) {
		return starts
	}
	score := s.score
	if score == nil {
		score = area
	}
	queue := sortBy(v, s.waits, true, score)
	if s.moves > 0 {
		queue = s.searched(v, queue)
	}
	side := sortBy(v, s.waits, false, func(v *sim.CountedView, j model.JobID) float64 {
		e := v.Book.Estimate(j)
		return math.Floor(e.Ln/0.02 + 0.5)
	})
	gone := map[model.JobID]bool{}
	start := func(j model.JobID) {
		e := v.Book.Estimate(j)
		gone[j] = true
		free -= v.Jobs[j].Procs
		s.runs = append(s.runs, oneRun{j, v.Jobs[j].Procs, v.Now + v.Jobs[j].Limit, e.LnGeo, sigma(&e)})
		starts = append(starts, j)
	}
	at := 0
	for ; at < len(queue) && v.Jobs[queue[at]].Procs <= free; at++ {
		start(queue[at])
	}
	if at < len(queue) {
		slices.SortFunc(s.runs, func(a, b oneRun) int { return int(a.until - b.until) })
		shadow, left := model.Time(0), free
		for _, r := range s.runs {
			if left >= v.Jobs[queue[at]].Procs && r.until > shadow {
				break
			}
			shadow, left = r.until, left+r.procs
		}
		extra := left - v.Jobs[queue[at]].Procs
		for _, j := range side {
			job := &v.Jobs[j]
			if gone[j] || j == queue[at] || job.Procs > free {
				continue
			}
			if v.Now+job.Limit <= shadow {
				start(j)
			} else if job.Procs <= extra {
				extra -= job.Procs
				start(j)
			}
		}
	}
	s.waits = slices.DeleteFunc(s.waits, func(j model.JobID) bool { return gone[j] })
	s.line = slices.DeleteFunc(s.line, func(j model.JobID) bool { return gone[j] })
	return starts
}

func sigma(e *predict.Estimate) float64 { return math.Sqrt(2 * max(0, e.LnMean-e.LnGeo)) }

// normal is a standard normal number of a job and a scenario.
func (s *sorted) normal(v *sim.CountedView, j model.JobID, k int) float64 {
	list := s.z[j]
	if list == nil {
		r := rand.New(rand.NewPCG(uint64(v.Jobs[j].Number), 9))
		for range 2 * s.scenarios {
			list = append(list, r.NormFloat64())
		}
		s.z[j] = list
	}
	return list[k]
}

// searched returns the queue in the order of the last search, and searches again
// where 600 seconds have gone: from the best of the orders that foresight has, jobs
// of the first forty are moved forward as long as rollouts find that better.
func (s *sorted) searched(v *sim.CountedView, base []model.JobID) []model.JobID {
	if v.Now-s.last < 600 || len(base) < 2 {
		known := map[model.JobID]bool{}
		for _, j := range s.line {
			known[j] = true
		}
		out := slices.Clone(s.line)
		for _, j := range base { // who has come since stands by p̂ q
			if !known[j] {
				a := area(v, j)
				at := slices.IndexFunc(out, func(k model.JobID) bool { return area(v, k) >= a })
				if at < 0 {
					at = len(out)
				}
				out = slices.Insert(out, at, j)
			}
		}
		return out
	}
	s.last = v.Now
	rest := base[min(len(base), 100):]
	front := base[:len(base)-len(rest)]
	try := s.prepare(v, front)
	best, cost := front, try(front)
	for _, power := range []float64{0.5, 1.5, 0} {
		other := sortBy(v, front, true, func(v *sim.CountedView, j model.JobID) float64 {
			e := v.Book.Estimate(j)
			return math.Floor((e.Ln+power*predict.Log(float64(v.Jobs[j].Procs)))/0.02 + 0.5)
		})
		if c := try(other); c < 0.99*cost {
			best, cost = other, c
		}
	}
	for range s.moves {
		from := 1 + s.rng.IntN(min(len(best), 40)-1)
		to := s.rng.IntN(from)
		other := slices.Clone(best)
		j := other[from]
		other = slices.Insert(slices.Delete(other, from, from+1), to, j)
		if c := try(other); c < cost {
			best, cost = other, c
		}
	}
	s.line = append(slices.Clone(best), rest...)
	return slices.Clone(s.line)
}

// prepare returns what an order of waiting jobs costs: Σ W (start − now), mean over
// the scenarios, without further arrivals.
func (s *sorted) prepare(v *sim.CountedView, jobs []model.JobID) func([]model.JobID) float64 {
	type end struct {
		at, until model.Time
		procs     int32
	}
	side := sortBy(v, jobs, false, func(v *sim.CountedView, j model.JobID) float64 {
		e := v.Book.Estimate(j)
		return math.Floor(e.Ln/0.02 + 0.5)
	})
	weight, lasts := map[model.JobID]float64{}, map[model.JobID][]model.Time{}
	for _, j := range jobs {
		e := v.Book.Estimate(j)
		weight[j] = e.Slow
		for k := range s.scenarios {
			d := math.Exp(e.LnGeo + sigma(&e)*s.normal(v, j, k))
			lasts[j] = append(lasts[j], model.Time(min(max(d, 1), float64(v.Jobs[j].Limit))))
		}
	}
	running := make([][]end, s.scenarios)
	for k := range running {
		for _, r := range s.runs {
			limit, age := float64(v.Jobs[r.job].Limit), float64(v.Now-(r.until-v.Jobs[r.job].Limit))
			d := min(max(math.Exp(r.geo+r.sigma*s.normal(v, r.job, k)), 1), limit)
			if age >= d {
				d = min(age*(1+0.7*math.Abs(s.normal(v, r.job, k+s.scenarios))), limit)
			}
			running[k] = append(running[k], end{max(r.until-v.Jobs[r.job].Limit+model.Time(d), v.Now+1), r.until, r.procs})
		}
	}
	return func(order []model.JobID) (total float64) {
		for k := range running {
			ends, free, now, gone := slices.Clone(running[k]), v.Free, v.Now, map[model.JobID]bool{}
			begin := func(j model.JobID) {
				total += weight[j] * float64(now-v.Now)
				free -= v.Jobs[j].Procs
				gone[j] = true
				ends = append(ends, end{now + lasts[j][k], now + v.Jobs[j].Limit, v.Jobs[j].Procs})
			}
			for head := 0; ; {
				for ; head < len(order) && (gone[order[head]] || v.Jobs[order[head]].Procs <= free); head++ {
					if !gone[order[head]] {
						begin(order[head])
					}
				}
				if head == len(order) {
					break
				}
				slices.SortFunc(ends, func(a, b end) int { return int(a.until - b.until) })
				shadow, left := now, free
				for _, e := range ends {
					if left >= v.Jobs[order[head]].Procs && e.until > shadow {
						break
					}
					shadow, left = e.until, left+e.procs
				}
				extra := left - v.Jobs[order[head]].Procs
				for _, j := range side {
					if job := &v.Jobs[j]; gone[j] || j == order[head] || job.Procs > free {
						continue
					} else if now+job.Limit <= shadow {
						begin(j)
					} else if job.Procs <= extra {
						extra -= job.Procs
						begin(j)
					}
				}
				next := model.Never
				for _, e := range ends {
					next = min(next, e.at)
				}
				now = next
				ends = slices.DeleteFunc(ends, func(e end) bool {
					if e.at == now {
						free += e.procs
					}
					return e.at == now
				})
			}
		}
		return total / float64(len(running))
	}
}

// bandit chooses one of five orders again every so many seconds, by the mean
// logarithm of the bounded slowdown of the jobs that were submitted while it was
// chosen, with one choice in ten at random. It keeps what it has learnt from one
// window to the next.
type bandit struct {
	every model.Time
	sum   [5]float64
	n     [5]float64
	arm   int
	until model.Time
	armOf map[model.JobID]int
	rng   *rand.Rand
}

func newBandit(every model.Time) (*bandit, *sorted) {
	b := &bandit{every: every, rng: rand.New(rand.NewPCG(3, 4)), armOf: map[model.JobID]int{}}
	s := &sorted{}
	s.score = func(v *sim.CountedView, j model.JobID) float64 {
		e, q := v.Book.Estimate(j), predict.Log(float64(v.Jobs[j].Procs))
		return math.Floor([]float64{e.Ln + q, e.Ln + 0.5*q, e.Ln + 1.5*q, e.Ln, e.LnMean - e.LnSlow + q}[b.arm]/0.02 + 0.5)
	}
	s.submitted = func(v *sim.CountedView, j model.JobID) {
		if v.Now >= b.until || v.Now < b.until-b.every {
			b.until = v.Now + b.every
			b.arm = 0
			for a := range b.n {
				if b.n[a] == 0 || b.sum[a]/max(b.n[a], 1) < b.sum[b.arm]/max(b.n[b.arm], 1) && b.n[b.arm] > 0 {
					b.arm = a
				}
			}
			if b.rng.IntN(10) == 0 {
				b.arm = b.rng.IntN(5)
			}
		}
		b.armOf[j] = b.arm
	}
	s.ended = func(v *sim.CountedView, j model.JobID) {
		a := b.armOf[j]
		const memory = 0.999
		b.sum[a], b.n[a] = b.sum[a]*memory, b.n[a]*memory
		b.sum[a] += math.Log(max(1, float64(v.Now-v.Jobs[j].Submit)/float64(max(60, v.Now-v.Start[j]))))
		b.n[a]++
	}
	return b, s
}

// grouped predicts a job as the mean logarithm of the last runs of its like (user,
// processors, request and executable the same) where there are enough of them, and
// else as the kernel does.
type grouped struct {
	*predict.Kernel
	least, window int
	work          predict.Work
	runs          map[like][]float64
}

type like struct {
	user, procs, executable int32
	limit                   model.Time
}

func likeOf(j *model.Job) like { return like{j.User, j.Procs, j.Executable, j.Limit} }

func (g *grouped) Reset(w *predict.Work) {
	g.work, g.runs = *w, map[like][]float64{}
	for i := range w.History {
		g.learn(&w.History[i].Job, w.History[i].Run)
	}
	g.Kernel.Reset(w)
}

func (g *grouped) learn(j *model.Job, run model.Time) {
	list := append(g.runs[likeOf(j)], predict.Log(float64(run)))
	g.runs[likeOf(j)] = list[max(0, len(list)-g.window):]
}

func (g *grouped) End(j model.JobID, run model.Time) {
	g.learn(&g.work.Jobs[j], run)
	g.Kernel.End(j, run)
}

func (g *grouped) Estimate(j model.JobID) predict.Estimate {
	e := g.Kernel.Estimate(j)
	if list := g.runs[likeOf(&g.work.Jobs[j])]; len(list) >= g.least {
		sum := 0.0
		for _, x := range list {
			sum += x
		}
		e.Ln = min(sum/float64(len(list)), predict.Log(float64(g.work.Jobs[j].Limit)))
	}
	return e
}
