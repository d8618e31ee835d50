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
	text    string
	doc     experiment.Experiment
	pieces  []engine.Piece
	answers []engine.Answer
	news    func(engine.PieceNews) // nil when the last has been told
}

// Pieces implements engine.Searcher.
func (p *Pool) Pieces(e experiment.Experiment, pieces []engine.Piece, news func(engine.PieceNews)) (cancel func()) {
	s := &searched{spread: newSpread(p, len(pieces)), doc: e, pieces: pieces, news: news}
	s.next, s.send = s.piece, s.told
	s.over = func() bool { return len(s.open) == 0 && (s.stopped || len(s.todo) == 0) }
	text, err := searchText(e)
	s.text = text
	p.host.After(0, func() {
		s.fault = err
		s.feed()
	})
	return s.stop
}

// piece hands out the next piece.
func (s *searched) piece() bool {
	unit := s.take(s.todo[0].From + 1)
	i := unit.From
	piece := &s.pieces[i]
	t := &task{small: true, studies: true, request: bridge.Request{Kind: bridge.Search, Experiment: s.text, Piece: bridge.Piece{
		Kind: piece.Kind, Week: piece.Week, Last: piece.Last, From: piece.From, To: piece.To, Weights: piece.Weights}}}
	if err := s.pool.attach(t, &s.doc); err != nil {
		s.fail(err)
		return false
	}
	t.end = func(reply bridge.Reply, buffers []Buffer, err error) { s.end(t, i, reply, buffers, err) }
	s.hand(t, unit, float64(piece.Work))
	return true
}

// end takes the answer of a piece.
func (s *searched) end(t *task, i int, reply bridge.Reply, buffers []Buffer, err error) {
	close := func(a *engine.Answer, err error) {
		switch {
		case err == errCancelled:
		case err != nil:
			s.fail(err)
		default:
			s.answers = append(s.answers, *a)
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

// told tells the news that have come in.
func (s *searched) told() {
	news := s.news
	if news == nil {
		return
	}
	n := engine.PieceNews{Answers: s.answers, Done: s.finished(), Seconds: (s.pool.host.Now() - s.began) / 1000, Err: s.fault, Over: s.over()}
	if s.answers = nil; n.Over {
		s.news = nil // nothing comes behind the last
	}
	news(n)
}
