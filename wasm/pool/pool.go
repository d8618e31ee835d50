// Package pool spreads the page's work over simulation workers. It implements
// engine.Engine in plain Go: the browser (Worker, ArrayBuffer, timers) stands
// behind Host, so that tests can play it.
//
// All methods and callbacks run on the page's thread, one at a time; a Pool
// never calls back before the method that asked has returned. Workers are
// started when there is work for them, up to the pool's size. What one had that
// ends by itself is done once more by another, and fails when that ends, too; one that
// does not obey a cancel within 150 ms is ended, and another takes its place when it
// is needed. One that has the log already is preferred. A worker holds a lock (Web
// Locks) for as long as it lives, so that its end is noticed at once, without a clock;
// a busy one is never taken for dead. Results are copied in pieces of 1 MiB, so that the
// page's thread is never held long.
package pool

import (
	"batchlab/core/experiment"
	"errors"
	"slices"

	"batchlab/ui/engine"
	"batchlab/wasm/bridge"
)

// CancelWait is how long a worker may take to obey a cancel, in milliseconds.
const CancelWait = 150

// ErrLogWanted says that an experiment names a log that is not here.
var ErrLogWanted = errors.New("this experiment's log is not here yet")

var (
	errCancelled = errors.New("cancelled") // ends a task that was cancelled
	errShort     = errors.New("the simulation worker sent less than was asked")
	errNoRun     = errors.New("the experiment has no such run")
)

// Buffer is memory that moves between threads without being copied: an
// ArrayBuffer in the browser.
type Buffer any

// Port is a running worker.
type Port interface {
	// Send posts a message; the memory of buffers belongs to the worker then.
	Send(head string, buffers []Buffer, file any)
	// Terminate ends the worker at once; nothing is received from it any more.
	Terminate()
}

// Host is what the pool needs of the browser.
type Host interface {
	// Spawn starts a worker, with the page's own program or, when studies is
	// set and Fetch has brought it, with the studies' program. A worker that
	// cannot be started, or that ends by itself, with a word or without, is
	// reported by crashed with a reason for people.
	Spawn(studies bool, receive func(head []byte, buffers []Buffer), crashed func(reason string)) Port
	// Fetch brings the studies' program. It counts bytes of the total, and ends
	// with nil or with a reason for people; after that it may be called again.
	Fetch(progress func(got, total int), done func(error))
	// Copy copies a buffer into Go memory that begins on a multiple of eight
	// and then calls done, in pieces that never hold the page's thread long.
	Copy(b Buffer, done func([]byte))
	// Size is how many bytes a buffer has.
	Size(b Buffer) int
	// Both makes one file of a log's, nil for none, and of those beside it.
	Both(log any, beside []any) any
	// Join makes one file of several, one behind the other.
	Join(files []any) any
	// After calls f on the page's thread after ms milliseconds.
	After(ms int, f func())
	// Now is a clock in milliseconds.
	Now() float64
}

// Pool is a set of workers and what they have to do.
type Pool struct {
	host     Host
	size     int
	workers  []*worker
	queue    []*task
	files    map[string]any   // logs by the SHA-256 of their text
	needs    map[string]bool  // logs that only the studies' program reads
	texts    map[string]int64 // bytes of logs' text, by the same
	memory   int64            // bytes that workers may take together, 0: any
	lastID   int
	watching bool // a look of the watch is to come
	turn     []func(release func())

	fetch    fetching
	told     func(engine.Fetching)
	reading  func(engine.Fetching)
	load     *task // what Load asked for last
	toldLost func(reason string)
}

// New returns a pool of at most size workers.
func New(host Host, size int) *Pool {
	return &Pool{host: host, size: max(1, size), files: map[string]any{}, needs: map[string]bool{}, texts: map[string]int64{}, reading: func(engine.Fetching) {}}
}

// Workers is how many workers run side by side.
func (p *Pool) Workers() int { return p.size }

// Bound says how many bytes of memory the workers may take together. Each holds and
// simulates the jobs of a log by itself, so that fewer of them serve one that is large.
func (p *Pool) Bound(memory int64) { p.memory = memory }

// perText is how much memory a worker takes for each byte of a log's text.
const perText = 7

// crowded says whether as many workers have a log at hand as there is memory for, and none
// of them is idle. One that is idle and cannot do the task makes room.
func (p *Pool) crowded(t *task) bool {
	most := p.size
	if text := p.texts[t.log]; text > 0 && p.memory > 0 {
		most = int(min(p.memory/(perText*text), int64(most)))
	}
	n := 0
	for _, w := range slices.Clone(p.workers) {
		switch {
		case w.log != t.log || most == p.size:
		case w.task != nil:
			n++
		case w.studies || !t.studies:
			return false
		case n+1 >= most:
			p.remove(w)
		default:
			n++
		}
	}
	return n > 0 && n >= most
}

// Warm starts one worker before there is work for it, so that the first run
// does not wait for its start.
func (p *Pool) Warm() {
	if len(p.workers) == 0 {
		p.spawn(false)
	}
}

// worker is one worker and the task that it has, nil when it is idle. A piece of
// a search may wait behind it in the worker itself, so that the worker need not
// wait for the page between two pieces.
type worker struct {
	port  Port
	task  *task
	ahead *task
	log   string // what it worked on last: it may have it parsed already
	quiet int    // looks of the watch since it was heard of, with something to do

	studies bool // it runs the studies' program, which can do everything
}

// task is one request and who waits for its end. Exactly one end comes.
type task struct {
	request  bridge.Request
	log      string // affinity, see worker.log
	file     any
	beside   []any // files of annotations and of predictions, then the logs of points
	buffers  []Buffer
	before   func(*bridge.Request) // called when it is handed to a worker, may be nil
	progress func(done, total int) // may be nil
	end      func(bridge.Reply, []Buffer, error)
	on       func(w *worker, reply bridge.Reply, buffers []Buffer) // what it asks for on the way
	work     *spread                                               // of many items, of which it is one; nil for others
	small    bool                                                  // may be handed to a worker that is busy
	studies  bool                                                  // only the studies' program can do it
	refused  bool                                                  // by the page's own program
	lost     bool                                                  // a worker has ended over it
	whole    bool                                                  // of several items, which are tried one by one when a worker ends over them
	dropped  bool                                                  // it was cancelled, and its worker has been told
	over     bool
}

// submit queues a task. Short tasks that somebody looks at go first.
func (p *Pool) submit(t *task, first bool) {
	p.lastID++
	t.request.ID = p.lastID
	t.studies = t.studies || p.needs[t.log]
	if first {
		p.queue = slices.Insert(p.queue, 0, t)
	} else {
		p.queue = append(p.queue, t)
	}
	if t.studies {
		p.fetchStudies()
	}
	p.host.After(0, p.dispatch)
}

// dispatch hands queued tasks to idle workers. Those that wait for the studies'
// program, or are held back, let others pass.
func (p *Pool) dispatch() {
	for i := 0; i < len(p.queue); {
		t := p.queue[i]
		if t.studies && !p.studiesHere() || t.work != nil && t.work.held || p.crowded(t) {
			i++
			continue
		}
		w := p.workerFor(t)
		if w == nil {
			break
		}
		p.queue = slices.Delete(p.queue, i, i+1)
		if w.task == nil {
			w.task = t
		} else {
			w.ahead = t
		}
		w.log = t.log
		w.quiet = 0
		p.listen()
		if t.before != nil {
			t.before(&t.request)
		}
		file := t.file
		if len(t.beside) > 0 {
			file = p.host.Both(t.file, t.beside)
		}
		w.port.Send(bridge.Encode(t.request), t.buffers, file)
		t.buffers = nil
	}
	for i := len(p.workers) - 1; i >= 0 && len(p.workers) > p.size; i-- {
		if w := p.workers[i]; w.task == nil {
			p.remove(w)
		}
	}
}

// workerFor returns a worker for a task: an idle one, a new one, one in the
// place of an idle one with the wrong program, or a busy one where a small task
// can wait; nil when there is none.
func (p *Pool) workerFor(t *task) *worker {
	if w := p.idle(t); w != nil {
		return w
	}
	if len(p.workers) >= p.size && t.studies {
		if i := slices.IndexFunc(p.workers, func(w *worker) bool { return w.task == nil }); i >= 0 {
			p.remove(p.workers[i])
		}
	}
	if len(p.workers) < p.size {
		return p.spawn(t.studies)
	}
	return p.room(t)
}

// idle returns a free worker that can do the task, one that knows its log if
// there is one.
func (p *Pool) idle(t *task) *worker {
	var found *worker
	for _, w := range p.workers {
		if w.task == nil && (w.studies || !t.studies) && (found == nil || w.log == t.log && found.log != t.log) {
			found = w
		}
	}
	return found
}

// room returns a worker that a small task can wait in, nil when there is none.
func (p *Pool) room(t *task) *worker {
	i := slices.IndexFunc(p.workers, func(w *worker) bool {
		return t.small && w.task.small && w.ahead == nil && (w.studies || !t.studies)
	})
	if i < 0 {
		return nil
	}
	return p.workers[i]
}

func (p *Pool) spawn(studies bool) *worker {
	w := &worker{studies: studies}
	w.port = p.host.Spawn(studies,
		func(head []byte, buffers []Buffer) { p.receive(w, head, buffers) },
		func(reason string) { p.crashed(w, reason) },
	)
	p.workers = append(p.workers, w)
	return w
}

func (p *Pool) remove(w *worker) {
	if i := slices.Index(p.workers, w); i >= 0 {
		p.workers = slices.Delete(p.workers, i, i+1)
		w.port.Terminate()
	}
	if t := w.ahead; t != nil && !t.over { // it has not begun
		p.queue = slices.Insert(p.queue, 0, t)
	}
	w.ahead = nil
}

// receive takes one message of a worker.
func (p *Pool) receive(w *worker, head []byte, buffers []Buffer) {
	if !slices.Contains(p.workers, w) {
		return // ended meanwhile
	}
	w.quiet = 0
	reply, err := bridge.DecodeReply(head)
	t := w.task
	if w.ahead != nil && reply.ID == w.ahead.request.ID {
		t = w.ahead
	}
	switch {
	case err != nil:
		p.crashed(w, err.Error())
	case t == nil || reply.ID != t.request.ID:
		// an answer to what was given up
	case reply.Kind == bridge.Take || reply.Kind == bridge.Share:
		if t.on != nil && !t.over {
			t.on(w, reply, buffers)
		}
	case reply.Kind == bridge.Progress:
		if t.progress != nil && !t.over {
			t.progress(reply.Done, reply.Total)
		}
	default:
		if reply.Code == bridge.CodePanic {
			p.remove(w)
		}
		if reply.Preview != nil && t.request.NewLog != "" {
			w.log = reply.Preview.SHA256
		}
		if t == w.task {
			w.task = w.ahead
		}
		w.ahead = nil
		switch {
		case reply.Kind == bridge.Result:
			t.finish(reply, buffers, nil)
		case reply.Code == bridge.CodeCancelled:
			t.finish(reply, nil, errCancelled)
		case reply.Code == bridge.CodeStudies && !w.studies:
			p.again(t)
		case reply.Code == bridge.CodeMachine:
			t.finish(reply, nil, engine.ErrMachine)
		case reply.Code == bridge.CodeTable && reply.Table != nil:
			t.finish(reply, nil, reply.Table)
		case reply.Code == bridge.CodeLog:
			t.finish(reply, nil, ErrLogWanted)
		default:
			r := refusal{text: reply.Error}
			for _, f := range reply.Faults {
				r.faults = append(r.faults, experiment.Error{Path: f.Path, Message: f.Message, Code: experiment.Code(f.Code)})
			}
			t.finish(reply, nil, r)
		}
		p.dispatch()
	}
}

// refusal is an error that came from a worker, with the faults that it is made of.
type refusal struct {
	text   string
	faults experiment.Errors
}

// Error returns the worker's words.
func (r refusal) Error() string { return r.text }

// Unwrap returns the faults, nil where the words are all there is.
func (r refusal) Unwrap() error {
	if len(r.faults) == 0 {
		return nil
	}
	return r.faults
}

func (t *task) finish(reply bridge.Reply, buffers []Buffer, err error) {
	if !t.over {
		t.over = true
		t.end(reply, buffers, err)
	}
}

// cancel gives a task up. Its end comes with errCancelled, at the latest after
// CancelWait and then at the price of its worker.
func (p *Pool) cancel(t *task) {
	if t.over {
		return
	}
	if i := slices.Index(p.queue, t); i >= 0 {
		p.queue = slices.Delete(p.queue, i, i+1)
		p.host.After(0, func() { t.finish(bridge.Reply{}, nil, errCancelled) })
		return
	}
	for _, w := range p.workers {
		if w.ahead == t { // the worker answers when it comes to it
			w.port.Send(bridge.Encode(bridge.Request{Kind: bridge.Cancel, ID: t.request.ID}), nil, nil)
			p.host.After(0, func() { t.finish(bridge.Reply{}, nil, errCancelled) })
			return
		}
		if w.task != t {
			continue
		}
		t.dropped = true
		w.port.Send(bridge.Encode(bridge.Request{Kind: bridge.Cancel, ID: t.request.ID}), nil, nil)
		p.host.After(CancelWait, func() {
			if w.task == t && slices.Contains(p.workers, w) {
				p.remove(w)
				t.finish(bridge.Reply{}, nil, errCancelled)
				p.dispatch()
			}
		})
		return
	}
}
