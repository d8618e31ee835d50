package plan

import (
	"math"

	"batchlab/core/model"
	"batchlab/core/search"
)

// The criteria of the evaluation, in the order of a search.Score (section 3.3).
// All jobs submitted so far count: those that have started with the wait that
// they had, those that are planned with the wait that they would have.
const (
	MeanWait     = iota // seconds
	MeanSlowdown        // bounded; of jobs that have not ended, as if they took what they asked for
	Unfairness          // mean + standard deviation of the users' NUWT
)

// Criteria name them.
var Criteria = [3]string{"wait", "slowdown", "fairness"}

// past is what jobs that have started contribute.
type past struct {
	jobs int64 // weights of those submitted, waiting ones included
	wait int64
	slow int64 // in units
	user []int64
	seen []bool
	n    int // users seen
}

func (q *past) reset() { *q = past{user: q.user[:0], seen: q.seen[:0]} }

// arrive counts a job of a user with its weight.
func (q *past) arrive(user int32, weight int64) {
	q.jobs += weight
	for int(user) >= len(q.user) {
		q.user, q.seen = append(q.user, 0), append(q.seen, false)
	}
	if !q.seen[user] {
		q.seen[user] = true
		q.n++
	}
}

// start counts the wait of a job that starts.
func (q *past) start(s *slot) {
	wait := int64(s.start - s.since)
	q.wait += s.weight * wait
	q.user[s.user] += wait
	q.slow += s.slowdown(s.start)
}

// end replaces what a job would have taken by what it took.
func (q *past) end(p *Plan, i int32) {
	s := &p.slots[i]
	ran := p.now - s.start
	q.slow += s.weight*max(unit, int64(float64(s.start-s.since+ran)*(unit/float64(max(ran, p.tau))))) - s.slowdown(s.start)
}

// fairness is mean + standard deviation of n numbers with a sum and a sum of
// squares.
func fairness(n int, sum, squares float64) float64 {
	mean := sum / float64(n)
	return mean + math.Sqrt(max(0, squares/float64(n)-float64(mean*mean)))
}

// share is one user's part in the plan that is being optimised.
type share struct {
	wait  int64   // of started and of planned jobs
	delta int64   // of the candidate
	price float64 // of a second that its jobs wait: see bounds
	used  float64 // processor-seconds consumed, or planned as well, at least 1
}

// Objective says what the criteria count. The zero value is the paper's section
// 3.3 as this lab reads it; all three set are what the authors' program does in
// its state of March 2016 (TorquePlanSched, plan_evaluation and plan_fairshare).
type Objective struct {
	// Waiting: mean wait and mean slowdown are those of the jobs that wait; else of
	// all jobs submitted so far.
	Waiting bool
	// Planned: what a user has consumed counts what is still planned, of jobs that
	// run and wait: the time that they asked for; else the past alone.
	Planned bool
	// Squares: unfairness is Σ (1 + mean − NUWT)² over the users; else mean +
	// standard deviation of NUWT.
	Squares bool
	// Roots: in mean wait and mean slowdown a job weighs by the square root of its
	// processors, as in a later state of that program; else all jobs weigh alike.
	Roots bool
}

// refused is worse than any plan.
var refused = search.Score{1e300, 1e300, 1e300}

// candidate evaluates the candidate. One under which a job would start later than
// Options.Guard allows is worse than any, unless it was so before.
func (t *tuner) candidate() search.Score {
	if t.s.o.Guarded {
		if t.dLate = t.later(); t.late+t.dLate > t.bound {
			return refused
		}
	}
	return t.score(t.wait+t.dWait, t.slow+t.dSlow)
}

// beyond is by how many seconds a start of a slot lies behind what it may.
func (t *tuner) beyond(s *slot, start model.Time) int64 {
	return int64(max(0, start-s.first-t.s.o.Guard))
}

// later is by how much more the candidate starts jobs too late than the plan as
// it is.
func (t *tuner) later() (sum int64) {
	p := t.p
	for i := range t.changes {
		c := &t.changes[i]
		s := &p.slots[c.slot]
		sum += t.beyond(s, c.start) - t.beyond(s, s.start)
	}
	for c := range t.lanes {
		d := &t.lanes[c]
		for k, at := range d.starts {
			i := p.lanes[c].jobs[d.from+k]
			s := &p.slots[i]
			was := s.start
			if !s.fresh {
				was = t.now + model.Time(t.at[i])
			}
			sum += t.beyond(s, t.now+model.Time(at)) - t.beyond(s, was)
		}
	}
	return sum
}

// score evaluates a plan from sums: waits and slowdowns of all jobs, and the
// users' waits. Users without waiting jobs stand in (sum, squares).
func (t *tuner) score(wait, slow int64) search.Score {
	sum, squares := t.sum, t.squares
	for i := range t.shares {
		u := &t.shares[i]
		x := float64(u.wait+u.delta) / u.used
		sum += x
		squares += float64(x * x)
	}
	n, unfair := float64(t.s.past.jobs), fairness(t.s.past.n, sum, squares)
	if t.s.o.Objective.Waiting {
		n = float64(max(1, t.weighs))
	}
	if t.s.o.Objective.Squares { // Σ (1 + mean − x)² = n + Σ x² − (Σ x)² ÷ n
		users := float64(t.s.past.n)
		unfair = users + max(0, squares-float64(sum*sum)/users)
	}
	return search.Score{float64(wait) / n, float64(slow) / (unit * n), unfair}
}

// Score evaluates the plan as it is.
func (s *Scheduler) Score(now model.Time) search.Score {
	s.tuner.begin(s, now)
	return s.tuner.score(s.tuner.wait, s.tuner.slow)
}
