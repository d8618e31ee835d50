//go:build js && wasm && !small

package worker

import (
	"encoding/json"
	"errors"
	"syscall/js"

	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/mixed"
	"batchlab/core/windows"
	"batchlab/wasm/bridge"
)

// searched is the search that a worker keeps between its pieces.
type searched struct {
	text string // of the experiment
	*lab.Searcher
}

// search does a piece of a search, or lists the windows.
func (w *worker) search(m message) (reply bridge.Reply, buffers []js.Value, err error) {
	s, err := w.openSearch(m)
	if err != nil {
		return reply, nil, err
	}
	if m.Piece.Kind == "" {
		reply.Weeks, err = json.Marshal(s.Weeks())
		return reply, nil, err
	}
	w.yield()
	if w.cancelled[m.ID] {
		return reply, nil, errCancelled
	}
	p := &m.Piece
	values, found, err := s.Do(windows.Piece{Kind: p.Kind, Week: p.Week, Last: p.Last, From: p.From, To: p.To, Weights: p.Weights}, w.watch(m.ID))
	if err != nil && !errors.Is(err, mixed.ErrCancelled) {
		return reply, nil, err
	}
	if found != nil {
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
	s, err := lab.NewSearcher(doc, w.env(m))
	if err != nil {
		return nil, err
	}
	w.cache.searched = &searched{m.Experiment, s}
	return w.cache.searched, nil
}
