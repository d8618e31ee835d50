package pool

import (
	"encoding/json"
	"errors"
	"fmt"

	"batchlab/core/experiment"
	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

var _ engine.Searcher = (*Pool)(nil)

// searchText is the document that goes along with the pieces of a search: what
// does not matter to it is made alike, so that workers need not cut the
// workload again.
func searchText(e experiment.Experiment) (string, error) {
	e.Title, e.Expect, e.Schedulers, e.Vary = "", "", nil, nil
	e.Workload.Window = experiment.Window{}
	e.Measures = experiment.Measures{Tau: e.Measures.Tau}
	if _, err := e.Add("fcfs"); err != nil {
		return "", err
	}
	return string(experiment.Encode(&e)), nil
}

// Weeks implements engine.Searcher. Every worker cuts the workload at once, since
// all of them will need it; the first answer counts.
func (p *Pool) Weeks(e experiment.Experiment, done func([]engine.Week, error)) {
	text, err := searchText(e)
	told := false
	for range p.size {
		t := &task{studies: true, request: bridge.Request{Kind: bridge.Search, Experiment: text}}
		if err == nil {
			err = p.attach(t, &e)
		}
		if err != nil {
			p.host.After(0, func() { done(nil, err) })
			return
		}
		t.end = func(reply bridge.Reply, _ []Buffer, err error) {
			if told {
				return
			}
			told = true
			var weeks []engine.Week
			if err == nil {
				err = json.Unmarshal(reply.Weeks, &weeks)
			}
			done(weeks, err)
		}
		p.submit(t, true)
	}
}

// searched is the pieces of a search under way.
type searched struct {
	spread
	pieces []engine.Piece
}

// Pieces implements engine.Searcher.
func (p *Pool) Pieces(e experiment.Experiment, pieces []engine.Piece, news func(engine.News)) engine.Control {
	s := &searched{pieces: pieces}
	text, err := searchText(e)
	s.spread = spreadOf(p, supply{doc: e, text: text, studies: true}, len(pieces), news)
	s.next, s.settle, s.never, s.stopped = s.piece, func() {}, err, true
	s.GoOn()
	return s
}

// piece hands out the next piece.
func (s *searched) piece() bool {
	unit := s.take(s.todo[0].From + 1)
	i := unit.From
	piece := &s.pieces[i]
	t := s.task(bridge.Request{Kind: bridge.Search, Piece: bridge.Piece{
		Kind: piece.Kind, Week: piece.Week, Last: piece.Last, From: piece.From, To: piece.To, Weights: piece.Weights}})
	t.small = true
	t.end = func(reply bridge.Reply, buffers []Buffer, err error) { s.end(t, i, reply, buffers, err) }
	s.hand(t, unit, float64(piece.Work))
	return true
}

// end takes the answer of a piece.
func (s *searched) end(t *task, i int, reply bridge.Reply, buffers []Buffer, err error) {
	close := func(a *engine.Answer, err error) {
		switch {
		case err == errCancelled:
			s.back(s.units[t])
		case err != nil:
			s.fail(err)
		default:
			s.news.Answers = append(s.news.Answers, *a)
			s.done += float64(s.pieces[i].Work)
		}
		s.closed(t)
	}
	if err == nil && len(buffers) < 1 {
		err = errShort
	}
	if err != nil {
		close(nil, err)
		return
	}
	s.pool.host.Copy(buffers[0], func(memory []byte) {
		a := engine.Answer{Piece: i}
		var err error
		if a.Values, err = bridge.UnpackValues(memory); err == nil && reply.Found != nil {
			a.Found = &engine.Found{}
			if json.Unmarshal(reply.Found, a.Found) != nil {
				err = errors.New("the simulation worker sent a result that cannot be read")
			}
		}
		if err == nil && len(a.Values) > expected(&s.pieces[i]) {
			err = fmt.Errorf("the simulation worker sent %d values instead of %d", len(a.Values), expected(&s.pieces[i]))
		}
		close(&a, err)
	})
}

// expected is how many values a piece has.
func expected(p *engine.Piece) int {
	weeks := p.Last - p.Week + 1
	switch p.Kind {
	case engine.PiecePure, engine.PieceCoverage:
		return weeks * (p.To - p.From)
	case engine.PieceXNES:
		return 0
	}
	return weeks
}
