package policy

import (
	"batchlab/core/model"
	"batchlab/core/sim"
)

// Judge puts waiting jobs into an order that this package does not know: that of
// a program which a user wrote.
type Judge interface {
	// Reset prepares for a new simulation.
	Reset(v *sim.View)
	// Rank returns the place of a job in an order that never changes, the smaller
	// first; ok is false in any other. It is asked of every job of the workload.
	Rank(j model.JobID) (rank int32, ok bool)
	// Score returns the score of a waiting job at this instant; the greatest stands
	// first, ties by rule 6.
	Score(v *sim.View, j model.JobID) float64
}

// judged is a Judge as an ordering.
type judged struct{ Judge }

// Admit has nothing to do: a judge looks at the jobs when it is asked.
func (*judged) Admit(*sim.View) {}

// weigh says of a peak that scores may rise as they like.
func (o *judged) weigh(v *sim.View, j model.JobID, p *peak) float64 {
	if p != nil {
		p.rise = infinite
	}
	return o.Score(v, j)
}

func (*judged) bound(*sim.View, *peak) float64 { return infinite }

func (*judged) before(x float64, a model.JobID, y float64, b model.JobID) bool {
	return x > y || x == y && a < b
}

// NewEASYBy returns EASY backfilling in the orders of judges, that of the queue and
// that of backfilling, which may be the same.
func NewEASYBy(queue, backfill Judge) *EASY {
	e := &EASY{}
	first := &judged{queue}
	e.first, e.behind = first, first
	if backfill != queue {
		e.behind = &judged{backfill}
	}
	return e
}

// NewStrictBy returns a scheduler that starts jobs in the order of a judge and lets
// none pass the first that does not fit.
func NewStrictBy(queue Judge) *FCFS {
	order := &judged{queue}
	f := &FCFS{}
	f.base.first, f.base.behind, f.base.strict = order, order, true
	return f
}
