// Package windows plans a search for queue orders over the windows of a
// workload, weeks as a rule, and computes what follows from its results: what
// it consists of, as pieces that may be done in any order, by whoever simulates,
// and which way of choosing an order would have been how good (Legrand, Trystram
// and Zrigui 2018). It simulates nothing itself; core/lab does a piece.
package windows

import (
	"fmt"
	"math"
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/learn"
	"batchlab/core/model"
	"batchlab/core/search"
)

// Week is one window of a search.
type Week struct {
	Number int        `json:"number"` // from 1
	Index  int        `json:"index"`  // counted from the search's origin
	From   model.Time `json:"from"`
	To     model.Time `json:"to"`
	Jobs   int        `json:"jobs"` // 0: nothing can be compared there
}

// Search is a search and what it has found so far. Prepare makes it ready, Take
// enters answers.
type Search struct {
	Doc      experiment.Experiment // what it is of; search settings filled in
	Most     int                   // values that may be kept of a coverage; 0: any number
	UnderWay bool                  // answers are still to come
	Version  int                   // grows with every answer

	Weeks    []Week
	Orders   []string         // names of the candidates of Pure, the own formula last
	Pure     *learn.Table     // pure orders, in the catalog's order
	Coverage *search.Coverage // nil: the search has none
	Cover    *learn.Table     // its vectors
	Found    []*Found         // of xNES by week, nil where there is none
	Trained  *Found           // of xNES over the training weeks
	After    []float64        // of xNES: what the weights of the last week with jobs give, NaN none
	Fixed    []float64        // of xNES: what Trained gives in each week, NaN unknown

	kept *results
	grid *Grid
}

// Params are the search settings of a document, the default ones when it has
// none.
func Params(e *experiment.Experiment) experiment.Params {
	if e.Search == nil {
		return experiment.Defaults(catalog.SearchParams)
	}
	return e.Search
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

	Train bool // of the training weeks together
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

// Sizes of pieces: about a quarter of a second of work each, so that a cancel
// and a run that is asked for meanwhile need not wait long.
const (
	weeksAPiece   = 8
	vectorsAPiece = 512
)

// Whole is a setting that is a whole number.
func (r *Search) Whole(key string) int {
	v, _ := r.Doc.Search.Int(key)
	return int(v)
}

// Covers and Evolves say by which methods the search looks for weights.
func (r *Search) Covers() bool {
	m := r.Doc.Search.Text("method")
	return m == "coverage" || m == "both"
}

func (r *Search) Evolves() bool {
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

// Prepare makes room for the results once the weeks are known. Errors are of
// type experiment.Error, with the path of the setting that is at fault.
func (r *Search) Prepare() error {
	weeks := len(r.Weeks)
	if split := r.Doc.Search.Text("split"); split != "halves" && weeks < 65 {
		return experiment.Error{Path: "search.split", Message: fmt.Sprintf("needs at least 65 windows; there are %d", weeks)}
	}
	for _, o := range catalog.Orders {
		r.Orders = append(r.Orders, o.Name)
	}
	if r.Doc.Search.Text("formula") != "" {
		r.Orders = append(r.Orders, "own")
	}
	r.Pure = learn.NewTable(weeks, len(r.Orders))
	if r.Covers() {
		cover, err := search.NewCoverage(r.Features(), r.Whole("points"))
		if err == nil && r.Most > 0 && cover.Len()*weeks > r.Most {
			err = fmt.Errorf("%d weights in %s are more than a page can hold: take fewer points, or fewer windows",
				cover.Len(), plural(weeks, "window"))
		}
		if err != nil {
			return experiment.Error{Path: "search.points", Message: err.Error()}
		}
		r.Coverage, r.Cover = cover, learn.NewTable(weeks, cover.Len())
	}
	if r.Evolves() {
		r.Found = make([]*Found, weeks)
		r.After, r.Fixed = unknown(weeks), unknown(weeks)
	}
	return nil
}

func unknown(n int) []float64 { return slices.Repeat([]float64{math.NaN()}, n) }

// Phase is a part of a search whose pieces may be done in any order. Pieces
// are made when it begins, since they may depend on the results before.
type Phase struct {
	Name   string
	Work   int // simulations
	Pieces func() []Piece
}

// Phases are the parts of the search in their order.
func (r *Search) Phases() []Phase {
	busy := r.Busy()
	orders := len(catalog.Orders)
	list := []Phase{{"pure orders", orders * len(r.Weeks), func() []Piece {
		return r.ranges(Piece{Kind: PiecePure, To: orders}, orders, weeksAPiece)
	}}}
	if len(r.Orders) > orders {
		list = append(list, Phase{"own order", len(r.Weeks), func() []Piece { return r.ranges(Piece{Kind: PieceFormula}, 1, 8*weeksAPiece) }})
	}
	if r.Cover != nil {
		n := r.Cover.Candidates()
		list = append(list, Phase{"uniform coverage", n * len(busy), func() (pieces []Piece) {
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
		budget := r.Whole("budget")
		train, _ := r.Split()
		list = append(list, Phase{"xNES", budget * (len(busy) + len(train)), func() (pieces []Piece) {
			if len(train) > 0 { // the longest first
				pieces = append(pieces, Piece{Kind: PieceXNES, Week: train[0], Last: train[len(train)-1], Work: budget * len(train), Train: true})
			}
			for _, w := range busy {
				pieces = append(pieces, Piece{Kind: PieceXNES, Week: w, Last: w, Work: budget})
			}
			return pieces
		}}, Phase{"learned weights", len(busy) - 1 + len(r.Weeks), r.afterwards})
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
		p := Piece{Kind: PieceWeights, Train: true}
		copy(p.Weights[:], r.Trained.Weights)
		pieces = append(pieces, r.ranges(p, 1, 8*weeksAPiece)...)
	}
	return pieces
}

// Take enters the answer of a piece.
func (r *Search) Take(p *Piece, a *Answer) error {
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
		case p.Train:
			r.Trained = a.Found
		default:
			r.Found[p.Week] = a.Found
		}
	case PieceWeights:
		into := r.After
		if p.Train {
			into = r.Fixed
		}
		for i, v := range a.Values {
			into[p.Week+i] = v
		}
	}
	return nil
}
