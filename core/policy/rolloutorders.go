package policy

import (
	"batchlab/core/model"
	"batchlab/core/predict"
)

// RolloutOptions are the constants by which foresight chooses its queue order.
type RolloutOptions struct {
	Interval  model.Time // seconds between two choices, at least
	Better    float64    // by what share another order than the first must cost less
	Depth     int        // jobs of the queue that are tried, the first by the first order
	Scenarios int
	Spread    float64 // of a job's run times: σ² = Spread · ln(E ÷ G)
	Stretch   float64 // a job that outlives its draw goes on for Stretch · |z| of its age
	Salt      int64   // of the hash from which the scenarios' numbers come
}

// RolloutDefaults returns the constants as the study froze them.
func RolloutDefaults() RolloutOptions {
	return RolloutOptions{Interval: 600, Better: 0.01, Depth: 100, Scenarios: 8, Spread: 2, Stretch: 0.7, Salt: 62}
}

// foresightOrder is a queue order that rollouts may choose: ascending by the score.
type foresightOrder struct {
	name  string
	power float64 // of q beside p̂
	heavy bool    // E · H in the place of p̂
}

// foresightOrders in the sequence in which they are tried; the first is foresight's own.
var foresightOrders = [...]foresightOrder{{"p̂ q", 1, false}, {"p̂ √q", 0.5, false}, {"p̂ q^1.5", 1.5, false}, {"p̂", 0, false}, {"E·H·q", 1, true}}

// score returns the logarithm of what a candidate sorts by.
func (c *foresightOrder) score(e *predict.Estimate, lnProcs float64) float64 {
	if c.heavy {
		return e.LnMean - e.LnSlow + lnProcs
	}
	return e.Ln + float64(c.power*lnProcs)
}

// Choice is what rollouts chose at an instant.
type Choice struct {
	At     model.Time
	Order  int                           // index of foresightOrders
	Costs  [len(foresightOrders)]float64 // of each: predicted slowdown still to come, in total
	Queue  int                           // jobs that waited
	Before int                           // the order until then
}
