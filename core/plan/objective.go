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
	jobs int64 // submitted, waiting ones included
	wait int64
	slow int64 // in units
	user []int64
	seen []bool
	n    int // users seen
}

func (q *past) reset() { *q = past{user: q.user[:0], seen: q.seen[:0]} }

// arrive counts a job of a user.
func (q *past) arrive(user int32) {
	q.jobs++
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
	q.wait += wait
	q.user[s.user] += wait
	q.slow += s.slowdown(s.start)
}

// end replaces what a job would have taken by what it took.
func (q *past) end(p *Plan, i int32) {
	s := &p.slots[i]
	ran := p.now - s.start
	q.slow += max(unit, int64(float64(s.start-s.since+ran)*(unit/float64(max(ran, p.tau))))) - s.slowdown(s.start)
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
	used  float64 // processor-seconds consumed, at least 1
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
	n := float64(t.s.past.jobs)
	return search.Score{float64(wait) / n, float64(slow) / (unit * n), fairness(t.s.past.n, sum, squares)}
}

// Score evaluates the plan as it is.
func (s *Scheduler) Score(now model.Time) search.Score {
	s.tuner.begin(s, now)
	return s.tuner.score(s.tuner.wait, s.tuner.slow)
}
