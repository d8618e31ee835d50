//go:build js && wasm && !small

package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"syscall/js"
	"time"

	"batchlab/core/experiment"
	"batchlab/core/paper"
	"batchlab/core/sweep"
	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

// study computes a preset together with other workers.
func (w *worker) study(m message) (reply bridge.Reply, buffers []js.Value, err error) {
	p := paper.Find(m.Study.Key)
	if p == nil {
		return reply, nil, fmt.Errorf("there is no preset %q", m.Study.Key)
	}
	s := &part{worker: w, id: m.ID, parts: m.Study.Parts, watch: w.watch(m.ID)}
	o := sweep.Options{Quick: m.Study.Quick, Each: s.each, Workers: 1, Watch: s.look}
	started := time.Now()
	o.Now = func() float64 { return time.Since(started).Seconds() }
	if m.file.Truthy() {
		ref, err := w.read(m, m.file, experiment.Log{})
		if err != nil {
			return reply, nil, err
		}
		ref.Name = m.Study.Name
		o.Logs = []paper.Log{{Ref: ref, Log: w.cache.logs.last()}}
	}
	w.stopped = false
	if m.Study.Document {
		doc, whole, err := p.Document(paper.Input{Logs: o.Logs, Quick: o.Quick, Watch: s.look})
		if err == nil {
			reply.Papers, err = json.Marshal(engine.StudyDocument{Document: string(experiment.EncodeCompact(doc)), Whole: whole})
		}
		return reply, nil, err
	}
	got, err := sweep.Preset(p, o)
	if err != nil {
		return reply, nil, err
	}
	if w.cancelled[m.ID] {
		return reply, nil, errCancelled
	}
	out := engine.StudyResult{
		Key: got.Key, Log: got.Log, StandIn: got.StandIn, Quick: got.Quick, Partial: got.Partial, Digest: got.Digest, Notes: got.Notes,
		Rows: make([]engine.StudyRow, len(got.Rows)),
	}
	for i, r := range got.Rows {
		out.Rows[i] = engine.StudyRow{Label: r.Label, Column: r.Column, Half: r.Half, From: r.From, To: r.To, Paper: r.Paper, Unit: r.Unit}
		if !math.IsNaN(r.Ours) && !math.IsInf(r.Ours, 0) {
			out.Rows[i].Ours = &got.Rows[i].Ours
		}
	}
	for _, e := range got.Experiments {
		out.Experiments = append(out.Experiments, engine.StudyExperiment{Label: e.Label, Document: string(experiment.Encode(e.Experiment))})
	}
	reply.Papers, err = json.Marshal(out)
	return reply, nil, err
}

// part is this worker's part of a preset.
type part struct {
	*worker
	id, parts, phase int
	watch            func(done, total int) bool
	done, n          int // pieces of this phase
}

// look lets messages in, and says whether to go on.
func (s *part) look(done, total int) bool {
	return s.watch(1000*s.done+int(1000*int64(done)/int64(max(1, total))), 1000*max(1, s.n)) && !s.stopped
}

// each does the pieces that the page hands out, and takes over what others did.
func (s *part) each(n int, work func(worker, item int) error, result func(item int) any) error {
	if result == nil {
		for i := range n {
			if err := work(0, i); err != nil {
				return err
			}
		}
		return nil
	}
	s.phase++
	s.done, s.n = 0, n
	type piece struct {
		Item   int `json:"item"`
		Result any `json:"result"`
	}
	var own []piece
	s.take()
	for !s.stopped {
		given, err := s.await(false)
		if err != nil {
			return err
		}
		if given.Study.Item < 0 {
			break
		}
		s.take() // the next one, before this begins
		if err := work(0, given.Study.Item); err != nil {
			if s.stopped && !s.cancelled[s.id] {
				break
			}
			return err
		}
		own = append(own, piece{given.Study.Item, result(given.Study.Item)})
		s.done++
		s.look(0, 1)
	}
	text, err := json.Marshal(own)
	if err != nil {
		return fmt.Errorf("results cannot be passed on: %w", err)
	}
	copies := make([]js.Value, s.parts-1)
	for i := range copies {
		copies[i] = bridge.BytesToJS(text)
	}
	bridge.Post(s.self, bridge.Encode(bridge.Reply{Kind: bridge.Share, ID: s.id, Phase: s.phase, Done: s.done, Total: n}), copies, js.Undefined())
	shared, err := s.await(true)
	if err != nil {
		return err
	}
	for _, b := range shared.buffers {
		var theirs []struct {
			Item   int             `json:"item"`
			Result json.RawMessage `json:"result"`
		}
		if err := json.Unmarshal(bridge.FromJS(b), &theirs); err != nil {
			return fmt.Errorf("another worker's results cannot be read: %w", err)
		}
		s.done += len(theirs)
		for _, r := range theirs {
			if r.Item < 0 || r.Item >= n {
				return errors.New("another worker's results belong elsewhere")
			}
			if err := json.Unmarshal(r.Result, result(r.Item)); err != nil {
				return fmt.Errorf("another worker's results cannot be read: %w", err)
			}
		}
	}
	if s.done < n {
		return paper.ErrCancelled
	}
	return nil
}

// take asks for the next piece.
func (s *part) take() {
	bridge.Post(s.self, bridge.Encode(bridge.Reply{Kind: bridge.Take, ID: s.id, Phase: s.phase, Done: s.done, Total: s.n}), nil, js.Undefined())
}

// await waits for a piece of this phase, or for the others' results.
func (s *part) await(shared bool) (message, error) {
	for {
		for len(s.given) > 0 {
			m := s.given[0]
			s.given = s.given[1:]
			if m.ID == s.id && m.Study.Phase == s.phase && m.Study.Shared == shared {
				return m, nil
			}
		}
		if s.cancelled[s.id] {
			return message{}, errCancelled
		}
		select {
		case <-s.wake:
		case <-time.After(time.Second): // a cancel wakes nobody
		}
	}
}
