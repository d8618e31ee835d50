package predict

import "batchlab/core/model"

// Request predicts what the user asked for.
type Request struct{ work Work }

// Reset prepares for a new simulation.
func (r *Request) Reset(w *Work) { r.work = *w }

// Submit does nothing, and so do Start and End: nothing is learnt.
func (r *Request) Submit(model.JobID) {}

// Start does nothing.
func (r *Request) Start(model.JobID) {}

// End does nothing.
func (r *Request) End(model.JobID, model.Time) {}

// Estimate returns the request.
func (r *Request) Estimate(j model.JobID) Estimate { return one(float64(r.work.Jobs[j].Limit)) }

// Known predicts numbers that are given for each job of the workload: the true
// run times, which makes it clairvoyant, or a column of a file.
type Known struct {
	// Seconds are the predictions by index in the workload; 0: none, the request
	// stands for it. More than the request is cut to it.
	Seconds []model.Time

	Request
}

// Estimate returns the number that was given.
func (k *Known) Estimate(j model.JobID) Estimate {
	limit := k.work.Jobs[j].Limit
	if s := k.Seconds[k.work.origin(j)]; s > 0 && s < limit {
		return one(float64(s))
	}
	return one(float64(limit))
}
