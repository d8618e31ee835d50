package windows

import "batchlab/core/catalog"

// Items is the number of parts that a search falls into when nobody can tell
// another what has come out: one for each window, and one that learns weights on
// the training windows together, where the search does that.
func (r *Search) Items() int {
	n := len(r.Weeks)
	if train, _ := r.Split(); r.Evolves() && len(train) > 0 {
		n++
	}
	return n
}

// Work is the number of simulations of an item, at most.
func (r *Search) Work(item int) int {
	n, budget := len(r.Orders), r.Whole("budget")
	if item == len(r.Weeks) {
		train, _ := r.Split()
		return budget*len(train) + len(r.Weeks)
	}
	if r.Weeks[item].Jobs == 0 {
		return n
	}
	if r.Cover != nil {
		n += r.Cover.Candidates()
	}
	if r.Found != nil {
		n += budget + 1
	}
	return n
}

// Item does an item of a search that is prepared: do does a piece. It calls
// keep for each piece with its answer; entered by Take, the answers of all items
// make the same search as those of all Phases.
func (r *Search) Item(item int, do func(Piece) (Answer, error), keep func(Piece, Answer)) error {
	one := func(p Piece) (Answer, error) {
		a, err := do(p)
		if err == nil {
			keep(p, a)
		}
		return a, err
	}
	if item == len(r.Weeks) {
		train, _ := r.Split()
		a, err := one(Piece{Kind: PieceXNES, Week: train[0], Last: train[len(train)-1], Work: r.Whole("budget") * len(train), Train: true})
		if err != nil || a.Found == nil {
			return err
		}
		p := Piece{Kind: PieceWeights, Week: 0, Last: len(r.Weeks) - 1, Work: len(r.Weeks), Train: true}
		copy(p.Weights[:], a.Found.Weights)
		_, err = one(p)
		return err
	}
	orders := len(catalog.Orders)
	pieces := []Piece{{Kind: PiecePure, To: orders, Work: orders}}
	if len(r.Orders) > orders {
		pieces = append(pieces, Piece{Kind: PieceFormula, Work: 1})
	}
	busy := r.Weeks[item].Jobs > 0
	if r.Cover != nil && busy {
		for from, n := 0, r.Cover.Candidates(); from < n; from += vectorsAPiece {
			to := min(from+vectorsAPiece, n)
			pieces = append(pieces, Piece{Kind: PieceCoverage, From: from, To: to, Work: to - from})
		}
	}
	for _, p := range pieces {
		p.Week, p.Last = item, item
		if _, err := one(p); err != nil {
			return err
		}
	}
	if r.Found == nil || !busy {
		return nil
	}
	a, err := one(Piece{Kind: PieceXNES, Week: item, Last: item, Work: r.Whole("budget")})
	if err != nil || a.Found == nil {
		return err
	}
	for next := item + 1; next < len(r.Weeks); next++ {
		if r.Weeks[next].Jobs > 0 {
			p := Piece{Kind: PieceWeights, Week: next, Last: next, Work: 1}
			copy(p.Weights[:], a.Found.Weights)
			_, err = one(p)
			return err
		}
	}
	return nil
}
