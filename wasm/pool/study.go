package pool

import (
	"encoding/json"
	"errors"

	"batchlab/core/experiment"
	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

// stopWait is how long workers may take to end a study that was stopped, in
// milliseconds: they hand over what they have found.
const stopWait = 8000

// study is a preset under way. Every worker computes it; pieces are dealt out
// phase by phase, and what came of them goes to all others.
type study struct {
	pool    *Pool
	parts   []*studyPart
	phase   int // of which next and total are
	next    int
	total   int
	phases  map[int][]Buffer // shares of a phase, from worker k to worker j at k·parts + j
	pace    pace             // of the phase
	stopped bool
	over    bool
	news    func(engine.StudyNews)
	told    float64
}

// studyPart is one worker's part.
type studyPart struct {
	task    *task
	worker  *worker
	done    int     // pieces of the phase
	partial float64 // of the piece under way
	phase   int
	left    bool // the others go on without it
}

// Document implements engine.StudyEngine.
func (p *Pool) Document(key string, quick bool, log *experiment.Log, file any, done func(engine.StudyDocument, error)) {
	q := bridge.StudyPart{Key: key, Quick: quick, Document: true, Parts: 1}
	t := &task{studies: true, request: bridge.Request{Kind: bridge.Study}}
	if log != nil {
		q.Name, q.SHA256, q.Size = log.Name, log.SHA256, log.Size
		if file == nil {
			file = p.files[log.SHA256]
		}
		if file == nil {
			p.host.After(0, func() { done(engine.StudyDocument{}, ErrLogWanted) })
			return
		}
		t.file, t.log = file, log.SHA256
	}
	t.request.Study = q
	t.end = func(reply bridge.Reply, _ []Buffer, err error) {
		var d engine.StudyDocument
		if err == nil {
			err = json.Unmarshal(reply.Papers, &d)
		}
		done(d, err)
	}
	p.submit(t, true)
}

// Study implements engine.StudyEngine.
func (p *Pool) Study(key string, quick bool, log *experiment.Log, file any, news func(engine.StudyNews)) (stop func()) {
	s := &study{pool: p, phases: map[int][]Buffer{}, news: news}
	q := bridge.StudyPart{Key: key, Quick: quick, Parts: p.size}
	if log != nil {
		q.Name, q.SHA256, q.Size = log.Name, log.SHA256, log.Size
		if file == nil {
			file = p.files[log.SHA256]
		}
		if file == nil {
			p.host.After(0, func() { news(engine.StudyNews{Over: true, Err: ErrLogWanted}) })
			return func() {}
		}
	}
	for k := range p.size {
		t := &task{studies: true, file: file, request: bridge.Request{Kind: bridge.Study, Study: q}}
		if log != nil {
			t.log = log.SHA256
		}
		part := &studyPart{task: t}
		s.parts = append(s.parts, part)
		t.on = func(w *worker, reply bridge.Reply, buffers []Buffer) { s.answer(k, w, reply, buffers) }
		t.progress = func(done, total int) {
			part.partial = float64(done) / 1000
			s.tell()
		}
		t.end = func(reply bridge.Reply, _ []Buffer, err error) {
			if !part.left {
				s.end(reply, err)
			}
		}
	}
	for _, part := range s.parts {
		p.submit(part.task, false)
	}
	return s.stop
}

// answer deals with what a worker asks for on the way.
func (s *study) answer(k int, w *worker, reply bridge.Reply, buffers []Buffer) {
	part := s.parts[k]
	if part.left {
		return
	}
	part.worker = w
	if reply.Phase > s.phase {
		s.phase, s.next, s.total = reply.Phase, 0, reply.Total
		s.pace.begin(s.pool.host.Now() / 1000)
	}
	if part.phase != reply.Phase {
		part.phase = reply.Phase
	}
	part.done, part.partial = reply.Done, float64(reply.Done)
	if reply.Kind == bridge.Take {
		item := -1
		if reply.Phase == s.phase && s.next < s.total && !s.stopped {
			item = s.next
			s.next++
		}
		s.give(w, part, bridge.StudyPart{Phase: reply.Phase, Item: item}, nil)
		s.tell()
		return
	}
	n := len(s.parts)
	shares := s.phases[reply.Phase]
	if shares == nil {
		shares = make([]Buffer, n*n)
		s.phases[reply.Phase] = shares
	}
	if len(buffers) != n-1 {
		s.end(bridge.Reply{}, errShort)
		return
	}
	for i, j := 0, 0; j < n; j++ {
		if j != k {
			shares[k*n+j] = buffers[i]
			i++
		}
	}
	shares[k*n+k] = true // it has handed over
	s.share(reply.Phase)
}

// share gives every part what the others found in a phase, once all have handed over.
func (s *study) share(phase int) {
	n, shares := len(s.parts), s.phases[phase]
	if shares == nil {
		return
	}
	for j, part := range s.parts {
		if shares[j*n+j] == nil && !part.left {
			return
		}
	}
	delete(s.phases, phase)
	for j, to := range s.parts {
		if to.left {
			continue
		}
		var all []Buffer
		for from := range n {
			if share := shares[from*n+j]; from != j && share != nil {
				all = append(all, share)
			}
		}
		s.give(to.worker, to, bridge.StudyPart{Phase: phase, Shared: true}, all)
	}
}

func (s *study) give(w *worker, part *studyPart, q bridge.StudyPart, buffers []Buffer) {
	w.port.Send(bridge.Encode(bridge.Request{Kind: bridge.Give, ID: part.task.request.ID, Study: q}), buffers, nil)
}

// stop ends the study with what has been found. A worker that has not begun, or does
// not hand over in time, costs what it has, not what the others found.
func (s *study) stop() {
	if s.stopped || s.over {
		return
	}
	s.stopped = true
	for _, part := range s.parts {
		if part.worker != nil {
			part.worker.port.Send(bridge.Encode(bridge.Request{Kind: bridge.Stop, ID: part.task.request.ID}), nil, nil)
		}
	}
	s.leave(func(k int) bool { return s.parts[k].worker == nil })
	s.pool.host.After(stopWait, func() {
		if n, shares := len(s.parts), s.phases[s.phase]; shares != nil {
			s.leave(func(k int) bool { return shares[k*n+k] == nil })
		}
		s.pool.host.After(stopWait, func() { s.cancel(errCancelled) })
	})
}

// leave has the others go on without those parts of which without is true; without
// any the study is over.
func (s *study) leave(without func(k int) bool) {
	if s.over {
		return
	}
	rest := 0
	for k, part := range s.parts {
		if !part.left && without(k) {
			part.left = true
			s.pool.cancel(part.task)
		}
		if !part.left {
			rest++
		}
	}
	if rest == 0 {
		s.cancel(errCancelled)
		return
	}
	s.share(s.phase)
}

// cancel gives all parts up.
func (s *study) cancel(err error) {
	if s.over {
		return
	}
	s.over = true
	for _, part := range s.parts {
		s.pool.cancel(part.task)
	}
	if err == errCancelled {
		err = nil
	}
	s.news(engine.StudyNews{Over: true, Err: err})
}

// end takes the answer of a part: the first is as good as any.
func (s *study) end(reply bridge.Reply, err error) {
	if s.over {
		return
	}
	var result *engine.StudyResult
	if err == nil {
		result = &engine.StudyResult{}
		if json.Unmarshal(reply.Papers, result) != nil {
			err = errors.New("the simulation worker sent a result that cannot be read")
		}
	}
	if err != nil {
		s.cancel(err)
		return
	}
	s.over = true
	s.news(engine.StudyNews{Over: true, Result: result})
}

// tell tells how far the study is, ten times a second at most.
func (s *study) tell() {
	now := s.pool.host.Now()
	if s.over || now-s.told < 100 {
		return
	}
	s.told = now
	n := engine.StudyNews{Phase: s.phase, Total: s.total}
	sum := 0.0
	for _, part := range s.parts {
		if part.phase == s.phase {
			sum += part.partial
			n.Done += part.done
		}
	}
	if s.total > 0 {
		n.Progress = min(1, sum/float64(s.total))
	}
	n.Left = s.pace.left(now/1000, n.Progress)
	s.news(n)
}
