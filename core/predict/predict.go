// Package predict foresees how long jobs will run from what has ended before.
//
// A Book stands between a simulator and one Predictor: the simulator tells it of
// submissions, starts and ends, and schedulers ask it. A Predictor is handed what
// users asked for and, at its end, how long a job ran: it cannot peek. Two rows
// see more and say so: True, and Column where the file holds the truth.
//
// All of it is arithmetic on float64 with rounding fixed, and with an exponential
// and a logarithm of its own (exact.go): the same digits on every machine.
package predict

import (
	"batchlab/core/model"
)

// Work is what a predictor is given of a simulation before it begins.
type Work struct {
	// Jobs are the jobs; those that are not submitted yet must not be looked at.
	Jobs []model.Job
	// Origin says of a submitted job which one of the workload it is, where users
	// react; nil: the same.
	Origin []int32
	// History are completions from before the simulation, in order of their ends.
	History []Past
}

// origin returns the index in the workload of a submitted job.
func (w *Work) origin(j model.JobID) int32 {
	if w.Origin != nil {
		return w.Origin[j]
	}
	return j
}

// Past is a completion that the log itself shows.
type Past struct {
	Job model.Job
	Run model.Time // seconds that it ran, at least 1
}

// Estimate is what a predictor says of one job. A predictor that knows one number
// says it in all places.
type Estimate struct {
	Ln     float64 // ln p̂; p̂ is the number to plan by, in seconds
	Mean   float64 // E: mean of the run times that it may have
	LnMean float64 // ln E
	LnGeo  float64 // ln G: mean of their logarithms
	Slow   float64 // W: mean of 1 ÷ max(run, 60 s); H = 1 ÷ W is their harmonic mean
	LnSlow float64 // ln W
}

// one is the estimate of a predictor that knows one number of seconds.
func one(seconds float64) Estimate {
	ln, slow := Log(seconds), 1/max(seconds, tail)
	return Estimate{ln, seconds, ln, ln, slow, Log(slow)}
}

// tail is the run time in seconds below which nobody minds: the τ of the harmonic
// mean.
const tail = 60

// Seconds returns p̂ in whole seconds, 1 … limit.
func (e *Estimate) Seconds(limit model.Time) model.Time {
	if e.Ln >= 43 { // beyond 2^62
		return limit
	}
	return min(max(model.Time(Exp(e.Ln)+0.5), 1), limit)
}

// Predictor foresees run times. It keeps its memory from one simulation to the
// next and serves one at a time.
type Predictor interface {
	// Reset prepares for a new simulation.
	Reset(w *Work)
	// Submit is told that job j waits from now on, and Start that it waits no longer.
	Submit(j model.JobID)
	Start(j model.JobID)
	// End is told that job j, which has started, has ended after run seconds.
	End(j model.JobID, run model.Time)
	// Estimate says what is thought now of a job that waits.
	Estimate(j model.JobID) Estimate
}

// increments are what is added to a prediction that turned out too short, one
// after the other, in seconds (Tsafrir, Etsion and Feitelson 2007, section 4).
var increments = [...]model.Time{60, 300, 900, 1800, 3600, 7200, 18000, 36000, 72000, 180000, 360000}
