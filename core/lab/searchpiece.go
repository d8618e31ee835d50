//go:build !small

package lab

import (
	"errors"
	"fmt"
	"math"

	"batchlab/core/experiment"
	"batchlab/core/expr"
	"batchlab/core/mixed"
	"batchlab/core/policy"
	"batchlab/core/windows"
)

// Searcher does pieces of a search, one at a time.
type Searcher struct {
	doc     *experiment.Experiment
	lab     *mixed.Lab
	formula *expr.Program
}

// NewSearcher cuts the workload of a document into the windows of its search.
func NewSearcher(doc *experiment.Experiment, env Env) (*Searcher, error) {
	doc = doc.Clone()
	doc.Search = windows.Params(doc)
	s := &Searcher{doc: doc}
	var err error
	if text := doc.Search.Text("formula"); text != "" {
		if s.formula, err = policy.NewFormula(text); err != nil {
			return nil, err
		}
	}
	s.lab, err = Search(doc, env)
	return s, err
}

// Weeks lists the windows.
func (s *Searcher) Weeks() []windows.Week {
	var list []windows.Week
	for _, w := range s.lab.Weeks() {
		list = append(list, windows.Week(w))
	}
	return list
}

// Do does a piece and returns its values: fewer, with mixed.ErrCancelled, when
// progress, which is told after each simulation, asked to stop.
func (s *Searcher) Do(p windows.Piece, progress func(done, total int) bool) (values []float64, found *windows.Found, err error) {
	weeks := s.lab.Weeks()
	if p.Week < 0 || p.Week >= len(weeks) || p.Last >= len(weeks) {
		return nil, nil, errors.New("the search has no such week")
	}
	if progress == nil {
		progress = func(int, int) bool { return true }
	}
	whole := func(key string) int { v, _ := s.doc.Search.Int(key); return int(v) }
	each := p.To - p.From
	chunk := mixed.Chunk{Kind: mixed.KindPure, From: p.From, To: p.To}
	switch p.Kind {
	case windows.PieceXNES:
		var list []int
		for w := p.Week; w <= p.Last; w++ {
			if weeks[w].Jobs > 0 {
				list = append(list, w)
			}
		}
		penalty, _ := s.doc.Search.Number("penalty")
		f, err := s.lab.Find(list, mixed.Search{Budget: whole("budget"), Seed: s.doc.Seed, Lambda: penalty}, progress)
		if f == nil || len(f.Weights) == 0 {
			return nil, nil, err
		}
		found := &windows.Found{Weights: f.Weights, Value: f.Value, Evaluations: f.Evaluations}
		for _, step := range f.Trace {
			found.Trace = append(found.Trace, windows.Better(step))
		}
		return nil, found, err
	case windows.PiecePure:
	case windows.PieceFormula:
		each, chunk = 1, mixed.Chunk{Kind: mixed.KindFormula, Formula: s.formula}
	case windows.PieceWeights:
		each, chunk = 1, mixed.Chunk{Kind: mixed.KindVectors, Vectors: [][]float64{p.Weights[:s.lab.Settings().Features]}}
	case windows.PieceCoverage:
		chunk.Kind, chunk.Points = mixed.KindCoverage, whole("points")
	default:
		return nil, nil, fmt.Errorf("a search has no piece called %q", p.Kind)
	}
	total := each * (p.Last - p.Week + 1)
	for w := p.Week; w <= p.Last; w++ {
		if weeks[w].Jobs == 0 {
			for range each {
				values = append(values, math.NaN())
			}
			continue
		}
		done := len(values)
		chunk.Week = w
		a, err := s.lab.Do(chunk, func(n, _ int) bool { return progress(done+n, total) })
		if err != nil && !errors.Is(err, mixed.ErrCancelled) {
			return nil, nil, err
		}
		if values = append(values, a.Values...); err != nil {
			return values, nil, err
		}
	}
	return values, nil, nil
}
