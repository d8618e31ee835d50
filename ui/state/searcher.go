package state

import (
	"batchlab/core/experiment"
	"batchlab/core/model"
)

// Searcher is what an engine offers that can search for queue orders.
type Searcher interface {
	// Weeks cuts the workload of e into the windows of its search.
	Weeks(e experiment.Experiment, done func([]Week, error))
	// Pieces does pieces of the search of e on all workers, and tells of their
	// answers in any order, a few times a second. Cancel ends what has not
	// finished; what was found by then is told all the same. The last news has
	// Over.
	Pieces(e experiment.Experiment, pieces []Piece, news func(PieceNews)) (cancel func())
}

// Week is one window of a search.
type Week struct {
	Number int        `json:"number"` // from 1
	Index  int        `json:"index"`  // counted from the search's origin
	From   model.Time `json:"from"`
	To     model.Time `json:"to"`
	Jobs   int        `json:"jobs"` // 0: nothing can be compared there
}

// Kinds of Piece.
const (
	PiecePure     = "pure"
	PieceFormula  = "formula"
	PieceCoverage = "coverage"
	PieceWeights  = "weights"
	PieceXNES     = "xnes"
)

// Piece is a part of a search. Weeks are places in the list of weeks.
type Piece struct {
	Kind       string
	Week, Last int        // a range of weeks, Last included
	From, To   int        // orders of the catalog, or vectors of the coverage
	Weights    [6]float64 // of PieceWeights
	Work       int        // simulations

	train bool // of the training weeks together
}

// Found is what xNES found.
type Found struct {
	Weights     []float64 `json:"weights"`
	Value       float64   `json:"value"` // without penalty; over several weeks the sum
	Evaluations int       `json:"evaluations"`
	Trace       []Better  `json:"trace"`
}

// Better is a moment of a search at which the best became better.
type Better struct {
	Evaluations int     `json:"evaluations"`
	Value       float64 `json:"value"`
}

// Answer is what a piece gave.
type Answer struct {
	Piece  int       // its place in the list
	Values []float64 // week by week; fewer than asked for when it was cancelled, NaN in weeks without jobs
	Found  *Found    // of xNES
}

// PieceNews is news of pieces under way.
type PieceNews struct {
	Answers []Answer
	Done    float64 // simulations so far
	Seconds float64 // since the beginning
	Err     error   // why it cannot go on
	Over    bool
}
