package pool

import (
	"fmt"

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

	// refusedMost is after how many items that cannot run, with none that can, a
	// sweep ends.
	refusedMost = 20
)

// swept is an experiment that varies, under way.
type swept struct {
	spread
	items  *experiment.Items
	points *experiment.Points

	alone int     // items before this one are handed out one by one, since a worker crashed over them
	cost  float64 // milliseconds of an item, 0 not known
	ok    bool    // an item could run
}

// Sweep implements engine.Sweeper.
func (p *Pool) Sweep(e experiment.Experiment, news func(engine.News)) engine.Control {
	s := &swept{points: e.Points()}
	items, err := s.points.Items()
	n := 0
	if err == nil {
		n = items.Len()
	}
	s.spread, s.items = spreadOf(p, supply{doc: e, text: string(experiment.EncodeCompact(&e)), studies: e.Studies()}, n, news), items
	s.next, s.settle, s.never = s.unit, func() { s.digest.fold(s.feed) }, err
	s.digest.runs, s.stopped = n, true
	s.GoOn()
	return s
}

// unit hands out the next items: one, or those of whole points.
func (s *swept) unit() bool {
	if s.waits() {
		return false
	}
	u := s.todo[0]
	to := u.From + 1
	point, within := s.items.Point(u.From)
	if n := s.items.Count(point); within == 0 && u.From >= s.alone && s.cost > 0 && s.cost*float64(n) < singlesFrom {
		most := min(unitMost, max(1, int(unitFor/(s.cost*float64(n)))))
		for last := point; last < min(point+most, s.points.Len()) && s.items.First(last+1) <= u.To; last++ {
			to = s.items.First(last + 1)
		}
	}
	s.pass(s.take(to))
	return true
}

// pass gives items to a worker.
func (s *swept) pass(unit bridge.Span) {
	t := s.task(bridge.Request{Kind: bridge.Sweep, Span: unit})
	t.small = unit.To-unit.From > 1
	t.whole = t.small
	var started float64
	t.before = func(*bridge.Request) { started = s.pool.host.Now() }
	t.end = func(reply bridge.Reply, buffers []Buffer, err error) { s.end(t, started, reply, buffers, err) }
	s.hand(t, unit, float64(unit.To-unit.From))
}

// end takes the answer of a worker.
func (s *swept) end(t *task, started float64, reply bridge.Reply, buffers []Buffer, err error) {
	unit := s.units[t]
	s.studies = s.studies || t.refused
	finish := func(err error) {
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
		s.news.Parts = append(s.news.Parts, part)
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
	s.digest.waive()
	if !s.ok && s.refused >= refusedMost && s.fault == nil {
		s.fault = fmt.Errorf("%s (and so are the others that were tried)", text)
	}
	s.news.Parts = append(s.news.Parts, engine.SweepPart{From: item, Error: text})
}

// keep keeps the parts of the digest that came.
func (s *swept) keep(got bridge.Span, reply bridge.Reply, buffers []Buffer) error {
	if len(reply.Refused) > 0 {
		s.digest.waive()
		return nil
	}
	at := got.From
	if point, within := s.items.Point(at); got.To == at+1 {
		place, err := s.place(point, within)
		if err != nil {
			return err
		}
		at = s.items.First(point) + place
	}
	s.digest.hold(at, got.To-got.From, buffers[1])
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
