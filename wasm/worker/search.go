//go:build js && wasm && !small

package worker

import (
	"encoding/json"
	"errors"
	"math"
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/core/expr"
	"batchlab/core/lab"
	"batchlab/core/mixed"
	"batchlab/core/policy"
	"batchlab/wasm/bridge"
)

// searched is the search that a worker keeps between its pieces.
type searched struct {
	text    string // of the experiment
	doc     *experiment.Experiment
	lab     *mixed.Lab
	formula *expr.Program
}

// search does a piece of a search, or lists the windows.
func (w *worker) search(m message) (reply bridge.Reply, buffers []js.Value, err error) {
	s, err := w.openSearch(m)
	if err != nil {
		return reply, nil, err
	}
	if m.Piece.Kind == "" {
		reply.Weeks, err = json.Marshal(s.lab.Weeks())
		return reply, nil, err
	}
	w.yield()
	if w.cancelled[m.ID] {
		return reply, nil, errCancelled
	}
	values, found, err := s.piece(m, w.watch(m.ID))
	if err != nil && !errors.Is(err, mixed.ErrCancelled) {
		return reply, nil, err
	}
	if found != nil && len(found.Weights) > 0 {
		if reply.Found, err = json.Marshal(found); err != nil {
			return reply, nil, err
		}
	}
	return reply, []js.Value{bridge.PackValues(values).ToJS()}, nil
}

// openSearch cuts the workload of a request into its windows.
func (w *worker) openSearch(m message) (*searched, error) {
	if s := w.cache.searched; s != nil && s.text == m.Experiment {
		return s, nil
	}
	w.cache.searched = nil
	doc, err := experiment.Decode([]byte(m.Experiment))
	if err != nil {
		return nil, err
	}
	s := &searched{text: m.Experiment, doc: doc}
	if text := doc.Search.Text("formula"); text != "" {
		if s.formula, err = policy.NewFormula(text); err != nil {
			return nil, err
		}
	}
	s.lab, err = lab.Search(doc, w.env(m))
	if err != nil {
		return nil, err
	}
	w.cache.searched = s
	return s, nil
}

// piece does a piece and returns its values, fewer when it was cancelled.
func (s *searched) piece(m message, progress func(done, total int) bool) (values []float64, found *mixed.Found, err error) {
	p := &m.Piece
	weeks := s.lab.Weeks()
	if p.Week >= len(weeks) || p.Last >= len(weeks) {
		return nil, nil, errors.New("the search has no such week")
	}
	settings := s.doc.Search
	whole := func(key string) int { v, _ := settings.Int(key); return int(v) }
	switch p.Kind {
	case bridge.PieceXNES:
		var list []int
		for w := p.Week; w <= p.Last; w++ {
			if weeks[w].Jobs > 0 {
				list = append(list, w)
			}
		}
		penalty, _ := settings.Number("penalty")
		found, err := s.lab.Find(list, mixed.Search{Budget: whole("budget"), Seed: s.doc.Seed, Lambda: penalty}, progress)
		return nil, found, err
	}
	each := p.To - p.From
	chunk := mixed.Chunk{Kind: mixed.KindPure, From: p.From, To: p.To}
	switch p.Kind {
	case bridge.PieceFormula:
		each = 1
		chunk = mixed.Chunk{Kind: mixed.KindFormula, Formula: s.formula}
	case bridge.PieceWeights:
		each = 1
		chunk = mixed.Chunk{Kind: mixed.KindVectors, Vectors: [][]float64{p.Weights[:s.lab.Settings().Features]}}
	case bridge.PieceCoverage:
		chunk.Kind, chunk.Points = mixed.KindCoverage, whole("points")
	}
	total := each * (p.Last - p.Week + 1)
	value := func(week int) ([]float64, error) {
		done := len(values)
		chunk.Week = week
		a, err := s.lab.Do(chunk, func(n, _ int) bool { return progress(done+n, total) })
		return a.Values, err
	}
	for w := p.Week; w <= p.Last; w++ {
		if weeks[w].Jobs == 0 {
			for range each {
				values = append(values, math.NaN())
			}
			continue
		}
		v, err := value(w)
		if errors.Is(err, mixed.ErrCancelled) {
			return append(values, v...), nil, err
		}
		if err != nil {
			return nil, nil, err
		}
		values = append(values, v...)
	}
	return values, nil, nil
}
