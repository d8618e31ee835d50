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

// gatherFor is how long answers of a search are gathered before they are told,
// in milliseconds; progress is told this often at most.
const gatherFor = 120

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

// sweep is the pieces of a search under way. Only two for each worker are handed
// out at a time, so that a run that is asked for meanwhile finds one soon.
type sweep struct {
	pool    *Pool
	text    string
	doc     experiment.Experiment
	pieces  []engine.Piece
	next    int
	open    map[int]*task
	partial map[int]float64 // simulations of open pieces
	done    float64
	answers []engine.Answer
	began   float64
	timer   bool
	stopped bool
	fault   error
	news    func(engine.PieceNews)
}

// Pieces implements engine.Searcher.
func (p *Pool) Pieces(e experiment.Experiment, pieces []engine.Piece, news func(engine.PieceNews)) (cancel func()) {
	s := &sweep{pool: p, doc: e, pieces: pieces, open: map[int]*task{}, partial: map[int]float64{}, began: p.host.Now(), news: news}
	text, err := searchText(e)
	s.text = text
	p.host.After(0, func() {
		if err != nil {
			s.fail(err)
		}
		s.feed()
	})
	return s.cancel
}

func (s *sweep) cancel() {
	if s.stopped {
		return
	}
	s.stopped = true
	for _, t := range s.open {
		s.pool.cancel(t)
	}
	s.tell()
}

func (s *sweep) fail(err error) {
	if s.fault == nil {
		s.fault = err
	}
	s.cancel()
}

// feed queues pieces while workers have room.
func (s *sweep) feed() {
	for !s.stopped && s.next < len(s.pieces) && len(s.open) < 2*s.pool.size {
		i := s.next
		s.next++
		piece := &s.pieces[i]
		t := &task{small: true, studies: true, request: bridge.Request{Kind: bridge.Search, Experiment: s.text, Piece: bridge.Piece{
			Kind: piece.Kind, Week: piece.Week, Last: piece.Last, From: piece.From, To: piece.To, Weights: piece.Weights}}}
		if err := s.pool.attach(t, &s.doc); err != nil {
			s.fail(err)
			break
		}
		t.progress = func(done, total int) {
			if total > 0 {
				s.partial[i] = float64(piece.Work) * float64(done) / float64(total)
				s.tell()
			}
		}
		t.end = func(reply bridge.Reply, buffers []Buffer, err error) { s.end(i, reply, buffers, err) }
		s.open[i] = t
		s.pool.submit(t, false)
	}
	if s.over() {
		s.tell()
	}
}

func (s *sweep) over() bool { return len(s.open) == 0 && (s.stopped || s.next == len(s.pieces)) }

// end takes the answer of a piece.
func (s *sweep) end(i int, reply bridge.Reply, buffers []Buffer, err error) {
	close := func(a *engine.Answer, err error) {
		delete(s.open, i)
		delete(s.partial, i)
		switch {
		case err == errCancelled:
		case err != nil:
			s.fail(err)
		default:
			s.answers = append(s.answers, *a)
			s.done += float64(s.pieces[i].Work)
		}
		s.tell()
		s.feed()
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

// tell tells the news soon, together with those that come until then.
func (s *sweep) tell() {
	if s.timer {
		return
	}
	s.timer = true
	s.pool.host.After(gatherFor, func() {
		s.timer = false
		n := engine.PieceNews{Answers: s.answers, Done: s.done, Seconds: (s.pool.host.Now() - s.began) / 1000, Err: s.fault, Over: s.over()}
		for _, v := range s.partial {
			n.Done += v
		}
		s.answers = nil
		if s.news != nil {
			news := s.news
			if n.Over {
				s.news = nil // nothing comes behind the last
			}
			news(n)
		}
	})
}
