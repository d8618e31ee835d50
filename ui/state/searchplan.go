package state

import (
	"fmt"
	"math"

	"batchlab/core/catalog"
	"batchlab/core/learn"
	"batchlab/core/search"
	"batchlab/ui/words"
)

// Sizes of pieces: about a quarter of a second of work each, so that a cancel
// and a run that is asked for meanwhile need not wait long.
const (
	weeksAPiece   = 8
	vectorsAPiece = 512
)

func (r *Search) whole(key string) int {
	v, _ := r.Doc.Search.Int(key)
	return int(v)
}

// covers and evolves say by which methods the search looks for weights.
func (r *Search) covers() bool {
	m := r.Doc.Search.Text("method")
	return m == "coverage" || m == "both"
}

func (r *Search) evolves() bool {
	m := r.Doc.Search.Text("method")
	return m == "xnes" || m == "both"
}

// Features is how many features a mixed order of the search weighs: 3 or 6.
func (r *Search) Features() int {
	if r.Doc.Search.Text("features") == "6" {
		return 6
	}
	return 3
}

// prepare makes room for the results once the weeks are known. Faults name
// their field.
func (r *Search) prepare() error {
	weeks := len(r.Weeks)
	if split := r.Doc.Search.Text("split"); split != "halves" && weeks < 65 {
		return fieldError{"search.split", fmt.Sprintf("needs at least 65 windows; there are %d", weeks)}
	}
	for _, o := range catalog.Orders {
		r.Orders = append(r.Orders, o.Name)
	}
	if r.Doc.Search.Text("formula") != "" {
		r.Orders = append(r.Orders, "own")
	}
	r.Pure = learn.NewTable(weeks, len(r.Orders))
	if r.covers() {
		cover, err := search.NewCoverage(r.Features(), r.whole("points"))
		if err == nil && cover.Len()*weeks > maxValues {
			err = fmt.Errorf("%s weights in %s are more than a page can hold: take fewer points, or fewer windows",
				words.Int(cover.Len()), words.Count(weeks, "window", "windows"))
		}
		if err != nil {
			return fieldError{"search.points", err.Error()}
		}
		r.Coverage, r.Cover = cover, learn.NewTable(weeks, cover.Len())
	}
	if r.evolves() {
		r.Found = make([]*Found, weeks)
		r.After, r.Fixed = unknown(weeks), unknown(weeks)
	}
	return nil
}

func unknown(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = math.NaN()
	}
	return v
}

// drawEvery is how many seconds pass between drawings of a search under way:
// they take time that the workers want too.
const drawEvery = 1.0

// phase is a part of a search whose pieces may be done in any order. Pieces
// are made when it begins, since they may depend on the results before.
type phase struct {
	name   string
	work   int // simulations
	pieces func() []Piece
}

// phases are the parts of the search in their order.
func (r *Search) phases() []phase {
	busy := r.Busy()
	orders := len(catalog.Orders)
	list := []phase{{"pure orders", orders * len(r.Weeks), func() []Piece {
		return r.ranges(Piece{Kind: PiecePure, To: orders}, orders, weeksAPiece)
	}}}
	if len(r.Orders) > orders {
		list = append(list, phase{"own order", len(r.Weeks), func() []Piece { return r.ranges(Piece{Kind: PieceFormula}, 1, 8*weeksAPiece) }})
	}
	if r.Cover != nil {
		n := r.Cover.Candidates()
		list = append(list, phase{"uniform coverage", n * len(busy), func() (pieces []Piece) {
			if each := vectorsAPiece / n; each > 1 {
				return r.ranges(Piece{Kind: PieceCoverage, To: n}, n, each)
			}
			for _, w := range busy {
				for from := 0; from < n; from += vectorsAPiece {
					to := min(from+vectorsAPiece, n)
					pieces = append(pieces, Piece{Kind: PieceCoverage, Week: w, Last: w, From: from, To: to, Work: to - from})
				}
			}
			return pieces
		}})
	}
	if r.Found != nil {
		budget := r.whole("budget")
		train, _ := r.Split()
		list = append(list, phase{"xNES", budget * (len(busy) + len(train)), func() (pieces []Piece) {
			if len(train) > 0 { // the longest first
				pieces = append(pieces, Piece{Kind: PieceXNES, Week: train[0], Last: train[len(train)-1], Work: budget * len(train), train: true})
			}
			for _, w := range busy {
				pieces = append(pieces, Piece{Kind: PieceXNES, Week: w, Last: w, Work: budget})
			}
			return pieces
		}}, phase{"learned weights", len(busy) - 1 + len(r.Weeks), r.afterwards})
	}
	return list
}

// ranges splits the weeks for a kind of piece: each takes so many simulations a
// week.
func (r *Search) ranges(p Piece, each, weeks int) (pieces []Piece) {
	for w := 0; w < len(r.Weeks); w += weeks {
		p.Week, p.Last = w, min(w+weeks, len(r.Weeks))-1
		p.Work = (p.Last - p.Week + 1) * each
		pieces = append(pieces, p)
	}
	return pieces
}

// afterwards tries what xNES found in a week in the next one, and what it found
// in the training weeks in all.
func (r *Search) afterwards() (pieces []Piece) {
	var last *Found
	for _, w := range r.Busy() {
		if last != nil {
			p := Piece{Kind: PieceWeights, Week: w, Last: w, Work: 1}
			copy(p.Weights[:], last.Weights)
			pieces = append(pieces, p)
		}
		last = r.Found[w]
	}
	if r.Trained != nil {
		p := Piece{Kind: PieceWeights, train: true}
		copy(p.Weights[:], r.Trained.Weights)
		pieces = append(pieces, r.ranges(p, 1, 8*weeksAPiece)...)
	}
	return pieces
}

// sweep has the phases from number at on done, one after the other.
func (s *Store) sweep(r *Search, phases []phase, at int) {
	r.Total = 0
	for _, p := range phases {
		r.Total += float64(p.work)
	}
	if at == len(phases) || r.Status != Running {
		s.endSearch(r, nil)
		return
	}
	p := &phases[at]
	pieces := p.pieces()
	if len(pieces) == 0 {
		s.sweep(r, phases, at+1)
		return
	}
	r.Phase = p.name
	before, spent := r.Done, r.Seconds
	s.stopSearch = s.engine.(Searcher).Pieces(clone(&r.Doc), pieces, func(n PieceNews) {
		if s.search != r {
			return
		}
		r.Done, r.Seconds = before+n.Done, spent+n.Seconds
		if r.Left = 0; r.Done > 0 && r.Seconds > 0.3 && r.Status == Running {
			r.Left = r.Seconds * max(0, r.Total-r.Done) / r.Done
		}
		var fault error
		for _, a := range n.Answers {
			if err := r.take(&pieces[a.Piece], &a); err != nil && fault == nil {
				fault = err
			}
		}
		if n.Err != nil {
			fault = n.Err
		}
		switch {
		case fault != nil && s.stopSearch != nil && !n.Over:
			s.stopSearch()
			fallthrough
		case fault != nil:
			s.endSearch(r, fault)
		case n.Over:
			s.sweep(r, phases, at+1)
			s.touch()
		case len(n.Answers) > 0 && r.Seconds > r.drawn+drawEvery:
			r.drawn = r.Seconds
			s.touch()
		default:
			s.progress()
		}
	})
}

// take enters the answer of a piece.
func (r *Search) take(p *Piece, a *Answer) error {
	r.Version++
	switch p.Kind {
	case PieceCoverage, PiecePure, PieceFormula:
		from, n, into := p.From, p.To-p.From, r.Pure
		switch p.Kind {
		case PieceCoverage:
			into = r.Cover
		case PieceFormula:
			from, n = len(catalog.Orders), 1
		}
		for i := 0; i < len(a.Values); i += n { // the last week may have been cut short
			if w := p.Week + i/n; r.Weeks[w].Jobs > 0 {
				if err := into.Put(w, from, a.Values[i:min(i+n, len(a.Values))]); err != nil {
					return err
				}
			}
		}
	case PieceXNES:
		switch {
		case a.Found == nil: // stopped before the first try
		case len(a.Found.Weights) != r.Features():
			return fmt.Errorf("the simulation worker sent %d weights", len(a.Found.Weights))
		case p.train:
			r.Trained = a.Found
		default:
			r.Found[p.Week] = a.Found
		}
	case PieceWeights:
		into := r.After
		if p.train {
			into = r.Fixed
		}
		for i, v := range a.Values {
			into[p.Week+i] = v
		}
	}
	return nil
}
