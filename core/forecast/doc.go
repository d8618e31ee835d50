// Package forecast says when a job would start, as a distribution: run times of others are
// drawn from what their users did, arrivals from past weeks, a simulation says when the
// job would start in each draw, and all earlier answers, with what became of them, say how
// far such answers are to be trusted.
//
// It holds what needs no simulation: Past draws, Mixture puts the draws together, Record
// recalibrates. Package lab runs the schedulers in between. The recipe is Batchlab's own
// (docs/when.md).
package forecast

import (
	"math"

	"batchlab/core/model"
	"batchlab/core/predict"
	"batchlab/core/search"
)

// exp is eˣ and logarithm the natural one, to the same bits on every machine.
func exp(x float64) float64 { return search.Exp(x) }

func logarithm(v float64) float64 { return predict.Log(v) }

// logit is the inverse of the logistic function; p lies between 0 and 1.
func logit(p float64) float64 { return logarithm(p) - logarithm(1-p) }

// Scaled is the wait in which answers are made: ln(1 + minutes).
func Scaled(wait model.Time) float64 { return logarithm(1 + float64(wait)/60) }

// Wait is the wait in seconds, at least 0, of a scaled one.
func Wait(y float64) model.Time {
	return max(0, model.Time(math.Round(60*float64(exp(min(y, 30))-1))))
}
