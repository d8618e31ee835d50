package engine

import (
	"batchlab/core/experiment"
	"batchlab/core/windows"
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

// What a search consists of and gives; see core/windows.
type (
	Week     = windows.Week
	Piece    = windows.Piece
	Found    = windows.Found
	Better   = windows.Better
	Answer   = windows.Answer
	Strategy = windows.Strategy
	Grid     = windows.Grid
)

// Kinds of Piece.
const (
	PiecePure     = windows.PiecePure
	PieceFormula  = windows.PieceFormula
	PieceCoverage = windows.PieceCoverage
	PieceWeights  = windows.PieceWeights
	PieceXNES     = windows.PieceXNES
)

// PieceNews is news of pieces under way.
type PieceNews struct {
	Answers []Answer
	Done    float64 // simulations so far
	Seconds float64 // since the beginning
	Err     error   // why it cannot go on
	Over    bool
}
