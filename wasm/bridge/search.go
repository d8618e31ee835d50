package bridge

import "fmt"

// Kinds of pieces of a search.
const (
	PiecePure     = "pure"     // orders From … To − 1 of the catalog in weeks Week … Last
	PieceFormula  = "formula"  // the search's own formula in weeks Week … Last
	PieceCoverage = "coverage" // vectors From … To − 1 of its coverage in weeks Week … Last
	PieceWeights  = "weights"  // the vector Weights in weeks Week … Last
	PieceXNES     = "xnes"     // a search by xNES over weeks Week … Last together
)

// Piece is a part of a search that one worker does at a time. All else that it
// depends on stands in the experiment. A week is a place in the list of weeks.
type Piece struct {
	Kind string `json:"kind,omitempty"`
	Week int    `json:"week,omitempty"`
	Last int    `json:"last,omitempty"` // of a range of weeks, included
	From int    `json:"from,omitempty"`
	To   int    `json:"to,omitempty"`

	Weights [6]float64 `json:"weights,omitzero"`
}

// check refuses what no worker could do.
func (p *Piece) check() error {
	switch p.Kind {
	case "", PiecePure, PieceFormula, PieceCoverage, PieceWeights, PieceXNES:
	default:
		return fmt.Errorf("bridge: search: no piece is called %q", p.Kind)
	}
	if p.Week < 0 || p.Last < 0 || p.From < 0 || p.To < p.From {
		return fmt.Errorf("bridge: search: weeks %d … %d, orders %d … %d", p.Week, p.Last, p.From, p.To)
	}
	return nil
}

// magicValues begins memory that holds values of a search.
const magicValues uint64 = 0x316c61766c626162 // "bablval1"

// PackValues packs values of a search: mean bounded slowdowns, or weights.
func PackValues(v []float64) Packed {
	w := writer{magic: magicValues}
	add(&w, v)
	return w.packed()
}

// UnpackValues reads what PackValues wrote. The result aliases columns.
func UnpackValues(columns []byte) ([]float64, error) {
	in, err := newReader(columns, magicValues)
	if err != nil {
		return nil, fmt.Errorf("bridge: values: %w", err)
	}
	var v []float64
	take(in, &v)
	if err := in.end(); err != nil {
		return nil, fmt.Errorf("bridge: values: %w", err)
	}
	return v, nil
}
