package pool

import (
	"errors"
	"fmt"
	"slices"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

var _ engine.Sweeper = (*Pool)(nil)

// How a sweep is handed out.
const (
	// unitFor is how long workers are busy with whole points that are handed to
	// them together, in milliseconds; wherever a point takes longer than
	// singlesFrom its runs are handed out one by one.
	unitFor, singlesFrom = 150, 400
	unitMost             = 256 // points

	// holdMost is how many bytes of parts of the digest wait for those before
	// them until only the one that they wait for is handed out; foldFrom is how
	// many are hashed together.
	holdMost, foldFrom = 64 << 20, 4 << 20

	// refusedMost is after how many items that cannot run, with none that can, a
	// sweep ends.
	refusedMost = 20
)

// swept is an experiment that varies, under way.
type swept struct {
	spread
	doc     experiment.Experiment
	text    string
	studies bool
	with    task // the logs and files that all items come with
	items   *experiment.Items
	points  *experiment.Points
	news    func(engine.SweepNews)

	todo    []bridge.Span         // what is to be handed out, in order
	units   map[*task]bridge.Span // items that are handed out
	alone   int                   // items before this one are handed out one by one, since a worker crashed over them
	cost    float64               // milliseconds of an item, 0 not known
	spent   float64               // seconds before it went on last
	ok      bool                  // an item could run
	refused int
	dropped bool
	parts   []engine.SweepPart
	ended   bool // the last news is told

	// The digest: parts by where they begin in its order, the next one, and the
	// state of what is hashed.
	held    map[int]block
	bytes   int
	hashed  int
	state   []byte
	digest  string
	folding bool
	broken  bool // a part is lost or does not exist
}

// block is parts of the digest, one after the other.
type block struct {
	buffer Buffer
	bytes  int
	runs   int
}

// Sweep implements engine.Sweeper.
func (p *Pool) Sweep(e experiment.Experiment, news func(engine.SweepNews)) engine.SweepControl {
	s := &swept{spread: spread{pool: p, partial: map[*task]float64{}}, doc: e, points: e.Points(), units: map[*task]bridge.Span{}, held: map[int]block{}, news: news}
	s.next, s.settle, s.over, s.send = s.unit, s.fold, s.complete, s.told
	s.text, s.studies = string(experiment.EncodeCompact(&e)), e.Studies()
	if s.items, s.fault = s.points.Items(); s.fault == nil {
		s.todo = []bridge.Span{{To: s.items.Len()}}
	}
	s.stopped = true
	s.GoOn()
	return s
}

// Stop implements engine.SweepControl.
func (s *swept) Stop() { s.stop() }

// GoOn implements engine.SweepControl.
func (s *swept) GoOn() {
	if !s.stopped || s.dropped || s.items != nil && len(s.todo) == 0 && (s.broken || s.digest != "") {
		return
	}
	if s.items != nil {
		s.fault, s.refused = s.pool.attach(&s.with, &s.doc), 0
	}
	s.stopped, s.ended, s.began = false, false, s.pool.host.Now()
	s.pool.host.After(0, s.feed)
}

// Drop implements engine.SweepControl.
func (s *swept) Drop() {
	s.Stop()
	s.dropped, s.news = true, nil
	clear(s.held)
}

// unit hands out the next items.
func (s *swept) unit() bool {
	if len(s.todo) == 0 || s.bytes > holdMost && s.todo[0].From > s.earliest() && len(s.open) > 0 {
		return false // else the one that the others wait for is under way
	}
	s.pass(s.take())
	return true
}

// earliest is where the first item under way begins.
func (s *swept) earliest() int {
	first := s.items.Len()
	for _, u := range s.units {
		first = min(first, u.From)
	}
	return first
}

// take takes the next items from the list: one, or those of whole points.
func (s *swept) take() bridge.Span {
	u := &s.todo[0]
	unit := bridge.Span{From: u.From, To: u.From + 1}
	point, within := s.items.Point(u.From)
	if n := s.items.Count(point); within == 0 && u.From >= s.alone && s.cost > 0 && s.cost*float64(n) < singlesFrom {
		most := min(unitMost, max(1, int(unitFor/(s.cost*float64(n)))))
		for last := point; last < min(point+most, s.points.Len()) && s.items.First(last+1) <= u.To; last++ {
			unit.To = s.items.First(last + 1)
		}
	}
	if u.From = unit.To; u.From >= u.To {
		s.todo = s.todo[1:]
	}
	return unit
}

// back puts items that were not done back into the list.
func (s *swept) back(unit bridge.Span) {
	if unit.From >= unit.To {
		return
	}
	i, _ := slices.BinarySearchFunc(s.todo, unit.From, func(u bridge.Span, from int) int { return u.From - from })
	s.todo = slices.Insert(s.todo, i, unit)
	if i+1 < len(s.todo) && s.todo[i].To == s.todo[i+1].From {
		s.todo[i].To = s.todo[i+1].To
		s.todo = slices.Delete(s.todo, i+1, i+2)
	}
	if i > 0 && s.todo[i-1].To == s.todo[i].From {
		s.todo[i-1].To = s.todo[i].To
		s.todo = slices.Delete(s.todo, i, i+1)
	}
}

// pass gives items to a worker.
func (s *swept) pass(unit bridge.Span) {
	t := &task{small: unit.To-unit.From > 1, whole: unit.To-unit.From > 1, studies: s.studies, log: s.with.log, file: s.with.file, beside: s.with.beside,
		request: bridge.Request{Kind: bridge.Sweep, Experiment: s.text, Span: unit, Logs: s.with.request.Logs}}
	var started float64
	t.before = func(*bridge.Request) { started = s.pool.host.Now() }
	t.end = func(reply bridge.Reply, buffers []Buffer, err error) { s.end(t, started, reply, buffers, err) }
	s.units[t] = unit
	s.hand(t, float64(unit.To-unit.From))
}

// end takes the answer of a worker.
func (s *swept) end(t *task, started float64, reply bridge.Reply, buffers []Buffer, err error) {
	unit := s.units[t]
	s.studies = s.studies || t.refused
	finish := func(err error) {
		delete(s.units, t)
		switch {
		case err == nil:
		case err == errCancelled:
			s.back(unit)
		case err == ErrLogWanted:
			s.back(unit)
			s.fail(err)
		case unit.To-unit.From > 1: // which of them it was is not known
			s.alone = max(s.alone, unit.To)
			s.back(unit)
		default:
			s.refuse(unit.From, err.Error())
			s.done++
		}
		s.closed(t)
	}
	got := reply.Span
	if err == nil && (len(buffers) < 1 || got.From != unit.From || got.To <= got.From || got.To > unit.To || len(buffers) < 2 && len(reply.Refused) == 0) {
		err = errShort
	}
	if err != nil || s.dropped {
		finish(err)
		return
	}
	cost := (s.pool.host.Now() - started) / float64(got.To-got.From)
	if s.cost == 0 {
		s.cost = cost
	}
	s.cost += (cost - s.cost) / 4
	s.pool.host.Copy(buffers[0], func(memory []byte) {
		part := engine.SweepPart{From: got.From}
		var err error
		if part.Runs, part.Values, err = bridge.UnpackSwept(memory, len(catalog.MetricKeys())); err == nil && len(part.Runs) != got.To-got.From {
			err = errShort
		}
		if err == nil {
			err = s.keep(got, reply, buffers)
		}
		if err != nil {
			finish(err)
			return
		}
		s.parts = append(s.parts, part)
		s.done += float64(len(part.Runs))
		s.ok = s.ok || len(reply.Refused) < len(part.Runs)
		for _, r := range reply.Refused {
			s.refuse(r.Item, r.Error)
		}
		s.back(bridge.Span{From: got.To, To: unit.To})
		finish(nil)
	})
}

// refuse notes an item that cannot run.
func (s *swept) refuse(item int, text string) {
	s.refused++
	s.broken = true
	if !s.ok && s.refused >= refusedMost && s.fault == nil {
		s.fault = fmt.Errorf("%s (and so are the others that were tried)", text)
	}
	s.parts = append(s.parts, engine.SweepPart{From: item, Error: text})
}

// keep keeps the parts of the digest that came.
func (s *swept) keep(got bridge.Span, reply bridge.Reply, buffers []Buffer) error {
	if len(reply.Refused) > 0 || s.broken {
		s.broken = true
		s.bytes = 0
		clear(s.held)
		return nil
	}
	size := s.pool.host.Size(buffers[1])
	at := got.From
	if point, within := s.items.Point(at); got.To == at+1 {
		place, err := s.place(point, within)
		if err != nil {
			return err
		}
		at = s.items.First(point) + place
	}
	s.held[at] = block{buffers[1], size, got.To - got.From}
	s.bytes += size
	return nil
}

// place is where an item stands in its point's digest.
func (s *swept) place(point, within int) (int, error) {
	var e *experiment.Experiment
	if !s.items.Uniform() {
		var err error
		if e, err = s.points.At(point); err != nil {
			return 0, err
		}
	}
	_, place := s.items.Of(e)
	return place[within], nil
}

// fold has the parts hashed that stand next in the digest, when they are many or
// the last.
func (s *swept) fold() {
	if s.folding || s.broken || s.dropped {
		return
	}
	bytes, at := 0, s.hashed
	var list []block
	for b, there := s.held[at]; there && bytes < 4*foldFrom; b, there = s.held[at] {
		list = append(list, b)
		bytes += b.bytes
		at += b.runs
	}
	if len(list) == 0 || bytes < foldFrom && at < s.items.Len() {
		return
	}
	t := &task{request: bridge.Request{Kind: bridge.Fold, State: s.state}}
	for from := s.hashed; from < at; {
		b := s.held[from]
		t.buffers = append(t.buffers, b.buffer)
		delete(s.held, from)
		from += b.runs
	}
	s.folding, s.hashed = true, at
	t.end = func(reply bridge.Reply, _ []Buffer, err error) {
		s.folding = false
		s.bytes -= bytes
		if err == nil && len(reply.State) == 0 {
			err = errShort
		}
		if err != nil {
			s.broken = true
		} else if s.state = reply.State; s.hashed == s.items.Len() {
			s.digest = reply.Digest
		}
		s.feed()
	}
	s.pool.submit(t, true)
}

// complete says whether nothing more is to come.
func (s *swept) complete() bool {
	if s.items == nil {
		return true
	}
	return len(s.open) == 0 && (s.stopped || len(s.todo) == 0 && (s.broken || s.digest != ""))
}

// told tells the news that have come in.
func (s *swept) told() {
	if s.news == nil || s.ended {
		return
	}
	n := engine.SweepNews{Parts: s.parts, Done: s.finished(), Seconds: s.seconds(), Err: s.fault, Digest: s.digest, Over: s.over()}
	s.parts = nil
	if n.Over {
		s.spent, s.ended = n.Seconds, true
		if s.stopped = true; len(s.todo) == 0 && s.digest == "" && n.Err == nil && s.refused == 0 {
			n.Err = errors.New("a worker stopped with a part of the digest: all runs are there, the digest is not")
		}
		s.began = s.pool.host.Now()
	}
	s.news(n)
}

// seconds is how long the sweep has been at work.
func (s *swept) seconds() float64 {
	if s.ended {
		return s.spent
	}
	return s.spent + (s.pool.host.Now()-s.began)/1000
}
