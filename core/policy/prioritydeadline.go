package policy

import "batchlab/core/model"

// DeadlineRange holds the parameters of the heuristic Deadline.
type DeadlineRange struct {
	Min, Max float64 // least and greatest score of a job that can still be on time, 0 ≤ Min ≤ Max
	K        float64 // over-estimation of the run time, > 1
}

// DeadlineCase is one of the three cases of the heuristic Deadline.
type DeadlineCase uint8

// The cases of the printed formula, and jobs without a deadline.
const (
	NoDeadline   DeadlineCase = iota // scored like one that is far away
	DeadlineFar                      // t_e < t_s
	DeadlineNear                     // t_s ≤ t_e ≤ dline
	DeadlineOver                     // t_e > dline: cannot be met any more
)

// score is the heuristic Deadline (Techiouba et al. 2008, section 4), for jobs
// that end within their deadline. With the estimated run time ex:
//
//	t_e(J) = ex + wall_clock          over_ex_t(J) = k · ex
//	t_s(J) = dline(J) − over_ex_t(J)  α(J) = (max − min) / over_ex_t(J)
//
//	min                          if t_e < t_s
//	min + α · (t_e − t_s)        if t_s ≤ t_e ≤ dline
//	0                            if t_e > dline
//
// A job without a deadline scores min, as its deadline is farther away than
// any.
func (r *DeadlineRange) score(now, ex, due model.Time) (float64, DeadlineCase) {
	if due == 0 {
		return r.Min, NoDeadline
	}
	end := now + ex
	if end > due {
		return 0, DeadlineOver
	}
	over := float64(r.K * float64(ex))
	past := over - float64(due-end) // t_e − t_s
	if past < 0 {
		return r.Min, DeadlineFar
	}
	return r.Min + float64(float64((r.Max-r.Min)/over)*past), DeadlineNear
}

// slope bounds how fast the score of a job rises a second.
func (r *DeadlineRange) slope(ex model.Time) float64 {
	return max(0, r.Max-r.Min) / (r.K * float64(ex))
}
