//go:build js && wasm

package worker

import (
	"errors"
	"fmt"
	"slices"
	"syscall/js"
	"time"

	"batchlab/core/catalog"
	"batchlab/core/experiment"
	"batchlab/core/lab"
	"batchlab/core/report"
	"batchlab/wasm/bridge"
)

// How long a worker goes on with the points that it was given, and how many bytes
// of their parts of the digest it gathers; what is left it hands back.
const (
	sweepFor   = 300 * time.Millisecond
	sweepBytes = 16 << 20
)

// swept is the sweep that a worker keeps between its pieces.
type swept struct {
	text   string // of the experiment
	sweep  *lab.Sweep
	worker *lab.SweepWorker
}

// sweep runs items of an experiment that varies: one, or those of whole points,
// as many as there is time for. Its buffers are the runs with their measures and
// their parts of the digest, in its order; these are left out when an item
// cannot run.
func (w *worker) sweep(m message) (reply bridge.Reply, buffers []js.Value, err error) {
	s, err := w.openSweep(m)
	if err != nil {
		return reply, nil, err
	}
	if m.Span.To > s.sweep.Items.Len() {
		return reply, nil, fmt.Errorf("the experiment has no item %d", m.Span.To-1)
	}
	var (
		runs   []report.Swept
		values []float64
		blocks [][]byte // of the point under way, by place
		out    []byte   // of those that are complete
		began  = time.Now()
		single = m.Span.To == m.Span.From+1
		watch  = w.watch(m.ID)
		keys   = len(catalog.MetricKeys())
	)
	reply.Span = bridge.Span{From: m.Span.From, To: m.Span.From}
	for item := m.Span.From; item < m.Span.To; item++ {
		at := item - m.Span.From
		progress := func(done, total int) bool { // in thousandths of an item
			return watch(1000*at+1000*done/max(1, total), 1000*(m.Span.To-m.Span.From))
		}
		run, block, place, err := s.run(item, progress)
		if err != nil {
			if fatal(err) {
				if errors.Is(err, lab.ErrCancelled) && len(runs) > 0 {
					break // what is complete stays
				}
				return reply, nil, err
			}
			reply.Refused = append(reply.Refused, bridge.Refused{Item: item, Error: err.Error()})
			run = &report.Run{}
		}
		var one report.Swept
		if one, values = report.NewSwept(run, values); err != nil {
			one.Refused = 1
			values = append(values, make([]float64, keys)...)
		}
		runs = append(runs, one)
		point, within := s.sweep.Items.Point(item)
		count := s.sweep.Items.Count(point)
		if single {
			place, count, within = 0, 1, 0
		}
		if blocks == nil {
			blocks = make([][]byte, count)
		}
		blocks[place] = block
		if within+1 < count {
			continue
		}
		out = append(out, slices.Concat(blocks...)...)
		blocks = nil
		reply.Span.To = item + 1
		if time.Since(began) > sweepFor || len(out) > sweepBytes {
			break
		}
		if !single && !watch(1000*(at+1), 1000*(m.Span.To-m.Span.From)) {
			break
		}
	}
	n := reply.Span.To - reply.Span.From
	if n == 0 {
		return reply, nil, errCancelled
	}
	if len(values) < n*keys {
		return reply, nil, errors.New("a run has fewer measures than there are")
	}
	buffers = []js.Value{bridge.PackSwept(runs[:n], values[:n*keys]).ToJS()}
	if len(reply.Refused) == 0 {
		buffers = append(buffers, bridge.BytesToJS(out))
	}
	return reply, buffers, nil
}

// run runs one item, unless it would not fit.
func (s *swept) run(item int, progress func(done, total int) bool) (*report.Run, []byte, int, error) {
	p, id, place, err := s.worker.At(item)
	if err != nil {
		return nil, nil, 0, err
	}
	point, _ := s.sweep.Items.Point(item)
	work, _, err := p.Workload(id.Repetition)
	if err != nil {
		return nil, nil, place, s.sweep.Points.Fault(point, err)
	}
	if err := fits(len(work.Jobs)); err != nil {
		return nil, nil, place, s.sweep.Points.Fault(point, errors.New(err.Error()))
	}
	got, err := s.worker.Run(item, lab.Options{Progress: progress})
	if err != nil {
		return nil, nil, place, err
	}
	return got.Report, got.Block, place, nil
}

// fatal reports whether an error is not that of one point alone.
func fatal(err error) bool {
	return errors.Is(err, lab.ErrCancelled) || errors.Is(err, lab.ErrStudies) || errors.As(err, new(failure))
}

// openSweep reads the document of a request.
func (w *worker) openSweep(m message) (*swept, error) {
	if s := w.cache.swept; s != nil && s.text == m.Experiment {
		return s, nil
	}
	w.cache.swept, w.cache.prepared = nil, nil
	doc, err := experiment.Decode([]byte(m.Experiment))
	if err != nil {
		return nil, err
	}
	sweep, err := lab.NewSweep(doc, w.env(m))
	if err != nil {
		return nil, err
	}
	w.cache.swept = &swept{text: m.Experiment, sweep: sweep, worker: sweep.Worker()}
	return w.cache.swept, nil
}

// fold hashes blocks behind those of a state. Blocks says which runs are copies of
// others, none that no run is.
func fold(m message) (reply bridge.Reply, buffers []js.Value, err error) {
	d := experiment.NewDigester()
	if len(m.State) > 0 {
		if d, err = experiment.ResumeDigester(m.State); err != nil {
			return reply, nil, err
		}
	}
	add := func(b js.Value, at int) {
		for size := b.Get("byteLength").Int(); at < size; at += chunk {
			d.Add(bridge.FromJS(b.Call("slice", at, min(at+chunk, size))))
		}
	}
	for _, r := range m.Blocks {
		head := experiment.RunHead(bridge.FromJS(m.buffers[r.Buffer].Call("slice", 0, experiment.RunHeadSize)), r.Repetition)
		d.Add(head)
		add(m.buffers[r.Buffer], len(head))
	}
	for _, b := range m.buffers {
		if m.Blocks == nil {
			add(b, 0)
		}
	}
	reply.State, reply.Digest = d.State(), d.Sum()
	return reply, m.buffers, nil
}
