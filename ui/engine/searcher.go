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
	// answers in any order, a few times a second. The last news has Over.
	Pieces(e experiment.Experiment, pieces []Piece, news func(News)) Control
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
